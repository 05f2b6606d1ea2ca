"""How a game ended and who won, wherever it is told: every way to end, at every place that tells."""

from __future__ import annotations

import ast
import io
import json
from collections.abc import Callable
from contextlib import redirect_stdout
from inspect import unwrap
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec
import pytest
from sqlalchemy import select

import pbem
from pbem.capabilities import api_keys
from pbem.cli.club import results
from pbem.clubs import gazette
from pbem.clubs.account import personal_data
from pbem.clubs.integrations import webhooks
from pbem.clubs.seasons import seasons
from pbem.engine.core.types import Outcome
from pbem.play.admin.action_log import AdminAction
from pbem.play.seats import proposals, recruitment
from pbem.store.models import LIVE, Game, GameState, HookCall, Season
from tests.factories import START, hours, near_the_end, place, play_to_the_end, seat_of
from tests.web.club_house import House
from tests.web.conftest import words

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient
    from flask_sqlalchemy import SQLAlchemy

    from tests.conftest import Clock

TITLE = "Nile at noon"


def finish(house: House, game: Game) -> None:
    """Play it to its end from a position close to that."""
    place(house.session, game, near_the_end("priestsofra", 2))
    play_to_the_end(house.session, START, game)


def agree(house: House, game: Game) -> None:
    """Both vote to end it."""
    alice, bob = (seat_of(house.session, game, number) for number in (0, 1))
    plan = proposals.ProposalPlan(kind="end")
    ballot = proposals.propose(house.session, START, game.id, alice.player_id or 0, plan)
    proposals.vote(house.session, START, ballot.proposal_id, bob.id, yes=True)


def call_off(house: House, game: Game) -> None:
    """Its organiser ends it before it has begun."""
    recruitment.call_off(house.session, AdminAction(now=START, game=game, by=house.people["Alice"]))


ENDINGS: dict[GameState, Callable[[House, Game], None]] = {
    GameState.FINISHED: finish,
    GameState.ENDED: agree,
    GameState.WITHDRAWN: call_off,
}


def hook(house: House) -> str:
    """What a webhook is told, as data and as a line of a chat."""
    webhooks.add(house.session, START - hours(1), house.club.id, house.people["Alice"].id, "raw", "https://x.example")
    webhooks.collect(house.session, START + hours(1))
    bodies = house.session.scalars(select(HookCall.body)).all()
    return "\n".join(f"{body['event']} {webhooks._text(body)} {json.dumps(body)}" for body in bodies)


def page(path: str) -> Callable[[House], str]:
    """What stands on a page of the club's, or a file of it, for Alice."""
    return lambda house: words(house.browsers["Alice"].get(path.format(club=house.path)))


def season_page(house: House) -> str:
    """The page of the club's season, if it has one."""
    season = house.session.scalar(select(Season))
    return page(f"{{club}}/seasons/{season.slug}")(house) if season else ""


def program(house: House) -> str:
    """What a member's program is told."""
    text = api_keys.issue_for_person(house.session, START, house.people["Bob"].id, "script")
    house.session.commit()
    client = house.browsers["Charlie"].client
    return client.get(f"/api/v1/clubs/{house.club.id}/results", headers={"Authorization": f"Bearer {text}"}).text


def command(house: House) -> str:
    """What an operator's terminal prints."""
    out = io.StringIO()
    with redirect_stdout(out), click.Context(results):
        assert results.callback is not None
        unwrap(results.callback)(club=house.club)
    return out.getvalue()


def weekly_letter(house: House) -> str:
    """What the club's letter of the week says, and its tables."""
    report = gazette.write(house.session, START + hours(1), house.club)
    return "\n".join(map(str, (*report.paragraphs, *(table.texts for table in report.tables)))) if report else ""


def own_file(house: House) -> str:
    """What the file says that holds everything stored about Alice."""
    games = personal_data.export_person(house.session, house.people["Alice"].id)["games"]
    return "\n".join(f"{one['game']} {one['state'].value}" for one in games if one["state"].is_over)


