"""What one seat, or a spectator, may see; and from a view back to a state that agrees with it."""

from __future__ import annotations

import msgspec

from pbem.engine.amunre import state as s
from pbem.engine.amunre.auction import is_sealed, must_choose
from pbem.engine.amunre.data import COPIES, KINDS, PRICES
from pbem.engine.amunre.harvest import is_asked
from pbem.engine.amunre.offering import ranking
from pbem.engine.amunre.orders import AnOrder, Take
from pbem.engine.amunre.phases import asked_kind
from pbem.engine.amunre.scoring import outcome
from pbem.engine.amunre.state import State, order_of_play
from pbem.engine.core.choosing import pick
from pbem.engine.core.copying import copied
from pbem.engine.core.errors import CorruptState
from pbem.engine.core.message import Message
from pbem.engine.core.rng import Chance

UNKNOWN = -1
"""A card of which this seat does not know the kind."""


class View(State, kw_only=True):
    """A game as one seat, or a spectator (`seat` None), sees it: a state in which all else is blank.

    What others hold is missing from it, their hidden purses are empty, a card whose kind the seat doesn't know is
    `UNKNOWN`, and only those are asked of whom everybody knows. Prices, limits and what is legal follow from it as from
    the whole state.
    """

    seat: int | None
    kind: str
    """What this seat may answer now, asked or optional; "" for nothing."""
    cards: tuple[int | None, ...]
    """The number of cards in each hand; None where the option `hand_counts` hides it."""

    @property
    def hand(self) -> list[int]:
        """The seat's own cards, counted by kind; none for a spectator."""
        return self.hands[self.seat or 0]

    @property
    def deck_size(self) -> int:
        """How many cards lie on the deck."""
        return sum(self.deck) + len(self.top)

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seats that must act now; none while that is nobody's business."""
        return () if self.phase in s.HIDDEN else tuple(self.asked)

    @property
    def places(self) -> tuple[int, ...]:
        """By seat, the place in a finished game."""
        end = outcome(self)
        return end.places if end else ()

    @property
    def sealed(self) -> bool:
        """AR-5.10: whether an ordered list is asked of every seat."""
        return self.seat is not None and is_sealed(self)


def view(state: State, seat: int | None) -> View:
    """Return what `seat` may see; None: what everybody may see (AR-1.5)."""
    draws = seat is not None and state.phase in s.DRAFTS and seat in state.asked
    gold_open, counts_open = state.options.gold == "public", state.options.hand_counts == "public"
    counts = tuple([sum(hand) if counts_open or who == seat else None for who, hand in enumerate(state.hands)])
    seen = View(*msgspec.structs.astuple(copied(state, State)), seat=seat, kind=asked_kind(state, seat), cards=counts)
    for who in range(state.seats):
        if who != seat:
            seen.hands[who], seen.keeps[who] = [0] * KINDS, []
            seen.gold[who] *= gold_open
    seen.deck = [sum(state.deck), *([0] * (KINDS - 1))]
    own = [who == seat for who in state.top_known]
    seen.top = [card if known else UNKNOWN for card, known in zip(state.top, own, strict=True)]
    seen.top_known = [who if known else UNKNOWN for who, known in zip(state.top_known, own, strict=True)]
    seen.buried = [[UNKNOWN] * len(cards) for cards in state.buried]
    if not draws:
        seen.drawn = [UNKNOWN] * len(state.drawn)
    if state.phase in s.HIDDEN:
        seen.asked = _asked(seen)
    return seen


def asked_next(view: View, order: AnOrder) -> View | None:
    """AR-7.6: who takes no card sees none, and can say at once where the items go; with a draft others act first."""
    if view.kind != s.PHASES[s.TAKE] or order != Take(0) or view.options.card_draft != "off":
        return None
    return msgspec.structs.replace(view, kind=s.PHASES[s.HARVEST], phase=s.HARVEST, asked=[view.seat])


