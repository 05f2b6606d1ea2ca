"""Days away at their limits: how long, how many in a year, whose, and what is given up by coming back early."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING
from unittest.mock import Mock

import pytest
from sqlalchemy import select

from pbem.errors import NotSeated, WrongInput
from pbem.letters import context
from pbem.play.deadlines import absences, delivery_clock
from pbem.store.models import Absence, Letter
from tests.factories import GameFactory, PlayerFactory, asked, seat_of

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

SECOND = timedelta(seconds=1)
DAY = timedelta(days=1)


def test_what_cannot_be_is_named(session: Session, now: datetime) -> None:
    """Over already, the wrong way round, too long; to the second."""
    player = PlayerFactory.create()
    for starts, ends, says in (
        (now - DAY, now, "is over already"),
        (now - 2 * DAY, now - DAY, "is over already"),
        (now + DAY, now + DAY, "lies before From"),
        (now + 2 * DAY, now + DAY, "lies before From"),
        (now + DAY, now + DAY + absences.LONGEST + SECOND, "35 days away is too long: at most 35"),
    ):
        with pytest.raises(WrongInput, match=says):
            absences.announce(session, now, player.id, starts, ends)
    with pytest.raises(NotSeated):
        absences.announce(session, now, 10**6, now, now + DAY)
    assert absences.coming(session, now, player.id) == []
    row = absences.announce(session, now, player.id, now - DAY, now + absences.LONGEST, "At sea")
    assert (row.starts, row.ends, row.note, row.created_at) == (now, now + absences.LONGEST, "At sea", now)
    assert player.away_until == row.ends


def test_sixty_days_a_year_stop_the_clock(session: Session, now: datetime) -> None:
    """Of one's own and within a year either way; what an absence covers already is stored once."""
    player, other = PlayerFactory.create_batch(2)
    for who in (player, other):
        first = absences.announce(session, now, who.id, now, now + 35 * DAY)
    assert absences.announce(session, now, other.id, now + DAY, now + 2 * DAY) is first
    later = now + 40 * DAY
    with pytest.raises(WrongInput, match="60 days away within a year; 60 stop the clock"):
        absences.announce(session, now, player.id, later, later + 25 * DAY + SECOND)
    second = absences.announce(session, now, player.id, later, later + 25 * DAY)
    assert second.id != first.id
    assert player.away_until == second.ends
    with pytest.raises(WrongInput, match="stop the clock"):
        absences.announce(session, now, player.id, now + 399 * DAY, now + 400 * DAY)
    absences.announce(session, now, player.id, now + 430 * DAY, now + 431 * DAY)
    assert [row.player_id for row in absences.coming(session, now, other.id)] == [other.id]


def test_coming_back_early_gives_up_the_rest(session: Session, now: datetime) -> None:
    """Of an own absence: one that has not begun is gone, the present one ends, and what is over stays as it was."""
    player, other = PlayerFactory.create_batch(2)
    present = absences.announce(session, now, player.id, now, now + 3 * DAY)
    to_come = absences.announce(session, now, player.id, now + 5 * DAY, now + 6 * DAY)
    for absence_id, who in ((present.id, other.id), (to_come.id, other.id), (10**6, player.id)):
        with pytest.raises(WrongInput, match=rf"^{absence_id} is not in the list"):
            absences.cancel(session, now + DAY, absence_id, who)
    assert [row.id for row in absences.coming(session, now + DAY, player.id)] == [present.id, to_come.id]
    number = to_come.id
    for absence_id in (present.id, number):
        absences.cancel(session, now + DAY, absence_id, player.id)
    session.expire_all()
    assert (present.ends, session.get(Absence, number)) == (now + DAY, None)
    absences.cancel(session, now + 2 * DAY, present.id, player.id)
    assert present.ends == now + DAY
    assert absences.coming(session, now + DAY, player.id) == []
    assert len(absences.coming(session, now + DAY - SECOND, player.id)) == 1


def test_only_games_that_wait_for_who_is_away_wait_longer(
    session: Session, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the days away; another's turn and another game keep their deadlines, and nobody looks at the latter."""
    moved = Mock(wraps=delivery_clock.move_deadline)
    monkeypatch.setattr(delivery_clock, "move_deadline", moved)
    game = GameFactory.create(now=now, people=3, bots=(), options={"auctions": "in_turn"}, seed="away")
    other = GameFactory.create(now=now, people=3, bots=(), options={"auctions": "in_turn"}, seed="away")
    seat = asked(session, game)[0].seat
    due = game.due_at
    assert due is not None
    not_asked = seat_of(session, game, (seat + 1) % 3).player_id or 0
    absences.announce(session, now, not_asked, now, now + 5 * DAY)
    assert game.due_at == due
    absences.announce(session, now, seat_of(session, game, seat).player_id or 0, now, now + 5 * DAY)
    session.flush()

    assert game.due_at >= due + 5 * DAY
    assert asked(session, game)[0].due_at == game.due_at
    assert other.due_at == due
    assert [call.args[1].game.id for call in moved.mock_calls] == [game.id]


def test_who_plays_with_somebody_away_has_one_letter(session: Session, now: datetime) -> None:
    """Of the days and the word to the others, however many games they share; a stranger has none, nor do bots."""
    away, other = PlayerFactory.create_batch(2)
    for seed in ("first", "second"):
        GameFactory(people=(away, other), seed=seed, now=now)
    GameFactory(people=2, seed="strangers", now=now)
    for _ in range(2):
        row = absences.announce(session, now, away.id, now + DAY, now + 3 * DAY, "Hiking")
    (letter,) = session.scalars(select(Letter).where(Letter.kind == "absence"))
    told = {
        "who": away.name,
        "absence": row.id,
        "starts": (now + DAY).isoformat(),
        "ends": (now + 3 * DAY).isoformat(),
    }
    seen = context.context(session, now, letter)
    row.note = ""
    emptied = context.context(session, now, letter)

    assert (letter.player_id, letter.data) == (other.id, told)
    assert [one and one.data["note"] for one in (seen, emptied)] == ["Hiking", ""]