TELLERS: dict[str, tuple[Callable[[House], str], str, str]] = {
    "webhook": (hook, "finished {title} is over: 1. {won} ", "ended {title}: The game was ended by agreement."),
    "feed": (page("{club}/results.atom"), "Won by {won}.", "The game was ended by agreement."),
    "table": (page("{club}/results.csv"), ",{won},{scores},finished", ",,,ended"),
    "club": (page("{club}"), "{title} {won} {points} ", "{title} nobody: ended by agreement"),
    "season": (season_page, " over", "ended by agreement"),
    "own games": (page("/queue"), "{title} · place", "The game was ended by agreement."),
    "program": (program, '"winners":["{won}"]', '"state":"ended"'),
    "command": (command, "{title} (priestsofra): {won}", "{title} (priestsofra): The game was ended by agreement."),
    "gazette": (
        weekly_letter,
        "1 game(s) ended this week, 0 (is|are) under way.\n{won} won {title} ",
        "1 game(s) ended this week, 0 (is|are) under way.\n{title} was ended by agreement.",
    ),
    "own file": (own_file, "{title} finished", "{title} ended"),
}
"""Each place that tells of games that are over: what it says of one that was won, and of one ended by agreement."""
READERS = {
    "clubs/club_views.py": "club, table, feed, program, command, webhook",
    "clubs/integrations/webhooks.py": "webhook",
    "web/club/feeds.py": "feed",
    "web/club/views.py": "club",
    "web/api/clubs.py": "program",
    "cli/club.py": "command",
    "clubs/seasons/season_tables.py": "season",
    "play/views/decision_queue.py": "own games",
    "clubs/seasons/seasons.py": "",  # standings: what has no result counts for nobody
    "clubs/ratings/rating_sweep.py": "",  # likewise
    "clubs/gazette.py": "gazette",
    "play/views/seat_view.py": "",  # a game's own pages and letters: tests/letters, tests/web/play
    "play/proof/record_export.py": "",  # a record's last line
    "web/club/settings.py": "",  # of games under way alone, which keep the club open
    "web/public/invitation.py": "",  # of games that have not begun alone
    "cli/demo/results.py": "",  # a demo is played to its end
}
"""Who asks what games came to, and what of it is walked here."""


@pytest.fixture
def house(app: Flask, db: SQLAlchemy, client: FlaskClient, clock: Clock) -> House:  # noqa: ARG001 - the client sets requests apart
    """The club, its clock standing still at the games' beginning."""
    clock.move(seconds=(START - clock.now).total_seconds())
    return House(app, db)


def one_game(house: House, state: GameState) -> Game:
    """A game of the club's that will end so: of a season, or one that waits for players."""
    if state == GameState.WITHDRAWN:
        game = house.open_game()
    else:
        season = house.season(begun=True)
        seasons.carry_on(house.session, START, season.id)
        game = house.session.scalars(select(Game)).one()
    game.title = TITLE
    house.session.commit()
    return game


def test_every_way_to_end_and_every_reader_is_listed() -> None:
    """Whatever state a game can stay in, and whatever module asks what one came to."""
    asks = {"outcome_of", "games", "lines_of"}
    found = {
        str(path.relative_to(Path(pbem.__file__).parent))
        for path in Path(pbem.__file__).parent.rglob("*.py")
        if "engine" not in path.parts
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call)
        and ast.unparse(call.func).rpartition(".")[2] in asks
        and ast.unparse(call.func) in {*asks, "club_views.games", "club_views.lines_of"}
    }

    assert set(ENDINGS) == set(GameState) - set(LIVE)
    assert found == set(READERS)
    assert set(TELLERS) - {one for told in READERS.values() for one in told.split(", ")} == {"own file"}


@pytest.mark.parametrize("state", ENDINGS, ids=lambda state: state.value)
def test_it_is_told_how_a_game_ended_and_who_won(house: House, state: GameState) -> None:
    """The winner of one that was played out; of one ended by agreement that it was; of one called off nothing."""
    game = one_game(house, state)
    ENDINGS[state](house, game)
    house.session.commit()
    assert game.state == state
    people = [seat_of(house.session, game, number).player_id for number in (0, 1)]
    names = [player.name for one in people for player in house.people.values() if player.id == one]
    outcome = msgspec.json.decode(game.outcome, type=Outcome) if game.outcome else Outcome((), (), "")
    won = [name for name, place in zip(names, outcome.places, strict=False) if place == 1]
    ranked = [str(points) for points in sorted(outcome.scores, reverse=True)]
    holes = {"title": TITLE, "won": "".join(won), "scores": " ".join(ranked), "points": ", ".join(ranked)}
    said = {name: tell(house) for name, (tell, _, _) in TELLERS.items()}
    wanted = {name: (of_won if won else of_ended).format_map(holes) for name, (_, of_won, of_ended) in TELLERS.items()}

    if state == GameState.WITHDRAWN:
        assert {name for name, words_ in said.items() if TITLE in words_} == set()
    else:
        assert {name: said[name] for name in TELLERS if wanted[name] not in said[name]} == {}
