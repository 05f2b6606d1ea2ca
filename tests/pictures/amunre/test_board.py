"""The boards of Amun-Re: complete, sound, within their width, and blind to what a reader may not see."""

from __future__ import annotations

import re
from functools import cache
from html import unescape
from statistics import median
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import msgspec
import pytest

from pbem.bots.players import bot_of
from pbem.engine.amunre import RULES
from pbem.engine.amunre.data import PROVINCES
from pbem.engine.core.forms import Count, Pick
from pbem.engine.core.rng import Rng
from pbem.messages import LANGUAGES, Translator
from pbem.pictures import amunre as pictures
from pbem.pictures.png import png
from pbem.pictures.rings import numbered

if TYPE_CHECKING:
    from pbem.engine.amunre.state import State
    from pbem.engine.amunre.view import View
    from pbem.engine.core.message import Event

NAMES = ("Anna", "Bartholomew the Third of That Name", "Chiara", "Dov <b>", "Emmanuelle & Co")
HIDDEN = {"gold": "hidden", "hand_counts": "hidden"}


class Scene(msgspec.Struct, frozen=True):
    """A moment of a game, as the first seat asked sees it, and what led to it."""

    state: State
    view: View
    events: tuple[Event, ...]


@cache
def scenes(seats: int, hidden: int = 0) -> tuple[Scene, ...]:
    """Every fifth moment of a game among players who know what they do, and its last."""
    bot, chance, found = bot_of("amunre", "heuristic"), Rng("bots", 0), []
    state = RULES.setup(seats, HIDDEN if hidden else {}, Rng("scenes", 0)).state
    events: tuple[Event, ...] = ()
    ply = 0
    while asked := RULES.awaited(state):
        if ply % 5 == 0:
            found.append(Scene(RULES.copy(state), RULES.view(state, min(asked)), events))
        ply += 1
        orders = {seat: bot.choose(RULES, RULES.view(state, seat), chance) for seat in asked}
        events = tuple(RULES.apply(state, orders, Rng("scenes", ply)))  # type: ignore[arg-type]  # this game's orders
    return (*found, Scene(state, RULES.view(state, 0), events))


def voice(seats: int, language: str = "en") -> Translator:
    """A reader's voice at a table of `seats`."""
    return Translator(language, "UTC", NAMES[:seats])


def targets(svg: str) -> set[str]:
    """Every element that can be named, in a drawing that must be sound XML."""
    return {name for node in ET.fromstring(svg).iter() if (name := node.get("data-target"))}  # noqa: S314 - our own


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_every_mark_of_an_event_is_on_the_board(seats: int) -> None:
    """What an event says it touched can be ringed, and is."""
    ringed = 0
    for scene in scenes(seats):
        rings = numbered(scene.events).rings
        svg = pictures.svg(scene.view, voice(seats), rings)

        assert {mark for mark, _ in rings} <= targets(svg)
        assert svg.count("<a ") == len(rings)
        ringed += len(rings)
    assert ringed > 30


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_choices_can_be_made_on_the_board(seats: int) -> None:
    """Every province a form names stands on the board, and of each province the lowest bids."""
    asked = 0
    for scene in scenes(seats):
        there = targets(pictures.svg(scene.view, voice(seats)))
        for group in RULES.form(scene.view).groups:
            for field in group.fields:
                wanted = {field.target} if isinstance(field, Count) else set()
                if isinstance(field, Pick):
                    wanted = {choice.target for choice in field.choices}
                bids = {target for target in wanted if target.startswith("bid:")}
                asked += len(wanted - {""})
                assert wanted - {""} - bids <= there
                if bids:
                    assert len(bids & there) >= len(scene.view.shown)
    assert asked > 50


@pytest.mark.parametrize("seats", [3, 5])
def test_the_drawing_keeps_to_what_pages_allow(seats: int) -> None:
    """No style, script or address; every id is of this game and given once; names are escaped."""
    for scene in scenes(seats)[::5]:
        rings = (("province:Memphis", 1), ("temple", 2), ("seat:1", 3), ("deck", 3), ("board", 4))
        svg = pictures.svg(scene.view, voice(seats), rings)
        ids = re.findall(r' id="([^"]+)"', svg)

        assert not re.search(r"<style|<script|style=|<b>|href=\"[^#]", svg)
        assert all(name.startswith("amunre-") for name in ids)
        assert len(set(ids)) == len(ids)
        assert set(re.findall(r'href="#([^"]+)"', svg)) == {f"amunre-event-{number}" for number in (1, 2, 3, 4)}


