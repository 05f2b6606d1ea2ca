"""Which letters leave, when, and which are dropped because they are no longer true."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import msgspec
import pytest
from sqlalchemy import delete, select, update

from pbem.clubs.account import address_change
from pbem.engine import preview
from pbem.engine.core.message import Message
from pbem.engine.core.rng import Rng
from pbem.engine.registry import GAMES, rules_of
from pbem.inbound.receive import receive
from pbem.letter_queue import LetterQueue
from pbem.letters import context, writer
from pbem.messages import LANGUAGES, Translator
from pbem.play.admin import retention
from pbem.play.deadlines import absences, delivery_clock, reminders
from pbem.play.orders import lookahead, plans, standing_orders, submission
from pbem.play.seats import proposals, sitters, substitutes
from pbem.play.turns.advance import advance
from pbem.store.models import (
    AddressChange,
    Delivery,
    GameState,
    Inbound,
    Letter,
    OpenDecision,
    Player,
    StoredOrder,
    StoredStandingOrders,
)
from tests.factories import (
    GameFactory,
    PlayerFactory,
    answer,
    answer_all,
    asked,
    in_a_club,
    letters,
    near_the_end,
    play_to_the_end,
    seat_of,
    until_lists_are_owed,
)
from tests.letters.test_writer import HOUSE
from tests.play.seats.test_proposals import miss

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.orm import Session

    from pbem.store.models import Game

IN_TURN = {"auctions": "in_turn"}
DAY = timedelta(days=1)
SEALED = [
    pytest.param(name, {option.name: "sealed"}, id=name)
    for name in GAMES
    for option in rules_of(name).meta.options
    if "sealed" in option.choices
]
"""Every game whose auctions can be sealed."""


def text_of(data: context.LetterData | None) -> str:
    """A letter as plain text."""
    assert data is not None
    return writer.preview(data, HOUSE)[0].text


@pytest.fixture
def game(session: Session, now: datetime) -> Game:
    """A turn is asked."""
    made: Game = GameFactory(now=now, options=IN_TURN, seed="letters")
    assert asked(session, made)
    return made


def one(session: Session, kind: str) -> Letter:
    """The newest letter of a kind."""
    found = session.execute(select(Letter).where(Letter.kind == kind).order_by(Letter.id.desc())).scalars().first()
    assert found is not None
    return found


def test_days_away_that_were_given_up_are_told_to_nobody(session: Session, now: datetime) -> None:
    """The letter that waits for morning is dropped, whether they had begun or not; that of other days leaves.

    Until they are over.
    """
    away, other = PlayerFactory.create_batch(2)
    GameFactory(people=(away, other), now=now)
    days = [absences.announce(session, now, away.id, now + DAY * at, now + DAY * (at + 2)) for at in (0, 5, 10)]
    waiting = letters(session, "absence")
    assert [context.context(session, now, letter) is None for letter in waiting] == [False, False, False]
    for given_up in days[:2]:
        absences.cancel(session, now + DAY, given_up.id, away.id)
    assert [context.context(session, now + DAY, letter) is None for letter in waiting] == [True, True, False]
    assert context.context(session, now + DAY * 12, waiting[-1]) is None


def test_what_no_longer_is_as_a_letter_tells_is_told_to_nobody(session: Session, now: datetime) -> None:
    """Days away, a sitter, a vote, a seat that stalls, an address: what ended before its letter leaves is dropped."""
    people = PlayerFactory.create_batch(4)
    game = GameFactory(now=now, people=people[:3], bots=(), options=IN_TURN, seed="votes")
    in_a_club(session, game, *(one.id for one in people))
    now = miss(session, now, game, 0, times=reminders.PATIENCE)
    mine, other = seat_of(session, game, 0).id, seat_of(session, game, 2).id
    away = absences.announce(session, now, people[1].id, now, now + DAY).id
    sitting = sitters.appoint(session, now, mine, people[3].id, now, now + DAY).id
    plan = proposals.ProposalPlan(kind="replace", seat=0)
    vote = proposals.propose(session, now, game.id, people[1].id, plan).proposal_id
    address_change.ask(session, now, people[1].id, "new@nile.example")
    change = session.query(AddressChange).one()
    every = set(context._LASTING)

    def told() -> set[str]:
        waiting = [letter for letter in session.scalars(select(Letter)) if every & letter.data.keys()]
        return {name for one in waiting if context.context(session, now, one) for name in every & one.data.keys()}

    assert told() == every
    by_hand = update(OpenDecision).values(hand="player", answered_at=now + timedelta(minutes=1))
    endings: tuple[tuple[Callable[[], object], set[str]], ...] = (
        (lambda: absences.cancel(session, now, away, people[1].id), {"absence"}),
        (lambda: setattr(change, "state", "stopped"), {"change"}),
        (lambda: sitters.end(session, now, sitting, mine), {"sitting"}),
        (lambda: proposals.vote(session, now, vote, other, yes=False), {"proposal"}),
        (lambda: proposals.vote(session, now, vote, other, yes=True), {"proposal", "sitting", "stalling"}),
        (lambda: session.execute(by_hand), {"proposal", "stalling"}),
        (lambda: setattr(game, "state", GameState.FINISHED), {"absence", "proposal", "sitting", "stalling"}),
    )
    for end, ended in endings:
        undone = session.begin_nested()
        end()
        session.flush()
        assert every - told() == ended
        undone.rollback()


def test_a_question_is_true_until_it_is_answered(session: Session, now: datetime, game: Game) -> None:
    """It carries the seat's situation and who it goes to; answered, it is dropped."""
    letter = one(session, "your_turn")
    data = context.context(session, now, letter)
    assert data is not None
    assert data.situation is not None
    assert data.situation.asked is not None
    assert (data.slug, data.ply, data.seat_epoch) == (game.slug, game.ply, 0)
    answer(session, now, game, asked(session, game)[0].seat, "draw")

    assert context.context(session, now, letter) is None


