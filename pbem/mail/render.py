"""Templates make a letter: subject, text and HTML from one content, in the words of one reader."""

from __future__ import annotations

import functools
import re
import textwrap
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote

from jinja2 import FileSystemLoader, StrictUndefined, select_autoescape

import pbem
from pbem.mail.compose import Rendered
from pbem.mail.families import Content
from pbem.messages import Translator, clean
from pbem.templating.environment import QuickEnvironment

HTML_LIMIT = 100_000
"""Bytes; Gmail clips what is longer than 102 kB. Content keeps to it; what doesn't is sent all the same."""
TEXT_WIDTH = 72
_SUBJECT = 200
_WORDS = re.compile("\\S+(?:[ \N{NO-BREAK SPACE}]\\S+)*")


def folder() -> Path:
    """Return where the templates are: beside the package in the source tree, inside it once installed."""
    package = Path(pbem.__file__).parent
    inside = package / "_templates"
    return inside if inside.is_dir() else package.parent / "templates"


def mailto(address: str, subject: str, body: str) -> str:
    """Return a link that opens a new mail with everything in it already."""
    return f"mailto:{quote(address, safe='@')}?subject={quote(clean(subject))}&body={quote(body)}"


def wrap(text: str, indent: int = 0, first: str = "") -> str:
    """One paragraph of the text part, at most 72 columns wide; an address or a word is never broken."""
    head = " " * indent + first
    after, lines, line = " " * len(head), [], head + text
    if not _WORDS.fullmatch(text):
        return textwrap.fill(
            text,
            TEXT_WIDTH,
            initial_indent=head,
            subsequent_indent=after,
            break_long_words=False,
            break_on_hyphens=False,
        )
    # nearly all are words with a space between them, for which this takes a fifth of the time
    while len(line) > TEXT_WIDTH:
        at = line.rfind(" ", len(head), TEXT_WIDTH + 1)
        if at < 0 and (at := line.find(" ", TEXT_WIDTH)) < 0:
            break
        lines.append(line[:at])
        line = after + line[at + 1 :]
    return "\n".join((*lines, line))


def brief(name: str, limit: int = 24) -> str:
    """A name or title for a subject: what is to be done and until when comes after it and must not be pushed out."""
    return clean(name, limit)


def columns(rows: Iterable[Iterable[str]], gap: str = "  ") -> str:
    """Rows as a table of the text part: names to the left, figures to the right."""
    cells = [tuple(row) for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "\n".join(
        gap.join(
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    )


@functools.cache
def environment() -> QuickEnvironment:
    """Return the templates of letters: HTML is escaped, text is not, and a name that isn't there is an error."""
    made = QuickEnvironment(
        loader=FileSystemLoader(folder() / "mail"),
        autoescape=select_autoescape(("html",), default=False),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters.update(wrap=wrap, columns=columns, brief=brief)
    return made


def render(kind: str, content: Content, say: Translator) -> Rendered:
    """Return the letter `kind` with `content`, in the reader's language and zone."""
    names = {"it": content, "say": say, "kind": kind}
    templates = environment()
    subject = clean(templates.get_template(f"{kind}/subject.txt").render(names), _SUBJECT)
    names["subject"] = subject
    text = templates.get_template(f"{kind}/body.txt").render(names)
    html = templates.get_template(f"{kind}/body.html").render(names)
    return Rendered(subject, text.strip("\n") + "\n", html)
