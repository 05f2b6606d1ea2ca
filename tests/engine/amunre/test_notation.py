"""Order text: what is accepted, and what is refused in which words."""

from __future__ import annotations

import itertools
import re

import msgspec
import pytest

from pbem.engine.amunre import RULES
from pbem.engine.amunre.grammar import COUNTED, FILLERS, PHRASES
from pbem.engine.amunre.orders import Bid, Build, Keep
from pbem.engine.core.errors import InvalidOrder
from pbem.engine.core.rng import Rng
from pbem.engine.text.notation import fold, matches_grammar
from tests.engine.amunre.tables import BLACK, RED, position, sentence

SIGNS = ("-", "+", "&", "/", "--")
LANDS = """
    4 players
    Red: owns Memphis + Mendes
    Black: owns Buto
    Blue: owns Sawu
    White: owns Abydos
"""
ONE_EACH = """
    4 players
    Red: owns Mendes
    Black: owns Buto
    Blue: owns Amarna
    White: owns Kharga
"""
UP = """
    4 players
    up: Memphis, Abu, Mendes, Sawu
"""
AT_HARVEST = """
    game: round 3, temple 2
    Red: eight gold, harvest increase, half bonus, items 2
"""
STATES: dict[str, tuple[str, str]] = {
    "bid": (UP, "Red: block, rebid, beaten on Avaris"),
    "sell": (
        UP,
        """
        Red: gold 1, block, 2 architect, eight gold, bids 3 on Memphis
        Black: bids 0 on Abu
        Blue: bids 0 on Mendes
        White: bids 0 on Sawu
        asked: sell by Red
        """,
    ),
    "buy": (LANDS, "asked: buy by Red, then Black Blue White"),
    "build": (LANDS, "Red: gold 9, architect, free farmer, eight gold"),
    "draft": (
        LANDS.replace("players", "players, card_draft on"),
        """
        asked: draft bought by Red
        drawn: to put back 2, block, architect, half bonus
        """,
    ),
    "offer": (
        ONE_EACH,
        """
        asked: offer by Red Black Blue White
        Red: gold 9, adjustment, architect
        """,
    ),
    "adjust": (ONE_EACH, "asked: adjust by Red"),
    "take": (
        ONE_EACH,
        """
        asked: take by Red
        Red: items 3
        """,
    ),
    "harvest": (LANDS, AT_HARVEST + "asked: harvest by Red"),
    "keep": (LANDS, AT_HARVEST + "asked: harvest by Black"),
}
"""Positions in which Red is asked, or may keep cards."""

