from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select

from pbem.errors import NotSeated
from pbem.play.orders import interpretation, submission
from pbem.play.turns.advance import advance
from pbem.store.models import GameState, Letter, OpenDecision, StoredOrder, StoredStandingOrders
from tests.factories import GameFactory, answer, answer_all, asked, near_the_end, play_to_the_end, seat_of

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from pbem.store.models import Game

IN_TURN = {"auctions": "in_turn"}


@pytest.fixture
def game(session: Session, now: datetime) -> Game:
    """Priests of Ra, its first turn asked."""
    made: Game = GameFactory(now=now, options=IN_TURN, seed="orders")
    assert asked(session, made)
    return made


def kept(session: Session, receipt: submission.Receipt) -> StoredOrder:
    """The stored row of an order."""
    return session.get_one(StoredOrder, receipt.order_id)


def test_an_order_is_stored_as_typed_and_answered_in_its_canonical_form(
    session: Session, now: datetime, game: Game
) -> None:
    """What the player typed, what it means and what it will do; the game is due."""
    seat = asked(session, game)[0].seat
    receipt = answer(session, now, game, seat, "  DRAW! ")
    row = kept(session, receipt)

    assert (receipt.accepted, receipt.canonical) == (True, "draw")
    assert [str(said) for said in receipt.says] != []
    assert (row.text, row.canonical, row.kind, row.source) == ("  DRAW! ", "draw", "order", "web")
    assert game.wake_at == now


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("dance", "InvalidOrder"),
        ("", "InvalidOrder"),
        ("bid 9", "InvalidOrder|IllegalOrder"),
        ("draw " + "x" * 30_000, "InvalidOrder"),
        ("draw; then dance", "InvalidOrder"),
        ("draw; then", "InvalidOrder"),
        ("draw; then " + "; then ".join(["draw"] * 30), "InvalidOrder"),
    ],
)
def test_what_cannot_be_used_is_refused_with_sentences_and_kept(
    session: Session, now: datetime, game: Game, text: str, reason: str
) -> None:
    """The refusal says why; the text stays; the decision stays open and nothing is due."""
    seat = asked(session, game)[0].seat
    receipt = answer(session, now, game, seat, text or " ")
    row = kept(session, receipt)

    assert not receipt.accepted
    assert receipt.reason in reason.split("|")
    assert all(str(fault) for fault in receipt.faults)
    assert row.kind == "refused"
    assert row.text == (text or " ")[: interpretation.KEPT]
    assert asked(session, game)[0].order_id is None


def test_text_no_database_takes_is_kept_readable(session: Session, now: datetime, game: Game) -> None:
    """A NUL and half a surrogate pair don't break the door."""
    receipt = answer(session, now, game, asked(session, game)[0].seat, "dr\0aw \ud83d")

    assert kept(session, receipt).text == "dr\N{REPLACEMENT CHARACTER}aw ?"


def test_a_megabyte_is_answered_like_any_other_nonsense(session: Session, now: datetime, game: Game) -> None:
    """Only its beginning is looked at and kept."""
    receipt = answer(session, now, game, asked(session, game)[0].seat, "when " * 200_000)

    assert (receipt.accepted, receipt.reason) == (False, "InvalidOrder")
    assert len(kept(session, receipt).text) == interpretation.KEPT


def test_the_newest_order_counts(session: Session, now: datetime, game: Game) -> None:
    """Two good ones and a bad one: the second good one is played; all three are kept."""
    seat = asked(session, game)[0].seat
    ply = game.ply + 1
    for text in ("draw", "ra", "nonsense"):
        answer(session, now, game, seat, text)
    advance(session, now, game.id)
    session.commit()
    texts = (
        session.execute(select(StoredOrder.text).where(StoredOrder.ply == ply).order_by(StoredOrder.id)).scalars().all()
    )
    decision = session.execute(select(OpenDecision).where(OpenDecision.ply == ply)).scalar_one()

    assert texts == ["draw", "ra", "nonsense"]
    assert kept(session, submission.Receipt(accepted=True, order_id=decision.order_id or 0)).canonical == "ra"


