"""What commands say, to the word: each that lists or shows, on a club of which every table has a row."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import update

from pbem.capabilities import api_keys, roles
from pbem.cli import main
from pbem.store.models import Club, Game, Letter, Season
from tests.cli.test_neighbours import asked
from tests.security.test_neighbours import commit, fill, world
from tests.test_house import MODULES, tree

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from flask.testing import FlaskCliRunner
    from sqlalchemy.orm import Session

    from tests.conftest import Clock

FIRST = ("club settings {club} --contact desk@nile.example", "view save {club} Late --text x --order title")
"""What is done before, so that there is something to say."""
MORE = (
    *("game list", "game list --state running", "game list --state open", "player list"),
    *("mail failed --limit 2", "mail retry 1 2", "game act pause {game} --preview"),
    *("game act extend {game} --hours 5", "club acts {club} --limit 1", "club watch {club} 0"),
    *("club watch {club} -- -1", "key revoke {club} 3", "view remove {club} Late"),
)
"""What else is asked, and done."""
STANDS: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "not begun, of no club": (
        {"ply": -1, "state": "open", "club_id": None, "due_at": None, "trace": "It broke."},
        ("game list", "game show {game}", "game export {game}"),
    ),
    "over": (
        {"ply": 3, "state": "ended", "club_id": 1},
        ("club results {club}", "game list --state ended", "game show {game}"),
    ),
}
"""How the game stands otherwise, and what is asked then."""
SAID = Path(__file__).with_name("said.txt")
"""Each command with what it says; names that chance gave are told in capitals."""
COUNTED = re.compile(r"\} (?:(?P<before>\w+) )??(?P<things>\w+s)\b(?!/)")
"""What follows a hole like things that are counted; a rate, as in games/s, is said of any number."""
OF_ONE = frozenset(
    (
        *(
            "as",
            "by",
            "does",
            "ends",
            "goes",
            "has",
            "holds",
            "is",
            "keeps",
            "knows",
            "names",
            "no",
            "not",
            "ours",
            "publishes",
        ),
        *("runs", "says", "takes", "this", "was"),
    )
)
"""What follows a hole otherwise."""


def templates(module: ast.AST) -> Iterator[str]:
    """Every text of a module, with its holes; a constant that fills one is always more than one."""
    for node in ast.walk(module):
        if isinstance(node, ast.JoinedStr):
            parts = (
                part.value if isinstance(part, ast.Constant) else "{" + ast.unparse(part.value) + "}"
                for part in node.values
                if isinstance(part, ast.Constant | ast.FormattedValue)
            )
            yield re.sub(r"\{[A-Z_]+\}", "2", "".join(map(str, parts)))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def test_commands_count_in_a_form_that_holds_for_one() -> None:
    """As in "games 1", "Letters on their way: 1": no sentence of a command says "1 games"."""
    modules = [path for path in MODULES if path.parts[:2] == ("pbem", "cli")]
    wrong = [
        (path, said)
        for path in modules
        for said in templates(tree(path))
        for found in COUNTED.finditer(said)
        if not OF_ONE & {found["before"], found["things"]}
    ]

    assert wrong == []
    assert len(modules) > 20


def test_commands_say_what_there_is(session: Session, now: datetime, runner: FlaskCliRunner, clock: Clock) -> None:
    """In order; a command that only looks and isn't asked here fails this."""
    assert clock.now == now
    known = world(session, now)
    fill(session, now)
    session.execute(update(Letter).values(state="failed", last_error="refused"))
    club = session.get_one(Club, known["club_id"])
    api_keys.issue_for_club(session, now, roles.organisers(session, club.id)[0], club.id, "script")
    names = {"club": club.slug, "game": known["slug"]}
    names["season"] = session.get_one(Season, known["season_id"]).slug
    commit(session)

    def said(words: str) -> str:
        session.rollback()  # SQLite has one writer, and whoever begins may write
        told = runner.invoke(main, words.format(**names).split()).output
        return told.replace(names["game"], "GAME").replace(names["season"], "SEASON")

    looks = [words.removesuffix(" --json") for words in asked()]
    found = {words: said(words) for words in (*FIRST, *looks, *MORE)}
    for name, (columns, then) in STANDS.items():
        session.execute(update(Game).values(version=Game.version + 1, **columns))
        commit(session)
        found |= {f"{words}  ({name})": said(words) for words in then}

    assert "".join(f"$ pbem {words}\n{told}" for words, told in found.items()) == SAID.read_text(encoding="utf-8")
