from __future__ import annotations

from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import func, select

from pbem.capabilities import links
from pbem.engine.core.errors import EngineError
from pbem.errors import NotOpen, NotSeated, PlayError
from pbem.extensions import tokens
from pbem.play.deadlines.cadence import CADENCES, Cadence
from pbem.play.seats import invitations, opening
from pbem.play.seats.opening import GamePlan, SeatPlan
from pbem.store.models import Game, Invitation, Letter, Player, Seat, StoredPly
from pbem.store.unit_of_work import Work
from tests.factories import GameFactory, PlayerFactory, newly_due

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

BOTS = (SeatPlan(bot="random"),) * 2


def invited(session: Session, now: datetime) -> tuple[Game, Player, Player]:
    """A game whose organiser sits, with a seat for a new person and one for a bot."""
    olga = PlayerFactory(name="Olga")
    newcomer = PlayerFactory(name="Nora", accepted_at=None, address_state="new")
    plan = GamePlan(
        game="priestsofra",
        seats=(SeatPlan(player_id=olga.id), SeatPlan(player_id=newcomer.id), SeatPlan(bot="random")),
        organiser_id=olga.id,
        title="Tuesdays",
    )
    opened = opening.open_game(session, now, plan)
    assert Work.GAMES not in newly_due(session)
    return opened, olga, newcomer


def test_a_game_starts_when_the_last_invited_person_accepts(session: Session, now: datetime) -> None:
    """One letter goes to the new address, and no other before it answers; then the set-up is dealt."""
    game, _, nora = invited(session, now)
    letters = session.execute(select(Letter.kind, Letter.player_id)).all()
    assert [tuple(row) for row in letters] == [("invitation", nora.id)]
    assert (game.state, game.ply) == ("open", -1)

    opening.take_seat(session, now, game.id, nora.id)
    assert Work.GAMES in newly_due(session)
    session.commit()
    assert (game.state, game.ply, game.started_at) == ("running", 0, now)
    assert (nora.accepted_at, nora.address_state) == (now, "good")
    assert session.execute(select(Invitation.state)).scalar_one() == "accepted"
    ply = session.execute(select(StoredPly)).scalar_one()
    assert (ply.kind, ply.ply, ply.digest) == ("setup", 0, sha256(ply.snapshot).hexdigest())
    assert ply.chance != []


def test_an_invitation_can_be_declined_and_runs_out(session: Session, now: datetime) -> None:
    """Declined, the seat is free for others; expired, its link opens nothing."""
    game, _, nora = invited(session, now)
    number = session.execute(select(Invitation.id)).scalar_one()
    token = links.invitation_token(tokens(), number)
    assert links.open_invitation(session, now, tokens(), token).player_id == nora.id
    with pytest.raises(NotSeated):
        links.open_invitation(session, now + timedelta(days=15), tokens(), token)
    with pytest.raises(NotSeated):
        links.open_invitation(session, now, tokens(), token + "x")

    other = PlayerFactory(name="Otto")
    with pytest.raises(NotOpen, match="seat is taken"):
        opening.take_seat(session, now, game.id, other.id, seat=1)
    invitations.decline(session, now, number)
    assert invitations.offer(session, number).state == "declined"
    opening.take_seat(session, now, game.id, other.id, seat=1)
    assert Work.GAMES in newly_due(session)
    with pytest.raises(NotOpen, match="no more players"):
        opening.take_seat(session, now, game.id, nora.id)


def test_taking_a_seat_twice_is_taking_it_once(session: Session, now: datetime) -> None:
    """A second click on the invitation changes nothing."""
    olga, otto = PlayerFactory(), PlayerFactory()
    plan = GamePlan(
        game="priestsofra", seats=(SeatPlan(player_id=olga.id), SeatPlan(), SeatPlan()), organiser_id=olga.id
    )
    game = opening.open_game(session, now, plan)
    for _ in range(2):
        opening.take_seat(session, now, game.id, otto.id)
        assert Work.GAMES not in newly_due(session)

    assert session.execute(select(func.count()).where(Seat.player_id == otto.id)).scalar_one() == 1


def test_the_seed_is_committed_to_and_hard_to_guess(session: Session, now: datetime) -> None:
    """128 bits from the system's generator; two games have different ones."""
    games = [opening.open_game(session, now, GamePlan(game="priestsofra", seats=BOTS)) for _ in range(2)]

    assert [len(game.seed) for game in games] == [32, 32]
    assert len({game.seed for game in games}) == 2
    assert all(game.commitment == sha256(game.seed.encode()).hexdigest() for game in games)


@pytest.mark.parametrize(
    ("wishes", "sentence"),
    [
        ({"game": "chess"}, "'chess' is no game here. There are: "),
        ({"seats": (SeatPlan(),)}, "Priests of Ra is not played by 1. Choose one of these player counts: "),
        ({"seats": (SeatPlan(bot="deep blue"), SeatPlan())}, "'deep blue' is no bot. There are: "),
        ({"seats": (SeatPlan(player_id=1), SeatPlan(player_id=1))}, "One person can't have two seats in a game"),
        ({"seats": (SeatPlan(player_id=4711), SeatPlan())}, "There is no player number 4711."),
        ({"cadence": Cadence(hours=0, waking=0)}, "0 hours for a decision can't be used: choose more than 0"),
        ({"cooling": 7201}, "A cooling time of 7201 seconds can't be used: choose from 0 to 7200."),
        ({"options": {"auctions": "loud"}}, "loud"),
        ({"options": {"weather": "fine"}}, "weather"),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_sentence(
    session: Session, now: datetime, wishes: dict[str, Any], sentence: str
) -> None:
    """The sentence names the value, the limit and what there is; no half-opened game stays behind."""
    plan = GamePlan(**{"game": "priestsofra", "seats": BOTS, **wishes})
    with pytest.raises((EngineError, PlayError)) as refusal:
        opening.open_game(session, now, plan)
    session.rollback()

    assert sentence in str(refusal.value)
    assert session.execute(select(func.count()).select_from(Game)).scalar_one() == 0


@pytest.mark.usefixtures("session")
def test_a_slow_game_begins_with_the_options_of_slow_games(now: datetime) -> None:
    """Everybody's next ship is asked at once where a decision has a day or more; what is said counts all the same."""
    plans: tuple[dict[str, Any], ...] = ({}, {"cadence": CADENCES["blitz"]}, {"options": {"ships": "in_turn"}})
    opened = [GameFactory(game="egizia", people=2, bots=(), seed="pace", now=now, **more) for more in plans]

    assert [game.options for game in opened] == [{"ships": "together"}, {}, {"ships": "in_turn"}]
