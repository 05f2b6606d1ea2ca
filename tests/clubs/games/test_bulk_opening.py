"""Games opened from a table, and keys for programs."""

from __future__ import annotations

from email import message_from_bytes, policy
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select

from pbem.capabilities import api_keys
from pbem.clubs.games import bulk_opening
from pbem.clubs.members import members
from pbem.engine.registry import GAMES, rules_of
from pbem.errors import NotAllowed, NotSeated, WrongInput
from pbem.letters import context
from pbem.letters.writer import compose_mail
from pbem.messages import LANGUAGES, Translator
from pbem.play.deadlines import cadence
from pbem.play.deadlines.cadence import CADENCES
from pbem.store.models import Game, Invitation, Letter
from tests.factories import GameFactory, seat_of
from tests.letters.test_writer import HOUSE

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from tests.clubs.conftest import Circle


def test_a_game_a_line(session: Session, now: datetime, circle: Circle) -> None:
    """Members are invited, bots sit at once, empty cells stay open; options and cadence are the line's own."""
    bob = circle.others[0]
    text = (
        "title,game,cadence,options,players\n"
        f"First,priests,blitz,auctions=in_turn,{bob.name},bot:heuristic\n"
        f'"Second, with a comma",Amun-Re,,card_draft=on gold=hidden,{bob.address},bot:random,\n'
    )

    opened = bulk_opening.open_all(session, now, circle.club.id, circle.alice.id, text)

    games = session.execute(select(Game).order_by(Game.id)).scalars().all()
    assert [(game.title, game.game, game.seats) for game in games] == [
        ("First", "priestsofra", 2),
        ("Second, with a comma", "amunre", 3),
    ]
    assert games[1].options == {"card_draft": "on", "gold": "hidden"}
    assert len(opened) == 2
    assert session.execute(select(func.count()).select_from(Invitation)).scalar_one() == 2


def test_members_are_invited_to_many_games_by_one_letter(session: Session, now: datetime, circle: Circle) -> None:
    """A club opens its games for months in one go: each member has one letter, whose list is cut, not its games."""
    bob = circle.others[0]
    lines = [f"Game {number},priests,club,,{bob.name},bot:heuristic" for number in range(70)]

    bulk_opening.open_all(session, now, circle.club.id, circle.alice.id, "\n".join(lines))

    letter = session.scalars(select(Letter).where(Letter.kind == "invitation", Letter.player_id == bob.id)).one()
    found = context.context(session, now, letter)
    assert found is not None
    mail = message_from_bytes(compose_mail(found, HOUSE, now).raw, policy=policy.default)
    body = mail.get_body(("plain",))
    assert body is not None
    text = " ".join(body.get_content().split())
    assert str(mail["Subject"]) == f"{circle.alice.name} invites you to 70 games"
    assert "Game 0 · Priests of Ra: 2 players; at least 48 hours for each decision." in text
    assert ("Game 59 ·" in text, "Game 60 ·" in text, "And 10 more." in text) == (True, False, True)


