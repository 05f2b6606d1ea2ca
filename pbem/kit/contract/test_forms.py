"""Every decision of every game as a form: what it offers can be filled in and becomes a legal order."""

from __future__ import annotations

from itertools import combinations, islice, product
from math import prod
from typing import Any

import msgspec
import pytest

from pbem.engine.core.errors import REFUSALS, InvalidOrder
from pbem.engine.core.forms import Choice, Count, Field, Form, Pick, TextField
from pbem.engine.core.rng import Chance, Rng
from pbem.engine.core.types import AnyRules
from pbem.engine.text import standing_orders, standing_text
from pbem.kit.contract.plugin import exceptions_of
from pbem.kit.contract.positions import decisions

TRIES = 400
MOST_FILLINGS, MOST_LEGAL = 600, 400
FEWEST = 40
"""Forms that must be looked at, or nothing is proved."""


def filled(form: Form, chance: Chance) -> dict[str, list[str]]:
    """Return the form with something picked in every field but the free lines."""
    fields: dict[str, list[str]] = {}
    for group in form.groups:
        for field in group.fields:
            match field:
                case Pick(name=name, choices=choices, many=True):
                    fields[name] = [choice.value for choice in choices if not chance.below(3)]
                case Pick(name=name, choices=choices):
                    fields[name] = [choices[chance.below(len(choices))].value]
                case Count(name=name, low=low, high=high):
                    fields[name] = [str(low + (chance.below(high - low + 1) if chance.below(2) else 0))]
                case TextField(name=name):
                    fields[name] = [""]
    return fields


def meant(rules: AnyRules, state: Any, seat: int, text: str) -> Any:
    """Return the order that a text gives now: a list's first line that fits, where a list is asked; None for none."""
    if not rules.asked(state)[seat].sealed:
        first, *others = [rules.read(state, seat, one) for one in standing_text.alternatives(text)]
        return None if any(rules.check(state, seat, other) for other in others) else first
    return standing_orders.answer(rules, state, seat, standing_orders.sealed_list(rules, text)).order


def test_every_form_can_be_filled_in_with_a_legal_order(game: str, rules: AnyRules) -> None:
    """Picking among what the form offers, one comes upon an order that is read back and legal; the rest is refused."""
    for position, seat, decision in decisions(game):
        view = rules.view(position.state, seat)
        form = rules.form(view)
        assert form.kind == decision.kind
        chance = Rng(position.seed, position.ply)
        for _ in range(TRIES):
            try:
                order = meant(rules, position.state, seat, rules.order_text(view, filled(form, chance)))
            except REFUSALS:
                continue
            if order is not None and not rules.check(position.state, seat, order):
                break
        else:
            pytest.fail(f"{position.seed}, ply {position.ply}: no filling of {decision.kind} is legal")


def values(field: Field) -> list[list[str]]:
    """Return everything that can be filled in; no field of free text is among them."""
    match field:
        case Pick(choices=choices, many=True):
            names = [choice.value for choice in choices]
            return [list(some) for size in range(len(names) + 1) for some in combinations(names, size)]
        case Pick(choices=choices):
            return [[choice.value] for choice in choices]
        case Count(low=low, high=high):
            return [[str(number)] for number in range(low, high + 1)]
    raise AssertionError(field)


def fillings(form: Form) -> list[dict[str, list[str]]]:
    """Return every way to fill in a form; none if they are too many, or can't be told because a line is free text."""
    fields = [field for group in form.groups for field in group.fields]
    if any(isinstance(field, TextField) for field in fields):
        return []
    spans = [values(field) for field in fields]
    if prod(map(len, spans)) > MOST_FILLINGS:
        return []
    return [dict(zip([field.name for field in fields], filling, strict=True)) for filling in product(*spans)]


def test_a_form_offers_exactly_the_legal_orders(game: str, rules: AnyRules) -> None:
    """Filled in in every way there is, a form gives all legal orders and nothing else that is taken for one."""
    kinds: dict[str, int] = {}
    unlike = exceptions_of(game)
    for position, seat, decision in decisions(game, 3):
        view = rules.view(position.state, seat)
        ways = fillings(rules.form(view))
        if not ways or f"test_a_form_offers_exactly_the_legal_orders[{decision.kind}]" in unlike:
            continue
        legal = list(islice(rules.legal(position.state, seat), MOST_LEGAL + 1))
        if len(legal) > MOST_LEGAL:
            continue
        found = set()
        for fields in ways:
            try:
                order = rules.read(position.state, seat, rules.order_text(view, fields))
            except REFUSALS:
                continue
            if not rules.check(position.state, seat, order):
                found.add(order)
        assert found == set(legal), (position.seed, position.ply, decision.kind)
        kinds[decision.kind] = kinds.get(decision.kind, 0) + 1

    assert sum(kinds.values()) > FEWEST, f"{game}: too few forms are small enough to be filled in in every way: {kinds}"


def test_an_empty_form_is_refused_in_words_or_harmless(game: str, rules: AnyRules) -> None:
    """Posting nothing raises InvalidOrder or gives text that can be read; it never fails otherwise."""
    for position, seat, _ in decisions(game):
        view = rules.view(position.state, seat)
        for fields in ({}, {"nonsense": ["1"]}):
            try:
                said = rules.order_text(view, fields)
            except InvalidOrder as error:
                said = str(error)
            assert said


def test_quick_answers_are_legal_and_few(game: str, rules: AnyRules) -> None:
    """One-tap answers are at most eight legal orders."""
    for position, seat, _ in decisions(game):
        quick = rules.form(rules.view(position.state, seat)).quick
        assert len(quick) <= 8
        for text in quick:
            order = rules.read(position.state, seat, text)
            assert rules.check(position.state, seat, order) == []


def _said(choice: Choice) -> object:
    """Return what a choice is called and brings; the things that a hole lists have no order."""
    holes = choice.label.params.items()
    things = {name: frozenset(map(str, value)) if isinstance(value, tuple) else str(value) for name, value in holes}
    return choice.label.text, frozenset(things.items()), str(choice.effect)


def test_forms_are_data_with_whole_sentences(game: str, rules: AnyRules) -> None:
    """A form goes to JSON and back, no two choices or fields are one, and every sentence in it fills its holes.

    What it asks stands open: wishes are kept folded beside something else only.
    """
    for position, seat, _ in decisions(game):
        form = rules.form(rules.view(position.state, seat))
        fields = [field for group in form.groups for field in group.fields]
        assert msgspec.json.decode(msgspec.json.encode(form), type=Form) == form
        assert not form.groups or not all(group.aside for group in form.groups), form
        assert len({field.name for field in fields}) == len(fields)
        sentences = [form.question, *form.notes, *(field.label for field in fields)]
        sentences += [group.title for group in form.groups]
        for field in fields:
            if isinstance(field, Pick):
                sentences += [choice.label for choice in field.choices]
                assert len({choice.value for choice in field.choices}) == len(field.choices)
                assert len({_said(choice) for choice in field.choices}) == len(field.choices)
        assert all(str(said) for said in sentences)
