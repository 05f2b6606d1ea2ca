"""What pages and letters are given, and what they are not."""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from unittest.mock import Mock

import msgspec
import pytest
from sqlalchemy import select, update

from pbem.bots import basic, selfplay
from pbem.clubs.games import actions, substitute_search
from pbem.engine.core.rng import Rng
from pbem.engine.registry import GAMES, rules_of
from pbem.errors import NotSeated
from pbem.letters import context
from pbem.play.admin import game_admin
from pbem.play.deadlines.cadence import CADENCES
from pbem.play.seats import substitutes
from pbem.play.turns import resolution
from pbem.play.turns.advance import advance
from pbem.play.views import decision_queue, seat_view, spectator
from pbem.play.views.game_context import table_of
from pbem.store.models import GameState, Letter, OpenDecision, Player, StoredPly
from pbem.store.queries import game_pages
from tests import factories
from tests.factories import GameFactory, PlayerFactory, answer, answer_all, asked, in_a_club, seat_of

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from pbem.store.models import Game


def secret_game(session: Session, now: datetime, seed: str = "secret") -> Game:
    """Amun-Re before its offerings: three persons asked in secret."""
    game: Game = GameFactory(game="amunre", people=3, bots=(), now=now, seed=seed)
    while not ((here := asked(session, game)) and here[0].secret):
        answer_all(session, now, game)
    assert len(here) > 1
    return game


def text_of(thing: object) -> bytes:
    """A situation as bytes, for comparing."""
    return msgspec.json.encode(thing)


def test_of_a_secret_decision_nobody_learns_who_is_awaited(session: Session, now: datetime) -> None:
    """Whether and when another seat has answered changes nothing in what a seat, or a spectator, is given."""
    game = secret_game(session, now)
    first, second = (one.seat for one in asked(session, game)[:2])
    readers = [seat_of(session, game, number).id for number in range(3) if number != first]
    before = [text_of(seat_view.situation(session, now, reader)) for reader in readers]
    watched = text_of(seat_view.watch(session, now, game.id))
    answer(session, now, game, first)
    session.expire_all()

    assert [text_of(seat_view.situation(session, now, reader)) for reader in readers] == before
    assert text_of(seat_view.watch(session, now, game.id)) == watched
    seen = seat_view.situation(session, now, readers[0])
    assert [player.awaited for player in seen.players] == [None, None, None]
    assert seen.waiting is not None
    assert seen.waiting.who is None
    assert str(seen.waiting.said) == "Choices are still open."
    assert second in {0, 1, 2}


def asked_beside(name: str) -> Any:
    """A position where somebody may say something in secret that nobody waits for; None where there is none."""
    rules, met = rules_of(name), list[Any]()

    def look(state: Any, *_: Any) -> None:
        secrets = [one.needed for one in rules.asked(state).values() if one.secret]
        if not met and secrets and not any(secrets):
            met.append(rules.copy(state))

    selfplay.play(selfplay.SelfplayTable(rules, (basic.RandomBot(),) * 3), "beside", look)
    return met[0] if met else None


def test_what_is_asked_beside_in_secret_hides_nobody(session: Session, now: datetime) -> None:
    """Whom the game waits for is told to its seats, who may remind them, and who look for a substitute.

    In the last round of each of Amun-Re's kingdoms it waited for nobody by name, as bonus cards may be kept.
    """
    met = {name: here for name in GAMES if (here := asked_beside(name)) is not None}
    for name, here in met.items():
        game = GameFactory(game=name, people=3, bots=(), now=now, here=here)
        waiting = tuple(sorted(one.seat for one in asked(session, game)))
        for number in range(3):
            seen = seat_view.situation(session, now, seat_of(session, game, number).id)
            assert seen.waiting is not None
            assert seen.waiting.who == waiting
            assert tuple(player.seat for player in seen.players if player.awaited) == waiting
        told = game_admin.seats(session, now, table_of(session, game))
        assert tuple(one.seat for one in told if one.awaited) == waiting
        in_a_club(session, game)
        wish = actions.ActionRequest(act="nudge", by=game.organiser_id, games=(game.id,))
        assert len(actions.carry_out(session, now, game.club_id, wish).effects) == 1
        for seat in waiting:
            session.get_one(Player, seat_of(session, game, seat).player_id).address_state = "bounced"
        assert substitute_search.seats_in_need(session, now, table_of(session, game)) == waiting
    assert met


