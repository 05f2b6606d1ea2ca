"""Drawings as PNG, and their words."""

from __future__ import annotations

from io import BytesIO
from threading import Thread

import pytest
from PIL import Image, ImageChops, ImageStat

from pbem.pictures import png as renderer
from pbem.pictures.elements import DARK_ON_FILL, NIGHT, PALETTE, box, drawing, fill, named, words
from pbem.pictures.lettering import font, line, taken_out
from pbem.pictures.png import png


def board(*parts: str) -> str:
    """A drawing of 100 by 50 with these parts on it."""
    return drawing("game", (100, 50), "A board", parts)


def opened(made: bytes) -> Image.Image:
    """A PNG in full colour."""
    return Image.open(BytesIO(made)).convert("RGB")


def rgb(colour: str) -> tuple[int, ...]:
    """`#rrggbb` as three numbers."""
    return tuple(bytes.fromhex(colour[1:]))


def colours(made: bytes) -> set[object]:
    """All colours of a PNG."""
    return {colour for _, colour in opened(made).getcolors() or ()}


def inked(picture: Image.Image) -> tuple[int, int]:
    """The first and last column that isn't paper."""
    paper = rgb(PALETTE["paper"])
    columns = [x for x in range(picture.width) if any(picture.getpixel((x, y)) != paper for y in range(picture.height))]
    return columns[0], columns[-1]


def test_a_drawing_becomes_a_png_of_the_width_asked() -> None:
    """The PNG has the width asked for and the drawing's shape."""
    made = png(board(words(5, 30, "Ra", 20)), 300)

    assert made.startswith(b"\x89PNG")
    assert (int.from_bytes(made[16:20]), int.from_bytes(made[20:24])) == (300, 150)


@pytest.mark.parametrize("name", list(PALETTE))
def test_colours_stay_exactly_what_they_are(name: str) -> None:
    """Paper and the cards on it, and each colour of the palette, are in the picture what they are on the page."""
    svg = board(box(20, 10, 60, 30, fill(name)), words(25, 30, "Memphis", 12))

    assert opened(png(svg)).getpixel((3, 3)) == rgb(PALETTE["paper"])
    assert opened(png(svg, 100)).getpixel((75, 15)) == rgb(PALETTE[name])
    assert opened(png(svg, 100, night=True)).getpixel((75, 15)) == rgb(NIGHT[name])


def test_words_stand_where_they_are_anchored() -> None:
    """A line begins, is centred or ends at its place, within a pixel or two of its letters' own white."""
    left = inked(opened(png(board(words(10, 30, "Edfu", 20)), 100)))
    middle = inked(opened(png(board(words(50, 30, "Edfu", 20, anchor="middle")), 100)))
    right = inked(opened(png(board(words(90, 30, "Edfu", 20, anchor="end")), 100)))

    assert 10 <= left[0] <= 13
    assert 87 <= right[1] <= 90
    assert abs((middle[0] + middle[1]) / 2 - 50) <= 1.5
    assert left[1] - left[0] == pytest.approx(right[1] - right[0], abs=1)


def test_words_are_taken_out_with_their_place() -> None:
    """Each line is taken out of its drawing with its colour, at the place to which groups move it, unescaped."""
    within = f'<g transform="translate(3 4)"><a><g>{words(5, 40, "Ra", 20, anchor="end", serif=True)}</g></a></g>'
    shapes, found = taken_out(
        board(words(5, 30, "A & B", 20, colour="danger"), within, words(1, 2, "3", colour="dark"))
    )

    assert "<text" not in shapes
    assert found == [
        (5.0, 30.0, 0.0, "NotebookSans-Regular", 20, "danger", PALETTE["danger"], "A & B"),
        (8.0, 44.0, 1.0, "NotebookSerif-SemiBold", 20, "ink", PALETTE["ink"], "Ra"),
        (1.0, 2.0, 0.0, "NotebookSans-Regular", 20, None, PALETTE["ink"], "3"),
    ]


@pytest.mark.parametrize(
    "group",
    [
        '<g transform="scale(.5)">',
        '<g transform="rotate(4 5 5)">',
        '<g transform="translate(1 1)" opacity="1">',
        '<g opacity="0.2">',
    ],
)
def test_words_that_are_more_than_moved_are_refused(group: str) -> None:
    """A line that a group would turn, scale or fade is not set as if it didn't."""
    with pytest.raises(ValueError, match="Words are only moved"):
        png(board(f"{group}<g>{words(5, 30, 'Ra')}</g></g>"))


