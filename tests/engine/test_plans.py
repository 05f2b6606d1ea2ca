"""Plans: no seat is ever answered against the words of its plan, read a second time beside the compiler."""

from __future__ import annotations

import contextlib
import re

import msgspec
import pytest

from pbem.engine.core.errors import InvalidOrder
from pbem.engine.core.rng import Rng
from pbem.engine.registry import GAMES, planner_of, rules_of
from pbem.engine.text import standing_text
from pbem.kit.contract.positions import table_of
from tests.engine import plan_referee

PLANS = 60
SEEDS = 20
CODED = re.compile(r"(?<!\()\b(?:[A-Z]\d\d|card \d+)(?!: |\w)")
"""A card called by its number, without what it is."""


@pytest.mark.parametrize("game", GAMES)
def test_no_seat_is_answered_against_its_plan(game: str) -> None:
    """Random plans of random games answer only what their data say."""
    followed = plan_referee.followed(rules_of(game), "short", PLANS)
    assert followed.plans >= PLANS
    assert not followed.complaints
    assert followed.answers > PLANS // 2  # the plans do answer, else nothing was tried


@pytest.mark.parametrize("game", GAMES)
def test_a_plan_is_kept_and_told_without_loss(game: str) -> None:
    """JSON and back, text and back, and words for all of it, no card by its number alone."""
    rules, planner = rules_of(game), planner_of(game)
    made = []
    for number in range(SEEDS):
        state = rules.setup(rules.meta.seats[0], {}, Rng("kept", number)).state
        view = rules.view(state, 0)
        for part in planner.parts(view):
            with contextlib.suppress(InvalidOrder):  # nothing was tapped
                fields = plan_referee.random_fields(part, Rng("fields", number))
                made.append((planner.plan(view, part.name, fields), view))
    assert len(made) > SEEDS // 2
    for plan, view in made:
        assert msgspec.json.decode(msgspec.json.encode(plan), type=planner.PLANS) == plan
        parsed = standing_text.parse(rules, planner.text(plan))
        assert standing_text.parse(rules, str(parsed)) == parsed
        said = list(map(str, planner.words(plan, view)))
        assert all(said)
        assert not [line for line in said if CODED.search(line)]


@pytest.mark.parametrize("game", GAMES)
def test_what_can_be_tapped_says_what_it_is(game: str) -> None:
    """No option is called by a card's number alone, and two of one field are never called the same."""
    rules, planner = rules_of(game), planner_of(game)
    state = rules.setup(rules.meta.seats[0], {}, Rng("told", 0)).state
    told = 0
    for part in planner.parts(rules.view(state, 0)):
        for field in part.fields:
            labels = [str(option.label) for option in field.options]
            assert len(labels) == len(set(labels))
            assert not [label for label in labels if re.search(r"\d", label) and len(label.split()) == 1]
            told += len(labels)
    assert told


@pytest.mark.parametrize("game", GAMES)
def test_what_cannot_be_tapped_is_refused(game: str) -> None:
    """A value that the page doesn't offer, and a part that it doesn't show."""
    rules, planner = rules_of(game), planner_of(game)
    state = rules.setup(rules.meta.seats[0], {}, Rng("refused", 0)).state
    view = rules.view(state, 0)
    for part in planner.parts(view):
        for field in part.fields:
            with pytest.raises(InvalidOrder, match="can't be chosen"):
                planner.plan(view, part.name, {field.name: ["no such thing"]})
    with pytest.raises(InvalidOrder, match="Nothing can be planned"):
        planner.plan(view, "no such part", {})


def test_nobody_without_a_seat_can_plan() -> None:
    """A spectator's view offers nothing."""
    for game in GAMES:
        rules = rules_of(game)
        state = table_of(rules, 0).rules.setup(rules.meta.seats[0], {}, Rng("nobody", 0)).state
        assert planner_of(game).parts(rules.view(state, None)) == ()
