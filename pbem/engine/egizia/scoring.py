"""EG-8.1 participation and EG-9 final scoring; Sphinx conditions are looked up by name."""

from __future__ import annotations

from collections.abc import Callable

from pbem.engine.core.message import N_, Event
from pbem.engine.core.types import Outcome
from pbem.engine.egizia import data
from pbem.engine.egizia.components import SphinxCard
from pbem.engine.egizia.ply import Ply
from pbem.engine.egizia.state import OVER, State, field_sums, is_full, own_stones, quarry_of
from pbem.engine.egizia.tables import Tables

PAIR = 2
_TENTH = 10
_COLUMNS = (2, 3)


def participation(ply: Ply) -> None:
    """EG-8.1: points for the sites where a stone was really used, from the front of the track backwards."""
    for seat in tuple(ply.state.track):
        sites = ply.state.worked[seat].bit_count()
        points = ply.t.parts.participation[sites]
        if points:
            text = N_("{seat} took part at {sites} site(s): {points} point(s).")
            ply.tell(seat, text, "EG-8.1", sites=sites, points=points)
            ply.score(seat, points)


def new_order(ply: Ply) -> None:
    """EG-8.2: fewest points first; on one space the last to arrive counts as behind."""
    state = ply.state
    state.order = state.track[::-1]
    ply.events.append(Event(N_("New order: {seats}."), {"seats": tuple(state.order)}, "EG-8.2", marks=("track",)))


def final(ply: Ply) -> None:
    """EG-9: from the last in order to the first, each scores all lines before the next begins."""
    for seat in ply.state.order[::-1]:
        t, state, mark = ply.t, ply.state, (f"seat:{seat}",)
        points = pairs(t, state, seat)
        if points:
            ply.stones(seat, -PAIR * points)
            text = N_("{seat} sells {stones} stone(s): {points} point(s).")
            ply.tell(seat, text, "EG-9.1", mark, stones=PAIR * points, points=points)
            ply.score(seat, points)
        points = graves(t, state, seat)
        if points:
            text = N_("{seat} has graves worth {total}: {points} point(s).")
            ply.tell(seat, text, "EG-9.2", mark, total=grave_sum(t, state, seat), points=points)
            ply.score(seat, points)
        cards = [t.sphinx[card] for card in state.kept[seat]]
        for card in sorted(cards, key=lambda card: card.cond == "plus_10_percent"):
            points = sphinx_points(t, state, seat, card)
            text, what = N_("{seat} reveals {card} ({what}): {points} point(s)."), data.CONDITION_NAMES[card.cond]
            ply.tell(seat, text, "EG-9.3", mark, card=card.id, what=what, points=points)
            ply.score(seat, points)


def pairs(t: Tables, state: State, seat: int) -> int:
    """EG-9.1: with the stone marker on the last two spaces, two stones are a point, whole pairs."""
    return state.stones[seat] // PAIR if t.parts.stone_market_sell[state.stone_at[seat]] else 0


def grave_sum(t: Tables, state: State, seat: int) -> int:
    """EG-4.4, EG-9.2: the sum of the own graves, and of the graves card."""
    own = sum(value for owner, value in zip(state.dug_by, state.dug, strict=True) if owner == seat)
    return own + sum(t.value[card] for card in state.permanents[seat] if t.power[card] == data.GRAVES_8)


def graves(t: Tables, state: State, seat: int) -> int:
    """EG-9.2: points by the sum of the own graves."""
    return grave_points(t, grave_sum(t, state, seat))


def grave_points(t: Tables, total: int) -> int:
    """EG-9.2: points for a sum of graves; 0 where no line of the table holds it."""
    return next((points for low, high, points in t.parts.grave_final if low <= total <= high), 0)


def sphinx_points(t: Tables, state: State, seat: int, card: SphinxCard) -> int:
    """EG-9.3: what `card` is worth to `seat` as the board stands."""
    return _CONDITIONS[card.cond](t, state, seat, card)


def _pylons_and_columns(t: Tables, state: State, _seat: int, card: SphinxCard) -> int:
    columns = sum(is_full(t, state, part) for part in _COLUMNS)
    return card.vp if all(is_full(t, state, part) for part in data.PYLONS) and columns >= card.columns else 0


def _on_last(t: Tables, state: State, card: SphinxCard) -> list[int]:
    at, last = (state.stone_at, t.last_stone) if card.track == "stone" else (state.grain_at, t.last_grain)
    return [seat for seat, space in enumerate(at) if space == last]


def _own_stones_each(_t: Tables, state: State, seat: int, card: SphinxCard) -> int:
    stones = own_stones(state, seat)
    return card.vp if all(stones[building] >= card.n for building in card.buildings) else 0


def _amount(t: Tables, state: State, seat: int, what: str) -> int:
    if what == "quarry":
        return quarry_of(t, state, seat)
    return field_sums(t, state, seat)[data.COLOURS.index(what)]


def _majority(t: Tables, state: State, seat: int, card: SphinxCard) -> int:
    """Strictly more than every other player."""
    own = _amount(t, state, seat, card.what)
    others = (_amount(t, state, other, card.what) for other in range(state.players) if other != seat)
    return card.vp if own > max(others) else 0


_CONDITIONS: dict[str, Callable[[Tables, State, int, SphinxCard], int]] = {
    "obelisk_space_filled": lambda _t, state, _seat, card: card.vp if len(state.obelisk) >= card.n else 0,
    "temple_pylons_and_columns": _pylons_and_columns,
    "all_graves_taken": lambda t, state, _seat, card: card.vp if len(state.dug) == t.parts.grave_spaces else 0,
    "pyramid_complete": lambda t, state, _seat, card: card.vp * ([*map(len, state.pyramid)] == [*map(len, t.rows)]),
    "players_on_last_space": lambda t, state, _seat, card: card.vp_by_count[len(_on_last(t, state, card))],
    "own_on_last_space": lambda t, state, seat, card: card.vp if seat in _on_last(t, state, card) else 0,
    "own_stones": lambda _t, state, seat, card: card.vp if own_stones(state, seat)[card.building] >= card.n else 0,
    "own_stones_each": _own_stones_each,
    "vp_per_own_grave": lambda _t, state, seat, card: card.vp_each * state.dug_by.count(seat),
    "crew_strength": lambda _t, state, seat, card: state.crews[seat * 4 + data.CREW_INDEX[card.crew]],
    "majority": _majority,
    "vp_per_permanent": lambda _t, state, seat, card: card.vp_each * len(state.permanents[seat]),
    "plus_10_percent": lambda _t, state, seat, _card: max(0, state.score[seat]) // _TENTH,
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
