"""Every form of order, as RULES.md, the help letter and the error hints show it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pbem.engine.egizia import data
from pbem.engine.egizia.data import LANGUAGE
from pbem.engine.text.notation import fold
from pbem.engine.text.words import spelled_out

VERBS, CLAUSE = LANGUAGE.verbs, LANGUAGE.clauses

_BETWEEN = ("and|e|et|a", "twice|x2", "cards?|carta|carte|cartes", "grain|grano|cereali", "pietra", "ombos")
"""What stands between the words of clauses."""


def _words() -> str:
    """Return every word that a clause may hold: names of crews, places, parts, cards, and what stands between them."""
    tables = (data.CREW_SPELLINGS, data.PLACE_SPELLINGS, data.USING_SPELLINGS, data.PART_SPELLINGS)
    names = {word for table in tables for name, others in table.items() for word in (name, *others)}
    parts = {
        piece for name in names for piece in fold(name).replace("+", " ").replace("/", " ").replace("-", " ").split()
    }
    small = spelled_out((*CLAUSE.values(), *(VERBS[name] for name in ("none", "move")), *_BETWEEN))
    return "|".join(sorted(parts | small, key=lambda word: (-len(word), word)))


def _names(spellings: Mapping[str, tuple[str, ...]]) -> str:
    """Return a pattern for any of the names as they are spelled."""
    return "|".join(re.escape(fold(word)) for name, others in spellings.items() for word in (name, *others))


_REST = rf"(?>[ ,:+&'/-]*(?:\b(?:{_words()}|x?\d{{1,3}}|[a-z][a-z0-9_-]{{0,11}}\d)\b))*+"
"""Possessive, so that no text can make the match slow."""
_PLACE = rf"{_names(data.PLACE_SPELLINGS)}|ombos|(?:card|carta|carte)(?: space)? \d{{1,2}}|[a-z]\d{{1,2}}"
"""A place alone: where to sail."""
GRAMMAR = LANGUAGE.grammar({**VERBS, "place": _PLACE}, _REST)


def example(kind: str) -> str:
    """An order of each form that answers a decision, for the refusal of one that doesn't; not what goes with others."""
    return " / ".join(row.example for row in GRAMMAR if row.kind == kind and not row.syntax.startswith("ORDER")) or "-"
