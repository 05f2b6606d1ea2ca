"""Proof that what is stored is what was played: every ply replayed from seed and orders, every digest compared."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import select

from pbem.engine import replay
from pbem.engine.errors import EngineError
from pbem.play import export
from pbem.play.table import nobody
from pbem.store.tables import Game, Ply

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy.orm import Session


class Audited(msgspec.Struct, frozen=True):
    """What an audit of one game found."""

    plies: int
    faults: tuple[str, ...]
    """One sentence each, naming the ply; empty for a sound game."""
    digest: str
    """Of the last stored state."""


def audit(session: Session, game_id: int) -> Audited:
    """Replay a stored game and compare it ply by ply. Raises NotSeated if there is no such game."""
    game = session.get(Game, game_id)
    if game is None:
        raise nobody()
    stored = session.execute(
        select(Ply.ply, Ply.digest, Ply.snapshot, Ply.chance).where(Ply.game_id == game_id).order_by(Ply.ply)
    ).all()
    found = {row.ply: (row.digest, sha256(row.snapshot).hexdigest(), list(row.chance)) for row in stored}
    return Audited(len(stored), tuple(_faults(session, game, found)), stored[-1].digest if stored else "")


def _faults(session: Session, game: Game, found: dict[int, tuple[str, str, list[str]]]) -> Iterator[str]:
    if sorted(found) != list(range(game.ply + 1)):
        yield f"The plies stored are not 0 to {game.ply}."
        return
    if not found:
        return
    if sha256(game.seed.encode()).hexdigest() != game.commitment:
        yield "The seed is not the one that was committed to at the start."
    try:
        for step in replay.play(export.whole(session, game), drawn=True):
            number = step.ply.number
            digest, of_snapshot, chance = found[number]
            if replay.digest(step.state) != digest:
                yield f"Ply {number}: replayed, the state differs from the one stored."
            if of_snapshot != digest:
                yield f"Ply {number}: the snapshot does not fit its digest."
            if list(step.ply.chance) != chance:
                yield f"Ply {number}: replayed, other chance results come up than are stored."
    except EngineError as error:
        yield str(error)
