"""Taking back, for ten minutes, what an organiser did to games, except where a game has moved on since."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.clubs.games import actions, substitute_search
from pbem.errors import TooLate
from pbem.play.admin import action_log
from pbem.play.deadlines import delivery_clock
from pbem.play.views.game_context import table_of
from pbem.store import unit_of_work
from pbem.store.models import Audit, Game, GameState
from pbem.store.queries import common
from pbem.structs import Value


class Undone(Value):
    """An act that was taken back."""

    back: int
    """Games that are as before."""
    left: int
    """Games that have moved on since, and stay as they are."""


class Recent(Value):
    """An act of the last ten minutes that stands."""

    audit_id: int
    act: str
    games: tuple[int, ...]
    """Their numbers."""
    at: datetime
    undo_until: datetime | None
    """None for what can't be taken back."""


def recent(session: Session, now: datetime, club_id: int | None) -> tuple[Recent, ...]:
    """Return what was done in the last ten minutes and not taken back, the newest first."""
    rows = session.scalars(
        select(Audit)
        .where(Audit.club_id == club_id, Audit.at >= now - actions.UNDO)
        .order_by(Audit.at.desc(), Audit.id.desc())
    )
    found = list(rows)
    undone = {audit.details.get("of") for audit in found if audit.act == "undo"}
    return tuple(
        Recent(audit.id, audit.act, tuple(kept["id"] for kept in audit.details["games"]), audit.at, audit.undo_until)
        for audit in found
        if audit.act in actions.ACTIONS and "games" in audit.details and audit.id not in undone
    )


def undo(session: Session, now: datetime, club_id: int | None, by: int, audit_id: int) -> Undone:
    """Take an act back within ten minutes, in every game that hasn't moved on since. Raises NotAllowed or TooLate."""
    audit = session.scalar(select(Audit).where(Audit.id == audit_id, Audit.club_id == club_id).with_for_update())
    if audit is not None and audit.undo_until is None:
        raise TooLate("This was taken back already, or is one of those acts that can't be.")
    if audit is None or audit.undo_until is None or audit.undo_until < now:
        raise TooLate("This can't be taken back any more: there are ten minutes for it.")
    kept = audit.details["games"]
    actions.permitted(session, club_id, by, [before["id"] for before in kept])
    back = [game for before in kept if (game := _undo_one(session, now, before)) is not None]
    for game in back:
        action_log.write(session, now, game, "undo", by=by)
    audit.undo_until = None
    action_log.note(session, now, "undo", by=by, club_id=club_id, of=audit.id)
    return Undone(len(back), len(kept) - len(back))


def _undo_one(session: Session, now: datetime, before: Mapping[str, Any]) -> Game | None:
    """Bring one game back to where it stood; None if it has moved on, and is left alone."""
    game = common.lock_game(session, before["id"])
    if game is None:
        return None
    if "invitations" in before:
        return game if substitute_search.withdraw(session, now, before) else None
    if actions.revision_of(game) != before["after"]:
        return None
    _bring_back(session, now, game, before)
    return game


def _bring_back(session: Session, now: datetime, game: Game, before: Mapping[str, Any]) -> None:
    """Set the deadline and state of before; reminders are armed again. An answer that came meanwhile counts at once."""
    rested, game.state = game.state == GameState.PAUSED, GameState(before["state"])
    due, wake = (datetime.fromisoformat(before[n]) if before[n] else None for n in ("due_at", "wake_at"))
    if game.state == GameState.OPEN:
        game.due_at, game.wake_at = due, wake
        game.due_version += 1
    elif due is None:
        delivery_clock.stop_clock(game, common.decisions_of(session, game))
    else:
        delivery_clock.put_deadline(session, now, table_of(session, game), due)
    if game.state == GameState.PAUSED:
        game.wake_at = None
    elif rested:
        unit_of_work.wake(session, game, now)
    unit_of_work.made_due(session, unit_of_work.Work.GAMES)  # its moment may have come meanwhile
    session.flush()
