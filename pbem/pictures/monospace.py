"""A board as text: monospace lines that fit a letter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

COLUMNS = 72


def page(lines: Iterable[str], indent: int = 6) -> str:
    """Return the lines as one text, each broken at spaces where it is too long and going on `indent` spaces in."""
    fitting = (line if len(line) <= COLUMNS else "\n".join(_folded(line, " " * indent)) for line in lines)
    return "\n".join(fitting) + "\n"


def _folded(line: str, indent: str) -> Iterator[str]:
    while len(line) > COLUMNS:
        at = line.rfind(" ", 0, COLUMNS + 1)
        at = at if at > len(line) - len(line.lstrip()) else COLUMNS
        yield line[:at].rstrip()
        line = indent + line[at:].lstrip()
    yield line
