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
from benchmarks.faults.targets import patiently
from pbem.extensions import db
from pbem.play.deadlines import cadence
from pbem.store.models import Game, Letter

if TYPE_CHECKING:
    from pathlib import Path

    from benchmarks.faults.stage import Stage

_LOOP = 3.0
"""Seconds that rules may take in this fault: so long one of two processes is busy with the game that loops. Where three
checkouts test at once on two processors, a sound ply takes more than one, and its game would be set aside, too."""
FROZEN = 20.0
"""Seconds a worker sleeps; the database gives its connection up after 15."""
STOPPED = 2.0
"""The same where the database is told to be less patient: after one."""
TRIES = 5
"""Runs of a poisoned game before it must be set aside."""


def killed_workers(stage: Stage, rounds: int) -> Outcome:
    """F1: the whole worker, and every third time the sender of letters too, is killed while plies resolve."""
    chance = random.Random(1)
    workers = stage.cast("worker", "mailer", "web", "beat")[:2]
    club = Club(stage)
    club.open(4 + rounds // 8)
    club.play(3)
    with club.playing():
        for number in range(rounds):
            goal = stage.plies() + chance.randint(1, 4)
            stage.recover(lambda goal=goal: stage.plies() >= goal, "the next plies")  # type: ignore[misc]  # bound now
            for place in (0, 1) if number % 3 == 0 else (0,):
                workers[place].strike(signal.SIGKILL)
                workers[place] = stage.start(workers[place].what)
    stage.settle()
    return Outcome(check(club, Allowed(copies=2)), {"plies": stage.plies(), **told(club.history)})


def unheard_commits(stage: Stage, rounds: int) -> Outcome:
    """F3: web and worker are killed in turn between commit and publish; the sweep finds what nobody rang for."""
    stage.cast("worker", "mailer", "web")
    club = Club(stage)
    club.open(2 + rounds // 20)
    for number in range(rounds):
        point = ("web-before-enqueue", "worker-before-enqueue")[number % 2]
        stage.arm(point)
        patiently(lambda point=point: club.go_on() and stage.has_struck(point), point)  # type: ignore[misc]  # bound now
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
            stage.app.extensions["celery"].send_task("pbem.jobs.tasks.advance_game", (game_id,), retry=False)
        patiently(lambda before=before: stage.plies() > before, "the game goes on")  # type: ignore[misc]  # bound now
    stage.settle()
    return Outcome(check(club), {"plies": stage.plies(), **told(club.history)})


def zombies(stage: Stage, rounds: int) -> Outcome:
    """F12: a worker is frozen for 20 s inside `advance`, the database gives it up; awake, it can't write."""
    how, seconds = ("freeze", FROZEN) if rounds > 1 else ("stop", STOPPED)
    stage.cast("worker", "mailer", "web")
    club = Club(stage)
    club.open(2)
    refused = 0
    for _ in range(rounds):
        if not club.running():
            club.open(2)
        pid, since = _frozen(stage, club, how)
        then = plies_of(stage, club)
        stage.recover(lambda then=then: all_moved(stage, club, then), "another worker goes on with every game")  # type: ignore[misc]  # bound now
        before = _refusals(stage)
        patiently(lambda since=since: time.monotonic() - since >= seconds, "the sleep is over")  # type: ignore[misc]  # bound now
        try:
            os.kill(pid, signal.SIGCONT)
        except ProcessLookupError:
            continue  # on a busy machine its time limit has ended it in its sleep: it writes nothing either
        patiently(lambda before=before: _refusals(stage) > before, "the sleeper is refused")  # type: ignore[misc]  # bound now
        refused += 1
    stage.settle()
    return Outcome(check(club), {"refused": refused, "plies": stage.plies(), **told(club.history)})


def _frozen(stage: Stage, club: Club, how: str) -> tuple[int, float]:
    """Play until a worker is frozen inside `advance`; its process, and since when."""
    found: list[Path] = []
    stage.arm("worker-inside-advance", how)

    def is_frozen() -> bool:
        club.answer_all()
        found.extend(stage.sleepers())
        return bool(found)

    patiently(is_frozen, "a worker is frozen")
    found[0].unlink()
    return int(found[0].suffix[1:]), time.monotonic()


def _refusals(stage: Stage) -> int:
    """How often the workers' log says that the database had given up a sleeper."""
    lines = (stage.folder / "worker.log").read_text(encoding="utf-8").splitlines()
    return sum("advance_game" in line and "raised unexpected" in line for line in lines)


def plies_of(stage: Stage, club: Club) -> dict[int, int]:
    """The ply each game is at that is not over."""
    with stage.app.app_context():
        query = select(Game.id, Game.ply).where(Game.id.in_(club.games), Game.state == "running")
        rows = db.session.execute(query).all()
        return {row.id: row.ply for row in rows}


def all_moved(stage: Stage, club: Club, then: dict[int, int]) -> bool:
    """Play and sweep; whether every game has gone on or ended since it was at `then`, the sleeper's too."""
    club.answer_all()
    stage.sweep("sweep_games")
    now = plies_of(stage, club)
    return all(now.get(game_id, ply + 1) > ply for game_id, ply in then.items())


BRISK = cadence.Cadence(hours=0.12, waking=0, grace=0.1, reminders=(0.5,))
"""Seven minutes, and a reminder after half of them: the clock is moved there without looking like an outage."""


def beats(stage: Stage, rounds: int) -> Outcome:
    """F13: two beats at once, one reminder each; then none for two hours: messages carry on, no time is lost."""
    club, slow = Club(stage), Club(stage)
    stage.cast("worker", "mailer", "web", "beat", "beat")
    club.open(3)
    slow.open(2, "amunre", 3, cadence=BRISK)
    for _ in range(rounds):
        club.play(6, club.games)
    stage.settle()
    asked = len(slow.questions())
    stage.move(240)
    stage.recover(lambda: _reminded(stage) >= asked, "everybody is reminded")
    stage.cast("worker", "mailer", "web")
    stage.move(2 * 3600)
    club.play(6, club.games, beat=False)
    stage.cast("worker", "mailer", "web", "beat")
    stage.settle()
    faults = check(club)
    if _reminders(stage) != asked:
        faults.append(f"I3 {_reminders(stage)} reminders for {asked} people.")
    return Outcome(faults, {"plies": stage.plies(), "reminders": asked, **told(club.history)})


def _reminded(stage: Stage) -> int:
    """How many reminders there are; two more sweeps at once look for them."""
    stage.sweep("remind", "remind")
    return _reminders(stage)


def _reminders(stage: Stage) -> int:
    return stage.count(Letter, Letter.kind.in_(("reminder", "last_call")))


def poison(stage: Stage, rounds: int) -> Outcome:
    """F14: a game whose rules raise, kill the process or never end is set aside; others take twice as long at most."""
    stage.cast("web", "mailer")
    stage.start("worker", PBEM_RULES_TAKE=str(_LOOP)).set_apart()
    club, bad, faults = Club(stage), Club(stage), []
    _seconds_for(club, 4)  # everything is loaded then
    plies = 60 * min(rounds, 3) if rounds > 1 else UNTIMED
    before = _seconds_for(club, plies)
    figures = {"before_s": round(before, 2)}
    for number in range(rounds):
        for way in WAYS:
            never_ends = "loop" if rounds > 1 else "idle"  # where no time is measured, it need not take the others' any
            stage.arm(f"worker-poison-{way}", never_ends if way == "loop" else way, lasting=True)
            bad.open(1, title=f"poison-{way}")
            bad.answer_all()
            during = _seconds_for(club, plies)
            figures[f"{way}_s"] = max(round(during, 2), figures.get(f"{way}_s", 0.0))
            if rounds > 1 and during > 2 * before + STARTS:
                faults.append(f"Beside {way}, others took {during:.1f} s instead of {before:.1f} s in round {number}.")
            stage.recover(lambda: _stuck(stage, bad) == len(bad.games), "the poisoned game is set aside")
    stage.settle()
    with stage.app.app_context():
        tries = db.session.execute(select(func.max(Game.tries))).scalar_one()
    told_to = stage.count(Letter, Letter.kind == "stuck")
    if told_to != len(bad.games):
        faults.append(f"{told_to} organisers were told of {len(bad.games)} stuck games.")
    if tries > TRIES + 1:
        faults.append(f"A game was begun {tries} times.")
    faults += check(club, Allowed(copies=2, stuck=len(bad.games)))
    return Outcome(faults, {**figures, "tries": tries, **told(club.history)})


WAYS = ("raise", "kill", "loop")
UNTIMED = 4
"""Plies of others beside each poisoned game where nobody holds their time against anything: one of each game."""
STARTS = 1.0
"""Seconds that a worker takes to replace a process it lost."""


def _seconds_for(club: Club, plies: int) -> float:
    """How long so many plies of four new games take."""
    games = club.open(4)
    start = time.monotonic()
    club.play(plies, games)
    return time.monotonic() - start


def _stuck(stage: Stage, club: Club) -> int:
    """How many of the club's games are set aside; messages go out for what is due, as the beat would."""
    stage.sweep("sweep_games")
    return stage.count(Game, Game.id.in_(club.games), Game.state == "stuck")
