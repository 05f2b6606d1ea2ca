"""Orders from players: read, checked, stored as they were typed, and answered, whatever comes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from pbem.engine.core.errors import AmbiguousOrder, EngineError
from pbem.engine.registry import rules_for
from pbem.errors import GameOver, NotAllowed, NotAwaited, PhaseClosed, PlayError, StalePhase, nobody
from pbem.letter_queue import LetterQueue
from pbem.play.orders.interpretation import KEPT, Interpretation, foresee, interpret
from pbem.store import unit_of_work
from pbem.store.models import LIVE, Game, GameState, OpenDecision, Player, Seat, StoredOrder, StoredStandingOrders
from pbem.store.queries import common, order_writes
from pbem.store.queries.order_writes import AskedRow, SubmittingSeatRow
from pbem.structs import Value, from_attributes

RECEIPT_WAITS = timedelta(minutes=5)
"""A receipt for an order given on a page waits so long: the page said it, and the next letter may say it too."""


LOOKS = (False, False, False, True)
"""How often an order is looked at anew because the game has moved on meanwhile; the last time its row is locked."""
_ADDRESSEE = (
    select(Game, Seat, Player).join(Seat, Seat.game_id == Game.id).join(Player).where(Seat.id == bindparam("seat_id"))
)


class Submission(Value, kw_only=True):
    """An order as it came in: whose, for which ply, by which way."""

    seat_id: int
    ply: int
    """The ply the question was asked for."""
    text: str = ""
    source: str = "web"
    """web, mail, api, sitter."""
    request: str = ""
    """The form's own mark; the same mark again is the same order."""
    player_id: int | None = None
    """Who sends it, if it isn't the seat's own player."""
    mail_id: int | None = None
    draft: bool = False
    """Only kept for now; counts when the deadline passes."""


class Receipt(Interpretation, kw_only=True):
    """What was understood of a submission, and what became of it."""

    accepted: bool
    """By mail the first order counts also where later ones are `dropped`, for the reasons in `faults`."""
    order_id: int


def submit(session: Session, now: datetime, submission: Submission) -> Receipt:
    """Store an order and answer it, also one that can't be used. Raises NotSeated if there is no such seat."""
    return _looked_at(session, now, submission, SubmissionHandler.give)


def withdraw(session: Session, now: datetime, submission: Submission) -> Receipt:
    """Take back the seat's order for a ply that isn't resolved. Refused like an order that comes too late."""
    return _looked_at(session, now, submission, SubmissionHandler.take_back)


def preview(session: Session, seat_id: int, text: str) -> Interpretation:
    """Return what `text` would mean now; nothing is stored. Raises NotSeated if there is no such seat."""
    found = order_writes.question(session, seat_id)
    if found is None:
        raise nobody()
    at = found.at
    try:
        decision = _decision(at, at.ply + 1, found.asked)
        rules = rules_for(at)
        meant = foresee(rules, at.seat, decision, interpret(rules, at.seat, decision, text))
        meant.refuse_broken()
    except (PlayError, EngineError) as refusal:
        return Interpretation(**_refused(refusal))
    return meant


def _refused(refusal: PlayError | EngineError) -> dict[str, Any]:
    """Return why a text can't be used, and what it may mean."""
    candidates = refusal.candidates if isinstance(refusal, AmbiguousOrder) else ()
    return {"faults": refusal.faults, "reason": type(refusal).__name__, "candidates": candidates}


def _looked_at(
    session: Session, now: datetime, submission: Submission, do: Callable[[SubmissionHandler], Receipt | None]
) -> Receipt:
    """Read the game and return `do` of it; repeat while `do` gives None: the game moved on between read and write.

    Raises NotSeated if there is no such seat, or it has changed hands meanwhile.
    """
    first: SubmittingSeatRow | None = None
    for locked in LOOKS:
        found = order_writes.question(session, submission.seat_id, locked=locked)
        if found is None or (first or found.at).player_id != found.at.player_id:
            raise nobody()
        at = found.at
        first = first or at
        ply = question_now(session, at.game_id, at.seat, submission.ply, at.ply + 1)
        sent = submission if ply == submission.ply else msgspec.structs.replace(submission, ply=ply)
        receipt = do(SubmissionHandler(session, now, at, found.asked, sent))
        if receipt is not None:
            return receipt
    raise AssertionError("a game whose row is locked has moved on")


