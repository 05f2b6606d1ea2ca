"""The weekly letter: what it tells, whom, and when it stays silent."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select, update

from pbem.clubs import club_views, gazette
from pbem.play.seats import opening
from pbem.play.turns.advance import advance
from pbem.store.models import GameState, Letter, OpenDecision
from tests.clubs.conftest import club_game, play_out
from tests.factories import GameFactory

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from pbem.store.models import Game
    from tests.clubs.conftest import Circle


def finished(session: Session, now: datetime, circle: Circle) -> Game:
    """A game of two members, played to its end by bots in their place."""
    game = club_game(circle)
    play_out(session, now, game)
    return game


def test_what_bots_play_among_themselves_is_no_news(session: Session, now: datetime, circle: Circle) -> None:
    """A game without a person in it ends, and nobody is written to."""
    game: Game = GameFactory.create(people=(), bots=("random", "random"), club_id=circle.club.id)
    while game.state == "running":
        advance(session, now, game.id)
        session.commit()

    assert game.state == "finished"
    GameFactory.create()
    assert gazette.ended_since(session, circle.club.id, now - timedelta(days=1)) == ()
    assert gazette.publish(session, now + timedelta(hours=1)) == 0


def test_a_finished_game_is_told_once_to_everybody(session: Session, now: datetime, circle: Circle) -> None:
    """Every member gets one letter this week, with the winner and the table of results, however often it runs.

    What waits for players isn't under way, nor is another club's game; what rests is.
    """
    game = finished(session, now, circle)
    club_game(circle).state = GameState.PAUSED
    GameFactory.create()
    seats = (opening.SeatPlan(), opening.SeatPlan())
    opening.open_game(session, now, opening.GamePlan(game="priestsofra", seats=seats, club_id=circle.club.id))
    session.commit()

    first = gazette.publish(session, now + timedelta(hours=1))
    gazette.publish(session, now + timedelta(hours=2))

    letters = session.execute(select(Letter).where(Letter.kind == "gazette")).scalars().all()
    assert first == len(letters) == len(circle.everybody)
    data = letters[0].data
    (row,) = data["tables"][0]["rows"]
    assert row[0] == game.title
    assert set(row[1]) <= {player.name for player in circle.others[:2]}
    assert len(row[1]) == 1
    assert data["paragraphs"][0]["params"] == {"ended": 1, "running": 1}


def test_a_quiet_week_has_no_gazette(session: Session, now: datetime, circle: Circle) -> None:
    """Nothing ended and nobody waits: nothing is sent; old results are not told again."""
    assert gazette.publish(session, now) == 0

    finished(session, now, circle)

    assert gazette.publish(session, now + timedelta(days=8)) == 0


def test_a_long_wait_gets_a_kind_word(session: Session, now: datetime, circle: Circle) -> None:
    """After four days the one awaited is named, without blame."""
    club_game(circle)

    story = gazette.write(session, now + timedelta(days=4), circle.club)

    assert story is not None
    assert story.paragraphs[1].text == "{title} looks forward to what {people} will do."


def test_the_longest_waits_are_told_of(session: Session, now: datetime, circle: Circle) -> None:
    """Three of four, whatever their deadlines are."""
    games = [club_game(circle) for _ in range(4)]
    for days, game in enumerate(games):
        game.title, game.due_at = f"{days} days later", now + timedelta(days=40 - days)
        game.version += 1
        session.execute(
            update(OpenDecision).where(OpenDecision.game_id == game.id).values(opened_at=now + timedelta(days=days))
        )
    session.commit()

    story = gazette.write(session, now + timedelta(days=9), circle.club)

    assert story is not None
    told = [one.params["title"] for one in story.paragraphs if "title" in one.params]
    assert told == ["0 days later", "1 days later", "2 days later"]


def test_results_for_a_spreadsheet(session: Session, now: datetime, circle: Circle) -> None:
    """One line a finished game; a title that looks like a formula is only text."""
    game = finished(session, now, circle)
    game.title = "=1+1"
    session.flush()

    head, line = club_views.results_csv(session, circle.club.id).splitlines()

    assert head == "game,title,finished_at,plies,winners,scores,state"
    assert line.startswith("priestsofra,'=1+1,2026-03-02T12:00:00+00:00,")
