from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING, NoReturn

import pytest
from sqlalchemy import exc

from pbem.web.guards import limiter
from tests.conftest import settings_in

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    from pbem.config import Config
    from tests.web.conftest import Table

PAGES = (
    "/",
    "/queue",
    "/links",
    "/rules/priestsofra",
    "/rules/priestsofra/glossary",
    "/rules/priestsofra/reference",
    "/nothing-here",
    "/seat/{seat}",
    "/seat/{seat}/decide",
    "/seat/{seat}/ply/0",
    "/seat/{seat}/talk",
    "/seat/{seat}/standing",
    "/seat/{seat}/settings",
    "/player/{player}/settings",
    "/games/{slug}",
    "/games/{slug}/ply/0",
    "/organise/{slug}",
)


@pytest.mark.parametrize("path", PAGES)
def test_every_page_is_strict(table: Table, path: str) -> None:
    """Strict policy, no referrer, no sniffing, not stored, not indexed; no inline script or style, nothing foreign."""
    alice = table.alice
    alice.opened()
    alice.at_home()

    page = alice.browser.client.get(
        path.format(seat=alice.seat_id, player=alice.player_id, slug=table.game.slug), follow_redirects=True
    )

    assert page.status_code == (404 if path == "/nothing-here" else 200)
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert page.headers["Referrer-Policy"] == "no-referrer"
    assert page.headers["X-Frame-Options"] == "DENY"
    assert page.headers["X-Content-Type-Options"] == "nosniff"
    assert page.headers["Cache-Control"] == "no-store"
    assert page.headers["X-Robots-Tag"] == "noindex, nofollow"
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=\"/static/)", page.text)
    assert not re.findall(r'(?:src|href|action)="(?:https?:)?//(?!www\.w3\.org)[^"]*"', page.text)


def test_assets_are_cached_for_good_under_their_content_hash(table: Table) -> None:
    """Style and script carry their hash in the address, a year of caching, and come compressed where taken."""
    address = re.search(r'href="(/static/css/pbem\.css\?v=[0-9a-f]{12})"', table.alice.browser.get("/").text)
    assert address

    plain = table.alice.browser.client.get(address[1])
    packed = table.alice.browser.client.get(address[1], headers={"Accept-Encoding": "gzip"})

    assert "immutable" in plain.headers["Cache-Control"]
    assert packed.headers["Content-Encoding"] == "gzip"
    assert len(packed.data) < len(plain.data) / 2
    assert table.alice.browser.client.get("/static/css/../../app.py").status_code == 404


def test_first_paint_of_a_decision_is_under_100_kb(table: Table) -> None:
    """Page, style, scripts and fonts, as transferred, without the drawing: below 100,000 bytes."""
    client = table.alice.opened().client
    html = client.get(f"/seat/{table.alice.seat_id}/decide").text
    drawn = re.sub(r"(?s)<figure.*?</figure>", "", html)
    files = set(re.findall(r'"(/static/[^"]+\.(?:css|js|woff2|svg)(?:\?v=\w+)?)"', html))
    files |= {f"/static/fonts/Notebook{name}-latin.woff2" for name in ("Sans-SemiBold", "Serif-SemiBold")}

    sizes = {path: len(client.get(path, headers={"Accept-Encoding": "gzip"}).data) for path in files}

    assert len(files) >= 6
    assert len(drawn.encode()) + sum(sizes.values()) < 100_000, sizes


def _in_italian(answer: TestResponse) -> bool:
    """Whether a program is told in words of its language to come again."""
    (said,) = answer.get_json()["sentences"]
    return "iprova" in said or "richiama" in said


class TestComeBackLater:
    """A server whose limits are used up, or whose records are out of reach."""

    @pytest.fixture
    def settings(self, tmp_path: Path, _sqlite: Path) -> Config:
        """Limits as on a real server."""
        shutil.copy(_sqlite, tmp_path / "pbem.sqlite")
        return settings_in(tmp_path, RATE_LIMITS="yes")

    def test_whatever_says_later_says_when(
        self, app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Every address, by every method, asked too often and then without a database: each 429 and 503 has seconds."""

        def lost(*_: object, **__: object) -> NoReturn:
            raise exc.OperationalError("SELECT", {}, OSError("gone"))

        def met() -> dict[int, set[str]]:
            found: dict[int, set[str]] = {}
            for rule in app.url_map.iter_rules():
                path = rule.build(dict.fromkeys(rule.arguments, 1), append_unknown=False)
                assert path, rule
                for method in (rule.methods or set()) - {"OPTIONS", "HEAD"}:
                    answer = client.open(path[1], method=method, headers={"Accept-Language": "it"})
                    found.setdefault(answer.status_code, set()).add(rule.endpoint)
                    if answer.status_code in {429, 503}:
                        assert answer.headers["Retry-After"].isdecimal(), rule
                        assert not rule.endpoint.startswith("api.") or _in_italian(answer), rule
            return found

        monkeypatch.setattr(limiter.limiter, "hit", lambda *_, **__: False)
        monkeypatch.setattr(limiter.limiter, "test", lambda *_, **__: False)
        often = met()
        monkeypatch.undo()
        monkeypatch.setattr("sqlalchemy.orm.Session.execute", lost)
        away = met()

        assert {"learn.show", "api.queue"} <= often[429]
        assert {"home.index", "api.watchable", "health.ready"} <= away[503]
