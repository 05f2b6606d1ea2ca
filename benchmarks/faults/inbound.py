"""Faults of mail on its way in: doubled, overtaken, interrupted, thousands of bounces, answering machines; and all."""

from __future__ import annotations

import random
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from benchmarks.faults.checker import Allowed, check, told
from benchmarks.faults.fault import Outcome
from benchmarks.faults.players import Club
from benchmarks.faults.stage import crash, revive
from pbem import clock
from pbem.extensions import db, settings
from pbem.play import delivery, from_mail
from pbem.store.tables import Game, Inbound, Letter, Order, Player, Seat
from tests.servers import until

if TYPE_CHECKING:
    from benchmarks.faults.players import Question
    from benchmarks.faults.stage import Stage

STEPS = ("worker-before-work", "worker-after-work")


def reply(stage: Stage, one: Question, text: str, number: str, hours: float = 0) -> tuple[bytes, str]:
    """A player's mail with an order, written so many hours ago, and the address it goes to."""
    with stage.app.app_context():
        addresses = delivery.addresses_of(settings())
        query = select(Seat.epoch, Player.address).join(Player, Player.id == Seat.player_id)
        epoch, sender = db.session.execute(query.where(Seat.id == one.seat_id)).one()
        to = str(addresses.seat(one.seat_id, one.ply, epoch))
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, to, "Re: your turn"
    mail["Date"] = format_datetime(clock.now() - timedelta(hours=hours))
    mail["Message-ID"] = f"<{number}@people.example>"
    mail.set_content(f"{text}\n")
    return mail.as_bytes(), to


def hand_in(stage: Stage, raw: bytes, to: str, sender: str = "somebody@people.example") -> int | None:
    """What the mail door does with one mail."""
    with stage.app.app_context():
        number = from_mail.receive(db.session(), raw, to, clock.now(), sender=sender, source="smtp")
        db.session.commit()
        return number


def worked(stage: Stage) -> bool:
    """Whether every mail is worked; the sweep is rung for."""
    stage.sweep("read_mail", "sweep_games")
    with stage.app.app_context():
        left = db.session.execute(select(func.count()).where(Inbound.state == "new")).scalar_one()
        return int(left) == 0


def mail_in(stage: Stage, rounds: int) -> Outcome:
    """F20: one mail three times, an older one after a newer, the importer killed at each step, bounces, a mail loop."""
    stage.cast("worker", "mailer", "web")
    club, faults = Club(stage), []
    club.open(2)
    for number in range(rounds):
        faults += _three_times(stage, club, number)
        faults += _overtaken(stage, club, number)
        for step in STEPS:
            faults += _killed_at(stage, club, number, step)
    faults += _machine(stage, club, 12)
    seconds = _bounces(stage, club, 10_000 if rounds > 1 else 200)
    stage.settle()
    faults += check(club, Allowed(copies=2))
    if seconds > 600:
        faults.append(f"The bounces took {seconds:.0f} s.")
    return Outcome(faults, {"bounces_s": round(seconds, 1), **told(club.history)})


def _asked(club: Club) -> Question:
    until(club.questions, "somebody is asked", 60)
    return club.questions()[0]


def _orders(stage: Stage, one: Question) -> list[Order]:
    with stage.app.app_context():
        query = select(Order).where(Order.game_id == one.game_id, Order.seat == one.seat, Order.ply == one.ply)
        return list(db.session.execute(query.order_by(Order.id)).scalars())


def _three_times(stage: Stage, club: Club, number: int) -> list[str]:
    one = _asked(club)
    raw, to = reply(stage, one, one.order, f"thrice-{number}")
    with ThreadPoolExecutor(3) as pool:
        kept = list(pool.map(lambda _: hand_in(stage, raw, to), range(3)))
    until(lambda: worked(stage), "the mail is worked", 60)
    if sum(one is not None for one in kept) != 1 or len(_orders(stage, one)) != 1:
        return [f"I1 a mail that came three times was kept {kept} and made {len(_orders(stage, one))} orders."]
    return []


def _overtaken(stage: Stage, club: Club, number: int) -> list[str]:
    one = _asked(club)
    newer, to = reply(stage, one, one.order, f"newer-{number}")
    older, _ = reply(stage, one, "cancel", f"older-{number}", hours=3)
    hand_in(stage, newer, to)
    until(lambda: worked(stage), "the newer mail is worked", 60)
    hand_in(stage, older, to)
    until(lambda: worked(stage), "the older mail is worked", 60)
    taken = [order.kind for order in _orders(stage, one) if order.kind in {"order", "withdraw"}]
    return [] if taken == ["order"] else [f"I1 an older mail changed a newer order: {taken}."]


