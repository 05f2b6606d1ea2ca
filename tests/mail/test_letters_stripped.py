from __future__ import annotations

import functools
import re

import pytest

from pbem.capabilities.tokens import Tokens
from pbem.engine.registry import GAMES
from pbem.letters.mail_context import MailContext
from pbem.letters.samples import samples
from pbem.letters.writer import preview
from pbem.mail.address import Addresses
from pbem.mail.html import as_text
from pbem.mail.render import HTML_LIMIT
from pbem.messages import LANGUAGES
from tests.factories import START
from tests.pictures.test_marks import contrast

KEYS = (("t1", "a secret for tests"),)
HOUSE = MailContext(
    addresses=Addresses(KEYS, "play.example.org"),
    tokens=Tokens(KEYS),
    base_url="https://play.example.org",
    name="Nile Club",
)
BUTTON = re.compile(
    r'<td(?: [a-z]+="[^"]*")* style="padding:(?P<padding>\d+)px \d+px;background-color:(?P<back>#[0-9a-f]{6});">\s*'
    r'<a href="https://play\.example\.org/[^"]+" style="font:bold (?P<size>\d+)px/[^;]+;color:(?P<ink>#[0-9a-f]{6});'
)


@functools.cache
def letters(game: str, language: str) -> dict[str, tuple[str, str]]:
    """Kind and HTML of every letter about a game in one language, by name."""
    return {name: (data.kind, preview(data, HOUSE)[0].html) for name, data in samples(game, language, START)}


def stripped(html: str) -> str:
    """The letter as it is left by a mail program that takes away style sheets, links to them, and classes."""
    bare = re.sub(r"<style.*?</style>|<link[^>]*>", "", html, flags=re.DOTALL)
    return re.sub(r' class="[^"]*"', "", bare)


@pytest.mark.parametrize(("game", "language"), [(game, code) for game in GAMES for code in LANGUAGES])
def test_letters_need_no_style_sheet(game: str, language: str) -> None:
    """Stripped of all but inline styles, every letter has its words, nothing hidden, and a button to see and hit."""
    for name, (kind, html) in letters(game, language).items():
        bare = stripped(html)
        assert "<style" in html, name
        assert as_text(bare) == as_text(html), name
        assert not re.search(r"display:|visibility:|font-size:0|hidden", bare), name
        buttons = list(BUTTON.finditer(bare))
        assert len(buttons) == (kind != "login_code"), name
        for button in buttons:
            assert contrast(button["ink"], button["back"]) >= 4.5, name
            assert 2 * int(button["padding"]) + int(button["size"]) >= 40, name


@pytest.mark.parametrize(("game", "language"), [(game, code) for game in GAMES for code in LANGUAGES])
def test_letters_are_not_clipped(game: str, language: str) -> None:
    """With its picture told in words too, every letter's HTML is shorter than what Gmail shows whole."""
    for name, (_, html) in letters(game, language).items():
        assert len(html.encode()) < HTML_LIMIT, name
