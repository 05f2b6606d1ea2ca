"""No mail, however odd, costs its readers more than its length does: every reader over every fragment, in steps.

Twice the text may take twice the steps, of each function by itself and of each pattern. What was quadratic would take
four times as many, long before a mail of full size took seconds.
"""

from __future__ import annotations

import contextlib
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pbem.engine.registry import GAMES, rules_of
from pbem.inbound import line_kinds
from pbem.mail import incoming, reply
from pbem.mail.html import as_text
from tests import steps
from tests.regexes import TooMany, looks

SMALL, TWICE = 200, 400
"""Characters of the two texts whose cost is compared: what every reader cuts off is longer."""
SPARE, SPARE_LOOKS = 60, 30
"""Steps of a function, and of a pattern, that prove nothing: what takes no more, the shorter text isn't read for."""
WHOLE = 600
"""Characters of the text by which is found which patterns look at all of one; more than any part that is cut off."""
NEAR, FAR = 400, 800
"""The same for single tries of a pattern: longer than any bound in one, the longest of which is 253."""
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


def _in_envelope(name: bytes) -> Callable[[str], object]:
    return lambda text: incoming.envelope(name + b": " + text.replace("\n", " ").encode() + b"\r\n\r\nra")


def _as_orders(game: str) -> Callable[[str], object]:
    rules = rules_of(game)
    asked = line_kinds.MailQuestion(rules, rules.grammar[0].kind, str)

    def read(text: str) -> object:
        line_kinds.read(text, asked)
        beside = reply.Reading((rules.grammar[0].example,), rest=tuple(text.splitlines()))
        line_kinds.doubt(text, beside, asked)
        line_kinds.doubt(text, reply.Reading(), asked)
        return line_kinds.resembles(text, asked)

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
    **{f"envelope {name}": _in_envelope(name.encode()) for name in ("Delivered-To", "From", "Return-Path")},
    **{f"orders of {game}": _as_orders(game) for game in GAMES},
}


def shapes(fragment: str, size: int) -> Iterator[tuple[str, int]]:
    """The fragment alone, and with a line end behind every 60 characters; and how soon each text repeats itself."""
    yield (fragment * size)[:size], len(fragment)
    line = (fragment * 60)[:60] + "\n"
    yield (line * size)[:size], len(line)


def read(reader: Callable[[str], object], text: str) -> None:
    """Read a text; to be refused at once is fine too."""
    with contextlib.suppress(incoming.Unreadable):
        reader(text)


class Scanned(str):
    """A text that knows how far it was searched, which is done by a single call of Python's own."""

    __slots__ = ("far",)

    def find(self, wanted: str, start: int = 0, *end: int) -> int:  # type: ignore[override]  # only as it is called
        """Find as all texts do, and note the characters passed."""
        found = str.find(self, wanted, start, *end)
        self.far = getattr(self, "far", 0) + (found if found >= 0 else len(self)) - start
        return found


def work(reader: Callable[[str], object], text: str) -> Counter[str]:
    """The steps of a reader over a text: calls by the name of the function, and characters that were searched."""
    seen = Scanned(text)
    count = steps.calls(lambda: read(reader, seen))
    count["characters searched"] = getattr(seen, "far", 0)
    return count


def wider(before: Counter[str], after: Counter[str]) -> dict[str, tuple[int, int]]:
    """What took far more than twice the steps, by function."""
    return {name: (before[name], count) for name, count in after.items() if count > 2.5 * before[name] + SPARE}


