"""Orders sent ahead: premoves down the river, building orders for later sites, preference lists over spaces."""

from __future__ import annotations

import pytest

from pbem.engine.egizia import RULES
from pbem.engine.registry import rules_of
from pbem.engine.text import standing_orders, standing_text
from tests.engine.egizia.tables import Table

EGIZIA = rules_of("egizia")


def test_a_ship_order_carries_the_next_ones_while_they_are_legal() -> None:
    """Edfu, then Alyl, then pass: seat 0 sails on by itself although seat 1 moves in between."""
    table = Table(2)
    first, rest = standing_text.split("ship to Edfu; then ship to Alyl, crew blue; then pass")
    table.do(f"0: {first}", "1: ship to Thebae")
    answer = standing_orders.follow(EGIZIA, table.state, 0, rest)
    assert answer.text == "ship to Alyl, crew blue"
    table.do(f"0: {answer.text}", "1: ship to Passalon")

    assert standing_orders.follow(EGIZIA, table.state, 0, rest[1:]).text == "pass"


def test_a_premove_that_became_illegal_drops_the_rest() -> None:
    """Seat 1 took Alyl first: seat 0 is asked."""
    table = Table(2)
    first, rest = standing_text.split("ship to Edfu; then ship to Alyl, crew blue; then pass")
    table.do(f"0: {first}", "1: ship to Alyl, crew joker")

    assert standing_orders.follow(EGIZIA, table.state, 0, rest).order is None


def test_building_at_a_later_site_is_sent_ahead() -> None:
    """The chain of one building phase goes on from the Obelisk to the Pyramid; its scope holds over all sites."""
    table = Table.position("""
        2 players
        0: stones 20, crews 5 5 5 5
        at Obelisk: slots 0 -
    """)
    table.building("at Pyramid: slots 0 -")
    before = RULES.scope(table.state)
    first, rest = standing_text.split(
        "build obelisk x2 with blue, stone market; then build pyramid 1+1 with black + joker"
    )
    table.do(f"0: {first}")

    assert table.asked == ("build", (0,))
    assert RULES.scope(table.state) == before
    assert standing_orders.follow(EGIZIA, table.state, 0, rest).text == "build pyramid 1+1 with black + joker"


@pytest.mark.parametrize(
    ("text", "river", "answer"),
    [
        ("ship to A09\nship to Edfu", "A05 A09 - - - - - - - -", "ship to A09"),
        ("ship to A09\nship to Edfu", "A05 - - - - - - - - -", "ship to Edfu"),
        ("when last_space >= 12: pass\nship to card 1", "A05 - - - - - - - - -", "ship to A05"),
        (
            "when A09 in river: ship to A09\nwhen missing > 0: ship to A05\npass",
            "A05 - - - - - - - - -",
            "pass",
        ),
        ("when obelisk_slots >= 1: ship to Obelisk\npass", "A05 - - - - - - - - -", "ship to Obelisk, slot 1"),
        ("for build: renounce\nfor ship: pass", "A05 - - - - - - - - -", "pass"),
    ],
)
def test_preference_lists_over_spaces(text: str, river: str, answer: str) -> None:
    """The first line that fits is used; a card that is gone makes way for the next wish."""
    table = Table.position(f"""
        2 players
        river: {river}
    """)

    assert standing_orders.answer(EGIZIA, table.state, 0, standing_text.parse(EGIZIA, text)).text == answer


def test_pass_after_a_space() -> None:
    """`pass` once the last ship is far enough, else on to the next site."""
    table = Table(2)
    text = "until changed\nwhen last_space >= 12: pass\nship to Obelisk"
    wish = standing_text.parse(EGIZIA, text)
    assert standing_orders.answer(EGIZIA, table.state, 0, wish).text == "ship to Obelisk, slot 1"
    table.do("0: ship to Obelisk", "1: pass")

    assert standing_orders.answer(EGIZIA, table.state, 0, wish).text == "pass"
