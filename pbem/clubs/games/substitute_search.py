"""Finding a substitute: which seats need one, which members would fit best, and the letters that ask them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta

import msgspec
from sqlalchemy import exists, func, select
from sqlalchemy.orm import Session, aliased

from pbem.clubs import club_views
from pbem.engine.core.message import N_, Message, sentence
from pbem.letter_queue import LetterQueue
from pbem.play.admin import action_log
from pbem.play.deadlines.waiting_reasons import are_hidden, is_told, needed_seats
from pbem.play.seats import opening
from pbem.play.views.game_context import GameContext
from pbem.store.models import UNDERWAY, Audit, Game, Invitation, Member, Player, Seat, Sitter, StoredOrder
from pbem.store.queries import common
from pbem.structs import Value

ASKED = 3
"""Members who are asked for each seat; the first to accept has it."""
_UNKNOWN = 0.5
"""The reliability that is taken for somebody who was never asked anything here."""

_NEVER_ASKED = (
    N_("{person} (not asked anything yet, {count} game(s) under way)"),
    N_("{person} (not asked anything yet, left {ignored} offer(s) unanswered, {count} game(s) under way)"),
)
_ASKED_BEFORE = (
    N_("{person} (answers {percent} % in time, {count} game(s) under way)"),
    N_("{person} (answers {percent} % in time, left {ignored} offer(s) unanswered, {count} game(s) under way)"),
)
"""What is said of somebody who ignored no offer, and of somebody who did."""


class Candidate(Value):
    """A member who could take over a seat."""

    player_id: int
    name: str
    on_time: float | None
    """The share of decisions they answer themselves, 0 to 1; None for who was never asked anything here."""
    ignored: int
    """Seats they were offered lately and said nothing to."""
    games: int
    """How many they have under way."""
    offers: int
    """Seats they are offered and can still take."""

    @property
    def own(self) -> float:
        """How far an answer can be hoped for, 0 to 1: halved, thirded and so on by what they ignored or are offered."""
        return (_UNKNOWN if self.on_time is None else self.on_time) / (1 + self.ignored + self.offers)

    @property
    def record(self) -> Message:
        """Their name, and why they are asked before others."""
        said = _NEVER_ASKED if self.on_time is None else _ASKED_BEFORE
        percent = round(100 * (self.on_time or 0))
        return sentence(
            said[self.ignored > 0], person=self.name, ignored=self.ignored, count=self.games, percent=percent
        )


def seats_in_need(session: Session, now: datetime, table: GameContext) -> tuple[int, ...]:
    """Return the seats that nobody answers for: left for good, past the deadline, or whose mail comes back.

    Of a secret decision only the time after its deadline says who is missing.
    """
    decisions = common.decisions_of(session, table.game)
    late = is_told(table.game.due_at, now)
    hidden = are_hidden(decisions) and not late
    missing = () if hidden else needed_seats(decisions)
    stalled = (seat for seat in missing if seat in table.players and (late or not table.is_reachable(seat)))
    left = (number for number, seat in table.seats.items() if seat.player_id is None and seat.resigned_at is not None)
    return tuple(sorted({*stalled, *left}))


def candidates(session: Session, now: datetime, club_id: int) -> tuple[Candidate, ...]:
    """Return every member who can be asked, the most reliable first, among equals who has the fewest games."""
    busy = (
        select(func.count())
        .select_from(Seat)
        .join(Game)
        .where(Seat.player_id == Player.id, Game.state.in_(UNDERWAY))
        .scalar_subquery()
    )
    rows = session.execute(
        select(Player, busy)
        .join(Member)
        .where(
            Member.at_present(club_id=club_id),
            Player.accepted_at.is_not(None),
            Player.address_state == "good",
        )
    ).all()
    reliable = club_views.reliability(session, now, club_id)
    ignored, open_ones = _ignored(session, now, club_id), _offers(session, now, club_id)
    away = common.absences_of(session, [player for player, _ in rows], now)
    found = (
        Candidate(
            player.id,
            player.name,
            reliable.get(player.id, club_views.NEVER_ASKED).on_time,
            ignored[player.id],
            games,
            open_ones[player.id],
        )
        for player, games in rows
        if not any(starts <= now for starts, _ in away.get(player.id, ()))
    )
    return _ranked(found)


def _ranked(found: Iterable[Candidate]) -> tuple[Candidate, ...]:
    return tuple(sorted(found, key=lambda one: (-one.own, one.games, one.name, one.player_id)))


def offered(found: Iterable[Candidate], asked: Collection[Candidate]) -> tuple[Candidate, ...]:
    """Return the same members, ranked anew now that some are offered one seat more: not the same few for every seat."""
    numbers = {one.player_id for one in asked}
    return _ranked(
        msgspec.structs.replace(one, offers=one.offers + 1) if one.player_id in numbers else one for one in found
    )


def _offers(session: Session, now: datetime, club_id: int) -> Counter[int]:
    """By member, how many seats of the club's games they are offered now."""
    rows = session.execute(
        select(Invitation.player_id).where(
            Invitation.club_id == club_id,
            Invitation.game_id.is_not(None),
            Invitation.is_open(now),
        )
    )
    return Counter(rows.scalars())


