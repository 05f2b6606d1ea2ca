"""Days away stop a clock in whatever way its time began: with the question, anew, later, or by time given back."""

from __future__ import annotations

import ast
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

import pbem
from pbem.clubs.games import actions, undo
from pbem.play.admin import action_log, game_admin
from pbem.play.deadlines import absences, delivery_clock, reminders
from pbem.play.deadlines.cadence import CADENCES
from pbem.play.deadlines.waiting_reasons import needed_seats
from pbem.play.seats import substitutes
from pbem.play.turns import stuck
from pbem.play.turns.advance import advance
from pbem.store import unit_of_work
from pbem.store.models import Game, Letter, Player
from tests.factories import GameFactory, PlayerFactory, answer, answer_all, asked, hours, seat_of

AWAY = timedelta(days=3)
ALWAYS_AWAKE = {"wakes": 0, "sleeps": 24 * 60}


class Scene(NamedTuple):
    """A game that asked one person thirty hours ago."""

    session: Session
    game: Game
    asked_at: datetime
    now: datetime

    @property
    def seat(self) -> int:
        """Who is asked."""
        return asked(self.session, self.game)[0].seat

    @property
    def player_id(self) -> int:
        """Who has the seat that is asked."""
        return seat_of(self.session, self.game, self.seat).player_id or 0

    def by_hand(self, now: datetime) -> action_log.AdminAction:
        """What the organiser does at a moment."""
        organiser = self.session.get_one(Player, self.game.organiser_id)
        return action_log.AdminAction(now=now, game=self.game, by=organiser)

    def acted(self, act: str, *others: Game, **more: Any) -> int:
        """What an organiser does by a button; the number of its entry."""
        games = tuple(game.id for game in (self.game, *others))
        wish = actions.ActionRequest(act=act, games=games, by=self.game.organiser_id or 0, **more)
        return actions.carry_out(self.session, self.now, None, wish).audit_id or 0


def bounce(at: Scene) -> None:
    """Mail to who is asked comes back, and they can be reached again a day later."""
    delivery_clock.bounced(at.session, at.now, at.player_id)
    delivery_clock.reachable(at.session, at.now + hours(24), at.player_id)


def arrive_late(at: Scene) -> None:
    """The next server takes the letter that asks only now."""
    letters = select(Letter).where(Letter.kind == "your_turn", Letter.seat == at.seat)
    delivery_clock.accepted(at.session, at.now, at.session.scalars(letters).one())


def pause(at: Scene) -> None:
    """The game rested for a day."""
    game_admin.pause(at.session, at.by_hand(at.now - hours(24)))
    at.session.flush()
    game_admin.resume(at.session, at.by_hand(at.now))


def merge(at: Scene) -> None:
    """Its deadline becomes that of a game which asked a day ago."""
    people = [at.session.get_one(Player, at.game.organiser_id), PlayerFactory(**ALWAYS_AWAKE)]
    at.acted("merge", GameFactory(people=people, bots=(), now=at.now - hours(24), organiser_id=at.game.organiser_id))


def take_back(at: Scene) -> None:
    """A deadline that was moved is moved back."""
    undo.undo(at.session, at.now, None, at.game.organiser_id or 0, at.acted("extend", hours=24))


def mend(at: Scene) -> None:
    """The rules failed on it a day ago, and it goes on."""
    stuck.set_aside(at.session, at.now - hours(24), at.game, "")
    stuck.unstick(at.session, at.now, at.game.id)


def be_down(at: Scene) -> None:
    """The server was down for a day."""
    for moment in (at.now - hours(24), at.now):
        reminders.give_time_back(at.session, moment)


def start_the_clock(at: Scene) -> None:
    """A version before this one had stopped it for good."""
    delivery_clock.stop_clock(at.game, asked(at.session, at.game))
    unit_of_work.wake(at.session, at.game, at.now)
    at.session.commit()
    advance(at.session, at.now, at.game.id)


def replace(at: Scene) -> None:
    """Somebody else has the seat from now on."""
    to = PlayerFactory(**ALWAYS_AWAKE).id
    substitutes.replace(at.session, at.now, at.game.id, at.seat, to, by=at.game.organiser_id or 0)


WAYS: dict[str, tuple[frozenset[str], Callable[[Scene], object]]] = {
    "the question": (frozenset({"_opened"}), lambda at: answer_all(at.session, at.now, at.game)),
    "a late letter": (frozenset({"accepted"}), arrive_late),
    "mail gets through again": (frozenset({"move_deadlines"}), bounce),
    "earlier days away": (
        frozenset({"move_deadlines"}),
        lambda at: absences.announce(at.session, at.asked_at, at.player_id, at.asked_at, at.asked_at + hours(5)),
    ),
    "a pause": (frozenset({"resume"}), pause),
    "a deadline moved": (frozenset({"extend"}), lambda at: at.acted("extend", hours=24)),
    "one deadline for all": (frozenset({"_merge", "move"}), merge),
    "an act taken back": (frozenset({"_bring_back"}), take_back),
    "a substitute": (frozenset({"_ask_anew"}), replace),
    "a stopped clock": (frozenset({"_keep_waiting"}), start_the_clock),
    "a fault mended": (frozenset({"_give_time_back"}), mend),
    "the server was down": (frozenset({"_shift_decisions"}), be_down),
}
"""Every way by which a question's time begins, anew or later: the functions that do it, and how that happens."""


