"""Nothing grows with history: no sweep, no figure, no next ply looks at what is over, no page at more than it says."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

import pytest
from psycopg.sql import Literal
from sqlalchemy import Table, event, select, text

from benchmarks.growth import copies
from pbem import clock
from pbem.capabilities import api_keys, links
from pbem.capabilities.tokens import tokens
from pbem.extensions import db
from pbem.jobs import celery_app, tasks
from pbem.mail import outbox
from pbem.play.admin import retention
from pbem.store import unit_of_work
from pbem.store.models import Club, Game, Hook, Letter, Member, OpenDecision, Player, Seat, StoredOrder, StoredPly
from pbem.store.queries import figures, ply_inputs
from pbem.store.statements import Statement
from pbem.store.unit_of_work import Work
from tests import factories
from tests.conftest import _open, forget_torn, settings_in
from tests.factories import START, GameFactory, asked
from tests.web.conftest import Browser

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from flask import Flask
    from sqlalchemy.orm import Session

    from tests.servers import Postgres

GAMES = 2_000
"""Finished ones; enough for PostgreSQL to prefer an index to a walk through the table."""
MOST = 50
"""Rows of one table that one statement may look at: there are two games that are not over."""
HEAD = retention.BATCH
"""Rows from which housekeeping takes what is old."""
PRESENT = {"clubs", "hooks", "members", "players", "pulses", "ratings", "saved_views"}
"""Tables that are as long as there are people and clubs: all others only become longer."""
FEW = {"capabilities", "seasons", "entries", "pairings"}
"""Those that become longer by little: what a person holds that isn't void yet, and a club's seasons."""
MADE = {"games", "seats", "plies", "decisions", "orders", "letters", "deliveries", "inbound_mails", "hook_calls"}
"""Those that are filled with copies of a real game, and what it would have had of mails and calls."""
PAST = "now() - interval '30 days'"
NAMED = re.compile(r"%\((\w+)\)s")


def _run(name: str, _session: Session) -> None:
    getattr(tasks, name).run()


WORK: dict[str, Callable[[Session], Any]] = {
    **{name: partial(_run, name) for name, *_ in celery_app._SCHEDULE},
    "figures": lambda session: figures.figures(session, clock.now()),
    "the games that are due longest": lambda session: ply_inputs.due(session, clock.now(), 0),
    "the letters that leave next": lambda session: outbox.claim(session, clock.now(), 1, "test"),
}
"""All that runs by itself; a new sweep of the schedule is among them."""


@pytest.fixture(scope="module")
def _grown_old(postgres: Postgres, _pg_template: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The name of a database to copy: one game that runs, thousands that are over, with orders, letters and mails."""
    factories.PlayerFactory.reset_sequence(0)  # made before its first test begins with the same people
    url = postgres.fresh(template=_pg_template)
    for app in _open(settings_in(tmp_path_factory.mktemp("history"), DATABASE_URL=url)):
        with app.app_context():
            session = db.session()
            game = GameFactory(seed="history", options={"auctions": "in_turn"})
            factories.in_a_club(session, game)
            factories.answer(session, START, game, asked(session, game)[0].seat, "draw")
            club = session.get_one(Club, game.club_id)
            session.add(Hook(club_id=club.id, kind="raw", url="https://example.org", secret="s", created_at=START))
            session.commit()
            for statement in history(game.id):
                session.execute(text(statement))
            session.commit()
            with db.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                connection.exec_driver_sql("VACUUM ANALYZE")
            session.close()
            for engine in db.engines.values():  # what somebody is connected to is no template
                engine.dispose()
    return urlsplit(url).path.removeprefix("/")


@pytest.fixture
def long_ago(tmp_path: Path, postgres: Postgres, _grown_old: str) -> Iterator[Flask]:
    """A server that has grown old."""
    factories.PlayerFactory.reset_sequence(2)  # after those who sit at its game
    for app in _open(settings_in(tmp_path, DATABASE_URL=postgres.fresh(template=_grown_old))):
        with app.app_context():
            app.extensions["tests.enqueued"].put_back(db.session())
        yield app
    forget_torn()


