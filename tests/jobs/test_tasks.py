"""Tasks: what a lost, doubled or deadly message does, and what happens while the broker doesn't answer."""

from __future__ import annotations

import atexit
import json
import os
import signal
import threading
from contextlib import contextmanager, nullcontext
from datetime import timedelta
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeVar

import pytest
from celery import signals
from sqlalchemy import func, select, update
from sqlalchemy.exc import OperationalError

from pbem import clock
from pbem.clubs.seasons import seasons
from pbem.engine.registry import rules_of
from pbem.errors import NotAllowed
from pbem.extensions import begin_reading, db, settings
from pbem.jobs import celery_app, queue, tasks
from pbem.mail import outbox
from pbem.play.deadlines import reminders
from pbem.play.seats import opening
from pbem.play.turns import persist, stuck
from pbem.play.turns.advance import PUT_OFF, AdvanceResult
from pbem.store.models import Game, Letter, Pulse
from pbem.store.unit_of_work import Work
from tests import servers
from tests.conftest import make_app, set_up, settings_in
from tests.embedded import embedded
from tests.factories import GameFactory, PlayerFactory, answer, asked
from tests.servers import until
from tests.steps import calls

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask
    from sqlalchemy import Select
    from sqlalchemy.orm import Session

    from pbem.config import Config
    from tests.conftest import Clock

T = TypeVar("T")


def last_order_in(seed: str) -> int:
    """A game whose last order is in, so that it is due; its number."""
    now = clock.now()
    game = GameFactory(now=now, seed=seed, options={"auctions": "in_turn"})
    seat = asked(db.session(), game)[0].seat
    answer(db.session(), now, game, seat, "draw", source="api")  # after one by the page, letters are held back a while
    number: int = game.id
    db.session.commit()
    return number


def read(query: Select[T]) -> T:
    """One value, read in a transaction of its own that keeps nobody from writing."""
    begin_reading(db.session())
    try:
        return db.session.execute(query).scalar_one()
    finally:
        db.session.rollback()


def ply_of(game_id: int) -> int:
    """The ply a game stands at, read afresh, without keeping anybody from writing."""
    return read(select(Game.ply).where(Game.id == game_id))


def state_of(game_id: int) -> str:
    """The state a game is in, read afresh."""
    return read(select(Game.state).where(Game.id == game_id))


def _keep(
    found: list[tuple[str, tuple[object, ...]]],
    name: str,
    args: tuple[int, ...],
    options: dict[str, bool],
    *,
    declare: tuple[()],
    ignore_result: bool,
) -> None:
    assert (declare, ignore_result) == ((), True)
    found.append((name.rpartition(".")[2], (*args, *options.items())))


@pytest.fixture
def sent(app: Flask, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, tuple[object, ...]]]:
    """Every message published, instead of a broker."""
    found: list[tuple[str, tuple[object, ...]]] = []
    app.extensions["tests.enqueued"].is_taken = True
    monkeypatch.setattr(queue, "current_app", SimpleNamespace(send_task=partial(_keep, found)))
    return found


@pytest.mark.usefixtures("db")
def test_one_message_carries_on_every_game_that_is_due(sent: list[tuple[str, tuple[object, ...]]]) -> None:
    """The orders' commits send one that names no game; the plies' commits one for their letters; again, nothing."""
    games = [last_order_in(seed) for seed in ("task", "other")]
    until(lambda: ("advance_games", ()) in sent, "the message of the orders")
    tasks.advance_games()
    after = [ply_of(game_id) for game_id in games]
    tasks.advance_games()
    until(lambda: ("deliver", ()) in sent, "the message of the letters")

    assert min(after) > 0
    assert [ply_of(game_id) for game_id in games] == after
    assert {args for _, args in sent} == {()}


