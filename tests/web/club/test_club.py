"""A club's pages: who may enter, what they do, and how large they get."""

from __future__ import annotations

import io
import re
from datetime import timedelta
from html import unescape
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from sqlalchemy import select

from pbem.clubs import club_views
from pbem.clubs.members import members
from pbem.clubs.seasons import seasons
from pbem.engine.registry import GAMES, rules_of
from pbem.messages import LANGUAGES
from pbem.store.models import Game, Invitation, Member, RatingStep, Season, Seat
from tests.factories import START, GameFactory, PlayerFactory, near_the_end, play_to_the_end
from tests.web.club_house import House
from tests.web.conftest import words

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient
    from flask_sqlalchemy import SQLAlchemy

    from tests.conftest import Clock

PATHS = ("", "/members", "/control", "/open", "/seasons", "/results.atom", "/results.csv")
FOR_ORGANISERS = ("/control", "/open")


@pytest.fixture
def house(app: Flask, db: SQLAlchemy, client: FlaskClient, clock: Clock) -> House:  # noqa: ARG001 - the client sets requests apart
    """The club, its clock standing still at the games' beginning."""
    clock.move(seconds=(START - clock.now).total_seconds())
    return House(app, db)


@pytest.mark.parametrize("path", PATHS)
def test_who_may_enter(house: House, path: str) -> None:
    """Members see the club, organisers their rooms; to a stranger it doesn't exist."""
    house.game()

    seen = {name: browser.get(house.path + path).status_code for name, browser in house.browsers.items()}

    assert seen == {"Alice": 200, "Bob": 403 if path in FOR_ORGANISERS else 200, "Charlie": 404}


def test_no_page_shows_an_address(house: House) -> None:
    """Neither the member list nor any other page names anybody's mail address."""
    house.game()

    for path in PATHS:
        assert "@nile.example" not in house.browsers["Alice"].get(house.path + path).text


def test_people_are_invited_from_a_list(house: House) -> None:
    """Good lines become invitations; a wrong line is named, its text kept, and nobody invited."""
    alice = house.browsers["Alice"]
    wrong = alice.send(f"{house.path}/members", people="dora@example.org, Dora\nnonsense", page=f"{house.path}/members")
    assert wrong.status_code == 422
    assert "nonsense" in wrong.text
    assert house.session.execute(select(Invitation)).first() is None

    right = alice.send(f"{house.path}/members", people="dora@example.org, Dora", follow=True)

    assert "1 invitation is on its way" in right.text


def test_people_are_invited_from_a_file_and_taken_out(house: House) -> None:
    """A file of a spreadsheet in its own letters; who is there already is told apart; one who came is taken out."""
    alice, path = house.browsers["Alice"], f"{house.path}/members"
    rows = f"jm@example.org;Jürgen\r\njm@example.org;Jürgen\r\n{house.people['Bob'].address};Bob\r\n"

    sent = alice.send(path, {"file": (io.BytesIO(rows.encode("cp1252")), "guests.csv")})
    told = alice.get(path)

    assert "1 invitation is on its way." in words(sent)
    assert f"In the club or invited already: jm@example.org and {house.people['Bob'].address}." in words(sent)
    assert "Jürgen can answer until" in words(told)
    assert "jm@example.org" not in told.text
    assert "Jürgen" not in house.browsers["Bob"].get(path).text

    bob = str(house.people["Bob"].id)
    gone = alice.send(f"{house.path}/role", {"act": "take-out", "player": bob, "sure": "yes"}, page=path)
    assert house.browsers["Bob"].get(path).status_code == 404
    assert gone.headers["Location"] == path


def test_a_game_is_opened_from_the_form(house: House) -> None:
    """Seats, options and cadence as chosen; a seat left out is no seat."""
    fields = {
        "game": "amunre",
        "cadence": "blitz",
        "title": "Evening",
        "seats": "5",
        "seat-0": "Alice",
        "seat-1": "Bob",
        "seat-2": "bot:random",
        "seat-3": "-",
        "seat-4": "-",
        "opt-gold": "hidden",
    }
    answer = house.browsers["Alice"].send(f"{house.path}/open", fields)

    game = house.session.execute(select(Game)).scalar_one()
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/organise/{game.slug}")
    assert (game.title, game.seats, game.options["gold"]) == ("Evening", 3, "hidden")


