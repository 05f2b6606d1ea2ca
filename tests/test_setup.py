"""`./demo` and `./test` before anything is installed: what is missing is said in one sentence."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.servers import workshop
from tests.test_house import HOME

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FILES = (".setup.sh", "requirements.lock", "requirements-test.lock", "pyproject.toml", "demo", "test")


@pytest.fixture
def clone() -> Iterator[Path]:
    """A folder with the set-up files and nothing else, which others may look into."""
    with workshop() as folder:
        folder.chmod(0o755)
        for name in FILES:
            shutil.copy(HOME / name, folder / name)
            (folder / name).chmod(0o755)  # whatever the umask was when the project was cloned
        yield folder


def call(clone: Path, *before: str, **environ: str) -> tuple[int, str]:
    """The exit code and the error channel of `./demo` in the clone."""
    done = subprocess.run(
        [*before, "./demo"],
        cwd=clone,
        env={"PATH": os.environ["PATH"], "HOME": str(clone), **environ},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == ""
    return done.returncode, done.stderr


def fake_python(clone: Path, script: str) -> str:
    """A program that answers the set-up's questions as `script` says."""
    path = clone / "python"
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="ascii")
    path.chmod(0o755)
    return str(path)


def test_without_python(clone: Path) -> None:
    """No Python at all: the sentence names the packages that bring it."""
    code, said = call(clone, PYTHON="python-of-nobody")

    assert code == 1
    assert said == (
        "pbem needs Python 3.11 or newer and found no 'python-of-nobody': install it with "
        "'apt-get install python3 python3-venv', or name one with PYTHON=/path/to/python.\n"
    )


def test_python_is_too_old(clone: Path) -> None:
    """An old Python: the sentence names its version and the one that is needed."""
    old = fake_python(clone, 'case "$2" in *exit*) exit 1;; *) echo 3.9.2;; esac')

    code, said = call(clone, PYTHON=old)

    assert code == 1
    assert said == (
        f"pbem needs Python 3.11 or newer, '{old}' is 3.9.2: install a newer one, or name one with "
        "PYTHON=/path/to/python.\n"
    )


def test_venv_is_missing(clone: Path) -> None:
    """Debian's Python without its venv package: the sentence names the package."""
    bare = fake_python(clone, 'case "$2" in *ensurepip*) exit 1;; *) exit 0;; esac')

    code, said = call(clone, PYTHON=bare)

    assert code == 1
    assert said == (
        "Python's venv module is missing: install it with 'apt-get install python3-venv', then start again.\n"
    )


def test_folder_is_not_ours(clone: Path) -> None:
    """A folder that may not be written: the sentence names it and what to do."""
    fine = fake_python(clone, "exit 0")
    clone.chmod(0o555)
    before = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups") if os.geteuid() == 0 else ()

    code, said = call(clone, *before, PYTHON=fine)
    clone.chmod(0o755)

    assert code == 1
    assert said == (
        f"pbem may not write in {clone}: clone it into a folder of yours, or mend that folder's owner with 'chown'.\n"
    )


@pytest.mark.parametrize(
    ("answer", "environ", "taken"),
    [
        ("exit 0", {}, "debians"),
        ("exit 1", {}, "python3"),
        ("exit 0", {"PYTHON": "python3.11"}, "python3.11"),
    ],
)
def test_which_python(clone: Path, answer: str, environ: dict[str, str], taken: str) -> None:
    """Debian's own Python where it will do, else the first in the path; whichever is named comes before both."""
    debians = fake_python(clone, answer)
    setup = (clone / ".setup.sh").read_text(encoding="utf-8").replace("=/usr/bin/python3\n", f"={debians}\n")

    done = subprocess.run(
        ["sh", "-euc", f'{setup}\nprintf %s "$python"'],
        env={"PATH": os.environ["PATH"], **environ},
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout == (debians if taken == "debians" else taken)


@pytest.mark.parametrize("script", ["demo", "test", ".ci/run"])
def test_scripts_can_be_run(script: str) -> None:
    """The commands of the README are plain sh and have their run bits."""
    path = HOME / script

    assert os.access(path, os.X_OK)
    assert path.read_text(encoding="utf-8").startswith("#!/bin/sh\n")
    subprocess.run(["sh", "-n", path], check=True)
