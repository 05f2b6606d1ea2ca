"""English words left over on a page or in a letter for readers of another language: found by the catalogues alone."""

from __future__ import annotations

import functools
import re
from html import unescape
from typing import TYPE_CHECKING

from pbem import packages
from pbem.engine.registry import GAMES
from pbem.messages import catalogue

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

WORD = re.compile(r"[^\W\d_]{2,}")
TYPED = re.compile(r"`[^`]*`|\{\w+(?:!r)?\}")
"""What is typed as it stands in every language, and holes."""
ATTRIBUTES = re.compile(r'(?:alt|title|aria-label|placeholder|label)="([^"]*)"')


def _words(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        plain = TYPED.sub(" ", text)
        yield from WORD.findall(plain.casefold())
        yield from WORD.findall(re.sub(r"\(([^()|]*)\|[^()]*\)|[()]", r"\1", plain).casefold())  # "provinc(ia|e)"
        yield from WORD.findall(re.sub(r"\([^()|]*\|([^()]*)\)", r"\1", plain).casefold())


@functools.cache
def _only_english(language: str) -> frozenset[str]:
    """The words that English sentences have and those of `language` don't."""
    known = catalogue(language)
    english = [*known, *(packages.text(game, "RULES.md") for game in GAMES)]
    other = [*known.values(), *(packages.text(game, f"RULES.{language}.md") for game in GAMES)]
    return frozenset(_words(english)) - frozenset(_words(other))


def in_text(language: str, text: str) -> set[str]:
    """The English words of a text for a reader of `language`; what is typed, between backticks, is not looked at."""
    return {word for word in WORD.findall(TYPED.sub(" ", text)) if word.casefold() in _only_english(language)}


def in_page(language: str, html: str) -> set[str]:
    """The same of a page, with what pictures say; orders to type and names of other languages are not looked at."""
    seen = re.sub(r"(?s)<(script|style|code|kbd)\b.*?</\1>", " ", html)
    seen = re.sub(r'(?s)<(\w+)\b[^>]* lang="(?!' + language + r')\w+"[^>]*>[^<]*</\1>', " ", seen)
    said = " ".join(ATTRIBUTES.findall(seen)) + re.sub(r"<[^>]+>", " ", seen)
    return in_text(language, unescape(said))