def test_a_game_has_waits_of_its_own(house: House) -> None:
    """The deadlines are shown first, by the hours of those named; the game keeps both waits; wrong ones are named."""
    alice, path = house.browsers["Alice"], f"{house.path}/open"
    fields = {"game": "priestsofra", "cadence": "blitz", "seats": "2", "seat-0": "Alice", "seat-1": "Bob", "min": "6"}

    shown = alice.send(path, {**fields, "max": "30", "act": "preview"})
    assert house.session.execute(select(Game)).first() is None
    wrong = alice.send(path, {**fields, "max": "3", "act": "open"})
    done = alice.send(path, {**fields, "max": "30", "act": "open"})

    game = house.session.execute(select(Game)).scalar_one()
    assert "by the hours of the 2 members named" in words(shown)
    assert "choose from the shortest, 6, to" in words(wrong)
    assert 'value="3"' in wrong.text
    assert (shown.status_code, wrong.status_code, done.status_code) == (200, 422, 303)
    assert (game.cadence["hours"], game.cadence["waking"], game.cadence["most"]) == (6, 1.5, 30)


def test_an_organiser_takes_somebody_out_of_a_season(house: House) -> None:
    """Only an organiser can; who is out is no more in the list."""
    plan = seasons.SeasonPlan(name="Spring", titles=(seasons.Title("priestsofra", 2),))
    season = seasons.announce(house.session, START, house.club.id, house.people["Alice"].id, plan)
    for name in ("Alice", "Bob"):
        seasons.enter(house.session, START, season.id, house.people[name].id)
    house.session.commit()
    path, bob = f"{house.path}/seasons/{season.slug}", house.people["Bob"].id

    refused = house.browsers["Bob"].send(path, {"act": "drop-player", "player": house.people["Alice"].id})
    done = house.browsers["Alice"].send(path, {"act": "drop-player", "player": bob}, follow=True)

    assert refused.status_code == 403
    assert f'<option value="{house.people["Alice"].id}">' in done.text
    assert f'<option value="{bob}">' not in done.text


def test_a_wrong_table_opens_nothing(house: House) -> None:
    """The line is named and the table kept for mending."""
    answer = house.browsers["Alice"].send(f"{house.path}/open", table="A,amunre,club,,Alice,Bob,Zed")

    assert answer.status_code == 422
    assert "Zed" in answer.text
    assert house.session.execute(select(Game)).first() is None


def test_a_season_from_announcement_to_start(house: House) -> None:
    """Announced by Alice, entered by both, started: one table and its game."""
    alice, bob, path = house.browsers["Alice"], house.browsers["Bob"], f"{house.path}/seasons"
    plan = {"name": "Spring", "title": "priestsofra", "system": "swiss", "rounds": "1", "workload": "2"}
    alice.send(path, {**plan, "size-priestsofra": "2"})
    season = house.session.execute(select(Season)).scalar_one()
    page = f"{path}/{season.slug}"

    for browser in (alice, bob):
        assert browser.send(page, act="enter").status_code == 303
    assert bob.send(page, act="start").status_code == 403
    alice.send(page, act="start", sure="yes")

    assert "Round 1" in bob.get(page).text
    assert house.session.execute(select(Game.title)).scalar_one().startswith("Spring, 1.1")
    assert len(seasons.table_of(house.session, season.id)) == 2


def test_a_clubs_page_begins_with_what_its_reader_can_play(house: House) -> None:
    """Their own games and free seats stand open, the newest first; of the others a dozen, the rest is folded."""
    alice, bob = house.people["Alice"], house.people["Bob"]
    for title, player in (("Bob's", bob), *((f"Alice's {n}", alice) for n in range(13))):
        GameFactory(club_id=house.club.id, people=[player], title=title)
    house.session.rollback()

    page = unescape(house.browsers["Bob"].get(house.path).text)

    open_, folded = (re.findall(r">([^<]+)</a></h3>", part) for part in page.split("<details"))
    assert (open_[0], folded) == ("Bob's", ["Alice's 1", "Alice's 0"])
    assert len(open_) == 12


