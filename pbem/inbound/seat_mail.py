"""A player's mail to one seat: orders given, commands done, and one answer with everything that came of it."""

from __future__ import annotations

import contextlib
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import msgspec
from sqlalchemy import func, select

from pbem.budgets import Budget
from pbem.engine.core.types import N_, Message
from pbem.engine.registry import rules_of
from pbem.errors import PlayError, WrongInput
from pbem.inbound import dates, line_kinds
from pbem.letter_queue import LetterQueue
from pbem.mail import automatic_patterns, incoming, reply
from pbem.mail.incoming import Mail
from pbem.play.deadlines import absences, waiting_reasons
from pbem.play.orders import standing_orders, submission
from pbem.play.orders.submission import Submission
from pbem.play.seats import talk
from pbem.store.models import Game, Inbound, Letter, Player, Seat, StoredOrder
from pbem.store.queries import common

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy.orm import Session

    from pbem.engine.text.notation import GrammarRow
    from pbem.mail.address import SeatAddress
    from pbem.mail.reply import Command, Reading

KEPT = 1000
"""Characters that are kept of a mail in which nothing was found."""
ANSWERS = Budget(10, timedelta(days=1))
"""Answers to one player's mails: two servers that answer each other come to rest."""


class MailSession(msgspec.Struct):
    """One mail being worked: whose it is, and what its answer will say."""

    session: Session
    now: datetime
    row: Inbound
    game: Game
    seat: Seat
    player: Player
    mail: Mail
    ply: int
    """The ply the answered letter asked about; where its question goes on, the one it is asked at now."""
    says: list[Any] = []
    faults: list[Any] = []
    letters: list[str] = []
    """Kinds of letter that answer by themselves: help, status."""


def work(session: Session, now: datetime, row: Inbound, address: SeatAddress, mail: Mail) -> None:
    """Do what a mail to a seat asks for; mark the row."""
    desk = _opened(session, now, row, address, mail)
    if desk is None:
        return
    grammar, asked = _asked_of(desk)
    reading = line_kinds.read(mail.text, grammar, asked)
    row.state, row.kind = "done", "order" if reading.orders else "command" if reading else "unread"
    slip = None if reading else line_kinds.command_meant(mail.text)
    if not reading:
        row.note = _own_words(mail)
        if slip is None and is_machine(mail) and not line_kinds.resembles(row.note, grammar, asked):
            return
        slip = slip or line_kinds.wrapped_order(mail.text, grammar, asked)
    if address.epoch != desk.seat.epoch:
        desk.faults.append(Message(_RENEWED))
    elif address.over:
        desk.faults.append(Message(_OLD))
    elif reading:
        _do(desk, reading)
    elif slip is not None:
        desk.faults.append(Message(_SLIP, {"word": slip[0], "name": slip[1]}))
    else:
        desk.faults.append(Message(_UNREAD))
    _answer(desk)
    _tell_owner(desk, asides=bool(reading.orders) and line_kinds.asides(reading.rest))
    session.flush()


def _opened(
    session: Session, now: datetime, row: Inbound, address: SeatAddress, mail: Mail | None = None
) -> MailSession | None:
    """The seat a mail came to, and whose it is; None if nobody plays there."""
    found = session.execute(
        select(Seat, Game, Player)
        .join(Game, Game.id == Seat.game_id)
        .join(Player, Player.id == Seat.player_id)
        .where(Seat.id == address.seat)
    ).one_or_none()
    if found is None:
        row.state, row.kind, row.note = "ignored", "unread", "the seat has no player"
        return None
    seat, game, player = found
    row.seat_id, row.player_id = seat.id, player.id
    ply = submission.question_now(session, game.id, seat.seat, address.ply, game.ply + 1)
    return MailSession(session, now, row, game, seat, player, mail or _NOTHING, ply)


def refuse(session: Session, now: datetime, row: Inbound, address: SeatAddress) -> None:
    """Answer a mail that is too big or too odd to be read."""
    desk = _opened(session, now, row, address)
    if desk is not None and not is_spent(session, now, desk.player.id, row.id):
        desk.faults.append(Message(_TOO_MUCH))
        _answer(desk)


def is_machine(mail: Mail) -> bool:
    """Whether a mail without any automatic header reads like an answering machine's: it gets no answer."""
    return automatic_patterns.is_away(f"{mail.subject}\n{_own_words(mail)}")


