"""Members: invited, listed, exported, erased."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select, update

from pbem.capabilities.roles import require_organiser
from pbem.clubs.account import address_change, personal_data
from pbem.clubs.games import actions, csv_table
from pbem.clubs.members import members
from pbem.clubs.seasons import seasons
from pbem.errors import NotAllowed, WrongInput
from pbem.inbound import receive
from pbem.mail import outbox
from pbem.messages import Translator
from pbem.play.seats import invitations
from pbem.store.models import Audit, Game, GameState, Inbound, Invitation, Letter, Member, Player
from tests.factories import START, ClubFactory, GameFactory, PlayerFactory, answer, seat_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from sqlalchemy.orm import Session

    from tests.clubs.conftest import Circle


def test_guests_are_read_from_csv() -> None:
    """A heading and empty lines are passed over; name and role may be missing; quotes protect commas."""
    text = 'address,name,role\n\nada@example.org\nben@example.org,"Ben, the second",Organiser\n'

    assert members.read_guests(text) == (
        members.Guest("ada@example.org"),
        members.Guest("ben@example.org", "Ben, the second", "organiser"),
    )


@pytest.mark.parametrize(
    "text",
    [
        '\ufeffAdresse;Name\njm@example.org;"Müller, Jürgen"\n',
        '\ufeffName;E-Mail\r\n"Müller, Jürgen";jm@example.org\r\n',
        'jm@example.org, "Müller, Jürgen"\n',
        "jm@example.org\tMüller, Jürgen\n",
        '"Müller, Jürgen" <jm@example.org>\n',
    ],
)
def test_guests_are_read_however_a_spreadsheet_writes_them(text: str) -> None:
    """Semicolons, tabs, a byte order mark, blanks before quotes, the name first, a mail program's form."""
    assert members.read_guests(text) == (members.Guest("jm@example.org", "Müller, Jürgen"),)


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("ada@example,org, Ada", "Line 1: 'ada@example' has no dot behind the @: write all of it, like"),
        ("ada@exampleorg", "Line 1: 'ada@exampleorg' has no dot behind the @"),
        (
            "Ada <ada@example.org>, ben@example.org",
            "Line 1: 'ben@example.org' is a second address: write one person a line.",
        ),
        ("ada@example.org, Ada, ben@example.org", "Line 1: 'ben@example.org' is a second address"),
        ("ada@@example.org, Ada", "Line 1: 'ada@@example.org' is no mail address we can write to"),
        ("ada@example.org, Ada\nben@example.org\tBen", "Line 2: part its cells .*, not by a tab"),
        ("ada@example.org, Ada\nben@example.org;Ben", "Line 2: part its cells .*, not by ';'"),
    ],
)
def test_a_slip_in_an_address_is_named_and_nobody_is_asked_by_it(text: str, refused: str) -> None:
    """Neither half of an address is written to, nor does another person's stand as somebody's name."""
    with pytest.raises(WrongInput, match=refused) as wrong:
        members.read_guests(text)
    assert len(wrong.value.faults) == 1


def test_an_address_is_nobody_s_name() -> None:
    """Mail programs put it before itself where they know no other."""
    assert members.read_guests('"ada@example.org" <ada@example.org>') == (members.Guest("ada@example.org"),)


def test_a_list_of_guests_has_a_limit() -> None:
    """Nobody writes to thousands of strangers by one press of a button."""
    with pytest.raises(WrongInput, match="At most 500 people can be invited at once, not 501"):
        members.read_guests("".join(f"p{number}@example.org\n" for number in range(501)))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "There is nobody in the list: write one address a line, then a comma and the name."),
        ("a@b.org,A,boss", "Line 1: 'boss' is no role. There are: player, organiser."),
        (
            "ada.example.org,Ada\nb@b.org",
            "Line 1: 'ada.example.org' is no mail address we can write to: write one like ada@example.org.",
        ),
        (
            "a@b.org\na@b.org, Ada\nb@b.org; Bob",
            "Line 3: part its cells by the same mark as the lines before it, not by ';'.",
        ),
        (
            'a@b.org; "Ada, Ida"\nb@b.org, Bob',
            "Line 2: part its cells by the same mark as the lines before it, not by ','.",
        ),
        ("a@b.org\nnonsense", "Line 2: 'nonsense' is no mail address we can write to: write one like ada@example.org."),
    ],
)
def test_wrong_lines_are_named(text: str, sentence: str) -> None:
    """Each wrong line gets one sentence with its number."""
    with pytest.raises(WrongInput) as refused:
        members.read_guests(text)

    assert [str(fault) for fault in refused.value.faults] == [sentence]


