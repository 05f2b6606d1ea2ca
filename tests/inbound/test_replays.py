"""A mail that somebody sends again under other Message-IDs, soon or much later, does nothing that it didn't do once."""

from __future__ import annotations

from datetime import timedelta
from email.utils import format_datetime
from typing import TYPE_CHECKING, Any, get_args

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import OperationalError

from pbem.extensions import db
from pbem.inbound import receive, seat_mail, working
from pbem.mail.address import Address, BounceAddress, LessonAddress, PlayerAddress, SeatAddress
from pbem.play import lesson_letters
from pbem.play.orders import standing_orders, submission
from pbem.play.orders.submission import Submission
from pbem.store.models import Absence, Game, Inbound, Letter, Player, StoredOrder, StoredStandingOrders, Talk
from pbem.store.queries import common
from tests.factories import START, GameFactory, answer, asked, seat_of
from tests.inbound.test_receive import ADDRESSES, address, mail

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask
    from sqlalchemy.orm import Session

    from pbem.store.models import Seat

TIMES = seat_mail.ANSWERS.most
"""With the first mail one more than a day has answers."""
HOUR = timedelta(hours=1)


class Scene:
    """A seat that is asked to draw or call, and what its mails and its holder have brought about."""

    def __init__(self, session: Session) -> None:
        """Open the game."""
        self.session, self.now, self.number = session, START, 0
        self.game: Game = GameFactory(seed="one question")
        session.refresh(self.game)
        self.seat: Seat = seat_of(session, self.game, asked(session, self.game)[0].seat)
        self.to = address(self.game, self.seat)

    def send(self, text: str, written: timedelta = timedelta()) -> None:
        """One mail of the holder's, written so long after the start."""
        self.number += 1
        raw = mail(text, self.number, Date=format_datetime(START + written))
        receive.receive(self.session, raw, self.to, self.now, sender="anna@example.org")
        self.session.commit()
        working.work_through(self.session, self.now, ADDRESSES, 10)

    def send_again(self, text: str) -> None:
        """The first mail again and again, each time under a new Message-ID."""
        for _ in range(TIMES):
            self.send(text)

    def effect(self) -> object:
        """All that a mail can bring about, but its answers and the texts as they came."""
        self.session.expire_all()
        decisions = [
            (row.seat, row.ply, row.order_id and self.session.get_one(StoredOrder, row.order_id).canonical)
            for row in common.decisions_of(self.session, self.game)
        ]
        standing = self.session.scalars(
            select(StoredStandingOrders.text).where(StoredStandingOrders.ended_at.is_(None))
        ).all()
        said = self.session.scalars(select(Talk.text)).all()
        away = [(row.starts, row.ends) for row in self.session.scalars(select(Absence))]
        until = self.session.get_one(Player, self.seat.player_id).away_until
        return self.game.ply, decisions, standing, said, away, until

    def answers(self) -> list[Letter]:
        """What went out in answer."""
        query = select(Letter).where(Letter.mail_id.is_not(None), Letter.state != "dropped").order_by(Letter.id)
        return list(self.session.scalars(query))


@pytest.fixture
def scene(session: Session) -> Scene:
    """The scene at the game's beginning."""
    return Scene(session)


def take_back_by_mail(scene: Scene) -> None:
    """Another mail, written later."""
    scene.send("cancel", HOUR)


def take_back_on_the_page(scene: Scene) -> None:
    """The button."""
    given = Submission(seat_id=scene.seat.id, ply=scene.game.ply + 1)
    assert submission.withdraw(scene.session, scene.now, given).accepted
    scene.session.commit()


def answer_by_mail(scene: Scene) -> None:
    """Another order."""
    scene.send("draw", HOUR)


def answer_on_the_page(scene: Scene) -> None:
    """Another order, by the page."""
    given = Submission(seat_id=scene.seat.id, ply=scene.game.ply + 1, text="draw")
    assert submission.submit(scene.session, scene.now, given).accepted
    scene.session.commit()


def end_standing_orders(scene: Scene) -> None:
    """What the page ends."""
    (one,) = standing_orders.listed(scene.session, scene.seat.id)
    standing_orders.end(scene.session, scene.now, one.id, scene.seat.id)
    scene.session.commit()


def play_on(scene: Scene) -> None:
    """The game goes on to the next questions."""
    for row in asked(scene.session, scene.game):
        answer(scene.session, START, scene.game, row.seat)
    scene.session.commit()


def nothing(_scene: Scene) -> None:
    """Nobody does anything in between."""


MAILS: dict[str, tuple[str, tuple[Callable[[Scene], None], ...]]] = {
    "order": (
        "ra",
        (nothing, take_back_by_mail, take_back_on_the_page, answer_by_mail, answer_on_the_page, play_on),
    ),
    "cancel": ("cancel", (nothing, answer_by_mail, answer_on_the_page)),
    "standing": ("standing:\nwhen my_suns >= 1: draw", (nothing, end_standing_orders)),
    "absence": ("absence: 4 March to 6 March", (nothing,)),
    "absence from now on": ("absence: until 6 March", (nothing,)),
    "talk": ("talk: hello", (nothing,)),
    "help": ("help", (nothing,)),
    "status": ("status", (nothing,)),
    "orders": ("orders", (nothing,)),
}
"""What a mail can ask for, and what may have been decided before it comes again."""


