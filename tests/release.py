"""Make a release in a clean clone: number and day, every test, wheel and source distribution, a game with it, the tag.

    python -m tests.release 1.1.0
    python -m tests.release 1.1.0 --dry-run --tests none

Refuses, naming what is missing: nothing told of under *Unreleased* in CHANGELOG.md, changes not committed, a branch
other than main, a tag that is there already, a number below the newest. Only once all has gone well do the commit and
the tag come into this checkout, and the two files into dist/; a dry run leaves nothing behind.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from packaging.version import Version

HOME = Path(__file__).parents[1]
VERSION = re.compile(r"\d+\.\d+\.\d+")
HEADING = "## Unreleased\n"
PROGRAM = "pbem/__init__.py"
TESTS = {"all": ("./test",), "quick": ("./test", "--quick"), "none": ()}


def run(where: Path, *words: str | Path) -> None:
    """Run a command in a folder, its words for all to see. Raises CalledProcessError if it fails."""
    subprocess.run(words, cwd=where, check=True)


def git(where: Path, *words: str) -> str:
    """What git says in a folder."""
    return subprocess.run(("git", *words), cwd=where, check=True, capture_output=True, text=True).stdout.strip()


def unreleased(changelog: str) -> str:
    """What is told of under *Unreleased*."""
    _, _, below = changelog.partition(HEADING)
    return below.partition("\n## ")[0].strip()


def faults(version: str, *, program: str, changelog: str, branch: str, changed: str, tags: set[str]) -> list[str]:
    """What stands in the way of releasing `version`, each a sentence that says what to do."""
    if not VERSION.fullmatch(version):
        return [f"{version!r} is no version: write it like 1.1.0."]
    found = []
    newest = max(map(Version, [program, *(tag[1:] for tag in tags if VERSION.fullmatch(tag[1:]))]))
    if Version(version) < newest:
        found.append(f"{version} is below {newest}, which this is already: choose a higher number.")
    if not unreleased(changelog):
        found.append("CHANGELOG.md says nothing under 'Unreleased': say what changed, in the players' words.")
    if changed:
        found.append("There are changes that are not committed: commit them, or take them away.")
    if branch != "main":
        found.append(f"This is the branch {branch}: releases are made of main.")
    if f"v{version}" in tags:
        found.append(f"The tag v{version} is there already: a release is never made twice.")
    return found


def write(folder: Path, version: str, day: str) -> None:
    """Give *Unreleased* its number and day, and the program its number; a checkout's own texts."""
    log, program = folder / "CHANGELOG.md", folder / PROGRAM
    text = log.read_text(encoding="utf-8")
    log.write_text(text.replace(HEADING, f"{HEADING}\n## {version} ({day})\n", 1), encoding="utf-8")
    text = re.sub(r'(?m)^__version__ = ".*"$', f'__version__ = "{version}"', program.read_text(encoding="utf-8"))
    program.write_text(text, encoding="utf-8")


def build(source: Path, out: Path) -> Path:
    """Build wheel and source distribution with the locked tools, into `out`; the wheel's path."""
    uv = (sys.executable, "-m", "uv", "build", "--quiet", "--no-build-isolation", "--python", sys.executable)
    run(source, *uv, "--offline", "--out-dir", out)
    (wheel,) = out.glob("*.whl")
    return wheel


def install(wheel: Path, venv: Path) -> Path:
    """Install a wheel into an empty environment: what it asks for, in the versions of the lock; where its programs are.

    uv has kept every package since the checkout was set up, so nothing is fetched.
    """
    uv = (sys.executable, "-m", "uv")
    run(HOME, *uv, "venv", "--quiet", "--python", sys.executable, venv)
    lock = ("--constraint", HOME / "requirements.lock")
    run(HOME, *uv, "pip", "install", "--quiet", "--python", venv / "bin/python", *lock, wheel)
    return venv / "bin"


def release(version: str, work: Path, *, tests: str, day: str) -> Path:
    """Make the release in a clone in `work`, tested, tagged and built; the clone."""
    clone = work / "pbem"
    run(work, "git", "clone", "--quiet", "--branch", git(HOME, "branch", "--show-current"), HOME, clone)
    for name in ("user.name", "user.email"):
        git(clone, "config", name, git(HOME, "log", "-1", f"--format=%{'an' if name == 'user.name' else 'ae'}"))
    write(clone, version, day)
    git(clone, "commit", "--quiet", "--all", "-m", f"Release {version}")
    if TESTS[tests]:
        run(clone, *TESTS[tests])
    programs = install(build(clone, clone / "dist"), work / "venv")
    said = subprocess.run((programs / "pbem", "--version"), check=True, capture_output=True, text=True).stdout
    assert version in said, said
    run(work, programs / "pbem", "demo", "--auto", "--game", "egizia", "--seats", "2", "--data", work / "demo")
    git(clone, "tag", "-a", f"v{version}", "-m", f"pbem {version}")
    return clone


def main() -> None:
    """Release the version named on the command line, or say what is missing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("version")
    parser.add_argument("--dry-run", action="store_true", help="do it all in the clone, and keep nothing of it")
    parser.add_argument("--tests", choices=TESTS, default="all", help="which tests the clone must pass")
    asked = parser.parse_args()
    if asked.tests != "all" and not asked.dry_run:
        parser.error("A release passes every test; --tests is for a dry run")
    standing = faults(
        asked.version,
        program=re.findall(r'__version__ = "(.*)"', (HOME / PROGRAM).read_text(encoding="utf-8"))[0],
        changelog=(HOME / "CHANGELOG.md").read_text(encoding="utf-8"),
        branch=git(HOME, "branch", "--show-current"),
        changed=git(HOME, "status", "--porcelain"),
        tags=set(git(HOME, "tag").split()),
    )
    if standing:
        sys.exit("\n".join(standing))
    with tempfile.TemporaryDirectory(prefix="pbem-release-") as folder:
        clone = release(asked.version, Path(folder), tests=asked.tests, day=f"{datetime.now(tz=UTC):%Y-%m-%d}")
        if not asked.dry_run:
            git(HOME, "pull", "--quiet", "--ff-only", str(clone), "main")
            git(HOME, "fetch", "--quiet", str(clone), f"refs/tags/v{asked.version}:refs/tags/v{asked.version}")
            shutil.copytree(clone / "dist", HOME / "dist", dirs_exist_ok=True)
    print(f"{asked.version} is ready: {'nothing was kept' if asked.dry_run else 'push main and the tag'}.")


if __name__ == "__main__":
    main()
