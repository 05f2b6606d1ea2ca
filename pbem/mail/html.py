"""HTML mail as plain text: what was quoted is marked by `>`, the rest is lines. One pass, whatever the nesting."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from itertools import chain, combinations

_BLOCK = re.compile(
    "address|article|blockquote|body|br|center|d[dlt]|div|footer|form|h[1-6]|header|hr|li|[ou]l|p|pre|section|table|t[dhr]"
)
_UNSEEN = frozenset({"head", "script", "style", "title", "template"})
_STRUCK = frozenset({"s", "strike", "del"})
_ZERO = r"0[.0]*(?:%|[a-z]+)?(?![\w.%])"
_NOT_SHOWN = re.compile(
    r"line-through|display:none|visibility:(?:hidden|collapse)|mso-hide:all|(?<![\w-])(?:left|right|top|text-indent):-\d{3}"
    r"|(?<![\w-])clip:rect\([01]|clip-path:(?:inset|circle)\(|scale\(0\)|(?<![\w-])color:transparent"
    rf"|(?<![\w-])(?:opacity|max-height|max-width):{_ZERO}"
)
"""What a style without spaces says of text that is struck out or isn't shown at all, whatever is within."""
_FLAT = re.compile(rf"(?<![\w-])(?:height|width):{_ZERO}")
"""Likewise, if `overflow:hidden` stands beside it."""
_INHERITED = re.compile(r"(?:^|;)(font-size|color|background)(?:-color)?:([^;!]+)")
_TOO_SMALL = re.compile(rf"{_ZERO}|1p[xt]")
_COLOR = re.compile(r"#(?:[0-9a-f]{6}|[0-9a-f]{3})|rgba?\((\d+),(\d+),(\d+)|[a-z]+")
_SHORT = re.compile(r"#(.)(.)(.)\Z")
_NAMED = {"white": "#ffffff", "black": "#000000"}
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_CALLED = frozenset({"class", "id", "name"})
_STYLED = {"style": "", "color": "color:", "bgcolor": "background:"}
"""Attributes that say how text looks, as a style would."""
_SHEET = 20_000
"""Characters of a style sheet that are looked at."""
_PRINTED = re.compile(r"@media\b.*\bprint\b")
_CSS_COMMENT = re.compile(r"<!--|-->|/\*.*?(?:\*/|\Z)", re.DOTALL)
_NAMES = 3
"""Classes and ids that a rule may ask for at once, of the first twice as many that an element has."""
_SELECTOR = re.compile(rf"([a-z][a-z0-9]*)?((?:[.#][\w-]+){{0,{_NAMES}}})")
"""What a rule is for: an element, classes and ids that all have to fit."""
_VOID = frozenset({"br", "hr", "img", "meta", "link", "input", "col", "base", "wbr"})
_MARKS = re.compile(
    "gmail_(quote|attr|extra|signature)|yahoo_quoted|moz-(cite-prefix|forward-container|signature)|divrplyfwdmsg"
    "|appendonsend|protonmail_(quote|signature)|zmail_extra|tutanota_quote|hmmessage_quote|mail-editor-reference-message"
    "|ms-outlook-mobile-(reference-message|signature)|stopspelling|apple-mail-signature"
)
"""How mail programs call what they quote, and signatures."""
_RAW = {name: re.compile(f"</{name}", re.IGNORECASE) for name in ("script", "style", "title", "textarea")}
"""Elements whose inside holds no tags, and what closes them."""
_MAX_DEPTH = 5_000


_NAME = re.compile(r"/?([a-z][a-z0-9:-]*)", re.IGNORECASE)
_TAG_END = re.compile(r"[>\"']")
_ATTRIBUTE = re.compile(r"(class|id|name|style|color|bgcolor)=(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))", re.IGNORECASE)
_ATTRIBUTES = 2_000
"""Characters of a tag in which marks are looked for."""


def _tokens(html: str) -> Iterator[tuple[bool, str]]:
    """Texts (False) and the insides of tags (True), in turn.

    Linear: every character is passed once, as what isn't closed ends the whole text. The standard library's parser
    begins anew at each `<`, and needs the square of the length for `<a<a<a`.
    """
    at, pairs = 0, {'"': True, "'": True}
    while (start := html.find("<", at)) >= 0:
        yield False, html[at:start]
        if html.startswith("<!--", start):
            end = html.find("-->", start + 4)
            at = end + 3 if end >= 0 else len(html)
        elif html[start + 1 : start + 2] in {"!", "?"}:
            end = html.find(">", start)
            at = end + 1 if end >= 0 else len(html)
        elif name := _NAME.match(html, start + 1):
            end = _end_of_tag(html, name.end(), pairs)
            yield True, html[start + 1 : end]
            at = end + 1
            if (tag := name[0].lower()) in _RAW:
                close = _RAW[tag].search(html, at)
                inside, at = at, close.start() if close else len(html)
                if tag == "style":
                    yield False, html[inside:at]
        else:
            yield False, "<"
            at = start + 1
    yield False, html[at:]


