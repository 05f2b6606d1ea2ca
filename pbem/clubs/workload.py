"""What each member of a club has to do: games, open questions, pace and lateness, and how far each game is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import and_, select
from sqlalchemy.orm import Session

from pbem.clubs import club_views, reports
from pbem.engine.core.message import N_, Message
from pbem.play.deadlines.waiting_reasons import is_open, is_told
from pbem.play.views import headings
from pbem.store.models import LIVE, MAIL_COMES_BACK, Game, GameState, OpenDecision, Seat
from pbem.structs import Value, from_attributes


class MemberGame(Value, kw_only=True):
    """One of a member's games."""

    slug: str
    title: str
    game: str
    state: GameState
    ply: int
    heading: Message | None
    """Where it stands, as its spectators see it; None before it begins."""
    waits_since: datetime | None
    """Since when it waits for this member; None if it does not, or that is a secret."""


class MemberLoad(club_views.Reliable, kw_only=True):
    """A member with their games, and how they answer."""

    player_id: int
    name: str
    zone: str
    mail: str
    """The state of the address, never the address."""
    games: tuple[MemberGame, ...]

    @property
    def is_unreached(self) -> bool:
        """Whether mail to them comes back."""
        return self.mail in MAIL_COMES_BACK

    @property
    def waiting(self) -> int:
        """How many games wait for them."""
        return sum(game.waits_since is not None for game in self.games)

    @property
    def since(self) -> datetime | None:
        """Since when the one that waits longest does; None if none waits."""
        return min((game.waits_since for game in self.games if game.waits_since is not None), default=None)


class SortOrder(NamedTuple):
    """By what members can be sorted; names decide what is equal."""

    label: str
    key: Callable[[MemberLoad], tuple[object, ...]]


ORDERS: Mapping[str, SortOrder] = {
    "games": SortOrder(N_("Most games first"), lambda one: (-len(one.games),)),
    "waiting": SortOrder(N_("Longest wait first"), lambda one: (one.since is None, one.since)),
    "slow": SortOrder(N_("Least in time first"), lambda one: (one.on_time is None, one.on_time)),
    "name": SortOrder(N_("By name"), lambda _one: ()),
}


def workload(
    session: Session, now: datetime, club_id: int, text: str = "", order: str = "games"
) -> tuple[MemberLoad, ...]:
    """Return every member whose name holds `text`, with all games of the club they have, sorted by one of `ORDERS`."""
    games = _games(session, now, club_id)
    reliable = club_views.reliability(session, now, club_id)
    found = [
        from_attributes(
            MemberLoad,
            reliable.get(player.id, club_views.NEVER_ASKED),
            player_id=player.id,
            name=player.name,
            zone=player.zone,
            mail=player.address_state,
            games=tuple(games.get(player.id, ())),
        )
        for player in reports.members_of(session, club_id)
        if text.casefold() in player.name.casefold()
    ]
    first = ORDERS[order].key
    return tuple(sorted(found, key=lambda one: (*first(one), one.name.casefold(), one.player_id)))


def _games(session: Session, now: datetime, club_id: int) -> dict[int | None, list[MemberGame]]:
    """By member, their games that are not over; three queries."""
    rows = session.execute(
        select(Seat.player_id, Game, OpenDecision)
        .join(Game, Game.id == Seat.game_id)
        .outerjoin(
            OpenDecision,
            and_(OpenDecision.at_present(), OpenDecision.seat == Seat.seat, ~OpenDecision.optional),
        )
        .where(Game.club_id == club_id, Game.state.in_(LIVE), Seat.player_id.is_not(None))
        .order_by(Game.title, Game.id)
    )
    stands = headings.headings(session, club_id)
    found: dict[int | None, list[MemberGame]] = {}
    for player_id, game, asked in rows:
        told = is_told(game.due_at, now)
        runs = game.state == GameState.RUNNING
        waits = runs and asked is not None and is_open(asked, told=told) and (told or not asked.secret)
        found.setdefault(player_id, []).append(
            from_attributes(
                MemberGame, game, heading=stands.get(game.id), waits_since=asked.opened_at if waits else None
            )
        )
    return found
