"""Calls that play one seat: look, order, look back. Who sits in for somebody may make them too."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from pbem.extensions import current, db
from pbem.play.orders import interpretation, lookahead
from pbem.play.orders import submission as orders
from pbem.play.views import seat_view
from pbem.play.views.game_context import seat_of
from pbem.structs import from_attributes
from pbem.web import pages
from pbem.web.api.answers import answered, shape
from pbem.web.api.core import LATE, any_seat, calls, problem
from pbem.web.api.shapes import EventOut, Ply, PositionOut, Text, TextIn, WaitingOut

call = calls("seat")

_LATE = {fault.__name__ for fault in LATE}
AskedOut = shape(
    "AskedOut",
    "What the seat is asked. `form` has every choice with its price and effect.",
    seat_view.AskedDecision,
    "ply kind question due_at optional sealed answer draft",
    form=Any,
)
SeatOut = shape(
    "SeatOut",
    "A game as one seat sees it; `view` is everything it may see, as the rules give it.",
    seat_view.Situation,
    "seat_id seat game=game.game title=game.title slug=game.slug state=game.state ply heading players=players.name "
    "waiting=waiting.said why=waiting view asked",
    seat_id=int,
    seat=int,
    waiting=str,
    why=WaitingOut | None,
    asked=AskedOut | None,
)
NextOut = shape(
    "NextOut",
    "A decision that follows an order at once, because nothing is drawn and nobody else is asked in between, or "
    "nothing that others do touches it.",
    lookahead.LookaheadStep,
    "kind=form.kind question=form.question",
    form=Any,
)
OrderOut = shape(
    "OrderOut",
    "An order as it was understood, and the orders kept for the next decisions of this phase. In previews also what "
    "they will do as far as nothing can disturb them, and the decision that is sure to follow: answer it too by "
    "adding `; then ORDER` to the text. Asked before its turn, it may bear a second choice: `ORDER; else ORDER`.",
    interpretation.Interpretation,
    "canonical says then later",
    next=NextOut | None,
)
TextsOut = shape(
    "TextsOut",
    "What the seat has sent for one ply (order, draft, withdraw, refused), oldest first.",
    seat_view.OrderSummary,
    "text canonical kind reason source at=created_at",
)


class OrderIn(msgspec.Struct, forbid_unknown_fields=True):
    """An order on its way in."""

    text: Text
    ply: Ply
    """The ply the question was asked for: `asked.ply`."""
    request: Annotated[str, Meta(max_length=64)] = ""
    """Your own mark: the same mark again is the same order."""
    draft: bool = False
    """Only kept for now; counts when the deadline passes."""


@call("GET", "/seats/<int:seat_id>", SeatOut)
def seat(seat_id: int) -> Any:
    """The game as the seat sees it, and what it is asked."""
    return seen_by(seat_id)


@call("POST", "/seats/<int:seat_id>/orders", OrderOut, HTTPStatus.CONFLICT)
def order(seat_id: int, json: OrderIn) -> Any:
    """Give an order for the decision the seat is asked."""
    number, sitter = any_seat(seat_id)
    submission = from_attributes(
        orders.Submission,
        json,
        text=json.text,
        seat_id=number,
        source="api" if sitter is None else "sitter",
        player_id=sitter,
    )
    return _taken(orders.submit(*current(), submission))


def _taken(found: orders.Receipt) -> Any:
    """What became of an order, or the refusal."""
    return _refused(found) if not found.accepted else answered(OrderOut, found, later=[], next=None)


def _refused(found: interpretation.Interpretation) -> Any:
    status = HTTPStatus.CONFLICT if found.reason in _LATE else HTTPStatus.UNPROCESSABLE_ENTITY
    return problem(status, found.reason, found.faults, found.candidates)


@call("DELETE", "/seats/<int:seat_id>/orders/<int:ply>", OrderOut, HTTPStatus.CONFLICT)
def withdraw(seat_id: int, ply: int) -> Any:
    """Take back the order for a ply that isn't resolved yet."""
    return _taken(orders.withdraw(*current(), orders.Submission(seat_id=any_seat(seat_id)[0], ply=ply, source="api")))


@call("POST", "/seats/<int:seat_id>/preview", OrderOut, HTTPStatus.CONFLICT)
def preview(seat_id: int, json: TextIn) -> Any:
    """What an order would mean now; nothing is stored."""
    meant = orders.preview(db.session(), any_seat(seat_id)[0], json.text)
    return _refused(meant) if meant.faults else meant


@call("GET", "/seats/<int:seat_id>/events/<int:first>-<int:last>", [EventOut])
def events(seat_id: int, first: int, last: int) -> Any:
    """What happened in plies `first` to `last` (at most 500), as far as the seat may know."""
    found = seen_by(seat_id)
    return seat_view.story(db.session(), found.game.id, found.seat, first, min(last, first + 499), found.held)


@call("GET", "/seats/<int:seat_id>/positions/<int:ply>", PositionOut)
def position(seat_id: int, ply: int) -> Any:
    """The position after an earlier ply, as the seat may see it, and what happened there."""
    found = seen_by(seat_id, ply)
    told = seat_view.story(db.session(), found.game.id, found.seat, ply, ply, found.held)
    return answered(PositionOut, found, told=told)


@call("GET", "/seats/<int:seat_id>/orders/<int:ply>", [TextsOut])
def sent(seat_id: int, ply: int) -> Any:
    """Every text the seat has sent for one ply, as it was typed and understood; who sits in is given their own."""
    number, sitting = any_seat(seat_id)
    game, own = seat_of(db.session(), number)
    return seat_view.orders_of(db.session(), game.id, own.seat, ply, sitting)


def seen_by(seat_id: int, ply: int | None = None) -> seat_view.Situation:
    """What a seat of the caller's sees, at present or after `ply`; the answer speaks with the names at its table."""
    number, sitting = any_seat(seat_id)
    found = seat_view.situation(*current(), number, ply, sitting=sitting)
    pages.speak_at(found)
    return found
