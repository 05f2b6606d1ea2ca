"""What a preview promises a seat is what the ply then brings it, for a thousand random decisions of each game."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from pbem.engine.core.rng import Rng
from pbem.engine.preview import preview
from pbem.engine.registry import GAMES, rules_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.engine.core.types import AnyRules, Order

DECISIONS = 1000
"""Of each game, over its player counts and the values of its options."""
KINDS = {
    "amunre": {"bid", "sell", "buy", "build", "draft", "offer", "adjust", "take", "harvest"},
    "egizia": {"ship", "leftover", "feed", "move", "sphinx", "keep", "build", "after"},
    "priestsofra": {"turn", "face", "bid", "flip"},
}
"""The kinds of decisions that must be among them."""


def options(rules: AnyRules, game: int) -> dict[str, str]:
    """Every option with its first value in the first game, its second in the next."""
    return {one.name: one.choices[game % len(one.choices)] for one in rules.meta.options if one.choices}


def decisions(rules: AnyRules) -> Iterator[tuple[Any, int, dict[int, Order], Any]]:
    """Random decisions: the view before, whose it is, all orders of the ply, and the view after."""
    game = 0
    while True:
        seats = rules.meta.seats[game % len(rules.meta.seats)]
        wishes = options(rules, game)
        own, game = Rng(f"preview/{game}", 0), game + 1
        state = rules.setup(seats, wishes, Rng(f"preview/{game}", 1)).state
        ply = 1
        while asked := rules.awaited(state):
            ply += 1
            orders = {seat: rules.sample(state, seat, own) for seat in asked}
            seat = sorted(asked)[own.below(len(asked))]
            before = rules.view(state, seat)
            rules.apply(state, orders, Rng(f"preview/{game}", ply))
            yield before, seat, orders, rules.view(state, seat)


@pytest.mark.parametrize("game", GAMES)
def test_a_preview_names_every_consequence_for_the_seat(game: str) -> None:
    """Each own figure comes out as it was told, or was told to be open, or does not change; nothing else happens."""
    rules: Any = rules_of(game)
    told = opened = certain = 0
    kinds: Counter[str] = Counter()
    for count, (before, seat, orders, after) in enumerate(decisions(rules)):
        if count == DECISIONS:
            break
        kinds[rules.form(before).kind] += 1
        seen = preview(rules, before, orders[seat])
        promised = {figure.name: figure.after for figure in seen.figures}
        was, found = rules.figures(before), rules.figures(after)
        for name, number in found.items():
            if name not in promised:
                assert number == was[name], (game, count, str(orders[seat]), name)
            elif promised[name] is not None:
                assert number == promised[name], (game, count, str(orders[seat]), name)
        if seen.after is not None:
            certain += 1
            assert rules.figures(seen.after) == found
        told += len(promised)
        opened += sum(number is None for number in promised.values())

    assert kinds.total() == DECISIONS
    assert set(kinds) >= KINDS[game]
    assert told > DECISIONS / 4
    assert opened < told * 3 / 4
    assert certain > DECISIONS / 4


@pytest.mark.parametrize("game", GAMES)
def test_a_preview_leaves_the_view_as_it_was_and_is_the_same_each_time(game: str) -> None:
    """It is pure: the same view and order give the same preview."""
    rules: Any = rules_of(game)
    before, seat, orders, _ = next(decisions(rules))

    assert preview(rules, before, orders[seat]) == preview(rules, before, orders[seat])
