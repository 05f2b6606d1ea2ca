"""The least that can be asked of a server: what our pages, orders and plies are measured against, run alike.

gunicorn benchmarks.peers:app      with DATABASE_URL and REDIS_URL of the same servers
"""

from __future__ import annotations

import functools
import os
import threading
from typing import TYPE_CHECKING

import msgspec
import psycopg
from celery import Celery
from flask import Flask, Response, render_template, request
from itsdangerous import URLSafeSerializer
from psycopg_pool import ConnectionPool

if TYPE_CHECKING:
    from collections.abc import Sequence

SIGNER = URLSafeSerializer("a-secret-of-the-benchmark-only")
TABLES = """
CREATE TABLE IF NOT EXISTS peer_games (id bigint PRIMARY KEY, version int NOT NULL);
CREATE TABLE IF NOT EXISTS peer_orders (
    game_id bigint REFERENCES peer_games, ply int, seat int, text text, PRIMARY KEY (game_id, ply, seat));
CREATE TABLE IF NOT EXISTS peer_pages (id bigint PRIMARY KEY, title text NOT NULL);
CREATE TABLE IF NOT EXISTS peer_due (id bigint PRIMARY KEY, ply int NOT NULL, wake_at timestamptz);
CREATE INDEX IF NOT EXISTS peer_due_wake ON peer_due (wake_at);
CREATE TABLE IF NOT EXISTS peer_plies (
    game_id bigint REFERENCES peer_due, ply int, body bytea, PRIMARY KEY (game_id, ply));
CREATE TABLE IF NOT EXISTS peer_asked (
    game_id bigint REFERENCES peer_due, ply int, number int, body text, PRIMARY KEY (game_id, ply, number));
CREATE TABLE IF NOT EXISTS peer_letters (cause text PRIMARY KEY, body text);
INSERT INTO peer_games SELECT n, 0 FROM generate_series(1, 1000) n ON CONFLICT DO NOTHING;
INSERT INTO peer_pages SELECT n, 'Nile by Night' FROM generate_series(1, 1000) n ON CONFLICT DO NOTHING;
"""
LINE = "A line of the page that is as long as a line of a page is."
_LINE_BYTES = len(LINE) + 22


def conninfo() -> str:
    """The address of the database, as psycopg takes it."""
    return os.environ["DATABASE_URL"].replace("postgresql+psycopg:", "postgresql:")


def lay_out() -> None:
    """Create the peer's tables beside ours, where they aren't there yet."""
    with psycopg.connect(conninfo(), autocommit=True) as connection:
        connection.execute(TABLES.encode())


celery = Celery("peer", broker=os.environ.get("REDIS_URL", "memory://"))
celery.conf.update(task_acks_late=True, task_ignore_result=True, worker_prefetch_multiplier=1)


@celery.task(name="peer.nothing")  # type: ignore[untyped-decorator]  # Celery ships no types
def nothing(number: int) -> int:
    """Do nothing."""
    return number


_CLAIM = """
UPDATE peer_due SET wake_at = NULL, ply = ply + 1 WHERE id = (
    SELECT id FROM peer_due WHERE wake_at <= now() ORDER BY wake_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
RETURNING id, ply"""
_WRITE = """
WITH played AS (INSERT INTO peer_plies VALUES (%(game)s, %(ply)s, %(body)s)),
    asked AS (INSERT INTO peer_asked SELECT %(game)s, %(ply)s, number, body
        FROM unnest(%(asked)s::text[]) WITH ORDINALITY AS row (body, number))
INSERT INTO peer_letters SELECT concat_ws(':', %(game)s::bigint, %(ply)s::int, number), body
    FROM unnest(%(letters)s::text[]) WITH ORDINALITY AS row (body, number)"""


@functools.cache
def _connection() -> psycopg.Connection:
    """This process's own, made after the fork."""
    return psycopg.connect(conninfo())


@celery.task(name="peer.plies")  # type: ignore[untyped-decorator]  # as above
def plies(body: str, asked: Sequence[str], letters: Sequence[str]) -> None:
    """Claim a game, insert its rows, commit, until nothing is due; each ply's rows hold the same."""
    connection, rows = _connection(), {"body": body.encode(), "asked": asked, "letters": letters}
    while (found := connection.execute(_CLAIM).fetchone()) is not None:
        connection.execute(_WRITE, {"game": found[0], "ply": found[1], **rows})
        connection.commit()
    connection.commit()


app = Flask(__name__)
PAGE = app.jinja_env.from_string(
    """<!doctype html>
<html><head><title>{{ title }}</title></head><body><h1>{{ title }}</h1>
{% for line in lines %}<p class="line">{{ line }}</p>
{% endfor %}</body></html>"""
)
"""Compiled once, as templates that lie in files are."""
_opening = threading.Lock()
_opened: list[ConnectionPool] = []


def _connections() -> ConnectionPool:
    """This process's pool, made after the fork by whoever needs it first."""
    with _opening:
        if not _opened:
            _opened.append(ConnectionPool(conninfo(), min_size=8, max_size=8, open=True))
        return _opened[0]


@app.post("/orders")
def order() -> Response:
    """Token, lock, upsert, commit, enqueue."""
    game_id, seat = SIGNER.loads(request.headers["Authorization"].partition(" ")[2])
    sent = msgspec.json.decode(request.get_data())
    with _connections().connection() as connection:
        connection.execute("SELECT version FROM peer_games WHERE id = %s FOR UPDATE", (game_id,))
        connection.execute(
            "INSERT INTO peer_orders VALUES (%s, %s, %s, %s) "
            "ON CONFLICT (game_id, ply, seat) DO UPDATE SET text = excluded.text",
            (game_id, sent["ply"], seat, sent["text"]),
        )
    celery.send_task("peer.nothing", (game_id,), retry=False)
    return Response(msgspec.json.encode({"canonical": sent["text"]}), mimetype="application/json")


@app.get("/pages/<int:size>")
def page(size: int) -> Response:
    """A signed cookie, one row, a template of `size` bytes."""
    number = SIGNER.loads(request.cookies["peer"])
    with _connections().connection() as connection:
        row = connection.execute("SELECT title FROM peer_pages WHERE id = %s", (number,)).fetchone()
    assert row is not None
    return Response(render_template(PAGE, title=row[0], lines=[LINE] * (size // _LINE_BYTES)))
