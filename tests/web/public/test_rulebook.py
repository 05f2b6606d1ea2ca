from __future__ import annotations

import re
from html import unescape
from io import BytesIO
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from pbem import packages
from pbem.engine.registry import GAMES, guide_of, rules_of
from pbem.messages import LANGUAGES, Translator
from pbem.pictures.elements import NIGHT, PALETTE
from pbem.web.public import rulebook
from tests import untranslated
from tests.web.conftest import words

if TYPE_CHECKING:
    from flask.testing import FlaskClient


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_can_be_pointed_at(game: str) -> None:
    """Each rule id of RULES.md that begins a line has its text and its anchor on the page, once."""
    found = rulebook.rules(game, "en")
    anchors = re.findall(r' id="([A-Z]{2}-[^"]+)"', rulebook.page(game))

    assert len(found) > 20
    assert set(found) <= set(anchors)
    assert len(anchors) == len(set(anchors))
    assert all(len(topic.text) > 3 for topic in found.values())


def _blocks(game: str, language: str) -> list[tuple[str, str]]:
    """Each block of a rules text in plain Markdown, with the rule's id or nothing, tables left out."""
    text = packages.text(game, f"RULES.{language}.md" if language != "en" else "RULES.md")
    prose = [line for line in text.splitlines() if not line.lstrip().startswith(("|", "["))]
    found: list[tuple[str, str]] = []
    for line in filter(str.strip, prose):
        rule = re.match(r"- \*\*([A-Z]{2}-[\d.]+)\*\*", line)
        if line.startswith("  ") and found:
            found[-1] = (found[-1][0], found[-1][1] + line)
        else:
            found.append((rule[1] if rule else "", line))
    return found


@pytest.mark.parametrize("language", LANGUAGES[1:])
@pytest.mark.parametrize("game", GAMES)
def test_each_rule_says_the_same_in_each_language(game: str, language: str) -> None:
    """The same rules in the same order, with the same numbers and the same words to type; none left in English."""
    english, other = _blocks(game, "en"), _blocks(game, language)
    stated = [(rule, text) for rule, text in english if rule]
    told = [(rule, text) for rule, text in other if rule]

    assert [rule for rule, _ in told] == [rule for rule, _ in stated]
    for (rule, here), (_, there) in zip(stated, told, strict=True):
        assert sorted(re.findall(r"`[^`]+`", here)) == sorted(re.findall(r"`[^`]+`", there)), rule
        assert sorted(_numbers(here)) == sorted(_numbers(there)), rule
        assert here.casefold() != there.casefold(), rule
    headings = [sum(text.startswith("#") for _, text in blocks) for blocks in (english, other)]
    assert headings[1] >= headings[0] - 2  # the tables of cards stand under one heading


def _flat(text: str) -> str:
    """A text without spaces and marks, which a page sets anew."""
    return re.sub(r"[\s`*]+", "", unescape(text))


def _numbers(text: str) -> list[str]:
    """The figures of a rule, those within words to type left out."""
    return re.findall(r"\d+", re.sub(r"`[^`]+`", "", text))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_reference_is_told_in_each_language(client: FlaskClient, game: str, language: str) -> None:
    """Every rule is there to be pointed at, the tables are in the reader's words, and nothing is said to be English."""
    page = client.get(f"/rules/{game}/reference?language={language}")
    say = Translator(language, game=game)

    assert f'<article class="rules stack" lang="{language}">' in page.text
    assert len(page.data) < 100_000
    assert set(rulebook.rules(game, language)) == set(rulebook.rules(game, "en"))
    shown = _flat(words(page))
    assert [row.meaning for row in rules_of(game).grammar if _flat(say(row.meaning)) not in shown] == []
    assert "[orders]" not in page.text
    assert "[printed]" not in page.text
    assert language == "en" or not untranslated.in_page(language, page.text)


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
    """Goal, a round in five pictures, examples; ways to glossary and reference; under 100 kB, in the language asked.

    Each picture is as high as the page says.
    """
    page = client.get(f"/rules/{game}?language={language}")
    drawn = re.findall(r'<img src="([^"]+)"[^>]* height="(\d+)"[^>]* alt="[^"]{40,}"', page.text.replace("\n", " "))
    pictures = [client.get(unescape(url)).data for url, _ in drawn]
    led = re.findall(rf'href="(/rules/{game}/(?:glossary|reference))[^"]*"', page.text)

    assert page.status_code == 200
    assert f'<html lang="{language}">' in page.text
    assert len(page.data) < 100_000
    assert len(drawn) == 5
    assert {one[:4] for one in pictures} == {b"\x89PNG"}
    assert [int.from_bytes(one[20:24]) for one in pictures] == [int(height) for _, height in drawn]
    assert set(led) == {f"/rules/{game}/glossary", f"/rules/{game}/reference"}
    cited = re.findall(rf'href="/rules/{game}/reference\?language={language}#([^"]+)"', page.text)
    assert set(cited) <= set(rulebook.rules(game, "en"))
    assert len(cited) >= 4
    assert language == "en" or not untranslated.in_page(language, page.text)


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
    assert language == "en" or not untranslated.in_page(language, page.text)
    assert f'id="{guide.entries[3].key}"' in some.text


def test_a_picture_by_night_is_dark(client: FlaskClient) -> None:
    """Its paper is night's where the address says so, and day's where it says that."""
    for light, palette in (("day", PALETTE), ("night", NIGHT)):
        drawn = client.get(f"/rules/priestsofra/picture/1/en/{light}.png").data
        assert f"#{Image.open(BytesIO(drawn)).convert('RGB').tobytes()[:3].hex()}" == palette["paper"]


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
