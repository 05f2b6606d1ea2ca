"""What a club's pages show its members: the club, its games, its seasons, how reliable its people are."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from statistics import median

from sqlalchemy import and_, func, or_, select
from sqlalchemy.orm import Session, aliased

from pbem.errors import NotOpen, NotSeated
from pbem.play.views.game_context import outcome_of
from pbem.play.views.seat_view import seat_names
from pbem.store.models import (
    LIVE,
    OVER,
    Club,
    Game,
    GameState,
    Invitation,
    Member,
    OpenDecision,
    Player,
    Season,
    SeasonEntry,
    Seat,
)
from pbem.structs import Value, from_attributes

LOOKED_BACK = timedelta(days=180)
"""How long what somebody did, or left undone, is remembered of them."""
_GAMES, _PLIES = 10, 40
"""Of how many of a member's games, and of how many plies of each, the newest say how the member answers."""
_OWN = frozenset({"player", "standing", "sitter"})
"""Hands that answer for a player as they wished."""


class ClubSummary(Value):
    """A club as one of its members sees it."""

    id: int
    slug: str
    name: str
    player_id: int
    """Who asked: the member this summary is for."""
    organises: bool

    @property
    def role(self) -> str:
        """What the reader is in it: organiser or player."""
        return "organiser" if self.organises else "player"


class GameLine(Value):
    """One row of a list of games: what it is, how far it came, who plays or has won."""

    slug: str
    title: str
    game: str
    state: GameState
    ply: int
    finished_at: datetime | None
    winners: tuple[str, ...]
    scores: tuple[int, ...]
    free: int
    """Seats nobody has or is invited to."""
    mine: bool = False
    """Whether the reader has a seat in it."""
    players: tuple[str, ...] = ()
    """Who plays, seat by seat; free seats are left out."""
    places: tuple[int, ...] = ()
    """Where each came, seat by seat; none without a result."""

    @property
    def is_free(self) -> bool:
        """Whether the reader could take a seat."""
        return self.state == GameState.OPEN and self.free > 0 and not self.mine


class SeasonLine(Value):
    """One row of a list of seasons: how far it came and how many are in its standings."""

    slug: str
    name: str
    state: str
    entered: int
    mine: bool
    is_called_off: bool


class Reliable(Value):
    """How somebody answers: the share of decisions answered by themselves, and the median time they take."""

    decisions: int = 0
    """How many they were asked lately."""
    on_time: float | None = None
    """The share that the member answered, or had arranged the answer of, from 0 to 1; None if there was none."""
    hours: float | None = None
    """The usual hours to an answer; None if the member gave none."""


NEVER_ASKED = Reliable()


def authorize_member(session: Session, slug: str, players: Mapping[int, int]) -> ClubSummary:
    """Return the club, if one of these persons (number to epoch) is a member.

    Raises NotSeated, alike for all reasons.
    """
    rows = session.execute(
        select(Club, Member.role, Player.id, Player.epoch)
        .join(Member, Member.club_id == Club.id)
        .join(Player)
        .where(Club.slug == slug, Member.player_id.in_(players), Member.at_present())
        .order_by(Member.role, Player.id)
    ).all()
    for club, role, player_id, epoch in rows:
        if players[player_id] == epoch:
            return _summary(club, role, player_id)
    raise NotSeated("This link opens nothing. Ask for a fresh one.")


def summary_of(session: Session, club_id: int, player_id: int) -> ClubSummary:
    """Return the club as one of its members sees it. Raises NotSeated for everybody else."""
    row = session.execute(
        select(Club, Member.role).join(Member).where(Club.id == club_id, Member.at_present(player_id=player_id))
    ).one_or_none()
    if row is None:
        raise NotSeated("This link opens nothing. Ask for a fresh one.")
    return _summary(*row, player_id)


def _summary(club: Club, role: str, player_id: int) -> ClubSummary:
    return ClubSummary(club.id, club.slug, club.name, player_id, role == "organiser")


def clubs_of(session: Session, player_id: int) -> tuple[ClubSummary, ...]:
    """Return every club a person belongs to, by name."""
    rows = session.execute(
        select(Club, Member.role).join(Member).where(Member.at_present(player_id=player_id)).order_by(Club.name)
    )
    return tuple(_summary(*row, player_id) for row in rows)


def games(
    session: Session, club_id: int, *, over: bool, limit: int | None = None, reader: int | None = None
) -> tuple[GameLine, ...]:
    """Return the club's newest games that go on, or that are over; `reader` is who wants to know which are theirs."""
    states = OVER if over else LIVE
    rows = session.scalars(
        select(Game)
        .where(Game.club_id == club_id, Game.state.in_(states))
        .order_by(Game.finished_at.desc() if over else Game.id.desc())
        .limit(limit)
    ).all()
    return lines_of(session, rows, reader)


def lines_of(session: Session, rows: Sequence[Game], reader: int | None = None) -> tuple[GameLine, ...]:
    """Return a line for each of these games; `reader` as in `games`."""
    numbers = [game.id for game in rows]
    names, promised = seat_names(session, rows), _promised(session, numbers)
    own = select(Seat.game_id).where(Seat.game_id.in_(numbers), Seat.player_id == reader)
    mine = frozenset(session.scalars(own)) if reader is not None else frozenset()
    return tuple(_line(game, names[game.id], promised, mine=game.id in mine) for game in rows)


