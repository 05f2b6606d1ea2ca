"""Ratio 5: complete letters a second beside ready-made mails of the same size, over one kept connection each.

    python -m benchmarks.letters [--letters 400] [--repeats 5]

Both go to the same Postfix, in turns. Ours are written whole: content, text, HTML, MIME and SMTP by the server's own
way out, four letters to a picture that is ready, unsigned; then with every picture drawn anew, and signed with
RSA-2048. The ready-made ones are sent as any Python program does, by `smtplib`. Leaves with 1 if a bar is missed.
Postfix needs root.
"""

from __future__ import annotations

import argparse
import os
import smtplib
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from benchmarks import hammer
from pbem.capabilities.tokens import Tokens
from pbem.engine.registry import GAMES
from pbem.letters import sections
from pbem.letters.context import LetterData
from pbem.letters.mail_context import MailContext
from pbem.letters.samples import PEOPLE, samples
from pbem.letters.writer import compose_mail
from pbem.mail.address import Addresses
from pbem.mail.dkim import Signer
from pbem.mail.smtp import OutgoingMail, Relay
from tests import mail_servers

NOW = datetime(2026, 11, 24, 17, tzinfo=UTC)
KEYS = (("b1", "a secret of the benchmark"),)
PLAIN, DRAWN, SIGNED = 0.6, 0.45, 0.5
"""The least of ratio 5: as they are, with drawing, with DKIM."""
SHARED = 4
"""Letters that share one picture."""


def house(signer: Signer | None = None) -> MailContext:
    """What all letters of the benchmark have in common."""
    return MailContext(
        addresses=Addresses(KEYS, "play.example.org"),
        tokens=Tokens(KEYS),
        base_url="https://play.example.org",
        name="Nile Club",
        signer=signer,
    )


def questions(game: str, count: int) -> list[LetterData]:
    """`count` letters that ask, four readers to a position, all with a Message-ID of their own."""
    asked = [data for _, data in samples(game, "en", NOW) if data.kind == "your_turn"]
    made = []
    for number in range(count):
        data = asked[number // SHARED % len(asked)]
        reader = PEOPLE[number % len(PEOPLE)]
        made.append(
            msgspec.structs.replace(
                data,
                letter_id=number,
                message_id=f"{number:032x}",
                to=msgspec.structs.replace(data.to, name=reader, address=f"{reader[:3].lower()}@players.example"),
            )
        )
    return made


Way = Callable[[smtplib.SMTP], Callable[[OutgoingMail], object]]
"""How a mail is handed to a server."""


class Kept:
    """A back end for `Relay` whose one connection is open."""

    def __init__(self, server: smtplib.SMTP) -> None:
        self.connection = server

    def open(self) -> None:
        """It is open."""

    def close(self) -> None:
        """Whoever opened it closes it."""


def by_smtplib(server: smtplib.SMTP) -> Callable[[OutgoingMail], object]:
    """Send as any program does."""
    return lambda post: server.sendmail(post.return_path, [post.to], post.raw)


def by_relay(server: smtplib.SMTP) -> Callable[[OutgoingMail], object]:
    """Send as the server does."""
    return Relay(Kept(server)).send


@contextmanager
def connection(port: int) -> Iterator[smtplib.SMTP]:
    """One connection, kept open."""
    with smtplib.SMTP("127.0.0.1", port) as server:
        server.ehlo()
        yield server


class Sent(NamedTuple):
    """One turn of one side."""

    rate: float
    """Mails a second."""
    cost: float
    """Milliseconds of this process's time for each."""


def rate(port: int, made: Callable[[], Iterator[OutgoingMail]], way: Way) -> Sent:
    """Send mails over one connection, made as they go."""
    with connection(port) as server:
        mails, send = made(), way(server)
        began, cost = time.perf_counter(), time.process_time()
        count = 0
        for post in mails:
            send(post)
            count += 1
        return Sent(count / (time.perf_counter() - began), 1000 * (time.process_time() - cost) / count)


def written(letters: list[LetterData], common: MailContext) -> Iterator[OutgoingMail]:
    """Every letter, written when it is its turn."""
    return (compose_mail(letter, common, NOW) for letter in letters)


def drawn(letters: list[LetterData], common: MailContext) -> Iterator[OutgoingMail]:
    """The same, every fourth letter's picture drawn anew."""
    for number, letter in enumerate(letters):
        if number % SHARED == 0:
            sections.draw.cache_clear()
        yield compose_mail(letter, common, NOW)


def beside(name: str, repeats: int, ours: Callable[[], Sent], ready: Callable[[], Sent]) -> float:
    """Send both in turn, and print rates, ratio, its spread and processor time; gives the ratio."""
    turns = [(ours(), ready()) for _ in range(repeats)]
    mine, other = [own for own, _ in turns], [same for _, same in turns]
    rates = [one.rate for one in mine], [one.rate for one in other]
    print(hammer.told(name, *rates, "letters/s"))
    costs = [statistics.median(one.cost for one in side) for side in (mine, other)]
    print(f"  processor time of a letter {costs[0]:.2f} ms, of a ready-made one {costs[1]:.2f} ms")
    return hammer.quarters(*rates)[1]


def signer(folder: Path) -> Signer:
    """A signer with a fresh RSA-2048 key."""
    key = folder / "dkim.pem"
    subprocess.run(("openssl", "genrsa", "-traditional", "-out", key, "2048"), check=True, capture_output=True)
    return Signer(str(key), "bench", "play.example.org")


def measure(game: str, port: int, counts: Any, signing: MailContext) -> bool:
    """All figures of one game; whether it reaches the bars."""
    common = house()
    letters = questions(game, counts.letters)
    ready = list(written(letters, common))
    size = statistics.mean(len(post.raw) for post in ready)
    few, repeats = letters[: max(SHARED, counts.letters // 4)], counts.repeats
    runs = (
        (f"{game} ({size / 1000:.0f} kB)", PLAIN, ready, lambda: written(letters, common)),
        (f"{game} with drawing", DRAWN, ready[: len(few)], lambda: drawn(few, common)),
        (f"{game} with DKIM (RSA-2048)", SIGNED, ready[: len(few)], lambda: written(few, signing)),
    )
    ratios = [
        beside(name, repeats, partial(rate, port, made, by_relay), partial(rate, port, partial(iter, same), by_smtplib))
        >= bar
        for name, bar, same, made in runs
    ]
    return all(ratios)


def main() -> None:
    """Measure every game, and leave with 1 if one misses the bar."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--letters", type=int, default=400)
    parser.add_argument("--repeats", type=int, default=5)
    counts = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        mail_servers.smtp_sink() as sink,
        mail_servers.postfix(sink, Path(folder)) as postfix,
    ):
        signing = house(signer(Path(folder)))
        reached = [measure(game, postfix.port, counts, signing) for game in GAMES]
    print(f"load of the machine {os.getloadavg()[0]:.0f}")
    sys.exit(not all(reached))


if __name__ == "__main__":
    main()
