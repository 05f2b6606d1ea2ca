"""Every position of a game, read for looking back on it, and where its rounds begin."""

from __future__ import annotations

from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pbem.engine.core.sheet import Step
from pbem.engine.registry import rules_for
from pbem.play.proof import snapshots
from pbem.play.views.game_context import state_of
from pbem.play.views.positions import EVENTS
from pbem.store.models import Game, StoredPly


def steps_of(session: Session, game_id: int) -> tuple[Step, ...]:
    """Return all positions and events of a game, undone plies left out.

    For finished games only: nothing is hidden here.
    """
    game = session.get_one(Game, game_id)
    if not game.state.is_over:
        raise ValueError(f"Game {game_id} is not over: its positions hold what nobody may know yet.")
    return _steps(session, game, game.ply)


def views_of(session: Session, game_id: int, seat: int | None, last: int) -> tuple[tuple[int, Any], ...]:
    """Return what a seat (or a spectator: None) may see after each ply up to `last`, undone plies left out."""
    game = session.get_one(Game, game_id)
    rules = rules_for(game)
    return tuple((step.ply, rules.view(step.state, seat)) for step in _steps(session, game, last))


def _steps(session: Session, game: Game, last: int) -> tuple[Step, ...]:
    rules = rules_for(game)
    rows = session.execute(
        select(StoredPly.ply, StoredPly.restores, StoredPly.snapshot, StoredPly.events)
        .where(StoredPly.game_id == game.id, StoredPly.ply <= last)
        .order_by(StoredPly.ply)
    )
    found: list[Step] = []
    for row in rows:
        if row.restores is not None:
            found = [step for step in found if step.ply <= row.restores]
            continue
        snapshot = snapshots.at(session, game.id, row.ply, row.snapshot)
        found.append(Step(row.ply, state_of(rules, snapshot), EVENTS.decode(row.events)))
    return tuple(found)


def rounds(session: Session, game_id: int, last: int) -> tuple[int, ...]:
    """Return the ply with which each round began, up to ply `last`."""
    rows = session.execute(
        select(func.min(StoredPly.ply))
        .where(StoredPly.game_id == game_id, StoredPly.ply <= last)
        .group_by(StoredPly.round)
        .order_by(func.min(StoredPly.ply))
    )
    return tuple(rows.scalars())
