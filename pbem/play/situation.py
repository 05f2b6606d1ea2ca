"""What one seat, or a spectator, may see of a game: the only thing that pages, letters and programs are given."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import func, select

from pbem.engine.types import Event, Outcome, Said
from pbem.play import waiting
from pbem.play.table import nobody, state_of, table_of
from pbem.play.waiting import Waiting
from pbem.store import queries
from pbem.store.tables import Club, Decision, Game, Order, Player, Ply, Seat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.orm import Session

    from pbem.play.table import Table

_NEWS = 200
"""Plies that are looked back over for news."""
_EVENTS = msgspec.json.Decoder(list[Event])


class GameFace(msgspec.Struct, frozen=True, kw_only=True):
    """What everybody may know about a game."""

    id: int
    slug: str
    title: str
    game: str
    options: Mapping[str, str]
    state: str
    ply: int
    """The ply resolved last, whichever one is looked at."""
    rules_version: int
    commitment: str
    seed: str
    """Empty until the game is over."""
    club_id: int | None
    club: str
    organiser: str
    organiser_id: int | None
    practice: bool
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


class SeatFace(msgspec.Struct, frozen=True, kw_only=True):
    """What everybody may know about a seat."""

    seat: int
    seat_id: int
    player_id: int | None
    name: str
    colour: str
    bot: str
    mine: bool
    awaited: bool | None
    """Whether the game waits for it; None where nobody may know."""


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """An event as its reader gets it."""

    ply: int
    at: datetime
    event: Event


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What the reader is asked."""

    ply: int
    """The ply an order must name."""
    kind: str
    question: Said
    opened_at: datetime
    due_at: datetime | None
    due_version: int
    optional: bool
    secret: bool
    sealed: bool
    answer: str
    """The order given so far, in its canonical form; empty if none."""
    answered_at: datetime | None
    hand: str
    draft: str
    topics: tuple[str, ...]
    """Rule ids that help."""


class Situation(msgspec.Struct, frozen=True, kw_only=True):
    """A game as one seat (or a spectator: None) sees it after ply `ply`."""

    game: GameFace
    seat: int | None
    seat_id: int | None
    ply: int
    at: datetime
    """When that ply was resolved."""
    view: Any
    public: Any
    """What a spectator may see of the same position: all that a picture in a letter shows."""
    heading: Said
    asked: Asked | None
    since: tuple[Told, ...]
    """What happened since the reader's last decision, as far as the reader may know."""
    marks: tuple[str, ...]
    """Board elements that changed in it."""
    players: tuple[SeatFace, ...]
    waiting: Waiting | None
    """Why the game is waiting; None for a look at an earlier ply."""
    outcome: Outcome | None


def situation(session: Session, now: datetime, seat_id: int, ply: int | None = None) -> Situation:
    """What a seat may see, at present or as of an earlier `ply`. Raises NotSeated if there is no such seat or ply."""
    seat = session.get(Seat, seat_id)
    if seat is None:
        raise nobody()
    return see(session, now, table_of(session, session.get_one(Game, seat.game_id)), seat, ply)


def watch(session: Session, now: datetime, game_id: int, ply: int | None = None) -> Situation:
    """What a spectator may see. Raises NotSeated if there is no such game or ply."""
    game = session.get(Game, game_id)
    if game is None:
        raise nobody()
    return see(session, now, table_of(session, game), None, ply)


def see(session: Session, now: datetime, table: Table, seat: Seat | None, ply: int | None = None) -> Situation:
    """The situation at a table whose rows are at hand."""
    game, rules = table.game, table.rules
    at = game.ply if ply is None else ply
    position = queries.position(session, game.id, at)
    if position is None:
        raise nobody()
    number = None if seat is None else seat.seat
    state = state_of(rules, position.snapshot)
    view = rules.view(state, number)
    present = at == game.ply
    decisions = position.decisions if present else []
    since = _told(_news(session, game.id, number, at), number)
    return Situation(
        game=_game_face(session, game),
        seat=number,
        seat_id=None if seat is None else seat.id,
        ply=at,
        at=position.resolved_at,
        view=view,
        public=view if number is None else rules.view(state, None),
        heading=rules.heading(view),
        asked=_asked(session, table, view, decisions, number),
        since=since,
        marks=tuple(dict.fromkeys(mark for told in since for mark in told.event.marks)),
        players=_faces(table, decisions, number),
        waiting=waiting.why(now, table, decisions, number) if present else None,
        outcome=msgspec.json.decode(game.outcome, type=Outcome) if game.outcome and present else None,
    )


