"""Other services of a club: webhooks told of its games, keys for programs that speak for it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from flask import Blueprint, Response, request
from sqlalchemy.orm import Session

from pbem import clock
from pbem.capabilities import api_keys
from pbem.clubs.club_views import ClubSummary
from pbem.clubs.integrations import webhooks
from pbem.extensions import current, db
from pbem.web import pages
from pbem.web.club import views as club_pages

blueprint = Blueprint("services", __name__, url_prefix="/club/<slug>/services")


@blueprint.get("")
def show(slug: str) -> Response:
    """Show the club's webhooks and keys."""
    return _page(club_pages.organised(slug))


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
    club = club_pages.organised(slug)
    return _page(club, pages.button(_ACTIONS)(club) or "")


def _add_hook(club: ClubSummary) -> str:
    kind, url = pages.typed("kind"), pages.typed("url")
    return webhooks.add(*current(), club.id, club.player_id, kind, url)


def _make_key(club: ClubSummary) -> str:
    name = pages.typed("name")
    return api_keys.issue_for_club(*current(), club.player_id, club.id, name)


def _to_hook(do: Callable[[Session, datetime, int, int, int], None]) -> Callable[[ClubSummary], None]:
    return lambda club: do(*current(), club.id, club.player_id, pages.number("hook"))


_ACTIONS: dict[str, Callable[[ClubSummary], str | None]] = {
    "hook": _add_hook,
    "key": _make_key,
    "test": _to_hook(webhooks.try_out),
    "retry": _to_hook(webhooks.retry),
    "end": _to_hook(webhooks.end),
    "revoke": lambda club: api_keys.revoke(*current(), club.player_id, pages.number("key")),
}
"""What each button does; what it returns is a secret."""
