"""The sign of each tile face, drawn once in a box of 32 by 32 and used wherever the face lies."""

from __future__ import annotations

from functools import cache

from pbem.pictures.elements import DARK_ON_FILL, fill, fill_and_stroke, memoized, stroke
from pbem.pictures.renderer import path

SIZE = 32

_THIN = stroke("ink", 2) + ' stroke-linecap="round" stroke-linejoin="round"'


_LETTERS = {
    "A": "M11 23L16 10L21 23M13 18.5h6",
    "B": "M12 10.2v12.6h4.5q4.5 0 4.5-3.3t-4.5-3.3h-4.5M16 16.2q4 0 4-3t-4-3h-4",
    "C": "M21 11.7q-2-1.7-4.3-1.7q-5.7 0-5.7 6.5t5.7 6.5q2.3 0 4.3-1.7",
    "D": "M12 10.2h3.5q6 0 6 6.3t-6 6.3h-3.5z",
}
"""Chambers' letters as lines: a sign is drawn in many sizes, and words in one."""


def _chamber(letter: str, paint: str, dark: bool) -> str:  # noqa: FBT001 - which ink the letter takes
    colour = DARK_ON_FILL if dark else "#ffffff"
    return f'<rect x="2" y="4" width="28" height="24" rx="2"{fill_and_stroke(paint, "ink", 2)}/>' + path(
        _LETTERS[letter], f' fill="none" stroke="{colour}" stroke-width="2.6"'
    )


CHAMBER_PAINT = (("sand", True), ("water", False), ("field", True), ("gold", True))
"""Fill of chambers A to D, and whether their letter is dark."""


DRAWN = {
    # an ear of corn
    "farmer": path("M16 30V6", _THIN)
    + "".join(
        f'<ellipse cx="{x}" cy="{y}" rx="3" ry="5.2" transform="rotate({turn} {x} {y})"{fill("gold")}/>'
        for x, y, turn in ((11, 9, -32), (21, 9, 32), (11, 16, -32), (21, 16, 32), (16, 5, 0))
    ),
    # a shield before a spear
    "warrior": (
        path("M26 2V30M26 2l-3 5h6z", _THIN)
        + path("M4 9q9-6 18 0v11q0 8-9 11q-9-3-9-11z", fill_and_stroke("danger", "ink", 2))
        + f'<circle cx="13" cy="17" r="3.5"{fill("paper")}/>'
    ),
    # a pair of scales
    "merchant": (
        path("M16 4V27M9 29h14M4 8h24M4 8l-3 10M4 8l3 10M28 8l-3 10M28 8l3 10", _THIN)
        + path("M0 18h8q-1 5-4 5t-4-5z", fill("gold"))
        + path("M24 18h8q-1 5-4 5t-4-5z", fill("gold"))
    ),
    # a scroll and a reed
    "scribe": (
        path("M6 5h15v22H6z", fill_and_stroke("sand", "ink", 2))
        + path("M9.5 11h8M9.5 16h8M9.5 21h5", f' fill="none" stroke="{DARK_ON_FILL}" stroke-width="2"')
        + path("M29 3L20 23l-1 6l4-4L31 5z", fill_and_stroke("field", "ink", 1.5))
    ),
    # a beehive of clay
    "granary": path("M3 29q0-25 13-25t13 25z", fill_and_stroke("sand", "ink", 2))
    + path("M12 29v-8q4-5 8 0v8z", f' fill="{DARK_ON_FILL}"'),
    # a wall with battlements
    "fortress": path("M2 30V7h6v5h5V7h6v5h5V7h6v23z", fill_and_stroke("line", "ink", 2))
    + path("M12 30v-8q4-5 8 0v8z", fill("ink")),
    # a stall under an awning
    "market": path("M5 14v16M27 14v16M3 22h26", _THIN)
    + "".join(
        path(f"M{x} 4h5v8q-2.5 4-5 0z", fill_and_stroke(paint, "ink", 1.5))
        for x, paint in ((3.5, "water"), (8.5, "raised"), (13.5, "water"), (18.5, "raised"), (23.5, "water"))
    ),
    # scrolls in a rack, from their ends
    "library": "".join(
        f'<circle cx="{x}" cy="{y}" r="4.6"{fill_and_stroke("sand", "ink", 2)}/>'
        f'<circle cx="{x}" cy="{y}" r="1.3" fill="{DARK_ON_FILL}"/>'
        for x, y in ((7, 25), (16, 25), (25, 25), (11.5, 17), (20.5, 17), (16, 9))
    )
    + path("M1 31h30", _THIN),
    **{f"chamber-{letter}": _chamber(letter, *paint) for letter, paint in zip("ABCD", CHAMBER_PAINT, strict=True)},
    # a pyramid, one side in the light
    "pyramid": path("M16 3L31 29H1z", fill_and_stroke("sand", "ink", 2)) + path("M16 3L31 29H20z", fill("gold")),
    # a staff-bearer in a long robe
    "priest": (
        f'<circle cx="14" cy="7" r="5"{fill_and_stroke("sand", "ink", 2)}/>'
        + path("M14 13q7 0 9 17H5q2-17 9-17z", fill_and_stroke("raised", "ink", 2))
        + path("M8 30L19 15", stroke("accent", 3))
        + path("M28 30V8q0-5-4-4", _THIN)
    ),
    # a locust from above
    "plague": (
        path("M10 12L3 7M10 17H2M10 22l-7 5M22 12l7-5M22 17h8M22 22l7 5M13 5L10 1M19 5l3-4", _THIN)
        + f'<ellipse cx="16" cy="18" rx="6.5" ry="11"{fill_and_stroke("danger", "ink", 1.5)}/>'
        + f'<circle cx="16" cy="7" r="4"{fill("ink")}/>'
        + path("M16 12v17", ' class="k-paper" fill="none" stroke="#faf7f0" stroke-width="1.5"')
    ),
    "ankh": path("M16 14q-7-5-5-10q2-3 5-3t5 3q2 5-5 10zM16 14v16M7 17h18", stroke("accent", 3.5)),
}
"""Each sign by the name of its face, spaces as hyphens, and `ankh`."""


@cache
def symbols() -> str:
    """Return the definitions of all signs, for the head of a drawing."""
    return "".join(
        f'<symbol id="priestsofra-{key}" viewBox="-1 -1 {SIZE + 2} {SIZE + 2}">{sign}</symbol>'
        for key, sign in DRAWN.items()
    )


@memoized
def sign(key: str, x: float, y: float, size: float) -> str:
    """One sign with its upper left corner at (x, y); `key` is a face's name, spaces as hyphens, or `ankh`."""
    return f'<use href="#priestsofra-{key}" x="{x:g}" y="{y:g}" width="{size:g}" height="{size:g}"/>'