def test_who_is_the_only_one_of_a_word_is_called_by_it(session: Session, circle: Circle) -> None:
    """`Chiara` is Chiara Rossi where no other member has that word in the name; a whole name goes before a word."""
    for person, name in zip(circle.everybody, ("Chiara Rossi", "Ada Rossi", "Ada", "Open Door"), strict=False):
        person.name = name
    session.flush()
    people = bulk_opening.people_of(session, circle.club.id)
    found = {name: bulk_opening.seat_of(name, people).player_id for name in ("chiara", "Ada", "Door")}

    assert found == {
        "chiara": circle.alice.id,
        "Ada": circle.everybody[2].id,
        "Door": circle.everybody[3].id,
    }
    with pytest.raises(WrongInput, match="Several members are called 'Rossi'"):
        bulk_opening.seat_of("Rossi", people)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_takes_every_word_that_a_form_shows(session: Session, circle: Circle, language: str) -> None:
    """Paces, waits, what becomes of free seats, options and what they can be, seats without a member, roles."""
    say = Translator(language)
    for name, label in cadence.SPEEDS.items():
        assert cadence.read(say(label)) == cadence.read(say(label).partition(":")[0]) == cadence.read(name)
    wait = {word: say(label) for word, label in cadence.WORDS.items()}
    for name, label in cadence.UNFILLED.items():
        shown = f"{say(cadence.SPEEDS['bank'])} {wait['join']}=3 {wait['then']}={say(label)} {wait['min']}=30"
        assert cadence.read(shown) == cadence.read(f"bank min=30 join=3 then={name}")
    for game in GAMES:
        meta, own = rules_of(game).meta, Translator(language, game=game)
        chosen = {option.name: option.choices[-1] for option in meta.options if option.choices}
        told = [tuple(own.thing(word.replace("_", " ")) for word in pair) for pair in chosen.items()]
        assert bulk_opening.options_in(" ".join(f"{name}={choice}" for name, choice in told), meta) == chosen
    people = bulk_opening.people_of(session, circle.club.id)
    fillers = {filler: say(label) for filler, label in bulk_opening.FILLERS.items()}
    assert bulk_opening.seat_of(fillers["open"], people) == bulk_opening.seat_of("", people)
    assert bulk_opening.seat_of(fillers["bot:heuristic"], people).bot == "heuristic"
    row = ["T", "amunre", "club", "", *[fillers["open"]] * 3, fillers["-"]]
    assert len(bulk_opening.plan_of(row, people, circle.club.id, circle.alice.id).seats) == 3
    for role in members.ROLES:
        assert members.read_guests(f"a@nile.example,A,{say.thing(role)}")[0].role == role


def test_a_table_from_a_spreadsheet_of_another_country(session: Session, now: datetime, circle: Circle) -> None:
    """Semicolons and a byte order mark don't matter."""
    bulk_opening.open_all(
        session, now, circle.club.id, circle.alice.id, "\ufeffT;Priests of Ra;club;;bot:random;bot:random\n"
    )

    assert session.execute(select(Game.game, Game.title)).one() == ("priestsofra", "T")


def test_a_number_is_a_number(session: Session, circle: Circle) -> None:
    """A member who is called like another one's number doesn't sit down in their place."""
    alice, bob = circle.alice, circle.others[0]
    bob.name = str(alice.id)
    session.flush()

    people = bulk_opening.people_of(session, circle.club.id)

    assert people[str(alice.id)] == alice.id
    assert people[str(bob.id)] == people[str(bob.address)] == bob.id


def test_a_table_whose_lines_are_all_as_long(session: Session, now: datetime, circle: Circle) -> None:
    """A spreadsheet fills every line up to the longest: `-` is no seat, `open` a seat for whoever comes."""
    text = "One,amunre,club,,bot:random,open,open,-,-\nTwo,amunre,club,,bot:random,bot:random,bot:random,open,open\n"

    bulk_opening.open_all(session, now, circle.club.id, circle.alice.id, text)

    assert [row.seats for row in session.execute(select(Game).order_by(Game.id)).scalars()] == [3, 5]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("T,chess,club,,bot:random,bot:random", "Line 1: 'chess' is no game here."),
        (f"{'T' * 61},amunre,club,,,,", "Line 1: The name of the game has 61 characters; at most 60 fit"),
        ("T,amunre,club,,Zoe,,", "Line 1: 'Zoe' is no member of this club: invite them first."),
        ("T,amunre,club,,bot:random", "Line 1: Amun-Re is not played by 1."),
        ("T,amunre,weekly,,,,", "Line 1: 'weekly' is no speed."),
        ("T,amunre,club,nonsense,,,", "Line 1: 'nonsense' is no option: write name=value."),
        ("T,amunre,Alice,,Bob,Chloe", "Line 1: 'Alice' is a player, but stands before the players' cells"),
        ("T,amunre,club,Alice,Bob,Chloe", "Line 1: 'Alice' is a player, but stands before the players' cells"),
        ("T,amunre,club,bot:random,Bob,Chloe", "Line 1: 'bot:random' is a player, but stands before"),
        ("T,amunre,club,,Alice,bot:random,Alice", "Line 1: 'Alice' stands in the line twice"),
        ("T,amunre,club,,Twin,bot:random,bot:random", "Line 1: Several members are called 'Twin'"),
        ("T,amunre", "Line 1: A line needs title, game, speed, options and at least one player."),
        ("", "There is no game in the table"),
    ],
)
def test_one_wrong_line_opens_nothing(
    session: Session, now: datetime, circle: Circle, line: str, sentence: str
) -> None:
    """The wrong line is named with its number and the wrong word; no game is opened."""
    for person, name in zip(circle.everybody, ("Alice", "Bob", "Chloe", "Twin", "Twin"), strict=False):
        person.name = name
    session.commit()
    with pytest.raises(WrongInput) as refused:
        bulk_opening.open_all(session, now, circle.club.id, circle.alice.id, line)

    assert str(refused.value.faults[0]).startswith(sentence)


