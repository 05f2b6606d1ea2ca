"""Tests that share what they make share a process, in truth and not by a mark that nobody looks at."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from tests.schedule import APART, FIRST, HOUSE, POSITIONS, group, mixed, place
from tests.test_house import HOME

if TYPE_CHECKING:
    from pathlib import Path


def test_each_file_is_run_by_one_process(tmp_path: Path) -> None:
    """Of two files whose tests could be dealt out in turn, each process takes one."""
    for name in ("test_one", "test_other"):
        tests = (f"def test_{number}():\n    pass\n" for number in range(8))
        (tmp_path / f"{name}.py").write_text("\n".join(tests), encoding="utf-8")
    plugins = ("-p", "xdist.plugin", "-p", "tests.schedule", "-p", "no:cacheprovider", "-c", os.devnull)
    command = (sys.executable, "-m", "pytest", *plugins, "--rootdir", tmp_path, "-n", "2", "-v", tmp_path)
    environ = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(HOME), "PYTEST_ADDOPTS": ""}

    said = subprocess.run(command, cwd=tmp_path, env=environ, check=True, capture_output=True, text=True).stdout

    found = re.findall(r"\[(gw\d)\] .*PASSED (\w+)\.py::", said)
    assert len(found) == 16
    assert len(set(found)) == len({process for process, _ in found}) == 2


@pytest.mark.parametrize(
    ("test", "shared"),
    [
        ("tests/play/orders/test_refusals.py::test_x[en-egizia]", "tests/play/orders/test_refusals.py"),
        ("tests/browser/test_box.py::test_y", "tests/browser/test_box.py::test_y"),
        ("pbem/kit/contract/test_package.py::test_every_letter_can_be_written[amunre-en]", "contract of amunre"),
        ("pbem/kit/contract/test_forms.py::test_z[amunre]", "contract of amunre"),
        ("tests/faults/test_faults.py::test_fault[F1]", "tests/faults/test_faults.py"),
        ("tests/test_refusals.py::test_w", "house"),
        ("tests/test_unused.py::test_v", "house"),
        ("tests/bots/test_players.py::test_u[egizia]", "positions"),
        ("tests/inbound/test_doubts.py::test_t[egizia]", "positions"),
    ],
)
def test_a_test_goes_with_what_it_shares(test: str, shared: str) -> None:
    """Its file's, its game's, or nothing."""
    assert group(test) == shared


def test_faults_come_first() -> None:
    """All of them are on one stage, which mostly waits, so they are begun before anything else."""
    assert min(["tests/web/a", "tests/e2e/b", "tests/faults/c", "tests/kit/d"], key=place) == "tests/faults/c"


def test_those_in_a_browser_take_turns_with_others() -> None:
    """With whole groups, and none is left out where there are more of one sort than of the other."""
    ids = ("tests/e2e/a::x", "tests/browser/b::x", "tests/browser/b::y", "tests/browser/b::z", "tests/web/c::x")
    more = ("tests/web/c::y", "tests/web/d::x")
    items: list[Any] = [SimpleNamespace(nodeid=one) for one in (*ids, *more)]

    assert [one.nodeid for one in mixed(items)] == [*ids[:2], ids[4], more[0], ids[2], more[1], ids[3]]


def test_every_place_named_is_there() -> None:
    """A folder or file that was moved must be named anew."""
    assert [name for name in (*APART, *FIRST, *HOUSE, *POSITIONS) if not (HOME / name).exists()] == []
