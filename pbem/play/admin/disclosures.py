"""An organiser's look at something hidden: for a reason, told to everybody at the table, never where they play."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import select

from pbem.errors import NotAllowed, WrongInput, nobody
from pbem.play.admin import action_log
from pbem.play.orders import standing_orders as standing
from pbem.play.views import seat_view as situation
from pbem.play.views.game_context import table_of
from pbem.store.models import OpenDecision, Seat, Sitter, StoredOrder
from pbem.store.queries import common
from pbem.structs import Value

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from sqlalchemy.orm import Session

    from pbem.play.admin.action_log import AdminAction
    from pbem.play.orders.standing_orders import Listed
    from pbem.play.views.seat_view import Situation
    from pbem.store.models import Game

WHAT = ("view", "orders", "standing")
"""What can be looked at of a seat: what only it may see, the orders it has given, its standing orders."""
LEAST = 10
"""Characters of a reason."""


class Disclosure(Value, kw_only=True):
    """What was looked at; only what was asked for is filled."""

    situation: Situation
    """As a spectator sees it; as the seat does for a look at its view, but never with what it is asked."""
    seat: int
    what: str
    orders: tuple[str, ...] = ()
    """What the seat has answered to the questions open now."""
    standing: tuple[Listed, ...] = ()


def refuse_players(session: Session, now: datetime, game: Game, persons: Collection[int]) -> None:
    """Raise NotAllowed if one of these persons plays in the game or sits in for somebody there."""
    sits = (Sitter.game_id == game.id, Sitter.player_id.in_(persons), Sitter.lasts(now))
    if common.is_any(session, Seat.game_id == game.id, Seat.player_id.in_(persons)) or common.is_any(session, *sits):
        raise NotAllowed(
            "You play in this game, so nothing hidden of it is shown to you. Ask another organiser to look."
        )


def refuse_who_knows(session: Session, now: datetime, game_id: int, player_id: int, seat: int) -> None:
    """Raise WrongInput for who knows what is hidden of another seat: they looked, sat in there, or played it."""
    if action_log.has_looked(session, game_id, player_id):
        raise WrongInput("This person has looked at something hidden of the game as its organiser; name somebody else.")
    sat = (Sitter.game_id == game_id, Sitter.player_id == player_id, Sitter.seat != seat, Sitter.starts <= now)
    played = (StoredOrder.game_id == game_id, StoredOrder.player_id == player_id, StoredOrder.seat != seat)
    if common.is_any(session, *sat) or common.is_any(session, *played):
        raise WrongInput("This person has played for another seat of this game and knows it; name somebody else.")


def look(session: Session, action: AdminAction, persons: Collection[int], seat: int, what: str) -> Disclosure:
    """Show something hidden of a seat and enter that into the table's journal, for all who play there to read.

    `persons` are all for whom the reader can answer. Raises NotAllowed for who plays there or a game that hides
    nothing, WrongInput without a reason or for something that can't be looked at.
    """
    game, now = action.game, action.now
    refuse_players(session, now, game, {*persons, action.by.id})
    if not game.state.is_underway:
        raise NotAllowed("Nothing of this game is hidden at the moment.")
    if len(action.reason.strip()) < LEAST:
        raise WrongInput("Give a reason of at least {limit} characters: everybody at the table reads it.", limit=LEAST)
    if what not in WHAT:
        raise WrongInput("Choose what to look at: the view, the orders, or the standing orders of a seat.")
    row = session.scalar(select(Seat).where(Seat.game_id == game.id, Seat.seat == seat))
    if row is None:
        raise nobody()
    about = {"seat": seat, "was": situation.holder(table_of(session, game), seat), "ply": game.ply}
    action_log.write(session, now, game, f"look-{what}", by=action.by.id, reason=action.reason, **about)
    return _sight(session, now, game, row, what)


def _sight(session: Session, now: datetime, game: Game, seat: Seat, what: str) -> Disclosure:
    own = what == "view"
    seen = situation.situation(session, now, seat.id) if own else situation.watch(session, now, game.id)
    return Disclosure(
        situation=msgspec.structs.replace(seen, asked=None),
        seat=seat.seat,
        what=what,
        orders=_orders(session, game, seat) if what == "orders" else (),
        standing=standing.listed(session, seat.id) if what == "standing" else (),
    )


def _orders(session: Session, game: Game, seat: Seat) -> tuple[str, ...]:
    """Return the orders that count for what is open; empty if the seat is asked nothing or hasn't answered."""
    rows = session.scalars(
        select(StoredOrder.canonical)
        .join(OpenDecision, OpenDecision.order_id == StoredOrder.id)
        .where(OpenDecision.game_id == game.id, OpenDecision.ply == game.ply + 1, OpenDecision.seat == seat.seat)
    )
    return tuple(rows)
