"""Administration of one game by its organiser: who blocks it and since when, and what may be done about it, logged."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.capabilities import links, roles
from pbem.engine.core.message import N_, Message, sentence
from pbem.errors import NotAllowed, WrongInput, nobody
from pbem.play.admin import action_log
from pbem.play.deadlines import delivery_clock
from pbem.play.deadlines.waiting_reasons import are_hidden, is_told, open_seats
from pbem.play.seats import recruitment
from pbem.play.turns import stuck
from pbem.play.views.game_context import table_of
from pbem.play.views.seat_view import seat_name
from pbem.store import unit_of_work
from pbem.store.models import Club, Game, GameState, Invitation, OpenDecision, Player, Seat
from pbem.store.queries import common
from pbem.structs import Value, from_attributes

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from pbem.play.admin.action_log import AdminAction
    from pbem.play.views.game_context import GameContext

LONGEST_EXTENSION = 14 * 24
"""Hours a deadline can be moved, and how far from now it can be, however often that is done."""
NO_CLOCK = N_("Only a game that runs has a deadline to move.")


class SeatState(Value, kw_only=True):
    """A seat as its organiser may see it: no order, no hand, and of a secret decision not even that it is open."""

    seat: int
    seat_id: int
    name: str
    """Its player's name or its bot's colour; "" for a free one."""
    bot: str
    is_free: bool
    awaited: bool | None
    """None where choices are secret and their time isn't over."""
    asked_at: datetime | None
    letter_at: datetime | None
    nudges: int
    invited: str
    """Who is asked to a free seat by an invitation that is still open."""
    mail: str
    """The state of the player's address: new, good, soft, bounced, complained, erased."""


class GameAdminView(Value, kw_only=True):
    """What the organiser's page of a game shows."""

    game_id: int
    slug: str
    club: str
    """The short name of its club, whose control room leads here; "" without one."""
    title: str
    game: str
    state: GameState
    ply: int
    due_at: datetime | None
    cover_at: datetime | None
    seats: tuple[SeatState, ...]
    log: tuple[action_log.LogEntry, ...]
    plays: bool
    """Whether the organiser has a seat here too."""


def organiser(
    session: Session, slug: str, players: Mapping[int, int], *, club_id: int | None = None
) -> tuple[Game, Player]:
    """Return the game (of a club, if one is named) and who of these persons (number to epoch) may organise it.

    Raises NotSeated.
    """
    game = common.game_called(session, slug)
    if game is None or (club_id is not None and game.club_id != club_id):
        raise nobody()
    allowed = organisers(session, game)
    for player_id, epoch in players.items():
        player = session.get(Player, player_id) if player_id in allowed else None
        if player is not None and player.epoch == epoch:
            return game, player
    raise nobody()


def organisers(session: Session, game: Game) -> set[int | None]:
    """Return the numbers of those who may organise a game: its organiser, and its club's."""
    return {game.organiser_id, *(roles.organisers(session, game.club_id) if game.club_id else ())}


def admin_view(session: Session, now: datetime, game: Game, reader: Player) -> GameAdminView:
    """Return how the game stands, for the organiser `reader`."""
    table = table_of(session, game)
    return from_attributes(
        GameAdminView,
        game,
        game_id=game.id,
        club=session.get_one(Club, game.club_id).slug if game.club_id is not None else "",
        seats=seats(session, now, table),
        log=action_log.entries(session, game.id),
        plays=any(player.id == reader.id for player in table.players.values()),
    )


def seats(session: Session, now: datetime, table: GameContext) -> tuple[SeatState, ...]:
    """Return who has each seat, or is invited to it, and whether the game waits for them."""
    decisions = {d.seat: d for d in common.decisions_of(session, table.game)}
    invited = _invited(session, now, table.game) if table.game.state == GameState.OPEN else {}
    return tuple(_seat(now, table, number, decisions, invited.get(number, "")) for number in table.seats)


