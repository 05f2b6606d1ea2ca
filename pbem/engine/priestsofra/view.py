"""What one seat may see: everything but, with hidden scores, the points of the others (PR-1.4)."""

from __future__ import annotations

from itertools import takewhile

import msgspec

from pbem.engine.core.copying import copied
from pbem.engine.core.rng import Chance
from pbem.engine.priestsofra.choices import legal
from pbem.engine.priestsofra.data import FACES_OF, RA_SPACES, TOTAL
from pbem.engine.priestsofra.orders import AnyOrder, Draw, Flip, Show
from pbem.engine.priestsofra.state import FACE, FLIP, NOBODY, OVER, State, sealed


class View(State, kw_only=True):
    """The table as one reader sees it: a state in which hidden points and score sheets are 0."""

    seat: int | None

    @property
    def asked(self) -> tuple[int, ...]:
        """Seats asked at once for sealed lists (PR-3.6); usually empty."""
        return sealed(self)

    @property
    def ra_spaces(self) -> int:
        """PR-1.3: the length of the Ra track."""
        return RA_SPACES[self.seats]

    @property
    def known_points(self) -> tuple[int | None, ...]:
        """PR-1.4: everybody's points; None where they are hidden from the reader."""
        return tuple([points if self.knows(seat) else None for seat, points in enumerate(self.points)])

    def knows(self, seat: int) -> bool:
        """PR-1.4: whether the reader sees the points of `seat`."""
        return not self.hide_scores or self.phase == OVER or seat == self.seat


def view(state: State, seat: int | None) -> View:
    """PR-1.4: what `seat` may see, or a spectator (None)."""
    seen = View(*msgspec.structs.astuple(copied(state, State)), seat=seat)
    for other in range(state.seats):
        if not seen.knows(other):
            seen.points[other] = 0
            for sheets in seen.sheets:
                sheets[other] = [0] * (TOTAL + 1)
    return seen


_SPREAD = 21
"""How far hidden points are guessed around the reader's own."""


def imagine(view: View, chance: Chance) -> State:
    """Return a whole state that agrees with `view`; hidden points are drawn around the reader's own."""
    state = copied(view, State)
    own = 0 if view.seat is None else state.points[view.seat]
    for seat in range(view.seats):
        if not view.knows(seat):
            state.points[seat] = max(0, own + chance.below(_SPREAD) - _SPREAD // 2)
    return state


def choices(view: View) -> list[AnyOrder]:
    """Every plain order of the view's seat: of draws only the one without wishes, which stand behind all others."""
    return list(takewhile(_is_plain, legal(view, NOBODY if view.seat is None else view.seat)))


def _is_plain(order: AnyOrder) -> bool:
    return not isinstance(order, Draw) or not order.prefer


def cautious(view: View) -> AnyOrder:
    """Return the safe default: draw rather than call, pass rather than bid (PR-3.2), the face one has more of, no flip.

    All but the face is the first of the legal orders.
    """
    assert view.seat is not None
    if view.phase == FACE:
        return Show(max(FACES_OF[view.drawn], key=view.display[view.seat].__getitem__))
    return Flip() if view.phase == FLIP else next(legal(view, view.seat))
