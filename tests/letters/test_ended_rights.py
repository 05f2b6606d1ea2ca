"""What waits in the outbox when its reader's right ends: each kind of letter, by each way in which one ends."""

from __future__ import annotations

import ast
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from pbem.clubs.account import personal_data
from pbem.clubs.members import members
from pbem.letter_kinds import KINDS
from pbem.letters import context
from pbem.play.deadlines import absences
from pbem.play.seats import sitters, substitutes
from pbem.play.views import spectator
from pbem.store.models import Letter, Member, Player, Seat, Sitter
from tests.factories import ClubFactory, GameFactory, PlayerFactory, answer_all, in_a_club, letters, seat_of
from tests.letters.test_queued import QUEUED_BY, Scene, scene
from tests.test_house import HOME

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from datetime import datetime

    from sqlalchemy.orm import Session


__all__ = ["scene"]


def seats(at: Scene, who: Player) -> list[Seat]:
    """What somebody plays of the game under way."""
    return list(at.session.scalars(select(Seat).where(Seat.game_id == at.game.id, Seat.player_id == who.id)))


def leave(at: Scene, now: datetime, who: Player) -> None:
    """Somebody leaves the club."""
    members.leave(at.session, now, at.club.id, who.id)


def demote(at: Scene, now: datetime, who: Player) -> None:
    """Somebody organises the club no more."""
    by = members.members(at.session, at.club.id)
    heir = next(one.player_id for one in by if one.role == "organiser" and one.player_id != who.id)
    members.set_role(at.session, now, at.club.id, heir, player_id=who.id, role="player")


def lose_seat(at: Scene, now: datetime, who: Player) -> None:
    """Somebody's seat of a game under way goes to a bot."""
    for seat in seats(at, who):
        substitutes.resign(at.session, now, seat.id)


def stop_sitting(at: Scene, now: datetime, who: Player) -> None:
    """Whose seat somebody sits in for is back."""
    for row in at.session.scalars(select(Sitter).where(Sitter.player_id == who.id)):
        seat = seat_of(at.session, at.game, row.seat)
        sitters.end(at.session, now, row.id, seat.id)


def erase(at: Scene, now: datetime, who: Player) -> None:
    """Somebody is forgotten."""
    personal_data.erase(at.session, now, who.id)


OF_CLUB = {"gazette", "announcement", "season"}
TO_ORGANISERS = {"organiser_alert", "stuck"}
STAYS_UNSENT: Mapping[Callable[[Scene, datetime, Player], None], set[str]] = {
    leave: OF_CLUB | TO_ORGANISERS | {"sitter"},
    demote: TO_ORGANISERS,
    lose_seat: {
        *("your_turn", "receipt", "refused", "help", "status", "phase_report", "reminder", "last_call", "covered"),
        *("replaced", "digest", "absence", "talk"),
    },
    stop_sitting: {"sitter"},
    erase: set(KINDS),
}
"""By what ends a right, the kinds whose letters to that person tell or open only what was that right's."""


@pytest.mark.parametrize("kind", KINDS)
def test_a_letter_leaves_while_its_reader_has_the_right_to_it(scene: Scene, kind: str) -> None:
    """What waits is dropped with the right, whatever ends it; what its reader has all the same still leaves."""
    heir = PlayerFactory()
    scene.session.add(Member(club_id=scene.club.id, player_id=heir.id, role="organiser", joined_at=scene.now))
    scene.session.flush()
    QUEUED_BY[kind](scene)
    scene.session.flush()
    later = scene.now + timedelta(minutes=1)
    tried = 0
    for end, unsent in STAYS_UNSENT.items():
        for who in scene.people:
            theirs = select(Letter).where(Letter.kind == kind, Letter.player_id == who.id)
            waiting = [one for one in scene.session.scalars(theirs) if leaves(scene, scene.now, one)]
            organises = end is not demote or who is scene.people[0]
            if not waiting or not organises or (end is lose_seat and not seats(scene, who)):
                continue
            undone = scene.session.begin_nested()
            end(scene, later, who)
            scene.session.flush()
            mine = [one for one in waiting if one.player_id == who.id]  # else it went to who organises now
            assert {leaves(scene, later, one) for one in mine} in ({kind not in unsent}, set()), (end, who.id)
            assert len(mine) == len(waiting) or kind in TO_ORGANISERS
            undone.rollback()
            tried += 1
    assert tried or kind == "invitation"  # which goes to somebody else


@pytest.mark.parametrize("kind", sorted(OF_CLUB))
def test_who_has_left_a_club_still_hears_of_another(scene: Scene, kind: str) -> None:
    """Its letters leave: what ended is a place in one club."""
    gone = scene.people[2]
    made = {"kind": kind, "data": {}, "next_try_at": scene.now, "created_at": scene.now, "state": "pending"}
    letter = Letter(**made, club_id=ClubFactory().id, player_id=gone.id, cause=kind, message_id=kind)
    scene.session.add(letter)
    later = scene.now + timedelta(minutes=1)
    leave(scene, later, gone)
    scene.session.flush()

    assert leaves(scene, later, letter)


