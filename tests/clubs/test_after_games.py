"""What a club makes of its results: ratings by pool, and the gazette's sentences, at their limits."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import msgspec
import pytest
from sqlalchemy import select, update

from pbem.clubs import gazette
from pbem.clubs.club_views import GameLine
from pbem.clubs.ratings import rating_sweep
from pbem.clubs.ratings.ratings import OVERALL, Skill, rated
from pbem.engine.core.types import Outcome
from pbem.store.models import Game, GameState, Player, Rating, RatingStep
from tests.clubs.conftest import Circle, club_game
from tests.factories import GameFactory

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

HOUR = timedelta(hours=1)


def over(
    session: Session,
    circle: Circle,
    when: datetime,
    scores: Sequence[int],
    bots: tuple[str, ...] = (),
    **more: str,
) -> Game:
    """A game of the club's first members and `bots` that ended so; only its result is written."""
    people = circle.everybody[: len(scores) - len(bots)]
    game: Game = GameFactory.create(people=people, bots=bots, club_id=circle.club.id, **more)
    game.outcome = msgspec.json.encode(Outcome.ranked(scores, scores, "end"))
    game.state, game.finished_at, game.version = GameState.FINISHED, when, game.version + 1
    game.wake_at = game.due_at = game.cover_at = None
    session.commit()
    return game


def test_each_game_counts_for_all_games_and_for_its_own_title(session: Session, now: datetime, circle: Circle) -> None:
    """In the order in which they ended, once, with each step kept; practice, and one person alone, count for nobody."""
    results: dict[str, list[tuple[int, ...]]] = {
        "amunre": [(9, 5, 5), (1, 2, 3)],
        "priestsofra": [(7, 3)],
    }
    made = [
        over(session, circle, now + HOUR * (5 - len(scores)), scores, game=title)
        for title, games in results.items()
        for scores in games
    ]
    over(session, circle, now, (5, 1)).practice = True
    over(session, circle, now, (5, 1), bots=("random",))
    ids = [player.id for player in circle.everybody[:3]]
    expected: dict[str, dict[int, tuple[Skill, int]]] = {OVERALL: {}, "amunre": {}, "priestsofra": {}}
    steps = []
    order = sorted(made, key=lambda game: (game.finished_at, game.id))
    for game in order:
        outcome = msgspec.json.decode(game.outcome or b"", type=Outcome)
        players = ids[: len(outcome.places)]
        for pool in (OVERALL, game.game):
            known = expected[pool]
            before = [known.get(player, (Skill(), 0)) for player in players]
            after = rated([skill for skill, _ in before], outcome.places)
            known |= {one: (new, had[1] + 1) for one, new, had in zip(players, after, before, strict=True)}
            steps += [
                (game.id, pool, player, place, known[player][0].shown, game.finished_at)
                for player, place in zip(players, outcome.places, strict=True)
            ]

    assert [rating_sweep.rate_finished(session, limit) for limit in (2, 50, 50)] == [2, 2, 0]
    rows = session.scalars(select(Rating)).all()
    found: dict[str, dict[int, tuple[Skill, int]]] = {pool: {} for pool in expected}
    for row in rows:
        found[row.game][row.player_id] = Skill(row.mu, row.sigma), row.games
    assert found == expected
    kept = session.scalars(select(RatingStep).order_by(RatingStep.id))
    assert [(one.game_id, one.pool, one.player_id, one.place, one.shown, one.at) for one in kept] == steps


def test_a_ranking_is_one_pools_and_the_strongest_come_first(session: Session, now: datetime, circle: Circle) -> None:
    """As many as are asked for, without who opted out; each person's history goes game by game."""
    played = [
        over(session, circle, now + HOUR * later, scores, game="amunre")
        for later, scores in enumerate([(9, 5, 1), (3, 2, 1)])
    ]
    played.append(over(session, circle, now + 2 * HOUR, (1, 7)))
    rating_sweep.rate_finished(session)
    first, second, third = (player.id for player in circle.everybody[:3])

    def ranked(pool: str, **how: int) -> list[tuple[int, int]]:
        lines = rating_sweep.ranking(session, circle.club.id, pool, **how)
        assert [line.shown for line in lines] == sorted((line.shown for line in lines), reverse=True)
        return [(line.player_id, line.games) for line in lines]

    assert ranked("amunre") == [(first, 2), (second, 2), (third, 2)]
    assert ranked("priestsofra") == [(second, 1), (first, 1)]
    assert sorted(ranked(OVERALL)) == [(first, 3), (second, 3), (third, 2)]
    assert ranked("amunre", limit=1) == [(first, 2)]
    for pool, places in (("amunre", [1, 1]), ("priestsofra", [2]), (OVERALL, [1, 1, 2])):
        points = rating_sweep.history(session, first, circle.club.id, pool)
        assert [point.place for point in points] == places
        assert {(point.title, point.slug) for point in points} <= {(game.title, game.slug) for game in played}
        elsewhere = rating_sweep.history(session, first, circle.club.id + 1, pool)
        assert [(point.place, point.title, point.slug) for point in elsewhere] == [(place, "", "") for place in places]
        shown = {line.player_id: line.shown for line in rating_sweep.ranking(session, circle.club.id, pool)}
        assert points[-1].shown == shown[first]
    session.get_one(Player, first).rated = False
    assert ranked("amunre") == [(second, 2), (third, 2)]


