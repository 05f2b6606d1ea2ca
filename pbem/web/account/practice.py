"""A game against bots in two taps: which title, how strong."""

from __future__ import annotations

from flask import Blueprint, Response

from pbem.errors import nobody
from pbem.extensions import current
from pbem.play.seats import practice
from pbem.web import pages
from pbem.web.account import browser_keys
from pbem.web.guards import limiter, once
from pbem.web.seat import authorize

blueprint = Blueprint("practice", __name__, url_prefix="/practice")


@blueprint.get("/")
def choose() -> Response:
    """Show the titles and strengths."""
    _player()
    return pages.show(
        "pages/practice.html",
        strengths=practice.STRENGTHS,
        faults=pages.faults_found(),
    )


@blueprint.post("/")
@limiter.limit("20 per hour")
@once()
@pages.form_of(choose)
def begin() -> Response:
    """Open the game and lead to its first decision."""
    player_id = _player()
    seat_id = practice.open_practice(*current(), player_id, pages.typed("game"), pages.typed("strength"))
    return pages.go("play.game", seat_id=seat_id)


def _player() -> int:
    """Return the person whose browser this is. Raises NotSeated for one that holds no link of a person."""
    held = sorted(browser_keys.held("players"))
    if not held:
        raise nobody()
    return authorize.authorize_person(held[0]).player_id
