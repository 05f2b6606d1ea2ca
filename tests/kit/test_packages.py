"""Games as packages: installed by pip they are played by mail and page, and keep the contract."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = {"fairday": 10, "hedgerow": 2}
"""The examples with the number of seats at which they are played here."""
LINES = 300


def ran(*command: str, path: Path, code: int = 0) -> str:
    """What a command of pbem says, in a Python of its own that finds the packages in `path`.

    What the environment adds to a maker's own tests must change nothing.
    """
    env = {**os.environ, "PYTHONPATH": str(path), "PYTEST_ADDOPTS": "-p nobodys"}
    done = subprocess.run(
        [sys.executable, "-m", *command], env=env, capture_output=True, text=True, check=False, cwd=path
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


def install(home: Path, into: Path) -> None:
    """Install the package in `home` into a folder, by pip and from nowhere else."""
    apart = ("--disable-pip-version-check", "--no-deps", "--no-build-isolation", "--no-index")
    ran("pip", "install", "--quiet", *apart, "--target", str(into), "--upgrade", str(home), path=into)


@pytest.mark.parametrize("game", EXAMPLES)
def test_an_example_is_short(game: str) -> None:
    """Rules, bot and board take at most 300 lines, and nothing outside the folder names the game."""
    home = ROOT / "examples" / game
    assert sum(len(path.read_text("utf-8").splitlines()) for path in home.glob("**/*.py")) <= LINES
    inside = (path for folder in ("pbem", "templates") for path in (ROOT / folder).rglob("*") if path.is_file())
    assert [path for path in inside if path.suffix != ".pyc" and game.encode() in path.read_bytes()] == []


@pytest.mark.parametrize("game", EXAMPLES)
def test_an_example_installed_by_pip_is_played_by_mail_and_page(game: str, tmp_path: Path) -> None:
    """`demo --auto` plays it to its end, half of the orders by mail and half on pages; and it keeps the contract."""
    install(ROOT / "examples" / game, tmp_path)
    played = ran("pbem.cli", "demo", "--auto", "--game", game, "--seats", str(EXAMPLES[game]), path=tmp_path)

    assert re.search(r"^digest [0-9a-f]{64}$", played, re.MULTILINE)
    assert len(re.findall(r"^ +\d+\. \w+ +\d+ points?$", played, re.MULTILINE)) == EXAMPLES[game]

    said = ran("pbem.cli", "check-game", game, path=tmp_path)
    assert said.endswith("keeps the whole contract.\n")


@pytest.fixture(scope="module")
def pebbles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the game that `new-game` writes is installed."""
    home = tmp_path_factory.mktemp("pebbles")
    site = home / "site"
    site.mkdir()
    ran("pbem.cli", "new-game", "pebbles", "--into", str(home / "src"), path=home)
    install(home / "src" / "pebbles", site)
    return site


def blocks(kind: str) -> str:
    """All code blocks of one kind in the page on adding a game, one after the other."""
    page = (ROOT / "docs/development/adding-a-game.md").read_text("utf-8")
    return "\n\n".join(re.findall(rf"^```{kind}\n(.*?)^```", page, re.DOTALL | re.MULTILINE))


def translate(folder: Path) -> None:
    """Say everything in every language as it is said in English."""
    for path in folder.glob("*.po"):
        text = path.read_text("utf-8")
        whole = re.sub(r'^msgid (".+"|""(?:\n".+")+)\nmsgstr ""$', r"msgid \1\nmsgstr \1", text, flags=re.MULTILINE)
        path.write_text(whole, "utf-8")


def test_the_page_on_adding_a_game_builds_one(tmp_path: Path) -> None:
    """Its blocks, written over what `new-game` wrote, are a game that keeps the contract and is played to its end."""
    new = ran("pbem.cli", "new-game", "tollgate", "--into", str(tmp_path / "src"), path=tmp_path)
    assert "is a game that runs" in new
    package = tmp_path / "src" / "tollgate" / "tollgate"
    (package / "__init__.py").write_text(blocks("python"), "utf-8")
    (package / "RULES.md").write_text(blocks("markdown"), "utf-8")
    site = tmp_path / "site"
    site.mkdir()
    install(package.parent, site)
    left = ran("pbem.cli", "check-game", "tollgate", path=site, code=1)
    assert "- translate in " in left
    assert "How many coins do you offer?" in left
    assert "FAILED" not in re.sub(r"FAILED .*test_every_sentence_is_translated.*", "", left)

    translate(site / "tollgate")
    assert ran("pbem.cli", "check-game", "tollgate", path=site).endswith("Tollgate keeps the whole contract.\n")
    assert "digest" in ran("pbem.cli", "demo", "--auto", "--game", "tollgate", "--seats", "3", path=site)


def test_what_new_game_writes_keeps_the_contract(pebbles: Path) -> None:
    """The game to start from is whole as it is; a name that is none, or taken, is refused in a sentence."""
    assert ran("pbem.cli", "check-game", "pebbles", path=pebbles).endswith("Pebbles keeps the whole contract.\n")
    into = ("--into", str(pebbles.parent / "src"))
    ran("pbem.cli", "new-game", "pebbles", *into, path=pebbles, code=2)
    ran("pbem.cli", "new-game", "My Game", *into, path=pebbles, code=2)


def test_a_game_that_breaks_its_promises_is_told_so(pebbles: Path, tmp_path: Path) -> None:
    """A trait that isn't true, a rule nobody states and an order that can't be read back are named, with what to do."""
    site = tmp_path / "site"
    shutil.copytree(pebbles, site)
    file = site / "pebbles" / "__init__.py"
    text = file.read_text("utf-8")
    wrong = text.replace("chance=False", "chance=True").replace('PE-3.1"', 'PE-9.9"')
    assert wrong != text
    file.write_text(wrong, "utf-8")
    said = ran("pbem.cli", "check-game", "pebbles", path=site, code=1)

    assert "pebbles: set Meta.traits.chance to False" in said
    assert "RULES.md doesn't state ['PE-9.9']" in said
