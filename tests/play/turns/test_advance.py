from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from sqlalchemy import event, func, select

from pbem.engine.core.types import Outcome
from pbem.engine.registry import rules_of
from pbem.extensions import db
from pbem.play.orders import standing_orders
from pbem.play.proof import replay_audit
from pbem.play.seats import opening
from pbem.play.turns import stuck
from pbem.play.turns.advance import NOTHING, DueGames, advance, advance_next
from pbem.store import unit_of_work
from pbem.store.models import Game, Letter, OpenDecision, StoredPly
from pbem.store.queries import common
from pbem.store.unit_of_work import Work
from tests import factories
from tests.factories import GameFactory, answer, answer_all, asked, first_asked, letters, newly_due, seat_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from sqlalchemy.orm import Session


def test_the_first_run_asks_and_writes_the_letters(session: Session, now: datetime) -> None:
    """After the set-up somebody is asked, with one deadline, and has a letter in the outbox."""
    game = GameFactory(now=now)
    (decision,) = asked(session, game)

    assert game.state == "running"
    assert decision.ply == game.ply + 1
    assert decision.due_at == game.due_at
    assert game.wake_at == game.cover_at == game.due_at + timedelta(hours=12)
    assert [(one.seat, one.ply) for one in letters(session, "your_turn", game.ply)] == [(decision.seat, game.ply)]


@pytest.mark.parametrize("name", ["priestsofra", "amunre", "egizia"])
def test_a_whole_game_is_played_and_can_be_replayed(session: Session, now: datetime, name: str) -> None:
    """From the set-up to the result, with a bot at the table; the audit finds every digest again."""
    game = GameFactory(game=name, people=2, bots=("random",), now=now)
    factories.play_to_the_end(session, now, game)
    outcome = msgspec.json.decode(game.outcome or b"", type=Outcome)
    over = letters(session, "game_over")

    assert game.state == "finished"
    assert min(outcome.places) == 1
    assert replay_audit.audit(session, game.id).faults == ()
    assert [letter.seat for letter in over] == [0, 1]
    assert (game.due_at, game.cover_at, game.wake_at) == (None, None, None)


@pytest.mark.parametrize("ahead", [False, True])
def test_an_ordinary_ply_costs_eight_statements(session: Session, now: datetime, *, ahead: bool) -> None:
    """Lock, read all, look whether it is still so; one each for ply, decisions closed and opened, letters and game.

    What somebody has given ahead whose turn hasn't come is read by one more, and written by none.
    """
    game = GameFactory(people=4, bots=(), options={"auctions": "in_turn"}, now=now)
    game_id, first = game.id, asked(session, game)[0].seat
    if ahead:
        mine = seat_of(session, game, (first + 2) % 4).id
        assert not standing_orders.store(session, now, mine, "until changed\nfor bid:\npass").faults
        session.commit()
    answer(session, now, game, first, "draw")
    words: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        words.append(statement.split(maxsplit=1)[0])

    event.listen(db.engine, "before_cursor_execute", note)
    assert advance(session, now, game_id).plies == 1
    session.commit()
    event.remove(db.engine, "before_cursor_execute", note)

    ours = [word for word in words if word in {"SELECT", "INSERT", "UPDATE", "DELETE"}]
    assert sorted(ours) == ["INSERT"] * 3 + ["SELECT"] * (3 + ahead) + ["UPDATE"] * 2


def test_a_second_run_finds_nothing_to_do(session: Session, now: datetime) -> None:
    """Advancing twice is advancing once: same plies, same letters."""
    game = GameFactory(now=now)
    answer(session, now, game, asked(session, game)[0].seat)
    first = advance(session, now, game.id)
    session.commit()
    before = session.execute(select(func.count()).select_from(Letter)).scalar_one()

    assert first.plies >= 1
    assert advance(session, now, game.id) == NOTHING
    assert session.execute(select(func.count()).select_from(Letter)).scalar_one() == before


def test_a_game_that_is_not_due_is_left_alone(session: Session, now: datetime) -> None:
    """Before anybody has answered, and before the deadline, nothing is resolved."""
    game = GameFactory(now=now)

    assert advance(session, now + timedelta(hours=1), game.id) == NOTHING
    assert advance(session, now, game.id + 1) == NOTHING


