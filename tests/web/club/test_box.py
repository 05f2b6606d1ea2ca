"""The box on a club's table: entered by hand it gives the same game as the same file, and only to that club."""

from __future__ import annotations

import io
import re
from html import unescape
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from pbem import pictures
from pbem.capabilities.tokens import tokens
from pbem.cli.demo.correspondent import Page
from pbem.engine.core.box import checked
from pbem.engine.core.rng import Rng
from pbem.engine.registry import GAMES, box_of, entries_of, rules_of
from pbem.engine.replay import digest
from pbem.extensions import settings
from pbem.letters import context, delivery, writer
from pbem.messages import LANGUAGES, Translator
from pbem.pictures import blocks
from pbem.play.admin import club_box
from pbem.store.models import Game, Seat
from tests import factories
from tests.factories import START
from tests.web.club_house import House
from tests.web.conftest import words

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient
    from flask_sqlalchemy import SQLAlchemy

    from pbem.engine.core.box import PrintedBox
    from tests.conftest import Clock

BOXED = [game for game in GAMES if box_of(game)]


def boxed(game: str) -> PrintedBox:
    """The box of a game that has one."""
    found = box_of(game)
    assert found is not None
    return found


@pytest.fixture
def house(app: Flask, db: SQLAlchemy, client: FlaskClient, clock: Clock) -> House:  # noqa: ARG001 - the client sets requests apart
    """The club, its clock standing still at the games' beginning."""
    clock.move(seconds=(START - clock.now).total_seconds())
    return House(app, db)


def altered(game: str) -> str:
    """A file of somebody's box: every number in doubt one more than ours (where that can be), all of it confirmed."""
    box = boxed(game)
    groups = box.form("")
    entered = filled(groups)
    for group in groups:
        for row in group.rows:
            for cell in row.cells:
                if not cell.confirmed and not cell.choices and cell.name not in {"n", "columns", "stone_market_sell"}:
                    numbers = [min(int(one) + 1, cell.most) for one in cell.value.split()]
                    entered[f"{row.name}.{cell.name}"] = " ".join(map(str, numbers))
    seen = frozenset(row.name for group in groups for row in group.rows)
    text: str = box.file(box.filled_in("", entered, seen))
    return text


def filled(groups: Any) -> dict[str, str]:
    """A form as it stands, by row and cell."""
    return {f"{row.name}.{cell.name}": cell.value for group in groups for row in group.rows for cell in row.cells}


def started(house: House, game: str, **wishes: Any) -> str:
    """The digest of a fresh game of the club, always of the same seed."""
    people = [house.people["Alice"], house.people["Bob"]]
    opened: Game = factories.GameFactory.create(
        game=game, people=people, bots=("cautious",), seed="same", organiser_id=people[0].id, **wishes
    )
    return digest(factories.state(house.session, opened))


@pytest.mark.parametrize("game", BOXED)
def test_a_box_entered_by_hand_gives_the_same_game_as_the_same_file(house: House, game: str) -> None:
    """By the form, by the file taken over, and as an option of one game: the same position to the last byte."""
    file, path = altered(game), f"{house.path}/box/{game}"
    box = boxed(game)
    alice, club = house.browsers["Alice"], house.club.id
    given = started(house, game, options={box.OPTION: file})
    shipped = started(house, game, club_id=club)
    rows = [row for group in box.form(file) for row in group.rows]
    typed = {f"v.{name}": value for name, value in filled(box.form(file)).items()}

    answer = alice.send(path, {**typed, "seen": [row.name for row in rows], "act": "enter"})

    assert answer.status_code == HTTPStatus.SEE_OTHER, words(answer)
    house.session.expire_all()
    by_hand = started(house, game, club_id=club)
    assert by_hand == given
    assert by_hand != shipped
    exported = alice.get(f"{path}/file").text
    assert exported == file
    alice.send(path, act="forget", sure="yes")
    house.session.expire_all()
    assert started(house, game, club_id=club) == shipped
    sent = alice.client.post(
        path,
        data={"csrf_token": alice.token(path), "act": "import", "file": (io.BytesIO(exported.encode()), "box.txt")},
    )
    assert sent.status_code == HTTPStatus.SEE_OTHER
    house.session.expire_all()
    assert started(house, game, club_id=club) == given
    assert started(house, game) == shipped  # another club's games, or nobody's, know nothing of it


