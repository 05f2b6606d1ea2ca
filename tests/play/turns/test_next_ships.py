"""Egizia with the option `ships`: everybody's next ship is asked at once, and placed in turn if its space is free."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import select

from pbem.engine.core.forms import Pick
from pbem.engine.egizia.forms import SECOND
from pbem.engine.registry import rules_of
from pbem.engine.text.notation import ELSE
from pbem.letters import context
from pbem.play.deadlines.reminders import remind
from pbem.play.deadlines.waiting_reasons import needed_seats, why
from pbem.play.orders import lookahead, standing_orders, submission
from pbem.play.turns.advance import advance
from pbem.play.views.decision_queue import queue
from pbem.store.models import Game, Letter, OpenDecision, Seat, StoredOrder, StoredPly, StoredStandingOrders
from pbem.store.queries import common, game_pages
from tests.factories import GameFactory, answer, state

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session


def sailing(session: Session, now: datetime, ships: str = "together") -> tuple[Game, list[int]]:
    """A game of three people in its first sailing, and the seats in turn order."""
    game: Game = GameFactory(game="egizia", people=3, bots=(), seed="ships", now=now, options={"ships": ships})
    session.refresh(game)
    first = next(decision.seat for decision in asked(session, game) if not decision.ahead)
    return game, [(first + n) % 3 for n in range(3)]


def asked(session: Session, game: Game) -> list[OpenDecision]:
    """Every open decision, those before their turn included."""
    rows = session.scalars(
        select(OpenDecision).where(OpenDecision.game_id == game.id, OpenDecision.closed_at.is_(None))
    )
    return sorted(rows, key=lambda decision: decision.seat)


def played(session: Session, game: Game) -> list[dict[str, str]]:
    """The orders of each ply after the set-up."""
    rows = session.execute(select(StoredPly.orders).where(StoredPly.game_id == game.id).order_by(StoredPly.ply))
    return [row.orders for row in rows if row.orders]


def test_eg_3_1_everybody_is_asked_at_once_but_waited_for_in_turn(session: Session, now: datetime) -> None:
    """One decision holds the game up; the others are open beside it, each with a letter of its own."""
    game, _ = sailing(session, now)
    open_ = asked(session, game)

    assert sorted(decision.seat for decision in open_) == [0, 1, 2]
    assert sum(not decision.ahead for decision in open_) == 1
    plain, _ = sailing(session, now, "in_turn")
    assert len(asked(session, plain)) == 1


def test_eg_3_1_an_order_given_before_its_turn_is_used_then(session: Session, now: datetime) -> None:
    """It waits for the seat on turn; once that has sailed, both ships are placed in turn order."""
    game, (first, *_) = sailing(session, now)
    rest = [decision.seat for decision in asked(session, game) if decision.ahead]
    for seat, place in zip(rest, ("Edfu", "Thebae"), strict=True):
        assert answer(session, now, game, seat, f"ship to {place}").accepted
    advance(session, now, game.id)
    session.commit()
    assert played(session, game) == []

    assert answer(session, now, game, first, "ship to Passalon").accepted
    advance(session, now, game.id)
    session.commit()

    assert sorted(text for orders in played(session, game) for text in orders.values()) == [
        "ship to Edfu",
        "ship to Passalon",
        "ship to Thebae",
    ]
    assert all(len(orders) == 1 for orders in played(session, game))


def test_eg_3_3_a_space_that_was_taken_is_asked_again(session: Session, now: datetime) -> None:
    """Who wanted the same space is told, and asked at the turn; nothing of the order is left."""
    game, (first, *_) = sailing(session, now)
    rest = [decision.seat for decision in asked(session, game) if decision.ahead]
    for seat in (*rest, first):
        assert answer(session, now, game, seat, "ship to Edfu").accepted
    advance(session, now, game.id)
    session.commit()

    assert [list(orders.values()) for orders in played(session, game)] == [["ship to Edfu"]]
    waits = [decision.seat for decision in asked(session, game) if not decision.ahead]
    assert waits[0] in rest
    live = session.scalars(
        select(StoredStandingOrders).where(
            StoredStandingOrders.game_id == game.id, StoredStandingOrders.ended_at.is_(None)
        )
    ).all()
    assert waits[0] not in {row.seat for row in live}


def test_a_ship_ordered_ahead_is_kept_once(session: Session, now: datetime) -> None:
    """What waits for its turn over several plies stands in one row, and no letter asks for it again."""
    game, (first, *_) = sailing(session, now)
    rest = [decision.seat for decision in asked(session, game) if decision.ahead]
    last = rest[-1]
    assert answer(session, now, game, last, "ship to Thebae").accepted
    before = session.query(Letter).filter_by(game_id=game.id, kind="your_turn").count()
    assert answer(session, now, game, first, "ship to Passalon").accepted
    advance(session, now, game.id)
    session.commit()

    rows = session.scalars(select(StoredStandingOrders).where(StoredStandingOrders.game_id == game.id)).all()
    assert [(row.seat, row.kind, row.text) for row in rows] == [(last, "then", "ship to Thebae")]
    assert last not in {decision.seat for decision in asked(session, game)}
    assert session.query(Letter).filter_by(game_id=game.id, kind="your_turn").count() > before


def test_who_is_asked_before_their_turn_is_asked_like_anybody(session: Session, now: datetime) -> None:
    """It is wanted by the deadline, stands in the queue and is named as waited for; only one is reminded."""
    game, _ = sailing(session, now)
    for decision in asked(session, game):
        assert not decision.optional
        assert decision.due_at == game.due_at
        assert (decision.nudge_at is None) == decision.ahead
    people = [seat.player_id or 0 for seat, _ in common.seats_of(session, game.id)]
    assert [len([one for one in queue(session, now, player) if not one.optional]) for player in people] == [1, 1, 1]
    table = game_pages.gathering(session, game_id=game.id)
    assert table is not None
    assert why(now, table, None).who == (0, 1, 2)
    assert len(needed_seats(table.decisions)) == 1


def test_who_wanted_a_space_that_is_gone_is_asked_again_at_once(session: Session, now: datetime) -> None:
    """Not only at their turn; they are told so, and asked once more when it comes."""
    game, (first, *_) = sailing(session, now)
    second, third = [decision.seat for decision in asked(session, game) if decision.ahead]
    turn = min((second, third), key=lambda seat: (seat - first) % 3)
    late = third if turn == second else second
    assert answer(session, now, game, late, "ship to Edfu").accepted
    assert answer(session, now, game, first, "ship to Edfu").accepted
    advance(session, now + timedelta(hours=1), game.id)
    session.commit()

    open_ = {decision.seat: decision for decision in asked(session, game)}
    assert open_[late].ahead
    assert open_[late].opened_at == now + timedelta(hours=1)
    told = msgspec.json.decode(ply_of(session, game).events)
    assert any("is not possible now" in event["text"] and event["seen_by"] == [late] for event in told)

    assert answer(session, now, game, turn, "ship to Thebae").accepted
    before = letters_to(session, game, late)
    advance(session, now + timedelta(hours=2), game.id)
    session.commit()
    due = next(decision for decision in asked(session, game) if decision.seat == late)
    assert (due.ahead, due.opened_at) == (False, now + timedelta(hours=2))
    assert letters_to(session, game, late) - before == 1


def test_a_question_that_goes_on_while_another_sails_keeps_its_time(session: Session, now: datetime) -> None:
    """It brings no second letter, and one that waits still leaves; and only who has not answered is needed."""
    game, (first, second, third) = sailing(session, now)
    letters = letters_to(session, game, third)
    assert answer(session, now, game, first, "ship to Edfu").accepted
    assert needed_seats(common.decisions_of(session, game)) == ()
    advance(session, now + timedelta(hours=1), game.id)
    session.commit()

    asks = {decision.seat: (decision.ahead, decision.opened_at) for decision in asked(session, game)}
    assert (asks[third], asks[second][0]) == ((True, now), False)
    assert letters_to(session, game, third) == letters
    waits = session.scalars(select(Letter).where(Letter.kind == "your_turn")).all()
    leaving = [(one.seat, one.ply == game.ply) for one in waits if context.context(session, now, one) is not None]
    assert sorted(leaving) == sorted([(first, True), (second, True), (third, False)])


def test_eg_3_1_a_second_choice_sails_if_the_first_cannot_any_more(session: Session, now: datetime) -> None:
    """Only then, at its turn; its owner is told, and the page and the receipt say both beforehand."""
    game, (first, *_) = sailing(session, now)
    second, third = (decision.seat for decision in asked(session, game) if decision.ahead)
    taken = answer(session, now, game, second, "ship to Edfu; else ship to Thebae")
    free = answer(session, now, game, third, "bateau vers Passalon; sinon ship to Alyl, crew blue")
    assert (taken.canonical, free.canonical) == (
        "ship to Edfu; else ship to Thebae",
        "ship to Passalon; else ship to Alyl, crew blue",
    )
    assert [str(one) for one in taken.says] == [
        "You sail to Edfu: stone market and grain market one step each.",
        "If that can't be done any more: You sail to Thebae: blue, black +1.",
        "If that can't be done either, you are asked again.",
    ]
    assert answer(session, now, game, first, "ship to Edfu").accepted
    advance(session, now, game.id)
    session.commit()

    assert sorted(text for orders in played(session, game) for text in orders.values()) == [
        "ship to Edfu",
        "ship to Passalon",
        "ship to Thebae",
    ]


def test_eg_3_1_nobody_is_told_what_happens_if_they_cannot_pass(session: Session, now: datetime) -> None:
    """Nobody can prevent it: what stands behind it is never done, and nobody is asked again for it."""
    game, (first, *_) = sailing(session, now)
    second, third = (decision.seat for decision in asked(session, game) if decision.ahead)
    passes = "You pass and place no more ships this round."

    assert list(map(str, answer(session, now, game, second, "pass; else ship to Edfu").says)) == [passes]
    assert list(map(str, answer(session, now, game, third, "ship to Edfu; else pass").says)) == [
        "You sail to Edfu: stone market and grain market one step each.",
        f"If that can't be done any more: {passes}",
    ]
    assert answer(session, now, game, first, "ship to Edfu").accepted
    advance(session, now, game.id)
    session.commit()
    assert sorted(text for orders in played(session, game) for text in orders.values())[:2] == ["pass", "pass"]


def test_eg_3_1_who_can_do_neither_choice_is_asked_again(session: Session, now: datetime) -> None:
    """Nothing of the order is left, and no third ship is placed in its owner's name."""
    game, (first, *_) = sailing(session, now)
    second, third = sorted(
        (decision.seat for decision in asked(session, game) if decision.ahead), key=lambda seat: (seat - first) % 3
    )
    order = [first, second, third]
    assert answer(session, now, game, order[2], "ship to Edfu; else ship to Thebae").accepted
    assert answer(session, now, game, order[1], "ship to Edfu; else ship to Thebae").accepted
    assert answer(session, now, game, order[0], "ship to Edfu").accepted
    advance(session, now, game.id)
    session.commit()

    assert [list(orders.values()) for orders in played(session, game)] == [["ship to Edfu"], ["ship to Thebae"]]
    assert [one.order_id for one in asked(session, game) if not one.ahead] == [None]