WAYS: Mapping[str, Callable[[], Mapping[str, Any]]] = {
    "in turn": lambda: {"game": "priestsofra", "options": {"auctions": "in_turn"}},
    "sealed": lambda: {"game": "amunre", "options": {"auction": "sealed"}},
    "secret": lambda: {"game": "amunre", "here": first_asked("amunre", 3)["offer"]},
    "ahead": lambda: {"game": "egizia", "options": {"ships": "together"}},
}
"""By how decisions are asked, a game that begins so."""


@pytest.mark.parametrize("way", WAYS)
def test_a_game_that_is_woken_in_vain_waits_as_before(session: Session, now: datetime, way: str) -> None:
    """However it asks: with nothing to resolve, its deadline and everybody's clock and reminder stay as they were."""
    game = GameFactory(people=3, bots=(), now=now, **WAYS[way]())
    assert way == "in turn" or any(getattr(decision, way) for decision in asked(session, game))

    def rows() -> list[dict[str, object]]:
        session.expire_all()
        found: list[Any] = [game, *common.decisions_of(session, game)]
        return [{one.key: getattr(row, one.key) for one in row.__table__.c if one.key != "version"} for row in found]

    before = rows()
    unit_of_work.wake(session, game, now + timedelta(hours=1))
    session.commit()
    assert advance(session, now + timedelta(hours=1), game.id).plies == 0
    session.commit()

    assert rows() == before


def test_a_run_of_bots_stops_at_the_cap_and_goes_on_in_the_next(session: Session, now: datetime) -> None:
    """Five plies, then five more: the game stays due until it is over."""
    players = opening.GamePlan(
        game="priestsofra", seats=tuple(opening.SeatPlan(bot="random") for _ in range(3)), seed="s"
    )
    game = opening.open_game(session, now, players)
    first = advance(session, now, game.id, cap=5)
    session.commit()

    assert (first.plies, first.more, game.ply) == (5, True, 5)
    assert advance(session, now, game.id, cap=5).plies == 5
    assert session.execute(select(func.count()).select_from(OpenDecision)).scalar_one() == 0


