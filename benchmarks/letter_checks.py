"""Puts every letter before the judges of other programs: SpamAssassin's local tests and caniemail's tables.

    python -m benchmarks.letter_checks [--game amunre]

Needs Debian's spamassassin. Bars: a score of at most 1.0, no single rule of 0.5 or more, and nothing that a large mail
program doesn't know.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.quality import node
from pbem.engine.registry import GAMES

SCORE, RULE = 1.0, 0.5


def write(folder: Path, game: str) -> list[Path]:
    """Every letter about one game in every language."""
    pbem = Path(sys.executable).with_name("pbem")
    subprocess.run((pbem, "mail", "preview", "--all", "--game", game, "--out", folder), check=True)
    return sorted(folder.glob(f"{game}/*/*.eml"))


def judged(mails: list[Path]) -> list[tuple[float, list[str]]]:
    """SpamAssassin's local score of each letter, and its rules of half a point or more."""
    done = subprocess.run(("spamassassin", "--local", "--test-mode", *mails), capture_output=True, check=True)
    found = []
    for report in re.split(r"^X-Spam-Checker-Version: ", done.stdout.decode("utf-8", "replace"), flags=re.MULTILINE)[
        1:
    ]:
        score = re.search(r"^X-Spam-Status: \w+, score=(-?[\d.]+)", report, re.MULTILINE)
        assert score is not None, report[:500]
        rules = re.findall(
            r"^\s*(-?\d+\.\d) ([A-Z][A-Z0-9_]+) ", report.partition("Content analysis details")[2], re.MULTILINE
        )
        found.append((float(score[1]), [name for points, name in rules if float(points) >= RULE]))
    assert len(found) == len(mails), f"{len(found)} reports on {len(mails)} letters"
    return found


def spam(mails: list[Path]) -> int:
    """How many letters SpamAssassin would hold against us."""
    found = judged(mails)
    wanting = [(mail, *one) for mail, one in zip(mails, found, strict=True) if one[0] > SCORE or one[1]]
    for mail, score, rules in wanting:
        print(f"{mail}: {score} {' '.join(rules)}")
    highest = max(score for score, _ in found)
    print(f"SpamAssassin: {len(mails)} letters, highest score {highest}, {len(wanting)} faults", flush=True)
    return len(wanting)


def main() -> None:
    """Judge all letters; leave with 1 if any is found wanting."""
    parser = argparse.ArgumentParser(description="SpamAssassin and caniemail over every letter.")
    parser.add_argument("--game", choices=GAMES, action="append")
    games = parser.parse_args().game or GAMES
    with tempfile.TemporaryDirectory() as folder:
        mails = [mail for game in games for mail in write(Path(folder), game)]
        faults = spam(mails)
        faults += node("caniemail.mjs", *(str(mail.with_suffix(".html")) for mail in mails)).returncode
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
