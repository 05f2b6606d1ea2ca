"""Who belongs to a club: invitations one by one or as CSV, roles, leaving, and everything a person may ask of us."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import dropwhile

from sqlalchemy import String, and_, case, cast, or_, select, update
from sqlalchemy.orm import Session

from pbem import budgets
from pbem.budgets import Budget
from pbem.capabilities import roles
from pbem.capabilities.acts import require_proof, require_yes
from pbem.clubs.games import csv_table
from pbem.clubs.members.founding import person_at, read_address, read_name
from pbem.clubs.seasons import season_tables
from pbem.engine.core.message import N_, sentence
from pbem.errors import NotAllowed, WrongInput
from pbem.letter_kinds import KINDS, Opens
from pbem.letter_queue import LetterQueue
from pbem.messages import clean, meant
from pbem.play.admin import action_log
from pbem.play.seats import recruitment, sitters
from pbem.store.models import MAIL_COMES_BACK, Club, Delivery, Game, Invitation, Letter, Member, Player
from pbem.store.queries import common
from pbem.structs import Value

INVITED_FOR = timedelta(days=14)
LISTED_FOR = timedelta(days=30)
"""How long an organiser still sees who didn't come."""
ROLES = ("player", "organiser")
GUESTS = Budget(500, timedelta(days=1))
"""People invited by one list, and by one person."""
INVITED = Budget(2, LISTED_FOR)
"""Invitations of a club to one person."""
RESENT = Budget(1, timedelta(days=1))
"""Letters about one invitation: nobody is pestered."""
_HEADINGS = frozenset({"address", "adresse", "mail", "e-mail", "email", "courriel", "indirizzo", "name", "nome", "nom"})


class Guest(Value):
    """Somebody to be invited."""

    address: str
    name: str = ""
    role: str = "player"


class MemberSummary(Value):
    """A member as the others see them: never with an address."""

    player_id: int
    name: str
    role: str
    joined_at: datetime


def read_guests(text: str) -> tuple[Guest, ...]:
    """Return the guests in a CSV text of `address, name, role` lines; a heading and empty lines are passed over.

    The name may come first, and `Ada <ada@example.org>` be pasted from a mail program.

    Raises WrongInput with one sentence for each wrong line; then nobody is invited.
    """
    found = dropwhile(lambda line: line[1][0].casefold() in _HEADINGS, csv_table.lines(text))
    return tuple(csv_table.entries(found, _guest, most=GUESTS.most, none=_NOBODY, many=_TOO_MANY))


_NOBODY = sentence("There is nobody in the list: write one address a line, then a comma and the name.")
_TOO_MANY = N_("At most {limit} people can be invited at once, not {count}.")


def _guest(row: Sequence[str]) -> Guest:
    address, name, role = (*row, "", "", "")[:3]
    others = [cell for cell in row if "@" in cell][1:]
    if others:
        raise WrongInput("{word!r} is a second address: write one person a line.", word=others[0])
    if "@" not in address and "@" in name:
        address, name = name, address
    if address.endswith(">"):
        named, _, address = address.removesuffix(">").rpartition("<")
        name = name or named.strip(' "')
    address = read_address(address)
    if "." not in address.partition("@")[2]:
        raise WrongInput("{word!r} has no dot behind the @: write all of it, like ada@example.org.", word=address)
    role = (role and meant(role, {name: name for name in ROLES})) or "player"
    _refuse_unknown(role)
    return Guest(address, read_name(name, N_("player")) if clean(name) and "@" not in name else "", role)


def _refuse_unknown(role: str) -> None:
    """Raise WrongInput for what is no role."""
    if role not in ROLES:
        raise WrongInput("{word!r} is no role. There are: {roles}.", word=role, roles=ROLES)


class InvitationOutcome(Value):
    """Somebody who was invited into the club and isn't in it: never with an address."""

    id: int
    name: str
    """What the inviter called them, by default the first part of the address they typed; "" in old invitations of
    people who play in other clubs, and haven't told this one their name.
    """
    state: str
    """pending, declined, expired."""
    expires_at: datetime
    unreached: bool
    """Whether a letter of this invitation came back."""


def asked(session: Session, now: datetime, club_id: int) -> tuple[InvitationOutcome, ...]:
    """Return who hasn't answered an invitation of the last weeks yet, or has declined it, the newest first."""
    inside = select(Member.player_id).where(Member.at_present(club_id=club_id))
    rows = session.execute(
        select(Invitation.id, _told_name, Invitation.state, Invitation.expires_at, _came_back, Invitation.player_id)
        .join(Player, Player.id == Invitation.player_id)
        .where(
            Invitation.club_id == club_id,
            Invitation.game_id.is_(None),
            Invitation.state.in_(("pending", "declined", "expired")),
            Invitation.expires_at > now - LISTED_FOR,
            Invitation.player_id.not_in(inside),
            Player.address.is_not(None),
        )
        .order_by(Invitation.id.desc())
    )
    newest: dict[int, InvitationOutcome] = {}
    for number, name, state, expires, unreached, player in rows:
        over = state == "pending" and expires <= now
        outcome = InvitationOutcome(number, name, "expired" if over else state, expires, unreached)
        newest.setdefault(player, outcome)
    return tuple(newest.values())


