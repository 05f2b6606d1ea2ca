"""What one seat, or a spectator, may see of a game: the only thing that pages, letters and programs are given."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pbem import waking_hours
from pbem.engine.core.errors import UnknownVersion
from pbem.engine.core.forms import Form
from pbem.engine.core.message import Message
from pbem.engine.core.types import AnyRules, Outcome
from pbem.engine.registry import rules_for
from pbem.errors import nobody
from pbem.messages import bot_name, person_name
from pbem.play.admin import action_log
from pbem.play.admin.action_log import Handover
from pbem.play.deadlines import waiting_reasons as waiting
from pbem.play.deadlines.waiting_reasons import Waiting
from pbem.play.views import positions
from pbem.play.views.game_context import GameContext, outcome_of
from pbem.play.views.positions import VisibleEvent
from pbem.store.models import Game, GameState, Player, Seat, StoredOrder, StoredPly
from pbem.store.queries import common, game_pages
from pbem.store.queries.game_pages import DecisionRow, GameWithSeats, SeatRow
from pbem.structs import Value, from_attributes


class GameSummary(Value, kw_only=True):
    """What everybody may know about a game."""

    id: int
    slug: str
    title: str
    game: str
    state: GameState
    ply: int
    """The ply resolved last, whichever one is looked at."""
    rules_version: int
    commitment: str
    seed: str
    """Empty until the game is over."""
    club_id: int | None
    finished_at: datetime | None


class SeatSummary(Value, kw_only=True):
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
    away_until: datetime | None = None
    """Until when its player is away; None for who is there, and to spectators."""
    sitter: str = ""
    """Who sits in for them at present; nobody to spectators."""


class AskedDecision(Value, kw_only=True):
    """The question open for the reader's seat: its form, its deadline, and what was answered or kept so far."""

    ply: int
    """The ply an order must name."""
    kind: str
    question: Message
    form: Form
    """The decision as a form: what can be chosen."""
    due_at: datetime | None
    optional: bool
    sealed: bool
    answer: str
    """The order given so far, in its canonical form; empty if none."""
    answered_at: datetime | None
    draft: str
    topics: tuple[str, ...]
    """Rule ids that help."""


class Situation(Value, kw_only=True):
    """A game as one seat (or a spectator: None) sees it after ply `ply`."""

    game: GameSummary
    seat: int | None
    seat_id: int | None
    ply: int
    at: datetime
    """When that ply was resolved."""
    view: Any
    heading: Message
    asked: AskedDecision | None
    since: tuple[VisibleEvent, ...]
    """What happened since the reader's last decision, as far as the reader may know."""
    since_heading: str
    """What that is headed by, a message id."""
    players: tuple[SeatSummary, ...]
    waiting: Waiting | None
    """Why the game is waiting; None for a look at an earlier ply."""
    outcome: Outcome | None
    held: tuple[Handover, ...] = ()
    """Who had seats before those who have them now."""
    public: Any = None
    """What a spectator may see of the same position, all that a picture in a letter shows: made where one is."""

    def had(self, ply: int) -> tuple[str, ...]:
        """Return what the seats are called by who had them at a ply, in their order."""
        before = positions.had(ply, self.held)
        return tuple(before.get(face.seat, face.name) for face in self.players)

    @property
    def names(self) -> tuple[str, ...]:
        """What the seats are called here: by who has them, in an earlier position by who had them then."""
        return tuple(face.name for face in self.players) if self.ply == self.game.ply else self.had(self.ply)

    @property
    def waits_for_reader(self) -> bool:
        """Whether the game waits for the reader's answer and for nothing else."""
        waiting = self.waiting
        return waiting is not None and waiting.who == (self.seat,) and waiting.answers_alone