def _ignored(session: Session, now: datetime, club_id: int) -> Counter[int]:
    """Return, by member, how many offers of a seat ran out lately without an answer.

    Offers that were open for less than the whole time, or that somebody else took, are not counted.
    """
    other = aliased(Invitation)
    taken = exists().where(
        other.game_id == Invitation.game_id, other.seat == Invitation.seat, other.state == "accepted"
    )
    rows = session.execute(
        select(Invitation.player_id, Invitation.created_at, Invitation.expires_at).where(
            Invitation.club_id == club_id,
            Invitation.game_id.is_not(None),
            Invitation.state.in_(("pending", "expired")),
            Invitation.expires_at <= now,
            Invitation.expires_at > now - club_views.LOOKED_BACK,
            ~taken,
        )
    )
    whole = timedelta(days=opening.INVITED_FOR)
    return Counter(player for player, created, expires in rows if expires - created >= whole)


def fitting(session: Session, now: datetime, table: GameContext, found: Iterable[Candidate]) -> list[Candidate]:
    """Return those who can play in this game: not asked already, knowing nothing hidden of it, and never at the table.

    Who has left or declined a seat doesn't want it, or isn't wanted; who played another one would be refused.
    """
    game = table.game
    known: set[int | None] = {seat.player_id for seat in table.seats.values()}
    for there in (
        select(Sitter.player_id).where(Sitter.game_id == game.id),
        select(StoredOrder.player_id).where(StoredOrder.game_id == game.id).distinct(),
        select(Audit.player_id).where(Audit.game_id == game.id, Audit.act == "resign"),
        select(Invitation.player_id).where(
            Invitation.game_id == game.id, Invitation.is_open(now) | (Invitation.state == "declined")
        ),
    ):
        known |= set(session.scalars(there))
    return [
        one
        for one in found
        if one.player_id not in known and not action_log.has_looked(session, game.id, one.player_id)
    ]


def ask(  # noqa: PLR0913, PLR0917 - whom, for which seat, in whose name
    session: Session, now: datetime, table: GameContext, seat: int, wanted: Collection[Candidate], by: int
) -> tuple[int, ...]:
    """Invite these members to take over a seat; the numbers of the invitations."""
    post = LetterQueue(now)
    rows = [opening.invite(session, now, post, table.game, seat, one.player_id) for one in wanted]
    for row in rows:
        row.inviter_id = by
    session.flush()
    post.send(session)
    return tuple(row.id for row in rows)


def withdraw(session: Session, now: datetime, before: Mapping[str, list[int]]) -> bool:
    """Take back the invitations of one game that nobody has answered yet; False if there is none."""
    return bool(common.end_invitations(session, now, Invitation.id.in_(before["invitations"])))
