"""What organisers settle for a club, what they write to all of it, and how it is closed."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from sqlalchemy import select

from pbem.clubs.integrations import webhooks
from pbem.clubs.members import announcements, club_settings, members
from pbem.clubs.members.club_settings import ClubSettings
from pbem.clubs.seasons import seasons
from pbem.errors import NotAllowed, WrongInput
from pbem.play.seats import opening
from pbem.play.views import spectator
from pbem.store.models import Audit, Game, GameState, Hook, Invitation, Member, Season
from tests.factories import ClubFactory, GameFactory, PlayerFactory, letters

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from sqlalchemy.orm import Session

    from pbem.store.models import Club
    from tests.clubs.conftest import Circle

WANTED = ClubSettings(name="Nile", language="fr", zone="Europe/Rome", contact="desk@nile.example")


@pytest.fixture
def other(session: Session, now: datetime, circle: Circle) -> Club:
    """A second club that Alice organises and Bob plays in."""
    club: Club = ClubFactory.create(name="Other")
    for player, role in ((circle.alice, "organiser"), (circle.others[0], "player")):
        session.add(Member(club_id=club.id, player_id=player.id, role=role, joined_at=now))
    session.commit()
    return club


def read(session: Session, club: Club) -> ClubSettings:
    """The settings as they are stored."""
    session.flush()
    session.expire_all()
    return club_settings.read(session, club.id)


def test_what_is_settled_is_kept_and_entered(session: Session, now: datetime, circle: Circle, other: Club) -> None:
    """With what else the club has settled, and for that club alone; nobody has settled anything at first."""
    assert read(session, other) == ClubSettings(name="Other", language="en", zone="UTC", contact="")
    circle.club.settings = {"box": 1}
    session.commit()
    wanted = msgspec.structs.replace(WANTED, name="  Nile ", contact=" Desk@Nile.example ")

    club_settings.change(session, now, circle.club.id, circle.alice.id, wanted)

    assert read(session, circle.club) == WANTED
    assert circle.club.settings["box"] == 1
    assert read(session, other).name == "Other"
    entry = session.execute(select(Audit)).scalar_one()
    assert (entry.at, entry.player_id, entry.club_id, entry.act) == (now, circle.alice.id, circle.club.id, "settings")
    assert entry.details == msgspec.to_builtins(wanted)
    no_contact = msgspec.structs.replace(WANTED, contact="  ")
    club_settings.change(session, now, circle.club.id, circle.alice.id, no_contact)
    assert read(session, circle.club).contact == ""


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"name": " "}, r"name"),
        ({"contact": "nonsense"}, r"'nonsense' is no mail address"),
        ({"language": "x" * 100}, rf"^'{'x' * 79}…' is no language we speak\.$"),
        ({"zone": "z" * 100}, rf"^'{'z' * 79}…' is no time zone: write it like Europe/Rome\.$"),
    ],
)
def test_every_wrong_value_is_named_and_nothing_changes(
    session: Session, now: datetime, circle: Circle, wrong: dict[str, str], sentence: str
) -> None:
    """Alone it is the only fault; beside others it is one of them. What is long is quoted in part."""
    before = read(session, circle.club)
    with pytest.raises(WrongInput, match=sentence) as alone:
        club_settings.change(session, now, circle.club.id, circle.alice.id, msgspec.structs.replace(WANTED, **wrong))
    with pytest.raises(WrongInput) as together:
        club_settings.change(session, now, circle.club.id, circle.alice.id, ClubSettings(**NONE_RIGHT | wrong))

    assert len(alone.value.faults) == 1
    assert len(together.value.faults) == 4
    assert str(alone.value.faults[0]) in [str(one) for one in together.value.faults]
    assert read(session, circle.club) == before


NONE_RIGHT = {"name": "", "language": "xx", "zone": "Mars/Olympus", "contact": "nowhere"}


def test_games_are_watched_by_strangers_once_their_club_opens_them(
    session: Session, now: datetime, circle: Circle
) -> None:
    """By none before, and of no club by none ever; as far behind as the club says, those that are opened later too."""
    bots = (opening.SeatPlan(bot="random"),) * 2

    def opened() -> list[int]:
        plans = [opening.GamePlan(game="priestsofra", seats=bots, club_id=club) for club in (circle.club.id, None)]
        return [opening.open_game(session, now, plan).watch_delay for plan in plans]

    before = opened()
    club_settings.open_to(session, now, circle.club.id, circle.alice.id, 3)

    assert before == [spectator.CLOSED] * 2
    assert opened() == [3, spectator.CLOSED]


def test_only_organisers_of_the_club_itself_settle_close_and_write(
    session: Session, now: datetime, circle: Circle, other: Club
) -> None:
    """No player, no former organiser, none of another club."""
    bob, carl, dan = circle.others[:3]
    session.add(Member(club_id=other.id, player_id=carl.id, role="organiser", joined_at=now))
    session.add(Member(club_id=other.id, player_id=dan.id, role="organiser", joined_at=now, left_at=now))
    session.commit()
    deeds: dict[str, Callable[[int, int], Any]] = {
        "change": lambda club, by: club_settings.change(session, now, club, by, WANTED),
        "close": lambda club, by: club_settings.close(session, now, club, by, "Other"),
        "announce": lambda club, by: announcements.announce(session, now, club, by, title="Hello", text="There"),
    }
    for deed in deeds.values():
        for club, by in ((circle.club.id, bob.id), (circle.club.id, carl.id), (other.id, dan.id), (other.id, 10**6)):
            with pytest.raises(NotAllowed, match="Only an organiser"):
                deed(club, by)


def test_a_club_is_closed_with_all_that_has_not_begun(
    session: Session, now: datetime, circle: Circle, other: Club
) -> None:
    """Its seasons end, its invitations are withdrawn, its members leave, its open games are called off; not others'."""
    earlier = now - timedelta(days=9)
    plain: dict[str, Any] = {"system": "swiss", "rounds": 1, "titles": [], "cadence": {}, "created_at": earlier}
    states = [(circle.club.id, "open"), (circle.club.id, "running"), (circle.club.id, "finished"), (other.id, "open")]
    for club_id, state in states:
        finished = earlier if state == "finished" else None
        session.add(Season(club_id=club_id, name=state, state=state, finished_at=finished, **plain))
    for club_id, state in ((circle.club.id, "pending"), (circle.club.id, "declined"), (other.id, "pending")):
        session.add(Invitation(club_id=club_id, player_id=circle.alice.id, state=state, expires_at=now, created_at=now))
    entered = session.scalars(select(Season).where(Season.club_id == circle.club.id, Season.state == "open")).one()
    seasons.enter(session, now, entered.id, circle.others[2].id)
    gone = session.execute(select(Member).where(Member.player_id == circle.others[6].id)).scalar_one()
    gone.left_at = earlier
    waiting = GameFactory.create(people=circle.others[:2], bots=(), club_id=circle.club.id, organiser_id=2)
    waiting.state, waiting.version = GameState.OPEN, waiting.version + 1
    session.commit()
    with pytest.raises(NotAllowed, match="Type the club's name exactly"):
        club_settings.close(session, now, circle.club.id, circle.alice.id, circle.club.name.upper())

    club_settings.close(session, now, circle.club.id, circle.alice.id, f" {circle.club.name} ")

    session.expire_all()
    ended = session.execute(select(Season.state, Season.finished_at).order_by(Season.id)).all()
    assert [tuple(row) for row in ended] == [
        ("finished", now),
        ("finished", now),
        ("finished", earlier),
        ("open", None),
    ]
    (told,) = letters(session, "season")
    assert (told.player_id, told.data["title"]["text"]) == (circle.others[2].id, "{season} is called off")
    offers = session.execute(select(Invitation.state).order_by(Invitation.id)).scalars().all()
    assert offers == ["withdrawn", "declined", "pending"]
    assert members.members(session, circle.club.id) == ()
    assert (len(members.members(session, other.id)), gone.left_at) == (2, earlier)
    assert session.get_one(Game, waiting.id).state is GameState.WITHDRAWN
    assert session.scalars(select(Audit.act).where(Audit.club_id == circle.club.id)).all()[-1] == "close"


