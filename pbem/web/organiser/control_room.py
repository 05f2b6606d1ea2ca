"""The organiser's control room: every game under way, filtered, and what is done to many of them at once."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from flask import Blueprint, Response, request

from pbem import clock
from pbem.clubs import club_views
from pbem.clubs.club_views import ClubSummary
from pbem.clubs.games import actions, control_room, undo
from pbem.engine.core.message import Message
from pbem.errors import StalePhase
from pbem.extensions import current, db
from pbem.web import guards, pages
from pbem.web.club import views as club_pages

blueprint = Blueprint("control", __name__, url_prefix="/club/<slug>")


@blueprint.get("/control")
def room(slug: str) -> Response:
    """Show every game under way and whom it waits for."""
    club = club_pages.organised(slug)
    wanted = _filter(request.args)
    session, now = current()
    return pages.show(
        "pages/control.html",
        club=club,
        wanted=wanted,
        rows=control_room.rows(session, now, club.id, wanted),
        now=now,
        states=control_room.STATES,
        orders=control_room.ORDERS,
        acts=actions.ACTIONS,
        views=control_room.views(session, club.id, club.player_id),
        recent=undo.recent(session, now, club.id),
        back=request.args.get("back", type=int),
        left=request.args.get("left", default=0, type=int),
        reliable=club_views.reliability(session, now, club.id),
    )


def _filter(values: Mapping[str, str]) -> control_room.Filter:
    """Return the filter that a form or an address asks for."""
    return control_room.Filter(
        state=values.get("state", "")[:20],
        game=values.get("game", "")[:20],
        text=values.get("text", "")[:80],
        order=values.get("order", control_room.USUAL)[:20],
    )


@blueprint.post("/control/views")
@guards.once()
def keep_view(slug: str) -> Response:
    """Keep the filter shown under a name, or forget one that was kept."""
    club, wanted = club_pages.organised(slug), _filter(request.form)
    if request.form.get("forget"):
        control_room.drop_view(db.session(), club.id, club.player_id, request.form["forget"])
    else:
        view = control_room.View(pages.typed("name"), wanted)
        control_room.save_view(*current(), club.id, club.player_id, view)
    return pages.go("control.room", slug=slug, **msgspec.structs.asdict(wanted))


def _chosen(club: ClubSummary) -> tuple[int, ...]:
    """Return the games ticked, or every one that the filter shows."""
    if request.form.get("all"):
        rows = control_room.rows(*current(), club.id, _filter(request.form))
        return tuple(row.game_id for row in rows)
    return tuple(request.form.getlist("games", type=int))


@blueprint.post("/control")
def act(slug: str) -> Response:
    """Preview an act on the games ticked, carry it out, or take one back."""
    club = club_pages.organised(slug)
    if request.form.get("undo"):
        return _undo(club)
    wish = actions.ActionRequest(
        act=pages.typed("act"),
        games=_chosen(club),
        by=club.player_id,
        hours=pages.number("hours", 0),
        reason=pages.typed("reason").strip(),
        seen=pages.typed("seen")[:64],
    )
    if not pages.is_sure(request.form):
        return _sure_page(club, wish)
    session = db.session()
    try:
        actions.carry_out(session, clock.now(), club.id, wish)
    except StalePhase as moved:
        session.rollback()
        return _sure_page(club, wish, moved.faults, 409)
    return pages.go("control.room", slug=slug)


def _sure_page(
    club: ClubSummary, wish: actions.ActionRequest, faults: tuple[Message, ...] = (), status: int = 200
) -> Response:
    """Return what the act would do to each game as it stands now."""
    done = actions.preview(*current(), club.id, wish)
    db.session.rollback()  # so that nobody is asked to prove who they are for a look
    return pages.show(
        "pages/sure.html",
        status,
        club=club,
        wish=msgspec.structs.asdict(wish),
        acts=actions.ACTIONS,
        done=done,
        faults_found=faults,
    )


def _undo(club: ClubSummary) -> Response:
    """Take an act back, and say how many games that reached."""
    undone = undo.undo(*current(), club.id, club.player_id, pages.number("undo"))
    return pages.go("control.room", slug=club.slug, back=undone.back, left=undone.left)
