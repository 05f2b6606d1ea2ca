"""The decision page put together: the question, the board, the form, the preview, and what an old link had asked."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

import msgspec
from flask import request, url_for

from pbem.engine.errors import EngineError
from pbem.engine.registry import rules_of
from pbem.engine.types import N_
from pbem.extensions import db
from pbem.play import orders
from pbem.web import asking, boards, pages, rulebook, tableside

if TYPE_CHECKING:
    from flask import Response

    from pbem.engine.forms import Form
    from pbem.engine.types import AnyRules, Said
    from pbem.play.situation import Situation

_MOST_EXAMPLES = 4


class Tried(msgspec.Struct):
    """What a post means: its order's text, and what the engine says to it."""

    text: str = ""
    canonical: str = ""
    says: tuple[Said, ...] = ()
    faults: tuple[Said, ...] = ()


def form_of(s: Situation) -> tuple[AnyRules, Form]:
    """The rules of the game and the form of the seat's decision."""
    rules = rules_of(s.game.game)
    return rules, rules.form(s.view)


def attempt(s: Situation) -> Tried:
    """Read what was posted and let the engine say what it would do; nothing is stored."""
    assert s.seat_id is not None  # a seat's own page
    rules, form = form_of(s)
    text = request.form.get("text", "")
    try:
        text = asking.order_text(rules, s.view, form, request.form)
    except EngineError as refusal:
        return Tried(text, faults=refusal.faults)
    meant = orders.preview(db.session(), s.seat_id, text)
    return Tried(text, meant.canonical, meant.says, meant.faults)


def letter_notice(s: Situation) -> dict[str, Any] | None:
    """What an older letter had asked, what was answered, and that things have moved on; None for a fresh one."""
    ply = request.args.get("letter", type=int)
    if ply is None or ply > s.game.ply:
        return None
    say = pages.voice()
    question, given = tableside.question_then(s, ply), tableside.given(s, ply)
    lines = [say(N_("It asked: {question}"), question=say(question))] if question else []
    lines.append(
        say(N_("You answered: {order}"), order=given.canonical)
        if given.canonical
        else say(N_("It was settled without an order of yours."))
    )
    lines.append(say(N_("The game has gone on by {count} position(s) since."), count=s.game.ply - ply + 1))
    url = url_for("history.ply", seat_id=s.seat_id, ply=ply)
    return {"title": say(N_("This link is from an older letter")), "lines": lines, "url": url}


def page(s: Situation, tried: Tried | None = None, *, status: int = 200, title: str = "") -> Response:
    """The decision page, with what was tried, if anything."""
    asked = s.asked
    assert asked is not None  # callers lead elsewhere when nothing is asked
    rules, form = form_of(s)
    posted = asking.filled(form, request.form) if tried is not None else None
    return pages.show(
        "pages/decide.html",
        status,
        s=s,
        asked=asked,
        form=form,
        board=boards.draw(s, pages.voice()),
        ticked=asking.preset(form, posted),
        none_allowed=asking.is_optional(form),
        nothing=bool(request.form.get(asking.NOTHING)),
        typed=request.form.get("text", asked.draft or ""),
        grammar=[row for row in rules.grammar if row.kind == asked.kind][:_MOST_EXAMPLES],
        request_id=secrets.token_hex(8),
        preview=tried if tried and not tried.faults else None,
        refused=tried.faults if tried else (),
        title=title,
        old=letter_notice(s),
        answer_says=tableside.given(s, asked.ply).says,
        topics=rulebook.topics(s.game.game, rules.topics(s.view)),
        **tableside.at_hand(s),
    )
