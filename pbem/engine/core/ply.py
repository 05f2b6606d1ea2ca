"""One call of `resolve` under way: the state that changes, the source of chance, and what is told of it."""

from __future__ import annotations

from typing import Generic, TypeVar

import msgspec

from pbem.engine.core.message import Event, Param
from pbem.engine.core.rng import Chance

S = TypeVar("S")


class PlyUnderWay(msgspec.Struct, Generic[S]):
    """What a game's deeds act through. They work in place: whoever needs the old state copies it first."""

    state: S
    chance: Chance
    events: list[Event] = []

    def tell(
        self,
        text: str,
        rule: str = "",
        seat: int | None = None,
        *,
        to: tuple[int, ...] | None = None,
        marks: tuple[str, ...] = (),
        **holes: Param,
    ) -> None:
        """Tell everybody, or the seats in `to` alone, what happened; `seat` did it and fills the hole of that name."""
        self.events.append(Event(text, holes if seat is None else {"seat": seat, **holes}, rule, seat, to, marks))
