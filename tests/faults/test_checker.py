"""The negative control: whatever guard is taken away, and whatever is falsified, the checker names the invariant."""

from __future__ import annotations

import re
import smtplib
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from sqlalchemy import delete, event, select, text, update

from benchmarks.faults.checker import IN_TIME, check
from benchmarks.faults.history import Said
from benchmarks.faults.players import Club
from pbem import clock
from pbem.capabilities import links
from pbem.capabilities.tokens import tokens
from pbem.extensions import db
from pbem.letter_kinds import PUTS_QUESTION
from pbem.play.orders import submission
from pbem.play.turns.advance import advance
from pbem.store.models import Game, Letter, StoredOrder, StoredPly
from pbem.store.queries import ply_writes
from tests.mail_servers import Mail
from tests.servers import until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.faults.stage import Stage


@pytest.fixture
def club(on: Stage) -> Club:
    """Two games with a few plies, their letters in the sink, and a history of orders that were all taken."""
    on.clear()
    on.cast()
    made = Club(on)
    made.open(2)
    with on.app.app_context():
        for _ in range(4):
            for one in made.questions():
                take(made, one.seat_id, one.ply, one.order)
            for game_id in made.games:
                advance(db.session(), clock.now(), game_id)
                db.session.commit()
        for letter in db.session.execute(select(Letter)).scalars():
            letter.state = "sent"
            on.sink.mails.append(mail(letter.message_id, f"p{letter.seat}@p{letter.seat}.example"))
        db.session.commit()
    return made


def take(club: Club, seat_id: int, ply: int, words: str, mark: str = "first") -> None:
    """Submit an order, and note in the history what the player was told."""
    request = f"{mark}-{seat_id}-{ply}"
    sent = submission.Submission(seat_id=seat_id, ply=ply, text=words, request=request)
    receipt = submission.submit(db.session(), clock.now(), sent)
    order = db.session.get_one(StoredOrder, receipt.order_id)
    said = Said(game_id=order.game_id, seat=order.seat, ply=ply, text=words, request=request, status=200)
    club.history.append(said)
    db.session.commit()


def mail(message_id: str, to: str, words: str = "Your turn.") -> Mail:
    """A mail as the sink keeps it."""
    return Mail("", (to,), f"Message-ID: <{message_id}@club.example>\r\nTo: {to}\r\n\r\n{words}\r\n".encode())


def lost_order(_club: Club) -> None:
    """An accepted order vanished."""
    db.session.execute(delete(StoredOrder).where(StoredOrder.id == select(StoredOrder.id).limit(1).scalar_subquery()))


def other_order(_club: Club) -> None:
    """Another order was played than the one accepted."""
    ply = db.session.execute(select(StoredPly).where(StoredPly.ply == 1).limit(1)).scalar_one()
    ply.orders = dict.fromkeys(ply.orders, "ra ra ra")


def missing_ply(_club: Club) -> None:
    """A ply is gone."""
    db.session.execute(delete(StoredPly).where(StoredPly.ply == 1))


def changed_state(_club: Club) -> None:
    """A snapshot isn't what the rules give."""
    db.session.execute(update(StoredPly).where(StoredPly.ply == 2).values(digest="0" * 64))


def never_sent(club: Club) -> None:
    """A letter is settled as sent that never arrived."""
    club.stage.sink.mails.pop()


def sent_twice(club: Club) -> None:
    """A letter arrived twice, and nothing was killed."""
    club.stage.sink.mails.append(club.stage.sink.mails[0])


def never_told(_club: Club) -> None:
    """Somebody is asked without a letter."""
    db.session.execute(delete(Letter).where(Letter.kind.in_(PUTS_QUESTION), Letter.ply == 0))


def from_nowhere(club: Club) -> None:
    """A mail came that no row of the outbox knows: it was sent before its transaction was committed."""
    club.stage.sink.mails.append(mail("unknown", "p0@p0.example"))


def of_the_future(_club: Club) -> None:
    """A letter tells of a ply that isn't there."""
    db.session.execute(update(Letter).where(Letter.kind == "your_turn", Letter.ply == 0).values(ply=99))


def another_hand(_club: Club) -> None:
    """A player was told that their order stands, and the autopilot played."""
    ply = db.session.execute(select(StoredPly).where(StoredPly.ply == 1).limit(1)).scalar_one()
    ply.hands = dict.fromkeys(ply.hands, "autopilot")


def silence(club: Club) -> None:
    """Somebody was too late and was told nothing."""
    club.history.append(msgspec.structs.replace(club.history[0], status=409, reason="", request="late"))


def forgotten(_club: Club) -> None:
    """A game is due and nobody works on it."""
    db.session.execute(update(Game).values(wake_at=clock.now() - timedelta(minutes=3)))


def stuck_letter(_club: Club) -> None:
    """A letter was claimed and never settled."""
    db.session.execute(update(Letter).values(state="claimed", claimed_at=clock.now() - 2 * IN_TIME))


