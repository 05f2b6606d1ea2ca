"""What is legal: `legal` and `check` agree, orders come back from their text, what is sampled is among them.

Positions are texts (docs/development/positions.md).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec
import pytest

from pbem.bots.basic import RandomBot
from pbem.bots.selfplay import SelfplayTable, play
from pbem.engine.core.rng import Rng
from pbem.engine.egizia import RULES, orders
from pbem.engine.egizia.data import SITE_NAMES
from pbem.engine.egizia.orders import Also
from pbem.engine.egizia.state import State
from tests.engine.egizia.tables import Table

MANY = 3000
GAMES = 6


def positions(players: int) -> Iterator[tuple[State, int]]:
    """States of random games with a seat that is asked, a few of each kind of decision."""
    found: list[tuple[State, int]] = []
    lot = Rng("positions", players)

    def look(state: State, _orders: object, _chance: object) -> None:
        if state.stage != "over" and lot.below(4 if state.stage == "ship" else 2) == 0:
            found.append((RULES.copy(state), next(iter(RULES.awaited(state)))))

    for number in range(GAMES):
        play(SelfplayTable(RULES, (RandomBot(),) * players, {}), f"legal-{number}", look)
    return iter(found)


def mutants(order: Any, lot: Rng) -> Iterator[Any]:
    """Orders that differ from `order` in one field, most of them illegal."""
    pools: dict[str, tuple[Any, ...]] = {
        "to": ("Edfu", "Alyl", "Passalon", "Sphinx", "Pyramid", "A01", "B04", "C07"),
        "slot": (0, 1, 2, 3),
        "crews": ((), ("blue",), ("blue", "joker"), ("black",), ("black", "yellow"), ("joker",)),
        "rings": ((), ("left",), ("right",), ("left", "right")),
        "using": (
            (),
            ("upstream",),
            ("reuse",),
            ("double",),
            ("two ships",),
            ("+3",),
            ("combine",),
            ("+2",),
            ("keep two",),
        ),
        "card": ("", "A01", "B05", "C02"),
        "grain": (0, 4, 8),
        "stones": (0, 1, 5),
        "n": (0, 1, 3, 5, 6),
        "first": (0, 1, 3),
        "last": (0, 1, 3, 4),
        "graves": (0, 1, 4, 5),
        "market": ("", "stone", "grain"),
        "rows": ((), (1,), (1, 1, 2), (2,), (6,)),
        "parts": ((), ("left pylon",), ("right column", "right column")),
        "entablature": ((), (1,), (2, 3)),
        "cards": ((), ("S01",)),
        "order": ((), ("S02", "S01")),
        "also": (orders.NOTHING, Also(improve=("blue",)), Also(trade=("black",)), Also(sell=2), Also(field=("A05",))),
    }
    for field in msgspec.structs.fields(order):
        pool = pools[field.name]
        yield msgspec.structs.replace(order, **{field.name: pool[lot.below(len(pool))]})


@pytest.mark.parametrize("players", [2, 3, 4])
def test_check_agrees_with_legal(players: int) -> None:
    """Every legal order passes the check and comes back from its text; a mutant passes exactly if it is listed."""
    kinds, allowed, refused = set(), 0, 0
    for state, seat in positions(players):
        listed = list(islice(RULES.legal(state, seat), MANY))
        kinds.add(state.stage)
        assert len(set(map(str, listed))) == len(listed)
        for order in listed[:60] + listed[-60:]:
            assert RULES.check(state, seat, order) == []
            assert RULES.read(state, seat, str(order)) == order
        if len(listed) == MANY:
            continue
        lot = Rng(f"mutants-{state.round}", len(listed))
        for order in listed[:: max(1, len(listed) // 8)]:
            for mutant in mutants(order, lot):
                legal = not RULES.check(state, seat, mutant)
                assert legal == (RULES.read(state, seat, str(mutant)) in listed if legal else mutant in listed), mutant
                allowed, refused = allowed + legal, refused + (not legal)

    assert {"ship", "sphinx", "build", "keep", "after"} <= kinds
    assert allowed > 100
    assert refused > 1000


@pytest.mark.parametrize("players", [2, 4])
def test_what_is_sampled_is_listed(players: int) -> None:
    """Wherever all legal orders can be listed, a sampled one is among them."""
    seen = 0
    for state, seat in positions(players):
        listed = list(islice(RULES.legal(state, seat), MANY))
        if len(listed) < MANY:
            for lot in range(4):
                order = RULES.sample(state, seat, Rng("sampled", lot))
                assert order in listed, str(order)
                seen += 1

    assert seen > 300


@pytest.mark.parametrize("site", ["Obelisk", "Pyramid"])
def test_eg_4_5_no_sample_builds_with_stones_that_a_rider_has_spent(site: str) -> None:
    """With 2 stones and the two-stones card: once that has taken them nothing is left to build with."""
    table = Table.position("""
        2 players
        0: has B13
        1: stones 9
    """)
    table.building(f"at {site}: slots 0 1")
    rng = Rng("riders", SITE_NAMES.index(site))
    sampled = [RULES.sample(table.state, 0, rng) for _ in range(3000)]

    assert [str(order) for order in sampled if RULES.check(table.state, 0, order)] == []
    assert any(order.also.trade and isinstance(order, orders.Renounce) for order in sampled)


def test_eg_7_2_the_order_in_which_kept_cards_are_named_is_nothing() -> None:
    """Orders are recorded as text, kept cards in the order drawn: the state must be the same either way."""
    table = Table.position("""
        2 players
        0: stones 9, crews 5 5 5 5, has B15
        1: stones 9
    """)
    table.building("at Sphinx: slots 0 1")
    table.next("sphinx", "S01 S02 S03")
    table.do("0: sphinx 3 with black")
    named = [orders.Keep(cards, (), ("keep two",)) for cards in (("S01", "S03"), ("S03", "S01"))]
    one, other = (RULES.resolve(table.state, {0: order}, Rng("kept", 0)).state for order in named)

    assert one == other


def test_every_order_with_cards_can_be_sampled() -> None:
    """With all sailing cards in hand each of the listed orders comes up sooner or later."""
    table = Table.position("""
        2 players
        river: A05 - - - - - - - - -
        0: has B17 B11 A15 B16, ships Sphinx + Obelisk + Beni Hasan
        1: ships Selinon
        at Sphinx: slots 0 -
        at Obelisk: slots 0 -
    """)
    listed = {str(order) for order in RULES.legal(table.state, 0)}
    lot = Rng("all", 0)
    found = {str(RULES.sample(table.state, 0, lot)) for _ in range(30000)}

    assert found == listed


def test_plain_orders_come_first() -> None:
    """Orders without cards, then with cards, then with riders."""
    table = Table.position("""
        2 players
        river: A05 A06 A13 A09 A17 - A04 A14 A21 A22
        0: has B17 A12
    """)
    listed = list(RULES.legal(table.state, 0))
    ranks = [2 if order.also != orders.NOTHING else 1 if getattr(order, "using", ()) else 0 for order in listed]

    assert ranks[: ranks.index(2)] == sorted(ranks[: ranks.index(2)])
    assert 0 not in [rank for rank, order in zip(ranks, listed, strict=True) if order.also != orders.NOTHING]


def test_a_seat_that_is_not_asked_has_no_legal_order() -> None:
    """Seat 1 waits."""
    table = Table(2)

    assert list(RULES.legal(table.state, 1)) == []
    assert table.rules(1, "pass") == {"EG-2.1"}
