"""The organiser's commands on a real database: open, list, show, export, unstick, audit."""

from __future__ import annotations

import json
from contextlib import contextmanager
from contextvars import Context
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

import pytest
from click.testing import CliRunner
from sqlalchemy import select, update

from pbem.cli import main
from pbem.engine import replay
from pbem.extensions import db
from pbem.store.models import Club, Game, GameState, Letter, Seat, StoredPly
from tests.conftest import make_app
from tests.factories import GameFactory

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pbem.config import Config

BOTS = ("--seat", "bot:heuristic") * 3


class Said(NamedTuple):
    """What a command said."""

    code: int
    out: str
    err: str


class Terminal:
    """A terminal in the folder of one club."""

    def __init__(self, folder: Path) -> None:
        """Work on the club kept in `folder`."""
        self.environ = {"PBEM_HOME": str(folder), "DATABASE_URL": "", "REDIS_URL": "", "SMTP_URL": ""}

    def __call__(self, *words: str) -> Said:
        """Type one command; it makes an app of its own, as in a shell of its own."""
        answer = Context().run(CliRunner().invoke, main, words, env=self.environ)
        return Said(answer.exit_code, answer.stdout, answer.stderr)

    def good(self, *words: str) -> str:
        """Type a command that succeeds; gives what it printed."""
        said = self(*words)
        assert said.code == 0, said.err
        return said.out


@pytest.fixture
def terminal(settings: Config) -> Terminal:
    """A terminal on a club called Nile."""
    terminal = Terminal(settings.pbem_home)
    terminal.good("club", "new", "Nile", "--organiser", "ada@example.org")
    return terminal


@contextmanager
def inside(settings: Config) -> Iterator[None]:
    """A look into a club's database by an app of its own, which lets go of it afterwards."""
    with make_app(settings).app_context():
        yield
        db.session.remove()
        db.engine.dispose()


@pytest.fixture
def stored(settings: Config) -> Iterator[None]:
    """The club's database, to look inside."""
    with inside(settings):
        yield


@pytest.fixture
def game(terminal: Terminal) -> str:
    """A game of three bots that was carried to its end by the game's own task."""
    said = terminal.good("game", "new", "amunre", "--club", "nile", "--seed", "s", "--title", "Bots", *BOTS)
    return said.split()[2]


def test_a_club_is_founded_and_listed(terminal: Terminal, stored: None) -> None:
    """The club stands in the list, and its organiser has a letter."""
    assert stored is None
    assert terminal.good("club", "list") == "nile  Nile: members 1, games 0\n"
    assert db.session.execute(select(Letter.kind)).scalars().all() == ["fresh_link"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("club", "new", "nile", "--organiser", "b@example.org"), "There is a club called 'nile' already: choose"),
        (("club", "new", "x", "--organiser", "nobody"), "'nobody' is no mail address we can write to: write one like"),
        (("game", "new", "amunre", "--club", "x", *BOTS), "There is no club 'x': write one of nile;"),
        (("game", "new", "chess", "--club", "nile", *BOTS), "'chess'"),
        (("game", "new", "amunre", "--club", "nile", "--seat", "bot:heuristic"), "not played by 1. Choose one of"),
        (("game", "new", "amunre", "--club", "nile", "--seat", "bot:genius", *BOTS), "'genius'"),
        (("game", "new", "amunre", "--club", "nile", "--seat", "me", *BOTS), "'me' is no mail address"),
        (("game", "new", "amunre", "--club", "nile", "--option", "auction", *BOTS), "'auction'"),
        (("game", "new", "amunre", "--club", "nile", "--option", "auction=loud", *BOTS), "'loud'"),
        (("game", "new", "amunre", "--club", "nile", "--option", "dice=6", *BOTS), "'dice'"),
        (("game", "new", "amunre", "--club", "nile", "--cadence", "hasty", *BOTS), "'hasty'"),
        (("game", "show", "nothing"), "There is no game 'nothing': 'pbem game list' names them;"),
        (("game", "export", "nothing"), "There is no game 'nothing'"),
        (("game", "unstick", "nothing"), "There is no game 'nothing'"),
        (("audit", "nothing"), "There is no game 'nothing' that has begun"),
    ],
)
def test_wishes_that_cannot_be_done(words: tuple[str, ...], sentence: str, terminal: Terminal) -> None:
    """Exit code 2, one line that names what was typed and what would be right, and nothing on the screen."""
    said = terminal(*words)

    assert (said.code, said.out) == (2, "")
    assert said.err.count("\n") == 1
    assert sentence in said.err


