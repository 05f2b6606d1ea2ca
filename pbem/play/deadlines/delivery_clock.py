"""What the way of a letter does to a player's clock: it starts when the letter arrives, and rests when none does.

Whoever reads a letter can report it undeliverable, so no report holds a game for ever: a clock rests for `MOST_STILL`
once in `ONCE_IN`; then it runs as everybody's does, and what answers for a missing player, or a vote, ends the wait.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pbem.engine.core.message import N_, Message
from pbem.letter_kinds import PUTS_QUESTION
from pbem.letter_queue import LetterQueue
from pbem.play.deadlines import cadence as deadlines
from pbem.play.deadlines.waiting_reasons import needed_seats
from pbem.play.views.game_context import GameContext, table_of
from pbem.store.models import UNREACHABLE, Delivery, Game, GameState, Letter, OpenDecision, Player, Seat
from pbem.store.queries import common
from pbem.waking_hours import WakingHours

LATE = timedelta(minutes=10)
"""A letter accepted within this time counts as accepted at once."""
MOST_STILL = timedelta(days=7)
"""How long a player's clock rests from the first report that their mail comes back."""
ONCE_IN = timedelta(days=90)
"""How long after that report no other one lets it rest again; letters are kept as long (`retention.MAIL_KEPT`)."""


def accepted(session: Session, now: datetime, letter: Letter) -> None:
    """Note that the next server took a letter; if that asked late what has no answer yet, the deadline moves later."""
    if letter.kind not in PUTS_QUESTION or letter.game_id is None:
        return
    game = common.lock_game(session, letter.game_id)
    if game is None or game.state != GameState.RUNNING or letter.ply != game.ply:
        return
    decisions = common.decisions_of(session, game)
    mine = next((d for d in decisions if d.seat == letter.seat and d.letter_at is None), None)
    if mine is None:
        return
    mine.letter_at = now
    if now - mine.opened_at > LATE and mine.seat in needed_seats(decisions) and mine.due_at is not None:
        move_deadline(session, table_of(session, game), now)
    session.flush()


def move_deadline(session: Session, table: GameContext, start: datetime | None = None) -> None:
    """Give the awaited seats their full time from `start` on, never less; without it: from when it counts already.

    The time of somebody whose mail bounces begins later, as `rested` says.
    """
    game = table.game
    decisions = common.decisions_of(session, game)
    asked = {d.seat: d for d in decisions}
    needed = [asked[seat] for seat in needed_seats(decisions) if seat in table.players]
    if not needed:
        return
    # Of a secret decision the time of all persons counts, so that the deadline tells nothing.
    counted = sorted(table.players if any(d.secret for d in needed) else {d.seat for d in needed})
    start = start or max(d.began_at for d in needed)
    everybody = _everybody(session, start, table)
    start = rested(session, start, (table.players[seat] for seat in counted))
    for decision in decisions:
        decision.began_at = max(decision.began_at, start)
        if decision.base_at is not None and decision.seat in everybody:
            decision.base_at = deadlines.base(table.cadence, everybody[decision.seat], decision.began_at)
    due = deadlines.joint(table.cadence, [everybody[seat] for seat in counted], start)
    if game.due_at is None or due > game.due_at:
        _set_deadline(table, decisions, everybody, due)


def _everybody(session: Session, since: datetime, table: GameContext) -> dict[int, WakingHours]:
    """Return the hours of all persons at a table by seat, their days away since then and clock banks included."""
    return table.people(common.absences_of(session, table.players.values(), since))


def put_deadline(session: Session, now: datetime, table: GameContext, due: datetime) -> None:
    """Let a game's deadline be `due`: everybody's time begins so much later, or earlier, and no clock bank pays."""
    game = table.game
    decisions = common.decisions_of(session, game)
    by = due - game.due_at if game.due_at is not None else timedelta()
    for decision in decisions:
        shift(decision, by, "began_at", "base_at")
    _set_deadline(table, decisions, _everybody(session, now, table), due)


