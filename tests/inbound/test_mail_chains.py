"""Several orders in one mail: what stands, what was not kept, and why, said at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.store.models import Game, Seat, StoredOrder
from pbem.store.queries import common
from tests.factories import START, GameFactory, answer, answer_all, asked, seat_of
from tests.inbound.test_receive import address, answers, come_in, mail, words_of

if TYPE_CHECKING:
    from sqlalchemy.orm import Session


@pytest.fixture
def game(session: Session) -> Game:
    """A game of Amun-Re in which a person is asked to buy: "buy no cards" leads straight on to farmers and stones."""
    made: Game = GameFactory(game="amunre", people=2, bots=("random",), seed="explore")
    while asked(session, made)[0].kind != "buy":
        answer_all(session, START, made)
    return made


@pytest.fixture
def seat(session: Session, game: Game) -> Seat:
    """The seat that is asked."""
    return seat_of(session, game, asked(session, game)[0].seat)


def kept(session: Session, game: Game, seat: Seat) -> list[str]:
    """The orders kept for the seat's next decisions."""
    live = common.live_standing(session, game.id)
    return [row.text for row in live if row.seat == seat.seat and row.kind == "then"]


@pytest.mark.parametrize(
    ("then", "why"),
    [
        ("offer 3", "“offer” does not fit there in this order"),
        ("stones 50 Atlantis", "is no order here"),
        ("when my_gold >= : buy nothing", "is due in the condition"),
    ],
)
def test_the_first_order_of_a_broken_chain_counts(
    session: Session, game: Game, seat: Seat, then: str, why: str
) -> None:
    """It stands; what follows is not kept, and the one answer says so, shows it and gives the reason."""
    come_in(session, mail(f"buy no cards; then {then}; then theft"), address(game, seat))
    row = session.execute(select(StoredOrder).where(StoredOrder.source == "mail")).scalar_one()
    (letter,) = answers(session)
    words = " ".join(words_of(session, letter).split())

    assert (row.kind, row.canonical, row.text) == ("order", "buy no cards", f"buy no cards; then {then}; then theft")
    assert kept(session, game, seat) == []
    assert letter.kind == "receipt"
    assert "Your order stands, but not what was to follow." in words
    assert f"{then}; then theft" in words
    assert why in words


def test_what_stands_before_the_broken_order_is_kept(session: Session, game: Game, seat: Seat) -> None:
    """A chain is cut at its first order that can't be played, not before it."""
    come_in(session, mail("buy no cards\nbuy nothing\nbuy elephants"), address(game, seat))

    assert kept(session, game, seat) == ["buy nothing"]


def test_a_whole_chain_is_confirmed_as_a_whole(session: Session, game: Game, seat: Seat) -> None:
    """Where nothing is wrong the answer doesn't speak of faults."""
    come_in(session, mail("buy no cards; then buy nothing"), address(game, seat))
    (letter,) = answers(session)

    assert kept(session, game, seat) == ["buy nothing"]
    assert "not what was to follow" not in words_of(session, letter)


@pytest.mark.parametrize("source", ["web", "api", "sitter"])
def test_a_program_that_can_mend_its_chain_gets_it_back_whole(
    session: Session, game: Game, seat: Seat, source: str
) -> None:
    """Page and API refuse at once what is sure to fail later, and nothing counts."""
    receipt = answer(session, START, game, seat.seat, "buy no cards; then offer 3", source=source)

    assert (receipt.accepted, receipt.reason) == (False, "IllegalOrder")
    assert [decision.seat for decision in asked(session, game)] == [seat.seat]
