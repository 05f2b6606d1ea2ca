"""Mailed one-time codes that confirm a dangerous act; only a keyed digest is kept, and few guesses are allowed."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from pbem.capabilities.tokens import tokens
from pbem.errors import NotAllowed
from pbem.letter_queue import LetterQueue
from pbem.store.models import Code, Player

GOOD_FOR = timedelta(minutes=15)
GUESSES = 5
_DIGITS = 8


def send(session: Session, now: datetime, player_id: int, purpose: str) -> None:
    """Mail a person a code for one purpose; an earlier one for it is worth nothing any more.

    Raises WrongInput where too many were mailed already; then the newest of them stays good.
    """
    player = session.get_one(Player, player_id)
    text = "".join(secrets.choice("0123456789") for _ in range(_DIGITS))
    post = LetterQueue(now)
    post.person("login_code", player, f"code:{secrets.token_hex(8)}", code=text, expires=(now + GOOD_FOR).isoformat())
    post.send(session)  # first: where no more are mailed, the newest stays good
    session.execute(
        update(Code)
        .where(Code.player_id == player_id, Code.purpose == purpose, Code.used_at.is_(None))
        .values(used_at=now)
    )
    row = Code(player_id=player_id, purpose=purpose, digest="", expires_at=now + GOOD_FOR)
    session.add(row)
    session.flush()
    row.digest = tokens().digest(_text(row, text))
    session.flush()


def _text(row: Code, text: str) -> str:
    return f"{row.id}:{row.player_id}:{row.purpose}:{text}"


def is_on_its_way(session: Session, now: datetime, player_id: int, purpose: str) -> bool:
    """Return whether there is a code that can still be used."""
    return _open(session, now, player_id, purpose) is not None


def _open(session: Session, now: datetime, player_id: int, purpose: str) -> Code | None:
    return session.scalar(
        select(Code)
        .where(
            Code.player_id == player_id,
            Code.purpose == purpose,
            Code.used_at.is_(None),
            Code.expires_at > now,
            Code.tries < GUESSES,
        )
        .order_by(Code.id.desc())
        .limit(1)
        .with_for_update()
    )


def use(session: Session, now: datetime, player_id: int, purpose: str, text: str) -> None:
    """Use a code up. Raises NotAllowed for a wrong, old or used one, and for good after five wrong guesses.

    Commit also after a refusal, so that guesses count.
    """
    row = _open(session, now, player_id, purpose)
    if row is None:
        raise NotAllowed("This code is too old or was used. Ask for a new one.")
    row.tries += 1
    if not tokens().fits(row.digest, _text(row, "".join(text.split())[:_DIGITS])):
        left = GUESSES - row.tries
        raise NotAllowed("That is not the code of the letter. You have {left} (try|tries) left.", left=left)
    row.used_at = now
