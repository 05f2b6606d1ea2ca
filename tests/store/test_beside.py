"""What statements that were built once read and write is of the seat or the game they are asked for."""

from __future__ import annotations

from datetime import timedelta
from itertools import product
from typing import TYPE_CHECKING, Any

from sqlalchemy import select, update

from pbem.store.models import (
    UNREACHABLE,
    Letter,
    Member,
    Note,
    OpenDecision,
    Player,
    Proposal,
    Seat,
    StoredOrder,
    StoredStandingOrders,
)
from pbem.store.queries import common, game_pages, order_writes, ply_inputs, ply_writes, requests
from tests.factories import GameFactory, PlayerFactory, asked, in_a_club, seat_of

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from pbem.store.models import Game


def test_a_page_an_order_and_a_ply_are_read_of_their_own_rows(session: Session, now: datetime) -> None:
    """Notes, drafts, votes and orders given ahead: the same people's elsewhere, the others' here, and what is over."""
    people = PlayerFactory.create_batch(2)
    wishes = {"now": now, "people": people, "options": {"auctions": "in_turn"}, "seed": "same"}
    game = GameFactory(**wishes)
    (number,) = {decision.seat for decision in asked(session, game)}
    seat, quiet = seat_of(session, game, number), seat_of(session, game, 1 - number)

    def read() -> list[Any]:
        held = game_pages.held_table(session, seat.id, {seat.id: seat.epoch}, {}, ())
        asks = [order_writes.question(session, one.id) for one in (seat, quiet)]
        return [requests.held(session, seat.id, seat.epoch, {}), held, asks, ply_inputs.claim(session, game.id)]

    alone, other = read(), GameFactory(**wishes)
    session.add(Proposal(game_id=other.id, kind="end", player_id=quiet.player_id, created_at=now, expires_at=now))
    for at, own in ((other, seat), (game, quiet), (game, seat)):
        theirs = own.player_id if at is other else quiet.player_id if own is seat else seat.player_id
        here, text = {"game_id": at.id, "seat": own.seat}, {"text": "theirs"}
        session.add(Note(**here, **text, player_id=theirs, updated_at=now))
        drafted = {"kind": "draft", "canonical": "theirs", "source": "web", "created_at": now}
        session.add(StoredOrder(**here, **text, **drafted, ply=game.ply + 1, player_id=theirs))
        if own is seat:
            over = {"ended_at": now if at is game else None, "ended_why": "", "created_at": now}
            session.add(StoredStandingOrders(**here, **text, **over, kind="then", phase="", round=""))
    assert read() == alone
    session.add(
        OpenDecision(game_id=other.id, ply=other.ply + 1, seat=quiet.seat, kind="call", opened_at=now, began_at=now)
    )
    assert [game_pages.waiting(session, {one.id: one.epoch}, {}) for one in (seat, quiet)] == [(seat.id,), ()]

    session.add(
        StoredStandingOrders(
            game_id=game.id, seat=quiet.seat, kind="then", text="ra", phase="", round="", created_at=now, ended_why=""
        )
    )
    held, table, (mine, theirs_now), inputs = read()
    assert [held, table, mine] == [*alone[:2], alone[2][0]]
    assert [[bool(row.snapshot) for row in one.asked] for one in (mine, theirs_now)] == [[True], [False]]
    assert [one.decision is not None for one in inputs.seats] == [one.seat.seat == number for one in inputs.seats]
    assert ([row.seat for row in table.table.decisions], len(table.table.seats)) == ([number], 3)


def test_news_begin_at_the_newest_order_of_the_seat_in_this_game(session: Session, now: datetime) -> None:
    """Whoever has the seat's number at another table has ordered later; so has another seat at this one."""
    game, other = (GameFactory(now=now, plays=5) for _ in "ab")
    for number, last in ((0, 2), (1, 3)):
        later = update(OpenDecision).where(OpenDecision.game_id == game.id, OpenDecision.seat == number)
        session.execute(later.where(OpenDecision.ply > last).values(hand="bot"))

    def newest(at: Game, number: int) -> int:
        own = select(OpenDecision.ply).where(OpenDecision.game_id == at.id, OpenDecision.seat == number)
        return max(session.scalars(own.where(OpenDecision.hand == "player")), default=0)

    found = [newest(game, number) for number in (0, 1)]
    assert found[0] != found[1]
    assert all(newest(game, number) < newest(other, number) <= game.ply for number in (0, 1))
    told = [[row.ply for row in game_pages.news(session, game.id, game.ply, number)] for number in (0, 1)]
    assert told == [list(range(first, game.ply + 1)) for first in found]


