"""A stored game as the text of a record, redacted while it runs."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.engine import replay
from pbem.engine.core import records
from pbem.errors import nobody
from pbem.play.views.game_context import outcome_of
from pbem.store.models import Game, StoredPly
from pbem.store.queries import common


def whole(session: Session, game: Game) -> records.Record:
    """Return the complete record with its seed; it never leaves `play` while the game runs."""
    rows = session.execute(
        select(StoredPly.ply, StoredPly.orders, StoredPly.chance, StoredPly.restores)
        .where(StoredPly.game_id == game.id)
        .order_by(StoredPly.ply)
    )
    plies = tuple(
        records.RecordedPly(
            row.ply, {int(seat): text for seat, text in sorted(row.orders.items())}, tuple(row.chance), row.restores
        )
        for row in rows
    )
    return records.Record(
        game.game, game.rules_version, game.seats, game.options, game.seed, plies, _result(session, game)
    )


def _result(session: Session, game: Game) -> records.RecordedResult | None:
    outcome = outcome_of(game.outcome)
    if outcome is None:
        return None
    (digest,) = common.of_ply(session, game.id, game.ply, StoredPly.digest)
    return records.RecordedResult(outcome.scores, outcome.places, outcome.ending, digest)


def record(session: Session, game_id: int) -> str:
    """Return the game as text; of a running game only what is public. Raises NotSeated if no such game has started."""
    game = session.get(Game, game_id)
    if game is None or game.ply < 0:
        raise nobody()
    found = whole(session, game)
    return records.write(found if game.state.is_over else replay.redact(found))
