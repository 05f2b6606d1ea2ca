"""What a person gets who asks for all that is stored about them, and what is left once they are erased.

In no table a word of theirs, and nothing that speaks for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from benchmarks.guards import OVER
from pbem.clubs.account import personal_data
from pbem.letter_queue import LetterQueue
from pbem.store.models import AddressChange, Delivery, Game, GameState, Invitation, Letter, Member, Player, Sitter
from tests.factories import ClubFactory, PlayerFactory
from tests.security.test_neighbours import fill, is_text, tables, world

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Table
    from sqlalchemy.orm import Session

MARK = "secret"
KEPT = {
    "what the program calls it, one of a few words": {
        *("audit_log.act", "capabilities.purpose", "codes.purpose", "inbound_mails.kind", "inbound_mails.source"),
        *("invitations.role", "letters.claim", "letters.kind", "members.role", "orders.kind", "orders.reason"),
        *("orders.source", "players.language", "players.zone", "proposals.kind", "rating_steps.pool", "ratings.game"),
        "seats.bot",
    },
    "of no use since what it was made of is gone": {
        "capabilities.digest",
        "codes.digest",
        "orders.request",
    },
    "a number of ours, so that nothing is sent or answered twice": {
        *("inbound_mails.message_id", "inbound_mails.recipient", "letters.cause", "letters.message_id"),
    },
    "the game's record, which stands under no name": {"orders.text", "orders.canonical"},
}
"""What keeps a text, and why."""
LASTING = {"audit_log", "codes", "proposals", "decisions"}
"""Tables with something to end, none of which lets its person in: entries of a log, and codes beside a dead epoch."""


UNTOLD = {
    "what opens something, or is of no use without what it belongs to": {
        *("capabilities.digest", "codes.digest", "codes.purpose", "orders.request"),
        *("inbound_mails.message_id", "inbound_mails.recipient", "letters.cause", "letters.message_id"),
    },
    "the machine's own remark": {"letters.claim", "letters.last_error", "inbound_mails.source", "orders.source"},
    "told by another column": {
        *("letters.address", "ratings.game", "orders.canonical", "orders.kind", "orders.reason"),
    },
    "may be somebody else's": {"inbound_mails.sender", "seats.bot", "sitters.handover"},
}
"""Texts of a person's rows that aren't in what they get, and why."""


@pytest.fixture
def marked(session: Session, now: datetime) -> int:
    """The number of somebody who has a row in every table, each text of it a mark with the column's name."""
    player_id: int = world(session, now)["player_id"]
    session.execute(update(Game).values(state=GameState.FINISHED))
    fill(session, now)
    friend = PlayerFactory.create()
    alone = ClubFactory.create()
    session.add(Member(club_id=alone.id, player_id=player_id, role="organiser", joined_at=now))
    session.execute(update(Sitter).values(seat=0, player_id=friend.id, handover=MARK))
    session.add(Sitter(game_id=1, seat=1, player_id=player_id, starts=now, ends=now))
    session.execute(update(Delivery).values(letter_id=select(Letter.id).limit(1).scalar_subquery(), detail=MARK))
    session.execute(update(Letter).values(player_id=player_id))
    session.execute(update(Invitation).values(player_id=player_id, state="pending", club_id=alone.id, game_id=None))
    for table in tables():
        for number in theirs(session, table, player_id):
            texts = {column.name: f"{MARK} {column} {number}" for column in table.columns if is_text(column)}
            if texts:
                session.execute(table.update().where(table.c.id == number).values(texts))
    session.execute(update(Sitter).where(Sitter.player_id == player_id).values(handover=""))  # another's words
    session.flush()
    session.expire_all()
    return player_id


@pytest.fixture
def erased(session: Session, now: datetime, marked: int) -> int:
    """The number of that person, who was erased."""
    personal_data.erase(session, now, marked)
    session.flush()
    session.expire_all()
    return marked


