"""RULES.md as a page, and the rules that help with one decision, in each language that a game brings them in.

A translation, `RULES.<language>.md`, has `[printed]`, `[orders]` and `[facts]` where its tables stand: they are made of
the code's own, so no number is written twice.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

from markupsafe import Markup

from pbem import packages
from pbem.engine.registry import box_of, rules_of
from pbem.engine.text import tables
from pbem.messages import LANGUAGES, Translator
from pbem.structs import Value

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markdown_it import MarkdownIt
    from markdown_it.token import Token

    from pbem.engine.core.box import Cell, PrintedGroup

_RULE = re.compile(r"(?:\*\*|`)?(?P<id>[A-Z]{2}-[0-9]+(?:\.[0-9]+)*[a-z]?)(?:\*\*|`)?[\s.:-]*(?P<text>.*)", re.DOTALL)
"""A block that states a rule begins with the rule's id."""
_CODE = re.compile(r"(?P<fence>```|`)(?P<code>(?:(?<=```)[^`]+|[^`\n]+))(?P=fence)")
"""What is to be typed: orders but for the facts and conditions of standing orders, which are the same for all."""
_DEEPEST = 4
"""Headings further down look like this one: the page has its own."""


class Topic(Value):
    """One rule as a player reads it."""

    id: str
    text: Markup


@functools.cache
def _reader() -> MarkdownIt:
    """CommonMark with tables; raw HTML is text, and links, which lead to files, are their words."""
    from markdown_it import MarkdownIt  # noqa: PLC0415 - 2 MB, which a worker has no use for until rules are read

    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    plain = {
        "link_open": "",
        "link_close": "",
        "table_open": '<div class="scroll" tabindex="0"><table>',
        "table_close": "</table></div>",
    }
    for name, html in plain.items():
        reader.add_render_rule(name, lambda *_, html=html: html)
    return reader


def language_of(game: str, language: str) -> str:
    """Return the language that the rules text is in for a reader of `language`."""
    return language if packages.text(game, f"RULES.{language}.md") else LANGUAGES[0]


@functools.cache
def source(game: str, language: str) -> str:
    """Return the rules text of a game; the tables alone if its package has none."""
    rules, say = rules_of(game), Translator(language, game=game)
    text = packages.text(game, f"RULES.{language}.md") or packages.text(game, "RULES.md") or tables.rules_text(rules)
    orders, facts = tables.orders(rules, say, say.form), tables.facts(rules, say)
    made = {"[orders]": orders, "[facts]": facts, "[printed]": printed(game, say)}
    conditions = re.compile(rf"(?:{'|'.join(rules.facts_help)})|.* (?:in|[<>=]+) .*")

    def written(code: re.Match[str]) -> str:
        return (
            code[0]
            if conditions.fullmatch(code["code"])
            else f"{code['fence']}{say.order(code['code'])}{code['fence']}"
        )

    return "\n".join(made.get(line, line) for line in _CODE.sub(written, text).splitlines())


def printed(game: str, say: Translator, box: str = "") -> str:
    """What boards and cards print as tables in Markdown, of a club's own `box` or as shipped; "" where nothing is."""
    known = box_of(game)
    groups = known.form(box) if known else ()
    return "\n".join(f"**{say(group.title)}**\n\n{_table(group, say)}" for group in groups)


def _table(group: PrintedGroup, say: Translator) -> str:
    """One kind of thing: a column for each value where all print the same ones, else one for all of them."""
    heads = {tuple(cell.label for cell in row.cells) for row in group.rows}
    if len(heads) == 1:
        (labels,) = heads
        rows = [(say(row.title), *(_value(cell, say) for cell in row.cells)) for row in group.rows]
        return tables.table([say("Name"), *map(say, labels)], rows)
    told = [
        (say(row.title), "; ".join(" ".join(filter(None, (say(cell.label), _value(cell, say)))) for cell in row.cells))
        for row in group.rows
    ]
    return tables.table([say("Name"), say("What is printed")], told)


def _value(cell: Cell, say: Translator) -> str:
    called = dict(cell.called)
    words = " ".join(say(called.get(word, word)) for word in cell.value.split())
    return words if cell.confirmed else f"{words}?"


def inline(text: str) -> Markup:
    """One line's text with bold, emphasis and code marked up, all else escaped."""
    return Markup(_reader().renderInline(text))  # noqa: S704 - raw HTML is switched off


@functools.cache
def _read(game: str, language: str) -> tuple[Sequence[Token], dict[str, Topic]]:
    """Return the parsed text, each rule's block with the rule's id as its anchor, and the rules by id."""
    tokens = _reader().parse(source(game, language))
    found: dict[str, Topic] = {}
    for block, contents in _blocks(tokens):
        rule = _RULE.fullmatch(contents[0])
        if rule and rule["id"] not in found:
            block.attrSet("id", rule["id"])
            text = ": ".join(part for part in (rule["text"], *contents[1:]) if part)
            if text:
                found[rule["id"]] = Topic(rule["id"], inline(text))
    return tokens, found


def _blocks(tokens: Sequence[Token]) -> Iterator[tuple[Token, list[str]]]:
    """Yield each heading, paragraph, list item and table row with its text: one string, or one for each cell."""
    opened: list[Token] = []
    cells: list[str] = []
    for token in tokens:
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(int(token.tag[1:]), _DEEPEST)}"
        elif token.type == "th_open":
            token.attrSet("scope", "col")
        elif token.type == "inline" and opened[-1].type in {"td_open", "th_open"}:
            cells.append(token.content)
        elif token.type == "inline":
            block = opened[-2] if opened[-2:-1] and opened[-2].type == "list_item_open" else opened[-1]
            yield block, [token.content]
        if token.type == "tr_close":
            yield opened[-1], cells
            cells = []
        if token.nesting > 0:
            opened.append(token)
        elif token.nesting < 0:
            opened.pop()


def rules(game: str, language: str) -> dict[str, Topic]:
    """Return every rule by its id: the paragraph, list item or table row that begins with it."""
    return _read(game, language)[1]


def topics(game: str, ids: tuple[str, ...], language: str) -> list[Topic]:
    """Return the rules named by `ids`, those that stand in the text."""
    known = rules(game, language)
    return [known[name] for name in ids if name in known]


@functools.cache
def page(game: str, language: str = LANGUAGES[0]) -> Markup:
    """Return the whole text as HTML."""
    return Markup(_reader().renderer.render(_read(game, language)[0], _reader().options, {}))  # noqa: S704 - raw HTML is switched off


def own_page(game: str, say: Translator, box: str) -> Markup:
    """Return what a club's own `box` prints, as HTML."""
    return Markup(_reader().render(printed(game, say, box)))  # noqa: S704 - as above
