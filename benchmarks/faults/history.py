"""What persons sent while faults struck, and what they were told: what the club is held against afterwards."""

from __future__ import annotations

import http

import msgspec


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """One thing a person sent, and what they were told."""

    game_id: int
    seat: int
    ply: int
    text: str
    request: str
    status: int
    """The HTTP status; 0: no answer came."""
    canonical: str = ""
    reason: str = ""
    seconds: float = 0.0

    @property
    def accepted(self) -> bool:
        """Whether the person was told that the order stands."""
        return self.status == http.HTTPStatus.OK
