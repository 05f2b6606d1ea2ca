"""Faults of mail on its way in: doubled, overtaken, interrupted, thousands of bounces, answering machines; and all."""

from __future__ import annotations

import itertools
import random
import signal
import smtplib
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from typing import TYPE_CHECKING

from sqlalchemy import select

from benchmarks.faults.checker import Allowed, check, told
from benchmarks.faults.fault import Outcome
from benchmarks.faults.players import Club
from benchmarks.faults.targets import crash, patiently, revive
from pbem import clock
from pbem.extensions import db, settings
from pbem.inbound import working
from pbem.letters import delivery
from pbem.play.deadlines import delivery_clock
from pbem.store.models import Game, Inbound, Letter, Player, Seat, StoredOrder
from tests.servers import LOOPBACK

if TYPE_CHECKING:
    from benchmarks.faults.players import Question
    from benchmarks.faults.stage import Stage

STEPS = (
    "smtpd-before-keep",
    "smtpd-after-keep",
    "smtpd-before-enqueue",
    "worker-before-work",
    "worker-after-work",
    "worker-before-enqueue",
)
"""Before and after each step from the mail server's DATA to the message for the game."""
BOUNCES, WITHIN = 10_000, 600.0
"""So many reports, in so many seconds."""
SOME = 20
"""So many where no speed is judged."""
PLY_TAKES = 10.0
"""Seconds a ply of people who answer at once may take on average while those come."""


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


def hand_in(stage: Stage, raw: bytes, to: str, sender: str = "somebody@people.example") -> None:
    """What a mail server does with one mail: it tries until the door says that it is kept."""

    def is_taken() -> bool:
        stage.supervise()
        try:
            with smtplib.SMTP(LOOPBACK, stage.mail_port, timeout=30) as door:
                door.sendmail(sender, [to], raw)
        except OSError:  # smtplib's own errors are of this kind
            return False
        return True

    patiently(is_taken, "the door takes a mail")


def worked(stage: Stage) -> bool:
    """Whether every mail is worked; the sweep is sent for."""
    stage.sweep("read_mail", "sweep_games")
    return stage.count(Inbound, Inbound.state == "new") == 0


def mail_in(stage: Stage, rounds: int) -> Outcome:
    """F20: one mail three times, an older one after a newer, the importer killed at each step, bounces, a mail loop."""
    stage.cast("worker", "mailer", "web", "smtpd")
    club, faults = Club(stage), []
    club.open(2)
    for number in range(rounds):
        faults += _three_times(stage, club, number)
        faults += _overtaken(stage, club, number)
        for step in STEPS if rounds > 1 else STEPS[1::3]:
            faults += _killed_at(stage, club, number, step)
    faults += _machine(stage, club, 12)
    bounces = BOUNCES if rounds > 1 else SOME
    seconds, found = _bounces(stage, club, bounces)
    stage.settle()
    faults += found + check(club, Allowed(copies=2))
    return Outcome(faults, {"bounces": bounces, "bounces_s": round(seconds, 1), **told(club.history)})


def _orders(stage: Stage, one: Question) -> list[str]:
    """What a seat's orders for its question were, oldest first."""
    with stage.app.app_context():
        query = select(StoredOrder.kind).where(
            StoredOrder.game_id == one.game_id, StoredOrder.seat == one.seat, StoredOrder.ply == one.ply
        )
        return list(db.session.execute(query.order_by(StoredOrder.id)).scalars())


def _three_times(stage: Stage, club: Club, number: int) -> list[str]:
    one = club.asked()
    raw, to = reply(stage, one, one.order, f"thrice-{number}")
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda _: hand_in(stage, raw, to), range(3)))
    stage.recover(lambda: worked(stage), "the mail is worked")
    kept = stage.count(Inbound, Inbound.message_id.contains(f"thrice-{number}@"))
    if kept != 1 or _orders(stage, one) != ["order"]:
        return [f"I1 a mail that came three times was kept {kept} times and made the orders {_orders(stage, one)}."]
    return []


def _overtaken(stage: Stage, club: Club, number: int) -> list[str]:
    one = club.asked()
    newer, to = reply(stage, one, one.order, f"newer-{number}")
    older, _ = reply(stage, one, "cancel", f"older-{number}", hours=3)
    for mail in (newer, older):
        hand_in(stage, mail, to)
        stage.recover(lambda: worked(stage), "the mail is worked")
    taken = [kind for kind in _orders(stage, one) if kind in {"order", "withdraw"}]
    return [] if taken == ["order"] else [f"I1 an older mail changed a newer order: {taken}."]


