"""Letters about a season before it begins: to every member when it is announced, to whom an organiser enters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import select

from pbem.engine.core.types import N_, Message
from pbem.engine.registry import title_of
from pbem.letter_queue import LetterQueue
from pbem.store.models import Club, Member, Player, Season

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session


def announced(session: Session, now: datetime, season: Season) -> int:
    """Tell every member of the club that a season waits for players; how many letters. The button enters."""
    games = tuple(title_of(title["game"]) for title in season.titles)
    says = Message(
        N_("{season}: {count} round(s) of {games}. Press the button, then 'Take part', if you want to play."),
        {"season": season.name, "count": season.rounds, "games": games},
    )
    title = Message(N_("{season}: who takes part?"), {"season": season.name})
    members = session.scalars(
        select(Player)
        .join(Member, Member.player_id == Player.id)
        .where(Member.at_present(club_id=season.club_id))
        .order_by(Player.id)
    )
    return _send(session, now, season, "announced", title, says, members.all())


def entered(session: Session, now: datetime, season: Season, player_id: int) -> int:
    """Tell somebody that an organiser has entered them; the button leads to where they can drop out."""
    says = Message(
        N_("Your organiser has entered you. Press the button, then 'Drop out', if you would rather not play.")
    )
    title = Message(N_("You take part in {season}"), {"season": season.name})
    return _send(session, now, season, "entered", title, says, [session.get_one(Player, player_id)])


def _send(  # noqa: PLR0913, PLR0917 - what, to whom
    session: Session, now: datetime, season: Season, what: str, title: Message, says: Message, people: Any
) -> int:
    slug = session.execute(select(Club.slug).where(Club.id == season.club_id)).scalar_one()
    story = msgspec.to_builtins({"title": title, "paragraphs": [says], "tables": []})
    to = f"club/{slug}/seasons/{season.slug}"
    post = LetterQueue(now)
    for player in people:
        post.person("season", player, f"season:{season.id}:{what}:{player.id}", club_id=season.club_id, to=to, **story)
    count = len(post.rows)
    post.send(session)
    return count
