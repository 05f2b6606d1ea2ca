"""What the settings of a server become in the app, and what becomes of a request that met another one."""

from __future__ import annotations

import logging
import re
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from flask import Flask, request
from sqlalchemy import Column, Integer, MetaData, Table, func, select, text
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.orm import Mapper, registry

from pbem import clock, logs
from pbem.extensions import READING, db
from pbem.store.models import Pulse
from tests.conftest import make_app, settings_in

if TYPE_CHECKING:
    from collections.abc import Iterator

OLD, NEW = "ijklmnop" * 4, "abcdefgh" * 4
RELAYS: dict[str, dict[str, Any]] = {
    "": {"BACKEND": "dummy"},
    "smtp://relay": {"PORT": 25, "USE_SSL": False, "USE_TLS": False, "USERNAME": None, "PASSWORD": None},
    "smtp://a:b@relay": {"PORT": 25, "USE_SSL": False, "USE_TLS": True, "USERNAME": "a", "PASSWORD": "b"},
    "smtp://a%40b:c%2Fd@relay:587": {"PORT": 587, "USE_TLS": True, "USERNAME": "a@b", "PASSWORD": "c/d"},
    "smtps://a:b@relay": {"PORT": 465, "USE_SSL": True, "USE_TLS": False, "SERVER": "relay"},
    "smtps://relay:2465": {"PORT": 2465, "USE_SSL": True, "USE_TLS": False},
}
"""By its address what is known of a relay: who has a user there tells the password by TLS only."""


@pytest.mark.parametrize("address", RELAYS)
def test_a_relay_is_known_by_its_address(tmp_path: Path, address: str) -> None:
    """Its port where none is named, whether the line is safe at once or made so, and the user as typed."""
    found = make_app(settings_in(tmp_path, SMTP_URL=address)).config

    assert {name: found[f"MAIL_{name}"] for name in RELAYS[address]} == RELAYS[address]


def test_new_sessions_are_signed_by_the_newest_key_and_old_ones_still_read(tmp_path: Path) -> None:
    """A key that was added signs nobody out."""
    found = make_app(settings_in(tmp_path, SECRET_KEYS=f"old:{OLD},new:{NEW}")).config

    assert (found["SECRET_KEY"], found["SECRET_KEY_FALLBACKS"]) == (NEW, [OLD])


def test_a_redis_that_hangs_holds_no_page_up(tmp_path: Path) -> None:
    """Counting requests waits for it a moment at most, both to connect and to be answered."""
    found = make_app(settings_in(tmp_path, REDIS_URL="redis://127.0.0.1:1/0")).config["RATELIMIT_STORAGE_OPTIONS"]

    assert set(found) == {"socket_timeout", "socket_connect_timeout"}
    assert all(0 < seconds <= 2 for seconds in found.values())


HELD: dict[str, tuple[Any, str]] = {
    "RATELIMIT_IN_MEMORY_FALLBACK_ENABLED": (True, "a Redis that is down refuses nobody"),
    "RATELIMIT_HEADERS_ENABLED": (True, "a program learns how much it may still ask"),
    "RATELIMIT_STORAGE_URI": ("redis+unix:///run/redis.sock", "the library's own name of a socket"),
    "MAX_CONTENT_LENGTH": (2_000_000, "a body is refused before it fills the memory"),
    "SESSION_COOKIE_SECURE": (True, "where pages are read by TLS, no cookie leaves without"),
}
"""What a club on its own servers relies on, beside the relay and the keys, and why."""
ASKED: dict[str, tuple[Any, str]] = {
    "hide_parameters": (True, "no order, hand or address stands in a fault"),
    "pool_pre_ping": (False, "asking first costs every request; a cut connection gives one clear 503"),
    "pool_timeout": (5, "with the time to connect, a page is told within ten seconds that it can't be had"),
    "connect_timeout": (5, "as above"),
    "client_encoding": ("utf8", "a cluster without a locale gives texts, too"),
}
"""So its connections, those that write and those that only look."""


def test_what_a_server_relies_on_is_set(tmp_path: Path) -> None:
    """Each setting that safety, or a page's patience, rests on; the connections that only look begin nothing."""
    servers = {"DATABASE_URL": "postgresql:///none", "REDIS_URL": "redis+socket:///run/redis.sock"}
    found = make_app(settings_in(tmp_path, BASE_URL="https://club.example", **servers)).config
    engines = [found["SQLALCHEMY_ENGINE_OPTIONS"], found["SQLALCHEMY_BINDS"][READING]]

    assert {name: found[name] for name in HELD} == {name: value for name, (value, _) in HELD.items()}
    for engine in engines:
        options = engine | engine["connect_args"]
        assert {name: options[name] for name in ASKED} == {name: value for name, (value, _) in ASKED.items()}
    only = [" -c default_transaction_read_only=on" in engine["connect_args"]["options"] for engine in engines]
    assert (only, engines[1]["isolation_level"]) == ([False, True], "AUTOCOMMIT")


