"""The whole state of a game, hidden parts included, and what must always hold of it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from pbem.engine.amunre.board import Board
from pbem.engine.amunre.data import COPIES, KINDS, LANDS, PRICES, ROUNDS, STONES_A_PYRAMID, TEMPLE_SPACES
from pbem.engine.core.message import N_
from pbem.engine.core.ply import PlyUnderWay
from pbem.structs import Value

# What is being decided. The order is that of a round.
BID, SELL, BUY, BUY_DRAFT, BUILD, OFFER, ADJUST, TAKE, TAKE_DRAFT, HARVEST, OVER = range(11)
PHASES = (
    *(N_("bid"), N_("sell"), N_("buy"), N_("draft"), N_("build"), N_("offer")),
    *(N_("adjust"), N_("take"), N_("draft"), N_("harvest"), "over"),
)
"""The kind of decision asked in each."""
HIDDEN = frozenset((SELL, OFFER, ADJUST, TAKE, TAKE_DRAFT, HARVEST))
"""Phases in which nobody learns which other seats are awaited."""
DRAFTS = (BUY_DRAFT, TAKE_DRAFT)


class Options(Value):
    """What was agreed when the game was opened, the board aside."""

    auction: str = "in_turn"
    actions: str = "in_turn"
    card_draft: str = "off"
    hand_counts: str = "public"
    gold: str = "public"
    final_sale: str = "auto"


class State(msgspec.Struct):
    """A game. Lists are by seat or by province id; -1 stands for none. Changed in place by the verbs' modules."""

    seats: int
    options: Options
    board: Board
    first: int
    gold: list[int]
    points: list[int]
    hands: list[list[int]]
    """By seat, the number of cards of each kind."""
    deck: list[int]
    """The cards of the deck whose order nobody knows, counted by kind: drawn from on demand (AR-2.1)."""
    pool: list[int]
    """The provinces that can still be revealed in this kingdom (AR-2.3)."""
    owner: list[int]
    farmers: list[int]
    """On fields."""
    ground: list[int]
    """On open ground, from free farmer cards (AR-6.5); printed ones are in the board."""
    stones: list[int]
    pyramids: list[int]
    discard: list[int]
    keeps: list[list[int]]
    """By seat, the bonus cards not to be played at the next scoring (AR-9.5)."""
    at: list[int] = []
    """By seat, the province on which its bid stands."""
    bids: list[int] = []
    """By seat, the space of its latest bid, standing or beaten."""
    beaten: list[int] = []
    """By seat, the province on which its latest bid was beaten, until it bids again (AR-5.4)."""
    blocks: list[int] = []
    """By seat, 1 if its bid block lies in this auction."""
    rebids: list[int] = []
    offers: list[int] = []
    """By seat, the gold offered, 0 for theft; -1 before the reveal."""
    adjusters: list[int] = []
    """By seat, 1 for an adjustment card in this offering."""
    items: list[int] = []
    """By seat, reward items still to be taken."""
    shown: list[int] = []
    """The provinces of this round, in the order of the reveal."""
    buried: list[list[int]] = []
    """Beside `shown`: the face-down bonus cards on them (AR-4.1)."""
    top: list[int] = []
    """Cards put back on the deck; the last lies on top (AR-6.11)."""
    top_known: list[int] = []
    """Beside `top`: the one seat that has seen it."""
    drawn: list[int] = []
    """The cards from which the asked seat chooses (AR-6.11)."""
    back: int = 0
    """How many of them it puts back."""
    used: list[int] = []
    """The provinces revealed so far in the old kingdom."""
    asked: list[int] = []
    """The seats that must act now."""
    queue: list[int] = []
    """The seats that act after them in this step."""
    built: list[int] = []
    """The seats that have done B and C in this round."""
    tally: list[list[list[int]]] = []
    """By kingdom scored and seat: points for pyramids, sets, banks, temples, cards, gold."""
    phase: int = BID
    kingdom: int = 1
    round: int = 1
    temple: int = 0
    total: int = 0
    bids_made: int = msgspec.field(default=0, name="passed")
    """Bids made in this auction."""


class Ply(PlyUnderWay[State]):
    """What the verbs' modules act through."""


def clear_auction(state: State) -> None:
    """AR-5.8: nothing is up for auction, nobody has bid."""
    n = state.seats
    state.shown, state.buried, state.bids_made = [], [], 0
    state.at, state.bids, state.beaten = [-1] * n, [-1] * n, [-1] * n
    state.blocks, state.rebids = [0] * n, [0] * n


