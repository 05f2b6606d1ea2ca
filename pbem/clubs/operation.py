"""What the server's operator sees to, by page or command: letters and calls that failed, people, addresses, links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import func, or_, select, update
from sqlalchemy.orm import Session

from pbem.capabilities import links, notices
from pbem.capabilities.acts import require_proof, require_yes
from pbem.capabilities.tokens import Tokens
from pbem.clubs.account import address_change, personal_data
from pbem.clubs.integrations import webhook_client, webhooks
from pbem.clubs.members.founding import read_address
from pbem.engine.core.message import Message, sentence
from pbem.errors import NotSeated, WrongInput, nobody
from pbem.play.admin import action_log
from pbem.store import unit_of_work
from pbem.store.models import LIVE, Club, Game, Hook, HookCall, Letter, Member, Player, Seat
from pbem.structs import Value, from_attributes

LISTED = 50
"""Rows of a list that are shown at once."""


class Operator(Value):
    """The right to see to the server: `operator` gives it to a browser, `AT_THE_MACHINE` stands for a command."""

    player_id: int | None
    """Who it is; None for who has a shell on the machine."""


AT_THE_MACHINE = Operator(None)


def operator(session: Session, held: Mapping[int, int], address: str) -> Operator:
    """Return the right of whoever of these persons (number to epoch) reads the operator's mail at `address`.

    Raises NotSeated for everybody else, and where the server's settings name no operator.
    """
    found = session.execute(
        select(Player.id, Player.epoch).where(
            Player.id.in_(held), Player.address == address.strip().casefold(), Player.address.is_not(None)
        )
    ).one_or_none()
    if found is None or held[found.id] != found.epoch:
        raise nobody()
    return Operator(found.id)


def may_be(session: Session, held: Mapping[int, int], address: str) -> bool:
    """Return whether one of these persons is the operator, for a link to the page."""
    try:
        operator(session, held, address)
    except NotSeated:
        return False
    return True


class FailedLetter(Value, kw_only=True):
    """A letter that could not be delivered."""

    id: int
    kind: str
    name: str
    address: str
    last_error: str
    created_at: datetime


def failed_letters(session: Session, _by: Operator, limit: int = LISTED) -> tuple[FailedLetter, ...]:
    """Letters that could not be delivered, the newest first."""
    rows = session.execute(
        select(Letter.id, Letter.kind, Player.name, Player.address, Letter.last_error, Letter.created_at)
        .join(Player)
        .where(Letter.state == "failed")
        .order_by(Letter.id.desc())
        .limit(limit)
    )
    return tuple(
        from_attributes(FailedLetter, row, address=row.address or "", last_error=row.last_error) for row in rows
    )


def retry_letters(session: Session, now: datetime, by: Operator, numbers: Sequence[int]) -> frozenset[int]:
    """Try failed letters once more; which of the numbers were failed ones."""
    tried = session.scalars(
        update(Letter)
        .where(Letter.id.in_(numbers), Letter.state == "failed")
        .values(state="pending", next_try_at=now, attempts=0)
        .returning(Letter.id)
    ).all()
    unit_of_work.made_due(session, unit_of_work.Work.LETTERS)
    _log(session, now, by, "retry-letters", letters=tried)
    return frozenset(tried)


class FailedHook(Value, kw_only=True):
    """A webhook with calls that were given up; its address stays untold, as it is a key."""

    id: int
    club: str
    kind: str
    host: str
    fault: Message | None
    """Of the newest of them."""


def failed_hooks(session: Session, _by: Operator) -> tuple[FailedHook, ...]:
    """Webhooks in force with calls that were given up, of all clubs."""
    newest = (
        select(func.max(HookCall.id))
        .where(HookCall.hook_id == Hook.id, HookCall.state == "failed")
        .correlate(Hook)
        .scalar_subquery()
    )
    rows = session.execute(
        select(Hook, Club.name, HookCall.fault)
        .select_from(Hook)
        .join(HookCall, HookCall.id == newest)
        .join(Club, Club.id == Hook.club_id)
        .where(Hook.in_force())
        .order_by(Hook.id)
    )
    return tuple(
        from_attributes(FailedHook, hook, club=club, fault=webhook_client.fault_of(fault)) for hook, club, fault in rows
    )


def retry_hook(session: Session, now: datetime, by: Operator, hook_id: int) -> None:
    """Make a webhook's calls that were given up once more."""
    webhooks.call_again(session, now, hook_id)
    _log(session, now, by, "retry-webhook", hook=hook_id)


