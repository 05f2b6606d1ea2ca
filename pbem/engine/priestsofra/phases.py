"""How a game is opened and goes on: set-up, who is asked, and what each order does, beside the rulebook."""

from __future__ import annotations

from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pbem.engine.core.types import N_, Decision, Event, Option, Resolution, Scope, event
from pbem.engine.priestsofra import auction, draw, epochs, flips
from pbem.engine.priestsofra.data import CENTRE_SUN, FACES, RA_SPACES, START_POINTS, SUN_GROUPS, TILE_COUNTS
from pbem.engine.priestsofra.marks import seat_mark
from pbem.engine.priestsofra.orders import AnyOrder, Bid, Call, Draw, Flip, Pass, Show
from pbem.engine.priestsofra.state import BID, OVER, PHASES, State, bits_of, sealed, suns_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pbem.engine.core.rng import Chance

OPTIONS = (
    Option("hide_scores", N_("Points are shown to their owner only until the game ends."), ("no", "yes"), "no"),
    Option(
        "auctions",
        N_("Sealed: all bidders send a list at once, played out in turn. In turn: each sees the bids before."),
        ("sealed", "in_turn"),
        "sealed",
    ),
)
_MOST_SEATS = max(RA_SPACES)
_NONE_AWAITED: Mapping[int, Decision] = MappingProxyType({})
_AWAITED: tuple[tuple[Mapping[int, Decision], ...], ...] = tuple(
    tuple(MappingProxyType({seat: Decision(kind)}) for seat in range(_MOST_SEATS)) for kind in PHASES[:OVER]
)
_LIST, _LATER_LIST = Decision(PHASES[BID], sealed=True), Decision(PHASES[BID], sealed=True, needed=False)
_DEEDS: dict[type[AnyOrder], Callable[[State, Any, Chance, list[Event]], None]] = {
    Draw: draw.draw,
    Show: draw.show,
    Call: auction.call,
    Bid: auction.bid,
    Pass: auction.decline,
    Flip: flips.flip,
}


def setup(seats: int, chosen: Mapping[str, str], chance: Chance) -> Resolution:
    """PR-1: the table laid out for `seats` players, by what is chosen of every option."""
    groups = chance.shuffle("suns", SUN_GROUPS[seats])
    state = State(
        seats,
        hide_scores=chosen["hide_scores"] == "yes",
        sealed=chosen["auctions"] == "sealed",
        bag=list(TILE_COUNTS),
        gone=[0] * len(TILE_COUNTS),
        display=[[0] * len(FACES) for _ in range(seats)],
        up=[bits_of(tuple(int(sun) for sun in group.split("-"))) for group in groups],
        down=[0] * seats,
        points=[START_POINTS] * seats,
        ankhs=[0] * seats,
        actor=0,
        turn=0,
        centre=CENTRE_SUN,
    )
    text = N_("{seat} is dealt the suns {suns}.")
    events = [
        event(text, "PR-1.2", seat, marks=(seat_mark(seat),), suns=suns_of(bits)) for seat, bits in enumerate(state.up)
    ]
    epochs.begin(state, events)
    return Resolution(state, tuple(events))


@cache
def _lists(seats: tuple[int, ...]) -> Mapping[int, Decision]:
    """PR-3.6: everybody's list, the first bidder's order being needed."""
    return MappingProxyType({seat: _LATER_LIST if at else _LIST for at, seat in enumerate(seats)})


def asked(state: State) -> Mapping[int, Decision]:
    """Return the one seat that must act now, or all who owe a list (PR-3.6); empty when the game is over."""
    if state.phase == OVER:
        return _NONE_AWAITED
    if state.phase == BID and not state.best and (seats := sealed(state)):
        return _lists(seats)
    return _AWAITED[state.phase][state.actor]


def apply(state: State, orders: Mapping[int, AnyOrder], chance: Chance) -> list[Event]:
    """Carry out the awaited seat's legal order in place, up to the next decision."""
    events: list[Event] = []
    order = orders[state.actor]
    _DEEDS[type(order)](state, order, chance, events)
    return events


def scope(state: State) -> Scope:
    """Phase: the turns between two auctions, or one auction with its flips. Round: the epoch."""
    what = "turns" if PHASES[state.phase] in {"turn", "face"} else PHASES[OVER] if state.phase == OVER else "auction"
    return Scope(f"{state.epoch}-{what}-{state.auctions}", f"epoch-{state.epoch}")
