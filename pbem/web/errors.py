"""Pages for what can go wrong: each says what happened, what to do, and keeps what the player had written."""

from __future__ import annotations

from flask import Flask, Response, current_app, g, make_response, redirect, request, url_for
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import HTTPException, MethodNotAllowed, SecurityError

from pbem.capabilities import acts
from pbem.engine.core.errors import EngineError, UnknownVersion
from pbem.engine.core.message import N_, Message
from pbem.errors import NeedsCode, NeedsYes, NotAllowed, NotOpen, NotSeated, Overtaken, PlayError, WrongInput
from pbem.extensions import db
from pbem.store import outages
from pbem.web import pages
from pbem.web.account import browser_keys
from pbem.web.api import core
from pbem.web.fields import TOO_LARGE, TYPED
from pbem.web.seat import authorize

PAGES: dict[int, tuple[str, str]] = {
    400: (
        N_("This didn't arrive as we sent it"),
        N_(
            "The form was changed on its way, or your browser keeps no cookies. "
            "Load the page it came from again and send it once more."
        ),
    ),
    403: (N_("That can't be done"), N_("It isn't yours to do, or not at this moment.")),
    404: (
        N_("This link opens nothing"),
        N_("It may be mistyped, too old, or made for somebody else. We can mail you fresh links."),
    ),
    405: (N_("That can't be done here"), N_("This address is not for what your browser tried to do with it.")),
    409: (N_("That came too late"), N_("The game went on while this page was open.")),
    412: (N_("This was saved anew meanwhile"), acts.SAVED_ANEW),
    422: (N_("That can't be used as it is"), N_("Please change what you wrote or chose, and send it again.")),
    413: (N_("That is too much at once"), TOO_LARGE),
    429: (
        N_("Too many tries at once"),
        N_(
            "Please wait a minute and try again. Your games go on meanwhile, and the links in your letters always work."
        ),
    ),
    500: (
        N_("Something broke on our side"),
        N_("It is written down and will be looked at. No order that was confirmed is lost."),
    ),
    501: (
        N_("This game waits for its rules"),
        N_("This server doesn't have the version of the rules that the game was opened with. Nothing is lost."),
    ),
    503: (
        N_("We can't reach our records just now"),
        N_("Nothing was stored, and nothing is lost: what you chose is kept on this page. Try again in a moment."),
    ),
}


OVERTAKEN = 412
TOO_MUCH = 413
TOO_OFTEN = 429
_TEXT = {"text": TYPED["text"]}
_STATUS = {NotAllowed: 403, Overtaken: OVERTAKEN, WrongInput: 422, UnknownVersion: 501}
"""Of a refusal; any other one is a conflict with how the game stands."""
_NOT_LATE: dict[type[Exception], str] = {NotOpen: PAGES[403][0]}
"""Titles of conflicts that would be one at any time."""


def _kept(status: int) -> list[tuple[str, str]]:
    """Return what was posted, so that it can be sent again or at least read; nothing of what was too much to read.

    What a file held stands for the text that it was sent instead of: no page can send a file again.
    """
    if request.method != "POST" or status == TOO_MUCH:
        return []
    read = g.get("files_read", {})
    return [*((name, text) for name, text in request.form.items(multi=True) if name not in read), *read.items()]


def problem(status: int, *lines: Message, title: str = "", way: str = "", retry: bool = False) -> Response:
    """Give the page for `status`, with `title` and `lines` instead of its own ones, and `way` as the place to go next.

    `retry`: what was posted stands in the page as a form that can be sent again. A text can be changed before, and what
    can't be used as it is anything that was typed.
    """
    is_ours = status >= 500  # noqa: PLR2004 - the servers' own faults
    if is_ours:
        pages.speak_unasked()
    say = pages.translator()
    usual, text = PAGES.get(status, PAGES[500 if is_ours else 400])
    title = title or usual
    goal = {"url": way, "text": say("Back to the page") if way == request.path else say("Go on")} if way else None
    if status in {409, OVERTAKEN} and way:  # a conflict with how things stand
        goal = {"url": way, "text": say("See how it stands")}
    if status == 404:  # noqa: PLR2004 - nothing here
        goal = {"url": url_for("links.mail_me"), "text": say("Mail me my links")}
    if pages.is_partial("preview"):
        return pages.show(
            "parts/preview.html", status, refused=lines or (Message(text),), title=say(title), next_page=goal
        )
    said = [say(line) for line in lines] or [say(text)]
    kept = [field for field in _kept(status) if (status, field[0]) != (OVERTAKEN, "opened")]
    sent = dict(kept)
    typed = "\n".join(text for name, text in kept if name in TYPED and text)
    if "ply" in sent:  # of an order, which may have been chosen and not typed
        typed = sent.get("text") or sent.get("seen", "")
    labels = TYPED if status in {OVERTAKEN, _STATUS[WrongInput]} else _TEXT
    shown = {"fields": kept, "labels": labels} if retry else {"typed": typed}
    return pages.show("errors/error.html", status, title=say(title), lines=said, next_page=goal, **shown)