def is_silent(session: Session, now: datetime, row: Inbound, player: Player, mail: Mail) -> bool:
    """Whether a mail that asks for nothing gets no answer: it is a machine's, or its writer has had today's.

    The words are kept for their writer to see.
    """
    row.note = _own_words(mail)
    return is_machine(mail) or is_spent(session, now, player.id, row.id)


def _own_words(mail: Mail) -> str:
    """What is kept of a mail in which nothing was found, and shown to its writer: their own lines, or the subject."""
    return "\n".join(reply.written(mail.text))[:KEPT] or mail.subject


_RENEWED = N_(
    "Your links were renewed after that letter, so its reply address is not valid any more. Answer a newer one."
)
_OLD = N_("That letter is more than half a year old, so its reply address is not valid any more. Answer a newer one.")
_NOTHING = Mail(nature="personal", message_id="", sender="", to=(), subject="", text="")
_TOO_MUCH = N_("Your mail has too many parts to be read, so nothing was done. Please send the text alone.")
_ASKED = N_("{word!r} is a question, so nothing was played. Write it without the question mark to play it.")
_UNREAD = N_(
    "No order was found in your mail, so nothing was played. Write the order alone on the first line, or the word help."
)
_SLIP = N_("{word!r} can't be read, so nothing was done. Did you mean {name!r}?")
_BELOW = N_("Your order stands under the quoted letter, where nothing is read. Please write it above everything else.")
_OLDER = N_("This mail was written before the one whose order already stands, so the newer order was kept.")
_TAKEN_BACK = N_("Your order was taken back. You can send another until the game moves on.")
_SAID = N_("Your words were passed on to the table.")
_AWAY = N_("You are away from {starts} to {ends}. Your clock stands still, and the others are told.")
_NO_DAYS = N_("{word!r} names no days that can be used: write them like 24 Dec to 2 Jan.")
_STORED = N_("Your standing order is in force:")


def _asked_of(desk: MailSession) -> tuple[Sequence[GrammarRow], str]:
    """The game's grammar, and the kind of decision the answered letter asked for, if it is still open."""
    decisions = common.decisions_of(desk.session, desk.game.id, desk.ply)
    asked = next((d.kind for d in decisions if d.seat == desk.seat.seat), "")
    return rules_of(desk.game.game, desk.game.rules_version).grammar, asked


def _do(desk: MailSession, reading: Reading) -> None:
    """Orders first, then commands, in the mail's own order."""
    if reading.orders:
        _order(desk, reading.orders)
    for command in reading.commands:
        _COMMANDS[command.word](desk, command)
    if reading.asked:
        desk.faults.append(Message(_ASKED, {"word": reading.asked}))
    if reading.below:
        desk.faults.append(Message(_BELOW))


def _order(desk: MailSession, lines: tuple[str, ...]) -> None:
    """Several orders in one mail are a chain: the first answers the question, the others the next ones.

    Where a sealed list is asked, they are its lines.
    """
    if _is_older(desk):
        desk.faults.append(Message(_OLDER))
        return
    decisions = common.decisions_of(desk.session, desk.game.id, desk.ply)
    sealed = any(d.sealed for d in decisions if d.seat == desk.seat.seat)
    submission.submit(
        desk.session,
        desk.now,
        Submission(
            seat_id=desk.seat.id,
            ply=desk.ply,
            text="\n".join(lines) if sealed else "; then ".join(lines),
            source="mail",
            mail_id=desk.row.id,
        ),
    )


def _is_older(desk: MailSession) -> bool:
    """Whether a mail written later has been worked already: mails overtake each other."""
    written = _written_at(desk.row.raw)
    if written is None:
        return False
    other = desk.session.execute(
        select(Inbound.raw)
        .join(StoredOrder, StoredOrder.mail_id == Inbound.id)
        .where(
            StoredOrder.game_id == desk.game.id,
            StoredOrder.seat == desk.seat.seat,
            StoredOrder.ply == desk.ply,
            StoredOrder.kind == "order",
            StoredOrder.mail_id != desk.row.id,
        )
        .order_by(StoredOrder.id.desc())
        .limit(1)
    ).scalar_one_or_none()
    newest = _written_at(other) if other is not None else None
    return newest is not None and written < newest


def _written_at(raw: bytes) -> datetime | None:
    """The Date a mail gives itself; None without one that can be read."""
    try:
        when = parsedate_to_datetime(incoming.head(raw, "Date"))
    except ValueError:
        return None
    return when if when.tzinfo is not None else None


def _help(desk: MailSession, command: Command) -> None:
    desk.letters.append("help" if command.word == "help" else "status")


