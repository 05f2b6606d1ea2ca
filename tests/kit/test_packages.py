"""Games as packages: installed by pip they are played by mail and page, and keep the contract."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from click.testing import CliRunner

from pbem.cli import kit

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
EXAMPLES = ("fairday", "hedgerow")
PLAYED = {"fairday": (10, 3), "tollgate": (3, 0)}
"""The games played in one process: with how many seats, and how many plies before their end; 0: from invitations on."""
LINES = 300
WRITTEN = """
from click.testing import CliRunner
from pbem.cli import kit
kit._contract = lambda game: True
for game in sys.argv[1:]:
    print(CliRunner().invoke(kit.check_game, [game]).output)
"""
"""All of `check-game` but the contract: it writes what it can, and says what is left."""
CONTRACT = """
from types import SimpleNamespace
from pbem.kit.contract import positions
def run(command, env, check):
    os.environ |= env
    return SimpleNamespace(returncode=pytest.main(command[3:]))
positions.SEEDS = 30
pbem.cli.kit.subprocess = SimpleNamespace(run=run)
sys.exit(not pbem.cli.kit._contract(*sys.argv[1:]))
"""
"""The contract as `check-game` runs it, once for several games, but within this process and on fewer random games."""
COMMAND = "from pbem import cli; cli.main()"
MAIL = "from tests.e2e import played; played.main(*sys.argv[1:])"
FORKED = """
import json, os, sys
import pytest, hypothesis, pbem.cli.demo.autoplay, pbem.cli.kit, tests.e2e.played
for line in sys.stdin:
    code, *words = json.loads(line)
    pid = os.fork()
    if pid == 0:
        said = os.open("said", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(said, 1)
        sys.argv[1:] = words
        exec(code)
        sys.exit()
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
"""
"""A Python that has loaded the program once, and does what it reads in forks of itself."""


def new_game(name: str, into: Path) -> str:
    """What `new-game` says, and the code it ends with."""
    done = CliRunner().invoke(kit.new_game, [name, "--into", str(into)])
    return f"{done.exit_code} {done.output}"


class Site(NamedTuple):
    """Where the examples, the game that `new-game` writes and the one of the page are installed, by pip."""

    folder: Path
    source: Path
    python: subprocess.Popen[str]
    """A Python that finds them, with what it loads first loaded."""

    def said(self, does: str, *words: str, code: int = 0) -> str:
        """What the code `does` says with these words, in a process of its own that ends with `code`."""
        assert self.python.stdin is not None
        assert self.python.stdout is not None
        print(json.dumps([does, *words]), file=self.python.stdin, flush=True)
        ended = self.python.stdout.readline()
        said = (self.folder / "said").read_text("utf-8")
        assert ended == f"{code}\n", said
        return said


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Build and install the four packages from nowhere else, beside this program as if it were installed, too.

    What the environment adds to a maker's own tests must change nothing.
    """
    home = tmp_path_factory.mktemp("kit")
    folder, source = home / "site-packages", home / "src"
    folder.mkdir()
    for name in ("pbem", "templates"):
        (folder / name).symlink_to(ROOT / name)
    for name in ("pebbles", "tollgate"):
        assert "is a game that runs" in new_game(name, source)
    package = source / "tollgate" / "tollgate"
    (package / "__init__.py").write_text(blocks("python"), "utf-8")
    (package / "RULES.md").write_text(blocks("markdown"), "utf-8")
    apart = ("--disable-pip-version-check", "--no-deps", "--no-build-isolation", "--no-index")
    homes = [*(ROOT / "examples" / game for game in EXAMPLES), source / "pebbles", source / "tollgate"]
    pip = (sys.executable, "-m", "pip", "install", "--quiet", *apart, "--target", folder, *homes)
    subprocess.run(list(map(str, pip)), check=True, cwd=folder)
    (ROOT / ".hypothesis").mkdir(exist_ok=True)  # which letters there are, it looks up for a second, once
    (folder / ".hypothesis").symlink_to(ROOT / ".hypothesis")
    env = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}", "PYTEST_ADDOPTS": "-p nobodys"}
    forking = (sys.executable, "-c", FORKED)
    with subprocess.Popen(
        forking, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=folder, env=env
    ) as python:
        yield Site(folder, source, python)
        python.communicate()


@pytest.fixture(scope="module")
def left(site: Site) -> str:
    """What `check-game` says is left of the game that `new-game` writes and of the page's, which is translated then."""
    said = site.said(WRITTEN, "pebbles", "tollgate")
    translate(site.folder / "tollgate")
    return said


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
    """`demo --auto`, as `new-game` says, plays it to its end on a server, asked by letters and answered on pages."""
    played = site.said(COMMAND, "demo", "--auto", "--game", "pebbles", "--seats", "2")
    *table, figures, digest = played.splitlines()
    counted = re.fullmatch(r"plies (\d+), orders (\d+), letters sent (\d+) and received (\d+), \d+\.\d s", figures)

    assert table[0] == "Pebbles, the final table"
    assert [bool(re.fullmatch(r" +\d+\. \w+ +\d+", line)) for line in table[1:]] == [True, True]
    assert counted is not None
    plies, orders, sent, received = (int(figure) for figure in counted.groups())
    assert sent == received > orders > 0 < plies
    assert re.fullmatch(r"digest [0-9a-f]{64}", digest)


def test_games_installed_by_pip_are_played_by_mail_and_page(site: Site) -> None:
    """Players who know nothing but their letters play them to their end, an example's with as many as can."""
    words = [str(word) for game, wanted in PLAYED.items() for word in (game, *wanted)]
    said = site.said(MAIL, *words)

    assert re.findall(r"^(\w+) [0-9a-f]{64}$", said, re.MULTILINE) == list(PLAYED)


@pytest.mark.usefixtures("left")
def test_every_game_installed_by_pip_keeps_the_contract(site: Site) -> None:
    """The examples, what `new-game` writes as it is, and the page's game once it is translated."""
    said = site.said(CONTRACT, *EXAMPLES, "pebbles", "tollgate")

    assert re.search(r"^\d{3} passed", said, re.MULTILINE)


def test_the_page_on_adding_a_game_builds_one(left: str) -> None:
    """Of its blocks, written over what `new-game` wrote, nothing is left but to translate; of the first, nothing."""
    pebbles, tollgate = left.split("\n\n")[:2]

    assert pebbles.endswith("Pebbles keeps the whole contract.")
    lines = tollgate.splitlines()[1:]
    assert all(line.startswith("- translate in ") for line in lines)
    assert any("How many coins do you offer?" in line for line in lines)


def test_a_name_that_is_none_or_taken_is_refused(site: Site) -> None:
    """In a sentence, with code 2."""
    assert "2 " in new_game("pebbles", site.source)[:2]
    assert "2 " in new_game("My Game", site.source)[:2]


@pytest.mark.usefixtures("left")
def test_a_game_that_breaks_its_promises_is_told_so(site: Site) -> None:
    """A trait that isn't true, a rule nobody states and an order that can't be read back are named, with what to do."""
    file = site.folder / "pebbles" / "__init__.py"
    text = file.read_text("utf-8")
    wrong = text.replace("chance=False", "chance=True").replace('PE-3.1"', 'PE-9.9"')
    assert wrong != text
    file.write_text(wrong, "utf-8")
    try:
        said = site.said(COMMAND, "check-game", "pebbles", code=1)
    finally:
        file.write_text(text, "utf-8")

    assert "pebbles: set Meta.traits.chance to False" in said
    assert "RULES.md doesn't state ['PE-9.9']" in said
