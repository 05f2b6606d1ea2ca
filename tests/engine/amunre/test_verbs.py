"""Options, forms, words, facts, defaults and imagined states of Amun-Re beyond what every game must do."""

from __future__ import annotations

import pytest

from pbem.engine.amunre import RULES
from pbem.engine.amunre.data import CARDS, COPIES, PROVINCES
from pbem.engine.amunre.orders import AnOrder, Build, Buy, Harvest
from pbem.engine.amunre.state import State
from pbem.engine.amunre.view import View
from pbem.engine.core.errors import EngineError, IllegalOrder
from pbem.engine.core.forms import Count, Pick
from pbem.engine.core.rng import Rng
from pbem.engine.core.types import Rules
from pbem.engine.registry import rules_of
from pbem.messages import Translator
from tests.engine.amunre.tables import BLACK, BLUE, RED, card, land, opened, position, turns

UP = """
    4 players
    up: Memphis, Abu, Mendes, Sawu
"""
LANDS = """
    4 players
    Red: owns Memphis + Mendes
    Black: owns Buto
    Blue: owns Sawu
    White: owns Abydos
"""
BUYING = "asked: buy by Red, then Black Blue White"
HARVESTING = """
    game: round 1, temple 2
    asked: harvest by Red
"""
OFFERING = """
    4 players
    Red: owns Mendes
    Black: owns Buto
    Blue: owns Amarna
    White: owns Kharga
    asked: offer by Red Black Blue White
"""


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"auction": "silent"}, "Option auction can't be 'silent'. It can be: in_turn, sealed."),
        ({"card_draft": "yes"}, "Option card_draft can't be 'yes'. It can be: off, on, discard."),
        ({"speed": "fast"}, "There is no option 'speed'. There are: auction, actions, card_draft,"),
        (
            {"gold": "hiden", "board": "x"},
            "Option gold can't be 'hiden'. It can be: public, hidden. The board's first line",
        ),
    ],
)
def test_wrong_options_are_refused_all_at_once(options: dict[str, str], said: str) -> None:
    """Each with its name, its value and what is allowed."""
    with pytest.raises(IllegalOrder) as refused:
        RULES.setup(4, options, Rng("x", 0))
    assert said in str(refused.value)


def fields_of(state: object, seat: int) -> dict[str, Pick | Count]:
    """The form's fields by name."""
    form = RULES.form(RULES.view(state, seat))  # type: ignore[arg-type]  # a State
    return {field.name: field for group in form.groups for field in group.fields if isinstance(field, Pick | Count)}


def test_the_form_of_a_bid_lists_every_legal_bid_with_price_and_effect() -> None:
    """On Red's 3 from 6 up, elsewhere from 0, up to what 20 gold pay; the board's elements are targets."""
    state = position(UP)
    turns(state, (RED, "bid 3 Sawu"))
    pick = fields_of(state, BLACK)["bid"]
    assert isinstance(pick, Pick)
    values = {choice.value: choice for choice in pick.choices}
    assert set(values) == {str(o).removeprefix("bid ").replace(" on ", ":") for o in RULES.legal(state, BLACK)} or {
        f"{v.split(':')[1]}:{v.split(':')[0]}" for v in values
    } == {str(o).removeprefix("bid ").replace(" on ", ":") for o in RULES.legal(state, BLACK)}
    assert values["Sawu:6"].price == 6
    assert str(values["Sawu:6"].effect) == "0 stands at 3."
    assert values["Sawu:6"].target == "bid:Sawu:6"
    assert pick.chosen == ()


def test_what_is_placed_stands_side_by_side_and_one_card_gives_its_group_its_name() -> None:
    """Farmers and stones are paired for a narrow page; of one card alone the title says which, of two their names."""

    def titles_with(cards: str) -> dict[str, bool]:
        form = RULES.form(RULES.view(position(LANDS, f"Red: {cards}"), RED))
        return {str(group.title): group.paired for group in form.groups}

    titles, both = titles_with("architect"), titles_with("architect, free farmer")

    assert titles.items() >= {("Farmers", True), ("Stones", True), ("architect", False)}
    assert "Cards played" not in titles
    assert "Cards played" in both