def test_a_refusal_tells_every_fault_and_what_would_be_near(session: Session, now: datetime, game: Game) -> None:
    """An order by mail that can't be used: its text, the faults, up to eight legal orders like it."""
    answer(session, now, game, asked(session, game)[0].seat, "drow", source="mail", mail_id=3)
    data = context.context(session, now, one(session, "refused"))
    assert data is not None

    assert data.data["text"] == "drow"
    assert data.mail_id == 3
    assert all(isinstance(fault, Message) for fault in data.data["faults"])
    assert data.data["legal"][0] == "draw"
    assert len(data.data["legal"]) <= 8


def test_a_receipt_says_what_the_order_will_do(session: Session, now: datetime, game: Game) -> None:
    """While the ply is open; afterwards only what was ordered."""
    answer(session, now, game, asked(session, game)[0].seat, "draw; then ra", source="mail", mail_id=4)
    letter = one(session, "receipt")
    data = context.context(session, now, letter)
    assert data is not None
    assert (data.data["canonical"], data.data["then"]) == ("draw", ["ra"])
    assert str(data.data["says"])
    advance(session, now, game.id)
    session.commit()
    after = context.context(session, now, letter)
    assert after is not None
    assert "says" not in after.data
    for found, is_open in ((data, True), (after, False)):
        written = writer.preview(found, HOUSE)[0]
        for part in (written.text, written.html):
            told = " ".join(part.split()).replace("&#39;", "'")
            assert ("You can change it until" in told) == is_open
            assert ("it can't be changed any more" in told) != is_open


def receipt(session: Session, now: datetime) -> tuple[str, str]:
    """The subject and the text of the newest receipt, as it would leave now."""
    data = context.context(session, now, one(session, "receipt"))
    assert data is not None
    words = writer.preview(data, HOUSE)[0]
    return words.subject, " ".join(words.text.split())


