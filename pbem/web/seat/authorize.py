"""The seat or person a request speaks for: keys from the ring, checked, with the reader's voice set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import g

from pbem import clock
from pbem.capabilities import links
from pbem.errors import nobody
from pbem.extensions import db
from pbem.play.views import seat_view as situations
from pbem.web import pages
from pbem.web.account import browser_keys

if TYPE_CHECKING:
    from pbem.capabilities.links import OpenedPlayer, OpenedSeat
    from pbem.play.views.seat_view import Situation


def enter(seat_id: int) -> OpenedSeat:
    """The seat, if this browser holds its key or its player's. Raises NotSeated, which every door answers alike."""
    epoch = browser_keys.held("seats").get(seat_id)
    opened = links.enter_seat(db.session(), clock.now(), seat_id, epoch=epoch, players=browser_keys.held("players"))
    pages.speak(opened.language, opened.zone)
    g.opened = opened
    return opened


def own(seat_id: int) -> OpenedSeat:
    """The seat, for its own player; to a sitter its private arrangements don't exist. Raises NotSeated."""
    opened = enter(seat_id)
    if opened.sitting is not None:
        raise nobody()
    return opened


def sit(seat_id: int, ply: int | None = None) -> Situation:
    """What the seat may see, at present or after `ply`; the players' names go into the voice."""
    session, now = db.session(), clock.now()
    keys = links.Keys(browser_keys.held("seats").get(seat_id), browser_keys.held("players"))
    opened, table = links.authorize_seat(session, now, seat_id, keys, ply)
    pages.speak(opened.language, opened.zone)
    g.opened = opened
    found = situations.situation(session, now, seat_id, ply, table)
    pages.speak(opened.language, opened.zone, [player.name for player in found.players], game=found.game.game)
    return found


def person(player_id: int) -> OpenedPlayer:
    """The person, if this browser holds their own key (a single seat's isn't enough). Raises NotSeated."""
    opened = links.enter_player(db.session(), player_id, browser_keys.held("players").get(player_id, -1))
    pages.speak(opened.language, opened.zone)
    return opened
