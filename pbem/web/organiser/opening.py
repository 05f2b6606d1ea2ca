"""Opening games, one by a form or many from a table: options explained, deadlines shown before anybody is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flask import Blueprint, Response, request

from pbem.clubs.club_views import ClubSummary
from pbem.clubs.games import bulk_opening
from pbem.clubs.members import members
from pbem.engine.core.types import COLOURS
from pbem.engine.registry import GAMES, rules_of
from pbem.errors import PlayError
from pbem.extensions import current, db
from pbem.play.deadlines import cadence as deadlines
from pbem.play.deadlines.forecast import forecast
from pbem.play.seats import opening
from pbem.web import guards, pages
from pbem.web.club import views as club_pages

blueprint = Blueprint("opening", __name__, url_prefix="/club/<slug>")


@blueprint.get("/open")
def new(slug: str) -> Response:
    """Show the form that opens a game."""
    club = club_pages.organised(slug)
    wanted = request.form.get("game") or request.args.get("game") or GAMES[0]
    try:
        cadence = cadence_in(request.form)
    except PlayError:  # which the refusal says that this page answers
        cadence = deadlines.Cadence()
    found = members.members(db.session(), club.id)
    seated = {member.player_id for member in found if {str(member.player_id), member.name} & set(_seats())}
    return pages.show(
        "pages/open.html",
        club=club,
        meta=rules_of(wanted if wanted in GAMES else GAMES[0]).meta,
        members=found,
        speeds=deadlines.SPEEDS_SHOWN,
        cadence=cadence,
        fillers=bulk_opening.FILLERS,
        ways=deadlines.UNFILLED,
        dues=forecast(*current(), cadence, seated),
        named=len(seated),
    )


@blueprint.post("/open")
@guards.once()
@pages.form_of(new)
def opened(slug: str) -> Response:
    """Open a game, or several from a table; or only show the deadlines that a form's choices would lead to."""
    club = club_pages.organised(slug)
    if request.form.get("act") == "preview":
        cadence_in(request.form)  # named if it can't be used
        shown = new(slug)
        db.session.rollback()  # so that nobody is asked to prove who they are for a look
        return shown
    games = _open(club)
    if len(games) > 1:
        return pages.go("club.home", slug=slug)
    return pages.go("organiser.game", slug=games[0])


def _open(club: ClubSummary) -> Sequence[str]:
    """Open what the table says that was typed or sent, or the form's one game; give their slugs."""
    session, now, form = *current(), request.form
    table = pages.text_or_file("table")
    if table.strip():
        return bulk_opening.open_all(session, now, club.id, club.player_id, table)
    options = {name[4:]: form[name] for name in form if name.startswith("opt-") and form[name].strip()}
    line = bulk_opening.TableLine(pages.typed("title"), pages.typed("game"), cadence_in(form), options, tuple(_seats()))
    return [opening.open_game(session, now, bulk_opening.plan(session, club.id, club.player_id, line)).slug]


def cadence_in(form: Mapping[str, str]) -> deadlines.Cadence:
    """Return the pace a form asks for; what becomes of free seats counts only with an end of the wait.

    Raises WrongInput.
    """
    given = {word: typed for word in deadlines.WORDS if (typed := form.get(word, "").strip())}
    if "join" not in given and given.get("then") in deadlines.UNFILLED:
        given.pop("then")
    return deadlines.in_words(form.get("cadence") or "club", given)


def _seats() -> list[str]:
    """Return who is named for each seat that is used."""
    form = request.form
    count = min(pages.number("seats", 0), len(COLOURS))
    return [cell for number in range(count) if (cell := form.get(f"seat-{number}", "")) != bulk_opening.UNUSED]
