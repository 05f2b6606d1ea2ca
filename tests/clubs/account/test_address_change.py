"""A new mail address: two questions by letter, the wait, the sweep that makes it count."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.capabilities.tokens import tokens
from pbem.clubs.account import address_change
from pbem.errors import NotSeated, WrongInput
from pbem.store.models import AddressChange, Player
from tests.factories import letters

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from tests.clubs.conftest import Circle

SECOND = timedelta(seconds=1)


def requests(session: Session) -> list[AddressChange]:
    """Every request as it is stored, the oldest first."""
    session.flush()
    session.expire_all()
    return list(session.execute(select(AddressChange).order_by(AddressChange.id)).scalars())


def asked(session: Session, when: datetime, player: Player, address: str) -> AddressChange:
    """What a person asks for."""
    address_change.ask(session, when, player.id, address)
    return requests(session)[-1]


def test_both_addresses_are_written_to(session: Session, now: datetime, circle: Circle) -> None:
    """The new one is asked and told nothing of the person's; the old one is told which address it is."""
    bob = circle.others[0]
    row = asked(session, now, bob, " New@Nile.example ")

    assert (row.player_id, row.address, row.state, row.epoch) == (bob.id, "new@nile.example", "open", bob.epoch)
    assert (row.asked_at, row.expires_at) == (now, now + timedelta(days=7))
    new, old = letters(session, "address_change")
    assert (new.player_id, new.address, new.data) == (
        bob.id,
        "new@nile.example",
        {"side": "new", "change": row.id},
    )
    assert (old.player_id, old.address, old.data) == (
        bob.id,
        bob.address,
        {"new": "new@nile.example", "side": "old", "change": row.id},
    )


def test_ones_own_address_is_none_to_change_to(session: Session, now: datetime, circle: Circle) -> None:
    """However it is written; nothing is stored or sent."""
    with pytest.raises(WrongInput, match="That is your address already"):
        address_change.ask(session, now, circle.alice.id, str(circle.alice.address).upper())
    assert requests(session) == []
    assert letters(session, "address_change") == []


def test_a_newer_request_takes_the_place_of_an_older_one(session: Session, now: datetime, circle: Circle) -> None:
    """Open or confirmed; nobody else's, and none that was made."""
    bob, carl = circle.others[:2]
    asked(session, now, bob, "first@nile.example").state = "confirmed"
    asked(session, now, carl, "carl@nile.example")
    asked(session, now - timedelta(days=2), bob, "done@nile.example").state = "done"
    session.flush()
    asked(session, now, bob, "second@nile.example")

    assert [row.state for row in requests(session)] == ["stopped", "open", "done", "open"]


def test_a_person_asks_three_times_a_day_and_an_address_is_asked_once_a_week(
    session: Session, now: datetime, circle: Circle
) -> None:
    """Whoever asks; to the second."""
    bob, carl = circle.others[:2]
    for number in range(3):
        asked(session, now, bob, f"a{number}@nile.example")
    with pytest.raises(WrongInput, match="3 times today: try again tomorrow"):
        asked(session, now + timedelta(days=1) - SECOND, bob, "a3@nile.example")
    asked(session, now + timedelta(days=1), bob, "a3@nile.example")
    with pytest.raises(WrongInput, match="we write there once in 7 days"):
        asked(session, now + timedelta(days=7) - SECOND, carl, "a0@nile.example")
    asked(session, now + timedelta(days=7), carl, "a0@nile.example")


def test_the_sweep_makes_what_was_confirmed_and_waited_for(session: Session, now: datetime, circle: Circle) -> None:
    """None that is open, waits, is of older links or an erased person; one taken meanwhile is stopped."""
    due, waits, opened, older, gone, taken = people = circle.others[:6]
    before = {player.id: player.address for player in people}
    for player in people:
        row = asked(session, now, player, f"new-{player.id}@nile.example")
        row.state, row.takes_effect_at = "confirmed", now
    rows = dict(zip((player.id for player in people), requests(session), strict=True))
    rows[waits.id].takes_effect_at = now + SECOND
    rows[opened.id].state, rows[taken.id].address = "open", str(circle.alice.address)
    older.epoch += 1
    gone.address = before[gone.id] = None
    session.flush()

    assert address_change.sweep(session, now)

    states = {player: row.state for player, row in zip(rows, requests(session), strict=True)}
    assert states == {
        due.id: "done",
        waits.id: "confirmed",
        opened.id: "open",
        older.id: "confirmed",
        gone.id: "confirmed",
        taken.id: "stopped",
    }
    after = {player.id: session.get_one(Player, player.id).address for player in people}
    assert after == before | {due.id: f"new-{due.id}@nile.example"}
    assert session.get_one(Player, due.id).epoch == 1, "old links end"
    assert not address_change.sweep(session, now)
    assert address_change.sweep(session, now + SECOND)


def test_yes_and_no_of_either_side(session: Session, now: datetime, circle: Circle) -> None:
    """The old one's yes waits for the new one's; the new one's begins the wait once; a no stops it all."""
    bob = circle.others[0]
    row = asked(session, now, bob, "new@nile.example")
    new, old = (address_change.token(tokens(), row.id, side) for side in ("new", "old"))
    with pytest.raises(WrongInput, match="First the new address has to say yes"):
        address_change.answer(session, now, tokens(), old, yes=True)
    for later in (timedelta(), timedelta(hours=5)):
        address_change.answer(session, now + later, tokens(), new, yes=True)

    assert address_change.look(session, now, tokens(), old) == address_change.Move(
        "old", "new@nile.example", "confirmed", now + timedelta(days=3)
    )
    (told,) = letters(session, "account")
    assert "new@nile.example" in repr(told.data)
    address_change.answer(session, now, tokens(), old, yes=False)
    for yes in (True, False):
        address_change.answer(session, now, tokens(), new, yes=yes)
        assert address_change.look(session, now, tokens(), new).state == "stopped"


def test_a_question_ends_after_a_week_and_with_the_persons_links(
    session: Session, now: datetime, circle: Circle
) -> None:
    """To the second; an unknown or wrong one opens nothing; a change that was made stays to be seen."""
    bob = circle.others[0]
    row = asked(session, now, bob, "new@nile.example")
    text = address_change.token(tokens(), row.id, "new")
    assert address_change.look(session, row.expires_at - SECOND, tokens(), text).state == "open"
    for when, wrong in (
        (row.expires_at, text),
        (now, address_change.token(tokens(), row.id + 1, "new")),
        (now, "x" + text),
    ):
        with pytest.raises(NotSeated, match="opens nothing"):
            address_change.look(session, when, tokens(), wrong)
    bob.epoch += 1
    with pytest.raises(NotSeated, match="opens nothing"):
        address_change.look(session, now, tokens(), text)
    row.state = "done"
    assert address_change.look(session, row.expires_at, tokens(), text).state == "done"
    address_change.answer(session, now, tokens(), text, yes=False)
    assert [one.state for one in requests(session)] == ["done"]


def test_an_address_that_somebody_has_is_refused_only_to_who_holds_it(
    session: Session, now: datetime, circle: Circle
) -> None:
    """From outside the request looks like any other; its yes is what fails."""
    bob, carl = circle.others[:2]
    row = asked(session, now, bob, str(carl.address))
    with pytest.raises(WrongInput, match="can't be used here"):
        address_change.answer(session, now, tokens(), address_change.token(tokens(), row.id, "new"), yes=True)

    assert requests(session)[0].state == "open"
