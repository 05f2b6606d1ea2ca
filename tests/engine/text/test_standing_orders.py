"""Standing orders: what the text may say, how every fault is told, and what it answers when the time comes."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.engine.core.errors import InvalidOrder
from pbem.engine.core.rng import Rng
from pbem.engine.core.types import Scope
from pbem.engine.registry import GAMES, rules_of
from pbem.engine.text import standing_orders, standing_text
from pbem.engine.text.standing_orders import StandingAnswer
from pbem.engine.text.standing_text import StandingOrders
from pbem.kit.contract.positions import positions
from tests.steps import steps

RULES = rules_of("priestsofra")
START = RULES.setup(3, {}, Rng("standing", 0)).state
MOVER = next(iter(RULES.awaited(START)))


def read(text: str) -> StandingOrders:
    """The standing order that `text` is."""
    return standing_text.parse(RULES, text)


def faults(text: str) -> list[str]:
    """The sentences that refuse `text`."""
    with pytest.raises(InvalidOrder) as refused:
        read(text)
    return [str(fault) for fault in refused.value.faults]


def lot_of(size: int) -> Any:
    """A state with `size` tiles out, none of them a Ra tile, and its mover on turn."""
    for seed in range(200):
        state = RULES.setup(3, {}, Rng(f"lot{seed}", 0)).state
        for ply in range(1, 40):
            seat, decision = next(iter(RULES.awaited(state).items()))
            if decision.kind == "turn" and RULES.facts(RULES.view(state, seat))["tiles"] == size:
                return state
            if decision.kind == "bid":
                break
            order = RULES.read(state, seat, "draw") if decision.kind == "turn" else next(RULES.legal(state, seat))
            RULES.apply(state, {seat: order}, Rng(f"lot{seed}", ply))
    pytest.fail(f"no lot of {size} came up")


CANONICAL = [
    ("draw", "this phase\ndraw"),
    ("  Ask me. \n\n# a remark", "this phase\nask me"),
    ("this round\ndraw", "this round\ndraw"),
    ("unless alone: draw; then unless tiles > 3: ra", "this phase\nwhen not alone: draw; then unless tiles > 3: ra"),
    (
        "until changed\nfor turn: draw\nfor bid, flip:\npass\nfor any: ask me",
        "until changed\nfor turn:\ndraw\nfor bid, flip:\npass\nfor any:\nask me",
    ),
    ("if tiles at least 5: ra", "this phase\nwhen tiles >= 5: ra"),
    ("when tiles is more than 5: ra", "this phase\nwhen tiles > 5: ra"),
    ("when tiles <> 5: ra", "this phase\nwhen tiles != 5: ra"),
    ("when phase is not bid: ra", 'this phase\nwhen phase != "bid": ra'),
    ("when my high sun - 3 + 1 > high_bid: ra", "this phase\nwhen my_high_sun - 3 + 1 > high_bid: ra"),
    ("when not (alone and tiles = 2) or not alone: ra", "this phase\nwhen not (alone and tiles = 2) or not alone: ra"),
    ("when alone and (tiles = 2 or tiles = 3): ra", "this phase\nwhen alone and (tiles = 2 or tiles = 3): ra"),
    ("when Library in lot: draw", 'this phase\nwhen "library" in lot: draw'),
    ("when biblioteca in lot: draw", 'this phase\nwhen "library" in lot: draw'),
    ("when {library, farmer} not in lot: draw", 'this phase\nwhen not {"library", "farmer"} in lot: draw'),
    ("draw until 5 tiles or 2 plagues, then call", "this phase\nwhen not (tiles >= 5 or plagues >= 2): draw\ncall"),
    ("draw until 5 tiles", "this phase\nwhen not tiles >= 5: draw\nask me"),
    ("draw until five tiles or my suns < Two", "this phase\nwhen not (tiles >= 5 or my_suns < 2): draw\nask me"),
    ("when nine in suns: bid nine", 'this phase\nwhen "9" in suns: bid nine'),
    ("when tiles = 2: draw\notherwise: ra", "this phase\nwhen tiles = 2: draw\nra"),
    ("draw, otherwise ra", "this phase\ndraw; else ra"),
    (
        "when alone: draw; or else pass ; Sinon ra; then pass",
        "this phase\nwhen alone: draw; else pass; else ra; then pass",
    ),
    ("draw; else ask me", "this phase\ndraw"),
    ("draw ;THEN when alone: ra; then pass", "this phase\ndraw; then when alone: ra; then pass"),
]


@pytest.mark.parametrize(("typed", "canonical"), CANONICAL)
def test_text_has_one_canonical_form(typed: str, canonical: str) -> None:
    """However it is typed, it is shown one way, and that way reads back as the same."""
    found = read(typed)

    assert str(found) == canonical
    assert read(canonical) == found
    assert msgspec.json.decode(msgspec.json.encode(found), type=StandingOrders) == found


ORDERS = (
    "Orders read: draw, draw FACE, FACE ..., ra, show FACE, bid SUN, bid lowest [up to SUN], bid highest [up to SUN], "
    "pass, flip FACE, FACE ..., flip none."
)
REFUSED = [
    ("", "There is no order in it; write at least one, such as `ask me`."),
    ("drwa", "Line 1: 'drwa' is no order here. Did you mean 'draw'?"),
    ("thsi round", "Line 1: 'thsi round' is no order here. Did you mean 'this round'?"),
    ("whne tiles > 3: ra", "Line 1: 'whne tiles > 3: ra' is no order here. Did you mean 'when tiles > 3: ra'?"),
    ("for bidd: pass", "Line 1: 'bidd' is no decision of this game. Did you mean bid?"),
    ("when higj_sun > 3: ra", "Line 1: 'higj_sun' is no fact and no name in this game. Did you mean my_high_sun?"),
    ("if tiles > 3, ra", "Line 1: after the condition a colon and an order are due: when CONDITION: ORDER."),
    ("draw\nzork", f"Line 2: 'zork' is no order here. {ORDERS}"),
    (
        "for bid: draw",
        "Line 1: 'draw' is no order here. Orders read: bid SUN, bid lowest [up to SUN], bid highest [up to SUN], pass.",
    ),
    ("for tea: draw", "Line 1: 'tea' is no decision of this game. There are: turn, face, bid, flip."),
    ("this phase\nthis round\ndraw", "Line 2: the scope is given twice; keep one of them."),
    ("when tils < 5: draw", "Line 1: 'tils' is no fact and no name in this game. Did you mean tiles?"),
    ("when libary in lot: draw", "Line 1: 'libary' is no fact and no name in this game. Did you mean library?"),
    ("when tiles < farmer: draw", "Line 1: 'farmer' is no fact and no name in this game. Did you mean"),
    ("when lot < 3: draw", "Line 1: lot is a set of words where a number is due."),
    ("when lot = farmer: draw", "Line 1: a set is asked by `in`, as in `farmer in lot`."),
    ("when tiles in lot: draw", "Line 1: lot holds words, and tiles is a number."),
    ("when farmer in tiles: draw", "Line 1: after `in` one of the game's sets is due, not 'tiles'."),
    ("when farmer: draw", 'Line 1: \'"farmer"\' is no condition; compare it, as in `"farmer" < 5`.'),
    ("when (tiles < 5: draw", "Line 1: a bracket of the condition is not closed; add `)`."),
    ("when {farmer in lot: draw", "Line 1: a set of words is not closed; add `}`."),
    ("when tiles < 5 alone: draw", "Line 1: 'alone' is left over in the condition; join conditions by `and` or `or`."),
    ("when tiles <: draw", "Line 1: a fact, a word or a number is due in the condition, not 'its end'."),
    ("when tiles @ 5: draw", "Line 1: '@ 5' can't be read in a condition; words with odd characters go in quotes."),
    ("when " + "(" * 13 + "tiles: draw", "Line 1: the condition is nested deeper than 12."),
    ("when " + "not " * 13 + "alone: draw", "Line 1: the condition is nested deeper than 12."),
    ("when alone" + " or alone" * 60 + ": draw", "Line 1: 556 characters; a line has at most 500."),
    ("when 1" + "+1" * 60 + ">1: draw", "Line 1: the condition has more than 120 words."),
    ("draw; then ; then ra", "Line 1: nothing stands before or after `; then`; write an order on both sides."),
    ("draw" + "; then draw" * 21, "Line 1: 21 orders in one chain; at most 20."),
    ("draw; then when tils: ra", "Line 1: 'tils' is no"),
    ("ask me; then draw", "Line 1: 'ask me' is no order here."),
    ("draw\x07", "Line 1: it has characters that can't be printed; type it anew."),
    ("draw\n" * 101, "Line 101: a standing order has at most 100 lines."),
    ("draw until zork, then ra", "Line 1: 'zork' is no fact and no name in this game."),
    ("__import__('os').system('true')", "Line 1: \"__import__('os').system('true')\" is no order here."),
    ("when __class__ > 1: draw", "Line 1: '__class__ > 1' can't be read in a condition;"),
    ("x" * 1_000_000, "The standing order is 1000000 characters long; at most 20000 are read."),
]


@pytest.mark.parametrize(("text", "sentence"), REFUSED, ids=lambda value: value[:30])
def test_each_fault_is_one_sentence_with_its_line(text: str, sentence: str) -> None:
    """Whatever can't be meant is refused when it is stored, naming the line, the word and what would do."""
    assert faults(text)[0].startswith(sentence)


