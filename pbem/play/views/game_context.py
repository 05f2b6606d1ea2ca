"""A game as stored, gathered for a use case: its row, its seats with their people, its rules, its state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import cached_property
from typing import Any

import msgspec
from sqlalchemy import Row, select
from sqlalchemy.orm import Session

from pbem.engine.core.message import N_
from pbem.engine.core.types import AnyRules, Outcome, Scope
from pbem.engine.registry import rules_for
from pbem.engine.text import standing_text
from pbem.errors import nobody
from pbem.play.deadlines import cadence as deadlines
from pbem.play.turns.resolution import Premove, RunSeat
from pbem.store.models import UNREACHABLE, Game, Player, Seat
from pbem.store.queries import common
from pbem.waking_hours import WakingHours, person_of

VACANT = "cautious"
"""The bot that plays for a seat nobody holds."""


UNPLAYED = N_("Set aside: this server doesn't have its version of the rules at present.")
"""Where a game stands whose rules version isn't known here, in lists that go on without it."""


def state_of(rules: AnyRules, snapshot: bytes) -> Any:
    """Decode a stored state; the caller owns the object."""
    return msgspec.json.decode(snapshot, type=rules.state_type)


def outcome_of(stored: bytes | None) -> Outcome | None:
    """Return what a game came to, as stored; None of one that goes on, or ended without a result."""
    return msgspec.json.decode(stored, type=Outcome) if stored else None


def locked_game(session: Session, game_id: int) -> Game:
    """Return a game, its row locked until the transaction ends. Raises NotSeated if there is none."""
    game = common.lock_game(session, game_id)
    if game is None:
        raise nobody()
    return game


def locked_seat(session: Session, seat_id: int) -> tuple[Game, Seat]:
    """Return the game of a seat, locked, and the seat. Raises NotSeated if there is no such seat."""
    game = session.scalar(common.locked(select(Game).join(Seat).where(Seat.id == seat_id)))
    if game is None:
        raise nobody()
    return game, session.get_one(Seat, seat_id, populate_existing=True)  # what the lock waited for is seen only now


def seat_of(session: Session, seat_id: int) -> tuple[Game, Seat]:
    """Return the game of a seat, and the seat. Raises NotSeated if there is no such seat."""
    row = session.execute(select(Game, Seat).join(Seat).where(Seat.id == seat_id)).one_or_none()
    if row is None:
        raise nobody()
    return row[0], row[1]


class GameContext(msgspec.Struct, dict=True):
    """One game, locked, with everybody at it."""

    game: Game
    seats: dict[int, Seat]
    players: dict[int, Player]
    """By seat; only seats held by a person."""

    @property
    def rules(self) -> AnyRules:
        """The rules the game was opened with. Raises UnknownVersion; what needs no rules works without them."""
        return rules_for(self.game)

    @cached_property
    def cadence(self) -> deadlines.Cadence:
        """How long it waits, read and checked once for all that is done here. Raises WrongInput."""
        return deadlines.cadence_of(self.game.cadence)

    def run_seats(self, aheads: dict[int, list[Premove]]) -> list[RunSeat]:
        """Return the seats as `resolution.Run` takes them."""
        return [
            RunSeat(number, seat.bot or ("" if seat.player_id else VACANT), aheads.get(number, []))
            for number, seat in self.seats.items()
        ]

    def people(self, absent: Mapping[int, tuple[tuple[datetime, datetime], ...]]) -> dict[int, WakingHours]:
        """Return everybody's hours, by seat; `absent` are their absences by player number."""
        return {
            seat: person_of(player, absent.get(player.id, ()), deadlines.left(self.cadence, self.seats[seat].bank_used))
            for seat, player in self.players.items()
        }

    def addressee(self, seat: int) -> tuple[Game, Seat, Player]:
        """Return what a letter to the person of this seat goes by: `LetterQueue.seat` takes it."""
        return self.game, self.seats[seat], self.players[seat]

    def is_reachable(self, seat: int) -> bool:
        """Return whether letters get through to the person of this seat."""
        return self.players[seat].address_state not in UNREACHABLE


def table_of(session: Session, game: Game) -> GameContext:
    """Gather seats and people of a locked game."""
    return seated(game, common.seats_of(session, game.id))


def seated(game: Game, rows: Iterable[tuple[Seat, Player | None] | Row[Seat, Player | None]]) -> GameContext:
    """Return the same for seats that were read already."""
    rows = tuple(rows)
    return GameContext(
        game=game,
        seats={seat.seat: seat for seat, _ in rows},
        players={seat.seat: player for seat, player in rows if player is not None and not seat.bot},
    )


def aheads_of(session: Session, table: GameContext) -> dict[int, list[Premove]]:
    """Return everything the seats gave ahead, read, by seat; the newest first."""
    found: dict[int, list[Premove]] = {}
    for row in common.live_standing(session, table.game.id):
        parsed = standing_text.parse(table.rules, row.text) if row.kind != "then" and row.text else None
        scope = Scope(row.phase, row.round)
        one = Premove(row.id, row.kind, row.text, scope, parsed, told_as="plan" if row.plan else row.told_as)
        found.setdefault(row.seat, []).append(one)
    return found
