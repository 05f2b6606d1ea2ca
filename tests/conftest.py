"""What every test may ask for by name: the app on a fresh database, a clock to set, and real servers."""

from __future__ import annotations

import gc
import os
import shutil
import sys
import warnings
from contextlib import suppress
from contextvars import Context
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
import time_machine
from hypothesis.internal.conjecture import providers
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import QueuePool

from pbem import config
from tests import browser_contexts, enqueued, left, mail_servers, servers, trusted
from tests.browser_contexts import Contexts
from tests.schedule import pytest_collection_modifyitems, pytest_xdist_make_scheduler  # noqa: F401 - pytest's hooks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient, FlaskCliRunner
    from flask_sqlalchemy import SQLAlchemy
    from playwright.sync_api import Browser, Page
    from sqlalchemy import Engine
    from sqlalchemy.orm import Session
    from werkzeug.test import TestResponse

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
"""A Monday in winter: when the tests' clock starts."""
_FOREIGN = {"ALL_PROXY", "HTTP_PROXY", "HTTPS_PROXY", "FORCE_COLOR", "COLUMNS", "PROMETHEUS_MULTIPROC_DIR"}
"""What else programs heed that a test starts or is."""


def pytest_configure() -> None:
    """Leave the settings of the machine outside: a club's own, and a proxy's, which knows no server of ours.

    Files are made for all to read, as those of servers that run as other users must be.
    """
    gc.disable()  # nothing of what is loaded until the tests begin is garbage
    names = {field.upper() for field in config.Config.__struct_fields__} | _FOREIGN
    for name in [name for name in os.environ if name.upper() in names]:
        del os.environ[name]
    # What is drawn would depend on the modules that are loaded, which Hypothesis reads through first, for seconds.
    providers._get_local_constants = lambda: providers._local_constants


def pytest_collection_finish() -> None:
    """Let the collector of garbage pass over what is loaded by now: it goes over it for half a second each time.

    What a test makes is passed over less often than a server needs: 4 % of the tests' processor time.
    """
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


def pytest_runtest_setup() -> None:
    """Begin each test with the same rights of new files: a command run within the tests narrows them for good."""
    os.umask(0o022)


def settings_in(folder: Path, **environ: str) -> config.Config:
    """The settings of a small club whose files are in `folder`, as the environment variables `environ` change them."""
    ours = {
        "PBEM_HOME": str(folder),
        "SECRET_KEYS": "t1:" + "a-secret-for-tests-" * 2,
        "BASE_URL": "http://club.example",
        "MAIL_DOMAIN": "club.example",
        "RATE_LIMITS": "no",
        "HOLD_LETTERS": "no",
    }
    return config.from_environ(ours | environ)


def set_up(app: Flask) -> None:
    """Bring the app's database to the newest migration."""
    from pbem import extensions  # noqa: PLC0415 - tests of the rules need no Flask
    from pbem.cli.migrating import migrate  # noqa: PLC0415 - as above
    from tests import compiled  # noqa: PLC0415 - as above

    compiled.revisions()
    with app.app_context():
        migrate()
        extensions.db.engine.dispose()


def make_app(settings: config.Config) -> Flask:
    """The app, loaded only where it is asked for: tests of the rules need no Flask."""
    from pbem.app import create_app  # noqa: PLC0415 - as said
    from tests import compiled, proper  # noqa: PLC0415 - as said

    compiled.routes()
    proper.counters()
    app = create_app(settings)
    app.testing, app.test_client_class = True, proper.Client
    compiled.templates(app)
    be_patient(app)
    return app


def be_patient(app: Flask) -> None:
    """Let databases take their time: what a club's server gives up after seconds, a busy machine of tests may need."""
    from sqlalchemy import event  # noqa: PLC0415 - as above

    from pbem import extensions  # noqa: PLC0415 - as above

    seconds = int(servers.PATIENCE)

    def patient(_dialect: object, _record: object, _words: object, known: dict[str, Any]) -> None:
        known["connect_timeout"] = seconds
        known["options"] += f" -c lock_timeout={seconds}s -c idle_in_transaction_session_timeout={seconds}s"

    def patient_writer(connection: Any, _record: object) -> None:
        connection.execute(f"PRAGMA busy_timeout = {1000 * seconds}")

    with app.app_context():
        for engine in extensions.db.engines.values():
            if engine.dialect.name == "postgresql":
                event.listen(engine, "do_connect", patient)
            else:
                event.listen(engine, "connect", patient_writer)


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self, traveller: time_machine.Traveller) -> None:
        """Move `traveller`, which every part of the program sees."""
        self._traveller = traveller

    @property
    def now(self) -> datetime:
        """The time it shows."""
        return datetime.now(UTC)

    def move(self, **by: float) -> datetime:
        """Move on by `days=, hours=, minutes=, seconds=`; gives the new time."""
        return self.set(self.now + timedelta(**by))

    def set(self, when: datetime) -> datetime:
        """Show `when` from now on."""
        self._traveller.move_to(when)
        return when