def test_what_waits_is_shown_by_each_key(session: Session, now: datetime) -> None:
    """A seat's shows that seat, a person's all of theirs, both both; one that was renewed since, or none, nothing."""
    ada, ben = PlayerFactory.create_batch(2)
    wishes = {"now": now, "people": (ada, ben), "seed": "same"}
    games = [GameFactory(**wishes) for _ in "ab"]
    mine, other = (
        [seat_of(session, game, seat.seat) for game in games for seat in asked(session, game)][i] for i in (0, 1)
    )
    holder = ada if mine.player_id == ada.id else ben
    shown = {
        (): (),
        (mine,): (mine.id,),
        (holder,): (mine.id, other.id),
        (mine, holder): (mine.id, other.id),
    }
    for keys, seats in shown.items():
        for later, found in ((0, seats), (1, ())):
            known = [{one.id: one.epoch + later for one in keys if type(one) is kind} for kind in (Seat, Player)]
            assert game_pages.waiting(session, *known) == found


def test_who_is_told_what_a_game_needs(session: Session, now: datetime) -> None:
    """Its organiser; the club's others where it is about them, or their mail comes back; nobody where nobody is."""
    ada, ben, zoe = PlayerFactory.create_batch(3)
    game = GameFactory(now=now, organiser_id=ada.id)
    in_a_club(session, game)
    club_id, game.club_id = game.club_id, None
    for who in (zoe, ben):
        session.add(Member(club_id=club_id, player_id=who.id, role="organiser", joined_at=now))
    told = {}
    for club, state, about in product((None, club_id), ("good", "soft", *UNREACHABLE), (None, ada.id, ben.id)):
        game.club_id, ada.address_state = club, state
        told[club, state, about] = common.organisers_about(session, game, about)

    for (club, state, about), people in told.items():
        own = [] if state in UNREACHABLE or about == ada.id else [ada]
        assert people == (own or [one for one in (ben, zoe) if club and one.id != about])


def test_receipts_are_dropped_in_their_own_game(session: Session, now: datetime) -> None:
    """Those about the same ply of another game leave."""
    games = [GameFactory(now=now) for _ in "ab"]
    for game in games:
        sent = {"cause": f"{game.id}", "message_id": f"{game.id}", "data": {}, "next_try_at": now, "created_at": now}
        session.add(Letter(kind="receipt", game_id=game.id, ply=1, **sent))
    session.flush()
    ply_writes.drop_receipts(session, games[0].id, 1)

    states = select(Letter.state).where(Letter.kind == "receipt").order_by(Letter.id)
    assert session.scalars(states).all() == ["dropped", "pending"]


def test_what_is_asked_is_closed_once_and_in_its_own_game(session: Session, now: datetime) -> None:
    """What another game asks for a ply of that number stays open; what is closed keeps its moment."""
    game, other = (GameFactory(now=now, options={"auctions": "in_turn"}, seed="same") for _ in "ab")
    (here,), (there,) = asked(session, game), asked(session, other)
    for moment in (now, now + timedelta(hours=1)):
        ply_writes.close(session, moment, game.id, here.ply)
    session.expire_all()

    assert (here.ply, here.closed_at, there.closed_at) == (there.ply, now, None)


def test_only_what_is_meant_of_the_orders_given_ahead_ends(session: Session, now: datetime) -> None:
    """In this game, in force, and of that kind; what has ended keeps its moment."""
    game, other = GameFactory(now=now), GameFactory(now=now)
    given = [(game, 0, "then"), (game, 0, "standing"), (game, 1, "then"), (other, 0, "then")]
    rows = [
        StoredStandingOrders(
            game_id=at.id, seat=seat, kind=kind, text="ra", phase="", round="", created_at=now, ended_why=""
        )
        for at, seat, kind in given
    ]
    before = StoredStandingOrders(
        game_id=game.id,
        seat=0,
        kind="then",
        text="ra",
        phase="",
        round="",
        created_at=now,
        ended_at=now,
        ended_why="done",
    )
    session.add_all([*rows, before])
    session.flush()

    chain = (StoredStandingOrders.seat == 0, StoredStandingOrders.kind == "then")
    common.end_ahead(session, now, game.id, "replaced", *chain)
    session.expire_all()

    assert [(row.ended_at, row.ended_why) for row in rows] == [(now, "replaced"), *[(None, "")] * 3]
    assert before.ended_why == "done"
