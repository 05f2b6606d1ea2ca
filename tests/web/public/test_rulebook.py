from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest

from pbem.engine.registry import GAMES, guide_of, rules_of
from pbem.messages import LANGUAGES
from pbem.web.public import rulebook
from tests.web.conftest import words

if TYPE_CHECKING:
    from flask.testing import FlaskClient


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_can_be_pointed_at(game: str) -> None:
    """Each rule id of RULES.md that begins a line has its text and its anchor on the page, once."""
    found = rulebook.rules(game)
    anchors = re.findall(r' id="([A-Z]{2}-[^"]+)"', rulebook.page(game))

    assert len(found) > 20
    assert set(found) <= set(anchors)
    assert len(anchors) == len(set(anchors))
    assert all(len(topic.text) > 3 for topic in found.values())


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_page_shows_orders_and_facts(client: FlaskClient, game: str) -> None:
    """Beside the text stand every form of order with its example and every fact for conditions."""
    page = client.get(f"/rules/{game}/reference")

    assert page.status_code == 200
    assert all(row.example in words(page) for row in rules_of(game).grammar)
    assert all(f"<code>{name}</code>" in page.text for name in rules_of(game).facts_help)
    assert page.text.count("<h1") == 1


def test_marks_become_elements_and_nothing_else_does() -> None:
    """Bold, emphasis and code are marked up; whatever else looks like HTML is text."""
    assert rulebook.inline("**Bid** *at least* `3` <script>") == (
        "<strong>Bid</strong> <em>at least</em> <code>3</code> &lt;script&gt;"
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_rules_for_people_come_first(client: FlaskClient, game: str, language: str) -> None:
    """Goal, a round in five pictures, examples; ways to glossary and reference; under 100 kB, in the language asked."""
    page = client.get(f"/rules/{game}?language={language}")
    drawn = re.findall(r'<img src="([^"]+)"[^>]* alt="[^"]{40,}"', page.text)
    led = re.findall(rf'href="(/rules/{game}/(?:glossary|reference))[^"]*"', page.text)

    assert page.status_code == 200
    assert f'<html lang="{language}">' in page.text
    assert len(page.data) < 100_000
    assert len(drawn) == 5
    assert {client.get(unescape(url)).data[:4] for url in drawn} == {b"\x89PNG"}
    assert set(led) == {f"/rules/{game}/glossary", f"/rules/{game}/reference"}
    cited = re.findall(rf'href="/rules/{game}/reference\?language={language}#([^"]+)"', page.text)
    assert set(cited) <= set(rulebook.rules(game))
    assert len(cited) >= 4


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_glossary_has_an_anchor_for_everything(client: FlaskClient, game: str, language: str) -> None:
    """Each entry once, with its rule; under 100 kB; `here` leaves only what is named."""
    guide = guide_of(game)
    assert guide is not None
    page = client.get(f"/rules/{game}/glossary?language={language}")
    some = client.get(f"/rules/{game}/glossary?here={guide.entries[0].key}+{guide.entries[3].key}")

    assert len(page.data) < 100_000
    assert all(page.text.count(f'id="{entry.key}"') == 1 for entry in guide.entries)
    assert some.text.count("<dt>") == 2
    assert f'id="{guide.entries[3].key}"' in some.text


def test_pictures_there_are_none_of_are_not_found(client: FlaskClient) -> None:
    """Numbers from 1 to 5, three languages, day and night; whatever else is asked for leads nowhere."""
    wrong = ("0/en/day", "6/en/day", "1/de/day", "1/en/dusk")

    assert [client.get(f"/rules/amunre/picture/{tail}.png").status_code for tail in wrong] == [404] * 4
    assert client.get("/rules/chess/glossary").status_code == 404
    assert client.get("/rules/chess/picture/1/en/day.png").status_code == 404


@pytest.mark.parametrize("game", GAMES)
def test_a_game_without_a_guide_shows_its_numbered_rules(
    client: FlaskClient, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game of somebody else's package need not have written one."""
    monkeypatch.setattr("pbem.web.public.rules.guide_of", lambda _game: None)

    assert client.get(f"/rules/{game}").text.count('id="') > 40
    assert client.get(f"/rules/{game}/glossary").status_code == 404
