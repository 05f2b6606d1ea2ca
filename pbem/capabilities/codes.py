"""Mailed one-time codes that confirm a dangerous act; only a keyed digest is kept, and few guesses are allowed."""

from __future__ import annotations

import hmac
import secrets
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING

from sqlalchemy import select, update

from pbem.engine.core.types import N_, Message
from pbem.errors import NotAllowed
from pbem.letter_queue import LetterQueue
from pbem.store.models import Code, Player

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

GOOD_FOR = timedelta(minutes=15)
GUESSES = 5
_DIGITS = 8


def send(session: Session, now: datetime, player_id: int, purpose: str) -> None:
    """Mail a person a code for one purpose; an earlier one for it is worth nothing any more."""
    player = session.get_one(Player, player_id)
    session.execute(
        update(Code)
        .where(Code.player_id == player_id, Code.purpose == purpose, Code.used_at.is_(None))
        .values(used_at=now)
    )
    text = "".join(secrets.choice("0123456789") for _ in range(_DIGITS))
    row = Code(player_id=player_id, purpose=purpose, digest="", expires_at=now + GOOD_FOR)
    session.add(row)
    session.flush()
    row.digest = _digest(row, text)
    post = LetterQueue(now)
    post.person("login_code", player, f"code:{row.id}", code=text, expires=(now + GOOD_FOR).isoformat())
    post.send(session)


def _digest(row: Code, text: str) -> str:
    return sha256(f"{row.id}:{row.player_id}:{row.purpose}:{text}".encode()).hexdigest()


def use(session: Session, now: datetime, player_id: int, purpose: str, text: str) -> None:
    """Use a code up. Raises NotAllowed for a wrong, old or used one, and for good after five wrong guesses.

    Commit also after a refusal, so that guesses count.
    """
    row = session.execute(
        select(Code)
        .where(Code.player_id == player_id, Code.purpose == purpose, Code.used_at.is_(None), Code.expires_at > now)
        .order_by(Code.id.desc())
        .limit(1)
        .with_for_update()
    ).scalar_one_or_none()
    if row is None or row.tries >= GUESSES:
        raise NotAllowed(Message(N_("This code is too old or was used. Ask for a new one.")))
    row.tries += 1
    if not hmac.compare_digest(row.digest, _digest(row, "".join(text.split()))):
        session.flush()
        raise NotAllowed(
            Message(
                N_("That is not the code of the letter. You have {left} tries left."), {"left": GUESSES - row.tries}
            )
        )
    row.used_at = now
    session.flush()
