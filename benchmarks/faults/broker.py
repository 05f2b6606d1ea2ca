"""Faults of Redis: killed, emptied, full, restarted, frozen. Orders and turns don't need it."""

from __future__ import annotations

import signal
import threading
from http import HTTPStatus
from typing import TYPE_CHECKING

from benchmarks.faults.checker import Allowed, check, told
from benchmarks.faults.fault import Outcome
from benchmarks.faults.players import Club
from benchmarks.faults.targets import patiently

if TYPE_CHECKING:
    from benchmarks.faults.history import Said
    from benchmarks.faults.stage import Stage

PATIENCE = 5.0
"""Seconds within which each player is answered while Redis hangs."""


def _faults(club: Club, said: list[Said], what: str, patience: float = 30.0) -> list[str]:
    """The checker's findings, and orders that weren't taken while Redis was away."""
    found = check(club, Allowed(copies=2))
    if not said:
        found.append(f"Nobody ordered anything while {what}.")
    found += [f"While {what}, an order was answered with {one.status}." for one in said if one.status != HTTPStatus.OK]
    found += [f"While {what}, an answer took {one.seconds:.1f} s." for one in said if one.seconds > patience]
    return found


def killed(stage: Stage, rounds: int) -> Outcome:
    """F7: Redis is killed with the tasks of many games' last orders queued, and forgets them all."""
    stage.cast("web")
    club = Club(stage)
    club.open(rounds, people=2)
    club.answer_all()
    # A thread publishes them, after the players were answered, one for all orders that come close together.
    patiently(lambda: _queued(stage) > 0, "a task is queued")
    queued = _queued(stage)
    stage.broker.strike(signal.SIGKILL)
    stage.broker.start()
    before = stage.plies()
    stage.cast("web", "worker", "mailer", "beat")
    stage.settle()
    faults = check(club)
    if stage.plies() < before + rounds:
        faults.append(f"{stage.plies() - before} of {rounds} games went on.")
    return Outcome(faults, {"queued": queued, "plies": stage.plies() - before, **told(club.history)})


def _queued(stage: Stage) -> int:
    with stage.broker.client() as client:
        return int(str(client.llen("games")))


def emptied_and_full(stage: Stage, rounds: int) -> Outcome:
    """F8: FLUSHALL under load, and a Redis that takes nothing more: orders are still taken, no process ends of it."""
    stage.cast("worker", "mailer", "beat")
    stage.start("web", RATE_LIMITS="yes").set_apart()
    club = Club(stage)
    club.open(3)
    club.play(3)
    with club.playing():
        for _ in range(rounds):
            goal = stage.plies() + 3
            with stage.broker.client() as client:
                client.flushall()
            stage.recover(lambda goal=goal: stage.plies() >= goal, "games go on after FLUSHALL")  # type: ignore[misc]  # bound now
    said: list[Said] = []
    for _ in range(rounds):
        said += _while_full(stage, club, 8.0 if rounds > 1 else 4.0)
    stage.settle()
    faults = _faults(club, said, "Redis was full", PATIENCE)
    faults += [f"The {what} ended because Redis was full." for what in stage.ended]
    return Outcome(faults, {"plies": stage.plies(), **told(club.history)})


def _while_full(stage: Stage, club: Club, seconds: float) -> list[Said]:
    """People order while Redis takes nothing; workers and beat try for some seconds; then there is room again."""
    club.asked()
    with stage.broker.client() as client:
        client.config_set("maxmemory", "1")
        said = club.answer_all()
        threading.Event().wait(seconds)
        client.config_set("maxmemory", "0")
    goal = stage.plies() + 1
    stage.recover(lambda: _played(stage, club) >= goal, "games go on once Redis has room")
    return said


def restarted(stage: Stage, rounds: int) -> Outcome:
    """F9: Redis is away for a while and comes back, again and again, under live workers."""
    away = 60.0 if rounds > 1 else 3.0
    stage.cast("worker", "mailer", "web", "beat")
    club = Club(stage)
    club.open(4)
    club.play(3)
    said: list[Said] = []
    for _ in range(rounds):
        club.asked()
        stage.broker.strike(signal.SIGKILL)
        said += club.answer_all()
        threading.Event().wait(away)
        stage.broker.start()
        goal = stage.plies() + 2
        stage.recover(lambda goal=goal: _played(stage, club) >= goal, "the workers come back")  # type: ignore[misc]  # bound now
    stage.settle()
    faults = _faults(club, said, "Redis was away")
    faults += [f"The {what} ended because Redis was away." for what in stage.ended]
    return Outcome(faults, {"plies": stage.plies(), **told(club.history)})


def _played(stage: Stage, club: Club) -> int:
    """People play on, what ended is started again; how many plies there are now."""
    stage.supervise()
    club.answer_all()
    return stage.plies()


def frozen(stage: Stage, rounds: int) -> Outcome:
    """F10: Redis hangs while people order; each is answered within five seconds."""
    stage.cast("worker", "mailer")
    stage.start("web", RATE_LIMITS="yes").set_apart()
    club = Club(stage)
    club.open(4)
    club.play(3)
    said: list[Said] = []
    for _ in range(rounds):
        club.asked()
        stage.broker.strike(signal.SIGSTOP)
        said += club.answer_all()
        stage.broker.strike(signal.SIGCONT)
        stage.settle()
    return Outcome(_faults(club, said, "Redis hung", PATIENCE), {"plies": stage.plies(), **told(club.history)})
