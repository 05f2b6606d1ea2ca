"""What a demo's database holds at the end: the final table, the figures, the digest."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pbem.play.views.game_context import outcome_of
from pbem.store.models import Game, Letter, Player, Seat, StoredOrder, StoredPly


class DemoResult(NamedTuple):
    """What a finished game left in the database."""

    standings: list[tuple[int, str, int]]
    """Place, name, points."""
    plies: int
    orders: int
    letters: int
    """Sent."""
    undelivered: int
    """Due and not sent, or given up. A receipt that waits for its hour isn't due."""
    digest: str


def result(session: Session, now: datetime) -> DemoResult:
    """The figures of the one game there is."""
    game = session.execute(select(Game)).scalar_one()
    last = select(StoredPly.digest).where(StoredPly.game_id == game.id, StoredPly.ply == game.ply)
    due = Letter.state.in_(("pending", "claimed")) & (Letter.next_try_at <= now)
    waits = due | (Letter.state == "failed")
    counted = {
        name: session.execute(select(func.count()).select_from(table).where(*conditions)).scalar_one()
        for name, table, conditions in (
            ("plies", StoredPly, ()),
            ("orders", StoredOrder, (StoredOrder.kind == "order",)),
            ("letters", Letter, (Letter.state == "sent",)),
            ("undelivered", Letter, (waits,)),
        )
    }
    return DemoResult(standings=_standings(session, game), digest=session.execute(last).scalar_one(), **counted)


def _standings(session: Session, game: Game) -> list[tuple[int, str, int]]:
    outcome = outcome_of(game.outcome)
    if outcome is None:
        return []
    query = select(Seat.seat, Player.name).join(Player).where(Seat.game_id == game.id)
    rows = session.execute(query).all()
    return sorted((outcome.places[seat], name, outcome.scores[seat]) for seat, name in rows)