def test_all_faults_are_listed_at_once_but_not_without_end() -> None:
    """Two wrong lines are two sentences; a hundred wrong lines are twenty."""
    assert [fault[:7] for fault in faults("zork\ndraw\nwhen zork: draw")] == ["Line 1:", "Line 3:"]
    assert len(faults("zork\n" * 100)) == 20


def test_lines_are_tried_in_order_and_the_first_that_fits_is_used() -> None:
    """A false condition and an order that isn't legal are passed over, and the owner can read why."""
    found = standing_orders.answer(RULES, START, MOVER, read("when tiles > 3: ra\nbid lowest\ndraw\nra"))

    assert (found.text, found.line) == ("draw", 3)
    assert [str(said) for said in found.why] == [
        "when tiles > 3: ra - not now, because the condition does not hold.",
        "bid lowest - not possible now: There is no auction now: a bid must wait for one.",
        "draw - this is used.",
    ]


def test_ask_me_stops_the_list() -> None:
    """The line is named, and no order is given."""
    found = standing_orders.answer(RULES, START, MOVER, read("when tiles = 0: ask me\ndraw"))

    assert (found.order, found.line) == (None, 1)


def test_a_list_in_which_nothing_fits_asks_too() -> None:
    """Then no line is named."""
    found = standing_orders.answer(RULES, START, MOVER, read("for bid: pass\nfor turn: when tiles > 5: ra"))

    assert (found.order, found.line) == (None, 0)


