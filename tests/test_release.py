from __future__ import annotations

from typing import Any

import pytest

from tests.release import faults

READY: dict[str, Any] = {
    "program": "1.1.0",
    "changelog": "# What changed\n\n## 1.1.0\n\n- More.\n\n## 1.0.0\n\n- All.\n",
    "branch": "main",
    "changed": "",
    "tags": {"v1.0.0"},
}


def test_what_is_ready_is_released() -> None:
    """Nothing stands in the way of a version that is written, told of, committed and new."""
    assert faults("1.1.0", **READY) == []


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"program": "1.0.0"}, "__version__"),
        ({"changelog": "## 1.1.0\n\n## 1.0.0\n\n- All.\n"}, "CHANGELOG.md"),
        ({"changelog": "## 1.0.0\n\n- All.\n"}, "CHANGELOG.md"),
        ({"branch": "mine"}, "branch mine"),
        ({"changed": " M pbem/app.py"}, "not committed"),
        ({"tags": {"v1.1.0"}}, "never made twice"),
    ],
)
def test_what_is_missing_is_named(wrong: dict[str, Any], named: str) -> None:
    """One sentence for the one thing that is wrong."""
    (said,) = faults("1.1.0", **(READY | wrong))

    assert named in said
