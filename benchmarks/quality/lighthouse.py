"""Lighthouse on the pages that players live on, at phone size, against a demo on this machine.

    python -m benchmarks.quality.lighthouse [--game amunre]

Needs Debian's chromium. Bars: performance, accessibility and best practices of at least 0.95 each, and less than
100 kB over the wire before a decision page is painted, the board's drawing left out.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import httpx

from benchmarks.quality import node
from pbem.clubs.members.demo_club import PLANS
from tests.browser.screenshots import decisions
from tests.e2e.stack import pbem
from tests.servers import until

SCORE = 0.95
BYTES = 100_000
JUDGED = ("performance", "accessibility", "best-practices")
CHROME = (
    "--headless=new --no-sandbox --disable-gpu --disable-background-networking --disable-component-update "
    "--disable-sync --disable-default-apps --no-first-run --no-pings"
)


class Pages(NamedTuple):
    """What one letter's link opens."""

    addresses: dict[str, str]
    cookie: str
    drawing: int
    """Bytes of the board's drawings inside the decision page: it comes in parts."""


def pages(link: str) -> Pages:
    """The pages that the link of a letter leads to."""
    with httpx.Client(follow_redirects=True, timeout=60) as browser:
        decision = browser.get(link)
        cookie = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
        game = str(decision.url.copy_with(query=None)).removesuffix("/decide")
        spectators = re.search(r'href="(/games/[^"/]+)"', browser.get(game).text)
    board = re.search(r'<figure class="board.*?</figure>', decision.text, re.DOTALL)
    assert spectators is not None, game
    assert board is not None, game
    drawing = sum(len(part.encode()) for part in re.findall(r"<svg.*?</svg>", board[0], re.DOTALL))
    home = str(decision.url.join("/")).removesuffix("/")
    addresses = {
        "queue": f"{home}/queue",
        "decision": str(decision.url),
        "game": game,
        "spectators": home + spectators[1],
    }
    return Pages(addresses, cookie, drawing)


def judge(address: str, cookie: str) -> dict[str, Any]:
    """Lighthouse's report on one page, as it sees it with a slow phone on a slow line."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        done = node(
            "node_modules/lighthouse/cli/index.js",
            address,
            "--quiet",
            f"--only-categories={','.join(JUDGED)}",
            f"--chrome-flags={CHROME}",
            f"--extra-headers={json.dumps({'Cookie': cookie})}",
            "--output=json",
            f"--output-path={report}",
            env={**os.environ, "CHROME_PATH": "/usr/bin/chromium"},
            stderr=subprocess.PIPE,
            text=True,
        )
        assert report.exists(), done.stderr
        found: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    assert "runtimeError" not in found, found["runtimeError"]
    assert found["finalDisplayedUrl"] == address, f"{address} led to {found['finalDisplayedUrl']}"
    return found


def carried(report: dict[str, Any]) -> int:
    """Bytes that came over the wire for the whole page: its HTML isn't compressed, styles and scripts are."""
    requests = report["audits"]["network-requests"]["details"]["items"]
    return sum(int(one["transferSize"]) for one in requests)


def shortcomings(report: dict[str, Any]) -> list[str]:
    """What Lighthouse would have better, of what counts."""
    counted = {ref["id"] for one in JUDGED for ref in report["categories"][one]["auditRefs"] if ref["weight"]}
    return [
        f"{one['title']} ({one['score']}) {one.get('displayValue', '')}"
        for name, one in report["audits"].items()
        if name in counted and one["score"] is not None and one["score"] < 1
    ]


def faults(name: str, report: dict[str, Any], drawing: int) -> int:
    """Print what was found on one page; how many bars it misses."""
    scores = {one: float(report["categories"][one]["score"]) for one in JUDGED}
    size = carried(report)
    told = ", ".join(f"{one} {score:.2f}" for one, score in scores.items()) + f", {size / 1000:.1f} kB"
    missed = sum(score < SCORE for score in scores.values())
    if name == "decision":
        missed += size - drawing >= BYTES
        told += f", {(size - drawing) / 1000:.1f} kB without the drawing"
    print(f"  {name:10} {told}{'  MISSED' if missed else ''}", flush=True)
    for line in shortcomings(report) if missed else ():
        print(f"    {line}")
    return missed


def main() -> None:
    """Judge the pages of each game; leave with 1 if any misses a bar."""
    parser = argparse.ArgumentParser(description="Lighthouse on the demo's pages.")
    parser.add_argument("--game", action="append")
    chosen = parser.parse_args().game
    missed = 0
    with tempfile.TemporaryDirectory() as data, pbem(Path(data), "demo", "--port", "0", "--data", data) as (_, mailbox):
        until(lambda: len(decisions(mailbox)) == len(PLANS), "a letter of each game", 90)
        for game, (_, link) in decisions(mailbox).items():
            if chosen and game not in chosen:
                continue
            print(f"{game}:", flush=True)
            found = pages(link)
            for name, address in found.addresses.items():
                missed += faults(name, judge(address, found.cookie), found.drawing)
    sys.exit(bool(missed))


if __name__ == "__main__":
    main()