def test_an_order_can_be_withdrawn_until_the_ply_resolves(session: Session, now: datetime, game: Game) -> None:
    """Afterwards the seat is asked as before, the deadline is the old one, and the game isn't due."""
    seat = asked(session, game)[0].seat
    due, cover = game.due_at, game.cover_at
    answer(session, now, game, seat, "draw; then draw")
    receipt = submission.withdraw(
        session, now, submission.Submission(seat_id=seat_of(session, game, seat).id, ply=game.ply + 1)
    )
    session.commit()

    assert receipt.accepted
    assert [one.seat for one in asked(session, game)] == [seat]
    assert (game.due_at, game.wake_at) == (due, cover)
    assert not advance(session, now, game.id).plies


@pytest.mark.parametrize(("after", "left"), [("draw", []), ("draw; then draw; then ra", ["draw\nra"]), (None, [])])
def test_a_chain_ends_with_the_order_it_began_with(
    session: Session, now: datetime, game: Game, after: str | None, left: list[str]
) -> None:
    """Replaced by an order or by another chain, or withdrawn: what was to follow is over; what others gave is not."""
    seat = asked(session, game)[0].seat
    answer(session, now, game, seat, "draw; then ra")
    theirs = {"kind": "then", "text": "theirs", "phase": "", "round": "", "ended_why": ""}
    session.add(StoredStandingOrders(game_id=game.id, seat=(seat + 1) % 3, created_at=now, **theirs))
    if after:
        answer(session, now, game, seat, after)
    else:
        taken = submission.Submission(seat_id=seat_of(session, game, seat).id, ply=game.ply + 1)
        submission.withdraw(session, now, taken)
    session.commit()
    rows = session.scalars(select(StoredStandingOrders).order_by(StoredStandingOrders.id)).all()

    assert (rows[0].text, rows[0].ended_at, rows[0].ended_why) == ("ra", now, "replaced")
    assert [row.text for row in rows if row.ended_at is None] == ["theirs", *left]


def test_a_seat_that_is_not_asked_gets_a_sentence(session: Session, now: datetime, game: Game) -> None:
    """The others' orders are kept but not used, and they have none to take back."""
    other = 1 - asked(session, game)[0].seat if asked(session, game)[0].seat < 2 else 0
    receipt = answer(session, now, game, other, "draw")

    nothing = submission.Submission(seat_id=seat_of(session, game, other).id, ply=game.ply + 1)
    for told in (receipt, submission.withdraw(session, now, nothing)):
        assert (told.accepted, told.reason, kept(session, told).kind) == (False, "NotAwaited", "refused")
        assert "not asked" in str(told.faults[0])
    assert kept(session, receipt).text == "draw"


def test_orders_for_an_earlier_and_a_later_ply_are_stale(session: Session, now: datetime, game: Game) -> None:
    """A tab from before the last ply, or a number nobody was given."""
    seat = asked(session, game)[0].seat
    for ply in (game.ply, game.ply + 2):
        receipt = answer(session, now, game, seat, "draw", ply=ply)
        assert (receipt.accepted, receipt.reason) == (False, "StalePhase")


def test_a_finished_game_takes_no_orders(session: Session, now: datetime) -> None:
    """It says that it is over."""
    game = GameFactory(now=now, seed="over", here=near_the_end("priestsofra", 3))
    play_to_the_end(session, now, game)
    receipt = answer(session, now, game, 0, "draw")

    assert (receipt.accepted, receipt.reason) == (False, "GameOver")


def test_a_game_that_stands_still_takes_no_orders(session: Session, now: datetime, game: Game) -> None:
    """A paused game says so, and keeps the text."""
    seat = asked(session, game)[0].seat
    game.state = GameState.PAUSED
    session.commit()
    receipt = answer(session, now, game, seat, "draw")

    assert (receipt.accepted, receipt.reason) == (False, "PhaseClosed")
    assert kept(session, receipt).text == "draw"


def test_no_seat_no_row(session: Session, now: datetime) -> None:
    """An order for a seat that isn't there is the one thing that raises."""
    with pytest.raises(NotSeated):
        submission.submit(session, now, submission.Submission(seat_id=4711, ply=1, text="draw"))
    assert session.execute(select(func.count()).select_from(StoredOrder)).scalar_one() == 0


