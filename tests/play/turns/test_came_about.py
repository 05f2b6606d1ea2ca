"""How an order came about that its player didn't give: told to its seat, in the ply it went into, to nobody else."""

from __future__ import annotations

from itertools import islice
from typing import Any

import msgspec
import pytest

from pbem.bots.basic import RandomBot
from pbem.bots.selfplay import SelfplayTable, play
from pbem.engine.core.message import Event
from pbem.engine.registry import rules_of
from pbem.engine.text import standing_text
from pbem.play.turns import resolution
from pbem.play.turns.resolution import GivenAhead, Premove, Run, RunSeat

RULES = rules_of("priestsofra")
OWN = "player"
AHEAD = {"standing", "plan", "then", "sealed"}
"""What was given ahead."""


def turn_of(choices: int) -> tuple[Any, int, str]:
    """A position in which one seat alone has so many orders (2: or more), whose it is, and the first of them."""
    found: list[tuple[Any, int, str]] = []

    def look(state: Any, *_: Any) -> None:
        asked = RULES.awaited(state)
        if len(asked) == 1 and not RULES.sealed(state):
            (seat,) = asked
            orders = list(islice(RULES.legal(state, seat), 2))
            if len(orders) == choices:
                found.append((RULES.copy(state), seat, str(orders[0])))

    play(SelfplayTable(RULES, (RandomBot(),) * 3, {"auctions": "in_turn"}), "came about", look)
    return found[0]


def ahead(kind: str, state: Any, text: str) -> list[Premove]:
    """Return what was given ahead of this kind for the order `text`; nothing for a hand."""
    if kind not in AHEAD:
        return []
    parsed = None if kind == "then" else standing_text.parse(RULES, text)
    stored = "standing" if kind == "plan" else kind
    return [Premove(None, stored, text, RULES.scope(state), parsed, plan=kind == "plan")]


@pytest.mark.parametrize("way", [OWN, *resolution._CAME_ABOUT])
def test_a_seat_is_told_how_its_order_came_about(way: str) -> None:
    """With the order, in the ply it was played in, and nobody else is; an order of the player's own needs no word."""
    state, seat, text = turn_of(1 if way == "forced" else 2)
    seats = [RunSeat(number, ahead=ahead(way, state, text) if number == seat else []) for number in range(3)]
    run = Run(RULES, state, "seed", 7, seats, {})
    run.go({seat: GivenAhead(RULES.read(state, seat, text), way)} if way in {OWN, "sitter"} else {}, cap=1)
    events = msgspec.json.decode(run.steps[0].events, type=list[Event])
    told = [event for event in events if event.text in resolution._CAME_ABOUT.values()]

    assert run.steps[0].orders == {seat: text}
    if way == OWN:
        assert told == []
    else:
        (event,) = told
        assert event.text == resolution._CAME_ABOUT[way]
        assert event.params == {"order": text}
        assert event.seen_by == (seat,)
