"""Looking at something hidden: never by who plays or sits in at the table, whatever they do at others'."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

from pbem.errors import NotAllowed, NotSeated
from pbem.play.admin import action_log, disclosures
from pbem.play.admin.action_log import AdminAction
from pbem.play.orders import standing_orders
from pbem.play.seats import substitutes
from pbem.play.turns.advance import advance
from pbem.store.models import Game, Player, Sitter
from tests.factories import GameFactory, PlayerFactory, answer, hours, seat_of

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session


REASON = "Bob says that his cards are wrong"


class Tables(NamedTuple):
    """Two games, and Dora, who organises both and plays in the other one."""

    here: Game
    other: Game
    dora: Player


@pytest.fixture
def tables(session: Session) -> Tables:
    """Amun-Re, in which everybody is asked for something hidden."""
    dora = PlayerFactory.create(name="Dora")
    sealed = {"game": "amunre", "bots": (), "options": {"auction": "sealed"}, "seed": "look"}
    other = GameFactory.create(people=[dora, *PlayerFactory.create_batch(2)], **sealed)
    here = GameFactory.create(people=3, **sealed)
    here.organiser_id = other.organiser_id = dora.id
    session.flush()
    return Tables(here, other, dora)


def look(session: Session, now: datetime, game: Game, by: Player, seat: int = 0) -> tuple[str, ...]:
    """What orders somebody sees who looks at a seat."""
    action = AdminAction(now=now, game=game, by=by, reason=REASON)
    return disclosures.look(session, action, (), seat, "orders").orders


def sit(session: Session, game: Game, player: Player, now: datetime, until: datetime) -> Sitter:
    """Somebody who sits in for the first seat of a game."""
    row = Sitter(game_id=game.id, seat=0, player_id=player.id, starts=now - hours(9), ends=until)
    session.add(row)
    session.flush()
    return row


def test_who_plays_elsewhere_may_look(session: Session, now: datetime, tables: Tables) -> None:
    """A seat, and a seat sat in for, count at their own table alone."""
    sit(session, tables.other, tables.dora, now, now + hours(9))
    sit(session, tables.here, PlayerFactory.create(), now, now + hours(9))

    assert look(session, now, tables.here, tables.dora) == ()
    with pytest.raises(NotAllowed, match="You play in this game"):
        look(session, now, tables.other, tables.dora)


def test_who_sits_in_may_not_look(session: Session, now: datetime, tables: Tables) -> None:
    """Neither may another person for whom the browser answers; whoever sat in until now may."""
    sitter = sit(session, tables.here, tables.dora, now, now + hours(1))
    with pytest.raises(NotAllowed, match="You play in this game"):
        look(session, now, tables.here, tables.dora)
    assert look(session, now + hours(1), tables.here, tables.dora) == ()
    sitter.ended_at = now
    assert look(session, now, tables.here, tables.dora) == ()


def test_only_the_orders_of_the_seat_are_shown(session: Session, now: datetime, tables: Tables) -> None:
    """Those that count for what is open: not another seat's, another table's, or an earlier one."""

    def shown(seat: int) -> tuple[str, ...]:
        return look(session, now, tables.here, tables.dora, seat=seat)

    for game, lists in ((tables.here, ("bid 0 on Sawu", "bid 1 on Sawu")), (tables.other, ("pass", "pass", "pass"))):
        for seat, text in enumerate(lists):
            assert answer(session, now, game, seat, text).accepted

    assert [len(shown(seat)) for seat in range(3)] == [1, 1, 0]
    assert ["bid 0 on" in shown(0)[0], "bid 1 on" in shown(1)[0]] == [True, True]
    assert answer(session, now, tables.here, 2, "bid 0 on Sawu").accepted
    advance(session, now, tables.here.id)
    assert [shown(seat) for seat in range(3)] == [()] * 3


def test_only_the_standing_orders_of_the_seat_are_shown(session: Session, now: datetime, tables: Tables) -> None:
    """Not those of the same seat at another table."""
    standing_orders.store(session, now, seat_of(session, tables.other, 0).id, "pass")
    action = AdminAction(now=now, game=tables.here, by=tables.dora, reason=REASON)
    assert disclosures.look(session, action, (), 0, "standing").standing == ()
    standing_orders.store(session, now, seat_of(session, tables.here, 0).id, "pass")
    assert len(disclosures.look(session, action, (), 0, "standing").standing) == 1


def test_a_seat_that_is_not_there_shows_nothing(session: Session, now: datetime, tables: Tables) -> None:
    """It is refused as what nobody has."""
    with pytest.raises(NotSeated):
        look(session, now, tables.here, tables.dora, seat=7)


def test_a_look_is_told_of_who_had_the_seat_then(session: Session, now: datetime, tables: Tables) -> None:
    """Whatever was looked at, also once somebody else has the seat; at the other table nothing is told."""
    before = session.get_one(Player, seat_of(session, tables.here, 1).player_id).name
    for what in disclosures.WHAT:
        action = AdminAction(now=now, game=tables.here, by=tables.dora, reason=REASON)
        disclosures.look(session, action, (), 1, what)
    session.flush()

    substitutes.put_bot(session, now, tables.here.id, 1, "random", tables.dora.id)

    told = {entry.act: entry.said.params["seat"] for entry in action_log.entries(session, tables.here.id)}
    assert told == dict.fromkeys((*action_log.LOOKS, "put-bot"), before)
    assert action_log.entries(session, tables.other.id) == ()
