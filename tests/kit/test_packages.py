"""Games as packages: installed by pip they are played by mail and page, and keep the contract."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from pbem.cli import kit

ROOT = Path(__file__).parents[2]
EXAMPLES = ("fairday", "hedgerow")
PLAYED = {"fairday": 10, "tollgate": 3}
"""The games played in one process, with their seats."""
LINES = 300
WRITTEN = """
import sys
from click.testing import CliRunner
from pbem.cli import kit
kit._contract = lambda game: True
for game in sys.argv[1:]:
    print(CliRunner().invoke(kit.check_game, [game]).output)
"""
"""All of `check-game` but the contract: it writes what it can, and says what is left."""
CONTRACT = "import sys; from pbem.cli import kit; sys.exit(not kit._contract(*sys.argv[1:]))"
"""The contract as `check-game` runs it, once for several games."""


def ran(*words: str, path: Path, code: int = 0) -> str:
    """What a Python of its own that finds the packages in `path` says.

    What the environment adds to a maker's own tests must change nothing.
    """
    env = {**os.environ, "PYTHONPATH": f"{path}{os.pathsep}{ROOT}", "PYTEST_ADDOPTS": "-p nobodys"}
    done = subprocess.run([sys.executable, *words], env=env, capture_output=True, text=True, check=False, cwd=path)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


def new_game(name: str, into: Path) -> str:
    """What `new-game` says, and the code it ends with."""
    done = CliRunner().invoke(kit.new_game, [name, "--into", str(into)])
    return f"{done.exit_code} {done.output}"


class Site(NamedTuple):
    """Where the examples, the game that `new-game` writes and the one of the page are installed, by pip."""

    folder: Path
    source: Path
    left: str
    """What `check-game` said was left before anything was translated."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Build and install the four packages from nowhere else, and translate the page's game."""
    home = tmp_path_factory.mktemp("kit")
    folder, source = home / "site", home / "src"
    folder.mkdir()
    for name in ("pebbles", "tollgate"):
        assert "is a game that runs" in new_game(name, source)
    package = source / "tollgate" / "tollgate"
    (package / "__init__.py").write_text(blocks("python"), "utf-8")
    (package / "RULES.md").write_text(blocks("markdown"), "utf-8")
    apart = ("--disable-pip-version-check", "--no-deps", "--no-build-isolation", "--no-index")
    homes = [*(ROOT / "examples" / game for game in EXAMPLES), source / "pebbles", source / "tollgate"]
    ran("-m", "pip", "install", "--quiet", *apart, "--target", str(folder), *map(str, homes), path=folder)
    left = ran("-c", WRITTEN, "pebbles", "tollgate", path=folder)
    translate(folder / "tollgate")
    return Site(folder, source, left)


@pytest.mark.parametrize("game", EXAMPLES)
def test_an_example_is_short(game: str) -> None:
    """Rules, bot and board take at most 300 lines, and nothing outside the folder names the game."""
    home = ROOT / "examples" / game
    assert sum(len(path.read_text("utf-8").splitlines()) for path in home.glob("**/*.py")) <= LINES
    inside = (path for folder in ("pbem", "templates") for path in (ROOT / folder).rglob("*") if path.is_file())
    assert [path for path in inside if path.suffix != ".pyc" and game.encode() in path.read_bytes()] == []


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


def test_a_game_installed_by_pip_is_played_by_the_demo(site: Site) -> None:
    """`demo --auto` plays it to its end on a server of its own, asked by letters and answered on pages."""
    played = ran("-m", "pbem.cli", "demo", "--auto", "--game", "hedgerow", "--seats", "2", path=site.folder)
    *table, figures, digest = played.splitlines()
    counted = re.fullmatch(
        r"(\d+) plies, (\d+) letters sent and (\d+) received, (\d+) orders, (\d+\.\d) seconds", figures
    )

    assert table[0] == "Hedgerow, the final table"
    assert [bool(re.fullmatch(r" +\d+\. \w+ +\d+ points?", line)) for line in table[1:]] == [True, True]
    assert counted is not None
    plies, sent, received, orders = (int(figure) for figure in counted.groups()[:4])
    assert sent == received > orders > 0 < plies
    assert re.fullmatch(r"digest [0-9a-f]{64}", digest)


def test_games_installed_by_pip_are_played_by_mail_and_page(site: Site) -> None:
    """Players who know nothing but their letters play them to their end, an example's with as many as can."""
    words = [word for game, seats in PLAYED.items() for word in (game, str(seats))]
    said = ran("-m", "tests.e2e.played", *words, path=site.folder)

    assert re.findall(r"^(\w+) [0-9a-f]{64}$", said, re.MULTILINE) == list(PLAYED)


def test_every_game_installed_by_pip_keeps_the_contract(site: Site) -> None:
    """The examples, what `new-game` writes as it is, and the page's game once it is translated."""
    said = ran("-c", CONTRACT, *EXAMPLES, "pebbles", "tollgate", path=site.folder)

    assert re.search(r"^\d{3} passed", said, re.MULTILINE)


def test_the_page_on_adding_a_game_builds_one(site: Site) -> None:
    """Of its blocks, written over what `new-game` wrote, nothing is left but to translate; of the first, nothing."""
    pebbles, tollgate = site.left.split("\n\n")[:2]

    assert pebbles.endswith("Pebbles keeps the whole contract.")
    left = tollgate.splitlines()[1:]
    assert all(line.startswith("- translate in ") for line in left)
    assert any("How many coins do you offer?" in line for line in left)


def test_a_name_that_is_none_or_taken_is_refused(site: Site) -> None:
    """In a sentence, with code 2."""
    assert "2 " in new_game("pebbles", site.source)[:2]
    assert "2 " in new_game("My Game", site.source)[:2]


def test_a_game_that_breaks_its_promises_is_told_so(site: Site, tmp_path: Path) -> None:
    """A trait that isn't true, a rule nobody states and an order that can't be read back are named, with what to do."""
    shutil.copytree(site.folder, tmp_path / "site")
    file = tmp_path / "site" / "pebbles" / "__init__.py"
    text = file.read_text("utf-8")
    wrong = text.replace("chance=False", "chance=True").replace('PE-3.1"', 'PE-9.9"')
    assert wrong != text
    file.write_text(wrong, "utf-8")
    said = ran("-m", "pbem.cli", "check-game", "pebbles", path=tmp_path / "site", code=1)

    assert "pebbles: set Meta.traits.chance to False" in said
    assert "RULES.md doesn't state ['PE-9.9']" in said
