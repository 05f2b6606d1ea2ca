from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, cast

import pytest
from werkzeug.datastructures import MultiDict

from pbem.engine.core.errors import InvalidOrder
from pbem.engine.core.forms import Choice, Count, Form, Group, Pick, TextField
from pbem.engine.core.message import Message
from pbem.engine.registry import GAMES, rules_of
from pbem.kit.contract.positions import decisions
from pbem.web.play import decision_form

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pbem.engine.core.types import AnyRules


def form(*fields: Pick | Count | TextField) -> Form:
    """A form of one group."""
    return Form("sample", Message("What?"), (Group(Message("All"), fields),))


class Echo:
    """Rules whose order text is what was filled in."""

    def order_text(self, _view: object, fields: Mapping[str, list[str]]) -> str:
        """The fields, sorted."""
        return repr(sorted(fields.items()))


RULES = cast("AnyRules", Echo())
CARDS = Pick("cards", Message("Cards"), (Choice("a", Message("A")), Choice("b", Message("B"))), many=True)
WAY = Pick("way", Message("Way"), (Choice("ask", Message("ask me")), Choice("go", Message("go"))), chosen=("ask",))


@pytest.mark.parametrize(("told", "shown"), [({}, 3), ({"gold": 3}, None), ({"gold": 2}, 3), ({"seat": 3}, 3)])
def test_a_choice_says_what_it_costs_unless_its_label_does(told: dict[str, int], shown: int | None) -> None:
    """The number of its label alone is its price; one that is free says nothing."""
    label = Message("It", told)

    assert decision_form.cost(Choice("it", label, price=3)) == shown
    assert decision_form.cost(Choice("it", label)) is None


def test_only_fields_of_the_form_are_read() -> None:
    """Foreign names, empty values and our own fields never reach the game."""
    post = MultiDict([("f-cards", "a"), ("f-cards", " b "), ("f-count", ""), ("f-other", "x"), ("act", "send")])

    assert decision_form.filled(form(CARDS, Count("count", Message("How many"), 0, 3)), post) == {"cards": ["a", "b"]}


def said(rules: AnyRules, view: Any, shown: Form, fields: Mapping[str, list[str]]) -> tuple[Message, ...]:
    """Why what is filled in is no order; nothing if it is one."""
    try:
        decision_form.written(rules, view, shown, fields)
    except InvalidOrder as refusal:
        return refusal.faults
    return ()


def refused(rules: AnyRules, view: Any) -> Iterator[Message]:
    """What is said where one field of a decision's form is filled in alone: each choice, a number, no number."""
    shown = rules.form(view)
    for field in decision_form.fields_of(shown):
        values = [one.value for one in field.choices] if isinstance(field, Pick) else ["1", "x"]
        yield from itertools.chain(*(said(rules, view, shown, {field.name: [value]}) for value in values))


@pytest.mark.parametrize("game", GAMES)
def test_a_refused_form_speaks_of_what_it_shows(game: str) -> None:
    """What else is wanted is called by its label, never by the field's name in the form."""
    rules, bare, told = rules_of(game), list[Message](), 0
    for position, seat, _ in decisions(game, 3):
        view = rules.view(position.state, seat)
        names = [field.name for field in decision_form.fields_of(rules.form(view))]
        faults = list(refused(rules, view))
        bare += [fault for fault in faults if fault.params.get("field") in names]
        told += len(faults)

    assert told
    assert bare == []


@pytest.mark.parametrize("posted", [[], [("f-way", "ask")], [("f-count", "0"), ("f-way", "ask")], [("text", "  ")]])
def test_an_untouched_form_is_refused(posted: list[tuple[str, str]]) -> None:
    """Nothing filled in, or only what the game itself presets, is no order."""
    asked = form(WAY, CARDS, Count("count", Message("How many"), 0, 3, chosen=0))

    with pytest.raises(InvalidOrder, match="Nothing is chosen yet"):
        decision_form.order_text(RULES, None, asked, MultiDict(posted))


