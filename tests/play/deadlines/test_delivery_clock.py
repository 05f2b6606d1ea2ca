"""Mail that comes back holds a clock for a while, never a game for ever, and somebody is always told."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from pbem.mail import outbox
from pbem.play.deadlines import cadence, delivery_clock, fallback, reminders, waiting_reasons
from pbem.play.seats.ballots import REPLACE
from pbem.play.seats.proposals import ProposalPlan, propose
from pbem.play.turns.advance import advance
from pbem.play.views.game_context import table_of
from pbem.store import unit_of_work
from pbem.store.models import Member, Player
from pbem.store.queries import game_pages
from tests.factories import GameFactory, PlayerFactory, asked, in_a_club, letters, newly_due, seat_of

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from pbem.store.models import Game

DAY = timedelta(days=1)


@pytest.fixture
def game(session: Session, now: datetime) -> Game:  # noqa: ARG001 - the database it is in
    """A game of three persons; the first of them organises it."""
    made: Game = GameFactory(people=3, bots=(), now=now, options={"auctions": "in_turn"})
    return made


def asked_player(session: Session, game: Game) -> Player:
    """Who is asked at the moment."""
    return session.get_one(Player, seat_of(session, game, asked(session, game)[0].seat).player_id)


def bounce(session: Session, now: datetime, player: Player) -> None:
    """A letter to a player comes back, as a report says at its own address."""
    letter = next(one for kind in ("your_turn", "game_over") for one in letters(session, kind))
    letter.player_id = player.id
    outbox.note(session, now, letter.id, "bounced", "5.1.1")
    delivery_clock.bounced(session, now, player.id)
    session.commit()
    session.expire_all()


def test_a_clock_rests_for_a_week_at_most(session: Session, now: datetime, game: Game) -> None:
    """From the report on a week is added to the time of the decision; then the safe default answers."""
    player, before, ply = asked_player(session, game), game.due_at, game.ply
    bounce(session, now + timedelta(hours=1), player)

    assert before is not None
    assert game.due_at is not None
    assert game.due_at >= before + timedelta(days=7)
    assert game.due_at <= before + timedelta(days=8)
    assert game.wake_at == game.cover_at == cadence.cover(cadence.CADENCES["club"], game.due_at)

    newly_due(session)
    advance(session, cadence.cover(cadence.CADENCES["club"], game.due_at), game.id)
    session.commit()
    assert game.ply > ply


def test_it_rests_once_in_three_months(session: Session, now: datetime, game: Game) -> None:
    """Reports that come again and again, at each decision and after a new address, move no deadline any more."""
    player = asked_player(session, game)
    bounce(session, now, player)
    later = now + 30 * DAY
    delivery_clock.reachable(session, later, player.id)
    first = game.due_at
    bounce(session, later, player)

    assert first is not None
    assert game.due_at == first
    assert delivery_clock.rested(session, later, [player]) == later
    assert delivery_clock.rested(session, now + 91 * DAY, [player]) == now + 91 * DAY
    outbox.note(session, now + 121 * DAY, letters(session, "your_turn")[0].id, "bounced")
    assert delivery_clock.rested(session, now + 121 * DAY, [player]) == now + 128 * DAY


def test_the_others_can_vote_once_the_time_is_over(session: Session, now: datetime, game: Game) -> None:
    """Who can't be reached and never lets the bot decide is voted out like anybody who keeps the table waiting."""
    player, (decision,) = asked_player(session, game), asked(session, game)
    fallback.set_ladder(session, seat_of(session, game, decision.seat).id, [], never=[decision.kind])
    bounce(session, now, player)
    assert game.cover_at is not None
    table = table_of(session, game)
    assert reminders.stalled(session, now + DAY, table) == {}
    other = next(one for one in table.players.values() if one.id != player.id)
    wish = ProposalPlan(kind=REPLACE, seat=decision.seat)

    assert propose(session, game.cover_at, game.id, other.id, wish).state == "open"


def test_a_game_that_an_older_version_stopped_goes_on(session: Session, now: datetime, game: Game) -> None:
    """A running game without a deadline gets one when it is looked at."""
    delivery_clock.stop_clock(game, asked(session, game))
    unit_of_work.wake(session, game, now)
    session.commit()
    newly_due(session)
    advance(session, now, game.id)
    session.commit()

    assert game.due_at is not None
    assert game.wake_at == game.cover_at
    assert asked(session, game)[0].due_at == game.due_at


def test_who_organises_hears_of_it_and_where_that_is_nobody_the_clubs_others_do(
    session: Session, now: datetime, game: Game
) -> None:
    """An organiser whose own mail comes back isn't the only one who is told; nor one who can't be reached."""
    player = asked_player(session, game)
    other = PlayerFactory()
    in_a_club(session, game, player.id, other.id)
    session.query(Member).update({"role": "organiser"})
    game.organiser_id = player.id
    session.commit()
    bounce(session, now, player)

    assert [letter.player_id for letter in letters(session, "organiser_alert")] == [other.id]
    newly_due(session)
    assert game.due_at is not None
    reminders.remind(session, game.due_at + timedelta(minutes=1))
    session.commit()
    assert [letter.player_id for letter in letters(session, "organiser_alert")] == [other.id, other.id]


def test_the_page_says_why(session: Session, now: datetime, game: Game) -> None:
    """The deadline stands on the page, and that mail comes back."""
    bounce(session, now, asked_player(session, game))
    table = game_pages.gathering(session, game_id=game.id)
    assert table is not None
    shown = waiting_reasons.why(now, table, None)

    assert shown.said.text.startswith("Mail to {seats} comes back")
    assert shown.due_at == game.due_at
