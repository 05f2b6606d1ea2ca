"""The editor of standing orders: written as text, read back in words, tried on the present position."""

from __future__ import annotations

from itertools import zip_longest

from flask import Blueprint, Response, request
from werkzeug.datastructures import MultiDict

from pbem.engine.core.types import AnyRules
from pbem.engine.registry import rules_for
from pbem.engine.text import condition_builder as builder
from pbem.engine.text.standing_text import LIFETIMES
from pbem.extensions import current, db
from pbem.play.orders import standing_orders
from pbem.play.orders.past_answers import past_answers
from pbem.play.views.seat_view import Situation
from pbem.web import pages
from pbem.web.fields import Fields
from pbem.web.seat import authorize

blueprint = Blueprint("standing", __name__)


def _page(
    s: Situation,
    text: str = "",
    tried: standing_orders.StandingOrdersView | None = None,
    built: standing_orders.StandingOrdersView | None = None,
) -> Response:
    """Return the editor with `text` in it, what came of trying it, and of a line that could not be put into it."""
    rules = rules_for(s.game)
    assert s.seat_id is not None  # a seat's own page
    form = request.form if request.form.get("act") != "add" or built else Fields()  # a line that was added is done
    return pages.show(
        "pages/standing.html",
        422 if any(found and found.faults for found in (tried, built)) else 200,
        s=s,
        rules=rules,
        text=text,
        tried=tried,
        built=built,
        form=form,
        tests=(*_tests(form), *[builder.FactTest("")] * builder.TESTS)[: builder.TESTS],
        builder=builder,
        lifetimes=LIFETIMES,
        kinds=tuple(dict.fromkeys(row.kind for row in rules.grammar)),
        values=builder.values_of(rules.facts(s.view), rules.meta.names or ()),
        past=past_answers(db.session(), s.seat_id, text) if tried is not None and not tried.faults else None,
        changed=request.values.get("id", type=int),
        listed=standing_orders.listed(db.session(), s.seat_id),
        facts=rules.facts(s.view),
        example=_example(rules),
    )


def _example(rules: AnyRules) -> str:
    """Return a line with a condition on the game's first order."""
    return f"when {list(rules.facts_help)[1]} = 1: {rules.grammar[0].example}"


@blueprint.get("/seat/<int:seat_id>/standing")
def edit(seat_id: int) -> Response:
    """Show the standing orders and the editor; with `?id=NUMBER` the text of that one in it, which it will replace.

    Where nothing will be asked any more, the game.
    """
    s, number = authorize.open_own_situation(seat_id), request.args.get("id", type=int)
    if s.game.state.is_over:
        return pages.go("play.game", seat_id=seat_id)
    held = (one.text for one in standing_orders.listed(db.session(), seat_id) if one.id == number)
    return _page(s, pages.translator().order(next(held, "")))


@blueprint.post("/seat/<int:seat_id>/standing")
def change(seat_id: int) -> Response:
    """Check, store or end a standing order, or put a line that was built into its text, by the button pressed."""
    s = authorize.open_own_situation(seat_id)
    done = pages.go("standing.edit", seat_id=seat_id)
    text, act = pages.typed("text"), request.form.get("act", "check")
    if act == "end":
        standing_orders.end(*current(), pages.number("id"), seat_id)
        return done
    if act == "store":
        stored = standing_orders.store(*current(), seat_id, text, instead=request.form.get("id", type=int))
        return _page(s, text, stored) if stored.faults else done
    if act == "add":
        built = standing_orders.trial(db.session(), seat_id, line := _built(s))
        if built.faults:
            return _page(s, text, built=built)
        text = builder.put(text, line, first=request.form.get("build-place") == "first")
    tried = standing_orders.trial(db.session(), seat_id, text)
    if pages.is_partial("trial"):
        return pages.show("parts/trial.html", tried=tried)
    return _page(s, text, tried)


def _built(s: Situation) -> str:
    """Return the line that the builder is filled in with."""
    kind, join, order, until = (request.form.get(f"build-{name}", "") for name in ("kind", "join", "order", "else"))
    facts = rules_for(s.game).facts_help
    tests = tuple(test for test in _tests(request.form) if test.fact)
    return builder.line(kind, tests[: builder.TESTS], join, order, facts, until)


def _tests(form: MultiDict[str, str]) -> tuple[builder.FactTest, ...]:
    """Return the tests filled in; a word goes before a number."""
    columns = (form.getlist(f"build-{name}") for name in ("fact", "comparison", "value", "number"))
    rows = zip_longest(*columns, fillvalue="")
    return tuple(builder.FactTest(fact, comparison, word.strip() or number) for fact, comparison, word, number in rows)