def test_a_closed_club_tells_no_other_service(session: Session, now: datetime, circle: Circle, other: Club) -> None:
    """Nobody could end its webhooks any more: they end with it, and others' do not."""
    session.add_all(Hook(club_id=one.id, kind="raw", url="", secret="", created_at=now) for one in (circle.club, other))
    session.flush()

    club_settings.close(session, now, circle.club.id, circle.alice.id, circle.club.name)

    assert [len(webhooks.hooks_of(session, one.id)) for one in (circle.club, other)] == [0, 1]


def test_whoever_belongs_to_a_club_is_told_that_it_is_closed(session: Session, now: datetime, circle: Circle) -> None:
    """By letter, once; not who had left before."""
    gone = session.execute(select(Member).where(Member.player_id == circle.others[6].id)).scalar_one()
    gone.left_at = now

    club_settings.close(session, now, circle.club.id, circle.alice.id, circle.club.name)

    told = {one.player_id: one.data["title"]["text"] for one in letters(session, "announcement")}
    assert told == dict.fromkeys({one.id for one in circle.everybody} - {gone.player_id}, "{club} is closed")


@pytest.mark.parametrize("state", [GameState.RUNNING, GameState.PAUSED, GameState.STUCK])
def test_a_club_with_games_under_way_stays_open(
    session: Session, now: datetime, circle: Circle, other: Club, state: GameState
) -> None:
    """They are named; those of another club keep nobody."""
    game = GameFactory.create(people=circle.others[:2], bots=(), club_id=circle.club.id, title="On the river")
    game.state = state
    session.commit()
    with pytest.raises(NotAllowed, match="Still under way: On the river"):
        club_settings.close(session, now, circle.club.id, circle.alice.id, circle.club.name)

    assert len(members.members(session, circle.club.id)) == 8
    club_settings.close(session, now, other.id, circle.alice.id, "Other")
    assert members.members(session, other.id) == ()