@pytest.mark.usefixtures("db")
@pytest.mark.parametrize(("due", "seconds", "calls"), [(0, 20, 0), (1, 20, 1), (2, 20, 1), (2, 0, 1)])
def test_who_carries_games_on_calls_one_to_help(
    due: int, seconds: float, calls: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One other worker, once the first game went on, or the next round at this one's end; nobody where none is due.

    It is called before a bot of that game thinks. Which games went on stands in one line, however many they are.
    """
    called: list[set[Work]] = []
    bot: Any = SimpleNamespace(ply=3, seat=0, ponder=lambda: str(len(called)))
    results = [*(AdvanceResult(game=7 + number, plies=2, think=(bot,)) for number in range(due)), None]
    thought: list[object] = []

    def think(*_: object, **given: object) -> AdvanceResult:
        thought.append(given["thoughts"])
        return AdvanceResult()

    monkeypatch.setattr(tasks, "advance_next", lambda *_: results.pop(0) if results else None)
    monkeypatch.setattr(tasks, "advance", think)
    monkeypatch.setattr(tasks, "enqueue", called.append)
    monkeypatch.setattr(tasks, "ROUND", seconds)
    tasks.advance_games()

    assert called == [{Work.GAMES}] * calls
    assert thought == [{(3, 0): "1"}] * (due if seconds else 0)
    assert len(results) == (due + 1 if seconds == 0 else 0)
    told = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    carried = list(range(7, 7 + due)) if seconds else []
    assert [(line["games"], line["plies"]) for line in told] == [(carried, 2 * len(carried))] * bool(carried)


@pytest.mark.usefixtures("db", "sent")
def test_bots_that_take_their_time_let_every_other_game_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two games whose bots choose one after the other: what is due meanwhile goes on before the next of them does."""
    went: list[str] = []
    bot: Any = SimpleNamespace(ply=0, seat=0, ponder=str)
    due = [AdvanceResult(game=number, think=(bot,)) for number in (1, 2)]

    def think(_session: object, _now: object, game: int, **_: object) -> AdvanceResult:
        went.append(f"thought of {game}")
        due.append(AdvanceResult(game=2 + len(went)))
        return AdvanceResult(game=game, think=(bot,)) if len(went) < 6 else AdvanceResult(game=game)

    def go_on(*_: object) -> AdvanceResult | None:
        if not due:
            return None
        went.append(f"game {due[0].game}")
        return due.pop(0)

    monkeypatch.setattr(tasks, "advance_next", go_on)
    monkeypatch.setattr(tasks, "advance", think)
    tasks.advance_games()

    assert went[:2] == ["game 1", "game 2"]
    assert {word for one in went[2::2] for word in one.split()[:1]} == {"thought"}
    assert {word for one in went[3::2] for word in one.split()[:1]} == {"game"}
    assert {"thought of 1", "thought of 2"} <= set(went)


@pytest.mark.usefixtures("db", "sent")
def test_one_bot_of_a_machine_thinks_at_a_time() -> None:
    """While another worker's does, a game whose bot needs time is left as it was, and others go on."""
    bots = tuple(opening.SeatPlan(bot=bot) for bot in ("search:0.01", "random"))
    slow = opening.open_game(db.session(), clock.now(), opening.GamePlan(game="priestsofra", seats=bots)).id
    quick, version = last_order_in("quick"), select(Game.version).where(Game.id == slow)
    before = ply_of(slow), ply_of(quick), read(version)
    with tasks._turn_to_think(settings().pbem_home) as take:
        assert take()
        tasks.advance_games()
    between = ply_of(slow), ply_of(quick), read(version)
    tasks.advance_games()

    assert between == (before[0], between[1], before[2])
    assert between[1] > before[1]
    assert ply_of(slow) > before[0]


def test_a_turn_to_think_is_had_again_and_by_all_where_no_file_can_be(tmp_path: Path) -> None:
    """Who has it has it until the block is left; without a folder, as of a worker that keeps nothing, all have one."""
    with tasks._turn_to_think(tmp_path) as one, tasks._turn_to_think(tmp_path) as other:
        assert (one(), other(), one()) == (True, False, True)
    with tasks._turn_to_think(tmp_path) as other, tasks._turn_to_think(tmp_path / "none") as third:
        assert (other(), third()) == (True, True)


@pytest.mark.usefixtures("db", "sent")
def test_a_bot_that_takes_its_time_answers_by_either_message(capsys: pytest.CaptureFixture[str]) -> None:
    """The message for all that is due and a game's own both let it choose, and its game goes on: each ply is told."""
    player = PlayerFactory()
    db.session.flush()
    seats = (opening.SeatPlan(bot="search:0.01"), opening.SeatPlan(player_id=player.id, seated=True))
    for way in ("by all", "by its own"):
        plan = opening.GamePlan(game="priestsofra", seats=seats, seed="nile")
        game_id = opening.open_game(db.session(), clock.now(), plan).id
        db.session.commit()
        before = ply_of(game_id)
        tasks.advance_games() if way == "by all" else tasks.advance_game(game_id)
        told = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
        assert ply_of(game_id) == before + sum(line["plies"] for line in told) > before, way


@pytest.mark.usefixtures("db")
def test_a_thread_keeps_one_sender_for_each_app(tmp_path: Path) -> None:
    """With its connection to the relay, from one task to the next."""
    first = tasks._delivery_worker()
    assert tasks._delivery_worker() is first
    with make_app(settings_in(tmp_path)).app_context():
        assert tasks._delivery_worker() is not first


@pytest.mark.usefixtures("db", "sent")
def test_a_game_that_failed_holds_no_other_up() -> None:
    """Only its own message begins it again; the others go on without it."""
    failed, well = last_order_in("failed"), last_order_in("well")
    db.session.execute(update(Game).where(Game.id == failed).values(tries=1))
    db.session.commit()
    tasks.advance_games()
    stood = ply_of(failed)
    assert ply_of(well) > 0
    tasks.advance_game(failed, again=True)

    assert (stood, ply_of(failed) > 0) == (0, True)


@pytest.mark.usefixtures("db")
def test_a_game_that_cannot_be_written_holds_no_other_up(
    sent: list[tuple[str, tuple[object, ...]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever carries on what is due ends there, so each game gets a message of its own."""
    games, inner = [last_order_in(seed) for seed in ("failed", "well")], persist.write

    def write(session: Any, now: Any, table: Any, done: Any) -> None:
        if table.game.id == games[0]:
            raise LookupError
        inner(session, now, table, done)

    monkeypatch.setattr(persist, "write", write)
    with pytest.raises(LookupError):
        tasks.advance_games()
    own = [args for name, args in sent if name == "advance_game"]
    tasks.advance_game(games[1], again=True)

    assert own == [(game, ("again", True)) for game in games]
    assert [ply_of(game) > 0 for game in games] == [False, True]


@pytest.mark.usefixtures("db", "sent")
def test_a_game_whose_time_is_to_be_given_back_holds_no_other_up(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """F13: its deadline passed while no sweep ran, so it is due longest and can't go on; the others do."""
    monkeypatch.setattr(tasks, "ROUND", 2.0)
    tasks.sweep_games()
    game = GameFactory(now=clock.now, seed="overdue")
    overdue: int = game.id
    assert game.cover_at is not None
    db.session.commit()
    clock.set(game.cover_at + timedelta(hours=1))
    well = last_order_in("well")
    tasks.advance_games()
    went_on = ply_of(well) > 0
    tasks.sweep_games()
    clock.move(seconds=PUT_OFF.total_seconds())
    tasks.advance_games()

    assert went_on
    assert ply_of(overdue) == 0
    given_back = db.session.execute(select(Game.wake_at).where(Game.id == overdue)).scalar_one()
    assert given_back is not None
    assert given_back > clock.now


@pytest.mark.usefixtures("db")
def test_a_message_that_came_back_begins_each_game_by_itself(
    sent: list[tuple[str, tuple[object, ...]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of them may have killed the worker: each gets a message of its own, which counts its tries."""
    game_id = last_order_in("back")
    monkeypatch.setattr(type(tasks.advance_games.request), "delivery_info", {"redelivered": True}, raising=False)
    tasks.advance_games()

    assert ("advance_game", (game_id, ("again", True))) in sent
    assert ply_of(game_id) == 0


@pytest.mark.usefixtures("db")
def test_a_sweep_finds_what_a_lost_message_forgot(sent: list[tuple[str, tuple[object, ...]]], clock: Clock) -> None:
    """The message was lost; the sweep sends one for exactly the games that are due, and have been for a while."""
    due = last_order_in("lost")
    GameFactory(now=clock.now, seed="waiting")
    clock.move(seconds=11)
    sent.clear()
    tasks.sweep_games()

    assert [one for one in sent if one[0] == "advance_game"] == [("advance_game", (due, ("again", True)))]
    assert db.session.execute(select(func.count()).select_from(Pulse)).scalar_one() == 1


@pytest.mark.usefixtures("db", "sent")
def test_a_message_that_kills_its_worker_is_given_up_after_five_times() -> None:
    """F14: each redelivery is counted before the work begins; then the game is set aside and its organiser told."""
    game_id = last_order_in("deadly")
    for _ in range(stuck.TRIES):
        assert stuck.begin_again(db.session(), clock.now(), game_id)
        db.session.commit()
    assert state_of(game_id) == "running"
    tasks.advance_game(game_id, again=True)

    assert state_of(game_id) == "stuck"
    assert db.session.execute(select(Letter.kind).where(Letter.kind == "stuck")).scalar_one() == "stuck"


@pytest.mark.usefixtures("db", "sent")
def test_a_game_that_goes_on_forgets_its_tries() -> None:
    """Four workers died of something else: the fifth run works and the count begins anew."""
    game_id = last_order_in("unlucky")
    db.session.execute(update(Game).values(tries=4))
    db.session.commit()
    tasks.advance_game(game_id, again=True)
    db.session.rollback()

    assert db.session.execute(select(Game.tries)).scalar_one() == 0
    assert state_of(game_id) == "running"


@pytest.mark.usefixtures("db", "sent")
def test_rules_that_loop_for_ever_are_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """F14: after the time that rules may take the game is set aside, with a trace that says where it looped."""
    tasks.advance_game(last_order_in("quick"))  # everything is loaded by then: a slow machine gets to the loop in time
    game_id = last_order_in("loop")

    def forever(*_: object) -> None:
        while True:
            pass

    monkeypatch.setattr(type(rules_of("priestsofra")), "apply", forever)
    monkeypatch.setattr(tasks, "RULES_TAKE", 1.0)
    tasks.advance_game(game_id)
    trace = db.session.get_one(Game, game_id).trace

    assert state_of(game_id) == "stuck"
    assert "TookTooLong" in trace
    assert "in forever" in trace


@contextmanager
def frozen(redis: servers.Redis) -> Iterator[None]:
    """A Redis that takes connections and never answers."""
    with redis.client() as client:
        pid = int(client.info()["process_id"])
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


@pytest.fixture
def redis_app(settings: Config, tmp_path: Path, redis_server: servers.Redis, redis_url: str) -> Flask:
    """The app with Redis as its broker."""
    assert settings.redis_url == ""
    assert redis_server.url == redis_url
    return make_app(settings_in(tmp_path, REDIS_URL=redis_url))


def test_a_broker_that_hangs_holds_nobody_up(redis_app: Flask, redis_server: servers.Redis) -> None:
    """F10: with Redis frozen who enqueues comes back without having spoken to it, and nothing raises."""
    with redis_app.app_context(), frozen(redis_server):
        called = calls(lambda: celery_app.enqueue(set(Work))) + calls(lambda: celery_app.enqueue(set(Work)))

    assert called["enqueue"] > 0
    assert [name for name in ("connect", "sendall", "recv", "recv_into", "poll", "select") if called[name]] == []


def test_a_full_redis_does_not_cost_the_order(redis_app: Flask, redis_server: servers.Redis) -> None:
    """F8: Redis refuses every write; enqueueing still doesn't raise."""
    with redis_app.app_context(), redis_server.client() as client:
        client.config_set("maxmemory", "1")
        try:
            celery_app.enqueue({Work.GAMES})
        finally:
            client.config_set("maxmemory", "0")


def test_one_process_is_a_whole_server(tmp_path: Path) -> None:
    """The embedded default carries a game on, puts its letters in the mailbox, and finds what was due at its start."""
    app = make_app(settings_in(tmp_path))
    set_up(app)
    with app.app_context():
        with embedded(app, tmp_path / "log"):
            game_id = last_order_in("embedded")
            until(lambda: ply_of(game_id) > 0, "the game goes on")
            until(lambda: any((tmp_path / "mailbox" / "new").glob("*")), "a letter in the mailbox")
        forgotten = last_order_in("forgotten")
        assert ply_of(forgotten) == 0
        app.extensions["celery"].conf.beat_schedule = {}  # only the start looks for it
        with embedded(app, tmp_path / "log"):
            until(lambda: ply_of(forgotten) > 0, "the first sweep finds it")
        db.engine.dispose()


def test_apps_of_one_process_never_take_each_others_messages(tmp_path: Path) -> None:
    """The memory that stands for Redis is shared by all apps of a process, so no two of them name a queue alike."""
    queues = []
    for name in ("one", "other"):
        celery = make_app(settings_in(tmp_path / name)).extensions["celery"]
        routes = {route["queue"] for route in celery.conf.task_routes.values()}
        queues.append(set(celery.conf.task_queues))
        assert {*routes, celery.conf.task_default_queue} == queues[-1]

    assert not queues[0] & queues[1]


def test_nothing_secret_is_in_a_message() -> None:
    """Tasks take numbers and nothing else."""
    parameters = set(tasks.advance_game.run.__annotations__) - {"self", "return"}
    assert parameters == {"game_id", "again"}
    for task in (
        tasks.advance_games,
        tasks.deliver,
        tasks.sweep_games,
        tasks.sweep_outbox,
        tasks.remind,
        tasks.read_mail,
        tasks.prune_old,
    ):
        assert set(task.run.__annotations__) <= {"self", "return"}


@pytest.mark.usefixtures("db", "sent")
def test_a_sweep_gives_up_a_letter_that_kills_its_senders(clock: Clock) -> None:
    """It is failed by the sweep, so that no sender takes it up again."""
    last_order_in("worn")
    worn = {"state": "claimed", "claimed_at": clock.now - outbox.STALE, "attempts": outbox.TRIES}
    db.session.execute(update(Letter).values(worn))
    db.session.commit()

    tasks.sweep_outbox()

    assert set(db.session.scalars(select(Letter.state))) == {"failed"}


@pytest.mark.usefixtures("db")
def test_a_round_of_letters_ends_with_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """After its time one letter more is none, and what the sender holds is let go for others."""
    did: list[str] = []

    class Carrier:
        @staticmethod
        def deliver_one(*_: object) -> bool:
            did.append("letter")
            return len(did) < 3

        @staticmethod
        def release(*_: object) -> None:
            did.append("released")

    monkeypatch.setattr(tasks, "_delivery_worker", Carrier)
    monkeypatch.setattr(tasks, "ROUND", -1.0)
    tasks.deliver()
    assert did == ["letter", "released"]
    did.clear()
    monkeypatch.setattr(tasks, "ROUND", 1e9)
    tasks.deliver()
    assert did == ["letter"] * 3


@pytest.mark.usefixtures("db")
@pytest.mark.parametrize(
    ("named", "redelivered", "counted"), [({}, False, 0), ({"again": True}, False, 1), ({}, True, 1)]
)
def test_a_try_is_counted_where_one_may_have_failed_before(
    named: dict[str, bool], counted: int, monkeypatch: pytest.MonkeyPatch, *, redelivered: bool
) -> None:
    """A game's own message that says so, or that came back, counts one; another counts none."""
    begun: list[int] = []

    def begin_again(_session: object, _now: object, number: int) -> bool:
        begun.append(number)
        return True

    monkeypatch.setattr(type(tasks.advance_game.request), "delivery_info", {"redelivered": redelivered}, raising=False)
    monkeypatch.setattr(stuck, "begin_again", begin_again)
    monkeypatch.setattr(tasks, "advance", lambda *_, **__: AdvanceResult(game=7))
    tasks.advance_game(7, **named)

    assert begun == [7] * counted


@pytest.mark.usefixtures("db")
def test_a_season_that_cannot_go_on_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """To who keeps the server: which, and why, in the refusal's words."""

    def refuse(*_: object) -> None:
        raise NotAllowed("It has nobody.")

    monkeypatch.setattr(seasons, "to_carry_on", lambda _: [7])
    monkeypatch.setattr(seasons, "carry_on", refuse)
    tasks.carry_seasons()

    told = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [(line["event"], line["season"], line["fault"]) for line in told] == [
        ("season can't go on", 7, "It has nobody.")
    ]


@pytest.mark.usefixtures("db", "sent")
@pytest.mark.parametrize(("statement", "is_out"), [(None, True), ("SELECT", False)])
def test_a_task_leaves_what_is_no_fault_of_its_own(
    statement: str | None, monkeypatch: pytest.MonkeyPatch, *, is_out: bool
) -> None:
    """A database out of reach is told once and found again by a sweep; any other fault of it is the task's."""

    def fail(session: Session, *_: object) -> None:
        session.connection()
        raise OperationalError(statement, {}, Exception("gone"))

    monkeypatch.setattr(reminders, "remind", fail)
    with nullcontext() if is_out else pytest.raises(OperationalError):
        tasks.remind()

    assert not db.session().in_transaction()


def test_each_moment_of_a_worker_is_told(
    app: Flask, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one line, as Celery comes to it; the end of beat, where it is a process of its own, as that ends."""
    assert app.extensions["celery"]
    at_the_end = list[str]()
    monkeypatch.setattr(atexit, "register", lambda _, said: at_the_end.append(said))

    def come() -> None:  # in a thread: beat is no process of its own then
        for moment in celery_app._LIFE:
            moment.send(sender=None)

    thread = threading.Thread(target=come)
    thread.start()
    thread.join()

    told = [json.loads(line)["event"] for line in capsys.readouterr().err.splitlines()]
    assert told == ["worker ready", "worker ended", "beat begins"]
    assert at_the_end == []
    signals.beat_init.send(sender=None)
    assert at_the_end == ["beat ended"]
