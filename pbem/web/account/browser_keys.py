"""Which seats and players this browser has opened by link: claims in the signed cookie, checked on every request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from flask import session
from flask.sessions import SecureCookieSessionInterface

if TYPE_CHECKING:
    from flask import Flask
    from itsdangerous import URLSafeTimedSerializer

Kind = Literal["seats", "players"]
_MOST = 60
"""Keys kept in one browser; the oldest go first, so that the cookie stays far under 4 kB."""


class Cookie(SecureCookieSessionInterface):
    """Flask's signed cookie; what signs it is made once, not for every request."""

    _signer: URLSafeTimedSerializer | None = None

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        """What signs and reads the cookie of `app`, the only one this is made for."""
        self._signer = self._signer or super().get_signing_serializer(app)
        return self._signer


def add(kind: Kind, number: int, epoch: int) -> None:
    """Put a key on the ring, newest last."""
    ring = {key: value for key, value in session.get(kind, {}).items() if key != str(number)}
    ring[str(number)] = epoch
    session[kind] = dict(list(ring.items())[-_MOST:])
    session.permanent = True


def held(kind: Kind) -> dict[int, int]:
    """Every key of a kind with its epoch, newest first."""
    return {int(number): epoch for number, epoch in reversed(session.get(kind, {}).items())}


def drop(kind: Kind, number: int) -> None:
    """Take a key off the ring."""
    session[kind] = {key: value for key, value in session.get(kind, {}).items() if key != str(number)}
