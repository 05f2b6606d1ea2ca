"""The boards of Egizia: complete, sound, within their width, and blind to what a reader may not see."""

from __future__ import annotations

import re
from functools import cache
from xml.etree import ElementTree as ET

import msgspec
import pytest

from pbem.bots.egizia import HEURISTIC
from pbem.engine.core.errors import InvalidOrder
from pbem.engine.core.forms import Count, Pick
from pbem.engine.core.message import Event
from pbem.engine.core.rng import Rng
from pbem.engine.egizia import RULES, data
from pbem.engine.egizia.tables import tables_of
from pbem.engine.egizia.view import View
from pbem.engine.registry import rules_of
from pbem.messages import LANGUAGES, Translator
from pbem.pictures import egizia as pictures
from pbem.pictures.egizia.shapes import crew_letters
from pbem.pictures.png import png
from pbem.pictures.rings import numbered
from tests.engine.egizia.tables import Table

NAMES = ("Anna", "Bartholomew the Third of That Name", "Chiara <b>", "Dov & Co")


class Scene(msgspec.Struct, frozen=True):
    """A moment of a game, and what led to it."""

    view: View
    events: tuple[Event, ...]


@cache
def scenes(seats: int) -> tuple[Scene, ...]:
    """Every fifth moment of a game among players who know what they do, and its last."""
    found, ply = [], 0
    state = RULES.setup(seats, {}, Rng("scenes", 0)).state
    events: tuple[Event, ...] = ()
    while asked := RULES.awaited(state):
        if ply % 5 == 0:
            found.append(Scene(RULES.view(state, next(iter(asked))), events))
        ply += 1
        given = {seat: HEURISTIC.choose(rules_of("egizia"), RULES.view(state, seat), Rng("", 0)) for seat in asked}
        events = tuple(RULES.apply(state, given, Rng("scenes", ply)))
    return (*found, Scene(RULES.view(state, 0), events))


def voice(seats: int, language: str = "en") -> Translator:
    """A reader's voice at a table of `seats`."""
    return Translator(language, "UTC", NAMES[:seats])


def targets(svg: str) -> set[str]:
    """Every element that can be named, in a drawing that must be sound XML."""
    return {name for node in ET.fromstring(svg).iter() if (name := node.get("data-target"))}  # noqa: S314 - our own


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_mark_of_an_event_is_on_the_board(seats: int) -> None:
    """What an event says it touched can be ringed."""
    seen = set()
    for scene in scenes(seats):
        rings = numbered(scene.events).rings
        seen |= {mark.partition(":")[0] for mark, _ in rings}
        assert {mark for mark, _ in rings} <= targets(pictures.svg(scene.view, voice(seats), rings))

    assert {"space", "seat", "track"} <= seen


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_choice_can_be_made_on_the_board(seats: int) -> None:
    """Each target that a form names stands on the board, for whoever is asked."""
    asked = 0
    for scene in scenes(seats):
        try:
            form = RULES.form(scene.view)
        except InvalidOrder:
            continue
        there = targets(pictures.svg(scene.view, voice(seats)))
        for field in (field for group in form.groups for field in group.fields):
            wanted = {field.target} if isinstance(field, Count) else set()
            if isinstance(field, Pick):
                wanted = {choice.target for choice in field.choices}
            asked += len(wanted - {""})
            assert wanted - {""} <= there

    assert asked > 50


@pytest.mark.parametrize("seats", [2, 4])
def test_the_drawing_keeps_to_what_pages_allow(seats: int) -> None:
    """No style, script or outside address; every id is of this game and given once; names are escaped."""
    for scene in scenes(seats)[::5]:
        svg = pictures.svg(scene.view, voice(seats), (("space:EDFU", 1), ("ring", 2), ("track", 2)))
        ids = re.findall(r' id="([^"]+)"', svg)

        assert not re.search(r"<style|<script|style=|<b>|href=\"[^#]", svg)
        assert all(name.startswith("egizia-") for name in ids)
        assert len(set(ids)) == len(ids)
        assert sorted(re.findall(r'href="#([^"]+)"', svg)) == [f"egizia-event-{number}" for number in (1, 2, 2)]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_all_lies_within_the_frame(seats: int) -> None:
    """No shape's or word's place is outside the drawing."""
    for scene in scenes(seats)[::5]:
        root = ET.fromstring(pictures.svg(scene.view, voice(seats)))  # noqa: S314 - our own drawing
        width, height = float(root.get("width", 0)), float(root.get("height", 0))
        for node in root.iter():
            x, y = (float(node.get(name, node.get("c" + name, 0))) for name in "xy")
            assert 0 <= x <= width
            assert 0 <= y <= height