def test_eg_3_1_a_second_choice_must_be_possible_when_it_is_sent(session: Session, now: datetime) -> None:
    """Before the turn both are checked; at the turn the first that is legal is the order, and is all that is stored."""
    game, (first, *_) = sailing(session, now)
    early = next(decision.seat for decision in asked(session, game) if decision.ahead)
    assert not answer(session, now, game, early, "ship to Edfu; else ship to card 11").accepted
    assert not answer(session, now, game, early, "ship to Edfu; else").accepted
    assert answer(session, now, game, early, "ship to Edfu; else ask me").canonical == "ship to Edfu"
    assert answer(session, now, game, first, "ship to Alyl; else ship to Thebae").canonical == "ship to Thebae"


def test_a_letter_shows_how_a_second_choice_is_written_before_the_turn_only(session: Session, now: datetime) -> None:
    """By two orders of which neither is the cautious one, and which are taken as they stand."""
    game, (first, *_) = sailing(session, now)
    early = next(decision.seat for decision in asked(session, game) if decision.ahead)
    rules, here = rules_of("egizia"), state(session, game)
    view = rules.view(here, early)
    shown = lookahead.second_choice(rules, view, lookahead.world_of(rules, view))

    assert lookahead.second_choice(rules, rules.view(here, first), here) is None
    assert shown is not None
    assert len({*shown.split(ELSE), str(rules.cautious(view))}) == 3
    assert answer(session, now, game, early, shown).canonical == shown