def test_a_situation_holds_the_seats_view_and_nothing_of_the_state(session: Session, now: datetime) -> None:
    """States that differ only in what a seat may not see give it byte-identical situations."""
    game = secret_game(session, now)
    rules = rules_of("amunre")
    reader = seat_of(session, game, 0)
    before = seat_view.situation(session, now, reader.id)
    ply = session.execute(select(StoredPly).where(StoredPly.game_id == game.id, StoredPly.ply == game.ply)).scalar_one()
    hidden = rules.imagine(rules.view(factories.state(session, game), 0), Rng("other", 1))
    assert msgspec.json.encode(hidden) != ply.snapshot
    ply.snapshot = msgspec.json.encode(hidden)
    session.commit()

    assert text_of(seat_view.situation(session, now, reader.id)) == text_of(before)


def test_private_events_are_told_to_their_seats_only(session: Session, now: datetime) -> None:
    """Every event of every ply reaches exactly those it is meant for, after the end everybody.

    How a seat's orders came about stays its own then, too: nobody else learns what it had given ahead.
    """
    game = GameFactory(game="amunre", people=3, bots=(), now=now, seed="told", plays=25)
    rows = session.scalars(select(StoredPly).where(StoredPly.game_id == game.id)).all()
    notes = [
        {"text": said, "seat": 1, "seen_by": [1], "params": {"order": "pass"}} for said in resolution.PRIVATE_NOTES
    ]
    rows[7].events = msgspec.json.encode([*msgspec.json.decode(rows[7].events), *notes])
    session.commit()
    alone = [event for row in rows for event in msgspec.json.decode(row.events) if event.get("seen_by")]
    private = [event["seen_by"] for event in alone]
    hidden = [event for event in alone if event["text"] not in resolution.PRIVATE_NOTES]
    assert len(private) > len(hidden) > 0
    for reader in (0, 1, 2, None):
        told = seat_view.story(session, game.id, reader, 0, game.ply, ())
        mine = [one.event.seen_by for one in told if one.event.seen_by is not None]
        assert mine == [tuple(seen_by) for seen_by in private if reader in seen_by]
    for state, count in ((GameState.RUNNING, 0), (GameState.FINISHED, len(hidden))):
        watched = Mock(id=game.id, state=state)
        shown = [one for ply in range(game.ply + 1) for one in spectator._told(session, watched, ply, {})]
        assert sum(one.event.seen_by is not None for one in shown) == count


def test_news_begin_at_the_readers_last_decision(session: Session, now: datetime) -> None:
    """From the ply of their own newest order on; a spectator gets the last ply."""
    game = GameFactory(now=now, people=2, bots=("random",), seed="news", plays=6)
    last = (
        session.execute(
            select(OpenDecision.ply)
            .where(OpenDecision.seat == 0, OpenDecision.hand == "player")
            .order_by(OpenDecision.ply.desc())
        )
        .scalars()
        .first()
    )
    seen = seat_view.situation(session, now, seat_of(session, game, 0).id)

    assert last
    assert {told.ply for told in seen.since} <= set(range(last, game.ply + 1))
    assert min(told.ply for told in seen.since) == last
    assert {told.ply for told in seat_view.watch(session, now, game.id).since} <= {game.ply}


