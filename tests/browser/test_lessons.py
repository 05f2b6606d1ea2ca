"""First games in a real browser: played to their end by taps, in three languages; and what a card does, on one tap."""

from __future__ import annotations

from itertools import cycle, islice
from typing import TYPE_CHECKING

import pytest

from pbem.engine.registry import GAMES, guide_of
from pbem.messages import LANGUAGES, Translator
from pbem.study.lessons import LESSONS

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.browser.conftest import Site


PAIRS = list(islice(zip(cycle(LESSONS), cycle(LANGUAGES), strict=False), max(len(LESSONS), len(LANGUAGES))))
"""Each game and each language once; tests/web/public/test_learn.py plays each game in each language."""


@pytest.mark.parametrize(("game", "language"), PAIRS)
def test_a_lesson_is_played_to_its_end(site: Site, new_page: Callable[..., Page], game: str, language: str) -> None:
    """By the first, second and third choice in turn; each says why, and the last page bids farewell."""
    page, lesson, say = new_page(390), LESSONS[game], Translator(language, game=game)
    page.set_extra_http_headers({"Accept-Language": language})
    page.goto(f"{site.url}/learn/")
    page.locator(f'main a[href="/learn/{game}"]').click()
    page.wait_for_url(f"**/learn/{game}")
    for number in range(lesson.length):
        choices = page.locator("button[name=suggested]")
        why = page.locator(".suggested details").first
        why.locator("summary").click()
        assert why.locator("p").inner_text().strip()
        with page.expect_navigation():
            choices.nth(number % choices.count()).click()

    assert page.locator("main h1").inner_text() == say("Well played")
    assert say(lesson.farewell) in page.locator("main").inner_text()
    assert page.locator("button[name=suggested]").count() == 0


@pytest.mark.parametrize("game", GAMES)
def test_one_tap_tells_what_the_cards_do(site: Site, new_page: Callable[..., Page], game: str) -> None:
    """On a decision's page the fold below the board brings the glossary's words for what lies there."""
    guide, page = guide_of(game), new_page(390)
    assert guide is not None
    page.goto(site.open_game(game, plays=2).link)
    fold = page.locator("details.glossary")
    fold.locator("summary").click()
    fold.locator("dl dt").first.wait_for()
    names = fold.locator("dt").all_inner_texts()
    say = Translator("en", game=game)

    assert {name.casefold() for name in names} <= {say(entry.name).casefold() for entry in guide.entries}
    assert len(names) > 1
