"""The local mailbox: letters of a server without a relay are kept as files, one each, to be read on a page."""

from __future__ import annotations

import contextlib
from datetime import datetime
from email import policy
from email.headerregistry import DateHeader
from email.parser import BytesHeaderParser, BytesParser
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from email.message import EmailMessage
    from pathlib import Path

_POLICY = policy.SMTP.clone(max_line_length=998)


class MaildirEntry(msgspec.Struct, frozen=True):
    """One letter on the shelf, as a list of letters shows it."""

    number: int
    """The outbox row it was made from."""
    to: str
    sender: str
    subject: str
    date: datetime | None


class Maildir:
    """A folder of letters, named by number, so that the newest is the highest."""

    def __init__(self, folder: Path) -> None:
        """Take the folder; it is made when the first letter comes."""
        self.folder = folder

    def _file(self, number: int) -> Path:
        return self.folder / f"{number:09d}.eml"

    def put(self, number: int, raw: bytes) -> None:
        """Keep a letter; the same number again replaces it, whole."""
        self.folder.mkdir(parents=True, exist_ok=True)
        draft = self._file(number).with_suffix(".part")
        draft.write_bytes(raw)
        draft.replace(self._file(number))

    def numbers(self) -> list[int]:
        """Every letter's number, newest first."""
        return sorted((int(file.stem) for file in self.folder.glob("*.eml") if file.stem.isdigit()), reverse=True)

    def newest(self, limit: int, to: str = "") -> list[MaildirEntry]:
        """The newest letters, of one reader if `to` is an address; at most `limit` of them."""
        found: list[MaildirEntry] = []
        for number in self.numbers():
            entry = self._entry(number)
            if entry is not None and (not to or to == entry.to):
                found.append(entry)
            if len(found) == limit:
                break
        return found

    def _entry(self, number: int) -> MaildirEntry | None:
        with contextlib.suppress(FileNotFoundError), self._file(number).open("rb") as lines:
            head = BytesHeaderParser(policy=_POLICY).parse(lines)
            date = head["Date"]
            return MaildirEntry(
                number=number,
                to=str(head.get("To", "")),
                sender=str(head.get("From", "")),
                subject=str(head.get("Subject", "")),
                date=date.datetime if isinstance(date, DateHeader) else None,
            )
        return None

    def read(self, number: int) -> EmailMessage | None:
        """One letter with all its parts; None if there is no such number."""
        with contextlib.suppress(FileNotFoundError):
            return BytesParser(policy=_POLICY).parsebytes(self._file(number).read_bytes())
        return None
