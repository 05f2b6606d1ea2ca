"""Workers that carry on what is due, side by side on PostgreSQL: each game once, and none lost with its worker."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import bindparam, event, func, select, text, update
from sqlalchemy.exc import DBAPIError

from benchmarks.growth import copies
from pbem.extensions import PagesSession, db
from pbem.play.admin import game_admin
from pbem.play.admin.action_log import AdminAction
from pbem.play.deadlines.cadence import CADENCES
from pbem.play.orders import standing_orders
from pbem.play.seats import opening
from pbem.play.turns import advance as advancing
from pbem.play.turns.advance import DueGames, advance, advance_next
from pbem.store import unit_of_work
from pbem.store.models import Game, GameState, Letter, OpenDecision, Player, Seat, StoredOrder, StoredPly
from pbem.store.queries import common, ply_inputs
from pbem.store.statements import kept_connection
from tests import enqueued
from tests.conftest import forget_torn
from tests.factories import START, GameFactory, answer, asked, seat_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from flask import Flask

GAMES = 6
OVERLOAD = ply_inputs.READ * (ply_inputs.PARTS + 1)
"""More games than workers look at."""
ALONE: dict[str, Any] = {"options": {"auctions": "in_turn"}}
BUYS = "until changed\nfor buy:\nbuy no cards"
"""What the first person of `TOGETHER` has given ahead: an answer to what the next ply asks."""
TOGETHER: dict[str, Any] = {
    "game": "amunre",
    "people": 3,
    "bots": (),
    "options": {"auction": "sealed", "actions": "together"},
    "ahead": BUYS,
}


def opened(ahead: str = "", **how: Any) -> Game:
    """A game that asks its first question."""
    game: Game = GameFactory(**how)
    if ahead:
        standing_orders.store(db.session(), START, seat_of(db.session(), game, 0).id, ahead)
        db.session.commit()
    return game


def due_games(count: int, how: Mapping[str, Any] = ALONE) -> list[int]:
    """Games whose last order is in."""
    session, found = db.session(), []
    for number in range(count):
        now = START - timedelta(seconds=count - number)
        game = opened(now=now, **how)
        for one in asked(session, game):
            answer(session, now, game, one.seat)
        session.commit()
        found.append(game.id)
    return found


def next_of(due: DueGames) -> int | None:
    """Carry the next game on; its number."""
    done = advance_next(db.session(), START, due)
    db.session.commit()
    return None if done is None else done.game


def drain(app: Flask, *passed: tuple[int, int]) -> list[int]:
    """Carry on what is due until nothing is, one commit each; the games."""
    with app.app_context(), kept_connection(db.session()):
        due = DueGames(passed=set(passed))
        return [game for game in iter(lambda: next_of(due), None) if game is not None]


def test_two_drains_at_once_do_each_game_once(pg_app: Flask) -> None:
    """Both begin with the same; together they do all, and no ply twice."""
    with pg_app.app_context():
        games = due_games(GAMES)
        before = db.session.execute(select(func.count()).select_from(StoredPly)).scalar_one()
        db.session.rollback()
        with ThreadPoolExecutor(2) as pool:
            found = [game for one in pool.map(drain, [pg_app, pg_app]) for game in one]

        assert sorted(found) == games
        assert db.session.execute(select(func.count()).select_from(StoredPly)).scalar_one() >= before + GAMES
        assert db.session.execute(select(Game.id).where(Game.wake_at <= START)).all() == []


def played(_: int) -> None:
    """Another worker carries it on."""
    next_of(DueGames())


def paused(game_id: int) -> None:
    """The organiser lets it rest, and its state alone tells."""
    game = db.session.get_one(Game, game_id)
    by = db.session.get_one(Player, game.organiser_id)
    game_admin.pause(db.session(), AdminAction(now=START, game=game, by=by, reason=""))
    game.version -= 1


def woken(game_id: int) -> None:
    """It is due for something else, too."""
    unit_of_work.wake(db.session(), db.session.get_one(Game, game_id), START)


@pytest.mark.parametrize(
    ("where", "how"),
    [("pg_app", ALONE), ("pg_app", TOGETHER), ("app", ALONE)],
    ids=["one statement", "several", "SQLite"],
)
@pytest.mark.parametrize("change", [played, paused, woken])
def test_what_happens_between_read_and_write_is_seen(
    request: pytest.FixtureRequest, where: str, change: Callable[[int], None], how: Mapping[str, Any]
) -> None:
    """Nothing of that run stays; the others of those read with it go on, and so does it, if it is due as it is now."""
    app: Flask = request.getfixturevalue(where)
    with app.app_context():
        games, due = due_games(3, how), DueGames()
        versions = dict(db.session.execute(select(Game.id, Game.version)).all())
        assert next_of(due) == games[0]
        with app.app_context():
            change(games[1])
            woken(games[2])
            db.session.commit()
        rest = list(iter(lambda: next_of(due), None))

        assert sorted(rest) == (games[1:] if change is woken else games[2:])
        assert due.passed == {(games[1], versions[games[1]])}
        plies = db.session.scalars(select(StoredPly.game_id).where(StoredPly.ply == 1)).all()
        assert sorted(plies) == [game for game in games if game != games[1] or change is not paused]
        told = db.session.scalars(select(Letter.game_id).where(Letter.kind == "your_turn", Letter.ply > 0)).all()
        assert set(told) == set(plies)
        given = db.session.scalars(select(StoredOrder.game_id).where(StoredOrder.source == "standing")).all()
        assert sorted(given) == (sorted(plies) if how is TOGETHER else [])


@pytest.mark.parametrize("how", [ALONE, TOGETHER], ids=["one statement", "several"])
def test_a_game_that_somebody_holds_is_left_to_them(pg_app: Flask, how: Mapping[str, Any]) -> None:
    """Nobody waits for them, and the drain ends; once they let go it is due as before."""
    with pg_app.app_context():
        games = due_games(2, how)
        common.lock_game(db.session(), games[0])

        assert drain(pg_app) == games[1:]
        db.session.rollback()
        assert drain(pg_app) == games[:1]


def always_due(count: int) -> list[int]:
    """Copies of a game that waits for an answer: each run of one leaves it as it is."""
    session, model = db.session(), GameFactory().id
    numbers = "(WITH RECURSIVE s(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM s WHERE n < :count) SELECT n FROM s) s"
    session.execute(text(copies(Game, f"WHERE t.id = {model}", numbers, {"slug": "'due-' || n"})), {"count": count})
    new = f"(SELECT id AS new_id FROM games WHERE id > {model}) g"  # noqa: S608 - a number of ours
    for table in (Seat, StoredPly, OpenDecision):
        session.execute(text(copies(table, f"WHERE t.game_id = {model}", new, {"game_id": "g.new_id"})))
    return list(session.scalars(select(Game.id)))


def runs_under_overload(app: Flask) -> set[int]:
    """The games that two workers carry on in turn, each due anew behind all others, once both met where few were."""
    with app.app_context():
        session, games, found = db.session(), always_due(OVERLOAD), list[int]()
        again = update(Game).where(Game.id == bindparam("number")).values(wake_at=bindparam("at"))
        workers = DueGames(), DueGames()

        def make_due(which: Iterable[int]) -> None:
            at = START - timedelta(days=1) + timedelta(seconds=len(found))
            session.connection().execute(again, [{"number": game, "at": at} for game in which])
            session.commit()

        make_due(games[:3])
        assert [next_of(worker) for worker in workers * 3].count(None) == len(games[:3])
        make_due(games)
        for worker in workers * (advancing.APART + OVERLOAD):
            game = next_of(worker)
            assert game is not None
            found.append(game)
            make_due([game])
        return set(found)


@pytest.mark.parametrize("where", ["pg_app", "app"])
def test_no_game_is_passed_over_while_others_come(
    request: pytest.FixtureRequest, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many are due, and wherever both workers went when they met: those due longest have their turn again."""
    monkeypatch.setattr(advancing, "APART", ply_inputs.READ)
    with ThreadPoolExecutor(1) as pool:  # where nobody looks at each commit
        (carried,) = pool.map(runs_under_overload, [request.getfixturevalue(where)])
    assert len(carried) == OVERLOAD


