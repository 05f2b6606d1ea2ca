from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import event, select, update

from pbem.capabilities import links
from pbem.capabilities.tokens import ADDRESS, CALENDAR, UNSUBSCRIBE
from pbem.play.seats.practice import STRENGTHS
from pbem.store.models import Letter, Member, Player
from tests.conftest import settings_in
from tests.factories import START, forged
from tests.web.club_house import House
from tests.web.conftest import words

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from flask import Flask
    from flask_sqlalchemy import SQLAlchemy

    from pbem.config import Config
    from tests.web.conftest import Table


def test_opening_a_link_sets_a_scoped_cookie_and_leads_to_a_clean_address(table: Table) -> None:
    """The cookie lasts, HttpOnly and SameSite=Lax; the address led to holds no token; nothing may keep the answer."""
    answer = table.alice.browser.client.get(table.alice.link)

    assert answer.status_code == 303
    assert table.alice.link.removeprefix("/l/") not in answer.headers["Location"]
    assert answer.headers["Location"].startswith(f"/seat/{table.alice.seat_id}/decide")
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Expires=" in cookie
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["X-Robots-Tag"] == "noindex, nofollow"


def test_a_secure_site_has_secure_cookies_and_hsts(tmp_path: Path) -> None:
    """Behind https the cookie is Secure and browsers are told to stay with https."""
    from tests.conftest import make_app  # noqa: PLC0415 - one app of another kind

    app = make_app(settings_in(tmp_path, BASE_URL="https://club.example"))

    assert app.config["SESSION_COOKIE_SECURE"] is True
    assert "max-age" in app.test_client().get("/links").headers["Strict-Transport-Security"]


def test_links_of_letters_from_before_the_first_release(table: Table) -> None:
    """They named fewer things: no more letters of a kind, and a calendar, still open, until the person's key is new."""
    alice, tokens, session = table.alice, table.tokens, table.db.session()
    old = {
        f"/mail/unsubscribe/{tokens.sign(UNSUBSCRIBE, alice.player_id, alice.seat_id, 'your_turn')}": 200,
        f"/calendar/{tokens.sign(CALENDAR, alice.player_id, 0)}.ics": 200,
        f"/address/{tokens.sign(ADDRESS, 1)}": 404,
    }

    def opened() -> dict[str, int]:
        return {path: alice.browser.get(path).status_code for path in old}

    first = opened()
    session.get_one(Player, alice.player_id).epoch += 1
    session.commit()

    assert first == old
    assert opened() == dict.fromkeys(old, 404)


def test_get_and_head_change_nothing(table: Table, rows: Callable[[], str]) -> None:
    """Whatever is opened by GET or HEAD, with every key there is, the database stays as it was, to the byte."""
    alice = table.alice
    alice.opened()
    alice.at_home()
    seat, slug = f"/seat/{alice.seat_id}", table.game.slug
    paths = [
        *(seat + tail for tail in ("", "/decide", "/decide?letter=0", "/ply/0", "/talk", "/standing", "/sent/1")),
        *(f"/games/{slug}{tail}" for tail in ("", "/ply/0", "/keepsake.html")),
        *(table.alice.link, table.alice.own_link, table.bob.link, table.charlie.link),
        *(f"/player/{alice.player_id}/settings", f"/organise/{slug}", "/", "/queue", "/links"),
        *("/rules/amunre", "/rules/priestsofra", "/rules/egizia", "/healthz", "/readyz", "/metrics", "/nothing-here"),
    ]
    before = rows()

    statuses = {path: alice.browser.client.get(path).status_code for path in paths}
    heads = {path: alice.browser.client.head(path).status_code for path in paths}

    assert rows() == before
    assert heads == statuses
    assert set(statuses.values()) <= {200, 303, 404}
    assert statuses[seat + "/decide"] == 200


def test_unknown_expired_revoked_and_foreign_look_the_same(table: Table) -> None:
    """Same status, same bytes, same headers: nobody learns by trying whether a seat or a link exists."""
    changed = forged(table.alice.link)
    revoked = "/l/" + links.seat_token(table.tokens, table.alice.seat_id, 99, 1)
    nobody = "/l/" + links.seat_token(table.tokens, 987_654, 0, 1)
    foreign = f"/seat/{table.alice.seat_id}/decide"
    browser = table.charlie.opened()

    answers = [browser.client.get(path) for path in (changed, "/l/x", revoked, nobody, foreign, "/seat/987654")]

    assert {answer.status_code for answer in answers} == {404}
    assert len({answer.data for answer in answers}) == 1
    assert len({answer.headers["Content-Length"] for answer in answers}) == 1
    assert all("Set-Cookie" not in answer.headers for answer in answers)