def test_a_second_choice_is_asked_on_the_form_before_the_turn_only(session: Session, now: datetime) -> None:
    """In one line that opens, preset to being asked again; what is chosen there stands behind the order."""
    game, (first, *_) = sailing(session, now)
    early = next(decision.seat for decision in asked(session, game) if decision.ahead)
    rules, here = rules_of("egizia"), state(session, game)
    forms = {seat: rules.form(rules.view(here, seat)) for seat in (first, early)}
    menus = {
        seat: [field for group in form.groups for field in group.fields if field.name == SECOND]
        for seat, form in forms.items()
    }
    assert not menus[first]
    (menu,) = menus[early]
    assert isinstance(menu, Pick)
    assert (menu.menu, menu.chosen) == (True, ("",))
    fields = {"to": ["Edfu"], "crew-1": ["blue"], SECOND: ["Alyl"]}
    text = rules.order_text(rules.view(here, early), fields)
    assert text == "ship to Edfu; else ship to Alyl, crew blue"
    assert answer(session, now, game, early, text).canonical == text
    assert rules.order_text(rules.view(here, early), fields | {"to": ["pass"]}) == "pass"
    assert rules.order_text(rules.view(here, early), fields | {SECOND: [""]}) == "ship to Edfu"


def test_what_shows_the_question_as_it_stood_before_may_answer_it(session: Session, now: datetime) -> None:
    """No new letter is written while a question goes on, so the old one's answer counts; one already used doesn't."""
    game, (first, *_) = sailing(session, now)
    sailing(session, now)  # another table asks the same of the same seats
    ahead = [decision.seat for decision in asked(session, game) if decision.ahead]
    last = max(ahead, key=lambda seat: (seat - first) % 3)
    seats = {row.seat: row.id for row in session.scalars(select(Seat).where(Seat.game_id == game.id))}
    assert answer(session, now, game, first, "ship to Edfu").accepted
    advance(session, now, game.id)
    session.refresh(game)

    def sent(seat: int, ply: int, text: str) -> submission.Receipt:
        order = submission.Submission(seat_id=seats[seat], ply=ply, text=text, source="mail")
        return submission.submit(session, now, order)

    late = sent(last, game.ply, "ship to Thebae")
    kept = session.get_one(StoredOrder, late.order_id)
    again = sent(first, game.ply, "ship to Alyl")

    assert (late.accepted, kept.ply) == (True, game.ply + 1)
    assert (again.accepted, again.reason) == (False, "StalePhase")


