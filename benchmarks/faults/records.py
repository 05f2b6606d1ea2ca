"""Faults of the database: cut connections, locks, serialization errors, a power cut."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http import HTTPStatus
from typing import TYPE_CHECKING

from benchmarks.faults.checker import Allowed, check, told
from benchmarks.faults.fault import Outcome
from benchmarks.faults.players import Club
from benchmarks.faults.stage import behind
from benchmarks.faults.tabs import Tab
from benchmarks.faults.targets import crash, patiently, revive
from pbem.extensions import db

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from benchmarks.faults.history import Said
    from benchmarks.faults.players import Question
    from benchmarks.faults.stage import Stage


def bad_database(stage: Stage, rounds: int) -> Outcome:
    """F18: connections cut, a game locked, transactions that clash, the server killed: a clear 503 keeps the order."""
    stage.cast("worker", "mailer", "web")
    club, faults = Club(stage), []
    club.open(3)
    club.play(3)
    for _ in range(rounds):
        for strike in (_cut, _lock, _clash, _power_cut):
            faults += _struck(stage, club, strike)
    stage.settle()
    faults += check(club, Allowed(copies=2))
    refused = sum(said.status == HTTPStatus.SERVICE_UNAVAILABLE for said in club.history)
    return Outcome(faults, {"answered_503": refused, **told(club.history)})


def _struck(
    stage: Stage, club: Club, strike: Callable[[Stage, Club, Question], AbstractContextManager[None]]
) -> list[str]:
    """One order by a program and one by a form while the database is struck, and both again until they are taken."""
    one = club.asked()
    tab = Tab(stage, one)
    what = strike.__name__.strip("_").replace("_", " ")
    with strike(stage, club, one):
        with ThreadPoolExecutor(1) as other:
            sent = other.submit(order_once, club, one, what)
            shown = tab.send()
        said = sent.result()
        found = refusals(what, tab, said, shown)
    with stage.app.app_context():
        db.engine.dispose()
    if shown.status == HTTPStatus.SERVICE_UNAVAILABLE:
        stage.recover(lambda: tab.send().status in ANSWERED, "the form is taken again")
    stage.recover(lambda: order_once(club, one, what).status in ANSWERED, "orders are taken again")
    return found


def refusals(what: str, tab: Tab, said: Said, shown: Said) -> list[str]:
    """What was not as it must be while the database was struck: both refused by 503, the form with the order in it."""
    found = [f"{what}: an order was answered with {one.status}." for one in (said, shown) if one.status not in CLEAR]
    found += [f"{what}: the answer took {one.seconds:.0f} s." for one in (said, shown) if one.seconds > LONGEST]
    if what in CERTAIN and {said.status, shown.status} != {HTTPStatus.SERVICE_UNAVAILABLE}:
        found.append(f"{what}: orders were answered with {said.status} and {shown.status}.")
    if shown.status == HTTPStatus.SERVICE_UNAVAILABLE and not tab.keeps_the_order():
        found.append(f"{what}: the page of 503 has not kept the order.")
    return found


ANSWERED = {HTTPStatus.OK, HTTPStatus.CONFLICT}
CLEAR = {*ANSWERED, HTTPStatus.SERVICE_UNAVAILABLE}
LONGEST = 15.0
"""Seconds until somebody is told that it can't be done now: we wait 5 s for a lock, and as long for those before us."""
CERTAIN = {"lock", "clash", "power cut", "full disk"}
"""Strikes under which no order can be stored. Of a pool's cut connections, some may not be used at all."""


def order_once(club: Club, question: Question, mark: str) -> Said:
    """Send an order by a program, once."""
    with club.person() as player:
        return player.send(club.keys[question.seat_id], question, f"{mark}-{question.ply}-{question.seat}")


@contextmanager
def _cut(stage: Stage, _club: Club, _one: Question) -> Iterator[None]:
    """Every connection is cut."""
    with behind(stage) as connection:
        connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
    yield


@contextmanager
def _lock(stage: Stage, _club: Club, one: Question) -> Iterator[None]:
    """Somebody holds a game's row for longer than we wait."""
    with behind(stage) as connection, connection.transaction():
        connection.execute("SELECT id FROM games WHERE id = %s FOR UPDATE", (one.game_id,))
        yield


_CLASH = """
CREATE OR REPLACE FUNCTION clash() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  RAISE EXCEPTION 'could not serialize access due to concurrent update' USING ERRCODE = 'serialization_failure';
END $$;
CREATE TRIGGER clash BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION clash();
"""


@contextmanager
def _clash(stage: Stage, club: Club, one: Question) -> Iterator[None]:
    """Whoever writes a ply, and then whoever writes an order, is told that the transaction can't be serialized."""
    before = _clashes(stage)
    with behind(stage) as connection:
        connection.execute(_CLASH.format(table="plies").encode())
        others = [game for game in club.games if game != one.game_id]
        patiently(lambda: club.answer_all(others) is not None and _clashes(stage) > before, "a ply can't be written")
        connection.execute(_CLASH.format(table="orders").encode())
        yield
        connection.execute("DROP FUNCTION clash() CASCADE")


def _clashes(stage: Stage) -> int:
    """How often the workers were told so; messages go out for what is due."""
    stage.sweep("sweep_games")
    return (stage.folder / "worker.log").read_text(encoding="utf-8").count("SerializationFailure")


@contextmanager
def _power_cut(stage: Stage, _club: Club, _one: Question) -> Iterator[None]:
    """The server dies, and comes back afterwards."""
    crash(stage.database)
    yield
    revive(stage.database)
