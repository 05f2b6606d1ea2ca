"""Going back to an earlier ply: alone while nobody's observation would change, else as `proposals` agree on.

A ply is never unwritten: going back is a new ply of kind `undo` that restores an earlier snapshot.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from pbem.engine.core.message import N_, Event
from pbem.errors import TooLate
from pbem.play.proof import snapshots
from pbem.play.turns import persist
from pbem.play.views.game_context import GameContext, locked_seat, seat_of, state_of, table_of
from pbem.store import unit_of_work
from pbem.store.models import GameState, Seat, StoredPly, StoredStandingOrders
from pbem.store.queries import common
from pbem.structs import Value


class Back(Value):
    """Whether a seat's last ply can be taken back, and who has seen what came of it."""

    ply: int
    """The ply that would be taken back; -1 if there is none of the seat's own, or the game doesn't run."""
    chance: bool = False
    """Whether something was drawn in it or after it: then it can't be taken back alone."""
    saw: tuple[int, ...] = ()
    """Seats of other persons that see something different because of it."""

    @property
    def alone(self) -> bool:
        """Whether the seat can do it without asking anybody."""
        return self.ply > 0 and not self.chance and not self.saw


def look_back(session: Session, seat_id: int) -> Back:
    """Return what taking the seat's last ply back would mean. Raises NotSeated if there is no such seat."""
    game, seat = seat_of(session, seat_id)
    return _look_back(session, table_of(session, game), seat)


def _look_back(session: Session, table: GameContext, seat: Seat) -> Back:
    game = table.game
    own = game.ply
    kind, orders = common.of_ply(session, game.id, own, StoredPly.kind, StoredPly.orders)
    if game.state != GameState.RUNNING or own < 1 or kind != "orders" or set(orders) != {str(seat.seat)}:
        return Back(-1)
    rows = session.execute(
        select(StoredPly.snapshot, StoredPly.chance)
        .where(StoredPly.game_id == game.id, StoredPly.ply.between(own - 1, game.ply))
        .order_by(StoredPly.ply)
    ).all()
    before = state_of(table.rules, snapshots.at(session, game.id, own - 1, rows[0].snapshot))
    after = state_of(table.rules, rows[-1].snapshot)
    others = [number for number in table.players if number != seat.seat]
    saw = tuple(n for n in others if table.rules.view(before, n) != table.rules.view(after, n))
    return Back(own, chance=any(row.chance for row in rows[1:]), saw=saw)


def take_back(session: Session, now: datetime, seat_id: int, ply: int) -> None:
    """Take the seat's last ply back, alone, if it is `ply`: what a page or a program looked at may be older.

    Raises TooLate if something was drawn or somebody has seen it, NotSeated if there is no such seat.
    """
    game, seat = locked_seat(session, seat_id)
    table = table_of(session, game)
    back = _look_back(session, table, seat)
    if back.ply < 1 or ply != back.ply:
        raise TooLate("There is nothing of yours to take back: the game has moved on.")
    if back.chance:
        raise TooLate("A drawn result can't be taken back. You can propose it to all seats.")
    if back.saw:
        raise TooLate("{seats} (has|have) seen it already. You can propose it to all seats.", seats=back.saw)
    restore(session, now, table, back.ply - 1)


def restore(session: Session, now: datetime, table: GameContext, to_ply: int) -> None:
    """Write the ply that puts the state after `to_ply` in force again, and ask anew from there.

    A stuck game runs again; one that was paused stays so, and asks once it is taken up.
    """
    game = table.game
    (old,) = common.of_ply(session, game.id, to_ply, StoredPly)
    note = Event(N_("The game went back to how it stood after ply {ply}."), {"ply": to_ply})
    persist.close_decisions(session, now, game)
    values: dict[str, Any] = {
        "game_id": game.id,
        "ply": game.ply + 1,
        "kind": "undo",
        "restores": to_ply,
        "events": msgspec.json.encode([note]),
        "snapshot": old.snapshot,
        "digest": old.digest,
        "phase": old.phase,
        "round": old.round,
        "resolved_at": now,
    }
    session.execute(insert(StoredPly).values(values))
    # Chains and sealed lists belong to what was taken back; standing orders stay.
    common.end_ahead(session, now, game.id, "taken back", StoredStandingOrders.kind != "standing")
    game.ply += 1
    game.due_at = game.cover_at = game.wake_at = None
    if game.state == GameState.STUCK:
        game.state, game.trace, game.stuck_at = GameState.RUNNING, "", None
    game.tries = 0
    if game.state == GameState.RUNNING:
        unit_of_work.wake(session, game, now)
    session.flush()
