"""What a line of a player's mail looks like to a game: an order, perhaps mistyped, or talk with an order's words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from pbem.engine.text.notation import GrammarRow, fold, matches_grammar, mistyped
from pbem.engine.text.spelling import mended, wrapped
from pbem.engine.text.standing_text import without_else
from pbem.mail import reply
from pbem.mail.reply import Reading
from pbem.messages import LANGUAGES, Translator
from pbem.play.orders import interpretation

_LOOKS = 120
"""Characters of a line that may be a mistyped order."""
_NOTE = 4
"""Lines of a mail so short that it may be an order wrapped in words."""
_NOTE_LINE = 60
"""Characters of each of them."""
_LEADS_ON = frozenset(
    ["to", "on", "at", "in", "a", "ad", "al", "alla", "in", "su", "sul", "sulla", "vers", "au", "aux", "sur", "dans"]
)
"""What no order ends with, since something follows it: `ship to` is none."""
_SAYS = 4
"""Words of a line that is more than a greeting or a name."""


def wanted(rows: Sequence[GrammarRow], asked: str) -> Callable[[str], bool]:
    """What counts as an order line: the shape of any order, or a short line that begins like one asked for now."""
    verbs = {fold(row.example).partition(" ")[0] for row in rows if row.kind == asked}

    def is_wanted(line: str) -> bool:
        first = without_else(line.partition(";")[0])
        if len(line) > interpretation.KEPT:
            return False
        return matches_grammar(rows, first, asked) or (len(line) <= _LOOKS and fold(first).partition(" ")[0] in verbs)

    return is_wanted


def nearly(rows: Sequence[GrammarRow], asked: str, game: str = "") -> Callable[[str], bool]:
    """What counts as a mistyped order, where a mail has no other: a short line that a slip keeps from being one.

    With the `game`, also one that begins as an order asked for does in any of our languages.
    """
    own = tuple(row for row in rows if row.kind == asked)
    written = [Translator(language, game=game).order(row.example) for language in LANGUAGES for row in own]
    verbs = {fold(example).partition(" ")[0] for example in written}

    def is_nearly(line: str) -> bool:
        first = line.partition(";")[0]
        begins = fold(first).partition(" ")[0] in verbs
        return len(line) <= _NOTE_LINE and (begins or bool(mended(tuple(rows), first, own, asked)))

    return is_nearly


def read(text: str, rows: Sequence[GrammarRow], asked: str, game: str) -> Reading:
    """The orders and commands of a mail that answers a decision of kind `asked`; mistyped ones if it has no other."""
    return reply.read(text, wanted(rows, asked)) or reply.read(text, nearly(rows, asked, game))


def command_meant(text: str) -> tuple[str, str] | None:
    """Return a mail's only line that is nearly a command, and the command."""
    lines = _note(text)
    if len(lines) != 1:
        return None  # below other words a name is likelier than a slip
    word, colon, rest = lines[0].partition(":")
    meant = mistyped(fold(word), reply.TEXT_WORDS if colon else reply.LONE_WORDS)
    if meant is None or abs(len(meant) - len(fold(word))) > 1:
        return None
    return lines[0], f"{meant}{colon}{rest}"


def asides(lines: Sequence[str]) -> bool:
    """Return whether lines beside the orders say or ask something, more than a greeting does."""
    return any("?" in line or len(line.split()) >= _SAYS for line in lines)


def resembles(text: str, rows: Sequence[GrammarRow], asked: str) -> bool:
    """Whether a mail without an order is a short note that holds the words of one, so that silence would mislead.

    `asked` is the kind of decision it answers, or empty. Thanks and gossip are never answered, nor is automatic mail
    that doesn't say what it is, which is longer.
    """
    lines = [fold(line) for line in _note(text)]
    shapes = [row.pattern for row in rows if row.pattern and asked in {"", row.kind}]
    found = (
        match[0]
        for shape in (*shapes, "|".join(reply.LONE_WORDS))
        for line in lines
        for match in re.finditer(rf"\b(?:{shape})\b", line)
    )
    return any(len(words) > 1 and words[:2].isalpha() for words in found)  # a number or a letter alone is chance


def wrapped_order(text: str, rows: Sequence[GrammarRow], asked: str) -> tuple[str, str] | None:
    """Return the line of a short note that holds an order in a polite sentence, and that order; None if none does."""
    found = ((line, part) for line in _note(text) for part in wrapped(tuple(rows), line.strip(), asked))
    return next(((line, part) for line, part in found if fold(part).rpartition(" ")[2] not in _LEADS_ON), None)


def _note(text: str) -> list[str]:
    """Return the sender's own lines, if they are so few and short that one may be an order wrapped in words."""
    lines = [line for line in reply.written(text) if line.strip()]
    return lines if len(lines) <= _NOTE and all(len(line) <= _NOTE_LINE for line in lines) else []