def test_a_filled_form_becomes_order_text() -> None:
    """Each kind of field finds its clause."""
    view = RULES.view(position(UP), RED)
    assert RULES.order_text(view, {"bid": ["Abu:6"], "with": ["block"]}) == "bid 6 on Abu with block"
    view = RULES.view(position(LANDS), RED)
    fields = {"farmers:Mendes": ["2"], "stones:Memphis": ["3"], "architect": ["Memphis"], "sell:block": ["1"]}
    assert RULES.order_text(view, fields) == "buy farmers 2 Mendes, stones 3 Memphis, architect Memphis, sell block"
    assert RULES.order_text(view, {"nothing": ["yes"]}) == "buy nothing"
    view = RULES.view(position(LANDS, BUYING), RED)
    assert RULES.order_text(view, {"cards": ["2"], "sell:block": ["2"]}) == "buy 2 cards, sell 2 block"
    assert RULES.order_text(view, {"cards": ["nothing"]}) == "buy nothing"
    assert RULES.order_text(view, {"farmers:Mendes": ["2"]}) == "buy no cards, farmers 2 Mendes"
    view = RULES.view(position(OFFERING), RED)
    assert RULES.order_text(view, {"offer": ["9"], "with": ["adjustment"]}) == "offer 9 with adjustment"
    assert RULES.order_text(view, {"offer": ["theft"]}) == "theft"


@pytest.mark.parametrize(
    ("text", "fields", "said"),
    [
        (LANDS, {}, 'Nothing is chosen yet: fill something in, or tick "Buy nothing".'),
        (
            LANDS,
            {"nothing": ["yes"], "farmers:Mendes": ["1"]},
            "You chose nothing, and filled in: farmers 1 Mendes.",
        ),
        (LANDS, {"farmers:Mendes": ["two"]}, "'two' is not a whole number: farmers Mendes wants one."),
        (LANDS, {"farmers:Mendes": ["-2"]}, "farmers Mendes: -2 is below zero."),
        (LANDS, {"farmers:Mendes": ["1", "2"]}, "farmers:Mendes can be chosen only once."),
        (LANDS + BUYING, {}, "Nothing is chosen for power cards: please choose one."),
        (OFFERING, {}, "Nothing is chosen for your offering: please choose one."),
        (UP, {}, "Nothing is chosen for your bid: please choose one."),
    ],
)
def test_a_form_that_says_nothing_or_nonsense_is_refused_in_words(
    text: str, fields: dict[str, list[str]], said: str
) -> None:
    """An untouched form never acts."""
    with pytest.raises(EngineError) as refused:
        RULES.order_text(RULES.view(position(text), RED), fields)
    assert said in str(refused.value)


def test_the_game_is_all_that_a_game_must_be() -> None:
    """The type checker holds it against the protocol; the registry gives the very object."""
    rules: Rules[State, AnOrder, View] = RULES
    assert rules_of("amunre") is rules


def test_who_is_not_asked_has_an_empty_form() -> None:
    """Black on Red's turn."""
    view = RULES.view(opened(), BLACK)
    assert RULES.form(view).groups == ()
    assert str(RULES.question(view)) == "You are not asked for an order now."
    with pytest.raises(EngineError):
        RULES.order_text(view, {"bid": ["Abu:0"]})


def test_heading_and_question_say_where_the_game_stands() -> None:
    """In a few words; the harvest asks differently without items."""
    state = opened()
    assert str(RULES.heading(RULES.view(state, RED))) == "Old kingdom, round 1: auction"
    state = position(LANDS, HARVESTING + "Red: eight gold")
    assert str(RULES.question(RULES.view(state, RED))) == "Do you play a harvest card?"
    state = position(LANDS, HARVESTING + "Red: eight gold, items 2")
    assert "Reward items to place: 2." in str(RULES.question(RULES.view(state, RED)))


@pytest.mark.parametrize(
    ("kind", "text", "said"),
    [
        ("bid", "bid 6 on Abu", "You bid 6 gold on Abu."),
        ("buy", "buy 2 cards", "You buy 2 power cards for 3 gold."),
        ("buy", "nothing", "You buy no cards, no farmers and no stones."),
        (
            "build",
            "farmers 2 Mendes, stones 1 Memphis",
            "You buy 2 farmers on Mendes and 1 stone on Memphis for 4 gold.",
        ),
        ("offer", "theft", "You play theft: 3 gold for you, no reward."),
        ("offer", "offer 3", "You offer 3 gold."),
    ],
)
def test_orders_are_described_in_words(kind: str, text: str, said: str) -> None:
    """What an order will do, before it is sent."""
    state = position({"bid": UP, "buy": LANDS + BUYING, "build": LANDS, "offer": OFFERING}[kind])
    assert Translator("en")(RULES.describe(RULES.view(state, RED), RULES.read(state, RED, text))) == said


