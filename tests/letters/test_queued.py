"""Each kind of letter is put into the outbox by something that people or the clock do: none is there for nobody."""

from __future__ import annotations

from datetime import timedelta
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import pytest
from sqlalchemy import delete, func, select, update

from pbem.capabilities import codes, links
from pbem.clubs import gazette
from pbem.clubs.account import address_change, personal_data
from pbem.clubs.integrations import webhooks
from pbem.clubs.members import announcements, members
from pbem.clubs.seasons import seasons
from pbem.errors import WrongInput
from pbem.inbound import receive, working
from pbem.letter_kinds import KINDS
from pbem.letter_queue import LetterQueue
from pbem.mail.families import Turn
from pbem.play import lesson_letters
from pbem.play.deadlines import absences, reminders
from pbem.play.seats import sitters, substitutes, talk
from pbem.play.turns import stuck
from pbem.play.turns.advance import advance
from pbem.store.models import Club, Game, Hook, Inbound, Letter, Member, Player, Seat
from tests.factories import (
    GameFactory,
    PlayerFactory,
    answer,
    answer_all,
    asked,
    in_a_club,
    near_the_end,
    play_to_the_end,
    seat_of,
)
from tests.inbound.test_receive import ADDRESSES, address, mail
from tests.security.test_neighbours import tables

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from sqlalchemy.orm import Session

    from pbem.letter_kinds import LetterKind

DAY = timedelta(days=1)


class Scene(NamedTuple):
    """A game under way in a club, of its organiser and a member; a third person is a member too."""

    session: Session
    now: datetime
    game: Game
    people: list[Player]

    @property
    def club(self) -> Club:
        """The club."""
        return self.session.get_one(Club, self.game.club_id)

    @property
    def seat(self) -> Seat:
        """The seat that is asked."""
        return seat_of(self.session, self.game, asked(self.session, self.game)[0].seat)

    def brings(self, kinds: list[str]) -> None:
        """What brings these kinds is done, each deed once."""
        for deed in dict.fromkeys(QUEUED_BY[kind] for kind in kinds):
            deed(self)

    def comes_in(self, text: str) -> None:
        """A mail to the seat that is asked is read."""
        to = address(self.game, self.seat)
        number = self.session.scalar(select(func.count()).select_from(Inbound)) or 0
        receive.receive(self.session, mail(text, number), to, self.now, sender="anna@example.org", source="smtp")
        working.work_through(self.session, self.now, ADDRESSES, 10)

    def nobody_answers(self) -> None:
        """Time goes by until the clock has said all it says before the deadline."""
        for hour in range(0, 24 * 21, 4):
            reminders.remind(self.session, self.now + timedelta(hours=hour))

    def ends(self) -> None:
        """Another game of the club comes to its end."""
        here = near_the_end("priestsofra", 2)
        game = GameFactory(now=self.now, people=self.people[:2], bots=(), here=here, club_id=self.club.id)
        play_to_the_end(self.session, self.now, game)

    def gathers(self) -> None:
        """Somebody wants one letter a day, and the game goes on."""
        for player in self.people:
            player.digest_hour = 19
        self.goes_on()

    def goes_on(self) -> None:
        """Everybody answers, until all have been asked and told."""
        for _ in range(12):
            answer_all(self.session, self.now, self.game)

    def announces(self) -> None:
        """The organiser writes to the club."""
        self.club.settings = {"contact": "desk@nile.example"}
        by = self.people[0].id
        announcements.announce(self.session, self.now, self.club.id, by, title="Friday", text="We meet.")


QUEUED_BY: Mapping[str, Callable[[Scene], object]] = {
    "your_turn": Scene.goes_on,
    "receipt": lambda at: answer(at.session, at.now, at.game, at.seat.seat, source="mail"),
    "refused": lambda at: at.comes_in("dance"),
    "help": lambda at: at.comes_in("help"),
    "status": lambda at: at.comes_in("status"),
    "phase_report": Scene.goes_on,
    "reminder": Scene.nobody_answers,
    "last_call": Scene.nobody_answers,
    "covered": lambda at: advance(at.session, at.game.cover_at or at.now, at.game.id),
    "replaced": lambda at: substitutes.resign(at.session, at.now, at.seat.id),
    "game_over": Scene.ends,
    "digest": Scene.gathers,
    "invitation": lambda at: members.invite(
        at.session, at.now, at.club.id, at.people[0].id, [members.Guest("new@nile.example")]
    ),
    "fresh_link": lambda at: links.mail_my_links(at.session, at.now, at.people[0].address or ""),
    "login_code": lambda at: codes.send(at.session, at.now, at.people[0].id, "export"),
    "lesson_offer": lambda at: lesson_letters.offer(at.session, at.now, at.people[0], "amunre"),
    "lesson": lambda at: lesson_letters.begin(at.session, at.now, at.people[0], "amunre"),
    "address_change": lambda at: address_change.ask(at.session, at.now, at.people[0].id, "else@nile.example"),
    "account": lambda at: personal_data.export_for_owner(at.session, at.now, at.people[0].id),
    "sitter": lambda at: sitters.appoint(at.session, at.now, at.seat.id, at.people[2].id, at.now, at.now + DAY),
    "absence": lambda at: absences.announce(at.session, at.now, at.people[0].id, at.now, at.now + DAY),
    "organiser_alert": Scene.nobody_answers,
    "stuck": lambda at: stuck.set_aside(at.session, at.now, at.game, "its rules raised"),
    "talk": lambda at: talk.say(at.session, at.now, at.seat.id, "Good luck!"),
    "gazette": lambda at: (at.ends(), gazette.publish(at.session, at.now)),
    "announcement": Scene.announces,
    "season": lambda at: seasons.announce(
        *(at.session, at.now, at.club.id, at.people[0].id),
        seasons.SeasonPlan(name="Spring", titles=(seasons.Title("priestsofra", 2),)),
    ),
}
"""By kind, what brings one; who adds a kind says here what it is for."""
MOVING = frozenset(
    {
        *("your_turn", "receipt", "phase_report", "reminder", "last_call", "covered", "replaced", "game_over"),
        *("digest", "organiser_alert", "stuck", "gazette"),
    }
)
"""Kinds that are brought by what moves a game on or ends it."""


