from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.letter_queue import LetterQueue
from pbem.letters import context
from pbem.play.admin import action_log, game_admin
from pbem.play.admin.action_log import AdminAction
from pbem.play.deadlines import delivery_clock, reminders
from pbem.play.deadlines.cadence import CADENCES
from pbem.play.orders import standing_orders, submission
from pbem.play.orders.submission import Submission
from pbem.play.seats import substitutes
from pbem.play.turns.advance import advance
from pbem.play.views.game_context import table_of
from pbem.store import unit_of_work
from pbem.store.models import GameState, Letter, OpenDecision, Player, Pulse, Seat
from tests.factories import GameFactory, PlayerFactory, answer, asked, first_asked, letters, seat_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from pbem.store.models import Game

HOUR = timedelta(hours=1)


@pytest.fixture
def organiser(session: Session) -> Player:
    """Somebody who organises and doesn't play."""
    made: Player = PlayerFactory(name="Olga")
    session.flush()
    return made


@pytest.fixture
def game(session: Session, now: datetime, organiser: Player) -> Game:
    """A game at club speed: 48 hours, reminders at half time and near the end, 12 hours of grace."""
    made: Game = GameFactory(now=now, seed="stalls", organiser_id=organiser.id)
    assert asked(session, made)
    return made


def nudges(session: Session) -> Sequence[str]:
    """The kinds of nudging letters, in the order they were written."""
    query = select(Letter.kind).where(Letter.kind.in_(("reminder", "last_call", "organiser_alert")))
    return session.execute(query.order_by(Letter.id)).scalars().all()


def test_reminders_escalate_and_stop_at_the_organiser(session: Session, now: datetime, game: Game) -> None:
    """A gentle one, a last call, then the organiser; looking twice writes nothing twice."""
    due = game.due_at
    assert due is not None
    found = []
    for moment in (now + HOUR, now + 24 * HOUR, now + 44 * HOUR, due, due + 11 * HOUR):
        reminders.remind(session, moment)
        reminders.remind(session, moment)
        session.commit()
        found.append(len(nudges(session)))

    assert found == [0, 1, 2, 3, 3]
    assert nudges(session) == ["reminder", "last_call", "organiser_alert"]


def test_nobody_is_reminded_of_what_they_did(session: Session, now: datetime, game: Game) -> None:
    """An answer ends the reminding at once."""
    answer(session, now, game, asked(session, game)[0].seat)
    reminders.remind(session, now + 47 * HOUR)
    session.commit()

    assert nudges(session) == []


@pytest.mark.parametrize("state", sorted(set(GameState) - {GameState.RUNNING}))
def test_a_game_that_does_not_run_reminds_nobody(session: Session, now: datetime, game: Game, state: GameState) -> None:
    """Whatever it waits for: also one whose rules failed, the deadline of which stands."""
    game.state = state
    session.flush()

    assert reminders.remind(session, now + 24 * HOUR) == 0
    assert nudges(session) == []


def test_nobody_is_reminded_before_their_turn(session: Session, now: datetime) -> None:
    """Whoever may order already is asked, not waited for; earlier versions had set a time for reminding them, too."""
    game = GameFactory(game="egizia", people=3, bots=(), now=now, options={"ships": "together"})
    for decision in asked(session, game):
        decision.nudge_at = now + HOUR
    needed = [decision.seat for decision in asked(session, game) if not decision.ahead]
    session.flush()

    assert reminders.remind(session, now + HOUR) == len(needed) == 1
    assert [letter.seat for letter in letters(session, "reminder")] == needed
    assert all(decision.nudge_at is None for decision in asked(session, game) if decision.ahead)


def _rests(session: Session, now: datetime, game: Game) -> None:
    """Pause a game for an hour."""
    by = session.get_one(Player, game.organiser_id)
    game_admin.pause(session, AdminAction(now=now, game=game, by=by))
    session.flush()
    game_admin.resume(session, AdminAction(now=now + HOUR, game=game, by=by))


MEANWHILE: Mapping[str, Callable[[Session, datetime, Game], object]] = {
    "nothing happens": lambda *_: None,
    "the deadline moves": lambda session, now, game: delivery_clock.put_deadline(
        session, now, table_of(session, game), now + 48 * HOUR
    ),
    "the game rests": _rests,
    "a standing order comes": lambda session, now, game: (
        standing_orders.store(session, now, seat_of(session, game, 2).id, "until changed\nfor build: pass"),
        advance(session, now, game.id),
    ),
}
"""What may happen while a question has its answer."""


