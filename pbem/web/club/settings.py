"""A club's own pages for its organisers: its settings, letters to its members, who has how many games."""

from __future__ import annotations

from flask import Blueprint, Response, request

from pbem import clock
from pbem.clubs import club_views, workload
from pbem.clubs.members import announcements, club_settings, members
from pbem.engine.registry import GAMES, box_of
from pbem.extensions import current, db
from pbem.web import guards, pages
from pbem.web.club import views as club_pages

blueprint = Blueprint("club_settings", __name__, url_prefix="/club/<slug>")


@blueprint.get("/settings")
def edit(slug: str) -> Response:
    """Show the club's settings."""
    club = club_pages.organised(slug)
    return pages.show(
        "pages/club_settings.html",
        club=club,
        settings=club_settings.read(db.session(), club.id),
        underway=[one for one in club_views.games(db.session(), club.id, over=False) if one.state.is_underway],
        boxes=list(filter(box_of, GAMES)),
    )


@blueprint.post("/settings")
@pages.form_of(edit)
def save(slug: str) -> Response:
    """Settle them anew, or close the club."""
    club, form = club_pages.organised(slug), request.form
    session, now = current()
    if form.get("act") == "close":
        club_settings.close(session, now, club.id, club.player_id, pages.typed("typed"))
        return pages.go("player.queue")
    wanted = club_settings.ClubSettings(
        name=pages.typed("name"),
        language=pages.typed("language"),
        zone=pages.typed("zone").strip(),
        contact=pages.typed("contact"),
    )
    club_settings.change(session, now, club.id, club.player_id, wanted)
    return pages.go("club_settings.edit", slug=slug, saved=1)


@blueprint.get("/announce")
def write(slug: str) -> Response:
    """Show the form for a letter to the members."""
    club = club_pages.organised(slug)
    return pages.show(
        "pages/announce.html",
        club=club,
        settings=club_settings.read(db.session(), club.id),
        members=members.members(db.session(), club.id),
        unreached=members.unreached(db.session(), club.id),
        sent=request.args.get("sent", type=int),
    )


@blueprint.post("/announce")
@guards.once()
@pages.form_of(write)
def send(slug: str) -> Response:
    """Write to every member, or to those ticked; what was typed stays where it can't be sent."""
    club, form = club_pages.organised(slug), request.form
    count = announcements.announce(
        *current(),
        club.id,
        club.player_id,
        title=pages.typed("title"),
        text=pages.typed("text"),
        to=form.getlist("to", type=int),
    )
    return pages.go("club_settings.write", slug=slug, sent=count)


@blueprint.get("/workload")
def load(slug: str) -> Response:
    """Show every member's games: how many, how far, what waits, how they answer."""
    club = club_pages.organised(slug)
    text, order, now = request.args.get("text", "")[:60], request.args.get("order", ""), clock.now()
    order = order if order in workload.ORDERS else "games"
    return pages.show(
        "pages/workload.html",
        club=club,
        rows=workload.workload(db.session(), now, club.id, text, order),
        text=text,
        now=now,
        order=order,
        orders=workload.ORDERS,
    )
