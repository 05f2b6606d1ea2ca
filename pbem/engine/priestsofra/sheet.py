"""The scoring sheet: what the scorings of the epoch and of the end would bring now, and what the bag still holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.core.sheet import ScoreSheet, Source, Stock, worth
from pbem.engine.core.types import N_, Message, sentence
from pbem.engine.priestsofra import data, scoring

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.engine.priestsofra.view import View

_FACES = {
    "people": data.PEOPLE,
    "buildings": data.BUILDINGS,
    "priests": (data.PRIEST,),
    "plagues": (data.PLAGUE,),
    "pyramid": (data.PYRAMID, *data.CHAMBERS),
    "chambers": data.CHAMBERS,
    "ankhs": data.PEOPLE,
    "suns": (),
}
"""By line of a sheet: the faces of which one more can change it."""
_AT_END = ("pyramid", "chambers", "ankhs", "suns")


def score_sheet(view: View) -> ScoreSheet:
    """PR-6, PR-7: everybody's lines if scoring came now."""
    tiles = [list(player.tiles.values()) for player in view.players]
    now = _lines(view, tiles)
    over = view.phase == "over"
    return ScoreSheet(
        tuple(player.points for player in view.players),
        ()
        if over
        else tuple(
            Source(name, tuple(row[at] for row in now), _more(view, tiles, now, at), name in _AT_END)
            for at, name in enumerate(data.SHEET)
        ),
        (_bag(view),),
        () if over else _to_come(view),
    )


def lines(ankhs: Sequence[int], tiles: Sequence[list[int]], suns: Sequence[int]) -> list[list[int]]:
    """By seat, the lines of `data.SHEET` with the end's already counted; without sums of `suns` that line is 0."""
    people = scoring.people(tiles)
    sun_points = scoring.suns(suns) if suns else [0] * len(tiles)
    return [
        [
            people[seat],
            scoring.buildings(own),
            data.PRIEST_POINTS * own[data.PRIEST],
            scoring.plagues(own[data.PLAGUE] - scoring.heals(own)),
            scoring.pyramid(own),
            scoring.chambers(own),
            data.ANKHS[min(data.MOST_ANKHS, ankhs[seat] + scoring.ankhs_won(own))],
            sun_points[seat],
        ]
        for seat, own in enumerate(tiles)
    ]


def _lines(view: View, tiles: Sequence[list[int]]) -> list[list[int]]:
    suns = [sum(player.suns_up + player.suns_down) for player in view.players]
    return lines([player.ankhs for player in view.players], tiles, suns)


def _more(view: View, tiles: Sequence[list[int]], now: Sequence[list[int]], at: int) -> tuple[Message, ...]:
    """Return what one more tile of each kind would change in one line of the view's seat."""
    if view.seat is None:
        return ()
    found = []
    for face in _FACES[data.SHEET[at]]:
        more = [own[:] for own in tiles]
        more[view.seat][face] += 1
        gain = _lines(view, more)[view.seat][at] - now[view.seat][at]
        if gain:
            found.append(worth(gain, Message(data.FACES[face])))
    return tuple(found)


def _bag(view: View) -> Stock:
    count = sum(view.bag.values())
    title = sentence("In the bag: {count} tile(s)", count=count)
    return Stock(title, tuple((Message(tile), number) for tile, number in view.bag.items()))


def _to_come(view: View) -> tuple[Message, ...]:
    found = [
        Message(
            N_("The epoch ends with {left} more Ra tile(s), or when the last sun face up is used: there are {suns}."),
            {"left": view.ra_spaces - view.ra, "suns": sum(len(player.suns_up) for player in view.players)},
            "PR-5.1",
        )
    ]
    count = sum(view.bag.values())
    if count:
        share = round(100 * view.bag[data.TILES[data.RA]] / count)
        found.append(sentence("The next tile is Ra in {share} of 100 cases.", "PR-2.2", share=share))
    if view.epoch < data.EPOCHS:
        left = data.EPOCHS - view.epoch
        found.append(sentence("{left} epoch(s) follow(s|) this one; people and priests then go.", left=left))
    return tuple(found)
