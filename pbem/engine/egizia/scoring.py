"""EG-8.1 participation and EG-9 final scoring; Sphinx conditions are looked up by name."""

from __future__ import annotations

from collections.abc import Callable

from pbem.engine.core.message import N_, event
from pbem.engine.core.types import Outcome
from pbem.engine.egizia import data
from pbem.engine.egizia.components import SphinxCard
from pbem.engine.egizia.ply import Ply
from pbem.engine.egizia.state import OVER, Own, State
from pbem.engine.egizia.tables import Tables

PAIR = 2
_SHARE, _TENTH = "plus_10_percent", 10
_COLUMNS = (2, 3)


def participation(ply: Ply) -> None:
    """EG-8.1: points for the sites where a stone was really used, from the front of the track backwards."""
    for seat in tuple(ply.state.track):
        sites = ply.state.worked[seat].bit_count()
        points = ply.t.parts.participation[sites]
        if points:
            text = N_("{seat} took part at {sites} site(s): {points} point(s).")
            own = ply.of(seat)
            own.tell(text, "EG-8.1", sites=sites, points=points)
            own.score(points)


def new_order(ply: Ply) -> None:
    """EG-8.2: fewest points first; on one space the last to arrive counts as behind."""
    state = ply.state
    state.order = state.track[::-1]
    ply.events.append(event("New order: {seats}.", "EG-8.2", marks=("track",), seats=tuple(state.order)))


def final(ply: Ply) -> None:
    """EG-9: from the last in order to the first, each scores all lines before the next begins."""
    for own in map(ply.of, ply.state.order[::-1]):
        points = pairs(own)
        if points:
            own.gain(-PAIR * points)
            text = N_("{seat} sells {stones} stone(s): {points} point(s).")
            own.tell(text, "EG-9.1", own.mark, stones=PAIR * points, points=points)
            own.score(points)
        points = graves(own)
        if points:
            text = N_("{seat} has graves worth {total}: {points} point(s).")
            own.tell(text, "EG-9.2", own.mark, total=own.graves, points=points)
            own.score(points)
        for card in in_turn(own):
            points = sphinx_points(own, card)
            text, what = N_("{seat} reveals {card} ({what}): {points} point(s)."), data.CONDITION_NAMES[card.cond]
            own.tell(text, "EG-9.3", own.mark, card=card.id, what=what, points=points)
            own.score(points)


def pairs(own: Own) -> int:
    """EG-9.1: with the stone marker on the last two spaces, two stones are a point, whole pairs."""
    return own.stones // PAIR if own.t.parts.stone_market_sell[own.state.stone_at[own.seat]] else 0


def graves(own: Own) -> int:
    """EG-9.2: points by the sum of the own graves."""
    return grave_points(own.t, own.graves)


def grave_points(t: Tables, total: int) -> int:
    """EG-9.2: points for a sum of graves; 0 where no line of the table holds it."""
    return next((points for low, high, points in t.parts.grave_final if low <= total <= high), 0)


def in_turn(own: Own) -> list[SphinxCard]:
    """EG-9.3: the Sphinx cards of the seat as they are scored: a tenth of all points last."""
    cards = [own.t.sphinx[card] for card in own.kept]
    return sorted(cards, key=lambda card: card.cond == _SHARE)


def sphinx_points(own: Own, card: SphinxCard, more: int = 0) -> int:
    """EG-9.3: what `card` is worth to the seat as the board stands, once it has scored so many points `more`."""
    return max(0, own.points + more) // _TENTH if card.cond == _SHARE else _CONDITIONS[card.cond](own, card)


def _pylons_and_columns(own: Own, card: SphinxCard) -> int:
    columns = sum(own.state.is_full(part) for part in _COLUMNS)
    return card.vp if all(own.state.is_full(part) for part in data.PYLONS) and columns >= card.columns else 0


def _on_last(state: State, card: SphinxCard) -> list[int]:
    at, last = (state.stone_at, state.t.last_stone) if card.track == "stone" else (state.grain_at, state.t.last_grain)
    return [seat for seat, space in enumerate(at) if space == last]


def _own_stones_each(own: Own, card: SphinxCard) -> int:
    stones = own.built
    return card.vp if all(stones[building] >= card.n for building in card.buildings) else 0


def _amount(own: Own, what: str) -> int:
    if what == "quarry":
        return own.quarry
    return own.field_sums[data.COLOURS.index(what)]


def _majority(own: Own, card: SphinxCard) -> int:
    """Strictly more than every other player."""
    others = (_amount(own.state.own(other), card.what) for other in range(own.state.players) if other != own.seat)
    return card.vp if _amount(own, card.what) > max(others) else 0


_CONDITIONS: dict[str, Callable[[Own, SphinxCard], int]] = {
    "obelisk_space_filled": lambda own, card: card.vp if len(own.state.obelisk) >= card.n else 0,
    "temple_pylons_and_columns": _pylons_and_columns,
    "all_graves_taken": lambda own, card: card.vp if len(own.state.dug) == own.t.parts.grave_spaces else 0,
    "pyramid_complete": lambda own, card: card.vp * ([*map(len, own.state.pyramid)] == [*map(len, own.t.rows)]),
    "players_on_last_space": lambda own, card: card.vp_by_count[len(_on_last(own.state, card))],
    "own_on_last_space": lambda own, card: card.vp if own.seat in _on_last(own.state, card) else 0,
    "own_stones": lambda own, card: card.vp if own.built[card.building] >= card.n else 0,
    "own_stones_each": _own_stones_each,
    "vp_per_own_grave": lambda own, card: card.vp_each * own.state.dug_by.count(own.seat),
    "crew_strength": lambda own, card: own.crews[data.CREW_INDEX[card.crew]],
    "majority": _majority,
    "vp_per_permanent": lambda own, card: card.vp_each * len(own.state.permanents[own.seat]),
}


def ranking(state: State) -> list[int]:
    """EG-9.4: seats from first to last: most points, then most stones, then first on the space."""
    return sorted(
        range(state.players), key=lambda seat: (-state.score[seat], -state.stones[seat], state.track.index(seat))
    )


def outcome_of(state: State) -> Outcome | None:
    """EG-9.4: how the game ended, by what parted the winner from the next; None while it goes on."""
    if state.stage != OVER:
        return None
    ranked = ranking(state)
    first, second = ranked[:2]
    if state.score[first] != state.score[second]:
        ending = "points"
    else:
        ending = "stones" if state.stones[first] != state.stones[second] else "arrival"
    places = tuple(ranked.index(seat) + 1 for seat in range(state.players))
    return Outcome(tuple(state.score), places, ending)
