"""Proof that what is stored is what was played: every ply replayed from its seed, digests and orders compared."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.engine import replay
from pbem.engine.core.errors import EngineError
from pbem.engine.core.records import Record
from pbem.engine.registry import rules_of
from pbem.errors import nobody
from pbem.play.proof import record_export
from pbem.play.proof.order_audit import OrderAudit
from pbem.store.models import Game, StoredPly
from pbem.structs import Value


class AuditResult(Value):
    """What an audit of one game found."""

    plies: int
    faults: tuple[str, ...]
    """One sentence each, naming the ply; empty for a sound game."""
    digest: str
    """Of the last stored state."""
    draws: int = 0
    """Chance results drawn again from the seed."""
    orders: int = 0
    """Orders compared with what their players had sent."""
    sealed: int = 0
    """How many of these were compared with sealed lists."""

    @property
    def sound(self) -> bool:
        """Whether nothing was found wrong."""
        return not self.faults


def audit(session: Session, game_id: int, version: int | None = None) -> AuditResult:
    """Replay a stored game, by its own rules or those of another `version`, and compare it ply by ply.

    Raises NotSeated if there is no such game.
    """
    game = session.get(Game, game_id)
    if game is None:
        raise nobody()
    stored = session.execute(
        select(StoredPly.ply, StoredPly.digest, StoredPly.snapshot, StoredPly.chance)
        .where(StoredPly.game_id == game_id)
        .order_by(StoredPly.ply)
    ).all()
    dropped = game.ply if game.compact else 0
    found = {
        row.ply: (
            row.digest,
            row.digest if row.ply < dropped else sha256(row.snapshot).hexdigest(),
            list(row.chance),
        )
        for row in stored
    }
    record = record_export.whole(session, game)
    if version is not None:
        record = msgspec.structs.replace(record, version=version)
    sent = OrderAudit(session, game_id, rules_of(game.game, record.version))
    faults = tuple(_faults(game, found, record, sent))
    return AuditResult(
        plies=len(stored),
        faults=faults,
        digest=stored[-1].digest if stored else "",
        draws=sum(len(row.chance) for row in stored),
        orders=sent.orders,
        sealed=sent.sealed,
    )


def _faults(
    game: Game, found: dict[int, tuple[str, str, list[str]]], record: Record, sent: OrderAudit
) -> Iterator[str]:
    if sorted(found) != list(range(game.ply + 1)):
        yield f"The plies stored are not 0 to {game.ply}."
        return
    if not found:
        return
    if sha256(game.seed.encode()).hexdigest() != game.commitment:
        yield "The seed is not the one that was committed to at the start."
    try:
        for step in replay.play(record, drawn=True):
            number = step.ply.number
            digest, of_snapshot, chance = found[number]
            if replay.digest(step.state) != digest:
                yield f"Ply {number}: replayed, the state differs from the one stored."
            if of_snapshot != digest:
                yield f"Ply {number}: the snapshot does not fit its digest."
            if list(step.ply.chance) != chance:
                yield f"Ply {number}: replayed, other chance results come up than are stored."
            yield from sent.ply(number, dict(step.ply.orders), step.state)
    except EngineError as error:
        yield str(error)