@pytest.mark.parametrize(("size", "text"), [(0, "draw"), (3, "draw"), (4, "draw"), (5, "ra"), (6, "ra")])
def test_drawing_until_there_is_enough(size: int, text: str) -> None:
    """`draw until 5 tiles, then ra` draws while there are fewer and calls from five on."""
    state = lot_of(size)
    seat = next(iter(RULES.awaited(state)))

    assert standing_orders.answer(RULES, state, seat, read("draw until 5 tiles, then ra")).text == text


def test_a_chain_leaves_its_later_links() -> None:
    """`a; then b; then c` answers a, then b; each link leaves the rest."""
    first = standing_orders.answer(RULES, START, MOVER, read("draw; then draw; then ra"))
    second = standing_orders.follow(RULES, START, MOVER, first.rest)

    assert (first.text, first.rest) == ("draw", ("draw", "ra"))
    assert (second.text, second.rest) == ("draw", ("ra",))


@pytest.mark.parametrize("link", ["bid lowest", "when tiles > 5: ra", "zork", "ask me"])
def test_a_link_that_does_not_fit_drops_the_rest(link: str) -> None:
    """Illegal, not now, unreadable, or `ask me`: no order, nothing left, and the owner is asked."""
    found = standing_orders.follow(RULES, START, MOVER, (link, "draw"))

    assert (found.order, found.rest) == (None, ())


def test_orders_with_later_links_are_parted_and_checked() -> None:
    """The first order is submitted, the links are checked for what can be known ahead."""
    assert standing_text.split("draw") == ("draw", ())
    assert standing_text.split("draw; then ra;  THEN pass") == ("draw", ("ra", "pass"))
    assert standing_text.check_links(RULES, ("ra", "when alone: pass", "ask me")) == (3, [])
    good, faults = standing_text.check_links(RULES, ("ra", "zork"))
    assert (good, [str(one)[:25] for one in faults]) == (1, ["Line 3: 'zork' is no orde"])


@pytest.mark.parametrize(
    ("scope", "phase", "round_", "over"),
    [("this phase", "p", "r", False), ("this phase", "q", "r", True), ("this phase", "p", "s", True),
     ("this round", "q", "r", False), ("this round", "p", "s", True), ("until changed", "q", "s", False)],
)  # fmt: skip
def test_a_scope_ends_with_its_phase_or_round(scope: str, phase: str, round_: str, *, over: bool) -> None:
    """A phase ends with its round too, and what lasts until changed never expires."""
    order = read(f"{scope}\ndraw")

    assert standing_orders.expired(order, Scope("p", "r"), Scope(phase, round_)) is over


