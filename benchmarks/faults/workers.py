"""Faults of workers: killed, frozen, doubled, poisoned."""

from __future__ import annotations

import os
import random
import signal
import time
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from benchmarks.faults.checker import Allowed, check, told
from benchmarks.faults.fault import Outcome
from benchmarks.faults.players import Club
from pbem.extensions import db
from pbem.store.tables import Game, Letter
from tests.servers import until

if TYPE_CHECKING:
    from benchmarks.faults.stage import Stage

_LOOP = 2.0
"""Seconds that rules may take in this fault: so long one of two processes is busy with the game that loops."""
TRIES = 5
"""Runs of a poisoned game before it must be set aside."""


def killed_workers(stage: Stage, rounds: int) -> Outcome:
    """F1: the whole worker, and the sender of letters in turn, are killed while plies resolve."""
    chance = random.Random(1)
    workers = stage.cast("worker", "mailer", "web", "beat")[:2]
    club = Club(stage)
    club.open(4 + rounds // 8)
    club.play(3)
    with club.playing():
        for number in range(rounds):
            goal = stage.plies() + chance.randint(1, 4)
            until(lambda goal=goal: stage.plies() >= goal, "the next plies", 120)  # type: ignore[misc]  # bound now
            workers[number % 2].strike(signal.SIGKILL)
            workers[number % 2] = stage.start(workers[number % 2].what)
    stage.settle()
    return Outcome(check(club, Allowed(copies=2)), {"plies": stage.plies(), **told(club.history)})


def unheard_commits(stage: Stage, rounds: int) -> Outcome:
    """F3: web and worker are killed in turn between commit and publish; the sweep finds what nobody rang for."""
    stage.cast("worker", "mailer", "web")
    club = Club(stage)
    club.open(2 + rounds // 20)
    for number in range(rounds):
        point = ("web-before-ring", "worker-before-ring")[number % 2]
        stage.arm(point)
        until(lambda point=point: club.answer_all() is not None and stage.has_struck(point), point, 60)  # type: ignore[misc]  # bound now
        stage.sweep("sweep_games")
    club.answer_all()
    stage.settle()
    return Outcome(check(club, Allowed(copies=2)), {"plies": stage.plies(), **told(club.history)})


def fivefold_tasks(stage: Stage, rounds: int) -> Outcome:
    """F11: each task that advances a game is delivered six times, to four processes."""
    stage.cast("worker", "mailer", "worker", "web")
    club = Club(stage)
    club.open(1 + rounds // 20)
    for _ in range(rounds):
        before = stage.plies()
        club.answer_all()
        for game_id in club.games * 5:
            stage.app.extensions["celery"].send_task("pbem.tasks.advance_game", (game_id,), retry=False)
        until(lambda before=before: stage.plies() > before, "the game goes on", 60)  # type: ignore[misc]  # bound now
    stage.settle()
    return Outcome(check(club), {"plies": stage.plies(), **told(club.history)})


def zombies(stage: Stage, rounds: int) -> Outcome:
    """F12: a worker is frozen inside `advance`, the database gives its lock away, and it wakes: it can't write."""
    stage.cast("worker", "mailer", "web")
    club = Club(stage)
    club.open(2)
    refused = 0
    for _ in range(rounds):
        stage.arm("worker-inside-advance", "stop")
        until(lambda: club.answer_all() is not None and any(stage.strikes.glob("stopped.*")), "a worker is frozen", 60)
        pid = int(next(stage.strikes.glob("stopped.*")).suffix[1:])
        for file in stage.strikes.glob("stopped.*"):
            file.unlink()
        then = _at(stage, club)
        until(lambda then=then: _all_moved(stage, club, then), "another worker goes on with every game", 60)  # type: ignore[misc]  # bound now
        before = _refusals(stage)
        os.kill(pid, signal.SIGCONT)
        until(lambda before=before: _refusals(stage) > before, "the sleeper is refused", 60)  # type: ignore[misc]  # bound now
        refused += 1
    stage.settle()
    return Outcome(check(club), {"refused": refused, "plies": stage.plies(), **told(club.history)})


def _refusals(stage: Stage) -> int:
    """How often the workers' log says that the database had given up a sleeper."""
    lines = (stage.folder / "worker.log").read_text(encoding="utf-8").splitlines()
    return sum("advance_game" in line and "raised unexpected" in line for line in lines)


def _at(stage: Stage, club: Club) -> dict[int, int]:
    """The ply each game is at."""
    with stage.app.app_context():
        rows = db.session.execute(select(Game.id, Game.ply).where(Game.id.in_(club.games))).all()
        return {row.id: row.ply for row in rows}


def _all_moved(stage: Stage, club: Club, then: dict[int, int]) -> bool:
    """Sweep and play; whether every game has gone on, so also the one whose lock the sleeper held."""
    stage.sweep("sweep_games")
    club.answer_all()
    now = _at(stage, club)
    return all(now[game_id] > ply for game_id, ply in then.items())


def beats(stage: Stage, rounds: int) -> Outcome:
    """F13: two beats at once; then none for two hours, in which the bell alone carries the games on."""
    club = Club(stage)
    stage.cast("worker", "mailer", "web", "beat", "beat")
    club.open(3)
    for _ in range(rounds):
        club.play(6)
    stage.cast("worker", "mailer", "web")
    stage.move(2 * 3600)
    club.play(6)
    stage.cast("worker", "mailer", "web", "beat")
    stage.settle()
    with stage.app.app_context():
        reminders = db.session.execute(
            select(func.count()).where(Letter.kind.in_(("reminder", "last_call")))
        ).scalar_one()
    return Outcome(check(club), {"plies": stage.plies(), "reminders": reminders, **told(club.history)})


def poison(stage: Stage, rounds: int) -> Outcome:
    """F14: games whose rules raise, kill their process or loop for ever are set aside; the others go on."""
    stage.cast("web", "mailer")
    stage.start("worker", PBEM_RULES_TAKE=str(_LOOP)).set_apart()
    club, bad = Club(stage), Club(stage)
    club.open(4)
    club.play(4)
    before = _seconds_for(club, 40 * rounds)
    ways = ("raise", "kill", "loop")
    for way in ways:
        stage.arm(f"worker-poison-{way}", way, lasting=True)
        bad.open(rounds, title=f"poison-{way}")
    bad.answer_all()
    during = _seconds_for(club, 40 * rounds)
    until(lambda: _stuck(stage, bad) == 3 * rounds, "every poisoned game is set aside", 120)
    stage.settle()
    with stage.app.app_context():
        told_to = db.session.execute(select(func.count()).where(Letter.kind == "stuck")).scalar_one()
        tries = db.session.execute(select(func.max(Game.tries))).scalar_one()
    club.history += bad.history
    faults = check(club, Allowed(copies=2, stuck=3 * rounds))
    if told_to != 3 * rounds:
        faults.append(f"{told_to} organisers were told of {3 * rounds} stuck games.")
    if tries > TRIES + 1:
        faults.append(f"A game was begun {tries} times.")
    if rounds > 1 and during > 2 * before + _LOOP:
        faults.append(f"Other games took {during:.1f} s instead of {before:.1f} s.")
    figures = {"before_s": round(before, 2), "during_s": round(during, 2), "tries": tries, **told(club.history)}
    return Outcome(faults, figures)


def _seconds_for(club: Club, plies: int) -> float:
    start = time.monotonic()
    club.play(plies, club.games, 120)
    return time.monotonic() - start


def _stuck(stage: Stage, club: Club) -> int:
    """How many of the club's games are set aside; what is due is rung for, as the beat would."""
    stage.sweep("sweep_games")
    with stage.app.app_context():
        query = select(func.count()).where(Game.id.in_(club.games), Game.state == "stuck")
        return db.session.execute(query).scalar_one()
