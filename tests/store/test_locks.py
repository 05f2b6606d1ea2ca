"""Two at once, on a real PostgreSQL, at every lock there is: who comes second waits before reading, or passes by.

Somebody else holds the row in a transaction that goes on. A deed that has to wait is seen to wait for its lock, and not
only later, when it writes what it made of a row that was about to change; a sweep that passes by leaves the row alone.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import psycopg
from sqlalchemy import select, text, update
from sqlalchemy.exc import DBAPIError

from pbem.capabilities import codes
from pbem.capabilities.tokens import tokens
from pbem.clubs.account import address_change, personal_data
from pbem.clubs.games import undo
from pbem.clubs.integrations import webhooks
from pbem.clubs.members import members
from pbem.clubs.ratings import rating_sweep
from pbem.clubs.seasons import seasons
from pbem.engine.core.types import Outcome
from pbem.extensions import db
from pbem.inbound import working
from pbem.mail import outbox
from pbem.play.deadlines import reminders
from pbem.play.proof import snapshots
from pbem.play.seats import invitations, recruitment, rematch
from pbem.play.views import game_context
from pbem.store import unit_of_work
from pbem.store.models import (
    AddressChange,
    Audit,
    Club,
    Code,
    Game,
    GameState,
    HookCall,
    Inbound,
    Invitation,
    Letter,
    Member,
    Player,
    Pulse,
    Season,
)
from pbem.store.queries import common, order_writes, ply_inputs, ply_writes
from tests import enqueued
from tests.inbound.test_receive import ADDRESSES
from tests.security.test_neighbours import fill, world

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask
    from sqlalchemy.orm import Session

    from pbem.extensions import Base

LATER = timedelta(days=1)
WAITS = "while locking"
"""What PostgreSQL says of who waits for a row to lock it; of who waits to write it, `while updating`."""


class Lock(NamedTuple):
    """A deed that locks."""

    table: type[Base]
    """Whose row somebody else holds."""
    deed: Callable[[Session, datetime, dict[str, Any]], object]
    """Given the session, the time, and the ids of what there is."""
    row: dict[str, Any] = {}  # noqa: RUF012 - nobody writes into it
    """How the row must be for the deed to want it; a length of time stands for that long from now."""
    ends: object = WAITS
    """What comes of it: it waits, or what a sweep gives that found nothing to do."""
    only_pointed_at: bool = False
    """Whether somebody else writes a row that points at it, as a seat at its player, and holds no more of it."""


_OPEN = {"game_id": None, "state": "pending", "expires_at": LATER, "created_at": timedelta()}
_RUNNING = {"state": GameState.RUNNING}
_RESULT = msgspec.json.encode(Outcome((5, 4, 3, 2, 1), (1, 2, 3, 4, 5), ""))
_FINISHED = {"state": GameState.FINISHED, "finished_at": -snapshots.KEPT - LATER, "outcome": _RESULT}
LOCKS = {
    "pbem.capabilities.codes:_open:lock:1": Lock(
        Code,
        lambda session, now, ids: codes.use(session, now, ids["player_id"], "x", "000000"),
        {"purpose": "x", "expires_at": LATER},
    ),
    "pbem.clubs.account.address_change:_question:lock:1": Lock(
        AddressChange,
        lambda session, now, _: address_change.look(session, now, tokens(), address_change.token(tokens(), 1, "new")),
    ),
    "pbem.clubs.account.address_change:sweep:lock:1": Lock(
        AddressChange,
        lambda session, now, _: address_change.sweep(session, now),
        {"state": "confirmed", "takes_effect_at": timedelta(), "epoch": 0},
        ends=False,
    ),
    "pbem.clubs.account.personal_data:erase:lock:1": Lock(
        Player, lambda session, now, ids: personal_data.erase(session, now, ids["player_id"]), only_pointed_at=True
    ),
    "pbem.clubs.games.undo:undo:lock:1": Lock(
        Audit, lambda session, now, ids: undo.undo(session, now, None, ids["by"], 1), {"club_id": None}
    ),
    "pbem.clubs.integrations.webhooks:call_one:lock:1": Lock(
        HookCall,
        lambda session, now, _: webhooks.call_one(session, now, lambda *_: None),
        {"state": "pending", "next_try_at": timedelta()},
        ends=False,
    ),
    "pbem.clubs.members.members:_invitation:lock:1": Lock(
        Invitation,
        lambda session, now, ids: members.withdraw_invitation(session, now, ids["club_id"], ids["by"], 1),
        _OPEN,
    ),
    "pbem.clubs.members.members:_member:lock:1": Lock(
        Member,
        lambda session, now, ids: members.set_role(
            session, now, ids["club_id"], ids["by"], player_id=ids["player_id"], role="organiser"
        ),
    ),
    "pbem.clubs.members.members:hand_over:lock:1": Lock(
        Member, lambda session, _, ids: members.hand_over(session, ids["club_id"], ids["player_id"])
    ),
    "pbem.clubs.ratings.rating_sweep:rate_finished:lock:1": Lock(
        Game, lambda session, *_: rating_sweep.rate_finished(session), _FINISHED, ends=0
    ),
    "pbem.clubs.seasons.seasons:_locked:lock:1 carry on": Lock(
        Season, lambda session, now, _: seasons.carry_on(session, now, 1), {"state": "running"}
    ),
    "pbem.clubs.seasons.seasons:_locked:lock:1 enter": Lock(
        Season, lambda session, now, ids: seasons.enter(session, now, 1, ids["player_id"]), {"state": "open"}
    ),
    "pbem.clubs.seasons.seasons:_locked:lock:1 finish": Lock(
        Season, lambda session, now, _: seasons.finish(session, now, 1)
    ),
    "pbem.clubs.seasons.seasons:_locked:lock:1 start": Lock(
        Season, lambda session, now, _: seasons.start(session, now, 1), {"state": "open"}
    ),
    "pbem.inbound.working:_take:lock:1": Lock(
        Inbound,
        lambda session, now, _: working.work_through(session, now, ADDRESSES, 1),
        {"state": "new", "next_try_at": timedelta()},
        ends=None,
    ),
    "pbem.inbound.working:work:lock:1": Lock(Inbound, lambda session, now, _: working.work(session, now, ADDRESSES, 1)),
    "pbem.mail.outbox:_due:lock:1": Lock(
        Letter,
        lambda session, now, _: outbox.claim(session, now, 1, "second"),
        {"state": "pending", "next_try_at": timedelta()},
        ends=[],
    ),
    "pbem.play.deadlines.reminders:_shift:lock:1": Lock(
        Game, lambda session, now, _: reminders.give_time_back(session, now + LATER), _RUNNING
    ),
    "pbem.play.deadlines.reminders:give_time_back:lock:1": Lock(
        Pulse, lambda session, now, _: reminders.give_time_back(session, now)
    ),
    "pbem.play.proof.snapshots:drop_next:lock:1": Lock(
        Game, lambda session, now, _: snapshots.drop_next(session, now), _FINISHED, ends=None
    ),
    "pbem.play.seats.invitations:accept:lock:1": Lock(
        Invitation, lambda session, now, _: invitations.accept(session, now, 1), _OPEN
    ),
    "pbem.play.seats.invitations:decline:lock:1": Lock(
        Invitation, lambda session, now, _: invitations.decline(session, now, 1), _OPEN
    ),
    "pbem.play.seats.recruitment:_run_out:lock:1": Lock(
        Invitation,
        lambda session, now, _: recruitment.sweep(session, now),
        _OPEN | {"expires_at": timedelta()},
        ends=None,
    ),
    "pbem.store.queries.common:locked:lock:1": Lock(
        Game, lambda session, _, ids: game_context.locked_seat(session, ids["seat_id"])
    ),
    "pbem.store.queries.common:locked:lock:1 rematch": Lock(
        Game,
        lambda session, now, ids: rematch.open_rematch(session, now, ids["game_id"], ids["player_id"]),
        _FINISHED,
    ),
    "pbem.store.queries.common:lock_club:lock:1": Lock(
        Club, lambda session, _, ids: common.lock_club(session, ids["club_id"])
    ),
    "pbem.store.queries.common:lock_player:lock:1": Lock(
        Player, lambda session, _, ids: common.lock_player(session, ids["player_id"])
    ),
    "pbem.store.queries.order_writes:<module>:lock:1": Lock(
        Game, lambda session, _, ids: order_writes.question(session, ids["seat_id"], locked=True)
    ),
    "pbem.store.queries.ply_inputs:<module>:lock:1": Lock(
        Game, lambda session, _, ids: ply_inputs.claim(session, ids["game_id"])
    ),
    "pbem.store.queries.ply_writes:<module>:lock:1": Lock(
        Game, lambda session, _, ids: _is_overtaken(session, ids["game_id"]), _RUNNING, ends=True
    ),
}
"""By the name that `python -m benchmarks.guards --list` gives it, with who calls it where several do;
`tests/test_guards.py` sees that none is missing.
"""


def _is_overtaken(session: Session, game_id: int) -> bool:
    """Whether somebody else is at a game that is to be held."""
    try:
        ply_writes.hold(session, session.get_one(Game, game_id))
    except ply_writes.StaleRead:
        return True
    return False


def test_who_comes_second_waits_or_passes_by(pg_app: Flask, now: datetime) -> None:
    """All locks in one world, with a row in every table."""
    with pg_app.app_context():
        session = db.session()
        ids = world(session, now)
        fill(session, now)
        session.execute(update(Pulse).values(name=reminders.PULSE, at=now))
        found = {name: _second(session, now, ids, lock) for name, lock in LOCKS.items()}

    assert {name: what for name, what in found.items() if what != LOCKS[name].ends} == {}


def test_who_only_points_at_a_locked_row_goes_on(pg_app: Flask, now: datetime) -> None:
    """An order names its game, a letter its person: neither waits for who works on these."""
    with pg_app.app_context():
        session = db.session()
        ids = world(session, now)
        session.add(Pulse(name=reminders.PULSE, at=now))
        pointed_at = {name: lock for name, lock in LOCKS.items() if lock.table in {Club, Game, Player}}
        found = {
            name: _is_hindered(session, now, ids, lock) for name, lock in pointed_at.items() if not lock.only_pointed_at
        }

    assert len(found) > 8
    assert found == dict.fromkeys(found, False)


def _make_ready(session: Session, now: datetime, lock: Lock) -> None:
    """Let a deed's rows be as it needs them, for everybody to see."""
    row = {name: now + value if isinstance(value, timedelta) else value for name, value in lock.row.items()}
    if row:
        session.execute(update(lock.table).values(row))
    session.info[enqueued.ASKED] = set(unit_of_work.Work)  # rows made due here are for no worker
    session.commit()


