"""The demo's mailbox: everybody's letters on one page, to be read like mail. It exists on demo servers only."""

from __future__ import annotations

from email.message import EmailMessage
from email.utils import getaddresses

from flask import Blueprint, Response, abort, request, url_for
from markupsafe import Markup

from pbem import clock
from pbem.extensions import db, settings
from pbem.inbound import receive
from pbem.mail.maildir import Maildir
from pbem.web import pages
from pbem.web.headers import LETTER_POLICY
from pbem.web.letter_view import answer_to, html_of, linked, text_of

blueprint = Blueprint("mailbox", __name__, url_prefix="/mailbox")

SHOWN = 200
"""Letters in the list; older ones are still there under their number."""


@blueprint.before_request
def _demo_only() -> None:
    """Nobody may read another's mail on a server that isn't a demo."""
    if not settings().demo:
        abort(404)


def maildir() -> Maildir:
    """Return where the letters are."""
    return Maildir(settings().pbem_home / "mailbox")


def _letter(number: int) -> EmailMessage:
    found = maildir().read(number)
    if found is None:
        abort(404)
    return found


def _page(number: int | None) -> Response:
    letters = maildir().newest(SHOWN)
    reader = request.args.get("to", "")
    readers = sorted({address for entry in letters for _, address in getaddresses([entry.to])})
    shown = [entry for entry in letters if not reader or reader in entry.to]
    letter = None if number is None else _letter(number)
    return pages.show(
        "pages/mailbox.html",
        here="mailbox",
        letters=shown,
        readers=readers,
        reader=reader,
        number=number,
        letter=letter,
        text=Markup() if letter is None else linked(text_of(letter)),
        body=None if number is None else url_for("mailbox.html", number=number),
    )


@blueprint.get("/")
def index() -> Response:
    """List the letters."""
    return _page(None)


@blueprint.get("/<int:number>")
def read(number: int) -> Response:
    """Show one letter beside the list."""
    return _page(number)


@blueprint.post("/<int:number>")
def reply(number: int) -> Response:
    """Answer a letter as its reader's mail program would: as a mail that comes in by the usual door."""
    raw, recipient = answer_to(_letter(number), pages.typed("text"), clock.now())
    receive.receive(db.session(), raw, recipient, clock.now(), source="cli")
    return pages.go("mailbox.read", number=number, answered=1)


@blueprint.get("/<int:number>/html")
def html(number: int) -> Response:
    """Give a letter's HTML part as it is, for the frame it is shown in: no script runs there."""
    answer = Response(html_of(_letter(number)), mimetype="text/html")
    answer.headers["Content-Security-Policy"] = LETTER_POLICY
    answer.headers["X-Frame-Options"] = "SAMEORIGIN"
    return answer


@blueprint.get("/<int:number>/raw")
def raw(number: int) -> Response:
    """Give the whole letter as it was sent."""
    return Response(_letter(number).as_bytes(), mimetype="text/plain")
