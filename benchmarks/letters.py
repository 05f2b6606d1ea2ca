"""Ratio 5: complete letters a second beside ready-made mails of the same size, over one kept connection each.

    python -m benchmarks.letters [--letters 400] [--repeats 5]

Both go to the same Postfix, in turns. Ours are written whole: content, text, HTML, MIME and SMTP, four letters to a
picture that is ready, unsigned. Beside it, without a bar: drawing every picture anew, and signing with RSA-2048.
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
from pathlib import Path
from typing import Any

import msgspec

from pbem.capabilities.tokens import Tokens
from pbem.engine.registry import GAMES
from pbem.letters import sections
from pbem.letters.context import LetterData
from pbem.letters.samples import PEOPLE, specimens
from pbem.letters.writer import MailContext, worded
from pbem.mail.address import Addresses
from pbem.mail.dkim import Signer
from pbem.mail.smtp import OutgoingMail
from pbem.pictures import png
from tests import mail_servers

NOW = datetime(2026, 11, 24, 17, tzinfo=UTC)
KEYS = (("b1", "a secret of the benchmark"),)
BAR = 0.5
"""The least of ratio 5."""
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
    asked = [data for _, data in specimens(game, "en", NOW) if data.kind == "your_turn"]
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


@contextmanager
def connection(port: int) -> Iterator[smtplib.SMTP]:
    """One connection, kept open."""
    with smtplib.SMTP("127.0.0.1", port) as server:
        server.ehlo()
        yield server


def rate(port: int, mails: Iterator[OutgoingMail]) -> float:
    """Mails a second over one connection, made as they go."""
    with connection(port) as server:
        began = time.perf_counter()
        count = 0
        for post in mails:
            server.sendmail(post.return_path, [post.to], post.raw)
            count += 1
        return count / (time.perf_counter() - began)


def written(letters: list[LetterData], common: MailContext) -> Iterator[OutgoingMail]:
    """Every letter, written when it is its turn."""
    return (worded(letter, common, NOW) for letter in letters)


def drawn(letters: list[LetterData], common: MailContext) -> Iterator[OutgoingMail]:
    """The same, every fourth letter's picture drawn anew."""
    for number, letter in enumerate(letters):
        if number % SHARED == 0:
            sections.draw.cache_clear()
            png.png.cache_clear()
        yield worded(letter, common, NOW)


def in_turns(repeats: int, *runs: Callable[[], float]) -> list[list[float]]:
    """The rates of each of `runs`, taken in turn."""
    rates: list[list[float]] = [[] for _ in runs]
    for _ in range(repeats):
        for found, run in zip(rates, runs, strict=True):
            found.append(run())
    return rates


def report(name: str, ours: list[float], theirs: list[float]) -> float:
    """One line: both medians, their ratio, and its spread; gives the ratio."""
    ratios = [mine / other for mine, other in zip(ours, theirs, strict=True)]
    print(
        f"{name:32} {statistics.median(ours):7.0f} letters/s   ready-made {statistics.median(theirs):7.0f}/s   "
        f"ratio {statistics.median(ratios):.2f} ({min(ratios):.2f}-{max(ratios):.2f}, {len(ratios)} repeats)"
    )
    return statistics.median(ratios)


def signer(folder: Path) -> Signer:
    """A signer with a fresh RSA-2048 key."""
    key = folder / "dkim.pem"
    subprocess.run(("openssl", "genrsa", "-traditional", "-out", key, "2048"), check=True, capture_output=True)
    return Signer(str(key), "bench", "play.example.org")


def measure(game: str, port: int, counts: Any, signing: MailContext) -> bool:
    """All figures of one game; whether it reaches the bar."""
    common = house()
    letters = questions(game, counts.letters)
    ready = list(written(letters, common))
    size = statistics.mean(len(post.raw) for post in ready)
    plain, theirs = in_turns(
        counts.repeats,
        lambda: rate(port, written(letters, common)),
        lambda: rate(port, iter(ready)),
    )
    reached = report(f"{game} ({size / 1000:.0f} kB)", plain, theirs) >= BAR
    few = letters[: max(SHARED, counts.letters // 4)]
    with_drawing, with_signing, again = in_turns(
        2,
        lambda: rate(port, drawn(few, common)),
        lambda: rate(port, written(few, signing)),
        lambda: rate(port, iter(ready[: len(few)])),
    )
    report("  with drawing", with_drawing, again)
    report("  with DKIM (RSA-2048)", with_signing, again)
    cost = time.process_time()
    for _ in written(letters, common):
        pass
    print(f"  processor time to write one    {1000 * (time.process_time() - cost) / len(letters):7.1f} ms")
    return reached


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
