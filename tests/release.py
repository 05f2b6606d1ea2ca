"""Make a release: checks that all is ready, tags it, and builds the wheel and the source distribution into dist/.

    python -m tests.release 1.1.0

Refuses, naming what is missing: another version in pbem/__init__.py, no entry in CHANGELOG.md, changes not committed,
a branch other than main, a tag that is there already. `--build` builds without tagging.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from pathlib import Path

import pbem

HOME = Path(__file__).parents[1]
VERSION = re.compile(r"\d+\.\d+\.\d+")


def _git(*words: str) -> str:
    return subprocess.run(("git", *words), cwd=HOME, check=True, capture_output=True, text=True).stdout.strip()


def faults(version: str, *, program: str, changelog: str, branch: str, changed: str, tags: set[str]) -> list[str]:
    """What stands in the way of releasing `version`, each a sentence that says what to do."""
    found = []
    if not VERSION.fullmatch(version):
        found.append(f"{version!r} is no version: write it like 1.1.0.")
    if program != version:
        found.append(f"pbem/__init__.py says {program}: set __version__ to {version}, and commit it.")
    entry = re.search(rf"(?ms)^## {re.escape(version)}\b[^\n]*\n(.*?)(?=^## |\Z)", changelog)
    if entry is None or not entry[1].strip():
        found.append(f"CHANGELOG.md has no entry '## {version}': say what changed, in the players' words.")
    if changed:
        found.append("There are changes that are not committed.")
    if branch != "main":
        found.append(f"This is the branch {branch}: releases are made of main.")
    if f"v{version}" in tags:
        found.append(f"The tag v{version} is there already: a release is never made twice.")
    return found


def build() -> None:
    """Build the wheel and the source distribution with the locked tools."""
    subprocess.run((sys.executable, "-m", "uv", "build", "--no-build-isolation", "--offline"), cwd=HOME, check=True)


def main() -> None:
    """Release the version named on the command line, or say what is missing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("version")
    parser.add_argument("--build", action="store_true", help="build only")
    wanted = parser.parse_args()
    found = faults(
        wanted.version,
        program=pbem.__version__,
        changelog=(HOME / "CHANGELOG.md").read_text(encoding="utf-8"),
        branch=_git("branch", "--show-current"),
        changed=_git("status", "--porcelain"),
        tags=set(_git("tag").split()),
    )
    if found and not wanted.build:
        sys.exit("\n".join(found))
    build()
    if not wanted.build:
        _git("tag", "-a", f"v{wanted.version}", "-m", f"pbem {wanted.version}")


if __name__ == "__main__":
    main()