def order_of_play(state: State) -> list[int]:
    """AR-3.2: the seats clockwise from the first player."""
    first = state.first
    return [*range(first, state.seats), *range(first)]


def owned(state: State, seat: int) -> list[int]:
    """Return the provinces of `seat`, by id."""
    return [p for p, owner in enumerate(state.owner) if owner == seat]


def problems(state: State) -> tuple[str, ...]:
    """Return every broken invariant, in words; empty for a sound state."""
    return (*_seat_problems(state), *_card_problems(state), *_land_problems(state), *_auction_problems(state))


def _seat_problems(state: State) -> Iterator[str]:
    for name in (
        *("gold", "points", "hands", "keeps", "at", "bids"),
        *("beaten", "blocks", "rebids", "offers", "items"),
    ):
        if len(getattr(state, name)) != state.seats:
            yield f"{name} does not hold one entry for each of {state.seats} seats"
    yield from (f"seat {seat} has {gold} gold" for seat, gold in enumerate(state.gold) if gold < 0)
    if not 0 <= state.first < state.seats:
        yield f"the first player is seat {state.first}"
    if not (state.kingdom in (1, 2) and 1 <= state.round <= ROUNDS and 0 <= state.temple <= TEMPLE_SPACES):
        yield f"kingdom {state.kingdom}, round {state.round}, temple space {state.temple}"
    if bool(state.asked) == (state.phase == OVER):
        yield f"{len(state.asked)} seats are asked in phase {PHASES[state.phase]}"
    if len(set(state.asked + state.queue)) != len(state.asked + state.queue):
        yield "a seat is asked twice"


def _card_problems(state: State) -> Iterator[str]:
    for kind in range(KINDS):
        piles = (*state.hands, state.deck, state.discard)
        loose = (*state.top, *state.drawn, *(card for cards in state.buried for card in cards))
        counts = [pile[kind] for pile in piles]
        if min(counts) < 0 or sum(counts) + loose.count(kind) != COPIES[kind]:
            yield f"there are {sum(counts) + loose.count(kind)} cards of kind {kind}, not {COPIES[kind]}"
    if len(state.top) != len(state.top_known):
        yield "the known top of the deck does not hold together"
    if not 0 <= state.back <= len(state.drawn) or bool(state.drawn) != (state.phase in DRAFTS):
        yield f"{state.back} of {len(state.drawn)} drawn cards go back in phase {PHASES[state.phase]}"


def _land_problems(state: State) -> Iterator[str]:
    for p in range(LANDS):
        if not 0 <= state.farmers[p] <= state.board.fields[p]:
            yield f"province {p} has {state.farmers[p]} farmers on {state.board.fields[p]} fields"
        if not 0 <= state.stones[p] < STONES_A_PYRAMID or state.pyramids[p] < 0:
            yield f"province {p} has {state.stones[p]} stones and {state.pyramids[p]} pyramids"
        if state.owner[p] < 0 and (state.farmers[p] or state.ground[p]):
            yield f"province {p} has farmers but no owner"
    settled = state.round - (state.phase in (BID, SELL))
    yield from (
        f"seat {seat} owns {len(owned(state, seat))} provinces in round {state.round}"
        for seat in range(state.seats)
        if len(owned(state, seat)) != settled
    )
    held = {p for p in range(LANDS) if state.owner[p] >= 0} | set(state.shown)
    if held & set(state.pool) or len(set(state.pool)) != len(state.pool):
        yield "a revealed province can be revealed again"
    if state.kingdom > 1 and sorted({*state.pool, *held}) != sorted(state.used):
        yield "the new kingdom does not use the provinces of the old one"


def _auction_problems(state: State) -> Iterator[str]:
    standing = [p for p in state.at if p >= 0]
    if len(set(standing)) != len(standing) or not set(standing) <= set(state.shown):
        yield "two bids stand on one province, or one on a province that isn't up for auction"
    for seat, p in enumerate(state.at):
        if p >= 0 and PRICES[state.bids[seat]] > state.gold[seat] + sum(state.hands[seat]):
            yield f"seat {seat} can't pay its bid"
    if len(state.buried) != len(state.shown):
        yield "the face-down cards do not match the provinces up for auction"
