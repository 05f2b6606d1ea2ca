"""Games before they begin: seats kept, declined, given back, filled; and the end of the wait for players."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from pbem.clubs.games import actions
from pbem.errors import NotAllowed, NotOpen
from pbem.jobs import tasks
from pbem.play.admin.action_log import AdminAction
from pbem.play.deadlines import cadence as deadlines
from pbem.play.seats import invitations, opening, recruitment
from pbem.play.seats.opening import GamePlan, SeatPlan
from pbem.store.models import Audit, Game, Invitation, Letter, Player, Seat
from pbem.store.unit_of_work import Work
from tests.factories import PlayerFactory, newly_due

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from tests.conftest import Clock

DAY = timedelta(days=1)


@pytest.fixture
def olga() -> Player:
    """Who opens the games."""
    made: Player = PlayerFactory(name="Olga")
    return made


def opened(session: Session, now: datetime, olga: Player, cadence: str, *guests: Player) -> Game:
    """A game of three: Olga, these guests by invitation, and whoever comes."""
    seats = [SeatPlan(player_id=player.id) for player in (olga, *guests)]
    plan = GamePlan(
        game="priestsofra",
        seats=(*seats, *[SeatPlan()] * (3 - len(seats))),
        organiser_id=olga.id,
        title="Tuesdays",
        cadence=deadlines.read(cadence),
    )
    return opening.open_game(session, now, plan)


def told(session: Session, player: Player, kind: str = "organiser_alert") -> list[str]:
    """What letters of a kind say to somebody, in order."""
    rows = session.execute(select(Letter).where(Letter.player_id == player.id, Letter.kind == kind).order_by(Letter.id))
    return [f"{part['text']} {part['params']}" for row in rows.scalars() for part in row.data["said"]]


def act(session: Session, now: datetime, game: Game, olga: Player, act: str, **wishes: Any) -> None:
    """Something Olga does to the game."""
    wish = actions.ActionRequest(act=act, games=(game.id,), by=olga.id, **wishes)
    actions.carry_out(session, now, game.club_id, wish)


def swept(session: Session, now: datetime) -> frozenset[Work]:
    """What one sweep makes due."""
    newly_due(session)
    recruitment.sweep(session, now)
    return newly_due(session)


def test_the_organiser_is_told_of_a_declined_and_of_an_unanswered_invitation(
    session: Session, now: datetime, olga: Player
) -> None:
    """Both seats are free again; what ran out on one day is one letter, once."""
    nora, otto = PlayerFactory(name="Nora"), PlayerFactory(name="Otto")
    opened(session, now, olga, "club", nora, otto)
    first, second = session.execute(select(Invitation).order_by(Invitation.id)).scalars()

    invitations.decline(session, now, first.id)
    assert [text for text in told(session, olga) if "declined" in text and "Nora" in text]

    assert [swept(session, now + days * DAY) for days in (13, 14, 14)] == [set(), {Work.LETTERS}, set()]
    session.refresh(second)
    assert second.state == "expired"
    assert [text for text in told(session, olga) if "has not answered" in text and "Otto" in text]
    assert len(told(session, olga)) == 2


@pytest.mark.parametrize("way", ["declined", "ran out"])
def test_who_organises_a_game_by_now_is_told_of_its_seats(
    session: Session, now: datetime, olga: Player, way: str
) -> None:
    """Not who opened it, sent its invitations and organises nothing any more."""
    nora, pia = PlayerFactory(name="Nora"), PlayerFactory(name="Pia")
    opened(session, now, olga, "club", nora).organiser_id = pia.id
    if way == "declined":
        invitations.decline(session, now, session.scalars(select(Invitation.id)).one())
    swept(session, now + 14 * DAY)

    assert [len(told(session, one)) for one in (olga, pia)] == [0, 1]


@pytest.mark.parametrize(
    ("way", "state", "says", "entered"),
    [
        ("tell", "open", "On its administration page you choose", []),
        ("bots", "running", "begins", ["filled"]),
        ("close", "withdrawn", "called off", ["not-filled"]),
    ],
)
def test_the_wait_for_players_ends(
    session: Session, now: datetime, olga: Player, way: str, state: str, says: str, entered: list[str]
) -> None:
    """After its days the game does once what it was opened to do with free seats; organiser and journal say so."""
    nora = PlayerFactory(name="Nora")
    game = opened(session, now, olga, f"club join=3 then={way}", nora)
    assert game.due_at == now + 3 * DAY
    assert swept(session, now + 2 * DAY) == set()

    due = swept(session, now + 3 * DAY)

    session.refresh(game)
    assert game.state == state
    assert due == ({Work.GAMES, Work.LETTERS} if way == "bots" else {Work.LETTERS})
    assert says in told(session, olga)[-1]
    assert session.scalars(select(Audit.act)).all() == entered
    pending = session.execute(select(Invitation.state)).scalar_one()
    assert pending == ("pending" if way == "tell" else "expired")
    assert swept(session, now + 4 * DAY) == set()
    bots = session.execute(select(Seat.bot).where(Seat.game_id == game.id).order_by(Seat.seat)).scalars().all()
    assert bots == (["", "heuristic", "heuristic"] if way == "bots" else ["", "", ""])


def test_a_game_that_fills_in_time_begins_with_its_own_deadline(session: Session, now: datetime, olga: Player) -> None:
    """Once the last seat is taken the end of the wait means nothing any more."""
    game = opened(session, now, olga, "club join=3 then=close")
    for name in ("Nora", "Otto"):
        opening.take_seat(session, now + DAY, game.id, PlayerFactory(name=name).id)
    assert Work.GAMES in newly_due(session)
    session.commit()

    tasks.advance_game(game.id)
    recruitment.sweep(session, now + 4 * DAY)

    session.refresh(game)
    assert game.state == "running"
    assert game.due_at is not None
    assert game.due_at != now + 3 * DAY


def test_an_organiser_fills_the_last_seat_and_the_game_begins(session: Session, now: datetime, olga: Player) -> None:
    """A bot sits down at once, a member is asked by letter, and an invitation to that seat before ends."""
    nora, otto = PlayerFactory(name="Nora"), PlayerFactory(name="Otto")
    game = opened(session, now, olga, "club", nora)

    recruitment.put(session, AdminAction(now=now, game=game, by=olga), 1, player_id=otto.id)
    states = session.execute(select(Invitation.player_id, Invitation.state).order_by(Invitation.id)).all()
    assert [tuple(row) for row in states] == [(nora.id, "expired"), (otto.id, "pending")]

    act(session, now, game, olga, "replace", seat=2, who="bot:heuristic")
    assert Work.GAMES not in newly_due(session)
    invitation = session.execute(select(Invitation.id).where(Invitation.player_id == otto.id)).scalar_one()
    invitations.accept(session, now, invitation)
    assert Work.GAMES in newly_due(session)
    assert game.state == "running"
    with pytest.raises(NotAllowed, match="has not begun"):
        act(session, now, game, olga, "call-off")


def test_the_last_free_seat_goes_to_a_bot(session: Session, now: datetime, olga: Player) -> None:
    """Filling it is all that was missing: the game begins."""
    game = opened(session, now, olga, "club")
    act(session, now, game, olga, "replace", seat=1, who="bot:heuristic")
    assert Work.GAMES not in newly_due(session)
    with pytest.raises(NotAllowed, match="This seat is taken"):
        act(session, now, game, olga, "replace", seat=1, who="bot:heuristic")
    act(session, now, game, olga, "replace", seat=2, who="bot:random")

    assert Work.GAMES in newly_due(session)
    assert game.state == "running"


def test_a_game_is_called_off_and_its_players_told_why(session: Session, now: datetime, olga: Player) -> None:
    """Nobody can join any more; who has a seat reads the reason, who only was invited reads nothing."""
    nora, otto = PlayerFactory(name="Nora"), PlayerFactory(name="Otto")
    game = opened(session, now, olga, "club", nora)
    opening.take_seat(session, now, game.id, otto.id)

    act(session, now, game, olga, "call-off", reason="Too hot")

    assert (game.state, game.wake_at) == ("withdrawn", None)
    assert ["called off" in told(session, otto, "talk")[0], "Too hot" in told(session, otto, "talk")[1]] == [True, True]
    assert told(session, nora, "talk") == told(session, olga, "talk") == []
    with pytest.raises(NotOpen):
        opening.take_seat(session, now, game.id, PlayerFactory().id)


def test_a_seat_is_given_back_before_the_game_begins(session: Session, now: datetime, olga: Player) -> None:
    """It is free for others, the organiser reads of it, and it can't be given back twice."""
    otto = PlayerFactory(name="Otto")
    game = opened(session, now, olga, "club")
    opening.take_seat(session, now, game.id, otto.id)

    recruitment.give_up(session, now, game.id, otto.id)

    assert "Otto" in told(session, olga)[-1]
    with pytest.raises(NotOpen, match="You have no seat"):
        recruitment.give_up(session, now, game.id, otto.id)
    opening.take_seat(session, now, game.id, PlayerFactory().id)
    opening.take_seat(session, now, game.id, otto.id)
    assert game.state == "running"


