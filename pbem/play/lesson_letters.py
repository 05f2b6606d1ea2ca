"""A first game by letters: offered to an address, begun once somebody there says yes, led on by each reply.

Nothing but the letters is stored: each holds the orders that came before it, so that an older one can be answered
another way.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from pbem.budgets import Budget
from pbem.engine.core.message import Message
from pbem.engine.registry import title_of
from pbem.letter_queue import LetterQueue
from pbem.store.models import Player

OFFERED = Budget(1, timedelta(hours=1))
"""Offers of one game to one address."""
BEGUN = Budget(1, timedelta(hours=1))
"""First letters of one game to one person."""


def offer(session: Session, now: datetime, player: Player, game: str) -> None:
    """Ask whoever reads mail there whether they want it: the letter's words are fixed, nobody writes through it."""
    title, hour = title_of(game), OFFERED.period(now)
    post = LetterQueue(now)
    post.person("lesson_offer", player, f"lesson:{player.id}:{game}:offer:{hour}", lesson=game, game=title, title=title)
    post.send(session)


def begin(session: Session, now: datetime, player: Player, game: str) -> None:
    """Send the first decision; saying yes twice within the hour begins once."""
    player.answers(now)
    session.flush()
    lead_on(session, now, player, game, (), cause=f"begin:{BEGUN.period(now)}")


def lead_on(  # noqa: PLR0913 - a reply's own facts
    session: Session,
    now: datetime,
    player: Player,
    game: str,
    line: Sequence[str],
    *,
    cause: str,
    faults: Sequence[Message] = (),
) -> None:
    """Send what comes after the orders of `line`; `faults` say what of a reply could not be played."""
    post = LetterQueue(now)
    told = {"faults": faults} if faults else {}
    post.person("lesson", player, f"lesson:{player.id}:{game}:{cause}", lesson=game, line=list(line), **told)
    post.send(session)
