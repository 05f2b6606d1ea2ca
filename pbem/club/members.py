"""Who belongs to a club: invitations one by one or as CSV, roles, leaving, and everything a person may ask of us."""

from __future__ import annotations

import csv
import io
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import select, update

from pbem.club.founding import person_at, read_address
from pbem.engine.types import N_, Said
from pbem.errors import NotAllowed, WrongInput
from pbem.play.post import Post
from pbem.store.tables import (
    Absence,
    Audit,
    Club,
    Game,
    Invitation,
    Letter,
    Member,
    Note,
    Order,
    Player,
    Seat,
    Standing,
    Talk,
)
from pbem.words import clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlalchemy.orm import Session

INVITED_FOR = timedelta(days=14)
ROLES = ("player", "organiser")
ERASED = "Someone"
"""What stands for a person who asked to be forgotten."""


class Guest(msgspec.Struct, frozen=True):
    """Somebody to be invited."""

    address: str
    name: str = ""
    role: str = "player"


class MemberFace(msgspec.Struct, frozen=True):
    """A member as the others see them: never with an address."""

    player_id: int
    name: str
    role: str
    joined_at: datetime


def read_guests(text: str) -> tuple[Guest, ...]:
    """The guests in a CSV text of `address, name, role` lines; a heading and empty lines are passed over.

    Raises WrongInput with one sentence for each wrong line; then nobody is invited.
    """
    guests: list[Guest] = []
    faults: list[Said] = []
    for number, row in enumerate(csv.reader(io.StringIO(text)), start=1):
        cells = [cell.strip() for cell in row]
        if not any(cells) or (number == 1 and "@" not in cells[0]):
            continue
        try:
            guests.append(_guest(cells))
        except WrongInput as wrong:
            faults += [_in_line(number, fault) for fault in wrong.faults]
    if not guests and not faults:
        faults.append(Said(N_("There is nobody in the list: write one address a line, then a comma and the name.")))
    if faults:
        raise WrongInput(*faults)
    return tuple(guests)


def _guest(cells: Sequence[str]) -> Guest:
    address, name, role = (*cells, "", "", "")[:3]
    role = role.casefold() or "player"
    if role not in ROLES:
        raise WrongInput(
            Said(N_("{word!r} is no role. There are: {roles}."), {"word": clean(role, 40), "roles": ROLES})
        )
    return Guest(read_address(address), clean(name), role)


def _in_line(number: int, fault: Said) -> Said:
    return Said(N_("Line {number}: {fault}"), {"number": number, "fault": str(fault)}, fault.rule)


def invite(session: Session, now: datetime, club_id: int, inviter_id: int, guests: Iterable[Guest]) -> int:
    """Invite people into the club by letter; how many invitations went out.

    Members and people with an open invitation get no second one.
    """
    post = Post(now)
    count = 0
    for guest in guests:
        player = person_at(session, now, guest.address, guest.name)
        if _is_expected(session, now, club_id, player.id):
            continue
        invitation = Invitation(
            club_id=club_id,
            player_id=player.id,
            inviter_id=inviter_id,
            role=guest.role,
            expires_at=now + INVITED_FOR,
            created_at=now,
        )
        session.add(invitation)
        session.flush()
        post.person("invitation", player, f"invitation:{invitation.id}", club_id=club_id, invitation=invitation.id)
        count += 1
    post.send(session)
    return count


def _is_expected(session: Session, now: datetime, club_id: int, player_id: int) -> bool:
    """Whether somebody is a member or may still become one by an open invitation."""
    member = session.execute(
        select(Member.id).where(Member.club_id == club_id, Member.player_id == player_id, Member.left_at.is_(None))
    ).first()
    asked = session.execute(
        select(Invitation.id).where(
            Invitation.club_id == club_id,
            Invitation.game_id.is_(None),
            Invitation.player_id == player_id,
            Invitation.state == "pending",
            Invitation.expires_at > now,
        )
    ).first()
    return member is not None or asked is not None


def members(session: Session, club_id: int) -> tuple[MemberFace, ...]:
    """Everybody in the club, organisers first, then by name."""
    rows = session.execute(
        select(Member.player_id, Player.name, Member.role, Member.joined_at)
        .join(Player, Player.id == Member.player_id)
        .where(Member.club_id == club_id, Member.left_at.is_(None))
        .order_by(Member.role, Player.name)
    )
    return tuple(MemberFace(*row) for row in rows)


def require_organiser(session: Session, club_id: int, player_id: int) -> None:
    """Raise NotAllowed unless the person is an organiser of the club."""
    role = session.execute(
        select(Member.role).where(Member.club_id == club_id, Member.player_id == player_id, Member.left_at.is_(None))
    ).scalar_one_or_none()
    if role != "organiser":
        raise NotAllowed(Said(N_("Only an organiser of the club may do that. Ask one of them.")))


