"""The code blocks of a manual's page, as somebody copies them: by heading, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from pathlib import Path


class Block(NamedTuple):
    """One block, and what it is found by."""

    page: str
    heading: str
    number: int
    """From 1, under its heading."""
    text: str

    @property
    def name(self) -> str:
        """How a plan names it."""
        return f"{self.page}: {self.heading} {self.number}"


def blocks(page: Path) -> list[Block]:
    """Every code block of a page."""
    found: list[Block] = []
    heading, number = "", 0
    tokens = MarkdownIt().parse(page.read_text(encoding="utf-8"))
    for before, token in zip([None, *tokens], tokens, strict=False):
        if token.type == "inline" and before is not None and before.type == "heading_open":
            heading, number = token.content, 0
        elif token.type in {"code_block", "fence"}:
            number += 1
            found.append(Block(page.name, heading, number, token.content))
    return found
