"""Why a game is waiting, said from what the scheduler itself goes by."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from pbem.engine.core.message import N_, Message, sentence
from pbem.messages import holes
from pbem.play.deadlines.cadence import cadence_of
from pbem.store.models import UNREACHABLE, GameState
from pbem.structs import Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pbem.engine.core.types import Decision
    from pbem.store.models import OpenDecision, Seat
    from pbem.store.queries.game_pages import DecisionRow, GameRow, GameWithSeats, SeatRow

STILL = {
    "open": N_("The game has not started yet: players are still wanted."),
    "paused": N_("The game is paused by the organiser."),
    "stuck": N_("The game has stopped because of a fault on the server. The organiser has been told."),
    "finished": N_("The game is over."),
    "ended": N_("The game was ended by agreement."),
    "withdrawn": N_("The game was called off before it began."),
}
"""Of a game that doesn't run, by its state."""


def heading(state: str, of_position: Message) -> Message:
    """Return where a game of this state stands: its position doesn't say that it was ended without a result."""
    return Message(STILL[state]) if state == GameState.ENDED else of_position


class Waiting(Value, kw_only=True):
    """The answer to "why does nothing happen?"."""

    said: Message
    answers_alone: bool
    """Whether it waits for nothing but answers."""
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


def persons(seats: Iterable[Seat | SeatRow]) -> set[int]:
    """Return which seats of a table persons play: bots neither vote nor wait for anybody, nor get a letter."""
    return {seat.seat for seat in seats if seat.player_id is not None and not seat.bot}


def has_others(seats: Iterable[Seat | SeatRow]) -> bool:
    """Return whether more than one of a table's seats is a person's."""
    return len(persons(seats)) > 1


def said(text: str, **params: Any) -> Message:
    """Return a sentence whose holes may also hold moments and numbers of seats."""
    return Message(text, params)


def held_until(decisions: Iterable[OpenDecision | DecisionRow]) -> datetime | None:
    """Return when the answers to what is open count at the earliest; None if nothing holds them."""
    return max((one.held_until for one in decisions if one.held_until is not None), default=None)


def is_told(due_at: datetime | None, now: datetime) -> bool:
    """Return whether organisers are told by now who chooses in secret and whose answers are held: past the deadline."""
    return due_at is not None and due_at <= now


def is_open(decision: OpenDecision | DecisionRow, *, told: bool) -> bool:
    """Return whether a decision waits for its answer; an answer that is held doesn't show, but to who is `told`."""
    return decision.order_id is None or (decision.held_until is not None and not told)


def are_hidden(decisions: Iterable[OpenDecision | DecisionRow | Decision]) -> bool:
    """Return whether nobody may know who is waited for; what nobody waits for hides no one."""
    return any(decision.secret and not decision.optional for decision in decisions)


def open_seats(decisions: Sequence[OpenDecision | DecisionRow], *, told: bool = False) -> tuple[int, ...]:
    """Return the seats known to be asked still, be it ahead of their turn; `told` as in `is_open`."""
    asked = (d for d in decisions if not d.optional and d.closed_at is None)
    return tuple(d.seat for d in asked if is_open(d, told=told))


def needed_seats(decisions: Sequence[OpenDecision | DecisionRow]) -> tuple[int, ...]:
    """Return those without whose answer the game can't go on: deadlines count their time alone."""
    wanted = (d for d in decisions if not d.optional and not d.ahead)
    return tuple(d.seat for d in wanted if d.order_id is None and d.closed_at is None)


def why(now: datetime, table: GameWithSeats, reader: int | None) -> Waiting:
    """Why the game waits, as `reader` may know it: nobody learns who is asked in secret, nor of an answer held."""
    game, decisions = table.game, table.decisions
    secret = are_hidden(decisions)
    seats = open_seats(decisions)
    mine = next((d for d in decisions if d.seat == reader), None)
    awaited = persons(table.seats).intersection(seats)
    named = [d for d in decisions if d.seat in awaited and not d.secret and d.held_until is None]
    letters = [d.letter_at for d in named if d.letter_at is not None]
    own = [mine] if mine is not None and mine not in named else []
    nudges = [d.nudge_at for d in (own if secret else [*named, *own]) if d.nudge_at and d.order_id is None]
    opened = max((d.opened_at for d in decisions), default=None)
    hindrance = _hindrance(now, table, opened, seats, secret=secret)
    return Waiting(
        said=hindrance or said(N_("Waiting for {seats} since {since}."), seats=seats, since=opened),
        answers_alone=hindrance is None,
        then=_then(table, mine),
        rule=_rule(table) if game.state == GameState.RUNNING and game.due_at is not None else None,
        who=None if secret else seats,
        since=opened,
        due_at=game.due_at,
        cover_at=game.cover_at,
        next_nudge_at=min(nudges, default=None),
        letter_at=max(letters, default=None),
    )


