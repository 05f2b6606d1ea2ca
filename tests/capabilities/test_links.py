from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.capabilities import links
from pbem.capabilities.links import OpenedPlayer, OpenedSeat
from pbem.capabilities.tokens import tokens
from pbem.errors import NotSeated
from pbem.store.models import Lane, Letter, Player
from tests.factories import GameFactory, PlayerFactory, forged, near_the_end, play_to_the_end, seat_of

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from pbem.store.models import Game


@pytest.fixture
def game(session: Session, now: datetime) -> Game:
    """Two persons and a bot."""
    made: Game = GameFactory(now=now, seed="links")
    session.flush()
    return made


def test_a_letters_link_opens_its_seat_and_names_its_ply(session: Session, now: datetime, game: Game) -> None:
    """Who may speak, in which language, and what the letter asked for."""
    seat = seat_of(session, game, 0)
    opened = links.open(session, now, tokens(), links.seat_token(tokens(), seat.id, seat.epoch, 7))

    assert isinstance(opened, OpenedSeat)
    assert (opened.seat_id, opened.seat, opened.slug, opened.ply) == (seat.id, 0, game.slug, 7)
    assert (opened.player_id, opened.sitting) == (seat.player_id, None)


def test_a_letters_link_says_whose_letter_it_was(session: Session, now: datetime, game: Game) -> None:
    """The reader's own key comes with it while it holds; a revoked one is left out, and the seat opens all the same."""
    seat = seat_of(session, game, 0)
    player = session.get_one(Player, seat.player_id)
    found = [
        links.open(session, now, tokens(), links.seat_token(tokens(), seat.id, seat.epoch, 7, *reader))
        for reader in ((player.id, player.epoch), (player.id, player.epoch + 1), ())
    ]

    assert [one.reader.player_id if isinstance(one, OpenedSeat) and one.reader else None for one in found] == [
        player.id,
        None,
        None,
    ]


def test_a_persons_link_opens_all_they_hold_and_nothing_else(session: Session, now: datetime, game: Game) -> None:
    """Their own seat by player number and epoch; a stranger's key opens no seat."""
    mine, theirs = seat_of(session, game, 0), seat_of(session, game, 1)
    player = session.get_one(Player, mine.player_id)
    opened = links.open(session, now, tokens(), links.player_token(tokens(), player.id, player.epoch))

    assert isinstance(opened, OpenedPlayer)
    assert links.enter_seat(session, now, mine.id, players={player.id: player.epoch}).seat == 0
    for key in ({player.id: player.epoch}, {}, None):
        with pytest.raises(NotSeated):
            links.enter_seat(session, now, theirs.id, players=key)


def test_every_link_that_leads_nowhere_is_refused_alike(session: Session, now: datetime, game: Game) -> None:
    """Unknown, changed, revoked, of another purpose, of a bot's seat: one sentence, one error."""
    seat, bot = seat_of(session, game, 0), seat_of(session, game, 2)
    good = links.seat_token(tokens(), seat.id, seat.epoch, 1)
    bad = (
        "",
        "nonsense",
        forged(good),
        links.seat_token(tokens(), seat.id, seat.epoch + 1, 1),
        links.seat_token(tokens(), 4711, 0, 1),
        links.seat_token(tokens(), bot.id, bot.epoch, 1),
        links.player_token(tokens(), 4711, 0),
        links.invitation_token(tokens(), 1),
        tokens().sign("code", seat.id, seat.epoch, 1),
    )
    sentences = set()
    for token in bad:
        with pytest.raises(NotSeated) as refusal:
            links.open(session, now, tokens(), token)
        sentences.add(str(refusal.value))

    assert len(sentences) == 1


def test_a_fresh_link_revokes_the_old_one(session: Session, now: datetime, game: Game) -> None:
    """The epoch moves on, at once for links and for browsers that hold the seat; a letter brings the new one.

    The link in the same letter's foot, to all that is the reader's, is worthless too.
    """
    seat = seat_of(session, game, 0)
    epoch = seat.epoch
    reader = session.get_one(Player, seat.player_id)
    foot = links.player_token(tokens(), reader.id, reader.epoch)
    links.fresh(session, now, seat.id)
    session.commit()

    with pytest.raises(NotSeated):
        links.open(session, now, tokens(), links.seat_token(tokens(), seat.id, epoch, 1))
    with pytest.raises(NotSeated):
        links.open(session, now, tokens(), foot)
    with pytest.raises(NotSeated):
        links.enter_seat(session, now, seat.id, epoch=epoch)
    assert links.enter_seat(session, now, seat.id, epoch=epoch + 1).seat_id == seat.id
    assert session.execute(select(Letter.lane).where(Letter.kind == "fresh_link")).scalar_one() == Lane.ANSWER


def test_links_expire_long_after_the_games_end(session: Session, now: datetime) -> None:
    """For three months the keepsake still opens; then nothing does."""
    game = GameFactory(now=now, here=near_the_end("priestsofra", 3))
    play_to_the_end(session, now, game)
    seat = seat_of(session, game, 0)

    assert links.enter_seat(session, now + timedelta(days=89), seat.id, epoch=seat.epoch)
    with pytest.raises(NotSeated):
        links.enter_seat(session, now + timedelta(days=91), seat.id, epoch=seat.epoch)


def test_asking_for_ones_links_tells_nothing_and_floods_nobody(session: Session, now: datetime) -> None:
    """Known or unknown: the same answer; at most one letter an hour, none to somebody who never answered us."""
    known = PlayerFactory(address="known@nile.example")
    PlayerFactory(address="shy@nile.example", accepted_at=None, address_state="new")
    for address in ("KNOWN@nile.example ", "known@nile.example", "shy@nile.example", "nobody@nile.example"):
        links.mail_my_links(session, now, address)
    session.commit()
    goes_out = select(Letter.player_id, Letter.kind).where(Letter.state == "pending")
    assert [tuple(row) for row in session.execute(goes_out)] == [(known.id, "fresh_link")]
    links.mail_my_links(session, now + timedelta(hours=1), "known@nile.example")
    assert len(session.execute(goes_out).all()) == 2
