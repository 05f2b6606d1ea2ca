"""What one seat, or a spectator, may see; and from a view back to a state that agrees with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from pbem.engine.amunre.auction import must_choose
from pbem.engine.amunre.board import Board
from pbem.engine.amunre.data import COPIES, KINDS, PRICES
from pbem.engine.amunre.harvest import is_asked
from pbem.engine.amunre.offering import ranking
from pbem.engine.amunre.orders import Take
from pbem.engine.amunre.phases import asked_kind
from pbem.engine.amunre.scoring import outcome
from pbem.engine.amunre.state import (
    ADJUST,
    BID,
    DRAFTS,
    HARVEST,
    HIDDEN,
    OFFER,
    PHASES,
    SELL,
    TAKE,
    TAKE_DRAFT,
    Options,
    State,
    order_of_play,
)
from pbem.engine.core.errors import CorruptState
from pbem.engine.core.types import Message

if TYPE_CHECKING:
    from pbem.engine.amunre.orders import AnOrder
    from pbem.engine.core.rng import Chance


UNKNOWN = -1
"""A card of which this seat does not know the kind."""


class View(msgspec.Struct, frozen=True):
    """A game as one seat, or a spectator (`seat` None), sees it. Tuples are by seat or by province id; -1 is none."""

    seat: int | None
    kind: str
    """What this seat may answer now, asked or optional; "" for nothing."""
    awaited: tuple[int, ...] | None
    """The seats that must act now; None while that is nobody's business."""
    seats: int
    options: Options
    board: Board
    kingdom: int
    round: int
    phase: str
    step: int
    """The phase as the state counts it."""
    first: int
    temple: int
    total: int
    gold: tuple[int | None, ...]
    """None where the option `gold` hides it."""
    cards: tuple[int | None, ...]
    """The number of cards in each hand; None where the option `hand_counts` hides it."""
    points: tuple[int, ...]
    hand: tuple[int, ...]
    """The seat's own cards, counted by kind; none for a spectator."""
    keeps: tuple[int, ...]
    """The bonus cards the seat keeps from the next scoring."""
    deck: int
    top: tuple[int, ...]
    """The cards that were put back on the deck, the last on top; `UNKNOWN` but to who put them there."""
    discard: tuple[int, ...]
    pool: tuple[int, ...]
    """The provinces that can still come up in this kingdom."""
    used: tuple[int, ...]
    shown: tuple[int, ...]
    buried: tuple[int, ...]
    """Beside `shown`: how many cards lie face down there."""
    owner: tuple[int, ...]
    farmers: tuple[int, ...]
    ground: tuple[int, ...]
    stones: tuple[int, ...]
    pyramids: tuple[int, ...]
    at: tuple[int, ...]
    bids: tuple[int, ...]
    """By seat, the space of the latest bid; its price is `data.PRICES[space]`."""
    beaten: tuple[int, ...]
    blocks: tuple[int, ...]
    rebids: tuple[int, ...]
    bids_made: int = msgspec.field(name="passed")
    offers: tuple[int, ...]
    adjusters: tuple[int, ...]
    items: tuple[int, ...]
    queue: tuple[int, ...]
    built: tuple[int, ...]
    drawn: tuple[int, ...]
    """The cards drawn from which this seat chooses; `UNKNOWN` to others."""
    back: int
    tally: tuple[tuple[tuple[int, ...], ...], ...]
    """By kingdom scored and seat: the points for each of `scoring.PARTS`."""
    places: tuple[int, ...]
    """By seat, the place in a finished game."""
    ending: str

    @property
    def sealed(self) -> bool:
        """AR-5.10: whether an ordered list is asked of every seat."""
        return self.seat is not None and self.step == BID and not self.bids_made and self.options.auction == "sealed"


def view(state: State, seat: int | None) -> View:
    """Return what `seat` may see; None: what everybody may see."""
    own = state.hands[seat] if seat is not None else [0] * KINDS
    end = outcome(state)
    draws = seat is not None and state.phase in DRAFTS and seat in state.asked
    same: dict[str, Any] = {name: getattr(state, name) for name in SAME_FIGURES}
    same |= {name: tuple(getattr(state, name)) for name in SAME_LISTS}
    return View(
        seat=seat,
        kind=asked_kind(state, seat),
        awaited=None if state.phase in HIDDEN else tuple(state.asked),
        options=state.options,
        board=state.board,
        phase=PHASES[state.phase],
        step=state.phase,
        gold=_open(state.gold, seat, state.options.gold == "public"),
        cards=_open([sum(hand) for hand in state.hands], seat, state.options.hand_counts == "public"),
        hand=tuple(own),
        keeps=tuple(state.keeps[seat]) if seat is not None else (),
        deck=sum(state.deck) + len(state.top),
        top=tuple(card if who == seat else UNKNOWN for card, who in zip(state.top, state.top_known, strict=True)),
        buried=tuple(len(cards) for cards in state.buried),
        drawn=tuple(state.drawn) if draws else (UNKNOWN,) * len(state.drawn),
        tally=tuple(tuple(tuple(row) for row in rows) for rows in state.tally),
        places=end.places if end else (),
        ending=end.ending if end else "",
        **same,
    )


# What is open to all and the same in state and view.
SAME_FIGURES = ("seats", "kingdom", "round", "first", "temple", "total", "bids_made", "back")
SAME_LISTS = (
    *("points", "discard", "pool", "used", "shown", "owner", "farmers", "ground", "stones", "pyramids"),
    *("at", "bids", "beaten", "blocks", "rebids", "offers", "adjusters", "items", "queue", "built"),
)


