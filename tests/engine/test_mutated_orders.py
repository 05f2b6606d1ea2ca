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


UNSEEN = (
    "\N{RIGHT-TO-LEFT OVERRIDE}\N{ZERO WIDTH SPACE}\N{SOFT HYPHEN}\N{ZERO WIDTH NO-BREAK SPACE}\N{FIRST STRONG ISOLATE}"
)
"""What telephones, pages and right-to-left keyboards put between letters."""


@pytest.mark.parametrize("game", GAMES)
def test_what_cannot_be_seen_makes_no_difference(game: str) -> None:
    """An order with invisible marks in it is the order that its writer sees, wherever they stand."""
    rules, tried = rules_of(game), set()
    for number, position in enumerate(islice(positions(game), 0, None, 5)):
        for seat in rules.asked(position.state):
            order = next(iter(rules.legal(position.state, seat)))
            typed = "".join(sign + UNSEEN[(number + place) % len(UNSEEN)] for place, sign in enumerate(str(order)))
            assert rules.read(position.state, seat, typed) == rules.read(position.state, seat, str(order)), str(order)
            tried.add(rules.asked(position.state)[seat].kind)

    assert len(tried) > 1


@pytest.mark.parametrize("game", GAMES)
def test_checking_a_mutated_order_never_fails(game: str) -> None:
    """Ids out of range, negative counts and foreign names get sentences; what is found legal can be carried out."""
    rules = rules_of(game)
    tried = 0
    others = [(place.state, next(iter(rules.asked(place.state)))) for place in islice(positions(game), 24)]
    for position in islice(positions(game), 0, None, 4):
        for seat in rules.asked(position.state):
            whole = rules.sample(position.state, seat, Rng(position.seed, position.ply))
            for order in (*islice(rules.legal(position.state, seat), 2), whole):
                for mutant in mutants(msgspec.json.decode(msgspec.json.encode(order))):
                    try:
                        wrong = msgspec.convert(mutant, rules.order_type)
                    except msgspec.ValidationError:
                        continue
                    tried += 1
                    for state, asked in ((position.state, seat), others[tried % len(others)]):
                        assert all(str(fault) for fault in rules.check(state, asked, wrong))

    assert tried > 500
