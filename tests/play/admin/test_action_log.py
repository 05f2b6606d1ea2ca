"""What was done at a table by hand: entered, listed for everybody there, and told in the next letter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.play.admin import action_log
from pbem.store.models import Audit, Game, Letter
from tests.factories import GameFactory, hours, in_a_club, seat_of

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session


@pytest.fixture
def game(session: Session) -> Game:
    """A game whose players have been written to."""
    made: Game = GameFactory.create(bots=())
    in_a_club(session, made)
    session.commit()
    return made


def written(session: Session, game: Game, player_id: int | None, when: datetime, state: str = "sent") -> int:
    """The number of a letter about a game."""
    row = Letter(cause=f"{game.id}:{player_id}:{when}:{state}", kind="phase_report", game_id=game.id)
    row.player_id, row.state, row.data, row.message_id = player_id, state, {}, row.cause
    row.next_try_at = row.created_at = when
    session.add(row)
    session.flush()
    return row.id


def test_a_letter_tells_what_was_done_since_the_last_one_that_arrived(
    session: Session, now: datetime, game: Game
) -> None:
    """About that game, to that person, before that letter: not since one that failed, is newer, or another's."""
    alice, bob = (seat_of(session, game, seat).player_id or 0 for seat in (0, 1))
    other = GameFactory.create(people=2, bots=())
    for late, act in enumerate(("pause", "resume", "extend", "merge")):
        action_log.write(session, now + hours(late), game, act, by=alice)
    action_log.write(session, now + hours(9), other, "pause", by=alice)
    first = written(session, game, alice, now + hours(1))
    for player, state, which in ((alice, "failed", game), (alice, "pending", game), (bob, "sent", game)):
        written(session, which, player, now + hours(8), state)
    written(session, other, alice, now + hours(8))
    letter = written(session, game, alice, now + hours(8), "claimed")
    written(session, game, alice, now + hours(9))

    def told(number: int, player_id: int, about: Game) -> list[str]:
        return [entry.act for entry in action_log.news(session, number, player_id, about.id)]

    assert told(letter, alice, game) == ["extend", "merge"], "the oldest first; at the moment of the last one is told"
    assert told(first, alice, game) == ["pause", "resume", "extend", "merge"], "there was no letter before"
    assert told(letter, alice, other) == ["pause"]
    assert told(letter + 2, alice, game) == []
    assert told(letter, bob, game) == []


def test_letters_tell_what_was_done_to_the_game_and_who_looked(session: Session, now: datetime, game: Game) -> None:
    """A change of players has letters of its own, a reminder is one, and what is not for all is for nobody."""
    for act in (name for name, act in action_log.ACTS.items() if act.said):
        action_log.write(session, now, game, act, by=None)
    session.execute(select(Audit).where(Audit.act == "seek")).scalar_one().public = False
    session.flush()

    told = [entry.act for entry in action_log.news(session, 10**6, 1, game.id)]

    assert sorted(told) == sorted(
        ["pause", "resume", "extend", "merge", "take-up", "undo", "look-view", "look-orders", "look-standing"]
    )


def test_an_entry_says_who_did_what_when_and_why(session: Session, now: datetime, game: Game) -> None:
    """In a sentence with the seat it is about; a reason is kept without spaces around it; the newest fifty first."""
    alice = seat_of(session, game, 0).player_id
    action_log.write(session, now, game, "look-view", by=alice, reason="  " + "x" * 500, seat=1)
    action_log.write(session, now + hours(1), game, "filled", by=None)
    action_log.write(session, now, GameFactory.create(), "pause", by=alice)

    newest, oldest = action_log.entries(session, game.id)

    assert (newest.by, newest.act, newest.at, newest.reason) == ("", "filled", now + hours(1), "")
    assert (oldest.by, oldest.reason, oldest.said.params) == ("Alice", "x" * 500, {"who": "Alice", "seat": 1})
    assert str(oldest.said) == "Alice looked at what only 1 may see."
    row = session.execute(select(Audit).where(Audit.act == "look-view")).scalar_one()
    assert (row.club_id, row.game_id, row.public, row.player_id) == (game.club_id, game.id, True, alice)
    for _ in range(60):
        action_log.write(session, now, game, "pause", by=alice)
    assert len(action_log.entries(session, game.id)) == 50
    assert [one.act for one in action_log.entries(session, game.id)[:1]] == ["pause"]


def test_who_has_looked_is_known_of_that_game(session: Session, now: datetime, game: Game) -> None:
    """Not who did something else there, and not of another game."""
    alice, bob = (seat_of(session, game, seat).player_id or 0 for seat in (0, 1))
    other = GameFactory.create()
    action_log.write(session, now, game, "pause", by=bob)
    action_log.write(session, now, game, "look-orders", by=alice, seat=1)

    looked = {
        (one.id, who): action_log.has_looked(session, one.id, who) for one in (game, other) for who in (alice, bob)
    }

    assert [key for key, yes in looked.items() if yes] == [(game.id, alice)]