def test_a_season_plays_by_the_options_of_its_form(house: House) -> None:
    """Each game's choices are chosen from its own; what can't be is named, and the season's page tells what differs."""
    alice, path = house.browsers["Alice"], f"{house.path}/seasons"
    plan = {"name": "Summer", "title": "priestsofra", "rounds": "1", "workload": "2", "size-priestsofra": "2"}
    form = alice.get(path).text
    offered = {option.name for game in GAMES for option in rules_of(game).meta.options if option.choices}
    assert {name for name in offered if f'-{name}"' not in form} == set()

    wrong = alice.send(path, {**plan, "opt-priestsofra-auctions": "shouted"})
    assert wrong.status_code == 422
    assert "shouted" in words(wrong)

    alice.send(path, {**plan, "opt-priestsofra-auctions": "in_turn", "opt-priestsofra-hide_scores": ""})
    (season,) = house.session.execute(select(Season)).scalars()
    assert season.titles[0]["options"] == {"auctions": "in_turn"}
    house.session.rollback()
    said = words(house.browsers["Bob"].get(f"{path}/{season.slug}"))
    said = re.sub(r"(\d) ?players", r" \1 players ", said)
    assert "Which games Priests of Ra ( 2 players ; auctions: in turn)" in said


def test_a_season_that_cannot_be(house: House) -> None:
    """Wrong figures are named and kept in the form."""
    answer = house.browsers["Alice"].send(f"{house.path}/seasons", name="Endless", system="swiss", rounds="99")

    assert answer.status_code == 422
    assert "1 to 40 rounds, not 99" in answer.text
    assert "at least one game" in answer.text
    assert 'value="Endless"' in answer.text


def test_a_rating_page(house: House) -> None:
    """A member without rated games has a page that says so; a stranger has none."""
    bob = house.people["Bob"]

    assert "No game counts yet" in house.browsers["Alice"].get(f"{house.path}/ratings/{bob.id}").text
    assert house.browsers["Alice"].get(f"{house.path}/ratings/{house.people['Charlie'].id}").status_code == 404


def test_a_rating_leads_to_the_games_behind_it(house: House) -> None:
    """Each line names its game and leads to the look back on it; of another club's only the result is told."""
    bob = house.people["Bob"]
    own, other = (
        GameFactory.create(club_id=club, title=title) for club, title in ((house.club.id, "Ours"), (None, "Far"))
    )
    steps = ((own, START), (other, START + timedelta(hours=1)))
    house.session.add_all(
        RatingStep(game_id=game.id, player_id=bob.id, pool="", place=2, shown=990, at=at) for game, at in steps
    )
    house.session.commit()
    page = house.browsers["Alice"].get(f"{house.path}/ratings/{bob.id}")

    assert f'<a href="/games/{own.slug}/result">Ours</a>' in page.text
    assert "in another club" in words(page)
    assert "Far" not in words(page)
    assert other.slug not in page.text


def test_services_show_their_secret_once(house: House) -> None:
    """A webhook's and a key's secret stand on the page that made them, and never again; a wrong address is named."""
    alice, page = house.browsers["Alice"], f"{house.path}/services"
    wrong = alice.send(page, act="hook", kind="raw", url="http://example.org")
    hook = alice.send(page, act="hook", kind="raw", url="https://example.org/hook")
    key = alice.send(page, act="key", name="script")

    assert wrong.status_code == 422
    assert "https://" in wrong.text
    assert 'class="code"' in hook.text
    assert "pbem_" in key.text
    assert "pbem_" not in alice.get(page).text
    assert house.browsers["Bob"].get(page).status_code == 403


def test_a_member_takes_a_free_seat(house: House) -> None:
    """The club's page offers free seats; the last one taken starts the game; a stranger gets none."""
    house.browsers["Alice"].send(f"{house.path}/open", table="Evening,priestsofra,club,,bot:random,")
    (game,) = house.session.execute(select(Game)).scalars()
    bob = house.browsers["Bob"]
    assert "1 free seat" in bob.get(house.path).text

    assert bob.send(f"{house.path}/join", page=house.path, game=game.slug).status_code == 303
    late = house.browsers["Alice"].send(f"{house.path}/join", page=f"{house.path}/members", game=game.slug)
    assert late.status_code == 409

    house.session.refresh(game)
    assert game.state == "running"


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_example_of_a_table_opens_a_game(house: House, language: str, game: str) -> None:
    """It stands in the empty field, in the reader's words: typed as it is it opens what it says."""
    alice, bob = house.people["Alice"], house.people["Bob"]
    alice.language, bob.name = language, "Ada"
    house.session.commit()
    page = house.browsers["Alice"].get(f"{house.path}/open?game={game}").text
    (example,) = re.findall(r'<textarea id="table".*?placeholder="([^"]+)"', page, re.DOTALL)

    house.browsers["Alice"].send(f"{house.path}/open", table=unescape(example))

    opened = house.session.scalars(select(Game)).one()
    assert (opened.game, opened.title, opened.state) == (game, rules_of(game).meta.title, "open")
    assert house.session.scalars(select(Invitation.player_id)).all() == [bob.id]