def history(model: int) -> list[str]:
    """Statements that copy the game `model`, as if it had ended a month ago, again and again."""
    over = {"slug": "'over-' || n", "state": "'finished'", "started_at": PAST, "finished_at": PAST, "practice": "true"}
    over |= dict.fromkeys(("wake_at", "due_at", "cover_at"), "NULL")
    new = f"(SELECT id AS new_id FROM games WHERE id > {model}) g"  # noqa: S608 - our own names
    mine, of_new = f"WHERE t.game_id = {model}", {"game_id": "g.new_id"}
    sent = {"cause": "'over-' || g.new_id || '-' || t.id", "state": "'sent'", "sent_at": PAST, "created_at": PAST}
    mails = "(message_id, sender, recipient, source, raw, state, kind, note, attempts, next_try_at, received_at)"
    calls = "(hook_id, cause, body, state, attempts, next_try_at, fault, created_at)"
    state = "CASE n % 2 WHEN 0 THEN 'sent' ELSE 'failed' END"
    many = f"FROM generate_series(1, {GAMES}) n"
    return [
        copies(Game, f"WHERE t.id = {model}", f"generate_series(1, {GAMES}) n", over),
        *(copies(table, mine, new, of_new) for table in (Seat, StoredPly, StoredOrder)),
        copies(OpenDecision, mine, new, of_new | {"nudge_at": "NULL", "closed_at": PAST}),
        copies(Letter, mine, new, of_new | sent),
        f"INSERT INTO deliveries (letter_id, state, detail, at) SELECT id, 'accepted', '', {PAST} FROM letters",  # noqa: S608 - our own
        f"INSERT INTO inbound_mails {mails} SELECT 'm' || n, '', '', '', '', 'done', '', '', 1, {PAST}, {PAST} {many}",
        *(ended(table, many) for table in db.metadata.sorted_tables if table.name not in {*PRESENT, *FEW, *MADE}),
        f"INSERT INTO hook_calls {calls} SELECT 1, 'c' || n, '{{}}', {state}, 1, {PAST}, '{{}}', {PAST} {many}",
    ]


def ended(table: Table, many: str) -> str:
    """The statement that fills a table with rows about all games and the first person, whose times are all past."""
    columns = {column.name: column for column in table.columns if column.name != "id"}
    kinds = {name: column.type.compile(db.engine.dialect).split()[0] for name, column in columns.items()}
    about = {name: "1" for name, column in columns.items() if column.foreign_keys} | {"game_id": "n"}
    values = (about.get(name, ENDED.get(kind, "'past-' || n")) for name, kind in kinds.items())
    return f"INSERT INTO {table.name} ({', '.join(columns)}) SELECT {', '.join(values)} {many}"


ENDED = {"TIMESTAMP": PAST, "JSON": "'{}'", "BOOLEAN": "true", "INTEGER": "n", "BIGINT": "n"}
"""What a column of a type has in a row about something that has come to its end."""


def test_what_is_over_costs_nothing(long_ago: Flask) -> None:
    """By plans made once for all parameters, as the server has them made, no statement reads more than a few rows."""
    with long_ago.app_context():
        session = db.session()
        read = {name: read_by(session, work) for name, work in WORK.items()}

    assert all(read.values())
    assert [statement for found in read.values() for statement in found if "LIMIT %" in statement] == []
    assert {
        (name, statement): rows
        for name, found in read.items()
        for statement, rows in found.items()
        if max(rows.values(), default=0) > (HEAD if name == "prune_old" else MOST)
    } == {}


SHOWN = 400
"""Rows of one table that one statement of a page may look at: twenty results of a club with all their seats."""
WHOLE = {
    "club.results_table": "every result, for a spreadsheet",
    "api.results": "a thousand results at once, for a program",
    "api.watchable": "a thousand games at once, for a program",
}
"""Pages that give all of history, and for whom."""


def test_no_page_walks_through_what_is_over(long_ago: Flask) -> None:
    """Each page and call about a game, seat, person or club with thousands of games reads little but what it shows."""
    with long_ago.app_context():
        session = db.session()
        read = list(pages(session, long_ago))

    assert len({endpoint for endpoint, found in read if found}) > 50
    assert {
        (endpoint, statement): rows
        for endpoint, found in read
        for statement, rows in found.items()
        if endpoint not in WHOLE and max(rows.values(), default=0) > SHOWN
    } == {}


def pages(session: Session, app: Flask) -> Iterator[tuple[str, dict[str, dict[str, int]]]]:
    """What each page and call reads that opens for the organiser of the club, who plays in five of its games."""
    game = session.get_one(Game, 1)
    seat = session.scalars(select(Seat).where(Seat.game_id == game.id, Seat.player_id.is_not(None))).first()
    assert seat is not None
    club, alice = session.get_one(Club, game.club_id), session.get_one(Player, seat.player_id)
    session.add(Member(club_id=club.id, player_id=alice.id, role="organiser", joined_at=START))
    others = factories.PlayerFactory.create_batch(400)
    session.execute(
        text("UPDATE seats SET player_id = :least + game_id % 400 WHERE game_id % 400 <> 0 AND game_id > 1"),
        {"least": min(one.id for one in others)},
    )
    session.execute(text("UPDATE games SET watch_delay = 0 WHERE id % 2 = 0"))
    key = api_keys.issue_for_person(session, clock.now(), alice.id, "a test's")
    session.commit()
    session.execute(text("ANALYZE"))
    session.commit()
    browser = Browser(app.test_client())
    browser.get(f"/l/{links.player_token(tokens(), alice.id, alice.epoch)}")
    db.session.close()  # a page has told it to read only
    browser.prove(alice.id)
    named = {"seat_id": seat.id, "player_id": alice.id, "club_id": club.id, "ply": 1, "game": game.game}
    for rule in app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or not rule.arguments <= {*named, "slug"}:
            continue
        for slug in (game.slug, "over-1", club.slug) if "slug" in rule.arguments else ("",):
            address = rule.build({**{name: named[name] for name in rule.arguments - {"slug"}}, "slug": slug})
            assert address is not None
            yield rule.endpoint, read_by(session, partial(_get, browser, address[1], key))


