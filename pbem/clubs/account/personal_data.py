"""Everything stored about a person: given to them on demand, or erased."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Text, cast, delete, select, update
from sqlalchemy.orm import InstrumentedAttribute, Session

from pbem.budgets import Budget
from pbem.capabilities import notices
from pbem.capabilities.acts import require_proof, require_yes
from pbem.clubs.members import members
from pbem.clubs.seasons import season_tables
from pbem.engine.core.message import sentence
from pbem.play.seats import recruitment, sitters, substitutes
from pbem.store.models import (
    Absence,
    AddressChange,
    Audit,
    Capability,
    Club,
    Delivery,
    Game,
    Hook,
    HookCall,
    Inbound,
    Invitation,
    Letter,
    Member,
    Note,
    Player,
    Proposal,
    RatingStep,
    SavedView,
    Season,
    SeasonEntry,
    Seat,
    Sitter,
    StoredOrder,
    StoredStandingOrders,
    Talk,
)
from pbem.store.queries import common

ERASED = "Someone"
"""What stands for a person who asked to be forgotten."""
TOLD = Budget(1, timedelta(hours=1))
"""Letters to a person about files with what is stored about them."""


def export_person(session: Session, player_id: int) -> dict[str, Any]:
    """Return everything stored about a person, for themselves, as plain values."""
    player = session.get_one(Player, player_id)
    seats = session.execute(select(Seat, Game).join(Game).where(Seat.player_id == player_id).order_by(Seat.id)).all()
    return {
        "person": {name: getattr(player, name) for name in _OWN},
        "clubs": _own(session, player_id, Club.name, Member.role, Member.joined_at, Member.left_at),
        "games": [
            {"game": game.title, "state": game.state, **{name: getattr(seat, name) for name in _SEAT}}
            for seat, game in seats
        ],
        "standing": _of_seats(
            session,
            player_id,
            select(StoredStandingOrders.game_id, StoredStandingOrders.text)
            .join(Seat, Seat.holds(StoredStandingOrders))
            .where(StoredStandingOrders.in_force()),  # those of who had the seat before have ended
        ),
        "handovers": _of_seats(
            session,
            player_id,
            select(Sitter.game_id, Sitter.starts, Sitter.ends, Sitter.handover).join(Seat, Seat.holds(Sitter)),
        ),
        **{name: _own(session, player_id, *columns) for name, columns in _DONE.items()},
    }


def export_for_owner(session: Session, now: datetime, player_id: int) -> dict[str, Any]:
    """Return the same for whom a mailed code proves to be the person, whom a letter tells of it."""
    require_proof(session, "export", player_id)
    said = sentence("A file with everything stored about you was made.")
    notices.tell(session, now, session.get_one(Player, player_id), f"export:{TOLD.period(now)}", said)
    return export_person(session, player_id)


_DONE: Mapping[str, tuple[InstrumentedAttribute[Any], ...]] = {
    "orders": (StoredOrder.game_id, StoredOrder.ply, StoredOrder.text, StoredOrder.created_at),
    "notes": (Note.game_id, Note.text),
    "talk": (Talk.game_id, Talk.to_seat, Talk.text, Talk.created_at),
    "proposals": (Proposal.game_id, Proposal.kind, Proposal.reason, Proposal.state, Proposal.created_at),
    "mails": (Inbound.received_at, Inbound.kind, Inbound.note),
    "addresses": (AddressChange.address, AddressChange.state, AddressChange.asked_at),
    "absences": (Absence.starts, Absence.ends, Absence.note),
    "sitting": (Sitter.game_id, Sitter.starts, Sitter.ends),
    "seasons": (Season.name, SeasonEntry.joined_at, SeasonEntry.dropped_at),
    "ratings": (RatingStep.pool, RatingStep.at, RatingStep.shown),
    "invitations": (Invitation.invited_as, Invitation.role, Invitation.state, Invitation.created_at),
    "keys": (Capability.purpose, Capability.name, Capability.created_at, Capability.used_at),
    "views": (SavedView.name, SavedView.query),
    "done": (Audit.at, Audit.act, Audit.reason),
    "letters": (Letter.kind, Letter.state, Letter.created_at),
}
"""What a person said, planned, played in and set up, by the name of what it is."""
_OWN = (
    "address",
    "address_state",
    "name",
    "language",
    "zone",
    "wakes",
    "sleeps",
    "weekends",
    "quiet",
    "digest_hour",
    "kinds_off",
    "rated",
    "accepted_at",
    "created_at",
)
"""What is stored of a person beside what they did."""
_SEAT = ("seat", "joined_at", "ladder", "never", "kinds_off")
"""What is stored of a seat of theirs: what they arranged for it, and which letters they stopped."""


def _of_seats(session: Session, player_id: int, query: Any) -> list[dict[str, Any]]:
    """Return the rows of a query that are about seats of the person."""
    return _rows(session, query.where(Seat.player_id == player_id).order_by(Seat.id))


def _own(session: Session, player_id: int, *columns: InstrumentedAttribute[Any]) -> list[dict[str, Any]]:
    """Return columns of a person's rows of a table, the last column's; the others' tables are joined to it."""
    owner = columns[-1].class_
    query = select(*columns).select_from(owner).where(owner.player_id == player_id).order_by(owner.id)
    for other in {column.class_ for column in columns} - {owner}:
        query = query.join(other)
    return _rows(session, query)