def _cancel(desk: MailSession, _command: Command) -> None:
    if _is_older(desk):
        desk.faults.append(Message(_OLDER))
        return
    receipt = submission.withdraw(desk.session, desk.now, desk.seat.id, desk.ply, source="mail")
    if receipt.accepted:
        desk.says.append(Message(_TAKEN_BACK))
    else:
        desk.faults += receipt.faults


def _standing(desk: MailSession, command: Command) -> None:
    stored = standing_orders.store(desk.session, desk.now, desk.seat.id, command.text)
    if stored.faults:
        desk.faults += stored.faults
        return
    desk.says += [Message(_STORED), *stored.words, *stored.today]


def _absence(desk: MailSession, command: Command) -> None:
    said = announce(desk.session, desk.now, desk.player, command.text)
    (desk.says if said.text == _AWAY else desk.faults).append(said)


def announce(session: Session, now: datetime, player: Player, text: str) -> Message:
    """Announce a player's absence from days in words; the sentence that answers it."""
    span = dates.span(text, now, ZoneInfo(player.zone))
    if span is None:
        return Message(_NO_DAYS, {"word": text[:80]})
    try:
        absences.announce(session, now, player.id, *span)
    except WrongInput as refusal:
        return refusal.faults[0]
    return waiting_reasons.said(_AWAY, starts=span[0], ends=span[1])


def _talk(desk: MailSession, command: Command) -> None:
    try:
        talk.say(desk.session, desk.now, desk.seat.id, command.text)
    except PlayError as refusal:
        desk.faults += refusal.faults
    else:
        desk.says.append(Message(_SAID))


_COMMANDS: dict[str, Callable[[MailSession, Command], None]] = {
    "help": _help,
    "status": _help,
    "orders": _help,
    "cancel": _cancel,
    "standing": _standing,
    "absence": _absence,
    "talk": _talk,
}


def _answer(desk: MailSession) -> None:
    """One letter for what was done, one for what wasn't, and those that were asked for."""
    post = LetterQueue(desk.now)
    cause = f"mail{desk.row.id}"
    for kind in dict.fromkeys(desk.letters):
        post.seat(kind, desk.game, desk.seat, desk.player, cause, mail_id=desk.row.id)
    if desk.says:
        says = msgspec.to_builtins(desk.says)
        post.seat("receipt", desk.game, desk.seat, desk.player, cause, mail_id=desk.row.id, says=says)
    if desk.faults:
        faults = msgspec.to_builtins(desk.faults)
        text = "\n".join(reply.written(desk.mail.text))[:KEPT]
        post.seat("refused", desk.game, desk.seat, desk.player, cause, mail_id=desk.row.id, faults=faults, text=text)
    post.send(desk.session)


def _tell_owner(desk: MailSession, *, asides: bool) -> None:
    """What the answers say besides: another From than the owner's, words nobody reads. After ten a day none."""
    written = desk.session.execute(select(Letter).where(Letter.mail_id == desk.row.id)).scalars().all()
    sender = desk.mail.sender
    spent = is_spent(desk.session, desk.now, desk.player.id, desk.row.id)
    for letter in written:
        if spent:
            letter.state, letter.last_error = "dropped", "ten answers in a day"
        if sender and sender != (desk.player.address or ""):
            letter.data = {**letter.data, "sender": sender}
        if asides:
            letter.data = {**letter.data, "asides": True}


def is_spent(session: Session, now: datetime, player_id: int, mail_id: int) -> bool:
    """Whether a player has had today's answers."""
    sent = session.execute(
        select(func.count(func.distinct(Letter.mail_id))).where(
            Letter.player_id == player_id,
            Letter.created_at > ANSWERS.since(now),
            Letter.mail_id.is_not(None),
            Letter.mail_id != mail_id,
        )
    ).scalar_one()
    return sent >= ANSWERS.most


def answer_person(session: Session, now: datetime, row: Inbound, player: Player, mail: Mail) -> bool:
    """Answer a mail to a person's own address: an absence is noted; every word else is answered by the way in."""
    reading = reply.read(mail.text, lambda _line: False)
    if not reading:
        row.note = _own_words(mail)
    if not reading and is_machine(mail):
        return False
    says = [announce(session, now, player, c.text) for c in reading.commands if c.word == "absence"]
    if not is_spent(session, now, player.id, row.id):
        post = LetterQueue(now)
        post.person("fresh_link", player, f"mail{row.id}", mail_id=row.id, said=msgspec.to_builtins(says))
        with contextlib.suppress(WrongInput):  # the newest link is there; what the mail said is done
            post.send(session)
    return bool(reading)
