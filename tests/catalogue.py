"""Every message id there is: in code in `N_`, `sentence` and its like, in templates, in tables of the games.

Run as a program it brings the catalogues up to date: new ids come in untranslated, unused ones go.

    python -m tests.catalogue
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import Environment
from jinja2.ext import extract_from_ast

from pbem.engine.registry import GAMES, rules_of
from pbem.kit import catalogue
from pbem.messages import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent


def _in_template(path: Path, jinja: Environment) -> Iterator[tuple[int, str]]:
    """Line and text of each `say("...")`."""
    for line, _, message in extract_from_ast(jinja.parse(path.read_text(encoding="utf-8")), catalogue.MARKS):
        text = message[0] if isinstance(message, tuple) else message
        if text is not None:
            yield line, text


@functools.cache
def messages() -> dict[str, str]:
    """Every message id and the place it was found first."""
    found: dict[str, str] = {}
    jinja = Environment(autoescape=True, extensions=["jinja2.ext.do"])
    for path, line, text in catalogue.in_game(ROOT / "pbem"):
        found.setdefault(text, f"{path.relative_to(ROOT)}:{line}")
    for path in sorted(ROOT.glob("templates/**/*.*")):
        for line, text in _in_template(path, jinja):
            if text:
                found.setdefault(text, f"{path.relative_to(ROOT)}:{line}")
    for game in GAMES:
        for text in catalogue.in_meta(rules_of(game)):
            found.setdefault(text, f"options and facts of {game}")
    return found


def path_of(language: str) -> Path:
    """Where a language's catalogue is."""
    return ROOT / "pbem" / "translations" / f"{language}.po"


def update(language: str) -> list[str]:
    """Bring one catalogue up to date; the ids that are still untranslated."""
    return catalogue.renew(path_of(language), language, messages())


if __name__ == "__main__":
    for code in LANGUAGES[1:]:
        missing = update(code)
        print(f"{code}: {len(messages())} messages, {len(missing)} untranslated")  # noqa: T201 - a program's answer
        for each in missing:
            print(f"  {messages()[each]}: {each}")  # noqa: T201 - as above