def test_rules_that_raise_stop_that_game_only(session: Session, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game is marked stuck with the trace, its organiser told, nothing else written; mended, it goes on."""
    game = GameFactory(now=now)
    answer(session, now, game, asked(session, game)[0].seat)
    ply = game.ply

    def broken(*_: object) -> None:
        raise ZeroDivisionError("a slip in the rules")

    with monkeypatch.context() as patch:
        patch.setattr(type(rules_of("priestsofra")), "apply", broken)
        advance(session, now, game.id)
        assert Work.LETTERS in newly_due(session)
        session.commit()
    session.refresh(game)

    assert (game.state, game.ply, game.stuck_at) == ("stuck", ply, now)
    assert "a slip in the rules" in game.trace
    assert [letter.player_id for letter in letters(session, "stuck")] == [game.organiser_id]
    stuck.unstick(session, now, game.id)
    assert newly_due(session) == {Work.GAMES}
    assert advance(session, now, game.id).plies >= 1


def test_a_standing_order_answers_without_a_question(session: Session, now: datetime) -> None:
    """`draw` until changed: the seat is never asked for a turn again, is told of each use, and others are not."""
    game = GameFactory(now=now, options={"auctions": "in_turn"})
    (decision,) = asked(session, game)
    mine = seat_of(session, game, decision.seat)
    standing_orders.store(session, now, mine.id, "until changed\nfor turn:\ndraw")
    assert newly_due(session) == {Work.GAMES}
    session.commit()
    advance(session, now, game.id)
    session.commit()
    ply = session.execute(
        select(StoredPly).where(StoredPly.game_id == game.id, StoredPly.ply == decision.ply)
    ).scalar_one()
    told = [event for event in msgspec.json.decode(ply.events) if "standing order" in event["text"]]

    assert ply.hands == {str(decision.seat): "standing"}
    assert [event["seen_by"] for event in told] == [[decision.seat]]
    hands = session.scalars(select(StoredPly.hands).where(StoredPly.game_id == game.id)).all()
    used = sum(one.get(str(decision.seat)) == "standing" for one in hands)
    assert standing_orders.listed(session, mine.id)[0].uses == used >= 1
    assert all(one.kind != "turn" or one.seat != decision.seat for one in asked(session, game))


def test_an_order_of_ones_own_is_no_news(session: Session, now: datetime) -> None:
    """Whenever it was given: only what answered without a question is told as such."""
    game = GameFactory(now=now, options={"auctions": "in_turn"})
    (decision,) = asked(session, game)
    answer(session, now + timedelta(hours=1), game, decision.seat, "draw")
    advance(session, now + timedelta(hours=1), game.id)
    session.commit()
    events = session.scalars(select(StoredPly.events).where(StoredPly.game_id == game.id)).all()

    assert len(events) > 1
    assert not any(b"standing order" in told for told in events)


def test_a_chain_carries_on_and_is_dropped_when_it_no_longer_fits(session: Session, now: datetime) -> None:
    """`draw; then draw; then flip none`: the second draw comes by itself, the third does not fit."""
    game = GameFactory(people=3, bots=(), now=now, options={"auctions": "in_turn"}, seed="chain-4")
    owner = asked(session, game)[0].seat
    receipt = answer(session, now, game, owner, "draw; then draw; then flip none")
    assert receipt.then == ("draw", "flip none")
    advance(session, now, game.id)
    session.commit()
    while (one := asked(session, game)[0]).seat != owner:
        answer(session, now, game, one.seat, "draw" if one.kind == "turn" else "")
        advance(session, now, game.id)
        session.commit()
    plies = session.execute(select(StoredPly).where(StoredPly.game_id == game.id).order_by(StoredPly.ply)).scalars()
    mine = [(ply.orders[str(owner)], ply.hands[str(owner)]) for ply in plies if str(owner) in ply.orders]

    assert mine == [("draw", "player"), ("draw", "standing")]
    assert common.live_standing(session, game.id) == []


def test_secret_decisions_are_asked_at_once_and_resolved_together(session: Session, now: datetime) -> None:
    """Amun-Re's offerings: every person is asked, one ply takes all orders, nobody's answer shows before."""
    game = GameFactory(game="amunre", people=3, bots=(), now=now, seed="offers")
    for _ in range(200):
        here = asked(session, game)
        if len(here) == 3 and here[0].secret:
            break
        answer_all(session, now, game)
    secret = asked(session, game)
    assert len(secret) == 3
    for decision in secret[:2]:
        answer(session, now, game, decision.seat)
        assert advance(session, now, game.id) == NOTHING
        session.commit()
    answer(session, now, game, secret[2].seat)
    advance(session, now, game.id)
    session.commit()
    ply = session.execute(
        select(StoredPly).where(StoredPly.game_id == game.id, StoredPly.ply == secret[0].ply)
    ).scalar_one()

    assert set(ply.orders) >= {"0", "1", "2"}


def test_a_sealed_auction_is_asked_of_all_bidders_at_once(session: Session, now: datetime) -> None:
    """Each sends a list; the bids are then made in turn as ordinary plies, and nobody is asked again."""
    game = GameFactory(people=3, bots=(), now=now, seed="sealed")
    for _ in range(60):
        if any(one.sealed for one in asked(session, game)):
            break
        for one in asked(session, game):
            answer(session, now, game, one.seat, "ra" if one.kind == "turn" else "")
        advance(session, now, game.id)
        session.commit()
    sealed = asked(session, game)
    assert [one.sealed for one in sealed] == [True, True, True]
    for one in sealed:
        assert answer(session, now, game, one.seat, "bid lowest").accepted
    done = advance(session, now, game.id)
    session.commit()
    bids = session.execute(
        select(StoredPly).where(StoredPly.game_id == game.id, StoredPly.ply >= sealed[0].ply).order_by(StoredPly.ply)
    ).scalars()

    assert done.plies >= 3
    assert [set(ply.hands.values()) for ply in bids][:3] == [{"standing"}] * 3


def test_cooling_time_lets_players_think_again(session: Session, now: datetime) -> None:
    """All orders in: the ply waits for the cooling time, and every change starts it anew."""
    game = GameFactory(now=now, cooling=1800, options={"auctions": "in_turn"})
    (decision,) = asked(session, game)
    newly_due(session)
    answer(session, now, game, decision.seat, "draw")
    assert advance(session, now + timedelta(minutes=29), game.id) == NOTHING
    session.commit()
    answer(session, now + timedelta(minutes=29), game, decision.seat, "ra")
    assert advance(session, now + timedelta(minutes=31), game.id) == NOTHING
    session.commit()
    assert advance(session, now + timedelta(minutes=59), game.id).plies >= 1
    ply = session.execute(
        select(StoredPly).where(StoredPly.game_id == game.id, StoredPly.ply == decision.ply)
    ).scalar_one()

    assert ply.orders[str(decision.seat)] == "ra"


def test_letters_have_one_row_for_each_cause(session: Session, now: datetime) -> None:
    """However a game went, no cause has two letters and every game letter names its ply."""
    game = GameFactory(now=now)
    factories.play_to_the_end(session, now, game)
    found: list[Any] = list(session.execute(select(Letter)).scalars())

    assert len({letter.cause for letter in found}) == len(found)
    assert len({letter.message_id for letter in found}) == len(found)
    assert all(letter.game_id == game.id and letter.ply is not None for letter in found)
    assert session.execute(select(Game.ply)).scalar_one() == max(letter.ply for letter in found)


def test_a_bot_that_takes_its_time_thinks_outside_the_lock(session: Session, now: datetime) -> None:
    """The run stops where the bot is asked, hands out the decision, and goes on with what the bot came up with."""
    players = opening.GamePlan(
        game="priestsofra",
        seats=(opening.SeatPlan(bot="search:0.01"), opening.SeatPlan(bot="random"), opening.SeatPlan(bot="random")),
        seed="thinker",
    )
    game = opening.open_game(session, now, players)
    done = advance(session, now, game.id)
    session.commit()
    (thought,) = done.think
    assert (thought.ply, thought.seat, thought.view.seat) == (game.ply + 1, 0, 0)
    assert game.wake_at == done.lease
    assert (done.lease is not None and done.lease > now, advance_next(session, now, DueGames())) == (True, None)

    text = thought.ponder()
    thoughts = {(thought.ply, thought.seat): text}
    assert advance(session, now, game.id, thoughts=thoughts) == NOTHING
    advance(session, now, game.id, thoughts=thoughts, lease=done.lease)
    session.commit()
    ply = session.execute(
        select(StoredPly).where(StoredPly.game_id == game.id, StoredPly.ply == thought.ply)
    ).scalar_one()
    assert (ply.orders["0"], ply.hands["0"]) == (text, "bot")


def test_a_game_of_other_rules_is_set_aside_untouched(session: Session, now: datetime) -> None:
    """Opened under another rules version, it is never played on by these: stuck, with both versions named."""
    game = GameFactory(now=now)
    answer(session, now, game, asked(session, game)[0].seat)
    game.rules_version += 1
    game.version += 1
    session.commit()
    ply = game.ply
    advance(session, now, game.id)
    session.commit()
    session.refresh(game)

    assert (game.state, game.ply) == ("stuck", ply)
    assert game.trace == (
        "This is a game of Priests of Ra by rules version 2; this program plays version 1. "
        "Nothing is lost: the game goes on once the program has those rules again."
    )


def test_amun_res_sealed_bids_are_played_out_in_turn(session: Session, now: datetime) -> None:
    """Every bidder sends one list; whoever is outbid bids on from it; the audit finds ordinary in-turn plies."""
    game = GameFactory(
        game="amunre", people=3, bots=("random",), now=now, seed="ar-sealed", options={"auction": "sealed"}
    )
    examples = [row.example for row in rules_of("amunre").grammar if row.kind == "bid"]
    lists = 0
    while game.state == "running":
        for one in asked(session, game):
            lists += one.sealed
            assert answer(session, now, game, one.seat, "\n".join(examples) if one.sealed else "").accepted
        advance(session, now, game.id)
        session.commit()
        session.refresh(game)

    assert lists >= 6 * 3
    assert game.state == "finished"
    assert replay_audit.audit(session, game.id).faults == ()


def test_an_optional_answer_rides_along_and_holds_nobody_up(session: Session, now: datetime) -> None:
    """Amun-Re lets seats keep a bonus card: asked beside the others' decisions, it is played with their next ply."""
    game = GameFactory(game="amunre", people=3, bots=(), now=now, seed="optional")
    for _ in range(300):
        found = common.decisions_of(session, game)
        riding = [one for one in found if one.optional]
        if riding:
            break
        answer_all(session, now, game)
    one, ply = riding[0], riding[0].ply
    assert one.due_at is None
    receipt = answer(session, now, game, one.seat)
    assert receipt.accepted
    answer_all(session, now, game)
    orders = session.execute(
        select(StoredPly.orders).where(StoredPly.game_id == game.id, StoredPly.ply == ply)
    ).scalar_one()

    assert orders[str(one.seat)] == receipt.canonical
    assert len(orders) >= 2
