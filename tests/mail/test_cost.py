"""No mail, however odd, costs its readers more than a second: every reader over every fragment at full size."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator

import pytest

from pbem.engine.registry import GAMES, rules_of
from pbem.inbound import line_kinds
from pbem.mail import incoming, reply
from pbem.mail.html import as_text

SIZE = 100_000
FRAGMENTS = (
    *(
        "<a",
        "<a ",
        '<a "',
        "<",
        "<!--",
        "<div>",
        "<b>x",
        "</b>",
        "<script>",
        "&amp;",
        "<pre>x\n",
        "<blockquote>",
        "<a class='",
    ),
    *(
        "-",
        "- ",
        "*",
        "**",
        "_",
        ">",
        "> ",
        "@",
        "<@",
        "a@b ",
        "<a@",
        ":",
        " :",
        "\N{NO-BREAK SPACE}",
        "\u200f",
        "写道",
        "wrote ",
    ),
    *(
        "on 1, ",
        "On 1,\n",
        "From: x\n",
        "to:",
        "2026 ",
        "1/1/1 ",
        "bid ",
        "bid 6; then ",
        "ra\n",
        "absence ",
        "absence 1 ",
    ),
    *(
        "talk: ",
        "standing:\n",
        "please ",
        "hi ",
        "thanks ",
        '"',
        "' ",
        ".",
        "!",
        "?",
        "(",
        ")",
        "\\",
        "x",
        "x\n",
        "\n",
        "\t",
        "\0",
    ),
    *(
        "=?utf-8?q?",
        "=?a?b?",
        "=",
        "best\n",
        "virus ",
        "this message ",
        "-----BEGIN PGP SIGNED MESSAGE-----\n",
        "5.1.1 ",
        "550 ",
    ),
    *(
        "mailbox ",
        "user ",
        "delivery ",
        "auto",
        "out of ",
        "I am ",
        "the ",
        "1",
        "1.",
        "a.b.",
        "é",
        "ß",
        "İ",
        "\N{HIGH VOLTAGE SIGN}",
    ),
)


def _mail(head: bytes, body: str) -> bytes:
    return head + b"\r\n\r\n" + body.encode()


def _report(raw: bytes) -> object:
    return incoming.read(raw, envelope_sender="", is_report_address=True)


def _as(kind: bytes) -> Callable[[str], object]:
    return lambda text: incoming.read(_mail(b"From: a@b.c\r\nContent-Type: " + kind, text))


def _in_header(name: bytes) -> Callable[[str], object]:
    return lambda text: incoming.read(name + b": " + text.replace("\n", " ").encode() + b"\r\n\r\nra")


def _as_orders(game: str) -> Callable[[str], object]:
    rules = rules_of(game)
    grammar, asked = rules.grammar, rules.grammar[0].kind

    def read(text: str) -> object:
        reply.read(text, line_kinds.wanted(grammar, asked))
        reply.read(text, line_kinds.nearly(grammar, asked))
        line_kinds.command_meant(text)
        return line_kinds.resembles(text, grammar, asked)

    return read


READERS: dict[str, Callable[[str], object]] = {
    "html": as_text,
    "own lines": reply.written,
    "plain text": _as(b"text/plain"),
    "flowed text": _as(b"text/plain; format=flowed; delsp=yes"),
    "html mail": _as(b"text/html"),
    "report": lambda text: _report(_mail(b"From: mailer-daemon@b.c\r\nSubject: failure notice", text)),
    **{
        f"header {name}": _in_header(name.encode())
        for name in ("From", "Subject", "References", "Content-Type", "Date")
    },
    **{f"orders of {game}": _as_orders(game) for game in GAMES},
}


@pytest.mark.parametrize("reader", READERS)
def test_a_reader_is_quick_with_whatever_is_repeated(reader: str) -> None:
    """Each fragment alone, and each with a line end behind every 60 characters, 100 kB long."""
    slow = {}
    for fragment in FRAGMENTS:
        whole = (fragment * SIZE)[:SIZE]
        lines = "\n".join((fragment * 60)[:60] for _ in range(SIZE // 61))
        for shape, text in (("one line", whole), ("lines", lines)):
            took = next((one for one in _seconds(reader, text) if one <= 1), None)
            if took is None:
                slow[fragment, shape] = "over a second, three times"

    assert slow == {}


def _seconds(reader: str, text: str) -> Iterator[float]:
    """Seconds of processor time, measured up to three times: what a busy machine adds, it doesn't add each time."""
    for _ in range(3):
        began = time.process_time()
        with contextlib.suppress(incoming.Unreadable):  # refused at once is quick too
            READERS[reader](text)
        yield time.process_time() - began
