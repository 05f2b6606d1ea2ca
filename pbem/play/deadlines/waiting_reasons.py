"""Why a game is waiting, said from what the scheduler itself goes by."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

import msgspec

from pbem.engine.core.types import N_, Message
from pbem.messages import holes
from pbem.play.deadlines.cadence import cadence_of, released
from pbem.store.models import UNREACHABLE, GameState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.store.models import OpenDecision
    from pbem.store.queries.game_pages import DecisionRow, GameWithSeats

_STILL = {
    "open": N_("The game has not started yet: players are still wanted."),
    "paused": N_("The game is paused by the organiser."),
    "stuck": N_("The game has stopped because of a fault on the server. The organiser has been told."),
    "finished": N_("The game is over."),
    "ended": N_("The game was ended by agreement."),
    "withdrawn": N_("The game was called off before it began."),
}


class Waiting(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to "why does nothing happen?"."""

    said: Message
    then: Message
    """What happens at the deadline."""
    rule: Message | None
    """By which rule the deadline was set; None while there is none."""
    who: tuple[int, ...] | None
    """The seats awaited; None where nobody may know."""
    since: datetime | None
    due_at: datetime | None
    cover_at: datetime | None
    next_nudge_at: datetime | None
    letter_at: datetime | None
    """When the last of the letters that ask was accepted by the next server."""


def said(text: str, **params: Any) -> Message:
    """A sentence whose holes may also hold moments and numbers of seats."""
    return Message(text, params)


def open_seats(decisions: Sequence[OpenDecision | DecisionRow]) -> tuple[int, ...]:
    """Seats that are asked and haven't answered, be it ahead of their turn."""
    return tuple(d.seat for d in decisions if not d.optional and d.order_id is None and d.closed_at is None)


def needed_seats(decisions: Sequence[OpenDecision | DecisionRow]) -> tuple[int, ...]:
    """Those of them without whose answer the game can't go on: deadlines count their time alone."""
    ahead = {d.seat for d in decisions if d.ahead}
    return tuple(seat for seat in open_seats(decisions) if seat not in ahead)


def why(now: datetime, table: GameWithSeats, reader: int | None) -> Waiting:
    """Why the game waits, as `reader` may know it; who is asked in secret is told to nobody."""
    game, decisions = table.game, table.decisions
    secret = any(decision.secret for decision in decisions)
    seats = open_seats(decisions)
    mine = next((d for d in decisions if d.seat == reader), None)
    named = [d for d in decisions if d.seat in seats and not d.secret]
    letters = [d.letter_at for d in named if d.letter_at is not None]
    nudges = [d.nudge_at for d in (named if not secret else [mine] if mine else []) if d.nudge_at is not None]
    opened = max((d.opened_at for d in decisions), default=None)
    return Waiting(
        said=_said(now, table, opened, secret=secret),
        then=_then(table, mine),
        rule=_rule(table) if game.state == GameState.RUNNING and game.due_at is not None else None,
        who=None if secret else seats,
        since=opened,
        due_at=game.due_at,
        cover_at=game.cover_at,
        next_nudge_at=min(nudges, default=None),
        letter_at=max(letters, default=None),
    )


def _said(now: datetime, table: GameWithSeats, opened: datetime | None, *, secret: bool) -> Message:
    game, needed = table.game, needed_seats(table.decisions)
    if game.state != GameState.RUNNING:
        return Message(_STILL[game.state])
    if secret:
        return _in_secret(now, table, opened)
    if not needed:
        if game.wake_at is not None and game.wake_at > now and game.cooling:
            return said(
                N_("All orders are in. The game goes on at {moment}, unless somebody changes theirs."),
                moment=game.wake_at,
            )
        return Message(N_("All orders are in. The game goes on in a moment."))
    unreachable = tuple(
        seat.seat for seat in table.seats if seat.seat in needed and not seat.bot and seat.address_state in UNREACHABLE
    )
    if unreachable:
        return said(
            N_("Mail to {seats} comes back, so the deadline is up to a week later. The organiser has been told."),
            seats=unreachable,
        )
    return said(N_("Waiting for {seats} since {since}."), seats=open_seats(table.decisions), since=opened)


def _in_secret(now: datetime, table: GameWithSeats, opened: datetime | None) -> Message:
    """That choices are open, and until when all answers wait; neither tells who has answered, or when."""
    cadence = cadence_of(table.game.cadence)
    if not cadence.release or opened is None or now >= (moment := released(cadence, opened)):
        return Message(N_("Choices are still open."))
    return said(N_("Choices are still open. Answers wait until {moment}; then all of them count."), moment=moment)


def _then(table: GameWithSeats, mine: DecisionRow | None) -> Message:
    game = table.game
    if game.state != GameState.RUNNING or game.cover_at is None:
        return Message(N_("There is no deadline at the moment."))
    if mine is not None and mine.order_id is not None:
        return Message(N_("Your order stands until then."))
    if mine is not None and mine.ahead:
        return Message(
            N_("It isn't your turn yet. Without an answer you are asked again when it comes, with your full time.")
        )
    if mine is not None and mine.base_at is not None and mine.due_at is not None:
        text = N_("Your time for this decision is over at {base_at}; then your reserve runs, until {due_at} at most.")
        return said(text, base_at=mine.base_at, due_at=mine.due_at)
    seat = next((seat for seat in table.seats if mine is not None and seat.seat == mine.seat), None)
    if mine is not None and seat is not None and mine.kind in seat.never:
        return said(_NEVER, cover_at=game.cover_at)
    first = _RUNGS.get(seat.ladder[0]) if seat is not None and seat.ladder else None
    text = first or N_("Whoever has not answered by {cover_at} is answered for by the server, with the safe default.")
    return said(text, cover_at=game.cover_at)


def _rule(table: GameWithSeats) -> Message:
    """How the game's pace sets a deadline, and what is given after it."""
    cadence = cadence_of(table.game.cadence)
    hours = {name: f"{getattr(cadence, name):g}" for name in ("hours", "waking", "grace", "bank", "most")}
    text = _LIMITED if cadence.most else _BANKED if cadence.bank else _PACE
    return Message(text, {name: hours[name] for name in holes(text)})


_PACE = N_(
    "Each decision has {hours} hours, {waking} of them waking hours of its player; {grace} more until it is made."
)
_BANKED = N_(
    "Each decision has {hours} hours, {waking} of them waking hours of its player, then what is left of {bank} hours"
    " for the whole game; {grace} more until it is made."
)
_LIMITED = N_(
    "Each decision has {hours} hours, {waking} of them waking hours of its player, {most} at most; {grace} more until"
    " it is made."
)
_NEVER = N_(
    "This decision is never left to the bot: if nothing of yours has answered by {cover_at}, the game waits for you,"
    " and the others may vote for a substitute."
)
_RUNGS = {
    "draft": N_("If you have not answered by {cover_at}, your draft is played, or else the safe default."),
    "standing": N_(
        "If you have not answered by {cover_at}, your standing orders are played, or else the safe default."
    ),
    "pass": N_(
        "If you have not answered by {cover_at}, you pass where that is legal, or else the safe default is played."
    ),
}