@pytest.mark.parametrize("change", ["replaced", "taken back"])
@pytest.mark.parametrize("settled", [False, True])
def test_a_receipt_never_says_that_an_order_stands_which_was_changed(
    session: Session, now: datetime, game: Game, change: str, *, settled: bool
) -> None:
    """Changed on the page before the answer to a mail has left, or played since: what was kept behind it is gone."""
    seat = asked(session, game)[0].seat
    assert answer(session, now, game, seat, "draw; then ra", source="mail", mail_id=4).accepted
    if change == "replaced":
        assert answer(session, now, game, seat, "ra", source="api").accepted
        session.execute(delete(Letter).where(Letter.kind == "receipt", Letter.mail_id.is_(None)))
    else:
        mine = seat_of(session, game, seat).id
        submission.withdraw(session, now, submission.Submission(seat_id=mine, ply=game.ply + 1))
    if settled:
        answer(session, now, game, seat, "ra", source="api")
        advance(session, now, game.id)
        session.execute(delete(Letter).where(Letter.kind == "receipt", Letter.mail_id.is_(None)))
    session.commit()
    subject, text = receipt(session, now)

    assert subject.endswith("Changed since: draw")
    assert "You have changed this order since." in text
    for untrue in ("stands", "or until all have answered", "Kept for your next decisions", "It replaces"):
        assert untrue not in text


def test_a_receipt_tells_what_became_of_a_chain(session: Session, now: datetime) -> None:
    """Kept until it is played; what its phase leaves unplayed is over, and not kept for a decision to come."""
    game = GameFactory(game="amunre", people=2, bots=("random",), seed="explore")
    while asked(session, game)[0].kind != "buy":
        answer_all(session, now, game)
    chain = "buy no cards; then buy nothing; then offer 1"
    assert answer(session, now, game, asked(session, game)[0].seat, chain, source="mail", mail_id=4).accepted
    told = [receipt(session, now)[1]]
    for _ in range(2):
        answer_all(session, now, game)
        session.execute(delete(Letter).where(Letter.kind == "receipt", Letter.mail_id.is_(None)))
        told.append(receipt(session, now)[1])

    kept = "Kept for your next decisions of this phase:"
    played = "After it “buy nothing” was played, too."
    lapsed = "What was to follow was not played, and is not kept any more: “offer 1”."
    said = [
        [part for part in (f"{kept} 1. buy nothing", f"{kept} 1. offer 1", played, lapsed) if part in one]
        for one in told
    ]
    assert said == [[f"{kept} 1. buy nothing"], [f"{kept} 1. offer 1", played], [played, lapsed]]


@pytest.mark.parametrize(
    ("name", "options", "kind"),
    [
        ("egizia", {"ships": "in_turn"}, "needed"),
        ("egizia", {"ships": "together"}, "ahead"),
        ("amunre", {}, "optional"),
        ("amunre", {"auction": "sealed"}, "sealed"),
        ("priestsofra", {"auctions": "sealed"}, "sealed"),
    ],
)
def test_a_receipt_tells_what_the_page_told_of_an_order(
    session: Session, now: datetime, name: str, options: dict[str, str], kind: str
) -> None:
    """At its turn, before it, riding along with others' and of a sealed list: the same consequences for the seat."""
    rules, own = rules_of(name), Rng("told", 0)
    told: tuple[Message, ...] = ()
    state, ply = rules.setup(3, options, Rng("told", 1)).state, 1
    while not told:
        found = [
            seat for seat, one in rules.asked(state).items() if getattr(one, kind) and one.sealed == (kind == "sealed")
        ]
        for seat in found:
            order = str(rules.sample(state, seat, own))
            told = preview.told(lookahead.brings(rules, state, seat, order))
            if told:
                break
        else:
            ply += 1
            orders = {other: rules.sample(state, other, own) for other in rules.awaited(state)}
            rules.apply(state, orders, Rng("told", ply))
    game = GameFactory(game=name, people=3, bots=(), now=now, options=options, here=state)
    page = submission.preview(session, seat_of(session, game, seat).id, order)
    tried = standing_orders.trial(session, seat_of(session, game, seat).id, order)

    assert answer(session, now, game, seat, order, source="mail", mail_id=5).accepted
    data = context.context(session, now, one(session, "receipt"))
    assert data is not None
    assert data.data["brings"] == told == preview.told(page.brings)
    assert tried.brings == page.brings, "what is given ahead is told by the same code"
    assert "legal" not in data.data
    for language in LANGUAGES:
        to = msgspec.structs.replace(data.to, language=language)
        text = writer.preview(msgspec.structs.replace(data, to=to), HOUSE)[0].text
        assert "this phase" not in text
    assert ("Your answer so far" in text_of(data)) == (kind == "optional"), "it is told once"


