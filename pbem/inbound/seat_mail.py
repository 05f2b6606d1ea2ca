"""A player's mail to one seat: orders given, commands done, and one answer with everything that came of it."""

from __future__ import annotations

import contextlib
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import partial
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import msgspec
from sqlalchemy import func, or_, select

from pbem.budgets import Budget
from pbem.engine.core.message import N_, Message
from pbem.engine.registry import rules_for
from pbem.engine.text.standing_text import joined
from pbem.errors import NotAllowed, PlayError, WrongInput
from pbem.inbound import dates, line_kinds
from pbem.inbound.line_kinds import MailQuestion
from pbem.inbound.receive import WorkedMail
from pbem.letter_queue import LetterQueue
from pbem.mail import automatic_patterns, incoming, reply
from pbem.mail.incoming import Mail
from pbem.play.admin import action_log
from pbem.play.deadlines import absences, waiting_reasons
from pbem.play.orders import interpretation, standing_orders, submission
from pbem.play.orders.submission import Submission
from pbem.play.seats import talk
from pbem.play.views.game_context import state_of
from pbem.store.models import Game, Inbound, Letter, Player, Seat, StoredOrder, StoredStandingOrders, Talk
from pbem.store.queries import common

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pbem.mail.address import SeatAddress
    from pbem.mail.reply import Command, Reading

KEPT = 1000
"""Characters that are kept of a mail in which nothing was found."""
ANSWERS = Budget(10, timedelta(days=1))
"""Answers to one player's mails: two servers that answer each other come to rest."""


_CLOCKS = timedelta(minutes=2)
"""How far the clock of somebody's mail program may be behind ours."""


class MailSession(WorkedMail):
    """A mail to a seat being worked: whose it is, and what its answer will say."""

    game: Game
    seat: Seat
    player: Player
    ply: int
    """The ply the answered letter asked about; where its question goes on, the one it is asked at now."""
    lost: int | None
    """The ply after which its writer lost the seat; None for who holds it."""
    most: int
    """After how many answers of a day it gets none: whoever had a seat's old address leaves half to its present one."""
    says: list[Any]
    faults: list[Any]
    letters: list[str]
    """Kinds of letter that answer by themselves: help, status."""


def work(at: WorkedMail, address: SeatAddress) -> None:
    """Do what a mail to a seat asks for; mark the row."""
    mailing, row, mail = _opened(at, address), at.row, at.mail
    if mailing is None:
        return
    question = _question(mailing)
    reading = line_kinds.read(mail.text, question)
    doubt = line_kinds.doubt(mail.text, reading, question)
    done = "order" if reading.orders else "command" if reading.commands else "unread"
    row.state, row.kind = "done", "unread" if doubt else done
    if row.kind == "unread":
        row.note = _own_words(mail)
    if not reading and _is_machine(mail) and not line_kinds.resembles(mail.text, question):
        return
    if mailing.lost is not None:
        mailing.faults.append(Message(_GIVEN_AWAY))
    elif address.epoch != mailing.seat.epoch:
        mailing.faults.append(Message(_RENEWED))
    elif address.over:
        mailing.faults.append(Message(_OLD))
    elif doubt is not None:
        mailing.faults.append(doubt)
    elif reading:
        _do(mailing, reading)
    else:
        mailing.faults += misplaced(mail, reading) or [Message(_UNREAD)]
    _answer(mailing)
    _tell_owner(mailing, asides=row.kind == "order" and line_kinds.asides(reading.rest, question))
    at.session.flush()


def _opened(at: WorkedMail, address: SeatAddress) -> MailSession | None:
    """Return the seat a mail came to, and whose it is; None if nobody plays there."""
    session = at.session
    seat = session.get(Seat, address.seat)
    older = seat is not None and address.epoch != seat.epoch
    before = action_log.held_before(session, seat.game_id, seat.seat) if seat and older else {}
    writer = _writer(at, seat, before) if seat else None
    player = common.lock_player(session, writer) if writer else None
    if seat is None or player is None:
        at.mark("ignored", "unread", "it is of nobody who plays there")
        return None
    game = session.get_one(Game, seat.game_id)
    at.row.seat_id, at.row.player_id = seat.id, player.id
    ply = submission.question_now(session, game.id, seat.seat, address.ply, game.ply + 1)
    lost = None if player.id == seat.player_id else before[player.id]
    most = ANSWERS.most // 2 if older else ANSWERS.most
    return MailSession(session, at.now, at.row, at.mail, game, seat, player, ply, lost, most, [], [], [])