_TRIES = 1000
_PURSE = 40
"""A hidden purse is imagined below this, or as large as its owner's bid asks."""


def _asked(view: View) -> list[int]:
    """Return who is asked in a phase that hides it, as far as it follows from what everybody knows."""
    if view.phase == s.OFFER:
        return list(range(view.seats))
    if view.phase in (s.ADJUST, s.TAKE, s.TAKE_DRAFT):
        turn = ranking(view) if view.phase != s.ADJUST else [one for one in order_of_play(view) if view.adjusters[one]]
        came = [seat for seat in turn if seat not in view.queue]
        return sorted(came) if view.phase == s.TAKE and view.options.card_draft == "off" else came[-1:]
    return [view.seat] if view.seat is not None and view.kind == s.PHASES[view.phase] else []


def imagine(view: View, chance: Chance) -> State:
    """Return a whole state that agrees with `view`, its hidden parts drawn at random."""
    for _ in range(_TRIES):
        state = copied(view, State)
        _deal_hidden(view, state, chance)
        if view.phase == s.SELL:
            state.asked = [seat for seat in range(view.seats) if must_choose(state, seat)]
        elif view.phase == s.HARVEST:
            state.asked = [seat for seat in range(view.seats) if is_asked(state, seat)]
        if asked_kind(state, view.seat) == view.kind and (state.asked or view.phase == s.OVER):
            return state
    raise CorruptState(Message("No state agrees with the view."))


def _deal_hidden(view: View, state: State, chance: Chance) -> None:
    cards = unseen(view)
    for i in range(len(cards) - 1):
        j = i + chance.below(len(cards) - i)
        cards[i], cards[j] = cards[j], cards[i]
    state.buried = [[cards.pop() for _ in pile] for pile in state.buried]
    state.drawn = [cards.pop() if card == UNKNOWN else card for card in state.drawn]
    state.top = [cards.pop() if card == UNKNOWN else card for card in state.top]
    others = [seat for seat in range(view.seats) if seat != view.seat]
    state.top_known = [who if who != UNKNOWN else pick(others, chance) for who in state.top_known]
    state.deck = [0] * KINDS
    for _ in range(sum(view.deck)):
        state.deck[cards.pop()] += 1
    _fill_hands(view, state, cards, others, chance)
    for seat in others if view.options.gold == "hidden" else ():
        state.gold[seat] = _purse(state, seat, chance)


def _purse(state: State, seat: int, chance: Chance) -> int:
    """Return gold that a hidden purse may hold.

    AR-5.5: while cards are sold, every other purse is drawn too small for its bid, since somebody must sell: where few
    cards are left, purses drawn as at any other time would hardly ever agree with that.
    """
    price, cards = PRICES[max(state.bids[seat], 0)], sum(state.hands[seat])
    least = max(0, price - cards)
    if state.phase == s.SELL and chance.below(2):
        return least + chance.below(cards + 1)
    return max(chance.below(_PURSE), least)


def _fill_hands(view: View, state: State, cards: list[int], others: list[int], chance: Chance) -> None:
    """The rest of the cards is in the other hands: as many as is known, or anybody's guess."""
    for seat in others:
        count = view.cards[seat]
        if count is None:
            pays = view.options.gold == "public" and view.bids[seat] >= 0
            count = max(PRICES[view.bids[seat]] - view.gold[seat], 0) if pays else 0
        for _ in range(count):
            state.hands[seat][cards.pop()] += 1
    while cards:
        seat = pick(others, chance)
        state.hands[seat][cards.pop()] += 1


def unseen(view: View) -> list[int]:
    """Return every card of which the seat does not know where it is."""
    seen = [*view.drawn, *view.top]
    return [
        kind
        for kind in range(KINDS)
        for _ in range(COPIES[kind] - view.hand[kind] - view.discard[kind] - seen.count(kind))
    ]