def results_csv(session: Session, club_id: int) -> str:
    """Every game of the club that is over as CSV, the newest first; the last cell says how it ended."""
    out = io.StringIO()
    lines = csv.writer(out)
    lines.writerow(("game", "title", "finished_at", "plies", "winners", "scores", "state"))
    for line in games(session, club_id, over=True, limit=100_000):
        ended = line.finished_at.isoformat() if line.finished_at else ""
        won = ("; ".join(line.winners), " ".join(map(str, sorted(line.scores, reverse=True))))
        cells = (line.game, line.title, ended, line.ply, *won, line.state.value)
        lines.writerow(_inert(str(cell)) for cell in cells)
    return out.getvalue()


def _inert(cell: str) -> str:
    """Return a cell that no spreadsheet takes for a formula, nor any part of it where cells end at semicolons."""
    return cell if cell.lstrip("-").isdigit() else _FORMULA.sub("'", cell)


_FORMULA = re.compile(r"(?:^|(?<=;))(?=\s*[=+@-]|[\t\r])")


def _promised(session: Session, game_ids: list[int]) -> frozenset[tuple[int, int]]:
    """Seats that are kept for somebody who is invited to them."""
    rows = session.execute(
        select(Invitation.game_id, Invitation.seat).where(
            Invitation.game_id.in_(game_ids), Invitation.seat.is_not(None), Invitation.state == "pending"
        )
    )
    return frozenset((game_id, seat) for game_id, seat in rows if game_id is not None and seat is not None)


def _line(game: Game, names: tuple[str, ...], promised: frozenset[tuple[int, int]], *, mine: bool) -> GameLine:
    outcome = outcome_of(game.outcome)
    placed = zip(names, outcome.places, strict=True) if outcome else ()
    return from_attributes(
        GameLine,
        game,
        winners=tuple(name for name, place in placed if place == 1),
        scores=outcome.scores if outcome else (),
        places=outcome.places if outcome else (),
        free=sum(not name and (game.id, seat) not in promised for seat, name in enumerate(names)),
        mine=mine,
        players=tuple(filter(None, names)),
    )


def open_game(session: Session, club_id: int, slug: str) -> int:
    """Return the number of a game of the club that waits for players. Raises NotOpen if there is none called so."""
    found = session.scalar(
        select(Game.id).where(Game.slug == slug, Game.club_id == club_id, Game.state == GameState.OPEN)
    )
    if found is None:
        raise NotOpen("This game takes no more players.")
    return found


def seasons(session: Session, club_id: int, player_id: int) -> tuple[SeasonLine, ...]:
    """Return the club's seasons, the newest first."""
    in_it = select(func.count()).where(SeasonEntry.season_id == Season.id)
    entered = in_it.where(SeasonEntry.counts()).scalar_subquery()
    mine = in_it.where(SeasonEntry.player_id == player_id, SeasonEntry.dropped_at.is_(None)).scalar_subquery()
    rows = session.execute(select(Season, entered, mine).where(Season.club_id == club_id).order_by(Season.id.desc()))
    return tuple(
        SeasonLine(season.slug, season.name, season.state, count, bool(own), season.is_called_off)
        for season, count, own in rows
    )


def reliability(session: Session, now: datetime, club_id: int) -> dict[int, Reliable]:
    """By member, how they have answered lately; only who was asked at all.

    What is looked at does not grow with what is over: of each member's newest games the newest plies.
    """
    newest, lasted = aliased(Seat), or_(Game.finished_at.is_(None), Game.finished_at > now - LOOKED_BACK)
    oldest = (
        select(newest.id)
        .join(Game)
        .where(newest.player_id == Member.player_id, Game.club_id == club_id, lasted)
        .order_by(newest.id.desc())
        .offset(_GAMES - 1)
        .limit(1)
        .scalar_subquery()
    )
    rows = session.execute(
        select(Member.player_id, OpenDecision.hand, OpenDecision.opened_at, OpenDecision.answered_at)
        .select_from(Member)
        .join(Seat, and_(Seat.player_id == Member.player_id, Seat.id >= func.coalesce(oldest, 0)))
        .join(Game, and_(Game.id == Seat.game_id, Game.club_id == club_id, lasted))
        .join(OpenDecision, and_(Seat.holds(OpenDecision), OpenDecision.ply > Game.ply - _PLIES))
        .where(Member.club_id == club_id, OpenDecision.judges(), OpenDecision.opened_at > now - LOOKED_BACK)
    )
    asked: dict[int, list[float | None]] = {}
    for player_id, hand, opened_at, answered_at in rows:
        own = hand in _OWN and answered_at is not None
        hours = (answered_at - opened_at) / timedelta(hours=1) if own and answered_at is not None else None
        asked.setdefault(player_id, []).append(hours)
    return {player: _reliable(times) for player, times in asked.items()}


def _reliable(times: list[float | None]) -> Reliable:
    own = [time for time in times if time is not None]
    return Reliable(len(times), len(own) / len(times), median(own) if own else None)
