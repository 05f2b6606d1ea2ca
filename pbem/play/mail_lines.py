"""What a line of a player's mail looks like to a game: an order, perhaps mistyped, or talk with an order's words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pbem.engine.notation import fold, matches_grammar
from pbem.mail import reply
from pbem.play import orders

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pbem.engine.notation import GrammarRow

_LOOKS = 120
"""Characters of a line that may be a mistyped order."""
_NOTE = 4
"""Lines of a mail so short that it may be an order wrapped in words."""
_NOTE_LINE = 60
"""Characters of each of them."""


def wanted(rows: Sequence[GrammarRow], asked: str) -> Callable[[str], bool]:
    """What counts as an order line: the shape of any order, or a short line that begins like one asked for now."""
    verbs = {fold(row.example).partition(" ")[0] for row in rows if row.kind == asked}

    def is_wanted(line: str) -> bool:
        first = line.partition(";")[0]
        if len(line) > orders.KEPT:
            return False
        return matches_grammar(rows, first) or (len(line) <= _LOOKS and fold(first).partition(" ")[0] in verbs)

    return is_wanted


def resembles(text: str, rows: Sequence[GrammarRow], asked: str) -> bool:
    """Whether a mail without an order is a short note that holds the words of one, so that silence would mislead.

    `asked` is the kind of decision it answers, or empty. Thanks and gossip are never answered, nor is automatic mail
    that doesn't say what it is, which is longer.
    """
    lines = [fold(line) for line in reply.written(text) if line.strip()]
    if len(lines) > _NOTE or any(len(line) > _NOTE_LINE for line in lines):
        return False
    shapes = [row.pattern for row in rows if row.pattern and asked in {"", row.kind}]
    found = (
        match[0]
        for shape in (*shapes, "|".join(reply.LONE_WORDS))
        for line in lines
        for match in re.finditer(rf"\b(?:{shape})\b", line)
    )
    return any(len(words) > 1 and words[:2].isalpha() for words in found)  # a number or a letter alone is chance
