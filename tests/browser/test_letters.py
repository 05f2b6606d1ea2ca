from __future__ import annotations

import base64
import re
from io import BytesIO
from statistics import mean
from typing import TYPE_CHECKING

from PIL import Image

from pbem.capabilities.tokens import Tokens
from pbem.letters.mail_context import MailContext
from pbem.letters.samples import samples
from pbem.letters.writer import preview
from pbem.mail.address import Addresses
from tests.browser.conftest import SCHEMES, violations
from tests.factories import START

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

KEYS = (("t1", "a secret for tests"),)
HOUSE = MailContext(
    addresses=Addresses(KEYS, "play.example.org"),
    tokens=Tokens(KEYS),
    base_url="https://play.example.org",
    name="Nile Club",
)


def pages(game: str, language: str) -> dict[str, str]:
    """The HTML of every letter, its picture in place."""
    found = {}
    for name, data in samples(game, language, START):
        letter, picture = preview(data, HOUSE)
        html = letter.html
        if picture is not None:
            inline = f"data:image/png;base64,{base64.b64encode(picture.png).decode()}"
            html = html.replace(f"cid:{picture.cid}", inline)
        found[name] = html
    return found


def test_axe_finds_nothing_in_any_letter(new_page: Callable[..., Page]) -> None:
    """No violation, contrast included, by day and by night; and nothing is wider than a phone.

    They are written into one window, one after the other: axe is loaded once.
    """
    page = new_page(390)
    found = {}
    for name, html in pages("amunre", "it").items():
        page.set_content(html)
        for width, scheme in zip((390, 1280), SCHEMES, strict=True):
            page.set_viewport_size({"width": width, "height": 844})
            page.emulate_media(color_scheme=scheme)
            wide = page.evaluate("document.documentElement.scrollWidth")
            if faults := violations(page) + [f"{wide} px wide"] * (wide > width):
                found[name, scheme] = faults
        # Nothing but colours may ask for the night: who can't read by day wouldn't read by night either.
        assert set(re.findall(r"@media[^{]*", html)) <= {"@media (prefers-color-scheme: dark) "}

    assert found == {}


def test_at_night_a_letter_shows_a_night_picture(new_page: Callable[..., Page], tmp_path: Path) -> None:
    """The board is light by day and dark by night, and there a seat has the colour that its mark in the text has."""
    found = pages("egizia", "en")
    file = tmp_path / "letter.html"
    file.write_text(next(html for name, html in found.items() if "your_turn" in name and "data:image" in html))
    shown = {}
    for night in (False, True):
        page = new_page(640, night=night)
        page.goto(file.as_uri())
        drawn = Image.open(BytesIO(page.locator("img.board").screenshot())).convert("RGB")
        mark = page.locator(".s-1").first.evaluate("element => getComputedStyle(element).color")
        shown[night] = drawn, tuple(map(int, re.findall(r"\d+", mark)))[:3]

    light = {night: mean(drawn.convert("L").tobytes()) for night, (drawn, _) in shown.items()}
    assert light[False] > 190
    assert light[True] < 75
    for night, (drawn, seat) in shown.items():
        dots = zip(*[iter(drawn.tobytes())] * 3, strict=True)
        near = any(sum(abs(a - b) for a, b in zip(dot, seat, strict=True)) < 60 for dot in set(dots))
        assert near, (night, seat)


def test_letters_stay_readable_without_styles_and_classes(new_page: Callable[..., Page]) -> None:
    """With every <style> and class stripped all text is there, and the button is seen on a phone's first screen."""
    page = new_page(390)
    for name, html in pages("priestsofra", "en").items():
        page.set_content(html)
        before = page.inner_text("body")
        button = page.locator(".onbutton")
        had_button = button.count() == 1
        link = button.get_attribute("href") if had_button else ""
        page.evaluate(
            "document.querySelectorAll('style, link').forEach(e => e.remove());"
            "document.querySelectorAll('[class]').forEach(e => e.removeAttribute('class'))"
        )
        assert page.inner_text("body") == before, name
        if had_button:
            box = page.locator(f'a[href="{link}"]').first.bounding_box()
            assert box is not None, name
            assert box["height"] >= 16, name
            assert box["y"] < 844, name
