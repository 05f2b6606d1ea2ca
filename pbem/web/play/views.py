"""A player's doors to a game: the game's page, its decision, the order sent."""

from __future__ import annotations

from flask import Blueprint, Response, make_response, redirect, request, url_for

from pbem import clock
from pbem.engine.core.message import N_, sentence
from pbem.engine.registry import rules_for
from pbem.extensions import current, db
from pbem.play.admin import action_log
from pbem.play.deadlines.waiting_reasons import STILL
from pbem.play.orders import submission
from pbem.play.views import decision_queue
from pbem.play.views.seat_view import Situation
from pbem.store.models import GameState
from pbem.web import errors, pages
from pbem.web.fields import whole
from pbem.web.play import boards, decision_page, plans, sidebar
from pbem.web.public import rulebook
from pbem.web.seat import authorize

blueprint = Blueprint("play", __name__)
_WENT_ON = N_("The game went on while this page was open, so your order wasn't taken. See what it asks today.")
_PLAYED = N_("The game went on while this page was open, so your order can't be taken back any more.")
_MOVED_ON = N_("The game has moved on since this page was opened.")
_ANSWERED = N_(
    "This question was answered elsewhere since this page was opened. What you send here replaces that answer."
)
_TAKEN_BACK = N_("Your order was taken back elsewhere since this page was opened.")
_PATIENCE = 5
"""Times that a confirmation looks by itself whether the last order was played; that takes a second as a rule."""


@blueprint.get("/seat/<int:seat_id>")
def game(seat_id: int) -> Response:
    """Show the game as this seat sees it now; with `?things` lead to what the cards and spaces on its board do."""
    s = authorize.open_situation(seat_id)
    rules, board = rules_for(s.game), boards.draw(s, pages.translator(), s.since)
    if "things" in request.args:
        return make_response(redirect(pages.glossary_url(board.things)))
    return pages.show(
        "pages/game.html",
        s=s,
        board=board,
        old=decision_page.letter_notice(s),
        topics=rulebook.topics(s.game.game, rules.topics(s.view), pages.translator().language),
        by_hand=action_log.entries(db.session(), s.game.id),
        **sidebar.at_hand(s),
        **plans.beside(s),
    )


@blueprint.get("/seat/<int:seat_id>/now")
def now(seat_id: int) -> Response:
    """Tell an open page what has become of what it shows, `?state=&ply=&answered=`; empty as long as nothing has."""
    state, ply, answered_at = decision_queue.progress_of(db.session(), authorize.authorize_seat(seat_id).seat_id)
    if state != request.args.get("state"):
        said = STILL.get(state, _MOVED_ON)
    elif ply != request.args.get("ply", type=int):
        said = _MOVED_ON
    elif (answered_at.timestamp() if answered_at else 0) != request.args.get("answered", type=float):
        said = _ANSWERED if answered_at else _TAKEN_BACK
    else:
        return Response("")
    return pages.show("parts/since.html", seat_id=seat_id, said=said)


@blueprint.get("/seat/<int:seat_id>/decide")
def decide(seat_id: int) -> Response:
    """Show what the seat is asked; where nothing is asked or nothing can be answered, the game."""
    s = authorize.open_situation(seat_id)
    if s.asked is None or s.game.state != GameState.RUNNING:
        return pages.go("play.game", seat_id=seat_id, letter=request.args.get("letter"))
    return decision_page.page(s)


@blueprint.post("/seat/<int:seat_id>/decide")
def answer(seat_id: int) -> Response:
    """Preview, send or take back an order. What acts is a button's name, never a form as it was loaded."""
    act = request.form.get("act", "preview")
    if act in ("send", "draft"):
        return _send(seat_id)
    return _withdraw(seat_id) if act == "withdraw" else _preview(seat_id)


def _ply() -> int:
    """Return for which ply the form was shown; -1 where it doesn't say so."""
    return request.form.get("ply", default=-1, type=whole)


def _is_asked(s: Situation) -> bool:
    """Return whether the seat is still asked what the form answers, in a game that goes on."""
    if s.asked is None or s.game.state != GameState.RUNNING:
        return False
    shown = _ply()
    return shown == s.asked.ply or (
        s.seat is not None
        and submission.question_now(db.session(), s.game.id, s.seat, shown, s.asked.ply) == s.asked.ply
    )


