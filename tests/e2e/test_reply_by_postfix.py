from __future__ import annotations

import smtplib
import subprocess
from contextlib import contextmanager
from email.message import EmailMessage
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select

from pbem import clock, smtpd
from pbem.capabilities.tokens import tokens
from pbem.extensions import db, settings
from pbem.extensions import mail as mailman
from pbem.inbound import working
from pbem.letters import delivery
from pbem.letters.delivery import DeliveryWorker
from pbem.mail import imap
from pbem.play.deadlines import delivery_clock
from pbem.play.seats import opening
from pbem.play.turns.advance import advance
from pbem.store.models import Game, Inbound, Letter, Player, StoredOrder, StoredPly
from tests.conftest import make_app, set_up, settings_in
from tests.factories import PlayerFactory
from tests.servers import until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask

    from tests.mail_servers import Dovecot, Mail, Postfix, Sink

PEOPLE = ("anna@players.example", "bruno@players.example", "chloe@players.example")


def mail_app(folder: Path, postfix: Postfix, domain: str) -> Flask:
    """An app that sends through Postfix and whose reply addresses are in `domain`."""
    app = make_app(settings_in(folder, SMTP_URL=f"smtp://127.0.0.1:{postfix.port}", MAIL_DOMAIN=domain))
    set_up(app)
    return app


def open_game() -> Game:
    """A game of Amun-Re of three people who have accepted."""
    session = db.session()
    people = [PlayerFactory(address=address) for address in PEOPLE]
    seats = tuple(opening.SeatPlan(player_id=player.id, seated=True) for player in people)
    game = opening.open_game(
        session,
        clock.now(),
        opening.GamePlan(game="amunre", seats=seats, title="Nile 3", seed="round", organiser_id=people[0].id),
    )
    session.commit()
    advance(session, clock.now(), game.id)
    session.commit()
    return game


@contextmanager
def sender() -> Iterator[DeliveryWorker]:
    """The app's own way out; its connection is closed in the end."""
    carrier = delivery.delivery_worker("test", settings(), tokens(), mailman.get_connection())
    yield carrier
    carrier.transport.close()


def reply(postfix: Postfix, letter: Mail, text: str) -> None:
    """Answer a letter as a mail program does: on top, the letter quoted below, to its Reply-To."""
    answered = letter.parsed
    body = answered.get_body(("plain",))
    assert body is not None
    answer = EmailMessage()
    answer["From"] = letter.recipients[0]
    answer["To"] = answered["Reply-To"]
    answer["Subject"] = f"Re: {answered['Subject']}"
    answer["In-Reply-To"] = answered["Message-ID"]
    answer["Message-ID"] = f"<re-{answered['Message-ID'][1:]}"
    quoted = "\n".join(f"> {line}" for line in body.get_content().splitlines())
    answer.set_content(f"{text}\n\nOn Mon, 2 Mar 2026, Nile Club wrote:\n{quoted}\n")
    with smtplib.SMTP("127.0.0.1", postfix.port) as server:
        server.send_message(answer)


def order_in(letter: Mail) -> str:
    """The order a letter offers: the first one-tap answer, or its example."""
    body = letter.parsed.get_body(("plain",))
    assert body is not None
    text = str(body.get_content())
    if "one of these lines:" in text:
        return text.partition("one of these lines:")[2].strip().splitlines()[0].strip()
    return " ".join(text.partition("such as: “")[2].partition("”")[0].split())


@pytest.fixture
def app(tmp_path: Path, postfix: Postfix, smtp_sink: Sink) -> Iterator[Flask]:
    """The app behind Postfix, its LMTP door open."""
    app = mail_app(tmp_path, postfix, postfix.lmtp_domain)
    door = smtpd.listen(app, "127.0.0.1", postfix.lmtp_port, lmtp=True)
    assert smtp_sink.mails == []
    with app.app_context():
        yield app
        db.session.remove()
        db.engine.dispose()
    door.stop()


def deliver(carrier: DeliveryWorker) -> int:
    """Everything that is due leaves; how many letters that were."""
    while carrier.deliver_one(db.session(), clock.now()):
        pass
    sent = db.session.execute(select(func.count()).where(Letter.state == "sent")).scalar_one()
    db.session.commit()
    return sent


def work_mail(game: Game, count: int) -> None:
    """Wait until `count` mails have come in, work them, and carry the game on."""
    session = db.session()

    def is_in() -> bool:
        there = session.execute(select(func.count()).select_from(Inbound)).scalar_one()
        session.rollback()  # an open transaction would keep the door from writing
        return there >= count

    session.rollback()
    until(is_in, f"{count} mails come in through the door")
    working.work_through(session, clock.now(), delivery.addresses_of(settings()), 100)
    advance(session, clock.now(), game.id)
    session.commit()


