"""Phase 4, second half: who is rewarded, with how many cards, and who becomes first player (AR-7.5 to 7.7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.amunre.cards import MARKS, deal, draw_some, open_draft, to_be_had
from pbem.engine.amunre.data import PRIZES
from pbem.engine.amunre.orders import Take
from pbem.engine.amunre.state import order_of_play
from pbem.engine.core.types import N_, Event, Message, Params

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.engine.amunre.state import State
    from pbem.engine.core.rng import Chance

REWARD = N_("{seat} earns a reward. Items: {items}.")
TOOK = N_("{seat} takes power cards as a reward: {cards}.")
FIRST = N_("{seat} offered most and is first player from now on.")


def ranking(state: State) -> list[int]:
    """AR-7.5: the seats that are rewarded, in the order of reward: highest, second, then by player order."""
    by_turn = [seat for seat in order_of_play(state) if state.offers[seat] > 0]
    best = sorted(by_turn, key=lambda seat: -state.offers[seat])[:2]  # a stable sort keeps ties in player order
    return best + [seat for seat in by_turn if seat not in best]


def award(state: State, events: list[Event]) -> list[int]:
    """AR-7.5: note how many items everybody may take; gives the seats in the order of reward."""
    ranked = ranking(state)
    state.items = [0] * state.seats
    for place, seat in enumerate(ranked):
        items = PRIZES[min(place, len(PRIZES) - 1)]
        state.items[seat] = items
        events.append(Event(REWARD, {"seat": seat, "items": items}, "AR-7.5", seat, None, MARKS[seat]))
    return ranked


def check_take(state: State, seat: int, order: Take) -> list[Message]:
    """Name every fault of the number of reward cards."""
    if 0 <= order.cards <= state.items[seat]:
        return []
    hole: Params = {"cards": order.cards, "items": state.items[seat]}
    return [Message(N_("You can't take cards: {cards}. Items of your reward: {items}."), hole, "AR-7.6")]


def legal_takes(state: State, seat: int) -> Iterator[Take]:
    """Every number of cards from none to all items."""
    return map(Take, range(state.items[seat] + 1))


def sample_take(state: State, seat: int, chance: Chance) -> Take:
    """Draw a number of cards."""
    return Take(chance.below(state.items[seat] + 1))


def take(state: State, seat: int, order: Take, chance: Chance, events: list[Event]) -> bool:
    """AR-7.6, AR-6.9: draw what there is; the rest stays for farmers and stones. True if a draft must be asked."""
    n = min(order.cards, to_be_had(state))
    state.items[seat] -= n
    events.append(Event(TOOK, {"seat": seat, "cards": n}, "AR-7.6", seat, None, MARKS[seat]))
    if n and state.options.card_draft != "off":
        return open_draft(state, seat, n, chance, events)
    deal(state, seat, draw_some(state, n, chance, events), events)
    return False


def pass_the_pharaoh(state: State, ranked: list[int], events: list[Event]) -> None:
    """AR-7.7: the highest offerer becomes first player; after thefts only, nothing changes."""
    if ranked and ranked[0] != state.first:
        state.first = ranked[0]
        events.append(Event(FIRST, {"seat": state.first}, "AR-7.7", state.first, None, MARKS[state.first]))
