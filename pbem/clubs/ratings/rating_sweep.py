"""Ratings follow from finished games: a sweep over those not yet counted, in the order in which they ended."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import and_, exists, func, insert, select
from sqlalchemy.orm import Session

from pbem.clubs.ratings.ratings import OVERALL, Skill, rated
from pbem.engine.core.types import places_of
from pbem.play.views.game_context import outcome_of
from pbem.store import models
from pbem.store.models import Game, GameState, Player, RatingStep, Seat
from pbem.structs import Value

BATCH = 50
_LEAST = 2
"""Persons in a game that counts: nobody is rated for beating bots."""


class RatingLine(Value):
    """One person's line of a ranking."""

    player_id: int
    name: str
    shown: int
    games: int
    place: int


class RatingPoint(Value):
    """What one game did to a rating."""

    at: datetime
    shown: int
    place: int
    title: str
    """The game's; empty for one of another club, as `slug` is."""
    slug: str


_NAMED = (func.coalesce(Game.title, ""), func.coalesce(Game.slug, ""))


def rate_finished(session: Session, limit: int = BATCH) -> int:
    """Rate the next finished games that are not rated yet; return their number. Idempotent.

    A game counts for those of its persons who played it from the start and didn't opt out of ratings, if at least two
    of them are left: a substitute isn't measured by what somebody else had begun.
    """
    games = session.scalars(
        select(Game)
        .where(Game.state == GameState.FINISHED, Game.outcome.is_not(None), ~Game.practice, ~Game.rated)
        .order_by(Game.finished_at, Game.id)
        .limit(limit)
        .with_for_update(key_share=True, skip_locked=True)
    ).all()
    for game in games:
        _rate(session, game)
        game.rated = True
    session.flush()
    return len(games)


def _rate(session: Session, game: Game) -> None:
    outcome = outcome_of(game.outcome)
    if outcome is None or game.finished_at is None:
        return
    from_the_start = Seat.joined_at.is_(None) | (Seat.joined_at <= game.started_at)
    people = session.execute(
        select(Seat.seat, Seat.player_id)
        .join(Player, Player.id == Seat.player_id)
        .where(Seat.game_id == game.id, Seat.bot == "", Player.rated, from_the_start)
        .order_by(Seat.seat)
    ).all()
    if len(people) < _LEAST:
        return
    places = [outcome.places[seat] for seat, _ in people]
    for pool in (OVERALL, game.game):
        _rate_pool(session, game, pool, [player for _, player in people if player is not None], places)


def _rate_pool(session: Session, game: Game, pool: str, players: Sequence[int], places: Sequence[int]) -> None:
    """Bring one pool's ratings up to date with one game."""
    rows = {
        row.player_id: row
        for row in session.scalars(
            select(models.Rating).where(models.Rating.game == pool, models.Rating.player_id.in_(players))
        )
    }
    before = [Skill(rows[p].mu, rows[p].sigma) if p in rows else Skill() for p in players]
    steps = []
    for player, new, place in zip(players, rated(before, places), places, strict=True):
        row = rows.get(player)
        if row is None:
            row = models.Rating(player_id=player, game=pool, games=0)
            session.add(row)
        row.mu, row.sigma, row.shown, row.games = new.mu, new.sigma, new.shown, row.games + 1
        steps.append({"player_id": player, "place": place, "shown": new.shown})
    common = {"game_id": game.id, "pool": pool, "at": game.finished_at}
    session.execute(insert(RatingStep), [common | step for step in steps])
    session.flush()


def ranking(session: Session, club_id: int, pool: str = OVERALL, limit: int = 100) -> tuple[RatingLine, ...]:
    """Return the club's members by their rating in one pool, the strongest first; who opted out isn't listed."""
    rows = session.execute(
        select(Player.id, Player.name, models.Rating.shown, models.Rating.games)
        .join(models.Rating)
        .where(
            models.Rating.game == pool,
            Player.rated,
            exists().where(
                models.Member.at_present(club_id=club_id, player_id=Player.id),
            ),
        )
        .order_by(models.Rating.shown.desc(), Player.name)
        .limit(limit)
    ).all()
    return tuple(
        RatingLine(*row, place) for row, place in zip(rows, places_of([row.shown for row in rows]), strict=True)
    )


def history(session: Session, player_id: int, club_id: int, pool: str = OVERALL) -> tuple[RatingPoint, ...]:
    """Return how a person's rating went, game by game; those of this club are named."""
    rows = session.execute(
        select(RatingStep.at, RatingStep.shown, RatingStep.place, *_NAMED)
        .outerjoin(Game, and_(Game.id == RatingStep.game_id, Game.club_id == club_id))
        .where(RatingStep.player_id == player_id, RatingStep.pool == pool)
        .order_by(RatingStep.at, RatingStep.id)
    )
    return tuple(RatingPoint(*row) for row in rows)