def test_an_organiser_lets_a_game_wait_longer(session: Session, now: datetime, olga: Player) -> None:
    """The hours count from the end of the wait, or from now where it is over or there was none."""
    game = opened(session, now, olga, "club join=1 then=close")

    act(session, now, game, olga, "extend", hours=48)
    assert game.due_at == now + 3 * DAY
    recruitment.sweep(session, now + 2 * DAY)
    assert game.state == "open"
    recruitment.sweep(session, now + 3 * DAY)
    assert game.state == "withdrawn"


def test_the_sweep_finds_them(session: Session, olga: Player, clock: Clock) -> None:
    """The task of every minute sees to it."""
    game = opened(session, clock.now, olga, "club join=1 then=bots")
    session.commit()
    clock.move(days=1)

    tasks.carry_seasons()

    session.expire_all()
    assert session.get_one(Game, game.id).state == "running"


def test_hundreds_of_games_are_one_letter(session: Session, now: datetime, olga: Player) -> None:
    """What ends in one sweep is told in one letter, which names twenty and counts the rest."""
    for _ in range(25):
        opened(session, now, olga, "club join=1 then=close")

    assert swept(session, now + DAY) == {Work.LETTERS}

    letters = session.execute(select(Letter).where(Letter.player_id == olga.id)).scalars().all()
    assert len(letters) == 1
    assert len(told(session, olga)) == 21
    assert "{'count': 5}" in told(session, olga)[-1]
