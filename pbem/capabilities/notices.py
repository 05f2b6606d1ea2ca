"""The letter that tells somebody what was done in their name, so that what they didn't do doesn't stay unseen."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.orm import Session

from pbem.engine.core.message import Message
from pbem.letter_queue import LetterQueue
from pbem.store.models import Player


def tell(session: Session, now: datetime, player: Player, cause: str, *said: Message) -> None:
    """Write to a person what was done; once for each `cause`."""
    post = LetterQueue(now)
    post.person("account", player, f"account:{player.id}:{cause}", said=said)
    post.send(session)