@pytest.mark.parametrize(
    ("posted", "text"),
    [
        ([("f-way", "go")], "[('way', ['go'])]"),
        ([("f-count", "2"), ("f-way", "ask")], "[('count', ['2']), ('way', ['ask'])]"),
        ([("nothing", "1")], "[]"),
        ([("f-way", "go"), ("text", " bid 6 on Memphis ")], "bid 6 on Memphis"),
    ],
)
def test_a_filled_form_becomes_order_text(posted: list[tuple[str, str]], text: str) -> None:
    """What was picked goes through the game; what was written counts instead; choosing nothing is said by a tick."""
    asked = form(WAY, CARDS, Count("count", Message("How many"), 0, 3, chosen=0))

    assert decision_form.order_text(RULES, None, asked, MultiDict(posted)) == text


def _thing(family: decision_form.ChoiceGroup) -> object:
    return family.name.params["things"] if family.name else ""


def test_choices_that_differ_in_a_number_are_gathered() -> None:
    """Bids become one row of numbers for each province; what is unlike them stands by itself, in its order."""
    bids = [
        Choice(f"{place}:{gold}", Message("{gold} on {province}", {"gold": gold, "province": place}), price=gold)
        for place in ("Memphis", "Abydos")
        for gold in (0, 1, 3)
    ]
    field = Pick("bid", Message("Bid"), (Choice("pass", Message("Pass")), *bids))

    found = decision_form.choice_groups(field)

    assert [(_thing(family), family.number, len(family.choices)) for family in found] == [
        ("", "", 1),
        ("Memphis", "gold", 3),
        ("Abydos", "gold", 3),
    ]
    assert [found[1].short(choice) for choice in found[1].choices] == [0, 1, 3]
    assert [choice for family in found for choice in family.choices] == list(field.choices)


class Refusing(Echo):
    """Rules that want at least one thing."""

    def order_text(self, view: object, fields: Mapping[str, list[str]]) -> str:
        """The fields, if there are any."""
        if not fields:
            raise InvalidOrder(Message("Choose one."))
        return super().order_text(view, fields)


def test_a_tick_for_nothing_stands_where_nothing_is_an_answer() -> None:
    """Where the game wants a choice, or the form has a choice for nothing of its own, there is none."""
    own = Pick("nothing", Message("Or"), (Choice("yes", Message("Buy nothing")),), many=True)

    assert decision_form.is_optional(RULES, None, form(CARDS)) is True
    assert decision_form.is_optional(cast("AnyRules", Refusing()), None, form(CARDS)) is False
    assert decision_form.is_optional(RULES, None, form(CARDS, own)) is False
    assert decision_form.is_optional(RULES, None, form()) is False


def test_every_number_has_its_price() -> None:
    """Prices count from the lowest number; numbers without one cost nothing that is said."""
    count = Count("stones", Message("Stones"), 2, 5, (1, 3, 6))

    assert decision_form.numbers(count) == [(2, 1), (3, 3), (4, 6), (5, None)]
    assert decision_form.as_chips(count) is True
    assert decision_form.as_chips(Count("stones", Message("Stones"), 0, 40)) is False


def test_choices_named_alike_look_alike() -> None:
    """Where one province has a row of numbers, another has one too, and so have two pairs; a lone pair stays a list."""
    bid = {
        (place, gold): Choice(f"{place}:{gold}", Message("{gold} on {province}", {"gold": gold, "province": place}))
        for place in ("Memphis", "Abydos")
        for gold in (0, 1, 3)
    }
    few = (bid["Abydos", 1], bid["Abydos", 3])

    found = decision_form.choice_groups(
        Pick("bid", Message("Bid"), (bid["Memphis", 0], bid["Memphis", 1], bid["Memphis", 3], *few))
    )

    assert [(_thing(family), len(family.choices)) for family in found] == [("Memphis", 3), ("Abydos", 2)]
    assert [family.number for family in decision_form.choice_groups(Pick("bid", Message("Bid"), few))] == [""]
    pairs = (bid["Memphis", 0], bid["Memphis", 1], *few)
    assert [_thing(one) for one in decision_form.choice_groups(Pick("bid", Message("Bid"), pairs))] == [
        "Memphis",
        "Abydos",
    ]
