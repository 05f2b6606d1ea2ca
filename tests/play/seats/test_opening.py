from __future__ import annotations

from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import func, select

from pbem.capabilities import links
from pbem.capabilities.tokens import tokens
from pbem.engine.core.errors import EngineError
from pbem.errors import NotOpen, NotSeated, PlayError
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
    """Declined, the seat is free for others; expired, its link says so."""
    game, _, nora = invited(session, now)
    number = session.execute(select(Invitation.id)).scalar_one()
    token = links.invitation_token(tokens(), number)
    assert links.open_invitation(session, now, tokens(), token).player_id == nora.id
    ends = session.execute(select(Invitation.expires_at)).scalar_one()
    states = [
        links.open_invitation(session, when, tokens(), token).state for when in (ends - timedelta(seconds=1), ends)
    ]
    assert states == ["pending", "expired"]
    with pytest.raises(NotSeated):
        links.open_invitation(session, now, tokens(), token + "x")
    nora.epoch += 1
    with pytest.raises(NotSeated):
        links.open_invitation(session, now, tokens(), token)
    nora.epoch -= 1

    other = PlayerFactory(name="Otto")
    with pytest.raises(NotOpen, match="seat is taken"):
        opening.take_seat(session, now, game.id, other.id, seat=1)
    invitations.decline(session, now, number)
    assert links.open_invitation(session, now, tokens(), token).state == "declined"
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


def open_table(session: Session, now: datetime, *seats: SeatPlan, **wishes: Any) -> Game:
    """A game that waits for its players, opened by somebody who sits at none of its seats."""
    organiser = PlayerFactory()
    plan = GamePlan(game="priestsofra", seats=seats, organiser_id=organiser.id, **wishes)
    return opening.open_game(session, now, plan)


def taken(session: Session, game: Game) -> list[int | None]:
    """Who has each seat, as it is stored."""
    session.flush()
    session.expire_all()
    rows = session.execute(select(Seat.player_id).where(Seat.game_id == game.id).order_by(Seat.seat))
    return list(rows.scalars())


def test_a_newcomer_gets_the_first_free_seat_or_the_one_asked_for(session: Session, now: datetime) -> None:
    """Never a bot's, a player's, or one kept for somebody else; the seat of one's own invitation comes first."""
    nora, otto, paul, quin = PlayerFactory.create_batch(4)
    seats = (SeatPlan(bot="random"), SeatPlan(player_id=nora.id), SeatPlan(), SeatPlan(player_id=otto.id), SeatPlan())
    game = open_table(session, now, *seats)
    open_table(session, now, SeatPlan(player_id=paul.id), SeatPlan(player_id=quin.id))

    for seat in (0, 1, 3, 5):
        with pytest.raises(NotOpen, match="seat is taken; ask the organiser"):
            opening.take_seat(session, now, game.id, paul.id, seat=seat)
    opening.take_seat(session, now, game.id, paul.id)
    assert taken(session, game) == [None, None, paul.id, None, None]
    with pytest.raises(NotOpen, match="seat is taken"):
        opening.take_seat(session, now, game.id, quin.id, seat=2)
    opening.take_seat(session, now, game.id, otto.id)
    opening.take_seat(session, now, game.id, nora.id, seat=4)
    assert taken(session, game) == [None, None, paul.id, otto.id, nora.id]
    states = session.execute(select(Invitation.state).where(Invitation.game_id == game.id)).scalars().all()
    others = session.execute(select(Invitation.state).where(Invitation.game_id != game.id)).scalars().all()
    assert (states, others) == (["accepted", "accepted"], ["pending", "pending"])
    opening.take_seat(session, now, game.id, quin.id)
    assert taken(session, game) == [None, quin.id, paul.id, otto.id, nora.id]
    joined = session.execute(select(Seat.joined_at).where(Seat.game_id == game.id)).scalars().all()
    assert joined == [now] * 5
    assert game.state == "running"


def test_a_seat_is_kept_until_the_invitation_runs_out(session: Session, now: datetime) -> None:
    """To the second; two weeks after it was written."""
    nora, otto = PlayerFactory(), PlayerFactory()
    game = open_table(session, now, SeatPlan(player_id=nora.id), SeatPlan())
    row = session.execute(select(Invitation)).scalar_one()
    end = now + timedelta(days=14)
    assert (row.expires_at, row.seat, row.inviter_id, row.state) == (end, 0, game.organiser_id, "pending")

    with pytest.raises(NotOpen):
        opening.take_seat(session, end - timedelta(seconds=1), game.id, otto.id, seat=0)
    opening.take_seat(session, end, game.id, otto.id, seat=0)

    assert taken(session, game) == [otto.id, None]


@pytest.mark.parametrize(
    ("state", "after", "known"), [("new", "good", False), ("bounced", "bounced", True), ("soft", "soft", True)]
)
def test_who_sits_down_has_answered_from_their_address(
    session: Session, now: datetime, state: str, after: str, *, known: bool
) -> None:
    """A new address is good from then on, one that mail doesn't reach stays so; the first answer's day stays."""
    before = now - timedelta(days=5) if known else None
    nora = PlayerFactory(address_state=state, accepted_at=before)
    game = open_table(session, now, SeatPlan(), SeatPlan())

    opening.take_seat(session, now, game.id, nora.id)

    session.expire_all()
    assert (nora.address_state, nora.accepted_at) == (after, before or now)


def test_a_game_that_waits_has_an_end_of_its_wait_and_stands_still(session: Session, now: datetime) -> None:
    """Where its pace names one; nothing is dealt, nobody is awaited, and its version stays until it begins."""
    game = open_table(session, now, SeatPlan(), SeatPlan(), cadence=Cadence(hours=24, join=3), cooling=7200)
    endless = open_table(session, now, SeatPlan(), SeatPlan(), cadence=Cadence(hours=24, join=0), title=" My  game ")
    assert (game.due_at, game.wake_at, game.started_at) == (now + timedelta(days=3), now + timedelta(days=3), None)
    assert (endless.due_at, endless.wake_at, endless.ply, game.cooling) == (None, None, -1, 7200)
    assert (game.title, endless.title) == ("Priests of Ra", "My game")

    version = game.version
    for player in PlayerFactory.create_batch(2):
        opening.take_seat(session, now, game.id, player.id)

    assert (game.state, game.due_at, game.ply, game.started_at) == ("running", None, 0, now)
    assert game.version > version
    assert (endless.state, endless.ply) == ("open", -1)


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
