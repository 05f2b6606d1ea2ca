"""Puts every letter before the judges of other programs: SpamAssassin's local tests and caniemail's tables.

    python -m benchmarks.letter_checks [--game amunre]

Needs Debian's spamassassin, and Node 20.19 or newer with npm. The caniemail package is pinned by hash in
benchmarks/mailclients. Bars: a score of at most 1.0, no single rule of 0.5 or more, and nothing that a large mail
program doesn't know.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from pbem.engine.registry import GAMES

TOOLS = Path(__file__).with_name("mailclients")
SCORE, RULE = 1.0, 0.5


def write(folder: Path, game: str) -> list[Path]:
    """Every letter about one game in every language."""
    pbem = Path(sys.executable).with_name("pbem")
    subprocess.run((pbem, "mail", "preview", "--all", "--game", game, "--out", folder), check=True)
    return sorted(folder.glob(f"{game}/*/*.eml"))


def judged(mail: Path) -> tuple[float, list[str]]:
    """SpamAssassin's local score of one letter, and its rules of half a point or more."""
    done = subprocess.run(
        ("spamassassin", "--local", "--test-mode"), input=mail.read_bytes(), capture_output=True, check=True
    )
    report = done.stdout.decode("utf-8", "replace")
    score = re.search(r"X-Spam-Status: \w+, score=(-?[\d.]+)", report)
    assert score is not None, report[:500]
    rules = re.findall(
        r"^\s*(-?\d+\.\d) ([A-Z][A-Z0-9_]+) ", report.partition("Content analysis details")[2], re.MULTILINE
    )
    return float(score[1]), [name for points, name in rules if float(points) >= RULE]


def spam(mails: list[Path]) -> int:
    """How many letters SpamAssassin would hold against us."""
    faults = 0
    worst = 0.0
    for mail in mails:
        score, rules = judged(mail)
        worst = max(worst, score)
        if score > SCORE or rules:
            print(f"{mail.name}: {score} {' '.join(rules)}")
            faults += 1
    print(f"SpamAssassin: {len(mails)} letters, highest score {worst}, {faults} faults")
    return faults


def clients(pages: list[Path]) -> int:
    """How many faults caniemail finds in the letters' HTML."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(TOOLS, folder, dirs_exist_ok=True)
        subprocess.run(("npm", "ci", "--silent", "--no-audit", "--no-fund"), cwd=folder, check=True)
        return subprocess.run(("node", "check.mjs", *map(str, pages)), cwd=folder, check=False).returncode


def main() -> None:
    """Judge all letters; leave with 1 if any is found wanting."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--game", choices=GAMES, action="append")
    games = parser.parse_args().game or GAMES
    with tempfile.TemporaryDirectory() as folder:
        mails = [mail for game in games for mail in write(Path(folder), game)]
        # One language of each letter is enough for SpamAssassin, which takes a second for each.
        faults = spam([mail for mail in mails if mail.parent.name == "en"])
        faults += clients([mail.with_suffix(".html") for mail in mails])
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
