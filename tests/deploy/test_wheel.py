"""What a stranger installs: the wheel in an empty environment, away from any checkout."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest

import pbem
from pbem.clubs.members.demo_club import PLANS
from tests import release, servers
from tests.test_house import HOME

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the programs of the installed wheel are."""
    folder = tmp_path_factory.mktemp("wheel")
    found = release.install(release.build(HOME, folder / "dist"), folder / "venv")
    take_compiled(next(folder.glob("venv/lib/*/site-packages")))
    return found


def take_compiled(packages: Path) -> None:
    """Lay what our environment has compiled beside the same files in another, where Python compares them by itself.

    Compiling all that a server loads takes four seconds.
    """
    ours = Path(pytest.__file__).parents[1]
    for package in packages.iterdir():
        for compiled in (ours / package.name).rglob("__pycache__"):
            shutil.copytree(compiled, packages / compiled.relative_to(ours), dirs_exist_ok=True)


def said(programs: Path, folder: Path, *words: str) -> str:
    """What a command of the wheel prints, called in an empty folder."""
    env = {"PATH": f"{programs}:/usr/bin:/bin", "HOME": str(folder)}
    done = subprocess.run(("pbem", *words), cwd=folder, env=env, check=True, capture_output=True, text=True)
    return done.stdout


@contextmanager
def opened(programs: Path, folder: Path) -> Iterator[httpx.Client]:
    """`pbem demo` from the wheel, its club kept in `folder`; a browser at its pages. It leaves when it is asked to."""
    port, log = servers.free_port(), folder / "log"
    log.write_bytes(b"")
    command = (programs / "pbem", "demo", "--port", str(port), "--data", folder / "demo")
    with servers.running(*command, log=log, env={"PATH": os.environ["PATH"], "HOME": str(folder)}) as run:
        servers.comes_up(run, lambda: f"http://127.0.0.1:{port}/mailbox/\n".encode() in log.read_bytes(), log)
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=servers.PATIENCE, follow_redirects=True) as line:
            yield line
    assert run.returncode == 0


def linked(page: httpx.Client, path: str, pattern: str) -> list[str]:
    """The addresses on a page that look like this."""
    return re.findall(pattern, unescape(page.get(path).text))


def test_the_demo_opens(programs: Path, tmp_path: Path) -> None:
    """Pages with their style sheet, rules with their boards, and letters whose link opens a decision with its board.

    The mailbox has letters of all games that are under way, today and next time.
    """
    with opened(programs, tmp_path) as demo:
        assert demo.get("/readyz").json()["version"] == pbem.__version__
        (sheet, *_) = linked(demo, "/", r'rel="stylesheet" href="([^"]+)"')
        assert demo.get(sheet).headers["Content-Type"].startswith("text/css")
        (picture, *_) = linked(demo, "/rules/egizia", r'/rules/egizia/picture/[^"\s]+')
        assert demo.get(picture).content.startswith(b"\x89PNG")
        servers.until(lambda: has_all(demo), "letters, the first time", pause=servers.LOOK)
        assert "<svg" in decision(demo)
    with opened(programs, tmp_path) as demo:
        servers.until(lambda: has_all(demo), "letters, the second time", pause=servers.LOOK)


def has_all(demo: httpx.Client) -> bool:
    """Whether the mailbox has a letter of each game."""
    shown = demo.get("/mailbox/").text
    return all(plan.title in shown for plan in PLANS)


def decision(demo: httpx.Client) -> str:
    """The page of a decision that a letter asks for."""
    for letter in linked(demo, "/mailbox", r"/mailbox/\d+"):
        for link in linked(demo, letter, r"(/l/[\w.~-]{20,})"):
            page = demo.get(link)
            if page.url.path.endswith("/decide"):
                return page.text
    return ""


def test_commands_need_no_checkout(programs: Path, tmp_path: Path) -> None:
    """Units, settings and a whole game by bots, from what the wheel holds."""
    assert said(programs, tmp_path, "--version").strip().endswith(pbem.__version__)
    said(programs, tmp_path, "doctor", "--units", str(tmp_path / "units"))
    assert (tmp_path / "units/pbem-web.service").is_file()
    said(programs, tmp_path, "selfplay", "egizia", "--games", "1", "--record", str(tmp_path / "records"))
    (record,) = (tmp_path / "records").iterdir()
    assert "digest" in said(programs, tmp_path, "replay", str(record))
