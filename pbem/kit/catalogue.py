"""The sentences of a game: found in its code and its tables, and kept in catalogues that a translator fills in."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages import Catalog
from babel.messages.pofile import read_po, write_po

from pbem import errors
from pbem.engine.core.guide import GuideTexts
from pbem.engine.core.types import AnyRules
from pbem.engine.text.words import GameWords
from pbem.errors import PlayError
from pbem.messages import FILLED_IN, bot_name
from pbem.study import lessons

REFUSALS = tuple(name for name, one in vars(errors).items() if isinstance(one, type) and issubclass(one, PlayError))
MARKS = ("N_", "event", "fault", "invalid", "say", "sentence", "tell", "word", *REFUSALS)
"""What is called with a sentence: the text between quotes that comes first is one for the translators."""


def in_code(path: Path) -> Iterator[tuple[int, str]]:
    """Line and text of each marked string; also of a mark inside another call's brackets, which babel passes over."""
    text = path.read_text(encoding="utf-8")
    if not any(f"{mark}(" in text for mark in MARKS):
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and node.args:
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            first = node.args[0]
            if name in MARKS and isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield node.lineno, first.value


_TABLES = (GuideTexts.FILE, GameWords.FILE, lessons.TABLE)
_NO_TEXT = frozenset(
    (
        *("further", "key", "params", "rule", "seed", "words"),
        *("bare", "choices", "clauses", "default", "example", "kind", "slow", "spellings", "spoken", "start", "syntax"),
        *("topics", "verbs"),
    )
)
"""What these tables hold beside sentences: a guide, a lesson, and what a game calls things."""


def in_table(path: Path) -> Iterator[tuple[int, str]]:
    """Line and text of each sentence of a table beside a game's rules."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    for sentence in _sentences(tomllib.loads(text)):
        yield next((at for at, line in enumerate(lines, 1) if sentence in line), 1), sentence


def _sentences(part: Any) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, (dict, list)):
        inner = part if isinstance(part, list) else [one for name, one in part.items() if name not in _NO_TEXT]
        for one in inner:
            yield from _sentences(one)


def in_game(folder: Path) -> Iterator[tuple[Path, int, str]]:
    """Yield file, line and text of every sentence in the code and the tables below a folder."""
    tables = (path for name in _TABLES for path in folder.glob(f"**/{name}"))
    for path in sorted((*folder.glob("**/*.py"), *tables)):
        for line, text in in_table(path) if path.name in _TABLES else in_code(path):
            if text:
                yield path, line, text


def in_meta(rules: AnyRules) -> Iterator[str]:
    """What pages and letters say of any game: options, edition, facts, names in orders, what seats, bots are called."""
    meta = rules.meta
    words = [word for option in meta.options for word in (option.name, *option.choices)]
    yield from (word.replace("_", " ") for word in (meta.edition, *words) if not word.isdigit())
    yield from (name.replace("_", " ") for name in rules.facts_help)
    yield from meta.order_things
    yield from (hole.lower() for row in rules.grammar for hole in FILLED_IN.findall(row.syntax))
    yield from (name for colour in meta.colours for name in (colour, bot_name(colour)))


def of_game(rules: AnyRules, folder: Path) -> dict[str, str]:
    """Return every sentence of the game in `folder`, with the place where it stands first."""
    found: dict[str, str] = {}
    for path, line, text in in_game(folder):
        found.setdefault(text, f"{path.relative_to(folder)}:{line}")
    for text in in_meta(rules):
        found.setdefault(text, "options and facts")
    return found


def renew(path: Path, language: str, messages: Iterable[str], known: Iterable[str] = ()) -> list[str]:
    """Write the catalogue at `path` anew: what is translated stays, new messages come in empty, others go.

    What is `known` already to the program needs no translation of its own. Gives the messages still untranslated.
    """
    text = path.read_bytes() if path.exists() else b""
    old, passed = read_po(BytesIO(text), locale=language), set(known)
    new = Catalog(locale=language, header_comment="", fuzzy=False)
    for message in sorted(messages):
        entry = old.get(message)
        if entry or message not in passed:
            new.add(message, str(entry.string) if entry else "", locations=[])
    with path.open("wb") as lines:
        write_po(lines, new, width=110)
    return [str(entry.id) for entry in new if entry.id and not entry.string]
