"""Who a link or a browser speaks for: tokens of seats, persons and invitations, checked against their epochs."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from pbem.budgets import Budget
from pbem.capabilities import browsers
from pbem.capabilities.acts import require_proof, require_yes
from pbem.capabilities.tokens import END_LINKS, INVITATION, LESSON, PLAYER, SEAT, BadToken, Tokens
from pbem.errors import NotSeated, WrongInput, nobody
from pbem.letter_queue import LetterQueue
from pbem.store.models import Game, Invitation, Player, Seat
from pbem.store.queries import game_pages, requests
from pbem.store.queries.game_pages import GameWithSeats
from pbem.store.queries.requests import HeldRow
from pbem.structs import Value, from_attributes

MAILED = Budget(1, timedelta(hours=1))
"""Letters with fresh links that go to an address for whoever types it."""
KEPT_AFTER = timedelta(days=90)
"""How long after a game's end its links still open it."""


class OpenedSeat(Value, kw_only=True):
    """A seat somebody has the right to speak for."""

    seat_id: int
    game_id: int
    slug: str
    is_over: bool
    seat: int
    player_id: int | None
    epoch: int
    language: str
    zone: str
    sitting: int | None = None
    """The sitter's player number, if it is one who speaks."""
    note: str = ""
    """Its player's notes; a sitter reads none."""
    ahead: bool = False
    """Whether orders given ahead are in force; to a sitter there are none."""
    proposed: bool = False
    """Whether something is put to the table's vote; the time for that may be over."""
    waiting: tuple[int, ...] = ()
    """Seats where a decision waits for the reader, the most urgent first."""
    ply: int | None = None
    """The ply the letter asked for, where a link was opened."""
    reader: OpenedPlayer | None = None
    """Whose letter it was, where a link was opened that says so: what else is theirs opens with it."""


class Keys(Value):
    """The keys a request carries: epochs by seat number and by player number."""

    seats: Mapping[int, int]
    """By number, each with its epoch, like persons."""
    players: Mapping[int, int]
    browser: Mapping[str, int] = {}
    """The browser's digests with their persons, as long as nobody has asked whether it was ended for one of them."""

    def without(self, ended: Collection[str]) -> Keys:
        """Return the keys that are left where the browser was ended for the persons of these digests."""
        if not ended:
            return Keys(self.seats, self.players)
        gone = {self.browser[digest] for digest in ended}
        # a letter's link opens its seat for its reader: with the reader the seats go
        return Keys({}, {number: epoch for number, epoch in self.players.items() if number not in gone})


class OpenedPlayer(Value, kw_only=True):
    """A person, with the right to all they hold."""

    player_id: int
    name: str
    language: str
    zone: str
    epoch: int


class OpenedInvitation(Value, kw_only=True):
    """A place that was offered, whatever became of it."""

    invitation_id: int
    player_id: int
    club_id: int | None
    game_id: int | None
    state: str
    expires_at: datetime
    language: str
    zone: str


def seat_token(tokens: Tokens, seat_id: int, epoch: int, ply: int, *reader: int) -> str:
    """Return the token of a letter to a seat that asks for ply `ply`.

    `reader` is the number and epoch of the person the letter goes to; without them it opens that seat alone.
    """
    return tokens.sign(SEAT, seat_id, epoch, ply, *reader)


def player_token(tokens: Tokens, player_id: int, epoch: int) -> str:
    """Return the token that leads a person to everything of theirs."""
    return tokens.sign(PLAYER, player_id, epoch)


def invitation_token(tokens: Tokens, invitation_id: int, *epoch: int) -> str:
    """Return the token that answers an invitation: its letter's, or with the person's present `epoch` their page's.

    A letter's ends when its reader renews their links, as somebody else may have seen it; then their page has another.
    """
    return tokens.sign(INVITATION, invitation_id, *epoch)


def lesson_token(tokens: Tokens, player_id: int, epoch: int, game: str) -> str:
    """Return the token that says yes to a first game by letter; it opens nothing else."""
    return tokens.sign(LESSON, player_id, epoch, game)


def open_lesson(session: Session, tokens: Tokens, token: str) -> tuple[OpenedPlayer, str]:
    """Return who said yes to a first game by letter, and of which game. Raises NotSeated."""
    person, (game,) = person_of(session, tokens, LESSON, token)
    return person, game


