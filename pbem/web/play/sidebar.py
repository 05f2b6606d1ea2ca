"""What lies beside the board on a player's pages: place in the queue, standing orders, notes, orders given."""

from __future__ import annotations

from typing import Any

from flask import g

from pbem.capabilities.links import OpenedPlayer, OpenedSeat
from pbem.engine.core.message import Message
from pbem.engine.registry import rules_for
from pbem.extensions import current, db
from pbem.inbound import receive
from pbem.inbound.receive import Unread
from pbem.play.orders import standing_orders, submission
from pbem.play.seats import proposals, sitters
from pbem.play.views import decision_queue as queues
from pbem.play.views import seat_view as situations
from pbem.play.views.decision_queue import QueueItem
from pbem.play.views.game_context import table_of
from pbem.play.views.seat_view import Situation
from pbem.store.models import Game, GameState
from pbem.structs import Value
from pbem.study import guides
from pbem.web import pages
from pbem.web.account import browser_keys


class SentOrder(Value, kw_only=True):
    """An order of a seat, looked at again."""

    canonical: str = ""
    says: tuple[Message, ...] = ()
    open: bool = False
    """Whether it can still be changed."""
    ply: int = -1


def readers() -> list[int]:
    """Return the numbers of this browser's persons: whom the one who looks can answer for."""
    return [person.player_id for person in browser_keys.persons()]


def queue(over: int | None = queues.LATEST) -> list[QueueItem]:
    """Return the games of every key held, decisions first; single seats' keys count for what they open.

    Of each person's games that are over the newest `over`, or all.
    """
    session, now = current()
    items = {item.seat_id: item for person in readers() for item in queues.queue(session, now, person, over)}
    held = {seat_id: epoch for seat_id, epoch in browser_keys.held("seats").items() if seat_id not in items}
    if held:
        items |= {
            item.seat_id: item for item in queues.of_seats(session, now, held) if item.epoch == held[item.seat_id]
        }
    return sorted(items.values(), key=_urgency)


def unread(people: list[OpenedPlayer], items: list[QueueItem]) -> tuple[Unread, ...]:
    """Return the reader's own mails in which no order was found."""
    held = browser_keys.held("seats")
    seats = [item.seat_id for item in items if held.get(item.seat_id) == item.epoch]
    return receive.unread(*current(), [person.player_id for person in people], seats)


def is_open(item: QueueItem) -> bool:
    """Return whether a decision waits there."""
    return item.question is not None and not item.answered and not item.optional and item.state == GameState.RUNNING


def _urgency(item: QueueItem) -> tuple[bool, bool, float, int]:
    due = item.due_at.timestamp() if item.due_at else float("inf")
    return (item.state.is_over, not is_open(item), due, item.seat_id)


def at_hand(s: Situation) -> dict[str, Any]:
    """Return what the templates show beside the board of a seat."""
    opened: OpenedSeat = g.opened
    waiting = opened.waiting
    others = [seat_id for seat_id in waiting if seat_id != s.seat_id]
    return {
        "of": len(waiting),
        "number": waiting.index(opened.seat_id) + 1 if opened.seat_id in waiting else 0,
        "next_url": pages.address("play.decide", seat_id=others[0]) if others else "",
        "standing": standing_orders.listed(db.session(), opened.seat_id) if opened.ahead else (),
        "note": opened.note,
        "votes": opened.proposed and opened.sitting is None and queues.lacks_vote(*current(), opened.seat_id),
        "against": _against(opened) if opened.proposed and opened.sitting is None else None,
        "way": guides.way(s.game.game, s.asked.kind) if s.asked else None,
        **({} if opened.sitting is None else {"sits": True, "sheet": _sheet(opened)}),
    }


def _against(opened: OpenedSeat) -> Message | None:
    """Return what the seat is told of a vote to replace it, if there is one."""
    session, now = current()
    table = table_of(session, session.get_one(Game, opened.game_id))
    return proposals.against(session, now, table, opened.seat)


def _sheet(opened: OpenedSeat) -> str:
    """Return what the seat's player wrote down for who sits in."""
    sitting = sitters.of_seat(*current(), opened.seat_id)
    return next((row.handover for row, _ in sitting if row.player_id == opened.sitting), "")


def given(s: Situation, ply: int) -> SentOrder:
    """Return what the seat was asked for `ply` and what it answered last, looked at from today."""
    assert s.seat is not None  # a seat's own page
    rows = situations.orders_of(db.session(), s.game.id, s.seat, ply)
    sent = [row for row in rows if row.kind in ("order", "withdraw")]
    if not sent:
        return SentOrder(ply=ply)
    still_open = s.asked is not None and s.asked.ply == ply
    canonical = sent[-1].canonical if sent[-1].kind == "order" else ""
    return SentOrder(canonical=canonical, says=says(s, canonical) if still_open else (), open=still_open, ply=ply)


def says(s: Situation, canonical: str) -> tuple[Message, ...]:
    """Return what an order that stands will do, in words; nothing if there is none."""
    assert s.seat_id is not None  # a seat's own page
    return submission.preview(db.session(), s.seat_id, canonical).says if canonical else ()


def question_then(s: Situation, ply: int) -> Message | None:
    """Return what a letter about `ply` asked; None where the seat wasn't asked then."""
    assert s.seat_id is not None  # a seat's own page
    assert s.seat is not None
    if ply < 1 or not situations.orders_of(db.session(), s.game.id, s.seat, ply):
        return None
    then = situations.situation(*current(), s.seat_id, ply - 1)
    return rules_for(s.game).question(then.view)
