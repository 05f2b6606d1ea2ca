"""Replies to the letters of a first game: each is answered, as the letter promised, and by one letter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.engine.registry import rules_of
from pbem.inbound import receive, seat_mail, working
from pbem.play import lesson_letters
from pbem.store.models import Letter, Player
from pbem.study import lessons
from pbem.study.lessons import LESSONS
from tests.factories import START, PlayerFactory
from tests.inbound.test_receive import ADDRESSES, inbound, mail, words_of

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

REFUSED = {
    "unsubscribe": "If you have had enough, leave this letter",
    "absence: tomorrow": "or the word help",
    "{order}?": "is a question",
    "> {order}\n\n{order}": "under the quoted letter",
}
"""Replies in which nothing is ordered, and what is said of each."""


class Pupil:
    """Somebody to whom the first letter of a first game has come."""

    def __init__(self, session: Session, game: str) -> None:
        """Begin it."""
        self.session, self.lesson = session, LESSONS[game]
        self.player: Player = PlayerFactory()
        self.sent = 0
        lesson_letters.begin(session, START, self.player, game)
        session.commit()

    def letters(self) -> list[Letter]:
        """All that came."""
        return list(self.session.scalars(select(Letter).where(Letter.kind == "lesson").order_by(Letter.id)))

    def reply(self, text: str) -> Letter:
        """Answer the newest letter; `{order}` is its first choice. Gives the letter that is then the newest."""
        newest, self.sent = self.letters()[-1], self.sent + 1
        step = lessons.step(self.lesson, tuple(newest.data["line"]))
        raw = mail(text.format(order=step.suggestions[0].text), self.sent)
        to = ADDRESSES.lesson(newest.id, self.player.epoch)
        receive.receive(self.session, raw, to, START, sender="anna@example.org")
        self.session.commit()
        working.work_through(self.session, START, ADDRESSES, 10)
        return self.letters()[-1]


def as_lines(text: str) -> str:
    """A letter's text without its line breaks."""
    return " ".join(text.split())


@pytest.mark.parametrize("game", LESSONS)
def test_each_reply_has_the_answer_that_was_promised(session: Session, game: str) -> None:
    """One letter to each, in the thread of the mail: the next step, what is wrong by itself, or every order."""
    pupil = Pupil(session, game)
    for text, says in REFUSED.items():
        answer = pupil.reply(text)
        assert (answer.mail_id, answer.data["line"]) == (inbound(session).id, []), text
        (paragraph,) = [part for part in map(as_lines, words_of(session, answer).split("\n\n")) if says in part]
        assert pupil.lesson.goal not in paragraph
    for word in ("help", "aiuto", "Aide!"):
        answer = pupil.reply(word)
        told = as_lines(words_of(session, answer))
        assert (answer.mail_id, inbound(session).kind, inbound(session).note) == (inbound(session).id, "command", "")
        assert [row for row in rules_of(game).grammar if as_lines(row.meaning) not in told] == []
    answer = pupil.reply("{order}\n\nThanks!")

    assert (answer.mail_id, len(answer.data["line"])) == (inbound(session).id, 1)
    assert len(pupil.letters()) == 1 + pupil.sent


def test_replies_without_an_order_are_answered_ten_times_a_day(session: Session) -> None:
    """As everywhere; steps of the game don't count, and go on when those are spent."""
    pupil, most = Pupil(session, "priestsofra"), seat_mail.ANSWERS.most
    pupil.reply("{order}")
    for number in range(most + 2):
        pupil.reply(("help", "unsubscribe")[number % 2])

    assert len(pupil.letters()) == 1 + 1 + most
    assert len(pupil.reply("{order}").data["line"]) == 2
