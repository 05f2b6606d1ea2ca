"""A new mail address: it says yes, the old one is told and can stop it, and after a wait it counts.

Whoever holds the new address learns nothing of whose request it is; nothing of the person's goes there before.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from pbem import budgets
from pbem.budgets import Budget
from pbem.capabilities import links, notices
from pbem.capabilities.acts import require_proof
from pbem.capabilities.tokens import ADDRESS, Tokens
from pbem.clubs.members.founding import read_address
from pbem.engine.core.message import sentence
from pbem.errors import NotSeated, WrongInput
from pbem.letter_queue import LetterQueue
from pbem.play.deadlines import delivery_clock
from pbem.store.models import UNREACHABLE, AddressChange, Player
from pbem.store.queries import common
from pbem.structs import Value

GOOD_FOR = timedelta(days=7)
"""How long the new address can say yes."""
WAIT = timedelta(days=3)
"""Between the new address's yes and the change: in it the old one can stop it, or say yes and end the wait."""
WAIT_UNREACHABLE = timedelta(days=7)
"""The same wait while no mail gets to the old address."""
ASKED, AT_ONE_ADDRESS = Budget(3, timedelta(days=1)), Budget(1, timedelta(days=7))
"""Requests of one person, and how often one address is written to, whoever asks."""
NEW, OLD = "new", "old"


class Move(Value):
    """One of the two questions, for its page."""

    side: str
    """new or old: whose question it is."""
    address: str
    """Where letters are to go once it is confirmed."""
    state: str
    """open, confirmed, done, stopped."""
    takes_effect_at: datetime | None


def ask(session: Session, now: datetime, player_id: int, text: str) -> None:
    """Write to the new address, and tell the old one. Raises WrongInput, also beyond the limits, NeedsCode, NotAllowed.

    Who can't be mailed a code waits longer instead.
    An address that another person has looks the same from outside: its owner is asked, and changing then fails.
    """
    if session.get_one(Player, player_id).address_state not in UNREACHABLE:
        require_proof(session, "address", player_id)
    address, player = read_address(text), session.get_one(Player, player_id)
    if address == player.address:
        raise WrongInput("That is your address already.")
    _refuse_many(session, now, player_id, address)
    _stop_open(session, player_id)
    row = AddressChange(
        player_id=player_id, epoch=player.epoch, address=address, asked_at=now, expires_at=now + GOOD_FOR
    )
    session.add(row)
    session.flush()
    post = LetterQueue(now)
    post.person("address_change", player, f"address:{row.id}:{NEW}", address=address, side=NEW, change=row.id)
    told = {"address": player.address, "new": address, "side": OLD}  # there, also if the other one counts by then
    post.person("address_change", player, f"address:{row.id}:{OLD}", change=row.id, **told)
    post.send(session)


def _refuse_many(session: Session, now: datetime, player_id: int, address: str) -> None:
    """Raise WrongInput where this person has asked too often, or somebody wrote to this address not long ago."""
    budgets.lock(session, f"address of:{player_id}", f"address:{address}")
    mine = func.count().filter(AddressChange.player_id == player_id, AddressChange.asked_at > ASKED.since(now))
    there = func.count().filter(AddressChange.address == address, AddressChange.asked_at > AT_ONE_ADDRESS.since(now))
    asked, written = session.execute(select(mine, there)).one()
    if asked >= ASKED.most:
        raise WrongInput(
            "You have asked for another address {limit} times today: try again tomorrow.", limit=ASKED.most
        )
    if written >= AT_ONE_ADDRESS.most:
        raise WrongInput(
            "A letter went to this address not long ago; we write there once in {days} days.",
            days=AT_ONE_ADDRESS.per.days,
        )


def _stop_open(session: Session, player_id: int) -> None:
    """A newer request takes the place of an older one."""
    session.execute(
        update(AddressChange)
        .where(AddressChange.player_id == player_id, AddressChange.state.in_(("open", "confirmed")))
        .values(state="stopped")
    )


def token(tokens: Tokens, change_id: int, side: str) -> str:
    """Return what answers one of the two questions."""
    return tokens.sign(ADDRESS, change_id, side)


