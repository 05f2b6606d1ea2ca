from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest
from sqlalchemy import select

from pbem.capabilities.tokens import tokens
from pbem.errors import NotSeated
from pbem.letter_kinds import stoppable
from pbem.letters import unsubscribe
from pbem.play.seats.preferences import settings_of
from pbem.store.models import Game, GameState, Letter, Player, Seat
from tests.factories import START, GameFactory, PlayerFactory, forged, one_question, seat_of

if TYPE_CHECKING:
    from sqlalchemy.orm import Session


@pytest.fixture
def game(session: Session) -> Game:
    """A game of two people; the first one organises it."""
    return one_question(session)


@pytest.fixture
def seat(session: Session, game: Game) -> Seat:
    """The seat of the player who doesn't organise."""
    return seat_of(session, game, 1)


def token_of(seat: Seat, kind: str) -> str:
    """What a letter of that kind to the seat carries."""
    return unsubscribe.token(tokens(), seat.player_id or 0, 0, seat.id, kind)


def test_stopping_turn_letters_makes_the_game_safe(session: Session, game: Game, seat: Seat) -> None:
    """No more turn letters: the kind is off for this game, the ladder is on, and the organiser is told."""
    done = unsubscribe.stop(session, START, tokens(), token_of(seat, "your_turn"))
    session.commit()
    alert = session.execute(select(Letter).where(Letter.kind == "organiser_alert")).scalar_one()

    assert (done.kind, done.game, done.turns) == ("your_turn", game.title, True)
    assert seat.kinds_off == ["your_turn"]
    assert tuple(seat.ladder) == unsubscribe.SAFETY
    assert alert.player_id == game.organiser_id


TELL_TURNS = {"your_turn", "digest"}
"""Whoever gets none of these hears of no turn in time."""


@pytest.mark.parametrize("kind", [kind.name for kind in stoppable()])
def test_what_the_page_says_of_missed_turns_is_done(session: Session, game: Game, seat: Seat, kind: str) -> None:
    """By the question's own letter and by the digest, for one game and for all, while it goes on; by no other kind."""
    session.get_one(Player, seat.player_id).digest_hour = 7
    for at in (seat.id, None):
        for state in (GameState.RUNNING, GameState.PAUSED, GameState.FINISHED):
            undone = session.begin_nested()
            game.state = state
            text = unsubscribe.token(tokens(), seat.player_id or 0, 0, at, kind)
            said = unsubscribe.stopping(session, tokens(), text).turns
            assert said == (kind in TELL_TURNS and state.is_underway)
            assert unsubscribe.stop(session, START, tokens(), text).turns == said
            told = session.scalars(select(Letter).where(Letter.kind == "organiser_alert")).all()
            assert (len(told), bool(seat.ladder)) == (said, said)
            undone.rollback()


@pytest.mark.usefixtures("game")
def test_a_second_click_changes_nothing(session: Session, seat: Seat) -> None:
    """Clicking again stops nothing more and tells nobody again."""
    for _ in range(3):
        unsubscribe.stop(session, START, tokens(), token_of(seat, "your_turn"))

    assert seat.kinds_off == ["your_turn"]
    assert len(session.execute(select(Letter).where(Letter.kind == "organiser_alert")).all()) == 1


@pytest.mark.usefixtures("game")
def test_looking_stops_nothing(session: Session, seat: Seat) -> None:
    """What a GET asks for changes nothing."""
    assert unsubscribe.stopping(session, tokens(), token_of(seat, "your_turn")).turns
    assert seat.kinds_off == []


@pytest.mark.usefixtures("game")
def test_a_kind_without_a_game_is_stopped_everywhere(session: Session, seat: Seat) -> None:
    """A letter about no game stops its kind for the person."""
    everywhere = unsubscribe.token(tokens(), seat.player_id or 0, 0, None, "gazette")
    stopped = unsubscribe.stop(session, START, tokens(), everywhere)

    assert (stopped.game, stopped.seat_id) == ("", 0)
    assert session.get_one(Player, seat.player_id).kinds_off == ["gazette"]
    assert seat.kinds_off == []


def test_no_more_turn_letters_at_all_makes_each_of_ones_games_safe(session: Session, game: Game, seat: Seat) -> None:
    """The ladder is on in every game of theirs that goes on, and in nobody else's."""
    player = session.get_one(Player, seat.player_id)
    second = GameFactory.create(people=[player, PlayerFactory.create()], bots=())
    over = GameFactory.create(people=[player, PlayerFactory.create()], bots=())
    over.state = GameState.FINISHED
    unsubscribe.stop(session, START, tokens(), unsubscribe.token(tokens(), player.id, 0, None, "your_turn"))
    ladders = {(one.id, n): tuple(seat_of(session, one, n).ladder) for one in (game, second, over) for n in (0, 1)}

    assert player.kinds_off == ["your_turn"]
    assert {at for at, ladder in ladders.items() if ladder == unsubscribe.SAFETY} == {(game.id, 1), (second.id, 0)}


@pytest.mark.usefixtures("game")
@pytest.mark.parametrize("kind", ["refused", "login_code", "no_such_kind"])
def test_what_must_arrive_cant_be_stopped(session: Session, seat: Seat, kind: str) -> None:
    """Answers and codes can't be turned off, not even by a signed token."""
    with pytest.raises(NotSeated):
        unsubscribe.stop(session, START, tokens(), token_of(seat, kind))


@pytest.mark.usefixtures("game")
def test_a_forged_token_is_refused(session: Session, seat: Seat) -> None:
    """A token that was changed stops nothing."""
    with pytest.raises(NotSeated):
        unsubscribe.stop(session, START, tokens(), forged(token_of(seat, "your_turn")))
    assert seat.kinds_off == []


@pytest.mark.parametrize("kind", [kind.name for kind in stoppable()])
@pytest.mark.parametrize("hour", [None, 7])
def test_settings_have_the_same_consequences(
    session: Session, game: Game, seat: Seat, kind: str, hour: int | None
) -> None:
    """Games are made safe if turns are missed then, whichever is changed: the kind, or the daily letter."""
    player = session.get_one(Player, seat.player_id)
    wanted = msgspec.structs.replace(settings_of(player), kinds_off=(kind,))
    misses = kind == "your_turn" or (kind == "digest" and hour is not None)

    for last in (wanted, msgspec.structs.replace(wanted, digest_hour=hour), wanted):
        assert unsubscribe.change_settings(session, START, player.id, last) == last
    session.commit()
    told = session.scalars(select(Letter.kind).where(Letter.kind.in_(("organiser_alert", "account")))).all()

    assert (bool(seat.ladder), sorted(told)) == (misses, ["account", "organiser_alert"] * misses)
    assert game.state == GameState.RUNNING
