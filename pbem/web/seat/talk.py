"""Words at the table, to everybody or to one seat, and the notes one keeps for oneself."""

from __future__ import annotations

from flask import Blueprint, Response, request

from pbem.extensions import current, db
from pbem.play.seats import notes
from pbem.play.seats import talk as table_talk
from pbem.web import guards, pages
from pbem.web.seat import authorize

blueprint = Blueprint("talk", __name__)


@blueprint.get("/seat/<int:seat_id>/talk")
def talk(seat_id: int) -> Response:
    """Show what was said at the table, as far as this seat may hear it."""
    s = authorize.open_own_situation(seat_id)
    said, text, to = (
        table_talk.heard(db.session(), seat_id),
        pages.typed("text"),
        request.form.get("to", type=int),
    )
    return pages.show("pages/talk.html", s=s, said=said, text=text, to=to)


@blueprint.post("/seat/<int:seat_id>/talk")
@guards.once()
@pages.form_of(talk)
def speak(seat_id: int) -> Response:
    """Say something."""
    authorize.authorize_own_seat(seat_id)
    form = request.form
    table_talk.say(*current(), seat_id, pages.typed("text"), form.get("to", type=int))
    return pages.go("talk.talk", seat_id=seat_id)


@blueprint.post("/seat/<int:seat_id>/note")
def note(seat_id: int) -> Response:
    """Keep a note to oneself."""
    authorize.authorize_own_seat(seat_id)
    notes.keep(*current(), seat_id, pages.typed("text"))
    return pages.go("play.game", seat_id=seat_id, kept=1)
