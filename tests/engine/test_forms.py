"""Whatever was ordered in a recorded game, the form of that decision can say."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from pbem.engine import replay
from pbem.engine.core import records
from pbem.engine.core.errors import EngineError, InvalidOrder
from pbem.engine.core.forms import Pick
from pbem.engine.core.message import Message
from pbem.engine.registry import GAMES, rules_of
from pbem.web.play.decision_form import fields_of, preset
from tests.engine.test_records import RECORDS
from tests.factories import first_asked
from tests.order_fields import filled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.engine.core.forms import Form
    from pbem.engine.core.types import AnyRules

EVERY = 8
"""The first order of each kind in a record is looked for, and then one in so many."""


def ordered(game: str) -> Iterator[tuple[AnyRules, Any, int, str]]:
    """Orders of the records with the state before them."""
    rules = rules_of(game)
    for path in (path for path in RECORDS if path.parent.parent.name == game):
        record = records.parse(path.read_text("utf-8"))
        state: Any = None
        met: dict[str, int] = {}
        for ply, played in zip(record.plies, replay.play(record), strict=True):
            asked = rules.asked(state) if ply.orders else {}
            for seat, order in ply.orders.items():
                if seat in asked and not asked[seat].sealed:
                    met[asked[seat].kind] = met.get(asked[seat].kind, -1) + 1
                    if met[asked[seat].kind] % EVERY == 0:
                        yield rules, state, seat, order
            state = rules.copy(played.state)


def is_said(rules: AnyRules, state: Any, seat: int, order: str) -> bool:
    """Whether fields mean the order, or mean it with the bonus cards named that stand kept (AR-9.5)."""
    kept = preset(rules.form(rules.view(state, seat))).get("keep", set())
    texts = [order]
    if kept and "keep" not in order:
        names = f"keep {', '.join(sorted(kept))}"
        texts.append(names if order == "nothing" else f"{order}, {names}")
    return any(filled(rules, state, seat, text) is not None for text in texts)


@pytest.mark.parametrize("game", GAMES)
def test_a_form_can_say_what_was_ordered(game: str) -> None:
    """An order that is legal and that no filling of the form means would be out of reach for who taps."""
    said = {order: is_said(rules, state, seat, order) for rules, state, seat, order in ordered(game)}

    assert len({order.partition(" ")[0] for order in said}) > 1
    assert [order for order, is_one in said.items() if not is_one] == []


def untouched(rules: AnyRules, state: Any, seat: int) -> tuple[Form, tuple[Message, ...]]:
    """A form, and what is said to who fills in nothing of it; nothing where that is a whole answer."""
    view = rules.view(state, seat)
    try:
        rules.order_text(view, {})
    except InvalidOrder as refusal:
        return rules.form(view), refusal.faults
    return rules.form(view), ()


@pytest.mark.parametrize("game", GAMES)
def test_what_an_untouched_form_is_told_speaks_only_of_what_it_has(game: str) -> None:
    """No refusal asks for a tick where there is none, nor names one by what nothing in the form is called."""
    told = set()
    ticks = set()
    for rules, state, seat, _ in ordered(game):
        form, faults = untouched(rules, state, seat)
        assert all(group.fields for group in form.groups), form  # nor stands a title over nothing
        boxes = [field for field in fields_of(form) if isinstance(field, Pick) and field.many]
        labels = {str(box.label) for box in boxes}
        for fault in faults:
            told.add((form.kind, fault.text))
            named = [value for value in fault.params.values() if isinstance(value, Message)]
            ticks |= {str(value) for value in named}
            assert {str(value) for value in named} <= labels, (form.kind, str(fault))
            assert bool(named) == (" tick " in fault.text), (form.kind, str(fault))

    assert len({kind for kind, _ in told}) >= 2
    if game == "amunre":  # the harvest has a tick for nothing only where nothing is to be placed
        assert len({text for kind, text in told if kind == "harvest"}) == 2
        assert {"Buy nothing", "Play no harvest card"} <= ticks


@pytest.mark.parametrize("game", GAMES)
def test_what_a_choice_says_by_itself_is_the_order_that_is_shown(game: str) -> None:
    """One of the one-tap answers, letter by letter: nothing stood under `take 1 card`, said as "take 1 cards"."""
    rules, seen = rules_of(game), 0
    for state in first_asked(game, 3).values():
        view = rules.view(state, 0)
        form = rules.form(view)
        picks = [field for group in form.groups for field in group.fields if isinstance(field, Pick) and not field.many]
        for name, choice in [(pick.name, choice) for pick in picks for choice in pick.choices]:
            with suppress(EngineError):  # it needs another choice beside it
                text = rules.order_text(view, {name: [choice.value]})
                shown = form.quick and not rules.sealed(state) and not rules.check(state, 0, rules.read(state, 0, text))
                assert not shown or text in form.quick
                seen += bool(shown)
    assert seen
