"""Nobody learns from times and states that somebody plans: the same game answered by hand and by a plan looks alike."""

from __future__ import annotations

from datetime import timedelta
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import delete, select

from pbem.engine.core.rng import Rng
from pbem.engine.registry import GAMES, planner_of, rules_of
from pbem.engine.text import standing_orders as standing
from pbem.engine.text import standing_text
from pbem.play.deadlines.cadence import CADENCES, released
from pbem.play.deadlines.waiting_reasons import why
from pbem.play.orders import plans, standing_orders, submission
from pbem.play.turns.advance import advance
from pbem.play.views.seat_view import story
from pbem.store import unit_of_work
from pbem.store.models import Letter, OpenDecision, StoredPly
from pbem.store.queries import common, game_pages
from tests.engine.amunre.tables import position
from tests.engine.plan_positions import compiled, walked
from tests.factories import GameFactory, PlayerFactory, answer, answer_all, asked, place, seat_of, state

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from pbem.store.models import Game

PLANS: dict[str, tuple[str, dict[str, list[str]], dict[str, str]]] = {
    "amunre": ("bid", {"limits": ["10", "6", "3"], "then": ["bid lowest"]}, {}),
    "egizia": ("sail", {"spaces": ["Edfu", "Sphinx", "Obelisk"], "ask": ["2"], "then": ["ask me"]}, {}),
    "priestsofra": ("draw", {"tiles": ["3"], "then": ["ask me"]}, {"auctions": "in_turn"}),
}
AT_ONCE = timedelta(minutes=5)


def opened(now: datetime, game: str, options: dict[str, str], **wishes: Any) -> Game:
    """The same game each time, but for who plays it."""
    people = wishes.pop("people", None) or PlayerFactory.create_batch(3)
    made: Game = GameFactory(game=game, people=people, bots=(), seed="private", now=now, options=options, **wishes)
    return made


def by_page(session: Session, game: Game, seat: int) -> standing_text.StandingOrders:
    """The plan of a seat as the standing order that it is."""
    part, fields, _ = PLANS[game.game]
    rules, planner = rules_of(game.game), planner_of(game.game)
    plan = planner.plan(rules.view(state(session, game), seat), part, fields)
    return standing_text.parse(rules, planner.text(plan))


def by_plan_now(session: Session, game: Game, seat: int, plan: standing_text.StandingOrders) -> str:
    """What a plan would answer now, so that it can be given by hand; empty if its owner is to be asked."""
    order = standing.answer(rules_of(game.game), state(session, game), seat, plan).order
    return "" if order is None else str(order)


def seen(session: Session, now: datetime, game: Game, seat: int, planner: int) -> dict[str, Any]:
    """Everything about times and states that another seat is told, and a spectator."""
    session.refresh(game)
    table = game_pages.gathering(session, game_id=game.id)
    assert table is not None
    rows = session.scalars(select(Letter).where(Letter.game_id == game.id, Letter.seat != planner).order_by(Letter.id))
    told = {reader: story(session, game.id, reader, 0, game.ply, ()) for reader in (seat, None)}
    return {
        "waits": (why(now, table, seat), why(now, table, None)),
        "plies": session.execute(
            select(StoredPly.ply, StoredPly.orders, StoredPly.resolved_at).where(StoredPly.game_id == game.id)
        ).all(),
        "told": [(reader, [(one.ply, one.at, one.event) for one in events]) for reader, events in told.items()],
        "letters": [(row.kind, row.ply, row.seat, row.next_try_at) for row in rows],
        "asked": [
            (one.seat, one.kind, one.opened_at, one.due_at, one.nudge_at, one.optional, one.order_id is None)
            for one in common.decisions_of(session, game)
            if one.seat != planner
        ],
    }