class Person(Value, kw_only=True):
    """Somebody with an address here, as the operator sees them."""

    id: int
    name: str
    address: str
    address_state: str
    language: str
    zone: str
    games: int
    """Those that are not over."""


def people(
    session: Session, _by: Operator, *, text: str = "", club_id: int | None = None, limit: int | None = None
) -> tuple[Person, ...]:
    """People whose name or address holds `text`, by name; of one club, if one is named."""
    games = (
        select(func.count())
        .select_from(Seat)
        .join(Game)
        .where(Seat.player_id == Player.id, Game.state.in_(LIVE))
        .scalar_subquery()
    )
    query = select(
        Player.id, Player.name, Player.address, Player.address_state, Player.language, Player.zone, games.label("games")
    ).where(Player.address.is_not(None))
    if text:
        query = query.where(
            or_(Player.name.icontains(text, autoescape=True), Player.address.icontains(text, autoescape=True))
        )
    if club_id is not None:
        inside = select(Member.player_id).where(Member.at_present(club_id=club_id))
        query = query.where(Player.id.in_(inside))
    rows = session.execute(query.order_by(Player.name, Player.id).limit(limit)).mappings()
    return tuple(msgspec.convert(dict(row), Person) for row in rows)


def link(session: Session, now: datetime, by: Operator, tokens: Tokens, player_id: int) -> str:
    """Return the token of the person's own link, for who gets no mail: whoever has it acts for them; they are told."""
    player = person(session, player_id)
    _tell(session, now, by, player, "link", sentence("The server's operator was shown the link to your page."))
    return links.player_token(tokens, player.id, player.epoch)


def mend_address(session: Session, now: datetime, by: Operator, player_id: int, address: str) -> None:
    """Write to a person elsewhere from now on, without asking either address. Raises WrongInput if it can't be used."""
    player, address = person(session, player_id), read_address(address)
    require_proof(session, "mend-address", by.player_id or 0)
    address_change.mend(session, now, player.id, address)
    _tell(session, now, by, player, "address", sentence("The server's operator has changed your mail address."))
    require_yes(session, "mend-address", person=player.name, address=address)


def revoke(session: Session, now: datetime, by: Operator, player_id: int) -> None:
    """Void every link that opens a person's page, and mail them a fresh one."""
    player = person(session, player_id)
    require_proof(session, "revoke-links", by.player_id or 0)
    links.renew(session, now, player.id)
    _tell(session, now, by, player, "revoke", sentence("The server's operator has voided your links."))
    require_yes(session, "revoke-links", person=player.name)


def erase(session: Session, now: datetime, by: Operator, player_id: int) -> None:
    """Forget a person, who leaves their games. Raises NeedsYes, NeedsCode, WrongInput, or as `personal_data.erase`."""
    name = person(session, player_id).name
    require_proof(session, "erase", by.player_id or 0)
    left = personal_data.erase(session, now, player_id)
    _log(session, now, by, "erase", player=player_id)
    personal_data.agree(session, "erase", name, left)


def person(session: Session, player_id: int) -> Player:
    """Somebody of this server. Raises WrongInput for a number nobody has, or has any more."""
    player = session.get(Player, player_id)
    if player is None or player.address is None:
        raise WrongInput("There is nobody with this number any more. Look for the name or the address.")
    return player


def _tell(session: Session, now: datetime, by: Operator, player: Player, act: str, said: Message) -> None:  # noqa: PLR0913, PLR0917 - who did what to whom
    """Log it, and write to the person what was done; a command's operator tells them himself."""
    _log(session, now, by, act, player=player.id)
    if by.player_id is not None and by.player_id != player.id:
        notices.tell(session, now, player, f"operator:{act}:{now.isoformat()}", said)


def _log(session: Session, now: datetime, by: Operator, act: str, **details: Any) -> None:
    action_log.note(session, now, f"operator-{act}", by=by.player_id, **details)