def shift(row: Game | OpenDecision, by: timedelta, *columns: str) -> None:
    """Move those of these moments that are set."""
    for column in columns:
        if (moment := getattr(row, column)) is not None:
            setattr(row, column, moment + by)


def _set_deadline(
    table: GameContext, decisions: Sequence[OpenDecision], everybody: Mapping[int, WakingHours], due: datetime
) -> None:
    """Set a new deadline, as a new version that arms the reminders again."""
    game, cadence = table.game, table.cadence
    game.due_version += 1
    game.version += 1
    waits = game.wake_at is None or game.wake_at == game.cover_at
    game.due_at, game.cover_at = due, deadlines.cover(cadence, due)
    if waits:
        game.wake_at = game.cover_at
    for decision in decisions:
        if not decision.optional and decision.seat in everybody:
            decision.due_at, decision.due_version, decision.nudge_step = due, game.due_version, 0
            if not decision.ahead:
                decision.nudge_at = deadlines.nudge(cadence, everybody[decision.seat], decision.began_at, due, 0)


def rested(session: Session, start: datetime, players: Iterable[Player]) -> datetime:
    """Return when the clocks of players asked at `start` begin: later for one whose mail bounces softly."""
    lost = [player.id for player in players if player.address_state in UNREACHABLE]
    if not lost:
        return start
    reported = session.scalars(
        select(func.min(Delivery.at))
        .join(Letter)
        .where(Letter.player_id.in_(lost), Delivery.state.in_(UNREACHABLE), Delivery.at > start - ONCE_IN)
        .group_by(Letter.player_id)
    )
    return max((start, *(first + MOST_STILL for first in reported)))


def bounced(session: Session, now: datetime, player_id: int) -> None:
    """Mail to a player comes back for good: their clocks rest for a while, and whoever sees to each game is told."""
    player = session.get_one(Player, player_id)
    player.address_state = "bounced"
    session.flush()
    post = LetterQueue(now)
    for game, number in move_deadlines(session, player_id, now):
        said = Message(_COMES_BACK, {"seat": number, "days": MOST_STILL.days})
        cause = f"{game.id}:{game.ply}:{number}:organiser_alert:bounced"
        post.organisers("organiser_alert", session, game, cause, player_id, game_id=game.id, said=said)
    session.flush()
    post.send(session)


_COMES_BACK = N_("Mail to {seat} comes back. Their clock stands still for {days} days at most, then it runs on.")


def reachable(session: Session, now: datetime, player_id: int) -> None:
    """Mail gets through to a player again: where the game waits for them, they have their full time from now on."""
    player = session.get_one(Player, player_id)
    player.address_state = "good"
    session.flush()
    move_deadlines(session, player_id, now)


def stop_clock(game: Game, decisions: Sequence[OpenDecision]) -> None:
    """Clear the deadline of a game that is paused; orders that stand already still count."""
    game.due_version += 1
    game.version += 1
    if game.wake_at == game.cover_at:
        game.wake_at = None
    game.due_at = game.cover_at = None
    for decision in decisions:
        decision.due_at = decision.nudge_at = None


def move_deadlines(session: Session, player_id: int, start: datetime | None = None) -> list[tuple[Game, int]]:
    """Do as `move_deadline` where a game waits for this player; return their running games and seats."""
    rows = session.execute(
        select(Seat.game_id, Seat.seat)
        .join(Game)
        .where(Seat.player_id == player_id, Game.state == GameState.RUNNING)
        .order_by(Seat.game_id)
    )
    found = []
    for game_id, number in rows.all():
        game = common.lock_game(session, game_id)
        if game is None or game.state != GameState.RUNNING:
            continue
        if number in needed_seats(common.decisions_of(session, game)):
            move_deadline(session, table_of(session, game), start)
        found.append((game, number))
    return found