def _http(fault: HTTPException) -> Response:
    if request.path.startswith("/api/"):
        return core.http(fault)
    if isinstance(fault, MethodNotAllowed) and request.method == "GET":  # stepped back to: a form's answer has no page
        return make_response(redirect(_way_back() or url_for("home.index")))
    way = _way_back() if isinstance(fault, CSRFError) else ""  # whose mark would be refused again
    answer = problem(fault.code or 500, way=way, retry=fault.code == TOO_OFTEN)
    for name, value in fault.get_headers():
        if name not in ("Content-Type", "Content-Length"):
            answer.headers.setdefault(name, value)
    return answer


def _not_our_name(_fault: SecurityError) -> Response:
    """Answer a host name that isn't this server's with one sentence: no page can be built for it."""
    return Response(
        "This server doesn't answer to that name. Open the address in your letters.\n", 400, mimetype="text/plain"
    )


def _unreachable(fault: Exception) -> Response:
    core.not_stored(fault)
    return problem(503, retry=True)


def _refused(fault: PlayError | EngineError) -> Response:
    if request.path.startswith("/api/"):  # a path that leads nowhere is no call, so its own handler is not asked
        return core.refused(fault)
    db.session.rollback()
    status = next((status for kind, status in _STATUS.items() if isinstance(fault, kind)), 409)
    useless = status == _STATUS[WrongInput] and not TYPED.keys() & request.form.keys()  # nothing that can be changed
    return problem(status, *fault.faults, title=_NOT_LATE.get(type(fault), ""), way=_way_back(), retry=not useless)


def _way_back() -> str:
    """Return the page of the form that was sent, if it stands at its own address; else the nearest page above."""
    doors, path = current_app.create_url_adapter(request), request.path
    if request.method != "POST":  # that page itself is refused
        path = path.rpartition("/")[0]
    while path and doors is not None and not doors.test(path, method="GET"):
        path = path.rpartition("/")[0]
    return path


_OF_THE_QUESTION = frozenset({"csrf_token", "mailed_code", "mail_again"})


def _fields() -> list[tuple[str, str]]:
    """Return the form that was sent, which stands in the page of a question and goes with its answer."""
    return [(name, value) for name, value in _kept(200) if name not in _OF_THE_QUESTION]


def _code_wanted(wanted: NeedsCode) -> Response:
    """Ask for the mailed code, and mail it first where the act went through and lacked nothing else."""
    who = acts.lacking(db.session())
    db.session.rollback()
    if who is not None:
        browser_keys.reopen()
        try:
            authorize.mail_code(who)
        except NeedsCode as asked:
            wanted = asked
    return pages.show("pages/code.html", 403, fields=_fields(), faults_found=wanted.faults)


def _yes_wanted(wanted: NeedsYes) -> Response:
    """Say what the act does that can't be taken back, and ask whether it is meant."""
    db.session.rollback()
    return pages.show("pages/agree.html", fields=_fields(), does=wanted.faults, back=_way_back())


def _unknown(_fault: NotSeated) -> Response:
    """Unknown, expired, revoked and foreign: one page, to the byte."""
    db.session.rollback()
    return problem(404)


def register(app: Flask) -> None:
    """Give `app` its pages for errors."""
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(SecurityError, _not_our_name)
    app.register_error_handler(CSRFError, _http)
    app.register_error_handler(NotSeated, _unknown)
    app.register_error_handler(NeedsCode, _code_wanted)
    app.register_error_handler(NeedsYes, _yes_wanted)
    app.register_error_handler(PlayError, _refused)
    app.register_error_handler(EngineError, _refused)
    for kind in outages.UNAVAILABLE:
        app.register_error_handler(kind, _unreachable)