@pytest.mark.parametrize(("name", "options"), SEALED)
def test_who_owes_a_list_is_shown_a_bid(session: Session, now: datetime, name: str, options: dict[str, str]) -> None:
    """Beside the safe default, which bids nothing, a line that is taken as it stands; and what is given is shown so."""
    game = GameFactory(game=name, people=3, bots=(), now=now, options=options)
    until_lists_are_owed(session, now, game)
    for letter in letters(session, "your_turn", game.ply):
        data = context.context(session, now, letter)
        assert data is not None
        assert data.situation is not None
        assert data.situation.asked is not None
        (shown,) = re.findall(r"such as: “([^”]+)”", " ".join(text_of(data).split()))
        safe = str(rules_of(name).cautious(data.situation.view))
        assert safe in text_of(data)
        assert shown != safe
        receipt = answer(session, now, game, letter.seat or 0, shown)
        assert receipt.accepted
        assert Translator().given(receipt.canonical) == shown


def test_an_answer_is_told_without_what_happens_if_there_is_none(session: Session, now: datetime, game: Game) -> None:
    """Of an answered question no letter tells the safe default, nor a deadline; its button leads to the change."""
    (decision,) = asked(session, game)
    assert answer(session, now, game, decision.seat, "draw").accepted
    seat = seat_of(session, game, decision.seat)
    post = LetterQueue(now)
    post.seat("status", game, seat, session.get_one(Player, seat.player_id), mail_id=5)
    post.send(session)

    said = text_of(context.context(session, now, one(session, "status")))

    assert "Your answer so far: “draw”" in said
    assert "safe default" not in said
    assert "stands until" not in said
    assert "Change your order" in said


def test_what_is_given_ahead_is_told_no_more_when_the_game_is_over(session: Session, now: datetime) -> None:
    """Nor is there a link to change or end it."""
    game = GameFactory(now=now, here=near_the_end("priestsofra", 3))
    seats = [seat_of(session, game, number).id for number in range(2)]
    for seat_id in seats:
        standing_orders.store(session, now, seat_id, "until changed\nask me")
    session.commit()
    play_to_the_end(session, now, game)
    for letter in letters(session, "game_over"):
        data = context.context(session, now, letter)
        assert data is not None
        assert not any(data.data[name] for name in ("standing", "plans", "then"))


@pytest.mark.parametrize("change", ["erased", "bounced", "complained", "unwanted", "unwanted here", "left"])
def test_nobody_is_written_to_in_vain(session: Session, now: datetime, game: Game, change: str) -> None:
    """An address that is gone, that refuses us, a kind of letter that was turned off or a seat that was left since."""
    letter = one(session, "your_turn")
    player = session.get_one(Player, letter.player_id)
    if change == "erased":
        player.address = None
    elif change == "unwanted":
        player.kinds_off = ["your_turn"]
    elif change == "unwanted here":
        seat_of(session, game, letter.seat or 0).kinds_off = ["your_turn"]
    elif change == "left":
        substitutes.resign(session, now, seat_of(session, game, letter.seat or 0).id)
    else:
        player.address_state = change
    session.commit()

    assert context.context(session, now, letter) is None


def test_news_leave_unless_the_question_tells_them(session: Session, now: datetime, game: Game) -> None:
    """What an earlier ply brought is dropped where its reader is asked by now, and leaves where somebody else is."""
    (awaited,) = {decision.seat for decision in asked(session, game)}
    post, left = LetterQueue(now), {}
    for number in (0, 1):
        seat = seat_of(session, game, number)
        post.seat("phase_report", game, seat, session.get_one(Player, seat.player_id), "news")
    post.send(session)
    for letter in letters(session, "phase_report"):
        for ply in (game.ply - 1, game.ply):
            letter.ply = ply
            session.flush()
            left[letter.seat == awaited, game.ply - ply] = context.context(session, now, letter) is not None

    assert left == {(True, 1): False, (True, 0): True, (False, 1): True, (False, 0): True}


