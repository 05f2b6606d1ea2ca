"""One club's figures, reckoned by hand from its games: page, call, letter and command tell the same ones."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from datetime import timedelta
from inspect import unwrap
from typing import TYPE_CHECKING, Any

import click
import msgspec
import pytest
from sqlalchemy import select

from pbem.capabilities import api_keys
from pbem.cli import club as club_commands
from pbem.cli import season as season_commands
from pbem.clubs import gazette
from pbem.clubs.account import personal_data
from pbem.clubs.ratings import rating_sweep
from pbem.clubs.ratings.ratings import Skill, rated
from pbem.clubs.seasons import seasons
from pbem.engine.core.types import Outcome
from pbem.play.seats import substitutes
from pbem.store.models import Game, GameState, Letter, Member, Pairing, SeasonEntry
from tests.factories import START, GameFactory, PlayerFactory
from tests.web.club_house import House
from tests.web.conftest import words

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from flask import Flask
    from flask.testing import FlaskClient
    from flask_sqlalchemy import SQLAlchemy

    from pbem.store.models import Season
    from tests.conftest import Clock

HOUR = timedelta(hours=1)
PEOPLE = ("Alice", "Bob", "Charlie", "Dora", "Eve", "Finn")
TABLES: tuple[tuple[int, str, tuple[int, ...] | None], ...] = (
    (1, "Alice Bob Charlie", (30, 30, 10)),  # a tie for the first place
    (1, "Dora Eve Finn", (40, 20, 20)),  # a tie for the last one; a bot has Finn's seat at the end
    (2, "Alice Dora Eve", None),  # ended by agreement
    (2, "Bob Charlie Finn", (50, 10, 25)),
    (2, "Charlie Alice", (9, 1)),  # over when the season was: it doesn't count there, but for the ratings
)
"""The tables of a season by round, and what each came to. Alice sat a round out; Eve was forgotten."""
STANDINGS: tuple[tuple[str, float, int, float, float], ...] = (
    ("Bob", 175, 2, 1.5, (75 + 0 + 0 + 37.5) / 4),
    ("Alice", 75 + 50, 1, 0.5, (87.5 + 0) / 2),
    ("Dora", 100, 1, 1, (25 + 37.5) / 2),
    ("Finn", 75, 2, 0, (100 + 25 + 87.5 + 0) / 4),
    ("Someone", 25, 1, 0, (100 + 37.5) / 2),
    ("Charlie", 0, 2, 0, (75 + 87.5 + 87.5 + 37.5) / 4),
)
"""By place: points, games, wins, and the mean of what those one has met have a game, without sitting out."""
LINE = ("place", "name", "points", "games", "wins", "opposition")
RATED: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("Alice Bob Charlie", (1, 1, 3)),
    ("Dora Eve", (1, 2)),
    ("Bob Charlie Finn", (1, 3, 2)),
    ("Charlie Alice", (1, 2)),
)
"""The same games as they count for ratings: whose seat changed hands isn't measured by it."""


class Club:
    """The club, after all of it."""

    def __init__(self, house: House) -> None:
        """Let a season's games be over, one after the other."""
        self.house, self.session = house, house.session
        for name in PEOPLE:
            if name not in house.people:
                house.people[name] = PlayerFactory.create(name=name)
            if name not in ("Alice", "Bob"):
                number = house.people[name].id
                house.session.add(Member(club_id=house.club.id, player_id=number, role="player", joined_at=START))
        self.season = self._season()
        games = [self._table(number, *table) for number, table in enumerate(TABLES)]
        for hour, (game, (_, _, scores)) in enumerate(zip(games[:-1], TABLES, strict=False)):
            self._end(game, START + hour * HOUR, scores)
        personal_data.erase(self.session, START + 5 * HOUR, house.people["Eve"].id)
        seasons.finish(self.session, START + 6 * HOUR, self.season.id)
        self._end(games[-1], START + 7 * HOUR, TABLES[-1][2])
        rating_sweep.rate_finished(self.session)
        self.session.commit()

    def _season(self) -> Season:
        season = self.house.season(begun=False)
        season.state, season.started_at = "running", START
        for name in PEOPLE[2:]:
            self.session.add(SeasonEntry(season_id=season.id, player_id=self.house.people[name].id, joined_at=START))
        self.session.flush()
        alice = SeasonEntry.player_id == self.house.people["Alice"].id
        self.session.scalars(select(SeasonEntry).where(alice)).one().byes = 1
        return season

    def _table(self, number: int, round_: int, names: str, _scores: tuple[int, ...] | None) -> Game:
        people = [self.house.people[name] for name in names.split()]
        game: Game = GameFactory.create(people=people, bots=(), club_id=self.house.club.id)
        row = Pairing(season_id=self.season.id, round=round_, title=0, number=number, opens_at=START, game_id=game.id)
        row.players = [player.id for player in people]
        self.session.add(row)
        self.session.flush()
        return game

    def _end(self, game: Game, now: datetime, scores: tuple[int, ...] | None) -> None:
        if scores == (40, 20, 20):
            substitutes.put_bot(self.session, now, game.id, 2, "random", self.house.people["Alice"].id)
        game.state, game.finished_at, game.version = GameState.ENDED, now, game.version + 1
        game.wake_at = game.due_at = game.cover_at = None
        if scores is not None:
            places = tuple(1 + sum(other > mine for other in scores) for mine in scores)
            game.state, game.outcome = GameState.FINISHED, msgspec.json.encode(Outcome(scores, places, "end"))
        self.session.flush()

    def page(self, path: str) -> str:
        """What stands on a page of the club's."""
        return words(self.house.browsers["Bob"].get(f"{self.house.path}{path}"))

    def call(self, path: str) -> Any:
        """What a call of the club's gives Bob's program."""
        key = api_keys.issue_for_person(self.session, START, self.house.people["Bob"].id, path)
        self.session.commit()
        headers = {"Authorization": f"Bearer {key}"}
        found = self.house.browsers["Charlie"].client.get(f"/api/v1/clubs/{self.house.club.id}{path}", headers=headers)
        return found.json

    def command(self, command: click.Command, **named: object) -> list[str]:
        """The lines that a command prints."""
        out = io.StringIO()
        with redirect_stdout(out), click.Context(command):
            callback: Callable[..., None] | None = command.callback
            assert callback is not None
            unwrap(callback)(**named)
        return out.getvalue().splitlines()


