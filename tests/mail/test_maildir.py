from __future__ import annotations

import mailbox
from email.message import EmailMessage
from typing import TYPE_CHECKING

from pbem.mail.maildir import Maildir

if TYPE_CHECKING:
    from pathlib import Path


def letter(subject: str, to: str = "Alice <a@nile.example>") -> bytes:
    """A short letter."""
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = "Club <play@club.example>", to, subject
    made["Date"] = "Mon, 02 Mar 2026 12:00:00 +0000"
    made.set_content("Hello\n")
    return made.as_bytes()


def test_the_newest_letter_comes_first(tmp_path: Path) -> None:
    """Letters are listed by number, the highest first, with what a list shows of them."""
    shelf = Maildir(tmp_path / "of a club" / "mailbox")
    for number in (9, 10, 100):
        shelf.put(number, letter(f"Number {number}"))

    found = shelf.newest(2)

    assert [(entry.number, entry.subject) for entry in found] == [(100, "Number 100"), (10, "Number 10")]
    assert found[0].to == "Alice <a@nile.example>"
    assert found[0].date is not None
    assert found[0].date.isoformat() == "2026-03-02T12:00:00+00:00"


def test_a_letter_put_twice_is_there_once(tmp_path: Path) -> None:
    """The same number again replaces the letter, and no half-written file is ever listed."""
    shelf = Maildir(tmp_path)
    shelf.put(1, letter("First"))
    shelf.put(1, letter("Second"))
    (tmp_path / "tmp" / "000000002").write_bytes(b"half")

    assert [entry.subject for entry in shelf.newest(10)] == ["Second"]


def test_any_mail_program_reads_it(tmp_path: Path) -> None:
    """It is a Maildir: the standard library's own finds the letters in it, and one read there is still found here."""
    Maildir(tmp_path).put(7, letter("Seven"))
    box = mailbox.Maildir(tmp_path)
    (key,) = box.keys()
    message = box[key]
    assert message["Subject"] == "Seven"

    message.set_subdir("cur")
    message.add_flag("S")
    box[key] = message
    assert [entry.subject for entry in Maildir(tmp_path).newest(10)] == ["Seven"]


def test_one_readers_letters_are_found(tmp_path: Path) -> None:
    """Filtered by address; an empty or missing folder has no letters; an unknown number is None."""
    shelf = Maildir(tmp_path / "none")
    empty = shelf.newest(10)
    shelf.put(1, letter("For Bob", "bob@nile.example"))
    shelf.put(2, letter("For Alice"))

    assert empty == []
    assert [entry.subject for entry in shelf.newest(10, to="bob@nile.example")] == ["For Bob"]
    assert shelf.read(3) is None
    read = shelf.read(2)
    assert read is not None
    assert read.get_content() == "Hello\n"


def test_letters_kept_as_files_before_are_letters_still(tmp_path: Path) -> None:
    """What an older release wrote as NUMBER.eml is read, listed and moved; other files are left alone."""
    (tmp_path / "000000007.eml").write_bytes(b"To: a@b.org\r\nSubject: Old\r\n\r\nHello\r\n")
    (tmp_path / "notes.eml").write_bytes(b"mine")
    box = Maildir(tmp_path)

    assert box.numbers() == [7]
    assert [(entry.number, entry.subject) for entry in box.newest(5)] == [(7, "Old")]
    assert not (tmp_path / "000000007.eml").exists()
    assert (tmp_path / "notes.eml").read_bytes() == b"mine"
