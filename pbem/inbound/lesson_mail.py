"""A reply to a letter of a first game: its orders are played, and the next letter leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.engine.core.errors import EngineError
from pbem.engine.core.message import N_, Message
from pbem.engine.text import standing_text
from pbem.inbound import line_kinds, seat_mail
from pbem.inbound.line_kinds import MailQuestion
from pbem.play import lesson_letters
from pbem.play.orders.interpretation import reader
from pbem.store.models import Letter
from pbem.store.queries import common
from pbem.study import lessons, sandbox
from pbem.study.lessons import LESSONS, PUPIL

if TYPE_CHECKING:
    from pbem.inbound.receive import WorkedMail
    from pbem.mail.address import LessonAddress
    from pbem.mail.incoming import Mail
    from pbem.study.lessons import Lesson

_UNREAD = N_(
    "No order was found in your mail. Write the order alone on the first line, such as {example!r}, or the word help."
    " If you have had enough, leave this letter: no more come."
)


def work(at: WorkedMail, address: LessonAddress) -> None:
    """Play what the reply orders and send the next letter, or the same again with what was wrong; mark the row."""
    letter, row = at.session.get(Letter, address.letter), at.row
    player = common.lock_player(at.session, letter.player_id) if letter and letter.player_id else None
    stale = player is None or player.epoch != address.epoch or address.over
    if letter is None or player is None or stale or letter.kind != "lesson":
        at.mark("ignored", "unread", "no lesson is open there")
        return
    lesson, line = LESSONS.get(letter.data["lesson"]), tuple(letter.data["line"])
    row.player_id = player.id
    if lesson is None or lessons.step(lesson, line).is_last:
        at.mark("ignored", "unread", "the lesson is over")
        return
    played, told = _played(lesson, line, at.mail)
    row.state, row.kind = "done", "order" if len(played) > len(line) else "command" if "help" in told else "unread"
    if row.kind != "order" and seat_mail.is_silent(at, player):
        return
    lesson_letters.lead_on(at.session, at.now, player, lesson.game, played, f"mail{row.id}", mail_id=row.id, **told)


def _played(lesson: Lesson, line: tuple[str, ...], mail: Mail) -> tuple[tuple[str, ...], dict[str, Any]]:
    """The line with the mail's orders, as far as they can be played, and what the next letter tells besides.

    That is what is wrong with the first that can't be played, or all there is to order where that was asked for.
    """
    root = lessons.sandbox_of(lesson)
    position = sandbox.play(root, line).state
    question = MailQuestion(root.rules, root.rules.asked(position)[PUPIL].kind, reader(root.rules, position, PUPIL))
    reading = line_kinds.read(mail.text, question)
    if doubt := line_kinds.doubt(mail.text, reading, question):
        return line, {"faults": [doubt]}
    orders = [text.strip() for order in reading.orders for text in standing_text.links(order)]
    for text in orders[: lesson.length - len(line)]:
        at = sandbox.play(root, line)
        if at.seat is None:
            break
        try:
            line = (*line, str(sandbox.read(root, at, text)))
        except EngineError as refusal:
            return line, {"faults": refusal.faults}
    if any(command.word == "help" for command in reading.commands):
        return line, {"help": True}
    if faults := seat_mail.misplaced(mail, reading):
        return line, {"faults": faults}
    if orders:
        return line, {}
    return line, {"faults": [Message(_UNREAD, {"example": lessons.step(lesson, line).suggestions[0].text})]}