def test_every_space_stone_and_market_is_named() -> None:
    """20 river spaces, 10 Obelisk, 12 graves, 21 Pyramid, 15 Temple, both markets, ring, track, each seat."""
    kinds = [name.partition(":")[0] for name in targets(pictures.svg(scenes(4)[0].view, voice(4)))]
    due = {"space": 20, "obelisk": 10, "grave": 12, "pyramid": 21, "temple": 15, "market": 2, "seat": 4}

    assert {kind: kinds.count(kind) for kind in due} == due
    assert {"ring", "track"} <= set(kinds)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_text_board_fits_its_columns(seats: int, language: str) -> None:
    """At most 72 columns in every language, whatever the names."""
    for scene in scenes(seats):
        for line in pictures.text(scene.view, voice(seats, language)).splitlines():
            assert len(line) <= 72
            assert line == line.rstrip()


@pytest.mark.parametrize("language", LANGUAGES)
def test_crews_and_fields_are_told_apart_without_colour(language: str) -> None:
    """In each language no two crews bear one letter, nor two fields: blue and black both began with B."""
    say = Translator(language, game="egizia")

    assert len(set(crew_letters([say.thing(name) for name in data.CREWS]))) == len(data.CREWS)
    assert len({say.thing(name)[:1] for name in data.COLOURS}) == len(data.COLOURS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_round_space_does_is_whole_beside_a_ship(language: str) -> None:
    """Alyl's crew and stones were cut in two languages once a ship lay there."""
    view = scenes(2)[0].view
    tables = tables_of(view.board.components)
    rounds = [space for space, kind in enumerate(tables.kind) if kind == data.ROUND]
    there = msgspec.structs.replace(view, board=msgspec.structs.replace(view.board, fleet=[rounds, []]))
    drawn = ET.fromstring(pictures.svg(there, voice(2, language)))  # noqa: S314 - our own drawing
    said = {node.get("data-target"): " ".join(node.itertext()) for node in drawn.iter()}

    marks = [tables.mark[space][0] for space in rounds]
    assert [mark for mark in marks if "\u2026" in said[mark]] == []


def test_the_picture_is_the_same_for_all_seats() -> None:
    """One picture serves many letters: it shows nobody's Sphinx cards, not even to their owner."""
    for scene in scenes(3)[::4]:
        state = RULES.imagine(scene.view, Rng("picture", 0))
        drawn = {pictures.svg(RULES.view(state, seat), voice(3)) for seat in (None, 0, 1, 2)}
        boards = {pictures.text(RULES.view(state, seat), voice(3)) for seat in (None, 0, 1, 2)}

        assert len(drawn) == len(boards) == 1


def test_own_sphinx_cards_are_told_to_their_owner_in_words() -> None:
    """`hand` tells what one keeps, has just drawn and has put under the deck; others and spectators nothing of it."""
    table = Table.position("""
        2 players
        0: stones 9, crews 5 5 5 5
        1: stones 9
    """)
    table.next("sphinx", "S20 S29 S06")
    table.building("at Sphinx: slots 0 1")
    table.do("0: sphinx 3 with blue")
    told = pictures.hand(RULES.view(table.state, 0), voice(2))
    assert told[0] == "Drawn just now: S20, S29 and S06"
    assert told[1] == "S20: points for the strength of your blue crew"
    table.do("0: keep S20, order S06 S29")

    assert pictures.hand(RULES.view(table.state, 0), voice(2)) == (
        "S20: points for the strength of your blue crew",
        "You put S06 and S29 under the deck in this order; 2 lie there still.",
    )
    assert pictures.hand(RULES.view(table.state, 1), voice(2)) == ()
    assert pictures.hand(RULES.view(table.state, None), voice(2)) == ()


def test_a_mailed_picture_is_small() -> None:
    """The PNG of a full table of four stays under 100 kB."""
    assert 10_000 < len(png(pictures.svg(scenes(4)[-2].view, voice(4)))) < 100_000
