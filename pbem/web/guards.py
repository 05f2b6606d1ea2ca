"""What stands before every door: forms only from our own pages, once where they add something, and so many calls."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import cache, wraps
from hashlib import sha256
from typing import Any, ParamSpec, cast

from flask import Response, current_app, g, redirect, request, session
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address
from flask_wtf import CSRFProtect
from itsdangerous import URLSafeTimedSerializer
from itsdangerous.encoding import base64_encode

from pbem import clock
from pbem.capabilities import forms
from pbem.capabilities.tokens import kept, tokens
from pbem.extensions import db
from pbem.web.account import browser_keys
from pbem.web.current import current_g, only_looks

P = ParamSpec("P")


def _visitor() -> str:
    """Return who calls, as limits count them and their log names them: a keyed digest, so that no address is kept."""
    return tokens().digest(f"visitor:{get_remote_address()}")


class _FormSigner(URLSafeTimedSerializer):
    """What signs a form's token, as flask-wtf reads it; to press its forty digits together took half of the time."""

    def dump_payload(self, obj: Any) -> bytes:
        """Return it as it stands in the token."""
        return base64_encode(self.serializer.dumps(obj))


@cache
def _form_signer(secret: str) -> _FormSigner:
    return kept(_FormSigner(secret, salt="wtf-csrf-token"))


def csrf_token() -> str:
    """Return the token that the forms of this answer carry."""
    answer = current_g()
    token = answer.get("csrf_token")
    if token is None:
        mark = session.get("csrf_token") or session.setdefault("csrf_token", secrets.token_hex(20))
        token = answer.csrf_token = _form_signer(str(current_app.secret_key)).dumps(mark)
    return cast("str", token)


class _Forms(CSRFProtect):  # type: ignore[misc]  # it ships no types
    """Looks at nothing of what is only read: a fiftieth of a page."""

    def protect(self, *given: Any, **named: Any) -> None:
        """Let nobody else send a form in a browser's name."""
        if not only_looks():
            super().protect(*given, **named)


csrf = _Forms()
limiter = Limiter(key_func=_visitor)


def once(*acts: str) -> Callable[[Callable[P, Response]], Callable[P, Response]]:
    """Return what makes the handler of a form that adds something do it once: sent again, it leads where it led.

    The same is what one page sent with the same answers; a page loaded anew has another token. `acts`: of a page whose
    forms name what they do, which of them; the others say how something is to be, and may be sent as often as wanted.
    """

    def handler_of(act: Callable[P, Response]) -> Callable[P, Response]:
        @wraps(act)
        def handled(*args: P.args, **kwargs: P.kwargs) -> Response:
            people = browser_keys.claimed().players
            if not people or (acts and request.form.get("act") not in acts):
                return act(*args, **kwargs)
            return led() or noted(min(people), act(*args, **kwargs))

        return handled

    return handler_of


def led() -> Response | None:
    """Return the way to where this form led when it was sent before; None if it was not."""
    g.sent = _sent()  # before the act, which may change the browser's mark
    where = forms.led(db.session(), g.sent)
    return None if where is None else cast("Response", redirect(where, 303))


def noted(player_id: int, answer: Response) -> Response:
    """Return the answer to a person's form, and note where it leads."""
    if answer.location:
        forms.note(db.session(), clock.now(), player_id, g.sent, answer.location)
    return answer


def _sent() -> str:
    """Return the digest of what this browser's form sends, files among it."""
    parts = [browser_keys.mark(), request.path, *(f"{name}={text}" for name, text in request.form.items(multi=True))]
    files = [file.read() for file in request.files.values()]
    for file in request.files.values():
        file.seek(0)
    return sha256(b"\0".join([*(part.encode() for part in parts), *files])).hexdigest()
