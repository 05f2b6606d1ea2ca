"""A finished game as a picture to share: who came where, and how the points went. Curve and table can stand alone."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine.core.message import sentence
from pbem.engine.core.types import Outcome
from pbem.pictures.blocks import WIDTH
from pbem.pictures.elements import SEATS, SMALLEST, drawing, seat_mark, stroke, truncated, words
from pbem.pictures.renderer import Say, path, rectangle

HIGH = 300
_LEFT, _RIGHT, _TOP, _FOOT = 56, 44, 24, 34
_ROW = 44
_HEAD = 70
_DASHES = ("", "9 4", "2 4", "12 4 2 4", "5 5", "1 3", "14 3", "7 2 2 2", "3 6", "10 8")
"""By seat, so that lines differ without colours."""


def curve(plies: Sequence[int], points: Sequence[tuple[int, ...]], rounds: Sequence[int], say: Say) -> str:
    """Return the points by seat as lines over the plies, a thin mark where each round begins; a whole drawing."""
    title = say(sentence("Everybody's points in the course of the game, if all had counted then"))
    return drawing("curve", (WIDTH, HIGH), title, [_lines(plies, points, rounds)])


def _lines(plies: Sequence[int], points: Sequence[tuple[int, ...]], rounds: Sequence[int]) -> str:
    every = [number for row in points for number in row] or [0]
    low, high = min(*every, 0), max(*every, 1)
    last = max(plies[-1], 1)

    def x(ply: int) -> float:
        return round(_LEFT + (WIDTH - _LEFT - _RIGHT) * ply / last, 1)

    def y(number: int) -> float:
        return round(HIGH - _FOOT - (HIGH - _TOP - _FOOT) * (number - low) / (high - low), 1)

    parts = [path(f"M{x(ply)} {_TOP}V{HIGH - _FOOT}", stroke("line", 1)) for ply in rounds if ply <= last]
    for number in sorted({low, 0, high}):
        parts.append(path(f"M{_LEFT} {y(number)}H{WIDTH - _RIGHT}", stroke("line", 1)))
        parts.append(words(_LEFT - 8, y(number) + 6, str(number), SMALLEST, anchor="end", colour="muted"))
    ends = []
    for seat in range(len(points[0]) if points else 0):
        corners = " ".join(f"{x(ply)},{y(row[seat])}" for ply, row in zip(plies, points, strict=True))
        dash = f' stroke-dasharray="{_DASHES[seat]}"' if _DASHES[seat] else ""
        parts.append(f'<polyline points="{corners}" fill="none" stroke="{SEATS[seat]}" stroke-width="3"{dash}/>')
        ends.append((y(points[-1][seat]), seat))
    at = float(_TOP) - 24
    for height, seat in sorted(ends):  # each line's mark at its end, moved so that none covers another
        at = max(at + 24, height)
        parts.append(seat_mark(seat, WIDTH - 22, at, 11))
    return "".join(parts)


def share(
    title: str,
    game: str,
    names: Sequence[str],
    outcome: Outcome,
    chart: tuple[Sequence[int], Sequence[tuple[int, ...]], Sequence[int]],
) -> str:
    """Return the whole picture: the game's name, everybody by place with their points, the curve below."""
    parts = [
        words(20, 34, truncated(title, WIDTH - 40, 25), 25, weight=600, serif=True),
        words(20, 58, truncated(game, WIDTH - 40, SMALLEST), SMALLEST, colour="muted"),
    ]
    ranked = sorted(range(len(names)), key=lambda seat: (outcome.places[seat], seat))
    for row, seat in enumerate(ranked):
        top = _HEAD + row * _ROW
        parts += [
            rectangle(20, top + _ROW - 2, WIDTH - 40, 1, ' class="c-line" fill="#d9d2c3"'),
            words(36, top + 30, f"{outcome.places[seat]}", 20, anchor="middle", weight=600),
            seat_mark(seat, 72, top + 22, 13),
            words(98, top + 30, truncated(names[seat], WIDTH - 200, 20), 20),
            words(WIDTH - 24, top + 30, str(outcome.scores[seat]), 20, anchor="end", weight=600),
        ]
    below = _HEAD + len(names) * _ROW
    if chart[1] and any(any(row) for row in chart[1]):
        parts.append(f'<g transform="translate(0 {below})">{_lines(*chart)}</g>')
        below += HIGH
    return drawing("result", (WIDTH, below + 12), f"{title}, {game}", parts)