def _question(session: Session, now: datetime, tokens: Tokens, text: str) -> tuple[AddressChange, Player, str]:
    """Return the request, whose it is, and which side answers.

    Raises NotSeated for unknown and old ones alike.
    """
    try:
        number, side = tokens.read(ADDRESS, text)
    except ValueError:  # BadToken, or a link from before 1.0, which spoke of something else
        number, side = 0, NEW
    row = session.scalar(select(AddressChange).where(AddressChange.id == number).with_for_update())
    player = session.get(Player, row.player_id) if row is not None else None
    if (
        row is None
        or player is None
        or (row.state == "open" and row.expires_at <= now)
        or (row.state != "done" and row.epoch != player.epoch)  # the change itself has raised it
    ):
        raise NotSeated("This link opens nothing. Ask for a fresh one.")
    return row, player, side


def look(session: Session, now: datetime, tokens: Tokens, text: str) -> Move:
    """Return the question as its page shows it. Raises NotSeated."""
    row, _, side = _question(session, now, tokens, text)
    return Move(side, row.address, row.state, row.takes_effect_at)


def answer(session: Session, now: datetime, tokens: Tokens, text: str, *, yes: bool) -> None:
    """Say yes or no for one address. Raises NotSeated, or WrongInput if the new one is taken meanwhile.

    The new one's yes begins the wait; the old one's yes after it ends the wait, and a no of either stops it all.
    """
    row, player, side = _question(session, now, tokens, text)
    if row.state in ("done", "stopped"):
        return
    if not yes:
        row.state = "stopped"
    elif side == NEW:
        _confirm(session, now, row, player)
    elif row.state == "confirmed":
        _change(session, now, row, player)
    else:
        raise WrongInput("First the new address has to say yes: open the letter that went there.")
    session.flush()


def _confirm(session: Session, now: datetime, row: AddressChange, player: Player) -> None:
    if row.state == "confirmed":
        return
    if _is_taken(session, row.address):
        raise WrongInput("This address can't be used here. Choose another one.")
    row.state = "confirmed"
    row.takes_effect_at = now + (WAIT_UNREACHABLE if player.address_state in UNREACHABLE else WAIT)
    said = sentence(
        "Your letters go to {address} from {when} on, unless you stop it by the link of the letter before.",
        address=row.address,
        when=row.takes_effect_at.isoformat(),
    )
    notices.tell(session, now, player, f"address-confirmed:{row.id}", said)


def _is_taken(session: Session, address: str) -> bool:
    return common.is_any(session, Player.address == address)


def _change(session: Session, now: datetime, row: AddressChange, player: Player) -> None:
    """The change that was asked for is made."""
    row.state = "done"
    _move(session, now, player, row.address)


def mend(session: Session, now: datetime, player_id: int, address: str) -> None:
    """Give a person another address at the operator's word, without asking either. Raises WrongInput if it is taken."""
    player = session.get_one(Player, player_id)
    _stop_open(session, player_id)
    player.address_state = "good"
    _move(session, now, player, read_address(address))


def _move(session: Session, now: datetime, player: Player, address: str) -> None:
    """The new address counts: everything that went to the old one opens nothing any more."""
    if _is_taken(session, address):
        raise WrongInput("This address can't be used here. Choose another one.")
    player.address = address
    player.accepted_at = player.accepted_at or now
    session.flush()
    delivery_clock.reachable(session, now, player.id)
    links.renew(session, now, player.id)


def sweep(session: Session, now: datetime) -> bool:
    """Make the changes whose wait is over; whether there were any."""
    rows = session.execute(
        select(AddressChange, Player)
        .join(Player)
        .where(
            AddressChange.state == "confirmed",
            AddressChange.takes_effect_at <= now,
            AddressChange.epoch == Player.epoch,
            Player.address.is_not(None),
        )
        .with_for_update(skip_locked=True)
    ).all()
    for row, player in rows:
        if _is_taken(session, row.address):
            row.state = "stopped"
        else:
            _change(session, now, row, player)
    return bool(rows)
