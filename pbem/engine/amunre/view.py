"""What one seat may see of a game, and nothing more (AR-1.5, 1.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from pbem.engine.amunre.board import Board
from pbem.engine.amunre.data import KINDS
from pbem.engine.amunre.scoring import outcome
from pbem.engine.amunre.state import BID, DRAFTS, HIDDEN, PHASES, Options
from pbem.engine.amunre.verbs import asked_kind

if TYPE_CHECKING:
    from pbem.engine.amunre.state import State

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
    passed: int
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
        return self.seat is not None and self.step == BID and not self.passed and self.options.auction == "sealed"


def view(state: State, seat: int | None) -> View:
    """What `seat` may see; None: what everybody may see."""
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
SAME_FIGURES = ("seats", "kingdom", "round", "first", "temple", "total", "passed", "back")
SAME_LISTS = (
    *("points", "discard", "pool", "used", "shown", "owner", "farmers", "ground", "stones", "pyramids"),
    *("at", "bids", "beaten", "blocks", "rebids", "offers", "adjusters", "items", "queue", "built"),
)


def _open(figures: list[int], seat: int | None, public: bool) -> tuple[int | None, ...]:  # noqa: FBT001 - two calls, above
    """Figures by seat; where they aren't public, one's own alone (AR-1.5)."""
    return tuple([n if public or who == seat else None for who, n in enumerate(figures)])