@pytest.mark.parametrize("game", BOXED)
def test_glossary_and_reference_tell_the_box_that_a_game_is_played_with(house: House, game: str) -> None:
    """Its pages link to its own numbers, in three languages; a game as shipped, and every other reader, to ours."""
    box, people = boxed(game), [house.people["Alice"], house.people["Bob"]]
    wishes = {"game": game, "people": people, "bots": ("cautious",), "organiser_id": people[0].id}
    own: Game = factories.GameFactory.create(options={box.OPTION: altered(game)}, **wishes)
    shipped: Game = factories.GameFactory.create(**wishes)
    alice = house.browsers["Alice"]
    seats = {one.game_id: one.id for one in house.session.execute(select(Seat).where(Seat.seat == 0)).scalars()}

    for path in ("/seat/{seat}", "/games/{slug}"):
        pages = [alice.get(path.format(seat=seats[one.id], slug=one.slug)).text for one in (own, shipped)]
        assert [f"of={own.slug}" in page for page in pages] == [True, False], path
    for language in LANGUAGES:
        say = Translator(language, game=game)
        for kind in ("glossary", "reference"):
            path = f"/rules/{game}/{kind}?language={language}"
            told, ours = words(alice.get(f"{path}&of={own.slug}")), words(alice.get(path))
            assert say("With the numbers of the box that this game is played with.") in told
            assert told != ours == words(alice.get(f"{path}&of={shipped.slug}")) == words(alice.get(f"{path}&of=none"))
        glossary = words(alice.get(f"/rules/{game}/glossary?language={language}&of={own.slug}"))
        entries = entries_of(game, box.of(rules_of(game).view(factories.state(house.session, own), None)))
        assert all(" ".join(say(line).split()) in glossary for entry in entries for line in entry.text)


@pytest.mark.parametrize("game", BOXED)
def test_a_letters_glossary_tells_the_box_that_its_game_is_played_with(house: House, game: str) -> None:
    """In both parts of the letter that asks; a game as shipped leads to ours, and both links open."""
    people, post = [house.people["Alice"], house.people["Bob"]], delivery.mail_context(settings(), tokens())
    wishes = {"game": game, "people": people, "bots": ("cautious",), "organiser_id": people[0].id}
    found = {}
    for options in ({boxed(game).OPTION: altered(game)}, {}):
        opened: Game = factories.GameFactory.create(options=options, **wishes)
        asking = next(one for one in factories.letters(house.session, "your_turn") if one.game_id == opened.id)
        data = context.context(house.session, START, asking)
        assert data is not None
        letter = writer.preview(data, post)[0]
        urls = {
            re.sub(r"\s", "", unescape(url)).removeprefix(post.base_url)
            for part in (letter.text, letter.html)
            for url in re.findall(r"https?://[^\s\"<>]+/glossary\?[^\s\"<>]+", part)
        }
        assert len(urls) == 1
        found[opened.slug] = urls.pop()

    (own, with_own), (shipped, with_ours) = found.items()
    assert with_own.endswith(f"&of={own}")
    assert "of=" not in with_ours
    pages = [words(house.browsers["Alice"].get(url)) for url in (with_own, with_ours)]
    told = "With the numbers of the box that this game is played with."
    assert [told in page for page in pages] == [True, False], shipped


@pytest.mark.parametrize("game", BOXED)
def test_a_box_is_drawn_for_as_many_as_can_play(house: House, game: str) -> None:
    """Whatever lies on the table only then is seen, too."""
    rules, say = rules_of(game), Translator("en", game=game)
    full = rules.view(rules.setup(rules.meta.seats[-1], {}, Rng("box", 0)).state, None)
    drawing = house.browsers["Alice"].get(f"{house.path}/box/{game}/printed.svg")

    assert drawing.text == blocks.gathered(game, rules.meta.title, pictures.printed(game, full, say))


@pytest.mark.parametrize("game", BOXED)
def test_the_page_tells_what_is_in_doubt_and_draws_each_thing(house: House, game: str) -> None:
    """Every cell has a field with its value; each thing in doubt is drawn, by itself or with its group."""
    alice, path = house.browsers["Alice"], f"{house.path}/box/{game}"
    box = boxed(game)

    page = alice.get(path)

    assert page.status_code == HTTPStatus.OK
    assert len(page.data) < 100_000
    assert ("Half of Egypt" in page.text) == (game == "amunre")
    values = filled(box.form(""))
    fields = dict(re.findall(r'<input type="text"[^>]* name="v\.([^"]+)" value="([^"]*)"', page.text))
    chosen = re.findall(r'<select[^>]* name="v\.([^"]+)"', page.text)
    ticked = re.findall(r'<input type="checkbox" name="v\.([^"]+)" value="([^"]+)" checked', page.text)
    several = {name: " ".join(word for at, word in ticked if at == name) for name, _ in ticked}
    assert {name: values[name] for name in fields} == fields
    assert {name: set(values[name].split()) for name in several} == {
        name: set(w.split()) for name, w in several.items()
    }
    assert set(values) == {*fields, *chosen, *several}
    doubtful = [row for group in box.form("") for row in group.rows if not row.confirmed]
    assert page.text.count('name="seen"') == len(doubtful) > 10
    pieces = {
        piece.split('id="')[1].split('"')[0]: piece for piece in re.split(r'<fieldset\s+class="piece', page.text)[1:]
    }
    drawing = alice.get(f"{path}/printed.svg")
    assert drawing.mimetype == "image/svg+xml"
    shown = set(re.findall(r'<svg class="face"[^>]*><use\s+href="[^"#]+/printed\.svg[^"#]*#([^"]+)"', page.text))
    assert shown <= set(re.findall(r'<g id="([^"]+)"', drawing.text))
    undrawn = {row.name for row in doubtful if f'#{row.name}"' not in pieces[row.name]}
    pictured = {row.name for group in box.form("") for row in group.rows if group.name in shown}
    assert undrawn <= pictured  # on the picture of all their group