@pytest.mark.parametrize("meanwhile", MEANWHILE)
def test_an_answer_taken_back_leaves_the_reminders_as_if_there_had_been_none(
    session: Session, now: datetime, meanwhile: str
) -> None:
    """Beside somebody asked the same who never answered: while it counts its player is let alone, then both are one."""
    game = GameFactory(now=now, game="amunre", people=3, bots=(), here=first_asked("amunre", 3)["offer"])
    mine, twin, _ = asked(session, game)
    answer(session, now, game, mine.seat)
    MEANWHILE[meanwhile](session, now + HOUR, game)
    session.commit()
    reminders.remind(session, now + 30 * HOUR)
    assert {letter.seat for letter in letters(session, "reminder")} == {0, 1, 2} - {mine.seat}

    withdrawn = Submission(seat_id=seat_of(session, game, mine.seat).id, ply=game.ply + 1)
    assert submission.withdraw(session, now + 30 * HOUR, withdrawn).accepted
    session.commit()
    reminders.remind(session, now + 30 * HOUR)
    session.commit()
    mine, twin, _ = asked(session, game)
    assert {letter.seat for letter in letters(session, "reminder")} == {0, 1, 2}
    assert _armed(mine) == _armed(twin)
    assert mine.nudge_at is not None


def _armed(decision: OpenDecision) -> tuple[object, ...]:
    """What a question's reminders go by."""
    return decision.due_at, decision.due_version, decision.nudge_at, decision.nudge_step


@pytest.mark.usefixtures("game")
def test_after_a_long_silence_one_reminder_is_enough(session: Session, now: datetime) -> None:
    """Nobody looked for two days: the last call alone, not the gentle one before it."""
    reminders.remind(session, now + 45 * HOUR)
    session.commit()

    assert nudges(session) == ["last_call"]


def test_an_organiser_who_stalls_is_not_told_of_it(session: Session, now: datetime) -> None:
    """They had their own reminders."""
    game = GameFactory(now=now, people=1, bots=("random", "random"), seed="own")
    reminders.remind(session, game.due_at)
    session.commit()

    assert nudges(session) == []


def test_a_reminder_that_came_too_late_is_dropped_before_it_is_sent(
    session: Session, now: datetime, game: Game
) -> None:
    """Between row and relay the player answered: the letter isn't true any more."""
    reminders.remind(session, now + 24 * HOUR)
    session.commit()
    letter = session.execute(select(Letter).where(Letter.kind == "reminder")).scalar_one()
    assert context.context(session, now + 24 * HOUR, letter) is not None
    answer(session, now + 24 * HOUR, game, asked(session, game)[0].seat)

    assert context.context(session, now + 24 * HOUR, letter) is None


@pytest.mark.parametrize("gap", [timedelta(days=3), timedelta(days=365), timedelta(hours=-1), timedelta(days=-200)])
def test_time_the_server_was_down_is_given_back(session: Session, now: datetime, game: Game, gap: timedelta) -> None:
    """F19: down for days, or a clock set forward or back: what was left of the time is left afterwards."""
    due, cover = game.due_at, game.cover_at
    assert due is not None
    assert cover is not None
    for when in (now, now + timedelta(minutes=4)):
        reminders.give_time_back(session, when)
        session.commit()
        session.expire_all()
        assert (game.due_at, game.cover_at) == (due, cover)
    back = now + timedelta(minutes=4) + gap
    reminders.give_time_back(session, back)
    session.commit()
    session.expire_all()
    decision = asked(session, game)[0]

    assert (game.due_at, game.cover_at, game.wake_at) == (due + gap, cover + gap, cover + gap)
    assert decision.due_at == due + gap
    assert not advance(session, back, game.id).plies
    assert reminders.remind(session, back) == 0


@pytest.mark.parametrize("gap", [timedelta(days=3), timedelta(days=-200)])
def test_what_is_held_stays_held_as_long(session: Session, now: datetime, game: Game, gap: timedelta) -> None:
    """Answers that wait for their hour wait for what was left of it: neither at once nor half a year."""
    decision = asked(session, game)[0]
    game.wake_at = decision.held_until = now + timedelta(minutes=50)
    game.version += 1
    unit_of_work.made_due(session, unit_of_work.Work.GAMES)
    session.commit()
    for when in (now, now + gap):
        reminders.give_time_back(session, when)
    session.commit()
    session.expire_all()

    assert asked(session, game)[0].held_until == game.wake_at == now + gap + timedelta(minutes=50)


def test_the_pulse_is_written_by_every_sweep(session: Session, now: datetime) -> None:
    """What /readyz looks at."""
    for minutes in (0, 3):
        reminders.give_time_back(session, now + timedelta(minutes=minutes))
        session.commit()

    assert session.execute(select(Pulse.at)).scalars().all() == [now + timedelta(minutes=3)]


def test_a_letter_that_was_accepted_late_moves_the_deadline(session: Session, now: datetime, game: Game) -> None:
    """Five hours in the relay's queue are not the player's: a new version of the deadline, later than the old one."""
    letter = session.execute(select(Letter).where(Letter.kind == "your_turn")).scalar_one()
    due, version = game.due_at, game.due_version
    assert due is not None
    delivery_clock.accepted(session, now + 5 * HOUR, letter)
    session.commit()
    session.refresh(game)
    decision = asked(session, game)[0]

    assert game.due_at == due + 5 * HOUR
    assert game.due_version == decision.due_version == version + 1
    assert decision.letter_at == now + 5 * HOUR
    assert seat_of(session, game, decision.seat).player_id == letter.player_id


