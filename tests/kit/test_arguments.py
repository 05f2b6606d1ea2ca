"""Each kind of argument, in a small game of all of them: written, read, listed, drawn, filled in and refused."""

from __future__ import annotations

from itertools import islice, product
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from pbem.engine.core.errors import IllegalOrder, InvalidOrder
from pbem.engine.core.forms import Count, Pick
from pbem.engine.core.rng import Rng
from pbem.engine.core.types import Order
from pbem.engine.kit.arguments import Argument
from pbem.engine.kit.verb import read_order
from pbem.engine.text.notation import GrammarRow, matches_grammar
from pbem.kit import (
    DeclaredGame,
    Many,
    Message,
    Meta,
    Names,
    Offered,
    One,
    Option,
    Quantity,
    Ranking,
    Span,
    TableView,
    Traits,
    Verb,
    Wish,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pbem.kit import Ply

FRUIT = Names("fruit", {"apple": ("mela", "pomme"), "pear": ("pera", "poire"), "plum": ("prugna", "prune")})


class State(msgspec.Struct):
    """Which verb is tried, and whether it was."""

    kind: str
    over: bool = False


def two_apples(_view: Any) -> list[Offered]:
    """Two apples, which are told apart by more than their word, and a plum."""
    return [Offered("apple", count=2, label=Message("Red apples")), Offered("plum")]


def verb(*arguments: Argument, **how: Any) -> Verb:
    """A verb of a decision of its own."""
    name = {"One": "pick"}.get(type(arguments[0]).__name__, type(arguments[0]).__name__.casefold())
    return Verb(name, *arguments, asked=name, says="So be it.", meaning=f"Try {name}.", rule="XX-1.1", **how)


VERBS = (
    verb(One("fruit", lambda _: ("apple", "pear"), names=FRUIT, like="pear"), bare=True, others="prendi"),
    verb(Many("fruits", two_apples, names=FRUIT, like="apple, plum", most=2)),
    verb(Wish("wishes", lambda _: (0, 2), names=FRUIT, indexed=True, like="plum", lead="with|con")),
    verb(Quantity("number", lambda _: [Offered(n, price=2 * n) for n in range(2, 6)])),
    verb(Span("rows", lambda _: [Offered((1, 1)), Offered((3, 5), mark="row:3")])),
    verb(Ranking("places", lambda _: ("pear", "apple", "plum"), names=FRUIT, like="apple, pear, plum")),
)
KINDS = [one.name for one in VERBS]
NOTHING: dict[str, Any] = {}
QUESTIONS = dict.fromkeys(KINDS, "What?")


class Trial(DeclaredGame[State]):
    """One decision of one kind."""

    meta = Meta(
        "trial", "Trial", "1", 1, (1,), (Option("kind", "Which.", tuple(KINDS), "pick"),), ("done",),
        traits=Traits(hidden=False, chance=False, simultaneous=False, chains=False),
    )  # fmt: skip
    state_type = State
    verbs = VERBS
    questions = QUESTIONS
    known = NOTHING

    def start(self, run: Ply, seats: int, options: Mapping[str, str]) -> State:  # noqa: ARG002 - one seat, no chance
        """Ask for the kind."""
        return State(options["kind"])

    def asks(self, table: State) -> dict[int, str]:
        """The one seat, once."""
        return {} if table.over else {0: table.kind}

    def scores(self, table: State) -> Sequence[int]:
        """Nothing."""
        return [int(table.over)]


RULES = Trial()
LEGAL = {
    "pick": ["pick apple", "pick pear"],
    "many": ["many none", "many apple", "many plum", "many apple, apple", "many apple, plum"],
    "wish": ["wish", "wish with apple", "wish with plum", "wish with apple, plum"],
    "quantity": ["quantity 2", "quantity 3", "quantity 4", "quantity 5"],
    "span": ["span 1", "span 3-5"],
    "ranking": [f"ranking {a}, {b}, {c}" for a, b, c in
                [("pear", "apple", "plum"), ("pear", "plum", "apple"), ("apple", "pear", "plum"),
                 ("apple", "plum", "pear"), ("plum", "pear", "apple"), ("plum", "apple", "pear")]],
}  # fmt: skip
each_kind = pytest.mark.parametrize("kind", KINDS)


def opened(kind: str) -> State:
    """A game that asks for this kind."""
    state = RULES.setup(1, {"kind": kind}, Rng("trial", 0)).state
    assert isinstance(state, State)
    return state


@each_kind
def test_every_order_is_listed_read_back_and_legal(kind: str) -> None:
    """Legal orders come plainest first, are written in one way, and are what is read, drawn and checked."""
    state, legal = opened(kind), list(RULES.legal(opened(kind), 0))

    assert [str(order) for order in legal] == LEGAL[kind]
    for order in legal:
        assert RULES.read(state, 0, str(order)) == RULES.read(state, 0, f" {str(order).upper()}.") == order
        assert RULES.check(state, 0, order) == []
        assert matches_grammar(RULES.grammar, str(order), kind)
        assert msgspec.json.decode(msgspec.json.encode(order), type=RULES.order_type) == order
    chance = Rng("trial", 1)
    assert {str(RULES.sample(state, 0, chance)) for _ in range(300)} == set(LEGAL[kind])


def fillings(kind: str) -> Iterator[dict[str, list[str]]]:
    """Every way to fill in the form of a kind."""
    fields = [field for group in RULES.form(TableView(0, opened(kind))).groups for field in group.fields]
    spans: list[list[list[str]]] = []
    for field in fields:
        if isinstance(field, Count):
            spans.append([[str(number)] for number in range(field.low, field.high + 1)])
        elif isinstance(field, Pick):
            values = [choice.value for choice in field.choices]
            one = [[value] for value in values]
            spans.append([[], *one, values] if field.many else one)
    for filled in product(*spans):
        yield dict(zip([field.name for field in fields], filled, strict=True))


@each_kind
def test_a_form_gives_every_legal_order(kind: str) -> None:
    """Filled in in every way, a form gives all legal orders; what else it gives is refused with a reason."""
    state, found = opened(kind), set()
    for fields in fillings(kind):
        order = RULES.read(state, 0, RULES.order_text(TableView(0, state), fields))
        faults = RULES.check(state, 0, order)
        assert all(str(fault) for fault in faults)
        if not faults:
            found.add(str(order))

    assert found == set(LEGAL[kind])


def test_what_is_counted_is_called_as_it_is_offered() -> None:
    """By its label, else by its word; and no more of it can be asked for than there is, nor less than none."""
    fields = [field for group in RULES.form(TableView(0, opened("many"))).groups for field in group.fields]

    assert [(str(field.label), field.low, field.high) for field in fields if isinstance(field, Count)] == [
        ("Red apples", 0, 2),
        ("plum", 0, 1),
    ]


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("pick", {"order": ["pick plum"]}),
        ("many", {"many-fruits-apple": ["7"]}),
        ("quantity", {}),
        ("span", {"order": ["span 1", "span 3-5"]}),
        ("ranking", {"ranking-places-1": ["fig"]}),
    ],
)
def test_a_form_filled_in_wrongly_is_refused_by_its_field(kind: str, fields: dict[str, list[str]]) -> None:
    """A value that wasn't offered, two where one is due, and none at all: the sentence names the field."""
    with pytest.raises(InvalidOrder, match="field"):
        RULES.order_text(TableView(0, opened(kind)), fields)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("pick plum", "plum can't be chosen here. There are: apple, pear."),
        ("many plum, plum", "plum can't be chosen here. There are: apple, plum."),
        ("many apple, apple, plum", "You named 3; from 0 to 2 are possible."),
        ("wish with pear", "pear can't be chosen here. There are: apple, plum."),
        ("quantity 7", "7 can't be chosen here. There are: 2, 3, 4, 5."),
        ("span 3-4", "3-4 can't be chosen here. There are: 1, 3-5."),
        ("ranking apple, apple, plum", "Name each of these once: pear, apple, plum."),
    ],
)
def test_what_is_not_offered_is_refused_with_what_is(text: str, sentence: str) -> None:
    """A refusal names the thing and what there is instead."""
    state = opened(text.split(maxsplit=1)[0])
    order = RULES.read(state, 0, text)

    assert [str(fault) for fault in RULES.check(state, 0, order)] == [sentence]


