"""Egizia with the option `ships`: everybody's next ship is asked at once, and placed in turn if its space is free."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.play.turns.advance import advance
from pbem.store.models import Game, Letter, OpenDecision, StoredPly, StoredStandingOrders
from tests.factories import GameFactory, answer

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session


def sailing(session: Session, now: datetime, ships: str = "together") -> tuple[Game, list[int]]:
    """A game of three people in its first sailing, and the seats in turn order."""
    game: Game = GameFactory(game="egizia", people=3, bots=(), seed="ships", now=now, options={"ships": ships})
    session.refresh(game)
    first = next(decision.seat for decision in asked(session, game) if not decision.optional)
    return game, [(first + n) % 3 for n in range(3)]


def asked(session: Session, game: Game) -> list[OpenDecision]:
    """Every open decision, those before their turn included."""
    rows = session.scalars(
        select(OpenDecision).where(OpenDecision.game_id == game.id, OpenDecision.closed_at.is_(None))
    )
    return sorted(rows, key=lambda decision: decision.seat)


def played(session: Session, game: Game) -> list[dict[str, str]]:
    """The orders of each ply after the set-up."""
    rows = session.execute(select(StoredPly.orders).where(StoredPly.game_id == game.id).order_by(StoredPly.ply))
    return [row.orders for row in rows if row.orders]


def test_eg_3_1_everybody_is_asked_at_once_but_waited_for_in_turn(session: Session, now: datetime) -> None:
    """One decision holds the game up; the others are open beside it, each with a letter of its own."""
    game, _ = sailing(session, now)
    open_ = asked(session, game)

    assert sorted(decision.seat for decision in open_) == [0, 1, 2]
    assert sum(not decision.optional for decision in open_) == 1
    plain, _ = sailing(session, now, "in_turn")
    assert len(asked(session, plain)) == 1


def test_eg_3_1_an_order_given_before_its_turn_is_used_then(session: Session, now: datetime) -> None:
    """It waits for the seat on turn; once that has sailed, both ships are placed in turn order."""
    game, (first, *_) = sailing(session, now)
    rest = [decision.seat for decision in asked(session, game) if decision.optional]
    for seat, place in zip(rest, ("Edfu", "Thebae"), strict=True):
        assert answer(session, now, game, seat, f"ship to {place}").accepted
    advance(session, now, game.id)
    session.commit()
    assert played(session, game) == []

    assert answer(session, now, game, first, "ship to Passalon").accepted
    advance(session, now, game.id)
    session.commit()

    assert sorted(text for orders in played(session, game) for text in orders.values()) == [
        "ship to Edfu",
        "ship to Passalon",
        "ship to Thebae",
    ]
    assert all(len(orders) == 1 for orders in played(session, game))


def test_eg_3_3_a_space_that_was_taken_is_asked_again(session: Session, now: datetime) -> None:
    """Who wanted the same space is told, and asked at the turn; nothing of the order is left."""
    game, (first, *_) = sailing(session, now)
    rest = [decision.seat for decision in asked(session, game) if decision.optional]
    for seat in (*rest, first):
        assert answer(session, now, game, seat, "ship to Edfu").accepted
    advance(session, now, game.id)
    session.commit()

    assert [list(orders.values()) for orders in played(session, game)] == [["ship to Edfu"]]
    waits = [decision.seat for decision in asked(session, game) if not decision.optional]
    assert waits[0] in rest
    live = session.scalars(
        select(StoredStandingOrders).where(
            StoredStandingOrders.game_id == game.id, StoredStandingOrders.ended_at.is_(None)
        )
    ).all()
    assert waits[0] not in {row.seat for row in live}


def test_a_ship_ordered_ahead_is_kept_once(session: Session, now: datetime) -> None:
    """What waits for its turn over several plies stands in one row, and no letter asks for it again."""
    game, (first, *_) = sailing(session, now)
    rest = [decision.seat for decision in asked(session, game) if decision.optional]
    last = rest[-1]
    assert answer(session, now, game, last, "ship to Thebae").accepted
    before = session.query(Letter).filter_by(game_id=game.id, kind="your_turn").count()
    assert answer(session, now, game, first, "ship to Passalon").accepted
    advance(session, now, game.id)
    session.commit()

    rows = session.scalars(select(StoredStandingOrders).where(StoredStandingOrders.game_id == game.id)).all()
    assert [(row.seat, row.kind, row.text) for row in rows] == [(last, "then", "ship to Thebae")]
    assert last not in {decision.seat for decision in asked(session, game)}
    assert session.query(Letter).filter_by(game_id=game.id, kind="your_turn").count() > before
