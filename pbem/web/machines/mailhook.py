"""Doors for mail programs and providers: one-click unsubscribing and mail handed in by webhook."""

from __future__ import annotations

import hashlib
import hmac

from flask import Blueprint, Response, abort, request

from pbem import clock
from pbem.capabilities.tokens import tokens
from pbem.extensions import current, db, settings
from pbem.inbound import receive
from pbem.letters import unsubscribe
from pbem.web import pages
from pbem.web.guards import csrf

blueprint = Blueprint("mailhook", __name__, url_prefix="/mail")


@blueprint.get("/unsubscribe/<token>")
def ask(token: str) -> Response:
    """Show what would be stopped and a button; opening the link stops nothing."""
    stopping = unsubscribe.stopping(db.session(), tokens(), token)
    return pages.show("pages/unsubscribe.html", stopping=stopping)


@blueprint.post("/unsubscribe/<token>")
@csrf.exempt  # RFC 8058: one POST by the mail program, without cookie
def stop(token: str) -> Response:
    """Stop a kind of letter, or send it again: for a mail program that says so as RFC 8058 wants, or a pressed button.

    The token in the address is the right to do so; a form sent as it stands changes nothing.
    """
    if request.form.get("act") == "again":
        again = unsubscribe.resume(db.session(), tokens(), token)
        return pages.show("pages/unsubscribe.html", stopping=again, again=True)
    if request.form.get("List-Unsubscribe") != "One-Click" and not pages.is_sure(request.form):
        return ask(token)
    stopping = unsubscribe.stop(*current(), tokens(), token)
    return pages.show("pages/unsubscribe.html", stopping=stopping, done=True)


def signature(secret: str, recipient: str, raw: bytes) -> str:
    """Return what a provider signs a mail with: HMAC-SHA256 over the recipient, a line end, and the raw mail."""
    return hmac.new(secret.encode(), recipient.encode() + b"\n" + raw, hashlib.sha256).hexdigest()


@blueprint.post("/in")
@csrf.exempt  # signed instead
def incoming() -> Response:
    """Take one raw mail; headers `X-Recipient` and `X-Signature` say for whom, and prove who hands it in."""
    secret, raw = settings().webhook_secret, request.get_data()
    recipient, sent = request.headers.get("X-Recipient", ""), request.headers.get("X-Signature", "")
    if not secret:
        abort(404)
    if not hmac.compare_digest(signature(secret, recipient, raw).encode(), sent.encode()):
        return Response(pages.translator().say("The signature doesn't fit."), 403, mimetype="text/plain")
    receive.receive(db.session(), raw, recipient, clock.now())
    return Response(status=204)