def theirs(session: Session, table: Table, player_id: int) -> list[int]:
    """The rows of a table that name the person."""
    if "player_id" not in table.columns and table.name != "players":
        return []
    owner = table.c.id if table.name == "players" else table.c.player_id
    return list(session.scalars(select(table.c.id).where(owner == player_id)))


def test_a_person_gets_every_word_that_is_stored_about_them(session: Session, marked: int) -> None:
    """Every text of every row of theirs; a new one that isn't in the file or listed with its reason fails."""
    told = str(personal_data.export_person(session, marked))
    columns = {
        f"{table.name}.{name}"
        for table in tables()
        if theirs(session, table, marked)
        for name, column in table.columns.items()
        if is_text(column)
    }

    assert {name for name in columns if f"{MARK} {name} " not in told} == set().union(*UNTOLD.values())


def test_no_word_of_an_erased_person_is_left(session: Session, erased: int) -> None:
    """In no table, whatever is written there; a new text that nobody forgets or lists fails."""
    left = set()
    for table in tables():
        for row in session.execute(select(table)).mappings():
            left |= {f"{table.name}.{name}" for name, value in row.items() if MARK in str(value)}

    assert left == set().union(*KEPT.values())
    player = session.get_one(Player, erased)
    assert (player.address, player.address_state, player.name, player.digest_hour) == (
        *(None, "erased", personal_data.ERASED, None),
    )


def test_nothing_speaks_for_an_erased_person(session: Session, now: datetime, erased: int) -> None:
    """Whatever of theirs can end has ended: memberships, keys and browsers, sitting in, seasons; no letter waits."""
    for table in [one for one in tables() if one.name not in LASTING]:
        for name in OVER & set(table.columns.keys()) - {"used_at"}:
            rows = theirs(session, table, erased)
            ended = session.execute(select(table.c[name]).where(table.c.id.in_(rows))).scalars().all()
            assert set(ended) <= {now}, f"{table.name}.{name}"
    assert set(session.scalars(select(AddressChange.state))) == {"stopped"}
    offers = session.execute(select(Invitation.state, Invitation.expires_at)).all()
    assert {tuple(offer) for offer in offers} == {("expired", now)}
    assert "pending" not in set(session.scalars(select(Letter.state).where(Letter.player_id == erased)))
    others = select(Sitter.ended_at).where(Sitter.player_id != erased)
    assert set(session.scalars(others)) == {None}


def test_only_the_name_itself_goes() -> None:
    """Not a word it is part of, not a key; at whatever depth it stands, in each hole of a sentence."""
    told = {"Ada": "Ada", "said": [{"text": "{who} and Ada.", "params": {"who": "Ada", "seats": ["Adam", "Ada", 3]}}]}
    someone = personal_data.ERASED
    assert personal_data._without(told, "Ada") == {
        "Ada": someone,
        "said": [{"text": "{who} and Ada.", "params": {"who": someone, "seats": ["Adam", someone, 3]}}],
    }


def test_names_in_letters_of_other_clubs_stay(session: Session, now: datetime) -> None:
    """A namesake elsewhere is told of by name; here, and where no club is, the erased person's is gone."""
    ada, reader = PlayerFactory.create(name="Ada"), PlayerFactory.create()
    here, left, elsewhere = ClubFactory.create_batch(3)
    for club, player, until in ((here, ada, None), (left, ada, now), (elsewhere, reader, None)):
        session.add(Member(club_id=club.id, player_id=player.id, role="player", joined_at=now, left_at=until))
    post = LetterQueue(now)
    for club_id in (here.id, left.id, elsewhere.id, None):
        post.person("talk", reader, f"{club_id}", club_id=club_id, who="Ada")
    post.send(session)

    personal_data.erase(session, now, ada.id)

    session.expire_all()
    told = session.scalars(select(Letter).order_by(Letter.id))
    assert [letter.data["who"] for letter in told] == ["Someone", "Someone", "Ada", "Someone"]
