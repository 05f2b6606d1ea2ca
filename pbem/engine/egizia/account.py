"""What a finished game came to: what its events say of points, by source; and the Sphinx cards that were kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pbem.engine.core.account import Account, Luck, Step
from pbem.engine.core.sheet import Source
from pbem.engine.core.types import N_, Event, Message, sentence
from pbem.engine.egizia.scoring import sphinx_points
from pbem.engine.egizia.state import State
from pbem.engine.egizia.tables import tables_of

CARDS: Final = N_("Nile cards")
SOURCES: Final = {
    "EG-6.4": (N_("Obelisk and graves"), "points", 1),
    "EG-6.3": (N_("Pyramid and Temple"), "points", 1),
    "EG-6.5": (N_("rows of the Pyramid"), "points", 1),
    "EG-7.1": (N_("Sphinx cards put back"), "others", 1),
    "EG-8.1": (N_("participation"), "points", 1),
    "EG-5.3": (N_("markets' last spaces"), "points", 1),
    "EG-5.1": (N_("grain that was missing"), "points", -1),
    "EG-9.1": (N_("stones sold"), "points", 1),
    "EG-9.2": (N_("graves at the end"), "points", 1),
    "EG-9.3": (N_("Sphinx cards"), "points", 1),
}
"""By the rule an event cites: the source, the hole that holds its points, and their sign."""


def account(steps: Sequence[Step]) -> Account:
    """EG-5 to EG-9 by source; what no event tells is what Nile cards brought when they were taken or sold stones."""
    end: State = steps[-1].state
    found = {name: [0] * end.players for name, _, _ in SOURCES.values()}
    for step in steps:
        for event in step.events:
            told = points_of(event)
            if told is not None and event.seat is not None:
                found[told[0]][event.seat] += told[1]
    rest = [points - sum(row[seat] for row in found.values()) for seat, points in enumerate(end.score)]
    rows = {**found, CARDS: rest}
    return Account(
        tuple(Source(name, tuple(row)) for name, row in rows.items() if any(row)), (), Message(""), _luck(end)
    )


def points_of(event: Event) -> tuple[str, int] | None:
    """Return the source of the points that an event tells of, and how many; None for one that brings none."""
    if event.rule not in SOURCES:
        return None
    name, hole, sign = SOURCES[event.rule]
    points = event.params.get(hole)
    return (name, sign * points) if isinstance(points, int) else None


def _luck(end: State) -> tuple[Luck, ...]:
    """EG-9.3: what the kept Sphinx cards brought, and what as many cards of the whole deck would have on average."""
    t = tables_of(end.components)
    came, expected = [], []
    for seat, kept in enumerate(end.kept):
        every = [sphinx_points(t, end, seat, card) for card in t.sphinx]
        came.append(sum(every[card] for card in kept))
        expected.append(len(kept) * sum(every) / len(every))
    return (Luck(sentence("points by Sphinx cards, against as many drawn blindly"), tuple(came), tuple(expected)),)