def test_an_invitation_is_one_letter(session: Session, now: datetime, circle: Circle) -> None:
    """A stranger gets one invitation however often they are named; a member gets none."""
    guests = [members.Guest("new@example.org", "New"), members.Guest(str(circle.others[0].address))]

    first = members.invite(session, now, circle.club.id, circle.alice.id, guests)
    again = members.invite(session, now, circle.club.id, circle.alice.id, guests)
    later = members.invite(session, now + timedelta(days=15), circle.club.id, circle.alice.id, guests)

    new, member = (guest.address for guest in guests)
    assert (first, again, later) == ((member,), (new, member), (member,))
    assert len(session.execute(select(Letter).where(Letter.kind == "invitation")).all()) == 2
    assert len(session.execute(select(Invitation)).all()) == 2


def test_faces_hold_no_address(session: Session, circle: Circle) -> None:
    """The member list shows names and roles, the organiser first, and no address."""
    faces = members.members(session, circle.club.id)

    assert faces[0].name == circle.alice.name
    assert len(faces) == 8
    assert "@" not in repr(faces)


def test_a_club_keeps_an_organiser(session: Session, now: datetime, circle: Circle) -> None:
    """The last organiser can neither leave nor step down; with a second one they can."""
    bob = circle.others[0]
    session.add(Member(club_id=ClubFactory.create().id, player_id=bob.id, role="organiser", joined_at=now))
    with pytest.raises(NotAllowed, match="needs an organiser"):
        members.leave(session, now, circle.club.id, circle.alice.id)
    with pytest.raises(NotAllowed, match="needs an organiser"):
        members.set_role(session, now, circle.club.id, by=circle.alice.id, player_id=circle.alice.id, role="player")

    members.set_role(session, now, circle.club.id, by=circle.alice.id, player_id=bob.id, role="organiser")
    members.leave(session, now, circle.club.id, circle.alice.id)

    assert [face.role for face in members.members(session, circle.club.id)].count("organiser") == 1


def test_only_organisers_give_roles(session: Session, now: datetime, circle: Circle) -> None:
    """Neither a player can make anybody organiser, nor an organiser of another club."""
    bob, stranger = circle.others[0], PlayerFactory()
    session.add(Member(club_id=ClubFactory.create().id, player_id=stranger.id, role="organiser", joined_at=now))

    for by in (bob, stranger):
        with pytest.raises(NotAllowed):
            members.set_role(session, now, circle.club.id, by=by.id, player_id=bob.id, role="organiser")


def test_the_export_holds_ones_own_and_nothing_else(session: Session, now: datetime, circle: Circle) -> None:
    """Address, clubs, games and orders as typed; nothing of other people."""
    alice, bob = circle.alice, circle.others[0]
    game = GameFactory.create(people=[alice, bob], bots=(), options={"auctions": "in_turn"})
    seat = next(seat for seat in (0, 1) if answer(session, now, game, seat, "nonsense words").reason == "InvalidOrder")
    asked = (alice, bob)[seat]

    data = personal_data.export_person(session, asked.id)

    assert data["person"]["address"] == asked.address
    assert [order["text"] for order in data["orders"]] == ["nonsense words"]
    assert [game["state"] for game in data["games"]] == ["running"]
    other = bob if asked is alice else alice
    assert str(other.address) not in repr(data)


def test_erasing_leaves_every_game_under_way(session: Session, now: datetime, circle: Circle) -> None:
    """As resigning does: the cautious bot plays on, the table is told; one that is over stays."""
    bob, carl = circle.others[:2]
    games = [GameFactory.create(people=[bob, circle.alice], bots=(), title=f"Nile {number}") for number in range(4)]
    for game, state in zip(games[1:], (GameState.PAUSED, GameState.STUCK, GameState.FINISHED), strict=True):
        game.state = state
    session.commit()

    left = personal_data.erase(session, now, bob.id)

    session.expire_all()
    assert left == ("Nile 0", "Nile 1", "Nile 2")
    seats = [seat_of(session, game, 0) for game in games]
    assert [(seat.player_id, seat.bot) for seat in seats] == [(None, "cautious")] * 3 + [(bob.id, "")]
    told = session.execute(select(Letter.game_id, Letter.player_id, Letter.state).where(Letter.kind == "replaced"))
    assert {tuple(row) for row in told if row.state == "pending"} == {
        (game.id, circle.alice.id, "pending") for game in games[:3]
    }
    acts = session.scalars(select(Audit.game_id).where(Audit.act == "resign", Audit.player_id == bob.id)).all()
    assert set(acts) == {game.id for game in games[:3]}
    row = session.get_one(Player, bob.id)
    assert (row.address, row.name, row.epoch) == (None, personal_data.ERASED, 1)
    assert bob.id not in {face.player_id for face in members.members(session, circle.club.id)}
    assert personal_data.erase(session, now, carl.id) == ()


