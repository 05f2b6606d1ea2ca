"""The small tools of the letters' templates."""

from __future__ import annotations

import textwrap

from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.render import TEXT_WIDTH, columns, wrap

PIECES = st.sampled_from(["a", "word", "- ", " ", "  ", "\t", "\n", "\N{NO-BREAK SPACE}", "é", "x" * 40])


@given(st.lists(PIECES, max_size=40).map("".join), st.sampled_from([0, 2, 8]), st.sampled_from(["", "  -  ", " 12. "]))
def test_a_paragraph_is_wrapped_like_by_the_standard_library(text: str, indent: int, first: str) -> None:
    """Short lines take a shorter way to the same result."""
    head = " " * indent + first
    expected = textwrap.fill(
        text,
        TEXT_WIDTH,
        initial_indent=head,
        subsequent_indent=" " * len(head),
        break_long_words=False,
        break_on_hyphens=False,
    )
    assert wrap(text, indent, first) == expected


def test_a_table_has_its_names_on_the_left_and_its_figures_on_the_right() -> None:
    """Each column as wide as its widest cell, none with spaces at the end of its line."""
    rows = (("Anna", "Points", "Games"), ("Bartholomew", "7", "1000000"), ("C", "110", "2"), ("D", "3", ""))

    assert columns(rows).splitlines() == [
        "Anna         Points    Games",
        "Bartholomew       7  1000000",
        "C               110        2",
        "D                 3",
    ]