def test_a_letter_about_a_lost_seat_leaves_to_who_sits_in_for_it(scene: Scene) -> None:
    """For that seat in that game, and it is the reader who does: none of it is enough by itself."""
    QUEUED_BY["talk"](scene)
    (letter,) = scene.session.scalars(select(Letter).where(Letter.kind == "talk"))
    elsewhere, lost = GameFactory(now=scene.now, seed="elsewhere"), letter.seat or 0
    lose_seat(scene, scene.now, scene.session.get_one(Player, letter.player_id))
    sits = {"game_id": scene.game.id, "seat": lost, "player_id": letter.player_id}
    told = {}
    for other in ({}, {"game_id": elsewhere.id}, {"seat": 1 - lost}, {"player_id": scene.people[2].id}):
        undone = scene.session.begin_nested()
        scene.session.add(Sitter(**sits | other, starts=scene.now, ends=scene.now + timedelta(days=1)))
        scene.session.flush()
        told["".join(other)] = leaves(scene, scene.now, letter)
        undone.rollback()

    assert told == {"": True, "game_id": False, "seat": False, "player_id": False}


def test_days_away_are_told_to_who_still_plays_there(session: Session, now: datetime) -> None:
    """Not to who has left the table since, whoever else is at it."""
    away, left, stays = people = PlayerFactory.create_batch(3)
    game = GameFactory(now=now, people=people, bots=())
    absences.announce(session, now, away.id, now, now + timedelta(days=1))
    lose_seat(Scene(session, now, game, people), now, left)

    told = [one for one in letters(session, "absence") if context.context(session, now, one)]
    assert {one.player_id for one in told} == {stays.id}


def leaves(at: Scene, now: datetime, letter: Letter) -> bool:
    """Whether a letter that waits would leave now."""
    return letter.state == "pending" and context.context(at.session, now, letter) is not None


WRITES = {
    "_end": stop_sitting,
    "_end_rights": erase,
    "_hand_over": lose_seat,
    "close": leave,
    "end_membership": leave,
    "erase": erase,
    "hand_over": demote,
    "set_role": demote,
    "_forget_mail": "of a letter that is dropped",
    "_join": "begins a right",
    "_move": "the same person elsewhere: tests/security/test_life.py",
    "give_up": "of a game that hasn't begun, of whose seats no letter tells",
    "take_seat": "begins a right",
}
"""By function that writes who holds a seat, a place in a club, a game to organise, or an address: the end that walks
it, or why none does."""
_COLUMNS = frozenset({"left_at", "role", "player_id", "organiser_id", "ended_at", "address"})


def test_every_way_in_which_a_right_ends_is_walked() -> None:
    """A function that ends one some other way says here which of the ends it is, or why it is none."""
    rooms = (HOME / "pbem" / room for room in ("clubs/members", "clubs/account", "play/seats"))
    trees = (ast.parse(path.read_text(encoding="utf-8")) for room in rooms for path in room.glob("*.py"))
    functions = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))

    assert {one.name for one in functions if _COLUMNS.intersection(_written(one))} == WRITES.keys()


def _written(function: ast.FunctionDef) -> Iterator[str]:
    """The columns that a function writes, by attribute or by a statement."""
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "values":
            yield from (keyword.arg or "" for keyword in node.keywords)


def test_what_waits_for_who_organised_goes_to_who_does_now(scene: Scene) -> None:
    """Of the games that were handed over: a game that has stopped is somebody's to see to. Another's stays theirs.

    What tells of several of the club's games goes along; what tells of another club's doesn't.
    """
    former, heir, other = scene.people
    scene.session.execute(update(Member).values(role="organiser"))
    made = {"kind": "organiser_alert", "data": {}, "next_try_at": scene.now, "created_at": scene.now}
    several = [
        Letter(**made, state="pending", club_id=club, player_id=former.id, cause=str(club), message_id=str(club))
        for club in (scene.club.id, ClubFactory().id)
    ]
    scene.session.add_all(several)
    for organiser in (other, former):
        scene.game.organiser_id = organiser.id
        QUEUED_BY["stuck"](scene)
    demote(scene, scene.now, former)
    found = scene.session.scalars(select(Letter).where(Letter.kind == "stuck").order_by(Letter.id)).all()

    assert [one.player_id for one in found] == [other.id, heir.id]
    assert [one.player_id for one in several] == [heir.id, former.id]
    assert scene.game.organiser_id == heir.id
    assert all(leaves(scene, scene.now, one) for one in found)


@pytest.mark.parametrize("watches", [True, False])
def test_who_lost_a_seat_sees_what_they_may_watch(session: Session, now: datetime, *, watches: bool) -> None:
    """The letter that tells them so shows a game of its members alone as it stood then, and to a member as it is."""
    people = PlayerFactory.create_batch(3)
    game = GameFactory(now=now, people=people[:2], bots=(), options={"auctions": "in_turn"}, seed="lost")
    in_a_club(session, game, *(player.id for player in people[1:] if watches or player is not people[1]))
    game.watch_delay = spectator.CLOSED
    substitutes.replace(session, now, game.id, 1, people[2].id, by=people[0].id)
    told = select(Letter).where(Letter.kind == "replaced", Letter.player_id == people[1].id)
    letter = session.scalars(told).one()
    for _ in range(3):
        answer_all(session, now, game)
    found = context.context(session, now, letter)

    assert letter.ply < game.ply
    assert found is not None
    assert found.situation is not None
    assert found.situation.ply == (game.ply if watches else letter.ply)
