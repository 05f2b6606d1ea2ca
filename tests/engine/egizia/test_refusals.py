"""Refused orders, each with its exact sentence."""

from __future__ import annotations

from typing import Final

import pytest

from pbem.engine.core.errors import AmbiguousOrder, InvalidOrder
from pbem.engine.egizia import RULES
from tests.engine.egizia.places import PLACES

SHIPS: Final = "ship to Alyl, crew blue / ship to Sphinx, queue / pass"
BUILDS: Final = (
    "build obelisk 1-2, grave with blue + joker using +3, stone market / build pyramid 1+1, left pylon x2 with black"
    " / build up to 6 at least 4 with black + joker, grain market / renounce"
)
"""An order of each form that answers the question."""
UNREADABLE: Final = (
    ("sail", "ship to Heliolopis", "'heliolopis' is no river space. Did you mean Heliopolis?"),
    (
        "sail",
        "fly to the moon",
        (f"I can't read 'fly to the moon' as an order. Here one can write: {SHIPS}."),
    ),
    ("sail", "ship", "Say where to: `ship to Edfu`."),
    (
        "sail",
        "ship to Memphis",
        (
            "'memphis' is no river space. There are: Edfu, Thebae, Passalon, Alyl, Beni Hasan, Selinon, "
            "Heliopolis, Sphinx, Obelisk, Pyramid."
        ),
    ),
    ("sail", "ship to card 11", "11 is no card space: there are 1 to 10."),
    (
        "sail",
        "ship to sphinx, build",
        (f"I can't read 'build'. Here one can write: {SHIPS}."),
    ),
    ("sail", "ship to Edfu, obelisk 1", "`obelisk` has no place in a `ship` order: leave it out."),
    ("sail", "ship to Alyl, crew red", "'red' is no crew. There are: blue, black, yellow, joker."),
    (
        "sail",
        "ship to Edfu using magic",
        (
            "'magic' is no card to use. There are: reuse, upstream, two ships, double, extra ship, +3, "
            "combine, +2, keep two."
        ),
    ),
    ("sail", "pass now", "`now` has no place in a `pass` order: leave it out."),
    (
        "sail",
        "ship to A99",
        (
            "'a99' is no river space. There are: Edfu, Thebae, Passalon, Alyl, Beni Hasan, Selinon, "
            "Heliopolis, Sphinx, Obelisk, Pyramid."
        ),
    ),
    (
        "sail",
        "ship to Passalon, ring up",
        (f"I can't read 'ring up'. Here one can write: {SHIPS}."),
    ),
    (
        "sail",
        "",
        (f"I can't read '' as an order. Here one can write: {SHIPS}."),
    ),
    ("feed", "feed with bread", "'bread' is no way to feed: `feed with 4 grain and stones 2`."),
    ("feed", "feed everybody", "'everybody' is no way to feed: `feed with 4 grain and stones 2`."),
    ("sphinx", "sphinx with blue", "Say how many Sphinx cards you pay for: `sphinx 3 with yellow`."),
    ("sphinx", "sphinx 3", "Say which crews work: `with blue` or `with blue + joker`."),
    ("sphinx", "sphinx 1 with crew", "Say which crews work: `with blue` or `with blue + joker`."),
    (
        "keep",
        "keep",
        "Say which card you keep: `keep S07`, or `keep none`.",
    ),
    (
        "obelisk",
        "dig, stone market",
        "I can't read 'dig' as an order. Here one can write: dig 2 / stop.",
    ),
    ("obelisk", "build", "Say which crews work: `with blue` or `with blue + joker`."),
    ("obelisk", "build grave", "Say which crews work: `with blue` or `with blue + joker`."),
    (
        "obelisk",
        "build grave, pyramid 1 with blue",
        "Obelisk and graves are one site, Pyramid and Temple another: build at one of them.",
    ),
    ("obelisk", "build grave with blue + blau", "'blau' is no crew. Did you mean blue?"),
    (
        "obelisk",
        "build tower with blue",
        (f"I can't read 'tower'. Here one can write: {BUILDS}."),
    ),
    (
        "obelisk",
        "build obelisk high with blue",
        (f"I can't read 'obelisk high'. Here one can write: {BUILDS}."),
    ),
    (
        "pyramid",
        "build left tower with blue",
        (f"I can't read 'left tower'. Here one can write: {BUILDS}."),
    ),
    ("pyramid", "build pyramid 1+x with blue", "'x' is not a whole number: a Pyramid row wants one."),
    ("move", "move", "I can't read 'move' as an order. Here one can write: move to slot 2 / stay."),
    ("leftover", "leftover", "Say which card you take: `leftover B03`, or `leftover none`."),
    ("after", "done, improve red", "'red' is no crew. There are: blue, black, yellow, joker."),
    (
        "after",
        "sell",
        ("I can't read 'sell'. Here one can write: done, improve blue."),
    ),
    ("sail", "ship to the, queue", "'the' could be Sphinx, Thebae: please write one of them out."),
)

