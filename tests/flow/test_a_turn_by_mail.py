"""The whole house in one page: raw mail in, letters out, three seats, one phase, one reminder, one who stalls."""

from __future__ import annotations

import email
import email.policy
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.extensions import db, settings
from pbem.inbound import receive
from pbem.jobs import tasks
from pbem.play.proof import replay_audit
from pbem.store.models import Game, StoredPly
from tests.factories import GameFactory, asked

if TYPE_CHECKING:
    from email.message import EmailMessage

    from tests.conftest import Clock


class Correspondence:
    """Everybody's mailbox, and the way back."""

    def __init__(self, clock: Clock) -> None:
        """Begin with no letter read."""
        self.clock = clock
        self.read: set[str] = set()

    def new(self) -> list[EmailMessage]:
        """Deliver what is due and give the letters that came, oldest first."""
        tasks.deliver()
        found = []
        for path in sorted((settings().pbem_home / "mailbox" / "new").glob("*")):
            if path.name not in self.read:
                self.read.add(path.name)
                found.append(email.message_from_bytes(path.read_bytes(), policy=email.policy.default))
        return found

    def reply(self, letter: EmailMessage, text: str, number: int) -> None:
        """Answer a letter as a mail program would, quoting it below."""
        quoted = "\r\n".join(f"> {line}" for line in body(letter).splitlines())
        raw = (
            f"From: {letter['To']}\r\nTo: {letter['Reply-To']}\r\nSubject: Re: {letter['Subject']}\r\n"
            f"Message-ID: <reply-{number}@home.example>\r\nIn-Reply-To: {letter['Message-ID']}\r\n"
            f"Content-Type: text/plain; charset=utf-8\r\n\r\n{text}\r\n\r\n{quoted}\r\n"
        )
        receive.receive(db.session(), raw.encode(), str(letter["Reply-To"]), self.clock.now, sender="me@home.example")
        db.session.commit()
        tasks.read_mail()


def body(letter: EmailMessage) -> str:
    """The text of a letter, complete by itself."""
    part = letter.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


@pytest.mark.usefixtures("db")
def test_a_turn_by_mail(clock: Clock) -> None:
    """Alice answers at once, Bob after a reminder and a slip, Charlie not at all: nobody waits for ever."""
    game = GameFactory(people=3, bots=(), seed="flow-14", options={"auctions": "in_turn"}, now=clock.now)
    post = Correspondence(clock)

    (first,) = post.new()
    assert "draw" in body(first)
    post.reply(first, "draw", 1)
    (receipt,) = post.new()
    assert receipt["To"] == first["To"]
    assert receipt["Auto-Submitted"].startswith("auto-")
    tasks.advance_game(game.id)

    second = next(letter for letter in post.new() if letter["To"] != first["To"])
    assert second["To"] != first["To"]
    clock.move(hours=25)
    tasks.remind()
    (reminder,) = post.new()
    assert reminder["To"] == second["To"]
    post.reply(reminder, "bid 9", 2)
    (refusal,) = post.new()
    assert "bid 9" in body(refusal)
    post.reply(refusal, "draw", 3)
    post.new()
    tasks.advance_game(game.id)

    before = game_ply(game.id)
    assert len(asked(db.session(), game)) == 1
    third = next(letter for letter in post.new() if letter["To"] not in {first["To"], second["To"]})
    clock.move(days=4)
    tasks.remind()
    tasks.advance_game(game.id)
    covered = [letter for letter in post.new() if letter["To"] == third["To"]]
    played = db.session().execute(select(StoredPly.hands).where(StoredPly.ply == before + 1)).scalar_one()

    assert list(played.values()) == ["autopilot"]
    assert covered
    threads = {str(letter["References"]).split()[0] for letter in (first, second, third, reminder, *covered)}
    assert len(threads) == 1
    assert replay_audit.audit(db.session(), game.id).faults == ()


def game_ply(game_id: int) -> int:
    """The ply the game stands at."""
    return db.session.execute(select(Game.ply).where(Game.id == game_id)).scalar_one()
