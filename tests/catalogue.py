"""Every message id there is: in code as `N_("...")` or `say("...")`, in templates as `say("...")`.

Run as a program it brings the catalogues up to date: new ids come in untranslated, unused ones go.

    python -m tests.catalogue
"""

from __future__ import annotations

import ast
import functools
from pathlib import Path
from typing import TYPE_CHECKING

from babel.messages import Catalog
from babel.messages.pofile import read_po, write_po
from jinja2 import Environment
from jinja2.ext import extract_from_ast

from pbem.engine.registry import GAMES, rules_of
from pbem.messages import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
MARKS = ("N_", "say")


def _in_code(path: Path) -> Iterator[tuple[int, str]]:
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


def _in_template(path: Path, jinja: Environment) -> Iterator[tuple[int, str]]:
    """Line and text of each `say("...")`."""
    for line, _, message in extract_from_ast(jinja.parse(path.read_text(encoding="utf-8")), MARKS):
        text = message[0] if isinstance(message, tuple) else message
        if text is not None:
            yield line, text


def _in_options() -> Iterator[tuple[str, str]]:
    """Game and word of what the opening page says about each game: its options, their values, its edition."""
    for game in GAMES:
        meta = rules_of(game).meta
        words = [word for option in meta.options if option.choices for word in (option.name, *option.choices)]
        yield from ((game, word.replace("_", " ")) for word in (meta.edition, *words) if not word.isdigit())


def _in_facts() -> Iterator[tuple[str, str]]:
    """Game and name of each fact that conditions of standing orders speak of."""
    for game in GAMES:
        yield from ((game, name.replace("_", " ")) for name in rules_of(game).facts_help)


@functools.cache
def messages() -> dict[str, str]:
    """Every message id and the place it was found first."""
    found: dict[str, str] = {}
    jinja = Environment(autoescape=True, extensions=["jinja2.ext.do"])
    for path in sorted((*ROOT.glob("pbem/**/*.py"), *ROOT.glob("templates/**/*.*"))):
        rows = _in_code(path) if path.suffix == ".py" else _in_template(path, jinja)
        for line, text in rows:
            if text:
                found.setdefault(text, f"{path.relative_to(ROOT)}:{line}")
    for game, text in _in_options():
        found.setdefault(text, f"options of {game}")
    for game, text in _in_facts():
        found.setdefault(text, f"facts of {game}")
    return found


def path_of(language: str) -> Path:
    """Where a language's catalogue is."""
    return ROOT / "pbem" / "translations" / f"{language}.po"


def update(language: str) -> list[str]:
    """Bring one catalogue up to date; the ids that are still untranslated."""
    with path_of(language).open("rb") as lines:
        old = read_po(lines, locale=language)
    new = Catalog(locale=language, header_comment="", fuzzy=False)
    for message in sorted(messages()):
        entry = old.get(message)
        new.add(message, str(entry.string) if entry else "", locations=[])
    with path_of(language).open("wb") as lines:
        write_po(lines, new, width=110, omit_header=False, sort_output=True)
    return [str(entry.id) for entry in new if entry.id and not entry.string]


if __name__ == "__main__":
    for code in LANGUAGES[1:]:
        missing = update(code)
        print(f"{code}: {len(messages())} messages, {len(missing)} untranslated")  # noqa: T201 - a program's answer
        for each in missing:
            print(f"  {messages()[each]}: {each}")  # noqa: T201 - as above
