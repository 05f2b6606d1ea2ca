"""HTML mail as plain text: what was quoted is marked by `>`, the rest is lines. One pass, whatever the nesting."""

from __future__ import annotations

from html.parser import HTMLParser

_BLOCKS = frozenset(
    [
        *("address", "article", "blockquote", "body", "center", "dd", "div", "dl", "dt", "footer", "form", "header"),
        *("h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre", "section", "table", "td", "th", "tr", "ul"),
    ]
)
_UNSEEN = frozenset({"head", "script", "style", "title", "template"})
_VOID = frozenset({"br", "hr", "img", "meta", "link", "input", "col", "base", "wbr"})
_QUOTE_MARKS = (
    *("gmail_quote", "gmail_attr", "gmail_extra", "yahoo_quoted", "moz-cite-prefix", "moz-forward-container"),
    *("divrplyfwdmsg", "appendonsend", "protonmail_quote", "zmail_extra", "tutanota_quote", "hmmessage_quote"),
    *("mail-editor-reference-message", "ms-outlook-mobile-reference-message", "stopspelling"),
)
_SIGNATURE_MARKS = (
    *("gmail_signature", "moz-signature", "protonmail_signature", "ms-outlook-mobile-signature"),
    "apple-mail-signature",
)
_MAX_DEPTH = 5_000


class _HtmlText(HTMLParser):
    """Collects lines; `quote` counts the open quoted blocks."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = [""]
        self._open: list[tuple[str, bool]] = []
        self._quotes = 0
        self._unseen = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a line at blocks; everything from a quote or a signature on is quoted."""
        if tag in _BLOCKS or tag == "br":
            self._break()
        if tag == "hr":
            self.lines[-1] = "_____"
            self._break()
        if tag in _VOID or len(self._open) > _MAX_DEPTH:
            return
        quotes = tag == "blockquote" or _is_quote(attrs)
        self._open.append((tag, quotes))
        self._quotes += quotes
        self._unseen += tag in _UNSEEN

    def handle_endtag(self, tag: str) -> None:
        """Close down to the matching tag, if there is one."""
        if tag in _BLOCKS:
            self._break()
        if tag in _VOID or not any(name == tag for name, _ in self._open[-50:]):
            return
        while self._open:
            name, quotes = self._open.pop()
            self._quotes -= quotes
            self._unseen -= name in _UNSEEN
            if name == tag:
                break

    def handle_data(self, data: str) -> None:
        """Text, its white space folded as a browser folds it."""
        if self._unseen:
            return
        in_pre = any(name == "pre" for name, _ in self._open[-20:])
        for i, piece in enumerate(data.split("\n") if in_pre else [data]):
            if i:
                self._break()
            self._add(piece)

    def _add(self, piece: str) -> None:
        text = " ".join(piece.split())
        if not text:
            return
        if not self.lines[-1]:
            self.lines[-1] = "> " if self._quotes else ""
        glue = " " if piece[:1].isspace() and self.lines[-1] and not self.lines[-1].endswith(" ") else ""
        self.lines[-1] += glue + text + (" " if piece[-1:].isspace() else "")

    def _break(self) -> None:
        if self.lines[-1]:
            self.lines[-1] = self.lines[-1].rstrip()
            self.lines.append("")


def _is_quote(attrs: list[tuple[str, str | None]]) -> bool:
    """Whether a mail program marked the element as quoted text or as the signature."""
    marks = " ".join((value or "").lower() for name, value in attrs if name in {"class", "id"})
    if any(mark in marks for mark in (*_QUOTE_MARKS, *_SIGNATURE_MARKS)):
        return True
    style = next(((value or "").lower().replace(" ", "") for name, value in attrs if name == "style"), "")
    # Outlook's line above the quoted mail is a border, and nothing else tells it.
    return "border-top:solid#e1e1e1" in style or "border-top:solid#b5c4df" in style


def as_text(html: str) -> str:
    """The text of `html`, a line for each block, quoted blocks marked by `>`; empty for no HTML."""
    reader = _HtmlText()
    reader.feed(html)
    reader.close()
    return "\n".join(line.rstrip() for line in reader.lines).strip("\n")