def _preview(seat_id: int) -> Response:
    s = authorize.open_situation(seat_id)
    if not _is_asked(s):
        return _stale(s)
    tried = decision_page.attempt(s)
    if pages.is_partial("preview"):
        shown = None if tried.faults else tried
        after = None if tried.faults else tried.brings.after
        drawn = None if after is None else boards.draw_next(s, pages.translator(), after, s.since)
        return pages.show(
            "parts/tried.html", s=s, preview=shown, refused=tried.faults, further=tried.further, next=drawn
        )
    return decision_page.page(s, tried, status=422 if tried.faults else 200)


def _send(seat_id: int) -> Response:
    s = authorize.open_situation(seat_id)
    seen = pages.typed("seen").replace("\r\n", "\n")  # browsers send line ends so
    if not _is_asked(s):
        return _settled(s, seen or pages.typed("text"))
    tried = decision_page.attempt(s)
    if tried.faults or tried.canonical != seen:
        now = authorize.open_situation(seat_id)
        if not _is_asked(now):  # while we read it, the other of two clicks was the last answer
            return _settled(now, seen or pages.typed("text"))
        return decision_page.page(s, tried, status=422 if tried.faults else 200)
    sent = _submission(seat_id, tried.text)
    receipt = submission.submit(*current(), sent)
    if not receipt.accepted:
        return _refused(seat_id, decision_page.OrderAttempt(tried.text, faults=receipt.faults))
    if sent.draft or s.asked is None:
        return pages.go("play.decide", seat_id=seat_id)
    return pages.go("play.sent", seat_id=seat_id, ply=s.asked.ply)


def _submission(seat_id: int, text: str) -> submission.Submission:
    """Return the order as the form sends it, in the sitter's name if it is one who sits here."""
    sitter = authorize.authorize_seat(seat_id).sitting
    return submission.Submission(
        seat_id=seat_id,
        ply=_ply(),
        text=text,
        request=pages.typed("request")[:64],
        source="web" if sitter is None else "sitter",
        player_id=sitter,
        draft=request.form.get("act") == "draft",
    )


def _settled(s: Situation, text: str) -> Response:
    """The ply is resolved: a second click on a form that was taken is told so, any other order that it is too late."""
    assert s.seat_id is not None  # a seat's own page
    receipt = submission.submit(*current(), _submission(s.seat_id, text))
    if receipt.accepted:
        return pages.go("play.sent", seat_id=s.seat_id, ply=_ply())
    return _stale(s)


def _withdraw(seat_id: int) -> Response:
    authorize.authorize_seat(seat_id)
    receipt = submission.withdraw(
        db.session(),
        clock.now(),
        submission.Submission(seat_id=seat_id, ply=_ply()),
    )
    if not receipt.accepted:
        return _stale(authorize.open_situation(seat_id))
    return pages.go("play.decide", seat_id=seat_id)


def _refused(seat_id: int, tried: decision_page.OrderAttempt) -> Response:
    """Show the page of today with the refusal and the player's text."""
    s = authorize.open_situation(seat_id)
    if not _is_asked(s):
        return _stale(s)
    return decision_page.page(s, tried, status=409, title=pages.translator().say("Your order wasn't taken"))


def _stale(s: Situation) -> Response:
    """Say what became of the question the page was of, with the text kept and the way to what is asked today."""
    assert s.waiting is not None  # a look at the present
    said, title = sentence(_WENT_ON), ""
    if request.form.get("act") == "withdraw":
        said = sentence(_PLAYED)
    if s.game.state != GameState.RUNNING:
        said, title = s.waiting.said, "" if s.game.state.is_over else errors.PAGES[403][0]
    return errors.problem(409, said, title=title, way=url_for("play.decide", seat_id=s.seat_id))


@blueprint.get("/seat/<int:seat_id>/sent/<int:ply>")
def sent(seat_id: int, ply: int) -> Response:
    """Confirm the order just sent, tell what it did as soon as it is played, and lead on to the next decision."""
    s = authorize.open_situation(seat_id)
    return pages.show(
        "pages/sent.html",
        s=s,
        given=sidebar.given(s, ply),
        played=s.game.ply >= ply,
        again=_again(s, ply),
        unringed=boards.RingLegend(numbers=(0,) * len(s.since)),
        **sidebar.at_hand(s),
    )


def _again(s: Situation, ply: int) -> str:
    """Where the page looks whether the game went on; empty if it did, waits for others, or was looked for in vain."""
    looked = request.args.get("looked", default=0, type=int)
    if (s.waiting and s.waiting.who) or s.game.ply >= ply or looked >= _PATIENCE:
        return ""
    return url_for("play.sent", seat_id=s.seat_id, ply=ply, looked=looked + 1)
