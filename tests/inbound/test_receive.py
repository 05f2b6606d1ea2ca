from __future__ import annotations

import itertools
import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any, get_args
from unittest.mock import Mock

import pytest
from sqlalchemy import String, delete, select

from pbem.clubs.account import personal_data
from pbem.inbound import receive, seat_mail, working
from pbem.letter_queue import LetterQueue
from pbem.letters import context as letters
from pbem.letters.writer import preview
from pbem.mail import incoming, reply
from pbem.mail.address import Address, Addresses
from pbem.mail.incoming import Unreadable
from pbem.play.deadlines import delivery_clock
from pbem.play.orders import standing_orders
from pbem.play.seats import substitutes, talk
from pbem.play.turns.advance import advance
from pbem.play.views import spectator
from pbem.store.models import (
    Absence,
    Delivery,
    Game,
    GameState,
    Inbound,
    Letter,
    Player,
    Seat,
    StoredOrder,
    StoredStandingOrders,
    Talk,
)
from pbem.store.queries import common
from tests.factories import START, GameFactory, PlayerFactory, answer, answer_all, asked, seat_of
from tests.letters.test_writer import HOUSE
from tests.mail import samples

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from tests.conftest import Clock

ADDRESSES = Addresses((("t1", "a secret for tests"),), "play.example.org")


def address(game: Game, seat: Seat, **other: int) -> str:
    """The Reply-To of the seat's present letter."""
    return ADDRESSES.seat(seat.id, other.get("ply", game.ply + 1), other.get("epoch", seat.epoch))


def mail(text: str, number: int = 1, sender: str = "", **heads: str) -> bytes:
    """A plain mail."""
    extra = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in heads.items())
    return f"From: {sender or 'x@y.example'}\r\nMessage-ID: <{number}@y>\r\n{extra}\r\n{text}\r\n".encode()


def come_in(session: Session, raw: bytes, to: str, sender: str | None = "anna@example.org") -> None:
    """Take in one mail and work it."""
    receive.receive(session, raw, to, START, sender=sender)
    session.commit()
    working.work_through(session, START, ADDRESSES, 10)


def inbound(session: Session) -> Inbound:
    """The mail that came in last."""
    return session.execute(select(Inbound).order_by(Inbound.id.desc()).limit(1)).scalar_one()


def answers(session: Session) -> list[Letter]:
    """Letters that answer mails, oldest first."""
    return list(session.execute(select(Letter).where(Letter.mail_id.is_not(None)).order_by(Letter.id)).scalars())


def words_of(session: Session, letter: Letter) -> str:
    """The text of a letter as its reader gets it."""
    context = letters.context(session, START, letter)
    assert context is not None
    return preview(context, HOUSE)[0].text


def owner(session: Session, seat: Seat) -> Player:
    """Who holds the seat."""
    return session.get_one(Player, seat.player_id)


def test_an_order_by_mail_is_played_and_answered(session: Session, game: Game, seat: Seat) -> None:
    """The order above the quote is stored for the ply asked, makes the game due, and gets a receipt."""
    come_in(session, mail("ra\n\nOn 1 March 2026 Nile Club wrote:\n> draw"), address(game, seat))
    stored = session.execute(select(StoredOrder).order_by(StoredOrder.id.desc()).limit(1)).scalar_one()

    assert (stored.canonical, stored.source, stored.ply, stored.kind) == ("ra", "mail", game.ply + 1, "order")
    assert game.wake_at == stored.created_at
    assert (inbound(session).state, inbound(session).kind) == ("done", "order")
    assert [letter.kind for letter in answers(session)] == ["receipt"]


def test_the_same_mail_three_times_is_one_order(session: Session, game: Game, seat: Seat) -> None:
    """A mail delivered again is known by its Message-ID: one order, one answer."""
    for _ in range(3):
        come_in(session, mail("ra"), address(game, seat))

    assert len(session.execute(select(StoredOrder).where(StoredOrder.source == "mail")).all()) == 1
    assert len(answers(session)) == 1


def test_working_a_mail_again_changes_nothing(session: Session, game: Game, seat: Seat) -> None:
    """An importer that died after its commit and is asked again does nothing more."""
    come_in(session, mail("ra"), address(game, seat))
    number = inbound(session).id

    working.work(session, START, ADDRESSES, number)
    assert len(answers(session)) == 1


def test_a_kept_mail_has_a_number_once(session: Session, game: Game, seat: Seat) -> None:
    """The door is told which it is, and that it was there already."""
    number = receive.receive(session, mail("ra"), address(game, seat), START)

    assert number == inbound(session).id
    assert receive.receive(session, mail("ra"), address(game, seat), START) is None


def test_an_address_without_end_is_kept_as_far_as_it_fits(session: Session) -> None:
    """A sender's and a recipient's own; what no database keeps is left out first."""
    receive.receive(session, mail("hello"), "\0" + "x" * 300, START, sender="<" + "y" * 300 + ">")
    kept = inbound(session)

    for text, column in ((kept.sender, Inbound.sender), (kept.recipient, Inbound.recipient)):
        assert isinstance(column.type, String)
        assert len(text) == column.type.length
    assert {*kept.sender, *kept.recipient} == {"x", "y"}