def test_a_game_is_opened_and_people_are_invited(terminal: Terminal, stored: None) -> None:
    """Seats for an address, a bot and anybody: the one with the address gets an invitation, the game waits."""
    assert stored is None
    who = ("--seat", "ben@example.org", "--seat", "bot:cautious", "--seat", "open")
    said = terminal.good("game", "new", "amunre", "--club", "Nile", "--option", "auction=sealed", *who)

    row = db.session.execute(select(Game)).scalar_one()
    assert said == f"The game {row.slug} is open: the invited have their letters.\n"
    assert (row.state, row.options, row.title) == ("open", {"auction": "sealed"}, "Amun-Re")
    assert db.session.execute(select(Seat.bot).order_by(Seat.seat)).scalars().all() == ["", "cautious", ""]
    assert db.session.execute(select(Letter.kind).where(Letter.game_id == row.id)).scalars().all() == ["invitation"]
    assert db.session.execute(select(Club.name)).scalars().all() == ["Nile"]
    db.session.rollback()
    other = terminal.good("game", "new", "amunre", "--club", "Nile", "--seat", "open", *BOTS).split()[2]
    holders = [
        [seat["holder"] for seat in json.loads(terminal.good("game", "show", slug, "--json"))["seats"]]
        for slug in (said.split()[2], other)
    ]
    assert holders == [["ben is invited", "bot cautious", "nobody"], ["nobody", *["bot heuristic"] * 3]]


def test_a_game_that_waits_for_players_is_called_off(terminal: Terminal, stored: None) -> None:  # noqa: ARG001 - a database to look into
    """Opened for some days only, then closed by hand; what can't be is refused."""
    opened = ("game", "new", "priestsofra", "--club", "nile", "--seat", "open", "--seat", "open")
    terminal.good(*opened, "--join-days", "3", "--unfilled", "close")
    game = db.session().execute(select(Game)).scalar_one()
    assert (game.cadence["join"], game.cadence["unfilled"]) == (3, "close")
    assert game.due_at == game.created_at + timedelta(days=3)
    slug = game.slug
    db.session.rollback()  # so that the next commands find the database free

    assert "called off" in terminal.good("game", "call-off", "--yes", slug, "--reason", "Nobody came")
    assert terminal.good("game", "list", "--state", "withdrawn").startswith(slug)
    assert "has not begun" in terminal("game", "call-off", "--yes", slug).err
    assert "can't wait 100 days" in terminal(*opened, "--join-days", "100").err


def test_an_act_of_the_control_room_is_previewed_done_and_taken_back(terminal: Terminal, tmp_path: Path) -> None:
    """On the games it fits, opened from a table; the others are named, and what is final asks first."""
    (tmp_path / "table.csv").write_text(
        "One,priestsofra,club,,bot:random,bot:random\nTwo,priestsofra,club,,open,open\n"
    )
    made = terminal.good("game", "table", "nile", str(tmp_path / "table.csv"), "--json")
    one, two = json.loads(made)["games"]

    assert "will be paused" in terminal.good("game", "act", "pause", one, "--preview")
    assert "running" in terminal.good("game", "show", one)
    done = json.loads(terminal.good("game", "act", "pause", one, two, "--json"))
    assert ([effect["game"] for effect in done["effects"]], done["left_out"]) == ([one], ["Two"])
    assert "paused" in terminal.good("game", "show", one)
    number = str(done["audit_id"])
    assert f"ada: pause ({one})" in terminal.good("club", "acts", "nile")
    assert terminal.good("club", "undo", "nile", number).startswith("Games it is taken back in: 1;")
    assert "running" in terminal.good("game", "show", one)
    assert "taken back already" in terminal("club", "undo", "nile", number).err

    assert terminal("game", "act", "call-off", two).code == 130
    assert terminal.good("game", "act", "call-off", two, "--yes").startswith(two)
    assert terminal.good("game", "list", "--state", "withdrawn").startswith(two)
    who = ("--seat", "0", "--who", "ada@example.org", "--reason", "The bot was slow")
    assert terminal.good("game", "act", "replace", one, *who).startswith(one)
    assert "seat 0: ada" in terminal.good("game", "show", one)


def test_a_game_is_listed_and_shown(terminal: Terminal, game: str) -> None:
    """The list has its name and state, the page of one game its seats."""
    listed, shown = terminal.good("game", "list"), terminal.good("game", "show", game)

    assert listed == f"{game}  Bots (amunre), Nile: running, ply 0\n"
    assert terminal.good("game", "list", "--state", "finished") == "There is no such game.\n"
    assert shown.splitlines()[0] == "Bots (amunre, rules version 1): running, ply 0"
    assert shown.count("bot heuristic") == 3


@pytest.mark.usefixtures("stored")
def test_a_game_shows_who_is_awaited(terminal: Terminal) -> None:
    """Whoever's turn it is."""
    slug = GameFactory(game="priestsofra", people=3, bots=(), plays=0).slug
    db.session.commit()
    shown = json.loads(terminal.good("game", "show", slug, "--json"))

    assert [seat["awaited"] for seat in shown["seats"]] == [True, False, False]


