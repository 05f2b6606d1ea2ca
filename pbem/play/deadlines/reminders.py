"""Who stalls: reminded in steps, then the organiser is told; time given back when it was the server that stalled."""

from __future__ import annotations

from datetime import timedelta
from itertools import takewhile
from typing import TYPE_CHECKING

from sqlalchemy import func, select, update

from pbem.engine.core.message import N_, Message, sentence
from pbem.letter_queue import LetterQueue
from pbem.play.deadlines import cadence as deadlines
from pbem.play.deadlines import delivery_clock
from pbem.play.deadlines.waiting_reasons import has_others
from pbem.store.models import Game, GameState, OpenDecision, Player, Pulse, Seat
from pbem.store.queries import common
from pbem.waking_hours import person_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from pbem.play.views.game_context import GameContext

PULSE = "sweep_games"
PATIENCE = 2
"""Deadlines missed in a row after which the others may vote for a substitute."""
_COUNTED = 20
DOWN = timedelta(minutes=5)
"""A sweep that comes so late means that the server was down, or that its clock was moved."""


def missed(session: Session, seat: Seat) -> int:
    """Return how many questions in a row, up to the newest, the server answered after the player's deadline."""
    hands = session.scalars(
        select(OpenDecision.hand)
        .join(Seat, Seat.holds(OpenDecision))
        .where(Seat.game_id == seat.game_id, Seat.seat == seat.seat, OpenDecision.judges(), OpenDecision.hand != "")
        .order_by(OpenDecision.ply.desc())
        .limit(_COUNTED)
    )
    return len(list(takewhile(lambda hand: hand == "autopilot", hands)))


def stalled(session: Session, now: datetime, table: GameContext) -> dict[int, int]:
    """Return the persons' seats that others may vote to replace, with the deadlines they have missed in a row.

    None in a game that is over, or where all others are bots.
    """
    game = table.game
    if not game.state.is_underway or not has_others(table.seats.values()):
        return {}
    over = game.state == GameState.RUNNING and game.cover_at is not None and game.cover_at <= now
    open_ = common.decisions_of(session, game) if over else []
    late = {
        d.seat
        for d in open_
        if d.order_id is None and not d.secret and not (d.optional or d.ahead) and d.closed_at is None
    }
    counts = {number: missed(session, table.seats[number]) + (number in late) for number in table.players}
    return {number: count for number, count in counts.items() if count >= PATIENCE or number in late}


def tell_others(table: GameContext, stalling: int, count: int, post: LetterQueue) -> None:
    """Tell the others at the table, once, that they may vote for a substitute."""
    said = sentence(
        "{seat} let the server answer {count} times in a row. On your seat's page you can vote for a substitute.",
        seat=stalling,
        count=count,
    )
    for number in table.players:
        if number != stalling:
            post.seat("talk", *table.addressee(number), f"stalled.{stalling}", said=said, stalling=stalling)


def remind(session: Session, now: datetime, limit: int = 1000) -> int:
    """Write the reminders that are due, at most one for each seat however long nobody looked; how many letters."""
    post = LetterQueue(now)
    if stood_still(session, now):
        return 0
    for decision_id, game_id in common.nudges_due(session, now, limit):
        game = common.lock_game(session, game_id)
        decision = session.get(OpenDecision, decision_id, populate_existing=True)
        if game is None or decision is None or decision.nudge_at is None or decision.nudge_at > now:
            continue
        if decision.order_id is not None:  # since we looked
            continue
        is_current = game.state == GameState.RUNNING and game.ply + 1 == decision.ply and game.due_at is not None
        if is_current and not decision.ahead:  # an earlier version reminded those, too, whose turn is still to come
            _nudge(session, now, game, decision, post)
        else:
            decision.nudge_at = None
    count = len(post.rows)
    session.flush()
    post.send(session)
    return count


def _nudge(session: Session, now: datetime, game: Game, decision: OpenDecision, post: LetterQueue) -> None:
    """One letter for the latest step that is due; earlier ones that were missed are left out."""
    row = session.execute(
        select(Seat, Player).join(Player, Player.id == Seat.player_id).where(Seat.holds(decision))
    ).one_or_none()
    due = game.due_at
    if row is None or due is None:
        decision.nudge_at = None
        return
    seat, player = row
    cadence, step = deadlines.cadence_of(game.cadence), decision.nudge_step
    person = person_of(player, common.absences_of(session, (player,), decision.began_at).get(player.id, ()))
    while (later := deadlines.nudge(cadence, person, decision.began_at, due, step + 1)) is not None and later <= now:
        step += 1
    kind = deadlines.letter_of(cadence, step)
    if kind == "organiser_alert":
        _alert(session, game, seat, decision, post)
    else:
        cause = f"{decision.due_version}.{step}"
        more = {"said": _AGAIN} if _missed_before(session, seat, decision) == PATIENCE - 1 else {}
        post.seat(kind, game, seat, player, cause, due_version=decision.due_version, **more)
    decision.nudge_step = step + 1
    decision.nudge_at = later