def test_news_of_one_night_are_one_letter(session: Session, now: datetime, game: Game) -> None:
    """Of what waits for the morning the newest leaves, as each tells all since; other seats, people, games: apart."""
    (awaited,) = {decision.seat for decision in asked(session, game)}
    post = LetterQueue(now)
    for kind, number, back in (
        *(("phase_report", 1 - awaited, 3), ("phase_report", awaited, 2)),
        *(("phase_report", 1 - awaited, 1), ("game_over", 1 - awaited, 0)),
    ):
        player = session.get_one(Player, seat_of(session, game, number).player_id)
        at = {"game_id": game.id, "ply": game.ply - back, "seat": number}
        post.person(kind, player, f"{kind}:{back}", **at)
    post.send(session)
    earlier, later = (told for told in letters(session, "phase_report") if told.seat != awaited)
    end = one(session, "game_over")

    def left() -> list[bool]:
        return [context.context(session, now, letter) is not None for letter in (earlier, later, end)]

    assert left() == [False, False, True]
    end.state = "dropped"
    session.flush()
    assert left() == [False, True, True]
    later.state = "failed"
    session.flush()
    assert left() == [True, True, True]
    later.state = "pending"
    for beside in ({"game_id": GameFactory(now=now).id}, {"player_id": PlayerFactory().id}, {"seat": awaited}):
        own = {name: getattr(later, name) for name in beside}
        session.execute(update(Letter).where(Letter.id == later.id).values(beside))
        assert context.context(session, now, earlier) is not None, beside
        session.execute(update(Letter).where(Letter.id == later.id).values(own))
    assert left() == [False, True, True]


def test_news_wait_for_the_morning_and_answers_do_not(session: Session, now: datetime) -> None:
    """Who wants quiet nights gets reports and questions when they wake; receipts and links at once."""
    night = datetime(2026, 3, 3, 2, 0, tzinfo=UTC)
    player = PlayerFactory(quiet=True)
    post = LetterQueue(night)
    for kind in ("phase_report", "your_turn", "receipt", "fresh_link"):
        post.person(kind, player, kind)
    post.send(session)
    leaves = {row.kind: row.next_try_at for row in session.execute(select(Letter.kind, Letter.next_try_at))}

    assert leaves["receipt"] == leaves["fresh_link"] == night
    assert leaves["phase_report"] == leaves["your_turn"] == datetime(2026, 3, 3, 8, 0, tzinfo=UTC)
    assert now < night


def test_an_address_that_never_answered_gets_one_invitation(session: Session, now: datetime) -> None:
    """Nothing else is even written into the outbox."""
    shy = PlayerFactory(accepted_at=None, address_state="new")
    post = LetterQueue(now)
    for kind in ("invitation", "your_turn", "phase_report", "game_over", "digest"):
        post.person(kind, shy, kind)
    post.send(session)

    assert session.execute(select(Letter.kind)).scalars().all() == ["invitation"]


def test_one_cause_has_one_letter(session: Session, now: datetime) -> None:
    """Written twice, by two runs or in one: the first stays."""
    player = PlayerFactory()
    for subject in ("a", "b"):
        post = LetterQueue(now)
        post.person("talk", player, "same", text=subject)
        post.send(session)
    row = session.execute(select(Letter)).scalar_one()

    assert row.data == {"text": "a"}
    assert len(row.message_id) == 32


def test_old_mail_is_thrown_away_and_games_are_not(session: Session, now: datetime) -> None:
    """Settled letters and worked mail after ninety days; what still waits stays."""
    game = GameFactory(now=now, here=near_the_end("priestsofra", 3))
    play_to_the_end(session, now, game)
    for number, letter in enumerate(session.execute(select(Letter).order_by(Letter.id)).scalars()):
        letter.state = "sent" if number else "pending"
        session.add(Delivery(letter_id=letter.id, state="accepted", at=now))
    for state in ("new", "done"):
        mail = receive(session, f"Message-ID: <{state}@nile.example>\n\n".encode(), "x", now)
        session.get_one(Inbound, mail).state = state
    plies = game.ply
    session.commit()
    retention.prune(session, now + timedelta(days=89))
    assert len(session.execute(select(Letter.id)).all()) > 1
    batches = 1
    while retention.prune(session, now + timedelta(days=91), batch=2):
        session.commit()
        batches += 1
    session.commit()
    assert batches > 1
    session.refresh(game)

    assert session.execute(select(Letter.state)).scalars().all() == ["pending"]
    assert len(session.execute(select(Delivery.id)).all()) == 1
    assert session.execute(select(Inbound.state)).scalars().all() == ["new"]
    assert (game.state, game.ply) == ("finished", plies)


