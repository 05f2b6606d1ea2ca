"""Races of the hot path: an order between its read and its write, drains beside each other, leases, lost answers."""

from __future__ import annotations

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http import HTTPStatus
from typing import TYPE_CHECKING

from benchmarks.faults.checker import Allowed, check, told
from benchmarks.faults.fault import Outcome
from benchmarks.faults.history import Said
from benchmarks.faults.orders import QUICK, resolved_to, two_open
from benchmarks.faults.players import Club
from benchmarks.faults.targets import patiently
from benchmarks.faults.workers import all_moved, plies_of
from pbem import clock
from pbem.extensions import db
from pbem.play.orders import submission
from pbem.play.turns.persist import THINKING
from pbem.store.models import Game

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from benchmarks.faults.players import Question
    from benchmarks.faults.stage import Stage
    from benchmarks.faults.targets import Process

GAMES = 5
"""Due at once; the drain is struck in the middle one."""
POISON = "poison-kill"
"""The title of a game at which a worker is killed once."""
ACKNOWLEDGED = 3
"""Tasks whose acknowledgement gets no answer: more than one worker has places for."""
UNANSWERED = 30.0
"""Seconds after which a worker that acknowledged a task would have told that Redis doesn't answer."""


@contextmanager
def asleep(stage: Stage, point: str) -> Iterator[None]:
    """Have a process sleep at `point` meanwhile; it was armed before."""
    found: list[Path] = []

    def is_asleep() -> bool:
        found.extend(stage.sleepers())
        return bool(found)

    patiently(is_asleep, f"a process sleeps at {point}")
    try:
        yield
    finally:
        os.kill(int(found[0].suffix[1:]), signal.SIGCONT)
        found[0].unlink()


def version_raised(stage: Stage, rounds: int) -> Outcome:
    """F21: while an order sleeps between its read and its write another seat answers, then the deadline passes."""
    stage.cast("worker", "mailer", "web")
    club = Club(stage)
    club.open(2, "amunre", 3, cadence=QUICK)
    faults = []
    for _ in range(rounds):
        for deed, status in ((_answered, HTTPStatus.OK), (_passed, HTTPStatus.CONFLICT)):
            pair = _undisturbed(stage, club)
            said = _overtaken(stage, club, pair, deed)
            if said.status != status:
                faults.append(f"An order overtaken by {deed.__name__} was answered with {said.status}.")
            patiently(lambda one=pair[0]: resolved_to(stage, one.game_id) >= one.ply, "the ply resolves")  # type: ignore[misc]  # bound now
    stage.settle()
    return Outcome(faults + check(club, Allowed(copies=2, missed=True)), {"plies": stage.plies(), **told(club.history)})


def _undisturbed(stage: Stage, club: Club) -> list[Question]:
    """Two people who are asked at once while nothing is due, so that no worker holds their game.

    What is waited for by moving the clock may be the end of their ply: then others are looked for.
    """
    while True:
        stage.settle()
        pair = two_open(club)
        stage.settle()
        if resolved_to(stage, pair[0].game_id) < pair[0].ply:
            return pair


def _overtaken(
    stage: Stage, club: Club, pair: list[Question], deed: Callable[[Stage, Club, list[Question]], None]
) -> Said:
    """Send the first order; between its read and its write `deed` is done."""

    def send() -> Said:
        with club.person() as player:
            return player.insist(club.keys[pair[0].seat_id], pair[0], f"overtaken-{pair[0].ply}-{pair[0].seat}")

    stage.arm("web-before-order-write", "freeze")
    with ThreadPoolExecutor(1) as pool:
        sent = pool.submit(send)
        with asleep(stage, "web-before-order-write"):
            deed(stage, club, pair)
        return sent.result()


def _answered(stage: Stage, club: Club, pair: list[Question]) -> None:
    """The other seat answers meanwhile."""
    one = pair[1]
    order = submission.Submission(seat_id=one.seat_id, ply=one.ply, text=one.order, request=f"{one.ply}-{one.seat}-in")
    with stage.app.app_context():
        receipt = submission.submit(db.session(), clock.now(), order)
        db.session.commit()
    status = HTTPStatus.OK if receipt.accepted else HTTPStatus.CONFLICT
    club.history.append(
        Said(game_id=one.game_id, seat=one.seat, ply=one.ply, text=one.order, request=order.request, status=status)
    )


def _passed(stage: Stage, _club: Club, pair: list[Question]) -> None:
    """The deadline passes meanwhile, and the ply is resolved without the order."""
    with stage.app.app_context():
        cover = db.session.get_one(Game, pair[0].game_id).cover_at
    assert cover is not None
    stage.move(max(0.0, (cover - clock.now()).total_seconds()) + 0.001)
    patiently(lambda: resolved_to(stage, pair[0].game_id) >= pair[0].ply, "the deadline is carried out")