ILLEGAL: Final = (
    (
        "sail",
        "ship to B01",
        "EG-3.3: B01 doesn't lie on the river. There are: A05, A06, A13, A09, A17, A12, A04, A14, A21 and A22.",
    ),
    (
        "sail",
        "keep S01",
        f"EG-2.1: “keep S01” is no answer to what you are asked now. Write for example: {SHIPS}.",
    ),
    ("sail", "ship to Edfu using upstream", 'EG-4.4: You have no card "upstream" that can be used now.'),
    ("sail", "ship to Edfu, sell 3", 'EG-4.3: You have no card "sell stones" that can be used now.'),
    ("sail", "ship to Edfu, slot 1", "EG-3.3: Edfu is no site: it has no slots."),
    ("sail", "ship to Edfu, move Sphinx 2", 'EG-4.3: You have no card "move ship" that can be used now.'),
    ("sail", "ship to Edfu, improve blue", 'EG-4.4: You have no card "crew improver" that can be used now.'),
    (
        "sail",
        "ship to Edfu using +3",
        "EG-4.3: +3 has no use here; cards for this order: reuse, upstream, two ships, double, extra ship.",
    ),
    ("sail", "ship to Sphinx, slot 3", "EG-3.3: Free slots at Sphinx: 1 and 2. Name one of them."),
    ("sail", "ship to Edfu, crew blue", "EG-3.5: Edfu raises no crew of your choice: leave `crew` out."),
    ("feed", "feed with 3 grain", "EG-4.3: Your grain cards can give 0 and 4 grain, not 3."),
    ("feed", "feed with stones 9", "EG-4.4: 4 grain is missing then, so 9 stones are too many."),
    (
        "sphinx",
        "sphinx 3 with blue",
        "EG-7.1: You may pay for 1 to 2 cards here, not 3: strength 2, 9 stones, 29 in the deck.",
    ),
    (
        "sphinx",
        "sphinx 1 with joker",
        "EG-6.2: An action uses a basic crew: blue, black or yellow. The joker never works alone.",
    ),
    (
        "sphinx",
        "sphinx 2 with blue using keep two",
        "EG-4.3: keep two has no use here; cards for this order: +3, combine, +2.",
    ),
    ("keep", "keep S09", "EG-7.1: S09 is none of the cards you drew: S01, S02 and S03."),
    ("keep", "keep S01 S02", "EG-7.1: You may keep 1; you named 2."),
    (
        "keep",
        "keep none, order S01 S02",
        "EG-7.1: An order names each card that goes under the deck once: S01, S02 and S03.",
    ),
    (
        "obelisk",
        "build obelisk 2 with blue, stone market",
        "EG-6.4: The Obelisk is built in sequence: the next space is 1, you named 2 to 2.",
    ),
    ("obelisk", "build graves 5 with blue + joker", "EG-6.4: 4 graves lie open; you named 5."),
    ("obelisk", "build obelisk 1-4 with blue + joker, grain market", "EG-6.2: That costs 10 stones; you have 9."),
    (
        "pyramid",
        "build pyramid 2 with blue",
        "EG-6.5: Row 2 of the Pyramid is full or has no two stones to stand on: name another row.",
    ),
    (
        "pyramid",
        "build entablature 1 with blue",
        "EG-6.6: The entablature needs both pylons full first: build at one of them.",
    ),
    ("pyramid", "build pyramid 9 with blue", "EG-6.5: 9 is no row of the Pyramid: rows are 1 to 6 from the bottom."),
    ("move", "move to slot 3", "EG-4.3: Obelisk has slots 1 to 2; yours is 1. Slot 3 is no other one."),
    (
        "leftover",
        "leftover A99",
        "EG-4.4: A99 doesn't lie on the river. There are: A05, A06, A13, A09, A17, A12, A04, A14, A21 and A22.",
    ),
    (
        "sail",
        "ship to obel, ring left",
        "EG-3.6: At Obelisk the water ring doesn't move, only at Passalon and Heliopolis: leave it out.",
    ),
)


