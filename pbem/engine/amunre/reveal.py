"""Set-up (AR-2) and phase 1: new provinces and their bonuses (AR-4)."""

from __future__ import annotations

from pbem.engine.amunre import data
from pbem.engine.amunre.board import Board
from pbem.engine.amunre.cards import draw_some
from pbem.engine.amunre.placing import PROVINCE_MARKS, rise
from pbem.engine.amunre.state import BID, Options, Ply, State, clear_auction
from pbem.engine.core.message import N_
from pbem.engine.core.rng import Chance

IDS = {name: p for p, name in enumerate(data.PROVINCES)}


def lay_out(seats: int, options: Options, board: Board, chance: Chance) -> Ply:
    """AR-2: everybody holds 20 gold and an architect; the first player is drawn by lot."""
    first = chance.draw("first-player", [str(seat) for seat in range(seats)], [1] * seats)
    deck = list(data.COPIES)
    deck[data.ARCHITECT] -= seats
    hand = [int(kind == data.ARCHITECT) for kind in range(data.KINDS)]
    state = State(
        seats=seats,
        options=options,
        board=board,
        first=first,
        gold=[data.GOLD_AT_START] * seats,
        points=[0] * seats,
        hands=[hand[:] for _ in range(seats)],
        deck=deck,
        pool=list(range(data.LANDS)),
        owner=[-1] * data.LANDS,
        farmers=[0] * data.LANDS,
        ground=[0] * data.LANDS,
        stones=[0] * data.LANDS,
        pyramids=[0] * data.LANDS,
        discard=[0] * data.KINDS,
        keeps=[[] for _ in range(seats)],
        items=[0] * seats,
    )
    clear_auction(state)
    ply = Ply(state, chance)
    ply.tell("{seat} is first player.", "AR-2.2", first)
    return ply


def reveal(ply: Ply) -> None:
    """AR-4: turn up as many provinces as there are players, and lay out what they print."""
    state = ply.state
    names = ply.chance.sample("provinces", [data.PROVINCES[p] for p in state.pool], state.seats)
    state.shown = [IDS[name] for name in names]
    for p in state.shown:
        state.pool.remove(p)
    if state.kingdom == 1:
        state.used += state.shown
    marks = tuple([PROVINCE_MARKS[p][0] for p in state.shown])
    ply.tell("Up for auction: {provinces}.", "AR-4.1", marks=marks, provinces=tuple(names))
    state.buried = [_bonuses(ply, p) for p in state.shown]
    state.offers = [-1] * state.seats
    state.adjusters = [0] * state.seats
    state.total = 0
    state.phase = BID
    state.asked = [state.first]


def _bonuses(ply: Ply, p: int) -> list[int]:
    """AR-4.1, AR-4.2: the stones of one province, and its face-down cards as far as there are any (AR-6.9)."""
    board, name = ply.state.board, data.PROVINCES[p]
    if board.bonus_stones[p]:
        ply.state.stones[p] += board.bonus_stones[p]
        text, laid = N_("Stones laid on {province}: {stones}."), board.bonus_stones[p]
        ply.tell(text, "AR-4.1", marks=PROVINCE_MARKS[p], province=name, stones=laid)
        rise(ply, p, False)  # noqa: FBT003 - without the architect
    if not board.bonus_cards[p]:
        return []
    buried = draw_some(ply, board.bonus_cards[p])
    text = N_("There is no power card left for {province}.")
    if buried:
        text = N_("Power cards laid face down on {province}: {cards}.")
    ply.tell(text, "AR-4.1", marks=PROVINCE_MARKS[p], province=name, cards=len(buried))
    return buried
