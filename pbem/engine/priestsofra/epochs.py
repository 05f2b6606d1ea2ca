"""PR-2.5 and PR-5: whose turn comes after an auction, and how an epoch ends, is scored and gives way to the next."""

from __future__ import annotations

from pbem.engine.core.message import N_, event
from pbem.engine.priestsofra import data, scoring
from pbem.engine.priestsofra.marks import EPOCH_CLEARED, LOT_EMPTIED, ankhs_mark, seat_mark, tile_mark
from pbem.engine.priestsofra.state import NO_AUCTION, NOBODY, OVER, TURN, Ply, State, left_of

_RULES = ("PR-6.1", "PR-6.3", "PR-6.4", "PR-6.5", "PR-7.1", "PR-7.2", "PR-7.3", "PR-7.4")
"""The rule behind each line of `data.SHEET`."""
_ENDED = (
    (N_("The last face-up sun is used: the {epoch} ends."), "PR-5.1"),
    (N_("Ra fills the track: the {epoch} ends at once, without an auction."), "PR-5.2"),
    (N_("Ra fills the track while {seat} plays alone: the {epoch} ends at once."), "PR-5.2"),
)
"""What is told of each of `data.ENDINGS`."""


def go_on(ply: Ply) -> None:
    """PR-2.5, PR-5.1, PR-5.3: after an auction the turn passes to the left of the Ra player, if suns are left."""
    state = ply.state
    state.auction = NO_AUCTION
    state.best = 0
    state.best_by = NOBODY
    seat = left_of(state, state.turn)
    if seat == NOBODY:
        end(ply, data.LAST_SUN)
    else:
        state.turn = state.actor = seat
        state.phase = TURN


def end(ply: Ply, ending: int) -> None:
    """PR-5.1, PR-5.2: end the epoch and score it; end the game or (PR-5.4) turn all suns up for the next epoch."""
    state = ply.state
    text, rule = _ENDED[ending]
    ply.events.append(event(text, rule, epoch=data.EPOCH_NAMES[state.epoch - 1], seat=state.turn))
    state.gone[data.RA] += state.ra
    state.ra = 0
    if state.lot:
        ply.tell("The lot leaves the game: {faces}.", "PR-5.5", marks=LOT_EMPTIED, faces=data.named(state.lot))
    discard_lot(state)
    state.sold.append(state.sales)
    state.sales = 0
    state.endings.append(ending)
    _score(ply)
    if state.epoch == data.EPOCHS:
        state.phase = OVER
        state.actor = NOBODY
        places = scoring.outcome(state).places
        winners = tuple(seat for seat, place in enumerate(places) if place == 1)
        ply.tell("The game is over. Won by {seats}.", "PR-7.5", seats=winners)
    else:
        for seat in range(state.seats):
            state.up[seat] |= state.down[seat]
            state.down[seat] = 0
        state.epoch += 1
        state.phase = TURN
        begin(ply)


def discard_lot(state: State) -> None:
    """PR-5.5: the tiles of the lot leave the game."""
    for face in state.lot:
        state.gone[data.TILE_OF[face]] += 1
    state.lot.clear()


def begin(ply: Ply) -> None:
    """PR-1.5, PR-5.4: the holder of the highest sun is on turn."""
    state = ply.state
    highest = max(state.up)
    state.turn = state.actor = state.up.index(highest)
    rule = "PR-1.5" if state.epoch == 1 else "PR-5.4"
    text = N_("The {epoch} begins. {seat} holds the highest sun, {sun}, and starts.")
    epoch, sun = data.EPOCH_NAMES[state.epoch - 1], highest.bit_length() - 1
    ply.events.append(event(text, rule, epoch=epoch, seat=state.turn, sun=sun))


def _score(ply: Ply) -> None:
    """PR-6: ankhs and healing first, then points, then people and priests leave."""
    state = ply.state
    for seat, tiles in enumerate(state.display):
        won = min(scoring.ankhs_won(tiles), data.MOST_ANKHS - state.ankhs[seat])  # PR-6.2: at most four are kept
        if won:
            state.ankhs[seat] += won
            text = N_("{seat} takes {count} ankh(s) for the kinds of people.")
            ply.tell(text, "PR-6.2", seat, marks=(ankhs_mark(seat),), count=won)
        if scoring.heals(tiles):  # PR-6.4: three priests return one plague, which leaves the game
            tiles[data.PLAGUE] -= 1
            state.gone[data.TILE_OF[data.PLAGUE]] += 1
            marks = (tile_mark(seat, data.PLAGUE),)
            ply.tell("The priests of {seat} return a plague.", "PR-6.4", seat, marks=marks)
    sheets = scoring.sheets(state)
    state.sheets.append(sheets)
    for seat, sheet in enumerate(sheets):
        state.points[seat] = sheet[data.TOTAL]
        _tell(ply, seat, sheet)
    for tiles in state.display:
        for face in (*data.PEOPLE, data.PRIEST):
            state.gone[data.TILE_OF[face]] += tiles[face]
            tiles[face] = 0
    ply.tell("All people and priests leave the game.", "PR-6.6", marks=EPOCH_CLEARED)


def _tell(ply: Ply, seat: int, sheet: list[int]) -> None:
    """PR-6.0: one sentence for each line that counts; with hidden scores only for their owner (PR-1.4)."""
    readers = (seat,) if ply.state.hide_scores else None
    for line, rule, points in zip(data.SHEET, _RULES, sheet, strict=False):
        if points:
            text = N_("{seat} scores {points} for {line}.") if points > 0 else N_("{seat} loses {points} for {line}.")
            ply.tell(text, rule, seat, to=readers, points=abs(points), line=line)
    text, epoch = N_("{seat} comes to {total} point(s), {net} from the {epoch}."), data.EPOCH_NAMES[ply.state.epoch - 1]
    marks, net, total = (seat_mark(seat),), sheet[data.NET], sheet[data.TOTAL]
    ply.tell(text, "PR-6.0", seat, to=readers, marks=marks, net=net, total=total, epoch=epoch)
