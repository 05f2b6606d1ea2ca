"""Calls that play one seat: look, order, look back. Who sits in for somebody may make them too."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from pbem import clock
from pbem.engine.core.types import Message
from pbem.extensions import db
from pbem.play.orders import submission as orders
from pbem.play.views import seat_view as situations
from pbem.web import pages
from pbem.web.api.core import LATE, answers, any_seat, blueprint, keep, plain, problem, spec, waiting_out, words
from pbem.web.api.person_shapes import TextsOut
from pbem.web.api.shapes import (
    AskedOut,
    EventOut,
    NextOut,
    OrderIn,
    OrderOut,
    PositionOut,
    SeatOut,
    TextIn,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pbem.play.views.positions import Told
    from pbem.play.views.seat_view import Situation

_LATE = {fault.__name__ for fault in LATE}


@blueprint.get("/seats/<int:seat_id>")
@spec.validate(resp=answers(SeatOut), tags=["seat"])
def seat(seat_id: int) -> Any:
    """The game as the seat sees it, and what it is asked."""
    number, _ = any_seat(seat_id)
    found = situations.situation(db.session(), clock.now(), number)
    say = pages.speak(names=[face.name for face in found.players], game=found.game.game)
    return SeatOut(
        seat_id=seat_id,
        seat=found.seat or 0,
        game=found.game.game,
        title=found.game.title,
        slug=found.game.slug,
        state=found.game.state,
        ply=found.ply,
        heading=say(found.heading),
        players=[face.name for face in found.players],
        waiting=say(found.waiting.said) if found.waiting else "",
        why=waiting_out(found.waiting),
        view=plain(found.view),
        asked=_asked(found),
    )


def _asked(found: Situation) -> AskedOut | None:
    asked = found.asked
    if asked is None:
        return None
    return AskedOut(
        ply=asked.ply,
        kind=asked.kind,
        question=pages.voice()(asked.question),
        due_at=asked.due_at,
        optional=asked.optional,
        sealed=asked.sealed,
        answer=asked.answer,
        draft=asked.draft,
        form=plain(asked.form),
    )


@blueprint.post("/seats/<int:seat_id>/orders")
@spec.validate(json=OrderIn, resp=answers(OrderOut, HTTPStatus.CONFLICT), tags=["seat"])
def order(seat_id: int, json: OrderIn) -> Any:
    """Give an order for the decision the seat is asked."""
    number, sitter = any_seat(seat_id)
    submission = orders.Submission(
        seat_id=number,
        ply=json.ply,
        text=json.text,
        source="api" if sitter is None else "sitter",
        player_id=sitter,
        request=json.request,
        draft=json.draft,
    )
    receipt = orders.submit(db.session(), clock.now(), submission)
    keep()
    if not receipt.accepted:
        return _refused(receipt.reason, receipt.faults, receipt.candidates)
    return OrderOut(receipt.canonical, words(receipt.says), list(receipt.then))


def _refused(reason: str, faults: tuple[Message, ...], candidates: tuple[str, ...]) -> Any:
    status = HTTPStatus.CONFLICT if reason in _LATE else HTTPStatus.UNPROCESSABLE_ENTITY
    return problem(status, reason, faults, candidates)


@blueprint.delete("/seats/<int:seat_id>/orders/<int:ply>")
@spec.validate(resp=answers(OrderOut, HTTPStatus.CONFLICT), tags=["seat"])
def withdraw(seat_id: int, ply: int) -> Any:
    """Take back the order for a ply that isn't resolved yet."""
    receipt = orders.withdraw(db.session(), clock.now(), any_seat(seat_id)[0], ply, source="api")
    keep()
    if not receipt.accepted:
        return _refused(receipt.reason, receipt.faults, ())
    return OrderOut("", [])


@blueprint.post("/seats/<int:seat_id>/preview")
@spec.validate(json=TextIn, resp=answers(OrderOut, HTTPStatus.CONFLICT), tags=["seat"])
def preview(seat_id: int, json: TextIn) -> Any:
    """What an order would mean now; nothing is stored."""
    meant = orders.preview(db.session(), any_seat(seat_id)[0], json.text)
    if meant.faults:
        return _refused(meant.reason, meant.faults, meant.candidates)
    form = meant.next.form if meant.next else None
    follows = NextOut(form.kind, pages.voice()(form.question), plain(form)) if form else None
    return OrderOut(meant.canonical, words(meant.says), list(meant.then), words(meant.later), follows)


@blueprint.get("/seats/<int:seat_id>/events/<int:first>-<int:last>")
@spec.validate(resp=answers(list[EventOut]), tags=["seat"])
def events(seat_id: int, first: int, last: int) -> Any:
    """What happened in plies `first` to `last` (at most 500), as far as the seat may know."""
    number, _ = any_seat(seat_id)
    found = situations.situation(db.session(), clock.now(), number)
    pages.speak(names=[face.name for face in found.players], game=found.game.game)
    return _told(situations.story(db.session(), found.game.id, found.seat, first, min(last, first + 499)))


def _told(told: Iterable[Told]) -> list[EventOut]:
    say = pages.voice()
    return [EventOut(one.ply, one.at, say(one.event), one.event.rule) for one in told]


@blueprint.get("/seats/<int:seat_id>/positions/<int:ply>")
@spec.validate(resp=answers(PositionOut), tags=["seat"])
def position(seat_id: int, ply: int) -> Any:
    """The position after an earlier ply, as the seat may see it, and what happened there."""
    number, _ = any_seat(seat_id)
    found = situations.situation(db.session(), clock.now(), number, ply)
    say = pages.speak(names=[face.name for face in found.players], game=found.game.game)
    told = situations.story(db.session(), found.game.id, found.seat, ply, ply)
    return PositionOut(ply, found.at, say(found.heading), plain(found.view), _told(told))


@blueprint.get("/seats/<int:seat_id>/orders/<int:ply>")
@spec.validate(resp=answers(list[TextsOut]), tags=["seat"])
def sent(seat_id: int, ply: int) -> Any:
    """Every text the seat has sent for one ply, as it was typed and understood."""
    number, _ = any_seat(seat_id)
    found = situations.situation(db.session(), clock.now(), number)
    given = situations.orders_of(db.session(), found.game.id, found.seat or 0, ply)
    return [TextsOut(o.text, o.canonical, o.kind, o.reason, o.source, o.created_at) for o in given]