def test_all_faults_come_in_one_go(session: Session, now: datetime, circle: Circle) -> None:
    """A line that can't be read, one whose table can't be played, and one with an unknown bot are named together."""
    text = "A,chess,club,,bot:random,\nB,amunre,club,,bot:random\nC,priests,club,,bot:none,bot:random\n"

    with pytest.raises(WrongInput) as refused:
        bulk_opening.open_all(session, now, circle.club.id, circle.alice.id, text)

    assert [str(fault)[:8] for fault in refused.value.faults] == ["Line 1: ", "Line 2: ", "Line 3: "]
    assert session.execute(select(func.count()).select_from(Game)).scalar_one() == 0


def test_only_organisers_open_games(session: Session, now: datetime, circle: Circle) -> None:
    """A player is refused."""
    with pytest.raises(NotAllowed):
        bulk_opening.open_all(session, now, circle.club.id, circle.others[0].id, "T,amunre,club,,,,")
    line = bulk_opening.TableLine("T", "amunre", CADENCES["club"], {}, ())
    with pytest.raises(NotAllowed):
        bulk_opening.plan(session, circle.club.id, circle.others[0].id, line)


def test_a_key_speaks_for_one_seat(session: Session, now: datetime, circle: Circle) -> None:
    """It opens its seat, is stored only as a digest, and dies by revocation or when the seat changes hands."""
    bob, carl = circle.others[:2]
    game = GameFactory.create(people=[bob, circle.alice], bots=())
    seat = seat_of(session, game, 0)

    text = api_keys.issue_for_seat(session, now, bob.id, seat.id, "my script")
    opened = api_keys.open_key(session, now, text)
    assert (opened.seat_id, opened.club_id, opened.name) == (seat.id, None, "my script")
    assert text not in repr(api_keys.keys_of(session, now, bob.id))

    seat.player_id = carl.id
    with pytest.raises(NotSeated):
        api_keys.open_key(session, now, text)
    seat.player_id = bob.id
    api_keys.revoke(session, now, bob.id, opened.id)
    with pytest.raises(NotSeated):
        api_keys.open_key(session, now, text)


def test_keys_are_for_ones_own(session: Session, now: datetime, circle: Circle) -> None:
    """Nobody gets a key for another's seat or for a club they don't organise, or revokes another's key."""
    bob = circle.others[0]
    game = GameFactory.create(people=[bob, circle.alice], bots=())
    with pytest.raises(NotAllowed):
        api_keys.issue_for_seat(session, now, bob.id, seat_of(session, game, 1).id, "x")
    with pytest.raises(NotAllowed):
        api_keys.issue_for_club(session, now, bob.id, circle.club.id, "x")
    api_keys.issue_for_club(session, now, circle.alice.id, circle.club.id, "x")
    (key,) = api_keys.keys_of(session, now, circle.alice.id)
    with pytest.raises(NotAllowed):
        api_keys.revoke(session, now, bob.id, key.id)
