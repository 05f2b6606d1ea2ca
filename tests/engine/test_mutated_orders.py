"""Orders as programs send them: whatever numbers and names stand in one, checking it answers in sentences."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from pbem.engine.core.rng import Rng
from pbem.engine.registry import GAMES, rules_of
from pbem.kit.contract.positions import positions

if TYPE_CHECKING:
    from collections.abc import Iterator

ODD: dict[type, tuple[Any, ...]] = {int: (-7, -1, 11, 40, 10**6), str: ("", "Edfu", "nowhere", "joker", "B03")}
"""What takes the place of each number and each word of an order."""


def mutants(value: Any) -> Iterator[Any]:
    """Every way to put one odd number or word into a JSON value, and to say one of its items twice."""
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, dict):
        for name, part in value.items():
            if name != "type":
                yield from ({**value, name: other} for other in mutants(part))
    elif isinstance(value, list):
        for i, part in enumerate(value):
            yield [*value, part]
            yield from ([*value[:i], other, *value[i + 1 :]] for other in mutants(part))
    else:
        yield from ODD[type(value)]


@pytest.mark.parametrize("game", GAMES)
def test_checking_a_mutated_order_never_fails(game: str) -> None:
    """Ids out of range, negative counts and foreign names get sentences; what is found legal can be carried out."""
    rules = rules_of(game)
    tried = 0
    others = [(place.state, next(iter(rules.asked(place.state)))) for place in list(positions(game))[:24]]
    for position in list(positions(game))[::4]:
        for seat in position.asked(rules):
            whole = rules.sample(position.state, seat[0], Rng(position.seed, position.ply))
            for order in (*islice(rules.legal(position.state, seat[0]), 2), whole):
                for mutant in mutants(msgspec.json.decode(msgspec.json.encode(order))):
                    try:
                        wrong = msgspec.convert(mutant, rules.order_type)
                    except msgspec.ValidationError:
                        continue
                    tried += 1
                    for state, asked in ((position.state, seat[0]), others[tried % len(others)]):
                        assert all(str(fault) for fault in rules.check(state, asked, wrong))

    assert tried > 500