def test_each_try_of_a_mail_waits_longer_than_the_last(session: Session, game: Game, seat: Seat) -> None:
    """Counted one by one, so that a mail has all its tries, and the next reader comes once the first must be dead."""
    receive.receive(session, mail("ra"), address(game, seat), START)
    for tries in (1, 2):
        now = inbound(session).next_try_at
        assert working._take(session, now) == (inbound(session).id, tries)
        session.expire_all()
        assert (inbound(session).attempts, inbound(session).next_try_at) == (tries, now + working.WAIT * tries)


def test_a_mail_that_kills_its_reader_is_put_aside(session: Session, game: Game, seat: Seat) -> None:
    """After five tries that never came to an end a mail is set aside, and the others are read."""
    receive.receive(session, mail("ra"), address(game, seat), START)
    session.commit()
    now = START
    for _ in range(working.TRIES):
        assert working._take(session, now)[0] is not None
        session.commit()  # and here its reader dies
        now += timedelta(hours=1)

    working.work_through(session, now, ADDRESSES, 10)
    assert (inbound(session).state, inbound(session).kind) == ("failed", "unread")
    assert [letter.kind for letter in answers(session)] == ["refused"]
    assert session.execute(select(StoredOrder).where(StoredOrder.source == "mail")).all() == []