def question_now(session: Session, game_id: int, seat: int, ply: int, current: int) -> int:
    """Return `current` if the question that the seat was asked at `ply` is still open, else `ply`.

    A question asked ahead of the seat's turn goes on while others act; no new letter is written for it, and a page or
    a letter that shows it as it stood before may answer it.
    """
    if not 0 <= ply < current:
        return ply
    went_on = common.count(
        session,
        OpenDecision.game_id == game_id,
        OpenDecision.seat == seat,
        OpenDecision.ply >= ply,
        OpenDecision.ply < current,
        OpenDecision.ahead,
        OpenDecision.answered_at.is_(None),
    )
    return current if went_on == current - ply else ply


def _decision(at: SubmittingSeatRow, ply: int, asked: Sequence[AskedRow]) -> AskedRow:
    """Return the decision an order for `ply` may answer. Raises GameOver, PhaseClosed, StalePhase or NotAwaited."""
    if at.state not in LIVE:
        raise GameOver("This game is over, so the order was not used.")
    if at.state != GameState.RUNNING:
        raise PhaseClosed("This game stands still at the moment, so the order was not used. Send it again later.")
    if ply != at.ply + 1:
        raise StalePhase("The question this order answers is settled: the game has moved on. See what is asked now.")
    for decision in asked:
        if decision.seat == at.seat:
            return decision
    raise NotAwaited("You are not asked anything at the moment, so the order was not used.")


