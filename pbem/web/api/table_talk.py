"""Calls that speak for one seat beside the board: standing orders, talk, notes, what was done by hand."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

import msgspec

from pbem.extensions import current, db
from pbem.play.admin import action_log
from pbem.play.orders import standing_orders as standing
from pbem.play.seats import notes as notebook
from pbem.play.seats import talk
from pbem.web.api.answers import shape
from pbem.web.api.core import calls, my_seat, needed, problem
from pbem.web.api.seats import seen_by
from pbem.web.api.shapes import Mark, SeatNumber, Text, TextIn

standing_call = calls("standing orders")
call = calls("talk")

StandingOut = shape("StandingOut", "A standing order in force.", standing.Listed, "id text words uses")
TrialOut = shape(
    "TrialOut",
    "A standing order as it was understood, and what it would do in the present position.",
    standing.StandingOrdersView,
    "id=standing_id text words today",
)
WordOut = shape("WordOut", "Something that was said.", talk.Word, "seat to_seat text at")
JournalOut = shape(
    "JournalOut",
    "Something that was done at the table outside the rules: a look, a pause, a seat handed over.",
    action_log.LogEntry,
    "at by act text=said reason",
)


class WordIn(msgspec.Struct, forbid_unknown_fields=True):
    """Something to say at the table."""

    text: Text
    to_seat: SeatNumber | None = None
    """One seat alone; without it everybody hears it."""
    request: Mark = ""


class NotesOut(msgspec.Struct):
    """The seat's private notebook."""

    text: Text


@standing_call("GET", "/seats/<int:seat_id>/standing", [StandingOut])
def standing_orders(seat_id: int) -> Any:
    """The seat's standing orders in force."""
    return standing.listed(db.session(), my_seat(seat_id))


@standing_call("POST", "/seats/<int:seat_id>/standing", TrialOut)
def store_standing(seat_id: int, json: TextIn) -> Any:
    """Put a standing order in force."""
    return _trial(standing.store(*current(), my_seat(seat_id), json.text))


@standing_call("POST", "/seats/<int:seat_id>/standing/trial", TrialOut)
def try_standing(seat_id: int, json: TextIn) -> Any:
    """What a standing order would mean and do now; nothing is stored."""
    return _trial(standing.trial(db.session(), my_seat(seat_id), json.text))


def _trial(tried: standing.StandingOrdersView) -> Any:
    return problem(HTTPStatus.UNPROCESSABLE_ENTITY, "InvalidOrder", tried.faults) if tried.faults else tried


@standing_call("DELETE", "/seats/<int:seat_id>/standing/<int:standing_id>", [StandingOut])
def end_standing(seat_id: int, standing_id: int) -> Any:
    """End a standing order; gives those left in force."""
    standing.end(*current(), standing_id, my_seat(seat_id))
    return standing_orders(seat_id)


@call("GET", "/seats/<int:seat_id>/talk", [WordOut])
def heard(seat_id: int) -> Any:
    """What was said at the table, as far as the seat hears it."""
    return talk.heard(db.session(), my_seat(seat_id), limit=None)


@call("POST", "/seats/<int:seat_id>/talk", WordOut)
def say_word(seat_id: int, json: WordIn) -> Any:
    """Say something to the table or to one seat."""
    return talk.say(*current(), my_seat(seat_id), json.text, json.to_seat)


@call("GET", "/seats/<int:seat_id>/notes", NotesOut)
def notes(seat_id: int) -> Any:
    """The seat's private notebook."""
    return NotesOut(notebook.note_of(db.session(), my_seat(seat_id)))


@call("PUT", "/seats/<int:seat_id>/notes", NotesOut)
def write_notes(seat_id: int, json: TextIn) -> Any:
    """Replace the seat's private notebook."""
    return NotesOut(notebook.keep(*current(), my_seat(seat_id), json.text))


@call("GET", "/seats/<int:seat_id>/journal", [JournalOut])
def by_hand(seat_id: int) -> Any:
    """What was done at the table outside the rules, the newest first: who looked at something hidden, and why."""
    return action_log.entries(db.session(), seen_by(seat_id).game.id, needed())