def _writer(at: WorkedMail, seat: Seat, before: Mapping[int, int]) -> int | None:
    """Return whose mail it is: of who holds the seat, or of one who may have had the letter it answers `before`.

    They are known by where it comes from, as the address doesn't name them; None for anybody else.
    """
    if before.keys() <= {seat.player_id}:
        return seat.player_id
    known = select(Player.id).where(Player.address == at.mail.sender, Player.id.in_({*before, seat.player_id}))
    return at.session.scalar(known)


def refuse(at: WorkedMail, address: SeatAddress) -> None:
    """Answer a mail that is too big or too odd to be read."""
    mailing = _opened(at, address)
    if mailing is not None and _answered(at, mailing.player) < mailing.most:
        mailing.faults.append(Message(_TOO_MUCH))
        _answer(mailing)
        _tell_owner(mailing, asides=False)


def _is_machine(mail: Mail) -> bool:
    """Return whether a mail without any automatic header reads like an answering machine's: it gets no answer."""
    return automatic_patterns.is_away(f"{mail.subject}\n{_own_words(mail)}")


def is_silent(at: WorkedMail, player: Player) -> bool:
    """Return whether a mail without an order gets no answer: it is a machine's, or its writer has had today's.

    The words of one that asks for nothing are kept for their writer to see.
    """
    if at.row.kind == "unread":
        at.row.note = _own_words(at.mail)
    return _is_machine(at.mail) or _answered(at, player) >= ANSWERS.most


def _own_words(mail: Mail) -> str:
    """What is kept of a mail in which nothing was found, and shown to its writer: their own lines, or the subject."""
    return "\n".join(reply.written(mail.text))[:KEPT] or mail.subject


_RENEWED = N_(
    "Your links were renewed after that letter, so its reply address is not valid any more. Answer a newer one."
)
_GIVEN_AWAY = N_("That letter was about a seat that is not yours any more, so nothing was done.")
_OLD = N_("That letter is more than half a year old, so its reply address is not valid any more. Answer a newer one.")
_TOO_MUCH = N_("Your mail has too many parts to be read, so nothing was done. Please send the text alone.")
_ASKED = N_("{word!r} is a question, so nothing was played. Write it without the question mark to play it.")
_UNREAD = N_(
    "No order was found in your mail, so nothing was played. Write the order alone on the first line, or the word help."
)
_ATTACHED = N_(
    "Your mail holds only an attachment, which nobody reads, so nothing was played. Write the order as its text."
)
_BELOW = N_("Your order is under the quoted letter, where nothing is read. Please write it above everything else.")
_OLDER = N_("This mail was written before what you decided last, so what you decided last was kept.")
_NONE_STANDS = N_("No order of yours stands now. You can send one until the game moves on.")
_SAID = N_("Your words were passed on to the table.")
_AWAY = N_("You are away from {starts} to {ends}. Your clock stands still, and the others are told.")
_NO_DAYS = N_("{word!r} names no days that can be used: write them like 24 Dec to 2 Jan.")
_NO_ORDERS = N_("This address takes no orders, so nothing was done: answer the letter of the game they are for.")
_STORED = N_("Your standing order is in force:")


def _question(mailing: MailSession) -> MailQuestion:
    """Return the decision the answered letter asked for, without a reader where that isn't open any more."""
    rules = rules_for(mailing.game)
    decisions = common.decisions_of(mailing.session, mailing.game, mailing.ply)
    decision = next((one for one in decisions if one.seat == mailing.seat.seat), None)
    if decision is None or mailing.ply != mailing.game.ply + 1:
        return MailQuestion(rules, decision.kind if decision else "")
    state = state_of(rules, common.snapshot(mailing.session, mailing.game.id, mailing.game.ply))
    read = interpretation.reader(rules, state, decision.seat, sealed=decision.sealed)
    return MailQuestion(rules, decision.kind, read, decision.sealed)


def _do(mailing: MailSession, reading: Reading) -> None:
    """Orders first, then commands, in the mail's own order."""
    steps = [partial(_order, mailing, reading.orders)] if reading.orders else []
    steps += [partial(_COMMANDS[command.word], mailing, command) for command in reading.commands]
    for step in steps:
        try:
            step()
        except PlayError as refusal:
            mailing.faults += refusal.faults
    mailing.faults += misplaced(mailing.mail, reading)


