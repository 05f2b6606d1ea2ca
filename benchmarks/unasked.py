"""Whoever sets a world up for tests and benchmarks: of them no act asks a yes or a code."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.capabilities.acts import GuardedAct
    from pbem.engine.core.message import Message


class Unasked:
    """By what they act, as a door says it."""

    @staticmethod
    def agree(*_does: Message) -> None:
        """Ask nothing."""

    @staticmethod
    def prove(_player_id: int, _asks: GuardedAct) -> None:
        """Ask nothing."""
