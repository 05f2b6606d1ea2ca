"""Playing on privately from a position: all seats by hand, a bot's guess beside each, nothing stored but notes.

The position is imagined from what the reader may see there, so whatever is tried shows nothing more than that.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from flask import Blueprint, abort, g, redirect, request, url_for

from pbem.bots.players import bot_of
from pbem.engine.core.errors import EngineError
from pbem.engine.core.message import Message
from pbem.engine.core.plans import ROUND
from pbem.engine.core.rng import Rng
from pbem.engine.registry import rules_for
from pbem.errors import WrongInput
from pbem.extensions import current, db
from pbem.play.seats import notes
from pbem.play.views.positions import disclosed
from pbem.structs import Value
from pbem.study import sandbox
from pbem.web import pages
from pbem.web.guards import limiter
from pbem.web.play import boards, decision_form
from pbem.web.public import results
from pbem.web.seat import authorize

if TYPE_CHECKING:
    from flask import Response
    from werkzeug.wrappers import Response as AnyResponse

    from pbem.play.views.seat_view import Situation
    from pbem.study.sandbox import Sandbox, SandboxPosition

blueprint = Blueprint("analysis", __name__)
_LONGEST_ADDRESS = 400
"""Characters of an address that is kept beside its line."""
_KEPT_LINE = r"(?m)^(/seat/{seat}/ply/(\d{{1,6}})/analysis/[\w-]+)$"


class Branch(Value):
    """A line of play that somebody looks at: where it begins, the orders, and the addresses round it."""

    situation: Any
    line: tuple[str, ...]
    endpoint: str
    values: dict[str, Any]
    seat_id: int | None = None

    def url(self, count: int | None = None, *more: str) -> str:
        """Return the address of the line's first `count` orders, and `more`."""
        code = sandbox.pack((*self.line[:count], *more))
        return url_for(self.endpoint, **self.values, code=code or None)


def root_of(s: Situation) -> Sandbox:
    """Return where analysis begins: a position that agrees with what `s` shows, the same at each look."""
    rules = rules_for(s.game)
    return sandbox.imagined(rules, s.view, len(s.players), f"analysis/{s.game.slug}/{s.seat}", s.ply)


@blueprint.route("/seat/<int:seat_id>/ply/<int:ply>/analysis", methods=["GET", "POST"])
@blueprint.route("/seat/<int:seat_id>/ply/<int:ply>/analysis/<code>", methods=["GET", "POST"])
@limiter.limit("600 per hour")
def of_seat(seat_id: int, ply: int, code: str = "") -> AnyResponse:
    """Play on from what one's own seat may see, in a running game or a finished one."""
    s = authorize.open_situation(seat_id, ply)
    values = {"seat_id": seat_id, "ply": ply}
    return _answer(Branch(s, _line(code), "analysis.of_seat", values, seat_id))


@blueprint.route("/games/<slug>/ply/<int:ply>/analysis", methods=["GET", "POST"])
@blueprint.route("/games/<slug>/ply/<int:ply>/analysis/<code>", methods=["GET", "POST"])
@limiter.limit("600 per hour")
def of_finished(slug: str, ply: int, code: str = "") -> AnyResponse:
    """Play on from any position of a game that is over, as its spectators see it."""
    return _answer(Branch(results.over(slug, ply), _line(code), "analysis.of_finished", {"slug": slug, "ply": ply}))


def _line(code: str) -> tuple[str, ...]:
    try:
        return sandbox.unpack(code)
    except EngineError:
        abort(404)


def _answer(branch: Branch) -> AnyResponse:
    """Return the branch's page; or, posted, the order played or the line kept."""
    root = root_of(branch.situation)
    try:
        at = sandbox.play(root, branch.line)
    except EngineError:
        abort(404)
    if request.method == "GET":
        return _page(branch, root, at)
    if request.form.get("act") == "note":
        return _note(branch, root, at)
    try:
        return redirect(branch.url(None, _order(root, at)), 303)
    except EngineError as fault:
        return _page(branch, root, at, fault.faults, 422)


def _order(root: Sandbox, at: SandboxPosition) -> str:
    """Return the order that was posted, in its canonical form. Raises as `sandbox.play` does."""
    guessed = request.form.get("guess")
    view = root.rules.view(at.state, at.seat)
    text = guessed or decision_form.order_text(root.rules, view, root.rules.form(view), request.form)
    return str(sandbox.read(root, at, text))


def _note(branch: Branch, root: Sandbox, at: SandboxPosition) -> Response:
    """Put the line and its address into the seat's own notes, below what stands there."""
    seat_id = authorize.authorize_own_seat(branch.seat_id or 0).seat_id  # a branch of no seat is nobody's
    say = pages.translator()
    heading = say("From position {n}: {orders}", n=branch.situation.ply, orders="; ".join(branch.line))
    address = branch.url()
    kept = f"{heading}\n{address}" if len(address) <= _LONGEST_ADDRESS else heading
    try:
        notes.add(*current(), seat_id, kept)
    except WrongInput as full:
        return _page(branch, root, at, full.faults, 422)
    return pages.go(branch.endpoint, **branch.values, code=sandbox.pack(branch.line) or None, kept=1)


def _kept_lines(branch: Branch) -> list[tuple[str, int]]:
    """Return the lines kept in the seat's own notes: their addresses, and from which position each begins."""
    if branch.seat_id is None or g.opened.sitting is not None:
        return []
    found = re.findall(_KEPT_LINE.format(seat=branch.seat_id), notes.note_of(db.session(), branch.seat_id))
    return [(address, int(ply)) for address, ply in dict.fromkeys(found)]


def _plan(branch: Branch, root: Sandbox) -> str:
    """Return the own orders of the line as a standing order; empty where they can't be given ahead."""
    s = branch.situation
    if branch.seat_id is None or g.opened.sitting is not None or not s.game.state.is_underway or s.ply != s.game.ply:
        return ""
    own = sandbox.orders_of(root, branch.line, s.seat)
    return f"{ROUND}\n" + "; then ".join(own) if own else ""


def _page(
    branch: Branch, root: Sandbox, at: SandboxPosition, faults: tuple[Message, ...] = (), status: int = 200
) -> Response:
    rules, s = root.rules, branch.situation
    view = rules.view(at.state, s.seat if at.seat is None else at.seat)
    form = None if at.seat is None else rules.form(view)
    return pages.show(
        "pages/analysis.html",
        status=status,
        s=s,
        branch=branch,
        asked=at.seat,
        outcome=at.outcome,
        heading=rules.heading(view),
        question=None if at.seat is None else rules.question(view),
        kept_lines=_kept_lines(branch),
        plan=_plan(branch, root),
        guess=None if at.seat is None else _guess(root, at, view),
        form=form,
        ticked={} if form is None else decision_form.preset(form),
        board=boards.draw_view(rules, view, pages.translator(), at.events),
        told=[boards.ListedEvent(disclosed(event, s.seat)) for event in at.events],
        typed=pages.typed("text"),
        faults=faults,
    )


def _guess(root: Sandbox, at: SandboxPosition, view: Any) -> tuple[str, Message]:
    """Return what a bot would order here, as text and in words."""
    chance = Rng(f"{root.seed}/guess", at.ply)
    order = bot_of(root.rules.meta.name, sandbox.BOT).choose(root.rules, view, chance)
    return str(order), root.rules.describe(view, order)
