"""The pieces that all boards are drawn with."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from pbem.engine.core.types import COLOURS
from pbem.pictures.elements import (
    DARK_ON_FILL,
    NIGHT,
    PALETTE,
    SEATS,
    box,
    drawing,
    fill,
    fill_and_stroke,
    named,
    night_style,
    seat_mark,
    text_width,
    truncated,
    words,
)


def luminance(colour: str) -> float:
    """Relative luminance of `#rrggbb` after WCAG 2."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Contrast of two colours after WCAG 2."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def parsed(inside: str) -> ET.Element:
    """The drawing of these parts, which must be sound XML."""
    return ET.fromstring(drawing("game", (100, 100), "A board", [inside]))  # noqa: S314 - our own drawing


@pytest.mark.parametrize(("palette", "name"), list(product(("day", "night"), ("ink", "muted", "accent", "danger"))))
def test_lettering_can_be_read_on_paper(palette: str, name: str) -> None:
    """Each colour that words are set in has a contrast of at least 4.5 to paper and to raised cards, day and night."""
    colours = PALETTE if palette == "day" else NIGHT

    assert contrast(colours[name], colours["paper"]) >= 4.5
    assert contrast(colours[name], colours["raised"]) >= 4.5


@pytest.mark.parametrize("name", ["sand", "gold", "field"])
def test_dark_words_can_be_read_on_fillings(name: str) -> None:
    """Sand, gold and field carry dark words, by day and by night."""
    assert contrast(DARK_ON_FILL, PALETTE[name]) >= 4.5
    assert contrast(DARK_ON_FILL, NIGHT[name]) >= 4.5


def test_paper_words_can_be_read_on_the_accent() -> None:
    """The auction's strip and the numbers of rings are paper on accent by day and by night."""
    assert contrast(PALETTE["paper"], PALETTE["accent"]) >= 4.5
    assert contrast(NIGHT["paper"], NIGHT["accent"]) >= 4.5


def test_seats_differ_by_shape_and_letter() -> None:
    """As many seats as a game can have have as many letters and shapes: no colour is needed to tell them apart."""
    marks = [parsed(seat_mark(seat, 50, 50, 20)) for seat in range(len(COLOURS))]
    shapes = {"".join(child.get("points", child.tag) for child in mark if "fill" in child.attrib) for mark in marks}

    assert ["".join(mark.itertext()).strip()[-1] for mark in marks] == list("ABCDEFGHIJ")
    assert len(shapes) == len(SEATS)


def test_shapes_carry_a_class_beside_their_colour() -> None:
    """Pages recolour by class; a letter's picture has the day colour as it stands."""
    assert fill("sand") == ' class="c-sand" fill="#e4cf9f"'
    assert fill_and_stroke("raised", "ink") == (
        ' class="c-raised k-ink" fill="#fffdf8" stroke="#1d2433" stroke-width="1.5"'
    )
    assert all(f".c-{name}{{fill:{colour}}}" in night_style() for name, colour in NIGHT.items())


def test_words_and_titles_are_escaped() -> None:
    """No name can bring markup into a drawing."""
    evil = "<script>\"&'"
    drawn = parsed(words(0, 0, evil) + named("game", 'x"y', evil, box(0, 0, 1, 1, fill("ink"))))

    assert drawn.find(".//{*}script") is None
    assert "".join(drawn.itertext()).count(evil) == 2
    assert drawn.findall(".//{*}g")[0].get("data-target") == 'x"y'


def test_lettering_is_cut_to_its_space() -> None:
    """What is too wide ends in an ellipsis and fits; what fits is left alone."""
    assert truncated("Anna", 200, 20) == "Anna"
    short = truncated("Bartholomew the Elder", 120, 20)
    assert short.endswith("…")
    assert text_width(short, 20) <= 120
    assert truncated("Anna", 0, 20) == "…"


def test_a_letter_on_a_seats_colour_can_be_read() -> None:
    """Each seat's letter has a contrast of at least 4.5 to the colour of its mark."""
    for seat, colour in enumerate(SEATS):
        letter = parsed(seat_mark(seat, 50, 50, 20)).findall(".//{*}text")[0]

        assert contrast(letter.attrib["fill"], colour) >= 4.5, seat


@pytest.mark.parametrize("file", ["pbem/web/static/css/pbem.css", "templates/mail/parts/frame.html"])
def test_every_seat_has_its_class_in_the_style_sheets(file: str) -> None:
    """Pages and letters know the class of each seat a game can have."""
    text = (Path(__file__).parents[2] / file).read_text("utf-8")

    assert [seat for seat in range(1, len(COLOURS) + 1) if f".s-{seat} {{" not in text] == []
