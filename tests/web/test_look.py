from __future__ import annotations

import re
from itertools import product

import pytest

from pbem.web.assets import MANIFEST
from tests.test_house import HOME

ROOT = re.compile(r":root \{(.*?)\n\s*\}", re.DOTALL)
TEXTS = ("ink", "muted", "accent", "accent-hover", "danger")
GROUNDS = ("paper", "raised", "wash", "danger-wash")
PAIRS = (
    *product(TEXTS, GROUNDS),
    ("on-accent", "accent"),
    ("on-accent", "accent-hover"),
    ("on-sand", "sand"),
    *((f"on-seat-{n}", f"seat-{n}") for n in range(1, 6)),
)


def palettes() -> tuple[dict[str, str], dict[str, str]]:
    """The colours by day and by night, as the style sheet has them."""
    sheet = MANIFEST["css/pbem.css"].plain.decode()
    day, night = (dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block)) for block in ROOT.findall(sheet)[:2])
    return day, day | night


def luminance(colour: str) -> float:
    """The relative luminance of `#rrggbb`, as WCAG 2 defines it."""
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_the_measure_agrees_with_wcag() -> None:
    """Black on white is 21 to 1; #777777 on white just fails 4.5."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("night", [False, True])
@pytest.mark.parametrize(("text", "ground"), PAIRS)
def test_every_pair_of_text_and_ground_is_readable(text: str, ground: str, *, night: bool) -> None:
    """At least 4.5 to 1 by day and by night."""
    palette = palettes()[night]

    assert contrast(palette[text], palette[ground]) >= 4.5


@pytest.mark.parametrize("night", [False, True])
def test_edges_of_fields_and_buttons_are_visible(*, night: bool) -> None:
    """Borders that say where a control is stand out 3 to 1."""
    palette = palettes()[night]

    assert all(contrast(palette["edge"], palette[ground]) >= 3 for ground in ("paper", "raised"))


def test_text_is_set_in_text_colours_only() -> None:
    """Water, sand, field and gold are fills: no `color:` in the style sheet names them, nor a colour of its own."""
    sheet = MANIFEST["css/pbem.css"].plain.decode()
    used = set(re.findall(r"(?<![\w-])color: ([^;}]+)", sheet))

    allowed = {f"var(--{name})" for name in ("ink", "muted", "accent", "accent-hover", "danger", "on-accent", "edge")}
    assert used <= allowed | {"inherit", "currentColor"}
    assert "var(--ink)" in used


def test_sizes_are_on_the_scale() -> None:
    """Type is 14, 16, 20, 25, 31 or 39 px at the browser's usual size; spacing sits on the 8 px grid."""
    sheet = MANIFEST["css/pbem.css"].plain.decode()
    tokens = dict(re.findall(r"--(s|m|l|xl|xxl|xxxl|u\d): ([\d.]+)rem", sheet))

    assert [float(tokens[name]) * 16 for name in ("s", "m", "l", "xl", "xxl", "xxxl")] == [14, 16, 20, 25, 31, 39]
    assert all(float(size) * 16 % 8 == 0 for name, size in tokens.items() if name.startswith("u"))


TEMPLATES = {
    str(path.relative_to(HOME / "templates")): path.read_text(encoding="utf-8")
    for path in sorted((HOME / "templates").rglob("*.html"))
}
GLUED = re.compile(
    r"[)\w] \}\}(?:\{%-?[^%]*%\})+(?:\{\{-? ?(?:say|moment|full|spelled)\b|<(?:q|b|small|span|code|time|a)\b)"
)
"""What a page says, then tags alone, then what it says next: where all of it is shown, nothing stands between."""
INSTEAD = {"else", "elif", "macro", "endmacro", "block", "endblock", "set"}
"""Tags between two texts of which a page shows one, or that stand in different places of it."""


@pytest.mark.parametrize("template", sorted(TEMPLATES))
def test_no_two_sentences_are_glued_together(template: str) -> None:
    """The end of a line after a tag is dropped: a sentence that may be followed by another ends with a space."""
    shown = re.sub(r"%\}\n", "%}", TEMPLATES[template])
    found = [one.group() for one in GLUED.finditer(shown)]

    assert [one for one in found if not INSTEAD & set(re.findall(r"\{%-? *(\w+)", one))] == []


COLON = re.compile(r"(?:[}%]\}|</\w+>):(?=[\s<])")
"""What a page or letter says, then a colon of the template's own."""


def test_no_colon_is_set_without_asking_the_language() -> None:
    """French has a space before it: what heads a line is said by `{heading}:`, in pages and letters."""
    files = [*(HOME / "templates").rglob("*.html"), *(HOME / "templates").rglob("*.txt")]
    found = {str(file.relative_to(HOME)): COLON.findall(file.read_text(encoding="utf-8")) for file in files}

    assert len(found) > 100
    assert {file: colons for file, colons in found.items() if colons} == {}


FOLD = re.compile(r"<details((?:\{%.*?%\}|[^>])*)>((?:(?!<details).)*?)</details>", re.DOTALL)
"""A fold, its tag's rest and what it holds, without the folds in it."""
FIELD = re.compile(r'<(?:input(?! type="hidden")|textarea|select)\b|\b(?:option_field|any|line|piece)\(|entry\(row')
STAYS_SHUT = {
    "pages/control.html": "a name that can't be kept is refused on a page of its own, with the field",
    "pages/history.html": "its form is answered by the seat's settings, whose fold opens",
    "pages/learn.html": "one address, asked for again on a page of its own",
    "parts/fields.html": "what its form's orders don't need; a refused answer opens the order as text",
}
"""Folds with fields that stay shut when their form is refused, and why."""


@pytest.mark.parametrize("template", sorted(TEMPLATES))
def test_a_refused_forms_fold_stands_open(template: str) -> None:
    """What was typed is in sight beside the fault, not in a fold that shut behind it."""
    folds = [(rest, held) for rest, held in FOLD.findall(TEMPLATES[template]) if FIELD.search(held)]

    assert [held for rest, held in folds if "open" not in rest and template not in STAYS_SHUT] == []
