from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.extensions import db
from pbem.inbound import receive
from pbem.mail import outbox
from pbem.store.models import Inbound, Letter
from tests.factories import START, GameFactory

if TYPE_CHECKING:
    from flask import Flask

SENDERS = 8


def test_eight_senders_share_the_outbox_without_a_double(pg_app: Flask) -> None:
    """On PostgreSQL senders that claim at the same time never hold the same letter, and leave none behind."""
    with pg_app.app_context():
        for _ in range(12):
            GameFactory(people=2, bots=("random",))
        due = set(db.session.execute(select(Letter.id).where(Letter.state == "pending")).scalars())
        db.session.commit()
    claimed: list[int] = []
    begin = threading.Barrier(SENDERS)

    def send(name: str) -> None:
        with pg_app.app_context():
            begin.wait()
            while found := outbox.claim(db.session(), START, 1, name):
                db.session.commit()
                claimed.extend(one.number for one in found)
            db.session.remove()

    threads = [threading.Thread(target=send, args=(f"sender-{number}",)) for number in range(SENDERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(due) >= 10
    assert sorted(claimed) == sorted(due)


def test_one_mail_at_four_doors_is_kept_once(pg_app: Flask) -> None:
    """The same mail that comes in at the same moment by several doors is one row."""
    begin = threading.Barrier(4)
    numbers: list[int | None] = []

    def take() -> None:
        with pg_app.app_context():
            begin.wait()
            raw = b"Message-ID: <same@x>\r\n\r\nra\r\n"
            numbers.append(receive.receive(db.session(), raw, "play.x@club.example", START))
            db.session.commit()
            db.session.remove()

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with pg_app.app_context():
        rows = db.session.execute(select(Inbound.id)).scalars().all()

    assert len(rows) == 1
    assert [number for number in numbers if number is not None] == rows
