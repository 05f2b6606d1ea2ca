"""Orders as the reader's language writes them: what letters and pages show is what their reader may answer with."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

from pbem.engine.registry import rules_of
from pbem.messages import LANGUAGES

if TYPE_CHECKING:
    from pbem.messages import Translator


def spoken(order: str, say: Translator) -> str:
    """Canonical order text of the game that is spoken of, in the reader's language; `read` makes the same of both.

    A game without words of its own for other languages shows its canonical text.
    """
    if say.language == LANGUAGES[0] or not say.game:
        return order
    meta = rules_of(say.game).meta
    words = meta.order_words
    if not words:
        return order
    column = LANGUAGES.index(say.language) - 1

    def said(found: re.Match[str]) -> str:
        return words[found[0]][column] if found[0] in words else say.thing(found[0])

    return _phrases((*words, *meta.order_things)).sub(said, order)


@functools.cache
def _phrases(phrases: tuple[str, ...]) -> re.Pattern[str]:
    """Any of the phrases as whole words, the longest first."""
    return re.compile(rf"(?<![\w+])(?:{'|'.join(map(re.escape, sorted(phrases, key=len, reverse=True)))})(?![\w+])")