class SubmissionHandler(msgspec.Struct):
    """One submission, beside its game as it was read."""

    session: Any
    """The session's own: what knows its tables needs not be looked over by the session, which costs a third more."""
    now: datetime
    at: SubmittingSeatRow
    asked: Sequence[AskedRow]
    """What the game asks at present."""
    submission: Submission

    def before(self) -> Receipt | None:
        """Return the receipt of the first of two identical requests; None if this is the first."""
        at, request = self.at, self.submission.request
        if not request:
            return None
        order = self.session.execute(
            select(StoredOrder.id, StoredOrder.kind, StoredOrder.canonical, StoredOrder.reason).where(
                StoredOrder.game_id == at.game_id, StoredOrder.seat == at.seat, StoredOrder.request == request
            )
        ).one_or_none()
        if order is None:
            return None
        accepted = order.kind in {"order", "draft"}
        return Receipt(accepted=accepted, order_id=order.id, canonical=order.canonical, reason=order.reason)

    def decision(self) -> AskedRow:
        """Return the decision it may answer."""
        if self.submission.draft and self.submission.source == "sitter":
            raise NotAllowed("A draft is its player's alone: send the order, or leave the question to them.")
        return _decision(self.at, self.submission.ply, self.asked)

    def refuse(self, refusal: PlayError | EngineError) -> Receipt:
        """Store the text as refused; return the reason."""
        told = _refused(refusal)
        order_id = order_writes.append(self.session, self.at, self._values("refused", reason=told["reason"])) or 0
        self._letter("refused", order_id, faults=msgspec.to_builtins(refusal.faults))
        return Receipt(accepted=False, order_id=order_id, **told)

    def give(self) -> Receipt | None:
        """Read the text and keep it as the order it is, or as refused; None if the game has moved on."""
        at, submission = self.at, self.submission
        try:
            decision = self.decision()
            rules = rules_for(at)
            meant = interpret(rules, at.seat, decision, submission.text)
            if meant.then:
                meant = foresee(rules, at.seat, decision, meant)
            if submission.source != "mail":  # whoever is still at the page or the program mends it; a mail is done with
                meant.refuse_broken()
        except (PlayError, EngineError) as refusal:
            return self.before() or self.refuse(refusal)
        return self.take(decision, meant)

    def take(self, decision: AskedRow, meant: Interpretation) -> Receipt | None:
        """Store a legal order; if it was the last one awaited, the game is due. None if the game has moved on."""
        draft, ready = self.submission.draft, self._is_last(decision)
        hand = "sitter" if self.submission.source == "sitter" else "player"
        effect = order_writes.OrderEffect() if draft else order_writes.OrderEffect(decision.id, counts=True, hand=hand)
        if ready and not draft:  # also if its time is over anyway: given back, that would put it off
            effect = effect._replace(wake="set", wake_at=self.now + timedelta(seconds=self.at.cooling))
        values = self._values("draft" if draft else "order", canonical=meant.chain if draft else meant.canonical)
        due = ready and not draft and not self.at.cooling
        # The last of those whose answers are held gets a receipt, too: without it they would know that they are.
        held = decision.secret or decision.held_until is not None
        told = not draft and (not due or held or self.submission.source in {"mail", "sitter"})
        chained = not draft and self._is_chained(meant.then)
        alone = not (told or chained)
        fresh, order_id = order_writes.keep(self.session, self.at, values, effect, alone=alone)
        if not fresh:
            return None
        if order_id is None:
            return self.before()
        if due:
            unit_of_work.made_due(self.session, unit_of_work.Work.GAMES)
        if chained:
            self._chain(meant.then)
        if told:
            self._receipt(order_id, meant)
        own = meant.canonical
        return from_attributes(Receipt, meant, accepted=True, order_id=order_id, canonical=own, faults=meant.broken)

    def take_back(self) -> Receipt | None:
        """Mark the decision as unanswered; None if the game has moved on."""
        try:
            decision = self.decision()
        except PlayError as refusal:
            return self.refuse(refusal)
        effect = order_writes.OrderEffect(decision.id, wake="leave" if decision.optional or decision.ahead else "cover")
        fresh, order_id = order_writes.keep(self.session, self.at, self._values("withdraw"), effect)
        if not fresh:
            return None
        if self._is_chained(()):
            self._chain(())
        return Receipt(accepted=True, order_id=order_id or 0)

    def _values(self, kind: str, *, canonical: str = "", reason: str = "") -> dict[str, Any]:
        """Return the order's row, its text as it came, but for what no database takes."""
        sent = self.submission
        text = sent.text[:KEPT].replace("\0", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "replace").decode("utf-8")
        return {
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

    def _is_chained(self, links: tuple[str, ...]) -> bool:
        """Return whether a chain ends or begins with this order."""
        return bool(links) or any(one.chained for one in self.asked)

    def _chain(self, links: tuple[str, ...]) -> None:
        """End the chain of the order before, and begin the one of this order."""
        at = self.at
        chain = (StoredStandingOrders.seat == at.seat, StoredStandingOrders.kind == "then")
        common.end_ahead(self.session, self.now, at.game_id, "replaced", *chain)
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
                    told_as="sitter" if self.submission.source == "sitter" else "",
                )
            )
        self.session.flush()

    def _is_last(self, decision: AskedRow) -> bool:
        """Return whether everybody has answered with this order."""
        needed = [one for one in self.asked if not (one.optional or one.ahead)]
        return decision in needed and all(one.order_id is not None or one.id == decision.id for one in needed)

    def _receipt(self, order_id: int, meant: Interpretation) -> None:
        """The letter that says what stands, and what of a chain doesn't."""
        broken = {"dropped": meant.dropped, "faults": msgspec.to_builtins(meant.broken)} if meant.why else {}
        self._letter("receipt", order_id, then=meant.then, **broken)

    def _letter(self, kind: str, order_id: int, **data: Any) -> None:
        """Queue the answer: at once to a mail, later to a page; a page's refusal gets none, as the page shows it."""
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
