"""What was done at a table outside the rules, by whom and why: one list, read by everybody who plays there."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import func, select

from pbem.engine.core.types import N_, Message
from pbem.store.models import Audit, Letter, Player

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from pbem.store.models import Game

LISTED = 50
"""Entries shown, the newest."""
REASON = 500
"""Characters of a reason that are kept."""
_SAID = {
    "pause": N_("{who} paused the game."),
    "go on": N_("{who} took the game up again."),
    "extend": N_("{who} moved the deadline."),
    "merge": N_("{who} moved the deadline to that of other games."),
    "nudge": N_("{who} reminded those who are awaited."),
    "take up": N_("{who} set the game going again after a fault."),
    "fresh link": N_("{who} sent a player a fresh link."),
    "call off": N_("{who} called the game off before it began."),
    "fill": N_("{who} gave the free seats to bots."),
    "filled": N_("The wait for players was over: bots took the free seats."),
    "not filled": N_("The wait for players was over: the game was called off."),
    "undo": N_("{who} took back what had just been done."),
    "resign": N_("{who} left the game."),
    "put_bot": N_("{who} gave {seat} to a bot."),
    "replace": N_("{who} gave {seat} to another player."),
    "vote_out": N_("The other players voted to give the seat of {seat} to a substitute."),
    "seek": N_("{who} is looking for somebody to take over {seat}."),
    "look view": N_("{who} looked at what only {seat} may see."),
    "look orders": N_("{who} looked at the order that {seat} has given."),
    "look standing": N_("{who} looked at the standing orders of {seat}."),
}
LOOKS = tuple(act for act in _SAID if act.startswith("look "))
_IN_LETTERS = (*LOOKS, "pause", "go on", "extend", "merge", "take up", "undo", "seek")
"""What a letter tells; a change of players has letters of its own."""


class LogEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that was done."""

    at: datetime
    by: str
    act: str
    said: Message
    reason: str


def write(  # noqa: PLR0913 - who did what where, and why
    session: Session, now: datetime, game: Game, act: str, *, by: int | None, reason: str = "", **details: Any
) -> None:
    """Enter something into a table's journal."""
    session.add(
        Audit(
            at=now,
            player_id=by,
            club_id=game.club_id,
            game_id=game.id,
            act=act,
            reason=reason.strip()[:REASON],
            details=details,
            public=True,
        )
    )
    session.flush()


def entries(session: Session, game_id: int, limit: int = LISTED) -> tuple[LogEntry, ...]:
    """Return what was done at a table, the newest first."""
    return _read(session, Audit.game_id == game_id, limit=limit)


def news(session: Session, letter: int, player_id: int, game_id: int) -> tuple[LogEntry, ...]:
    """Return what was done since the last letter about the game that reached a person before `letter`, oldest first."""
    before = select(func.max(Letter.created_at)).where(
        Letter.player_id == player_id, Letter.game_id == game_id, Letter.id < letter, Letter.state == "sent"
    )
    since = session.execute(before).scalar_one()
    fresh = (Audit.at > since,) if since is not None else ()
    return _read(session, Audit.game_id == game_id, Audit.act.in_(_IN_LETTERS), *fresh)[::-1]


def _read(session: Session, *which: Any, limit: int = LISTED) -> tuple[LogEntry, ...]:
    rows = session.execute(
        select(Audit, Player.name)
        .outerjoin(Player, Player.id == Audit.player_id)
        .where(Audit.public, *which)
        .order_by(Audit.id.desc())
        .limit(limit)
    )
    return tuple(_entry(row, name or "") for row, name in rows)


def _entry(row: Audit, name: str) -> LogEntry:
    details: Mapping[str, Any] = row.details
    holes: dict[str, Any] = {"who": name} | ({"seat": details["seat"]} if "seat" in details else {})
    return LogEntry(
        at=row.at, by=name, act=row.act, said=Message(_SAID.get(row.act, row.act), holes), reason=row.reason
    )


def has_looked(session: Session, game_id: int, player_id: int) -> bool:
    """Return whether a person has looked at something hidden of a game: they can't play in it any more."""
    found = select(Audit.id).where(Audit.game_id == game_id, Audit.player_id == player_id, Audit.act.in_(LOOKS))
    return session.execute(found.limit(1)).first() is not None
