"""EG-2: rounds and phases."""

from __future__ import annotations

import pytest

from pbem.engine.core.rng import Rng
from pbem.engine.egizia import RULES
from pbem.engine.egizia.tables import tables_of
from tests.engine.egizia.tables import Table, sentences


def test_eg_2_1_five_rounds_of_seven_phases() -> None:
    """Two players who pass at once: cards, sailing, feeding, quarrying, order, five times, then the end."""
    table = Table(2)
    rules = []
    for _ in range(5):
        while RULES.outcome(table.state) is None and table.state.stage == "ship":
            seat = table.asked[1][0]
            rules += [event.rule for event in table.do(f"{seat}: pass")]

    course = [rule for rule in rules if rule in {"EG-3.8", "EG-5.2", "EG-8.2", "EG-2.2"}]
    assert course == ["EG-3.8", "EG-5.2", "EG-5.2", "EG-8.2", "EG-2.2"] * 4 + ["EG-3.8", "EG-5.2", "EG-5.2", "EG-8.2"]
    assert table.state.stage == "over"
    assert RULES.outcome(table.state) is not None


def test_eg_2_2_decks_by_round_and_cards_not_taken_leave() -> None:
    """Rounds 1, 2 lay twenty different cards of deck 1/2, 3, 4 twenty of 3/4, 5 ten of deck 5, from Ombos on."""
    table = Table(2, cards="A01 A02 A03 A04 A05 A06 A07 A08 A09 A10")
    laid = []
    assert [table.t.names[table.state.cards[space]] for space in table.t.card_spaces] == [
        f"A{i:02}" for i in range(1, 11)
    ]
    while table.state.stage != "over":
        laid.append({table.t.names[card] for card in table.state.cards if card >= 0})
        table.do(*(f"{seat}: pass" for seat in tuple(table.state.order)))

    assert [{name[0] for name in cards} for cards in laid] == [{"A"}, {"A"}, {"B"}, {"B"}, {"C"}]
    assert [len(cards) for cards in laid] == [10] * 5
    assert not laid[0] & laid[1]
    assert not laid[2] & laid[3]


@pytest.mark.parametrize("deck", range(3))
def test_eg_2_2_every_card_of_a_deck_can_come(deck: int) -> None:
    """Over many rounds each of the 22, 22 and 12 cards is laid."""
    t = tables_of("")
    seen: set[str] = set()
    for seed in range(12):
        seen.update(Rng(str(seed), deck).sample("nile", [t.names[card] for card in t.deck_range[deck]], 10))

    assert seen == {t.names[card] for card in t.deck_range[deck]}


def test_eg_2_2_the_river_is_told_to_all() -> None:
    """The cards laid are a public event."""
    told = [event for event in Table(2).opening if event.rule == "EG-2.2"]

    assert [event.seen_by for event in told] == [None]
    assert "A05" in sentences(told)[0]
