"""Pages for what can go wrong: each says what happened, what to do, and keeps what the player had written."""

from __future__ import annotations

from flask import Flask, Response, request, url_for
from flask_wtf.csrf import CSRFError
from sqlalchemy import exc
from werkzeug.exceptions import HTTPException

from pbem.engine.errors import EngineError
from pbem.engine.types import N_, Said
from pbem.errors import NotAllowed, NotSeated, PlayError
from pbem.extensions import db
from pbem.web import pages
from pbem.web.api import door

PAGES: dict[int, tuple[str, str]] = {
    400: (
        N_("This didn't arrive as we sent it"),
        N_(
            "The form was changed on its way, or your browser keeps no cookies. "
            "Load the page it came from again and send it once more."
        ),
    ),
    404: (
        N_("This link opens nothing"),
        N_("It may be mistyped, too old, or made for somebody else. We can mail you fresh links."),
    ),
    405: (N_("That can't be done here"), N_("This address is not for what your browser tried to do with it.")),
    409: (N_("That came too late"), N_("The game went on while this page was open.")),
    413: (N_("That is too much at once"), N_("At most 2 megabytes are taken. Please send less.")),
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
    503: (
        N_("We can't reach our records just now"),
        N_("Nothing was stored, and nothing is lost: what you chose is kept on this page. Try again in a moment."),
    ),
}


TOO_MUCH = 413


def _kept(status: int) -> list[tuple[str, str]]:
    """What was posted, so that it can be sent again or at least read; nothing of what was too much to read."""
    return list(request.form.items(multi=True)) if request.method == "POST" and status != TOO_MUCH else []


def problem(status: int, *lines: Said, way: str = "", retry: bool = False) -> Response:
    """Give the page for `status`, with `lines` instead of its usual sentence, and `way` as the place to go next.

    `retry`: what was posted stands in the page as a form that can be sent again.
    """
    say = pages.voice()
    title, text = PAGES.get(status, PAGES[400 if status < 500 else 500])  # noqa: PLR2004 - the servers' own faults
    if pages.is_partial("preview"):
        return pages.show("parts/preview.html", status, refused=lines or (Said(text),), title=say(title))
    goal = {"url": way, "text": say(N_("Go on"))} if way else None
    if status == 404:  # noqa: PLR2004 - nothing here
        goal = {"url": url_for("links.mail_me"), "text": say(N_("Mail me my links"))}
    said = [say(line) for line in lines] or [say(text)]
    kept = _kept(status)
    shown = {"kept": kept} if retry else {"typed": dict(kept).get("text", "")}
    return pages.show("errors/error.html", status, title=say(title), lines=said, way=goal, **shown)


def _http(fault: HTTPException) -> Response:
    if request.path.startswith("/api/"):
        return door.http(fault)
    answer = problem(fault.code or 500, retry=(fault.code or 500) in (400, 429))
    for name, value in fault.get_headers():
        if name not in ("Content-Type", "Content-Length"):
            answer.headers.setdefault(name, value)
    return answer


def _unreachable(_fault: exc.SQLAlchemyError) -> Response:
    db.session.rollback()
    answer = problem(503, retry=True)
    answer.headers["Retry-After"] = "5"
    return answer


def _refused(fault: PlayError | EngineError) -> Response:
    db.session.rollback()
    return problem(403 if isinstance(fault, NotAllowed) else 409, *fault.faults, retry=True)


def _unknown(_fault: NotSeated) -> Response:
    """Unknown, expired, revoked and foreign: one page, to the byte."""
    db.session.rollback()
    return problem(404)


def catch(app: Flask) -> None:
    """Give `app` its pages for errors."""
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(CSRFError, _http)
    app.register_error_handler(NotSeated, _unknown)
    app.register_error_handler(PlayError, _refused)
    app.register_error_handler(EngineError, _refused)
    for kind in (exc.OperationalError, exc.InterfaceError, exc.InternalError, exc.TimeoutError):
        app.register_error_handler(kind, _unreachable)