def test_a_file_on_a_full_disk_is_said_in_a_sentence(terminal: Terminal, game: str) -> None:
    """Not as a fault of ours: whoever called can make room."""
    said = terminal("game", "export", game, "--out", "/dev/full")

    assert (said.code, said.out) == (2, "")
    assert said.err == "The disk: there is no room left; make some, then call this again.\n"


def test_the_record_of_a_running_game_hides_what_is_hidden(terminal: Terminal, game: str, tmp_path: Path) -> None:
    """Without --out on the screen, with it in a file; neither has the seed while the game runs."""
    invited = terminal.good("game", "new", "amunre", "--club", "nile", "--seat", "new@example.org", *BOTS).split()[2]
    assert "has not begun" in terminal("game", "export", invited).err
    text = terminal.good("game", "export", game)
    terminal.good("game", "export", game, "--out", str(tmp_path / "record.txt"))

    assert (tmp_path / "record.txt").read_text(encoding="utf-8") == text
    assert "game: amunre" in text
    assert "seed: s" not in text


def test_every_game_is_played_again(terminal: Terminal, game: str, stored: None) -> None:
    """The audit finds nothing in a sound database, and each ply that was tampered with in another."""
    assert stored is None
    assert terminal.good("audit").endswith("games 1, plies 1, differences 0\n")

    ply = db.session.execute(select(StoredPly)).scalar_one()
    ply.digest = replay.digest({"tampered": True})
    db.session.commit()
    said = terminal("audit", game)

    assert said.code == 1
    assert f"{game}: " in said.out


def test_a_game_that_is_over_does_without_its_snapshots(terminal: Terminal, game: str, stored: None) -> None:
    """A running game needs them; one that is over has them dropped, and stored again."""
    assert stored is None
    assert "not over" in terminal("game", "compact", game).err

    row = db.session.execute(select(Game)).scalar_one()
    row.state, row.finished_at = GameState.ENDED, row.created_at
    db.session.commit()
    assert terminal.good("game", "compact", game) == f"Snapshots that the game {game} does without: 0.\n"
    assert db.session.execute(select(Game.compact)).scalar_one()
    db.session.commit()
    assert terminal.good("game", "rebuild", game) == f"Snapshots that the game {game} has again: 0.\n"
    assert terminal.good("audit").endswith("games 1, plies 1, differences 0\n")


def test_a_stuck_game_goes_on(terminal: Terminal, game: str, stored: None) -> None:
    """A game that isn't stuck is left alone; a stuck one shows its trace and is set going."""
    assert stored is None
    assert "not stuck" in terminal("game", "unstick", game).err

    row = db.session.execute(select(Game)).scalar_one()
    row.state, row.trace = GameState.STUCK, "ZeroDivisionError"
    db.session.commit()
    assert "ZeroDivisionError" in terminal.good("game", "show", game)
    assert terminal.good("game", "unstick", game) == f"The game {game} goes on.\n"
    db.session.expire_all()
    assert db.session.execute(select(Game.state, Game.trace)).one() == ("running", "")


def test_rules_of_a_running_game(terminal: Terminal, game: str, stored: None) -> None:
    """It is on the newest already, and there is no version 7: each refusal names the versions."""
    assert stored is None
    assert "rules version 1 already" in terminal("game", "migrate-rules", game, "--yes").err
    assert (
        "by rules version 7; this program plays version 1"
        in terminal("game", "migrate-rules", game, "--version", "7", "--yes").err
    )

    db.session.execute(update(Game).values(rules_version=7, state="stuck"))
    db.session.commit()
    assert "This program doesn't hold rules version 7 of amunre (games that have it: 1)" in terminal("doctor").out
    assert "by rules version 7; this program plays version 1" in terminal("game", "unstick", game).err
    assert (
        terminal.good("game", "migrate-rules", game, "--yes")
        == f"The game {game} is played by rules version 1 from now on.\n"
    )
    assert terminal.good("game", "unstick", game) == f"The game {game} goes on.\n"
    assert terminal.good("audit").endswith("games 1, plies 1, differences 0\n")


def test_a_database_that_is_not_set_up(tmp_path: Path) -> None:
    """Every command on the database says what to do first."""
    said = Terminal(tmp_path / "empty")("game", "list")

    where = f"sqlite:///{tmp_path}/empty/pbem.sqlite"
    helps = "set it up with 'pbem db upgrade', or mend DATABASE_URL"
    assert (said.code, said.err) == (2, f"The database {where} is empty: {helps}.\n")


def test_a_wrong_setting(tmp_path: Path) -> None:
    """A setting that can't be used is named before anything is done."""
    answer = CliRunner().invoke(main, ["game", "list"], env={"PBEM_HOME": str(tmp_path), "SMTP_URL": "relay"})

    assert answer.exit_code == 2
    assert answer.stderr.startswith("SMTP_URL begins with 'relay': write smtp://")
