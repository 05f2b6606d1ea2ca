"""Commands for who makes a game: one to begin with, and one that says what is left to do."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import click

from pbem import packages
from pbem.cli import output
from pbem.cli.engine import game_rules
from pbem.engine.core.types import AnyRules
from pbem.kit import workshop

NEEDS = ("pytest", "hypothesis")
"""What the contract runs on; the extra `contract` brings both."""


@click.command("new-game")
@click.argument("name")
@click.option(
    "--into",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    show_default=True,
    help="The folder to write it into.",
)
@output.as_json
def new_game(name: str, into: Path) -> None:
    """Write a small game called NAME that runs, to make one's own of."""
    try:
        home = workshop.new_game(name, into)
    except FileExistsError as error:
        raise click.UsageError(f"{into / name} is there already: choose another name or folder") from error
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    output.tell(
        f"{home} is a game that runs. Make it known: python -m pip install --editable {home}\n"
        f"Then look at it: pbem check-game {name}, pbem selfplay {name}, pbem demo --auto --game {name} --seats 2",
        game=name,
        folder=str(home),
    )


@click.command("check-game")
@click.argument("rules", metavar="NAME", callback=game_rules)
def check_game(rules: AnyRules) -> None:
    """Write tables, records and catalogues of the game NAME, run its contract, and say what is left."""
    missing = [name for name in NEEDS if find_spec(name) is None]
    if missing:
        raise click.UsageError(f"the contract needs {' and '.join(missing)}: python -m pip install 'pbem[contract]'")
    game = rules.meta.name
    folder = packages.folder(game)
    workshop.write_tables(rules, folder)
    left = [
        f"no game of bots ended in {ending!r}: keep a record of one" for ending in workshop.write_records(rules, folder)
    ]
    for language, texts in workshop.write_words(rules, folder).items():
        left += [f"translate in {folder / language}.po: {text}" for text in texts]
    click.echo(f"Tables, records and catalogues are written in {folder}.")
    kept = _contract(game)
    for line in left:
        click.echo(f"- {line}")
    if left or not kept:
        raise click.exceptions.Exit(1)
    click.echo(f"{rules.meta.title} keeps the whole contract.")


def _contract(*games: str) -> bool:
    """Run the contract in a Python of its own; whether the games keep it.

    Neither the plugins that are installed here nor what the environment adds to pytest's words has a part in it: each
    plugin would be loaded, for seconds, and Hypothesis would read through all of them before it draws anything.
    """
    command = [sys.executable, "-m", "pytest", "--pyargs", "pbem.kit.contract", "-q", "--tb=line"]
    command += [f"--game={game}" for game in games]
    plugins = ["--disable-plugin-autoload", "-p", "_hypothesis_pytestplugin", "-p", "pbem.kit.contract.plugin"]
    options = ["-p", "no:cacheprovider", "--hypothesis-profile=ci", "-c", "/dev/null"]
    environ = {**os.environ, "PYTEST_ADDOPTS": "", "PYTEST_PLUGINS": ""}
    return subprocess.run([*command, *plugins, *options], env=environ, check=False).returncode == 0  # noqa: S603 - our own
