"""Priests of Ra for people who don't know it; what tiles there are comes from the tables of the game itself."""

from __future__ import annotations

from pbem.engine.core import guide
from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.priestsofra import data
from pbem.engine.priestsofra.orders import GRAMMAR

_TEXTS = guide.GuideTexts.of(__package__)
_BACK = N_("The other side of the tile is the {face}. There are {count} such tiles among {all}.")

_ALIKE = {
    **dict.fromkeys(data.PEOPLE, "people"),
    **dict.fromkeys(data.BUILDINGS, "building"),
    **dict.fromkeys(data.CHAMBERS, "chamber"),
}
"""Faces of which one sentence tells."""


def _face(face: int) -> guide.Entry:
    """Return what a face is good for, and how many tiles show it."""
    name, tile = data.FACES[face], data.TILE_OF[face]
    counts = {"count": data.TILE_COUNTS[tile], "all": sum(data.TILE_COUNTS)}
    tiles = sentence("It has one face only. There are {count} such tiles among {all}.", **counts)
    if tile in data.TWO_FACED:
        tiles = Message(_BACK, {"face": data.FACES[face ^ 1], **counts})
    return _TEXTS.entry(N_("Tiles"), name, tiles, told=_ALIKE.get(face, ""), face=name)


GUIDE = _TEXTS.guide((*map(_face, range(len(data.FACES))), *_TEXTS.others(GRAMMAR)))