def situation(  # noqa: PLR0913, PLR0917 - of which seat, when, for whom
    session: Session,
    now: datetime,
    seat_id: int,
    ply: int | None = None,
    table: GameWithSeats | None = None,
    sitting: int | None = None,
    *,
    pictured: bool = False,
) -> Situation:
    """What a seat may see, at present or as of an earlier `ply`. Raises NotSeated if there is no such seat or ply.

    `table` is given by who has gathered it already. `sitting` is who sits in: a draft is its player's alone.
    """
    table = table or game_pages.gathering(session, seat_id=seat_id)
    if table is None:
        raise nobody()
    seat = next(seat for seat in table.seats if seat.id == seat_id)
    found = _see(session, now, table, seat, ply, pictured=pictured)
    if sitting is None or found.asked is None:
        return found
    return msgspec.structs.replace(found, asked=msgspec.structs.replace(found.asked, draft=""))


def watch(session: Session, now: datetime, game_id: int, ply: int | None = None) -> Situation:
    """Return what a spectator may see. Raises NotSeated if there is no such game or ply."""
    table = game_pages.gathering(session, game_id=game_id)
    if table is None:
        raise nobody()
    return _see(session, now, table, None, ply)


def _see(  # noqa: PLR0913 - as above
    session: Session,
    now: datetime,
    table: GameWithSeats,
    seat: SeatRow | None,
    at: int | None,
    *,
    pictured: bool = False,
) -> Situation:
    game, ply = table.game, table.game.ply if at is None else at
    rules = rules_for(game)
    number = None if seat is None else seat.seat
    held = action_log.handovers(session, game.id) if any(one.epoch for one in table.seats) else ()
    news = table.news if at is None else None
    position = positions.position(session, rules, game.id, ply, seat, held, news, pictured=pictured)
    present = ply == game.ply
    decisions = table.decisions if present else []
    return from_attributes(
        Situation,
        position,
        game=from_attributes(GameSummary, game, seed=game.seed if game.state.is_over else ""),
        heading=waiting.heading(game.state, position.heading) if present else position.heading,
        seat=number,
        seat_id=None if seat is None else seat.id,
        ply=ply,
        asked=_asked(rules, position.view, decisions, number),
        players=_seat_summaries(rules, table.seats, decisions, number, _stand_ins(session, now, table, number)),
        waiting=waiting.why(now, table, number) if present else None,
        outcome=outcome_of(game.outcome) if present else None,
        held=held,
    )


def _stand_ins(session: Session, now: datetime, table: GameWithSeats, reader: int | None) -> dict[int, dict[str, Any]]:
    """Return by seat who is away until when, and who sits in, for who plays there; no statement where nobody is."""
    if reader is None:
        return {}
    found: dict[int, dict[str, Any]] = defaultdict(dict)
    for number, sitter in common.sitters_of(session, table.game.id, table.seats, now):
        found[number]["sitter"] = sitter.name
    for seat in table.seats:
        if seat.away_until is not None and seat.away_until > now:
            player = session.get_one(Player, seat.player_id)
            for starts, ends in waking_hours.union(common.absences_of(session, (player,), now).get(player.id, ())):
                if starts <= now:
                    found[seat.seat]["away_until"] = ends
    return found


def _seat_summaries(
    rules: AnyRules,
    seats: Sequence[SeatRow],
    decisions: Sequence[DecisionRow],
    mine: int | None,
    stand_ins: Mapping[int, Mapping[str, Any]],
) -> tuple[SeatSummary, ...]:
    open_seats = waiting.open_seats(decisions)
    hidden = waiting.are_hidden(decisions)
    return tuple(
        SeatSummary(
            seat=seat.seat,
            seat_id=seat.id,
            player_id=None if seat.bot else seat.player_id,
            name=bot_called(rules, seat.seat) if seat.bot or seat.name is None else person_name(seat.name),
            colour=colour_of(rules, seat.seat),
            bot=seat.bot,
            mine=seat.seat == mine,
            awaited=None if hidden else seat.seat in open_seats,
            **stand_ins.get(seat.seat, {}),
        )
        for seat in seats
    )


