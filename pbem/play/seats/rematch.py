"""A rematch: the game that is over once more, for the same people, who are asked by letter."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.capabilities import roles
from pbem.errors import NotAllowed, NotOpen
from pbem.play.deadlines.cadence import cadence_of
from pbem.play.seats import opening, practice
from pbem.play.views.game_context import locked_game
from pbem.store.models import Game, GameState, Invitation, Seat
from pbem.store.queries import common


def open_rematch(session: Session, now: datetime, game_id: int, by: int) -> Game:
    """Open the same game anew for whoever sat there at its end; who asks is seated, all other persons are invited.

    Whom another one's rematch has invited already takes the seat there by asking: all who ask meet in one game.
    Raises NotOpen while the game goes on or where a rematch waits already, NotAllowed for who had no seat in it or has
    left its club.
    """
    game = locked_game(session, game_id)  # two who ask at once would each open one
    if not game.state.is_over:
        raise NotOpen("The game is not over yet.")
    seats = [seat for seat, _ in common.seats_of(session, game_id)]
    if by not in {seat.player_id for seat in seats}:
        raise NotAllowed("Only who played this game can ask for a rematch.")
    if game.club_id is not None and not roles.is_member(session, game.club_id, by):
        raise NotAllowed("You are no member of this game's club any more.")
    if game.practice:
        practice.refuse_too_many(session, by)
    title = _title(game.title)
    if _waits(session, game, title, by):
        raise NotOpen("Your rematch waits for its players already.")
    offered = _offered(session, now, game, title, by)
    if offered is not None:
        return opening.take_seat(session, now, offered, by)
    plan = opening.GamePlan(
        game=game.game,
        seats=tuple(_planned(session, game, seat, by) for seat in seats),
        options=game.options,
        club_id=game.club_id,
        organiser_id=by,
        cadence=cadence_of(game.cadence),
        title=title,
        cooling=game.cooling,
        practice=game.practice,
    )
    return opening.open_game(session, now, plan)


def _planned(session: Session, game: Game, seat: Seat, by: int) -> opening.SeatPlan:
    """Return who is to sit there: the same person, if they are still in the club; the same bot; else whoever comes."""
    if seat.bot:
        return opening.SeatPlan(bot=seat.bot)
    gone = seat.player_id is None or (
        game.club_id is not None and not roles.is_member(session, game.club_id, seat.player_id)
    )
    return opening.SeatPlan() if gone else opening.SeatPlan(player_id=seat.player_id, seated=seat.player_id == by)


_MARK = " (2)"


def _title(title: str) -> str:
    """Return the next game's name: its number in brackets rises."""
    stem, bracket, number = title.rpartition(" (")
    if bracket and number.rstrip(")").isdigit() and number.endswith(")"):
        return f"{stem[:50]} ({int(number[:-1][:6]) + 1})"
    return title[:50] + _MARK


def _waits(session: Session, game: Game, title: str, by: int) -> bool:
    """Return whether the person's rematch of this game was opened and has not begun."""
    return common.is_any(
        session, Game.organiser_id == by, Game.game == game.game, Game.title == title, Game.state == GameState.OPEN
    )


def _offered(session: Session, now: datetime, game: Game, title: str, to: int) -> int | None:
    """Return the rematch of this game in which a seat is kept for the person, as another player opened it."""
    players = [seat.player_id for seat, _ in common.seats_of(session, game.id)]
    waiting = (Game.game == game.game, Game.title == title, Game.state == GameState.OPEN)
    asked = (Invitation.player_id == to, Invitation.is_open(now))
    same = (Game.club_id.is_not_distinct_from(game.club_id), Game.organiser_id.in_(players))
    return session.scalar(select(Game.id).join(Invitation).where(*waiting, *asked, *same).order_by(Game.id))