def test_short_loose_and_foreign_words_are_understood() -> None:
    """A bare answer, another language, plural separators and any order of things will do."""
    assert str(RULES.read(opened("pick"), 0, "pera")) == "pick pear"
    assert str(RULES.read(opened("pick"), 0, "prendi pomme")) == "pick apple"
    assert str(RULES.read(opened("many"), 0, "many plum and mela")) == "many apple, plum"
    assert str(RULES.read(opened("wish"), 0, "wish con prune")) == "wish with plum"
    assert str(RULES.read(opened("span"), 0, "span 3 - 5")) == "span 3-5"


@pytest.mark.parametrize(
    ("kind", "text", "words"),
    [
        ("pick", "", "There is no order in this line"),
        ("pick", "juggle", "'juggle' is no order here. You may write: pick pear"),
        ("pick", "pick", "'pick' is written like this: pick pear"),
        ("pick", "pick appel", "Did you mean apple?"),
        ("quantity", "quantity x", "is no"),
        ("span", "span x-2", "not a whole number"),
    ],
)
def test_what_cant_be_read_is_answered_with_how_to_write_it(kind: str, text: str, words: str) -> None:
    """Each refusal names the word and the form."""
    with pytest.raises(InvalidOrder, match="(?s)" + words.replace("?", r"\?")):
        RULES.read(opened(kind), 0, text)