@pytest.mark.parametrize(("name", "early"), [(name, False) for name in PLANS] + [("egizia", True)])
def test_a_plan_looks_like_an_order_given_by_hand(session: Session, now: datetime, name: str, early: bool) -> None:  # noqa: FBT001 - a case
    """Put in force by one who is asked it answers at once; orders sent at that moment do the same to the others.

    So it is for who is asked ahead of their turn (`early`): they are waited for no more.
    """
    part, fields, options = PLANS[name]
    by_hand, by_plan = (opened(now, name, options) for _ in range(2))
    seat = next(one.seat for one in asked(session, by_hand) if one.ahead == early)
    other = (seat + 1) % 3
    then, plan_text = now + AT_ONCE, by_page(session, by_hand, seat)

    assert not plans.store(session, then, seat_of(session, by_plan, seat).id, part, fields).faults
    session.commit()
    advance(session, then, by_plan.id)
    session.commit()
    while seat in {one.seat for one in asked(session, by_hand)} and (
        text := by_plan_now(session, by_hand, seat, plan_text)
    ):
        answer(session, then, by_hand, seat, text)
        advance(session, then, by_hand.id)
        session.commit()

    hand, plan = (seen(session, then, game, other, seat) for game in (by_hand, by_plan))
    assert len(hand["plies"]) > (not early)
    for what, found in hand.items():
        assert found == plan[what], what


LOOKS = tuple(timedelta(minutes=minutes) for minutes in (0, 5, 10, 20, 40, 59, 60, 61))
"""When the others look, from the opening of a choice made in secret on."""
WAYS = ("answers", "falls", "none")
"""What a plan for the offering does, and whether there is one."""


PLANNER = 1
HELD: dict[str, set[str]] = {
    "amunre": {"bid", "buy", "build", "offer", "adjust", "take", "harvest"},
    "egizia": {"keep"},
    "priestsofra": set(),
}
"""Kinds of decision that plans answer and whose answers are held, in secret or for all to see who is asked."""


@cache
def held_positions(game: str) -> dict[str, tuple[Any, int]]:
    """By kind of decision that a plan can answer, a position in which the answer of a seat is held, and the seat."""
    rules = rules_of(game)
    planned = {kind for _, _, orders in compiled(game) for line in orders.lines for kind in line.kinds}
    found: dict[str, tuple[Any, int]] = {}
    for kind in planned:
        for here, seat in walked(game)[kind]:
            decision = rules.asked(here)[seat]
            if (decision.secret or decision.held) and len(list(islice(rules.legal(here, seat), 2))) > 1:
                found.setdefault(kind, (here, seat))
    return found


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_that_plans_answer_and_that_is_held_is_known(game: str) -> None:
    """A new one must be listed above, so that times and states are compared there, too."""
    assert set(held_positions(game)) == HELD[game]


def seats_at(here: Any) -> int:
    """How many play in a position."""
    return int(getattr(here, "seats", 0) or here.players)


def placed(session: Session, now: datetime, name: str, here: Any) -> Game:
    """A game of people at a pace that holds answers, set to a position in which nobody has been asked yet."""
    game = opened(now, name, {}, cadence=CADENCES["club"], people=PlayerFactory.create_batch(seats_at(here)))
    session.execute(delete(OpenDecision).where(OpenDecision.game_id == game.id))
    session.execute(delete(Letter).where(Letter.game_id == game.id))
    place(session, game, here)
    session.commit()
    return game


def to_the_offering(session: Session, now: datetime, way: str) -> Game:
    """A game of three as all choose their offerings; `PLANNER` has planned in one of `WAYS`."""
    here = position("""
        3 players
        Red: owns Mendes, gold 9
        Black: owns Abu, gold 9
        Blue: owns Buto, gold 9
        asked: offer by Red Black Blue
    """)
    return asked_there(session, now, ("amunre", "offer"), (here, PLANNER), way, "offer 1")


def asked_there(
    session: Session, now: datetime, what: tuple[str, str], at: tuple[Any, int], way: str, order: str
) -> Game:
    """The position with its question asked; the seat has planned in one of `WAYS`."""
    (name, kind), (here, planner) = what, at
    game = placed(session, now, name, here)
    if way != "none":
        text = f"this round\nfor {kind}:\n{order if way == 'answers' else 'ask me'}"
        assert not standing_orders.store(session, now, seat_of(session, game, planner).id, text).faults
    unit_of_work.wake(session, game, now)
    session.commit()
    advance(session, now, game.id)
    session.commit()
    waits = {decision.seat for decision in asked(session, game)}
    assert (planner in waits) == (way != "answers")
    return game


