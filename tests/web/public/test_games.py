from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

from pbem.engine.core.message import Message
from pbem.engine.replay import mismatches
from pbem.play.seats import substitutes
from pbem.play.views import spectator
from pbem.store.models import OVER, GameState, Player, Seat, StoredPly
from pbem.study.lookback import TurningPoint
from pbem.web.public import results
from tests import factories
from tests.web.conftest import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.web.conftest import Browser, Table


def stranger(table: Table) -> Browser:
    """Somebody without any key."""
    from tests.web.conftest import Browser  # noqa: PLC0415 - here only

    return Browser(table.app.test_client())


def test_spectators_see_the_board_and_nobodys_orders(table: Table) -> None:
    """The public page shows the position and who is to move; no order, no cookie, no form."""
    page = stranger(table).client.get(f"/games/{table.game.slug}")

    assert page.status_code == 200
    assert "as spectators see it" in words(page)
    assert "<svg" in page.text
    assert "The orders" not in words(page)
    assert "Set-Cookie" not in page.headers
    assert "<form" not in page.text


def test_spectators_are_behind_by_the_organisers_delay(table: Table) -> None:
    """With a delay of two plies the newest position shown is two back, and later ones are unknown."""
    for _ in range(3):
        table.go_on()
    table.game.watch_delay = 2
    table.db.session.commit()
    last, slug = table.game.ply, table.game.slug

    page = stranger(table).get(f"/games/{slug}")

    assert f"Position {last - 2} of {last - 2}" in words(page)
    assert stranger(table).get(f"/games/{slug}/ply/{last - 1}").status_code == 404
    assert stranger(table).get(f"/games/{slug}/ply/{last - 2}").status_code == 200


def test_who_plays_is_led_from_what_spectators_see_to_their_seat(table: Table) -> None:
    """A club's, a season's and the front page's links lead here, players too; others get no such way."""
    link = f'href="/seat/{table.alice.seat_id}"'

    assert table.alice.at_home().get(f"/games/{table.game.slug}").text.count(link) == 1
    assert "/seat/" not in stranger(table).get(f"/games/{table.game.slug}").text


def test_a_closed_game_can_be_watched_by_nobody(table: Table) -> None:
    """Delay -1: the page looks as if there were no such game."""
    table.game.watch_delay = -1
    table.db.session.commit()

    page = stranger(table).get(f"/games/{table.game.slug}")

    assert page.status_code == 404
    assert page.data == stranger(table).get("/games/nothing").data
    assert table.game.title not in stranger(table).get("/").text


def test_a_running_game_has_no_keepsake(table: Table) -> None:
    """Nor a record, nor proof of what was drawn: its orders and its seed are still secret."""
    for whole in ("keepsake.html", "record.txt", "verify"):
        assert stranger(table).get(f"/games/{table.game.slug}/{whole}").status_code == 404
    assert table.game.seed not in stranger(table).get(f"/games/{table.game.slug}").text