def test_erasing_empties_what_came_and_went_by_mail(session: Session, now: datetime, circle: Circle) -> None:
    """Their mails, their letters' facts and their reasons are gone at once, and nobody else's."""
    bob, carl = circle.others[:2]
    members.invite(session, now, circle.club.id, circle.alice.id, [members.Guest("new@example.org", "New")])
    for player in (bob, carl):
        mail = f"From: {player.name}\n\nGreetings"
        receive.receive(session, mail.encode(), "club@nile.example", now, sender=str(player.address), source="cli")
        address_change.ask(session, now, player.id, f"next-{player.address}")
        session.add(Audit(at=now, player_id=player.id, club_id=circle.club.id, act="pause", reason="A wedding"))
    session.flush()
    address = str(carl.address)

    personal_data.erase(session, now, carl.id)
    session.expire_all()

    mails = {row.sender: row.raw for row in session.execute(select(Inbound)).scalars()}
    letters = [(row.player_id, row.address, row.data) for row in session.execute(select(Letter)).scalars()]
    assert {sender: bool(raw) for sender, raw in mails.items()} == {"": False, str(bob.address): True}
    assert address not in repr(letters)
    assert {bool(data) for player, _, data in letters if player == bob.id} == {True}
    reasons = {row.player_id: row.reason for row in session.execute(select(Audit)).scalars()}
    assert (reasons[bob.id], reasons[carl.id]) == ("A wedding", "")


def test_the_last_organiser_hands_the_club_on_before_going(session: Session, now: datetime, circle: Circle) -> None:
    """Erasing the only organiser would leave the others a club that nobody can look after."""
    with pytest.raises(NotAllowed, match="name another one first"):
        personal_data.erase(session, now, circle.alice.id)

    *others, last = circle.others
    for player in others:
        members.leave(session, now, circle.club.id, player.id)
    with pytest.raises(NotAllowed, match="name another one first"):
        personal_data.erase(session, now, circle.alice.id)
    members.leave(session, now, circle.club.id, last.id)
    personal_data.erase(session, now, circle.alice.id)
    assert session.get_one(Player, circle.alice.id).address is None


def test_the_faults_of_a_line_are_in_the_readers_language() -> None:
    """Not only the line's number: what is wrong there, too."""
    with pytest.raises(WrongInput) as refused:
        members.read_guests("ada@example.org,Ada,boss")

    said = Translator("it")(refused.value.faults[0])
    assert said.startswith("Riga 1: ")
    assert "is no role" not in said


def test_a_line_is_numbered_as_in_the_file() -> None:
    """Also after a cell that goes over two lines."""
    with pytest.raises(WrongInput, match=r"^Line 3: 'nonsense'"):
        members.read_guests('ada@example.org,"Ada\nthe first"\nnonsense\n')