def looked_at(session: Session, now: datetime, what: tuple[str, str], way: str, *, slow: bool) -> list[dict[str, Any]]:
    """What another seat is told at each of `LOOKS`; everybody answers within the hour, by a plan or by hand."""
    name, kind = what
    rules, (here, planner) = rules_of(name), held_positions(name)[kind]
    order = str(rules.sample(here, planner, Rng("plan", 0)))
    game, found = asked_there(session, now, what, (here, planner), way, order), []
    for look in LOOKS:
        if look == LOOKS[2]:
            for other in {one.seat for one in asked(session, game)} - {planner}:
                answer(session, now + look, game, other, str(rules.cautious(rules.view(here, other))))
        if look == LOOKS[4 if slow else 3] and way != "answers":
            answer(session, now + look, game, planner, order)
        advance(session, now + look, game.id)
        session.commit()
        found.append(seen(session, now + look, game, (planner + 1) % seats_at(here), planner))
    return found


@pytest.mark.parametrize(("name", "kind"), [(name, kind) for name, kinds in HELD.items() for kind in sorted(kinds)])
def test_a_plan_that_falls_tells_nothing_where_answers_are_held(
    session: Session, now: datetime, name: str, kind: str
) -> None:
    """Answered by the plan at the opening, or by hand at any time within the hour: all others are told the same."""
    ways = zip(WAYS, (False, True, False), strict=True)
    told = [looked_at(session, now, (name, kind), way, slow=slow) for way, slow in ways]

    for number, look in enumerate(LOOKS):
        for what, found in told[0][number].items():
            assert [one[number][what] for one in told[1:]] == [found, found], (what, look)
    plies = [len(one["plies"]) for one in told[0]]
    assert plies[0] == plies[5] < plies[6]


def test_answers_to_a_secret_choice_count_together(session: Session, now: datetime) -> None:
    """Not before their common time, though the last is in; after it the last one moves the game at once."""
    moment = released(CADENCES["club"], now)
    early, late = (to_the_offering(session, now, "none") for _ in range(2))
    for game in (early, late):
        for seat in (0, 1):
            answer(session, now, game, seat, "offer 1")
    answer(session, now + AT_ONCE, early, 2, "offer 1")
    assert not advance(session, now + AT_ONCE, early.id).plies
    session.commit()
    assert early.wake_at == moment
    assert not advance(session, moment - AT_ONCE, early.id).plies
    assert advance(session, moment, early.id).plies
    assert not advance(session, moment, late.id).plies
    session.commit()

    answer(session, moment + AT_ONCE, late, 2, "offer 1")
    assert advance(session, moment + AT_ONCE, late.id).plies
    session.commit()


def test_what_a_plan_answered_in_secret_can_be_changed_until_it_counts(session: Session, now: datetime) -> None:
    """Its owner may send another order meanwhile, or take it back and is waited for, by the deadline that is there."""
    game = to_the_offering(session, now, "answers")
    mine = next(one for one in common.decisions_of(session, game) if one.seat == PLANNER)
    seat = seat_of(session, game, PLANNER).id
    assert (mine.hand, mine.order_id is None) == ("standing", False)
    for other in (0, 2):
        answer(session, now + AT_ONCE, game, other, "offer 1")
    assert submission.withdraw(session, now + AT_ONCE, submission.Submission(seat_id=seat, ply=mine.ply)).accepted
    session.commit()
    session.refresh(game)
    assert game.wake_at == game.cover_at is not None

    assert answer(session, now + 2 * AT_ONCE, game, PLANNER, "offer 2").accepted
    assert not advance(session, now + 2 * AT_ONCE, game.id).plies
    advance(session, released(CADENCES["club"], now), game.id)
    session.commit()
    ply = session.query(StoredPly).filter_by(game_id=game.id, ply=mine.ply).one()
    assert ply.orders[str(PLANNER)] == "offer 2"


def test_where_nobody_else_chooses_a_secret_answer_counts_at_once(session: Session, now: datetime) -> None:
    """Beside bots there is nobody to whom its time could tell anything."""
    game = GameFactory(game="amunre", people=1, bots=("random",) * 2, seed="alone", cadence=CADENCES["club"])
    while not any(one.secret for one in asked(session, game)):
        answer_all(session, now, game)
    ply = game.ply
    (mine,) = asked(session, game)

    assert answer(session, now, game, mine.seat).accepted
    assert advance(session, now, game.id).plies
    session.commit()
    session.refresh(game)
    assert game.ply > ply