def play_a_round(postfix: Postfix, sink: Sink, game: Game, carrier: DeliveryWorker) -> int:
    """Answer every question that arrives until the second round begins; how many replies that took."""
    answered = replies = 0
    for _ in range(60):
        letters = sink.wait(deliver(carrier))
        questions = [mail for mail in letters[answered:] if "your_turn" in mail.parsed["Feedback-ID"]]
        answered = len(letters)
        db.session.refresh(game)
        if _round(game) == 2:
            return replies
        for letter in questions:
            reply(postfix, letter, order_in(letter))
        replies += len(questions)
        work_mail(game, replies)
    raise AssertionError(replies)


@pytest.mark.needs_root
@pytest.mark.usefixtures("app")
def test_a_whole_round_of_amunre_is_played_by_reply(postfix: Postfix, smtp_sink: Sink) -> None:
    """Letters go out through Postfix, players reply, Postfix hands the replies to our LMTP door: one round, no page."""
    game = open_game()
    with sender() as carrier:
        replies = play_a_round(postfix, smtp_sink, game, carrier)
    orders = db.session.execute(select(StoredOrder.source, StoredOrder.kind)).all()
    kinds = set(db.session.execute(select(Letter.kind).where(Letter.state == "sent")).scalars())

    assert _round(game) == 2
    assert len(orders) == replies
    assert set(orders) == {("mail", "order")}
    assert {"your_turn", "receipt"} <= kinds
    assert {mail.recipients[0] for mail in smtp_sink.mails} == set(PEOPLE)


def _round(game: Game) -> int:
    """The round of the old kingdom that the game is in."""
    key = db.session.execute(
        select(StoredPly.round).where(StoredPly.game_id == game.id, StoredPly.ply == game.ply)
    ).scalar_one()
    return int("".join(filter(str.isdigit, key))[-1])


@pytest.mark.needs_root
@pytest.mark.usefixtures("app")
def test_a_refusal_further_on_comes_back_as_a_bounce(smtp_sink: Sink) -> None:
    """Postfix's own non-delivery report to the letter's bounce address marks the player and rests the clock."""
    game = open_game()
    before = game.due_at
    smtp_sink.refusal = "550 5.1.1 No such user"
    with sender() as carrier:
        deliver(carrier)
    work_mail(game, 1)
    db.session.refresh(game)
    player = db.session.execute(select(Player).join(Letter).where(Letter.kind == "your_turn")).scalar_one()
    report = db.session.execute(select(Inbound.sender, Inbound.kind)).one()

    assert tuple(report) == ("", "bounce")
    assert player.address_state == "bounced"
    assert before is not None
    assert game.due_at is not None
    assert game.due_at - before >= delivery_clock.MOST_STILL


@pytest.mark.needs_root
@pytest.mark.usefixtures("app")
def test_the_door_refuses_what_is_not_ours(postfix: Postfix) -> None:
    """An address without a token is refused at RCPT, in words, before any text is sent; swaks sees it."""
    command = ("swaks", "--protocol", "LMTP", "--server", "127.0.0.1", "--port", str(postfix.lmtp_port))
    done = subprocess.run(
        (*command, "--to", f"play@{postfix.lmtp_domain}", "--from", PEOPLE[0]),
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode != 0
    assert "550 5.1.1" in done.stdout + done.stderr
    assert db.session.execute(select(func.count()).select_from(Inbound)).scalar_one() == 0


@pytest.mark.needs_root
def test_mail_is_fetched_by_imap(tmp_path: Path, postfix: Postfix, smtp_sink: Sink, dovecot: Dovecot) -> None:
    """A reply that Postfix puts into Dovecot's mailbox is fetched once, played, and not fetched again."""
    app = mail_app(tmp_path, postfix, postfix.box_domain)
    url = f"imap://{dovecot.user}:{dovecot.password}@127.0.0.1:{dovecot.port}/INBOX"
    with app.app_context():
        game = open_game()
        with sender() as carrier:
            letter = smtp_sink.wait(deliver(carrier))[0]
        reply(postfix, letter, order_in(letter))
        keep = smtpd.keeper(app)
        addresses = delivery.addresses_of(settings())
        until(lambda: imap.fetch(url, addresses, keep), "the reply lies in the mailbox")
        again = imap.fetch(url, addresses, keep)
        work_mail(game, 1)
        stored = db.session.execute(select(StoredOrder.source, StoredOrder.kind)).one()
        db.session.remove()
        db.engine.dispose()

    assert again == 0
    assert tuple(stored) == ("mail", "order")
