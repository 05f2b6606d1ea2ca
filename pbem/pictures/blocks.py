"""A board in blocks, each drawn by itself: one below the other in a letter, in one column or two on a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.pictures.elements import drawing, truncated, words
from pbem.structs import Value

WIDTH = 600
"""Units of a whole block; two blocks of `HALF` stand side by side where there is room for one whole one."""
HALF = 300
_HEAD = 48


class Block(Value):
    """One part of a board."""

    name: str
    size: tuple[int, float]
    """Width, `WIDTH` or `HALF`, and height."""
    drawn: str
    column: int = 1
    """Where it stands on a broad page, in the first column or the second."""
    title: str = ""
    """Its name for who can't see it, drawn by itself; empty for the part that the whole board's name is for."""
    links: str = ""
    """The numbers of its rings, above everything: all of it that can be followed."""

    @property
    def inside(self) -> str:
        """All that is drawn."""
        return self.drawn + self.links


class Sheet(Value):
    """A whole board."""

    game: str
    title: str
    """Its name for who can't see it."""
    heading: str
    """Where the game stands; a page says so above the board."""
    blocks: tuple[Block, ...]
    defs: str = ""

    @property
    def links(self) -> str:
        """The numbers of all rings."""
        return "".join(block.links for block in self.blocks)


class Part(Value):
    """A block as a drawing of its own."""

    name: str
    half: bool
    """Whether two of its kind stand side by side on a phone."""
    svg: str

    def __html__(self) -> str:
        """The drawing, as a template puts it in: every word was escaped when it was drawn."""
        return self.svg


class Column(Value):
    """The parts that stand below each other on a broad page."""

    half: bool
    """Whether it is as narrow as its parts, which are all halves."""
    parts: tuple[Part, ...]


def composed(sheet: Sheet) -> str:
    """The board as one drawing, `WIDTH` broad, its heading above: for letters, and wherever a file holds one board."""
    head = words(10, 33, truncated(sheet.heading, WIDTH - 20, 25), 25, weight=600, serif=True)
    parts, foot = [head], float(_HEAD)
    for block, x, y in _placed(sheet.blocks):
        parts.append(f'<g transform="translate({x:g} {_HEAD + y:g})">{block.inside}</g>')
        foot = max(foot, _HEAD + y + block.size[1])
    return drawing(sheet.game, (WIDTH, foot), sheet.title, parts, sheet.defs, followed=bool(sheet.links))


def gathered(game: str, title: str, blocks: Sequence[Block]) -> str:
    """Return all of them in one file that shows none by itself: a page uses each by its name, `file.svg#NAME`."""
    inside = "".join(f'<g id="{block.name}">{block.inside}</g>' for block in blocks)
    return drawing(game, (WIDTH, 0), title, (), inside)


def _placed(blocks: Sequence[Block]) -> Iterator[tuple[Block, float, float]]:
    """Yield each block with its left and top, row by row."""
    x, y, high = 0.0, 0.0, 0.0
    for block in blocks:
        if x + block.size[0] > WIDTH:
            x, y, high = 0.0, y + high, 0.0
        yield block, x, y
        x, high = x + block.size[0], max(high, block.size[1])


def columns(sheet: Sheet) -> tuple[Column, ...]:
    """Return the board as drawings of its parts, which a page lays out by the room it has."""
    found = []
    for number in sorted({block.column for block in sheet.blocks}):
        blocks = [block for block in sheet.blocks if block.column == number]
        parts = tuple(
            Part(block.name, block.size[0] == HALF, _alone(sheet, block, first=block is sheet.blocks[0]))
            for block in blocks
        )
        found.append(Column(all(part.half for part in parts), parts))
    return tuple(found)


def _alone(sheet: Sheet, block: Block, *, first: bool) -> str:
    """One block's drawing; what several need is defined in the first."""
    defs, title = sheet.defs if first else "", block.title or sheet.title
    name, followed = f"{sheet.game}-{block.name}", bool(block.links)
    return drawing(name, block.size, title, (block.drawn, block.links), defs, paper=False, followed=followed)