def test_a_question_waits_while_its_reader_sits_at_the_page(session: Session, now: datetime, game: Game) -> None:
    """For some minutes after an order by the page; an order by mail or long ago holds nothing back."""
    letter = one(session, "your_turn")
    seat = asked(session, game)[0].seat
    assert letter.seat == seat

    def held(at: datetime) -> datetime | None:
        written = context.context(session, at, letter)
        assert written is not None
        return context.held(written, at)

    assert held(now) is None
    answer(session, now, game, seat, "draw", source="mail", mail_id=9)
    submission.withdraw(
        session,
        now,
        submission.Submission(seat_id=seat_of(session, game, seat).id, ply=game.ply + 1, source="mail"),
    )
    assert held(now) is None

    answer(session, now, game, seat, "draw", source="web", draft=True)
    assert held(now) == now + context.AT_THE_PAGE
    assert held(now + context.AT_THE_PAGE) is None
    assert context.AT_THE_PAGE < delivery_clock.LATE


def test_a_second_orders_receipt_names_the_first(session: Session, now: datetime, game: Game) -> None:
    """Whoever changes an order is told which one it replaces."""
    seat = asked(session, game)[0].seat
    for text in ("draw", "ra"):
        answer(session, now, game, seat, text, source="mail", mail_id=5)
    data = context.context(session, now, one(session, "receipt"))
    assert data is not None

    assert (data.data["canonical"], data.data["replaces"]) == ("ra", "draw")


def test_the_first_question_welcomes(session: Session, now: datetime, game: Game) -> None:
    """Whoever has given no order yet is welcomed; a list of orders too long for a letter isn't told."""
    letter = one(session, "your_turn")
    data = context.context(session, now, letter)
    assert data is not None

    assert data.data["first"]
    assert data.data["all_legal"] == ()  # with two tiles to swap there are hundreds
    answer(session, now, game, asked(session, game)[0].seat, "draw", source="mail", mail_id=5)
    advance(session, now, game.id)
    session.commit()
    game_again = one(session, "your_turn")
    later = context.context(session, now, game_again)
    assert later is None or later.data["first"] == (game_again.seat != letter.seat)


def test_a_wish_in_many_words_is_shown_the_nearest_orders(session: Session, now: datetime, game: Game) -> None:
    """Words and numbers in common count first: 6 is no more like 36 than like 1."""
    assert (
        context._near(
            "I would like to bid 6 for Mendes please", ["bid 36 on Abu", "bid 1 on Mendes", "bid 6 on Mendes"]
        )[0]
        == "bid 6 on Mendes"
    )
    letter = Letter(kind="refused", game_id=game.id, seat=asked(session, game)[0].seat, ply=game.ply, data={})
    assert "draw" in context._legal(context.Outgoing(session, now, letter, game), 3)


def test_a_plan_stands_in_one_line_with_the_way_to_change_it(session: Session, now: datetime, game: Game) -> None:
    """In its owner's letters alone, in words; the link leads to the page where it is changed and ended."""
    seat = asked(session, game)[0].seat
    fields = {"tiles": ["5"], "kinds": ["plague"], "then": ["ask me"]}
    assert not plans.store(session, now, seat_of(session, game, seat).id, "draw", fields).faults
    session.commit()
    data = context.context(session, now, one(session, "your_turn"))
    assert data is not None
    written = writer.preview(data, HOUSE)[0]

    line = "Draw until 5 tiles lie there or one of these: plague, then ask me. It ends when you win an auction"
    assert line in " ".join(written.text.split())
    assert line in " ".join(written.html.split())
    (link,) = set(re.findall(r"http\S+\?to=plan", written.text))
    assert link in written.html


