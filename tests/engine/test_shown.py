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
from pbem.engine.amunre import scoring as kingdoms
from pbem.engine.amunre.state import Ply as AmunRe
from pbem.engine.core import records
from pbem.engine.core.rng import Recorded
from pbem.engine.core.types import Rules
from pbem.engine.egizia import feeding, scoring
from pbem.engine.egizia.ply import opened
from pbem.engine.egizia.state import FEED, LEFTOVER, SHIP
from pbem.engine.priestsofra import epochs
from pbem.engine.priestsofra.data import EPOCHS, LAST_SUN
from pbem.engine.priestsofra.sheet import FORGIVEN
from pbem.engine.priestsofra.state import Ply as PriestsOfRa
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
        "figures": "6796a7ade6c7",
        "form": "bfec3575f379",
        "heading": "087891e22b1a",
        "question": "cde58f7d7fc9",
        "score_sheet": "6037daa0e22e",
        "topics": "f5859b2e1b3d",
        "describe": "12f5352a8551",
        "events": "7f2ab3b81540",
        "guide": "463fb3f2ef64",
    },
    "egizia": {
        "board": "e37b1509d2aa",
        "cautious": "c52e45f84631",
        "facts": "792f92639020",
        "figures": "25a5caf973c9",
        "form": "d80182fccfe5",
        "heading": "a65c42587433",
        "question": "85da87904ca8",
        "score_sheet": "86cb135d0050",
        "topics": "676044a76f89",
        "describe": "79522204b0a5",
        "events": "36e2ab693836",
        "guide": "d9c339fb4f50",
    },
    "priestsofra": {
        "board": "58c3cd950dde",
        "cautious": "880026eaf828",
        "facts": "62a205fbd0e0",
        "figures": "6f05b97023bc",
        "form": "f880c65e7501",
        "heading": "671485f5fd02",
        "question": "6f478a374036",
        "score_sheet": "75b836d5c0e2",
        "topics": "7913f6ec340f",
        "describe": "c9dbf8d10373",
        "events": "989d17dbab69",
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
    "amunre": ("points at the scoring (before gold)", lambda _view, source: source.name != "gold"),
    "egizia": ("points at the end, as the board stands", lambda _view, source: source.at_end),
    "priestsofra": (
        "points if the epoch ended now",
        lambda view, source: source.name != FORGIVEN and (not source.at_end or view.epoch == EPOCHS),
    ),
}
"""The figure of points to come, and the lines of the sheet that it is made of."""


def _kingdom_ended(state: Any) -> list[int]:
    """AR-9, the last sale (AR-9.6) left out, and points for gold that is hidden."""
    state.options = msgspec.structs.replace(state.options, final_sale="never")
    kingdoms.score(AmunRe(state, Recorded(())))
    unknown = state.options.gold == "hidden"
    return [points - row[-1] * unknown for points, row in zip(state.points, state.tally[-1], strict=True)]


def _rounds_ended(state: Any) -> list[int]:
    """EG-5.1 or EG-8.1, then EG-9."""
    ply = opened(state, Recorded(()))
    if state.stage in {SHIP, LEFTOVER, FEED}:
        feeding.feed_all(ply, {})
    else:
        scoring.participation(ply)
    scoring.final(ply)
    return list(state.score)


def _epochs_ended(state: Any) -> list[int]:
    """PR-6 and PR-7."""
    state.epoch = EPOCHS
    epochs.end(PriestsOfRa(state, Recorded(())), LAST_SUN)
    return list(state.points)


ENDED: dict[str, Callable[[Any], list[int]]] = {
    "amunre": _kingdom_ended,
    "egizia": _rounds_ended,
    "priestsofra": _epochs_ended,
}
"""By game, the points of all if everything were scored now, by the rules' own scoring."""


@pytest.mark.parametrize("game", GAMES)
def test_what_counts_now_is_what_the_rules_would_score(game: str) -> None:
    """On the sheet and in a preview's figure of points to come, in recorded positions, for whoever is asked."""
    rules, (name, counts) = rules_of(game), TO_COME[game]
    compared = 0
    for one in positions(game)[0][::3]:
        sheet, figures = rules.score_sheet(one.view), rules.figures(one.view)
        assert sheet.totals[one.seat] == ENDED[game](rules.copy(one.state))[one.seat]
        if name in figures:
            compared += 1
            due = sum(line.points[one.seat] or 0 for line in sheet.sources if counts(one.view, line))
            least = -one.view.points[one.seat] if game == "priestsofra" else due  # PR-6.0: no total falls below 0
            assert figures[name] == max(due, least)

    assert compared
