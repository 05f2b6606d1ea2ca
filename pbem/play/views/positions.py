"""What one seat may see of a position and of what led there: worked out once, for a ply never changes once written."""

from __future__ import annotations

import threading
from collections import OrderedDict
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import msgspec

from pbem.engine.core.types import Event, Message
from pbem.play.views.game_context import state_of
from pbem.store.queries import game_pages

if TYPE_CHECKING:
    from collections.abc import Iterable, MutableMapping

    from sqlalchemy.orm import Session

    from pbem.engine.core.forms import Form
    from pbem.engine.core.types import AnyRules

KEPT = 2000
"""Positions kept in memory for one database, some 10 kB each; who comes back within minutes finds theirs."""
_EVENTS = msgspec.json.Decoder(list[Event])


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """An event as its reader gets it."""

    ply: int
    at: datetime
    event: Event


class Position(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A position as one seat, or a spectator, sees it. Shared between requests: nobody changes it."""

    rules: Any
    at: datetime
    """When its ply was resolved."""
    view: Any
    public: Any
    """What a spectator may see of it."""
    heading: Message
    since: tuple[Told, ...]
    """What happened since the seat's last decision; for a spectator in the last ply."""

    @cached_property
    def question(self) -> Message:
        """What the seat is asked, for one that is."""
        said: Message = self.rules.question(self.view)
        return said

    @cached_property
    def form(self) -> Form:
        """The same as a form."""
        form: Form = self.rules.form(self.view)
        return form

    @cached_property
    def topics(self) -> tuple[str, ...]:
        """Rule ids that help with it."""
        return tuple(self.rules.topics(self.view))


class PositionKey(msgspec.Struct, frozen=True, kw_only=True):
    """Which position, and who looks: everything that what is seen depends on."""

    game_id: int
    ply: int
    digest: str
    """Of the state."""
    seat: int | None
    """None for a spectator."""


_kept: MutableMapping[Any, OrderedDict[PositionKey, Position]] = WeakKeyDictionary()
"""By database; the place looked at longest ago comes first."""
_keeping = threading.Lock()


def position(session: Session, rules: AnyRules, place: PositionKey) -> Position:
    """What is seen in a place that there is."""
    with _keeping:
        known = _kept.setdefault(session.get_bind(), OrderedDict())
        if place in known:
            known.move_to_end(place)
            return known[place]
    found = _look(session, rules, place)
    with _keeping:
        known[place] = found
        if len(known) > KEPT:
            known.popitem(last=False)
    return found


def _look(session: Session, rules: AnyRules, place: PositionKey) -> Position:
    rows = game_pages.news(session, place.game_id, place.ply, place.seat)
    assert rows[-1].snapshot is not None  # the last one comes with it
    state = state_of(rules, rows[-1].snapshot)
    view = rules.view(state, place.seat)
    return Position(
        rules=rules,
        at=rows[-1].resolved_at,
        view=view,
        public=view if place.seat is None else rules.view(state, None),
        heading=rules.heading(view),
        since=told(((row.ply, row.resolved_at, row.events) for row in rows), place.seat),
    )


def told(plies: Iterable[tuple[int, datetime, bytes]], seat: int | None) -> tuple[Told, ...]:
    """The events of plies, given as `(ply, resolved_at, events)`, that a seat (or a spectator) may know of."""
    return tuple(
        Told(ply=ply, at=at, event=event)
        for ply, at, events in plies
        for event in _EVENTS.decode(events)
        if event.seen_by is None or seat in event.seen_by
    )
