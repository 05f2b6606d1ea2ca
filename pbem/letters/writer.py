"""A letter's facts become a mail: its content in the reader's words, its headers, its picture."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from pbem.letters.content import content
from pbem.letters.content_builder import plain_name
from pbem.mail.compose import Envelope, Picture, Rendered, compose
from pbem.mail.render import render
from pbem.mail.smtp import OutgoingMail
from pbem.messages import Translator

if TYPE_CHECKING:
    from pbem.letters.context import LetterData
    from pbem.letters.mail_context import MailContext


def compose_mail(letter: LetterData, house: MailContext, now: datetime, answers: str = "") -> OutgoingMail:
    """Return the letter as a mail, ready to go; `answers` is the Message-ID of the mail it answers."""
    say = _translator(letter)
    said, picture = content(letter, house, say)
    rendered = render(letter.kind, said, say)
    raw = compose(rendered, _envelope(letter, house, now, said.foot.unsubscribe, answers), picture)
    return OutgoingMail(
        number=letter.letter_id,
        return_path="" if answers else house.addresses.bounce(letter.letter_id),
        to=letter.to.address,
        raw=house.signer.sign(raw) if house.signer else raw,
    )


def _translator(letter: LetterData) -> Translator:
    """Return the reader's translator, with the names of those at the table."""
    seen = letter.situation
    names = tuple(face.name for face in seen.players) if seen else ()
    return Translator(letter.to.language, letter.to.zone, names, seen.game.game if seen else "")


def _envelope(letter: LetterData, house: MailContext, now: datetime, unsubscribe: str, answers: str) -> Envelope:
    seen = letter.situation
    domain = house.addresses.domain
    return Envelope(
        kind=letter.kind,
        message_id=f"<{letter.message_id}@{domain}>",
        date=now,
        sender=f"{house.addresses.prefix}@{domain}",
        sender_name=(letter.club if letter.to.confirmed else plain_name(letter.club)) or house.name,
        to=letter.to.address,
        to_name=letter.to.name if letter.to.confirmed else "",
        reply_to=house.reply_to(letter),
        game=str(seen.game.id) if seen else "",
        game_name=seen.game.title if seen else "",
        club=str(seen.game.club_id or "") if seen else "",
        unsubscribe=unsubscribe,
        in_reply_to=answers,
    )


def preview(letter: LetterData, house: MailContext) -> tuple[Rendered, Picture | None]:
    """Return what the letter says, without its headers, and its picture."""
    say = _translator(letter)
    said, picture = content(letter, house, say)
    return render(letter.kind, said, say), picture
