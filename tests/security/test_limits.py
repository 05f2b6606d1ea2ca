"""What a button costs, what a field takes, what a file lets others read: each limit walked over all its members."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import event

from pbem.capabilities import api_keys
from pbem.cli.operator import units
from pbem.errors import WrongInput
from pbem.letter_kinds import KINDS
from pbem.letter_queue import LetterQueue
from pbem.store.models import Letter, Player
from tests.factories import START, PlayerFactory
from tests.security.test_doors import Forms, _note
from tests.web.club_house import House

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient
    from flask_sqlalchemy import SQLAlchemy

    from tests.web.conftest import Browser, Table

BY_THE_GAME = frozenset(
    {
        *("your_turn", "receipt", "refused", "phase_report", "reminder", "last_call", "covered", "game_over"),
        *("digest", "gazette", "season", "stuck", "help", "status"),
    }
)
"""Kinds that no button floods: one a cause of the game, or ten answers a day."""
LESSON = {"game": "amunre"}
HOSTILE = ("9" * 30, "-" + "9" * 30, "x" * 100_000, "a\0b", "[" * 5_000, "1e400")


@pytest.mark.parametrize("kind", KINDS)
def test_a_hundred_presses_write_no_more_than_the_budget(db: SQLAlchemy, kind: str) -> None:
    """One person gets so many letters of a kind in its time, whoever pressed what; a new kind says how many."""
    session, player, budget = db.session(), PlayerFactory(), KINDS[kind].budget
    assert (budget is None) == (kind in BY_THE_GAME)
    refused = 0
    for number in range(100):
        post = LetterQueue(START)
        post.person(kind, player, f"press:{number}")
        try:
            post.send(session)
        except WrongInput:
            refused += 1
    written = session.query(Letter).filter_by(kind=kind, player_id=player.id).count()

    if budget is not None:
        assert written == budget.most
        assert refused == (100 - budget.most if budget.refuses else 0)


@pytest.mark.parametrize(("page", "door", "more"), [("/links", "/links", {}), ("/learn/", "/learn/letters", LESSON)])
def test_known_and_unknown_addresses_cost_the_same(table: Table, page: str, door: str, more: dict[str, str]) -> None:
    """Each door where a stranger types an address asks the database the same and stores as much, whoever has it."""
    heard: dict[str, list[str]] = {}
    answers = set()
    known = table.db.session.get_one(Player, table.alice.player_id).address or ""
    for address in (known, "nobody@nile.example"):
        browser = table.app.test_client()
        token = Forms(browser.get(page).text).forms[0][2]["csrf_token"]
        statements: list[str] = []
        note = partial(_note, statements)
        event.listen(table.db.engine, "before_cursor_execute", note)
        answer = browser.post(door, data={"csrf_token": token, "address": address, **more})
        event.remove(table.db.engine, "before_cursor_execute", note)
        answers.add((answer.status_code, re.sub('value="[^"]*"', "", answer.text)))
        heard[address] = [line for line in statements if not line.startswith("PRAGMA")]

    first, second = heard.values()
    assert first == second
    assert any(line.startswith("INSERT") for line in first)
    assert len(answers) == 1
    assert {status for status, _ in answers} == {200}


def test_every_door_for_an_address_is_timed() -> None:
    """A template with a field for an address, which somebody without a link is shown, is one of those above."""
    fields = {
        path.name
        for path in (Path(__file__).parents[2] / "templates").rglob("*.html")
        if re.search(r'name="address"', path.read_text(encoding="utf-8"))
    }
    assert fields == {"links.html", "guide.html", "account.html", "operator.html"}  # the last two for who is known


def forms_of(browser: Browser, paths: list[str]) -> dict[tuple[str, str], dict[str, str]]:
    """Every form that is posted from these pages, with its default values, by where it goes and its fields."""
    found = {}
    for path in paths:
        for action, method, fields in Forms(browser.get(path).text).forms:
            if method == "post":
                found[action or path, ",".join(sorted(fields))] = fields
    return found


def test_no_field_of_a_form_brings_the_server_down(app: Flask, db: SQLAlchemy, client: FlaskClient) -> None:  # noqa: ARG001 - the client sets requests apart
    """Thirty nines, NUL, 100 kB and nesting in each field of each form: refused or taken, never a fault of ours."""
    house = House(app, db)
    game = house.game()
    alice, browser = house.people["Alice"], house.browsers["Alice"]
    seat = next(iter(db.session().execute(db.text("SELECT id FROM seats ORDER BY id")).scalars()))
    person, club, table = f"/player/{alice.id}", house.path, f"/seat/{seat}"
    pages = [f"{person}/account", f"{person}/settings", f"{club}/members", f"{club}/open", f"{club}/control"]
    pages += [f"{club}/services", f"{club}/seasons", club, f"/organise/{game.slug}", "/links"]
    pages += [f"{table}{tail}" for tail in ("", "/decide", "/settings", "/standing", "/talk")]
    broken, tried = [], 0
    for (action, _), fields in forms_of(browser, pages).items():
        for name in fields:
            for text in HOSTILE if name != "csrf_token" else ():
                answer = browser.client.post(action, data={**fields, name: text})
                tried += 1
                if answer.status_code >= 500:
                    broken.append((action, name, text[:12], answer.status_code))

    assert broken == []
    assert tried > 200


def test_a_deeply_nested_body_is_refused_in_words(app: Flask, db: SQLAlchemy, client: FlaskClient) -> None:
    """Every call that takes a body: nesting beyond reason is no fault of ours."""
    player = PlayerFactory()
    key = api_keys.issue_for_person(db.session(), START, player.id, "script")
    db.session.commit()
    body, headers = "[" * 100_000, {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    for rule in app.url_map.iter_rules():
        for method in (rule.methods or set()) & {"POST", "PUT"} if rule.endpoint.startswith("api.") else ():
            _, path = rule.build(dict.fromkeys(rule.arguments, 1)) or ("", "")
            assert client.open(path, method=method, data=body, headers=headers).status_code < 500, rule


@pytest.mark.parametrize("small", [False, True])
def test_what_a_service_writes_is_its_owners_alone(small: bool) -> None:  # noqa: FBT001 - a table
    """Every unit that runs something of ours, for a small club and a large one, the nightly backup too."""
    services = {name: text for name, text in units.units(small=small).items() if "[Service]" in text}

    assert len(services) >= 2
    assert [name for name, text in services.items() if "\nUMask=0077\n" not in text] == []


def test_what_a_first_start_writes_is_its_owners_alone(tmp_path: Path) -> None:
    """Database, keys and folders of a fresh home: nobody else may read them, whatever the shell's umask."""
    home = tmp_path / "home"
    environ = {**os.environ, "PBEM_HOME": str(home), "LOG_JSON": "no"}
    command = [sys.executable, "-c", "from pbem.cli import main; main()", "db", "upgrade"]
    subprocess.run(command, env=environ, check=True, capture_output=True, timeout=120)
    found = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (home, *home.rglob("*"))}

    assert {"home", "secret_keys", "pbem.sqlite"} <= set(found)
    assert {name: oct(mode) for name, mode in found.items() if mode & 0o077} == {}
