"""Addresses that carry a signed token: whom a reply speaks for, and which letter a bounce is about.

`<prefix>.<token>@domain`, the token in lower-case base32 because mail systems fold case and dislike symbols; `.` as the
separator because Google Groups drops what follows a `+` (a `+` is read all the same). The token is the credential,
128 bits of it a keyed hash; the local part stays within the 64 characters of RFC 5321 4.5.3.1.1.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import struct
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from email.utils import parseaddr
from typing import TypeAlias

from pbem import clock
from pbem.structs import Value

_MAC = 16
"""Bytes of keyed hash: 128 bits."""
_HEAD = struct.Struct(">cB")
_LOCAL = re.compile(r"(?P<prefix>[a-z][a-z0-9]{0,11})[.+](?P<token>[a-z2-7]{20,60})")
BOUNCE_PREFIX = "bounce"
_PERIOD = timedelta(days=30)
_LIFE = 6
"""Periods after the one it was written in for which a reply address opens anything."""
_ERA = 256
"""Periods until their count begins again: one byte holds it, 21 years."""


class BadAddress(ValueError):
    """The address is none of ours, or its token was not signed by us."""


class SeatAddress(Value):
    """A seat's answer to what it was asked at one ply; `epoch` falls behind when links are renewed."""

    seat: int
    """The seat's row, which names game and seat."""
    ply: int
    epoch: int
    over: bool = False
    """Whether it was written too long ago, half a year, to open anything."""


class PlayerAddress(Value):
    """A player's answer to a letter about no game or several games: commands only."""

    player: int
    epoch: int
    over: bool = False


class LessonAddress(Value):
    """An answer to one letter of a first game; the letter's row holds what was played before it."""

    letter: int
    epoch: int
    """The player's."""
    over: bool = False


class BounceAddress(Value):
    """The envelope sender of one letter: whatever comes back to it is about that letter."""

    letter: int


Address: TypeAlias = SeatAddress | PlayerAddress | LessonAddress | BounceAddress
_LAYOUTS = {
    b"t": struct.Struct(">IIIB"),  # a seat's: row, ply, epoch, period
    b"q": struct.Struct(">IIB"),  # a player's: row, epoch, period
    b"k": struct.Struct(">QIB"),  # a lesson's: letter, the player's epoch, period
    b"e": struct.Struct(">Q"),  # where a letter comes back to
}
_VEILED = {b"k", b"e"}
"""Whose numbers nobody but us reads: those of two letters would tell how many others left between them."""
_BEFORE_1_0 = (
    *((b"s", struct.Struct(form)) for form in (">III", ">IIH")),
    *((b"p", struct.Struct(form)) for form in (">II", ">IH")),
    *((b"l", struct.Struct(">QIB")), (b"b", struct.Struct(">Q"))),
)
"""As letters before 1.0 had them: read, so that who answers one hears it if it is too old."""
_READABLE = {(tag, layout.size): layout for tag, layout in (*_LAYOUTS.items(), *_BEFORE_1_0)}


def _period() -> int:
    return (clock.now() - datetime(1970, 1, 1, tzinfo=UTC)) // _PERIOD % _ERA


class Addresses:
    """Makes and reads the addresses of one domain with the keys that sign them."""

    def __init__(self, keys: Sequence[tuple[str, str]], domain: str, prefix: str = "play") -> None:
        """Take all `(key id, secret)` pairs, the newest last (it signs), the mail domain and the replies' prefix."""
        secrets = [hashlib.blake2b(f"{name}:{key}".encode(), person=b"pbem-address").digest() for name, key in keys]
        self._keys = {secret[0]: secret for secret in secrets}
        self._newest = secrets[-1][0]
        self.domain = domain.lower()
        self.prefix = prefix.lower()

    def seat(self, seat: int, ply: int, epoch: int) -> str:
        """Return the Reply-To of a letter that asks the seat of row `seat` at `ply`; good for half a year."""
        return self._write(self.prefix, b"t", seat, ply, epoch, _period())

    def player(self, player: int, epoch: int) -> str:
        """Return the Reply-To of a letter that isn't about one seat; good for half a year."""
        return self._write(self.prefix, b"q", player, epoch, _period())

    def lesson(self, letter: int, epoch: int) -> str:
        """Return the Reply-To of a letter of a first game; good for half a year."""
        return self._write(self.prefix, b"k", letter, epoch, _period())

    def bounce(self, letter: int) -> str:
        """Return the Return-Path of one letter (VERP)."""
        return self._write(BOUNCE_PREFIX, b"e", letter)

    def read(self, address: str) -> Address:
        """Return whom or what `address` stands for. Raises BadAddress; takes the same time for every wrong token."""
        local, _, domain = parseaddr(address)[1].lower().rpartition("@")
        match = _LOCAL.fullmatch(local)
        if match is None or domain != self.domain or match["prefix"] not in {self.prefix, BOUNCE_PREFIX}:
            raise BadAddress("This is no reply address of ours. Please answer the newest letter.")
        found = self._read_token(match["token"])
        if (match["prefix"] == BOUNCE_PREFIX) != isinstance(found, BounceAddress):
            raise BadAddress("The reply address is not valid. Please answer the newest letter.")
        return found

    def _write(self, prefix: str, tag: bytes, *numbers: int) -> str:
        key, head, packed = self._keys[self._newest], _HEAD.pack(tag, self._newest), _LAYOUTS[tag].pack(*numbers)
        mac = _mac(key, head + packed)
        raw = head + (_veiled(key, mac, packed) if tag in _VEILED else packed) + mac
        token = base64.b32encode(raw).decode().rstrip("=").lower()
        return f"{prefix}.{token}@{self.domain}"

    def _read_token(self, token: str) -> Address:
        """Check the signature first, then unpack."""
        body, mac = _split(token)
        key = self._keys.get(body[1]) if len(body) > 1 else None
        tag, rest = body[:1], body[_HEAD.size :]
        if key is not None and tag in _VEILED:
            rest = _veiled(key, mac, rest)
        valid = hmac.compare_digest(_mac(key or b"no such key", body[: _HEAD.size] + rest), mac)
        layout = _READABLE.get((tag, len(rest)))
        if key is None or not valid or layout is None:
            raise BadAddress("The reply address is not valid. Please answer the newest letter.")
        numbers = layout.unpack(rest)
        if tag in b"eb":
            return BounceAddress(*numbers)
        period = numbers[-1] if tag in b"tqkl" else None
        over = period is None or (_period() - period) % _ERA > _LIFE
        if tag in b"ts":
            seat, ply, epoch = numbers[:3]
            return SeatAddress(seat, ply, epoch, over=over)
        kind = LessonAddress if tag in b"kl" else PlayerAddress
        return kind(numbers[0], numbers[1], over=over)


def _split(token: str) -> tuple[bytes, bytes]:
    """Body and signature of a token; both empty for what is no base32."""
    try:
        raw = base64.b32decode(token.upper() + "=" * (-len(token) % 8))
    except binascii.Error:
        return b"", b""
    return raw[:-_MAC], raw[-_MAC:]


def _veiled(key: bytes, mac: bytes, packed: bytes) -> bytes:
    """Return numbers veiled, or veiled ones as they were (a synthetic vector, as in RFC 5297: no two have one veil)."""
    veil = hashlib.blake2b(mac, key=key, person=b"pbem-veil").digest()
    return bytes(one ^ other for one, other in zip(packed, veil, strict=False))


def _mac(key: bytes, body: bytes) -> bytes:
    return hashlib.blake2b(body, key=key, digest_size=_MAC).digest()