def _end_of_tag(html: str, at: int, pairs: dict[str, bool]) -> int:
    """Where a tag ends, marks within quoted values passed over; `pairs`: whether a mark has a second one at all."""
    while found := _TAG_END.search(html, at):
        mark, at = found[0], found.end()
        if mark == ">":
            return found.start()
        if pairs[mark]:
            end = html.find(mark, at)
            pairs[mark] = end >= 0
            at = max(at, end + 1)
    return len(html)


class _HtmlText:
    """Collects lines; `quote` counts the open quoted blocks."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.conceals = False
        """Whether text outside of quotes was struck out or isn't shown."""
        self._rules: dict[str, str] = {}
        """The styles that the mail sets by rules, by what they are for: `p`, `.x`, `p.x`, `#x`, `.x.y`."""
        self._line: list[str] = []
        self._open: list[tuple[str, bool, bool, dict[str, str]]] = []
        self._quotes = 0
        self._unseen = 0

    def feed(self, html: str) -> None:
        """Read all of it."""
        for is_tag, text in _tokens(html):
            if not is_tag:
                self._data(unescape(text))
                continue
            name = _name_of(text)
            if text.startswith("/"):
                self._end(name)
            else:
                self._start(name, text)
        self._break()

    def _start(self, tag: str, inside: str) -> None:
        """Begin a line at blocks; everything from a quote or a signature on is quoted."""
        if _BLOCK.fullmatch(tag):
            self._break()
        if tag == "hr":
            self.lines.append("_____")
        if tag in _VOID or len(self._open) > _MAX_DEPTH:
            return
        marks, style = _marks(inside[:_ATTRIBUTES])
        if self._rules:
            style = ";".join((*filter(None, map(self._rules.get, _called(tag, inside[:_ATTRIBUTES]))), style))
        quotes = tag == "blockquote" or _is_quote(marks, style)
        unseen = tag in _UNSEEN | _STRUCK or _is_hidden(inside[:_ATTRIBUTES], style)
        look = {**self._look(), **dict(_INHERITED.findall(style))}
        self._open.append((tag, quotes, unseen, look))
        self._quotes += quotes
        self._unseen += unseen

    def _end(self, tag: str) -> None:
        """Close down to the matching tag, if there is one."""
        if _BLOCK.fullmatch(tag):
            self._break()
        if tag in _VOID or not any(name == tag for name, *_ in self._open[-50:]):
            return
        while self._open:
            name, quotes, unseen, _ = self._open.pop()
            self._quotes -= quotes
            self._unseen -= unseen
            if name == tag:
                break

    def _data(self, data: str) -> None:
        """Text, its white space folded as a browser folds it; or the rules of a style sheet."""
        if self._open and self._open[-1][0] == "style":
            self._rules |= _rules(data[:_SHEET])
            return
        if self._unseen or _is_blank(self._look()):
            self.conceals |= (
                bool(data.strip()) and not self._quotes and not any(tag in _UNSEEN for tag, *_ in self._open)
            )
            return
        in_pre = any(name == "pre" for name, *_ in self._open[-20:])
        for i, piece in enumerate(data.split("\n") if in_pre else [data]):
            if i:
                self._break()
            self._add(piece)

    def _look(self) -> dict[str, str]:
        """Return what the elements around say of size and colours."""
        return self._open[-1][3] if self._open else {}

    def _add(self, piece: str) -> None:
        text = " ".join(piece.split())
        if not text:
            if piece and self._line:
                self._line.append(" ")
            return
        if not self._line:
            self._line.append("> " if self._quotes else "")
        self._line += (" " if piece[:1].isspace() else "", text, " " if piece[-1:].isspace() else "")

    def _break(self) -> None:
        if self._line:
            quoted, words = self._line[0], "".join(self._line[1:])
            self.lines.append(quoted + " ".join(words.split()))
            self._line = []


def _name_of(inside: str) -> str:
    """Return the name of a tag, lower-case."""
    found = _NAME.match(inside)
    return found[1].lower() if found else ""


