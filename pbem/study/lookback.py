"""A game looked back on: where its points came from, how the lead went, which plies turned it. Pure."""

from __future__ import annotations

from itertools import pairwise, takewhile
from typing import TYPE_CHECKING, Any

from pbem.engine.core.message import N_, Message
from pbem.engine.core.sheet import Account, Step
from pbem.structs import Value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.engine.core.types import AnyRules

    _Points = tuple[int | None, ...]
    """By seat; None where the reader may not know."""

_END, _SO_FAR = N_("{seat} leads from here to the end"), N_("{seat} leads from here on")
SAMPLES = 48
"""Points of a curve at most."""
TURNING = 5
"""Plies told as those that turned the game, the leads that changed hands not counted."""


class TurningPoint(Value):
    """A ply worth jumping to."""

    ply: int
    what: Message


class Curve(Value):
    """Everybody's points as they would have counted then."""

    plies: tuple[int, ...]
    points: tuple[tuple[int, ...], ...]
    """Beside `plies`: by seat."""


class LookBack(Value):
    """What is told of a finished game."""

    account: Account
    curve: Curve
    moments: tuple[TurningPoint, ...]
    """What turned it, in the order of the game."""


def look_back(rules: AnyRules, steps: Sequence[Step]) -> LookBack:
    """Work out all of it from every position; the game is over, so nothing in them is secret any more."""
    standing = [_standing(rules, step) for step in steps]
    return LookBack(rules.account(steps), _curve(steps, standing), _moments([s.ply for s in steps], standing, _END))


def key_moments(rules: AnyRules, seen: Sequence[tuple[int, Any]]) -> tuple[TurningPoint, ...]:
    """What has turned a game that goes on, from a reader's view after each ply: never more than those views tell."""
    standing = [rules.score_sheet(view).totals for _, view in seen]
    return _moments([ply for ply, _ in seen], standing, _SO_FAR)


def _standing(rules: AnyRules, step: Step) -> tuple[int, ...]:
    """Points by seat if all counted now, of what lay open then; hidden ones as their own seat knew them, else 0."""
    totals = rules.score_sheet(rules.view(step.state, None)).totals
    return tuple(
        points if points is not None else rules.score_sheet(rules.view(step.state, seat)).totals[seat] or 0
        for seat, points in enumerate(totals)
    )


def _curve(steps: Sequence[Step], standing: Sequence[tuple[int, ...]]) -> Curve:
    last = len(steps) - 1
    chosen = sorted({round(last * i / max(1, min(SAMPLES, last))) for i in range(min(SAMPLES, last) + 1)})
    return Curve(tuple(steps[i].ply for i in chosen), tuple(standing[i] for i in chosen))


def _moments(plies: Sequence[int], standing: Sequence[_Points], leads: str) -> tuple[TurningPoint, ...]:
    """Return the widest swings of the points known, and since when the leader leads, said by `leads`."""
    swings = []
    for ply, (before, after) in zip(plies[1:], pairwise(standing), strict=True):
        changes = [0 if None in {old, new} else new - old for old, new in zip(before, after, strict=True)]  # type: ignore[operator]  # both are numbers
        if not any(changes):
            continue
        seat = max(range(len(changes)), key=lambda seat: abs(changes[seat]))
        text = N_("{seat} gains {points} point(s)") if changes[seat] > 0 else N_("{seat} loses {points} point(s)")
        told = Message(text, {"seat": seat, "points": abs(changes[seat])})
        swings.append((max(changes) - min(changes), TurningPoint(ply, told)))
    swings.sort(key=lambda one: (-one[0], one[1].ply))
    found = [moment for _, moment in swings[:TURNING]] + _last_lead(plies, standing, leads)
    return tuple(sorted(found, key=lambda one: one.ply))


def _last_lead(plies: Sequence[int], standing: Sequence[_Points], leads: str) -> list[TurningPoint]:
    """Return when the seat that leads at the end came to lead for good."""
    leaders = [_leader(points) for points in standing]
    winner = leaders[-1] if leaders else None
    if winner is None:
        return []
    since = len(leaders) - sum(1 for _ in takewhile(lambda one: one == winner, reversed(leaders)))
    return [TurningPoint(plies[since], Message(leads, {"seat": winner}))] if since else []


def _leader(points: _Points) -> int | None:
    """Return who has most, alone, where everybody's points are known."""
    known = [one for one in points if one is not None]
    if not known or len(known) < len(points):
        return None
    most = max(known)
    return known.index(most) if known.count(most) == 1 else None
