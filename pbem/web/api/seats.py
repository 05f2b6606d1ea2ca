"""Calls that speak for one seat: look, order, talk, standing orders."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from pbem import clock, tasks
from pbem.engine.registry import rules_of
from pbem.engine.types import Said
from pbem.extensions import db
from pbem.play import notebook, orders, standing, talk
from pbem.play import situation as situations
from pbem.web import pages
from pbem.web.api.door import answers, blueprint, keep, my_seat, plain, problem, spec, words
from pbem.web.api.shapes import (
    AskedOut,
    EventOut,
    OrderIn,
    OrderOut,
    SeatOut,
    StandingOut,
    TextIn,
    TrialOut,
    WordIn,
    WordOut,
)

if TYPE_CHECKING:
    from pbem.play.situation import Situation

_LATE = {"GameOver", "PhaseClosed", "StalePhase"}


@blueprint.get("/seats/<int:seat_id>")
@spec.validate(resp=answers(SeatOut), tags=["seat"])
def seat(seat_id: int) -> Any:
    """The game as the seat sees it, and what it is asked."""
    found = situations.situation(db.session(), clock.now(), my_seat(seat_id))
    say = pages.speak(names=[face.name for face in found.players])
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
        form=plain(rules_of(found.game.game).form(found.view)),
    )


@blueprint.post("/seats/<int:seat_id>/orders")
@spec.validate(json=OrderIn, resp=answers(OrderOut, HTTPStatus.CONFLICT), tags=["seat"])
def order(seat_id: int, json: OrderIn) -> Any:
    """Give an order for the decision the seat is asked."""
    sent = orders.Submission(
        seat_id=my_seat(seat_id), ply=json.ply, text=json.text, source="api", request=json.request, draft=json.draft
    )
    receipt = orders.submit(db.session(), clock.now(), sent)
    keep()
    tasks.ring(receipt.ring, letters=True)
    if not receipt.accepted:
        return _refused(receipt.reason, receipt.faults, receipt.candidates)
    return OrderOut(receipt.canonical, words(receipt.says), list(receipt.then))


def _refused(reason: str, faults: tuple[Said, ...], candidates: tuple[str, ...]) -> Any:
    status = HTTPStatus.CONFLICT if reason in _LATE else HTTPStatus.UNPROCESSABLE_ENTITY
    return problem(status, reason, faults, candidates)


@blueprint.delete("/seats/<int:seat_id>/orders/<int:ply>")
@spec.validate(resp=answers(OrderOut, HTTPStatus.CONFLICT), tags=["seat"])
def withdraw(seat_id: int, ply: int) -> Any:
    """Take back the order for a ply that isn't resolved yet."""
    receipt = orders.withdraw(db.session(), clock.now(), my_seat(seat_id), ply, source="api")
    keep()
    if not receipt.accepted:
        return _refused(receipt.reason, receipt.faults, ())
    return OrderOut("", [])


@blueprint.post("/seats/<int:seat_id>/preview")
@spec.validate(json=TextIn, resp=answers(OrderOut, HTTPStatus.CONFLICT), tags=["seat"])
def preview(seat_id: int, json: TextIn) -> Any:
    """What an order would mean now; nothing is stored."""
    meant = orders.preview(db.session(), my_seat(seat_id), json.text)
    if meant.faults:
        return _refused(meant.reason, meant.faults, meant.candidates)
    return OrderOut(meant.canonical, words(meant.says), list(meant.then))


@blueprint.get("/seats/<int:seat_id>/events/<int:first>-<int:last>")
@spec.validate(resp=answers(list[EventOut]), tags=["seat"])
def events(seat_id: int, first: int, last: int) -> Any:
    """What happened in plies `first` to `last` (at most 500), as far as the seat may know."""
    found = situations.situation(db.session(), clock.now(), my_seat(seat_id))
    say = pages.speak(names=[face.name for face in found.players])
    told = situations.story(db.session(), found.game.id, found.seat, first, min(last, first + 499))
    return [EventOut(one.ply, one.at, say(one.event), one.event.rule) for one in told]


@blueprint.get("/seats/<int:seat_id>/standing")
@spec.validate(resp=answers(list[StandingOut]), tags=["standing orders"])
def standing_orders(seat_id: int) -> Any:
    """The seat's standing orders in force."""
    listed = standing.listed(db.session(), my_seat(seat_id))
    return [StandingOut(one.id, one.text, words(one.words), one.uses) for one in listed]


@blueprint.post("/seats/<int:seat_id>/standing")
@spec.validate(json=TextIn, resp=answers(TrialOut), tags=["standing orders"])
def store_standing(seat_id: int, json: TextIn) -> Any:
    """Put a standing order in force."""
    stored = standing.store(db.session(), clock.now(), my_seat(seat_id), json.text)
    keep()
    tasks.ring(stored.ring)
    return _trial(stored)


@blueprint.post("/seats/<int:seat_id>/standing/trial")
@spec.validate(json=TextIn, resp=answers(TrialOut), tags=["standing orders"])
def try_standing(seat_id: int, json: TextIn) -> Any:
    """What a standing order would mean and do now; nothing is stored."""
    return _trial(standing.trial(db.session(), clock.now(), my_seat(seat_id), json.text))


def _trial(tried: standing.Stored) -> Any:
    if tried.faults:
        return problem(HTTPStatus.UNPROCESSABLE_ENTITY, "InvalidOrder", tried.faults)
    return TrialOut(tried.standing_id, tried.text, words(tried.words), words(tried.today))


@blueprint.delete("/seats/<int:seat_id>/standing/<int:standing_id>")
@spec.validate(resp=answers(list[StandingOut]), tags=["standing orders"])
def end_standing(seat_id: int, standing_id: int) -> Any:
    """End a standing order; gives those left in force."""
    standing.end(db.session(), clock.now(), standing_id, my_seat(seat_id))
    keep()
    return standing_orders(seat_id)


@blueprint.get("/seats/<int:seat_id>/talk")
@spec.validate(resp=answers(list[WordOut]), tags=["talk"])
def heard(seat_id: int) -> Any:
    """What was said at the table, as far as the seat hears it."""
    return [WordOut(w.seat, w.to_seat, w.text, w.at) for w in talk.heard(db.session(), my_seat(seat_id))]


@blueprint.post("/seats/<int:seat_id>/talk")
@spec.validate(json=WordIn, resp=answers(WordOut), tags=["talk"])
def say_word(seat_id: int, json: WordIn) -> Any:
    """Say something to the table or to one seat."""
    word = talk.say(db.session(), clock.now(), my_seat(seat_id), json.text, json.to_seat)
    keep()
    tasks.ring(letters=True)
    return WordOut(word.seat, word.to_seat, word.text, word.at)


@blueprint.put("/seats/<int:seat_id>/notes")
@spec.validate(json=TextIn, resp=answers(TextIn), tags=["talk"])
def write_notes(seat_id: int, json: TextIn) -> Any:
    """Replace the seat's private notebook."""
    kept = notebook.keep(db.session(), clock.now(), my_seat(seat_id), json.text)
    keep()
    return TextIn(kept)
