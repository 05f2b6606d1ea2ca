"""Other services of a club: webhooks told of its games, keys for programs that speak for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, request

from pbem import clock
from pbem.capabilities import api_keys
from pbem.clubs.integrations import webhooks
from pbem.extensions import db
from pbem.web import pages
from pbem.web.club import views as club_pages

if TYPE_CHECKING:
    from flask import Response

    from pbem.clubs.club_views import ClubSummary

blueprint = Blueprint("services", __name__, url_prefix="/club/<slug>/services")


@blueprint.get("")
def show(slug: str) -> Response:
    """Show the club's webhooks and keys."""
    return _page(club_pages.enter(slug, organiser=True))


def _page(club: ClubSummary, secret: str = "") -> Response:
    session = db.session()
    held = [key for key in api_keys.keys_of(session, clock.now(), club.player_id) if key.club_id == club.id]
    return pages.show(
        "pages/services.html",
        club=club,
        hooks=webhooks.states(session, club.id),
        kinds=webhooks.KINDS,
        keys_held=held,
        secret=secret,
        form=request.form if pages.faults_found() else {},
    )


@blueprint.post("")
@pages.form_of(show)
def act(slug: str) -> Response:
    """Add or end a webhook, make or revoke a key; a secret is shown this once."""
    club, session, now, form = club_pages.enter(slug, organiser=True), db.session(), clock.now(), request.form
    secret = ""
    if form.get("act") == "hook":
        secret = webhooks.add(session, now, club.id, club.player_id, form.get("kind", ""), form.get("url", ""))
    elif form.get("act") == "key":
        secret = api_keys.issue_for_club(session, now, club.player_id, club.id, form.get("name", ""))
    elif form.get("act") in {"test", "retry"}:
        act_on = webhooks.try_out if form["act"] == "test" else webhooks.retry
        act_on(session, now, club.id, club.player_id, pages.number("hook"))
    elif form.get("act") == "end":
        webhooks.end(session, now, club.id, club.player_id, pages.number("hook"))
    elif form.get("act") == "revoke":
        api_keys.revoke(session, now, club.player_id, pages.number("key"))
    return _page(club, secret)
