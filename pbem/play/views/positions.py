"""What one seat may see of a position and of what led there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

import msgspec
from sqlalchemy.orm import Session

from pbem.engine.core.message import N_, Event, Message
from pbem.engine.core.types import AnyRules
from pbem.errors import nobody
from pbem.play.admin.action_log import Handover
from pbem.play.proof import snapshots
from pbem.play.views import headings
from pbem.play.views.game_context import state_of
from pbem.store.queries import game_pages
from pbem.store.queries.game_pages import PlyRow, SeatRow
from pbem.structs import Value

_Speech = TypeVar("_Speech", Event, Message)
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
    heading: Message
    since: tuple[VisibleEvent, ...]
    """What happened since the seat's last decision; for a spectator in the last ply."""
    since_heading: str
    """What that is headed by, a message id."""
    public: Any = None
    """What a spectator may see of it, for who draws a picture."""


def position(  # noqa: PLR0913, PLR0917 - whose view of what, and who had seats before
    session: Session,
    rules: AnyRules,
    game_id: int,
    ply: int,
    reader: SeatRow | None,
    held: Sequence[Handover],
    rows: Sequence[PlyRow] | None = None,
    *,
    pictured: bool = False,
) -> Position:
    """Return what a seat, or a spectator (None), sees after a ply. Raises NotSeated if there is no such ply.

    `rows` are its news, if they were read already.
    """
    seat = None if reader is None else reader.seat
    rows = game_pages.news(session, game_id, ply, seat) if rows is None else rows
    if not rows or rows[-1].snapshot is None:  # the last one comes with it
        raise nobody()
    state = state_of(rules, snapshots.at(session, game_id, ply, rows[-1].snapshot))
    view = rules.view(state, seat)
    return Position(
        at=rows[-1].resolved_at,
        view=view,
        public=view if seat is None else rules.view(state, None) if pictured else None,
        heading=rules.heading(view),
        since=visible_events(((row.ply, row.resolved_at, row.events) for row in rows), seat, held),
        since_heading=N_("What happened last")
        if reader is None or len(rows) > game_pages.LOOKED_BACK
        else headings.of_news(rows[0].ply, own=reader.joined_at is None or rows[0].resolved_at >= reader.joined_at),
    )


def visible_events(
    plies: Iterable[tuple[int, datetime, bytes]], seat: int | None, held: Sequence[Handover]
) -> tuple[VisibleEvent, ...]:
    """Return the events of plies, given as `(ply, resolved_at, events)`, that a seat (or a spectator) may know of.

    Each names those who had the seats then, going by who has `held` them.
    """
    return tuple(
        VisibleEvent(ply=ply, at=at, event=named(event, had(ply, held)))
        for ply, at, events in plies
        for event in EVENTS.decode(events)
        if event.is_known_to(seat)
    )


def had(ply: int, held: Sequence[Handover]) -> Mapping[int, str]:
    """Return by seat who had it at a ply, where somebody else has it now."""
    return {one.seat: one.name for one in reversed(held) if ply <= one.ply}


def named(speech: _Speech, names: Mapping[int, str]) -> _Speech:
    """Return a sentence with these names for its seats; any other is called as who has it now."""
    if not names:
        return speech
    params = {hole: _named(hole, filling, names) for hole, filling in speech.params.items()}
    return msgspec.structs.replace(speech, params=params)


def _named(hole: str, filling: Any, names: Mapping[int, str]) -> Any:
    if isinstance(filling, Message):
        return named(filling, names)
    if isinstance(filling, tuple):
        return tuple(_named(hole, one, names) for one in filling)
    return names.get(filling, filling) if hole.startswith("seat") and isinstance(filling, int) else filling


def disclosed(event: Event, reader: int | None = None) -> Event:
    """An event told to more than were to know of it, after the game or in analysis: who its "you" is must be said."""
    if event.seen_by is None or reader in event.seen_by:
        return event
    said = {"seats": event.seen_by, "said": Message(event.text, event.params)}
    return msgspec.structs.replace(event, text=N_("To {seats} alone: {said}"), params=said)