def test_a_finished_game_shows_every_order_and_its_keepsake_is_one_file(set_table: Callable[..., Table]) -> None:
    """All positions, orders, the result and the seed; the keepsake loads nothing, and no id stands twice in it."""
    table = set_table(game="priestsofra")
    factories.play_to_the_end(table.db.session(), factories.START, table.game)
    table.game.club_id = factories.ClubFactory(name="Players of the Nile").id
    table.db.session.commit()
    slug, last = table.game.slug, table.game.ply
    ply = table.db.session.query(StoredPly).filter_by(game_id=table.game.id, ply=1).one()
    ((_, order),) = ply.orders.items()

    page = stranger(table).get(f"/games/{slug}/ply/1")
    end = stranger(table).get(f"/games/{slug}")
    kept = stranger(table).get(f"/games/{slug}/keepsake.html")
    record = stranger(table).get(f"/games/{slug}/record.txt").text

    assert mismatches(record) == ()
    assert sha256(table.game.seed.encode()).hexdigest() in end.text
    assert f'<code class="order">{order}</code>' in page.text
    assert "The result" in words(end)
    podium = re.findall(r'(?s)<li value="(\d)".*?</svg>([^<]+)<b>(-?\d+)</b>', end.text)
    assert [int(place) for place, _, _ in podium] == sorted(int(place) for place, _, _ in podium)
    assert [int(points) for _, _, points in podium] == sorted((int(points) for _, _, points in podium), reverse=True)
    assert len(podium) == len(end.text.split("<tbody>")[1].split("</tbody>")[0].split("<tr")) - 1 == 3
    assert "Keep this game as one file" in words(end)
    assert kept.headers["Content-Disposition"].startswith("attachment")
    assert kept.text.count('class="step stack"') == last + 1
    assert table.game.seed in kept.text
    assert "· Players of the Nile" in kept.text
    assert not re.findall(r'(?:src|href)="(?!#)[^"]*"|url\((?!#|"data:)[^)]*\)|@import', kept.text)
    ids = re.findall(r'\sid="([^"]+)"', kept.text)
    assert len(ids) == len(set(ids))


def test_the_front_page_leads_to_what_can_be_watched(table: Table) -> None:
    """Games under way and the rules of every game are one step away."""
    page = stranger(table).get("/")

    assert f'href="/games/{table.game.slug}"' in page.text
    assert all(f'href="/rules/{name}"' in page.text for name in ("amunre", "priestsofra", "egizia"))


def test_history_shows_a_seat_what_it_may_know_of_every_position(table: Table) -> None:
    """Each position of one's own game can be opened, with its events; a position to come can't."""
    table.go_on()
    browser, seat = table.alice.opened(), table.alice.seat_id

    pages = [browser.get(f"/seat/{seat}/ply/{n}") for n in range(table.game.ply + 2)]

    assert [page.status_code for page in pages] == [200] * (table.game.ply + 1) + [404]
    assert "What happened here" in words(pages[1])
    assert f'data-last="{table.game.ply}"' in pages[0].text
    assert f'rel="next" href="/seat/{seat}/ply/1"' in pages[0].text


def test_key_moments_of_a_running_game_end_where_its_reader_may_look(set_table: Callable[..., Table]) -> None:
    """A seat's lead to positions up to the present one; spectators' to none within their delay."""
    table = set_table(game="priestsofra", people=2, bots=("random",), seed="moments")
    slug, seat = table.game.slug, f"/seat/{table.alice.seat_id}"
    browser = table.alice.opened()
    while "Key moments so far" not in (page := browser.get(f"{seat}/ply/0").text):
        table.go_on()
    own = [int(n) for n in re.findall(rf'<li><a href="{seat}/ply/(\d+)', page)]

    assert own
    assert max(own) <= table.game.ply
    assert "What turned it" not in page
    table.game.watch_delay = table.game.ply - min(own) + 1
    table.db.session.commit()
    assert "Key moments so far" not in stranger(table).get(f"/games/{slug}/ply/0").text


def test_the_film_jumps_by_round_and_by_what_turned_it(set_table: Callable[..., Table]) -> None:
    """Without scripts: a link to each round's beginning that may be seen; once it is over also to what turned it."""
    table = set_table(game="amunre", people=2, bots=("random",))
    slug, seat = table.game.slug, f"/seat/{table.alice.seat_id}"
    while len(re.findall("data-round", table.alice.opened().get(f"{seat}/ply/0").text)) < 2:
        table.go_on()
    starts = re.findall(r'data-round href="([^"]+)"', table.alice.browser.get(f"{seat}/ply/0").text)
    assert starts[0] == f"{seat}/ply/0"
    assert "What turned it" not in table.alice.browser.get(f"{seat}/ply/0").text
    table.game.watch_delay = 1
    table.db.session.commit()
    assert "data-round" not in stranger(table).get(f"/games/{slug}/ply/0").text  # the second round is not theirs yet

    factories.play_to_the_end(table.db.session(), factories.START, table.game)

    page = stranger(table).get(f"/games/{slug}/ply/0")
    assert len(re.findall("data-round", page.text)) == 6
    turned = re.findall(r'<li><a href="([^"]+)"', page.text.split("What turned it")[1])
    assert turned
    for path in turned:
        assert 'aria-current="true"' in stranger(table).get(path).text