def test_equal_ratings_share_a_place(session: Session, now: datetime, circle: Circle) -> None:
    """The place after them is skipped; the gazette says the same as the ranking."""
    over(session, circle, now + HOUR, (9, 5, 1))
    rating_sweep.rate_finished(session)
    last = min(session.scalars(select(Rating.shown)))
    session.execute(update(Rating).where(Rating.player_id != circle.everybody[0].id).values(shown=last))
    session.expire_all()
    lines = rating_sweep.ranking(session, circle.club.id)
    (told,) = (table for table in gazette._tables(session, circle.club.id, ()) if table.caption.text == "Ranking")

    assert [line.place for line in lines] == [1, 2, 2]
    assert [row[1] for row in told.rows] == [1, 2, 2]


@pytest.mark.parametrize(
    ("scores", "says"),
    [
        ((9, 9, 2), "Ann, Bob shared Nile with 9 point(s) each."),
        ((9, 8, 2), "Ann won Nile by a hair: 9 point(s), 1 ahead."),
        ((2, 6, 9), "Cid won Nile by a hair: 9 point(s), 3 ahead."),
        ((9, 5, 2), "Ann won Nile with 9 point(s)."),
    ],
)
def test_a_finish_is_told_by_how_close_it_was(scores: tuple[int, ...], says: str) -> None:
    """Shared, by three points at most, or plainly."""
    winners = tuple(name for name, mine in zip(("Ann", "Bob", "Cid"), scores, strict=False) if mine == max(scores))
    ended = GameLine("nile", "Nile", "amunre", GameState.FINISHED, 9, None, winners, tuple(scores), 0)

    assert [str(one) for one in gazette._finishes([ended])] == [says]
    assert len(gazette._finishes([ended] * 30)) == 20


def test_a_record_is_told_when_it_is_one(session: Session, now: datetime, circle: Circle) -> None:
    """The most points that a title has seen in the club, once, and not where there is nothing to compare."""
    week = now - timedelta(days=7)

    def records() -> list[str]:
        told = gazette.ended_since(session, circle.club.id, week)
        return [str(one) for one in gazette._records(session, circle.club.id, told)]

    over(session, circle, now, (40, 1), title="First")
    assert records() == []
    over(session, circle, week, (50, 1), title="Too old to be told")
    assert records() == []
    over(session, circle, now, (50, 1), title="As many")
    assert records() == []
    over(session, circle, now, (3, 51), title="More")
    over(session, circle, now, (9, 8, 7), game="amunre")
    over(session, circle, now, (99, 1), title="Elsewhere").club_id = None
    session.commit()
    best = circle.others[0].name
    assert records() == [f"51 point(s) (is|are) the club's new record at Priests of Ra, set by {best}."]
    over(session, circle, week, (90, 1))
    assert records() == []


def test_a_kind_word_is_for_those_who_let_others_wait_for_three_days(
    session: Session, now: datetime, circle: Circle
) -> None:
    """To the second, and for three games at most."""
    for _ in range(4):
        club_game(circle)
    patient = timedelta(days=3)

    assert gazette._waits(session, now + patient, circle.club.id) == []
    assert len(gazette._waits(session, now + patient + timedelta(seconds=1), circle.club.id)) == 3


def test_the_gazette_names_the_five_who_lead(session: Session, now: datetime, circle: Circle) -> None:
    """Results first, each with its winners and points; without one there is no table of results."""
    assert list(gazette._tables(session, circle.club.id, ())) == []
    for scores in ((9, 5, 4, 3, 2), (7, 3)):
        over(session, circle, now, scores, game="amunre" if len(scores) > 2 else "priestsofra")
    rating_sweep.rate_finished(session)
    told = gazette.ended_since(session, circle.club.id, now - HOUR)
    results, leaders = gazette._tables(session, circle.club.id, told)

    assert [[str(cell) for cell in row][2] for row in results.rows] == ["9", "7"]
    assert len(leaders.rows) == 5