def end_token(tokens: Tokens, player_id: int, epoch: int) -> str:
    """The token that ends all links of a person, and opens nothing: it goes only where their codes are mailed."""
    return tokens.sign(END_LINKS, player_id, epoch)


def open_end(session: Session, tokens: Tokens, token: str) -> OpenedPlayer:
    """Return whose links a letter with a code would end. Raises NotSeated, also once they were ended."""
    return person_of(session, tokens, END_LINKS, token)[0]


def open(session: Session, now: datetime, tokens: Tokens, token: str) -> OpenedSeat | OpenedPlayer:  # noqa: A001 - what one does with a link
    """Return whom a letter's link speaks for. Raises NotSeated alike for unknown, expired, revoked and foreign ones."""
    try:
        seat_id, epoch, ply, *reader = tokens.read(SEAT, token)
    except BadToken:
        return person_of(session, tokens, PLAYER, token)[0]
    opened = enter_seat(session, now, seat_id, epoch=epoch)
    return msgspec.structs.replace(opened, ply=ply, reader=_reader(session, *reader))


def _reader(session: Session, *reader: int) -> OpenedPlayer | None:
    """Return whom the letter went to; None if their key was revoked since, or the link names nobody."""
    try:
        return enter_player(session, *reader) if reader else None
    except NotSeated:
        return None


def person_of(session: Session, tokens: Tokens, purpose: str, token: str) -> tuple[OpenedPlayer, list[Any]]:
    """Return whom a token with this purpose speaks for, and what else it says. Raises NotSeated."""
    try:
        player_id, epoch, *more = tokens.read(purpose, token)
    except BadToken:
        # nobody, who is looked up all the same: forged tokens take as long as revoked ones
        player_id, epoch, more = 0, -1, []
    return enter_player(session, player_id, epoch), more


def open_invitation(session: Session, now: datetime, tokens: Tokens, token: str) -> OpenedInvitation:
    """Return the invitation a link answers, expired if its time is over. Raises NotSeated if there is none."""
    try:
        invitation_id, *epoch = tokens.read(INVITATION, token)
    except BadToken:
        raise _uninvited() from None
    row = session.execute(
        select(Invitation, Player).join(Player, Player.id == Invitation.player_id).where(Invitation.id == invitation_id)
    ).one_or_none()
    if row is None or (epoch or [row[0].epoch]) != [row[1].epoch]:
        raise _uninvited()
    invitation, player = row
    return from_attributes(
        OpenedInvitation,
        invitation,
        invitation_id=invitation.id,
        player_id=player.id,
        state="expired" if invitation.state == "pending" and invitation.expires_at <= now else invitation.state,
        language=player.language,
        zone=player.zone,
    )


def _uninvited() -> NotSeated:
    return NotSeated("This invitation is not open any more. Ask the organiser for a new one.")


def enter_seat(
    session: Session, now: datetime, seat_id: int, *, epoch: int | None = None, players: Mapping[int, int] | None = None
) -> OpenedSeat:
    """Authorise a request for a seat by its `epoch`, or as its player or sitter (epoch by player number).

    Raises NotSeated.
    """
    keys = players or {}
    return _opened(now, requests.held(session, seat_id, epoch, keys) or _sat(session, now, seat_id, keys))


def authorize_seat(
    session: Session, now: datetime, seat_id: int, keys: Keys
) -> tuple[OpenedSeat, GameWithSeats | None, Keys]:
    """Authorise a request for a seat, and read its table and its reader's queue by the same statement.

    That one also asks whether the browser was ended; the third value are the keys that count.
    For a sitter the table is left to be gathered. Raises NotSeated.
    """
    found = game_pages.held_table(session, seat_id, keys.seats, keys.players, keys.browser)
    if found is not None and not found.ended:
        return _opened(now, found.seat), found.table, keys.without(())
    if keys.browser:
        return authorize_seat(session, now, seat_id, keys.without(browsers.ended(session, keys.browser)))
    sat = _opened(now, _sat(session, now, seat_id, keys.players))
    waiting = game_pages.waiting(session, keys.seats, keys.players)
    return msgspec.structs.replace(sat, waiting=waiting), None, keys


