"""Snapshots of games that are over: dropped to save room, about a third of a game, and rebuilt from its orders."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from typing import TypeAlias

import msgspec
from sqlalchemy import select, true, tuple_, update
from sqlalchemy.orm import Session

from pbem.engine import replay
from pbem.engine.core.errors import EngineError
from pbem.errors import NotAllowed
from pbem.play.proof import record_export
from pbem.store.models import OVER, Game, StoredPly

KEPT = timedelta(days=90)
"""How long a game that is over keeps them; its players' links open it as long."""
Ended: TypeAlias = tuple[datetime, int]
"""A game that is over by its place among them: when it ended, and its number."""
_REPLAYED = "pbem.replayed"
"""The key in `session.info`: the game played again last, and its snapshots by ply."""


def replayed(session: Session, game: Game) -> Iterator[tuple[int, bytes]]:
    """Yield every ply of a game with its snapshot, made anew. Raises CorruptState or UnknownVersion if it can't be."""
    for step in replay.play(record_export.whole(session, game)):
        yield step.ply.number, msgspec.json.encode(step.state)


def at(session: Session, game_id: int, ply: int, stored: bytes) -> bytes:
    """Return the snapshot of a ply as it is stored, or made anew where it was dropped.

    The game is played again once for all that one session asks.
    """
    if stored:
        return stored
    memo: tuple[int, dict[int, bytes]] | None = session.info.get(_REPLAYED)
    if memo is None or memo[0] != game_id:
        memo = session.info[_REPLAYED] = (game_id, dict(replayed(session, session.get_one(Game, game_id))))
    return memo[1][ply]


def drop(session: Session, game: Game) -> int:
    """Drop the snapshots of a game but the last; return their number.

    Raises NotAllowed if the game isn't over, or if one of them could not be rebuilt exactly.
    """
    if not game.state.is_over:
        raise NotAllowed("This game is not over: it needs its snapshots.")
    rows = session.execute(select(StoredPly.ply, StoredPly.snapshot).where(StoredPly.game_id == game.id))
    stored = {row.ply: row.snapshot for row in rows}
    try:
        differing = [ply for ply, made in replayed(session, game) if stored[ply] not in {made, b""}]
    except EngineError as fault:
        raise NotAllowed(*fault.faults) from None
    if differing:
        raise NotAllowed("Ply {ply}: replayed, the state differs from the one stored.", ply=differing[0])
    earlier = (StoredPly.game_id == game.id, StoredPly.ply < game.ply)
    session.execute(update(StoredPly).where(*earlier).values(snapshot=b"").execution_options(synchronize_session=False))
    game.compact = True
    return game.ply


def rebuild(session: Session, game: Game) -> int:
    """Store the snapshots of a game again that were dropped; how many. Raises CorruptState or UnknownVersion."""
    if not game.compact:
        return 0
    for ply, made in replayed(session, game):
        one = update(StoredPly).where(StoredPly.game_id == game.id, StoredPly.ply == ply).values(snapshot=made)
        session.execute(one.execution_options(synchronize_session=False))
    game.compact = False
    return game.ply


def drop_next(session: Session, now: datetime, after: Ended | None = None) -> Ended | None:
    """Drop the snapshots of the next game, by its end, that is over long enough; return its place, None after the last.

    A game that can't be rebuilt keeps its snapshots.
    """
    place = tuple_(Game.finished_at, Game.id)
    game = session.scalars(
        select(Game)
        .where(Game.state.in_(OVER), ~Game.compact, Game.finished_at < now - KEPT)
        .where(true() if after is None else place > after)
        .order_by(Game.finished_at, Game.id)
        .limit(1)
        .with_for_update(key_share=True, skip_locked=True)
    ).one_or_none()
    if game is None or game.finished_at is None:
        return None
    with suppress(NotAllowed):
        drop(session, game)
    return game.finished_at, game.id
