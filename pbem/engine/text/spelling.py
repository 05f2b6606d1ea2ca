"""Mistyped words of order text put right, to ask "did you mean ...?": what wasn't written is never played."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache

from pbem.engine.text.notation import GrammarRow, fold, matches_grammar, mistyped

LONGEST = 120
"""Characters of a text that is looked at; a longer one is no order with a slip."""
_SHORTEST = 2
"""Letters of a word that can be told from another one."""
_WORD = re.compile(r"[^\W\d_]+")


@cache
def _shown(rows: tuple[GrammarRow, ...]) -> frozenset[str]:
    """Return the words players are shown: they are meant rather than their like in another language."""
    return frozenset(fold(word) for row in rows for word in _WORD.findall(f"{row.syntax} {row.example}"))


@cache
def known_words(rows: tuple[GrammarRow, ...]) -> frozenset[str]:
    """Return every word that an order may hold, as the patterns of the grammar spell it."""
    found: set[str] = set()
    for pattern in {pattern for row in rows for pattern in (row.pattern, row.bare)}:
        plain = re.sub(r"\[[^\]]*\]|\(\?P?<\w+>|\\[a-zA-Z]", " ", pattern)
        found |= set(_WORD.findall(re.sub(r"(\w+)(\w)\?", r"\1 \1\2", plain)))
    return frozenset(found)


def mended(rows: tuple[GrammarRow, ...], text: str, within: tuple[GrammarRow, ...] = (), asked: str = "") -> str:
    """`text` with its mistyped words put right, if that makes it an order, or a short answer to `asked`; else nothing.

    Words are looked for in the whole grammar `rows`; `within` may be the part of it that the order has to come from.
    """
    if len(text) > LONGEST:
        return ""
    right = _WORD.sub(lambda found: _right(rows, found[0]), text.strip())
    return right if right != text.strip() and matches_grammar(within or rows, right, asked) else ""


def put_right(text: str, keywords: Collection[str]) -> str:
    """`text` with each word that is like one of the `keywords` turned into it; nothing if there is none."""
    right = _WORD.sub(lambda found: mistyped(fold(found[0]), keywords) or found[0], text[:LONGEST])
    return right if right != text else ""


def _right(rows: tuple[GrammarRow, ...], word: str) -> str:
    """Return a word as it stands if orders hold it or none is like it, else the one most like it, its capital kept.

    Fingers seldom miss the first letter: "well played" is nobody's "sell".
    """
    key = fold(word)
    if len(key) < _SHORTEST or key in known_words(rows):
        return word
    like = [sorted(one for one in words if one[0] == key[0]) for words in (_shown(rows), known_words(rows))]
    near = mistyped(key, like[0]) or mistyped(key, like[1]) or word
    return near.capitalize() if word[0].isupper() else near
