"""Everything one person has to decide or wait for, over all their games, the most urgent first."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, exists, or_, select
from sqlalchemy.orm import Session

from pbem.engine.core.errors import UnknownVersion
from pbem.engine.core.message import Message
from pbem.engine.registry import rules_for
from pbem.play.deadlines import waiting_reasons
from pbem.play.views.game_context import UNPLAYED, outcome_of, state_of
from pbem.store.models import (
    OVER,
    UNDERWAY,
    Game,
    GameState,
    OpenDecision,
    Player,
    Proposal,
    Seat,
    Sitter,
    StoredPly,
    Vote,
)
from pbem.structs import Value, from_attributes

LATEST = 20
"""Games that are over which are listed, the newest: each costs the reading of a position."""
_LATER = datetime.max.replace(tzinfo=UTC)


class QueueItem(Value, kw_only=True):
    """One seat of one game."""

    seat_id: int
    epoch: int
    """The seat's, for its links."""
    seat: int
    slug: str
    title: str
    game: str
    state: GameState
    ply: int
    heading: Message
    question: Message | None = None
    """What is asked; None if nothing is."""
    asked_kind: str = ""
    asked_ply: int | None = None
    optional: bool = False
    opened_at: datetime | None = None
    due_at: datetime | None = None
    due_version: int = 0
    """Rises whenever the deadline moves."""
    answered: bool = False
    sitting: bool = False
    """Whether the seat is another person's."""
    name: str = ""
    """Whose seat it is."""
    finished_at: datetime | None = None
    votes: bool = False
    """Whether the table votes on something, and this seat has not yet."""
    place: int | None = None
    """Which place it came to, once its game is over with a result."""


def queue(session: Session, now: datetime, player_id: int, over: int | None = LATEST) -> tuple[QueueItem, ...]:
    """Return the seats a person holds or sits in for, unanswered decisions first, by deadline.

    Of their own games that are over the newest `over`, or all.
    """
    mine = Seat.player_id == player_id
    newest = (
        select(Seat.id)
        .join(Game)
        .where(mine, Game.state.in_(OVER))
        .order_by(Game.finished_at.desc(), Game.id.desc())
        .limit(over)
    )
    sat = select(Seat.id).join(Sitter, Seat.holds(Sitter)).where(Sitter.player_id == player_id, Sitter.at_present(now))
    own = _items(session, now, mine & (Game.state.in_(UNDERWAY) | Seat.id.in_(newest)))
    others = _items(session, now, Seat.id.in_(sat))
    return _sorted([*own, *(msgspec.structs.replace(item, sitting=True, votes=False) for item in others)])


_ASKED = OpenDecision.at_present() & (OpenDecision.seat == Seat.seat)
"""What a seat is asked now."""


def progress_of(session: Session, seat_id: int) -> tuple[GameState, int, datetime | None]:
    """Return the state of the game of a seat, the ply it has come to, and when its next was answered, if it was."""
    state, ply, answered_at = session.execute(
        select(Game.state, Game.ply, OpenDecision.answered_at)
        .join(Seat)
        .outerjoin(OpenDecision, _ASKED)
        .where(Seat.id == seat_id)
    ).one()
    return GameState(state), ply, answered_at


def of_seats(session: Session, now: datetime, seat_ids: Collection[int]) -> tuple[QueueItem, ...]:
    """Return the same for single seats, whoever holds them."""
    return _sorted(_items(session, now, Seat.id.in_(seat_ids)))


def lacks_vote(session: Session, now: datetime, seat_id: int) -> bool:
    """Return whether the table of a seat votes on something, and the seat has not yet."""
    return session.execute(select(_lacks_vote(now)).where(Seat.id == seat_id)).scalar_one()


def _lacks_vote(now: datetime) -> ColumnElement[bool]:
    voted = exists().where(Vote.proposal_id == Proposal.id, Vote.binds()).correlate(Proposal, Seat)
    may_vote = or_(Proposal.seat.is_(None), Proposal.seat != Seat.seat)
    here = Proposal.game_id == Seat.game_id
    return exists().where(here, Proposal.is_open(now), may_vote, ~voted).correlate(Seat)


def _items(session: Session, now: datetime, which: Any) -> list[QueueItem]:
    rows = session.execute(
        select(Seat, Game, StoredPly.snapshot, OpenDecision, Player.name, _lacks_vote(now))
        .join(Game, Game.id == Seat.game_id)
        .join(StoredPly, (StoredPly.game_id == Game.id) & (StoredPly.ply == Game.ply))
        .outerjoin(
            OpenDecision,
            _ASKED,
        )
        .outerjoin(Player, Player.id == Seat.player_id)
        .where(which, Game.state.in_((*UNDERWAY, *OVER)))
    )
    return [
        msgspec.structs.replace(_item(seat, game, snapshot, decision), name=name or "", votes=votes)
        for seat, game, snapshot, decision, name, votes in rows
    ]


def _item(seat: Seat, game: Game, snapshot: bytes, decision: OpenDecision | None) -> QueueItem:
    outcome = outcome_of(game.outcome)
    try:
        rules = rules_for(game)
    except UnknownVersion:
        decision, heading, question = None, Message(UNPLAYED), None  # the person's other games are shown all the same
    else:
        view = rules.view(state_of(rules, snapshot), seat.seat)
        heading, question = rules.heading(view), rules.question(view) if decision else None
    item = from_attributes(
        QueueItem,
        game,
        seat_id=seat.id,
        epoch=seat.epoch,
        seat=seat.seat,
        heading=waiting_reasons.heading(game.state, heading),
        due_at=None,
        due_version=0,
        place=outcome.places[seat.seat] if outcome else None,
    )
    if decision is None:
        return item
    return msgspec.structs.replace(
        item,
        question=question,
        asked_kind=decision.kind,
        asked_ply=decision.ply,
        optional=decision.optional,
        opened_at=decision.opened_at,
        due_at=decision.due_at,
        due_version=decision.due_version,
        answered=decision.order_id is not None,
    )


def _sorted(items: list[QueueItem]) -> tuple[QueueItem, ...]:
    return tuple(
        sorted(
            items,
            key=lambda i: (
                i.state.is_over,
                not i.asked_kind or i.answered,
                i.optional,
                i.due_at or _LATER,
                i.seat_id,
            ),
        )
    )
