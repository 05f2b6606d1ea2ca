"""The boards of Priests of Ra: complete, sound, within their width, and blind to what a reader may not see."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import msgspec
import pytest

from pbem.bots.players import bot_of
from pbem.engine.core.errors import InvalidOrder
from pbem.engine.core.forms import Count, Pick
from pbem.engine.core.rng import Rng
from pbem.engine.priestsofra import RULES
from pbem.engine.priestsofra.data import CHAMBERS, FACES, PYRAMID
from pbem.messages import LANGUAGES, Translator
from pbem.pictures import priestsofra as pictures
from pbem.pictures.png import png
from pbem.pictures.rings import numbered

if TYPE_CHECKING:
    from pbem.engine.core.message import Event
    from pbem.engine.priestsofra.view import View

NAMES = ("Anna", "Bartholomew the Third of That Name", "Chiara", "Dov <b>", "Emmanuelle & Co")
BUILT = {FACES[face].replace(" ", "-") for face in (PYRAMID, *CHAMBERS)}


class Scene(msgspec.Struct, frozen=True):
    """A moment of a game, and what led to it."""

    view: View
    events: tuple[Event, ...]


@cache
def scenes(seats: int, hide: str = "no") -> tuple[Scene, ...]:
    """Every seventh moment of a game among players who know what they do, and its last."""
    bot, chance, found = bot_of("priestsofra", "heuristic"), Rng("bots", 0), []
    state = RULES.setup(seats, {"hide_scores": hide}, Rng("scenes", 0)).state
    ply = 0
    events: tuple[Event, ...] = ()
    while asked := RULES.awaited(state):
        (seat,) = asked
        view = RULES.view(state, seat)
        if ply % 7 == 0:
            found.append(Scene(view, events))
        ply += 1
        order = RULES.read(state, seat, str(bot.choose(RULES, view, chance)))
        events = tuple(RULES.apply(state, {seat: order}, Rng("scenes", ply)))
    return (*found, Scene(RULES.view(state, 0), events))


def voice(seats: int, language: str = "en") -> Translator:
    """A reader's voice at a table of `seats`."""
    return Translator(language, "UTC", NAMES[:seats])


def targets(svg: str) -> set[str]:
    """Every element that can be named, in a drawing that must be sound XML."""
    return {name for node in ET.fromstring(svg).iter() if (name := node.get("data-target"))}  # noqa: S314 - our own


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_every_mark_of_an_event_is_on_the_board(seats: int) -> None:
    """What an event says it touched can be ringed; only pyramid blocks that were turned away may be gone."""
    for scene in scenes(seats):
        rings = numbered(scene.events).rings
        svg = pictures.svg(scene.view, voice(seats), rings)
        gone = {mark for mark in {mark for mark, _ in rings} - targets(svg) if mark.rsplit(":", 1)[-1] not in BUILT}

        assert gone == set()


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
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


@pytest.mark.parametrize("seats", [2, 5])
def test_the_drawing_keeps_to_what_pages_allow(seats: int) -> None:
    """No style, script or outside address; every id is of this game and given once; names are escaped."""
    for scene in scenes(seats)[::5]:
        svg = pictures.svg(scene.view, voice(seats), (("lot:1", 1), ("bag", 2)))
        ids = re.findall(r' id="([^"]+)"', svg)

        assert not re.search(r"<style|<script|style=|<b>|href=\"[^#]", svg)
        assert all(name.startswith("priestsofra-") for name in ids)
        assert len(set(ids)) == len(ids)
        assert set(re.findall(r'href="#([^"]+)"', svg)) <= {*ids, "priestsofra-event-1", "priestsofra-event-2"}
        assert svg.count("<a ") == 2


def test_all_lies_within_the_frame() -> None:
    """No shape's place is outside the drawing."""
    for scene in scenes(5)[::5]:
        root = ET.fromstring(pictures.svg(scene.view, voice(5)))  # noqa: S314 - our own drawing
        width, height = float(root.get("width", 0)), float(root.get("height", 0))
        for node in root.iter():
            if node.tag.endswith("symbol"):
                node.clear()
        for node in root.iter():
            x, y = (float(node.get(name, node.get("c" + name, 0))) for name in "xy")
            assert 0 <= x <= width
            assert 0 <= y <= height


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_text_board_fits_its_columns(seats: int, language: str) -> None:
    """At most 72 columns in every language, whatever the names."""
    for scene in scenes(seats):
        for line in pictures.text(scene.view, voice(seats, language)).splitlines():
            assert len(line) <= 72
            assert line == line.rstrip()


def test_the_picture_is_the_same_for_all_seats() -> None:
    """One picture serves many letters: with hidden scores it shows nobody's points, not even to their owner."""
    for scene in scenes(3, "yes")[::6]:
        state = RULES.imagine(scene.view, Rng("picture", 0))
        drawn = {pictures.svg(RULES.view(state, seat), voice(3)) for seat in (None, 0, 1, 2)}

        assert len(drawn) == 1


def test_hidden_points_are_told_to_their_owner_in_words() -> None:
    """`hand` tells a seat its own points while they are hidden; nobody else, and not after the end."""
    middle, last = scenes(3, "yes")[5].view, scenes(3, "yes")[-1].view
    assert middle.seat is not None
    points = middle.points[middle.seat]

    assert pictures.hand(middle, voice(3)) == (f"You have {points} points; the others don't see them.",)
    assert pictures.hand(msgspec.structs.replace(middle, seat=None), voice(3)) == ()
    assert pictures.hand(last, voice(3)) == pictures.hand(scenes(3)[5].view, voice(3)) == ()
    assert "? points" in pictures.text(middle, voice(3))


def test_a_mailed_picture_is_small() -> None:
    """The PNG of a full table of five stays under 100 kB."""
    assert 10_000 < len(png(pictures.svg(scenes(5)[-2].view, voice(5)))) < 100_000
