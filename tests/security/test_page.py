"""docs/security.md promises nothing that no test shows."""

from __future__ import annotations

import re

from tests.test_house import HOME

PAGE = (HOME / "docs" / "security.md").read_text(encoding="utf-8")


def test_every_promise_names_tests_that_there_are() -> None:
    """Each line of the table names files, and each of them holds tests."""
    lines = [line for line in PAGE.splitlines() if line.startswith("| ") and "`" in line]

    assert len(lines) >= 18
    for line in lines:
        named = re.findall(r"`((?:tests|pbem)/[\w/]+\.py)(?:::(test_\w+))?`", line)
        assert named, line
        for name, test in named:
            assert f"def {test or 'test_'}" in (HOME / name).read_text(encoding="utf-8"), test


def test_every_test_of_this_folder_is_named_there() -> None:
    """What is shown here is promised there."""
    ours = {f"tests/security/{path.name}" for path in (HOME / "tests/security").glob("test_*.py")}

    assert ours - {name for name in ours if name in PAGE} == set()