def test_a_letter_that_was_accepted_at_once_moves_nothing(session: Session, now: datetime, game: Game) -> None:
    """The page can say when it was; a copy of it, hours later, doesn't count."""
    letter = session.execute(select(Letter).where(Letter.kind == "your_turn")).scalar_one()
    due, version = game.due_at, game.due_version
    for moment in (now + timedelta(minutes=2), now + 5 * HOUR):
        delivery_clock.accepted(session, moment, letter)
        session.commit()

    assert (game.due_at, game.due_version) == (due, version)
    assert asked(session, game)[0].letter_at == now + timedelta(minutes=2)


def test_the_time_of_who_reads_once_a_day_begins_with_their_digest(session: Session, now: datetime) -> None:
    """One letter for two games, at their hour; both deadlines then count from its arrival."""
    reader = PlayerFactory(digest_hour=18)
    games = [GameFactory(now=now, people=(reader,), bots=("random", "random"), seed=f"d{n}") for n in range(2)]
    (letter,) = session.execute(select(Letter).where(Letter.player_id == reader.id)).scalars().all()
    evening = now + 6 * HOUR
    assert (letter.kind, letter.next_try_at) == ("digest", evening)
    data = context.context(session, evening, letter)
    assert data is not None
    assert [item.slug for item in data.data["items"]] == [game.slug for game in games]
    before = [game.due_at for game in games]
    for question in context.questions_in(session, letter):
        delivery_clock.accepted(session, evening, question)
    session.commit()
    for game, due in zip(games, before, strict=True):
        session.refresh(game)
        assert game.due_at == due + 6 * HOUR


def test_a_reserve_is_used_up_by_late_answers_only(session: Session, now: datetime) -> None:
    """In time costs nothing; thirty hours late costs the seat thirty hours; its next deadline is so much nearer."""
    reader = PlayerFactory(wakes=0, sleeps=1440)
    game = GameFactory(now=now, people=(reader,), bots=("random", "random"), seed="bank", cadence=CADENCES["bank"])
    seat = seat_of(session, game, 0)
    week = 7 * 24 * HOUR
    assert game.due_at == now + 24 * HOUR + week
    answer(session, now + 20 * HOUR, game, 0)
    advance(session, now + 20 * HOUR, game.id)
    session.commit()
    session.refresh(seat)
    assert seat.bank_used == 0
    asked_at = asked(session, game)[0].opened_at
    late = asked_at + 54 * HOUR
    answer(session, late, game, 0)
    advance(session, late, game.id)
    session.commit()
    session.refresh(seat)
    session.refresh(game)

    assert session.execute(select(Seat.id, Seat.bank_used).where(Seat.bank_used > 0)).all() == [(seat.id, 30 * 3600)]
    assert asked(session, game)[0].base_at == late + 24 * HOUR
    assert game.due_at == late + 24 * HOUR + week - 30 * HOUR


@pytest.mark.parametrize(
    ("anew", "first", "last"),
    [("a substitute", 24, 44), ("a letter that came late", 24, 44), ("a pause", 0, 44)],
)
def test_reminders_count_from_when_the_time_begins_anew(
    session: Session, now: datetime, game: Game, organiser: Player, anew: str, first: int, last: int
) -> None:
    """Not from the question: no last call with the whole time left. Who has waited out a pause hears at once."""
    seat = asked(session, game)[0].seat
    later = now + timedelta(days=20)
    if anew == "a letter that came late":
        asks = select(Letter).where(Letter.kind == "your_turn", Letter.seat == seat)
        delivery_clock.accepted(session, later, session.scalars(asks).one())
    elif anew == "a substitute":
        substitutes.replace(session, later, game.id, seat, PlayerFactory.create().id, organiser.id)
    else:
        game_admin.pause(session, action_log.AdminAction(now=now, game=game, by=organiser))
        session.flush()
        game_admin.resume(session, action_log.AdminAction(now=later, game=game, by=organiser))
    session.commit()
    written: list[tuple[str, int]] = []
    for hour in range(48):
        reminders.remind(session, later + hour * HOUR)
        session.commit()
        written += [(kind, hour) for kind in nudges(session)[len(written) :]]

    assert written == [("reminder", first), ("last_call", last)]


@pytest.mark.parametrize("secret", [False, True])
def test_the_organiser_hears_of_a_second_time(session: Session, now: datetime, game: Game, *, secret: bool) -> None:
    """Whoever missed one deadline is only answered for; from the next one on others may vote, but for secrets."""
    (decision,) = asked(session, game)
    seat = seat_of(session, game, decision.seat)
    decision.secret = secret
    told = []
    for before in range(3):
        for number in range(before):
            session.merge(
                OpenDecision(
                    id=900 + number,
                    game_id=game.id,
                    ply=-9 + number,
                    seat=seat.seat,
                    kind="turn",
                    opened_at=now,
                    began_at=now,
                    closed_at=now,
                    due_at=now,
                    hand="autopilot",
                )
            )
        session.flush()
        post = LetterQueue(now)
        reminders._alert(session, game, seat, decision, post)
        told.append("not for the first time" in post.rows[0]["data"]["said"]["text"])
        post.rows.clear()

    assert told == [False, not secret, not secret]
