"""What finished games came to: every recorded game's sources add up to its result, and its prices are its bids."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from pbem.engine import replay
from pbem.engine.amunre.cards import DREW
from pbem.engine.core import records
from pbem.engine.core.sheet import Account, Step
from pbem.engine.core.types import Rules
from pbem.engine.egizia import sheet as egizia
from pbem.engine.egizia import state as s
from pbem.engine.registry import rules_of
from tests.engine.test_records import RECORDS

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.engine.core.types import AnyRules


def steps_of(path: Path) -> tuple[AnyRules, tuple[Step, ...]]:
    """A recorded game, position by position."""
    record = records.parse(path.read_text(encoding="utf-8"))
    rules = rules_of(record.game, record.version)
    return rules, tuple(Step(step.ply.number, rules.copy(step.state), step.events) for step in replay.play(record))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.parent.name}-{path.stem}")
def test_the_sources_of_a_finished_game_add_up_to_its_result(path: Path) -> None:
    """Nobody's points come from nowhere, and none are to come; what was won at an auction has its price and worth."""
    rules, steps = steps_of(path)
    result = rules.outcome(steps[-1].state)
    assert result is not None

    found = rules.account(steps)

    assert tuple(sum(source.points[seat] or 0 for source in found.sources) for seat in range(len(result.scores))) == (
        result.scores
    )
    assert len(found.sources) > 3
    assert not [name for name in rules.figures(rules.view(steps[-1].state, 0)) if name.startswith("points ")]
    assert found.luck
    for one in found.luck:
        assert len(one.came) == len(one.expected) == len(result.scores)


@pytest.mark.parametrize("path", [path for path in RECORDS if path.parent.parent.name == "amunre"], ids=str)
def test_amun_re_brought_and_drew_what_is_told(path: Path) -> None:
    """A seat's provinces bring what it scored for pyramids and temples; each card that it read it drew is counted."""
    rules, steps = steps_of(path)
    found = rules.account(steps)
    points = {source.name: source.points for source in found.sources}
    seats = range(steps[0].state.seats)
    brought = [sum(one.brought for one in found.purchases if one.seat == at) for at in seats]
    drew: list[Any] = [event for step in steps for event in step.events if event.text == DREW]

    assert brought == [
        (one or 0) + (other or 0) for one, other in zip(points["pyramids"], points["temples"], strict=True)
    ]
    assert [*found.luck[0].came] == [sum(len(one.params["cards"]) for one in drew if one.seat == at) for at in seats]


@pytest.mark.parametrize("path", [path for path in RECORDS if path.parent.parent.name == "egizia"], ids=str)
def test_egizias_rest_is_what_nile_cards_brought(path: Path) -> None:
    """In a ply in which no card is taken or sold, the events tell every point: the rest hides nothing else.

    What came of Sphinx cards is what they scored, also of the one that brings a tenth of the points until then.
    """
    rules, steps = steps_of(path)
    account = rules.account(steps)
    scored = next((source.points for source in account.sources if source.name == "Sphinx cards"), None)
    assert account.luck[0].came == (scored or (0,) * len(account.luck[0].came))
    for before, step in pairwise(steps):
        if before.state.stage in {s.SHIP, s.LEFTOVER} or any(event.rule == "EG-4.3" for event in step.events):
            continue
        told = [egizia.points_of(event) for event in step.events]
        assert sum(points for _, points in filter(None, told)) == sum(step.state.score) - sum(before.state.score)


@pytest.mark.parametrize("path", [path for path in RECORDS if path.stem.startswith("4-")], ids=str)
def test_auctions_are_told_with_their_price(path: Path) -> None:
    """Amun-Re: as many purchases as there are rounds times players; Priests of Ra: one for each sale."""
    rules, steps = steps_of(path)
    found = rules.account(steps).purchases
    end = steps[-1].state
    due = 6 * 4 if rules.meta.name == "amunre" else sum(end.sold) if rules.meta.name == "priestsofra" else 0

    assert len(found) == due
    assert all(one.paid >= 0 for one in found)


def test_a_game_without_an_account_of_its_own_tells_its_points() -> None:
    """A game of the kit: one source, the result itself."""
    rules, steps = steps_of(RECORDS[0])
    result = rules.outcome(steps[-1].state)
    assert result is not None

    account: Any = Rules.account
    found = account(rules, steps)

    assert isinstance(found, Account)
    assert [source.points for source in found.sources] == [result.scores]
