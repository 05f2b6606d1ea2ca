from __future__ import annotations

import errno
from datetime import timedelta
from email import message_from_bytes, policy
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import Mock

import msgspec
import pytest
from sqlalchemy import func, select, update
from sqlalchemy.exc import OperationalError

from pbem.capabilities.tokens import tokens
from pbem.extensions import db, settings
from pbem.letter_kinds import KINDS
from pbem.letter_queue import LetterQueue
from pbem.letters import context as contexts
from pbem.letters import delivery
from pbem.letters.delivery import DeliveryWorker
from pbem.mail import outbox
from pbem.mail.smtp import DeliveryError, OutgoingMail, Pace
from pbem.play.deadlines import delivery_clock
from pbem.play.seats import talk
from pbem.play.turns.advance import advance
from pbem.store.models import Delivery, Game, GameState, Inbound, Letter, OpenDecision, Player
from tests.factories import START, GameFactory, PlayerFactory, answer, asked, one_question, seat_of

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from pbem.mail.outbox import Outcome
    from pbem.mail.smtp import Transport


class Out:
    """A way out that notes what is handed over, and fails as told."""

    def __init__(self, *failures: DeliveryError | None) -> None:
        """Fail with each of `failures` in turn, then never."""
        self.failures = list(failures)
        self.posts: list[OutgoingMail] = []

    def send(self, post: OutgoingMail) -> None:
        """Take a mail, or refuse it."""
        assert not db.session().in_transaction()  # none is open while another server is waited for
        failure = self.failures.pop(0) if self.failures else None
        if failure:
            raise failure
        self.posts.append(post)

    def close(self) -> None:
        """Nothing is open."""


LATER = DeliveryError("451 4.3.0", permanent=False)
NEVER = DeliveryError("550 5.1.1", permanent=True, address_refused=True)


def carrier(out: Transport, name: str = "one", pace: Pace | None = None) -> DeliveryWorker:
    """A sender into `out`."""
    return DeliveryWorker(name, delivery.mail_context(settings(), tokens()), out, pace or Pace(0))


@pytest.fixture
def game(session: Session) -> Game:
    """A game whose first question is in the outbox."""
    return one_question(session)


def letter(session: Session) -> Letter:
    """The first letter of the outbox, as committed."""
    session.rollback()
    return session.execute(
        select(Letter).order_by(Letter.id).limit(1).execution_options(populate_existing=True)
    ).scalar_one()


def history(session: Session) -> list[str]:
    """What became of letters, in order, as committed."""
    session.rollback()
    return list(session.execute(select(Delivery.state).order_by(Delivery.id)).scalars())


def test_a_letter_is_delivered_once(session: Session, game: Game) -> None:
    """A due letter goes out, is settled, starts the clock, and isn't found again."""
    out = Out()

    assert carrier(out).deliver_one(session, START)
    assert not carrier(out).deliver_one(session, START)
    assert (letter(session).state, letter(session).sent_at, history(session)) == ("sent", START, ["accepted"])
    assert (
        session.execute(select(OpenDecision.letter_at).where(OpenDecision.game_id == game.id)).scalars().first()
        == START
    )
    assert out.posts[0].return_path.startswith("bounce.")


def test_the_letter_holds_what_its_player_needs(session: Session, game: Game) -> None:
    """The mail asks the question, carries a link and a reply address, and is one thread with the game."""
    out = Out()
    carrier(out).deliver_one(session, START)
    mail = message_from_bytes(out.posts[0].raw, policy=policy.default)
    text = mail.get_body(("plain",)).get_content()  # type: ignore[union-attr]  # the default policy's class

    assert f"/l/{settings().secret_keys[-1][0]}~" in text
    assert mail["Reply-To"].addresses[0].addr_spec.startswith("play.")
    assert f"game-{game.id}" in mail["References"]
    assert letter(session).message_id in mail["Message-ID"]