@pytest.fixture
def clock() -> Iterator[Clock]:
    """A clock at noon that stands still until the test moves it."""
    with time_machine.travel(NOON, tick=False) as traveller:
        yield Clock(traveller)


@pytest.fixture(scope="session")
def postgres() -> Iterator[servers.Postgres]:
    """A PostgreSQL server of this test process."""
    with servers.postgres() as server:
        yield server


@pytest.fixture(scope="session")
def redis_server() -> Iterator[servers.Redis]:
    """A Redis server of this test process."""
    with servers.redis_server() as server:
        yield server


@pytest.fixture
def redis_url(redis_server: servers.Redis) -> str:
    """The address of an empty Redis, as the broker setting takes it."""
    with redis_server.client() as client:
        client.flushall()
    return redis_server.url


@pytest.fixture(scope="session")
def _sink() -> Iterator[mail_servers.Sink]:
    with mail_servers.smtp_sink() as sink:
        yield sink


@pytest.fixture
def smtp_sink(_sink: mail_servers.Sink) -> mail_servers.Sink:
    """An SMTP server that keeps every mail; empty at first."""
    _sink.clear()
    return _sink


@pytest.fixture(scope="session")
def dovecot() -> Iterator[mail_servers.Dovecot]:
    """An IMAP server with one mailbox."""
    with mail_servers.dovecot() as server:
        yield server


@pytest.fixture(scope="session")
def postfix(_sink: mail_servers.Sink, dovecot: mail_servers.Dovecot) -> Iterator[mail_servers.Postfix]:
    """A Postfix before the sink and the mailbox; only root can start one, so mark the test `needs_root`."""
    with mail_servers.postfix(_sink, dovecot.box) as server:
        yield server


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium."""
    from playwright.sync_api import expect, sync_playwright  # noqa: PLC0415 - heavy, and few tests need it

    expect.set_options(timeout=1000 * servers.BROWSER_PATIENCE)
    with sync_playwright() as playwright, browser_contexts.launched(playwright) as chromium:
        yield chromium


@pytest.fixture(scope="session")
def _contexts(browser: Browser) -> Contexts:
    """The browser's contexts."""
    return Contexts(browser)


@pytest.fixture
def new_page(_contexts: Contexts) -> Iterator[Callable[..., Page]]:
    """Give a function that opens a page: `new_page(width=390, js=True, night=False)`; each with cookies of its own."""

    def new_page(width: int = 390, *, js: bool = True, night: bool = False) -> Page:
        return _contexts.take((width, js, night)).new_page()

    yield new_page
    _contexts.give_back()


@pytest.fixture(scope="session")
def _sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file to copy."""
    folder = tmp_path_factory.mktemp("template")
    set_up(make_app(settings_in(folder)))
    return folder / "pbem.sqlite"


@pytest.fixture
def settings(tmp_path: Path, _sqlite: Path) -> config.Config:
    """Settings of a club on a fresh SQLite file without a broker; its letters end in the outbox table."""
    shutil.copy(_sqlite, tmp_path / "pbem.sqlite")
    return settings_in(tmp_path)


def never_wait_for_the_disk(app: Flask) -> None:
    """Let SQLite leave what was committed to the system: what a power cut would cost matters to one test only.

    Waiting for the disk is four of five milliseconds of a commit.
    """
    from sqlalchemy import event  # noqa: PLC0415 - as above

    from pbem import extensions  # noqa: PLC0415 - as above

    def careless(connection: Any, _record: object) -> None:
        connection.execute("PRAGMA synchronous = OFF")

    with app.app_context():
        if extensions.db.engine.dialect.name == "sqlite":
            event.listen(extensions.db.engine, "connect", careless)


def _open(settings: config.Config) -> Iterator[Flask]:
    from pbem import extensions  # noqa: PLC0415 - as above
    from tests import compiled  # noqa: PLC0415 - as above

    app = make_app(settings)
    never_wait_for_the_disk(app)
    compiled.statements(app)
    with trusted.by_tests(), enqueued.watched() as recorder:
        app.extensions["tests.enqueued"] = recorder
        recorder.is_taken = bool(settings.redis_url)
        yield app
        with app.app_context():
            extensions.db.session.remove()
            assert_only_looks(extensions.db.engines.get(extensions.READING))
            extensions.db.engine.dispose()


def assert_only_looks(engine: Engine | None) -> None:
    """What a page's connection was used for, it begins no transaction: the end of one forgets what was prepared."""
    if engine is not None and isinstance(engine.pool, QueuePool) and engine.pool.checkedin():
        with suppress(OperationalError), engine.connect() as connection:  # some tests end the database
            driver: Any = connection.connection.driver_connection
            assert driver.autocommit