def test_who_opened_no_link_of_theirs_practises_with_nobody(table: Table) -> None:
    """A practice game is somebody's own."""
    guests = table.charlie.browser, table.alice.at_home()
    wish = {"game": "priestsofra", "strength": min(STRENGTHS)}

    assert [one.send("/practice/", wish, page="/links").status_code for one in guests] == [404, 303]


def test_unknown_and_revoked_links_take_the_same_work(table: Table) -> None:
    """A forged token is looked up like one of ours that was revoked: the clock tells nobody which it was."""
    asked: list[str] = []
    event.listen(table.db.engine, "before_cursor_execute", lambda *args: asked.append(args[2]))
    counts = []
    for link in ("/l/forged", forged(table.alice.link), "/l/" + links.seat_token(table.tokens, 1, 99, 1)):
        asked.clear()
        table.charlie.browser.client.get(link)
        counts.append(sum(statement.startswith("SELECT") for statement in asked))

    assert counts == [1, 1, 1]


def test_a_fresh_link_revokes_the_old_one_and_its_cookie_at_once(table: Table) -> None:
    """After "send me a fresh link" neither the old link nor a browser that had opened it gets in."""
    browser = table.alice.opened()
    assert browser.get(f"/seat/{table.alice.seat_id}").status_code == 200

    links.fresh(table.db.session(), START, table.alice.seat_id)
    table.db.session.commit()

    assert browser.get(f"/seat/{table.alice.seat_id}").status_code == 404
    assert browser.get(table.alice.link).status_code == 404


def test_an_old_link_explains_and_forwards(table: Table) -> None:
    """It says what was asked, what was answered and that the game went on, and shows what is asked today."""
    given = table.order()
    browser = table.alice.opened()
    browser.send(f"/seat/{table.alice.seat_id}/decide", act="send", ply=table.game.ply + 1, text=given, seen=given)
    table.go_on()
    table.go_on()

    page = browser.get(table.alice.link)

    assert page.status_code == 200
    said = words(page)
    assert "This link is from an older letter" in said
    assert f"You answered: {given}" in said
    assert "Look at that position" in said


@pytest.mark.parametrize("known", [True, False])
def test_mail_me_my_links_answers_every_address_alike(table: Table, *, known: bool) -> None:
    """The page is the same for known and unknown ones and never repeats them; only a known one gets a letter."""
    of_alice = table.db.session.get_one(Player, table.alice.player_id).address
    address = of_alice if known else "nobody@nile.example"

    page = table.bob.browser.send("/links", address=f" {address} ")

    assert page.status_code == 200
    assert "a letter with all links is on its way" in words(page)
    assert str(address) not in page.text
    table.db.session.rollback()
    letters = table.db.session.execute(select(Letter.player_id, Letter.state).where(Letter.kind == "fresh_link")).all()
    assert letters == [(table.alice.player_id, "pending") if known else (None, "dropped")]  # the same work for both


def test_what_is_no_address_is_refused_in_words(table: Table) -> None:
    """The refusal names the input and keeps it in the form."""
    page = table.alice.browser.send("/links", address="not an address")

    assert page.status_code == 422
    assert "“not an address” is no mail address" in words(page)
    assert 'value="not an address"' in page.text


class TestLimits:
    """With rate limits on."""

    @pytest.fixture
    def settings(self, tmp_path: Path, _sqlite: Path) -> Config:
        """Limits as on a real server."""
        import shutil  # noqa: PLC0415 - here only

        shutil.copy(_sqlite, tmp_path / "pbem.sqlite")
        return settings_in(tmp_path, RATE_LIMITS="yes")

    def test_too_many_tries_get_429_and_lock_nobody_out(self, table: Table) -> None:
        """After ten tries a minute the asker gets 429; the address owner, from elsewhere, and all links go on."""
        token = table.alice.browser.token("/links")
        form = {"csrf_token": token, "address": "player0@nile.example"}
        post = table.alice.browser.client.post
        answers = [post("/links", data=form, environ_base={"REMOTE_ADDR": "203.0.113.9"}) for _ in range(11)]

        owner = post("/links", data=form, environ_base={"REMOTE_ADDR": "198.51.100.4"})

        assert [answer.status_code for answer in answers] == [200] * 10 + [429]
        assert "Please wait a minute" in words(answers[-1])
        assert owner.status_code == 200
        assert table.alice.opened().get(f"/seat/{table.alice.seat_id}/decide").status_code == 200


