"""The manual's blocks can be pasted: commands exist, and nothing follows in a block what reads the terminal."""

from __future__ import annotations

import re

from tests.cli.test_every_command import ALL
from tests.deploy.blocks import blocks
from tests.test_house import HOME

PAGES = [HOME / "docs" / name for name in ("operating.md", "organisers.md", "deploy/README.md")]
BLOCKS = [block for page in PAGES for block in blocks(page)]
ASKS = re.compile(r"apt-get install|pbem setup")
"""What reads what is typed, so that a line pasted after it would be its answer."""
CALLED = re.compile(r"(?m)(?:^|-- |bin/|\bas_pbem |\brun --rm web )pbem ([a-z-]+(?: [a-z-]+)?)")


def test_the_pages_hold_blocks() -> None:
    """The walk finds what it is to walk over."""
    assert len(BLOCKS) > 20
    assert sum(bool(CALLED.search(block.text)) for block in BLOCKS) > 5


def test_nothing_follows_what_reads_the_terminal() -> None:
    """apt-get hands on what is typed to what it installs, and swallowed the lines pasted after it."""
    wrong = [block.name for block in BLOCKS for line in block.text.rstrip().splitlines()[:-1] if ASKS.search(line)]

    assert wrong == []


def test_every_command_called_exists() -> None:
    """A block calls no command that is gone."""
    called = {found for block in BLOCKS for found in CALLED.findall(block.text)}
    known = {name.removeprefix("pbem ") for name in ALL}

    assert {word for word in called if word not in known and word.split()[0] not in known} == set()
