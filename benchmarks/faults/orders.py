"""Faults around one order: the deadline's last moment, double clicks, lost answers, stale tabs, killed pages."""

from __future__ import annotations

import itertools
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import TYPE_CHECKING

from benchmarks.faults.checker import Allowed, check, told
from benchmarks.faults.fault import Outcome
from benchmarks.faults.players import Club
from benchmarks.faults.stage import behind
from benchmarks.faults.tabs import Tab
from benchmarks.faults.targets import PATIENCE, patiently
from pbem import clock
from pbem.extensions import db
from pbem.play.deadlines import cadence
from pbem.store.models import Game
from tests.servers import lock_waiters, until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Future

    from benchmarks.faults.history import Said
    from benchmarks.faults.players import Question
    from benchmarks.faults.stage import Stage

QUICK = cadence.Cadence(hours=0.05, waking=0, grace=0, reminders=())
"""Deadlines three minutes ahead, so that the clock is never moved so far that it looks like an outage."""


def last_moment(stage: Stage, rounds: int) -> Outcome:
    """F15: the last two orders and the deadline come in the same moment, in every order of arrival."""
    stage.cast("worker", "mailer", "web")
    club = Club(stage)
    club.open(2, "amunre", 3, cadence=QUICK)
    taken = late = 0
    arrivals = itertools.cycle(itertools.permutations(range(3)))
    for _ in range(rounds):
        pair = two_open(club)
        answers = _at_once(stage, club, pair, next(arrivals))
        taken += sum(said.accepted for said in answers)
        late += sum(said.status == HTTPStatus.CONFLICT for said in answers)
        ply = pair[0].ply
        patiently(lambda game=pair[0].game_id, ply=ply: resolved_to(stage, game) >= ply, "the ply resolves")  # type: ignore[misc]  # bound now
    stage.settle()
    faults = check(club, Allowed(copies=2, missed=True))
    if taken + late != 2 * rounds:
        faults.append(f"{2 * rounds} orders: {taken} taken, {late} told that they were late.")
    return Outcome(faults, {"taken": taken, "late": late})


def two_open(club: Club) -> list[Question]:
    """Play on until a game waits for exactly two people."""
    found: list[list[Question]] = []

    def is_there() -> bool:
        club.stage.sweep("sweep_games")  # a message that was lost holds nothing up
        by_game: dict[int, list[Question]] = defaultdict(list)
        for one in club.questions():
            by_game[one.game_id].append(one)
        found[:] = [asked for asked in by_game.values() if len(asked) >= 2]
        for asked in by_game.values():
            if asked in found:
                _answer(club, asked[2:])
            else:
                _answer(club, asked)
        if not club.running():
            club.open(1, "amunre", 3, cadence=QUICK)
        return bool(found)

    patiently(is_there, "two people are asked at once")
    return found[0][:2]


def _answer(club: Club, asked: list[Question]) -> None:
    with club.person() as player:
        for one in asked:
            player.insist(club.keys[one.seat_id], one, f"{one.ply}-{one.seat}")


_GIVEN_UP = 600
"""Looks, a hundredth of a second apart, after which whoever waited for the game's lock first has given up."""


def _at_once(stage: Stage, club: Club, pair: list[Question], arrival: tuple[int, ...]) -> list[Said]:
    """Hold the game's row at its deadline until both orders and the worker queue for it, then let go."""
    game_id = pair[0].game_id

    def send(one: Question) -> Said:
        with club.person() as player:
            return player.insist(club.keys[one.seat_id], one, f"last-{one.ply}-{one.seat}")

    def send_job() -> None:
        stage.app.extensions["celery"].send_task("pbem.jobs.tasks.advance_game", (game_id,), retry=False)

    with ThreadPoolExecutor(3) as pool, behind(stage) as connection, behind(stage) as onlooker:
        connection.execute("BEGIN")
        connection.execute("SELECT id FROM games WHERE id = %s FOR UPDATE", (game_id,))
        with stage.app.app_context():
            cover = db.session.get_one(Game, game_id).cover_at
        assert cover is not None
        stage.move(max(0.0, (cover - clock.now()).total_seconds()) + 0.001)
        deeds: list[Callable[[], Said | None]] = [lambda: send(pair[0]), lambda: send(pair[1]), send_job]
        started: dict[int, Future[Said | None]] = {}
        for place, deed in enumerate(arrival, 1):
            started[deed] = pool.submit(deeds[deed])
            looks = itertools.count(1)

            def is_there(place: int = place, looks: Iterator[int] = looks) -> bool:
                # People send again who waited for the game in vain; a worker that did has to be sent for again.
                if next(looks) % _GIVEN_UP == 0 and len(deeds) - 1 in started:
                    send_job()
                return lock_waiters(onlooker) >= place

            until(is_there, "one more waits for the game", PATIENCE)
        connection.execute("COMMIT")
        return [said for said in (started[0].result(), started[1].result()) if said is not None]