def test_the_nearest_orders_stand_in_the_games_own_order() -> None:
    """The most alike comes first, then numbers rise: not 6, 36, 0, 1."""
    legal = [f"bid {gold} on Mendes" for gold in (0, 1, 3, 6, 10, 15, 36)]
    near = context._near("bid 7 on Mendes", legal)

    assert list(near[1:]) == [order for order in legal if order in near[1:]]
    assert context._near("bid 36 on Mendes", legal)[0] == "bid 36 on Mendes"
    assert context._near("anything", []) == ()


def test_a_receipt_is_about_its_own_seat_and_game(session: Session, now: datetime, game: Game) -> None:
    """What others at the table did, and the same seat at another one, neither overtakes an order nor goes before it."""
    seat, quiet, elsewhere = asked(session, game)[0].seat, 2, GameFactory(now=now).id
    mine = session.get_one(StoredOrder, answer(session, now, game, seat).order_id)
    session.execute(delete(OpenDecision))

    def told() -> list[object]:
        looks = (context._can_be_changed, context._given)
        chain = context._chain(session, mine, ("ra", "ra"))
        return [
            chain,
            context._is_first(context.Outgoing(session, now, Letter(seat=quiet), game)),
            *(f(session, mine) for f in looks),
        ]

    alone = told()
    for at, number in {(at, number) for at in (game.id, elsewhere) for number in range(3)} - {
        (game.id, seat),
        (game.id, quiet),
    }:
        row = {"game_id": at, "seat": number, "ply": mine.ply}
        given = {**row, "text": "theirs", "canonical": "theirs", "source": "web", "created_at": now}
        session.add_all(StoredOrder(id=n, **given) for n in (-number - 3 * at, 1000 + number + 3 * at))
        session.add(OpenDecision(kind="call", opened_at=now, began_at=now, **row))
        ahead = {"kind": "then", "text": "ra", "phase": "", "round": "", "created_at": mine.created_at}
        session.add(StoredStandingOrders(game_id=at, seat=number, **ahead))

    assert told() == alone == [{}, True, False, [mine]]


def test_a_letter_tells_of_its_own_game_beside_others(session: Session, now: datetime) -> None:
    """What was played for its reader there, and how many decisions wait for them elsewhere, of all their games."""
    drafts = ("draw", "ra", "draw")
    people = PlayerFactory.create_batch(2)
    games = [GameFactory(now=now, seed="same", people=people, options={"auctions": "in_turn"}) for _ in drafts]
    (seat,) = {decision.seat for game in games for decision in asked(session, game)}
    more = dict.fromkeys((game.id for game in games), len(games) - 1) | {GameFactory(now=now, seed="same").id: 0}
    for letter in session.scalars(select(Letter).where(Letter.kind == "your_turn")):
        waits = context.context(session, now, letter)
        assert waits is not None
        assert waits.data["more"] == more[letter.game_id or 0]

    for game, draft in zip(games, drafts, strict=True):
        assert answer(session, now, game, seat, draft, draft=True).accepted
        assert advance(session, game.cover_at, game.id).plies
        session.commit()
    told = {}
    for letter in session.scalars(select(Letter).where(Letter.kind == "covered")):
        data = context.context(session, now, letter)
        assert data is not None
        told[letter.game_id] = data.data["order"]
    assert told == {game.id: draft for game, draft in zip(games, drafts, strict=True)}


def test_who_was_covered_is_told_the_order_of_that_question(session: Session, now: datetime) -> None:
    """Not of one before it: of a list that the server gave the bid, and none where that wasn't made in this ply."""
    game = GameFactory(now=now, people=2, bots=(), seed="sealed-trial")
    (first,) = asked(session, game)
    while [one.seat for one in asked(session, game)] == [first.seat]:
        assert advance(session, game.cover_at, game.id).plies
        session.commit()
    (second,) = asked(session, game)
    assert answer(session, now, game, second.seat, "ra").accepted
    advance(session, now, game.id)
    session.commit()
    assert all(one.sealed for one in asked(session, game))
    assert advance(session, game.cover_at, game.id).plies
    session.commit()

    told: dict[int | None, list[str]] = {first.seat: [], second.seat: []}
    for letter in letters(session, "covered"):
        data = context.context(session, now, letter)
        assert data is not None
        told[letter.seat].append(data.data["order"])
    assert told == {first.seat: ["draw", "show merchant", "pass"], second.seat: [""]}
