"""PR-6 and PR-7: what each epoch and the end of the game bring. Pure arithmetic over displays and suns."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine.core.types import Outcome
from pbem.engine.priestsofra import data
from pbem.engine.priestsofra.state import State, suns_of

Tiles = list[int]
"""How many of each face a player has, by index in `data.FACES`."""


def people(displays: Sequence[Tiles]) -> list[int]:
    """PR-6.1: points by player for having at least two of a people kind and nobody ahead."""
    points = [0] * len(displays)
    for kind in data.PEOPLE:
        most = max(data.FEWEST_PEOPLE, *(tiles[kind] for tiles in displays))
        for seat, tiles in enumerate(displays):
            if tiles[kind] == most:
                points[seat] += data.MOST_PEOPLE
    return points


def ankhs_won(tiles: Tiles) -> int:
    """PR-6.2: ankhs for the number of people kinds held."""
    return data.ANKHS_FOR_KINDS[sum(tiles[kind] > 0 for kind in data.PEOPLE)]


def buildings(tiles: Tiles) -> int:
    """PR-6.3: points for complete buildings, and once for having them of three or four kinds."""
    complete = [tiles[kind] // data.TILES_A_BUILDING for kind in data.BUILDINGS]
    return data.BUILDING * sum(complete) + data.BUILDING_KINDS[sum(number > 0 for number in complete)]


def heals(tiles: Tiles) -> bool:
    """PR-6.4: whether three or more priests return a plague."""
    return tiles[data.PRIEST] >= data.HEALING_PRIESTS and tiles[data.PLAGUE] > 0


def plagues(number: int) -> int:
    """PR-6.5: the points that `number` plagues cost, as zero or less."""
    return data.PLAGUES[min(number, len(data.PLAGUES) - 1)]


def pyramid(tiles: Tiles) -> int:
    """PR-7.1: points for the one pyramid, of pyramid and chamber tiles together."""
    blocks = tiles[data.PYRAMID] + sum(tiles[kind] for kind in data.CHAMBERS)
    return next((points for needed, points in data.PYRAMIDS if blocks >= needed), 0)


def chambers(tiles: Tiles) -> int:
    """PR-7.2: points for chambers of one colour, each colour for itself."""
    return sum(
        next((points for needed, points in data.CHAMBER_SETS if tiles[kind] >= needed), 0) for kind in data.CHAMBERS
    )


def suns(sums: Sequence[int]) -> list[int]:
    """PR-7.4: points by player for the highest and the lowest sum of suns; nothing if all are equal."""
    high, low = max(sums), min(sums)
    if high == low:
        return [0] * len(sums)
    return [data.SUNS if total == high else -data.SUNS if total == low else 0 for total in sums]


def lines(ankhs: Sequence[int], displays: Sequence[Tiles], sums: Sequence[int]) -> list[list[int]]:
    """Return by seat the lines of `data.SHEET`, those of the end too, by `sums` of suns; nobody is healed for it."""
    people_points, sun_points = people(displays), suns(sums)
    return [
        [
            people_points[seat],
            buildings(tiles),
            data.PRIEST_POINTS * tiles[data.PRIEST],
            plagues(tiles[data.PLAGUE]),
            pyramid(tiles),
            chambers(tiles),
            data.ANKHS[ankhs[seat]],
            sun_points[seat],
        ]
        for seat, tiles in enumerate(displays)
    ]


def sun_sums(state: State) -> list[int]:
    """Return by seat the sum of all suns."""
    return [sum(suns_of(up | down)) for up, down in zip(state.up, state.down, strict=True)]


def sheets(state: State) -> list[list[int]]:
    """PR-6, PR-7: each seat's score sheet of the epoch just over: the lines of `data.SHEET`, net and new total.

    Plagues and ankhs are taken as they are after PR-6.2 and PR-6.4 were carried out.
    """
    result = []
    for points, row in zip(state.points, lines(state.ankhs, state.display, sun_sums(state)), strict=True):
        if state.epoch < data.EPOCHS:
            row[data.AT_END :] = [0] * (len(data.SHEET) - data.AT_END)
        net = sum(row)
        result.append([*row, net, max(0, points + net)])
    return result


def outcome(state: State) -> Outcome:
    """PR-7.5: scores and places of a game that is over; a tie goes to the highest single sun."""
    strengths = [
        (points, (up | down).bit_length()) for points, up, down in zip(state.points, state.up, state.down, strict=True)
    ]
    return Outcome.ranked(state.points, strengths, data.ENDINGS[state.endings[-1]])