def test_a_game_whose_rules_fail_takes_none_of_those_read_with_it_along(
    pg_app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is set aside, and begun no second time; its organiser's letter is written once."""
    with pg_app.app_context():
        games, begun = due_games(3), list[int]()
        inner = advancing.compute

        def compute(table: Any, *given: Any) -> Any:
            begun.append(table.game.id)
            return inner(table, *(given if table.game.id != games[1] else ()))

        monkeypatch.setattr(advancing, "compute", compute)
        assert [game for game in drain(pg_app) if game] == [games[0], games[2]]
        assert begun == games
        assert db.session.get_one(Game, games[1]).state == GameState.STUCK
        assert db.session.scalars(select(Letter.game_id).where(Letter.kind == "stuck")).all() == games[1:2]


def test_all_that_others_hold_is_passed_by(pg_app: Flask) -> None:
    """However many have been due longer, and whichever part a drain has come to: what is left over is done."""
    with pg_app.app_context():
        games = due_games(ply_inputs.READ + 2)
        held = games[: ply_inputs.READ]
        db.session.execute(select(Game.id).where(Game.id.in_(held)).with_for_update(key_share=True))

        assert sorted(drain(pg_app)) == games[ply_inputs.READ :]
        db.session.rollback()
        assert drain(pg_app, (0, 0))[::-1] == held


def test_a_drain_killed_in_the_middle_leaves_its_games_to_others(pg_app: Flask) -> None:
    """What it committed stays; the games it had read are as before, and free at once."""
    with pg_app.app_context():
        games, due = due_games(3), DueGames()
        assert next_of(due) == games[0]
        pid = db.session.execute(text("SELECT pg_backend_pid()")).scalar_one()
        with pg_app.app_context():
            db.session.execute(text("SELECT pg_terminate_backend(:pid)"), {"pid": pid})
            db.session.commit()
        with pytest.raises(DBAPIError):
            next_of(due)
        db.session.rollback()
        assert drain(pg_app) == games[1:]
    forget_torn()


def test_a_game_whose_bot_thinks_is_anothers_once_its_lease_ends(pg_app: Flask) -> None:
    """Until then nobody takes it; then only its own message does, and the first thinker's order comes too late."""
    bots = tuple(opening.SeatPlan(bot=name) for name in ("search:0.01", "random", "random"))
    with pg_app.app_context():
        session = db.session()
        game = opening.open_game(session, START, opening.GamePlan(game="priestsofra", seats=bots, seed="thinker"))
        session.commit()
        first = advance_next(session, START, DueGames())
        session.commit()
        assert first is not None
        assert first.lease is not None
        assert advance_next(session, first.lease - timedelta(seconds=1), DueGames()) is None
        assert advance_next(session, first.lease, DueGames()) is None  # it may be what killed the first
        second = advance(session, first.lease, game.id)
        session.commit()
        thoughts = {(thought.ply, thought.seat): thought.ponder() for thought in first.think}

        assert advance(session, first.lease, game.id, thoughts=thoughts, lease=first.lease).game == 0
        assert advance(session, first.lease, game.id, thoughts=thoughts, lease=second.lease).plies > 0


VERSION = "SELECT version FROM games"
WRITES = re.compile(
    r"\s*(?:(INSERT|UPDATE|DELETE) (?:INTO |FROM )?(\w+)|WITH unchanged|SELECT .* SKIP LOCKED$)", re.DOTALL
)


@pytest.mark.parametrize(
    ("how", "beside"),
    [
        (TOGETHER, {"INSERT plies", "UPDATE letters", "UPDATE decisions", "UPDATE standing_orders"}),
        (TOGETHER | {"ahead": ""}, {"UPDATE letters"}),
        (ALONE | {"cadence": CADENCES["bank"]}, {"INSERT plies", "UPDATE seats"}),
        (
            {"game": "egizia", "people": 3, "bots": (), "cadence": CADENCES["bank"]},
            {"INSERT standing_orders", "UPDATE seats"},
        ),
    ],
    ids=["together", "several", "bots", "ahead"],
)
def test_a_run_locks_its_game_before_it_writes_anything_else(
    pg_app: Flask, how: Mapping[str, Any], beside: set[str]
) -> None:
    """Else it would wait for rows of whoever holds the game, who may wait for its; nobody else has a new order."""
    with pg_app.app_context():
        session, seen, found = db.session(), list[str](), set[str]()
        event.listen(db.engine, "before_cursor_execute", lambda *given: seen.append(given[2]))
        now, game = START, opened(**how)
        for number in range(4):
            late = number % 2 == 1
            now += timedelta(days=3 * late)
            for at, one in enumerate(asked(session, game)):
                answer(session, now, game, one.seat, draft=at == 1 and late)
            session.refresh(game)
            now = max(now, game.wake_at or now)
            session.commit()
            before = enqueued.read(VERSION)
            seen.clear()
            assert advance_next(session, now, DueGames())
            stored = enqueued.read(VERSION)
            session.commit()
            writes = [write for words in seen if (write := WRITES.match(words))]
            locked = next(at for at, write in enumerate(writes) if write[1] is None)
            assert {write[2] for write in writes[:locked]} <= {"orders"}
            assert stored == before or len(writes) == 1  # all of it at once
            found.update(" ".join(write.groups()) for write in writes[locked + 1 :])
    assert found >= beside


def test_a_ply_costs_two_statements(pg_app: Flask) -> None:
    """Read by one, with others that are due; written with what is asked next, its letters and its game by another."""
    with pg_app.app_context():
        game = GameFactory(people=4, bots=(), options={"auctions": "in_turn"})
        session = db.session()
        answer(session, START, game, asked(session, game)[0].seat, "draw")
        session.commit()
        words: list[str] = []
        event.listen(db.engine, "before_cursor_execute", lambda *given: words.append(given[2].split(maxsplit=1)[0]))
        before = enqueued.read(VERSION)
        done = advance_next(session, START, DueGames())
        assert enqueued.read(VERSION) != before  # by itself
        session.commit()

        assert done is not None
        assert done.plies == 1
        assert words == ["WITH", "WITH"]
        told = select(Letter.kind).where(Letter.game_id == game.id, Letter.ply == 1)
        assert session.scalars(told).all() == ["your_turn"]


def test_a_drain_keeps_its_connection(pg_app: Flask) -> None:
    """Its session takes none for plies that one statement writes; the one that is kept is given back at the end."""
    begun = list[None]()

    def note(*_: Any) -> None:
        begun.append(None)

    with pg_app.app_context():
        games = due_games(GAMES, {**ALONE, "people": 4, "bots": ()})
        pool: Any = db.engine.pool
        taken = pool.checkedout()
        event.listen(PagesSession, "after_begin", note)
        found = drain(pg_app)
        event.remove(PagesSession, "after_begin", note)

        assert found == games
        assert begun == []
        assert pool.checkedout() == taken