def test_a_seat_kept_for_somebody_isnt_offered_to_others(house: House) -> None:
    """Where every empty seat has its guest, the club's page offers nobody a seat that would be refused."""
    house.browsers["Alice"].send(f"{house.path}/open", table="Evening,priestsofra,club,,Bob,Alice")

    page = words(house.browsers["Bob"].get(house.path))

    assert "Evening" in page
    assert "free seat" not in page
    assert "Take a seat" not in page


def test_roles_and_seats_are_handed_over(house: House) -> None:
    """Alice makes Bob an organiser, and gives a seat of a game to a bot; what nobody offers is refused."""
    alice = house.browsers["Alice"]
    bob = house.people["Bob"]
    game = GameFactory.create(
        people=[bob, house.people["Charlie"]],
        bots=(),
        club_id=house.club.id,
        organiser_id=house.people["Alice"].id,
    )
    members_page, admin = f"{house.path}/members", f"/organise/{game.slug}"
    alice.send(f"{house.path}/role", page=members_page, player=str(bob.id), role="organiser")
    assert house.browsers["Bob"].get(f"{house.path}/control").status_code == 200

    assert alice.send(admin, act="replace", seat="1", who="999").status_code == 422
    assert alice.send(f"/organise/{house.game().slug}", act="replace", seat="1", who="bot:random").status_code == 403
    assert alice.send(admin, act="replace", seat="1", who="bot:random", reason="moved house").status_code == 303

    row = house.session.execute(select(Seat).where(Seat.game_id == game.id, Seat.seat == 1)).scalar_one()
    assert (row.bot, row.player_id) == ("random", None)
    assert "moved house" in alice.get(admin).text


def test_the_club_says_what_is_played_by_whom_and_calls_a_bot_by_its_colour(house: House) -> None:
    """Each game under way with its kind and players; where a bot has won its colour stands, not the program's name."""
    house.game(game="egizia")
    here, bob = near_the_end("priestsofra", 3), house.people["Bob"]
    GameFactory.create(people=[bob], bots=("heuristic", "random"), club_id=house.club.id, title="Lost", here=here)
    ended = house.session.execute(select(Game).where(Game.title == "Lost")).scalar_one()
    play_to_the_end(house.session, START, ended)

    page = house.browsers["Bob"].get(house.path)
    (line,) = (one for one in club_views.games(house.session, house.club.id, over=True))

    assert "Egizia · Alice, Bob" in words(page)
    assert [name.endswith(" bot") for name in line.players] == [False, True, True]
    assert set(line.winners) <= set(line.players)
    for shown in (words(page), club_views.results_csv(house.session, house.club.id)):
        assert line.winners[0] in shown
        assert "heuristic" not in shown
        assert "random" not in shown


def test_results_are_a_feed_for_programs_without_cookies(app: Flask, house: House) -> None:
    """Its address stands on the club's page; it opens nothing else, and dies when its owner leaves the club."""
    here, people = near_the_end("priestsofra", 2), list(house.people.values())[:2]
    GameFactory.create(people=people, bots=(), club_id=house.club.id, title="Duel & more", here=here)
    (game,) = house.session.execute(select(Game)).scalars()
    play_to_the_end(house.session, START, game)
    (address,) = re.findall(r'href="[^"]*(/feed/[^"]+\.atom)"', house.browsers["Bob"].get(house.path).text)
    reader = app.test_client()

    answer = reader.get(address)
    feed = ET.fromstring(answer.text)  # noqa: S314 - ours
    names = {"a": "http://www.w3.org/2005/Atom"}
    assert answer.mimetype == "application/atom+xml"
    assert [title.text for title in feed.findall("a:entry/a:title", names)] == ["Duel & more"]
    assert reader.get(house.path).status_code == 404
    assert reader.get(address.replace(".atom", "x.atom")).status_code == 404

    members.leave(house.session, START, house.club.id, house.people["Bob"].id)
    house.session.commit()
    assert reader.get(address).status_code == 404


def test_two_members_of_one_name_can_each_be_named(house: House) -> None:
    """The form names members by their number, so that a second Bob has a seat like the first."""
    other = PlayerFactory(name="Bob")
    house.session.add(Member(club_id=house.club.id, player_id=other.id, role="player", joined_at=START))
    house.session.commit()
    alice, path = house.browsers["Alice"], f"{house.path}/open"
    form = {"game": "priestsofra", "seats": "2", "seat-0": str(other.id), "seat-1": "bot:random"}

    shown = alice.send(path, {**form, "act": "preview"})
    assert f'<option value="{other.id}" selected>Bob' in shown.text
    assert "of the 1 member named" in words(shown)

    alice.send(path, form)
    assert house.session.execute(select(Invitation.player_id)).scalars().all() == [other.id]