def misplaced(mail: Mail, reading: Reading) -> list[Message]:
    """Return what is said of an order that is none: a question, or one where nothing is read."""
    found = [Message(_ASKED, {"word": reading.asked})] if reading.asked else []
    if not (reading.orders or reading.commands):
        if reading.below:
            found.append(Message(_BELOW))
        elif mail.attached and not reply.written(mail.text):
            found.append(Message(_ATTACHED))
    return found


def _order(mailing: MailSession, lines: tuple[str, ...]) -> None:
    """Several orders in one mail are a chain: the first answers the question, the others the next ones.

    Where a sealed list is asked, they are its lines.
    """
    _require_newest(mailing)
    decisions = common.decisions_of(mailing.session, mailing.game, mailing.ply)
    sealed = any(d.sealed for d in decisions if d.seat == mailing.seat.seat)
    submission.submit(
        mailing.session,
        mailing.now,
        Submission(
            seat_id=mailing.seat.id,
            ply=mailing.ply,
            text="\n".join(lines) if sealed else joined(lines),
            source="mail",
            mail_id=mailing.row.id,
        ),
    )


def _require_newest(mailing: MailSession) -> None:
    """Raise NotAllowed if the seat decided since this mail was written: mails overtake each other, and come twice.

    What was decided on a page or by a program counts from then on, as far as clocks agree.
    """
    written = _written_at(mailing.row)
    if written is None:
        return
    last = mailing.session.execute(
        select(StoredOrder.created_at, Inbound)
        .outerjoin(Inbound, Inbound.id == StoredOrder.mail_id)
        .where(
            StoredOrder.game_id == mailing.game.id,
            StoredOrder.seat == mailing.seat.seat,
            StoredOrder.ply == mailing.ply,
            StoredOrder.kind.in_(("order", "withdraw")),
            StoredOrder.mail_id.is_distinct_from(mailing.row.id),
        )
        .order_by(StoredOrder.id.desc())
        .limit(1)
    ).one_or_none()
    if last is None:
        return
    at, by_mail = last
    decided = _written_at(by_mail) if by_mail is not None else at - _CLOCKS
    if decided is not None and written < decided:
        raise NotAllowed(_OLDER)


def _require_new(mailing: MailSession, table: type[StoredStandingOrders | Talk], text: str) -> None:
    """Raise NotAllowed if the seat gave the same words after this mail was written: by this very mail, come before."""
    written = _written_at(mailing.row)
    if written is None:
        return
    if common.is_any(
        mailing.session,
        table.game_id == mailing.game.id,
        table.seat == mailing.seat.seat,
        table.created_at >= written,
        table.text == text,
    ):
        raise NotAllowed(_OLDER)


def _written_at(row: Inbound) -> datetime | None:
    """Return the Date a mail gives itself, which lies before it came in; None without one that can be read."""
    try:
        when = parsedate_to_datetime(incoming.head(row.raw, "Date"))
    except (ValueError, OverflowError):
        return None
    return min(when, row.received_at) if when.tzinfo is not None else None


def _help(mailing: MailSession, command: Command) -> None:
    mailing.letters.append("help" if command.word == "help" else "status")


def _cancel(mailing: MailSession, _command: Command) -> None:
    _require_newest(mailing)
    about = Submission(seat_id=mailing.seat.id, ply=mailing.ply, source="mail", mail_id=mailing.row.id)
    receipt = submission.withdraw(mailing.session, mailing.now, about)
    if receipt.accepted:
        mailing.says.append(Message(_NONE_STANDS))
    else:
        mailing.faults += receipt.faults


def _standing(mailing: MailSession, command: Command) -> None:
    meant = standing_orders.trial(mailing.session, mailing.seat.id, command.text).text
    _require_new(mailing, StoredStandingOrders, meant)
    stored = standing_orders.store(mailing.session, mailing.now, mailing.seat.id, command.text)
    if stored.faults:
        mailing.faults += stored.faults
        return
    mailing.says += [Message(_STORED), *stored.words, *stored.today]


def _absence(mailing: MailSession, command: Command) -> None:
    mailing.says.append(_announce(mailing, mailing.player, command.text))


def _announce(at: WorkedMail, player: Player, text: str) -> Message:
    """Announce a player's absence from days in words; return the sentence that says so. Raises WrongInput."""
    span = dates.span(text, at.now, ZoneInfo(player.zone))
    if span is None:
        raise WrongInput(_NO_DAYS, word=text)
    absences.announce(at.session, at.now, player.id, *span)
    return waiting_reasons.said(_AWAY, starts=span[0], ends=span[1])


