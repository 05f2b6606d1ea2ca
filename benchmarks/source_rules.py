"""Our own rules of what no line may do (tests/security/rules.yml), held against the program by semgrep.

    python -m benchmarks.source_rules

First each rule is shown a line that breaks it, so that a rule that finds nothing is known to work. Leaves with 1 on a
finding, or if a rule overlooks its line. Bandit's rules are ruff's S, which ./test runs.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HOME = Path(__file__).parents[1]
RULES = HOME / "tests" / "security" / "rules.yml"
SEMGREP = "semgrep==1.182.0"
"""In a place of its own, as its requirements don't agree with ours; uv fetches it at the first run."""
PROGRAM = ("pbem", "templates", "worker.py")
SLOPPY = {
    "sql-is-never-put-together": ("a.py", "session.execute(f\"DELETE FROM games WHERE slug = '{slug}'\")\n"),
    "markup-is-made-where-words-are-escaped": ("b.py", "import markupsafe\nx = markupsafe.Markup(player.name)\n"),
    "one-door-out": ("c.py", "import httpx\nhttpx.get(player.homepage)\n"),
    "secrets-stay-out-of-log-lines": ("d.py", "log.info('sent', to=player.address)\n"),
    "log-lines-are-not-put-together": ("e.py", "log.info(f'sent to {player}')\n"),
    "forms-carry-their-mark": ("f.py", "@csrf.exempt\ndef act():\n    return 1\n"),
    "secrets-are-compared-in-constant-time": ("g.py", "if request.token == row.token:\n    pass\n"),
    "get-changes-nothing": ("h.py", "@blueprint.get('/x')\ndef x():\n    db.session.commit()\n    return 1\n"),
    "templates-escape": ("templates/i.html", "<p>{{ player.name|safe }}</p>\n"),
}
"""For each rule a file's name and a text that breaks it."""


def findings(where: Path, *what: str) -> list[dict[str, Any]]:
    """What the rules find in files and folders below `where`."""
    program = [str(Path(sys.executable).with_name("uv")), "tool", "run", "--quiet", "--from", SEMGREP, "semgrep"]
    quiet = ["--metrics", "off", "--disable-version-check", "--quiet", "--no-git-ignore", "--json"]
    found = subprocess.run(
        [*program, "scan", *quiet, "--config", str(RULES), *what],
        cwd=where,
        stdout=subprocess.PIPE,
        check=True,
    )
    told = json.loads(found.stdout)
    if told["errors"]:
        raise SystemExit(f"semgrep could not read everything: {told['errors'][:3]}")
    results: list[dict[str, Any]] = told["results"]
    return results


def overlooked() -> set[str]:
    """Rules that don't see the line which breaks them."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in SLOPPY.values():
            path = Path(folder) / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        seen = {found["check_id"].rpartition(".")[2] for found in findings(Path(folder), ".")}
    return set(SLOPPY) - seen


def main() -> None:
    """Print what is found; leave with 1 if anything is."""
    blind = overlooked()
    if blind:
        raise SystemExit(f"Rules that overlook their own example: {', '.join(sorted(blind))}")
    found = findings(HOME, *PROGRAM)
    for one in found:
        print(f"{one['path']}:{one['start']['line']}: {one['check_id'].rpartition('.')[2]}: {one['extra']['message']}")
    print(f"{len(SLOPPY)} rules, each shown to bite; {len(found)} findings in {', '.join(PROGRAM)}")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