@pytest.fixture
def club(app: Flask, db: SQLAlchemy, client: FlaskClient, clock: Clock) -> Club:  # noqa: ARG001 - the client sets requests apart
    """The club, its clock standing still some hours after all that."""
    clock.move(seconds=(START + 8 * HOUR - clock.now).total_seconds())
    return Club(House(app, db))


def test_a_season_has_one_table_of_standings(club: Club) -> None:
    """Points, games, wins, opposition and places, as reckoned here; and which tables count, and who stood in."""
    path = f"/seasons/{club.season.slug}"
    numbered = [(place, *line) for place, line in enumerate(STANDINGS, 1)]

    told = club.call(path)
    assert [tuple(line[name] for name in LINE) for line in told["standings"]] == numbered
    assert [table["counts"] for table in told["tables"]] == [True] * 4 + [False]
    assert [any(table["stand_ins"]) for table in told["tables"]] == [False, True, False, False, False]
    page = club.page(path)
    for place, name, points, games, wins, opposition in numbered:
        gone = " dropped out" if name == "Someone" else ""
        assert f" {place} {name}{gone} {points:.0f} {games} {wins:g} {opposition:.0f} " in page
    letters = club.session.scalars(select(Letter).where(Letter.kind == "season", Letter.cause.not_like("%announced%")))
    rows = [[name, place, points, games] for place, name, points, games, _, _ in numbered]
    assert {letter.player_id for letter in letters if letter.data["tables"][0]["rows"] == rows} == {
        player.id for name, player in club.house.people.items() if name != "Eve"
    }
    assert club.command(season_commands.show, season=club.season) == [
        f"{place:>3}  {name}: points {points:.0f}, games {games}" for place, name, points, games, _, _ in numbered
    ]


def test_a_ranking_is_the_same_everywhere(club: Club) -> None:
    """By ratings game after game, of the members that there are."""
    skills, games = dict.fromkeys(PEOPLE, Skill()), dict.fromkeys(PEOPLE, 0)
    for names, places in RATED:
        people = names.split()
        after = rated([skills[name] for name in people], places)
        skills |= dict(zip(people, after, strict=True))
        games |= {name: games[name] + 1 for name in people}
    found = sorted((-skills[name].shown, name, games[name]) for name in PEOPLE if name != "Eve")
    shared = [1 + sum(other < shown for other, *_ in found) for shown, *_ in found]
    lines = [(name, place, -shown, count) for place, (shown, name, count) in zip(shared, found, strict=True)]

    told = [(one["name"], one["place"], one["rating"], one["games"]) for one in club.call("/ranking")]
    assert told == lines
    page = club.page("")
    assert all(f" {place} {name} {shown} {count} " in page for name, place, shown, count in lines)
    report = gazette.write(club.session, START + 8 * HOUR, club.house.club)
    assert report is not None
    assert list(report.tables[-1].rows) == lines
    said = club.command(club_commands.ranking, club=club.house.club, rules=None)
    assert said == [f"{place:>3}  {name}: rating {shown}, games {count}" for name, place, shown, count in lines]
