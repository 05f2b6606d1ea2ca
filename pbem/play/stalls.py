"""Who stalls: reminded in steps, then the organiser is told; time given back when it was the server that stalled."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import select, update

from pbem.engine.types import N_, Said
from pbem.play import deadlines
from pbem.play.post import Post
from pbem.play.table import person_of
from pbem.store import queries
from pbem.store.tables import Decision, Game, Player, Pulse, Seat

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

PULSE = "sweep_games"
DOWN = timedelta(minutes=5)
"""A sweep that comes so late means that the server was down, or that its clock was moved."""


def remind(session: Session, now: datetime, limit: int = 1000) -> int:
    """Write the reminders that are due, at most one for each seat however long nobody looked; how many letters."""
    post = Post(now)
    for decision_id, game_id in queries.nudges_due(session, now, limit):
        game = queries.lock_game(session, game_id)
        decision = session.get(Decision, decision_id, populate_existing=True)
        if game is None or decision is None or decision.nudge_at is None or decision.nudge_at > now:
            continue
        if game.state == "running" and game.ply + 1 == decision.ply and game.due_at is not None:
            _nudge(session, now, game, decision, post)
        else:
            decision.nudge_at = None
    count = len(post.rows)
    session.flush()
    post.send(session)
    return count


def _nudge(session: Session, now: datetime, game: Game, decision: Decision, post: Post) -> None:
    """One letter for the latest step that is due; earlier ones that were missed are left out."""
    row = session.execute(
        select(Seat, Player)
        .join(Player, Player.id == Seat.player_id)
        .where(Seat.game_id == game.id, Seat.seat == decision.seat)
    ).one_or_none()
    due = game.due_at
    if row is None or due is None:
        decision.nudge_at = None
        return
    seat, player = row
    cadence = deadlines.cadence_of(game.cadence)
    person = person_of(player)
    step, coming = decision.nudge_step, decision.nudge_at
    while (later := deadlines.nudge(cadence, person, decision.opened_at, due, step + 1)) is not None and later <= now:
        step, coming = step + 1, later
    kind = deadlines.letter_of(cadence, step)
    if kind == "organiser_alert":
        _alert(session, game, decision, post)
    else:
        cause = f"{decision.due_version}.{step}"
        post.seat(kind, game, seat, player, cause, due_version=decision.due_version)
    decision.nudge_step = step + 1
    decision.nudge_at = later if coming is not None else None


def _alert(session: Session, game: Game, decision: Decision, post: Post) -> None:
    """Tell the organiser who missed the deadline, unless it is they themselves."""
    organiser = session.get(Player, game.organiser_id) if game.organiser_id else None
    if organiser is None or organiser.id == _player_at(session, game, decision.seat):
        return
    said = Said(N_("{seat} missed the deadline and will be answered for soon."), {"seat": decision.seat})
    cause = f"{game.id}:{game.ply}:{decision.seat}:organiser_alert:{decision.due_version}"
    post.person(*("organiser_alert", organiser, cause), game_id=game.id, ply=game.ply, said=msgspec.to_builtins(said))


def _player_at(session: Session, game: Game, seat: int) -> int | None:
    return session.execute(select(Seat.player_id).where(Seat.game_id == game.id, Seat.seat == seat)).scalar_one()


def give_time_back(session: Session, now: datetime) -> timedelta:
    """Note that the sweeps run; if they stood still for long, move every deadline by that time. Gives the time.

    A clock that was set forward or back looks the same, and each player's remaining time stays what it was.
    """
    pulse = session.execute(select(Pulse).where(Pulse.name == PULSE).with_for_update()).scalar_one_or_none()
    if pulse is None:
        session.add(Pulse(name=PULSE, at=now))
        session.flush()
        return timedelta()
    gap = now - pulse.at
    pulse.at = now
    session.flush()
    if abs(gap) < DOWN:
        return timedelta()
    _shift(session, gap)
    return gap


def _shift(session: Session, by: timedelta) -> None:
    """Move the deadlines of all running games, each locked: an order that comes meanwhile must not lose its wake-up."""
    games = session.execute(
        select(Game.id, Game.due_at, Game.cover_at, Game.wake_at)
        .where(Game.state == "running", Game.due_at.is_not(None))
        .order_by(Game.id)
        .with_for_update(key_share=True)
    ).all()
    if not games:
        return
    session.execute(
        update(Game),
        [
            {
                "id": row.id,
                "due_at": row.due_at + by,
                "cover_at": row.cover_at + by,
                "wake_at": row.cover_at + by if row.wake_at == row.cover_at else row.wake_at,
            }
            for row in games
        ],
    )
    _shift_decisions(session, by)


def _shift_decisions(session: Session, by: timedelta) -> None:
    rows: Sequence[Decision] = (
        session.execute(
            select(Decision)
            .join(Game, (Game.id == Decision.game_id) & (Decision.ply == Game.ply + 1))
            .where(Game.state == "running", Decision.due_at.is_not(None))
        )
        .scalars()
        .all()
    )
    for decision in rows:
        decision.opened_at += by
        decision.due_at = decision.due_at + by if decision.due_at else None
        decision.base_at = decision.base_at + by if decision.base_at else None
        decision.nudge_at = decision.nudge_at + by if decision.nudge_at else None
    session.flush()
