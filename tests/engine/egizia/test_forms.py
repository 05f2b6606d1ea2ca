"""Decisions as forms: what is offered, at what price, and the order text that a filled-in form means.

Positions are texts (docs/development/positions.md).
"""

from __future__ import annotations

import pytest

from pbem.engine.core.errors import InvalidOrder
from pbem.engine.core.forms import Count, Form, Pick
from pbem.engine.egizia import RULES
from tests.engine.egizia import places
from tests.engine.egizia.tables import Table


def form(table: Table, seat: int = 0) -> Form:
    """The form of a seat's decision."""
    return RULES.form(RULES.view(table.state, seat))


def field(table: Table, name: str, seat: int = 0) -> Pick | Count:
    """One field of it."""
    found = next(f for group in form(table, seat).groups for f in group.fields if getattr(f, "name", "") == name)
    assert isinstance(found, (Pick, Count))
    return found


def text(table: Table, fields: dict[str, str], seat: int = 0) -> str:
    """What the fields mean; the order is legal."""
    written = RULES.order_text(
        RULES.view(table.state, seat), {name: value.split("/") for name, value in fields.items()}
    )
    assert RULES.check(table.state, seat, RULES.read(table.state, seat, written)) == []
    return written


def test_where_to_sail_is_offered_with_targets_on_the_board() -> None:
    """20 spaces, each free slot by itself, pass; each choice names its board element."""
    choices = field(Table(2), "to")
    assert isinstance(choices, Pick)

    assert len(choices.choices) == 10 + 7 + 3 * 2 + 1
    assert {c.target for c in choices.choices} >= {"space:EDFU", "space:C1", "space:SITE_SPHINX"}
    assert choices.chosen == ()


def test_the_list_calls_spaces_as_the_board_does() -> None:
    """What a card brings stands before its id, a value only where no name holds it; round spaces name their crews."""
    table = Table.position("""
        2 players
        river: A21 A22 - - - - - - - -
    """)
    choices = field(table, "to")
    assert isinstance(choices, Pick)
    said = {choice.value: (str(choice.label), str(choice.effect or "")) for choice in choices.choices}

    assert said["A21"] == ("crew +3 (A21)", "")
    assert said["A22"] == ("grain 4 (A22)", "")
    assert [said[name][1] for name in ("Thebae", "Beni Hasan", "Selinon")] == [
        "blue, black +1",
        "blue, yellow +1",
        "black, yellow +1",
    ]


def test_sailing_forms_become_orders() -> None:
    """Crews and ring count only where the space lets one choose."""
    table = Table.position("""
        2 players
        0: has B17 A15 A12
    """)

    assert text(table, {"to": "Edfu", "crew-1": "blue", "ring": "left"}) == "ship to Edfu"
    assert (
        text(table, {"to": "Alyl", "crew-1": "blue", "improve-1": "black"}) == "ship to Alyl, crew blue, improve black"
    )
    assert text(table, {"to": "Alyl", "crew-1": "blue", "crew-2": "joker", "using": "double"}) == (
        "ship to Alyl using double, crew blue, crew joker"
    )
    assert text(table, {"to": "Passalon", "ring": "right", "improve-1": ""}) == "ship to Passalon, ring right"
    assert text(table, {"to": "Sphinx slot 2"}) == "ship to Sphinx slot 2"
    assert text(table, {"to": "pass", "improve-1": "blue"}) == "pass, improve blue"


def test_a_card_that_opens_a_space_is_part_of_its_choice() -> None:
    """With reuse the occupied Edfu is offered with its card."""
    table = Table.position("""
        2 players
        1: has A15 B17
    """)
    table.do("0: ship to Edfu")

    assert "Edfu using reuse" in {c.value for c in field(table, "to", 1).choices}  # type: ignore[union-attr] # a Pick
    assert text(table, {"to": "Edfu using reuse", "using": "double"}, 1) == "ship to Edfu using reuse and double"


def test_eg_4_3_a_card_can_be_used_by_the_order_that_takes_it() -> None:
    """The form says so beside the card's effect: a crew improver, an improver for a field, two ships in one turn."""
    table = Table.position("""
        2 players
        river: A12 A13 B16 C03 - - - - - -
        0: has A06
    """)
    assert str(field(table, "improve-1").label) == "crew improver, if you take it now"
    assert text(table, {"to": "A12", "improve-1": "blue"}) == "ship to A12, improve blue"
    assert text(table, {"to": "A13", "field-1": "A06"}) == "ship to A13, field A06"
    assert text(table, {"to": "B16", "using": "two ships"}) == "ship to B16 using two ships"
    assert text(table, {"to": "C03", "sell": "2"}) == "ship to C03, sell 2"
    assert table.faults(0, "ship to Edfu, improve blue") == [
        'EG-4.4: You have no card "crew improver" that can be used now.'
    ]
    table.change("river: A02 A03 - - - - - - - -")
    assert [getattr(one, "name", "") for group in form(table).groups for one in group.fields] == [
        "to",
        "crew-1",
        "ring",
    ]


