"""Nothing on a board covers anything else, and all lettering can be read on a phone."""

from __future__ import annotations

from benchmarks.overlaps import LEAST, Drawn, measure

STEP = 90
"""Every so many-th position of the records; the benchmark draws them all."""


def test_no_marks_lettering_or_pieces_overlap() -> None:
    """Rings' numbers, words and seats keep clear of each other in all languages; lettering is 11 px or more."""
    found, faults = measure(STEP)

    assert found["positions"] > 60
    assert not faults
    assert found["smallest_px"] >= LEAST


def test_an_overlap_is_found() -> None:
    """Boxes that cross by more than the slack overlap; a seat's own letter on its shape does not count."""
    ring, word = Drawn("ring", (0, 0, 24, 24)), Drawn("text", (20, 0, 60, 13), "Memphis", 18)
    seat, letter = Drawn("seat", (0, 0, 28, 28)), Drawn("text", (9, 8, 19, 21), "A", 18)

    assert ring.covers(word)
    assert seat.covers(Drawn("text", (20, 8, 60, 21), "Memphis", 18))
    assert not seat.covers(letter)
    assert not ring.covers(Drawn("text", (23, 0, 60, 13), "Memphis", 18))
