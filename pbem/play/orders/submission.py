"""Orders from players: read, checked, stored as they were typed, and answered, whatever comes."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, cast

import msgspec
from sqlalchemy import bindparam, select, update
from sqlalchemy.dialects import postgresql, sqlite

from pbem.engine.core.errors import AmbiguousOrder, EngineError
from pbem.engine.core.types import N_, Message
from pbem.engine.registry import rules_of
from pbem.errors import GameOver, NotAwaited, PhaseClosed, PlayError, StalePhase, nobody
from pbem.letter_queue import LetterQueue
from pbem.play.orders.interpretation import KEPT, Meant, foresee, understand
from pbem.store import unit_of_work
from pbem.store.models import Game, GameState, Player, Seat, StoredOrder, StoredStandingOrders
from pbem.store.queries import common, requests

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Table
    from sqlalchemy.orm import Session

    from pbem.store.queries.requests import AskedRow, SubmittingSeatRow

RECEIPT_WAITS = timedelta(minutes=5)
"""A receipt for an order given on a page waits so long: the page said it, and the next letter may say it too."""


_ORDERS = cast("Table", StoredOrder.__table__)
_KEEP = {
    dialect.dialect.name: dialect.insert(_ORDERS)
    .on_conflict_do_nothing(index_elements=["game_id", "seat", "request"])
    .returning(_ORDERS.c.id)
    for dialect in (postgresql, sqlite)
}
"""Append an order, unless the same form has brought it before."""
_ANSWER = update(requests.DECISIONS).where(requests.DECISIONS.c.id == bindparam("decision_id"))
_WAKE = update(requests.GAMES).where(requests.GAMES.c.id == bindparam("game_id"))
_ADDRESSEE = (
    select(Game, Seat, Player)
    .join(Seat, Seat.game_id == Game.id)
    .join(Player, Player.id == Seat.player_id)
    .where(Seat.id == bindparam("seat_id"))
)


class Submission(msgspec.Struct, frozen=True, kw_only=True):
    """An order on its way in."""

    seat_id: int
    ply: int
    """The ply the question was asked for."""
    text: str
    source: str = "web"
    """web, mail, api, sitter."""
    request: str = ""
    """The form's own mark; the same mark again is the same order."""
    player_id: int | None = None
    """Who sends it, if it isn't the seat's own player."""
    mail_id: int | None = None
    draft: bool = False
    """Only kept for now; counts when the deadline passes."""


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """What became of an order."""

    accepted: bool
    order_id: int
    canonical: str = ""
    """The one form the order has; empty if it could not be used."""
    says: tuple[Message, ...] = ()
    """What it will do."""
    then: tuple[str, ...] = ()
    """Orders kept for the next decisions of this phase."""
    dropped: tuple[str, ...] = ()
    """By mail: later orders that can't be played, for the reasons in `faults`; the first one counts all the same."""
    faults: tuple[Message, ...] = ()
    reason: str = ""
    """Why it was refused, as the error's name; empty if it wasn't."""
    candidates: tuple[str, ...] = ()
    """What an ambiguous text could have meant."""


def submit(session: Session, now: datetime, submission: Submission) -> Receipt:
    """Take an order. What can't be used is stored and answered too; raises NotSeated only if there is no such seat."""
    desk = _desk(session, now, submission)
    at = desk.at
    try:
        decision = desk.decision()
        rules = rules_of(at.game, at.rules_version)
        meant = understand(rules, at.seat, decision, submission.text)
        if meant.then:
            meant = foresee(rules, at.seat, decision, meant)
        if submission.source != "mail":  # whoever is still at the page or the program mends it; a mail is done with
            meant.refuse_broken()
    except (PlayError, EngineError) as refusal:
        return desk.before() or desk.refuse(refusal)
    return desk.take(decision, meant)


def withdraw(session: Session, now: datetime, seat_id: int, ply: int, source: str = "web") -> Receipt:
    """Take back the seat's order for a ply that isn't resolved. Refused like an order that comes too late."""
    desk = _desk(session, now, Submission(seat_id=seat_id, ply=ply, text="", source=source))
    try:
        decision = desk.decision()
    except PlayError as refusal:
        return desk.refuse(refusal)
    return desk.take_back(decision)


