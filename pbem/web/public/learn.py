"""First games for everybody: a lesson is played on pages alone, its line of play in the address, nothing stored."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

from flask import Blueprint, abort, redirect, request, url_for

from pbem.capabilities import links
from pbem.capabilities.tokens import tokens
from pbem.clubs.members import founding
from pbem.engine.core.errors import EngineError
from pbem.engine.core.types import places_of
from pbem.engine.text.notation import of_kind
from pbem.errors import WrongInput
from pbem.extensions import current, db
from pbem.play import lesson_letters
from pbem.play.views import headings
from pbem.store.models import Player
from pbem.study import lessons, sandbox
from pbem.study.lessons import LESSONS, PUPIL
from pbem.web import pages
from pbem.web.account import browser_keys
from pbem.web.guards import limiter
from pbem.web.play import boards, decision_form
from pbem.web.public import rulebook

if TYPE_CHECKING:
    from flask import Response
    from werkzeug.wrappers import Response as AnyResponse

    from pbem.engine.core.message import Message
    from pbem.study.lessons import Lesson, LessonStep

blueprint = Blueprint("learn", __name__, url_prefix="/learn")


@blueprint.get("/")
def index() -> Response:
    """Show which games can be learnt by playing."""
    return pages.show("pages/learn.html", lessons=LESSONS.values())


@blueprint.post("/letters")
@limiter.limit("5 per hour; 20 per day")
def ask() -> AnyResponse:
    """Send a first game by letter: to the person this browser speaks for, or after a yes to the address given.

    The answer is the same for every address.
    """
    game, address = pages.typed("game"), pages.typed("address").strip()
    if game not in LESSONS:
        return pages.go("learn.index")
    session, now = current()
    persons = browser_keys.held("players")
    if persons and not address:
        number, epoch = next(iter(persons.items()))
        mine = links.enter_player(session, number, epoch)
        lesson_letters.begin(session, now, session.get_one(Player, mine.player_id), game)
    else:
        try:
            person = founding.person_at(session, now, address, language=pages.translator().language)
        except WrongInput as refusal:
            return pages.show("pages/lesson_letters.html", 422, game=game, address=address, faults=refusal.faults)
        lesson_letters.offer(session, now, person, game)
    return pages.show("pages/lesson_letters.html", game=game, sent=bool(persons) and not address, offered=bool(address))


@blueprint.get("/letters/<token>")
def confirm(token: str) -> Response:
    """Show what saying yes to a first game by letter means."""
    person, game = links.open_lesson(db.session(), tokens(), token)
    pages.speak(person.language, person.zone)
    return pages.show("pages/lesson_letters.html", game=_lesson(game).game, token=token)


@blueprint.post("/letters/<token>")
def begin(token: str) -> AnyResponse:
    """Say yes: the first letter leaves. Said again within the hour, or sent without the button, it changes nothing."""
    person, game = links.open_lesson(db.session(), tokens(), token)
    pages.speak(person.language, person.zone)
    if request.form.get("answer") != "yes":
        return confirm(token)
    player = db.session().get_one(Player, person.player_id)
    lesson_letters.begin(*current(), player, _lesson(game).game)
    return pages.show("pages/lesson_letters.html", game=game, sent=True)


@blueprint.get("/<game>")
@blueprint.get("/<game>/<code>")
@limiter.limit("600 per hour")
def show(game: str, code: str = "") -> Response:
    """Show the lesson where the line of play in the address has come to."""
    lesson = _lesson(game)
    return _page(lesson, _step(lesson, code), code)


@blueprint.post("/<game>")
@blueprint.post("/<game>/<code>")
@limiter.limit("600 per hour")
def order(game: str, code: str = "") -> AnyResponse:
    """Play the choice that was made and lead on; what can't be played is said beside the same choices."""
    lesson = _lesson(game)
    step = _step(lesson, code)
    if step.is_last:
        return redirect(url_for("learn.show", game=game, code=code), 303)
    root = lessons.sandbox_of(lesson)
    view = root.rules.view(step.at.state, PUPIL)
    try:
        text = request.form.get("suggested") or decision_form.order_text(
            root.rules, view, root.rules.form(view), request.form
        )
        played = str(sandbox.read(root, step.at, text))
    except EngineError as fault:
        return _page(lesson, step, code, fault.faults, status=422)
    line = (*sandbox.unpack(code), played)
    return redirect(url_for("learn.show", game=game, code=sandbox.pack(line)), 303)


def _lesson(game: str) -> Lesson:
    if game not in LESSONS:
        abort(404)
    return LESSONS[game]


def _step(lesson: Lesson, code: str) -> LessonStep:
    """Return where the address's line has come to; an address that nobody was led to is not found."""
    try:
        return lessons.step(lesson, sandbox.unpack(code))
    except EngineError:
        abort(404)


def _page(lesson: Lesson, step: LessonStep, code: str, faults: tuple[Message, ...] = (), status: int = 200) -> Response:
    root = lessons.sandbox_of(lesson)
    rules, at = root.rules, step.at
    view = rules.view(at.state, PUPIL)
    told = lessons.translator(lesson, pages.translator().language)
    say = pages.speak(told.language, names=told.names, game=lesson.game)
    events = sandbox.seen_by(at, PUPIL)
    asked: dict[str, Any] = {}
    if step.is_last:
        points = [one or 0 for one in rules.score_sheet(view).scored]
        asked = {"standing": sorted(zip(places_of(points), count(), points))}
    else:
        form = rules.form(view)
        asked = {
            "question": rules.question(view),
            "form": form,
            "ticked": decision_form.preset(form),
            "topics": rulebook.topics(lesson.game, rules.topics(view), say.language),
            "grammar": of_kind(rules.grammar, form.kind),
        }
    return pages.show(
        "pages/lesson.html",
        status=status,
        lesson=lesson,
        step=step,
        meta=rules.meta,
        heading=rules.heading(view),
        board=boards.draw_view(rules, view, say, events),
        told=[boards.ListedEvent(event) for event in events],
        since_heading=headings.of_news(step.number),
        faults=faults,
        here=url_for("learn.show", game=lesson.game, code=code or None),
        **asked,
    )