def test_each_step_of_a_mail_is_committed(
    session: Session, game: Game, seat: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its try before it is worked, what was done of it after, and that it is put aside before anybody is told."""
    receive.receive(session, mail("ra"), address(game, seat), START)
    session.commit()

    def left(now: datetime) -> tuple[str, int]:
        working.work_through(session, now, ADDRESSES, 1)
        session.rollback()
        row = inbound(session)
        return row.state, row.attempts

    with monkeypatch.context() as broken:
        broken.setattr(working, "work", Mock(side_effect=ArithmeticError))
        broken.setattr(working, "_refuse", Mock(side_effect=ArithmeticError))
        now = START
        for tries in range(1, working.TRIES + 1):
            assert left(now) == ("new", tries)
            now += timedelta(hours=1)
        assert left(now) == ("failed", working.TRIES + 1)
    receive.receive(session, mail("ra", 2), address(game, seat), START)
    session.commit()

    assert left(now) == ("done", 1)


def test_an_older_mail_doesnt_replace_a_newer_one(session: Session, game: Game, seat: Seat) -> None:
    """A mail written earlier that arrives later leaves the newer order in force, and says so."""
    come_in(session, mail("ra", 1, Date="Mon, 02 Mar 2026 11:00:00 +0000"), address(game, seat))
    come_in(session, mail("draw", 2, Date="Mon, 02 Mar 2026 10:00:00 +0000"), address(game, seat))
    decision = next(d for d in common.decisions_of(session, game) if d.seat == seat.seat)

    assert session.get_one(StoredOrder, decision.order_id).canonical == "ra"
    assert [letter.kind for letter in answers(session)] == ["receipt", "refused"]
    assert "written before" in answers(session)[1].data["faults"][0]["text"]


def test_what_others_decided_since_holds_no_mail_up(session: Session, game: Game, seat: Seat) -> None:
    """Neither another seat at the same table, nor the same seat at another one."""
    elsewhere = GameFactory()
    for game_id, number in ((game.id, 1 - seat.seat), (elsewhere.id, seat.seat)):
        given = {"text": "draw", "canonical": "draw", "source": "web", "created_at": START}
        session.add(StoredOrder(game_id=game_id, seat=number, ply=game.ply + 1, player_id=seat.player_id, **given))
    come_in(session, mail("ra", 1, Date="Mon, 02 Mar 2026 10:00:00 +0000"), address(game, seat))

    assert [letter.kind for letter in answers(session)] == ["receipt"]


def test_a_wrong_order_is_refused_with_every_fault(session: Session, game: Game, seat: Seat) -> None:
    """An order that can't be read is kept and answered with a refusal that holds the faults."""
    come_in(session, mail("draw seventeen elephants"), address(game, seat))
    letter = answers(session)[0]

    assert letter.kind == "refused"
    assert letter.data["faults"]
    assert (
        session.execute(select(StoredOrder.text).where(StoredOrder.kind == "refused")).scalar_one()
        == "draw seventeen elephants"
    )


def test_an_answer_to_an_old_letter_gets_todays_question(session: Session, game: Game, seat: Seat) -> None:
    """A reply to a ply that is over is stored as stale and answered kindly."""
    before = address(game, seat)
    answer(session, START, game, seat.seat, "draw")
    advance(session, START, game.id)
    session.commit()
    come_in(session, mail("ra"), before)

    assert [letter.kind for letter in answers(session)] == ["refused"]
    assert session.execute(select(StoredOrder.reason).where(StoredOrder.source == "mail")).scalar_one() == "StalePhase"


def test_a_mail_under_renewed_links_is_not_played(session: Session, game: Game, seat: Seat) -> None:
    """After the links were renewed the old reply address is worth nothing, but its owner is told."""
    come_in(session, mail("ra"), address(game, seat, epoch=seat.epoch + 1))

    assert session.execute(select(StoredOrder).where(StoredOrder.source == "mail")).all() == []
    assert [letter.kind for letter in answers(session)] == ["refused"]


@pytest.mark.parametrize("comes", [True, False])
def test_who_lost_a_seat_is_answered_and_nobody_else(
    session: Session, game: Game, seat: Seat, clock: Clock, *, comes: bool
) -> None:
    """To a letter of before: who holds it now reads neither their words nor their address, of a stranger nothing.

    Of a game that only its members watch they are shown no more than they knew.
    """
    gone, old, later = owner(session, seat), address(game, seat), clock.move(hours=1)
    game.watch_delay, knew = spectator.CLOSED, game.ply
    newcomer = PlayerFactory.create()
    if comes:
        substitutes.replace(session, later, game.id, seat.seat, newcomer.id, game.organiser_id or 0)
    else:
        substitutes.put_bot(session, later, game.id, seat.seat, "random", game.organiser_id or 0)
    while game.ply == knew:
        answer_all(session, later, game)
        advance(session, later, game.id)
    session.execute(delete(Letter))  # they are kept half as long as their reply addresses count
    session.commit()
    for number, sender in enumerate((gone.address or "", "x@y.example")):
        come_in(session, mail("draw\n\ntalk: I am back!", number, sender), old)
    (letter,) = answers(session)
    words = " ".join(words_of(session, letter).split())

    assert (letter.kind, letter.player_id, letter.ply) == ("refused", gone.id, knew)
    assert "That letter was about a seat that is not yours any more" in words
    assert "WOULD BE LEGAL" not in words
    assert inbound(session).state == "ignored"
    if comes:
        come_in(session, mail("draw", 2, str(newcomer.address)), old)
        assert answers(session)[-1].player_id == newcomer.id


def test_a_mail_to_an_address_that_is_over_is_not_played(
    session: Session, game: Game, seat: Seat, clock: Clock
) -> None:
    """The Reply-To of a letter more than half a year old plays nothing, and its owner is told to answer a newer one."""
    old = address(game, seat)
    clock.move(days=400)
    come_in(session, mail("ra"), old)

    assert session.execute(select(StoredOrder).where(StoredOrder.source == "mail")).all() == []
    (letter,) = answers(session)
    assert [fault["text"].partition(",")[0] for fault in letter.data["faults"]] == [
        "That letter is more than half a year old"
    ]


def test_another_from_is_accepted_and_told(session: Session, game: Game, seat: Seat) -> None:
    """The token is the credential; a From that isn't the owner's is named in the answer that the owner gets."""
    come_in(session, mail("ra", sender="Stranger <stranger@elsewhere.example>"), address(game, seat))
    letter = answers(session)[0]

    assert letter.data["sender"] == "stranger@elsewhere.example"
    assert letter.player_id == seat.player_id


def test_the_owners_own_address_is_not_remarked_on(session: Session, game: Game, seat: Seat) -> None:
    """A mail from the owner's address is nothing to speak of."""
    come_in(session, mail("ra", sender=owner(session, seat).address or ""), address(game, seat))

    assert "sender" not in answers(session)[0].data


def test_a_mail_without_an_order_is_kept_and_answered(session: Session, game: Game, seat: Seat) -> None:
    """Chat is shown to its owner, and one answer says that nothing was done with it."""
    come_in(session, samples.raw("chat"), address(game, seat))

    assert (inbound(session).kind, inbound(session).player_id) == ("unread", seat.player_id)
    (letter,) = answers(session)
    assert letter.kind == "refused"


@pytest.mark.parametrize(
    "text",
    [
        "Ich bin bis zum 3. Dezember nicht im Büro.",
        "Thank you for your email. I am out of the office and will reply on my return.",
        "Your message has been received. Ticket number 4711.",
    ],
)
def test_a_machine_without_any_header_is_not_answered(session: Session, game: Game, seat: Seat, text: str) -> None:
    """Its text gives it away; it is kept and shown to the owner all the same."""
    come_in(session, mail(text), address(game, seat))

    assert (inbound(session).kind, inbound(session).note) == ("unread", text)
    assert answers(session) == []


@pytest.mark.parametrize(
    "title", ["Vacation in Egypt", "Absent friends", "Semester 2", "Urlaub am Nil", "Rejected: Nile", "[Out of office]"]
)
def test_a_game_may_have_any_name(session: Session, game: Game, seat: Seat, title: str) -> None:
    """Our own subject behind "Re:" is no sign of anything: the order is played."""
    come_in(session, mail("ra", Subject=f"Re: [{title}] Chloé s'absente"), address(game, seat))

    assert inbound(session).kind == "order"


def test_a_question_is_no_order(session: Session, game: Game, seat: Seat) -> None:
    """An order with a question mark isn't played; the answer says why."""
    come_in(session, mail("ra?"), address(game, seat))

    (letter,) = answers(session)
    assert letter.data["faults"][0]["text"].startswith("{word!r} is a question")
    assert session.execute(select(StoredOrder).where(StoredOrder.source == "mail")).all() == []


def test_a_mail_that_cant_be_read_is_answered(session: Session, game: Game, seat: Seat) -> None:
    """Too many parts: one sentence says so, where somebody sent it."""
    parts = b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n' + b"--b\r\n\r\nra\r\n" * 3_000
    come_in(session, b"From: a@b.c\r\n" + parts, address(game, seat), sender="a@b.c")

    (letter,) = answers(session)
    assert letter.data["faults"][0]["text"].startswith("Your mail has too many parts")


def test_what_cant_be_read_is_answered_ten_times_a_day(session: Session, game: Game, seat: Seat) -> None:
    """A broken server that sends such mails all day gets no more answers than anybody else."""
    parts = b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n' + b"--b\r\n\r\nra\r\n" * 3_000
    for number in range(12):
        head = f"From: a@b.c\r\nMessage-ID: <{number}@b>\r\n"
        come_in(session, head.encode() + parts, address(game, seat), sender="a@b.c")

    assert len(answers(session)) == 10


@pytest.mark.parametrize(
    ("sender", "path", "told"),
    [
        ("a@b.c", "", True),  # as SMTP knows it
        ("", "", False),
        (None, "", True),  # a webhook doesn't: the mail's own head says it
        (None, "Return-Path: <>\r\n", False),
    ],
)
@pytest.mark.parametrize("whose", ["seat", "person"])
def test_every_address_answers_what_cant_be_read(
    session: Session,
    game: Game,
    seat: Seat,
    whose: str,
    sender: str | None,
    path: str,
    told: bool,  # noqa: FBT001 - a table
) -> None:
    """By whatever door it came; nobody answers the null sender."""
    to = address(game, seat) if whose == "seat" else ADDRESSES.player(seat.player_id or 0, 0)
    raw = b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n' + b"--b\r\n\r\nra\r\n" * 3_000
    come_in(session, f"From: a@b.c\r\n{path}".encode() + raw, to, sender=sender)

    assert [letter.kind for letter in answers(session)] == [{"seat": "refused", "person": "fresh_link"}[whose]] * told


def test_one_mail_never_delays_another(
    session: Session, game: Game, seat: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mail that brings its reader down waits for its next try; those behind it are worked in the same round."""
    read = incoming.read

    def reader(raw: bytes, **known: Any) -> incoming.Mail:
        if b"poison" in raw:
            raise RecursionError
        return read(raw, **known)

    monkeypatch.setattr(incoming, "read", reader)
    receive.receive(session, mail("poison"), address(game, seat), START)
    receive.receive(session, mail("ra", 2), address(game, seat), START)
    session.commit()
    working.work_through(session, START, ADDRESSES, 10)

    states = session.scalars(select(Inbound.state).order_by(Inbound.id)).all()
    assert states == ["new", "done"]


NONE = "No order was found in your mail"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I think I draw a tile now", "{word!r} is no order here. Did you mean {order!r}?"),
        ("How do I undo my order?", NONE),
        ("can you help me?", NONE),
    ],
)
def test_a_note_with_the_words_of_an_order_isnt_met_with_silence(
    session: Session, game: Game, seat: Seat, text: str, told: str
) -> None:
    """Whoever may believe to have ordered something is told that nothing was played, and how to write it."""
    come_in(session, mail(text), address(game, seat))

    (letter,) = answers(session)
    assert (letter.kind, letter.data["text"]) == ("refused", text)
    assert letter.data["faults"][0]["text"].startswith(told)
    assert session.execute(select(StoredOrder).where(StoredOrder.source == "mail")).all() == []


@pytest.mark.parametrize("kind", ["image/jpeg", "application/pdf", "audio/ogg", "text/plain; name=order.txt"])
@pytest.mark.parametrize("words", ["", "-- \nAnna", "> What do you bid?", "Sent from my iPhone"])
def test_a_mail_that_is_only_an_attachment_is_told_so(
    session: Session, game: Game, seat: Seat, kind: str, words: str
) -> None:
    """A photo of a note, a voice, a file: its sender hears that nobody reads it, and where the order goes."""
    file = f"Content-Type: {kind}\r\nContent-Disposition: attachment\r\n\r\ndraw"
    parts = f"--x\r\nContent-Type: text/plain\r\n\r\n{words}\r\n--x\r\n{file}\r\n--x--"
    come_in(session, mail(parts, Content_Type="multipart/mixed; boundary=x"), address(game, seat))

    (letter,) = answers(session)
    assert letter.kind == "refused"
    assert letter.data["faults"][0]["text"].startswith("Your mail holds only an attachment, which nobody reads")
    assert session.execute(select(StoredOrder).where(StoredOrder.source == "mail")).all() == []


def test_an_unread_mail_is_shown_to_its_writer_alone(session: Session, game: Game, seat: Seat) -> None:
    """What couldn't be read stands on its writer's queue for two weeks, without the quote, and on nobody else's."""
    come_in(session, samples.raw("chat"), address(game, seat))
    stranger = session.execute(select(Seat).where(Seat.game_id == game.id, Seat.id != seat.id)).scalars().first()
    assert stranger is not None
    assert seat.player_id is not None

    def shown(now: datetime, players: list[int], seats: list[int]) -> list[str]:
        return [mail.text.partition(",")[0] for mail in receive.unread(session, now, players, seats)]

    assert shown(START, [seat.player_id], []) == ["Thank you"]
    assert shown(START, [], [seat.id]) == ["Thank you"]
    assert shown(START, [0], [stranger.id]) == []
    assert shown(START + timedelta(days=15), [seat.player_id], [seat.id]) == []
    seat.player_id = stranger.player_id
    assert shown(START, [], [seat.id]) == []


@pytest.mark.parametrize("name", ["ooo_de", "ooo_fr", "ooo_it", "ooo_ja", "auto_submitted", "precedence", "own_letter"])
def test_automatic_mail_is_never_played_or_answered(session: Session, game: Game, seat: Seat, name: str) -> None:
    """Out-of-office mails and our own letters give no order and no answer, even where their text is an order."""
    come_in(session, samples.raw(name).replace(b"bid 10 on Abydos", b"ra"), address(game, seat))

    assert inbound(session).state == "ignored"
    assert answers(session) == []
    assert session.execute(select(StoredOrder).where(StoredOrder.source == "mail")).all() == []


def test_a_null_sender_is_never_answered(session: Session, game: Game, seat: Seat) -> None:
    """What the envelope says comes from nobody is not answered."""
    come_in(session, mail("ra"), address(game, seat), sender="")

    assert inbound(session).kind == "automatic"


def test_foreign_and_forged_addresses_are_ignored(session: Session, game: Game, seat: Seat) -> None:
    """An address signed by another key changes nothing."""
    forged = Addresses((("t1", "another secret"),), "play.example.org").seat(seat.id, game.ply + 1, 0)
    come_in(session, mail("ra"), forged)

    assert (inbound(session).state, answers(session)) == ("ignored", [])


def test_two_servers_that_answer_each_other_come_to_rest(session: Session, game: Game, seat: Seat) -> None:
    """At most ten answers go to one player in a day, whatever comes in."""
    for number in range(15):
        come_in(session, mail("status", number), address(game, seat))

    assert sum(letter.state == "pending" for letter in answers(session)) == 10
    other = session.scalars(select(Seat).where(Seat.game_id == game.id, Seat.seat == 1 - seat.seat)).one()
    come_in(session, mail("status", 99), address(game, other))
    assert [letter.player_id for letter in answers(session) if letter.state == "pending"][-1] == other.player_id


@pytest.mark.parametrize("text", ["status", "help", "dance", "ra"])
def test_the_last_answer_of_a_day_says_so(session: Session, game: Game, seat: Seat, text: str) -> None:
    """Whatever it answers: the tenth and no other, so that nobody waits for an eleventh."""
    for number in range(12):
        come_in(session, mail("status" if number < 9 else text, number), address(game, seat))

    sent = [letter for letter in answers(session) if letter.state == "pending"]
    told = [bool(letter.data.get("last")) for letter in sent]
    assert told == [False] * 9 + [True]
    assert "This is the last answer by mail for now" in " ".join(words_of(session, sent[-1]).split())


def _letter_to(session: Session, player: Player) -> Letter:
    return session.execute(select(Letter).where(Letter.player_id == player.id).limit(1)).scalar_one()


def test_a_hard_bounce_stops_letters_and_rests_the_clock(session: Session, game: Game, seat: Seat) -> None:
    """A DSN with 5.1.1 to the letter's own bounce address marks the player, lets the clock rest, and is history."""
    letter, due_at = _letter_to(session, owner(session, seat)), game.due_at
    come_in(session, samples.raw("dsn_hard"), ADDRESSES.bounce(letter.id), sender="")
    session.refresh(game)

    assert owner(session, seat).address_state == "bounced"
    assert due_at is not None
    assert game.due_at is not None
    assert game.due_at >= due_at + delivery_clock.MOST_STILL
    assert session.execute(select(Delivery.state).where(Delivery.letter_id == letter.id)).scalars().all() == ["bounced"]


def test_a_full_mailbox_is_only_noted(session: Session, game: Game, seat: Seat) -> None:
    """A soft bounce marks the address soft; letters and clock go on."""
    letter = _letter_to(session, owner(session, seat))
    come_in(session, samples.raw("dsn_full"), ADDRESSES.bounce(letter.id), sender="")
    session.refresh(game)

    assert owner(session, seat).address_state == "soft"
    assert game.due_at is not None


@pytest.mark.parametrize("sample", ["dsn_full", "dsn_hard", "arf"])
def test_a_report_of_another_address_marks_nobody(session: Session, seat: Seat, sample: str) -> None:
    """A letter to an address that isn't its reader's own yet, or to nobody we know, says nothing of a player's."""
    person, letter = owner(session, seat), _letter_to(session, owner(session, seat))
    for address, player in (("new@example.org", person.id), ("guest@example.org", None)):
        letter.address, letter.player_id = address, player
        come_in(session, samples.raw(sample), ADDRESSES.bounce(letter.id), sender="")

        assert inbound(session).state == "done"
        assert person.address_state == "good"


@pytest.mark.parametrize(("sample", "state"), [("arf", "complained"), ("dsn_hard", "bounced")])
def test_a_report_counts_only_at_the_address_of_its_letter(
    session: Session, game: Game, seat: Seat, sample: str, state: str
) -> None:
    """Whoever names somebody's Message-ID at any other address of ours, another letter's too, changes nothing."""
    letter, person = _letter_to(session, owner(session, seat)), owner(session, seat)
    friend = PlayerFactory()
    post = LetterQueue(START)
    post.person("talk", friend, "friend")
    post.send(session)
    other = _letter_to(session, friend).id
    raw = samples.raw(sample).replace(b"0123456789abcdef0123456789abcdef", letter.message_id.encode())
    own = (ADDRESSES.player(person.id, person.epoch), ADDRESSES.lesson(letter.id, person.epoch))
    signed = (address(game, seat), *own, ADDRESSES.bounce(other))
    assert {type(ADDRESSES.read(to)) for to in signed} == set(get_args(Address))
    for wrong in (*signed, f"play@{ADDRESSES.domain}"):
        come_in(session, raw, wrong)
        assert person.address_state == "good"

    come_in(session, raw, ADDRESSES.bounce(letter.id))
    assert person.address_state == state
    assert session.scalars(select(Delivery.state).where(Delivery.letter_id == letter.id)).all() == [state]


def test_ten_thousand_bounces_are_one_event(session: Session, seat: Seat) -> None:
    """After the first hard bounce of a player the next ones are only noted: the organiser hears once."""
    letter = _letter_to(session, owner(session, seat))
    for number in range(20):
        raw = samples.raw("dsn_hard").replace(b"<dsn_hard@", f"<dsn{number}@".encode())
        receive.receive(session, raw, ADDRESSES.bounce(letter.id), START, sender="")
    session.commit()
    working.work_through(session, START, ADDRESSES, 100)

    assert len(session.execute(select(Letter).where(Letter.kind == "organiser_alert")).all()) <= 1
    assert {row.state for row in session.execute(select(Inbound)).scalars()} == {"done"}


def test_words_that_work_in_every_letter(session: Session, game: Game, seat: Seat) -> None:
    """help, status, talk, absence and standing are done and answered, whoever is asked at the moment."""
    text = "help\nstatus\n\ntalk: Well played!\n\nabsence 24 Dec to 2 Jan\n\nstanding: when tiles > 3: ra\n"
    come_in(session, mail(text), address(game, seat))
    receipt = next(letter for letter in answers(session) if letter.kind == "receipt")

    assert {letter.kind for letter in answers(session)} == {"help", "status", "receipt"}
    assert session.execute(select(Talk.text)).scalar_one() == "Well played!"
    assert session.execute(select(Absence.player_id)).scalar_one() == seat.player_id
    assert session.execute(
        select(StoredStandingOrders.text).where(StoredStandingOrders.kind == "standing")
    ).scalar_one()
    assert len(receipt.data["says"]) >= 4


ANSWERED = {
    "help": ("help", ""),
    "status": ("status", ""),
    "orders": ("status", ""),
    "cancel": ("receipt", "No order of yours stands now. You can send one until the game moves on."),
    "standing: when tiles > 3: ra": ("receipt", "Your standing order is in force:"),
    "absence: 24 Dec to 2 Jan": ("receipt", "You are away from {starts} to {ends}. "),
    "talk: Well played!": ("receipt", "Your words were passed on to the table."),
}
"""By command the letter that answers it, and what that says first."""


@pytest.mark.parametrize("command", ANSWERED)
def test_each_command_is_answered_with_what_was_done(session: Session, game: Game, seat: Seat, command: str) -> None:
    """By a letter of its kind, whose first sentence says it."""
    assert {one.partition(":")[0] for one in ANSWERED} == set(seat_mail._COMMANDS)
    assert answer(session, START, game, seat.seat, "draw").accepted
    come_in(session, mail(f"{command}\n"), address(game, seat))
    kind, says = ANSWERED[command]
    (letter,) = answers(session)

    assert letter.kind == kind
    assert [said["text"][: len(says)] for said in letter.data.get("says", ())][:1] == [says] * bool(says)


def test_orders_lists_all_that_is_in_force(session: Session, game: Game, seat: Seat) -> None:
    """Whatever it was given as: each line of a chain, of a sealed list and of a standing order; a plan in its words."""
    given = {"then": "draw\nra", "sealed": "this phase\nbid 6", "standing": "until changed\nfor bid:\nbid 8"}
    assert given.keys() == standing_orders._KINDS.keys()
    for kind, text in given.items():
        row = {"kind": kind, "text": text, "phase": "", "round": "", "created_at": START}
        session.add(StoredStandingOrders(game_id=game.id, seat=seat.seat, **row))
    game.version += 1
    come_in(session, mail("orders"), address(game, seat))
    said = words_of(session, answers(session)[0])

    assert "Kept for your next decisions of this phase:\n  1. draw\n  2. ra\n" in said
    assert all(f"bid {points}" in said for points in (6, 8))


def test_an_order_and_commands_get_one_letter(session: Session, game: Game, seat: Seat) -> None:
    """The order's receipt says what else was done, once; whatever asks for a letter of its own gets it."""
    beside = {command: said for command, (kind, said) in ANSWERED.items() if kind == "receipt" and command != "cancel"}
    come_in(session, mail("\n\n".join(("ra", *beside, "help"))), address(game, seat))
    words = {letter.kind: " ".join(words_of(session, letter).split()) for letter in answers(session)}

    assert [letter.kind for letter in answers(session)] == ["receipt", "help"]
    assert "Your order stands." in words["receipt"]
    for said in beside.values():
        assert words["receipt"].count(said.partition("{")[0]) == 1, said


def test_mail_waits_until_all_of_it_is_worked(session: Session, game: Game, seat: Seat) -> None:
    """As long as one can be worked now; not for one that is tried again later."""
    for number in range(2):
        receive.receive(session, mail("status", number), address(game, seat), START)
    session.commit()
    waits = [working.is_waiting(session, START)]
    for _ in range(2):
        working.work_through(session, START, ADDRESSES, 1)
        waits.append(working.is_waiting(session, START))
    receive.receive(session, mail("status", 3), address(game, seat), START + timedelta(hours=1))

    assert waits == [True, True, False]
    assert not working.is_waiting(session, START)
    assert working.is_waiting(session, START + timedelta(hours=1))


def test_an_address_is_kept_as_far_as_its_column_goes(session: Session) -> None:
    """Of the sender and of the recipient, without what no database keeps."""
    receive.receive(session, mail("ra"), "\0" + "p" * 300, START, sender="\0" + "s" * 300)
    kept = inbound(session)

    for column, letter in (("sender", "s"), ("recipient", "p")):
        kind = Inbound.__table__.c[column].type
        assert isinstance(kind, String)
        assert getattr(kept, column) == letter * (kind.length or 0)


def test_cancel_takes_an_order_back(session: Session, game: Game, seat: Seat) -> None:
    """The word cancel leaves the decision unanswered again, as long as the game hasn't moved on."""
    come_in(session, mail("ra", 1), address(game, seat))
    come_in(session, mail("cancel", 2), address(game, seat))

    assert [decision.seat for decision in asked(session, game)] == [seat.seat]


def test_faulty_commands_are_refused_with_a_sentence(session: Session, game: Game, seat: Seat) -> None:
    """Days that are none and a standing order that can't be read get one refusal with both faults."""
    come_in(session, mail("absence: the 99th of nothing 1\n\nstanding: when when: dance\n"), address(game, seat))
    letter = answers(session)[0]

    assert letter.kind == "refused"
    assert len(letter.data["faults"]) >= 2


DEEDS = {
    "order": ("draw", "draw 99"),
    "absence": ("absence: 4 March", "absence: the 99th of nothing"),
    "standing": ("standing: ra", "standing: when when: dance"),
    "talk": ("talk: hello", f"talk: {'x' * (talk.LONGEST + 1)}"),
}
"""What a mail may ask for: in a form that can be done, and in one that can't."""


def test_every_command_with_a_text_is_mixed() -> None:
    """A new one says here what it refuses."""
    assert set(DEEDS) - {"order"} == reply.TEXT_COMMANDS


@pytest.mark.parametrize("good", [(True, False), (False, True), (False, False), (True, True)])
@pytest.mark.parametrize("pair", list(itertools.combinations(DEEDS, 2)), ids="-".join)
def test_one_mail_has_one_answer(
    session: Session, game: Game, seat: Seat, pair: tuple[str, str], good: tuple[bool, bool]
) -> None:
    """Whatever was done of it and whatever not: both are told, and nothing says that all or nothing was done."""
    text = "\n\n".join(DEEDS[one][not is_good] for one, is_good in zip(pair, good, strict=True))
    come_in(session, mail(text), address(game, seat))
    (letter,) = answers(session)
    told = " ".join(words_of(session, letter).split())

    assert letter.kind == ("receipt" if any(good) and (pair[0] != "order" or good[0]) else "refused")
    assert bool(re.search("Not everything was done|not everything else was done", told)) == (
        letter.kind == "receipt" and not all(good)
    )
    assert ("Done." in told) == (all(good) and pair[0] != "order")


def test_an_order_under_the_quote_is_explained(session: Session, game: Game, seat: Seat) -> None:
    """Who writes under the quoted letter is told to write above it; nothing is played."""
    come_in(session, mail("On 1 March 2026 Nile Club wrote:\n> draw\n\nra\n"), address(game, seat))

    assert session.execute(select(StoredOrder).where(StoredOrder.source == "mail")).all() == []
    assert "above" in answers(session)[0].data["faults"][0]["text"]


def test_a_mail_to_a_persons_own_address_is_answered_with_the_way_in(session: Session, seat: Seat) -> None:
    """Letters about no game can be answered too: the link to everything comes back."""
    come_in(session, mail("status"), ADDRESSES.player(seat.player_id or 0, 0))

    (letter,) = answers(session)
    assert letter.kind == "fresh_link"
    assert "Here is your link." in words_of(session, letter)
    assert "takes no orders" not in words_of(session, letter)


def test_an_order_to_a_persons_own_address_is_answered_in_words(session: Session, seat: Seat) -> None:
    """It plays nothing in any game, and its answer says so beside the link."""
    come_in(session, mail("draw"), ADDRESSES.player(seat.player_id or 0, 0))

    assert session.execute(select(StoredOrder).where(StoredOrder.source == "mail")).all() == []
    (letter,) = answers(session)
    assert letter.kind == "fresh_link"
    assert "This address takes no orders" in words_of(session, letter)


def test_a_persons_renewed_or_old_address_answers_nothing(session: Session, seat: Seat, clock: Clock) -> None:
    """Who renewed their links is written to at none of those before, and an address is over in time."""
    person = owner(session, seat)
    old = ADDRESSES.player(person.id, person.epoch)
    clock.move(days=365)
    come_in(session, mail("status", 1), old)
    come_in(session, mail("status", 2), ADDRESSES.player(person.id, person.epoch + 1))
    come_in(session, mail("status", 3), ADDRESSES.player(person.id + 1000, person.epoch))

    rows = session.execute(select(Inbound.state, Inbound.kind, Inbound.player_id)).all()
    assert rows == [("ignored", "unread", None)] * 3
    assert answers(session) == []


def test_an_absence_mailed_to_ones_own_address_is_answered_with_its_days(session: Session, seat: Seat) -> None:
    """The letter that comes back can be written, says what was noted, and doesn't threaten older links, which hold."""
    come_in(session, mail("absence: 24 Dec to 2 Jan"), ADDRESSES.player(seat.player_id or 0, 0))
    (letter,) = answers(session)

    assert len(session.execute(select(Absence)).all()) == 1
    text = words_of(session, letter)
    assert "You are away from Thursday 24 December, 00:00 UTC to Sunday 3 January, 00:00 UTC." in " ".join(text.split())
    assert "no longer" not in text


def test_a_mail_over_the_limit_is_not_taken(session: Session, game: Game, seat: Seat) -> None:
    """Ten megabytes are the end, said in one sentence."""
    with pytest.raises(Unreadable, match="The mail has 10000001 bytes; at most 10000000 are taken"):
        receive.receive(session, b"x" * 10_000_001, address(game, seat), START)


def test_no_text_is_kept_but_of_who_plays_here(session: Session, game: Game, seat: Seat) -> None:
    """Of who does, read or not; not of what was ignored, of reports, nor of an erased person's late mail."""
    gone = PlayerFactory.create()
    renewed = ADDRESSES.player(gone.id, gone.epoch)
    bounced = ADDRESSES.bounce(session.scalars(select(Letter.id)).first() or 0)
    before = [address(game, seat), address(game, seat, epoch=9), ADDRESSES.player(owner(session, seat).id, 0)]
    for number, to in enumerate((*before, "nobody@play.example.org", bounced)):
        come_in(session, mail(f"word {number}", number), to)
    kept = [bool(row.raw) for row in session.scalars(select(Inbound).order_by(Inbound.id))]
    other = GameFactory(people=[gone, owner(session, seat)], bots=())
    lasting = address(other, seat_of(session, other, 0))
    other.state = GameState.FINISHED

    personal_data.erase(session, START, gone.id)
    for number, to in enumerate((renewed, lasting), 5):
        come_in(session, mail("my own words", number), to, sender="gone@nile.example")

    assert kept == [True, True, True, False, False]
    late = session.scalars(select(Inbound).order_by(Inbound.id).offset(5)).all()
    assert [(row.raw, row.sender, "words" in row.note) for row in late] == [(b"", "", False)] * 2
    assert {row.state for row in session.scalars(select(Inbound))} == {"done", "ignored"}