_told_name = case(
    (Invitation.invited_as != "", Invitation.invited_as), (Player.accepted_at.is_(None), Player.name), else_=""
)
"""The inviter's own word for somebody, as the name of somebody new is too."""
_cause = "invitation:" + cast(Invitation.id, String)
_came_back = (
    select(Delivery.id)
    .join(Letter)
    .where(Letter.player_id == Invitation.player_id, or_(Letter.cause == _cause, Letter.cause.startswith(_cause + ":")))
    .where(Delivery.state.in_(("bounced", "complained")))
    .exists()
)
"""Whether a letter of an invitation did: what others' letters met there tells that the address is known here."""


def invite(session: Session, now: datetime, club_id: int, by: int, guests: Sequence[Guest]) -> tuple[str, ...]:
    """Invite people into the club by letter; return the addresses that get none.

    These are of members, of people with an open invitation, and of who stands in the list twice. Raises NotAllowed or
    WrongInput.
    """
    roles.require_organiser(session, club_id, by)
    if any(guest.role == "organiser" for guest in guests):
        require_proof(session, "appoint", by)
    post = LetterQueue(now)
    known = []
    club = session.get_one(Club, club_id)
    budgets.lock(session, f"guests:{by}", f"invited into:{club_id}")
    _refuse_many(session, now, by, guests)
    for guest in guests:
        player = person_at(session, now, guest.address, guest.name, club=club)
        if _is_expected(session, now, club_id, player.id):
            known.append(guest.address)
            continue
        invitation = Invitation(
            club_id=club_id,
            player_id=player.id,
            inviter_id=by,
            role=guest.role,
            invited_as=guest.name or guest.address.partition("@")[0],
            epoch=player.epoch,
            expires_at=now + INVITED_FOR,
            created_at=now,
        )
        session.add(invitation)
        session.flush()
        post.person("invitation", player, f"invitation:{invitation.id}", club_id=club_id, invitation=invitation.id)
    post.send(session)
    return tuple(known)


def resend_invitation(session: Session, now: datetime, club_id: int, by: int, invitation_id: int) -> None:
    """Send an invitation that was not accepted once more, its time begun anew.

    Raises NotAllowed, or WrongInput, also for one that was sent again within `RESENT`.
    """
    roles.require_organiser(session, club_id, by)
    row = _invitation(session, club_id, invitation_id)
    cause = f"invitation:{row.id}:{RESENT.period(now)}"
    if session.scalar(select(Letter.id).where(Letter.cause == cause)) is not None:
        raise WrongInput("This invitation was sent again today already: once a day is enough. Try again tomorrow.")
    player = session.get_one(Player, row.player_id)
    row.state, row.expires_at, row.answered_at, row.epoch = "pending", now + INVITED_FOR, None, player.epoch
    post = LetterQueue(now)
    post.person("invitation", player, cause, club_id=club_id, invitation=row.id)
    session.flush()
    post.send(session)


def withdraw_invitation(session: Session, now: datetime, club_id: int, by: int, invitation_id: int) -> None:
    """Take an invitation back: its link opens nothing any more. Raises NotAllowed or WrongInput."""
    roles.require_organiser(session, club_id, by)
    row = _invitation(session, club_id, invitation_id)
    row.state, row.expires_at = "withdrawn", now
    session.flush()


def _invitation(session: Session, club_id: int, invitation_id: int) -> Invitation:
    """Return an invitation into the club that was not accepted, locked. Raises WrongInput if there is none."""
    found = session.scalar(
        select(Invitation)
        .where(
            Invitation.id == invitation_id,
            Invitation.club_id == club_id,
            Invitation.game_id.is_(None),
            Invitation.state != "accepted",
        )
        .with_for_update()
    )
    if found is None:
        raise WrongInput("This invitation was accepted, or there is none such. Pick one of the list.")
    return found


def _refuse_many(session: Session, now: datetime, inviter_id: int, guests: Sequence[Guest]) -> None:
    """Raise WrongInput where one person invites more people in a day than one list may hold."""
    today = (Invitation.game_id.is_(None), Invitation.created_at > GUESTS.since(now))
    if common.count(session, Invitation.inviter_id == inviter_id, *today) + len(guests) > GUESTS.most:
        raise WrongInput("At most {limit} people can be invited in a day: try again tomorrow.", limit=GUESTS.most)


def _is_expected(session: Session, now: datetime, club_id: int, player_id: int) -> bool:
    """Whether somebody is a member, may still become one by an open invitation, or was asked often enough lately."""
    theirs = (Invitation.club_id == club_id, Invitation.game_id.is_(None), Invitation.player_id == player_id)
    return (
        roles.is_member(session, club_id, player_id)
        or common.is_any(session, *theirs, Invitation.is_open(now))
        or common.count(session, *theirs, Invitation.created_at > INVITED.since(now)) >= INVITED.most
    )