def test_slips_are_told_by_name_and_nothing_is_kept(house: House) -> None:
    """A number out of its range, a word for a number, a sum that doesn't come out; what was typed stays."""
    alice, path = house.browsers["Alice"], f"{house.path}/box/amunre"
    typed = {f"v.{name}": value for name, value in filled(boxed("amunre").form("")).items()}

    for wrong, told in (
        ({"v.Memphis.fields": "77"}, "Memphis, fields"),
        ({"v.Abu.card_limit": "two"}, "Abu, card limit"),
        ({"v.Abu.bank": "north"}, "Abu, bank of the Nile"),
        ({"s.provinces.fields": "41", "v.Memphis.fields": "3"}, "you counted 41 in all"),
    ):
        answer = alice.send(path, {**typed, **wrong, "act": "enter"})
        assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
        assert told in words(answer)
        assert all(f'value="{value}"' in unescape(answer.text) for name, value in wrong.items() if value != "north")
    house.session.expire_all()
    assert club_box.text_of(house.session, house.club.id, "amunre") == ""


def test_what_contradicts_the_rules_own_examples_is_doubted(house: House) -> None:
    """Such numbers are kept, for boxes differ, and the page says of which province the rules speak otherwise."""
    alice, path = house.browsers["Alice"], f"{house.path}/box/amunre"
    typed = {f"v.{name}": value for name, value in filled(boxed("amunre").form("")).items()}

    assert "Look once more" not in words(alice.get(path))
    alice.send(path, {**typed, "v.Berenike.income": "9", "act": "enter"})

    assert "income here: Berenike" in words(alice.get(path))


FILES = {
    "empty": b"",
    "bytes": b"\xff\xfe\x00",
    "other": b"province,fields\nAbu,3",
    "range": boxed("amunre").file("").replace("Abu,3,", "Abu,99,").encode(),
}


@pytest.mark.parametrize("file", FILES.values(), ids=FILES)
def test_a_file_that_is_none_is_refused(house: House, file: bytes) -> None:
    """One clear sentence each, also of numbers that the form wouldn't take; nothing is kept."""
    alice, path = house.browsers["Alice"], f"{house.path}/box/amunre"

    answer = alice.client.post(
        path, data={"csrf_token": alice.token(path), "act": "import", "file": (io.BytesIO(file), "box.csv")}
    )

    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert Page(answer.text).alert
    house.session.expire_all()
    assert club_box.text_of(house.session, house.club.id, "amunre") == ""


def test_only_organisers_enter_a_box_and_only_of_games_that_have_one(house: House) -> None:
    """A member finds it closed, a stranger nothing, and a game without unconfirmed prints has no such page."""
    path = f"{house.path}/box/amunre"

    assert house.browsers["Bob"].get(path).status_code == HTTPStatus.FORBIDDEN
    assert house.browsers["Charlie"].get(path).status_code == HTTPStatus.NOT_FOUND
    assert house.browsers["Alice"].get(f"{house.path}/box/priestsofra").status_code == HTTPStatus.NOT_FOUND
    assert house.browsers["Alice"].get(f"{house.path}/box/chess").status_code == HTTPStatus.NOT_FOUND
    assert 'box/egizia"' in house.browsers["Alice"].get(f"{house.path}/settings").text
    assert house.session.execute(select(Game)).first() is None


def test_every_range_holds_what_ships() -> None:
    """What comes with a game can be sent back as it stands: no cell begins out of its own range."""
    for game in BOXED:
        box = boxed(game)
        groups = box.form("")
        checked(groups, filled(groups), {})
        text = box.filled_in("", filled(groups), frozenset())
        assert box.form(text) == groups