def _sat(session: Session, now: datetime, seat_id: int, players: Mapping[int, int]) -> HeldRow | None:
    return requests.sat(session, now, seat_id, players) if players else None


def is_shut(now: datetime, finished_at: datetime | None) -> bool:
    """Return whether nothing opens the seats of a game any more, which ended then, or not yet (None)."""
    return finished_at is not None and finished_at + KEPT_AFTER < now


def _opened(now: datetime, row: HeldRow | None) -> OpenedSeat:
    if row is None or is_shut(now, row.finished_at):
        raise nobody()
    sitting = None if row.reader_id == row.player_id else row.reader_id
    return from_attributes(
        OpenedSeat,
        row,
        epoch=row.epoch,
        is_over=row.finished_at is not None,
        sitting=sitting,
        note="" if sitting else row.note or "",
        ahead=row.ahead and not sitting,
    )


def enter_player(session: Session, player_id: int, epoch: int) -> OpenedPlayer:
    """Authorise a request for a person by their epoch. Raises NotSeated."""
    player = session.get(Player, player_id)
    if player is None or player.epoch != epoch or player.address is None:
        raise nobody()
    return from_attributes(OpenedPlayer, player, player_id=player.id, epoch=epoch)


def fresh(session: Session, now: datetime, seat_id: int) -> None:
    """Revoke every link to a seat and mail a new one; True if a letter was queued.

    Letters also name their reader, so the reader's own links go with it.
    """
    row = session.execute(
        select(Seat, Game, Player)
        .join(Game, Game.id == Seat.game_id)
        .join(Player, Player.id == Seat.player_id)
        .where(Seat.id == seat_id)
    ).one_or_none()
    if row is None:
        raise nobody()
    seat, game, player = row
    seat.epoch = Seat.epoch + 1  # by the database: of two at once the later one must not set it back
    player.epoch = Player.epoch + 1
    session.flush()
    post = LetterQueue(now)
    post.seat("fresh_link", game, seat, player, str(seat.epoch))
    post.send(session)


def renew_for_owner(session: Session, now: datetime, player_id: int) -> None:
    """Renew a person's links as they ask for themselves. Raises NeedsYes, NeedsCode or NotAllowed."""
    require_proof(session, "revoke-links", player_id)
    renew(session, now, player_id)
    require_yes(session, "revoke-links", person=session.get_one(Player, player_id).name)


def renew(session: Session, now: datetime, player_id: int) -> None:
    """Revoke every link a person has, to all their seats as well, and mail them a new one.

    That letter goes whatever was sent before: whoever holds a link could use its budget up, and stay.
    """
    player = session.get_one(Player, player_id)
    player.epoch = Player.epoch + 1
    session.execute(update(Seat).where(Seat.player_id == player_id).values(epoch=Seat.epoch + 1))  # flushes first
    post = LetterQueue(now)
    post.person("fresh_link", player, f"renewed:{player.id}:{player.epoch}")
    post.send(session, paid=True)


def renew_feeds(session: Session, player_id: int) -> None:
    """End the addresses of a person's calendar and feeds, and nothing else."""
    session.get_one(Player, player_id).feeds = Player.feeds + 1
    session.flush()


def mail_my_links(session: Session, now: datetime, address: str) -> None:
    """Mail a person the link to everything of theirs, if the address is known; nobody learns which.

    At most `MAILED` letters go out, and none to an address that never answered us. For an address nobody has, the
    same work is done: a row that is never sent.
    """
    player = session.scalar(
        select(Player).where(Player.address == address.strip().lower(), Player.accepted_at.is_not(None))
    )
    post = LetterQueue(now)
    if player is not None:
        post.person("fresh_link", player, f"links:{player.id}:{player.epoch}:{MAILED.period(now)}")
    else:
        stranger = Player(address="", accepted_at=now, kinds_off=[])
        post.person("fresh_link", stranger, f"links:nobody:{secrets.token_hex(8)}:{MAILED.period(now)}")
        post.rows[0]["state"] = "dropped"
    with contextlib.suppress(WrongInput):  # so many that another one is refused: the newest is there already
        post.send(session)