def test_words_are_lettered_in_their_colour_by_day_and_by_night() -> None:
    """A line has its own colour, at night the night's; one on a filling keeps its own."""
    plain, fixed = (board(words(5, 40, "II", 40, weight=600, colour=colour)) for colour in ("accent", "dark"))

    assert rgb(PALETTE["accent"]) in colours(png(plain, 200))
    assert rgb(NIGHT["accent"]) in colours(png(plain, 200, night=True))
    assert rgb(DARK_ON_FILL) in colours(png(fixed, 200, night=True))


def test_words_wider_than_the_picture_end_at_its_edge() -> None:
    """A long line is cut off by the picture's edge, and nothing fails."""
    first, last = inked(opened(png(board(words(-20, 30, "Edfu" * 40, 20)), 100)))

    assert first <= 3
    assert last == 99


def test_a_line_as_large_as_the_board_leaves_it_as_it_is() -> None:
    """Lettering that is drawn for the first time, on a canvas of the board's own size, doesn't take its place."""
    svg = drawing("game", (256, 32), "A board", [box(0, 0, 256, 32, fill("water")), words(40, 20, "Hierakonpolis", 20)])
    renderer._line.cache_clear()

    first, again = (opened(png(svg, 256)) for _ in range(2))

    assert first.getpixel((10, 16)) == rgb(PALETTE["water"])
    assert ImageChops.difference(first, again).getbbox() is None


def test_letters_are_set_with_their_kerning() -> None:
    """`T` and `o` stand closer together than their widths add up to."""
    together, apart = line("NotebookSans-Regular", "To")[1], [line("NotebookSans-Regular", one)[1] for one in "To"]

    assert font("NotebookSans-Regular").face.upem * 0.3 < together < sum(apart)


def test_a_title_is_not_drawn() -> None:
    """What a title says, a player's name perhaps, doesn't reach the renderer and changes nothing."""
    plain, telling = (
        board(named("game", "seat:1", title, box(9, 9, 9, 9, fill("ink")))) for title in ("", "Zoë & <Ra>")
    )

    assert png(plain) == png(telling)


def test_a_font_that_is_not_the_houses_is_refused() -> None:
    """A drawing with another font doesn't lose its words in silence."""
    with pytest.raises(KeyError, match="Comic"):
        taken_out(board(words(5, 30, "Ra").replace("Notebook Sans", "Comic")))


def test_a_drawing_without_a_size_is_refused() -> None:
    """What `marks.drawing` didn't begin is named in the error."""
    with pytest.raises(ValueError, match="begins with its width and height"):
        png("<svg><rect/></svg>")


def test_soft_edges_are_a_step_between_the_colours_they_part() -> None:
    """A circle's edge on paper, raised cards and the sea has no pixel further than a step from what was drawn."""
    grounds = "".join(box(33 * place, 0, 34, 50, fill(name)) for place, name in enumerate(("paper", "raised", "water")))
    svg = board(grounds, *(f'<circle cx="{x}" cy="25" r="14"{fill("ink")}/>' for x in (16, 50, 83)))
    with renderer._ONE_AT_A_TIME:
        smooth = renderer._drawn(svg, 400, 200).convert("RGB").crop((0, 0, 400, 200))

    furthest = ImageStat.Stat(ImageChops.difference(opened(png(svg, 400)), smooth)).extrema

    assert max(high for _, high in furthest) <= 255 / renderer.STEPS


def test_letters_look_as_with_smooth_edges(monkeypatch: pytest.MonkeyPatch) -> None:
    """The few steps of a letter's edge are the same letter to the eye: on average less than 0.4 of 255 shades apart."""
    svg = board(words(5, 20, "Memphis", 20), words(5, 40, "Alexandria", 18, colour="muted"))
    stepped = opened(png(svg, 600)).convert("L")
    monkeypatch.setattr(renderer, "_SHADES", list(range(256)))
    renderer._line.cache_clear()

    smooth = opened(png(svg, 600)).convert("L")
    renderer._line.cache_clear()

    assert 0 < ImageStat.Stat(ImageChops.difference(stepped, smooth)).mean[0] < 0.4


def test_pictures_are_drawn_alike_in_threads_at_once() -> None:
    """Two threads that draw many boards at once get what one alone gets."""
    svgs = [board(words(5, 30, f"Thebes {number}", 14), box(number, 5, 9, 9, fill("gold"))) for number in range(40)]
    alone = [png(svg) for svg in svgs]
    found: dict[int, list[bytes]] = {}

    def draw(who: int) -> None:
        found[who] = [png(svg) for svg in svgs]

    threads = [Thread(target=draw, args=(who,)) for who in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert found == {0: alone, 1: alone}
