"""The third door compared: each command has its page and call or a reason, each organiser's page a command."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from pbem.cli import main
from tests.test_house import HOME
from tests.web.play.test_twins import CALL, ROWS

if TYPE_CHECKING:
    from collections.abc import Iterator

MANUAL = (HOME / "docs/programs.md").read_text(encoding="utf-8")
TABLE, _, REST = (
    MANUAL.partition("## Every command, its page and its call")[2].partition("\n## ")[0].partition("Without")
)
COMMANDS = dict(re.findall(r"(?m)^\| `(pbem [^`]+)` \| (.+) \|$", TABLE))
"""By command, its page and its call."""
PAGE = re.compile(r"`(/[^`]*)`")
FOR_MANY = ("/club/", "/organise/", "/operator")
"""Pages of those who also sit at a terminal."""


def leaves(
    command: click.Command, words: tuple[str, ...], context: click.Context
) -> Iterator[tuple[str, click.Command]]:
    """Every command that does something, by its words."""
    if not isinstance(command, click.Group):
        yield " ".join(words), command
        return
    for name in command.list_commands(context):
        found = command.get_command(context, name)
        assert found is not None
        yield from leaves(found, (*words, name), click.Context(found, parent=context, info_name=name))


ALL = dict(leaves(main, ("pbem",), click.Context(main)))


def test_every_command_is_in_the_table() -> None:
    """No command is missing, and none that doesn't exist is there."""
    assert set(ALL) ^ set(COMMANDS) == set()


def test_what_stands_beside_a_command_exists() -> None:
    """Its page and its call are ones of the other table, or a reason is given."""
    calls = {call for row in ROWS.values() for call in CALL.findall(row)}
    for command, beside in COMMANDS.items():
        page, call = beside.split(" | ")
        assert set(PAGE.findall(page)) <= set(ROWS), command
        assert set(CALL.findall(call)) <= calls, command
        for part, found in ((page, PAGE.search(page)), (call, CALL.search(call))):
            assert found or re.match(r"none: .{9,}", part), command


def test_every_page_for_many_has_its_command() -> None:
    """A page of organisers or of the operator that no command does the same as is named with the reason."""
    pages = {page for page in ROWS if page.startswith(FOR_MANY)}
    done, without = set(PAGE.findall(" ".join(COMMANDS.values()))), set(PAGE.findall(REST))

    assert pages - done == without


def test_whatever_lists_or_shows_speaks_json() -> None:
    """Each command that lists or shows something has `--json`."""
    telling = {name: found for name, found in ALL.items() if re.match("(List|Show|Print the link) ", found.help or "")}

    assert len(telling) > 9
    assert [name for name, found in telling.items() if "as_json" not in {one.name for one in found.params}] == []