def test_it_is_told_back_in_words() -> None:
    """Headings for scope and decisions, then a sentence a line."""
    text = (
        "this round\nfor turn: when 5 tiles and not farmer in lot: ra; then pass\nfor bid:\nwhen alone: ask me\npass\n"
    )
    text += "ask me"

    assert [str(said) for said in standing_orders.words(read(text))] == [
        "Until this round is over:",
        "When you are asked for turn:",
        "If tiles is at least 5 and farmer is not in lot: ra; then pass.",
        "When you are asked for bid:",
        "If alone holds: ask me.",
        "pass.",
        "Ask me.",
    ]
    assert str(standing_orders.words(read("draw until 5 tiles"))[1]) == "Unless tiles is at least 5: draw."


PIECES = st.sampled_from(
    """when if for this phase round until changed ask me then ; : ( ) { } , and or not in is at least most more than
    < > = != - + 5 tiles lot farmer library my high sun draw ra pass bid lowest "royal" turn # otherwise alone é
    """.split()  # noqa: SIM905 - sixty quoted words would be no list to read
)


@settings(max_examples=400, deadline=None)
@given(st.one_of(st.text(max_size=200), st.lists(st.one_of(PIECES, st.just("\n")), max_size=40).map(" ".join)))
def test_any_text_is_a_standing_order_or_refused(text: str) -> None:
    """Garbage raises InvalidOrder and nothing else; what is read has a canonical form that reads back."""
    try:
        found = read(text)
    except InvalidOrder as error:
        assert error.faults  # noqa: PT017 - either way out is right, and this is what one of them promises
        return
    assert read(str(found)) == found
    assert isinstance(standing_orders.answer(RULES, START, MOVER, found), StandingAnswer)
    assert all(str(said) for said in standing_orders.words(found))


def refused_in(text: str) -> int:
    """How many steps it takes to refuse a text."""

    def refuse() -> None:
        with pytest.raises(InvalidOrder):
            read(text)

    return steps(refuse)


@pytest.mark.parametrize(
    "text",
    ["draw; then " * 100_000, "when " + "(" * 1_000_000, "a until " * 125_000, "\n" * 1_000_000, '"' * 1_000_000],
    ids=["chain", "brackets", "until", "lines", "quotes"],
)
def test_a_megabyte_is_refused_at_once(text: str) -> None:
    """Endless text is refused unread: in as few steps as half of it."""
    assert refused_in(text) == refused_in(text[: len(text) // 2]) < 100


@pytest.mark.parametrize("unit", ["when (", "a until ", '"', "when not ", "for a,", "; then", ", then "])
def test_twenty_thousand_characters_are_read_in_few_steps(unit: str) -> None:
    """The longest text that is looked at takes ten steps a character at most, however it is nested."""
    assert refused_in("\n".join([(unit * 500)[:499]] * 40)) < 200_000


@pytest.mark.parametrize("game", GAMES)
def test_every_game_answers_by_its_own_first_legal_order(game: str) -> None:
    """For each decision of each game, its legal orders' texts make a standing order that answers with the first."""
    rules = rules_of(game)
    seen = set()
    for position in positions(game):
        for seat, decision in rules.asked(position.state).items():
            first = next(rules.legal(position.state, seat))
            order = standing_text.parse(rules, f"for {decision.kind}: {first}\nask me")
            found = standing_orders.answer(rules, position.state, seat, order)
            assert (found.order, found.line) == (first, 1)
            seen.add(decision.kind)

    assert seen >= {
        decision.kind for position in positions(game) for _, decision in rules.asked(position.state).items()
    }


@pytest.mark.parametrize("game", GAMES)
def test_every_fact_can_be_asked_about(game: str) -> None:
    """Each documented fact stands in a condition of its kind and is answered."""
    rules = rules_of(game)
    position = next(positions(game))
    seat, _ = next(iter(rules.asked(position.state).items()))
    facts = rules.facts(rules.view(position.state, seat))
    for name, value in facts.items():
        condition = f"{name} = {value}" if isinstance(value, int) else name
        wanted = isinstance(value, int) or bool(value)
        found = standing_orders.answer(
            rules, position.state, seat, standing_text.parse(rules, f"when {condition}: ask me")
        )
        assert (found.line == 1) is wanted, name