def test_the_same_form_sent_twice_is_one_order(session: Session, now: datetime, game: Game) -> None:
    """Even after the ply has resolved, the second click gets the first one's answer; another game's form is another."""
    seat = asked(session, game)[0].seat
    ply = game.ply + 1
    elsewhere = StoredOrder(game_id=GameFactory(now=now).id, ply=ply, seat=seat, text="ra", source="web", request="abc")
    elsewhere.created_at = now
    session.add(elsewhere)
    first = answer(session, now, game, seat, "draw", request="abc")
    advance(session, now, game.id)
    session.commit()
    again = answer(session, now, game, seat, "draw", request="abc", ply=ply)

    assert (again.accepted, again.order_id, again.canonical) == (True, first.order_id, "draw")
    assert session.execute(select(func.count()).select_from(StoredOrder)).scalar_one() == 2


def test_a_preview_stores_nothing(session: Session, game: Game) -> None:
    """What it would mean, or every fault."""
    seat_id = seat_of(session, game, asked(session, game)[0].seat).id

    assert submission.preview(session, seat_id, "draw; then ra").then == ("ra",)
    for wrong in ("dance", "draw; then dance"):
        refused = submission.preview(session, seat_id, wrong)
        assert (refused.canonical, refused.reason) == ("", "InvalidOrder")
        assert refused.faults != ()
    assert session.execute(select(func.count()).select_from(StoredOrder)).scalar_one() == 0


@pytest.mark.parametrize(
    ("source", "deed", "letter"),
    [
        ("mail", "order", ("receipt", timedelta())),
        ("mail", "refused", ("refused", timedelta())),
        ("sitter", "order", ("receipt", submission.RECEIPT_WAITS)),
        ("sitter", "refused", None),
        ("web", "order", None),
        ("web", "refused", None),
        ("web", "draft", None),
        ("web", "withdraw", None),
        ("api", "order", None),
        ("api", "refused", None),
    ],
)
def test_who_is_written_to_depends_on_the_way_an_order_came(
    session: Session, now: datetime, game: Game, source: str, deed: str, letter: tuple[str, timedelta] | None
) -> None:
    """A mail is answered at once, a sitter's order told to its player; a page and a program have said it already.

    Whoever sends something from a page, be it refused, is noted as being there.
    """
    seat = seat_of(session, game, asked(session, game)[0].seat)
    before = set(session.scalars(select(Letter.id)))
    wish = submission.Submission(
        seat_id=seat.id, ply=game.ply + 1, source=source, draft=deed == "draft", mail_id=7,
        text="dance" if deed == "refused" else "draw",
    )  # fmt: skip
    done = (submission.withdraw if deed == "withdraw" else submission.submit)(session, now, wish)
    session.commit()
    written = [one for one in session.scalars(select(Letter)) if one.id not in before]

    assert done.accepted == (deed != "refused")
    assert kept(session, done).kind == deed
    found = [(one.kind, one.next_try_at - now, one.player_id, one.order_id, one.mail_id) for one in written]
    assert found == ([] if letter is None else [(*letter, seat.player_id, done.order_id, 7)])
    session.refresh(seat)
    assert seat.page_at == (now if source == "web" else None)


def test_a_receipt_goes_out_only_where_it_tells_something(session: Session, now: datetime) -> None:
    """By mail at once; from a page later, unless the ply's letters tell; the last in secret can't tell that it is."""
    game = GameFactory(game="amunre", people=3, bots=(), now=now, seed="receipts")
    while len(here := asked(session, game)) < 3:
        answer_all(session, now, game)
    session.execute(Letter.__table__.delete().where(Letter.kind == "receipt"))  # type: ignore[attr-defined]  # a table it is
    first = answer(session, now, game, here[0].seat)
    mailed = answer(session, now, game, here[1].seat, source="mail", mail_id=7)
    last = answer(session, now, game, here[2].seat)
    found = session.execute(select(Letter).where(Letter.kind == "receipt").order_by(Letter.id)).scalars().all()

    assert [(one.order_id, one.next_try_at - now) for one in found] == [
        (first.order_id, timedelta(minutes=5)),
        (mailed.order_id, timedelta()),
        (last.order_id, timedelta(minutes=5)),
    ]
    advance(session, now, game.id)
    session.commit()
    session.expire_all()
    assert [one.state for one in found] == ["dropped", "pending", "dropped"]
