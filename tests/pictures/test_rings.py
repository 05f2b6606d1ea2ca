"""Rings round what changed, and the numbers that lead from the board to the event in words."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from benchmarks.overlaps import positions
from pbem import pictures
from pbem.engine.core.message import GONE, Event
from pbem.engine.core.rng import Rng
from pbem.engine.registry import GAMES, rules_of
from pbem.messages import Translator
from pbem.pictures.blocks import Block, Sheet, columns, composed
from pbem.pictures.elements import drawing
from pbem.pictures.rings import MOST, Highlights, Numbered, drawn, numbered

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

SAY = Translator("en", names=("Anna", "Bruno", "Chloé", "Dov", "Emre"))
PLIES = 60


def told(*marks: str) -> Event:
    """An event that touched these elements."""
    return Event("It happened.", {}, marks=marks)


def played(game: str) -> Iterator[tuple[Any, list[Event]]]:
    """The first positions of a game at its largest table, each with what led to it."""
    rules, own = rules_of(game), Rng("rings/bots", 0)
    state: Any = rules.setup(max(rules.meta.seats), {}, Rng("rings", 0)).state
    for ply in range(PLIES):
        asked = rules.awaited(state)
        events = rules.apply(state, {seat: rules.sample(state, seat, own) for seat in asked}, Rng("rings", ply + 1))
        yield rules.view(state, None), [event for event in events if event.seen_by is None]


def test_events_are_numbered_in_their_order() -> None:
    """What rings nothing has no number; each element bears the number of its event, all of one event the same."""
    found = numbered([told("lot:1", "bag"), told(), told("ra:1")])

    assert found == Numbered((1, 0, 2), (("lot:1", 1), ("bag", 1), ("ra:1", 2)))
    assert numbered([]) == Numbered((), ())


def test_an_element_belongs_to_the_last_event_that_changed_it() -> None:
    """An event whose elements others have changed since rings nothing any more."""
    assert numbered([told("bag"), told("bag", "lot:1"), told("lot:1")]).events == (0, 1, 2)


def test_at_most_six_rings_the_latest_and_weightiest() -> None:
    """Places before purses, then what came last; one event that touched everything leaves room for others."""
    events = [told(f"seat:{n}") for n in range(4)] + [told(*(f"lot:{n}" for n in range(8))), told("bag"), told("ra:1")]
    found = numbered(events)

    assert len(found.rings) == MOST
    assert [mark for mark, _ in found.rings] == ["seat:3", "lot:0", "lot:1", "lot:2", "bag", "ra:1"]
    assert found.events == (0, 0, 0, 1, 2, 3, 4)


def test_what_is_gone_is_not_ringed() -> None:
    """An event that empties a part of the board leaves no ring on what came there afterwards."""
    assert numbered([told("lot:1"), told("bag"), told(f"{GONE}lot:", "tile:0:farmer")]).rings == (
        ("bag", 1),
        ("tile:0:farmer", 2),
    )


def test_a_ring_has_its_number_once_and_what_did_not_change_has_none() -> None:
    """The ring stands with its element, the number at the end; both are nothing for what is as it was."""
    rings = Highlights("game", SAY, (("bag", 3),))

    assert rings.ring("centre", (0, 0, 1, 1)) == ""
    assert rings.links() == ""
    assert "<rect" in rings.ring("bag", (0, 0, 10, 10))
    assert rings.links().count(">3</text>") == 1


def test_numbers_never_lie_on_each_other() -> None:
    """A number goes to the next spot if the first is taken; without a free spot there is neither ring nor number."""
    rings = Highlights("game", SAY, (("a", 1), ("b", 2), ("c", 3)))
    place = (0.0, 0.0, 9.0, 9.0)

    assert rings.ring("a", place, (50, 50))
    assert rings.ring("b", place, (60, 50), (90, 50))
    assert rings.ring("c", place, (60, 50), (80, 60)) == ""
    assert rings.links().count("<a ") == 2


def test_a_number_is_a_link_with_a_title() -> None:
    """It leads to the event's place in the list, says so, and makes the drawing more than an image."""
    rings = Highlights("game", SAY, (('x"<', 2),))
    inside = rings.ring('x"<', (10, 10, 10, 10))
    block = Block("part", (300, 100), inside, links=rings.links())
    (column,) = columns(Sheet("game", "A board", "", (block,)))
    root, whole, bare = (
        ET.fromstring(svg)  # noqa: S314 - our own drawing
        for svg in (column.parts[0].svg, composed(Sheet("game", "", "", (block,))), drawing("game", (9, 9), "", []))
    )
    link = root.find("{*}a")

    assert link is not None
    assert (link.get("id"), link.get("href")) == ('game-ring-x"<', "#game-event-2")
    assert link.findtext("{*}title") == "What happened here: number 2"
    assert (root.get("role"), whole.get("role"), bare.get("role")) == ("group", "group", "img")


def test_the_numbers_of_a_board_are_found_again() -> None:
    """Each number that stands on the board, with the id of its first link."""
    rings = Highlights("game", SAY, (("a&b", 2), ("c", 2), ("d", 1)))
    inside = [rings.ring(mark, (0, at, 9, 9)) for mark, at in (("a&b", 0), ("c", 50))]

    assert drawn(drawing("game", (9, 9), "A board", [*inside, rings.links()])) == {2: "game-ring-a&b"}


@pytest.mark.parametrize("game", GAMES)
def test_numbers_on_a_board_lead_to_events(game: str) -> None:
    """In play nearly every numbered event has its ring, no link stands there twice, no number is made up."""
    wanted, there = 0, 0
    for view, events in played(game):
        found = numbered(events)
        svg = pictures.of(game).svg(view, SAY, found.rings)
        links = drawn(svg)
        wanted, there = wanted + len({number for _, number in found.rings}), there + len(links)

        assert set(links) <= set(found.events)
        assert svg.count("<a ") == len(set(links_of(svg)))

    assert wanted > PLIES / 2
    assert there >= 0.95 * wanted


THINGS = ("tile:", "lot:", "ra:", "pyramid:", "obelisk:", "grave:")
"""Beginnings of marks for places where something lies or nothing does; others show something all the time."""
STEP = 60
"""Every so many-th position of the records."""


def elements(svg: str) -> dict[str, bytes]:
    """How each element of a board is drawn."""
    root = ET.fromstring(svg)  # noqa: S314 - our own drawing
    return {node.get("data-target", ""): ET.tostring(node) for node in root.iter() if node.get("data-target")}


def test_no_ring_of_a_recorded_game_is_round_nothing() -> None:
    """Six at most, each round an element that is drawn, and round no place that is as empty as before the first ply."""
    empty: dict[str, dict[str, bytes]] = {}
    astray, seen = [], 0
    for where, view, events in positions(STEP):
        game, record, number = where.split()
        now = elements(pictures.of(game).svg(view, SAY, ()))
        if number == "0":
            empty[game] = now
        rings = numbered(events).rings
        assert len(rings) <= MOST
        seen += len(rings)
        astray += [
            f"{game} {record} {number}: {mark}"
            for mark, _ in rings
            if mark not in now or (mark.startswith(THINGS) and number != "0" and now[mark] == empty[game].get(mark))
        ]

    assert seen > 300
    assert astray == []


def links_of(svg: str) -> list[str]:
    """The ids of all links in a drawing."""
    return [node.get("id", "") for node in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}a")]  # noqa: S314 - ours