def test_eg_4_3_the_ring_moves_twice_where_the_space_is_done_twice() -> None:
    """With the card in hand there are two turns of the ring to choose; without it the second says nothing."""
    table = Table.position("""
        2 players
        0: has B17
    """)
    twice = {"to": "Passalon", "using": "double", "ring": "right", "ring-2": "left"}
    assert text(table, twice) == "ship to Passalon using double, ring right, ring left"
    assert text(table, {"to": "Passalon", "ring": "right", "ring-2": "left"}) == "ship to Passalon, ring right"
    assert text(table, twice | {"ring": ""}) == "ship to Passalon using double, ring left"


def test_eg_5_1_stones_for_the_grain_that_a_raised_crew_wants_too() -> None:
    """4 grain are missing; raising a crew along makes it 5, and the form goes so far."""
    table = Table.position("""
        2 players
        0: stones 9, crews 3 3 3 1, has A14 A12
        1: stones 9
    """)
    table.feeding()
    stones = field(table, "stones")
    assert isinstance(stones, Count)
    assert stones.high == 5
    assert text(table, {"stones": "5", "improve-1": "blue"}) == "feed with stones 5, improve blue"


def test_building_forms_show_prices_and_become_orders() -> None:
    """Counts with what they cost, as far as stones and crews reach; the market only with an Obelisk stone."""
    table = Table.position("""
        2 players
        0: stones 20, crews 5 5 5 5, has A21 C05
        1: stones 9
    """)
    table.building("at Obelisk: slots 0 1")
    stones = field(table, "obelisk").choices  # type: ignore[union-attr] # a Pick
    assert [(one.value, one.price) for one in stones if "grain" not in one.value] == [
        ("", None),
        ("1 stone", 1),
        ("2 stone", 3),
        ("3 stone", 6),
        ("4 stone", 10),
        ("5 stone", 15),
    ]
    assert field(table, "graves").prices == (0, 2, 4, 7, 10)  # type: ignore[union-attr] # a Count
    fields = {"action": "act", "obelisk": "2 grain", "graves": "1", "crews": "blue + joker", "using": "+3"}
    assert text(table, fields) == "build obelisk 1-2, grave with blue + joker using +3, grain market"
    assert text(table, {**fields, "obelisk": ""}) == "build grave with blue + joker using +3"
    assert text(table, {**fields, "using": "+3/+3#2"}).count("+3") == 2
    assert text(table, {"action": "renounce"}) == "renounce"
    pyramid = Table.position("""
        2 players
        0: stones 20, crews 5 5 5 5
        1: stones 9
    """)
    pyramid.building("at Pyramid: slots 0 1")
    assert text(pyramid, {"action": "act", "row-1": "2", "left-pylon": "1", "crews": "blue"}) == (
        "build pyramid 1+1, left pylon with blue"
    )


def test_a_number_beyond_what_is_left_is_refused_in_words() -> None:
    """Whoever posts what the form doesn't offer reads which field is wrong: the board has no such space."""
    pyramid = Table.position("""
        2 players
        0: stones 20
        1: stones 9
    """)
    pyramid.building("at Pyramid: slots 0 1")
    for field, value in (("row-1", "50"), ("left-pylon", "50"), ("entablature", "9"), ("entablature", "-3")):
        with pytest.raises(InvalidOrder, match=f"'{value}' at '{field}' is no choice of this form."):
            text(pyramid, {field: value})


@pytest.mark.parametrize(
    ("fields", "working"),
    [
        ({"graves": "1"}, "yellow"),
        ({"graves": "1", "using": "+3"}, "yellow"),
        ({"graves": "2"}, "blue"),
        ({"graves": "2", "using": "+3"}, "yellow"),
        ({"graves": "3"}, "black + joker"),
        ({"graves": "1", "crews": "black"}, "black"),
    ],
)
def test_eg_6_2_where_no_crews_are_chosen_the_weakest_that_suffice_work(fields: dict[str, str], working: str) -> None:
    """Blue 4, black 6, yellow 3 and the joker 1: the fewest of those that are equally strong; a card counts along."""
    table = Table.position("""
        2 players
        0: stones 20, crews 4 6 3 1, has A21
        1: stones 9
        graves: open 2 2 3 3
    """)
    table.building("at Obelisk: slots 0 1")

    assert text(table, fields).partition(" with ")[2].removesuffix(" using +3") == working


def test_eg_6_2_where_no_crews_suffice_the_refusal_tells_of_the_strongest() -> None:
    """It names what is to be built and how far one comes."""
    table = Table.position("""
        2 players
        0: stones 20, crews 4 5 2 1, has A21
        1: stones 9
        graves: open 2 2 2 3
    """)
    table.building("at Obelisk: slots 0 1")
    written = RULES.order_text(RULES.view(table.state, 0), {"graves": ["4"]})

    found = RULES.check(table.state, 0, RULES.read(table.state, 0, written))

    assert written == "build graves 4 with black + joker"
    assert [str(one) for one in found] == ["That is worth 9; black, joker together reach 6."]