def _game_face(session: Session, game: Game) -> GameFace:
    club = session.get(Club, game.club_id) if game.club_id else None
    organiser = session.get(Player, game.organiser_id) if game.organiser_id else None
    return GameFace(
        id=game.id,
        slug=game.slug,
        title=game.title,
        game=game.game,
        options=game.options,
        state=game.state,
        ply=game.ply,
        rules_version=game.rules_version,
        commitment=game.commitment,
        seed=game.seed if game.state == "finished" else "",
        club_id=game.club_id,
        club=club.name if club else "",
        organiser=organiser.name if organiser else "",
        organiser_id=game.organiser_id,
        practice=game.practice,
        created_at=game.created_at,
        started_at=game.started_at,
        finished_at=game.finished_at,
    )


def _faces(table: Table, decisions: Sequence[Decision], mine: int | None) -> tuple[SeatFace, ...]:
    colours = table.rules.meta.colours
    open_seats = waiting.open_seats(decisions)
    hidden = any(decision.secret for decision in decisions)
    return tuple(
        SeatFace(
            seat=number,
            seat_id=seat.id,
            player_id=None if seat.bot else seat.player_id,
            name=name_of(table, number),
            colour=colours[number % len(colours)],
            bot=seat.bot,
            mine=number == mine,
            awaited=None if hidden else number in open_seats,
        )
        for number, seat in table.seats.items()
    )


def name_of(table: Table, seat: int) -> str:
    """What a seat is called: its player's name, or that a bot has it."""
    player = table.players.get(seat)
    colours = table.rules.meta.colours
    return player.name if player else f"{colours[seat % len(colours)]} bot"


def _asked(session: Session, table: Table, view: Any, decisions: Sequence[Decision], seat: int | None) -> Asked | None:
    decision = next((d for d in decisions if d.seat == seat and d.closed_at is None), None)
    if decision is None or seat is None:
        return None
    sent = queries.sent(session, table.game.id, decision.ply, seat)
    drafts = [order.canonical for order in sent if order.kind == "draft"]
    return Asked(
        ply=decision.ply,
        kind=decision.kind,
        question=table.rules.question(view),
        opened_at=decision.opened_at,
        due_at=decision.due_at,
        due_version=decision.due_version,
        optional=decision.optional,
        secret=decision.secret,
        sealed=decision.sealed,
        answer=next((order.canonical for order in sent if order.id == decision.order_id), ""),
        answered_at=decision.answered_at,
        hand=decision.hand,
        draft=drafts[-1] if drafts else "",
        topics=tuple(table.rules.topics(view)),
    )


def _news(session: Session, game_id: int, seat: int | None, ply: int) -> Any:
    """The plies a seat hasn't been told of: from the one its newest own order went into. For a spectator: the last."""
    first: Any = ply
    if seat is not None:
        own = select(func.max(Decision.ply)).where(
            Decision.game_id == game_id,
            Decision.seat == seat,
            Decision.ply.between(ply - _NEWS, ply),
            Decision.hand.in_(("player", "sitter")),
        )
        first = func.coalesce(own.scalar_subquery(), max(ply - _NEWS, 0))
    return _plies(session, game_id, first, ply)


def _plies(session: Session, game_id: int, first: Any, last: int) -> Any:
    return session.execute(
        select(Ply.ply, Ply.resolved_at, Ply.events)
        .where(Ply.game_id == game_id, Ply.ply >= first, Ply.ply <= last)
        .order_by(Ply.ply)
    )


def _told(rows: Any, seat: int | None) -> tuple[Told, ...]:
    return tuple(
        Told(ply=row.ply, at=row.resolved_at, event=event)
        for row in rows
        for event in _EVENTS.decode(row.events)
        if event.seen_by is None or seat in event.seen_by
    )


def story(session: Session, game_id: int, seat: int | None, first: int, last: int) -> tuple[Told, ...]:
    """The events of plies `first` to `last` that a seat (or a spectator) may know of, in order."""
    return _told(_plies(session, game_id, first, last), seat)


class OrderFace(msgspec.Struct, frozen=True, kw_only=True):
    """One text a seat sent, for its own eyes."""

    ply: int
    text: str
    canonical: str
    kind: str
    reason: str
    source: str
    created_at: datetime


def orders_of(session: Session, game_id: int, seat: int, ply: int | None = None) -> tuple[OrderFace, ...]:
    """What a seat has sent, for one ply or in the whole game, oldest first; for that seat only."""
    query = select(Order).where(Order.game_id == game_id, Order.seat == seat).order_by(Order.id)
    if ply is not None:
        query = query.where(Order.ply == ply)
    return tuple(
        OrderFace(
            ply=row.ply,
            text=row.text,
            canonical=row.canonical,
            kind=row.kind,
            reason=row.reason,
            source=row.source,
            created_at=row.created_at,
        )
        for row in session.execute(query).scalars()
    )