def test_all_lies_within_the_frame() -> None:
    """No shape begins outside the drawing."""
    for scene in scenes(5)[::3]:
        root = ET.fromstring(pictures.svg(scene.view, voice(5)))  # noqa: S314 - our own drawing
        width, height = float(root.get("width", 0)), float(root.get("height", 0))
        for node in root.iter():
            x, y = (float(node.get(name, node.get("c" + name, 0))) for name in "xy")
            begins = re.match(r"M([\d.-]+) ([\d.-]+)", node.get("d", "M0 0"))
            assert begins
            assert 0 <= max(x, float(begins[1])) <= width
            assert 0 <= max(y, float(begins[2])) <= height


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_text_board_fits_its_columns(seats: int, language: str) -> None:
    """At most 72 columns in every language, whatever the names."""
    for scene in scenes(seats):
        for line in pictures.text(scene.view, voice(seats, language)).splitlines():
            assert len(line) <= 72
            assert line == line.rstrip()


@pytest.mark.parametrize("hidden", [0, 1])
def test_the_picture_is_the_same_for_all_seats(hidden: int) -> None:
    """One picture serves many letters: it shows what everybody may see, also where purses are hidden."""
    for scene in scenes(4, hidden)[::4]:
        views = [RULES.view(scene.state, seat) for seat in (None, 0, 1, 2, 3)]
        assert len({pictures.svg(view, voice(4)) for view in views}) == 1
        assert len({pictures.text(view, voice(4)) for view in views}) == 1
        assert len({pictures.alt(view, voice(4)) for view in views}) == 1


def test_hidden_purses_are_told_to_their_owner_only() -> None:
    """The text leaves gold and cards out; `hand` tells one's own."""
    scene = scenes(4, 1)[3]
    view = scene.view
    assert view.seat is not None

    assert " gold," not in pictures.text(view, voice(4))
    assert f"You have {view.gold[view.seat]} gold." in pictures.hand(view, voice(4))
    assert pictures.hand(RULES.view(scene.state, None), voice(4)) == ()


def test_the_hand_is_told_in_words() -> None:
    """Cards by name and number, the cards drawn for a draft, and what one put on the deck."""
    state = RULES.setup(4, {"card_draft": "on"}, Rng("hand", 0)).state
    state.hands[0] = [0, 0, 0, 2, 0, 1, 0, 0, 0, 0, 0, 0]
    assert pictures.hand(RULES.view(state, 0), voice(4)) == (
        "Your cards: architect \N{MULTIPLICATION SIGN}2 and eight gold.",
    )
    state.hands[0] = [0] * 12
    state.top, state.top_known, state.keeps[0] = [0, 1], [0, 0], [8]
    assert pictures.hand(RULES.view(state, 0), voice(4)) == (
        "You have no power cards.",
        "You put on the deck, the top one first: rebid and block.",
        "You keep from the next scoring: farmers bonus.",
    )


def test_many_pyramids_and_farmers_are_told_as_figures() -> None:
    """Seven fields and ten pyramids still fit into a province's box, in the size of its other numbers."""
    state = RULES.setup(4, {}, Rng("many", 0)).state
    state.pyramids[PROVINCES.index("Mendes")] = 11
    state.ground[PROVINCES.index("Mendes")] = 3
    state.owner[PROVINCES.index("Mendes")] = 0
    svg = pictures.svg(RULES.view(state, None), voice(4))

    figures = re.findall(r'<text [^>]*font-size="(\d+)"[^>]*>(\N{MULTIPLICATION SIGN}11|0/6 \+3)<', unescape(svg))
    assert sorted(figures) == [("18", "0/6 +3"), ("18", "\N{MULTIPLICATION SIGN}11")]


def test_mailed_pictures_are_small() -> None:
    """The median PNG of a game of four stays under 60 kB."""
    sizes = [len(png(pictures.svg(scene.view, voice(4)))) for scene in scenes(4)[::4]]
    assert 10_000 < median(sizes) < 60_000
