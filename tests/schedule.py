"""Which tests share a process: what a file makes once is made by one of them, not by each.

By name, since xdist's own groups (`--dist loadgroup`) are passed over in silence by the pytest that is used here.
"""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]  # as said below

BROWSER = "tests/browser/"
FIRST = (
    *("tests/faults/", "tests/kit/", "tests/e2e/", "tests/flow/", BROWSER, "tests/test_servers.py"),
    *("tests/store/test_migrations.py", "tests/security/test_buttons.py", "tests/mail/test_cost.py", "tests/security/"),
    *("pbem/kit/", "tests/deploy/", "tests/bots/test_tempo.py", "tests/web/test_api.py"),
)
"""Where the longest tests are, the longest first: begun last, they would keep one process after all others."""
APART = (
    *(BROWSER, "tests/flow/", "tests/bots/"),
    *("tests/store/test_migrations.py", "tests/mail/test_cost.py", "tests/test_servers.py"),
)
"""Files of tests that each take long and share nothing they make: any process may take one at any time."""
HOUSE = tuple(f"tests/test_{name}.py" for name in ("house", "refusals", "structure", "unused", "verdicts"))
"""Files of tests that read every module of the project, each parsed once for all of them."""

POSITIONS = (
    *("tests/bots/test_chosen.py", "tests/bots/test_players.py", "tests/engine/test_mutated_orders.py"),
    *("tests/engine/text/test_standing_orders.py", "tests/web/play/test_decision_form.py"),
    *(f"tests/inbound/test_{name}.py" for name in ("bodies", "doubts", "second_thoughts")),
)
"""Files of tests that look through the positions of all of the contract's games, each played once for all of them."""


def group(test: str) -> str:
    """What the tests that share a process with `test`, an id of pytest's, have in common.

    Its file; those that read the whole project, or all positions; of the contract its game, whose fifty games are
    played once.
    """
    file, _, name = test.partition("::")
    if file.startswith("pbem/kit/"):
        return re.sub(r".*\[(\w+).*", r"contract of \1", name)
    if file in HOUSE:
        return "house"
    if file in POSITIONS:
        return "positions"
    return test if file.startswith(APART) else file


class Schedule(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
    """Gives a process one group at a time, in the order in which they were collected."""

    def _split_scope(self, nodeid: str) -> str:
        return group(nodeid)

    def schedule(self) -> None:
        """Begin, without the largest group first: it isn't the one that takes longest."""
        self.config.option.loadscopereorder = False
        super().schedule()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Schedule:
    """Share tests out by group."""
    return Schedule(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with the longest tests, where several processes share them."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: place(item.nodeid))
        items[:] = mixed(items)


def mixed(items: list[pytest.Item]) -> list[pytest.Item]:
    """The tests in this order, those in a browser in turn with groups of others.

    A browser waits for servers and letters half of the time: side by side these tests kept one processor of two.
    """
    before, browser, after = list[pytest.Item](), list[pytest.Item](), dict[str, list[pytest.Item]]()
    for item in items:
        if item.nodeid.startswith(BROWSER):
            browser.append(item)
        elif not browser:
            before.append(item)
        else:
            after.setdefault(group(item.nodeid), []).append(item)
    turns = zip_longest(([one] for one in browser), after.values(), fillvalue=list[pytest.Item]())
    return [*before, *(item for turn in turns for some in turn for item in some)]


def place(test: str) -> list[bool]:
    """What tests are sorted by: whether they lie elsewhere than in each of the places that come first."""
    return [not test.startswith(room) for room in FIRST]