def _invited(session: Session, now: datetime, game: Game) -> dict[int | None, str]:
    """By seat, the names of those who may still accept it."""
    rows = session.execute(
        select(Invitation.seat, Player.name)
        .join(Player, Player.id == Invitation.player_id)
        .where(Invitation.game_id == game.id, Invitation.is_open(now))
        .order_by(Invitation.id)
    )
    names: dict[int | None, list[str]] = {}
    for row in rows:
        names.setdefault(row.seat, []).append(row.name)
    return {seat: ", ".join(found) for seat, found in names.items()}


def _seat(
    now: datetime, table: GameContext, number: int, decisions: Mapping[int, OpenDecision], invited: str
) -> SeatState:
    seat, player = table.seats[number], table.players.get(number)
    told = is_told(table.game.due_at, now)
    hidden = are_hidden(decisions.values()) and not told
    own = decisions.get(number)
    decision = own if own and (told or not (hidden or own.secret)) else None
    letter = decision if decision and (told or decision.held_until is None) else None
    return SeatState(
        seat=number,
        seat_id=seat.id,
        name=seat_name(table.game, number, seat.bot, player.name if player else None),
        bot=seat.bot,
        is_free=seat.is_free,
        awaited=None if hidden else number in open_seats(list(decisions.values()), told=told),
        asked_at=decision.opened_at if decision else None,
        letter_at=letter.letter_at if letter else None,
        nudges=letter.nudge_step if letter else 0,
        invited=invited,
        mail=player.address_state if player else "",
    )


def _locked(session: Session, game: Game, state: str, act: Message) -> Game:
    locked = common.lock_game(session, game.id)
    if locked is None or locked.state != state:
        raise NotAllowed(act)
    return locked


def pause(session: Session, action: AdminAction) -> None:
    """Let the game rest: no deadline, no reminder, no new order. Raises NotAllowed unless it runs."""
    game = _locked(session, action.game, "running", sentence("Only a game that runs can be paused."))
    delivery_clock.stop_clock(game, common.decisions_of(session, game))
    game.state, game.wake_at = GameState.PAUSED, None


def resume(session: Session, action: AdminAction) -> None:
    """Take a paused game up again, with the full time for whoever is asked, who are reminded at once.

    Raises NotAllowed unless it is paused.
    """
    game = _locked(session, action.game, "paused", sentence("Only a paused game can be taken up again."))
    game.state = GameState.RUNNING
    unit_of_work.wake(session, game, action.now)
    session.flush()
    delivery_clock.move_deadline(session, table_of(session, game), action.now)
    for decision in common.decisions_of(session, game):
        if decision.nudge_at is not None:
            decision.nudge_at = action.now


def extend(session: Session, action: AdminAction, hours: int) -> None:
    """Move the deadline, or the end of a wait for players, back by whole hours. Raises WrongInput or NotAllowed."""
    if not 1 <= hours <= LONGEST_EXTENSION:
        raise WrongInput(
            "A deadline moves by 1 to {limit} hours, not by {hours}.", limit=LONGEST_EXTENSION, hours=hours
        )
    if action.game.state == GameState.OPEN:
        recruitment.wait_longer(session, action, hours)
        return
    game = _locked(session, action.game, "running", sentence(NO_CLOCK))
    if game.due_at is None:
        raise NotAllowed("This game has no deadline at the moment.")
    latest = action.now + timedelta(hours=LONGEST_EXTENSION)
    due = min(max(game.due_at, action.now) + timedelta(hours=hours), max(latest, game.due_at))
    delivery_clock.put_deadline(session, action.now, table_of(session, game), due)


def retry(session: Session, action: AdminAction) -> None:
    """Try a stuck game again. Raises NotAllowed unless it is stuck."""
    stuck.unstick(session, action.now, action.game.id)


def fresh_link(session: Session, action: AdminAction, seat: int) -> None:
    """Revoke a seat's links and mail its player a new one. Raises NotSeated for a seat that isn't there."""
    seat_id = session.scalar(select(Seat.id).where(Seat.game_id == action.game.id, Seat.seat == seat))
    links.fresh(session, action.now, seat_id or 0)  # no seat has that number, so it is refused there
