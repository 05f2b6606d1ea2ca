"""The list of what pbem is built on is current, and none of it binds who runs or changes pbem."""

from __future__ import annotations

import pytest

from tests import licences


def test_the_page_is_current() -> None:
    """What is locked and installed gives docs/dependencies.md word for word: run `python -m tests.licences`."""
    assert licences.PAGE.read_text(encoding="utf-8") == licences.page()


def test_every_package_of_the_lock_stands_there() -> None:
    """Each that a server installs has its line; the tools that only set it up have none."""
    listed = {line.split(" | ")[0].removeprefix("| ") for line in licences.page().splitlines() if " | " in line}

    assert {"flask", "sqlalchemy", "celery", "msgspec", "psycopg", "nh3"} <= listed
    assert "hatchling" not in listed
    assert len(listed) > 50


@pytest.mark.parametrize(
    ("said", "good"),
    [
        ("MIT", True),
        ("MIT AND Apache-2.0", True),
        ("GPL-3.0-only OR MIT", True),
        ("(Apache-2.0 OR BSD-3-Clause) AND MIT", True),
        ("(Apache-2.0 OR BSD-3-Clause) AND GPL-3.0-only", False),
        ("GPL-3.0-only", False),
        ("MIT AND AGPL-3.0-only", False),
        ("Proprietary", False),
    ],
)
def test_a_licence_that_binds_is_refused(said: str, good: bool) -> None:  # noqa: FBT001 - a column of the table
    """One free offer is enough, and all parts of what holds together must be free; what isn't understood is refused."""
    assert licences.is_good(said) is good
