"""Every wrong command line gets one sentence that names what was typed and what would be right, and exit code 2."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from pbem.cli import COMMANDS, main

if TYPE_CHECKING:
    from pathlib import Path

LONGEST = 400
"""Characters of one sentence, a list of all games or commands in it."""
HELP = "--help' says what it takes."

WRONG = [
    # what is typed, what the sentence must name
    ("jump", ["'jump' is no command of pbem: write one of ", "demo", "serve"]),
    ("--fast", ["--fast", HELP]),
    ("demo --port 99999", ["99999", "0<=x<=65535", HELP]),
    ("demo --port eight", ["'eight'", "not a valid integer", HELP]),
    ("demo --colour", ["--colour", HELP]),
    ("demo extra", ["extra", HELP]),
    ("demo --auto --game chess", ["'chess'", "amunre"]),
    ("demo --auto --seats 9", ["9", "3, 4, 5"]),
    ("demo --auto --seats four", ["'four'", "not a valid integer"]),
    ("serve --port -1", ["-1", "0<=x<=65535"]),
    ("serve --host 203.0.113.1", ["203.0.113.1", "--host"]),
    ("selfplay", ["GAME", HELP]),
    ("selfplay chess", ["'chess'", "amunre"]),
    ("replay", ["FILE", HELP]),
    ("replay nowhere.txt", ["nowhere.txt"]),
    ("replay README.md", ["README.md", "a record begins with `game: NAME`"]),
    ("replay pyproject.toml", ["pyproject.toml", "a record begins with `game: NAME`"]),
    ("game fly", ["'fly'", HELP]),
    ("game new", ["GAME", HELP]),
    ("game new amunre", ["--club", HELP]),
    ("game new amunre --club x", ["--seat", HELP]),
    ("game list --state asleep", ["'asleep'", "running"]),
    ("game show", ["GAME", HELP]),
    ("game export", ["GAME", HELP]),
    ("club new", ["NAME", HELP]),
    ("club new Nile", ["--organiser", HELP]),
    ("club new Nile --organiser a@b.example --language xx", ["'xx'", "en"]),
    ("doctor --fast", ["--fast", HELP]),
    ("doctor --small", ["'--small' says which units '--units' writes", HELP]),
    ("doctor --resolver 127.0.0.1:53", ["'--resolver' says whom '--dns' asks", HELP]),
    ("mail fly", ["'fly'", HELP]),
    ("mail receive", ["--recipient", HELP]),
]


def said(*words: str) -> tuple[int, str]:
    """The exit code and what a command line says on the error channel."""
    answer = CliRunner().invoke(main, words, env={"REDIS_URL": "", "DATABASE_URL": ""})
    return answer.exit_code, answer.stderr


@pytest.mark.parametrize(("typed", "names"), WRONG, ids=str)
def test_wrong_call(typed: str, names: list[str]) -> None:
    """One line, exit code 2, with the wrong word and the way on."""
    code, text = said(*typed.split())

    assert code == 2
    assert text.count("\n") == 1
    assert len(text) < LONGEST
    assert [name for name in names if name not in text] == []
    assert "Traceback" not in text


@pytest.mark.parametrize("words", [("backup",), ("upgrade",), ("club", "list"), ("db", "current")], ids=" ".join)
def test_a_database_that_does_not_answer(words: tuple[str, ...], tmp_path: Path) -> None:
    """One sentence, whichever command stumbles over it first."""
    env = {"PBEM_HOME": str(tmp_path), "REDIS_URL": "", "DATABASE_URL": f"sqlite:///{tmp_path}/no/such/club.sqlite"}
    answer = CliRunner().invoke(main, words, env=env)

    assert answer.exit_code == 2
    assert "unable to open database file" in answer.stderr
    assert "DATABASE_URL" in answer.stderr
    assert answer.stderr.count("\n") == 1


def test_port_is_taken() -> None:
    """A port that somebody listens at: named, with what to do."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, text = said("demo", "--port", str(port))

    assert code == 2
    assert text == (
        f"Port {port} is in use: stop what listens there, or choose another one with '--port'; "
        "'pbem demo --help' says what it takes.\n"
    )


def test_serve_with_a_broker() -> None:
    """`pbem serve` keeps its queue in memory: with a Redis named it says what to use instead."""
    answer = CliRunner().invoke(main, ["serve"], env={"REDIS_URL": "redis://127.0.0.1:6379/0"})

    assert answer.exit_code == 2
    assert "REDIS_URL is set" in answer.stderr
    assert "Procfile" in answer.stderr


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_explains_itself(command: str) -> None:
    """`--help` of each command says in words what it does, and leaves with 0."""
    answer = CliRunner().invoke(main, [command, "--help"])

    assert answer.exit_code == 0
    assert len(answer.stdout.splitlines()[2].split()) >= 3


def test_called_without_a_command() -> None:
    """The bare command shows the list of commands and harms nobody."""
    answer = CliRunner().invoke(main, [])

    assert answer.exit_code == 0
    assert [name for name in COMMANDS if name not in answer.stdout] == []