def test_news_are_headed_by_what_they_begin_with(
    session: Session, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game, where nobody has decided for the seat; the reader's last decision, or that of who had the seat."""
    game: Game = GameFactory(now=now, people=2, bots=(), options={"auctions": "in_turn"}, seed="news")
    first = asked(session, game)[0].seat
    seat, other = seat_of(session, game, first).id, seat_of(session, game, 1 - first).id

    def heading(seat_id: int) -> str:
        return seat_view.situation(session, now, seat_id).since_heading

    found = [(heading(seat), heading(other))]
    answer(session, now, game, first, "draw")
    advance(session, now, game.id)
    session.commit()
    found.append((heading(seat), heading(other)))
    now += timedelta(hours=1)
    for seat_number in (first, 1 - first):
        substitutes.replace(session, now, game.id, seat_number, PlayerFactory().id, game.organiser_id or 0)
    session.commit()
    found.append((heading(seat), heading(other)))
    while heading(seat) == found[-1][0]:
        answer_all(session, now, game)

    begun, decided = "Since the game began", "Since your last decision"
    assert found == [(begun, begun), (decided, begun), ("Since the last decision of your seat", begun)]
    assert heading(seat) == decided
    assert seat_view.watch(session, now, game.id).since_heading == "What happened last"
    session.execute(update(OpenDecision).values(hand="bot"))
    assert heading(seat) == begun
    monkeypatch.setattr(game_pages, "LOOKED_BACK", game.ply - 1)
    assert heading(seat) == "What happened last"


def test_an_earlier_ply_is_shown_as_it_was(session: Session, now: datetime) -> None:
    """Its view and its news, but no question; a ply that isn't there leads to no seat."""
    game = GameFactory(now=now, seed="history", plays=4)
    seat_id = seat_of(session, game, 0).id
    old = seat_view.situation(session, now, seat_id, ply=1)

    assert (old.ply, old.asked, old.waiting) == (1, None, None)
    assert old.game.ply == game.ply
    for ply in (-1, game.ply + 1):
        with pytest.raises(NotSeated):
            seat_view.situation(session, now, seat_id, ply=ply)
    with pytest.raises(NotSeated):
        seat_view.situation(session, now, seat_id + 1000)


def test_the_seed_is_shown_when_the_game_is_over_and_not_before(session: Session, now: datetime) -> None:
    """The commitment from the start; the seed, which it fits, at the end."""
    game = GameFactory(now=now, seed="hush", here=factories.near_the_end("priestsofra", 3))
    running = seat_view.watch(session, now, game.id).game
    factories.play_to_the_end(session, now, game)
    over = seat_view.watch(session, now, game.id)

    assert running.seed == ""
    assert over.game.seed == "hush"
    assert running.commitment == over.game.commitment == sha256(b"hush").hexdigest()
    assert over.outcome is not None


def test_letters_are_made_from_the_readers_situation(session: Session, now: datetime) -> None:
    """What a letter is given of the game is what its reader's page is given, and no other's."""
    game = secret_game(session, now)
    letter = session.execute(select(Letter).where(Letter.kind == "your_turn", Letter.ply == game.ply)).scalars().first()
    assert letter is not None
    data = context.context(session, now, letter)
    assert data is not None
    assert data.seat_id is not None

    assert text_of(data.situation) == text_of(seat_view.situation(session, now, data.seat_id, pictured=True))
    assert data.to.player_id == letter.player_id


def test_the_queue_puts_what_is_due_first(session: Session, now: datetime) -> None:
    """Open questions by deadline, then answered ones, then what waits for others, finished games last."""
    alice, bob = factories.PlayerFactory.create_batch(2)
    here = factories.near_the_end("priestsofra", 3)
    over = GameFactory(now=now, people=(alice, bob), bots=("random",), seed="q1", here=here)
    factories.play_to_the_end(session, now, over)
    slow = GameFactory(
        now=now, people=(alice,), bots=("random", "random"), seed="q2", cadence=CADENCES["correspondence"]
    )
    fast = GameFactory(now=now, people=(alice,), bots=("random", "random"), seed="q3", cadence=CADENCES["blitz"])
    done = GameFactory(now=now, people=(alice,), bots=("random", "random"), seed="q4", cooling=600)
    answer(session, now, done, 0)
    items = decision_queue.queue(session, now, alice.id)

    assert [item.slug for item in items] == [fast.slug, slow.slug, done.slug, over.slug]
    assert [item.answered for item in items] == [False, False, True, False]
    assert [item.seat_id for item in decision_queue.of_seats(session, now, [items[0].seat_id])] == [items[0].seat_id]


def test_the_queue_holds_the_newest_of_the_games_that_are_over(session: Session, now: datetime) -> None:
    """As many as are asked for, by their end, not their beginning; what goes on is there whatever their number."""
    alice, bob = factories.PlayerFactory.create_batch(2)
    here = factories.near_the_end("priestsofra", 3)
    games = [GameFactory(people=(alice, bob), bots=("random",), seed=f"q{n}", here=here, now=now) for n in range(4)]
    for later, game in enumerate((games[2], games[0], games[1])):
        factories.play_to_the_end(session, now + factories.hours(later), game)

    listed = {over: decision_queue.queue(session, now, alice.id, over) for over in (0, 1, 2, None)}

    slugs = {over: {item.slug for item in items} for over, items in listed.items()}
    on, last, first, before = (game.slug for game in (games[3], games[1], games[2], games[0]))
    assert slugs == {0: {on}, 1: {on, last}, 2: {on, last, before}, None: {on, last, before, first}}


def test_why_it_waits_names_who_and_since_when(session: Session, now: datetime) -> None:
    """The sentence comes from what the scheduler goes by."""
    game = GameFactory(now=now, seed="why")
    seen = seat_view.watch(session, now, game.id)
    assert seen.waiting is not None
    seat = asked(session, game)[0].seat

    assert seen.waiting.who == (seat,)
    assert (seen.waiting.due_at, seen.waiting.cover_at, seen.waiting.since) == (game.due_at, game.cover_at, now)
    assert seen.waiting.said.text == "Waiting for {seats} since {since}."
    answer(session, now, game, seat)
    waiting = seat_view.watch(session, now, game.id).waiting
    assert waiting is not None
    assert str(waiting.said) == "All orders are in. The game goes on in a moment."
    advance(session, now, game.id)