def two_drains(stage: Stage, rounds: int) -> Outcome:
    """F22: a worker sleeps inside the first of many games that are due; another one does all of them meanwhile."""
    club = Club(stage)
    workers = stage.cast("worker", "worker", "mailer", "web")[:2]
    club.open(GAMES)
    for _ in range(rounds):
        then = _all_due(stage, club, *workers)
        stage.arm("worker-inside-advance", "freeze")
        for worker in workers:
            worker.hold(signal.SIGCONT)
        with asleep(stage, "worker-inside-advance"):
            stage.recover(lambda then=then: all_moved(stage, club, then), "every game goes on")  # type: ignore[misc]  # bound now
    stage.settle()
    return Outcome(check(club), {"plies": stage.plies(), **told(club.history)})


def _all_due(stage: Stage, club: Club, *workers: Process) -> dict[int, int]:
    """Hold the workers, and answer in every game, so that all are due at once; the ply each is at."""
    stage.settle()
    patiently(lambda: len(club.questions()) >= len(club.games), "every game asks")
    for worker in workers:
        worker.hold(signal.SIGSTOP)
    then = plies_of(stage, club)
    for game_id in club.games:
        club.answer_all([game_id])
    return then


def drain_killed(stage: Stage, rounds: int) -> Outcome:
    """F23: a worker is killed at the middle one of many games that are due: those before stay, the others follow."""
    club = Club(stage)
    (worker, *_) = stage.cast("worker", "mailer", "web")
    half = GAMES // 2
    club.open(half)
    club.open(1, title=POISON)
    club.open(GAMES - half - 1)
    for _ in range(rounds):
        then = _all_due(stage, club, worker)
        stage.arm(f"worker-{POISON}")
        worker.hold(signal.SIGCONT)
        stage.recover(lambda: stage.has_struck(f"worker-{POISON}"), "a worker is killed in the middle")
        stage.recover(lambda then=then: all_moved(stage, club, then), "every game goes on")  # type: ignore[misc]  # bound now
    stage.settle()
    return Outcome(check(club, Allowed(copies=2)), {"plies": stage.plies(), **told(club.history)})


def lease_ends(stage: Stage, rounds: int) -> Outcome:
    """F24: a worker sleeps as its bot thinks and its lease ends; another takes the game on, the sleeper's is void."""
    stage.cast("worker", "mailer", "web")
    club = Club(stage)
    for _ in range(rounds):
        (game_id,) = club.open(1, people=2, bots=("search:0.1",))
        stage.arm("worker-before-ponder", "freeze")
        patiently(lambda: club.go_on() and bool(stage.sleepers()), "a bot thinks")
        with asleep(stage, "worker-before-ponder"):
            before = stage.plies()  # of all games: the bot may be another round's
            stage.move(THINKING.total_seconds() + 1)
            stage.recover(lambda at=before: _played_on(stage, at), "another worker takes it on")  # type: ignore[misc]  # bound now
        club.play(2, [game_id])
    stage.settle()
    return Outcome(check(club, Allowed(copies=2)), {"plies": stage.plies(), **told(club.history)})


def _played_on(stage: Stage, before: int) -> bool:
    """Whether there are more plies than before; messages go out for what is due."""
    stage.sweep("sweep_games")
    return stage.plies() > before


def acknowledgements_lost(stage: Stage, rounds: int) -> Outcome:
    """F25: Redis hangs as workers acknowledge what they have done, again and again; they take up games as before."""
    stage.cast("worker", "mailer", "web")
    club = Club(stage)
    club.open(1)
    for _ in range(rounds):
        for _ in range(ACKNOWLEDGED):
            patiently(lambda: _loses_an_answer(stage, club), "an acknowledgement gets no answer")
        club.play(3)
    stage.settle()
    faults = check(club, Allowed(copies=2))
    faults += [f"The {what} ended of it." for what in stage.ended]
    return Outcome(faults, {"plies": stage.plies(), **told(club.history)})


def _loses_an_answer(stage: Stage, club: Club) -> bool:
    """Whether Redis hung as a worker acknowledged its next task; one whose connection was lost before sends nothing."""
    stage.settle()
    stage.arm("worker-before-commit", "freeze")
    patiently(lambda: club.go_on() and bool(stage.sleepers()), "a worker is about to end")
    lost, begun = _timeouts(stage), time.monotonic()
    with asleep(stage, "worker-before-commit"):
        stage.broker.strike(signal.SIGSTOP)
    patiently(lambda: _timeouts(stage) > lost or time.monotonic() - begun > UNANSWERED, "a worker waits for Redis")
    stage.broker.strike(signal.SIGCONT)
    return _timeouts(stage) > lost


def _timeouts(stage: Stage) -> int:
    """How often the workers' log says that Redis didn't answer."""
    return (stage.folder / "worker.log").read_text(encoding="utf-8").lower().count("timeout")
