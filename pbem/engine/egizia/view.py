"""What one seat, or a spectator, may see: a copy of the board with everything hidden blanked; and guessing it back."""

from __future__ import annotations

from pbem.engine.core.choosing import take
from pbem.engine.core.rng import Chance
from pbem.engine.egizia import data
from pbem.engine.egizia import state as s
from pbem.engine.egizia.sailing import ordering
from pbem.engine.egizia.state import Own, State, Under
from pbem.engine.egizia.tables import Tables
from pbem.structs import Value


class View(Value):
    """One seat's sight of a game."""

    seat: int | None
    board: State
    """The state with -1 for every card the seat may not know: `sphinx`, others' `kept` and `drawn`, others' `under`."""

    @property
    def t(self) -> Tables:
        """What the components of this game print."""
        return self.board.t

    @property
    def own(self) -> Own:
        """What the view's seat has; of a spectator's the first seat's."""
        return self.board.own(self.seat or 0)

    @property
    def kind(self) -> str:
        """What the view's seat is asked now; "" for nothing."""
        return self.board.stage if self.asked else ""

    @property
    def asked(self) -> bool:
        """Whether the view's seat must act now."""
        return self.seat in ordering(self.board)


def view_of(state: State, seat: int | None) -> View:
    """EG-7.2: kept and drawn Sphinx cards are their holder's secret, not their number; at the end all lie open."""
    board = state.copy()
    over = state.stage == s.OVER
    board.sphinx = [data.HIDDEN] * len(state.sphinx)
    if not over:
        board.kept = [kept if other == seat else [data.HIDDEN] * len(kept) for other, kept in enumerate(board.kept)]
    if state.drawn and seat not in state.asked:
        board.drawn = [data.HIDDEN] * len(state.drawn)
    board.under = [_under(under, seat) for under in state.under]
    return View(seat, board)


def _under(under: Under, seat: int | None) -> Under:
    """Whoever put cards back knows which, and where they lie only if an order was stated."""
    blank = [data.HIDDEN] * len(under.rest)
    if under.seat != seat:
        return Under(under.seat, ordered=False, laid=[], rest=blank)
    return Under(under.seat, under.ordered, under.laid[:], under.rest[:] if under.ordered else blank)


def imagine(view: View, chance: Chance) -> State:
    """Return a whole state that agrees with `view`, every unknown Sphinx card drawn at random."""
    state = view.board.copy()
    t = state.t
    for under in state.under:
        if under.laid and not under.ordered and len(under.rest) == len(under.laid):
            under.rest = under.laid[:]
    known = {*state.drawn, *(c for kept in state.kept for c in kept), *(c for u in state.under for c in u.rest)}
    pool = [card for card in range(len(t.sphinx)) if card not in known]
    for under in state.under:
        if under.laid and data.HIDDEN in under.rest:
            under.rest = take([card for card in under.laid if card in pool], len(under.rest), chance)
            pool = [card for card in pool if card not in under.rest]
    pool = take(pool, len(pool), chance)
    for pile in (state.drawn, *state.kept, *(under.rest for under in state.under), state.sphinx):
        pile[:] = [pool.pop() if card == data.HIDDEN else card for card in pile]
    for under in state.under:
        under.laid = under.laid or under.rest[:]
    state.sphinx.sort()
    return state
