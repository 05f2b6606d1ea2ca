"""Nothing on a board covers anything else, and all lettering can be read: on a phone, by day and by night."""

from __future__ import annotations

import re
from io import BytesIO
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from PIL import Image

from benchmarks.overlaps import LEAST, NAMES, Drawn, measure, positions, text
from pbem import pictures
from pbem.messages import LANGUAGES, Translator
from pbem.pictures.blocks import Block, Sheet
from pbem.pictures.elements import NIGHT, PALETTE, drawing
from pbem.pictures.png import png
from pbem.pictures.rings import numbered
from pbem.web.assets import MANIFEST
from tests.pictures.test_marks import contrast
from tests.web.test_look import palettes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.overlaps import Position

STEP = 90
"""Every so many-th position of the records; the benchmark draws them all."""
FEW = 4
"""Of these every so many-th is looked at for colours: a letter's colour goes with what it is, not with the position."""
LETTERING = re.compile(r"<text.*?</text>")
LINE = re.compile(r' y="([-0-9.]+)"')


CLASSES = re.compile(r'class="([^"]*)"')
PAINT = re.compile(r"\b[ck]-[a-z]+")
RULES = {"c": "fill", "k": "stroke"}
"""What a style sheet sets for the classes that begin so."""


@pytest.fixture(scope="module")
def drawn() -> list[Position]:
    """Positions of all games, from records that are played again once for all that is asked here."""
    return list(positions(STEP))


def test_no_marks_lettering_or_pieces_overlap(drawn: list[Position]) -> None:
    """Rings' numbers, words and seats keep clear of each other in all languages; lettering is 11 px or more."""
    found, faults = measure(drawn)

    assert found["positions"] > 60
    assert not faults
    assert found["smallest_px"] >= LEAST


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_label_is_cut_off(drawn: list[Position], language: str) -> None:
    """Every word on boards and cards, with short names of players, fits where it stands, and stands on its block."""
    say = Translator(language, names=("Anna", "Bo", "Cy", "Dora", "Emil"))
    blocks, boxes = list[Block](), dict[str, tuple[Block, ...]]()
    for where, view, told in drawn:
        game = where.partition(" ")[0]
        blocks += pictures.of(game).sheet(view, say, numbered(told).rings).blocks
        boxes[game] = boxes.get(game) or pictures.printed(game, view, say)
    cut = {
        (block.name, text)
        for block in (*blocks, *(face for faces in boxes.values() for face in faces))
        for text in LETTERING.findall(block.inside)
        if "…" in text or float(LINE.findall(text)[0]) > block.size[1]
    }

    assert cut == set()


def ground(picture: Image.Image, box: tuple[float, ...]) -> str:
    """The colour that most of a box has, as `#rrggbb`."""
    left, top, right, foot = map(round, box)
    colours = picture.crop((left, top, right, foot)).getcolors(picture.width * picture.height) or []
    _, colour = max(colours)
    return "#" + bytes(colour).hex() if isinstance(colour, tuple) else ""


def pairs(sheet: Sheet, *, night: bool) -> Iterator[tuple[str, str, str]]:
    """Of each line of lettering on a board its colour, the colour painted beneath it, and what it says."""
    palette = NIGHT if night else PALETTE
    for block in sheet.blocks:
        bare = drawing("bare", block.size, "Without words", [LETTERING.sub("", block.inside)], sheet.defs)
        picture = Image.open(BytesIO(png(bare, round(block.size[0]), night=night))).convert("RGB")
        whole = f'<svg xmlns="http://www.w3.org/2000/svg">{block.inside}</svg>'
        for node in ET.fromstring(whole).iter("{http://www.w3.org/2000/svg}text"):  # noqa: S314 - our own drawing
            line, name = text(node), node.get("class", "").removeprefix("c-")
            if line.said.strip():
                yield palette.get(name, node.get("fill", "")), ground(picture, line.box), line.said


@pytest.mark.parametrize("night", [False, True])
def test_all_lettering_stands_out_from_what_is_painted_beneath_it(drawn: list[Position], *, night: bool) -> None:
    """At least 4.5 to 1, with what changed ringed.

    This is what proves the contrast of boards. Axe, in the tests with a browser, leaves three of four of their lines
    undecided (a single letter, something drawn over another) and would pass over those in silence.
    """
    found: dict[tuple[str, str], str] = {}
    for where, view, told in drawn[::FEW]:
        sheet = pictures.of(where.partition(" ")[0]).sheet(view, Translator("en", names=NAMES), numbered(told).rings)
        for letters, beneath, said in pairs(sheet, night=night):
            found.setdefault((letters, beneath), f"{where}: {said}")

    assert len(found) > 10
    assert {said: pair for pair, said in found.items() if contrast(*pair) < 4.5} == {}


@pytest.mark.parametrize("night", [False, True])
def test_pages_paint_boards_as_pictures_do(drawn: list[Position], *, night: bool) -> None:
    """Each class of a drawing has its rule in the pages' style sheet, with the colour that pictures have.

    A class without a rule keeps its day colour at night, beneath the night's lettering.
    """
    used, words = set[str](), Translator("en", names=NAMES)
    for where, view, told in drawn:
        for block in pictures.of(where.partition(" ")[0]).sheet(view, words, numbered(told).rings).blocks:
            used.update(PAINT.findall(" ".join(CLASSES.findall(block.inside))))
    sheet = MANIFEST["css/pbem.css"].plain.decode()
    unruled = {one for one in used if f".{one} {{ {RULES[one[0]]}: var(--{one[2:]}); }}" not in sheet}
    palette = NIGHT if night else PALETTE

    assert {one[2:] for one in used} == set(PALETTE)
    assert unruled == set()
    assert {name: palettes()[night][name] for name in palette} == palette


def test_lettering_that_cannot_be_told_from_its_ground_is_found() -> None:
    """What is painted last counts: grey words on a sheet of paper can be read, the same on a grey box can't."""
    words = '<text x="10" y="30" font-size="20" fill="#5b6472">Memphis</text>'
    box = '<rect x="0" y="0" width="200" height="60" fill="#6f7783"/>'
    sheets = [Sheet("egizia", "", "", (Block("one", (200, 60), inside),)) for inside in (words, box + words)]

    found = [next(pairs(sheet, night=False)) for sheet in sheets]

    assert found == [("#5b6472", PALETTE["paper"], "Memphis"), ("#5b6472", "#6f7783", "Memphis")]


def test_an_overlap_is_found() -> None:
    """Boxes that cross by more than the slack overlap; a seat's own letter on its shape does not count."""
    ring, word = Drawn("ring", (0, 0, 24, 24)), Drawn("text", (20, 0, 60, 13), "Memphis", 18)
    seat, letter = Drawn("seat", (0, 0, 28, 28)), Drawn("text", (9, 8, 19, 21), "A", 18)

    assert ring.covers(word)
    assert seat.covers(Drawn("text", (20, 8, 60, 21), "Memphis", 18))
    assert not seat.covers(letter)
    assert not ring.covers(Drawn("text", (23, 0, 60, 13), "Memphis", 18))