@pytest.mark.parametrize("code", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_a_file_is_read_in_the_code_its_spreadsheet_uses(code: str) -> None:
    """Umlauts stay umlauts."""
    (guest,) = members.read_guests(csv_table.decoded("jm@example.org;Jürgen Müßig\r\n".encode(code)))

    assert guest.name == "Jürgen Müßig"


def test_who_comes_back_has_the_role_they_are_invited_to(session: Session, now: datetime, circle: Circle) -> None:
    """An organiser who left and is invited again as a player, or to a game, does not organise again."""
    club, alice, bob = circle.club.id, circle.alice, circle.others[0]
    members.set_role(session, now, club, by=alice.id, player_id=bob.id, role="organiser")
    members.leave(session, now, club, bob.id)
    members.invite(session, now, club, alice.id, [members.Guest(str(bob.address))])
    number = session.execute(select(Invitation.id).where(Invitation.player_id == bob.id)).scalar_one()

    invitations.accept(session, now, number)

    roles = {face.player_id: face.role for face in members.members(session, club)}
    assert roles[bob.id] == "player"
    with pytest.raises(NotAllowed):
        require_organiser(session, club, bob.id)


def test_a_member_is_taken_out(session: Session, now: datetime, circle: Circle) -> None:
    """By organisers only, never the last of them; and nobody who isn't in the club gets a role in it."""
    club, alice, bob, carl = circle.club.id, circle.alice, *circle.others[:2]
    with pytest.raises(NotAllowed, match="Only an organiser"):
        members.take_out(session, now, club, by=bob.id, player_id=carl.id)
    with pytest.raises(NotAllowed, match="name another one first"):
        members.take_out(session, now, club, by=alice.id, player_id=alice.id)

    members.take_out(session, now, club, by=alice.id, player_id=carl.id)

    assert carl.id not in {face.player_id for face in members.members(session, club)}
    with pytest.raises(WrongInput, match="no member of this club"):
        members.take_out(session, now, club, by=alice.id, player_id=carl.id)
    with pytest.raises(WrongInput, match="no member of this club"):
        members.set_role(session, now, club, by=alice.id, player_id=carl.id, role="organiser")


def test_an_organiser_sees_who_has_not_come(session: Session, now: datetime, circle: Circle) -> None:
    """Who may still answer, who declined, who let it run out: by name, for a month; who came is a member."""
    club = circle.club.id
    guests = [members.Guest(f"{name}@example.org", name) for name in ("Dan", "Eve", "Fay", "Gus")]
    known = PlayerFactory(name="Hal", address="hal@example.org")
    members.invite(session, now, club, circle.alice.id, guests)
    numbers = session.execute(select(Invitation.id).order_by(Invitation.id)).scalars().all()
    invitations.decline(session, now, numbers[0])
    invitations.accept(session, now, numbers[1])
    unnamed = PlayerFactory(name="Ida", address="i.rossi@example.org")
    late = [members.Guest(str(known.address), "My friend"), members.Guest(str(unnamed.address)), guests[3]]
    members.invite(session, now + timedelta(days=15), club, circle.alice.id, late)
    unnamed.address = "ida@home.example"
    known.address_state = "bounced"
    old = session.scalars(select(Invitation).where(Invitation.player_id == known.id)).one()
    elsewhere = ClubFactory.create()
    session.add(Member(club_id=elsewhere.id, player_id=known.id, role="player", joined_at=now))
    other = PlayerFactory()
    session.add(Invitation(club_id=elsewhere.id, player_id=other.id, created_at=now, expires_at=old.expires_at))

    seen = members.asked(session, now + timedelta(days=15), club)

    assert [(one.name, one.state) for one in seen] == [
        *(("Gus", "pending"), ("i.rossi", "pending")),
        ("My friend", "pending"),  # an address tells nobody what its owner is called elsewhere
        *(("Fay", "expired"), ("Dan", "declined")),
    ]
    assert "@" not in repr(seen)
    assert [*members.unreached(session, club), *members.unreached(session, elsewhere.id)] == [known.id]
    old.invited_as = ""  # invited before these words were kept
    assert [one.name for one in members.asked(session, now + timedelta(days=15), club)][2] == ""
    assert members.asked(session, now + timedelta(days=60), club) == ()


def test_an_inviter_learns_only_what_became_of_their_own_invitation(
    session: Session, now: datetime, circle: Circle
) -> None:
    """That mail to somebody came back elsewhere says that they are known here; an invitation that came back is told."""
    club, guests = circle.club.id, [members.Guest(f"{name}@example.org") for name in ("dan", "eve")]
    known = PlayerFactory(address="dan@example.org", address_state="bounced")
    made = {"message_id": "m", "next_try_at": now, "created_at": now}
    session.add(letter := Letter(kind="talk", cause="elsewhere", player_id=known.id, **made))
    session.flush()
    outbox.note(session, now, letter.id, "bounced")
    members.invite(session, now, club, circle.alice.id, guests)

    def unreached() -> list[str]:
        return [one.name for one in members.asked(session, now, club) if one.unreached]

    assert unreached() == []
    eve = session.scalars(select(Invitation.id).order_by(Invitation.id.desc())).first()
    members.resend_invitation(session, now, club, circle.alice.id, eve or 0)
    for cause, came in ((f"invitation:{eve}", "accepted"), (f"invitation:{eve}:%", "bounced")):
        outbox.note(session, now, session.scalars(select(Letter.id).where(Letter.cause.like(cause))).one(), came)
        assert unreached() == ["eve"] * (came == "bounced")


def organised(circle: Circle, organiser: Player | None, *, club_id: int | None = None) -> Game:
    """A game of the club, or of another one, that a person looks after."""
    people = circle.others[:2]
    number = organiser.id if organiser else None
    game: Game = GameFactory.create(people=people, bots=(), club_id=club_id, organiser_id=number)
    return game


def test_who_organises_no_more_hands_the_clubs_games_on(session: Session, now: datetime, circle: Circle) -> None:
    """To who has been in it longest of those who still organise it; games elsewhere and of others stay theirs."""
    club, alice, (bob, carl, dan, eve) = circle.club.id, circle.alice, circle.others[:4]
    other = ClubFactory.create().id
    for player in (bob, carl, dan):
        members.set_role(session, now, club, by=alice.id, player_id=player.id, role="organiser")
    session.execute(update(Member).where(Member.player_id == bob.id).values(left_at=now))
    for player in (alice, eve):
        session.add(Member(club_id=other, player_id=player.id, role="organiser", joined_at=now))
    hers, dans = organised(circle, alice, club_id=club), organised(circle, dan, club_id=club)
    away, loose = organised(circle, alice, club_id=other), organised(circle, alice)
    session.commit()

    members.set_role(session, now, club, by=carl.id, player_id=alice.id, role="player")

    session.flush()
    session.expire_all()
    assert [game.organiser_id for game in (hers, dans, away, loose)] == [carl.id, dan.id, alice.id, alice.id]
    roles = {face.player_id: face.role for face in members.members(session, club)}
    assert (roles[alice.id], roles[carl.id], bob.id in roles) == ("player", "organiser", False)
    assert [face.role for face in members.members(session, other)] == ["organiser"] * 2
    acts = session.execute(select(Audit.act, Audit.player_id, Audit.club_id, Audit.details)).all()
    assert tuple(acts[-1]) == ("role", carl.id, club, {"player": alice.id, "role": "player"})


def test_leaving_voids_what_was_offered_there_to_or_by_who_leaves(
    session: Session, now: datetime, circle: Circle
) -> None:
    """Into the club or its games, while it is open; not elsewhere, not between others, not what was answered."""
    club, alice, (bob, carl) = circle.club.id, circle.alice, circle.others[:2]
    other, game = ClubFactory.create().id, organised(circle, circle.alice, club_id=club)
    later = now + timedelta(days=3)
    voided = [(club, None, bob, alice), (club, None, carl, bob), (None, game.id, bob, carl)]
    kept = [(club, None, carl, alice), (other, None, bob, alice), (None, None, bob, alice)]
    for club_id, game_id, to, by in voided + kept:
        row = Invitation(club_id=club_id, game_id=game_id, player_id=to.id, inviter_id=by.id, created_at=now)
        row.expires_at = later
        session.add(row)
    session.add(Invitation(club_id=club, player_id=bob.id, state="declined", expires_at=later, created_at=now, epoch=0))
    session.commit()

    members.leave(session, now, club, bob.id)

    session.expire_all()
    rows = session.execute(select(Invitation.state, Invitation.expires_at).order_by(Invitation.id)).all()
    assert [tuple(row) for row in rows] == [("expired", now)] * 3 + [("pending", later)] * 3 + [("declined", later)]
    left = session.execute(select(Member.player_id, Member.left_at).where(Member.left_at.is_not(None))).all()
    assert [tuple(row) for row in left] == [(bob.id, now)]


def organise(session: Session, club_id: int, player_id: int) -> None:
    """Make somebody an organiser of one more club."""
    session.add(Member(club_id=club_id, player_id=player_id, role="organiser", joined_at=START))
    session.flush()


def test_nobody_is_asked_into_a_club_again_and_again(session: Session, now: datetime, circle: Circle) -> None:
    """Once while it is open, to the second, twice in thirty days; another club's invitations are its own affair."""
    other = ClubFactory.create(settings={"zone": "Europe/Rome"})
    organise(session, other.id, circle.alice.id)
    guests = [members.Guest("new@example.org", "New", "organiser")]

    def sent(after: timedelta, club_id: int = circle.club.id) -> int:
        known = members.invite(session, now + after, club_id, circle.alice.id, guests)
        session.flush()
        return len(guests) - len(known)

    first_end = timedelta(days=14)
    assert [sent(timedelta()), sent(timedelta(), other.id)] == [1, 1]
    assert [sent(first_end - timedelta(seconds=1)), sent(first_end), sent(first_end)] == [0, 1, 0]
    assert [sent(timedelta(days=29)), sent(timedelta(days=30))] == [0, 1]
    rows = session.execute(select(Invitation).where(Invitation.club_id == circle.club.id)).scalars().all()
    assert {(row.role, row.inviter_id, row.game_id, row.epoch) for row in rows} == {
        ("organiser", circle.alice.id, None, 0)
    }
    assert [row.expires_at - row.created_at for row in rows] == [first_end] * 3
    new = session.execute(select(Player).where(Player.address == "new@example.org")).scalar_one()
    assert (new.name, new.zone, new.accepted_at) == ("New", "UTC", None)
    post = session.execute(select(Letter).where(Letter.kind == "invitation")).scalars().all()
    assert [(one.player_id, one.data["invitation"]) for one in post if one.club_id == circle.club.id] == [
        (new.id, row.id) for row in rows
    ]


def test_an_open_invitation_is_resent_or_withdrawn_in_its_own_club(
    session: Session, now: datetime, circle: Circle
) -> None:
    """By number, neither one to a game nor an accepted one; resent its time begins anew, one letter a day."""
    club, alice = circle.club.id, circle.alice.id
    other = ClubFactory.create().id
    organise(session, other, alice)
    members.invite(session, now, club, alice, [members.Guest(f"{name}@example.org") for name in ("a", "b", "c")])
    members.invite(session, now, other, alice, [members.Guest("d@example.org")])
    rows = list(session.execute(select(Invitation).order_by(Invitation.id)).scalars())
    rows[2].state, rows[0].state, rows[0].answered_at = "accepted", "declined", now
    game = organised(circle, circle.alice, club_id=club)
    offer = Invitation(club_id=club, game_id=game.id, seat=0, player_id=alice, expires_at=now, created_at=now, epoch=0)
    session.add(offer)
    session.commit()
    later = now + timedelta(days=3)

    for wrong in (rows[2].id, rows[3].id, offer.id, 10**6):
        for deed in (members.resend_invitation, members.withdraw_invitation):
            with pytest.raises(WrongInput, match="was accepted, or there is none such"):
                deed(session, later, club, alice, wrong)
    members.withdraw_invitation(session, later, club, alice, rows[1].id)
    session.get_one(Player, rows[0].player_id).epoch = 4
    members.resend_invitation(session, later, club, alice, rows[0].id)
    with pytest.raises(WrongInput, match="sent again today already"):
        members.resend_invitation(session, later + timedelta(hours=1), club, alice, rows[0].id)
    members.resend_invitation(session, later + timedelta(days=1), club, alice, rows[0].id)

    session.expire_all()
    assert [row.state for row in rows] == ["pending", "withdrawn", "accepted", "pending"]
    ends = [row.expires_at for row in rows]
    assert ends == [later + timedelta(days=15), later, now + timedelta(days=14), now + timedelta(days=14)]
    assert [rows[0].answered_at, rows[0].epoch] == [None, 4]
    count = select(func.count()).where(Letter.kind == "invitation", Letter.player_id == rows[0].player_id)
    assert session.execute(count).scalar_one() == 3, "the first, and two of two days"


def test_what_is_typed_is_quoted_in_part(session: Session, now: datetime, circle: Circle) -> None:
    """A line of a role or an act that there isn't; an overlong name by its length, never cut in silence."""
    long, club, alice = "x" * 200, circle.club.id, circle.alice.id
    plan = seasons.SeasonPlan(name="S", titles=(), system=long)
    deeds: list[tuple[str, Callable[[], object]]] = [
        (f"'{'x' * 79}…'", lambda: members.read_guests(f"a@example.org,A,{long}")),
        ("player has 200 characters", lambda: members.read_guests(f"a@example.org,{long}")),
        (f"'{'x' * 79}…'", lambda: members.set_role(session, now, club, by=alice, player_id=alice, role=long)),
        (f"'{'x' * 79}…'", lambda: actions.action_called(long)),
        (f"'{'x' * 79}…'", lambda: seasons.announce(session, now, club, alice, plan)),
    ]
    for quoted, deed in deeds:
        with pytest.raises(WrongInput, match=quoted):
            deed()