@pytest.mark.parametrize("cadence", ["club", "bank"])
@pytest.mark.parametrize("way", WAYS)
def test_the_clock_stands_still_for_all_of_them(session: Session, now: datetime, way: str, cadence: str) -> None:
    """Three days about the deadline move it by three days, and so the end of the decision's own time."""
    people = PlayerFactory.create_batch(3, **ALWAYS_AWAKE)
    here = {"options": {"auctions": "in_turn"}, "cadence": CADENCES[cadence], "organiser_id": PlayerFactory().id}
    game = GameFactory(people=people, bots=(), now=now, **here)
    at = Scene(session, game, now, now + hours(30))
    WAYS[way][1](at)
    session.commit()
    session.refresh(game)
    (decision,) = asked(session, game)
    due, base, asked_at = game.due_at, decision.base_at, decision.opened_at
    assert due is not None
    starts = max((base or due) - hours(3), at.now)
    absences.announce(session, at.now, at.player_id, starts, starts + AWAY)
    session.commit()
    session.refresh(game)
    (decision,) = asked(session, game)

    assert (game.due_at, decision.due_at) == (due + AWAY, due + AWAY)
    assert decision.base_at == (base + AWAY if base and base > starts else base)
    assert decision.opened_at == asked_at


@pytest.mark.parametrize("way", WAYS)
def test_only_whose_turn_it_is_is_reminded(session: Session, now: datetime, way: str) -> None:
    """Everybody's next ship is asked at once, and one is waited for: no clock or organiser reminds the others."""
    people = PlayerFactory.create_batch(3, **ALWAYS_AWAKE)
    here = {"game": "egizia", "seed": "ships", "options": {"ships": "together"}, "organiser_id": PlayerFactory().id}
    at = Scene(session, GameFactory(people=people, bots=(), now=now, **here), now, now + hours(30))
    WAYS[way][1](at)
    session.commit()
    decisions = asked(session, at.game)
    (turn,) = needed_seats(decisions)
    assert len(decisions) > 1
    assert [one.seat for one in decisions if one.nudge_at is not None] == [turn]
    assert (at.game.due_at, at.game.organiser_id) != (None, None)
    for decision in decisions:
        decision.nudge_at = at.now  # as a version before this one left them
    session.commit()
    reminders.remind(session, at.game.due_at or now)
    at._replace(now=at.now + hours(2)).acted("nudge")

    reminded = session.scalars(select(Letter).where(Letter.kind.in_(["reminder", "last_call"]))).all()
    assert {letter.seat for letter in reminded if letter.game_id == at.game.id} == {turn}


def test_days_away_give_a_question_without_a_deadline_one(session: Session, now: datetime) -> None:
    """A version before this one had stopped its clock for good: it runs again, and stands still for those days."""
    game = GameFactory(now=now, people=PlayerFactory.create_batch(3, **ALWAYS_AWAKE), bots=())
    at = Scene(session, game, now, now)
    due = game.due_at
    assert due is not None
    delivery_clock.stop_clock(game, asked(session, game))
    session.commit()
    absences.announce(session, now, at.player_id, due - hours(3), due - hours(3) + AWAY)
    session.commit()
    (decision,) = asked(session, game)

    assert (game.due_at, decision.due_at) == (due + AWAY, due + AWAY)


def test_a_reserve_is_not_used_up_by_days_away(session: Session, now: datetime) -> None:
    """Who is away while it runs pays for the hours before and after, whether they answer then or come back early."""
    reader = PlayerFactory(**ALWAYS_AWAKE)
    game = GameFactory(now=now, people=(reader,), bots=("random", "random"), cadence=CADENCES["bank"])
    (decision,) = asked(session, game)
    assert (decision.base_at, game.due_at) == (now + hours(24), now + hours(24 * 8))
    absences.announce(session, now, reader.id, now + hours(30), now + hours(30) + AWAY)
    absences.announce(session, now, reader.id, now + hours(40), now + hours(34) + AWAY)
    session.commit()
    assert game.due_at == now + hours(24 * 8 + 4) + AWAY
    answer(session, now + hours(36) + AWAY, game, decision.seat)
    advance(session, now + hours(36) + AWAY, game.id)
    session.commit()

    assert seat_of(session, game, decision.seat).bank_used == 8 * 3600


def test_every_way_is_listed() -> None:
    """Whatever function moves a deadline or a decision's time."""
    moves = {"move_deadline", "put_deadline", "set_deadline", "put_off"}
    texts = [path.read_text(encoding="utf-8") for path in Path(pbem.__file__).parent.rglob("*.py")]
    found = {
        function.name
        for text in texts
        if any(name in text for name in moves)
        for function in ast.walk(ast.parse(text))
        if isinstance(function, ast.FunctionDef)
        for call in ast.walk(function)
        if isinstance(call, ast.Call) and getattr(call.func, "attr", getattr(call.func, "id", "")) in moves
    }

    assert found == set().union(*(homes for homes, _ in WAYS.values()))