def _killed_at(stage: Stage, club: Club, number: int, step: str) -> list[str]:
    """The door or the importer is killed; after the try's waiting time the mail is worked, once."""
    one = club.asked()
    raw, to = reply(stage, one, one.order, f"{step}-{number}")
    stage.arm(step)
    hand_in(stage, raw, to)
    patiently(lambda: worked(stage) or stage.has_struck(step), f"a process is killed at {step}")
    stage.move(working.WAIT.total_seconds() + 1)
    stage.recover(lambda: worked(stage), "the mail is worked after all")
    made = [kind for kind in _orders(stage, one) if kind == "order"]
    found = [] if stage.has_struck(step) else [f"Nobody was killed at {step}."]
    return found + ([] if len(made) == 1 else [f"I1 killed at {step}, a mail made {len(made)} orders."])


def _machine(stage: Stage, club: Club, mails: int) -> list[str]:
    """Something answers every letter with a mail: our answers come to rest, and those that say so get none.

    If an earlier round has answered the same person ten times that day, there may be none at all.
    """
    one = club.asked()
    before = _answers(stage, one)
    for number in range(mails):
        raw, to = reply(stage, one, "help", f"machine-{number}")
        hand_in(stage, raw, to)
        automatic = raw.replace(b"Subject:", b"Auto-Submitted: auto-replied\nSubject:").replace(b"<machine", b"<auto")
        hand_in(stage, automatic, to)
    stage.recover(lambda: worked(stage), "the mails are worked")
    after = _answers(stage, one)
    if after and after - before <= 10:
        return []
    return [f"{2 * mails} mails of a machine got {after - before} answers, after {before} before."]


def _answers(stage: Stage, one: Question) -> int:
    """The answers to mails that the person of a seat has got so far."""
    person = select(Seat.player_id).where(Seat.id == one.seat_id).scalar_subquery()
    return stage.count(Letter, Letter.mail_id.is_not(None), Letter.state != "dropped", Letter.player_id == person)


def _bounces(stage: Stage, club: Club, count: int) -> tuple[float, list[str]]:
    """So many non-delivery reports for one letter while others play; the seconds until all are worked."""
    (victim,) = club.open(1)
    club.games.remove(victim)
    stage.settle()
    with stage.app.app_context():
        query = select(Letter.id, Letter.player_id).where(Letter.game_id == victim, Letter.kind == "your_turn")
        number, player_id = db.session.execute(query).one()
        to = str(delivery.addresses_of(settings()).bounce(number))
    alerts = stage.count(Letter, Letter.kind == "organiser_alert")
    start, since = time.monotonic(), clock.now()
    plies = stage.plies()
    numbers = itertools.count()
    with club.playing(), ThreadPoolExecutor(4) as pool:

        def is_played_meanwhile() -> bool:
            some = itertools.islice(numbers, count)
            list(pool.map(lambda number: hand_in(stage, _report(to, number), to, sender=""), some))
            return stage.plies() > plies

        patiently(is_played_meanwhile, "others play while bounces come")
        patiently(lambda: worked(stage), "the bounces are worked")
    seconds = time.monotonic() - start
    with stage.app.app_context():
        state = db.session.get_one(Player, player_id).address_state
        due = db.session.get_one(Game, victim).due_at
    found, plies = [], stage.plies() - plies
    if count == BOUNCES:
        found += [] if plies * PLY_TAKES >= seconds else [f"Only {plies} plies in {seconds:.0f} s of bounces."]
        found += [] if seconds <= WITHIN else [f"{count} bounces took {seconds:.0f} s."]
    if state != "bounced" or due is None or due < since + delivery_clock.MOST_STILL:
        found.append(f"After {count} bounces the address is {state}, and the deadline {due}.")
    alerts = stage.count(Letter, Letter.kind == "organiser_alert") - alerts
    return seconds, found + ([f"I3 {count} bounces made {alerts} alerts."] if alerts > 1 else [])


def _report(to: str, number: int) -> bytes:
    """A delivery status notification (RFC 3464): there is no such address."""
    lines = (
        "From: mailer-daemon@relay.example",
        f"To: {to}",
        f"Message-ID: <dsn-{number}@relay.example>",
        "Subject: Undelivered",
        "MIME-Version: 1.0",
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
        "",
        "--b",
        "Content-Type: text/plain",
        "",
        "Your mail could not be delivered.",
        "--b",
        "Content-Type: message/delivery-status",
        "",
        "Reporting-MTA: dns; relay.example",
        "",
        "Final-Recipient: rfc822; somebody@people.example",
        "Action: failed",
        "Status: 5.1.1",
        "",
        "--b--",
        "",
    )
    return "\r\n".join(lines).encode()


def _all_dead(stage: Stage) -> None:
    stage.stop()
    stage.broker.strike(signal.SIGKILL)
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
            stage.recover(lambda goal=goal: stage.plies() >= goal, "people play")  # type: ignore[misc]  # bound now
            _all_dead(stage)
            stage.broker.start()
            revive(stage.database)
            with stage.app.app_context():
                db.engine.dispose()
            stage.cast("worker", "mailer", "web", "beat")
    stage.settle()
    faults = check(club, Allowed(copies=2))
    if not club.running():
        faults.append("No game is running any more.")
    return Outcome(faults, {"plies": stage.plies(), **told(club.history)})
