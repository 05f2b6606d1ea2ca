"""A first game by letters: offered to an address, begun once somebody there says yes, led on by each reply.

Nothing but the letters is stored: each holds the orders that came before it, so that an older one can be answered
another way.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.orm import Session

from pbem.budgets import Budget
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


def lead_on(  # noqa: PLR0913, PLR0917 - a reply's own facts
    session: Session, now: datetime, player: Player, game: str, line: Sequence[str], cause: str, **told: Any
) -> None:
    """Send what comes after the orders of `line`.

    `told`: of a reply its `mail_id`, the `faults` of what could not be played, and whether it asked for `help`.
    """
    post = LetterQueue(now)
    post.person("lesson", player, f"lesson:{player.id}:{game}:{cause}", lesson=game, line=list(line), **told)
    post.send(session)
