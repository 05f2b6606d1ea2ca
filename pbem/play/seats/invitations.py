"""Invitations looked at and accepted, to a club or to a game's seat."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import msgspec
from sqlalchemy import Row, and_, select
from sqlalchemy.orm import Session

from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.registry import title_of
from pbem.errors import NotOpen, PlayError, raise_for
from pbem.play.deadlines import cadence as deadlines
from pbem.play.deadlines import waiting_reasons
from pbem.play.seats import opening, preferences, recruitment, substitutes
from pbem.play.views.game_context import table_of
from pbem.play.views.seat_view import seat_name
from pbem.store.models import LIVE, UNDERWAY, Club, Game, GameState, Invitation, Member, Player, Seat
from pbem.store.queries import common
from pbem.structs import Value

_NOT_OPEN = N_("This invitation is not open any more. Ask the organiser for a new one.")


class Offer(Value, kw_only=True):
    """What an invitation offers, for the person it was made to."""

    player_id: int
    title: str
    club: str
    club_slug: str
    inviter: str
    """Who made it; its club, where that person is unknown."""
    game: str
    """The game's name; empty for an invitation to a club alone."""
    seats: int
    under_way: bool
    over: Message | None
    """Why its game takes nobody any more; None while there is something to come."""
    organises: bool
    """Whether who joins the club may organise it."""
    instead: str
    """Whose seat it is, in a game under way; empty before it begins."""
    others: tuple[str, ...]
    """Who sits there already, bots by their colours; not in the seat that is offered."""
    least: float
    """Hours a decision has at least; 0 for an invitation to a club alone."""
    most: float
    """Hours it has at most; 0 without a limit."""
    expires_at: datetime
    seat_id: int | None
    """The seat taken, once accepted."""
    is_new: bool
    """Whether they have never accepted anything here: then they say which language they read, and where they live."""
    language: str
    zone: str


def offer(session: Session, invitation_id: int) -> Offer:
    """Return what stands in an invitation at hand."""
    row = session.get_one(Invitation, invitation_id)
    club = session.get(Club, row.club_id) if row.club_id else None
    inviter = session.get(Player, row.inviter_id) if row.inviter_id else None
    game = session.get(Game, row.game_id) if row.game_id else None
    cadence = deadlines.cadence_of(game.cadence) if game else None
    seated = common.seats_of(session, game.id) if game else []
    invited = session.get_one(Player, row.player_id)
    mine = next((seat.id for seat, player in seated if player is not None and player.id == row.player_id), None)
    return Offer(
        player_id=row.player_id,
        title=game.title if game else (club.name if club else ""),
        club=club.name if club else "",
        club_slug=club.slug if club else "",
        inviter=inviter.name if inviter else club.name if club else "",
        game=title_of(game.game) if game else "",
        seats=game.seats if game else 0,
        under_way=game is not None and game.state in UNDERWAY,
        over=_over(session, row, game),
        organises=row.role == "organiser",
        instead=substitutes.instead_of(session, game, row.seat) if game and row.state == "pending" else "",
        others=_others(game, seated, row) if game else (),
        least=cadence.hours if cadence else 0,
        most=cadence.most if cadence else 0,
        expires_at=row.expires_at,
        seat_id=mine,
        is_new=invited.accepted_at is None,
        language=invited.language,
        zone=invited.zone,
    )


def _others(game: Game, seated: Sequence[Row[Seat, Player | None]], offered: Invitation) -> tuple[str, ...]:
    others = (one for one in seated if one[0].player_id != offered.player_id and one[0].seat != offered.seat)
    taken = ((seat, player) for seat, player in others if seat.bot or player is not None)
    return tuple(seat_name(game, seat.seat, seat.bot, player.name if player else None) for seat, player in taken)


def _over(session: Session, row: Invitation, game: Game | None) -> Message | None:
    """Return why what an invitation offers can't be had any more; None while it can."""
    if game is not None and game.state not in LIVE:
        return Message(waiting_reasons.STILL[game.state])
    if game is None or row.state != "pending" or game.state not in UNDERWAY:
        return None
    return substitutes.not_needed(session, table_of(session, game), row)


def pending(session: Session, now: datetime, player_id: int, club_id: int | None = None) -> tuple[int, ...]:
    """Return the numbers of the invitations (of one club) a person can still answer, the oldest first."""
    query = (
        select(Invitation, Game)
        .outerjoin(Game, Game.id == Invitation.game_id)
        .where(Invitation.player_id == player_id, Invitation.is_open(now))
        .order_by(Invitation.id)
    )
    if club_id is not None:
        query = query.where(Invitation.club_id == club_id)
    return tuple(row.id for row, game in session.execute(query) if _over(session, row, game) is None)


