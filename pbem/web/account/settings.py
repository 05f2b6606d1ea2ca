"""A person's settings: language, zone, waking hours, digest, kinds of letter."""

from __future__ import annotations

from flask import Blueprint, Response, request

from pbem.extensions import current, db
from pbem.letter_kinds import stoppable
from pbem.letters import unsubscribe
from pbem.play.deadlines import absences
from pbem.play.seats import preferences
from pbem.web import dates, guards, pages
from pbem.web.seat import authorize

blueprint = Blueprint("settings", __name__)


def _wanted() -> preferences.Settings:
    """Return the settings as the form has them."""
    form = request.form
    hour = pages.typed("digest_hour").strip()
    return preferences.Settings(
        name=pages.typed("name")[:200],
        language=pages.typed("language")[:8],
        zone=pages.typed("zone").strip()[:64],
        wakes=dates.minutes(pages.typed("wakes")),
        sleeps=dates.minutes(pages.typed("sleeps")),
        weekends=bool(form.get("weekends")),
        quiet=bool(form.get("quiet")),
        digest_hour=(int(hour) if hour.isascii() and hour.isdigit() else dates.NO_TIME) if hour else None,
        rated=bool(form.get("rated")),
        kinds_off=tuple(kind.name for kind in stoppable() if not form.get(f"kind-{kind.name}")),
    )


def _again() -> set[tuple[int, str]]:
    """Return the kinds stopped for one game (seat's number, kind) that the form wants sent again."""
    pairs = (word.partition(":") for word in request.form.getlist("again"))
    return {(int(seat), kind) for seat, _, kind in pairs if seat.isascii() and seat.isdigit() and len(seat) < 10}  # noqa: PLR2004 - digits that a row's number has at most


@blueprint.get("/player/<int:player_id>/settings")
def edit(player_id: int) -> Response:
    """Show the settings; those that were refused as they were written."""
    authorize.authorize_person(player_id)
    kept = preferences.read_settings(db.session(), player_id)
    return pages.show(
        "pages/settings.html",
        player_id=player_id,
        settings=_wanted() if pages.faults_found() else kept,
        kept=kept,
        kinds=stoppable(),
        stopped=unsubscribe.stopped_in_games(db.session(), player_id),
        absences=absences.coming(*current(), player_id),
    )


@blueprint.post("/player/<int:player_id>/settings")
@pages.form_of(edit)
def change(player_id: int) -> Response:
    """Store the settings; what can't be used is named, and what was written stays in the form."""
    authorize.authorize_person(player_id)
    unsubscribe.change_settings(*current(), player_id, _wanted())
    unsubscribe.resume_in_games(db.session(), player_id, _again())
    return pages.go("settings.edit", player_id=player_id, kept=1)


@blueprint.post("/player/<int:player_id>/away")
@guards.once()
def away(player_id: int) -> Response:
    """Announce an absence, or come back early."""
    zone = authorize.authorize_person(player_id).zone
    session, now, form = *current(), request.form
    if form.get("act") == "cancel":
        absences.cancel(session, now, pages.number("id"), player_id)
    else:
        starts, ends = dates.day(pages.typed("starts"), zone), dates.day(pages.typed("ends"), zone, end=True)
        absences.announce(session, now, player_id, starts, ends, pages.typed("note"))
    return pages.go("settings.edit", player_id=player_id, kept=1)
