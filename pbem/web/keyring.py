"""Which seats and players this browser has opened by link: claims in the signed cookie, checked on every request."""

from __future__ import annotations

from typing import Literal

from flask import session

Kind = Literal["seats", "players"]
_MOST = 60
"""Keys kept in one browser; the oldest go first, so that the cookie stays far under 4 kB."""


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