@pytest.mark.parametrize(("place", "text", "sentence"), UNREADABLE)
def test_unreadable_orders_get_one_clear_sentence(place: str, text: str, sentence: str) -> None:
    """The sentence names the input and what can be written."""
    with pytest.raises((InvalidOrder, AmbiguousOrder)) as refusal:
        RULES.read(PLACES[place]().state, 0, text)

    assert str(refusal.value) == sentence


@pytest.mark.parametrize(("place", "text", "fault"), ILLEGAL)
def test_illegal_orders_name_the_rule(place: str, text: str, fault: str) -> None:
    """The first fault, with its rule id and what there is instead."""
    assert PLACES[place]().faults(0, text)[0] == fault


@pytest.mark.parametrize(
    ("text", "candidates"),
    [
        (
            "build obelisk 1-2, grave with blue + joker",
            (
                "build obelisk 1-2, grave with blue + joker, stone market",
                "build obelisk 1-2, grave with blue + joker, grain market",
            ),
        ),
        ("build obelisk x1 with blue", tuple(f"build obelisk 1 with blue, {m} market" for m in ("stone", "grain"))),
    ],
)
def test_an_obelisk_order_without_a_market_could_mean_either(text: str, candidates: tuple[str, ...]) -> None:
    """EG-6.4: the step is compulsory, the choice the player's; both whole orders are offered."""
    with pytest.raises(AmbiguousOrder) as refusal:
        RULES.read(PLACES["obelisk"]().state, 0, text)

    assert refusal.value.candidates == candidates
    assert [fault.rule for fault in refusal.value.faults] == ["EG-6.4"]


def test_an_ambiguous_order_that_is_illegal_either_way_is_told_what_is_wrong() -> None:
    """EG-6.2: whichever market it meant, it is beyond the crews; that is said, and no market is asked for."""
    table = PLACES["obelisk"]()
    order = RULES.read(table.state, 0, "build obelisk 1-4 with blue")

    assert [str(fault) for fault in RULES.check(table.state, 0, order)] == [
        "That is worth 10; your crews reach 5.",
        "That costs 10 stone(s); you have 9.",
    ]


IN_SEQUENCE: Final = (
    "The Obelisk is built in sequence: name the spaces from the first to the last, as in `obelisk 1-3`."
)


@pytest.mark.parametrize(
    ("place", "text", "sentence"),
    [
        ("obelisk", "build grave with blue, with black", "`with` is said twice in this order: say it once."),
        (
            "obelisk",
            "build obelisk 1 with blue, stone market, grain market",
            "`market` is said twice in this order: say it once.",
        ),
        ("sail", "ship to Obelisk, slot 1, slot 2", "`slot` is said twice in this order: say it once."),
        ("sail", "ship to Obelisk, slot 1, queue", "`slot` is said twice in this order: say it once."),
        ("feed", "feed with 4 grain with stones 2", "`with` is said twice in this order: say it once."),
        ("obelisk", "build obelisk 1+3 with blue + joker, stone market", IN_SEQUENCE),
        ("obelisk", "build obelisk 1 3 with blue + joker, stone market", IN_SEQUENCE),
        ("obelisk", "build obelisk 1+1 with blue, stone market", IN_SEQUENCE),
        ("obelisk", "build obelisk 0, grave with blue", IN_SEQUENCE),
        ("obelisk", "build obelisk 1, obelisk x2 with blue, stone market", IN_SEQUENCE),
        ("keep", "keep", "Say which card you keep: `keep S07`, or `keep none`."),
    ],
)
def test_of_two_meanings_none_is_picked_in_silence(place: str, text: str, sentence: str) -> None:
    """What is said twice, or leaves a gap, is asked again: the order that acts is the one that was meant."""
    with pytest.raises(InvalidOrder) as refusal:
        RULES.read(PLACES[place]().state, 0, text)

    assert str(refusal.value) == sentence


def test_eg_7_1_an_order_of_some_of_the_cards_is_no_order() -> None:
    """Two cards go under the deck: naming one of them states no order, and nothing is dropped in silence."""
    assert PLACES["keep"]().faults(0, "keep S01, order S02") == [
        "EG-7.1: An order names each card that goes under the deck once: S02 and S03."
    ]
    assert str(RULES.read(PLACES["keep"]().state, 0, "keep S01 S02, order S03")) == "keep S01 S02"
