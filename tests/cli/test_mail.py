from __future__ import annotations

from email import message_from_bytes, policy
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from pbem.cli.mail import mail
from pbem.mail.letters import FAMILY

if TYPE_CHECKING:
    from pathlib import Path


def test_every_letter_is_written_for_looking_at(tmp_path: Path) -> None:
    """--all writes each letter as .eml, .html and .txt in each language, and a page that links them."""
    done = CliRunner().invoke(mail, ["preview", "--all", "--game", "priestsofra", "--out", str(tmp_path)])
    index = (tmp_path / "index.html").read_text(encoding="utf-8")

    assert done.exit_code == 0, done.output
    for language in ("en", "it", "fr"):
        folder = tmp_path / "priestsofra" / language
        assert {kind for kind in FAMILY if kind != "your_turn"} <= {path.stem for path in folder.glob("*.eml")}
        for path in folder.glob("*.eml"):
            assert {path.with_suffix(ending).exists() for ending in (".html", ".txt")} == {True}
            assert f"priestsofra/{language}/{path.stem}.html" in index


def test_one_letter_is_a_sound_mail(tmp_path: Path) -> None:
    """A single letter is a mail that other programs read, its picture beside it."""
    CliRunner().invoke(
        mail, ["preview", "reminder", "--game", "priestsofra", "--language", "en", "--out", str(tmp_path)]
    )
    folder = tmp_path / "priestsofra" / "en"
    written = message_from_bytes((folder / "reminder.eml").read_bytes(), policy=policy.default)

    assert not written.defects
    assert written["Subject"].startswith("[Nile 3] Reminder")
    assert (folder / "reminder.png").read_bytes().startswith(b"\x89PNG")
    assert "reminder.png" in (folder / "reminder.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["preview", "--out", "x"], "Name one letter, or ask for '--all'"),
        (["preview", "reminder", "--all", "--out", "x"], "Name one letter, or ask for '--all'"),
        (["preview", "postcard", "--out", "x"], "'postcard' is no letter: write one of absence"),
        (["preview", "help", "--game", "chess", "--out", "x"], "'chess' is no game of ours: write one of amunre"),
        (["preview", "help", "--language", "de", "--out", "x"], "'de' is no language of ours: write one of en"),
        (["receive", "--recipient", "a@b.c"], "Standard input is empty: pipe one raw mail into this command"),
    ],
)
def test_wrong_calls_get_one_sentence(arguments: list[str], said: str, tmp_path: Path) -> None:
    """A call that can't be carried out says what is wrong and what to write; nothing is written."""
    wrong = [str(tmp_path / "out") if part == "x" else part for part in arguments]
    done = CliRunner().invoke(mail, wrong, input="")

    assert done.exit_code == 2
    assert said in done.output
    assert not (tmp_path / "out").exists()