def test_an_organiser_ends_a_season(house: House) -> None:
    """The button is the organiser's alone; a player who sends what it sends ends nothing."""
    path = f"{house.path}/seasons"
    plan = {"name": "Autumn", "title": "egizia", "rounds": "1", "workload": "2"}
    house.browsers["Alice"].send(path, plan)
    (season,) = house.session.execute(select(Season)).scalars()
    page = f"{path}/{season.slug}"

    assert "End the season now" not in house.browsers["Bob"].get(page).text
    assert house.browsers["Bob"].send(page, {"act": "finish"}).status_code == 403
    house.session.refresh(season)
    assert season.state == "open"
    house.browsers["Alice"].send(page, {"act": "finish", "sure": "yes"})
    house.session.refresh(season)
    assert season.state == "finished"


def _season(house: House, *, begins: bool) -> Season:
    """A season that Alice, Bob and a third enter, who drops out once it begins or is called off."""
    (third,) = PlayerFactory.create_batch(1)
    house.session.add(Member(club_id=house.club.id, player_id=third.id, role="player", joined_at=START))
    plan = seasons.SeasonPlan(name="Spring", titles=(seasons.Title("egizia", 3),), rounds=1)
    season = seasons.announce(house.session, START, house.club.id, house.people["Alice"].id, plan)
    for player in (house.people["Alice"], house.people["Bob"], third):
        seasons.enter(house.session, START, season.id, player.id)
    if begins:
        seasons.start(house.session, START, season.id)
        seasons.drop_out(house.session, START, season.id, third.id)
    else:
        seasons.finish(house.session, START, season.id)
    house.session.commit()
    return season


def test_a_seasons_page_and_the_list_count_the_same_people(house: House) -> None:
    """Who drops out once it has begun stays in the standings, marked, and in the count of both pages."""
    season, alice = _season(house, begins=True), house.browsers["Alice"]

    listed, shown = (words(alice.get(f"{house.path}/seasons{path}")) for path in ("", f"/{season.slug}"))

    assert "3 players" in listed
    assert "3 players" in shown
    assert shown.count("dropped out") == 1


def test_a_season_called_off_has_no_standings(house: House) -> None:
    """It was ended before it began: pages say so, as the letter does, and nobody came first."""
    season, alice = _season(house, begins=False), house.browsers["Alice"]

    listed, shown = (words(alice.get(f"{house.path}/seasons{path}")) for path in ("", f"/{season.slug}"))

    assert "called off" in listed
    assert "called off" in shown
    assert "Final standings" not in shown


def test_a_conflict_that_time_has_no_part_in_isnt_called_late(house: House) -> None:
    """A season that nobody has entered can't begin, late or early."""
    plan = seasons.SeasonPlan(name="Spring", titles=(seasons.Title("egizia", 2),), rounds=1)
    season = seasons.announce(house.session, START, house.club.id, house.people["Alice"].id, plan)
    house.session.commit()

    page = house.browsers["Alice"].send(f"{house.path}/seasons/{season.slug}", act="start")

    assert page.status_code == 409
    assert "That can't be done A season needs at least 2 players." in words(page)


def test_a_refusal_leads_to_a_page_that_opens(house: House) -> None:
    """Never to the page that is refused, and from an address that has no page to the nearest one above."""
    bob = house.browsers["Bob"]
    refused = (
        bob.get(f"{house.path}/settings"),
        bob.get(f"{house.path}/box/egizia"),
        bob.send(f"{house.path}/role", page=f"{house.path}/members"),
    )

    assert [page.status_code for page in refused] == [403] * 3
    for page in refused:
        assert f'class="button primary" href="{house.path}"' in page.text


def test_a_refused_table_and_a_wrong_name_stay_in_sight(house: House) -> None:
    """The fold that holds what was typed is open beside the fault."""
    alice = house.browsers["Alice"]
    table = alice.send(f"{house.path}/open", table="Evening,nothing,club,,Bob,Alice")
    name = alice.send(f"{house.path}/settings", act="close", typed="Wrong")

    assert [page.status_code for page in (table, name)] == [422, 422]
    assert 'class="fold" open><summary>Open many games' in table.text
    assert 'class="fold" open><summary>Close the club' in name.text