def _open(figures: list[int], seat: int | None, public: bool) -> tuple[int | None, ...]:  # noqa: FBT001 - two calls, above
    """Figures by seat; where they aren't public, one's own alone (AR-1.5)."""
    return tuple([n if public or who == seat else None for who, n in enumerate(figures)])


def asked_next(view: View, order: AnOrder) -> View | None:
    """AR-7.6: who takes no card sees none, and can say at once where the items go; with a draft others act first."""
    if view.kind != PHASES[TAKE] or order != Take(0) or view.options.card_draft != "off":
        return None
    return msgspec.structs.replace(view, kind=PHASES[HARVEST], phase=PHASES[HARVEST], step=HARVEST)


_TRIES = 1000
_PURSE = 40
"""A hidden purse is imagined below this, or as large as its owner's bid asks."""


def known(view: View) -> State:
    """Return a state that holds what the view shows; hidden cards are missing from it, hidden purses are empty.

    Good for everything that depends on public facts and the seat's own hand only: prices, limits, what is legal.
    """
    hands = [[0] * KINDS for _ in range(view.seats)]
    keeps: list[list[int]] = [[] for _ in range(view.seats)]
    if view.seat is not None:
        hands[view.seat] = list(view.hand)
        keeps[view.seat] = list(view.keeps)
    same: dict[str, Any] = {name: getattr(view, name) for name in SAME_FIGURES}
    same |= {name: list(getattr(view, name)) for name in SAME_LISTS}
    state = State(
        options=view.options,
        board=view.board,
        gold=[gold or 0 for gold in view.gold],
        hands=hands,
        keeps=keeps,
        deck=[view.deck - len(view.top), *([0] * (KINDS - 1))],
        phase=view.step,
        buried=[[UNKNOWN] * n for n in view.buried],
        drawn=list(view.drawn),
        top=list(view.top),
        top_known=[UNKNOWN if card == UNKNOWN else int(view.seat or 0) for card in view.top],
        tally=[[list(row) for row in rows] for rows in view.tally],
        **same,
    )
    state.asked = _asked(view, state)
    return state


def _asked(view: View, state: State) -> list[int]:
    """Return who is asked, as far as it follows from what everybody knows."""
    if view.awaited is not None:
        return list(view.awaited)
    if view.step == OFFER:
        return list(range(view.seats))
    if view.step in (ADJUST, TAKE, TAKE_DRAFT):
        turn = ranking(state) if view.step != ADJUST else [s for s in order_of_play(state) if state.adjusters[s]]
        came = [seat for seat in turn if seat not in state.queue]
        return sorted(came) if view.step == TAKE and view.options.card_draft == "off" else came[-1:]
    return [view.seat] if view.seat is not None and view.kind == view.phase else []


def imagine(view: View, chance: Chance) -> State:
    """Return a whole state that agrees with `view`, its hidden parts drawn at random."""
    for _ in range(_TRIES):
        state = known(view)
        _deal_hidden(view, state, chance)
        if view.step == SELL:
            state.asked = [seat for seat in range(view.seats) if must_choose(state, seat)]
        elif view.step == HARVEST:
            state.asked = [seat for seat in range(view.seats) if is_asked(state, seat)]
        if asked_kind(state, view.seat) == view.kind and (state.asked or view.ending):
            return state
    raise CorruptState(Message("No state agrees with the view."))


def _deal_hidden(view: View, state: State, chance: Chance) -> None:
    cards = _shuffled(unseen(view), chance)
    state.buried = [[cards.pop() for _ in pile] for pile in state.buried]
    state.drawn = [cards.pop() if card == UNKNOWN else card for card in state.drawn]
    state.top = [cards.pop() if card == UNKNOWN else card for card in state.top]
    state.top_known = [who if who != UNKNOWN else _somebody_else(view, chance) for who in state.top_known]
    deck = view.deck - len(view.top)
    state.deck = [0] * KINDS
    for _ in range(deck):
        state.deck[cards.pop()] += 1
    _fill_hands(view, state, cards, chance)
    for seat, gold in enumerate(view.gold):
        if gold is None:
            price = PRICES[state.bids[seat]] if state.bids[seat] > 0 else 0
            state.gold[seat] = max(chance.below(_PURSE), price - sum(state.hands[seat]))


def _fill_hands(view: View, state: State, cards: list[int], chance: Chance) -> None:
    """The rest of the cards is in the other hands: as many as is known, or anybody's guess."""
    others = [seat for seat in range(view.seats) if seat != view.seat]
    for seat in others:
        count, gold = view.cards[seat], view.gold[seat]
        if count is None:
            count = 0 if gold is None or view.bids[seat] < 0 else max(PRICES[view.bids[seat]] - gold, 0)
        for _ in range(count):
            state.hands[seat][cards.pop()] += 1
    while cards:
        seat = others[chance.below(len(others))]
        state.hands[seat][cards.pop()] += 1


def unseen(view: View) -> list[int]:
    """Return every card of which the seat does not know where it is."""
    seen = [*view.drawn, *view.top]
    return [
        kind
        for kind in range(KINDS)
        for _ in range(COPIES[kind] - view.hand[kind] - view.discard[kind] - seen.count(kind))
    ]


def _shuffled(cards: list[int], chance: Chance) -> list[int]:
    for i in range(len(cards) - 1):
        j = i + chance.below(len(cards) - i)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def _somebody_else(view: View, chance: Chance) -> int:
    others = [seat for seat in range(view.seats) if seat != view.seat]
    return others[chance.below(len(others))]