@pytest.mark.usefixtures("game")
def test_a_failure_that_may_pass_is_tried_again_later_each_time(session: Session) -> None:
    """Back-off: 1, 2, 4 minutes; the mail that goes out in the end has the Message-ID of the first try."""
    out = Out(LATER, LATER, LATER)
    first = letter(session).message_id
    waits = []
    now = START
    for _ in range(3):
        carrier(out).deliver_one(session, now)
        waits.append(letter(session).next_try_at - now)
        now = letter(session).next_try_at
        assert not carrier(out).deliver_one(session, now - timedelta(seconds=1))
    carrier(out).deliver_one(session, now)

    assert waits == [timedelta(minutes=1), timedelta(minutes=2), timedelta(minutes=4)]
    assert first in out.posts[0].raw.decode("ascii")
    assert history(session) == ["deferred", "deferred", "deferred", "accepted"]


@pytest.mark.usefixtures("game")
def test_a_letter_that_cant_be_written_is_tried_again_later(
    session: Session, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A drawing that raises stops no other letter; its trace is logged once, and it leaves once it can be drawn."""
    sender, trace = carrier(out := Out()), "ArithmeticError: seven"
    with monkeypatch.context() as broken:
        broken.setattr(contexts, "context", Mock(side_effect=ArithmeticError("seven")))
        assert sender.deliver_one(session, START)
        session.rollback()
        first = letter(session).next_try_at
        assert sender.deliver_one(session, first)
    session.rollback()
    waiting = letter(session)
    said = (waiting.state, waiting.attempts, waiting.next_try_at - first, waiting.last_error)
    sender.deliver_one(session, waiting.next_try_at)

    assert said == ("pending", 2, timedelta(minutes=2), "could not be written: ArithmeticError")
    assert capsys.readouterr().err.count(trace) == 1
    assert (letter(session).state, len(out.posts)) == ("sent", 1)


@pytest.mark.usefixtures("game")
def test_a_letter_that_meets_an_outage_stays_claimed(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its try is counted before anything is made of it, so that the letters behind it come to their turn."""
    monkeypatch.setattr(contexts, "context", Mock(side_effect=OperationalError("select", {}, ConnectionError())))
    with pytest.raises(OperationalError):
        carrier(Out()).deliver_one(session, START)

    assert (letter(session).state, letter(session).attempts) == ("claimed", 1)


@pytest.mark.usefixtures("game")
def test_letters_behind_one_that_met_an_outage_leave_once(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sender keeps what it claimed for its next job, whose session is another one: they are sent and settled."""
    GameFactory(seed="one question")
    out = Out()
    sender = carrier(out)
    with monkeypatch.context() as down:
        down.setattr(contexts, "context", Mock(side_effect=OperationalError("select", {}, ConnectionError())))
        with pytest.raises(OperationalError):
            sender.deliver_one(session, START)
    session.rollback()
    db.session.remove()

    assert sender.deliver_one(db.session(), START)
    assert (len(out.posts), history(db.session())) == (1, ["accepted"])


@pytest.mark.usefixtures("game")
def test_a_letter_waits_for_room_in_the_mailbox(
    session: Session, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Where letters are kept on a disk that is full they are tried again for days, as at a relay that takes none."""
    out = delivery.ToMaildir(tmp_path)
    with monkeypatch.context() as full:
        full.setattr(Path, "write_bytes", Mock(side_effect=OSError(errno.ENOSPC, "No space left on device")))
        assert carrier(out).deliver_one(session, START)
    waiting = letter(session)
    said = (waiting.state, waiting.last_error)
    carrier(out).deliver_one(session, waiting.next_try_at)

    assert said == ("pending", "the mailbox can't be written (No space left on device)")
    assert (letter(session).state, len(list((tmp_path / "new").iterdir()))) == ("sent", 1)


@pytest.mark.usefixtures("game")
def test_a_letter_is_given_up_in_the_end(session: Session) -> None:
    """After five days of failures a letter is failed for good; its last error is kept."""
    now = START
    for _ in range(outbox.TRIES):
        carrier(Out(LATER)).deliver_one(session, now)
        now = max(now, letter(session).next_try_at)

    assert (letter(session).state, letter(session).last_error) == ("failed", "451 4.3.0")
    assert timedelta(days=3) < now - START < timedelta(days=7)


def test_a_dead_address_stops_letters_and_rests_the_clock(session: Session, game: Game) -> None:
    """A 5.1.1 at the door marks the player, fails the letter and lets the clock rest."""
    due_at = game.due_at
    carrier(Out(NEVER)).deliver_one(session, START)
    session.refresh(game)
    player = session.get_one(Player, letter(session).player_id)

    assert (letter(session).state, player.address_state) == ("failed", "bounced")
    assert due_at is not None
    assert game.due_at is not None
    assert game.due_at >= due_at + delivery_clock.MOST_STILL


@pytest.mark.usefixtures("game")
def test_a_refusal_of_ours_marks_nobody(session: Session) -> None:
    """A refusal of the letter itself fails it, but says nothing of the address."""
    carrier(Out(DeliveryError("554 5.6.0", permanent=True))).deliver_one(session, START)
    player = session.get_one(Player, letter(session).player_id)

    assert (letter(session).state, player.address_state) == ("failed", "good")


def test_what_the_relay_answers_is_logged_once_while_it_lasts(
    session: Session, caplog: pytest.LogCaptureFixture
) -> None:
    """A line when it begins or changes, not one for each letter that waits; one for each that is refused for good."""
    answers = (LATER, LATER, DeliveryError("450", permanent=False), None, LATER, NEVER, LATER)
    for _ in answers:
        one_question(session)
    sender = carrier(Out(*answers))
    caplog.clear()
    while sender.deliver_one(session, START):
        pass

    lines: list[Any] = [record.msg for record in caplog.records]
    assert [line["fault"] for line in lines] == ["451 4.3.0", "450", "451 4.3.0", "550 5.1.1"]
    assert all(line["letter"] and "@" not in str(line) for line in lines)


def test_a_letter_that_became_untrue_is_dropped(session: Session, game: Game) -> None:
    """A question that was answered meanwhile isn't asked by mail any more."""
    answer(session, START, game, asked(session, game)[0].seat)
    out = Out()
    carrier(out).deliver_one(session, START)

    assert (letter(session).state, out.posts) == ("dropped", [])


@pytest.mark.parametrize("outcome", ["sent", "dropped", "failed"])
@pytest.mark.parametrize("kind", KINDS)
def test_what_a_letter_tells_is_kept_while_somebody_needs_it(session: Session, kind: str, outcome: Outcome) -> None:
    """One that failed can be tried again, but for a code; a lesson's may be answered; all others are done."""
    player, post = PlayerFactory.create(digest_hour=None), LetterQueue(START)
    post.person(kind, player, "one", who="Ada")
    post.send(session)
    session.commit()
    (claimed,) = outbox.claim(session, START, 1, "here")

    assert outbox.settle(session, START, claimed, outcome)
    session.commit()

    kept = kind == "lesson" or (outcome == "failed" and kind != "login_code")
    assert letter(session).data == ({"who": "Ada"} if kept else {})


@pytest.mark.usefixtures("game")
def test_a_sender_that_died_loses_its_claim(session: Session) -> None:
    """F4: killed between 250 and settle: claimed again when the claim is stale, sent with the same Message-ID."""
    claims = outbox.claim(session, START, 1, "dead")
    session.commit()
    out = Out()

    assert not carrier(out).deliver_one(session, START + outbox.STALE - timedelta(seconds=1))
    assert carrier(out).deliver_one(session, START + outbox.STALE)
    assert not outbox.settle(session, START, claims[0], "sent")
    assert letter(session).state == "sent"
    assert claims[0].letter.message_id in out.posts[0].raw.decode("ascii")


def test_a_claim_held_too_long_is_given_back(session: Session) -> None:
    """Who claims several letters and is slow over the first gives the others back, for nobody may send them twice."""
    for _ in range(3):
        GameFactory(seed="one question")
    out = Out()
    slow = carrier(out)
    slow.deliver_one(session, START)
    later = START + outbox.STALE / 2
    while slow.bag:
        slow.deliver_one(session, later)
        session.rollback()

    assert len(out.posts) == 1
    assert session.execute(select(func.count()).where(Letter.state == "pending")).scalar_one() == 2
    assert session.execute(select(func.max(Letter.attempts)).where(Letter.state == "pending")).scalar_one() == 0
    assert len(outbox.claim(session, later, 9, "another")) == 2


def test_a_sender_that_stops_leaves_nothing_behind(session: Session) -> None:
    """What a sender claimed and didn't send is there for the next one at once."""
    for _ in range(3):
        GameFactory(seed="one question")
    out = Out()
    first = carrier(out, "first")
    first.deliver_one(session, START)
    first.release(session, START)
    session.rollback()
    second = carrier(out, "second")
    while second.deliver_one(session, START):
        pass

    assert len(out.posts) == 3
    assert len({post.number for post in out.posts}) == 3


@pytest.mark.usefixtures("game")
def test_a_letter_that_is_held_back_waits_without_a_try_spent(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing leaves, and the row says when it may."""
    until, out = START + timedelta(minutes=3), Out()
    monkeypatch.setattr(contexts, "held", lambda *_: until)
    house = msgspec.structs.replace(delivery.mail_context(settings(), tokens()), hold=True)
    DeliveryWorker("one", house, out, Pace(0)).deliver_one(session, START)

    assert (letter(session).state, letter(session).next_try_at, letter(session).attempts) == ("pending", until, 0)
    assert out.posts == []


@pytest.mark.usefixtures("game")
def test_two_senders_never_hold_the_same_letter(session: Session) -> None:
    """A claimed letter isn't given to another sender."""
    assert len(outbox.claim(session, START, 10, "one")) == 1
    assert outbox.claim(session, START, 10, "two") == []


@pytest.mark.usefixtures("game")
def test_a_letter_that_kills_its_senders_is_given_up(session: Session) -> None:
    """A letter that is claimed again and again and never settled is failed, so that it stops nobody."""
    session.execute(update(Letter).values(state="claimed", claimed_at=START, attempts=outbox.TRIES))

    assert outbox.claim(session, START + outbox.STALE, 10, "one") == []
    assert outbox.give_up(session, START + outbox.STALE) == 1
    session.commit()
    assert letter(session).state == "failed"


@pytest.mark.usefixtures("game")
def test_a_busy_domain_waits_without_a_try_spent(session: Session) -> None:
    """A letter whose domain has had enough is put back for a moment; that counts as no try."""
    pace = Pace(1, clock=lambda: 0.0)
    pace.wait("somebody@nile.example")
    carrier(Out(), pace=pace).deliver_one(session, START)

    assert (letter(session).state, letter(session).attempts) == ("pending", 0)
    assert letter(session).next_try_at > START


def test_answers_overtake_and_name_the_mail_they_answer(session: Session, game: Game) -> None:
    """An answer to a mail leaves before questions, to the null sender, and refers to that mail."""
    seat = asked(session, game)[0].seat
    session.add(
        Inbound(message_id="<their@mail>", recipient="play.x@y", source="smtp", raw=b"", state="done",
                next_try_at=START, received_at=START)
    )  # fmt: skip
    session.flush()
    answer(
        session, START, game, seat, source="mail", mail_id=session.execute(select(func.max(Inbound.id))).scalar_one()
    )
    out = Out()
    carrier(out).deliver_one(session, START)
    mail = message_from_bytes(out.posts[0].raw, policy=policy.default)

    assert mail["Auto-Submitted"] == "auto-replied"
    assert mail["In-Reply-To"] == "<their@mail>"
    assert out.posts[0].return_path == ""


@pytest.mark.usefixtures("game")
def test_without_a_relay_letters_are_kept_as_files(session: Session) -> None:
    """The local mailbox gets the letter whole."""
    sender = delivery.delivery_worker("one", settings(), tokens(), None)
    sender.deliver_one(session, START)
    files = sorted((settings().pbem_home / "mailbox" / "new").glob("*"))

    assert [file.stem for file in files] == [f"{letter(session).id:09d}"]
    assert b"Message-ID" in files[0].read_bytes()


def digest_of(session: Session, player: Player) -> list[Letter]:
    """The digests in the outbox for one person."""
    return list(session.execute(select(Letter).where(Letter.kind == "digest", Letter.player_id == player.id)).scalars())


def test_a_digest_gathers_the_questions_of_several_games(session: Session) -> None:
    """Who wants one letter a day gets one at their hour, with all games in it, and each clock starts with it."""
    reader = PlayerFactory(digest_hour=18, zone="Europe/Rome")
    games = [GameFactory(people=[reader], bots=("random", "random")) for _ in range(3)]
    for game in games:
        for _ in range(20):
            if asked(session, game):
                break
            advance(session, START, game.id)
            session.commit()
    evening = START.replace(hour=17)
    letters = digest_of(session, reader)
    out = Out()
    carrier(out).deliver_one(session, evening)
    mail = message_from_bytes(out.posts[0].raw, policy=policy.default)
    body = mail.get_body(("plain",))

    assert [letter.next_try_at for letter in letters] == [evening]
    assert mail["Subject"] == "3 games wait for you; first deadline Wed 4 Mar, 13:00"
    assert body is not None
    assert all(game.title.upper() in body.get_content() for game in games)
    times = session.execute(select(OpenDecision.letter_at).where(OpenDecision.closed_at.is_(None))).scalars().all()
    assert times == [evening] * 3
    assert session.execute(select(Letter).where(Letter.kind == "your_turn")).all() == []


def test_a_finished_game_stands_in_no_digest(session: Session) -> None:
    """Its end is told by a letter of its own; the days after, the digest names what goes on."""
    reader = PlayerFactory(digest_hour=18, zone="Europe/Rome")
    games = [GameFactory(people=[reader], bots=("random", "random"), title=title) for title in ("Gone on", "Long over")]
    for game in games:
        advance(session, START, game.id)
    games[1].state = GameState.FINISHED
    session.commit()
    (letter,) = digest_of(session, reader)
    context = contexts.context(session, START, letter)

    assert context is not None
    assert [item.title for item in context.data["items"]] == ["Gone on"]


def test_talk_is_told_word_for_word(session: Session, game: Game) -> None:
    """A message at the table reaches the others with its speaker and its words, escaped."""
    talk.say(session, START, seat_of(session, game, 0).id, "Well <b>played</b>!\nSee you.")
    session.commit()
    out = Out()
    sender = carrier(out)
    while sender.deliver_one(session, START):
        pass
    mail = message_from_bytes(out.posts[-1].raw, policy=policy.default)
    text, html = mail.get_body(("plain",)), mail.get_body(("html",))

    assert text is not None
    assert html is not None
    assert "Well <b>played</b>!" in text.get_content()
    assert "Well &lt;b&gt;played&lt;/b&gt;!<br>See you." in html.get_content()
    assert session.get_one(Player, seat_of(session, game, 0).player_id).name in mail["Subject"]


def test_letters_tell_of_the_rest_of_the_queue(session: Session) -> None:
    """A letter says how many other decisions wait."""
    reader = PlayerFactory()
    for _ in range(2):
        GameFactory(people=[reader], bots=("random", "random"))
    out = Out()
    sender = carrier(out)
    while sender.deliver_one(session, START):
        pass
    bodies = [message_from_bytes(post.raw, policy=policy.default).get_body(("plain",)) for post in out.posts]
    waiting = [asked(session, game) for game in session.execute(select(Game)).scalars()]

    assert all(waiting)
    assert all(body is not None and "1 other decision waits for you." in body.get_content() for body in bodies)
