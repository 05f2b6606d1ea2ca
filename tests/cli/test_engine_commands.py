"""The commands selfplay and replay: what they print, and the one sentence for each wrong call."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from pbem.cli.engine import replay, selfplay

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result


def run(*words: str) -> Result:
    """The result of one command line."""
    commands = {"selfplay": selfplay, "replay": replay}
    return CliRunner().invoke(commands[words[0]], list(words[1:]))


def test_selfplay_prints_speed_and_scores() -> None:
    """As words, and as one JSON object with the figures by name."""
    words = ("selfplay", "priestsofra", "--seats", "3", "--games", "4", "--seed", "x")
    told, figures = run(*words), json.loads(run(*words, "--json").output)

    assert told.output.startswith("priestsofra: games 4, seats 3 (random, random, random)")
    assert "games/s" in told.output
    assert figures["games"] == 4
    assert len(figures["score_means"]) == 3
    assert figures["decisions_per_s"] > 0


def test_selfplay_takes_bots_and_options() -> None:
    """One bot a seat, and an option by name."""
    words = ("selfplay", "priestsofra", "--seats", "2", "--games", "2", "--bots", "heuristic,random", "--json")
    figures = json.loads(run(*words, "--option", "auctions=in_turn").output)

    assert figures["bots"] == ["heuristic", "random"]


def test_recorded_games_replay_by_command(tmp_path: Path) -> None:
    """`selfplay --record` writes records that `replay` bears out, and `--write` leaves a sound one as it is."""
    run("selfplay", "priestsofra", "--seats", "2", "--games", "2", "--seed", "r", "--record", str(tmp_path))
    files = sorted(tmp_path.iterdir())
    text = files[0].read_text("utf-8")
    told = run("replay", str(files[0]))

    assert [file.name for file in files] == ["priestsofra-2-r-0.txt", "priestsofra-2-r-1.txt"]
    assert told.exit_code == 0
    assert told.output.splitlines()[0] == text.splitlines()[-1]
    assert told.output.splitlines()[1] == "digest " + text.split("digest ")[1].strip()
    assert run("replay", str(files[0]), "--write").exit_code == 0
    assert files[0].read_text("utf-8") == text


def test_a_record_that_does_not_hold_ends_with_one(tmp_path: Path) -> None:
    """Every line that playing doesn't bear out is told, and the command fails."""
    run("selfplay", "priestsofra", "--seats", "2", "--games", "1", "--record", str(tmp_path))
    file = next(tmp_path.iterdir())
    file.write_text(
        file.read_text("utf-8").replace("places 1 2", "places 2 1").replace("places 2 1", "places 1 1"), "utf-8"
    )
    told = run("replay", str(file))

    assert (told.exit_code, type(told.exception)) == (1, SystemExit)
    assert "the record has 'result: " in told.stderr


WRONG = [
    (("selfplay", "chess"), "'chess' is no game here. There are: amunre, egizia, priestsofra."),
    (("selfplay", "amunre", "--seats", "7"), "7 is no number of seats for Amun-Re; it takes 3, 4, 5."),
    (("selfplay", "amunre", "--games", "0"), "0 is not in the range"),
    (("selfplay", "amunre", "--games", "many"), "'many' is not a valid integer"),
    (("selfplay", "amunre", "--seats", "4", "--bots", "random,random"), "--bots names 2, not one for each seat"),
    (("selfplay", "amunre", "--bots", "clever"), "'clever' is no bot. There are: random,"),
    (("selfplay", "amunre", "--option", "auction"), "'auction' should read NAME=VALUE."),
    (("selfplay", "amunre", "--option", "auction=loud"), "loud"),
    (("selfplay", "amunre", "--option", "tea=green"), "tea"),
    (("selfplay", "amunre", "--option", "board=@/no/such/file"), "/no/such/file can't be read"),
    (("replay", "/no/such/file"), "'/no/such/file' does not exist"),
]


@pytest.mark.parametrize(("words", "sentence"), WRONG, ids=lambda value: " ".join(value)[:40])
def test_wrong_calls_get_one_sentence(words: tuple[str, ...], sentence: str) -> None:
    """It names the word and what would do, and the command ends with 2."""
    told = run(*words)

    assert told.exit_code == 2
    assert sentence in told.output


def test_what_is_no_record_is_refused(tmp_path: Path) -> None:
    """Binary files and other texts get a sentence with the file's name."""
    file = tmp_path / "odd.txt"
    file.write_bytes(b"\xff\xfe\x00")
    assert "odd.txt is not UTF-8 text; a record is." in run("replay", str(file)).output
    file.write_text("hello\n", "utf-8")
    told = run("replay", str(file))

    assert told.exit_code == 2
    assert "odd.txt: The header 'game' is missing; a record begins with `game: NAME`.\n" in told.output