@pytest.mark.parametrize(
    ("order", "said"),
    [
        (
            Build(stones=((4, 2),), free_farmer=4, architect=4, sell=(CARDS.index("block"),)),
            (
                "You buy 2 stones on {place} for 3 gold. You play free farmer on {place} and architect on {place}."
                " You sell block for it."
            ),
        ),
        (Build(free_farmer=4), "You play free farmer on {place}."),
        (Buy(0, build=Build(farmers=((4, 1),))), "You buy 1 farmer on {place} for 1 gold. You buy no cards."),
        (Harvest(), "You play no harvest card."),
        (Harvest(farmers=((4, 2),)), "You place 2 farmers on {place}."),
        (Harvest(eight_gold=4), "You play eight gold on {place}."),
        (
            Harvest(increase=4, keep_none=True),
            "You play harvest increase on {place}. You play every bonus card that counts.",
        ),
    ],
)
def test_what_is_bought_and_played_is_told_place_by_place(order: AnOrder, said: str) -> None:
    """Whole sentences, with no order text in them."""
    view = RULES.view(position(LANDS), RED)
    assert Translator("en", game="amunre")(RULES.describe(view, order)) == said.format(place=PROVINCES[4])


def test_facts_tell_prices_and_holdings() -> None:
    """What a bidder's conditions ask."""
    state = position(UP, "Black: block, eight gold")
    turns(state, (RED, "bid 3 Sawu"))
    facts = RULES.facts(RULES.view(state, BLACK))
    assert facts["price_sawu"] == 6
    assert facts["price_buto"] == 0
    assert facts["cheapest"] == 0
    assert facts["up"] == frozenset({"Memphis", "Abu", "Mendes", "Sawu"})
    assert facts["unbid"] == frozenset({"Memphis", "Abu", "Mendes"})
    assert facts["my_hand"] == frozenset({"block", "eight gold"})
    assert (facts["my_gold"], facts["my_cards"], facts["first"], facts["outbid"]) == (20, 2, 0, 0)


def test_the_cautious_default_wastes_nothing() -> None:
    """A free province for nothing, no purchase, one gold for an item, farmers before stones."""
    assert str(RULES.cautious(RULES.view(position(UP), RED))) == "bid 0 on Sawu"
    assert str(RULES.cautious(RULES.view(position(LANDS, BUYING), RED))) == "buy nothing"
    assert str(RULES.cautious(RULES.view(position(OFFERING), RED))) == "offer 1"
    assert str(RULES.cautious(RULES.view(position(OFFERING, "Red: gold 0"), RED))) == "theft"
    state = position(
        LANDS,
        HARVESTING
        + """
        Red: items 3
        Mendes: farmers 5
        Memphis: stones 1
        """,
    )
    assert str(RULES.cautious(RULES.view(state, RED))) == "farmers 1 Memphis 1 Mendes, stones 1 Memphis"


def test_the_cautious_seller_parts_with_the_least_useful_cards() -> None:
    """A bonus card goes before an architect."""
    state = position(
        UP,
        """
        Red: gold 0, architect, half bonus, bids 1 on Memphis
        Black: bids 0 on Abu
        Blue: bids 0 on Mendes
        White: bids 0 on Sawu
        asked: sell by Red
        """,
    )
    assert str(RULES.cautious(RULES.view(state, RED))) == "sell half bonus"


def test_an_imagined_state_agrees_with_the_view_and_differs_in_what_is_hidden() -> None:
    """Twenty imaginations of Red's view: same view, sound, and Black's hand not always the same."""
    state = position(UP, "Black: architect, block, eight gold, half bonus")
    view = RULES.view(state, RED)
    hands = set()
    for number in range(20):
        other = RULES.imagine(view, Rng("imagine", number))
        assert RULES.problems(other) == ()
        assert RULES.view(other, RED) == view
        hands.add(tuple(other.hands[BLACK]))
    assert len(hands) > 10


def test_scopes_change_with_phase_and_round() -> None:
    """The auction's scope lasts through its payment; A with B and C is one phase."""
    auction, payment = (RULES.scope(position(UP, f"asked: {step} by Red")) for step in ("bid", "sell"))
    cards, building, later = (
        RULES.scope(position(LANDS, more))
        for more in (BUYING, "asked: build by Red, then Black Blue White", f"game: round 2\n{BUYING}")
    )
    assert auction == payment
    assert cards == building
    assert cards.phase != auction.phase
    assert cards.round == auction.round
    assert later.round != cards.round


def test_a_broken_state_is_told_in_words() -> None:
    """Each kind of fault has its sentence."""
    state = opened()
    state.gold[RED] = -1
    state.stones[0] = 3
    state.farmers[land("Mendes")] = 7
    state.hands[BLUE][card("block")] += 1
    state.first = 9
    told = RULES.problems(state)
    assert "seat 0 has -1 gold" in told
    assert "province 0 has 3 stones and 0 pyramids" in told
    assert "province 12 has 7 farmers on 6 fields" in told
    assert f"there are 3 cards of kind 0, not {COPIES[0]}" in told
    assert "the first player is seat 9" in told
