"""Nobody learns from times and states that somebody plans: the same game answered by hand and by a plan looks alike."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from pbem.engine.registry import planner_of, rules_of
from pbem.engine.text import standing_orders as standing
from pbem.play.deadlines.waiting_reasons import why
from pbem.play.orders import plans
from pbem.play.turns.advance import advance
from pbem.play.views.seat_view import story
from pbem.store.models import Letter, StoredPly
from pbem.store.queries import common, game_pages
from tests.factories import GameFactory, PlayerFactory, answer, asked, seat_of, state

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from pbem.store.models import Game

PLANS: dict[str, tuple[str, dict[str, list[str]], dict[str, str]]] = {
    "amunre": ("bid", {"limits": ["10", "6", "3"], "then": ["bid lowest"]}, {}),
    "egizia": ("sail", {"spaces": ["Edfu", "Sphinx", "Obelisk"], "ask": ["2"], "then": ["ask me"]}, {}),
    "priestsofra": ("draw", {"tiles": ["3"], "then": ["ask me"]}, {"auctions": "in_turn"}),
}
AT_ONCE = timedelta(minutes=5)


def opened(now: datetime, game: str, options: dict[str, str]) -> Game:
    """The same game each time, but for who plays it."""
    people = PlayerFactory.create_batch(3)
    made: Game = GameFactory(game=game, people=people, bots=(), seed="private", now=now, options=options)
    return made


def compiled(session: Session, game: Game, seat: int) -> standing.StandingOrders:
    """The plan of a seat as the standing order that it is."""
    part, fields, _ = PLANS[game.game]
    rules, planner = rules_of(game.game), planner_of(game.game)
    plan = planner.plan(rules.view(state(session, game), seat), part, fields)
    return standing.parse(rules, planner.text(plan))


def by_plan_now(session: Session, game: Game, seat: int, plan: standing.StandingOrders) -> str:
    """What a plan would answer now, so that it can be given by hand; empty if its owner is to be asked."""
    order = standing.answer(rules_of(game.game), state(session, game), seat, plan).order
    return "" if order is None else str(order)


def seen(session: Session, now: datetime, game: Game, seat: int, planner: int) -> dict[str, Any]:
    """Everything about times and states that another seat is told, and a spectator."""
    session.refresh(game)
    table = game_pages.gathering(session, game_id=game.id)
    assert table is not None
    rows = session.scalars(select(Letter).where(Letter.game_id == game.id, Letter.seat != planner).order_by(Letter.id))
    told = {reader: story(session, game.id, reader, 0, game.ply) for reader in (seat, None)}
    return {
        "waits": (why(now, table, seat), why(now, table, None)),
        "plies": session.execute(
            select(StoredPly.ply, StoredPly.orders, StoredPly.resolved_at).where(StoredPly.game_id == game.id)
        ).all(),
        "told": [(reader, [(one.ply, one.at, one.event) for one in events]) for reader, events in told.items()],
        "letters": [(row.kind, row.ply, row.seat, row.next_try_at) for row in rows],
        "asked": [
            (one.seat, one.kind, one.opened_at, one.due_at, one.nudge_at, one.optional, one.order_id is None)
            for one in common.decisions_of(session, game.id, game.ply + 1)
            if one.seat != planner
        ],
    }


@pytest.mark.parametrize(("name", "early"), [(name, False) for name in PLANS] + [("egizia", True)])
def test_a_plan_looks_like_an_order_given_by_hand(session: Session, now: datetime, name: str, early: bool) -> None:  # noqa: FBT001 - a case
    """Put in force by one who is asked it answers at once; orders sent at that moment do the same to the others.

    So it is for who is asked ahead of their turn (`early`): they are waited for no more.
    """
    part, fields, options = PLANS[name]
    by_hand, by_plan = (opened(now, name, options) for _ in range(2))
    seat = next(one.seat for one in asked(session, by_hand) if one.ahead == early)
    other = (seat + 1) % 3
    then, plan_text = now + AT_ONCE, compiled(session, by_hand, seat)

    assert not plans.store(session, then, seat_of(session, by_plan, seat).id, part, fields).faults
    session.commit()
    advance(session, then, by_plan.id)
    session.commit()
    while seat in {one.seat for one in asked(session, by_hand)} and (
        text := by_plan_now(session, by_hand, seat, plan_text)
    ):
        answer(session, then, by_hand, seat, text)
        advance(session, then, by_hand.id)
        session.commit()

    hand, plan = (seen(session, then, game, other, seat) for game in (by_hand, by_plan))
    assert len(hand["plies"]) > (not early)
    for what, found in hand.items():
        assert found == plan[what], what
