"""Calls that speak for one seat beside the board: standing orders, talk, notes, what was done by hand."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from pbem import clock
from pbem.extensions import db
from pbem.play.admin import action_log
from pbem.play.orders import standing_orders as standing
from pbem.play.seats import notes as notebook
from pbem.play.seats import talk
from pbem.play.views import seat_view as situations
from pbem.web import pages
from pbem.web.api.core import answers, any_seat, blueprint, keep, my_seat, problem, spec, words
from pbem.web.api.person_shapes import JournalOut, NotesOut
from pbem.web.api.shapes import StandingOut, TextIn, TrialOut, WordIn, WordOut


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
    return _trial(stored)


@blueprint.post("/seats/<int:seat_id>/standing/trial")
@spec.validate(json=TextIn, resp=answers(TrialOut), tags=["standing orders"])
def try_standing(seat_id: int, json: TextIn) -> Any:
    """What a standing order would mean and do now; nothing is stored."""
    return _trial(standing.trial(db.session(), clock.now(), my_seat(seat_id), json.text))


def _trial(tried: standing.StandingOrdersView) -> Any:
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
    return WordOut(word.seat, word.to_seat, word.text, word.at)


@blueprint.get("/seats/<int:seat_id>/notes")
@spec.validate(resp=answers(NotesOut), tags=["talk"])
def notes(seat_id: int) -> Any:
    """The seat's private notebook."""
    return NotesOut(notebook.note_of(db.session(), my_seat(seat_id)))


@blueprint.put("/seats/<int:seat_id>/notes")
@spec.validate(json=TextIn, resp=answers(NotesOut), tags=["talk"])
def write_notes(seat_id: int, json: TextIn) -> Any:
    """Replace the seat's private notebook."""
    kept = notebook.keep(db.session(), clock.now(), my_seat(seat_id), json.text)
    keep()
    return NotesOut(kept)


@blueprint.get("/seats/<int:seat_id>/journal")
@spec.validate(resp=answers(list[JournalOut]), tags=["talk"])
def by_hand(seat_id: int) -> Any:
    """What was done at the table outside the rules, the newest first: who looked at something hidden, and why."""
    number, _ = any_seat(seat_id)
    found = situations.situation(db.session(), clock.now(), number)
    pages.speak(names=[face.name for face in found.players], game=found.game.game)
    return journal_out(action_log.entries(db.session(), found.game.id))


def journal_out(entries: tuple[action_log.LogEntry, ...]) -> list[JournalOut]:
    """A table's journal in the caller's language."""
    say = pages.voice()
    return [JournalOut(one.at, one.by, one.act, say(one.said), one.reason) for one in entries]