@pytest.mark.usefixtures("other")
def test_a_letter_to_the_club_reaches_its_members(session: Session, now: datetime, circle: Circle) -> None:
    """All of them, or those who are named; nobody who left or isn't one."""
    circle.club.settings = {"contact": "desk@nile.example"}
    bob, carl, gone = circle.others[:3]
    session.execute(select(Member).where(Member.player_id == gone.id)).scalar_one().left_at = now
    stranger = PlayerFactory.create()
    session.commit()

    count = announcements.announce(
        session, now, circle.club.id, circle.alice.id, title=" News ", text="One.\n\n \n\nTwo.  "
    )
    some = announcements.announce(
        session, now, circle.club.id, circle.alice.id, title="News", text="Hi", to={bob.id, gone.id, stranger.id}
    )

    assert (count, some) == (7, 1)
    sent = letters(session, "announcement")
    assert [one.player_id for one in sent] == [
        circle.alice.id,
        bob.id,
        carl.id,
        *(p.id for p in circle.others[3:]),
        bob.id,
    ]
    data = sent[0].data
    assert data["to"] == f"club/{circle.club.slug}"
    assert sent[0].club_id == circle.club.id
    assert [part["params"]["text"] for part in (data["title"], *data["paragraphs"])] == ["News", "One.", "Two."]
    entries = session.execute(select(Audit.act, Audit.player_id, Audit.details)).all()
    assert [tuple(row) for row in entries] == [
        ("announce", circle.alice.id, {"title": "News", "to": 7}),
        ("announce", circle.alice.id, {"title": "News", "to": 1}),
    ]


def test_a_letter_to_the_club_is_refused_with_every_fault(session: Session, now: datetime, circle: Circle) -> None:
    """No subject, no text, too long a text, no contact; and one too many of a day."""

    def refused(when: datetime = now, title: str = "News", text: str = "Hello") -> list[str]:
        with pytest.raises(WrongInput) as wrong:
            announcements.announce(session, when, circle.club.id, circle.alice.id, title=title, text=text)
        return [str(fault) for fault in wrong.value.faults]

    needs, long = (
        "The letter needs a subject and a text.",
        "The text has 4001 characters; at most 4000 fit in one letter.",
    )
    assert refused()[0].startswith("Answers need somewhere to go")
    circle.club.settings = {"contact": "desk@nile.example"}
    session.commit()
    assert refused(title=" ") == refused(text="\n ") == [needs]
    assert refused(text="x" * 4001) == [long]
    assert refused(title="x" * 81) == ["The subject has 81 characters; at most 80 fit: shorten it."]
    assert refused(title="", text="x" * 4001) == [needs, long]
    assert letters(session, "announcement") == []
    for number in range(5):
        announcements.announce(session, now, circle.club.id, circle.alice.id, title=str(number), text="x" * 4000)
    other = ClubFactory.create(settings=circle.club.settings)
    session.add(Member(club_id=other.id, player_id=circle.alice.id, role="organiser", joined_at=now))
    assert announcements.announce(session, now, other.id, circle.alice.id, title="5", text="x")
    too_many = "5 letters went to the whole club today already: try tomorrow."
    assert refused() == refused(now + timedelta(days=1, seconds=-1)) == [too_many]
    assert announcements.announce(
        session, now + timedelta(days=1), circle.club.id, circle.alice.id, title="t", text="x"
    )
