"""The player of Egizia that looks for the best way down the river.

Positions are texts (docs/development/positions.md).
"""

from __future__ import annotations

import pytest

from benchmarks.match import match
from pbem.bots.basic import CautiousBot, RandomBot
from pbem.bots.egizia import HEURISTIC
from pbem.bots.egizia_valuation import Valuation
from pbem.engine.core.rng import Rng
from pbem.engine.egizia import RULES
from pbem.engine.registry import rules_of
from tests.engine.egizia import places
from tests.engine.egizia.tables import Table


@pytest.mark.parametrize("seats", [2, 3])
def test_it_beats_random_play(seats: int) -> None:
    """At least 19 of 20 two-sided matches are won; with four seats in `test_selfplay.py`, as in every game."""
    assert match(rules_of("egizia"), (HEURISTIC, RandomBot()), seats, "heuristic", 20).a_wins >= 19


def test_it_beats_who_only_covers() -> None:
    """At least 9 of 10 matches against the cautious player are won."""
    assert match(rules_of("egizia"), (HEURISTIC, CautiousBot()), 2, "heuristic", 10).a_wins >= 9


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_it_gives_legal_orders_in_every_decision(seats: int) -> None:
    """Games among it end by legal orders alone, each of which it gives again for the same view."""
    kinds = set()
    for seed in range(4):
        state = RULES.setup(seats, {}, Rng(str(seed), 0)).state
        ply = 0
        while asked := RULES.awaited(state):
            given = {}
            for seat, decision in asked.items():
                view = RULES.view(state, seat)
                given[seat] = HEURISTIC.choose(rules_of("egizia"), view, Rng("own", 0))
                assert given[seat] == HEURISTIC.choose(rules_of("egizia"), view, Rng("other", 1))
                assert RULES.check(state, seat, given[seat]) == []
                kinds.add(decision.kind)
            ply += 1
            RULES.apply(state, given, Rng(str(seed), ply))
        assert max(state.score) > 30

    assert {"ship", "sphinx", "keep", "build", "feed", "after"} <= kinds


def choice(table: Table, seat: int = 0) -> str:
    """What it orders as `seat`."""
    return str(HEURISTIC.choose(rules_of("egizia"), RULES.view(table.state, seat), Rng("", 0)))


def test_it_feeds_with_what_it_holds() -> None:
    """Four missing at 3 points each: the grain card is used."""
    table = Table.position("""
        2 players
        0: crews 3 3 3 1, has A22
    """)
    table.feeding()

    assert choice(table) == "feed with 4 grain"


def test_it_digs_on_and_takes_the_leader_of_a_row() -> None:
    """What is in reach is taken; filling a row it leads comes before equal stones elsewhere."""
    table = places.graves_begun()
    assert choice(table) == "dig graves 3"

    row = Table.position("""
        2 players
        0: stones 1
        1: stones 1
        pyramid row 1: 0 0 0 0 0
    """)
    row.building("at Pyramid: slots 0 -")
    assert choice(row).startswith("build pyramid 1 with")


def test_it_keeps_what_pays_and_puts_back_what_doesn_t() -> None:
    """In round 5 a fulfilled card is kept; one that can't come true any more goes back."""
    table = Table.position("""
        2 players
        game: round 5
        0: stones 9
        1: stones 9
        obelisk: 0 0 0 0 0
    """)
    table.next("sphinx", "S16")
    table.building("at Sphinx: slots 0 1")
    table.do("0: sphinx 1 with blue")
    assert choice(table) == "keep S16"
    table.change("obelisk: -")
    assert choice(table) == "keep none"


def test_a_dry_field_is_worth_less_than_a_green_one() -> None:
    """The same value counts for less the more water it needs."""
    worth = Valuation(RULES.view(Table(2).state, 0))

    assert worth.field(0, 5) > worth.field(1, 5) > worth.field(2, 5) > 0
