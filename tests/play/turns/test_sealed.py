"""Sealed auctions: everybody's list is there before the first bid, and nobody is asked again while lists are played."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.engine.priestsofra.data import LOT_SPACES
from pbem.play.orders import plans, standing_orders
from pbem.play.turns.advance import advance
from pbem.store.models import Game, OpenDecision, StoredPly, StoredStandingOrders
from tests.engine.priestsofra.tables import position
from tests.factories import GameFactory, answer, answer_all, asked, seat_of, state

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session


def on_turn(session: Session, now: datetime, name: str = "priestsofra", **wishes: object) -> Game:
    """A game of three people at a point before its first auction."""
    made: Game = GameFactory(game=name, people=3, bots=(), seed="sealed", now=now, **wishes)
    session.refresh(made)
    return made


def to_the_auction(session: Session, now: datetime, game: Game) -> dict[int, OpenDecision]:
    """Let the seat on turn call Ra; the decisions that are then open, by seat."""
    (decision,) = asked(session, game)
    assert answer(session, now, game, decision.seat, "ra").accepted
    advance(session, now, game.id)
    session.commit()
    return {decision.seat: decision for decision in asked(session, game)}


def orders_of(session: Session, game: Game, seat: int) -> list[str]:
    """What was played for a seat, ply by ply."""
    rows = session.execute(select(StoredPly.orders).where(StoredPly.game_id == game.id).order_by(StoredPly.ply))
    return [row.orders[str(seat)] for row in rows if str(seat) in row.orders]


@pytest.mark.parametrize(
    "text",
    [
        "until changed\nfor bid: when plagues > 99: bid lowest",
        "until changed\nfor bid: unless plagues < 99: pass",
        "until changed\nask me\nfor bid: bid lowest",
        "until changed\nfor bid: when high_bid > 0: ask me\npass",
        "until changed\nfor bid: when plagues < 99 and (plagues > 99 or high_bid < 99): ask me\npass",
        "until changed\nfor bid: unless high_bid > 0: bid lowest",
        "until changed\nfor bid: bid lowest up to 4\nask me",
        "until changed\nfor turn: draw",
    ],
)
def test_pr_3_6_what_might_not_bid_is_asked_for_a_list(session: Session, now: datetime, text: str) -> None:
    """A standing order that ends in a condition, or asks, speaks for nobody: its owner would see the others' bids."""
    game = on_turn(session, now)
    first = asked(session, game)[0].seat
    other = (first + 2) % 3
    assert not standing_orders.store(session, now, seat_of(session, game, other).id, text).faults
    session.commit()
    open_seats = to_the_auction(session, now, game)

    assert set(open_seats) == {0, 1, 2}
    assert all(decision.sealed for decision in open_seats.values())


def test_pr_3_6_a_standing_order_that_always_bids_is_a_list(session: Session, now: datetime) -> None:
    """Its owner isn't asked; where its bids are beaten it ends in a pass, as a list does, and is used as one."""
    game = on_turn(session, now)
    first = asked(session, game)[0].seat
    bidder, other = (first + 1) % 3, (first + 2) % 3
    text = "until changed\nfor bid: when plagues > 99 and high_bid > 0: ask me\nunless plagues > 99: bid lowest up to 4"
    standing_orders.store(
        session,
        now,
        seat_of(session, game, other).id,
        text,
    )
    session.commit()
    open_seats = to_the_auction(session, now, game)
    assert set(open_seats) == {first, bidder}
    suns = state(session, game).up[bidder]
    assert answer(session, now, game, bidder, f"bid {suns.bit_length() - 1}").accepted
    assert answer(session, now, game, first, "pass").accepted
    advance(session, now, game.id)
    session.commit()

    assert orders_of(session, game, other)[-1] == "pass"
    assert asked(session, game)[0].kind != "bid"
    row = session.execute(select(StoredStandingOrders).where(StoredStandingOrders.kind == "standing")).scalar_one()
    assert row.ended_at is None
    lists = session.execute(select(StoredStandingOrders).where(StoredStandingOrders.kind == "sealed")).scalars().all()
    assert all(one.ended_at is not None for one in lists)


@pytest.mark.parametrize("limit", ["0", ""])
def test_pr_3_6_a_plan_is_a_list_where_it_has_a_limit_for_the_lot(session: Session, now: datetime, limit: str) -> None:
    """It ends when an auction is won, which no bid of this one changes; its owner was asked at every auction."""
    here = position("3 players, sealed auctions\nlot: library, pyramid\nturn: 0 to draw or call")
    game = on_turn(session, now, here=here)
    mine = seat_of(session, game, 2).id
    stored = plans.store(session, now, mine, "draw", {"tiles": ["5"], "limits": [limit] * LOT_SPACES})
    session.commit()
    open_seats = to_the_auction(session, now, game)

    assert set(open_seats) == ({0, 1} if limit else {0, 1, 2})
    tried = standing_orders.trial(session, mine, stored.text)
    assert str(tried.today[-1]).startswith("You are asked for a list") == (not limit)


def test_pr_3_6_a_list_may_not_say_ask_me(session: Session, now: datetime) -> None:
    """It is refused in words, whole or on a condition; the same list without it is taken."""
    game = on_turn(session, now)
    seat = min(to_the_auction(session, now, game))
    for text in ("ask me", "bid lowest up to 9\nask me", "when high_bid > 5: ask me\npass"):
        receipt = answer(session, now, game, seat, text)
        assert not receipt.accepted
        assert "ask me" in str(receipt.faults[0])

    assert answer(session, now, game, seat, "bid lowest up to 9\npass").accepted


def test_ar_5_10_every_list_is_asked_at_once_and_ends_with_nothing_bid(session: Session, now: datetime) -> None:
    """All bidders owe a list; whose lines fit nowhere bids 0 on a free province, and nobody is asked again."""
    game = on_turn(session, now, "amunre", options={"auction": "sealed"})
    assert {decision.seat: (decision.kind, decision.sealed) for decision in asked(session, game)} == dict.fromkeys(
        range(3), ("bid", True)
    )
    answer_all_with(session, now, game, "when my_gold > 99: bid 6 on Memphis")

    assert {orders_of(session, game, seat)[0].split(" on ")[0] for seat in range(3)} == {"bid 0"}
    assert {decision.kind for decision in asked(session, game)} <= {"buy", "build"}


def answer_all_with(session: Session, now: datetime, game: Game, text: str) -> None:
    """Answer everything asked with one text, and carry on."""
    for decision in asked(session, game):
        assert answer(session, now, game, decision.seat, text).accepted
    answer_all(session, now, game)
