"""What a mail is answered with: days in words, near misses asked back, and what was beside the order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.store.models import Absence, Game, Seat, StoredOrder
from tests.inbound.test_receive import address, answers, come_in, inbound, mail, words_of

if TYPE_CHECKING:
    from sqlalchemy.orm import Session


def test_too_long_an_absence_is_refused_with_its_limit(session: Session, game: Game, seat: Seat) -> None:
    """Days that can't be granted get a sentence like any others: the mail is answered, not put aside."""
    come_in(session, mail("absence: 2 May to 1 September"), address(game, seat))
    (letter,) = answers(session)
    words = " ".join(words_of(session, letter).split())

    assert (inbound(session).state, inbound(session).kind) == ("done", "command")
    assert "is too long: at most 35" in words
    assert "Nothing was done." in words


def test_an_absence_is_confirmed_in_the_readers_own_time(session: Session, game: Game, seat: Seat) -> None:
    """The days are said as people say them, with the weekday, not as computers keep them."""
    come_in(session, mail("absence: 4 March to 6 March"), address(game, seat))
    (letter,) = answers(session)

    assert "You are away from Wednesday 4 March, 00:00 UTC" in " ".join(words_of(session, letter).split())


def test_a_slip_is_asked_back_and_nothing_is_played(session: Session, game: Game, seat: Seat) -> None:
    """A mistyped order, which alone would look like chatter, is kept, refused, and answered with what was meant."""
    come_in(session, mail("drwa"), address(game, seat))
    row = session.execute(select(StoredOrder).where(StoredOrder.source == "mail")).scalar_one()
    (letter,) = answers(session)

    assert (row.kind, row.text) == ("refused", "drwa")
    assert "“drwa” is no order here. Did you mean “draw”?" in " ".join(words_of(session, letter).split())


def test_an_order_in_a_polite_sentence_is_asked_back(session: Session, game: Game, seat: Seat) -> None:
    """Who asks nicely hears what would have been understood; nothing is played."""
    come_in(session, mail("So my move today is: draw a tile then"), address(game, seat))
    (letter,) = answers(session)

    assert session.execute(select(StoredOrder).where(StoredOrder.source == "mail")).all() == []
    assert "Did you mean “draw”?" in " ".join(words_of(session, letter).split())


@pytest.mark.parametrize(
    "text",
    [
        "Draw. Well played, Bob.",
        "Draw! Well played, everybody, see you then.",
        "Thanks for the reminder. Draw",
        "What we both want: Draw",
    ],
)
def test_an_order_beside_other_sentences_is_asked_back(session: Session, game: Game, seat: Seat, text: str) -> None:
    """One word is an order where it is a sentence by itself: the others may take it back, so that it is asked."""
    come_in(session, mail(text), address(game, seat))
    (letter,) = answers(session)

    assert session.execute(select(StoredOrder).where(StoredOrder.source == "mail")).all() == []
    assert "Did you mean “draw”?" in " ".join(words_of(session, letter).split())


@pytest.mark.parametrize(
    "text", ["Here's my order: draw", "My move is draw", "My answer: draw", "La mia mossa: pesca", "Mon coup : pioche"]
)
def test_an_order_that_is_called_one_is_played(session: Session, game: Game, seat: Seat, text: str) -> None:
    """What a line calls its writer's move is one, in each of our languages."""
    come_in(session, mail(text), address(game, seat))

    assert session.execute(select(StoredOrder.canonical).where(StoredOrder.source == "mail")).scalar_one() == "draw"


@pytest.mark.parametrize("above", ["", "Hi,\n\n"])
def test_an_order_under_the_quote_is_told_where_to_stand(session: Session, game: Game, seat: Seat, above: str) -> None:
    """Nothing below a quote is played, with a greeting above it or without."""
    come_in(session, mail(f"{above}> What do you do?\n\ndraw\n\n> You may draw or call."), address(game, seat))
    (letter,) = answers(session)

    assert session.execute(select(StoredOrder).where(StoredOrder.source == "mail")).all() == []
    assert "Your order is under the quoted letter" in " ".join(words_of(session, letter).split())


def test_an_order_in_the_subject_alone_is_explained(session: Session, game: Game, seat: Seat) -> None:
    """Who writes it there, with nothing below, is told where it is read; nothing is played."""
    come_in(session, mail("", Subject="draw"), address(game, seat))
    (letter,) = answers(session)

    assert session.execute(select(StoredOrder).where(StoredOrder.source == "mail")).all() == []
    assert "Write the order alone on the first line" in " ".join(words_of(session, letter).split())


def test_a_mistyped_command_is_asked_back(session: Session, game: Game, seat: Seat) -> None:
    """It is not carried out; the answer names the word that was meant."""
    come_in(session, mail("absense: 4 March to 6 March"), address(game, seat))
    (letter,) = answers(session)

    assert session.execute(select(Absence)).all() == []
    assert "Did you mean “absence: 4 March to 6 March”?" in " ".join(words_of(session, letter).split())


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("ra\n\nCould we have more time on Sunday?", True),
        ("Why does Bob take so long?\nra", True),
        ("Hi,\nra\nThanks, Anna", False),
    ],
)
def test_a_question_beside_an_order_isnt_lost_in_silence(
    session: Session, game: Game, seat: Seat, text: str, *, told: bool
) -> None:
    """The order counts, and its answer says that nobody reads the rest, and how the table can."""
    come_in(session, mail(text), address(game, seat))
    (letter,) = answers(session)

    assert letter.kind == "receipt"
    assert ("Nobody reads what else you wrote." in words_of(session, letter)) is told