def _marks(inside: str) -> tuple[str, str]:
    """Return what a tag is called, by class, id and name, and its style without spaces; lower-case."""
    found = [(m[1].lower(), (m[2] or m[3] or m[4] or "").lower()) for m in _ATTRIBUTE.finditer(inside)]
    marks = " ".join(f"name={value}" if name == "name" else value for name, value in found if name in _CALLED)
    styles = [f"{_STYLED[name]}{value}" for name, value in found if name in _STYLED]
    return marks, "".join(";".join(styles).split())


def _called(tag: str, inside: str) -> Iterator[str]:
    """Yield what a rule may call an element, the least exact first."""
    yield tag
    names = {
        f"{sign}{name}"
        for found in _ATTRIBUTE.finditer(inside)
        if (sign := {"class": ".", "id": "#"}.get(found[1].lower())) is not None
        for name in (found[2] or found[3] or found[4] or "").lower().split()
    }
    some = sorted(names)
    together = (combinations(some[: 2 * _NAMES], count) for count in range(2, _NAMES + 1))
    for called in (*some, *map("".join, chain.from_iterable(together))):
        yield from (called, tag + called)


def _rules(sheet: str) -> dict[str, str]:
    """Return the styles of a sheet without spaces, by the element, class or id they are for; lower-case.

    Of "a .x" that is the last part. What holds on some devices only, in `@media`, counts: who wrote it there may not
    have seen it. What holds in print doesn't.
    """
    found: dict[str, str] = {}
    around: list[str] = []
    text, printed = "", 0
    for part in (*re.split(r"([{}])", _CSS_COMMENT.sub(" ", sheet.lower())), "}"):
        if part == "{":
            around.append(text.rpartition(";")[2].strip())
            printed += _PRINTED.match(around[-1]) is not None
        elif part == "}" and around:
            selector = around.pop()
            printed -= _PRINTED.match(selector) is not None
            if not printed:
                for called in _selected(selector):
                    found[called] = f"{found.get(called, '')};{''.join(text.split())}"[-_ATTRIBUTES:]
        text = "" if part in {"{", "}"} else part
    return found


def _selected(selector: str) -> Iterator[str]:
    """Yield what the parts of a selector are for, as `_called` calls it."""
    for part in selector.replace(">", " ").split(","):
        found = _SELECTOR.fullmatch(part.split()[-1]) if part.strip() else None
        if found is not None:
            yield (found[1] or "") + "".join(sorted(set(re.findall(r"[.#][\w-]+", found[2]))))


def _is_hidden(inside: str, style: str) -> bool:
    """Return whether an element is struck out or isn't shown, by its style or the attribute `hidden`."""
    if _NOT_SHOWN.search(style) or ("overflow:hidden" in style and _FLAT.search(style)):
        return True
    return "hidden" in _QUOTED.sub("", inside).lower().replace("=", " ").split()


def _is_blank(look: dict[str, str]) -> bool:
    """Return whether text of this size is too small to be seen, or has the colour of what is behind it."""
    color = _color(look.get("color", ""))
    is_small = bool(_TOO_SMALL.fullmatch(look.get("font-size", "")))
    return is_small or (color != "" and color == _color(look.get("background", "")))


def _color(value: str) -> str:
    """Return the first colour of a style's value, where it can be as `#rrggbb`; empty without one."""
    found = _COLOR.search(value)
    if found is None:
        return ""
    if found[1]:
        return "#" + "".join(f"{int(part):02x}" for part in found.groups())
    return _SHORT.sub(r"#\1\1\2\2\3\3", _NAMED.get(found[0], found[0]))


def _is_quote(marks: str, style: str) -> bool:
    """Return whether a mail program marked the element as quoted text or as the signature."""
    # Outlook's line above the quoted mail is a border, and nothing else tells it.
    is_border = "border-top:solid#e1e1e1" in style or "border-top:solid#b5c4df" in style
    return is_border or "name=quote" in marks.split() or bool(_MARKS.search(marks))


def read(html: str) -> tuple[str, bool]:
    """Return the text of `html` as `as_text` does, and whether text outside of quotes is struck out or not shown.

    The plain text beside may not tell of that.
    """
    reader = _HtmlText()
    reader.feed(html)
    return "\n".join(line.rstrip() for line in reader.lines).strip("\n"), reader.conceals


def as_text(html: str) -> str:
    """Return the text of `html`, a line for each block, quoted blocks marked by `>`; empty for no HTML."""
    return read(html)[0]