def test_every_kind_of_mail_comes_again() -> None:
    """A new command says here what its replay must not do."""
    assert set(MAILS) == {"order", "absence from now on", *seat_mail._COMMANDS}


@pytest.mark.parametrize(
    ("text", "meanwhile"),
    [(text, one) for text, all_of_them in MAILS.values() for one in all_of_them],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_a_mail_sent_again_does_nothing_more(scene: Scene, text: str, meanwhile: Callable[[Scene], None]) -> None:
    """Ten times, at once and after something else was decided: as if it had come once, and ten answers at most."""
    if text == "cancel":
        scene.send("ra", -HOUR)
    scene.send(text)
    scene.now += 2 * HOUR
    meanwhile(scene)
    before = scene.effect()

    scene.send_again(text)

    assert scene.effect() == before
    assert len({letter.mail_id for letter in scene.answers()}) <= seat_mail.ANSWERS.most
    assert {row.state for row in scene.session.scalars(select(Inbound))} == {"done"}


def test_a_seats_old_address_leaves_half_of_a_days_answers(scene: Scene) -> None:
    """Whoever had it once, and writes as who holds the seat, can't take all: the present address is answered yet."""
    scene.seat.epoch += 1
    scene.session.commit()
    scene.send_again("ra")
    assert len(scene.answers()) == TIMES // 2

    scene.to = address(scene.game, scene.seat)
    scene.send("ra")

    assert len(scene.answers()) == TIMES // 2 + 1
    assert "'ra'" in str(scene.effect())


def test_mails_of_one_person_are_answered_one_after_another(pg_app: Flask) -> None:
    """Whichever address they come to: two workers at once would each count the same answers, and send an eleventh."""
    with pg_app.app_context():
        scene = Scene(db.session())
        reader = scene.session.get_one(Player, scene.seat.player_id)
        lesson_letters.lead_on(scene.session, scene.now, reader, scene.game.game, (), cause="first")
        scene.session.commit()
        lesson = scene.session.scalars(select(Letter.id).where(Letter.kind == "lesson")).one()
        doors = {
            SeatAddress: scene.to,
            PlayerAddress: ADDRESSES.player(reader.id, reader.epoch),
            LessonAddress: ADDRESSES.lesson(lesson, reader.epoch),
        }
        assert doors.keys() | {BounceAddress} == set(get_args(Address))
        found = {door: waiting(scene, to) for door, to in doors.items()}

    assert found == dict.fromkeys(doors, "while locking")


def waiting(scene: Scene, to: str) -> str:
    """What a mail to an address is about to do when somebody else's transaction holds its writer's row."""
    scene.number += 1
    receive.receive(scene.session, mail("help", scene.number), to, scene.now, sender="anna@example.org")
    scene.session.commit()
    row = scene.session.scalars(select(Inbound.id).order_by(Inbound.id.desc())).first()
    with db.engine.connect() as first:
        first.execute(select(Player.id).with_for_update(key_share=True))
        scene.session.execute(text("SET LOCAL lock_timeout = 20"))
        with pytest.raises(OperationalError) as late:
            working.work(scene.session, scene.now, ADDRESSES, row or 0)
    scene.session.rollback()
    fault: Any = late.value.orig
    return str(fault.diag.context).partition(" tuple")[0]


def test_who_decides_anew_is_heard(scene: Scene) -> None:
    """The guard doesn't hold up a mail written after everything else, though its clock be a minute slow."""
    scene.send("ra")
    scene.now += HOUR
    answer_on_the_page(scene)
    scene.send("ra", HOUR - timedelta(minutes=1))

    assert "'ra'" in str(scene.effect())


def test_a_mail_from_the_future_doesnt_silence_those_after_it(scene: Scene) -> None:
    """A clock years ahead counts as the time the mail came in."""
    scene.send("ra", timedelta(days=4000))
    scene.now += HOUR
    scene.send("draw", HOUR)

    assert "'draw'" in str(scene.effect())


@pytest.mark.parametrize("written", ["Mon, 02 Mar 2026 10:00:00 +99999999999999", "1 Jan 0001 00:00 +2359", "x", ""])
def test_an_odd_date_is_none(scene: Scene, written: str) -> None:
    """The order counts."""
    for number in range(2):
        receive.receive(scene.session, mail("ra", number, Date=written), scene.to, scene.now, sender="a@b.c")
        scene.session.commit()
        working.work_through(scene.session, scene.now, ADDRESSES, 10)

    assert {row.state for row in scene.session.scalars(select(Inbound))} == {"done"}
    assert "'ra'" in str(scene.effect())