def set_role(  # noqa: PLR0913 - who makes whom what, where and when
    session: Session, now: datetime, club_id: int, *, by: int, player_id: int, role: str
) -> None:
    """Make a member an organiser or a player. A club keeps at least one organiser."""
    require_organiser(session, club_id, by)
    if role not in ROLES:
        raise WrongInput(
            Said(N_("{word!r} is no role. There are: {roles}."), {"word": clean(role, 40), "roles": ROLES})
        )
    if role == "player":
        _keep_one(session, club_id, player_id)
    session.execute(update(Member).where(Member.club_id == club_id, Member.player_id == player_id).values(role=role))
    session.add(
        Audit(at=now, player_id=by, club_id=club_id, act="role", reason="", details={"player": player_id, "role": role})
    )


def leave(session: Session, now: datetime, club_id: int, player_id: int) -> None:
    """Leave a club; games under way stay one's own. The last organiser has to name another one first."""
    _keep_one(session, club_id, player_id)
    session.execute(
        update(Member)
        .where(Member.club_id == club_id, Member.player_id == player_id, Member.left_at.is_(None))
        .values(left_at=now)
    )


def _keep_one(session: Session, club_id: int, player_id: int) -> None:
    organisers = session.execute(
        select(Member.player_id).where(Member.club_id == club_id, Member.role == "organiser", Member.left_at.is_(None))
    ).scalars()
    if list(organisers) == [player_id]:
        raise NotAllowed(Said(N_("A club needs an organiser: name another one first.")))


def export_person(session: Session, player_id: int) -> dict[str, Any]:
    """Everything stored about a person, for themselves, as plain values."""
    player = session.get_one(Player, player_id)
    seats = session.execute(
        select(Seat, Game).join(Game, Game.id == Seat.game_id).where(Seat.player_id == player_id).order_by(Seat.id)
    ).all()
    return {
        "person": _plain(player),
        "clubs": _rows(
            session,
            select(Club.name, Member.role, Member.joined_at, Member.left_at)
            .join(Club)
            .where(Member.player_id == player_id),
        ),
        "games": [{"game": game.title, "seat": seat.seat, "state": game.state} for seat, game in seats],
        "orders": _rows(
            session, select(Order.game_id, Order.ply, Order.text, Order.created_at).where(Order.player_id == player_id)
        ),
        "standing": [row for seat, game in seats for row in _of_seat(session, Standing, game.id, seat.seat)],
        "notes": [row for seat, game in seats for row in _of_seat(session, Note, game.id, seat.seat)],
        "talk": _rows(session, select(Talk.game_id, Talk.text, Talk.created_at).where(Talk.player_id == player_id)),
        "absences": _rows(
            session, select(Absence.starts, Absence.ends, Absence.note).where(Absence.player_id == player_id)
        ),
        "letters": _rows(
            session, select(Letter.kind, Letter.state, Letter.created_at).where(Letter.player_id == player_id)
        ),
    }


def _of_seat(session: Session, table: type[Standing | Note], game_id: int, seat: int) -> list[dict[str, Any]]:
    return _rows(session, select(table.game_id, table.text).where(table.game_id == game_id, table.seat == seat))


def _rows(session: Session, query: Any) -> list[dict[str, Any]]:
    return [dict(row) for row in session.execute(query).mappings()]


def _plain(player: Player) -> dict[str, Any]:
    names = ("address", "name", "language", "zone", "wakes", "sleeps", "weekends", "digest_hour", "created_at")
    return {name: getattr(player, name) for name in names}


def erase(session: Session, now: datetime, player_id: int) -> None:
    """Forget a person: address, name, words and notes go; old games keep their orders under no name.

    Raises NotAllowed while they hold a seat in a game that goes on.
    """
    busy = session.execute(
        select(Game.title)
        .join(Seat, Seat.game_id == Game.id)
        .where(Seat.player_id == player_id, Game.state.in_(("running", "paused", "stuck", "open")))
    ).scalars()
    titles = tuple(busy)
    if titles:
        raise NotAllowed(Said(N_("You still have a seat in {games}: resign or finish there first."), {"games": titles}))
    player = session.get_one(Player, player_id)
    player.address, player.address_state, player.name = None, "erased", ERASED
    player.epoch += 1
    player.digest_hour, player.kinds_off = None, []
    session.execute(update(Member).where(Member.player_id == player_id).values(left_at=now))
    session.execute(update(Talk).where(Talk.player_id == player_id).values(text=""))
    session.execute(
        update(Letter).where(Letter.player_id == player_id, Letter.state == "pending").values(state="dropped")
    )
    for game_id, seat in session.execute(select(Seat.game_id, Seat.seat).where(Seat.player_id == player_id)).all():
        session.execute(update(Note).where(Note.game_id == game_id, Note.seat == seat).values(text=""))