def _killed_at(stage: Stage, club: Club, number: int, step: str) -> list[str]:
    """The importer is killed; after the try's waiting time the mail is worked, once."""
    one = _asked(club)
    raw, to = reply(stage, one, one.order, f"{step}-{number}")
    stage.arm(step)
    hand_in(stage, raw, to)
    until(lambda: worked(stage) or stage.has_struck(step), "the importer is killed", 60)
    stage.move(from_mail.WAIT.total_seconds() + 1)
    until(lambda: worked(stage), "the mail is worked after all", 120)
    made = [order for order in _orders(stage, one) if order.kind == "order"]
    return [] if len(made) == 1 else [f"I1 killed at {step}, a mail made {len(made)} orders."]


def _machine(stage: Stage, club: Club, mails: int) -> list[str]:
    """Something answers every letter with a mail: our answers come to rest, and those that say so get none."""
    one = _asked(club)
    before = _answers(stage)
    for number in range(mails):
        raw, to = reply(stage, one, "help", f"machine-{number}")
        hand_in(stage, raw, to)
        automatic = raw.replace(b"Subject:", b"Auto-Submitted: auto-replied\nSubject:").replace(b"<machine", b"<auto")
        hand_in(stage, automatic, to)
    until(lambda: worked(stage), "the mails are worked", 120)
    answers = _answers(stage) - before
    return [] if 0 < answers <= 10 else [f"{2 * mails} mails of a machine got {answers} answers."]


def _answers(stage: Stage) -> int:
    with stage.app.app_context():
        query = select(func.count()).where(Letter.mail_id.is_not(None), Letter.state != "dropped")
        return int(db.session.execute(query).scalar_one())


def _bounces(stage: Stage, club: Club, count: int) -> float:
    """Non-delivery reports for one letter after the other; the seconds until all are worked."""
    with stage.app.app_context():
        addresses = delivery.addresses_of(settings())
        letters = db.session.execute(select(Letter.id).where(Letter.kind == "your_turn")).scalars().all()
        to = [str(addresses.bounce(number)) for number in letters[-1:]]
        for number in range(count):
            raw = _report(to[0], number)
            from_mail.receive(db.session(), raw, to[0], clock.now(), sender="", source="smtp")
        db.session.commit()
    start = time.monotonic()
    until(lambda: worked(stage), "the bounces are worked", 620)
    assert club.games
    return time.monotonic() - start


def _report(to: str, number: int) -> bytes:
    """A delivery status notification (RFC 3464) of a delay: it marks nobody."""
    lines = (
        "From: mailer-daemon@relay.example",
        f"To: {to}",
        f"Message-ID: <dsn-{number}@relay.example>",
        "Subject: Delayed",
        "MIME-Version: 1.0",
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
        "",
        "--b",
        "Content-Type: text/plain",
        "",
        "Your mail is delayed.",
        "--b",
        "Content-Type: message/delivery-status",
        "",
        "Reporting-MTA: dns; relay.example",
        "",
        "Final-Recipient: rfc822; somebody@people.example",
        "Action: delayed",
        "Status: 4.4.1",
        "",
        "--b--",
        "",
    )
    return "\r\n".join(lines).encode()


def _all_dead(stage: Stage) -> None:
    stage.stop()
    stage.bell.strike(signal.SIGKILL)
    crash(stage.database)


def everything(stage: Stage, rounds: int) -> Outcome:
    """F20z: workers, beat, pages, Redis and PostgreSQL are killed at once under load, and started again."""
    chance = random.Random(1)
    club = Club(stage)
    stage.cast("worker", "mailer", "web", "beat")
    club.open(6)
    club.play(3)
    for _ in range(rounds):
        with club.playing():
            goal = stage.plies() + chance.randint(3, 8)
            until(lambda goal=goal: stage.plies() >= goal, "people play", 120)  # type: ignore[misc]  # bound now
            _all_dead(stage)
            stage.bell.start()
            revive(stage.database)
            with stage.app.app_context():
                db.engine.dispose()
            stage.cast("worker", "mailer", "web", "beat")
    stage.settle()
    with stage.app.app_context():
        running = db.session.execute(select(func.count()).where(Game.state == "running")).scalar_one()
    faults = check(club, Allowed(copies=2))
    if not running:
        faults.append("No game is running any more.")
    return Outcome(faults, {"plies": stage.plies(), **told(club.history)})