def grown(reader: Callable[[str], object]) -> dict[tuple[str, str], tuple[int, int]]:
    """What took far more than twice the steps for twice the text, by fragment and function."""
    found: dict[tuple[str, str], tuple[int, int]] = {}
    for fragment in FRAGMENTS:
        for long, period in shapes(fragment, TWICE):
            # Both end alike: by its last characters alone one list of addresses is refused at once, another read whole.
            short = long[(TWICE - SMALL) // period * period :]
            after = work(reader, long)
            if max(after.values()) <= SPARE:
                continue
            before = work(reader, short)
            if wider(before, after):  # or was something made that is kept from now on?
                found |= {(fragment, name): both for name, both in wider(before, work(reader, long)).items()}
    return found


@pytest.mark.parametrize("reader", READERS)
def test_a_reader_takes_steps_in_proportion(reader: str) -> None:
    """Every function that a reader calls is called twice as often for twice the text, whatever is repeated."""
    assert grown(READERS[reader]) == {}


def planted(text: str) -> None:
    """Begin anew at each character, as a parser does that doesn't know where it was."""
    for place in range(len(text) // 20):
        for _ in range(place):
            ord("x")


def planted_search(text: str) -> None:
    """Look for something to the end of the text, from each character on."""
    for place in range(len(text)):
        text.find("\N{SNOWMAN}", place)


@pytest.mark.parametrize(("slow", "name"), [(planted, "ord"), (planted_search, "characters searched")])
def test_what_takes_the_square_is_found(slow: Callable[[str], object], name: str) -> None:
    """Planted quadratic work shows by the function that is called, and by what is searched, for every fragment."""
    assert set(grown(slow)) == {(fragment, name) for fragment in FRAGMENTS}


Uses = dict[tuple[re.Pattern[Any], bool], int]
"""The characters of the longest text that a pattern was given, and whether it was looked for anywhere in it."""


class Noted:
    """Stands for a compiled pattern, and notes how it is used: only from the beginning, or wherever it may match."""

    def __init__(self, pattern: re.Pattern[Any]) -> None:
        """Take the pattern itself."""
        self.itself = pattern
        self.longest: dict[bool, int] = {}
        """The characters of the longest text, by whether it was looked for anywhere in it."""

    def __getattr__(self, name: str) -> Any:
        """Whatever the pattern has; what looks at a text notes the length of the longest."""
        own = getattr(self.itself, name)
        if not callable(own):
            return own

        def look(*given: Any, **named: Any) -> Any:
            text = given[1] if name in {"sub", "subn"} else given[0]
            anywhere = not (name in {"match", "fullmatch"} and len(given) == 1)
            self.longest[anywhere] = max(self.longest.get(anywhere, 0), len(text))
            return own(*given, **named)

        setattr(self, name, look)  # found at once the next time
        return look


class NotedPatterns:
    """What stands for each pattern, found by its identity: Python hashes a pattern by all of its code, each time."""

    def __init__(self) -> None:
        """Begin with none."""
        self._by_identity: dict[int, Noted] = {}

    def of(self, pattern: re.Pattern[Any]) -> Noted:
        """What stands for a pattern."""
        if id(pattern) not in self._by_identity:
            self._by_identity[id(pattern)] = Noted(pattern)
        return self._by_identity[id(pattern)]

    def uses(self) -> Uses:
        """How all were used."""
        found: Uses = {}
        for one in self._by_identity.values():
            for anywhere, size in one.longest.items():
                found[one.itself, anywhere] = max(found.get((one.itself, anywhere), 0), size)
        return found


@pytest.fixture(scope="module")
def uses() -> Uses:
    """How the readers use which patterns, as found by reading every fragment without line ends between."""
    noted = NotedPatterns()
    with pytest.MonkeyPatch.context() as patch:
        compiled = re._compile  # type: ignore[attr-defined]  # what every function of the module goes through

        def compile_noted(pattern: Any, flags: int) -> Any:
            return pattern if isinstance(pattern, Noted) else noted.of(compiled(pattern, flags))

        patch.setattr(re, "_compile", compile_noted)
        for module in [one for name, one in sys.modules.items() if name.startswith(("pbem.", "email.", "html"))]:
            for name, value in list(vars(module).items()):
                if isinstance(value, re.Pattern):
                    patch.setattr(module, name, noted.of(value))
                elif isinstance(value, dict) and any(isinstance(one, re.Pattern) for one in value.values()):
                    patch.setattr(module, name, {key: noted.of(one) for key, one in value.items()})
        for fragment in FRAGMENTS:
            for reader in READERS.values():
                read(reader, next(shapes(fragment, WHOLE))[0])
    return noted.uses()


def far(pattern: re.Pattern[Any], fragment: str, *, anywhere: bool) -> bool:
    """Whether a pattern looks too far on a fragment's texts.

    Where it is looked for anywhere, a try that fails is followed by the next: it must not look the farther the longer
    the text is. A try that stands alone, or takes what it looked at, may look at all of it, once.
    """
    step = len(fragment)
    for (short, period), (long, _) in zip(shapes(fragment, NEAR), shapes(fragment, FAR), strict=True):
        last = max(period, 2 * period - step - 1)
        within = {*range(period, period + step), *range(last, 2 * period)}  # of a line: both its ends
        texts = [text.encode() if isinstance(pattern.pattern, bytes) else text for text in (short, long)]
        for at in sorted(within) if anywhere else (0,):
            try:
                after = looks(pattern, texts[1], at, most=500 * FAR)
                before = looks(pattern, texts[0], at, most=500 * FAR) if after > SPARE_LOOKS else 0
            except TooMany:
                return True
            fails = anywhere and not any(pattern.match(text, at) for text in texts)
            if after > (1.3 if fails else 2.6) * before + SPARE_LOOKS:
                return True
    return False


NO_MAIL = {r"(\w+)(\w)\?"}
"""Patterns that go over the games' own grammars, never over what somebody wrote."""


def test_no_pattern_looks_too_far(uses: Uses) -> None:
    """Every pattern that is given a whole mail's text, over every fragment."""
    long = [use for use, size in uses.items() if size > WHOLE // 2]
    wide = {
        (one.pattern, fragment)
        for one, anywhere in long
        if one.pattern not in NO_MAIL
        for fragment in FRAGMENTS
        if far(one, fragment, anywhere=anywhere)
    }

    assert len(long) > 20
    assert wide == set()


@pytest.mark.parametrize("line", ["x", "x" * 59 + "\n", "x" * 61 + " \n", "x" * 75 + " ", "\n", "x="])
def test_a_whole_mail_is_looked_at_a_few_times(line: str) -> None:
    """Attachments are looked for in ten million bytes: no byte of them is looked at for each of its neighbours."""
    text = (line * FAR)[:FAR].encode()

    assert sum(looks(incoming._ENCODED, text, at, most=500 * FAR) for at in range(FAR)) < 10 * FAR


@pytest.mark.parametrize(
    ("pattern", "fragment", "anywhere"),
    [
        (r"-+x", "-", True),
        (r"\s*:", "\t", True),
        (r"<[^>]*>", "<", True),
        (r"(x+)+y", "x", False),
        (r".*.*=", "x", False),
    ],
)
def test_a_pattern_that_takes_the_square_is_found(pattern: str, fragment: str, anywhere: bool) -> None:  # noqa: FBT001 - a table
    """Each begins at every character and looks to the end, or goes over one text again and again."""
    assert far(re.compile(pattern), fragment, anywhere=anywhere)
    assert not far(re.compile(r"x{1,50}=|[^y]y"), "x", anywhere=True)
