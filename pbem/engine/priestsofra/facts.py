"""Named numbers, words and sets over one seat's view, for the conditions of standing orders."""

from __future__ import annotations

from pbem.engine.core.types import Fact
from pbem.engine.priestsofra import data
from pbem.engine.priestsofra.choices import winning_suns
from pbem.engine.priestsofra.state import AUCTIONS, BID, NO_AUCTION, PHASES, suns_of
from pbem.engine.priestsofra.view import View

_COUNTED = tuple(data.FACE_SPELLINGS[face][0].replace(" ", "_").lower() for face in data.FACES)
"""What each face is called when it is counted: its first other spelling, which is its plural."""

FACTS = {**data.LANGUAGE.facts, **data.LANGUAGE.bid_facts}
WORDS = {
    **data.FACE_SPELLINGS,
    **{tile: () for tile in data.TILES if "/" in tile},
    **{str(sun): () for sun in range(1, data.HIGHEST_SUN + 1)},
    **data.LANGUAGE.spellings["words"],
}
"""Every word that a fact can hold, with its other spellings."""


def facts(view: View) -> dict[str, Fact]:
    """Every fact of `FACTS`, always of the same type; 0, nothing or the empty set where there is nothing to tell."""
    suns = () if view.seat is None else suns_of(view.up[view.seat])
    return {**_table(view), **_auction(view), **_rivals(view, suns), **_own(view, suns)}


def _table(view: View) -> dict[str, Fact]:
    counts = [view.lot.count(face) for face in range(len(data.FACES))]
    return {
        "phase": PHASES[view.phase],
        "epoch": view.epoch,
        "seats": view.seats,
        "tiles": len(view.lot),
        "lot": frozenset(data.named(view.lot)),
        "people": sum(counts[kind] for kind in data.PEOPLE),
        "people_kinds": sum(counts[kind] > 0 for kind in data.PEOPLE),
        "buildings": sum(counts[kind] for kind in data.BUILDINGS),
        "chambers": sum(counts[kind] for kind in data.CHAMBERS),
        **dict(zip(_COUNTED, counts, strict=True)),
        "ra_count": view.ra,
        "ra_left": view.ra_spaces - view.ra,
        "bag": sum(view.bag),
        "bag_ra": view.bag[data.RA],
        "bag_plagues": view.bag[data.TILE_OF[data.PLAGUE]],
        "centre_sun": view.centre,
        "drawn": data.TILES[view.drawn] if view.drawn else "",
        "faces": frozenset(data.named(data.FACES_OF[view.drawn])),
    }


def _auction(view: View) -> dict[str, Fact]:
    after: list[int] = []  # PR-3.1: seats between the view's seat and the end of the round
    if view.seat is not None and view.phase == BID:
        distance = (view.turn - view.seat) % view.seats
        after = [(view.seat + step) % view.seats for step in range(1, distance + 1)]
    caller = "none" if view.auction == NO_AUCTION else "me" if view.turn == view.seat else "other"
    return {
        "auction": AUCTIONS[view.auction],
        "caller": caller,
        "high_bid": view.best,
        "winning_sun": 0 if view.seat is None else min(winning_suns(view, view.seat), default=0),
        "flips": view.flips if view.seat == view.actor else 0,
        "rivals_after_me": sum(view.up[seat] > 0 for seat in after),
    }


def _rivals(view: View, suns: tuple[int, ...]) -> dict[str, Fact]:
    others = [suns_of(up) for seat, up in enumerate(view.up) if seat != view.seat]
    return {
        "their_suns": sum(map(len, others)),
        "their_high_sun": max((sun for up in others for sun in up), default=0),
        "rivals": sum(map(bool, others)),
        "alone": int(bool(suns) and not any(others)),
    }


def _own(view: View, suns: tuple[int, ...]) -> dict[str, Fact]:
    seat = view.seat
    tiles = [0] * len(data.FACES) if seat is None else view.display[seat]
    points = 0 if seat is None else view.points[seat]
    others = [known for other, known in enumerate(view.known_points) if other != seat and known is not None]
    return {
        "my_suns": len(suns),
        "my_high_sun": max(suns, default=0),
        "my_low_sun": min(suns, default=0),
        "suns": frozenset(map(str, suns)),
        "my_sun_sum": 0 if seat is None else sum(suns_of(view.up[seat] | view.down[seat])),
        "my_points": points,
        "lead": points - max(others) if seat is not None and others else 0,
        "my_ankhs": 0 if seat is None else view.ankhs[seat],
        "my_people_kinds": sum(tiles[kind] > 0 for kind in data.PEOPLE),
        "my_pyramid": sum(tiles[kind] for kind in (*data.CHAMBERS, data.PYRAMID)),
        **{f"my_{name}": count for name, count in zip(_COUNTED, tiles, strict=True)},
    }
