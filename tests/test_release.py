"""What a release refuses, and what it writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests import release

READY: dict[str, Any] = {
    "program": "1.0.0",
    "changelog": "# What changed\n\n## Unreleased\n\n- More.\n\n## 1.0.0 (2026-11-22)\n\n- All.\n",
    "branch": "main",
    "changed": "",
    "tags": {"v1.0.0"},
}


def test_what_is_ready_is_released() -> None:
    """Nothing stands in the way of a number that is new, told of, and committed; the first one is the program's own."""
    assert release.faults("1.1.0", **READY) == []
    assert release.faults("1.0.0", **(READY | {"tags": set()})) == []


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"version": "1.1"}, "no version"),
        ({"program": "1.2.0"}, "below 1.2.0"),
        ({"tags": {"v1.2.0"}}, "below 1.2.0"),
        ({"changelog": "## Unreleased\n\n## 1.0.0\n\n- All.\n"}, "CHANGELOG.md"),
        ({"changelog": "## 1.0.0\n\n- All.\n"}, "CHANGELOG.md"),
        ({"branch": "mine"}, "branch mine"),
        ({"changed": " M pbem/app.py"}, "not committed"),
        ({"tags": {"v1.1.0"}}, "never made twice"),
    ],
)
def test_what_is_missing_is_named(wrong: dict[str, Any], named: str) -> None:
    """One sentence for the one thing that is wrong."""
    (said,) = release.faults(**({"version": "1.1.0"} | READY | wrong))

    assert named in said


def test_number_and_day_are_written(tmp_path: Path) -> None:
    """What was unreleased stands under its number; the next entries have their place above; the program says it too."""
    (tmp_path / "pbem").mkdir()
    (tmp_path / "pbem/__init__.py").write_text('"""Games."""\n\n__version__ = "1.0.0"\n', encoding="utf-8")
    (tmp_path / "CHANGELOG.md").write_text(READY["changelog"], encoding="utf-8")

    release.write(tmp_path, "1.1.0", "2027-01-02")

    assert (tmp_path / "pbem/__init__.py").read_text(encoding="utf-8").endswith('__version__ = "1.1.0"\n')
    said = (tmp_path / "CHANGELOG.md").read_text(encoding="utf-8")
    assert "## Unreleased\n\n## 1.1.0 (2027-01-02)\n\n- More.\n\n## 1.0.0" in said
    assert release.unreleased(said) == ""
