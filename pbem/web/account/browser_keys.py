"""Which seats and players this browser has opened by link: claims in the signed cookie, checked on every request."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Literal, cast

import msgspec
from flask import Flask, Response, current_app, g, request, session
from flask.json.tag import TaggedJSONSerializer
from flask.sessions import SecureCookieSessionInterface, SessionMixin
from itsdangerous import URLSafeTimedSerializer

from pbem.capabilities import browsers, links
from pbem.capabilities.links import Keys, OpenedPlayer
from pbem.capabilities.tokens import kept
from pbem.errors import NotSeated
from pbem.extensions import db
from pbem.web.current import current_context, current_g

Kind = Literal["seats", "players"]
_MOST = 60
"""Keys kept in one browser; the oldest go first, so that the cookie stays far under 4 kB."""
_DAY = 86_400


class _Plain(TaggedJSONSerializer):
    """Flask's own looks through what it read for tags of what JSON has no words for; the cookie holds nothing such."""

    def dumps(self, value: object) -> str:
        """Return what the cookie holds as JSON."""
        return msgspec.json.encode(value).decode()

    def loads(self, value: str) -> Any:
        """Return what the cookie holds."""
        return msgspec.json.decode(value)


class Cookie(SecureCookieSessionInterface):
    """Flask's signed cookie; what signs it is made once, not for every request."""

    serializer = _Plain()
    _signer: URLSafeTimedSerializer | None = None

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        """Return what signs and reads the cookie of `app`, the only one this is made for."""
        if self._signer is None and (made := super().get_signing_serializer(app)):
            self._signer = kept(made)
        return self._signer

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Set the cookie; where it stays as it is, say no more than that the answer goes by it."""
        if session and session.accessed and not (self.should_set_cookie(app, session) or "Vary" in response.headers):
            response.headers["Vary"] = "Cookie"
        else:
            super().save_session(app, session, response)


def _today() -> int:
    """Return the day of the machine's clock, which the cookie's own age is counted by too."""
    return int(time.time()) // _DAY


def add(kind: Kind, number: int, epoch: int) -> None:
    """Keep what a link opened, newest last, with the day; the browser gets its own mark with the first."""
    session.setdefault("mark", secrets.token_urlsafe(16))
    kept = {key: value for key, value in session.get(kind, {}).items() if key != str(number)}
    kept[str(number)] = [epoch, _today()]
    session[kind] = dict(list(kept.items())[-_MOST:])
    session.permanent = True
    g.pop("held_keys", None)


def mark() -> str:
    """Return what tells this browser from others; empty before it opened a link."""
    return str(session.get("mark", ""))


def claimed() -> Keys:
    """Every key whose time isn't over, newest first; with `browser`, whether that was ended is still to be asked."""
    if (held := current_g().get("held_keys")) is not None:
        return cast("Keys", held)
    latest, session = _today() - browsers.LIFE.days, current_context().session
    seats, players = (
        {int(number): epoch for number, (epoch, day) in reversed(session.get(kind, {}).items()) if day >= latest}
        for kind in ("seats", "players")
    )
    return Keys(seats, players, browsers.digests(mark(), players))


def count(keys: Keys) -> None:
    """Take these for the keys of this request: nobody ended the browser for them."""
    current_g().held_keys = keys


def held(kind: Kind) -> Mapping[int, int]:
    """Every key of a kind with its epoch, newest first, as far as its time isn't over and nobody ended the browser."""
    keys = claimed()
    if keys.browser:
        keys = keys.without(browsers.ended(db.session(), keys.browser))
    count(keys)
    return keys.seats if kind == "seats" else keys.players


def persons() -> Iterator[OpenedPlayer]:
    """Yield every person whose own key this browser holds and which still fits, the newest first."""
    for player_id, epoch in held("players").items():
        with suppress(NotSeated):
            yield links.enter_player(db.session(), player_id, epoch)


def reopen() -> None:
    """Take the cookie as the browser sent it, without what this request has changed."""
    session.clear()
    session.update(current_app.session_interface.open_session(current_app, request) or {})
    session.modified = False
    g.pop("held_keys", None)


def drop(player_id: int) -> None:
    """Forget a person's key."""
    session["players"].pop(str(player_id), None)
    session.modified = True
    g.pop("held_keys", None)


def forget() -> None:
    """Forget every key, and the browser's mark with them."""
    session.clear()
    g.pop("held_keys", None)
