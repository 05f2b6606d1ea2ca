"""Named numbers, words and sets over one seat's view, for the conditions of standing orders."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.core.types import Fact
from pbem.engine.priestsofra.data import (
    BUILDINGS,
    CHAMBERS,
    FACE_SPELLINGS,
    FACES,
    HIGHEST_SUN,
    LANGUAGE,
    PEOPLE,
    TILES,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.engine.priestsofra.view import Player, View

_COUNTED = (
    "farmers",
    "warriors",
    "merchants",
    "scribes",
    "granaries",
    "fortresses",
    "markets",
    "libraries",
    "chambers_a",
    "chambers_b",
    "chambers_c",
    "chambers_d",
    "pyramids",
    "priests",
    "plagues",
)
"""What each face is called when it is counted, in the order of `data.FACES`."""

FACTS = LANGUAGE.facts
WORDS = {
    **FACE_SPELLINGS,
    **{tile: () for tile in TILES if "/" in tile},
    **{str(sun): () for sun in range(1, HIGHEST_SUN + 1)},
    **LANGUAGE.spellings["words"],
}
"""Every word that a fact can hold, with its other spellings."""


def facts(view: View) -> dict[str, Fact]:
    """Every fact of `FACTS`, always of the same type; 0, nothing or the empty set where there is nothing to tell."""
    own = None if view.seat is None else view.players[view.seat]
    return {**_table(view), **_auction(view, own), **_rivals(view), **_own(view, own)}


def _table(view: View) -> dict[str, Fact]:
    counts = [view.lot.count(face) for face in FACES]
    return {
        "phase": view.phase,
        "epoch": view.epoch,
        "seats": len(view.players),
        "tiles": len(view.lot),
        "lot": frozenset(view.lot),
        "people": sum(counts[kind] for kind in PEOPLE),
        "people_kinds": sum(counts[kind] > 0 for kind in PEOPLE),
        "buildings": sum(counts[kind] for kind in BUILDINGS),
        "chambers": sum(counts[kind] for kind in CHAMBERS),
        **dict(zip(_COUNTED, counts, strict=True)),
        "ra_count": view.ra,
        "ra_left": view.ra_spaces - view.ra,
        "bag": sum(view.bag.values()),
        "bag_ra": view.bag[TILES[0]],
        "bag_plagues": view.bag["plague"],
        "centre_sun": view.centre,
        "drawn": view.drawn,
        "faces": frozenset(view.drawn.split("/")) if view.drawn else frozenset(),
    }


def _auction(view: View, own: Player | None) -> dict[str, Fact]:
    suns = own.suns_up if own else ()
    caller = "none" if view.auction == "none" else "me" if view.turn == view.seat else "other"
    return {
        "auction": view.auction,
        "caller": caller,
        "high_bid": view.best,
        "winning_sun": min((sun for sun in suns if sun > view.best), default=0) if view.phase == "bid" else 0,
        "flips": view.flips if view.seat == view.actor else 0,
        "rivals_after_me": sum(1 for _ in _after(view)),
    }


def _after(view: View) -> Iterator[int]:
    """PR-3.1: seats with suns between the view's seat and the end of the round."""
    if view.seat is None or view.phase != "bid":
        return
    seat = view.seat
    while seat != view.turn:
        seat = (seat + 1) % len(view.players)
        if view.players[seat].suns_up:
            yield seat


def _rivals(view: View) -> dict[str, Fact]:
    suns = [player.suns_up for seat, player in enumerate(view.players) if seat != view.seat]
    own = () if view.seat is None else view.players[view.seat].suns_up
    return {
        "their_suns": sum(len(up) for up in suns),
        "their_high_sun": max((sun for up in suns for sun in up), default=0),
        "rivals": sum(bool(up) for up in suns),
        "alone": int(bool(own) and not any(suns)),
    }


def _own(view: View, own: Player | None) -> dict[str, Fact]:
    tiles = list(own.tiles.values()) if own else [0] * len(FACES)
    suns = own.suns_up if own else ()
    points = (own.points if own else 0) or 0
    others = [
        player.points for seat, player in enumerate(view.players) if seat != view.seat and player.points is not None
    ]
    return {
        "my_suns": len(suns),
        "my_high_sun": max(suns, default=0),
        "my_low_sun": min(suns, default=0),
        "suns": frozenset(map(str, suns)),
        "my_sun_sum": sum(suns) + sum(own.suns_down) if own else 0,
        "my_points": points,
        "lead": points - max(others) if own and others else 0,
        "my_ankhs": own.ankhs if own else 0,
        "my_people_kinds": sum(tiles[kind] > 0 for kind in PEOPLE),
        "my_pyramid": sum(tiles[kind] for kind in (*CHAMBERS, FACES.index("pyramid"))),
        **{f"my_{name}": count for name, count in zip(_COUNTED, tiles, strict=True)},
    }
