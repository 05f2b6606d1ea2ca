"""The scoring sheet: what the scorings of the epoch and of the end would bring now, and what the bag still holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.core.sheet import ScoreSheet, Source, Stock, worth
from pbem.engine.core.types import N_, Message, sentence
from pbem.engine.priestsofra import data, scoring
from pbem.engine.priestsofra.state import OVER

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


def score_sheet(view: View) -> ScoreSheet:
    """PR-6, PR-7: everybody's lines if scoring came now."""
    if view.phase == OVER:
        return ScoreSheet(view.known_points, (), (_bag(view),))
    now = _lines(view, view.display)
    sources = (
        Source(name, tuple(row[at] for row in now), _more(view, now, at), at >= data.AT_END)
        for at, name in enumerate(data.SHEET)
    )
    return ScoreSheet(view.known_points, tuple(sources), (_bag(view),), _to_come(view))


def lines(ankhs: Sequence[int], tiles: Sequence[list[int]], sums: Sequence[int]) -> list[list[int]]:
    """By seat, the lines of `data.SHEET` once plagues are healed and ankhs taken; the end's are counted already."""
    healed = [own[:] for own in tiles]
    for own in healed:
        own[data.PLAGUE] -= scoring.heals(own)
    taken = [min(data.MOST_ANKHS, had + scoring.ankhs_won(own)) for had, own in zip(ankhs, tiles, strict=True)]
    return scoring.lines(taken, healed, sums)


def _lines(view: View, tiles: Sequence[list[int]]) -> list[list[int]]:
    return lines(view.ankhs, tiles, scoring.sun_sums(view))


def _more(view: View, now: Sequence[list[int]], at: int) -> tuple[Message, ...]:
    """Return what one more tile of each kind would change in one line of the view's seat."""
    if view.seat is None:
        return ()
    found = []
    for face in _FACES[data.SHEET[at]]:
        more = [own[:] for own in view.display]
        more[view.seat][face] += 1
        gain = _lines(view, more)[view.seat][at] - now[view.seat][at]
        if gain:
            found.append(worth(gain, Message(data.FACES[face])))
    return tuple(found)


def _bag(view: View) -> Stock:
    title = sentence("In the bag: {count} tile(s)", count=sum(view.bag))
    return Stock(title, tuple((Message(tile), number) for tile, number in zip(data.TILES, view.bag, strict=True)))


def _to_come(view: View) -> tuple[Message, ...]:
    text = N_("The epoch ends with {left} more Ra tile(s), or when the last sun face up is used: there are {suns}.")
    suns = sum(up.bit_count() for up in view.up)
    found = [sentence(text, "PR-5.1", left=view.ra_spaces - view.ra, suns=suns)]
    if any(view.bag):
        share = round(100 * view.bag[data.RA] / sum(view.bag))
        found.append(sentence("The next tile is Ra in {share} of 100 cases.", "PR-2.2", share=share))
    if view.epoch < data.EPOCHS:
        left = data.EPOCHS - view.epoch
        found.append(sentence("{left} epoch(s) follow(s|) this one; people and priests then go.", left=left))
    return tuple(found)
