"""The demo's club: games that have gone on for a while, each by its own people and bots, kept for whoever looks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select

from pbem.clubs.members import demo_club
from pbem.store.models import Game, Member, OpenDecision, Player, StoredOrder

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session


def stand(session: Session) -> dict[str, int]:
    """How far each game is."""
    return {row.title: row.ply for row in session.execute(select(Game.title, Game.ply))}


def test_the_sample_is_opened_once_and_each_game_is_played_by_itself(session: Session, now: datetime) -> None:
    """All of it is stored; no order was refused or given twice; a second time nothing is added."""
    demo_club.open_sample(session, lambda: now)
    plies = stand(session)
    session.rollback()

    assert stand(session) == plies
    assert set(plies) == {plan.title for plan in demo_club.PLANS}
    assert min(plies.values()) > 0
    assert set(session.scalars(select(StoredOrder.kind))) == {"order"}
    asked = (OpenDecision.answered_at.is_not(None), ~OpenDecision.optional, OpenDecision.hand == "player")
    answered = session.execute(
        select(OpenDecision.game_id, func.count()).where(*asked).group_by(OpenDecision.game_id)
    ).all()
    given = session.execute(select(StoredOrder.game_id, func.count()).group_by(StoredOrder.game_id)).all()
    assert sorted(map(tuple, given)) == sorted(map(tuple, answered))
    people = select(Player.name, Member.role).join(Member)
    assert {tuple(row) for row in session.execute(people)} == {("Ada", "organiser"), ("Ben", "player")}
    demo_club.open_sample(session, lambda: now)
    assert session.scalar(select(func.count()).select_from(Game)) == len(demo_club.PLANS)
