"""What a finished game came to: both scorings by source, the price of each province, the cards drawn."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pbem.engine.amunre import data
from pbem.engine.amunre.auction import TOOK
from pbem.engine.amunre.scoring import PARTS
from pbem.engine.core.account import Account, Luck, Purchase, summed
from pbem.engine.core.sheet import Source
from pbem.engine.core.types import sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.engine.amunre.state import State
    from pbem.engine.core.account import Step


def account(steps: Sequence[Step]) -> Account:
    """AR-9 by source, and what was paid (AR-5.8) for the points that each province brought."""
    end: State = steps[-1].state
    sources = tuple(
        Source(name, summed([[row[at] for row in rows] for rows in end.tally])) for at, name in enumerate(PARTS)
    )
    return Account(sources, tuple(_purchases(steps)), sentence("gold"), _luck(steps))


def _purchases(steps: Sequence[Step]) -> list[Purchase]:
    """Return each province sold, with the points of its pyramids and temples at the scoring of its kingdom."""
    found = []
    for before, step in pairwise(steps):
        kingdom = before.state.kingdom
        scored = next((one.state for one in steps if len(one.state.tally) >= kingdom), steps[-1].state)
        for event in step.events:
            if event.text == TOOK:
                p = data.PROVINCES.index(str(event.params["province"]))
                points = scored.pyramids[p] + scored.board.temples[p] * scored.temple
                thing = sentence(
                    "{province}, {kingdom}", province=data.PROVINCES[p], kingdom=data.KINGDOMS[kingdom - 1]
                )
                found.append(Purchase(step.ply, event.seat or 0, thing, int(str(event.params["gold"])), points))
    return found


def _luck(steps: Sequence[Step]) -> tuple[Luck, ...]:
    """Return the bonus cards among the cards that came into each hand, and how many to expect from what was left."""
    seats = steps[0].state.seats
    cards, bonuses, expected = [0] * seats, [0] * seats, [0.0] * seats
    for before, step in pairwise(steps):
        hidden = [
            count + sum(pile.count(kind) for pile in before.state.buried)
            for kind, count in enumerate(before.state.deck)
        ]
        share = sum(hidden[kind] for kind in data.BONUSES) / max(1, sum(hidden))
        for seat in range(seats):
            came = [max(0, n - o) for n, o in zip(step.state.hands[seat], before.state.hands[seat], strict=True)]
            cards[seat] += sum(came)
            bonuses[seat] += sum(came[kind] for kind in data.BONUSES)
            expected[seat] += share * sum(came)
    drawn = Luck(sentence("power cards drawn"), tuple(cards), (sum(cards) / seats,) * seats)
    return (drawn, Luck(sentence("bonus cards among them"), tuple(bonuses), tuple(expected)))