def _talk(mailing: MailSession, command: Command) -> None:
    _require_new(mailing, Talk, command.text)
    talk.say(mailing.session, mailing.now, mailing.seat.id, command.text)
    mailing.says.append(Message(_SAID))


_COMMANDS: dict[str, Callable[[MailSession, Command], None]] = {
    "help": _help,
    "status": _help,
    "orders": _help,
    "cancel": _cancel,
    "standing": _standing,
    "absence": _absence,
    "talk": _talk,
}


def _answer(mailing: MailSession) -> None:
    """One letter for what was done and what wasn't, the order's own if there is one; and those asked for."""
    post = LetterQueue(mailing.now)
    number, game, seat = mailing.row.id, mailing.game, mailing.seat
    about = partial(post.seat, game=game, seat=seat, player=mailing.player, cause=f"mail{number}", mail_id=number)
    if mailing.lost is not None:  # about the game alone, as it stood then: of the seat nothing is theirs to read
        about = partial(
            post.person,
            player=mailing.player,
            cause=f"{game.id}:mail{number}",
            mail_id=number,
            game_id=game.id,
            ply=mailing.lost,
        )
    for kind in dict.fromkeys(mailing.letters):
        about(kind)
    text = "\n".join(reply.written(mailing.mail.text))[:KEPT] if mailing.faults else ""
    of_order = select(Letter).where(Letter.mail_id == number, Letter.kind.in_(("receipt", "refused")))
    own = mailing.session.scalar(of_order)
    if own is not None:
        beside = {"done": mailing.says, "undone": mailing.faults, "beside": text}
        own.data = {**own.data, **msgspec.to_builtins({name: said for name, said in beside.items() if said})}
    elif mailing.says:
        about("receipt", says=mailing.says, undone=mailing.faults, beside=text)
    elif mailing.faults:
        about("refused", faults=mailing.faults, text=text)
    post.send(mailing.session)


def _tell_owner(mailing: MailSession, *, asides: bool) -> None:
    """What the answers say besides: another From than the owner's, words nobody reads, no answer for today after it.

    After ten a day none.
    """
    written = mailing.session.scalars(select(Letter).where(Letter.mail_id == mailing.row.id)).all()
    sender = mailing.mail.sender
    had = _answered(mailing, mailing.player)
    for letter in written:
        if had >= mailing.most:
            letter.state, letter.last_error = "dropped", "enough answers in a day"
        if had == mailing.most - 1:
            letter.data = {**letter.data, "last": True}
        if sender and sender != (mailing.player.address or ""):
            letter.data = {**letter.data, "sender": sender}
        if asides:
            letter.data = {**letter.data, "asides": True}


def _answered(at: WorkedMail, player: Player) -> int:
    """Return how many mails of a player besides this one were answered within a day, steps of a first game apart.

    The caller has locked the player.
    """
    return at.session.execute(
        select(func.count(func.distinct(Letter.mail_id)))
        .join(Inbound, Inbound.id == Letter.mail_id)
        .where(
            or_(Letter.kind != "lesson", Inbound.kind != "order"),
            Letter.player_id == player.id,
            Letter.created_at > ANSWERS.since(at.now),
            Letter.mail_id.is_not(None),
            Letter.mail_id != at.row.id,
            Letter.state != "dropped",
        )
    ).scalar_one()


def answer_person(at: WorkedMail, player: Player) -> bool:
    """Answer a mail to a person's own address: an absence is noted; every word else is answered by the way in.

    Where nothing was found in it, the answer says so.
    """
    reading = reply.read(at.mail.text, lambda _line: False)
    if not reading.commands:
        at.row.note = _own_words(at.mail)
    if not reading and _is_machine(at.mail):
        return False
    says = [] if reading.commands else [Message(_BELOW if reading.below else _NO_ORDERS)]
    for days in (command.text for command in reading.commands if command.word == "absence"):
        try:
            says.append(_announce(at, player, days))
        except WrongInput as refusal:
            says += refusal.faults
    had = _answered(at, player)
    if had < ANSWERS.most:
        post = LetterQueue(at.now)
        last = {"last": True} if had == ANSWERS.most - 1 else {}
        post.person("fresh_link", player, f"mail{at.row.id}", mail_id=at.row.id, said=says, **last)
        with contextlib.suppress(WrongInput):  # the newest link is there; what the mail said is done
            post.send(at.session)
    return bool(reading.commands)