def _missed_before(session: Session, seat: Seat, decision: OpenDecision) -> int:
    """Return what `missed` does, as far as it tells no secret and there are others who may vote on it."""
    found = 0 if decision.secret else missed(session, seat)
    return found if found and has_others(one for one, _ in common.seats_of(session, seat.game_id)) else 0


def _alert(session: Session, game: Game, seat: Seat, decision: OpenDecision, post: LetterQueue) -> None:
    """Tell the organisers who missed the deadline, but not who that is."""
    said = sentence(_MISSED, seat=decision.seat)
    if _missed_before(session, seat, decision) >= PATIENCE - 1:
        said = Message(_NOT_FIRST, {"seat": decision.seat})
    cause = f"{game.id}:{game.ply}:{decision.seat}:organiser_alert:{decision.due_version}"
    columns = {"game_id": game.id, "ply": game.ply, "said": said}
    post.organisers("organiser_alert", session, game, cause, seat.player_id, **columns)


_MISSED = N_(
    "{seat} missed a deadline. Without an answer in the time of grace they are answered for, or the game waits,"
    " as they chose."
)
_AGAIN = sentence(
    "The server answered for you last time. If it has to again, the others may vote to give your seat away."
)
_NOT_FIRST = N_(
    "{seat} missed a deadline, not for the first time. Without an answer in the time of grace they are answered for,"
    " or the game waits, as they chose. You can look for a substitute; the others at the table may vote for one."
)


def stood_still(session: Session, now: datetime) -> bool:
    """Return whether nobody looked for so long that time is still to be given back: until then nobody's is over."""
    last = session.scalar(select(Pulse.at).where(Pulse.name == PULSE))
    return last is not None and abs(now - last) >= DOWN


def give_time_back(session: Session, now: datetime) -> None:
    """Note that the sweeps run; if they stood still for long, move every deadline by that time.

    A clock that was set forward or back looks the same, and each player's remaining time stays what it was.
    """
    pulse = session.scalar(select(Pulse).where(Pulse.name == PULSE).with_for_update())
    if pulse is None:
        session.add(Pulse(name=PULSE, at=now))
        session.flush()
        return
    gap = now - pulse.at
    pulse.at = now
    session.flush()
    if abs(gap) >= DOWN:
        _shift(session, gap)


def _shift(session: Session, by: timedelta) -> None:
    """Move the deadlines of all running games, each locked: an order that comes meanwhile must not lose its wake-up."""
    games = session.execute(
        select(Game.id, Game.version, Game.due_at, Game.cover_at, Game.wake_at)
        .where(Game.state == GameState.RUNNING, Game.due_at.is_not(None))
        .order_by(Game.id)
        .with_for_update(key_share=True)
    ).all()
    if not games:
        return
    held = dict(
        session.execute(
            select(OpenDecision.game_id, func.max(OpenDecision.held_until))
            .join(Game, OpenDecision.at_present())
            .where(Game.state == GameState.RUNNING)
            .group_by(OpenDecision.game_id)
        ).all()
    )
    moments = {row.id: {row.cover_at, held.get(row.id)} - {None} for row in games}
    session.execute(
        update(Game),
        [
            {
                "id": row.id,
                "version": row.version + 1,
                "due_at": row.due_at + by,
                "cover_at": row.cover_at + by,
                "wake_at": row.wake_at + by if row.wake_at in moments[row.id] else row.wake_at,
            }
            for row in games
        ],
    )
    _shift_decisions(session, by)


def _shift_decisions(session: Session, by: timedelta) -> None:
    rows: Sequence[OpenDecision] = session.scalars(
        select(OpenDecision)
        .join(Game, OpenDecision.at_present())
        .where(Game.state == GameState.RUNNING, OpenDecision.due_at.is_not(None))
    ).all()
    for decision in rows:
        put_off(decision, by)
    session.flush()


def put_off(decision: OpenDecision, by: timedelta) -> None:
    """Move one decision's whole time, reminders and all."""
    delivery_clock.shift(decision, by, "opened_at", "began_at", "held_until", "due_at", "base_at", "nudge_at")