ACCEPTED = [
    ("bid", "bid 6 on Memphis", "bid 6 on Memphis"),
    ("bid", "  BID   6 ON   MEMPHIS. ", "bid 6 on Memphis"),
    ("bid", "bid Memphis 6", "bid 6 on Memphis"),
    ("bid", "6 memphis", "bid 6 on Memphis"),
    ("bid", "I bid six gold on Mem!", "bid 6 on Memphis"),
    ("bid", "bid 6 Menfi", "bid 6 on Memphis"),
    ("bid", "offerta 6 oro su Memphis con blocco", "bid 6 on Memphis with block"),
    ("bid", "offerta 6 monete d'oro su Memphis", "bid 6 on Memphis"),
    (
        "bid",
        (
            "bid 6 on M\N{LATIN SMALL LETTER E WITH ACUTE}mphis with "
            "blocage d\N{RIGHT SINGLE QUOTATION MARK}ench\N{LATIN SMALL LETTER E WITH GRAVE}re"
        ),
        "bid 6 on Memphis with block",
    ),
    ("bid", "bid 3 Sawu, rebid and bid block", "bid 3 on Sawu with block and rebid"),
    ("bid", "bid up to 10 on Memphis", "bid 0 on Memphis"),
    ("bid", "bid ten on Memphis", "bid 10 on Memphis"),
    ("bid", "bid zero on Memphis", "bid 0 on Memphis"),
    ("bid", "offerta sei su Menfi", "bid 6 on Memphis"),
    ("bid", "bid at most 10 on Memphis or Abu", "bid 0 on Memphis"),
    ("bid", "bid lowest", "bid 0 on Memphis"),
    ("sell", "sell block and architect", "sell block, architect"),
    ("sell", "architect, block", "sell block, architect"),
    ("sell", "sell 2x architect", "sell 2 architect"),
    ("sell", "sell 2 architects", "sell 2 architect"),
    ("sell", "sell costruttore, 8 gold", "sell architect, eight gold"),
    ("buy", "buy 2 cards", "buy 2 cards"),
    ("buy", "2", "buy 2 cards"),
    ("buy", "two cards please", "buy 2 cards"),
    ("buy", "cards 1", "buy 1 card"),
    ("buy", "1 carta", "buy 1 card"),
    ("buy", "buy no cards", "buy no cards"),
    ("buy", "0 cards", "buy no cards"),
    ("buy", "nothing", "buy nothing"),
    ("buy", "pass", "buy nothing"),
    ("buy", "rien", "buy nothing"),
    ("buy", "stones 3 Memphis", "buy no cards, stones 3 Memphis"),
    ("buy", "no cards, 2 farmers Mendes", "buy no cards, farmers 2 Mendes"),
    ("build", "farmers 2 Mendes 1 Memphis, stones 1 Memphis", "buy farmers 1 Memphis 2 Mendes, stones 1 Memphis"),
    ("build", "buy 2 farmers on Mendes and 1 stone on Memphis", "buy farmers 2 Mendes, stones 1 Memphis"),
    ("build", "farmers Mendes 2 Memphis", "buy farmers 1 Memphis 2 Mendes"),
    ("build", "farmers Mendes 2, stones Memphis", "buy farmers 2 Mendes, stones 1 Memphis"),
    ("build", "farmers Mendes 2; stones Memphis", "buy farmers 2 Mendes, stones 1 Memphis"),
    ("build", "stones Mendes 1 Memphis 2, farmers Mendes", "buy farmers 1 Mendes, stones 2 Memphis 1 Mendes"),
    ("build", "farmers 1 Mendes, 1 Memphis, stones 1 Memphis", "buy farmers 1 Memphis 1 Mendes, stones 1 Memphis"),
    ("build", "farmers \N{ARABIC-INDIC DIGIT TWO} Mendes, ", "buy farmers 2 Mendes"),
    ("build", "farmers Mendes 2 stones Memphis", "buy farmers 1 Mendes, stones 2 Memphis"),
    ("build", "3 paysans Mendes, 2 blocs Memphis", "buy farmers 3 Mendes, stones 2 Memphis"),
    ("build", "agricoltori 3 Mendes; blocchi 2 Memphis", "buy farmers 3 Mendes, stones 2 Memphis"),
    ("build", "paysan gratuit Mendes", "buy free farmer Mendes"),
    ("build", "stones 2 Memphis, architecte Memphis", "buy stones 2 Memphis, architect Memphis"),
    ("build", "farmers 4 Mendes, sell eight gold", "buy farmers 4 Mendes, sell eight gold"),
    ("build", "sell 8 gold, farmers 4 Mendes", "buy farmers 4 Mendes, sell eight gold"),
    ("build", "nothing", "buy nothing"),
    ("build", "niente", "buy nothing"),
    ("draft", "put back block, half", "put back block, half bonus"),
    ("draft", "return half bonus and block", "put back half bonus, block"),
    ("offer", "offer 9", "offer 9"),
    ("offer", "9 gold", "offer 9"),
    ("offer", "offer 8 gold", "offer 8"),
    ("offer", "offer 9 with adj", "offer 9 with adjustment"),
    ("offer", "offer 10, sell architect", "offer 10, sell architect"),
    ("offer", "offer 10 with adjustment", "offer 10 with adjustment, sell architect"),
    ("offer", "theft", "theft"),
    ("offer", "-3", "theft"),
    ("offer", "furto con modifica del sacrificio", "theft with adjustment"),
    ("offer", "furto con ritocco", "theft with adjustment"),
    ("offer", "vol", "theft"),
    ("adjust", "raise", "raise"),
    ("adjust", "+3", "raise"),
    ("adjust", "\N{MINUS SIGN}3", "lower"),
    ("adjust", "lower by 3", "lower"),
    ("take", "take 2 cards", "take 2 cards"),
    ("take", "a card", "take 1 card"),
    ("take", "no cards", "take no cards"),
    ("take", "0", "take no cards"),
    ("harvest", "farmers 1 Mendes, stones 1 Memphis", "farmers 1 Mendes, stones 1 Memphis"),
    ("harvest", "take 2 stones Memphis, 8 monete d'oro Mendes", "stones 2 Memphis, eight gold Mendes"),
    (
        "harvest",
        "stones 2 Memphis, harvest Mendes, keep half",
        "stones 2 Memphis, harvest increase Mendes, keep half bonus",
    ),
    ("keep", "keep farmers bonus, bank", "keep farmers bonus, bank bonus"),
    ("keep", "keep bonus rives du Nil", "keep riverside bonus"),
    ("harvest", "stones 2 Memphis, keep nothing", "stones 2 Memphis"),
    ("keep", "keep nothing", "keep nothing"),
]


