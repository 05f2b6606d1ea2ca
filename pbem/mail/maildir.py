"""The local mailbox: a server without a relay keeps its letters in a Maildir, which a page and any program can read."""

from __future__ import annotations

from datetime import datetime
from email import policy
from email.headerregistry import DateHeader
from email.message import EmailMessage
from email.parser import BytesHeaderParser, BytesParser
from pathlib import Path

from pbem.structs import Value

_POLICY = policy.SMTP.clone(max_line_length=998)


class MaildirEntry(Value):
    """One letter, as a list of letters shows it."""

    number: int
    """The outbox row it was made from."""
    to: str
    sender: str
    subject: str
    date: datetime | None


class Maildir:
    """A Maildir whose letters are named by their number, so that the newest is the highest."""

    def __init__(self, folder: Path) -> None:
        """Take the folder; it is made if it isn't there."""
        import mailbox  # noqa: PLC0415 - a quarter of a MB that servers with a relay do without

        self.folder = folder
        for name in ("", "tmp", "new", "cur"):
            (folder / name).mkdir(mode=0o700, parents=True, exist_ok=True)
        self._box = mailbox.Maildir(folder)
        for old in folder.glob("*.eml"):  # as letters were kept before this was a Maildir
            if old.stem.isdigit():
                old.replace(folder / "new" / _key(int(old.stem)))

    def put(self, number: int, raw: bytes) -> None:
        """Keep a letter; the same number again replaces it, whole."""
        draft = self.folder / "tmp" / _key(number)
        draft.write_bytes(raw)
        draft.replace(self.folder / "new" / _key(number))

    def numbers(self) -> list[int]:
        """Return every letter's number, newest first."""
        return sorted((int(key) for key in self._box.keys() if key.isdigit()), reverse=True)  # noqa: SIM118 - a mailbox iterates over letters

    def newest(self, limit: int, to: str = "") -> list[MaildirEntry]:
        """Return the newest letters, of one reader if `to` is an address; at most `limit` of them."""
        found: list[MaildirEntry] = []
        for number in self.numbers():
            entry = self._entry(number)
            if entry is not None and (not to or to == entry.to):
                found.append(entry)
            if len(found) == limit:
                break
        return found

    def _entry(self, number: int) -> MaildirEntry | None:
        raw = self._bytes(number)
        if raw is None:
            return None
        head = BytesHeaderParser(policy=_POLICY).parsebytes(raw.partition(b"\r\n\r\n")[0])
        date = head["Date"]
        return MaildirEntry(
            number=number,
            to=str(head.get("To", "")),
            sender=str(head.get("From", "")),
            subject=str(head.get("Subject", "")),
            date=date.datetime if isinstance(date, DateHeader) else None,
        )

    def read(self, number: int) -> EmailMessage | None:
        """One letter with all its parts; None if there is no such number."""
        raw = self._bytes(number)
        return None if raw is None else BytesParser(policy=_POLICY).parsebytes(raw)

    def _bytes(self, number: int) -> bytes | None:
        try:
            return self._box.get_bytes(_key(number))
        except KeyError:
            return None


def _key(number: int) -> str:
    return f"{number:09d}"
