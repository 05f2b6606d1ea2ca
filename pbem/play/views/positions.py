"""What one seat may see of a position and of what led there."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy.orm import Session

from pbem.engine.core.message import N_, Event, Message
from pbem.engine.core.types import AnyRules
from pbem.errors import nobody
from pbem.play.proof import snapshots
from pbem.play.views.game_context import state_of
from pbem.store.queries import game_pages
from pbem.structs import Value

EVENTS = msgspec.json.Decoder(tuple[Event, ...])
"""Reads the events that a ply is stored with."""


class VisibleEvent(Value, kw_only=True):
    """An event that a reader may see, with its ply and moment."""

    ply: int
    at: datetime
    event: Event


class Position(Value, kw_only=True):
    """A position as one seat, or a spectator, sees it."""

    at: datetime
    """When its ply was resolved."""
    view: Any
    public: Any
    """What a spectator may see of it."""
    heading: Message
    since: tuple[VisibleEvent, ...]
    """What happened since the seat's last decision; for a spectator in the last ply."""


def position(session: Session, rules: AnyRules, game_id: int, ply: int, seat: int | None) -> Position:
    """Return what a seat, or a spectator (None), sees after a ply. Raises NotSeated if there is no such ply."""
    rows = game_pages.news(session, game_id, ply, seat)
    if not rows or rows[-1].snapshot is None:  # the last one comes with it
        raise nobody()
    state = state_of(rules, snapshots.at(session, game_id, ply, rows[-1].snapshot))
    view = rules.view(state, seat)
    return Position(
        at=rows[-1].resolved_at,
        view=view,
        public=view if seat is None else rules.view(state, None),
        heading=rules.heading(view),
        since=visible_events(((row.ply, row.resolved_at, row.events) for row in rows), seat),
    )


def visible_events(plies: Iterable[tuple[int, datetime, bytes]], seat: int | None) -> tuple[VisibleEvent, ...]:
    """Return the events of plies, given as `(ply, resolved_at, events)`, that a seat (or a spectator) may know of."""
    return tuple(
        VisibleEvent(ply=ply, at=at, event=event)
        for ply, at, events in plies
        for event in EVENTS.decode(events)
        if event.is_known_to(seat)
    )


def disclosed(event: Event, reader: int | None = None) -> Event:
    """An event told to more than were to know of it, after the game or in analysis: who its "you" is must be said."""
    if event.seen_by is None or reader in event.seen_by:
        return event
    said = {"seats": event.seen_by, "said": Message(event.text, event.params)}
    return msgspec.structs.replace(event, text=N_("To {seats} alone: {said}"), params=said)
