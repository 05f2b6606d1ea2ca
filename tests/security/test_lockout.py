"""What a thief of one letter can use up never keeps its owner from ending what the thief holds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from pbem.capabilities import codes, links
from pbem.capabilities.tokens import tokens
from pbem.clubs.account import address_change
from pbem.errors import NotAllowed, NotSeated, WrongInput
from pbem.extensions import settings
from pbem.inbound import receive, working
from pbem.letter_kinds import KINDS
from pbem.letter_queue import LetterQueue
from pbem.letters import delivery
from pbem.store.models import Absence, AddressChange, Inbound, Letter, Player
from tests.factories import START, PlayerFactory, hours, letters
from tests.security.test_doors import sent, text_of

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy.orm import Session

    from tests.web.conftest import Table

REFUSING = {name: kind.budget.most for name, kind in KINDS.items() if kind.budget is not None and kind.budget.refuses}
"""Kinds of letter whose button is refused beyond so many."""
MOST = max(REFUSING.values()) + 1


@pytest.fixture
def owner(session: Session) -> Player:
    """Somebody who has had every letter that anybody can make us send them."""
    player: Player = PlayerFactory()
    for kind in REFUSING:
        for number in range(MOST):
            post = LetterQueue(START)
            post.person(kind, player, f"thief:{kind}:{number}")
            try:
                post.send(session)
            except WrongInput:
                break
        else:
            raise AssertionError(kind)
    session.commit()
    return player


def test_links_are_renewed_and_addresses_changed_whatever_was_mailed_before(session: Session, owner: Player) -> None:
    """By the owner, by the yes of both addresses, and by the sweep, each with its letter."""
    before, epoch = len(letters(session, "fresh_link")), owner.epoch
    links.renew(session, START, owner.id)
    row = AddressChange(
        player_id=owner.id, epoch=owner.epoch, address="new@nile.example", asked_at=START, expires_at=START + hours(99),
        state="confirmed", takes_effect_at=START,
    )  # fmt: skip
    session.add(row)
    session.flush()
    assert address_change.sweep(session, START)
    session.commit()

    assert (owner.epoch, owner.address) == (epoch + 2, "new@nile.example")
    assert len(letters(session, "fresh_link")) == before + 2


def test_a_mail_is_done_whatever_was_mailed_before(session: Session, owner: Player) -> None:
    """An absence told to one's own address is noted, though no further link is mailed."""
    addresses = delivery.addresses_of(settings())
    raw = b"From: a@b.org\nMessage-ID: <1@b.org>\nSubject: x\n\nabsence: 4 March to 6 March\n"
    number = receive.receive(session, raw, addresses.player(owner.id, owner.epoch), START, sender="a@b.org")
    working.work_through(session, START, addresses, 5)

    assert session.get_one(Inbound, number).state == "done"
    assert session.query(Absence).filter_by(player_id=owner.id).count() == 1


def test_a_code_stays_good_when_no_further_one_is_mailed(session: Session) -> None:
    """Who asks for one too many uses the newest of those that came."""
    player: Player = PlayerFactory()
    for _ in range(KINDS["login_code"].budget.most):  # type: ignore[union-attr]  # it has one
        codes.send(session, START, player.id, "prove:browser")
    with pytest.raises(WrongInput):
        codes.send(session, START, player.id, "prove:browser")
    session.commit()
    newest = letters(session, "login_code")[-1].data["code"]
    codes.use(session, START, player.id, "prove:browser", newest)
    with pytest.raises(NotAllowed, match="too old or was used"):
        codes.use(session, START, player.id, "prove:browser", newest)


def test_a_code_is_good_for_the_browser_that_asked(table: Table) -> None:
    """A thief's browser neither uses the owner's number nor spoils it by guessing; the owner's own goes through."""
    path = f"/player/{table.alice.player_id}/account"
    thief, owner = (type(table.alice.browser)(table.app.test_client()) for _ in "ab")
    thief.get(table.alice.own_link)
    owner.get(table.alice.own_link)
    wish = {"act": "key", "name": "bot", "seat": "all"}
    owner.send(path, wish)
    code = letters(table.db.session(), "login_code")[-1].data["code"]
    stolen = [thief.send(path, wish, page=path, mailed_code=code).text for _ in range(7)]
    made = owner.send(path, wish, page=path, mailed_code=code)

    assert not any("pbem_" in page for page in stolen)
    assert "pbem_" in made.text


def test_each_letter_with_a_code_ends_the_links_of_who_asked_for_it(table: Table, tmp_path: Path) -> None:
    """The thief asks until no more are mailed; the owner needs no number to end it, and looking ends nothing."""
    path = f"/player/{table.alice.player_id}/account"
    session, thief = table.db.session(), table.app.test_client()
    for _ in range(MOST):  # each time as another browser
        thief = table.app.test_client()
        thief.get(table.alice.own_link)
        token = re.search(r'name="csrf_token" value="([^"]+)"', thief.get(path).text)
        assert token
        thief.post(path, data={"csrf_token": token[1], "act": "renew", "sure": "yes"})
    mails = [mail for mail in sent(table, tmp_path) if re.search(r"links/end", text_of(mail, "plain"))]
    assert len(mails) == KINDS["login_code"].budget.most  # type: ignore[union-attr]  # it has one
    found = re.search(r"http://club\.example(/links/end/\S+)", text_of(mails[0], "plain"))
    assert found
    owner = type(table.alice.browser)(table.app.test_client())
    owner.client.head(found[1])
    owner.send(found[1])
    assert thief.get(path).status_code == 200
    ended = owner.send(found[1], act="end")

    assert ended.status_code == 303
    assert thief.get(path).status_code == 404
    assert thief.get(table.alice.own_link).status_code == 404
    assert owner.get(found[1]).status_code == 404
    assert session.query(Letter).filter(Letter.cause.startswith("renewed:")).count() == 1


def test_a_link_that_ends_links_opens_nothing(table: Table) -> None:
    """Neither a page nor a seat nor an invitation: it is of its own purpose."""
    player = table.db.session.get_one(Player, table.alice.player_id)
    token = links.end_token(tokens(), player.id, player.epoch)
    with pytest.raises(NotSeated):
        links.open(table.db.session(), START, tokens(), token)
    client = table.app.test_client()
    for path in (f"/l/{token}", f"/invitation/{token}", f"/address/{token}", f"/learn/letters/{token}"):
        assert client.get(path).status_code == 404
    client.get(f"/links/end/{token}")
    assert table.charlie.browser.send(f"/links/end/{token}").status_code == 422
    assert client.get(f"/player/{player.id}/account").status_code == 404