@pytest.fixture
def app(settings: config.Config) -> Iterator[Flask]:
    """The app with `settings`; override that fixture to change them."""
    yield from _open(settings)


@pytest.fixture(scope="session")
def _watch() -> left.Watch:
    """What this process is like."""
    return left.Watch()


@pytest.fixture(scope="module", autouse=True)
def _left_as_found(_watch: left.Watch) -> Iterator[None]:
    """Each module of tests leaves the process as it found it."""
    yield
    assert _watch.look() == []


@pytest.fixture(autouse=True)
def _same_people() -> None:
    """Every test begins with the same people and seeds, whichever tests ran before it."""
    factories = sys.modules.get("tests.factories")
    for name in ("PlayerFactory", "ClubFactory", "GameFactory") if factories else ():
        getattr(factories, name).reset_sequence(0)


@pytest.fixture
def db(app: Flask) -> Iterator[SQLAlchemy]:
    """The app's database, within the app's context for the whole test."""
    from pbem import extensions  # noqa: PLC0415 - as above

    with app.app_context():
        yield extensions.db


@pytest.fixture
def session(db: SQLAlchemy) -> Session:
    """The app's session."""
    return db.session()


@pytest.fixture
def now() -> datetime:
    """When the tests' games and clubs begin."""
    from tests.factories import START  # noqa: PLC0415 - tests of the rules need no database

    return START


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A browser without a window. Its requests have a session of their own, even where the test uses `db`."""
    return apart(app)


def apart(app: Flask) -> FlaskClient:
    """Set the requests of all clients of `app` apart from the test's session; gives one of them.

    What the test hasn't committed is rolled back first: a real browser couldn't see it either.
    """
    from flask import has_app_context  # noqa: PLC0415 - as above

    from pbem import extensions  # noqa: PLC0415 - as above
    from tests.proper import Client  # noqa: PLC0415 - as above

    class Apart(Client):
        def open(self, *args: Any, **named: Any) -> TestResponse:
            if has_app_context():
                extensions.db.session.rollback()
            return Context().run(super().open, *args, **named)

    app.test_client_class = Apart
    return app.test_client()


@pytest.fixture
def runner(app: Flask) -> FlaskCliRunner:
    """A terminal for the app's commands."""
    return app.test_cli_runner()


@pytest.fixture(scope="session")
def _pg_template(postgres: servers.Postgres, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The name of a migrated PostgreSQL database to copy."""
    url = postgres.fresh()
    set_up(make_app(settings_in(tmp_path_factory.mktemp("pg"), DATABASE_URL=url)))
    return urlsplit(url).path.removeprefix("/")


@pytest.fixture
def pg_url(postgres: servers.Postgres, _pg_template: str) -> str:
    """The address of a fresh migrated PostgreSQL database."""
    return postgres.fresh(template=_pg_template)


def forget_torn() -> None:
    """Let go of connections that a test tore from their pool: nobody can close those in order any more.

    What is left then is passed over the next time, as at the start: going over all that a process has loaded and kept
    by the middle of a run takes longer than most tests do.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()
    gc.freeze()


@pytest.fixture
def pg_app(tmp_path: Path, pg_url: str) -> Iterator[Flask]:
    """The app on PostgreSQL."""
    yield from _open(settings_in(tmp_path, DATABASE_URL=pg_url))
    forget_torn()