@pytest.mark.parametrize(("kind", "typed", "canonical"), ACCEPTED)
def test_accepted_spellings(kind: str, typed: str, canonical: str) -> None:
    """Each way of writing is read as the order meant, legal here, and the canonical text reads as itself."""
    state = position(*STATES[kind])
    order = RULES.read(state, RED, typed)
    assert str(order) == canonical
    assert RULES.check(state, RED, order) == []
    assert RULES.read(state, RED, canonical) == order


REFUSED = [
    (
        "build",
        "farmers Mendes, 2 Memphis",
        "'memphis' does not fit there: say farmers or stones first, as in: farmers 2 Buto.",
    ),
    (
        "build",
        "stones 1 Mendes 2, farmers Mendes",
        "'farmers' does not fit there: say farmers or stones first, as in: farmers 2 Buto.",
    ),
    (
        "bid",
        "bid 1\N{SUPERSCRIPT TWO} on Abu",
        "'1\N{SUPERSCRIPT TWO}' is no word of an order here: is it a misspelt province or card?",
    ),
    ("bid", "", "The order is empty. Write for example: bid 6 on Memphis with block."),
    ("bid", "bid 6", "'bid 6' can't be read as an answer to bid. Write for example: bid 6 on Memphis with block."),
    ("bid", "bid 4 on Abu", "4 is no bid space (0, 1, 3, 6, 10, 15, ...): the nearest are 3 and 6."),
    ("bid", "bid 15 on Memfi", "'memfi' is no word of an order here. Did you mean Memphis?"),
    ("bid", "bid 6 on Atlantis", "'atlantis' is no word of an order here: is it a misspelt province or card?"),
    ("bid", "bid 6.5 on Abu", "'6.5' is not a whole number: gold and pieces are counted in whole numbers."),
    ("bid", "bid 99999 Abu", "'99999' is too large a number: no amount in this game has more than 4 digits."),
    ("bid", "bid -6 Abu", "'-6' is below zero: amounts are whole numbers from 0 up."),
    ("bid", "bid 6 on Buto", "Buto is not up for auction; there are: Memphis, Abu, Mendes, Sawu."),
    ("bid", "bid 28 on Abu", "You can't pay 28: gold and cards left to sell come to 22."),
    ("bid", "bid 6 Abu with architect", "architect can't be played with a bid: only block and rebid can."),
    ("bid", "pass", "There is no passing: everybody gets one province a round. Bid 0 on a free one."),
    (
        "bid",
        "bid 6 on Abu and Sawu",
        "'bid 6 on Abu and Sawu' can't be read as an answer to bid. Write for example: bid 6 on Memphis with block.",
    ),
    ("bid", "bid up to 10 on Buto", "No bid up to 10 is possible on Buto now."),
    ("sell", "sell block", "You lack 2 gold: sell exactly so many cards (you named 1)."),
    ("sell", "sell rebid, block", "You named 1 rebid card(s), but have 0."),
    (
        "sell",
        "sell 3 Memphis",
        "'sell 3 Memphis' can't be read as an answer to sell. Write for example: sell architect, 2 free farmer.",
    ),
    ("buy", "buy cards", "Say how many cards, as in: buy 2 cards, or: buy no cards."),
    ("buy", "buy 4 cards", "You can't buy 4 card(s): the highest card limit of your provinces is 3."),
    (
        "buy",
        "buy 1 card, stones 1 Memphis",
        "Farmers and stones can be sent along only with: buy no cards. Who buys cards sees them first.",
    ),
    (
        "buy",
        "buy 1 card, sell architect",
        "You named 1 architect card(s), but have 0. You have gold enough for this: sell no card for it, not 1.",
    ),
    ("buy", "buy 2 cards 1 card", "How many cards is said twice, 2 and 1: say it once."),
    (
        "buy",
        "sell rebid",
        "You named 1 rebid card(s), but have 0. You have gold enough for this: sell no card for it, not 1.",
    ),
    ("buy", "no cards, 2 cards", "How many cards is said twice, 0 and 2: say it once."),
    *(
        (
            "build",
            typed,
            f"The order says nothing, or none of a thing, and then names {thing}: please write only one of them.",
        )
        for typed, thing in (
            ("stones 1 Memphis nothing", "stones"),
            ("no stones, stones 1 Memphis", "stones"),
            ("architect Memphis, nothing", "architect"),
        )
    ),
    (
        "harvest",
        "stones 2 Memphis, keep half bonus, keep nothing",
        "The order says nothing, or none of a thing, and then names half bonus: please write only one of them.",
    ),
    ("build", "farmers 2", "Say where the farmers go, as in: farmers 2 Buto. You own: Memphis, Mendes."),
    ("build", "farmers 1 Buto", "Buto is not yours; you own: Memphis, Mendes."),
    ("build", "farmers 2 Memphis", "Free fields on Memphis: 1; too few for farmers: 2."),
    ("build", "3 farmers 2 Mendes", "You name 3 farmers but place 2."),
    ("build", "2 Memphis", "'memphis' does not fit there: say farmers or stones first, as in: farmers 2 Buto."),
    ("build", "stones 300 Memphis", "300 is far more than anyone can buy or place: at most 200 are read."),
    ("build", "stones 9 Memphis", "You lack 36 gold, and cards to sell for 1 gold each: 3."),
    (
        "build",
        "architect Memphis",
        "The architect needs two stones on Memphis: place them there, or leave the card out.",
    ),
    ("build", "architect", "Say where architect is played, as in: architect Memphis."),
    ("build", "stones 1 Memphis theft", "'theft' does not fit there in this order: leave it out."),
    ("draft", "put back block", "Cards to put back: 2; you named 1."),
    (
        "draft",
        "put back block, rebid",
        "You can put back only cards that you have just drawn: block, architect, half bonus.",
    ),
    ("offer", "offer 0", "0 gold is no offering: offer at least 1 gold, or play theft."),
    ("offer", "offer 30", "You lack 21 gold, and cards to sell for 1 gold each: 2."),
    ("offer", "offer 9 with block", "block can't be added to an offering: only adjustment can."),
    ("offer", "theft 3", "'theft 3' can't be read as an answer to offer. Write for example: offer 9 with adjustment."),
    ("offer", "nothing", "'nothing' can't be read as an answer to offer. Write for example: offer 9 with adjustment."),
    ("adjust", "+5", "'+5' can't be read as an answer to adjust. Write for example: raise."),
    ("adjust", "raise or lower", "'raise or lower' can't be read as an answer to adjust. Write for example: raise."),
    ("take", "take 4 cards", "You can't take cards: 4. Items of your reward: 3."),
    ("take", "take 1 farmer", "'take 1 farmer' can't be read as an answer to take. Write for example: take 1 card."),
    ("harvest", "nothing", "Items to take as farmers or stones: 2; you placed 0."),
    (
        "harvest",
        "stones 2 Memphis, free farmer Memphis",
        (
            "'stones 2 Memphis, free farmer Memphis' can't be read as an answer to harvest."
            " Write for example: farmers 1 Buto, stones 2 Abu, eight gold Abu."
        ),
    ),
    ("harvest", "stones 2 Memphis, keep bank bonus", "You can keep only bonus cards that you have, not bank bonus."),
    ("keep", "keep block", "Only bonus cards can be kept from the scoring, not block."),
    (
        "keep",
        "bonus",
        (
            "'bonus' could be bank bonus, cards bonus, farmers bonus, half bonus, riverside bonus:"
            " please write one of them out."
        ),
    ),
    (
        "take",
        "take " + "1" * 3000,
        "The order is 3005 characters long; at most 2000 are read. Please send one order a line.",
    ),
]


