"""A game against bots in two taps: which title, how strong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, request

from pbem import clock
from pbem.engine.core.errors import EngineError
from pbem.engine.registry import GAMES, rules_of
from pbem.errors import PlayError, nobody
from pbem.extensions import db
from pbem.play.seats import practice
from pbem.web import pages
from pbem.web.account import browser_keys
from pbem.web.guards import limiter
from pbem.web.seat import authorize

if TYPE_CHECKING:
    from flask import Response

    from pbem.engine.core.types import Message

blueprint = Blueprint("practice", __name__, url_prefix="/practice")


@blueprint.get("/")
def choose() -> Response:
    """Show the titles and strengths."""
    _player()
    return _page()


@blueprint.post("/")
@limiter.limit("20 per hour")
def begin() -> Response:
    """Open the game and lead to its first decision."""
    player_id = _player()
    try:
        seat_id = practice.open_practice(
            db.session(), clock.now(), player_id, request.form.get("game", ""), request.form.get("strength", "")
        )
    except (PlayError, EngineError) as wrong:
        db.session.rollback()
        return _page(wrong.faults, 422)
    db.session.commit()
    return pages.go("play.game", seat_id=seat_id)


def _player() -> int:
    """Return the person whose browser this is. Raises NotSeated for one that holds no link of a person."""
    held = sorted(browser_keys.held("players"))
    if not held:
        raise nobody()
    return authorize.authorize_person(held[0]).player_id


def _page(faults: tuple[Message, ...] = (), status: int = 200) -> Response:
    return pages.show(
        "pages/practice.html",
        status=status,
        titles=[rules_of(game).meta for game in GAMES],
        strengths=practice.STRENGTHS,
        faults=faults,
    )
