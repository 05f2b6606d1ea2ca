"""What a finished game came to: the sheets of its epochs by line, what each sun bought, who drew what."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pbem.engine.core.account import Account, Luck, Purchase, summed
from pbem.engine.core.sheet import Source
from pbem.engine.core.types import N_, sentence
from pbem.engine.priestsofra import data
from pbem.engine.priestsofra.sheet import lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.engine.core.account import Step
    from pbem.engine.priestsofra.state import State

START = N_("points at the start")
FLOOR = N_("lost points forgiven at 0")


def account(steps: Sequence[Step]) -> Account:
    """PR-6, PR-7 by line over all epochs, and what each winning sun (PR-3.5) brought in tiles."""
    end: State = steps[-1].state
    sources = [
        Source(START, (data.START_POINTS,) * end.seats),
        *(
            Source(name, summed([[row[at] for row in epoch] for epoch in end.sheets]))
            for at, name in enumerate(data.SHEET)
        ),
    ]
    forgiven = tuple(
        points - sum(source.points[seat] or 0 for source in sources) for seat, points in enumerate(end.points)
    )
    if any(forgiven):
        sources.append(Source(FLOOR, forgiven))
    return Account(tuple(sources), tuple(_purchases(steps)), sentence("sun"), _luck(steps))


def _purchases(steps: Sequence[Step]) -> list[Purchase]:
    """Return each lot sold, with what its tiles added to the winner's lines as the table stood."""
    found, level = [], [0] * steps[0].state.seats
    for before, step in pairwise(steps):
        for event in step.events:
            sun = event.params.get("sun")
            if event.rule != "PR-3.5" or sun is None or event.seat is None:
                continue
            tiles = [row[:] for row in before.state.display]
            now = lines(before.state.ankhs, tiles, level)
            for face in before.state.lot:
                tiles[event.seat][face] += 1
            gain = sum(lines(before.state.ankhs, tiles, level)[event.seat]) - sum(now[event.seat])
            lot = before.state.lot
            thing = sentence("{faces}", faces=data.named(lot)) if lot else sentence("no tiles")
            found.append(Purchase(step.ply, event.seat, thing, int(str(sun)), gain))
    return found


def _luck(steps: Sequence[Step]) -> tuple[Luck, ...]:
    """Return how many Ra tiles and plagues each seat drew, and how many the bag let expect of its draws."""
    seats = steps[0].state.seats
    kinds = (data.RA, len(data.TILES) - 1)
    came = {kind: [0] * seats for kind in kinds}
    expected = {kind: [0.0] * seats for kind in kinds}
    for before, step in pairwise(steps):
        bag = before.state.bag
        if sum(step.state.bag) != sum(bag) - 1:
            continue
        for kind in kinds:
            came[kind][before.state.actor] += bag[kind] - step.state.bag[kind]
            expected[kind][before.state.actor] += bag[kind] / sum(bag)
    return tuple(
        Luck(sentence("{tile} tiles drawn", tile=data.TILES[kind]), tuple(came[kind]), tuple(expected[kind]))
        for kind in kinds
    )
