"""Power cards on their way: drawn, dealt, sold, discarded (AR-1.7, 6.8, 6.9, 6.11)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pbem.engine.amunre.data import CARDS, KINDS, LOGGED, names
from pbem.engine.amunre.state import Ply, State
from pbem.engine.core.choosing import take
from pbem.engine.core.message import N_, Event, Message, sentence
from pbem.engine.core.rng import Chance

MARKS = tuple((f"seat:{seat}",) for seat in range(5))
"""By seat, the mark of its line at the rim of the board."""
_DECK = ("deck",)
DREW = N_("You draw {cards}.")
SOLD = N_("{seat} sells {cards} for {gold} gold.")


def held(hand: Sequence[int]) -> list[int]:
    """Return the kinds of a counted hand, a card of which there are two twice."""
    return [kind for kind, n in enumerate(hand) for _ in range(n)]


def to_be_had(state: State) -> int:
    """Return how many cards deck and discard pile hold together (AR-6.9)."""
    return sum(state.deck) + len(state.top) + sum(state.discard)


def draw(ply: Ply) -> int:
    """Draw one card; -1 if there is none left even after AR-6.9's shuffle."""
    state = ply.state
    if state.top:
        state.top_known.pop()
        return state.top.pop()
    if not any(state.deck):
        if not any(state.discard):
            return -1
        state.deck = state.discard
        state.discard = [0] * KINDS
        ply.tell("The discard pile is shuffled into a new deck.", "AR-6.9", marks=_DECK)
    kind = ply.chance.draw("card", LOGGED, state.deck)
    state.deck[kind] -= 1
    return kind


def draw_some(ply: Ply, n: int) -> list[int]:
    """Draw up to `n` cards: as many as there are."""
    drawn = []
    for _ in range(n):
        kind = draw(ply)
        if kind < 0:
            break
        drawn.append(kind)
    return drawn


def deal(ply: Ply, seat: int, drawn: list[int]) -> None:
    """Put cards into a hand; only their owner reads which."""
    if drawn:
        hand = ply.state.hands[seat]
        for kind in drawn:
            hand[kind] += 1
        ply.events.append(Event(DREW, {"cards": names(drawn)}, "AR-1.5", seat, (seat,), MARKS[seat]))


def play(state: State, seat: int, kind: int) -> None:
    """AR-1.7: a played card goes from the hand to the discard pile at once."""
    state.hands[seat][kind] -= 1
    state.discard[kind] += 1


def sell(ply: Ply, seat: int, kinds: Sequence[int]) -> None:
    """AR-6.8: sell cards for 1 gold each; their kinds are open to all (AR-1.6)."""
    state = ply.state
    if kinds:
        hand, discard = state.hands[seat], state.discard
        for kind in kinds:
            hand[kind] -= 1
            discard[kind] += 1
        state.gold[seat] += len(kinds)
        ply.tell(SOLD, "AR-6.8", seat, marks=MARKS[seat], cards=names(kinds), gold=len(kinds))


def open_draft(ply: Ply, seat: int, n: int) -> bool:
    """AR-6.11: draw `n` cards and two more; True if it must be asked which go back."""
    state = ply.state
    drawn = draw_some(ply, n + 2)
    state.back = len(drawn) - min(n, len(drawn))
    if state.back and len(set(drawn)) > 1:
        state.drawn = sorted(drawn)
        return True
    back, kept = drawn[: state.back], drawn[state.back :]  # all alike, or none goes back
    put_back(ply, seat, back)
    deal(ply, seat, kept)
    return False


def put_back(ply: Ply, seat: int, back: Sequence[int]) -> None:
    """AR-6.11: onto the deck, the first on top; or onto the discard pile, open to all (AR-1.6)."""
    state = ply.state
    if state.options.card_draft == "discard":
        for kind in back:
            state.discard[kind] += 1
        if back:
            ply.tell("{seat} discards {cards}.", "AR-6.11", seat, marks=_DECK, cards=names(back))
    else:
        if back:
            text = N_("{seat} puts cards drawn back on the deck: {cards}.")
            ply.tell(text, "AR-6.11", seat, marks=_DECK, cards=len(back))
        state.top += back[::-1]
        state.top_known += [seat] * len(back)
    state.back = 0
    state.drawn = []


def some(hand: Sequence[int], n: int, chance: Chance) -> tuple[int, ...]:
    """Return a random choice of `n` cards of a counted hand."""
    pool = held(hand)
    if n == len(pool):
        return tuple(pool)
    return tuple(sorted(take(pool, n, chance)))


def sale_faults(
    hand: Sequence[int], reserved: Iterable[int], sell: Sequence[int], missing: int, rule: str
) -> Iterator[Message]:
    """Return what is wrong with selling `sell` out of `hand` for `missing` gold while playing the cards `reserved`."""
    left = list(hand)
    for kind in (*reserved, *sell):
        if not 0 <= kind < KINDS:
            yield sentence("There is no card with the number {kind}.", "AR-1.2", kind=kind)
            return
        left[kind] -= 1
    text = N_("You named {found} {card} card(s), but have {held}.")
    for kind, (held, rest) in enumerate(zip(hand, left, strict=True)):
        if rest < 0:
            yield sentence(text, "AR-1.5", found=held - rest, card=CARDS[kind], held=held)
    if len(sell) != max(missing, 0):
        cards, lacking = sum(hand) - len(tuple(reserved)), max(missing, 0)
        text = N_("You lack {missing} gold: sell exactly so many cards (you named {sold}).")
        if lacking == 0:
            text = N_("You have gold enough for this: sell no card for it, not {sold}.")
        elif lacking > cards:
            text = N_("You lack {missing} gold, and cards to sell for 1 gold each: {cards}.")
        yield sentence(text, rule, missing=lacking, sold=len(sell), cards=cards)
