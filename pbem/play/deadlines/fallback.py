"""The safety ladder of a seat: what answers if its player misses the deadline, and what the bot may never decide."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.orm import Session

from pbem.capabilities.acts import require_as_opened
from pbem.engine.registry import rules_for
from pbem.errors import WrongInput
from pbem.play.turns.advance import LADDER
from pbem.play.views.game_context import locked_seat, seat_of
from pbem.store.models import Game, Seat
from pbem.structs import Value

RUNGS = ("draft", "standing", "pass", "cautious")
"""What can stand on a ladder. Sitters answer before the deadline, standing orders whenever they fit."""


class Ladder(Value):
    """A seat's own arrangement. Private."""

    rungs: tuple[str, ...]
    never: tuple[str, ...]
    """Decision kinds that wait for a person whatever happens."""
    kinds: tuple[str, ...]
    """Decision kinds of the game, to choose `never` from."""


def ladder_of(session: Session, seat_id: int) -> Ladder:
    """Return what a seat has arranged. Raises NotSeated if there is no such seat."""
    return _ladder(*seat_of(session, seat_id))


def _ladder(game: Game, seat: Seat) -> Ladder:
    return Ladder(tuple(seat.ladder) or LADDER, tuple(seat.never), _kinds(game))


def _kinds(game: Game) -> tuple[str, ...]:
    return tuple(dict.fromkeys(row.kind for row in rules_for(game).grammar))


def set_ladder(session: Session, seat_id: int, rungs: Sequence[str], never: Sequence[str] = ()) -> Ladder:
    """Arrange it anew. Raises NotSeated, Overtaken, or WrongInput naming the bad word and those that can be used."""
    game, seat = locked_seat(session, seat_id)
    for words, known in ((rungs, RUNGS), (never, _kinds(game))):
        for word in words:
            if word not in known:
                raise WrongInput("{word!r} can't be chosen here. There are: {names}.", word=word, names=known)
    before = _ladder(game, seat)
    seat.ladder, seat.never = list(dict.fromkeys(rungs)), list(dict.fromkeys(never))
    game.version += 1
    require_as_opened(session, before, after := _ladder(game, seat))
    return after