class TestBehindAProxy:
    """A server whose pages are reached by https."""

    @pytest.fixture
    def settings(self, tmp_path: Path, _sqlite: Path) -> Config:
        """Https ends at a proxy on this machine."""
        import shutil  # noqa: PLC0415 - here only

        shutil.copy(_sqlite, tmp_path / "pbem.sqlite")
        return settings_in(tmp_path, RATE_LIMITS="yes", BASE_URL="https://club.example")

    def test_limits_count_by_whom_the_proxy_speaks_for(self, app: Flask) -> None:
        """One who asks too often doesn't use up the tries of everybody behind the same proxy."""
        client = app.test_client()
        form = {"address": "a@nile.example"}
        page = client.get("/links", base_url="https://club.example").text
        form["csrf_token"] = re.findall(r'name="csrf_token" value="([^"]+)"', page)[0]

        statuses = [
            client.post(
                "/links",
                data=form,
                base_url="https://club.example",
                environ_base={"REMOTE_ADDR": "127.0.0.1"},
                headers={"X-Forwarded-For": who},
            ).status_code
            for who in [*["203.0.113.9"] * 11, "198.51.100.4"]
        ]

        assert statuses == [200] * 10 + [429, 200]

    def test_figures_are_shut_without_a_token(self, app: Flask) -> None:
        """Behind a proxy everybody seems to come from this machine, so only the token opens /metrics."""
        assert app.test_client().get("/metrics", environ_base={"REMOTE_ADDR": "127.0.0.1"}).status_code == 404


@pytest.mark.usefixtures("client", "clock")
@pytest.mark.parametrize("tail", ["", "/seasons/{season}"])
def test_a_letter_of_a_club_that_is_left_leads_to_ones_own_games(app: Flask, db: SQLAlchemy, tail: str) -> None:
    """A club's letters lead to it or its season while one belongs to it, after that to one's games: never to 404."""
    house = House(app, db)
    season, bob = house.season(begun=False), house.people["Bob"]
    db.session.commit()
    to = f"club/{house.club.slug}{tail.format(season=season.slug)}"
    token = links.player_token(app.extensions["pbem.capabilities.tokens"], bob.id, bob.epoch)

    def led() -> tuple[str, int]:
        answer = house.browsers["Bob"].client.get(f"/l/{token}?to={to}", follow_redirects=True)
        return answer.request.path, answer.status_code

    before = led()
    db.session.execute(update(Member).where(Member.club_id == house.club.id).values(left_at=START))
    db.session.commit()

    assert before == (f"/{to}", 200)
    assert led() == ("/queue", 200)


@pytest.mark.usefixtures("client", "clock")
def test_a_persons_link_leads_where_its_letter_says(app: Flask, db: SQLAlchemy) -> None:
    """Each place by its word; half of one, or a word that is none, to one's own games."""
    house = House(app, db)
    alice, game, season = house.people["Alice"], house.game(), house.season(begun=False)
    db.session.commit()
    club, token = house.club.slug, links.player_token(app.extensions["pbem.capabilities.tokens"], alice.id, alice.epoch)
    queue, person = "/queue", f"/player/{alice.id}"
    places = {
        "": queue,
        "settings": f"{person}/settings",
        "account": f"{person}/account",
        f"organise/{game.slug}": f"/organise/{game.slug}",
        "organise": queue,
        "organise/": queue,
        f"club/{club}": f"/club/{club}",
        f"club/{club}/seasons/{season.slug}": f"/club/{club}/seasons/{season.slug}",
        "club": queue,
        "club/": queue,
        "club/none": queue,
        f"else/{club}": queue,
        f"else/{game.slug}": queue,
    }
    found = {to: house.browsers["Alice"].client.get(f"/l/{token}", query_string={"to": to}).location for to in places}

    assert {to: (at or "").partition("?")[0] for to, at in found.items()} == places
