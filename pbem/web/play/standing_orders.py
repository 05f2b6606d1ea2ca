"""The editor of standing orders: written as text, read back in words, tried on the present position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, request

from pbem import clock
from pbem.engine.registry import rules_of
from pbem.extensions import db
from pbem.play.orders import standing_orders
from pbem.play.orders.past_answers import past_answers
from pbem.web import pages
from pbem.web.seat import authorize

if TYPE_CHECKING:
    from flask import Response

    from pbem.engine.core.types import AnyRules
    from pbem.play.views.seat_view import Situation

blueprint = Blueprint("standing", __name__)


def _page(
    s: Situation, text: str = "", tried: standing_orders.StandingOrdersView | None = None, status: int = 200
) -> Response:
    rules = rules_of(s.game.game, s.game.rules_version)
    assert s.seat_id is not None  # a seat's own page
    return pages.show(
        "pages/standing.html",
        status,
        s=s,
        rules=rules,
        text=text,
        tried=tried,
        past=past_answers(db.session(), s.seat_id, text) if tried is not None and not tried.faults else None,
        listed=standing_orders.listed(db.session(), s.seat_id),
        facts=rules.facts(s.view),
        example=_example(rules),
    )


def _example(rules: AnyRules) -> str:
    """A line with a condition on the game's first order."""
    return f"when {list(rules.facts_help)[1]} = 1: {rules.grammar[0].example}"


@blueprint.get("/seat/<int:seat_id>/standing")
def edit(seat_id: int) -> Response:
    """Show the standing orders and the editor."""
    authorize.own(seat_id)
    return _page(authorize.sit(seat_id))


@blueprint.post("/seat/<int:seat_id>/standing")
def change(seat_id: int) -> Response:
    """Check, store or end a standing order, by the button pressed."""
    authorize.own(seat_id)
    s = authorize.sit(seat_id)
    text, act = request.form.get("text", ""), request.form.get("act", "check")
    if act == "end":
        standing_orders.end(db.session(), clock.now(), request.form.get("id", default=-1, type=int), seat_id)
        return _done(s)
    if act == "store":
        stored = standing_orders.store(db.session(), clock.now(), seat_id, text)
        return _page(s, text, stored, 422) if stored.faults else _done(s)
    tried = standing_orders.trial(db.session(), clock.now(), seat_id, text)
    if pages.is_partial("trial"):
        return pages.show("parts/trial.html", tried=tried)
    return _page(s, text, tried, 422 if tried.faults else 200)


def _done(s: Situation) -> Response:
    db.session.commit()
    return pages.go("standing.edit", seat_id=s.seat_id)
