"""What the way of a letter does to a player's clock: it starts when the letter arrives, and stops when none does."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import select

from pbem.engine.core.types import N_, Message
from pbem.letter_queue import LetterQueue
from pbem.play.deadlines import cadence as deadlines
from pbem.play.deadlines.waiting_reasons import open_seats
from pbem.play.views.game_context import table_of
from pbem.store.models import Game, GameState, Letter, OpenDecision, Player, Seat
from pbem.store.queries import common
from pbem.waking_hours import person_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from pbem.play.views.game_context import GameContext

LATE = timedelta(minutes=10)
"""A letter accepted within this time counts as accepted at once."""


def accepted(session: Session, now: datetime, letter: Letter) -> None:
    """Note that the next server took the letter that asks. If that was late, the deadline moves later."""
    if letter.kind == "your_turn" and letter.game_id is not None and letter.seat is not None:
        _asked(session, now, letter.game_id, letter.seat)
    elif letter.kind == "digest" and letter.player_id is not None:
        for game_id, seat in _running(session, letter.player_id):
            _asked(session, now, game_id, seat)
    session.flush()


def _asked(session: Session, now: datetime, game_id: int, seat: int) -> None:
    """The question of a seat has arrived; if that was late and it has no answer yet, its time begins now."""
    game = common.lock_game(session, game_id)
    if game is None or game.state != GameState.RUNNING:
        return
    decisions = common.decisions_of(session, game.id, game.ply + 1)
    mine = next((d for d in decisions if d.seat == seat and d.letter_at is None), None)
    if mine is None:
        return
    mine.letter_at = now
    if now - mine.opened_at > LATE and mine.order_id is None and mine.due_at is not None:
        move_deadline(session, now, table_of(session, game), now)


def move_deadline(session: Session, now: datetime, table: GameContext, start: datetime) -> bool:
    """Give the awaited seats their full time from `start` on, never less; True if that moved the deadline."""
    game = table.game
    decisions = common.decisions_of(session, game.id, game.ply + 1)
    seats = [seat for seat in open_seats(decisions) if seat in table.players]
    asked = {d.seat: d for d in decisions}
    counted = sorted({s for seat in seats for s in _candidates(table, asked[seat]) if s in table.players})
    absent = common.absences_of(session, (table.players[seat] for seat in counted), now)
    everybody = table.people(absent)
    people = [everybody[seat] for seat in counted]
    cadence = deadlines.cadence_of(game.cadence)
    due = deadlines.joint(cadence, people, start)
    if not people or (game.due_at is not None and due <= game.due_at):
        return False
    for decision in decisions:
        if decision.base_at is not None and decision.seat in everybody:
            decision.base_at = deadlines.base(cadence, everybody[decision.seat], start)
    put_deadline(table, decisions, due)
    return True


def _candidates(table: GameContext, decision: OpenDecision) -> tuple[int, ...]:
    """Whose time a deadline counts: of a secret decision all persons, so that it tells nothing."""
    return tuple(table.players) if decision.secret else (decision.seat,)


def put_deadline(table: GameContext, decisions: Sequence[OpenDecision], due: datetime) -> None:
    """Set a new deadline, as a new version that arms the reminders again."""
    game = table.game
    cadence = deadlines.cadence_of(game.cadence)
    game.due_version += 1
    game.version += 1
    waits = game.wake_at is None or game.wake_at == game.cover_at
    game.due_at, game.cover_at = due, deadlines.cover(cadence, due)
    if waits:
        game.wake_at = game.cover_at
    for decision in decisions:
        if decision.order_id is None and not decision.optional:
            person = person_of(table.players[decision.seat])
            decision.due_at, decision.due_version, decision.nudge_step = due, game.due_version, 0
            decision.nudge_at = deadlines.nudge(cadence, person, decision.opened_at, due, 0)


def bounced(session: Session, now: datetime, player_id: int) -> None:
    """Mail to a player comes back for good: their clocks stand still, and each game's organiser is told."""
    player = session.get_one(Player, player_id)
    player.address_state = "bounced"
    session.flush()
    post = LetterQueue(now)
    for game_id, number in _running(session, player_id):
        game = common.lock_game(session, game_id)
        if game is None or game.state != GameState.RUNNING:
            continue
        decisions = common.decisions_of(session, game.id, game.ply + 1)
        if number in open_seats(decisions):
            stop_clock(game, decisions)
        organiser = session.get(Player, game.organiser_id) if game.organiser_id else None
        if organiser is not None and organiser.id != player_id:
            said = Message(N_("Mail to {seat} comes back, so their clock stands still."), {"seat": number})
            cause = f"{game.id}:{game.ply}:{number}:organiser_alert:bounced"
            post.person("organiser_alert", organiser, cause, game_id=game.id, said=_plain(said))
    session.flush()
    post.send(session)


def reachable(session: Session, now: datetime, player_id: int) -> None:
    """Mail gets through to a player again: where the game waits for them, their full time begins now."""
    player = session.get_one(Player, player_id)
    player.address_state = "good"
    session.flush()
    for game_id, number in _running(session, player_id):
        game = common.lock_game(session, game_id)
        if game is None or game.state != GameState.RUNNING or game.due_at is not None:
            continue
        if number in open_seats(common.decisions_of(session, game.id, game.ply + 1)):
            move_deadline(session, now, table_of(session, game), now)
    session.flush()


def stop_clock(game: Game, decisions: Sequence[OpenDecision]) -> None:
    """No deadline until somebody can be reached again; orders of the others still count."""
    game.due_version += 1
    game.version += 1
    if game.wake_at == game.cover_at:
        game.wake_at = None
    game.due_at = game.cover_at = None
    for decision in decisions:
        decision.due_at = decision.nudge_at = None


def _running(session: Session, player_id: int) -> list[tuple[int, int]]:
    rows = session.execute(
        select(Seat.game_id, Seat.seat)
        .join(Game, Game.id == Seat.game_id)
        .where(Seat.player_id == player_id, Game.state == GameState.RUNNING)
        .order_by(Seat.game_id)
    )
    return [(row.game_id, row.seat) for row in rows]


def _plain(said: Message) -> object:
    return msgspec.to_builtins(said)
