"""The seat or person a request speaks for: keys from the ring, checked, with the reader's voice set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import g

from pbem import clock
from pbem.extensions import db
from pbem.play import links
from pbem.play import situation as situations
from pbem.play.table import nobody
from pbem.web import keyring, pages

if TYPE_CHECKING:
    from pbem.play.links import OpenedPlayer, OpenedSeat
    from pbem.play.situation import Situation


def enter(seat_id: int) -> OpenedSeat:
    """The seat, if this browser holds its key or its player's. Raises NotSeated, which every door answers alike."""
    epoch = keyring.held("seats").get(seat_id)
    opened = links.enter_seat(db.session(), clock.now(), seat_id, epoch=epoch, players=keyring.held("players"))
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
    keys = links.Keys(keyring.held("seats").get(seat_id), keyring.held("players"))
    opened, table = links.come_in(session, now, seat_id, keys, ply)
    pages.speak(opened.language, opened.zone)
    g.opened = opened
    found = situations.situation(session, now, seat_id, ply, table)
    pages.speak(opened.language, opened.zone, [player.name for player in found.players])
    return found


def person(player_id: int) -> OpenedPlayer:
    """The person, if this browser holds their own key (a single seat's isn't enough). Raises NotSeated."""
    opened = links.enter_player(db.session(), player_id, keyring.held("players").get(player_id, -1))
    pages.speak(opened.language, opened.zone)
    return opened