def test_eg_6_5_what_a_stone_stands_on_is_built_with_it() -> None:
    """Of the Pyramid two stones below each; of the Temple both pylons below the entablature."""
    table = Table.position("""
        2 players
        0: stones 20, crews 9 9 9 9
        1: stones 20
    """)
    table.building("at Pyramid: slots 0 1")
    assert field(table, "row-2").prices[:3] == (0, 4, 7)  # type: ignore[union-attr] # a Count, with what carries it
    assert text(table, {"row-2": "1"}) == "build pyramid 1+1+2 with blue"
    assert text(table, {"row-1": "1", "row-3": "1"}) == "build pyramid 1+1+1+2+2+3 with blue"
    table.do("0: build pyramid 1+1 with blue")
    assert table.asked == ("build", (1,))
    assert text(table, {"row-1": "0", "row-2": "1"}, 1).startswith("build pyramid 2 with")
    assert field(table, "left-pylon", 1)
    with pytest.raises(StopIteration):  # the entablature alone is cheap, but not with the pylons that carry it
        field(table, "entablature", 1)
    table.change("1: stones 30, crews 25 1 1 1")
    entablature = text(table, {"left-pylon": "1", "entablature": "2"}, 1)
    pylons = [len(values) for values in table.t.temple[:2]]
    assert entablature.startswith(f"build left pylon x{pylons[0]}, right pylon x{pylons[1]}, entablature 2 with")


def test_other_forms_become_orders() -> None:
    """Sphinx, keep, feed."""
    sphinx = Table.position("""
        2 players
        0: stones 9, crews 5 5 5 5, has A16 B15
        1: stones 9
    """)
    sphinx.next("sphinx", "S01 S02 S03 S04")
    sphinx.building("at Sphinx: slots 0 1")
    written = text(sphinx, {"draw": "2 with blue", "using": "+2"})
    assert written == "sphinx 2 with blue using +2"
    sphinx.do(f"0: {written}")
    assert text(sphinx, {"keep": "S02", "order": "S04 S01 S03"}) == "keep S02, order S04 S01 S03"
    assert text(sphinx, {"keep": "S02", "keep-2": "S01"}) == "keep S02 S01 using keep two"
    assert text(sphinx, {"keep": "none"}) == "keep none"

    feed = Table.position("""
        2 players
        0: crews 3 3 3 3, has A22 A14
    """)
    feed.feeding()
    assert text(feed, {"grain": "4", "stones": "2"}) == "feed with 4 grain and stones 2"
    assert text(feed, {"grain": "0", "stones": "0"}) == "feed"


def test_forms_after_sailing_and_building_become_orders() -> None:
    """Move, leftover, after building."""
    move = places.at("Obelisk", "0: has B20")
    assert text(move, {"slot": "2"}) == "move to slot 2"
    assert text(move, {"slot": "stay"}) == "stay"

    left = Table.position("""
        2 players
        river: B22 A05 - - - - - - - -
        0: has B12
    """)
    left.do("0: pass", "1: pass")
    assert text(left, {"card": "B22", "crew-1": "blue", "crew-2": "blue"}) == "leftover B22, crew blue, crew blue"
    assert text(left, {"card": "none"}) == "leftover none"

    after = Table.position("""
        2 players
        0: stones 9, has A13 A05 C03
        1: stones 0
    """)
    after.after(5)
    assert text(after, {"field-1": "A05", "sell": "4"}) == "done, field A05, sell 4"


def test_digging_on_is_a_form_whose_emptiness_stops() -> None:
    """Nothing chosen ends the action; the market is asked for only if the action had no Obelisk stone."""
    table = places.graves_begun()

    assert text(table, {"obelisk": "", "graves": "0"}) == "stop"
    assert text(table, {"obelisk": "1 stone", "graves": "2"}) == "dig obelisk 1, graves 2, stone market"


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({}, "Where does your ship go?"),
        ({"to": ["Alyl"]}, "Which crew is raised? Choose blue, black, yellow or the joker."),
        ({"to": ["Edfu; pass"]}, "'Edfu; pass' at 'to' is no choice of this form."),
        ({"to": ["Edfu", "Alyl"]}, "Where does your ship go?"),
    ],
)
def test_a_form_that_lacks_something_names_the_field(fields: dict[str, list[str]], sentence: str) -> None:
    """One sentence, with the field."""
    with pytest.raises(InvalidOrder) as refusal:
        RULES.order_text(RULES.view(Table(2).state, 0), fields)

    assert str(refusal.value) == sentence


def test_quick_answers_cover_every_legal_order_or_there_are_none() -> None:
    """A move has two or three answers, one tap each; sailing has too many."""
    assert form(Table(2)).quick == ()
    assert form(places.at("Obelisk", "0: has B20")).quick == ("stay", "move to slot 2")
    keep = Table.position("""
        2 players
        0: stones 9
        1: stones 9
    """)
    keep.next("sphinx", "S01")
    keep.building("at Sphinx: slots 0 1")
    keep.do("0: sphinx 1 with blue")
    assert form(keep).quick == ("keep none", "keep S01")


def test_who_is_not_asked_has_no_form() -> None:
    """Seat 1 and spectators get a sentence instead."""
    for seat in (1, None):
        with pytest.raises(InvalidOrder, match="0 decides now"):
            RULES.form(RULES.view(Table(2).state, seat))
