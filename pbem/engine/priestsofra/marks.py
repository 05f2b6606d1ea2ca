"""Ids of board elements: the names that events, forms and pictures share."""

from __future__ import annotations

from functools import cache

from pbem.engine.core.message import GONE
from pbem.engine.priestsofra.data import FACES

LOT_EMPTIED = (f"{GONE}lot:",)
EPOCH_CLEARED = (*LOT_EMPTIED, f"{GONE}tile:", f"{GONE}ra:")
CENTRE = "centre"
BAG = "bag"
lot_mark = "lot:{}".format
"""A space of the auction track, counted from 1."""
ra_mark = "ra:{}".format
"""A space of the Ra track, counted from 1."""
sun_mark = "sun:{}".format
"""A sun, wherever it lies."""
seat_mark = "seat:{}".format
"""A seat's whole display."""
ankhs_mark = "ankhs:{}".format
"""A seat's ankhs."""


@cache
def tile_mark(seat: int, face: int) -> str:
    """Return the stack of one face in a seat's display: `tile:0:chamber-A`."""
    return f"tile:{seat}:{face_key(face)}"


@cache
def face_key(face: int) -> str:
    """Return a face's name without spaces: `chamber-A`."""
    return FACES[face].replace(" ", "-")


def face_mark(face: int) -> str:
    """Return a face that can be chosen: `face:farmer`."""
    return f"face:{face_key(face)}"