def _get(browser: Browser, path: str, key: str, _session: Session) -> None:
    browser.client.get(path, headers={"Authorization": f"Bearer {key}"})


CLAIMS = ("the games that are due longest", "the letters that leave next")
"""What takes one of many that are due."""


def test_one_of_many_that_are_due_costs_what_one_costs(long_ago: Flask) -> None:
    """Thousands of games and letters fall due at once: whoever takes the first of them reads no other's rows."""
    with long_ago.app_context():
        session = db.session()
        session.execute(
            text("UPDATE games SET state = 'running', version = version + 1, wake_at = now() - interval '1 day'")
        )
        session.execute(text("UPDATE letters SET state = 'pending', next_try_at = now() - interval '1 day'"))
        session.execute(text("ANALYZE games, letters"))
        for work in (Work.GAMES, Work.LETTERS):
            unit_of_work.made_due(session, work)
        session.commit()
        read = {name: read_by(session, WORK[name]) for name in CLAIMS}

    assert all(read.values())
    assert [rows for found in read.values() for rows in found.values() if max(rows.values(), default=0) > MOST] == []


LED = """
SELECT i.relname, a.attname FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
JOIN pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = x.indkey[0]"""
"""The first column of each index."""


def test_a_plan_made_while_there_is_nothing_walks_through_no_table(pg_app: Flask) -> None:
    """It is kept with its connection: every row is found by the first column of an index, however few there were.

    What is named by its number is found by that, not among others of its kind.
    """
    with pg_app.app_context():
        session = db.session()
        dialect = session.connection().dialect
        led = {row.relname: row.attname for row in session.execute(text(LED))}
        walking = set()
        for name, statement in statements():
            statement._compile(dialect)
            if any(
                _walks(node, led) for node in _nodes(plan(session, statement._text, "", [None] * len(statement._order)))
            ):
                walking.add(name)

    assert walking == set()


def statements() -> Iterator[tuple[str, Statement]]:
    """Every statement whose text and plan are made once, with its name."""
    for module in [module for name, module in sys.modules.items() if name.startswith("pbem.")]:
        for name, value in vars(module).items():
            if isinstance(value, Statement):
                yield f"{module.__name__.rpartition('.')[2]}.{name}", value


def _walks(node: dict[str, Any], led: Mapping[str, str]) -> bool:
    if node["Node Type"] == "Seq Scan" or re.search(r"\bid = ", node.get("Filter", "")):
        return True
    index = node.get("Index Name")
    return index is not None and re.search(rf"\b{led[index]}\b", node.get("Index Cond", "")) is None


def read_by(session: Session, work: Callable[[Session], Any]) -> dict[str, dict[str, int]]:
    """How many rows of each table of history each statement of some work looks at."""
    seen: list[tuple[str, dict[str, Any]]] = []

    def note(*call: Any) -> None:
        seen.append((call[2], call[3]))

    for engine in db.engines.values():
        event.listen(engine, "before_cursor_execute", note)
    work(session)
    for engine in db.engines.values():
        event.remove(engine, "before_cursor_execute", note)
    session.rollback()
    return {statement: rows_read(session, statement, values) for statement, values in seen}


def rows_read(session: Session, statement: str, values: dict[str, Any]) -> dict[str, int]:
    """How many rows a statement looks at, by table, its plan made for any values."""
    if not statement.startswith(("SELECT", "UPDATE", "DELETE", "WITH")):
        return {}
    found: dict[str, int] = {}
    for node in _nodes(plan(session, statement, "ANALYZE, ", values)):
        table = node.get("Relation Name")
        if table is not None and table not in PRESENT | FEW and "Scan" in node["Node Type"]:
            rows = (node["Actual Rows"] + node.get("Rows Removed by Filter", 0)) * node["Actual Loops"]
            found[table] = found.get(table, 0) + int(rows)
    return found


def plan(session: Session, statement: str, more: str, values: Mapping[str, Any] | Sequence[Any]) -> dict[str, Any]:
    """PostgreSQL's plan of a statement, made for any values; with `ANALYZE, ` also what came of it.

    Our own statements number their values.
    """
    numbered = statement
    if isinstance(values, Mapping):
        names = list(dict.fromkeys(NAMED.findall(statement)))
        numbered = NAMED.sub(lambda found: f"${names.index(found[1]) + 1}", statement).replace("%%", "%")
        values = [values.get(name) for name in names]
    given = ", ".join(Literal(value).as_string(None) for value in values)
    connection = session.connection()
    connection.exec_driver_sql(f"PREPARE looked AS {numbered}".replace("%", "%%"))
    explain = f"EXPLAIN ({more}FORMAT JSON) EXECUTE looked{f'({given})' if given else ''}"
    found = connection.exec_driver_sql(explain.replace("%", "%%")).scalar_one()
    connection.exec_driver_sql("DEALLOCATE looked")
    session.rollback()
    return cast("dict[str, Any]", found[0]["Plan"])


def _nodes(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for below in node.get("Plans", ()):
        yield from _nodes(below)
