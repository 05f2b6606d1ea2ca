"""What players are told of recorded positions stays as it is, to the letter: questions, forms, facts, sheets, events.

Whoever changes a sentence or a form looks at it where it is shown, and takes the new digest from what fails.
"""

from __future__ import annotations

import hashlib
import inspect
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from pbem.engine import replay
from pbem.engine.core import records
from pbem.engine.core.types import Rules
from pbem.engine.priestsofra.data import EPOCHS
from pbem.engine.registry import GAMES, guide_of, rules_of
from pbem.structs import Value
from tests.engine.test_records import RECORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pbem.engine.core.message import Event
    from pbem.engine.core.sheet import Source

EVERY = 5
"""One ply in so many is looked at, so that the kinds of ply of a round come up in turn."""
OFFERED = 12
"""So many legal orders of each position are described."""
VERBS = sorted(
    name
    for name, verb in vars(Rules).items()
    if inspect.isfunction(verb) and list(inspect.signature(verb).parameters) == ["self", "view"]
)
"""What the rules tell of a view alone."""
SHOWN = {
    "amunre": {
        "board": "cf3fd89e9a88",
        "cautious": "7f148a19cf7f",
        "facts": "568e3eb58a21",
        "figures": "c550c5acc53a",
        "form": "3dd9c5c210c7",
        "heading": "087891e22b1a",
        "question": "cde58f7d7fc9",
        "score_sheet": "4d3154003e49",
        "topics": "f5859b2e1b3d",
        "describe": "12f5352a8551",
        "events": "1b4eb8a5b23c",
        "guide": "463fb3f2ef64",
    },
    "egizia": {
        "board": "e6e70f377ef0",
        "cautious": "c52e45f84631",
        "facts": "7c294c0540ed",
        "figures": "146433aabb53",
        "form": "d80182fccfe5",
        "heading": "a65c42587433",
        "question": "85da87904ca8",
        "score_sheet": "0808207e7fc9",
        "topics": "676044a76f89",
        "describe": "79522204b0a5",
        "events": "591b76142fb5",
        "guide": "ea22ca46cf16",
    },
    "priestsofra": {
        "board": "58c3cd950dde",
        "cautious": "880026eaf828",
        "facts": "62a205fbd0e0",
        "figures": "6f05b97023bc",
        "form": "9ad52637d3b6",
        "heading": "671485f5fd02",
        "question": "6f478a374036",
        "score_sheet": "75b836d5c0e2",
        "topics": "7913f6ec340f",
        "describe": "c9dbf8d10373",
        "events": "71c5b88066dc",
        "guide": "3c95f7f19a2b",
    },
}
"""Digests by game and verb; "events" is what the plies tell, "guide" the rules for people."""


class Seen(Value):
    """A position as a seat sees it that is asked."""

    state: Any
    seat: int
    view: Any


@cache
def positions(game: str) -> tuple[tuple[Seen, ...], tuple[Event, ...]]:
    """What is seen in positions of all records of the game, and what was told on the way."""
    rules = rules_of(game)
    seen: list[Seen] = []
    events: list[Event] = []
    for path in (path for path in RECORDS if path.parent.parent.name == game):
        for played in replay.play(records.parse(path.read_text("utf-8"))):
            events += played.events
            if played.ply.number % EVERY == 0:
                state = rules.copy(played.state)
                seen += (Seen(state, seat, rules.view(state, seat)) for seat in rules.asked(state))
    return tuple(seen), tuple(events)


def told(game: str, verb: str) -> Iterator[object]:
    """What the verb says of each position, all plies and the guide tell, and orders that are offered will do."""
    rules = rules_of(game)
    seen, events = positions(game)
    if verb == "guide":
        yield guide_of(game)
    elif verb == "events":
        yield from events
    elif verb == "describe":
        for one in seen:
            offered = tuple(islice(rules.legal(one.state, one.seat), OFFERED))
            yield from ((str(order), rules.describe(one.view, order)) for order in offered)
    else:
        yield from (getattr(rules, verb)(one.view) for one in seen)


def digest(said: Iterable[object]) -> str:
    """A few signs that tell what is said from anything else."""
    whole = hashlib.sha256()
    for one in said:
        whole.update(msgspec.json.encode(one, order="deterministic"))
    return whole.hexdigest()[:12]


@pytest.mark.parametrize("game", GAMES)
def test_what_is_told_stays_as_it_is(game: str) -> None:
    """Every verb that speaks of a view, and the events."""
    assert {verb: digest(told(game, verb)) for verb in (*VERBS, "describe", "events", "guide")} == SHOWN[game]


TO_COME: dict[str, tuple[str, Callable[[Any, Source], bool]]] = {
    "amunre": ("points at the scoring, before gold", lambda _view, source: source.name != "gold"),
    "egizia": ("points at the end, as the board stands", lambda _view, source: source.at_end),
    "priestsofra": ("points if the epoch ended now", lambda view, source: not source.at_end or view.epoch == EPOCHS),
}
"""The figure of points to come, and the lines of the sheet that it is made of."""


@pytest.mark.parametrize("game", GAMES)
def test_the_figure_of_points_to_come_is_what_the_sheet_says(game: str) -> None:
    """A preview counts as the sheet does, in all recorded positions."""
    rules, (name, counts) = rules_of(game), TO_COME[game]
    compared = 0
    for one in positions(game)[0]:
        figures, sheet = rules.figures(one.view), rules.score_sheet(one.view)
        if name in figures and sheet.sources:
            compared += 1
            assert figures[name] == sum(line.points[one.seat] or 0 for line in sheet.sources if counts(one.view, line))

    assert compared