def preview(session: Session, seat_id: int, text: str) -> Meant:
    """What `text` would mean now, stored nowhere. Raises NotSeated if there is no such seat."""
    connection = session.connection()
    at = requests.chair(connection, seat_id, locked=False)
    if at is None:
        raise nobody()
    try:
        decision = _decision(at, at.ply + 1, requests.asked(connection, at))
        rules = rules_of(at.game, at.rules_version)
        meant = foresee(rules, at.seat, decision, understand(rules, at.seat, decision, text))
        meant.refuse_broken()
    except (PlayError, EngineError) as refusal:
        candidates = refusal.candidates if isinstance(refusal, AmbiguousOrder) else ()
        return Meant(faults=refusal.faults, reason=type(refusal).__name__, candidates=candidates)
    return meant


def _desk(session: Session, now: datetime, submission: Submission) -> SubmissionHandler:
    """The desk for a submission, its game locked and then looked at. Raises NotSeated if there is no such seat."""
    connection = session.connection()
    at = requests.chair(connection, submission.seat_id, locked=True)
    if at is None:
        raise nobody()
    return SubmissionHandler(session, connection, now, at, requests.asked(connection, at), submission)


def _same_request(session: Session, at: SubmittingSeatRow, request: str) -> Receipt | None:
    """The answer to a form that was sent before: what the first one came to."""
    order = session.execute(
        select(StoredOrder.id, StoredOrder.kind, StoredOrder.canonical, StoredOrder.reason).where(
            StoredOrder.game_id == at.game_id, StoredOrder.seat == at.seat, StoredOrder.request == request
        )
    ).one_or_none()
    if order is None:
        return None
    accepted = order.kind in {"order", "draft"}
    return Receipt(accepted=accepted, order_id=order.id, canonical=order.canonical, reason=order.reason)


def _decision(at: SubmittingSeatRow, ply: int, asked: Sequence[AskedRow]) -> AskedRow:
    """The decision an order for `ply` may answer. Raises GameOver, PhaseClosed, StalePhase or NotAwaited."""
    if at.state.is_over:
        raise GameOver(Message(N_("This game is over, so the order was not used.")))
    if at.state != GameState.RUNNING:
        raise PhaseClosed(
            Message(N_("This game stands still at the moment, so the order was not used. Send it again later."))
        )
    if ply != at.ply + 1:
        raise StalePhase(
            Message(N_("The question this order answers is settled: the game has moved on. See what is asked now."))
        )
    for decision in asked:
        if decision.seat == at.seat:
            return decision
    raise NotAwaited(Message(N_("You are not asked anything at the moment, so the order was not used.")))


