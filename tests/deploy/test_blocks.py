"""The manual's blocks can be pasted: commands exist, and nothing follows in a block what reads the terminal."""

from __future__ import annotations

import re

from pbem.engine.registry import rules_of
from tests.cli.test_every_command import ALL
from tests.deploy import paste
from tests.deploy.blocks import blocks
from tests.test_house import HOME

PAGES = [HOME / "docs" / name for name in ("operating.md", "organisers.md", "deploy/README.md")]
BLOCKS = [block for page in PAGES for block in blocks(page)]
ASKING = [name for name, found in ALL.items() if "yes" in {one.name for one in found.params}]
ASKS = re.compile("|".join(("apt-get install", "pbem setup", *(rf"{name}\\b(?!.*--yes)" for name in ASKING))))
"""What reads what is typed, so that a line pasted after it would be its answer."""
EXAMPLE = re.compile(r"game new (\w+)|^    [^,]+,(\w+),")
OPTION = re.compile(r"(?:--option |`|,)([a-z_]+)=([a-z_]+)(?=[`,])")
CALLED = re.compile(r"(?m)(?:^|-- |bin/|\bas_pbem |\brun --rm web )pbem ([a-z-]+(?: [a-z-]+)?)")


def test_the_pages_hold_blocks() -> None:
    """The walk finds what it is to walk over."""
    assert len(BLOCKS) > 20
    assert sum(bool(CALLED.search(block.text)) for block in BLOCKS) > 5


def test_nothing_follows_what_reads_the_terminal() -> None:
    """apt-get hands on what is typed to what it installs, and swallowed the lines pasted after it."""
    wrong = [block.name for block in BLOCKS for line in block.text.rstrip().splitlines()[:-1] if ASKS.search(line)]

    assert wrong == []


def test_every_block_is_pasted_or_says_why_not() -> None:
    """What is shown is what is tried: each block of the two pages is on a route, or named with a reason."""
    known = {f"{one.heading} {one.number}": one.name for one in BLOCKS if one.page in paste.PAGES}
    pasted = {name for route in paste.ROUTES.values() for name in (*route.to_a_club, *route.and_then)}

    assert len(known) == sum(one.page in paste.PAGES for one in BLOCKS)
    assert pasted <= set(known)
    assert {known[name] for name in set(known) - pasted} == set(paste.NOT_PASTED)


def test_every_option_explained_is_one_of_the_game_above_it() -> None:
    """A choice that the organisers' page names is one of the game in its last example, with a value that it has."""
    wrong, tried, options = [], 0, {}
    for line in (HOME / "docs/organisers.md").read_text(encoding="utf-8").splitlines():
        if named := EXAMPLE.search(line):
            game = rules_of(named[1] or named[2])
            options = {option.name: option.choices for option in game.meta.options}
        for name, value in OPTION.findall(line):
            tried += 1
            if value not in options.get(name, ()):
                wrong.append(line)

    assert wrong == []
    assert tried > 2


def test_every_command_called_exists() -> None:
    """A block calls no command that is gone."""
    called = {found for block in BLOCKS for found in CALLED.findall(block.text)}
    known = {name.removeprefix("pbem ") for name in ALL}

    assert {word for word in called if word not in known and word.split()[0] not in known} == set()
