"""What people of a club are told in a letter of its own shape: a title, sentences, tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.engine.core.message import Message
from pbem.letter_queue import LetterQueue
from pbem.store.models import Member, Player
from pbem.structs import Value


class ReportTable(Value):
    """Figures under a caption."""

    caption: Message
    head: tuple[Message, ...]
    rows: tuple[tuple[int | str | tuple[str, ...], ...], ...]
    """Cells are numbers, somebody's name, or several names."""

    @property
    def texts(self) -> tuple[tuple[str, ...], ...]:
        """The rows as plain text."""
        return tuple(
            tuple(", ".join(cell) if isinstance(cell, tuple) else str(cell) for cell in row) for row in self.rows
        )


class ClubReport(Value):
    """What a letter of its own shape says: its title, sentences, and figures below them."""

    title: Message
    paragraphs: tuple[Message, ...]
    tables: tuple[ReportTable, ...] = ()


def members_of(session: Session, club_id: int) -> Sequence[Player]:
    """Return the people of a club."""
    inside = select(Player).join(Member).where(Member.at_present(club_id=club_id))
    return session.scalars(inside.order_by(Player.id)).all()


def send(  # noqa: PLR0913, PLR0917 - what is told to whom, why, and where its button leads
    session: Session,
    now: datetime,
    kind: str,
    club_id: int,
    cause: str,
    report: ClubReport,
    people: Iterable[Player],
    *,
    to: str = "",
) -> int:
    """Write each of `people` a letter of the kind, one for `cause`; return their number. Raises as LetterQueue.send."""
    post = LetterQueue(now)
    for player in people:
        post.person(kind, player, f"{cause}:{player.id}", club_id=club_id, to=to, **msgspec.structs.asdict(report))
    count = len(post.rows)
    post.send(session)
    return count