def test_a_plan_answers_in_place_of_a_question_before_its_turn(session: Session, now: datetime) -> None:
    """Whose standing order fits is not asked; nobody is reminded as if they had missed something."""
    game, (first, *_) = sailing(session, now)
    early = [decision.seat for decision in asked(session, game) if decision.ahead]
    seat = next(one for one, _ in common.seats_of(session, game.id) if one.seat == early[0])
    assert not standing_orders.store(
        session, now, seat.id, "this phase\nfor ship:\nship to Edfu\nship to Thebae"
    ).faults
    assert answer(session, now, game, first, "ship to Passalon").accepted
    advance(session, now, game.id)
    session.commit()
    assert seat.seat not in {decision.seat for decision in asked(session, game) if decision.ahead}
    remind(session, game.cover_at or now)
    alerts = session.query(Letter).filter_by(game_id=game.id, kind="organiser_alert").all()
    assert all(decision.nudge_at is None for decision in asked(session, game) if decision.ahead)
    assert len(alerts) <= 1


def ply_of(session: Session, game: Game) -> StoredPly:
    """The newest ply."""
    session.refresh(game)
    return session.query(StoredPly).filter_by(game_id=game.id, ply=game.ply).one()


def letters_to(session: Session, game: Game, seat: int) -> int:
    """How many letters have asked a seat."""
    return session.query(Letter).filter_by(game_id=game.id, kind="your_turn", seat=seat).count()