def scenes() -> list[list[str]]:
    """The kinds that are brought in one scene: those that leave the game where it is, or come of the same deed."""
    found: dict[object, list[str]] = {}
    for kind, deed in QUEUED_BY.items():
        found.setdefault(deed if kind in MOVING else "in passing", []).append(kind)
    return list(found.values())


in_each_scene = pytest.mark.parametrize("kinds", scenes(), ids=" ".join)


@pytest.fixture
def scene(session: Session, now: datetime) -> Scene:
    """No letter has been written yet."""
    people = PlayerFactory.create_batch(3)
    game = GameFactory(now=now, people=people[:2], bots=(), options={"auctions": "in_turn"}, seed="kinds")
    in_a_club(session, game, *(player.id for player in people[1:]))
    session.add(Member(club_id=game.club_id, player_id=people[0].id, role="organiser", joined_at=now))
    session.execute(delete(Letter))
    session.commit()
    return Scene(session, now, game, people)


@in_each_scene
def test_each_kind_is_queued_by_what_somebody_does(scene: Scene, kinds: list[str]) -> None:
    """A kind that nothing brings is dead: it goes, with its templates.

    Whoever plays, its organiser too, is led to their own seat by whatever tells of the game.
    """
    scene.brings(kinds)
    scene.session.flush()
    rows = scene.session.execute(
        select(Letter.kind, Letter.seat, Seat.seat)
        .join(Seat, (Seat.game_id == Letter.game_id) & (Seat.player_id == Letter.player_id))
        .where(Letter.kind.in_(kind for kind, entry in KINDS.items() if issubclass(entry.family, Turn)))
    ).all()

    assert set(kinds) - set(scene.session.scalars(select(Letter.kind))) == set()
    assert [row for row in rows if row[1] != row[2]] == []


def test_no_kind_is_left_over() -> None:
    """One that went out of the registry is brought by nothing here."""
    assert set(QUEUED_BY) == set(KINDS)


@in_each_scene
def test_no_name_of_an_erased_person_is_left(scene: Scene, kinds: list[str]) -> None:
    """In no row of any table, whatever letters of each kind wait: not in other people's either, nor in a webhook's."""
    for number, player in enumerate(scene.people):
        player.name = f"Nam{number}rut"
    hook = Hook(club_id=scene.club.id, kind="raw", url="https://example.org", secret="x", created_at=scene.now)
    scene.session.add(hook)
    scene.session.flush()
    scene.brings(kinds)
    webhooks.collect(scene.session, scene.now)
    scene.session.execute(update(Member).values(role="organiser"))
    for kind, state in product(kinds, ("failed", "pending")):
        letters = select(Letter.id).where(Letter.kind == kind).limit(1).scalar_subquery()
        scene.session.execute(update(Letter).where(Letter.id == letters).values(state=state))

    for who, player in enumerate(scene.people):
        nobody_else = scene.session.begin_nested()
        personal_data.erase(scene.session, scene.now, player.id)
        scene.session.flush()
        left = {
            f"{table.name}.{name}"
            for table in tables()
            for row in scene.session.execute(select(table))
            if f"Nam{who}rut" in str(row)
            for name, value in row._mapping.items()
            if f"Nam{who}rut" in str(value)
        }
        assert left == set()
        others = [f"Nam{number}rut" for number in range(3) if number != who]
        assert {one.name for one in scene.people} == {personal_data.ERASED, *others}
        nobody_else.rollback()


@pytest.mark.parametrize("kind", [kind for kind in KINDS.values() if kind.budget], ids=lambda kind: kind.name)
def test_so_many_letters_of_a_kind_are_taken_and_no_more(session: Session, now: datetime, kind: LetterKind) -> None:
    """One beyond its reader's budget is left out, or refused where somebody waits for it; what is paid for leaves."""
    reader, most = PlayerFactory.create(), kind.budget.most if kind.budget else 0
    for count in (most, most + 1):
        for paid in (False, True):
            post = LetterQueue(now)
            for number in range(count):
                post.person(kind.name, reader, f"{kind.name}:{number}")
            if kind.budget and kind.budget.refuses and count > most and not paid:
                with pytest.raises(WrongInput, match=f"{most}"):
                    post.take(session)
            else:
                assert len(post.take(session, paid=True) if paid else post.take(session)) == (count if paid else most)