def members(session: Session, club_id: int) -> tuple[MemberSummary, ...]:
    """Return everybody in the club, organisers first, then by name."""
    rows = session.execute(
        select(Member.player_id, Player.name, Member.role, Member.joined_at)
        .join(Player)
        .where(Member.at_present(club_id=club_id))
        .order_by(Member.role, Player.name)
    )
    return tuple(MemberSummary(*row) for row in rows)


def unreached(session: Session, club_id: int) -> frozenset[int]:
    """Return the members whose mail comes back, by number: an organiser learns that, and never the address."""
    rows = session.execute(
        select(Player.id)
        .join(Member)
        .where(Member.at_present(club_id=club_id), Player.address_state.in_(MAIL_COMES_BACK))
    )
    return frozenset(rows.scalars())


def set_role(  # noqa: PLR0913 - who makes whom what, where and when
    session: Session, now: datetime, club_id: int, by: int, *, player_id: int, role: str
) -> None:
    """Make a member an organiser or a player. A club keeps at least one organiser. Raises NotAllowed or WrongInput."""
    roles.require_organiser(session, club_id, by)
    _refuse_unknown(role)
    require_proof(session, "appoint", by)
    if role == "player":
        hand_over(session, club_id, player_id)  # locks first: two organisers who end each other wait in one order
    _member(session, club_id, player_id).role = role
    action_log.note(session, now, "role", by=by, club_id=club_id, player=player_id, role=role)


def _member(session: Session, club_id: int, player_id: int) -> Member:
    """Somebody's place in a club, locked. Raises WrongInput for who isn't in it."""
    found = session.scalar(
        select(Member).where(Member.at_present(club_id=club_id, player_id=player_id)).with_for_update()
    )
    if found is None:
        raise WrongInput("That is no member of this club. Pick somebody of the list.")
    return found


def take_out(session: Session, now: datetime, club_id: int, by: int, *, player_id: int) -> None:
    """Take somebody out of a club, as an organiser; games under way stay theirs. Raises NotAllowed or WrongInput."""
    roles.require_organiser(session, club_id, by)
    require_proof(session, "appoint" if player_id in roles.organisers(session, club_id) else "take-out", by)
    hand_over(session, club_id, player_id)  # locks first, as above
    _member(session, club_id, player_id)
    end_membership(session, now, club_id, player_id)
    action_log.note(session, now, "take-out", by=by, club_id=club_id, player=player_id)
    _require_yes(session, "take-out", club_id, player_id)


def _require_yes(session: Session, act: str, club_id: int, player_id: int) -> None:
    person, club = session.get_one(Player, player_id), session.get_one(Club, club_id)
    require_yes(session, act, person=person.name, club=club.name)


def leave(session: Session, now: datetime, club_id: int, player_id: int) -> None:
    """Leave a club oneself; games under way stay one's own. Raises NotAllowed as `end_membership`, or WrongInput."""
    require_proof(session, "leave", player_id)
    _member(session, club_id, player_id)
    end_membership(session, now, club_id, player_id)
    _require_yes(session, "leave", club_id, player_id)


def end_membership(session: Session, now: datetime, club_id: int, player_id: int) -> None:
    """Take a person out of a club, its seasons, its games that have not begun, and the seats of others there.

    What was offered to the person or by them there can be accepted no more.
    Raises NotAllowed for the last organiser, who has to name another one first.
    """
    hand_over(session, club_id, player_id)
    season_tables.withdraw(session, now, player_id, club_id)
    recruitment.give_up_all(session, now, player_id, club_id)
    sitters.end_all(session, now, player_id, club_id)
    session.execute(update(Member).where(Member.at_present(club_id=club_id, player_id=player_id)).values(left_at=now))
    common.end_invitations(
        session,
        now,
        or_(Invitation.club_id == club_id, Invitation.game_id.in_(select(Game.id).where(Game.club_id == club_id))),
        or_(Invitation.player_id == player_id, Invitation.inviter_id == player_id),
    )


def hand_over(session: Session, club_id: int, player_id: int) -> None:
    """Make another organiser responsible for the club's games that a former organiser was responsible for.

    What still waits to be told of them goes to the new one. Raises NotAllowed if the club has no other organiser.
    """
    organisers = session.scalars(
        select(Member.player_id)
        .where(Member.at_present(club_id=club_id, role="organiser"))
        .order_by(Member.id)
        .with_for_update()  # two who leave at once must not each count on the other
    )
    heir = next((one for one in organisers if one != player_id), None)
    if heir is None:
        name = session.get_one(Club, club_id).name
        raise NotAllowed("{club} needs an organiser: name another one first.", club=name)
    theirs = (Game.club_id == club_id, Game.organiser_id == player_id)
    told = [kind.name for kind in KINDS.values() if kind.opens is Opens.ORGANISE]
    of_several = and_(Letter.game_id.is_(None), Letter.club_id == club_id)
    session.execute(
        update(Letter)
        .where(Letter.kind.in_(told), Letter.player_id == player_id, Letter.state == "pending")
        .where(or_(Letter.game_id.in_(select(Game.id).where(*theirs)), of_several))
        .values(player_id=heir)
        .execution_options(synchronize_session="fetch")
    )
    session.execute(update(Game).where(*theirs).values(organiser_id=heir))