def seed_told(club: Club) -> None:
    """A mail holds the seed of a running game."""
    seed = db.session.execute(select(Game.seed).limit(1)).scalar_one()
    number = db.session.execute(select(Letter.message_id).limit(1)).scalar_one()
    club.stage.sink.mails[:] = [mail(number, "p0@p0.example", f"By the way: {seed}")]


def dead_link(club: Club) -> None:
    """A mail holds a link to a seat that is not there."""
    token = links.seat_token(tokens(), 10**6, 0, 1)
    number = db.session.execute(select(Letter.message_id).limit(1)).scalar_one()
    club.stage.sink.mails[:] = [mail(number, "p0@p0.example", f"{club.stage.environ['BASE_URL']}/l/{token}")]


FALSIFIED: dict[Callable[[Club], None], str] = {
    lost_order: "I1",
    other_order: "I1",
    missing_ply: "I2",
    changed_state: "I2",
    never_sent: "I3",
    sent_twice: "I3",
    never_told: "I3",
    from_nowhere: "I4",
    of_the_future: "I4",
    another_hand: "I6",
    silence: "I5",
    forgotten: "I7",
    stuck_letter: "I7",
    seed_told: "I8",
    dead_link: "I8",
}


def test_nothing_is_named_where_everything_holds(club: Club) -> None:
    """A club that just played has no violation, and its history isn't empty."""
    assert len(club.history) >= 6
    assert check(club) == []


@pytest.mark.parametrize("falsify", FALSIFIED, ids=lambda deed: deed.__name__)
def test_the_checker_names_the_invariant(falsify: Callable[[Club], None], club: Club, on: Stage) -> None:
    """Each falsification is found, under its own invariant."""
    with on.app.app_context():
        falsify(club)
        db.session.commit()

    assert FALSIFIED[falsify] in {fault[:2] for fault in check(club)}


def test_what_is_on_its_way_to_the_sink_does_not_reach_a_stage_that_is_cleared(on: Stage) -> None:
    """Its sender is slow to be answered while the tables are emptied: the mail is of a club that is gone."""
    on.clear()
    on.cast()
    on.sink.slow = 2.0
    with smtplib.SMTP(on.sink.host, on.sink.port, timeout=60) as line, ThreadPoolExecutor(1) as beside:
        sent = beside.submit(line.sendmail, "club@club.example", ["p0@p0.example"], mail("1", "p0@p0.example").raw)
        until(lambda: on.sink.tries["p0@p0.example"], "the mail is on its way")

        on.clear()

        with pytest.raises(smtplib.SMTPException):
            sent.result(60)
    assert on.sink.mails == []


def unlocked(
    _connection: object, _cursor: object, statement: str, parameters: object, *_: object
) -> tuple[str, object]:
    """Every statement without its wish to lock what it reads."""
    return re.sub(r" FOR (NO KEY )?UPDATE( OF \w+)?( SKIP LOCKED)?", "", statement), parameters


@contextmanager
def without_the_guard(on: Stage) -> Iterator[None]:
    """Nothing is locked, and the same ply, and what is asked after it, may be stored twice."""
    with on.app.app_context(), db.engine.begin() as connection:
        event.listen(db.engine, "before_cursor_execute", unlocked, retval=True)
        for table, columns in _UNIQUE.items():
            name = f"uq_{table}_{columns.replace(', ', '_')}"
            connection.execute(text(f"ALTER TABLE {table} DROP CONSTRAINT {name}"))
    try:
        yield
    finally:
        with on.app.app_context(), db.engine.begin() as connection:
            event.remove(db.engine, "before_cursor_execute", unlocked)
            for table, columns in _UNIQUE.items():
                name = f"uq_{table}_{columns.replace(', ', '_')}"
                connection.execute(text(f"TRUNCATE {table}"))
                connection.execute(text(f"ALTER TABLE {table} ADD CONSTRAINT {name} UNIQUE ({columns})"))


_UNIQUE = {"plies": "game_id, ply", "decisions": "game_id, ply, seat"}


def test_with_its_guards_switched_off_a_task_delivered_twice_is_found(
    club: Club, on: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F11 without lock, version and unique index: two workers write the same ply, and the checker sees it."""
    write = ply_writes.write_run
    second: list[int] = []

    def interrupted(*given: Any) -> None:
        """Between reading and writing, another worker does the same."""
        if not second:
            second.append(1)
            with on.app.app_context():
                advance(db.session(), clock.now(), club.games[0])
                db.session.commit()
        given[2].version = 1 + db.session.scalars(select(Game.version).where(Game.id == given[2].id)).one()
        write(*given)

    with without_the_guard(on):
        with on.app.app_context():
            one = club.questions(club.games[:1])[0]
            take(club, one.seat_id, one.ply, one.order)
            monkeypatch.setattr(ply_writes, "write_run", interrupted)
            advance(db.session(), clock.now(), club.games[0])
            db.session.commit()
        found = check(club)

    assert any(fault.startswith("I2") and "stored 2 times" in fault for fault in found)
