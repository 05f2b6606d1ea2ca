"""A club on SQLite whose disk is full: whoever watches is told, nothing is half stored, and all goes on with room."""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress
from typing import TYPE_CHECKING

import httpx
import pytest

from tests.e2e.stack import pbem
from tests.servers import LOOK, PATIENCE, until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder on a disk of 60 MB of its own."""
    disk = tmp_path / "disk"
    disk.mkdir()
    subprocess.run(("mount", "-t", "tmpfs", "-o", "size=60m", "tmpfs", disk), check=True)
    try:
        yield disk
    finally:
        subprocess.run(("umount", "-l", disk), check=True)


@pytest.mark.needs_root
def test_readyz_tells_of_a_disk_that_fills_up(small_disk: Path) -> None:
    """Scarce is said and is no fault; full is a 503, while pages still open; with room again the sweeps go on."""
    with pbem(small_disk / "club", "serve", "--port", "0") as (_, line):
        url = line.rpartition(" ")[2]

        def ready() -> tuple[int, str]:
            found = httpx.get(f"{url}/readyz", timeout=PATIENCE)
            return found.status_code, found.json()["disk"]

        assert ready() == (200, "scarce")
        with (small_disk / "filler").open("wb") as filler, suppress(OSError):
            while True:
                os.write(filler.fileno(), b"x" * 65_536)
        assert ready() == (503, "full")
        assert httpx.get(url, timeout=PATIENCE).status_code == 200
        (small_disk / "filler").unlink()
        until(lambda: ready() == (200, "scarce"), "the server is ready again", pause=LOOK)
        swept = f"{url}/readyz"
        until(
            lambda: httpx.get(swept, timeout=PATIENCE).json()["last_sweep_s"] is not None,
            "a sweep is written",
            pause=LOOK,
        )
