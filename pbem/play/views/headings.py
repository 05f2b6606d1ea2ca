"""Where games stand, in the few words that everybody may read: for lists of many games."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.engine.core.errors import UnknownVersion
from pbem.engine.core.message import N_, Message
from pbem.engine.registry import rules_of
from pbem.play.views.game_context import UNPLAYED, state_of
from pbem.store.models import LIVE, Game, StoredPly

KEPT = 10_000
"""Headings kept by a process: a ply's never changes, and reading a position costs more than all else of a list."""
_known: dict[tuple[str, int], Message] = {}
"""By a game's commitment, which no other game of any database has, and the ply resolved last."""


def headings(session: Session, club_id: int) -> dict[int, Message]:
    """Return where each game under way of a club stands, by its number, as its spectators see it.

    Two queries: positions are fetched of those games alone that moved on since this process looked last.
    """
    games = session.execute(
        select(Game.id, Game.commitment, Game.ply).where(Game.club_id == club_id, Game.state.in_(LIVE), Game.ply >= 0)
    ).all()
    if len(_known) > KEPT:
        _known.clear()
    unread = [game.id for game in games if (game.commitment, game.ply) not in _known]
    rows = session.execute(
        select(Game.commitment, Game.ply, Game.game, Game.rules_version, StoredPly.snapshot)
        .join(StoredPly, (StoredPly.game_id == Game.id) & (StoredPly.ply == Game.ply))
        .where(Game.id.in_(unread))
    )
    for commitment, ply, game, version, snapshot in rows if unread else ():
        _known[commitment, ply] = heading_of(game, version, snapshot)
    return {game.id: found for game in games if (found := _known.get((game.commitment, game.ply)))}


def of_news(first: int, *, own: bool = True) -> str:
    """Return what a seat's news from ply `first` on are headed by, a message id: its last order went into that ply.

    Its player's `own`, or that of whoever had the seat before; into ply 0 goes nobody's.
    """
    if first == 0:
        return N_("Since the game began")
    return N_("Since your last decision") if own else N_("Since the last decision of your seat")


def heading_of(game: str, version: int, snapshot: bytes) -> Message:
    """Return where the position of a `snapshot` stands, as a spectator sees it."""
    try:
        rules = rules_of(game, version)
    except UnknownVersion:
        return Message(UNPLAYED)
    return rules.heading(rules.view(state_of(rules, snapshot), None))
