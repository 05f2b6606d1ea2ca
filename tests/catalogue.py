"""Every message id there is: in code as `N_("...")` or `say("...")`, in templates as `say("...")`.

Run as a program it brings the catalogues up to date: new ids come in untranslated, unused ones go.

    python -m tests.catalogue
"""

from __future__ import annotations

import functools
from pathlib import Path

from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from pbem.words import LANGUAGES

ROOT = Path(__file__).parent.parent
METHODS = [("**.py", "python"), ("**.html", "jinja2.ext:babel_extract"), ("**.txt", "jinja2.ext:babel_extract")]
OPTIONS = {"**.html": {"silent": "false", "trimmed": "false"}, "**.txt": {"silent": "false"}}
KEYWORDS = {"N_": None, "say": None}


@functools.cache
def messages() -> dict[str, str]:
    """Every message id and the place it was found first."""
    found: dict[str, str] = {}
    for folder in ("pbem", "templates"):
        rows = extract_from_dir(str(ROOT / folder), METHODS, OPTIONS, KEYWORDS)
        for name, line, message, _, _ in rows:
            if isinstance(message, str) and message:
                found.setdefault(message, f"{folder}/{name}:{line}")
    return found


def path_of(language: str) -> Path:
    """Where a language's catalogue is."""
    return ROOT / "pbem" / "translations" / f"{language}.po"


def update(language: str) -> tuple[int, int]:
    """Bring one catalogue up to date; how many ids it has, and how many of them are untranslated."""
    with path_of(language).open("rb") as lines:
        old = read_po(lines, locale=language)
    new = Catalog(locale=language, header_comment="", fuzzy=False)
    for message in sorted(messages()):
        entry = old.get(message)
        new.add(message, str(entry.string) if entry else "", locations=[])
    with path_of(language).open("wb") as lines:
        write_po(lines, new, width=110, omit_header=False, sort_output=True)
    return len(messages()), sum(not entry.string for entry in new if entry.id)


if __name__ == "__main__":
    for code in LANGUAGES[1:]:
        everything, missing = update(code)
        print(f"{code}: {everything} messages, {missing} untranslated")  # noqa: T201 - a program's answer