def resolved_to(stage: Stage, game_id: int) -> int:
    """The ply a game has come to; messages go out for what is due."""
    stage.sweep("sweep_games")
    with stage.app.app_context():
        return db.session.get_one(Game, game_id).ply


def double_clicks(stage: Stage, rounds: int) -> Outcome:
    """F16: a double click, a resend after a lost answer, two tabs, a tab of the last ply; by program and by form."""
    stage.cast("worker", "mailer", "web")
    club, faults = Club(stage), []
    club.open(1)
    for number in range(rounds):
        if not club.running():
            club.open(1)
        one = club.asked()
        if number % 2:
            press = (Tab(stage, one).send, Tab(stage, one).send, Tab(stage, one).send)
        else:
            press = (_sender(club, one, "click"), _sender(club, one, "other-tab"), _sender(club, one, "stale-tab"))
        faults += _pressed(stage, one, *press)
    stage.settle()
    return Outcome(faults + check(club, Allowed(copies=2)), {"plies": stage.plies(), **told(club.history)})


def _pressed(
    stage: Stage, one: Question, click: Callable[[], Said], other: Callable[[], Said], stale: Callable[[], Said]
) -> list[str]:
    """Four clicks at once, the other tab, the first again; then, the ply being resolved, a tab that doesn't know it."""
    faults = []
    with ThreadPoolExecutor(4) as pool:
        clicks = list(pool.map(lambda _: click(), range(4)))
    tab, again = other(), click()
    if {said.accepted for said in clicks} != {True} or len({said.canonical for said in clicks}) != 1:
        faults.append(f"A double click was answered {sorted({said.status for said in clicks})}.")
    if not (tab.accepted or tab.reason == "StalePhase") or not again.accepted:
        faults.append(f"The other tab got {tab.status}, the resend {again.status}.")
    patiently(lambda: resolved_to(stage, one.game_id) >= one.ply, "the ply resolves")
    late = stale()
    if late.reason != "StalePhase":
        faults.append(f"A tab of the last ply was answered {late.status} {late.reason!r}.")
    return faults


def _sender(club: Club, one: Question, request: str) -> Callable[[], Said]:
    """A program that sends the order with one and the same request number."""

    def send() -> Said:
        with club.person() as player:
            return player.insist(club.keys[one.seat_id], one, f"{request}-{one.ply}-{one.seat}")

    return send


def killed_pages(stage: Stage, rounds: int) -> Outcome:
    """F17: the pages' process is killed at different points of a POST; people send again and are taken once."""
    stage.cast("worker", "mailer", "web")
    club = Club(stage)
    club.open(2 + rounds // 20)
    points = ("web-before-submit", "web-after-submit", "web-before-enqueue")
    for number in range(rounds):
        point = points[number % len(points)]
        stage.arm(point)
        patiently(lambda point=point: club.go_on() and stage.has_struck(point), point)  # type: ignore[misc]  # bound now
    stage.settle()
    silent = sum(said.status == 0 for said in club.history)
    faults = check(club, Allowed(copies=2))
    if silent < rounds:
        faults.append(f"{silent} of {rounds} people lost their answer.")
    return Outcome(faults, told(club.history))
