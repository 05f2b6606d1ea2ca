"""Positions: each reader sees their own view of the ply they look at."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from pbem.engine.registry import rules_of
from pbem.errors import NotSeated
from pbem.messages import Translator
from pbem.play.seats import substitutes
from pbem.play.views import seat_view, spectator
from pbem.play.views.game_context import table_of
from tests import factories
from tests.factories import GameFactory, PlayerFactory, seat_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from sqlalchemy.orm import Session

    from pbem.play.views.positions import VisibleEvent
    from pbem.store.models import Game


@pytest.fixture
def game(session: Session, now: datetime) -> Game:
    """Amun-Re, three persons, some plies old."""
    made: Game = GameFactory(game="amunre", people=3, bots=(), now=now, seed="kept", plays=5)
    session.flush()
    return made


def test_a_position_is_its_seats_own(session: Session, now: datetime, game: Game) -> None:
    """Whoever looked before, each seat and each spectator gets their own view and no other's."""
    rules, state = rules_of("amunre"), factories.state(session, game)
    seats = {number: seat_of(session, game, number).id for number in range(3)}
    for _ in range(2):
        found = {n: seat_view.situation(session, now, seat_id, pictured=True) for n, seat_id in seats.items()}
        watched = seat_view.watch(session, now, game.id)

        assert {number: seen.view for number, seen in found.items()} == {n: rules.view(state, n) for n in seats}
        assert watched.view == rules.view(state, None)
        assert all(seen.public == watched.view for seen in found.values())
    assert len({msgspec.json.encode(seen.view) for seen in found.values()}) == len(seats)


def test_a_new_ply_is_seen_at_once(session: Session, now: datetime, game: Game) -> None:
    """The ply before is not shown in its place, and can still be looked at."""
    seat_id = seat_of(session, game, 0).id
    before = seat_view.situation(session, now, seat_id)
    factories.answer_all(session, now, game)
    after = seat_view.situation(session, now, seat_id)

    assert after.ply > before.ply
    assert after.view != before.view
    assert seat_view.situation(session, now, seat_id, before.ply).view == before.view


def test_a_ply_that_is_not_there_is_not_seen(session: Session, now: datetime, game: Game) -> None:
    """Neither one to come nor one before the first: answered as a game that isn't there."""
    for ply in (game.ply + 1, -1):
        with pytest.raises(NotSeated):
            seat_view.situation(session, now, seat_of(session, game, 0).id, ply)
        with pytest.raises(NotSeated):
            seat_view.watch(session, now, game.id, ply)


def test_what_happened_is_told_of_who_had_the_seats_then(session: Session, now: datetime) -> None:
    """However often one changes hands: in the history, to spectators, in the news; what happens next of who has it."""
    game: Game = GameFactory(people=3, bots=(), now=now, plays=2, options={"auctions": "in_turn"}, seed="held")
    by, seat_id = game.organiser_id or 0, seat_of(session, game, 0).id

    def say(told: Iterable[VisibleEvent]) -> list[tuple[int, str]]:
        names = [seat_view.name_of(table_of(session, game), seat) for seat in range(3)]
        return [(one.ply, Translator(names=names)(one.event)) for one in told]

    def passed() -> list[tuple[int, str]]:
        held = seat_view.situation(session, now, seat_id).held
        return say(seat_view.story(session, game.id, None, 0, game.ply, held))

    changes: list[Callable[[], None]] = [
        lambda: substitutes.resign(session, now, seat_id),
        lambda: substitutes.replace(session, now, game.id, 0, PlayerFactory(name="Nora").id, by),
        lambda: substitutes.put_bot(session, now, game.id, 0, "random", by),
        lambda: substitutes.replace(session, now, game.id, 0, PlayerFactory(name="Draw").id, by),
        lambda: substitutes.vote_out(session, now, table_of(session, game), 0),
    ]
    true = passed()
    for change in changes:
        change()
        session.commit()
        assert passed() == true
        for _ in range(4):
            factories.answer_all(session, now, game)
        true = passed()

    assert {"Nora", "Draw"} <= {text.split()[0] for _, text in true}
    watched = [spectator.watch(session, now, game.slug, ply, [by]) for ply in range(game.ply + 1)]
    assert [line for one in watched for line in say(one.told)] == true
    for ply in range(game.ply + 1):
        seen = seat_view.situation(session, now, seat_of(session, game, 1).id, ply)
        news = say(one for one in seen.since if one.event.seen_by is None)
        assert news == [line for line in true if news and news[0][0] <= line[0] <= ply]
