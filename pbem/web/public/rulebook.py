"""RULES.md as a page, and the rules that help with one decision. Headings, lists, tables, bold and code are read."""

from __future__ import annotations

import functools
import re
from html import escape
from importlib.resources import files

import msgspec
from markupsafe import Markup

_LEAD = re.compile(
    r"^\s*(?:[-*]\s+|#+\s+|\|\s*)?(?:\*\*|`)?(?P<id>[A-Z]{2}-[0-9]+(?:\.[0-9]+)*[a-z]?)(?:\*\*|`)?[\s.:|-]*(?P<text>.*)$"
)
_HEADING = re.compile(r"^(#{1,6})\s+(.*)$")
_ITEM = re.compile(r"^\s*(?:[-*]|[0-9]+\.)\s+(.*)$")


class Topic(msgspec.Struct, frozen=True):
    """One rule as a player reads it."""

    id: str
    text: Markup


@functools.cache
def source(game: str) -> str:
    """The rules text of a game."""
    return (files("pbem.engine") / game / "RULES.md").read_text(encoding="utf-8")


def inline(text: str) -> Markup:
    """One line's text with bold, code and rule ids marked up, all else escaped."""
    out = escape(text, quote=False)
    out = re.sub(r"`([^`]+)`", r"<code>\1</code>", out)
    out = re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", out)
    out = re.sub(r"\*([^*]+)\*", r"<em>\1</em>", out)
    out = re.sub(r"\[([^\]]+)\]\((?:[^)]+)\)", r"\1", out)
    return Markup(out)  # noqa: S704 - escaped above


@functools.cache
def rules(game: str) -> dict[str, Topic]:
    """Every rule by its id: the paragraph, list item or table row that begins with it."""
    found: dict[str, Topic] = {}
    for block in _blocks(source(game)):
        lead = _LEAD.match(block)
        if lead and lead["text"]:
            text = ": ".join(cell.strip() for cell in lead["text"].strip(" |").split("|"))
            found.setdefault(lead["id"], Topic(lead["id"], inline(text)))
    return found


def topics(game: str, ids: tuple[str, ...]) -> list[Topic]:
    """The rules named by `ids`, those that stand in the text."""
    known = rules(game)
    return [known[name] for name in ids if name in known]


def _blocks(text: str) -> list[str]:
    """Paragraphs, items, table rows and headings, each on one line."""
    blocks: list[str] = []
    joined = False
    for line in text.splitlines():
        row = line.lstrip().startswith("|")
        stands_alone = bool(row or _HEADING.match(line) or _ITEM.match(line))
        if not line.strip():
            joined = False
        elif stands_alone or not joined or not blocks:
            blocks.append(line.strip() if row else line.rstrip())
            joined = not row and not line.startswith("#")
        else:
            blocks[-1] += f" {line.strip()}"
    return blocks


@functools.cache
def page(game: str) -> Markup:
    """The whole text as HTML."""
    out: list[str] = []
    room = ""
    for block in _blocks(source(game)):
        kind, html = _element(block)
        if room and room != kind:
            out.append(f"</{_CLOSE[room]}>")
        if kind in _CLOSE and room != kind:
            out.append(_OPEN[kind])
            html = html.replace("<td>", '<th scope="col">').replace("</td>", "</th>")
        room = kind if kind in _CLOSE else ""
        out.append(html)
    if room:
        out.append(f"</{_CLOSE[room]}>")
    return Markup("\n".join(out))  # noqa: S704 - every block was escaped


_OPEN = {"list": "<ul>", "table": '<div class="scroll" tabindex="0"><table><tbody>'}
_CLOSE = {"list": "ul", "table": "tbody></table></div"}


def _element(block: str) -> tuple[str, str]:
    """One block's kind and its HTML, with the rule's id as anchor."""
    lead = _LEAD.match(block)
    anchor = f' id="{lead["id"]}"' if lead else ""
    heading, item = _HEADING.match(block), _ITEM.match(block)
    if heading:
        level = min(len(heading[1]), 4)
        return "heading", f"<h{level}{anchor}>{inline(heading[2])}</h{level}>"
    if block.startswith("|"):
        cells = [cell.strip() for cell in block.strip("| ").split("|")]
        if all(re.fullmatch(r":?-{2,}:?", cell) for cell in cells):
            return "table", ""
        return "table", f"<tr{anchor}>{''.join(f'<td>{inline(cell)}</td>' for cell in cells)}</tr>"
    if item:
        return "list", f"<li{anchor}>{inline(item[1])}</li>"
    return "text", f"<p{anchor}>{inline(block)}</p>"
