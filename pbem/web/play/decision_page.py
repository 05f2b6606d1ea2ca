"""The decision page put together: the question, the board, the form, the preview, and what an old link had asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from flask import request

from pbem.engine.core.errors import EngineError
from pbem.engine.preview import Preview
from pbem.engine.registry import rules_for
from pbem.engine.text.notation import of_kind
from pbem.extensions import db
from pbem.play.orders import lookahead, submission
from pbem.web import pages
from pbem.web.play import boards, decision_form, plans, sidebar
from pbem.web.public import rulebook

if TYPE_CHECKING:
    from flask import Response

    from pbem.engine.core.forms import Form
    from pbem.engine.core.message import Message
    from pbem.engine.core.types import AnyRules
    from pbem.play.orders.interpretation import Interpretation
    from pbem.play.views.seat_view import Situation

_MOST_EXAMPLES = 4


class OrderAttempt(msgspec.Struct):
    """An order as it was posted: its text, and its preview or refusal by the engine."""

    text: str = ""
    canonical: str = ""
    """The order with all that follow it."""
    says: tuple[Message, ...] = ()
    later: tuple[Message, ...] = ()
    """What the orders after it will do."""
    faults: tuple[Message, ...] = ()
    brings: Preview = Preview()
    """What the order brings the seat itself."""
    further: tuple[FollowingDecision, ...] = ()
    """Decisions that are sure to follow, to be answered on the same page."""


class FollowingDecision(msgspec.Struct):
    """A decision that follows at once, with the choices posted for it."""

    number: int
    """2 for the one after the present decision, and so on."""
    form: Form
    ticked: dict[str, set[str]]
    none: bool
    none_allowed: bool
    """Whether there is a tick for choosing nothing."""
    alone: bool
    """Whether nobody else acts until then."""

    @property
    def pre(self) -> str:
        """The prefix of its fields' names in the form."""
        return decision_form.prefix(self.number)

    @property
    def nothing(self) -> str:
        """The name of its checkbox for choosing nothing."""
        return decision_form.nothing(self.number)


def attempt(s: Situation) -> OrderAttempt:
    """Read what was posted and let the engine say what it would do; nothing is stored."""
    assert s.seat_id is not None  # a seat's own page
    assert s.asked is not None  # callers lead elsewhere when nothing is asked
    rules, form = rules_for(s.game), s.asked.form
    text = pages.typed("text")
    try:
        text = decision_form.order_text(rules, s.view, form, request.form)
    except EngineError as refusal:
        return OrderAttempt(text, faults=refusal.faults)
    return _led_on(s, rules, form, text, ())


def _led_on(
    s: Situation, rules: AnyRules, before: Form, text: str, further: tuple[FollowingDecision, ...]
) -> OrderAttempt:
    """Take in the answers to the decisions that follow `text` at once, as far as they were posted."""
    assert s.seat_id is not None  # a seat's own page
    meant = submission.preview(db.session(), s.seat_id, text)
    number = len(meant.then) + 2
    if meant.next is None or number > lookahead.DEEPEST:
        return _tried(text, meant, further)
    form, post = meant.next.form, request.form
    if decision_form.covers(before, form):
        return _tried(text, meant, further)
    chosen = post.get(f"kind-{number}") == form.kind and decision_form.is_chosen(form, post, number)
    fields = decision_form.filled(form, post, number) if chosen else None
    ticked, none = decision_form.preset(form, fields), chosen and bool(post.get(decision_form.nothing(number)))
    optional = decision_form.is_optional(rules, meant.next.view, form)
    further += (FollowingDecision(number, form, ticked, none, optional, meant.next.alone),)
    if not chosen:
        return _tried(text, meant, further)
    try:
        order = decision_form.written(rules, meant.next.view, form, fields or {})
    except EngineError as refusal:
        return OrderAttempt(text, faults=refusal.faults, further=further)
    return _led_on(s, rules, form, f"{meant.chain}; then {order}", further)


def _tried(text: str, meant: Interpretation, further: tuple[FollowingDecision, ...]) -> OrderAttempt:
    told = meant.chain if meant.then else text
    return OrderAttempt(told, meant.chain, meant.says, meant.later, meant.faults, meant.brings, further)


def letter_notice(s: Situation) -> dict[str, Any] | None:
    """Return for which ply an older letter was, what it had asked and what was answered; None for a fresh one."""
    ply = request.args.get("letter", type=int) if request.query_string else None  # to look for it takes 1 % of a page
    if ply is None or ply > s.game.ply:
        return None
    return {"ply": ply, "question": sidebar.question_then(s, ply), "order": sidebar.given(s, ply).canonical}


def _board(s: Situation, tried: OrderAttempt | None) -> boards.BoardView:
    """Return the board as it stands, or as what was tried would leave it."""
    if tried is None or tried.faults or tried.brings.after is None:
        return boards.draw(s, pages.translator(), s.since)
    return boards.draw_next(s, pages.translator(), tried.brings.after, s.since)


def page(s: Situation, tried: OrderAttempt | None = None, *, status: int = 200, title: str = "") -> Response:
    """Render the decision page with the preview of what was posted, else of the draft."""
    asked = s.asked
    assert asked is not None  # callers lead elsewhere when nothing is asked
    rules, form = rules_for(s.game), asked.form
    sent = request.form if request.method == "POST" else {}
    posted = decision_form.filled(form, request.form) if tried is not None else None
    if tried is None and asked.draft and not asked.answer:
        tried = _led_on(s, rules, form, asked.draft, ())
    shown = {
        "s": s,
        "asked": asked,
        "board": _board(s, tried),
        "ticked": decision_form.preset(form, posted),
        "none_allowed": decision_form.is_optional(rules, s.view, form),
        "nothing": bool(sent.get(decision_form.NOTHING)),
        "typed": sent.get("text", pages.translator().order(asked.draft)),
        "grammar": of_kind(rules.grammar, asked.kind)[:_MOST_EXAMPLES],
        "preview": tried if tried and not tried.faults else None,
        "refused": tried.faults if tried else (),
        "further": tried.further if tried else (),
        "title": title,
        "old": letter_notice(s),
        "answer_says": sidebar.says(s, asked.answer),
        "topics": rulebook.topics(s.game.game, asked.topics, pages.translator().language),
        **sidebar.at_hand(s),
        **plans.beside(s),
    }
    return pages.show("pages/decide.html", status, **shown)