class SubmissionHandler(msgspec.Struct):
    """One submission being dealt with, its game locked."""

    session: Any
    connection: Any
    """The session's own: what knows its tables needs not be looked over by the session, which costs a third more."""
    now: datetime
    at: SubmittingSeatRow
    asked: Sequence[AskedRow]
    """What the game asks at present."""
    submission: Submission

    def before(self) -> Receipt | None:
        """The answer to the same form, if it was sent before: what the first one came to."""
        if not self.submission.request:
            return None
        return _same_request(self.session, self.at, self.submission.request)

    def decision(self) -> AskedRow:
        """The decision it may answer."""
        return _decision(self.at, self.submission.ply, self.asked)

    def refuse(self, refusal: PlayError | EngineError) -> Receipt:
        """Keep the text, and say why it isn't used."""
        reason = type(refusal).__name__
        order_id = self._keep("refused", reason=reason) or 0
        self._letter("refused", order_id, faults=msgspec.to_builtins(refusal.faults))
        return Receipt(
            accepted=False,
            order_id=order_id,
            faults=refusal.faults,
            reason=reason,
            candidates=refusal.candidates if isinstance(refusal, AmbiguousOrder) else (),
        )

    def take(self, decision: AskedRow, meant: Meant) -> Receipt:
        """Store a good order; if it was the last one, the game is due."""
        kind = "draft" if self.submission.draft else "order"
        order_id = self._keep(kind, canonical=meant.chain if self.submission.draft else meant.canonical)
        if order_id is None:
            return cast("Receipt", self.before())
        if kind == "order":
            hand = "sitter" if self.submission.source == "sitter" else "player"
            self._answer(decision, order_id, hand)
            self._chain(meant.then)
            if not self._ready(decision) or self.submission.source in {"mail", "sitter"}:
                self._receipt(order_id, meant)  # else the ply's own letters tell at once
        return Receipt(
            accepted=True,
            order_id=order_id,
            canonical=meant.canonical,
            says=meant.says,
            then=meant.then,
            dropped=meant.dropped,
            faults=meant.broken,
        )

    def take_back(self, decision: AskedRow) -> Receipt:
        """Let the decision be unanswered again."""
        order_id = self._keep("withdraw") or 0
        self._answer(decision, None, "")
        self._chain(())
        if not decision.optional:
            self._wake(self.at.cover_at)
        return Receipt(accepted=True, order_id=order_id)

    def _keep(self, kind: str, *, canonical: str = "", reason: str = "") -> int | None:
        """Append the text as it came, but for what no database takes; None if the same form was sent before."""
        sent = self.submission
        text = sent.text[:KEPT].replace("\0", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "replace").decode("utf-8")
        values = {
            "game_id": self.at.game_id,
            "ply": sent.ply,
            "seat": self.at.seat,
            "player_id": sent.player_id or self.at.player_id,
            "text": text,
            "canonical": canonical,
            "kind": kind,
            "reason": reason,
            "source": sent.source,
            "request": sent.request or None,
            "mail_id": sent.mail_id,
            "created_at": self.now,
        }
        keep = _KEEP[self.connection.dialect.name]
        order_id: int | None = self.connection.execute(keep, values).scalar_one_or_none()
        return order_id

    def _answer(self, decision: AskedRow, order_id: int | None, hand: str) -> None:
        values = {"order_id": order_id, "hand": hand, "answered_at": None if order_id is None else self.now}
        if order_id is not None:
            values["nudge_at"] = None
        self.connection.execute(_ANSWER, {"decision_id": decision.id, **values})

    def _chain(self, links: tuple[str, ...]) -> None:
        """A new order ends the chain of the one before; its own chain begins."""
        at = self.at
        if any(one.chained for one in self.asked):
            for row in self.session.execute(common.live_chains(at.game_id, at.seat)).scalars():
                row.ended_at, row.ended_why = self.now, "replaced"
        if links:
            phase, round_ = common.scope_keys(self.session, at.game_id, at.ply)
            self.session.add(
                StoredStandingOrders(
                    game_id=at.game_id,
                    seat=at.seat,
                    kind="then",
                    text="\n".join(links),
                    phase=phase,
                    round=round_,
                    created_at=self.now,
                )
            )
        self.session.flush()

    def _ready(self, decision: AskedRow) -> bool:
        """Whether the game is due at once: everybody has answered now, and it has no cooling time."""
        needed = [one for one in self.asked if not one.optional]
        if decision.optional or any(one.order_id is None for one in needed if one.id != decision.id):
            return False
        due = self.now + timedelta(seconds=self.at.cooling)
        self._wake(due)  # also if its time is over anyway: given back, that would put it off
        if not self.at.cooling:
            unit_of_work.made_due(self.session, unit_of_work.Work.GAMES)
        return not self.at.cooling

    def _wake(self, moment: datetime | None) -> None:
        self.connection.execute(_WAKE, {"game_id": self.at.game_id, "wake_at": moment})

    def _receipt(self, order_id: int, meant: Meant) -> None:
        """The letter that says what stands, and what of a chain doesn't."""
        broken = {"dropped": meant.dropped, "faults": msgspec.to_builtins(meant.broken)} if meant.why else {}
        self._letter("receipt", order_id, then=meant.then, **broken)

    def _letter(self, kind: str, order_id: int, **data: Any) -> None:
        """A letter in answer: at once to a mail, later to a page, and never a refusal to a page, which shows it."""
        by_mail = self.submission.source == "mail"
        if self.at.player_id is None or (kind == "refused" and not by_mail):
            return
        post = LetterQueue(self.now)
        leaves = None if by_mail else self.now + RECEIPT_WAITS
        post.seat(
            *(kind, *self.session.execute(_ADDRESSEE, {"seat_id": self.at.seat_id}).one(), str(order_id)),
            order_id=order_id,
            mail_id=self.submission.mail_id,
            next_try_at=leaves,
            **data,
        )
        post.send(self.session)
