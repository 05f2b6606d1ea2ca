from __future__ import annotations

import re
import sqlite3
from typing import TYPE_CHECKING

import pytest

from pbem.capabilities import api_keys
from pbem.capabilities.tokens import Tokens
from pbem.extensions import settings
from pbem.letters import context, delivery, writer
from pbem.mail.address import Addresses
from pbem.play.orders import standing_orders
from pbem.play.orders.submission import Submission, submit
from pbem.play.seats import notes, talk
from pbem.store.models import Letter
from tests import factories
from tests.factories import START
from tests.security.scenes import Stage
from tests.web.conftest import Browser

if TYPE_CHECKING:
    from collections.abc import Callable

    from werkzeug.test import TestResponse

    from tests.web.conftest import Table

UNLIKE = re.compile(r'name="(?:csrf_token|request)" value="[^"]*"')
"""What is drawn anew for each loading."""
LONGEST = 60
"""Decisions until the first offering, and more."""


def shown(page: TestResponse) -> str:
    """A page without that."""
    assert page.status_code == 200
    return UNLIKE.sub("", page.text)


@pytest.fixture
def offering(set_table: Callable[..., Table]) -> Table:
    """Amun-Re at a moment when Alice and Bob are both asked in secret."""
    table = set_table(game="amunre", people=2, bots=("cautious",), seed="nile")
    session = table.db.session()
    for _ in range(LONGEST):
        asked = factories.asked(session, table.game)
        if all(decision.secret for decision in asked) and len(asked) == 2:
            return table
        table.go_on()
    raise AssertionError(asked)


@pytest.mark.parametrize("pick", [0, 1])
def test_nobody_learns_who_has_answered_a_secret_question_or_how(offering: Table, pick: int) -> None:
    """Bob's pages, the spectators', the organiser's and the queue are the same, byte for byte, before and after."""
    alice, bob = offering.alice, offering.bob
    offering.game.organiser_id = bob.player_id
    offering.db.session.commit()
    bob.opened()
    bob.at_home()
    stranger = Browser(offering.app.test_client())
    seat, slug = f"/seat/{bob.seat_id}", offering.game.slug
    own = [f"{seat}{tail}" for tail in ("", "/decide", "/score", "/standing", "/settings")]
    own += [f"/organise/{slug}", "/queue"]
    public = [f"/games/{slug}", f"/games/{slug}/score", "/"]
    before = [shown(bob.browser.get(path)) for path in own] + [shown(stranger.get(path)) for path in public]
    order = offering.order(pick)

    answer = alice.opened().send(
        f"/seat/{alice.seat_id}/decide", act="send", ply=offering.game.ply + 1, text=order, seen=order
    )

    assert answer.status_code == 303
    after = [shown(bob.browser.get(path)) for path in own] + [shown(stranger.get(path)) for path in public]
    assert after == before
    assert f'<code class="order">{order}</code>' in alice.browser.get(f"/seat/{alice.seat_id}/decide").text


def test_a_standing_order_shows_to_nobody_else(table: Table) -> None:
    """Bob's, the spectators' and the organiser's pages are the same whether Alice has standing orders or not."""
    alice, bob = table.alice, table.bob
    bob.opened()
    seat, slug = f"/seat/{bob.seat_id}", table.game.slug
    paths = [seat, f"{seat}/score", f"{seat}/standing", f"{seat}/talk", f"{seat}/settings", f"/games/{slug}"]
    before = [shown(bob.browser.get(path)) for path in paths]

    alice.opened().send(f"/seat/{alice.seat_id}/standing", act="store", text="until changed\nask me")

    assert "ask me</pre>" in alice.browser.get(f"/seat/{alice.seat_id}/standing").text
    assert [shown(bob.browser.get(path)) for path in paths] == before


def in_secret(table: Table, order: str) -> None:
    """Do all that Alice can do without anybody's knowing: each writes rows, and her mail's answer a letter."""
    session, seat_id, ply = table.db.session(), table.alice.seat_id, table.game.ply + 1
    for draft in (True, False):
        asked = Submission(seat_id=seat_id, ply=ply, text=order, source="mail", draft=draft)
        assert submit(session, START, asked).accepted
    assert not standing_orders.store(session, START, seat_id, "until changed\nask me").faults
    notes.keep(session, START, seat_id, "mine")
    talk.say(session, START, seat_id, "to one alone", to_seat=2)
    session.commit()


def shown_to_bob(table: Table, order: str, key: str) -> dict[str, str]:
    """What Bob sees once he has acted himself and is written to: his pages and calls, and his newest letter."""
    session, bob, path = table.db.session(), table.bob, f"/seat/{table.bob.seat_id}"
    fields = {"ply": table.game.ply + 1, "text": order, "seen": order}
    assert bob.browser.send(f"{path}/decide", fields, act="send").status_code == 303
    assert bob.browser.send(f"{path}/standing", act="store", text="until changed\nask me").status_code == 303
    assert bob.browser.send(f"{path}/talk", text="Hello").status_code == 303
    talk.say(session, START, table.alice.seat_id, "Hello all")
    session.commit()
    found = {}
    for rule in table.app.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and rule.arguments == {"seat_id"}:
            _, address = rule.build({"seat_id": bob.seat_id}) or ("", "")
            answer = bob.browser.client.get(address, headers={"Authorization": f"Bearer {key}"})
            found[address] = f"{answer.status_code} {UNLIKE.sub('', answer.text)}"
    letter = session.query(Letter).filter_by(kind="talk", player_id=bob.player_id).one()
    letter.message_id = "0" * 32  # chance, which nobody compares
    data = context.context(session, START, letter)
    assert data is not None
    mail = writer.compose_mail(data, delivery.mail_context(settings(), table.tokens), START)
    session.rollback()
    return found | {"mail": f"{mail.return_path} {mail.raw!r}"}


def test_what_somebody_does_in_secret_shows_in_no_number(offering: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bob acts after Alice did, and without her: byte for byte he sees the same, but for numbers that are veiled."""
    monkeypatch.setattr(Tokens, "number", lambda *_: 1)
    monkeypatch.setattr(Addresses, "bounce", lambda *_: "bounce@club.example")
    table, kept = offering, sqlite3.connect(":memory:")
    session, engine = table.db.session(), table.db.engine
    alices, bobs = (factories.some_order(session, table.game, guest.seat, 1) for guest in (table.alice, table.bob))
    key = api_keys.issue_for_person(session, START, table.bob.player_id, "script")
    session.commit()
    table.bob.opened()
    Stage.copy(engine.raw_connection, lambda: kept)
    without = shown_to_bob(table, bobs, key)
    Stage.copy(lambda: kept, engine.raw_connection)
    session.expire_all()
    in_secret(table, alices)

    after = shown_to_bob(table, bobs, key)

    assert {where for where, text in without.items() if text != after[where]} == set()
    assert sum(text.startswith("200") for text in without.values()) > 15
