"""Phase 6: points, the change of kingdoms, and who wins (AR-9)."""

from __future__ import annotations

from pbem.engine.amunre import data
from pbem.engine.amunre.cards import MARKS, held, play, sell
from pbem.engine.amunre.harvest import workers
from pbem.engine.amunre.state import OVER, Ply, State, order_of_play, owned
from pbem.engine.core.message import GONE, N_, Event
from pbem.engine.core.types import Outcome

PARTS = (N_("pyramids"), N_("sets"), N_("banks"), N_("temples"), N_("bonus cards"), N_("gold"))
"""What the columns of a tally count."""
ENDINGS = ("clear", "pyramids", "stones", "shared")
SCORED = N_(
    "{seat} scores {points}: pyramids {pyramids}, sets {sets}, banks {banks}, temples {temples},"
    " cards {cards}, gold {gold}."
)
BONUS = N_("{seat} plays {cards} and scores 3 points for each.")


def leaders(state: State, bank: int) -> set[int]:
    """AR-9.3: who has the province with the most pyramids on a bank, or of these the most stones; all who tie."""
    lands = [p for p in range(data.LANDS) if state.board.bank[p] == bank and state.owner[p] >= 0 and state.pyramids[p]]
    best = max([(state.pyramids[p], state.stones[p]) for p in lands], default=None)
    return {state.owner[p] for p in lands if (state.pyramids[p], state.stones[p]) == best}


def banks(state: State) -> list[int]:
    """AR-9.3: by seat, the points for the province with the most pyramids on each bank."""
    found = [leaders(state, bank) for bank in (0, 1)]
    return [data.BANK_POINTS * sum(seat in ahead for ahead in found) for seat in range(state.seats)]


def bonus_holds(state: State, own: list[int], kind: int) -> bool:
    """AR-9.5: whether a bonus card counts for the owner of the provinces `own`."""
    board = state.board
    if kind == data.CARDS_BONUS:
        return sum(board.card_limit[p] + board.bonus_cards[p] for p in own) >= data.CARD_SYMBOLS
    if kind == data.FARMERS_BONUS:
        return sum(workers(state, p) for p in own) >= data.MANY_FARMERS
    column = {data.HALF_BONUS: board.half, data.BANK_BONUS: board.bank, data.RIVERSIDE_BONUS: board.riverside}[kind]
    return len({column[p] for p in own}) == 1


def counting(state: State, seat: int, own: list[int]) -> list[int]:
    """AR-9.5: the kinds of bonus cards in hand that hold and aren't kept."""
    hand, kept = state.hands[seat], state.keeps[seat]
    return [kind for kind in data.BONUSES if own and hand[kind] and kind not in kept and bonus_holds(state, own, kind)]


def gold_points(gold: list[int]) -> list[int]:
    """AR-9.6: points for the most gold; tied players all get the higher value, the places after them are skipped."""
    return [(*data.GOLD_POINTS, *([0] * len(gold)))[sum(other > mine for other in gold)] for mine in gold]


def lines(state: State, seat: int, bank_points: int) -> list[int]:
    """AR-9.1 to AR-9.4: what `seat` scores for pyramids, sets, banks and temples as the board stands."""
    own = owned(state, seat)
    pyramids = [state.pyramids[p] for p in own]
    whole = min(pyramids) if len(own) == data.ROUNDS else 0
    temples = sum([state.board.temples[p] for p in own]) * state.temple
    return [sum(pyramids), data.SET_POINTS * whole, bank_points, temples]


def score(ply: Ply) -> None:
    """AR-9.1 to AR-9.6: a kingdom for everybody: pyramids, sets (AR-9.2), banks, temples (AR-9.4), cards, gold."""
    state = ply.state
    bank_points = banks(state)
    rows = [[0] * len(PARTS) for _ in range(state.seats)]
    for seat in order_of_play(state):
        played = counting(state, seat, owned(state, seat))
        rows[seat][:5] = [*lines(state, seat, bank_points[seat]), data.CARD_POINTS * len(played)]
        for kind in played:  # AR-9.5, AR-6.10: one of every kind
            play(state, seat, kind)
        if played:
            ply.tell(BONUS, "AR-9.5", seat, marks=MARKS[seat], cards=data.names(played))
        state.keeps[seat] = []
    if state.kingdom > 1:  # AR-9.6: what is left in the hands is sold, then gold counts
        for seat in order_of_play(state) if state.options.final_sale == "auto" else ():
            sell(ply, seat, held(state.hands[seat]))
        for seat, points in enumerate(gold_points(state.gold)):
            rows[seat][5] = points
    state.tally.append(rows)
    for seat in order_of_play(state):
        row = rows[seat]
        state.points[seat] += sum(row)
        params = dict(zip(("pyramids", "sets", "banks", "temples", "cards", "gold"), row, strict=True))
        params |= {"seat": seat, "points": sum(row)}
        ply.events.append(Event(SCORED, params, "AR-9.1", seat, None, MARKS[seat]))


def change_kingdom(ply: Ply) -> None:
    """AR-9.7, AR-2.3: markers and farmers leave the board; the same provinces come up again."""
    state = ply.state
    state.owner = [-1] * data.LANDS
    state.farmers = [0] * data.LANDS
    state.ground = [0] * data.LANDS
    state.pool = sorted(state.used)
    state.kingdom += 1
    state.round = 1
    text = N_("The old kingdom ends: markers and farmers leave the board, pyramids and stones stay.")
    ply.tell(text, "AR-9.7", marks=(f"{GONE}province:", "board"))


def rank(state: State) -> list[tuple[int, int, int]]:
    """AR-9.8: by seat, what decides: points, then pyramids, then stones on own provinces."""
    return [
        (
            state.points[seat],
            sum(state.pyramids[p] for p in owned(state, seat)),
            sum(state.stones[p] for p in owned(state, seat)),
        )
        for seat in range(state.seats)
    ]


def outcome(state: State) -> Outcome | None:
    """AR-9.8: who won, and what decided it; None while the game goes on."""
    if state.phase != OVER:
        return None
    ranked = rank(state)
    best, second = sorted(ranked, reverse=True)[:2]
    same = next((i for i in range(3) if best[i] != second[i]), 3)
    return Outcome.ranked(state.points, ranked, ENDINGS[same])
