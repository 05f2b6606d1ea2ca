"""Signed tokens for links: what they say can be read by anyone, but made only with our keys, and each has an end."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from datetime import timedelta
from functools import cache
from hashlib import blake2b, sha256
from typing import Any, TypeVar, cast

from flask import current_app
from itsdangerous import BadData, HMACAlgorithm, TimestampSigner, URLSafeTimedSerializer

SEAT, PLAYER, INVITATION, ADDRESS, UNSUBSCRIBE = "seat", "player", "invitation", "address", "unsubscribe"
CALENDAR, RESULTS, LESSON, END_LINKS = "calendar", "feed", "lesson", "end links"
LIVES = {
    SEAT: timedelta(days=180),
    PLAYER: timedelta(days=180),
    INVITATION: timedelta(days=60),
    ADDRESS: timedelta(days=30),
    UNSUBSCRIBE: timedelta(days=180),
    CALENDAR: timedelta(days=400),
    RESULTS: timedelta(days=400),
    LESSON: timedelta(days=14),
    END_LINKS: timedelta(days=7),
}
"""Every purpose a token can have, and how long after it was made it opens anything; what it is about may end before."""


class BadToken(ValueError):
    """The token isn't ours, was changed, is too old, or its key was retired: all look the same."""

    def __init__(self) -> None:
        """Say nothing about what exactly is wrong."""
        super().__init__("This is not a valid token.")


class _Mac(HMACAlgorithm):
    """Made by one call of OpenSSL's: the object that is made for it otherwise takes ten times as long."""

    def get_signature(self, key: bytes, value: bytes) -> bytes:
        """Return the HMAC of a value."""
        return hmac.digest(key, value, self.digest_method().name)


class _Signer(TimestampSigner):
    derive_key = cache(TimestampSigner.derive_key)

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.algorithm = _Mac(self.digest_method)


Made = TypeVar("Made", bound=URLSafeTimedSerializer)


def kept(made: Made) -> Made:
    """Let what signs and reads tokens make its signer and derive each key once: that took longer than to sign."""
    made.signer = _Signer
    made.make_signer = cache(made.make_signer)  # type: ignore[method-assign]  # it is asked for this one alone
    return made


class Tokens:
    """Signs with the newest of several named keys and reads what any of them signed."""

    def __init__(self, keys: Sequence[tuple[str, str]]) -> None:
        """Take `(key id, secret)` pairs, the newest last."""
        self._newest = keys[-1][0]
        self._keys = dict(keys)
        self._made: dict[tuple[str, str], URLSafeTimedSerializer] = {}

    def _serializer(self, key_id: str, purpose: str) -> URLSafeTimedSerializer:
        made = self._made.get((key_id, purpose))
        if made is None:
            made = self._made[key_id, purpose] = kept(
                URLSafeTimedSerializer(
                    self._keys[key_id],
                    salt=f"pbem.{purpose}",
                    signer_kwargs={"key_derivation": "hmac", "digest_method": sha256},
                )
            )
        return made

    def sign(self, purpose: str, *parts: int | str) -> str:
        """A URL-safe token that says `parts` and can be read for the same `purpose` only, until its life is over."""
        return f"{self._newest}~{self._serializer(self._newest, purpose).dumps(list(parts))}"

    def read(self, purpose: str, token: str) -> list[Any]:
        """Return what `sign` was given; raises BadToken, also once the purpose's life is over."""
        key_id, _, signed = token.partition("~")
        if key_id not in self._keys:
            raise BadToken
        try:
            given = self._serializer(key_id, purpose).loads(signed, max_age=int(LIVES[purpose].total_seconds()))
        except BadData as fault:
            raise BadToken from fault
        return cast("list[Any]", given)

    def digest(self, text: str) -> str:
        """Return what is stored of a secret short enough to be guessed: nobody tries all of them without our key."""
        return f"{self._newest}~{self._mac(self._newest, text)}"

    def fits(self, digest: str, text: str) -> bool:
        """Return whether `digest` was made of `text`; takes the same time for every wrong text."""
        key_id, _, mac = digest.partition("~")
        return key_id in self._keys and hmac.compare_digest(self._mac(key_id, text), mac)

    def number(self, row: str) -> int:
        """Return what a row is called outside. Its id would tell by how much it grew what others do in secret."""
        return int(self._mac(self._newest, row)[:7], 16)

    def _mac(self, key_id: str, text: str) -> str:
        key = sha256(self._keys[key_id].encode()).digest()
        return blake2b(text.encode(), key=key, digest_size=24, person=b"pbem-digest").hexdigest()


def tokens() -> Tokens:
    """Return the signer of the current app's links."""
    return cast("Tokens", current_app.extensions["pbem.capabilities.tokens"])