@pytest.mark.parametrize(("kind", "typed", "said"), REFUSED)
def test_refused_texts_and_what_the_player_reads(kind: str, typed: str, said: str) -> None:
    """Each wrong order gets exactly this answer."""
    assert sentence(position(*STATES[kind]), RED, typed) == said


def test_the_sequence_of_cards_and_provinces_means_nothing() -> None:
    """Named in any sequence, by text or by a program, an order is the same; only cards put on the deck are ordered."""
    assert Build(stones=((11, 1), (6, 2)), sell=(3, 1)) == Build(stones=((6, 2), (11, 1)), sell=(1, 3))
    assert Keep((11, 7)) == Keep((7, 11))
    state = position(*STATES["draft"])
    assert str(RULES.read(state, RED, "put back architect, block")) == "put back architect, block"
    state.options = msgspec.structs.replace(state.options, card_draft="discard")
    assert str(RULES.read(state, RED, "put back architect, block")) == "put back block, architect"


@pytest.mark.parametrize("end", [" !", "!", ".", ",", " , ", ";", " ."])
def test_a_stray_sign_at_the_end_changes_nothing(end: str) -> None:
    """Mail finds the order and the reader reads it."""
    for text in ("offer 3", "bid 6 on Memphis"):
        assert matches_grammar(RULES.grammar, text + end)
    assert str(RULES.read(position(*STATES["bid"]), RED, f"bid 6 on Memphis{end}")) == "bid 6 on Memphis"