def _rows(session: Session, query: Any) -> list[dict[str, Any]]:
    return [dict(row) for row in session.execute(query).mappings()]


_WORDS = (Talk.text, Note.text, Absence.note, Audit.reason, Proposal.reason, Capability.name, Invitation.invited_as)
"""Where somebody's own words stand, and what others called them."""


def erase_for_owner(session: Session, now: datetime, player_id: int) -> None:
    """Forget a person as they ask for themselves. Raises NeedsYes, NeedsCode, or as `erase` does."""
    require_proof(session, "erase-oneself", player_id)
    name = session.get_one(Player, player_id).name
    agree(session, "erase-oneself", name, erase(session, now, player_id))


def agree(session: Session, act: str, name: str, left: tuple[str, ...]) -> None:
    """Go on only if somebody has said yes to forgetting `name`, and to the games `left` by it. Raises NeedsYes."""
    leaves = sentence("{person} leaves {count} game(s) under way: {games}.", person=name, count=len(left), games=left)
    then = sentence("The cautious bot plays on until the organiser has found a substitute.")
    require_yes(session, act, *((leaves, then) if left else ()), person=name)


def erase(session: Session, now: datetime, player_id: int) -> tuple[str, ...]:
    """Forget a person: address, name, words and notes go; old games keep their orders under no name.

    Games under way are left, as by resigning; returns their titles. Raises NotAllowed for who is all that a club has of
    organisers.
    """
    # wholly, so that a seat being taken at this moment is seen below, or waits
    player = session.scalars(select(Player).where(Player.id == player_id).with_for_update()).one()
    _leave_clubs(session, now, player_id)
    left = substitutes.leave_all(session, now, player_id)
    season_tables.withdraw(session, now, player_id)
    recruitment.give_up_all(session, now, player_id)
    _forget_mail(session, now, player)
    _forget_name(session, player)
    player.address, player.address_state, player.name = None, "erased", ERASED
    player.epoch = Player.epoch + 1
    player.digest_hour, player.kinds_off = None, []
    _end_rights(session, now, player_id)
    for column in _WORDS:
        session.execute(update(column.class_).where(column.class_.player_id == player_id).values({column: ""}))
    session.execute(delete(SavedView).where(SavedView.player_id == player_id))
    for game_id, seat in session.execute(select(Seat.game_id, Seat.seat).where(Seat.player_id == player_id)).all():
        session.execute(update(Sitter).where(Sitter.game_id == game_id, Sitter.seat == seat).values(handover=""))
    return left


def _end_rights(session: Session, now: datetime, player_id: int) -> None:
    """Nothing speaks for the person any more, and they speak for nobody."""
    session.execute(update(Member).where(Member.at_present(player_id=player_id)).values(left_at=now))
    keys = update(Capability).where(Capability.player_id == player_id, Capability.revoked_at.is_(None))
    session.execute(keys.values(revoked_at=now))
    session.execute(
        update(AddressChange).where(AddressChange.player_id == player_id).values(address="", state="stopped")
    )
    sitters.end_all(session, now, player_id)
    common.end_invitations(session, now, Invitation.player_id == player_id)


def _leave_clubs(session: Session, now: datetime, player_id: int) -> None:
    """Leave every club. Raises NotAllowed if somebody else is left in one whose only organiser the person is."""
    for club_id in session.scalars(select(Member.club_id).where(Member.at_present(player_id=player_id))).all():
        if len(members.members(session, club_id)) > 1:
            members.end_membership(session, now, club_id, player_id)


def _forget_mail(session: Session, now: datetime, player: Player) -> None:
    """Empty what came from the person by mail, and what was written or is still to be written to them."""
    theirs = (Inbound.player_id == player.id) | (Inbound.sender == (player.address or "-"))
    session.execute(update(Inbound).where(theirs).values(raw=b"", sender="", note="", state="ignored", done_at=now))
    # other servers' answers may name the address
    answers = Delivery.letter_id.in_(select(Letter.id).where(Letter.player_id == player.id))
    session.execute(update(Delivery).where(answers).values(detail="").execution_options(synchronize_session=False))
    session.execute(update(Letter).where(Letter.player_id == player.id).values(address=None, data={}, last_error=""))
    session.execute(
        update(Letter).where(Letter.player_id == player.id, Letter.state == "pending").values(state="dropped")
    )


def _forget_name(session: Session, player: Player) -> None:
    """Take the name out of what others, and webhooks, are still to be told; a namesake's in the same clubs goes too."""
    clubs = select(Member.club_id).where(Member.player_id == player.id)
    here = Letter.club_id.is_(None) | Letter.club_id.in_(clubs)
    for column, which in (
        (Letter.data, here & (Letter.player_id != player.id)),
        (HookCall.body, HookCall.hook_id.in_(select(Hook.id).where(Hook.club_id.in_(clubs)))),
    ):
        told = select(column.class_.id, column).where(which, cast(column, Text) != "{}")
        for number, facts in session.execute(told).all():
            if (kept := _without(facts, player.name)) != facts:
                session.execute(update(column.class_).where(column.class_.id == number).values({column: kept}))


def _without(told: Any, name: str) -> Any:
    """Return stored facts with `ERASED` wherever the name stands by itself, as it does in each hole of a sentence."""
    if isinstance(told, dict):
        return {key: _without(value, name) for key, value in told.items()}
    if isinstance(told, list):
        return [_without(value, name) for value in told]
    return ERASED if told == name else told
