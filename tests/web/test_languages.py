from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest

from pbem.messages import catalogue
from pbem.store.models import Player
from tests.web.conftest import words

if TYPE_CHECKING:
    from tests.web.conftest import Table


@pytest.mark.parametrize("language", ["en", "it", "fr"])
def test_every_page_speaks_its_readers_language(table: Table, language: str) -> None:
    """In each language every page comes whole: no hole is left unfilled, and the page says which language it is in."""
    alice = table.alice
    table.db.session.get_one(Player, alice.player_id).language = language
    table.db.session.commit()
    alice.opened()
    browser = alice.at_home()
    seat = f"/seat/{alice.seat_id}"
    paths = [f"{seat}{tail}" for tail in ("", "/decide", "/ply/0", "/talk", "/standing", "/settings")]
    paths += [f"/player/{alice.player_id}/settings", f"/organise/{table.game.slug}", "/queue"]

    pages = [browser.get(path) for path in paths]

    assert {page.status_code for page in pages} == {200}
    refused = browser.get(f"{seat}/ply/{10**6}")  # nothing is known of the table when that is said
    assert refused.status_code == 404
    pages.append(refused)
    assert all(f'<html lang="{language}">' in page.text for page in pages)
    assert not [hole for page in pages for hole in re.findall(r"\{[a-z_]+\}|\([a-z ]+\|[a-z ]+\)", words(page))]
    waits = catalogue(language).get("Why it waits", "Why it waits")
    assert waits in words(pages[0])
    assert (waits == "Why it waits") == (language == "en")


def test_every_page_of_a_reader_tells_times_by_their_clock(table: Table) -> None:
    """Whatever a page of a person or a seat shows of a moment is told in the zone of who reads it."""
    alice, tokyo = table.alice, ZoneInfo("Asia/Tokyo")
    table.db.session.get_one(Player, alice.player_id).zone = tokyo.key
    table.db.session.commit()
    browser = alice.at_home()
    browser.send(f"/player/{alice.player_id}/account", act="export")
    browser.prove(alice.player_id)
    ids = {"player_id": alice.player_id, "seat_id": alice.seat_id}
    found = [rule for rule in table.app.url_map.iter_rules() if "GET" in (rule.methods or ()) and rule.arguments]
    own = {rule.rule: rule.build(ids, append_unknown=False) for rule in found if rule.arguments <= ids.keys()}

    told = [
        (path, text, f"{datetime.fromisoformat(at).astimezone(tokyo):%H:%M}")
        for path, built in own.items()
        if built and not path.startswith("/api/")
        for at, text in re.findall(r'<time datetime="([^"]+)"[^>]*>([^<]+)<', browser.get(built[1]).text)
    ]

    assert [(path, text) for path, text, hour in told if hour not in text] == []
    assert {path for path, *_ in told} >= {"/player/<int:player_id>/account", "/seat/<int:seat_id>"}


def test_public_pages_speak_the_language_of_who_reads_them(table: Table) -> None:
    """Every page without a person in its address is in the reader's own language, whatever their browser asks for."""
    alice = table.alice
    table.db.session.get_one(Player, alice.player_id).language = "it"
    table.db.session.commit()
    browser = alice.at_home()
    rules = [rule for rule in table.app.url_map.iter_rules() if "GET" in (rule.methods or ())]
    paths = {
        rule.rule for rule in rules if set(rule.arguments) <= {"game", "slug"} and not rule.endpoint.startswith(SILENT)
    }
    filled = {path.replace("<game>", "amunre").replace("/games/<slug>", f"/games/{table.game.slug}") for path in paths}

    spoken = {path: browser.get(path, headers={"Accept-Language": "fr"}).text for path in filled if "<" not in path}

    said = {path: re.findall(r'<html lang="(\w+)"', text) for path, text in spoken.items()}
    assert {path for path, languages in said.items() if languages and languages != ["it"]} == set()
    assert {"/", "/learn/", "/rules/amunre", "/links", f"/games/{table.game.slug}"} <= {p for p in said if said[p]}


SILENT = ("health.", "assets.")
"""What asks nobody who reads it."""


def test_a_visitor_is_spoken_to_in_the_browsers_language(table: Table) -> None:
    """Without a key the browser's wish counts; a language we don't have becomes English."""
    client = table.app.test_client()

    answers = [
        client.get("/links", headers={"Accept-Language": wish}).text
        for wish in ("fr;q=0.9, de", "it-IT, en;q=0.5", "ja")
    ]

    assert [re.search(r'<html lang="(\w+)">', page)[1] for page in answers] == ["fr", "it", "en"]  # type: ignore[index]  # every page says it