def _hindrance(
    now: datetime, table: GameWithSeats, opened: datetime | None, seats: Sequence[int], *, secret: bool
) -> Message | None:
    """Return what the game waits for beside the answers of seats that may be named; None for nothing else."""
    if table.game.state != GameState.RUNNING:
        return Message(STILL[table.game.state])
    moment = held_until(table.decisions) or now
    if secret:
        return said(_UNTIL, moment=moment) if now < moment else sentence("Choices are still open.")
    ahead = {d.seat for d in table.decisions if d.ahead}
    needed = [seat for seat in seats if seat not in ahead]
    if not needed:
        return _all_in(now, table.game)
    unreachable = tuple(
        seat.seat for seat in table.seats if seat.seat in needed and not seat.bot and seat.address_state in UNREACHABLE
    )
    if unreachable:
        return said(
            N_("Mail to {seats} comes back, so the deadline is up to a week later. The organiser has been told."),
            seats=unreachable,
        )
    if now < moment:
        return said(_HELD, seats=seats, since=opened, moment=moment)
    return None


_UNTIL = N_("Choices are still open. Answers wait until {moment}; then all of them count.")
_HELD = N_("Waiting for {seats} since {since}. An answer counts from {moment} on.")


def _all_in(now: datetime, game: GameRow) -> Message:
    """That nobody is waited for, and when the game goes on."""
    if game.wake_at is None or game.wake_at <= now or not game.cooling:
        return sentence("All orders are in. The game goes on in a moment.")
    text = N_("All orders are in. The game goes on at {moment}, unless somebody changes theirs.")
    return said(text, moment=game.wake_at)


def _then(table: GameWithSeats, mine: DecisionRow | None) -> Message:
    game = table.game
    if game.state != GameState.RUNNING or game.cover_at is None:
        return sentence("There is no deadline at the moment.")
    if mine is not None and mine.order_id is not None:
        return sentence("Your order stands until then.")
    if mine is not None and mine.ahead:
        return sentence(
            "It isn't your turn yet. Without an answer you are asked again when it comes, with your full time."
        )
    if mine is not None and mine.base_at is not None and mine.due_at is not None:
        text = N_("Your time for this decision is over at {base_at}; then your reserve runs, until {due_at} at most.")
        return said(text, base_at=mine.base_at, due_at=mine.due_at)
    seat = next((seat for seat in table.seats if mine is not None and seat.seat == mine.seat), None)
    if mine is not None and seat is not None and mine.kind in seat.never:
        return said(_NEVER if has_others(table.seats) else _NEVER_ALONE, cover_at=game.cover_at)
    first = _RUNGS.get(seat.ladder[0]) if seat is not None and seat.ladder else None
    text = first or N_("Whoever has not answered by {cover_at} is answered for by the server, with the safe default.")
    return said(text, cover_at=game.cover_at)


def _rule(table: GameWithSeats) -> Message:
    """Return how the game's pace sets a deadline, and what is given after it."""
    cadence = cadence_of(table.game.cadence)
    text = _LIMITED if cadence.most else _BANKED if cadence.bank else _PACE
    return Message(text, {name: getattr(cadence, name) for name in holes(text)})


_PACE = N_(
    "Everybody has at least {hours} hour(s) for a decision, of which {waking} in their own waking hours;"
    " {grace} hour(s) after that it is made for them."
)
_BANKED = N_(
    "Everybody has at least {hours} hour(s) for a decision, of which {waking} in their own waking hours, then what is"
    " left of a reserve of {bank} hour(s) for the whole game; {grace} hour(s) after that it is made for them."
)
_LIMITED = N_(
    "Everybody has at least {hours} hour(s) for a decision, of which {waking} in their own waking hours, but no more"
    " than {most} hour(s); {grace} hour(s) after that it is made for them."
)
_NEVER = N_(
    "This decision is never left to the bot: if nothing of yours has answered by {cover_at}, the game waits for you,"
    " and the others may vote for a substitute."
)
_NEVER_ALONE = N_(
    "This decision is never left to the bot: if nothing of yours has answered by {cover_at}, the game waits for you."
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