def test_who_is_not_asked_is_told_so() -> None:
    """Black may not bid on Red's turn."""
    assert sentence(position(*STATES["bid"]), BLACK, "bid 6 on Abu") == "You are not asked for an order now."


@pytest.mark.parametrize("row", RULES.grammar, ids=lambda row: row.example)
def test_every_documented_form_can_be_read(row: object) -> None:
    """Each example of the grammar has the shape it says, and reads as an order of its kind."""
    kind, example, pattern = (getattr(row, name) for name in ("kind", "example", "pattern"))
    assert re.fullmatch(pattern, fold(example))
    state = position(*STATES[kind])
    if "Buto" in example or "Abu" in example:
        example = example.replace("Buto", "Mendes").replace("Abu", "Memphis") if kind != "bid" else example
        example = example.replace("2 Mendes 1 Mendes", "2 Mendes 1 Memphis")
    assert type(RULES.read(state, RED, example)).__name__.casefold() == {"build": "build"}.get(kind, kind)


@pytest.mark.parametrize(
    "text",
    [
        "bid farewell to all that",
        "buy me a drink",
        "keep in touch",
        "I'll be away till Sunday",
        "take care",
        "thanks for the game",
    ],
)
def test_prose_does_not_look_like_an_order(text: str) -> None:
    """A line of a letter isn't taken for an order."""
    assert not matches_grammar(RULES.grammar, text)


@pytest.mark.parametrize(
    ("kind", "typed", "canonical"),
    [
        case
        for case in ACCEPTED
        if case[1].split()[0].casefold() in {"bid", "sell", "buy", "farmers", "theft", "take", "keep", "offer"}
        and case[2]
    ],
)
def test_what_begins_with_its_verb_looks_like_an_order(kind: str, typed: str, canonical: str) -> None:
    """Mail reading finds it by the grammar's patterns."""
    assert canonical
    assert matches_grammar([row for row in RULES.grammar if row.kind == kind], typed)


def test_orders_read_back_as_themselves_over_random_play() -> None:
    """read(str(order)) == order for every order of four whole games, with all options about."""
    for number, options in enumerate(({}, {"card_draft": "on"}, {"actions": "together"}, {"card_draft": "discard"})):
        chance = Rng("read back", number)
        state = RULES.setup(3 + number % 3, options, chance).state
        while state.asked:
            orders = {seat: RULES.sample(state, seat, chance) for seat in state.asked}
            for seat, order in orders.items():
                assert RULES.read(state, seat, str(order)) == order
            RULES.apply(state, orders, chance)


def test_nothing_strays_into_a_bid_that_a_list_keeps() -> None:
    """Any word of any order and any sign, put anywhere into a bid: what passes as a line of a list is read as a bid.

    "bid 10 pass on Memphis" was kept, and could never be played; "bid 10 - on Memphis" was played.
    """
    bids = [row for row in RULES.grammar if row.kind == "bid"]
    here = position(UP)
    others = [word for word, (_, key) in PHRASES.items() if key != "lowest"]  # with an amount a doubt of its own
    strays = [*others, *FILLERS, *COUNTED, "3", *SIGNS]
    kept = 0
    for parts in (f"bid 10 on Memphis {where}".split() for where in ("", "with block")):
        for at, stray in itertools.product(range(1, len(parts) + 1), strays):
            text = " ".join([*parts[:at], stray, *parts[at:]])
            if matches_grammar(bids, text):
                kept += 1
                assert not (stray in SIGNS and at < 4), text
                assert isinstance(RULES.read(here, 0, text), Bid), text
    assert kept > len(FILLERS)
    for text in (f"bid 10 {sign} on Memphis" for sign in SIGNS):
        with pytest.raises(InvalidOrder):
            RULES.read(here, 0, text)


BIDS = (
    "Bid ten gold on Memphis, please",
    "bid on Memphis 10",
    "bid 10 Memphis & block",
    "bid 10 on Memphis + bid-block, same-province rebid",
    "bid up to 28 on Memphis or 15 on Abu within 10",
    "bid at most 10 on Memphis/Abu - Mendes",
    "mise la plus basse sur Memphis",
    "mise jusqu'à 10 d'or sur Memphis ou 6 sur Abu",
    "offerta di 10 monete a Menfi con blocco",
    "punto fino a 10 su Menfi",
)


@pytest.mark.parametrize("text", BIDS)
def test_bids_as_they_are_written_stand_in_a_list(text: str) -> None:
    """In three languages, with what joins provinces and cards."""
    assert matches_grammar([row for row in RULES.grammar if row.kind == "bid"], text)
    assert isinstance(RULES.read(position(UP), 0, text), Bid)
