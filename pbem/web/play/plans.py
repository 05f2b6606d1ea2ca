"""Plans by tapping: what will be answered ahead, on a page of its own and beside every decision."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, g, request

from pbem import clock
from pbem.capabilities.links import OpenedSeat
from pbem.extensions import db
from pbem.play.orders import plans, standing_orders
from pbem.play.orders.past_answers import past_answers
from pbem.play.orders.standing_orders import StandingOrdersView
from pbem.play.views.seat_view import Situation
from pbem.web import pages
from pbem.web.play import boards
from pbem.web.seat import authorize

blueprint = Blueprint("plans", __name__)

RANKS = 6
"""Places of a ranking on the page; with scripts they are filled by tapping."""


@blueprint.get("/seat/<int:seat_id>/plan")
def show(seat_id: int) -> Response:
    """Show everything that can be planned now, and what is in force; the game where nothing will be asked any more."""
    s = authorize.open_own_situation(seat_id)
    return pages.go("play.game", seat_id=seat_id) if s.game.state.is_over else _page(s)


@blueprint.post("/seat/<int:seat_id>/plan")
def change(seat_id: int) -> Response:
    """Put a plan in force, or end one, by the button pressed."""
    authorize.authorize_own_seat(seat_id)
    now, session = clock.now(), db.session()
    if request.form.get("act") == "end":
        standing_orders.end(session, now, pages.number("id"), seat_id)
        return _back(seat_id)
    part = pages.typed("part")
    if request.form.get("act") == "try":
        s = authorize.open_own_situation(seat_id)
        return _page(s, part, plans.tried(session, s, part, _fields(part)))
    stored = plans.store(session, now, seat_id, part, _fields(part))
    return _page(authorize.open_own_situation(seat_id), part, stored) if stored.faults else _back(seat_id)


def _fields(part: str) -> dict[str, list[str]]:
    """Return what was filled in for one part, by field; the places of a ranking in their order."""
    fore = f"plan-{part}-"
    return {name.removeprefix(fore): request.form.getlist(name) for name in request.form if name.startswith(fore)}


def _back(seat_id: int) -> Response:
    """To where the plan was made: the decision that is still open, or the page of plans."""
    return pages.go("play.decide" if request.form.get("back") == "decide" else "plans.show", seat_id=seat_id)


def beside(s: Situation) -> dict[str, Any]:
    """Return what the page of a decision or a game needs to show plans; nothing to one who only sits in."""
    opened: OpenedSeat = g.opened
    if s.game.state.is_over or opened.sitting is not None:
        return {"planned": ()}
    standing = standing_orders.listed(db.session(), opened.seat_id) if opened.ahead else ()
    return {"planned": plans.offered(s, standing)}


def _page(s: Situation, part: str = "", tried: StandingOrdersView | None = None) -> Response:
    assert s.seat_id is not None  # a seat's own page
    planned = plans.offered(s, standing_orders.listed(db.session(), s.seat_id))
    faults = tried.faults if tried else ()
    return pages.show(
        "pages/plan.html",
        422 if faults else 200,
        s=s,
        board=boards.draw_marked(s, pages.translator(), plans.marked(planned)),
        planned=planned,
        typed=_fields(part) if part else {},
        tried_part=part,
        tried=tried,
        past=past_answers(db.session(), s.seat_id, tried.text) if tried and not faults else None,
        ranks=RANKS,
        back=request.values.get("back", "plan"),
    )