@pytest.mark.parametrize("state", OVER)
def test_a_seats_page_leads_only_to_what_there_is_of_a_game_that_is_over(
    set_table: Callable[..., Table], state: GameState
) -> None:
    """Played to its end or ended by agreement: no way to plans, a score to come or a seat's care; each way opens."""
    table = set_table(here=factories.near_the_end("priestsofra", 3))
    if state is GameState.FINISHED:
        factories.play_to_the_end(table.db.session(), factories.START, table.game)
    seat, browser = f"/seat/{table.alice.seat_id}", table.alice.at_home()
    if state is GameState.ENDED:
        table.without_bob()
        browser.send(f"{seat}/settings", act="propose", kind="end", sure="yes")
    page = browser.get(seat)
    ways = {one.partition("#")[0] for one in re.findall(r'<a\b[^>]*? ?href="(/[^"]*)"', page.text, re.DOTALL)}

    assert "Why it waits" not in words(page)
    assert not ways & {f"{seat}/{part}" for part in ("score", "settings", "standing", "plan")}
    assert {f"/games/{table.game.slug}/{part}" for part in ("result", "keepsake.html", "verify")} <= ways
    assert [one for one in sorted(ways) if browser.get(one).status_code != 200] == []


def test_what_is_told_of_a_ply_is_of_who_had_the_seat_then(set_table: Callable[..., Table]) -> None:
    """Orders, boards, moments and purchases; on a seat's pages, on spectators', in the keepsake and in the result."""
    table = set_table(here=factories.near_the_end("priestsofra", 3), people=2, bots=("random",))
    session, game, bob = table.db.session(), table.game, table.bob

    while str(bob.seat) not in session.query(StoredPly).filter_by(game_id=game.id, ply=game.ply).one().orders:
        table.go_on()
    ply, by, before = game.ply, game.organiser_id or 0, session.get_one(Player, bob.player_id).name
    nora = factories.PlayerFactory(name="Nora")
    substitutes.replace(session, factories.START, game.id, bob.seat, nora.id, by)
    session.commit()
    factories.play_to_the_end(session, factories.START, game)
    own, watched = f"/seat/{bob.seat_id}/ply/{ply}", f"/games/{game.slug}/ply/{ply}"
    paths = [own, watched, f"{own}/analysis", f"{watched}/analysis", f"/games/{game.slug}/keepsake.html"]
    browser = table.guest(session.get_one(Seat, bob.seat_id)).opened()
    *pages, kept = [browser.get(path).text for path in paths]
    mover, buyer = re.compile(r"<dt>.*?</svg>\s*([^<]+?)\s*</dt>", re.DOTALL), re.compile("</svg>([^<]+)</span></th>")
    board = re.compile(r'<figure class="board"(?! hidden)>?.*?</figure>', re.DOTALL)

    assert [mover.findall(page) for page in pages[:2]] == [[before], [before]]
    assert {before, "Nora"} <= set(mover.findall(kept))
    assert {"Nora"} == {before, "Nora"} & set(buyer.findall(kept))  # all of it later
    drawn = [board.findall(page)[0] for page in pages]
    steps = board.findall(kept)[-game.ply - 1 :]
    assert [(before in one, "Nora" in one) for one in drawn] == [(True, False)] * len(pages)
    assert [(before in one, "Nora" in one) for one in steps] == [(at <= ply, at > ply) for at in range(game.ply + 1)]
    s = spectator.watch(session, factories.START, game.slug).situation
    moment = TurningPoint(ply, Message("{seat} leads.", {"seat": bob.seat}))
    assert results._named(s, (moment,))[0].what.params == {"seat": before}