def colour_of(rules: AnyRules, seat: int) -> str:
    """Return the colour a seat plays."""
    colours = rules.meta.colours
    return colours[seat % len(colours)]


def bot_called(rules: AnyRules, seat: int) -> str:
    """Return what a seat is called that no person holds."""
    return bot_name(colour_of(rules, seat))


def seat_name(game: Game, seat: int, bot: str, player: str | None) -> str:
    """Return what a seat is called in lists: its player's name or its bot's colour; empty for a free one."""
    if player or not bot:
        return person_name(player or "")
    try:
        return bot_called(rules_for(game), seat)
    except UnknownVersion:
        return "bot"


def seat_names(session: Session, games: Sequence[Game]) -> dict[int, tuple[str, ...]]:
    """Return by game what its seats are called in lists, in their order."""
    found = {game.id: (game, list[str]()) for game in games}
    rows = session.execute(
        select(Seat.game_id, Seat.seat, Seat.bot, Player.name)
        .outerjoin(Player)
        .where(Seat.game_id.in_(found))
        .order_by(Seat.seat)
    )
    for number, seat, bot, player in rows:
        game, names = found[number]
        names.append(seat_name(game, seat, bot, player))
    return {number: tuple(names) for number, (_, names) in found.items()}


def name_of(table: GameContext, seat: int) -> str:
    """Return what a seat is called: its player's name, or that a bot has it."""
    player = table.players.get(seat)
    return person_name(player.name) if player else bot_called(table.rules, seat)


def holder(table: GameContext, seat: int) -> int | str:
    """Return who has a seat now, as a journal keeps it: a person's number, or what a bot is called."""
    player = table.players.get(seat)
    return player.id if player else name_of(table, seat)


def _asked(rules: AnyRules, view: Any, decisions: Sequence[DecisionRow], seat: int | None) -> AskedDecision | None:
    decision = next((d for d in decisions if d.seat == seat and d.closed_at is None), None)
    if decision is None:
        return None
    return from_attributes(
        AskedDecision,
        decision,
        question=rules.question(view),
        form=rules.form(view),
        answer=decision.answer or "",
        draft=decision.draft or "",
        topics=tuple(rules.topics(view)),
    )


def story(  # noqa: PLR0913, PLR0917 - which plies, whose reading, and who had seats before
    session: Session, game_id: int, seat: int | None, first: int, last: int, held: Sequence[Handover]
) -> tuple[VisibleEvent, ...]:
    """Return the events of plies `first` to `last` that a seat (or a spectator) may know of, in order."""
    plies = session.execute(
        select(StoredPly.ply, StoredPly.resolved_at, StoredPly.events)
        .where(StoredPly.game_id == game_id, StoredPly.ply >= first, StoredPly.ply <= last)
        .order_by(StoredPly.ply)
    )
    return positions.visible_events(((row.ply, row.resolved_at, row.events) for row in plies), seat, held)


class OrderSummary(Value, kw_only=True):
    """One text a seat sent, for its own eyes."""

    ply: int
    text: str
    canonical: str
    kind: str
    reason: str
    source: str
    created_at: datetime


def orders_of(
    session: Session, game_id: int, seat: int, ply: int, sitting: int | None = None
) -> tuple[OrderSummary, ...]:
    """Return what was sent for one ply, oldest first: for a seat since it is its player's, or by who sits in alone."""
    here = (StoredOrder.game_id == game_id, StoredOrder.seat == seat, StoredOrder.ply == ply)
    since = func.coalesce(Seat.joined_at, StoredOrder.created_at)
    theirs = StoredOrder.created_at >= since if sitting is None else StoredOrder.player_id == sitting
    query = select(StoredOrder).join(Seat, Seat.holds(StoredOrder)).where(*here, theirs).order_by(StoredOrder.id)
    return tuple(
        from_attributes(OrderSummary, row, text=row.text, canonical=row.canonical) for row in session.scalars(query)
    )
