"""What is legal: every way agrees with every other."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from pbem.engine.amunre import RULES
from pbem.engine.amunre.data import PRICES
from pbem.engine.amunre.orders import Bid, Build, Buy, Harvest, Offer
from pbem.engine.core.rng import Rng
from tests.engine.amunre.tables import BLACK, RED, land, position

if TYPE_CHECKING:
    from collections.abc import Iterator

LANDS = """
    4 players
    Red: owns Memphis + Kharga
    Black: owns Buto
    Blue: owns Sawu
    White: owns Abydos
"""
POOR = """
    Red: gold 2, architect, free farmer, block
    Memphis: stones 1
"""
STATES = {
    "bid": position("""
        4 players
        up: Memphis, Abu, Mendes, Sawu
        Red: gold 6, block, rebid, beaten on Sawu
        Black: bids 1 on Sawu
    """),
    "buy": position(LANDS, POOR + "asked: buy by Red, then Black Blue White"),
    "build": position(LANDS, POOR),
    "offer": position("""
        4 players
        Red: owns Mendes, gold 3, adjustment, 2 block
        Black: owns Buto, gold 3
        Blue: owns Amarna, gold 3
        White: owns Kharga, gold 3
        asked: offer by Red Black Blue White
    """),
    "harvest": position(
        LANDS,
        """
        game: round 3, temple 2
        Red: eight gold, harvest increase, half bonus, items 2
        asked: harvest by Red
        """,
    ),
}
"""Positions whose legal orders can all be listed."""


def changed(order: Any) -> Iterator[Any]:
    """Orders that differ from `order` in one field."""
    for name in order.__struct_fields__:
        value = getattr(order, name)
        for other in _other_values(value):
            yield msgspec.structs.replace(order, **{name: other})


def _other_values(value: Any) -> Iterator[Any]:
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value - 1, value + 1, value + 7)
    elif isinstance(value, Build):
        yield from changed(value)
    elif isinstance(value, tuple):
        yield value[1:]
        yield (*value, *value[:1])
        if value and isinstance(value[0], tuple):
            yield tuple((p, n + 1) for p, n in value)
            yield tuple((p + 1, n) for p, n in value)
        elif value:
            yield tuple(kind + 1 for kind in value)
        else:
            yield (0,)
            yield ((0, 1),)


@pytest.mark.parametrize("kind", STATES)
def test_every_legal_order_checks_clean_and_no_order_comes_twice(kind: str) -> None:
    """The list is the truth as `check` has it, without doubles."""
    orders = list(RULES.legal(STATES[kind], RED))
    assert len(orders) == len(set(orders)) > 5
    for order in orders:
        assert RULES.check(STATES[kind], RED, order) == []


@pytest.mark.parametrize("kind", STATES)
def test_a_changed_order_is_faulty_or_legal(kind: str) -> None:
    """Whatever differs by one field from a legal order is either in the list or has a fault."""
    state = STATES[kind]
    orders = set(RULES.legal(state, RED))
    tried = 0
    for order in orders:
        for other in changed(order):
            if any(isinstance(part, tuple) and part and not _fits(name, part) for name, part in _parts(other)):
                continue
            tried += 1
            assert (RULES.check(state, RED, other) == []) == (other in orders), other
    assert tried > 100


def _parts(order: Any) -> Iterator[tuple[str, Any]]:
    for name in order.__struct_fields__:
        value = getattr(order, name)
        if isinstance(value, Build):
            yield from _parts(value)
        else:
            yield name, value


def _fits(name: str, part: tuple[Any, ...]) -> bool:
    """Whether a changed tuple still has the type its field declares."""
    pairs = name in ("farmers", "stones")
    return all(isinstance(one, tuple) == pairs for one in part)


@pytest.mark.parametrize("kind", STATES)
def test_every_legal_order_can_be_drawn(kind: str) -> None:
    """Sampling long enough finds all of a short list, and never anything else."""
    state, chance = STATES[kind], Rng(kind, 0)
    orders = set(RULES.legal(state, RED))
    drawn = {RULES.sample(state, RED, chance) for _ in range(60 * len(orders))}
    assert drawn <= orders
    assert len(drawn) >= 0.97 * len(orders)


@pytest.mark.parametrize("kind", STATES)
def test_plain_orders_come_before_those_with_cards(kind: str) -> None:
    """Once an order uses a card, all that follow do."""
    used = [_uses_cards(order) for order in RULES.legal(STATES[kind], RED)]
    assert used == sorted(used)
    assert True in used
    assert used[0] is False


def _uses_cards(order: Any) -> bool:
    match order:
        case Bid():
            return order.block or order.rebid
        case Buy(build=Build() as build):
            return _uses_cards(build)
        case Buy():
            return bool(order.sell)
        case Build():
            return bool(order.sell) or order.free_farmer >= 0 or order.architect >= 0
        case Offer():
            return bool(order.adjustment or order.sell)
        case Harvest():
            return order.increase >= 0 or order.eight_gold >= 0 or bool(order.keep)
    raise AssertionError(order)


def test_legal_is_lazy_where_there_are_millions() -> None:
    """The first orders of a rich player come at once."""
    state = position("""
        4 players
        Red: owns Mendes + Kharga + Amarna, gold 120, architect, free farmer, block, eight gold
        Black: owns Buto
        Blue: owns Sawu
        White: owns Abydos
    """)
    assert len(list(islice(RULES.legal(state, RED), 1000))) == 1000


def test_the_legal_bids_are_those_of_the_rules() -> None:
    """Counted by hand: 6 gold and 2 cards reach 6 (8 in all, 7 after one card, 6 after two)."""
    orders = [order for order in RULES.legal(STATES["bid"], RED) if isinstance(order, Bid)]
    plain = [order for order in orders if not order.block and not order.rebid]
    assert sorted((order.province, PRICES[order.space]) for order in plain) == sorted(
        (land(name), price) for name in ("Memphis", "Abu", "Mendes") for price in (0, 1, 3, 6)
    )
    with_rebid = [str(order) for order in orders if order.rebid and not order.block and order.province == land("Sawu")]
    assert with_rebid == ["bid 3 on Sawu with rebid", "bid 6 on Sawu with rebid"]


def test_who_is_not_asked_has_no_legal_order() -> None:
    """Black on Red's turn; and a wrong kind of order is named."""
    state = STATES["bid"]
    assert list(RULES.legal(state, BLACK)) == []
    assert [fault.rule for fault in RULES.check(state, BLACK, Bid(0, 0))] == ["AR-3.2"]
    assert (
        str(RULES.check(state, RED, Offer(3))[0])
        == "'offer 3' is no answer to what you are asked now. Write for example: bid 6 on Memphis with block."
    )