def test_a_small_club_counts_its_requests_and_reads_by_itself(tmp_path: Path) -> None:
    """It has no Redis and no PostgreSQL to wait for, and without TLS a cookie that only TLS carries would be lost."""
    found = make_app(settings_in(tmp_path)).config

    assert (found["RATELIMIT_STORAGE_URI"], found["RATELIMIT_STORAGE_OPTIONS"]) == ("memory://", {})
    assert (found["SQLALCHEMY_BINDS"], found["SESSION_COOKIE_SECURE"]) == ({}, False)


@pytest.fixture
def unlogged() -> Iterator[None]:
    """No handler of ours, as in a new process."""
    root = logging.getLogger()
    before = list(root.handlers), root.level
    root.handlers[:] = [one for one in root.handlers if one.name != logs._HANDLER]
    yield
    root.handlers[:], root.level = before


@pytest.mark.usefixtures("unlogged")
@pytest.mark.parametrize("in_json", ["yes", "no"])
def test_a_new_apps_lines_are_written_as_it_is_set(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], in_json: str
) -> None:
    """Once, in JSON or for a person's eyes."""
    make_app(settings_in(tmp_path, LOG_JSON=in_json))
    logging.getLogger("x").warning("told")
    told = capsys.readouterr().err

    assert "told" in told
    assert (told.count("\n"), told.startswith("{")) == (1, in_json == "yes")


def test_what_a_server_forks_knows_all_tables(tmp_path: Path) -> None:
    """Whatever is to be worked out about them once is, before there are processes that each would."""
    made, late = registry(), Table("late", MetaData(), Column("id", Integer, primary_key=True))
    mapper: Mapper[Any] = made.map_imperatively(type("Late", (), {}), late)
    make_app(settings_in(tmp_path))

    assert mapper.configured
    made.dispose()


def test_who_passes_no_options_on_is_told_them_all(tmp_path: Path) -> None:
    """Behind pgbouncer the role has what the program sets as a connection begins: docs/operating.md names each."""
    found = make_app(settings_in(tmp_path, DATABASE_URL="postgresql+psycopg:///none")).config
    options = found["SQLALCHEMY_ENGINE_OPTIONS"]["connect_args"]["options"]
    told = (Path(__file__).parents[1] / "docs" / "operating.md").read_text(encoding="utf-8")

    assert re.findall(r"-c (\w+)=", options) == re.findall(r"ALTER ROLE pbem SET (\w+) ", told)


@pytest.mark.parametrize(("host", "code"), [("localhost", 200), ("club.example", 200), ("elsewhere.example", 400)])
def test_a_demo_answers_to_its_own_names_alone(tmp_path: Path, host: str, code: int) -> None:
    """Whoever reaches it reads its mailbox: a page elsewhere whose name leads to this machine must not."""
    demo = make_app(settings_in(tmp_path, DEMO="yes"))

    assert demo.test_client().get("/healthz", base_url=f"http://{host}").status_code == code


@pytest.mark.usefixtures("db")
def test_what_a_statement_was_given_is_in_no_fault() -> None:
    """Its text goes to the log: no order, hand or address may stand in it."""
    with pytest.raises(OperationalError) as caught:
        db.session.execute(text("SELECT nothing_of_that_name(:word)"), {"word": "hunter2"})

    assert "hunter2" not in str(caught.value)


@pytest.mark.usefixtures("db")
@pytest.mark.parametrize(
    ("fault", "tries"),
    [
        (IntegrityError("INSERT", {}, Exception("UNIQUE")), 2),
        (OperationalError("UPDATE", {}, psycopg.errors.DeadlockDetected("deadlock")), 2),
        (OperationalError("UPDATE", {}, psycopg.errors.DiskFull("no room")), 1),
    ],
    ids=["the same row", "the same rows in another order", "no room"],
)
@pytest.mark.parametrize("method", ["POST", "GET"])
def test_a_request_that_met_another_is_done_once_more(
    app: Flask, monkeypatch: pytest.MonkeyPatch, fault: Exception, tries: int, method: str
) -> None:
    """With what was sent, and without what it had written before; what it does then is kept, unless it only looks."""
    sent: list[bytes] = []

    def handled(_app: Flask) -> str:
        sent.append(request.files["list"].read())
        db.session.add(Pulse(name="done", at=clock.now()))
        db.session.flush()
        if len(sent) == 1:
            raise fault
        return "done"

    monkeypatch.setattr(Flask, "dispatch_request", handled)
    with app.test_request_context(method=method, data={"list": (BytesIO(b"ada, ben"), "list.csv")}):
        if tries == 1:
            with pytest.raises(OperationalError):
                app.dispatch_request()
        else:
            assert app.dispatch_request() == "done"
        db.session.rollback()

        assert sent == [b"ada, ben"] * tries
        assert db.session.scalar(select(func.count()).select_from(Pulse)) == (tries == 2 and method == "POST")
