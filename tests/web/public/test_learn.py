"""Lessons on pages: played by buttons and by forms, without a key, without a trace."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest

from pbem.capabilities import links
from pbem.capabilities.tokens import tokens
from pbem.cli.demo.correspondent import Page
from pbem.extensions import db
from pbem.study.lessons import LESSONS
from tests import untranslated
from tests.factories import PlayerFactory
from tests.web.conftest import Browser, words

if TYPE_CHECKING:
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse


def token(page: TestResponse) -> str:
    """The token of the page's forms."""
    found: list[str] = re.findall(r'name="csrf_token" value="([^"]+)"', page.text)
    return found[0]


@pytest.mark.parametrize("language", ["en", "it", "fr"])
@pytest.mark.parametrize("game", LESSONS)
def test_a_lesson_is_played_by_its_buttons(client: FlaskClient, game: str, language: str) -> None:
    """Each page shows one idea, its choices and the board; the last one says what comes next; no English is left."""
    tongue = {"Accept-Language": language}
    page = client.get(f"/learn/{game}", headers=tongue)
    for _ in range(LESSONS[game].length):
        choices = re.findall(r'name="suggested" value="([^"]+)"', page.text)
        assert page.status_code == 200
        assert choices
        assert len(page.data) < 100_000
        assert language == "en" or not untranslated.in_page(language, page.text)
        address = page.request.path
        sent = {"suggested": unescape(choices[0]), "csrf_token": token(page)}
        page = client.post(address, data=sent, headers=tongue, follow_redirects=True)

    assert page.status_code == 200
    assert 'name="suggested"' not in page.text
    assert '<li value="1" class="first">' in page.text
    assert f'href="/rules/{game}"' in page.text
    assert language == "en" or not untranslated.in_page(language, page.text)


@pytest.mark.parametrize("game", LESSONS)
def test_a_wrong_choice_is_said_beside_the_same_choices(client: FlaskClient, game: str) -> None:
    """An order that can't be played costs nothing: one sentence, and the page as before."""
    sent = {"suggested": "dance on the table", "csrf_token": token(client.get(f"/learn/{game}"))}
    page = client.post(f"/learn/{game}", data=sent)

    assert page.status_code == 422
    assert Page(page.text).alert
    assert 'name="suggested"' in page.text


@pytest.mark.parametrize("address", ["/learn/chess", "/learn/amunre/nonsense", "/learn/amunre/" + "A" * 9000])
def test_an_address_that_leads_nowhere_is_not_found(client: FlaskClient, address: str) -> None:
    """No such game, no such line."""
    assert client.get(address).status_code == 404


def test_the_front_page_leads_to_the_lessons(client: FlaskClient) -> None:
    """A visitor is one tap away from a first game of each title."""
    page = client.get("/").text

    assert all(f"/learn/{game}" in page for game in LESSONS)
    assert "Learn by playing" in words(client.get("/learn/"))


@pytest.mark.parametrize("asked", [{"game": "chess", "address": "zoe@example.org"}, {"game": "", "address": ""}])
def test_a_lesson_by_letter_of_no_game_leads_back_to_the_lessons(client: FlaskClient, asked: dict[str, str]) -> None:
    """Nothing is sent, and the page shows the games there are."""
    answer = Browser(client).send("/learn/letters", asked, page="/learn/")

    assert (answer.status_code, answer.headers["Location"]) == (303, "/learn/")


def test_a_wrong_address_is_said_where_it_was_written(client: FlaskClient) -> None:
    """What was typed stands there still, and one sentence says what is wrong with it."""
    page = Browser(client).send("/learn/letters", {"game": "amunre", "address": "zoe at home"}, page="/learn/")

    assert page.status_code == 422
    assert Page(page.text).alert
    assert 'value="zoe at home"' in page.text


@pytest.mark.usefixtures("db", "clock")
def test_a_lesson_by_letter_is_begun_in_its_readers_language(client: FlaskClient) -> None:
    """The page behind the letter's link and the one after the yes speak it, whatever the browser prefers."""
    reader = PlayerFactory(language="it")
    db.session.commit()
    path = f"/learn/letters/{links.lesson_token(tokens(), reader.id, reader.epoch, 'amunre')}"
    browser = Browser(client)

    for page in (browser.get(path), browser.send(path, answer="yes")):
        assert page.status_code == 200
        assert '<html lang="it"' in page.text
        assert not untranslated.in_page("it", page.text)
