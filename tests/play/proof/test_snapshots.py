"""Snapshots of games that are over: they can go, whatever is shown of the game stays, and they come back."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import msgspec
import pytest
from sqlalchemy import select, update

from pbem.errors import NotAllowed
from pbem.play.orders import takeback
from pbem.play.proof import record_export, replay_audit, snapshots
from pbem.play.views import look_back, seat_view
from pbem.store.models import Game, StoredPly
from pbem.store.queries import common
from tests import built
from tests.factories import GameFactory, play_to_the_end

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

pytestmark = pytest.mark.usefixtures("clock")


@pytest.fixture
def game(session: Session, now: datetime, request: pytest.FixtureRequest) -> Game:
    """A game played to its end."""
    title = getattr(request, "param", "priestsofra")

    def played() -> int:
        made: Game = GameFactory(game=title, people=3, bots=(), now=now, seed="compact")
        play_to_the_end(session, now, made)
        return made.id

    return session.get_one(Game, built.once(f"snapshots of {title}", played))


def stored(session: Session, game: Game) -> dict[int, bytes]:
    """The snapshots of a game by ply."""
    query = select(StoredPly.ply, StoredPly.snapshot).where(StoredPly.game_id == game.id).order_by(StoredPly.ply)
    return {row.ply: row.snapshot for row in session.execute(query)}


def shown(session: Session, now: datetime, game: Game) -> bytes:
    """What people may see of a game: some positions, the look back, what could be taken back, the record, the audit."""
    plies = {0, game.ply // 2, game.ply - 1, game.ply}
    return msgspec.json.encode(
        [
            [seat_view.watch(session, now, game.id, ply) for ply in sorted(plies)],
            [step.events for step in look_back.steps_of(session, game.id)],
            [msgspec.json.encode(step.state) for step in look_back.steps_of(session, game.id)],
            [takeback.look_back(session, seat.id) for seat, _ in common.seats_of(session, game.id)],
            record_export.record(session, game.id),
            replay_audit.audit(session, game.id),
        ]
    )


@pytest.mark.parametrize("game", ["amunre", "egizia", "priestsofra"], indirect=True)
def test_a_game_shows_the_same_without_its_snapshots_and_gets_them_back(
    session: Session, now: datetime, game: Game
) -> None:
    """Dropped but for the last, nothing that is shown changes; rebuilt, they are what they were, byte for byte.

    Those of a game beside it stay as they are.
    """
    other = GameFactory(now=now, plays=3)
    before, seen, there = stored(session, game), shown(session, now, game), stored(session, other)
    assert snapshots.drop(session, game) == game.ply
    session.flush()

    assert {ply for ply, kept in stored(session, game).items() if kept} == {game.ply}
    assert shown(session, now, game) == seen
    assert snapshots.drop(session, game) == game.ply
    assert snapshots.rebuild(session, game) == game.ply
    assert (stored(session, game), stored(session, other)) == (before, there)
    assert not replay_audit.audit(session, game.id).faults


def test_the_night_drops_what_comes_back_and_is_over_long_enough(session: Session, now: datetime, game: Game) -> None:
    """Neither snapshots that the replay doesn't make, nor a running game's, nor those of a game that has just ended."""
    assert game.finished_at is not None
    later = game.finished_at + snapshots.KEPT + timedelta(minutes=1)
    assert snapshots.drop_next(session, game.finished_at) is None
    whole = stored(session, game)
    session.execute(update(StoredPly).where(StoredPly.game_id == game.id, StoredPly.ply == 1).values(snapshot=b"{}"))
    with pytest.raises(NotAllowed, match="Ply 1"):
        snapshots.drop(session, game)
    place = game.finished_at, game.id
    assert snapshots.drop_next(session, later) == place
    assert snapshots.drop_next(session, later, place) is None
    assert all(stored(session, game).values())

    session.execute(update(StoredPly).where(StoredPly.game_id == game.id, StoredPly.ply == 1).values(snapshot=whole[1]))
    assert snapshots.drop_next(session, later) == place
    assert game.compact
    assert snapshots.drop_next(session, later) is None
    running = GameFactory(now=now)
    with pytest.raises(NotAllowed, match="not over"):
        snapshots.drop(session, running)


def test_games_are_taken_in_the_order_they_ended(session: Session, now: datetime, game: Game) -> None:
    """The one that ended first, by number where they ended together; from a place on; none twice, none too fresh."""
    assert game.finished_at is not None
    ends = [game.finished_at + timedelta(hours=late) for late in (2, 0, 1, 0)]
    games: list[Game] = [game, *GameFactory.create_batch(3, now=now)]
    for one, end in zip(games, ends, strict=True):
        one.state, one.finished_at, one.version = game.state, end, one.version + 1
    session.commit()
    first, second, third, last = (ends[1], games[1].id), (ends[3], games[3].id), (ends[2], games[2].id), (ends[0], 1)
    assert game.id == 1
    later = game.finished_at + snapshots.KEPT + timedelta(days=1)

    place, seen = None, []
    while (place := snapshots.drop_next(session, later, place)) is not None:
        seen.append(place)

    assert seen == [first, second, third, last]
    assert snapshots.drop_next(session, later, third) is None, "the last is compact"
    fresh = GameFactory(now=now)
    fresh.state, fresh.finished_at, fresh.version = game.state, later - snapshots.KEPT, fresh.version + 1
    session.commit()
    assert snapshots.drop_next(session, later, third) is None
    assert snapshots.drop_next(session, later + timedelta(seconds=1), third) == (fresh.finished_at, fresh.id)