def test_a_decision_that_is_not_asked_is_refused() -> None:
    """Another decision's verb is answered with the question; after the end nothing is left to decide."""
    state = opened("pick")
    assert RULES.check(state, 0, RULES.read(state, 0, "quantity 2")) == [Message("What?", {}, "XX-1.1")]
    over = State("pick", over=True)
    assert "over" in str(RULES.check(over, 0, next(RULES.legal(state, 0)))[0])
    with pytest.raises(InvalidOrder, match="over"):
        RULES.form(TableView(0, over))


def test_options_and_seats_are_checked_together() -> None:
    """Opening a game names every wrong option, and the number of seats."""
    with pytest.raises(IllegalOrder) as refused:
        RULES.setup(3, {"kind": "two", "speed": "9"}, Rng("trial", 0))

    assert [str(fault) for fault in refused.value.faults] == [
        "Trial is for 1 players, not 3.",
        "Option kind can't be 'two'. It can be: pick, many, wish, quantity, span, ranking.",
        "There is no option 'speed'. There are: kind.",
    ]


def test_a_verb_with_conditions_of_its_own_is_never_sampled_against_them() -> None:
    """`check` speaks of several arguments together: legal, sample and faults all heed it."""
    low = Quantity("low", lambda _: range(1, 9))
    high = Quantity("high", lambda _: range(1, 9), lead="to")
    pair = Verb(
        "range", low, high, asked="range", says="{low}", meaning="A range.", rule="XX-1.1",
        check=lambda _, order: [] if order.low == 8 and order.high == 1 else [Message("Only 8 to 1.")],
    )  # fmt: skip
    view = TableView(0, State("range"))

    assert [str(order) for order in islice(pair.legal(view), 3)] == ["range 8 to 1"]
    assert {str(pair.sample(view, Rng("pair", number))) for number in range(5)} == {"range 8 to 1"}
    assert pair.faults(view, pair.order(low=2, high=3)) == [Message("Only 8 to 1.")]
    assert pair.rows[0].syntax == "range LOW to HIGH"


class Toss(Order, frozen=True, tag="toss"):
    """A Struct of the game's own."""

    heads: bool

    def __str__(self) -> str:
        return f"toss {'heads' if self.heads else 'tails'}"


def read_toss(_state: Any, _seat: int, rest: str) -> Toss:
    """Heads, unless tails are named."""
    return Toss(rest != "tails")


def test_each_side_of_a_verb_can_be_overridden() -> None:
    """Struct, words, reading, short answers, description and lines of the grammar can be the game's own."""
    row = GrammarRow("toss", "toss SIDE", "toss heads", "Toss a coin.", "(?:toss|flip it)(?: .+)?")
    own = Verb(
        "toss", asked="toss", order=Toss, words="toss|flip it", reads=read_toss, rows=(row,),
        bare=lambda text: Toss(text == "h") if text in {"h", "t"} else None,
        says=lambda view, order: Message("{seat} tosses {side}.", {"seat": view.seat, "side": str(order)}),
    )  # fmt: skip
    state = State("toss")

    def read(text: str) -> str:
        return str(read_order((own,), "toss", state, 0, text))

    assert [read(text) for text in ("flip it", "toss tails", "T", "h")] == [
        *("toss heads", "toss tails"),
        *("toss tails", "toss heads"),
    ]
    assert own.rows == (row,)
    assert own.describe(TableView(0, state), Toss(heads=True)) == Message(
        "{seat} tosses {side}.", {"seat": 0, "side": "toss heads"}
    )
    with pytest.raises(InvalidOrder, match="You may write: toss heads"):
        read("spin")


def test_a_decision_of_which_nothing_is_asked_is_named() -> None:
    """Who forgets a question learns which one when the game is made, not by a letter that can't be written."""
    asked = {kind: "What?" for kind in KINDS if kind != "span"}
    with pytest.raises(ValueError, match="trial: say in `questions` what is asked at span"):
        type("Silent", (Trial,), {"questions": asked})()
