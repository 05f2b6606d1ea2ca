"""Looking back on a finished game: its page, its picture, its keepsake, and the same game once more."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.capabilities import links
from pbem.engine.registry import GAMES
from pbem.messages import LANGUAGES, Translator
from pbem.store.models import Game, Invitation, Player, Seat, StoredPly
from tests import built, factories
from tests.factories import near_the_end, play_to_the_end
from tests.web.conftest import words
from tests.web.test_orders_in_words import left_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.web.conftest import Table


@pytest.fixture
def finished(set_table: Callable[..., Table]) -> Callable[[str], Table]:
    """Give a function that plays a game of two people and a bot to its end."""

    def play(game: str) -> Table:
        table = set_table(game=game, people=2, bots=("random",))
        built.once(f"finished {game}", lambda: play_to_the_end(table.db.session(), factories.START, table.game))
        return table

    return play


@pytest.fixture
def over(set_table: Callable[..., Table]) -> Table:
    """A game that is over, however it went."""
    table = set_table(here=near_the_end("priestsofra", 3))
    built.once("over", lambda: play_to_the_end(table.db.session(), factories.START, table.game))
    return table


@pytest.mark.parametrize("game", GAMES)
def test_a_finished_game_is_told_by_source_and_curve(finished: Callable[[str], Table], game: str) -> None:
    """Sources, the lead, what turned it, luck; every moment leads to its position; two formats of one picture."""
    table = finished(game)
    browser, slug = table.alice.opened(), table.game.slug

    page = browser.get(f"/games/{slug}/result")

    told = words(page)
    assert page.status_code == 200
    assert len(page.data) < 100_000
    for heading in ("Points by source", "How the points went", "What turned it", "The luck of the draws"):
        assert heading in told
    assert ("What was paid, and what it brought" in told) == (game != "egizia")
    assert f'href="/games/{slug}/ply/' in page.text
    assert "<polyline" in page.text
    svg, png = browser.get(f"/games/{slug}/result.svg"), browser.get(f"/games/{slug}/result.png")
    assert (svg.mimetype, png.mimetype) == ("image/svg+xml", "image/png")
    assert "Nile by Night" in svg.text
    assert png.data.startswith(b"\x89PNG")
    kept = browser.get(f"/games/{slug}/keepsake.html")
    assert "How the points went" in kept.text
    assert f"/games/{slug}/ply/" not in kept.text
    jumps = re.findall(r'<a(?: class="button" data-round)? href="#(p\d+)"', kept.text)
    assert len(jumps) > len(re.findall("data-round", kept.text.split("<script>")[0])) >= 3
    assert all(f'id="{place}"' in kept.text for place in jumps)
    assert browser.get(f"/games/{slug}/ply/3").text.count(f'href="/games/{slug}/result"') == 1
    assert f'href="/games/{slug}/result"' in browser.get(f"/seat/{table.alice.seat_id}").text
    for language in LANGUAGES[1:]:
        assert list(_orders_in_english(table, language)) == []


def _orders_in_english(table: Table, language: str) -> Iterator[str]:
    """Orders of a finished game that its result and its last position show a reader of `language` in English."""
    session, say = table.db.session(), Translator(language, game=table.game.game)
    session.get_one(Player, table.alice.player_id).language = language
    session.commit()
    plies = session.execute(select(StoredPly.orders).where(StoredPly.game_id == table.game.id)).scalars()
    english = {order for orders in plies for order in orders.values() if say.order(order) != order}
    assert english
    for tail in ("result", f"ply/{table.game.ply}"):
        page = table.alice.browser.get(f"/games/{table.game.slug}/{tail}", headers={"Accept-Language": language})
        assert f'lang="{language}"' in page.text
        yield from left_in(page.text, english)


def test_a_game_that_goes_on_is_not_looked_back_on(table: Table) -> None:
    """Neither page nor picture nor rematch, for nobody: what is hidden stays so."""
    for tail in ("result", "result.svg", "result.png"):
        assert table.alice.opened().get(f"/games/{table.game.slug}/{tail}").status_code == 404


def test_a_rematch_asks_the_same_people_by_letter(over: Table) -> None:
    """One tap: the asker sits, the other person is invited, the bot is there; a second tap opens nothing more."""
    table = over
    session, path = table.db.session(), f"/games/{table.game.slug}/result"
    browser = table.alice.at_home()

    answer = browser.send(path, act="rematch")

    assert answer.status_code == 303
    opened = session.execute(select(Game).where(Game.title == "Nile by Night (2)")).scalar_one()
    seats = session.execute(select(Seat).where(Seat.game_id == opened.id).order_by(Seat.seat)).scalars().all()
    asked = session.execute(select(Invitation).where(Invitation.game_id == opened.id)).scalars().all()
    assert [seat.player_id for seat in seats].count(table.alice.player_id) == 1
    assert [seat.bot for seat in seats].count("random") == 1
    assert [one.player_id for one in asked] == [table.bob.player_id]
    assert opened.options == table.game.options
    assert opened.seed != table.game.seed
    assert len(factories.letters(session, "invitation")) == 1
    again = browser.send(path, act="rematch", page_of="tomorrow")  # another form: the same one leads where it led
    assert again.status_code == 422
    assert "waits for its players already" in words(again)


def test_a_rematch_with_bots_alone_begins_at_once(over: Table) -> None:
    """Nobody has to be asked: the queue shows the first decision instead of a word about letters."""
    over.without_bob()

    alice, path = over.alice.at_home(), f"/games/{over.game.slug}/result"
    assert "Rematch against the same bots" in alice.get(path).text

    answer = alice.send(path, act="rematch")

    assert answer.location == "/queue"


def test_the_last_letter_leads_to_the_rematch(over: Table) -> None:
    """Its link opens the look back with the button on it, also in a browser that never held a key before."""
    table, alice = over, over.alice
    link = links.seat_token(table.tokens, alice.seat_id, 0, table.game.ply, alice.player_id, 0)

    page = alice.browser.client.get(f"/l/{link}?to=result", follow_redirects=True)

    assert page.request.path == f"/games/{table.game.slug}/result"
    assert "Rematch: ask the same players again" in page.text


def test_who_was_told_alone_is_named_once_all_is_open(finished: Callable[[str], Table]) -> None:
    """What only a seat was told says "you": to everybody it is told with whom that means."""
    table = finished("amunre")
    path = f"/games/{table.game.slug}/ply"
    shown = (words(table.alice.browser.get(f"{path}/{ply}")) for ply in range(table.game.ply + 1))
    drew = list(islice((page for page in shown if "You draw" in page), 3))

    assert len(drew) == 3
    assert all(re.search(r"To [^:]+ alone: You draw", page) for page in drew)


def test_only_who_played_asks_for_a_rematch(over: Table) -> None:
    """A stranger sees no button, and the form sent all the same opens nothing."""
    table = over
    path = f"/games/{table.game.slug}/result"
    stranger = table.charlie.at_home()
    before = len(table.db.session().execute(select(Game.id)).all())

    assert "Rematch" not in stranger.get(path).text
    assert stranger.send(path, page="/practice/", act="rematch").status_code == 404
    assert len(table.db.session().execute(select(Game.id)).all()) == before


def test_a_rematch_in_a_club_asks_members_only(set_table: Callable[..., Table]) -> None:
    """Who has left the club is not asked: their seat is for whoever comes; who left can't ask."""
    table = set_table(here=near_the_end("priestsofra", 3))
    session = table.db.session()
    factories.in_a_club(session, table.game, table.alice.player_id)
    session.commit()
    play_to_the_end(session, factories.START, table.game)
    path = f"/games/{table.game.slug}/result"

    refused = table.bob.at_home().send(path, act="rematch")
    taken = table.alice.at_home().send(path, act="rematch")

    assert refused.status_code == 422
    assert taken.status_code == 303
    opened = session.execute(select(Game).where(Game.title == "Nile by Night (2)")).scalar_one()
    assert session.execute(select(Invitation).where(Invitation.game_id == opened.id)).scalars().all() == []
    assert [seat.player_id for seat in session.execute(select(Seat).where(Seat.game_id == opened.id)).scalars()].count(
        None
    ) == 2
