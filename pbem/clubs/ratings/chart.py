"""A rating's history as a small drawing. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.structs import Value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.clubs.ratings.rating_sweep import RatingPoint

WIDTH, HEIGHT, MARGIN = 640, 240, 24


class RatingChart(Value):
    """What a page draws: the line's corners, and the values at top and bottom."""

    line: str
    dots: tuple[tuple[float, float], ...]
    high: int
    low: int


def plot(points: Sequence[RatingPoint]) -> RatingChart | None:
    """Return the drawing of a history of at least two games, time evenly spaced by game; None for fewer."""
    if len(points) < 2:  # noqa: PLR2004 - a line has two ends
        return None
    values = [point.shown for point in points]
    low, high = min(values), max(values)
    span = max(high - low, 1)
    step = (WIDTH - 2 * MARGIN) / (len(values) - 1)
    dots = tuple(
        (round(MARGIN + step * i, 1), round(HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * (value - low) / span, 1))
        for i, value in enumerate(values)
    )
    return RatingChart(" ".join(f"{x},{y}" for x, y in dots), dots, high, low)
