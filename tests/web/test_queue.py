"""The queue page: what a person's keys open, and what of their mails couldn't be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem import clock
from pbem.extensions import db
from pbem.store.tables import Inbound

if TYPE_CHECKING:
    from tests.web.conftest import Table


def test_a_mail_that_held_no_order_stands_on_its_writers_queue(table: Table) -> None:
    """Alice's mail without an order is shown to her, be it by her seat's link or her own, and not to Bob."""
    alice, bob = table.alice, table.bob
    row = Inbound(
        message_id="<1@y>",
        recipient="play.token@play.example.org",
        source="smtp",
        raw=b"From: alice@example.org\r\n\r\nWhat a fine temple.\r\n\r\n> bid 6 on Memphis\r\n",
        state="done",
        kind="unread",
        seat_id=alice.seat_id,
        player_id=alice.player_id,
        note="",
        next_try_at=clock.now(),
        received_at=clock.now(),
    )
    db.session.add(row)
    db.session.commit()

    by_seat, by_person = alice.opened().get("/queue").text, alice.at_home().get("/queue").text

    assert "What a fine temple." in by_seat
    assert "What a fine temple." in by_person
    assert "bid 6 on Memphis" not in by_seat + by_person
    assert "What a fine temple." not in bob.opened().get("/queue").text
