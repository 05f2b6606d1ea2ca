"""Signed tokens for links: what they say can be read by anyone, but made only with our keys."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from itsdangerous import BadData, URLSafeTimedSerializer

if TYPE_CHECKING:
    from collections.abc import Sequence


class BadToken(ValueError):
    """The token isn't ours, was changed, is too old, or its key was retired: all look the same."""

    def __init__(self) -> None:
        """Say nothing about what exactly is wrong."""
        super().__init__("This is not a valid token.")


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
            made = self._made[key_id, purpose] = URLSafeTimedSerializer(
                self._keys[key_id],
                salt=f"pbem.{purpose}",
                signer_kwargs={"key_derivation": "hmac", "digest_method": sha256},
            )
        return made

    def sign(self, purpose: str, *parts: int | str) -> str:
        """A URL-safe token that says `parts` and can be read for the same `purpose` only."""
        return f"{self._newest}~{self._serializer(self._newest, purpose).dumps(list(parts))}"

    def read(self, purpose: str, token: str, max_age: int | None = None) -> list[Any]:
        """What `sign` was given; raises BadToken, also if it was made more than `max_age` seconds ago."""
        key_id, _, signed = token.partition("~")
        if key_id not in self._keys:
            raise BadToken
        try:
            parts = self._serializer(key_id, purpose).loads(signed, max_age=max_age)
        except BadData as fault:
            raise BadToken from fault
        if not isinstance(parts, list):
            raise BadToken
        return parts