def _is_hindered(session: Session, now: datetime, ids: dict[str, Any], lock: Lock) -> bool:
    """Whether a row that is about to point at what a deed has locked would have to wait; locked it is."""
    _make_ready(session, now, lock)
    lock.deed(session, now, ids)
    held = [_is_held(lock.table, how) for how in ("FOR NO KEY UPDATE", "FOR KEY SHARE")]
    session.rollback()
    assert held[0]
    return held[1]


def _is_held(table: type[Base], how: str) -> bool:
    """Whether somebody else has a row so that it can't be locked in this way too."""
    with db.engine.connect() as other:
        try:
            other.execute(text(f"SELECT id FROM {table.__tablename__} {how} NOWAIT"))  # noqa: S608 - our own names
        except DBAPIError:
            return True
    return False


def _second(session: Session, now: datetime, ids: dict[str, Any], lock: Lock) -> object:
    """What a deed comes to while somebody else holds the row: what it gives, or what it is about to do and waits."""
    _make_ready(session, now, lock)
    with db.engine.connect() as first:
        shared = lock.only_pointed_at
        held = first.execute(select(lock.table).with_for_update(read=shared, key_share=shared)).all()
        assert held
        session.execute(text("SET LOCAL lock_timeout = 20"))
        try:
            return lock.deed(session, now, ids)
        except (DBAPIError, psycopg.errors.LockNotAvailable) as late:
            fault: Any = getattr(late, "orig", late)
            return str(fault.diag.context).partition(" tuple")[0]
        finally:
            session.rollback()