def beside(session: Session, now: datetime, invitation_id: int) -> tuple[int, ...]:
    """Return the numbers of the other invitations of its club that the person of this one can still answer."""
    one = session.get_one(Invitation, invitation_id)
    found = () if one.club_id is None else pending(session, now, one.player_id, one.club_id)
    return tuple(number for number in found if number != invitation_id)


def taken_with(session: Session, invitation_id: int) -> tuple[str, ...]:
    """Return the titles of the games in which seats were taken by accepting this invitation, one or several at once.

    Of those that are still to be played, by who still has them.
    """
    one = session.get_one(Invitation, invitation_id)
    query = (
        select(Game.title)
        .join(Invitation, Invitation.game_id == Game.id)
        .join(Seat, and_(Seat.game_id == Game.id, Seat.player_id == Invitation.player_id))
        .where(
            Invitation.player_id == one.player_id,
            Invitation.club_id == one.club_id,
            Invitation.state == "accepted",
            Invitation.answered_at == one.answered_at,
            Game.state.in_(LIVE),
        )
        .order_by(Invitation.id)
    )
    return tuple(session.scalars(query))


def own(session: Session, now: datetime, player_id: int, invitation_id: int) -> int:
    """Return the number of an invitation of a person's own that can still be answered. Raises NotOpen."""
    if invitation_id not in pending(session, now, player_id):
        raise NotOpen(_NOT_OPEN)
    return invitation_id


def accept(session: Session, now: datetime, invitation_id: int, *, language: str = "", zone: str = "") -> Player:
    """Accept an invitation, once: a seat, or a place in the club; return who did. Raises NotOpen for one not open.

    Somebody new reads `language` and lives in `zone` from then on, where they say so. Raises WrongInput for wrong ones.
    """
    row = session.execute(select(Invitation).where(Invitation.id == invitation_id).with_for_update()).scalar_one()
    player = session.get_one(Player, row.player_id)
    if row.state != "pending" or row.expires_at <= now:
        raise NotOpen(_NOT_OPEN)
    _settle(session, player, language, zone)
    if row.game_id is not None:
        waits = session.get_one(Game, row.game_id).state == GameState.OPEN
        if waits:
            opening.take_seat(session, now, row.game_id, player.id)
        else:
            substitutes.take_over(session, now, row)
    if row.club_id is not None:
        _join(session, now, row.club_id, player.id, row.role)
    row.state, row.answered_at = "accepted", now
    player.answers(now)
    session.flush()
    return player


def _settle(session: Session, player: Player, language: str, zone: str) -> None:
    """Note what somebody new reads and where they live. Raises WrongInput."""
    if player.accepted_at is None:
        kept = preferences.settings_of(player)
        said = msgspec.structs.replace(kept, language=language or kept.language, zone=zone or kept.zone)
        preferences.change_settings(session, player.id, said)


def accept_all(
    session: Session, now: datetime, invitation_id: int, *, language: str = "", zone: str = ""
) -> tuple[Player, tuple[Message, ...]]:
    """Accept this invitation and the others of its club, each wholly or not at all; return who did, and what failed.

    Raises NotOpen for one not open, as its link must not outlive it, and WrongInput where none could be accepted.
    """
    player = session.get_one(Player, session.get_one(Invitation, invitation_id).player_id)
    numbers = (own(session, now, player.id, invitation_id), *beside(session, now, invitation_id))
    _settle(session, player, language, zone)
    failed: list[Message] = []
    for number in numbers:
        title = offer(session, number).title
        try:
            with session.begin_nested():
                accept(session, now, number)
        except PlayError as refusal:
            failed += [sentence("{title}: {fault}", title=title, fault=fault) for fault in refusal.faults]
    if len(failed) == len(numbers):
        raise_for(failed)
    return player, tuple(failed)


def decline(session: Session, now: datetime, invitation_id: int) -> None:
    """Turn an invitation down, which a game's organiser is told; one that was answered stays as it is."""
    row = session.execute(select(Invitation).where(Invitation.id == invitation_id).with_for_update()).scalar_one()
    if row.state == "pending":
        row.state, row.answered_at = "declined", now
        recruitment.declined(session, now, row)
    session.flush()


def _join(session: Session, now: datetime, club_id: int, player_id: int, role: str) -> None:
    """Make the person a member, or one again: in the role they are invited to, whatever they were before."""
    member = session.scalar(select(Member).where(Member.club_id == club_id, Member.player_id == player_id))
    if member is None:
        session.add(Member(club_id=club_id, player_id=player_id, role=role, joined_at=now))
    elif member.left_at is not None:
        member.left_at, member.joined_at, member.role = None, now, role
