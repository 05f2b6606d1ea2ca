from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest

from pbem.engine.registry import GAMES, guide_of
from pbem.letters import sections
from pbem.messages import Translator
from pbem.play.views import seat_view
from tests import factories
from tests.web.conftest import Browser

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.web.conftest import Table

_RING = re.compile(r'<a id="([^"]+)" class="ring" href="#([^"]+)"><title>What happened here: number (\d+)</title>')
_EVENT = re.compile(r'<li id="([^"]+)"><a class="n" href="#([^"]+)" aria-label="ring (\d+) on the board">(\d+)</a>')


def linked(page: str) -> dict[str, list[str]]:
    """Each numbered event of a page by its id, with the rings that lead to it; asserts that all links hold."""
    ids = re.findall(r'\bid="([^"]+)"', page)
    rings = _RING.findall(page)
    leading: dict[str, list[str]] = {}
    for ring, event, number in rings:
        assert event.endswith(f"-event-{number}")
        leading.setdefault(event, []).append(ring)
    events = _EVENT.findall(page)

    assert len(set(ids)) == len(ids)
    assert {event: back for event, back, _, _ in events} == {event: found[0] for event, found in leading.items()}
    assert all(event.endswith(f"-event-{said}") and said == shown for event, _, said, shown in events)
    return leading


@pytest.mark.parametrize("game", GAMES)
def test_numbers_lead_from_the_board_to_the_event_and_back(set_table: Callable[..., Table], game: str) -> None:
    """On the game's, the decision's, the history's and the spectators' pages each number is a link that holds."""
    table = set_table(game=game)
    while table.game.ply < 8:
        table.go_on()
    guest = next(
        guest
        for guest in (table.alice, table.bob)
        if any(decision.seat == guest.seat for decision in factories.asked(table.db.session(), table.game))
    )
    seat, slug = f"/seat/{guest.seat_id}", table.game.slug
    paths = [seat, f"{seat}/decide", *(f"{seat}/ply/{ply}" for ply in range(9)), f"/games/{slug}"]

    found = [linked(guest.opened().get(path).text) for path in paths]

    assert sum(map(bool, found)) >= len(found) / 2


def test_a_keepsakes_numbers_stay_within_their_position(set_table: Callable[..., Table]) -> None:
    """All positions stand in one file: each one's rings lead to its own events, its signs to its own drawings."""
    table = set_table(here=factories.near_the_end("priestsofra", 3))
    factories.play_to_the_end(table.db.session(), factories.START, table.game)

    page = Browser(table.app.test_client()).get(f"/games/{table.game.slug}/keepsake.html").text
    found = linked(page)

    assert set(re.findall(r'<use href="#([^"]+)"', page)) <= set(re.findall(r'<symbol id="([^"]+)"', page))
    assert page.count("<use ") > 100
    assert len(found) > 20
    for event, rings in found.items():
        position = event.split("-", 1)[0]
        assert re.fullmatch(r"p\d+", position)
        assert all(ring.startswith(f"{position}-") for ring in rings)


@pytest.mark.parametrize("game", GAMES)
def test_a_letter_numbers_what_happened_as_the_page_does(set_table: Callable[..., Table], game: str) -> None:
    """The same numbers stand beside the same events, and on the letter's picture."""
    table = set_table(game=game)
    while table.game.ply < 6:
        table.go_on()
    session, guest = table.db.session(), table.alice
    seen = seat_view.situation(session, factories.START, guest.seat_id, pictured=True)
    say = Translator("en", names=[face.name for face in seen.players])

    board, _, news = sections.board_of(seen, say, pictured=True)
    told = [(one.text, one.ring) for one in news]
    page = guest.opened().get(f"/seat/{guest.seat_id}").text

    assert {ring for _, ring in told} - {0} == set(board.rings)
    assert [str(ring) for _, ring in told if ring] == [shown for _, _, _, shown in _EVENT.findall(page)]
    assert board.rings


def test_a_letter_without_a_picture_bears_no_numbers(set_table: Callable[..., Table]) -> None:
    """There is no ring for them to name."""
    table = set_table(game="amunre")
    seen = seat_view.situation(table.db.session(), factories.START, table.alice.seat_id)
    say = Translator("en", names=[face.name for face in seen.players])

    _, picture, news = sections.board_of(seen, say, pictured=False)

    assert picture is None
    assert not any(one.ring for one in news)


@pytest.mark.parametrize("game", GAMES)
def test_what_a_board_names_is_explained_and_nothing_else(set_table: Callable[..., Table], game: str) -> None:
    """A way leads from a game's page to the cards and spaces on its board."""
    alice = set_table(game=game).alice
    led = alice.opened().client.get(f"/seat/{alice.seat_id}?things")

    here = parse_qs(urlsplit(led.headers["Location"]).query)["here"][0].split()
    guide = guide_of(game)
    assert guide is not None
    assert set(here) < {entry.key for entry in guide.entries}
