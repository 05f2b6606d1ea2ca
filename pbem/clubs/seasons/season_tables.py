"""A season's tables as pages and programs show them, and who sits there after somebody dropped out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import TypeAlias

from sqlalchemy import Row, select, update
from sqlalchemy.orm import Session

from pbem.clubs.seasons.table_sizes import table_sizes
from pbem.engine.registry import rules_of, title_of
from pbem.errors import NotSeated
from pbem.play.seats import opening
from pbem.play.views.game_context import outcome_of
from pbem.play.views.seat_view import seat_name
from pbem.store.models import Game, GameState, Pairing, Player, Season, SeasonEntry, Seat
from pbem.structs import Value

STAND_IN = "heuristic"
"""The bot that plays for somebody who dropped out before the game, where the table can't do with fewer."""
Seated: TypeAlias = tuple[int | None, str, str | None]
"""Who has a seat: the person's number, the bot, and the person's name."""


class SeasonTableView(Value, kw_only=True):
    """Who meets whom in a round, and what came of it once its game is opened and over."""

    round: int
    number: int
    game: str
    players: tuple[str, ...]
    """For whom the game counts, by name in seat order."""
    stand_ins: tuple[str, ...] = ()
    """What the bot or the substitute in their seat is called, once the game is opened; empty for who plays it."""
    slug: str
    """The game's; empty before it is opened."""
    state: GameState | None
    """The game's; empty before it is opened."""
    opens_at: datetime
    scores: tuple[int, ...] = ()
    """By seat, once it is over."""
    places: tuple[int, ...] = ()
    counts: bool = True
    """Whether its game counts: not one that was not over when the season ended."""


class Contestant(Value, kw_only=True):
    """Somebody who entered a season."""

    player_id: int
    name: str
    is_in: bool
    """Whether they still play."""


def find(session: Session, club_id: int, slug: str) -> Season:
    """Return the season of a club called so. Raises NotSeated."""
    season = session.scalar(select(Season).where(Season.slug == slug, Season.club_id == club_id))
    if season is None:
        raise NotSeated("This link opens nothing. Ask for a fresh one.")
    return season


def withdraw(session: Session, now: datetime, player_id: int, club_id: int | None = None) -> None:
    """Take a person out of all seasons (of one club) that aren't over: their tables not opened yet do without them."""
    going_on = select(Season.id).where(Season.state != "finished")
    if club_id is not None:
        going_on = going_on.where(Season.club_id == club_id)
    session.execute(
        update(SeasonEntry)
        .where(
            SeasonEntry.player_id == player_id, SeasonEntry.dropped_at.is_(None), SeasonEntry.season_id.in_(going_on)
        )
        .values(dropped_at=now)
        .execution_options(synchronize_session="fetch")
    )


def contestants(session: Session, season_id: int) -> tuple[Contestant, ...]:
    """Return everybody who ever entered, by name."""
    rows = session.execute(
        select(Player.id, Player.name, SeasonEntry.dropped_at)
        .join(SeasonEntry)
        .where(SeasonEntry.season_id == season_id)
    )
    found = (Contestant(player_id=one, name=name, is_in=dropped is None) for one, name, dropped in rows)
    return tuple(sorted(found, key=lambda one: (one.name.casefold(), one.player_id)))


def tables(session: Session, season: Season, names: Mapping[int, str]) -> tuple[SeasonTableView, ...]:
    """Return every table drawn so far, round by round."""
    rows = session.execute(
        select(Pairing, Game, Season.counts_game())
        .join(Season)
        .outerjoin(Game, Game.id == Pairing.game_id)
        .where(Pairing.season_id == season.id)
        .order_by(Pairing.round, Pairing.title, Pairing.number)
    )
    seated = _seated(session, season.id)
    return tuple(_table(row, season, names, seated) for row in rows)


def _seated(session: Session, season_id: int) -> dict[int, list[Seated]]:
    """By game of a season, who has each seat, in their order."""
    rows = session.execute(
        select(Seat.game_id, Seat.player_id, Seat.bot, Player.name)
        .join(Pairing, Pairing.game_id == Seat.game_id)
        .outerjoin(Player)
        .where(Pairing.season_id == season_id)
        .order_by(Seat.game_id, Seat.seat)
    )
    found: dict[int, list[Seated]] = {}
    for game_id, player_id, bot, name in rows:
        found.setdefault(game_id, []).append((player_id, bot, name))
    return found


def _table(
    row: Row[Pairing, Game | None, bool | None],
    season: Season,
    names: Mapping[int, str],
    seated: Mapping[int, Sequence[Seated]],
) -> SeasonTableView:
    pairing, game, counts = row
    ended = outcome_of(game.outcome) if game else None
    return SeasonTableView(
        round=pairing.round,
        number=pairing.number + 1,
        game=title_of(season.titles[pairing.title]["game"]),
        players=tuple(names.get(player, "") for player in pairing.players),
        stand_ins=_stand_ins(pairing.players, game, seated[game.id]) if game else (),
        slug=game.slug if game else "",
        state=game.state if game else None,
        opens_at=pairing.opens_at,
        scores=ended.scores if ended else (),
        places=ended.places if ended else (),
        counts=game is None or bool(counts),
    )


def _stand_ins(players: Sequence[int], game: Game, seated: Sequence[Seated]) -> tuple[str, ...]:
    """Return by seat what plays there instead of the one it was drawn for; "" where they play themselves."""
    return tuple(
        "" if holder == drawn else seat_name(game, seat, bot, name)
        for seat, (drawn, (holder, bot, name)) in enumerate(zip(players, seated, strict=True))
    )


def seats_at(players: Sequence[int], dropped: Collection[int], allowed: Collection[int]) -> list[int | None]:
    """Return who sits at a table about to open: fewer where the game allows it, else None for a stand-in's seat.

    Empty where nobody is left.
    """
    left = [player for player in players if player not in dropped]
    if not left or len(left) in allowed:
        return list(left)
    return [None if player in dropped else player for player in players]


def fits(game: str, players: int) -> bool:
    """Return whether that many players can fill a table of a game."""
    return bool(table_sizes(players, players, rules_of(game).meta.seats))


def plan_of(seat: int | None) -> opening.SeatPlan:
    """Return a person who entered, or the bot that stands in."""
    return opening.SeatPlan(bot=STAND_IN) if seat is None else opening.SeatPlan(player_id=seat, seated=True)
