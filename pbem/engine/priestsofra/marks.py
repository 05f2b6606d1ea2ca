"""Ids of board elements: the names that events, forms and pictures share."""

from __future__ import annotations

from functools import cache

from pbem.engine.core.types import GONE
from pbem.engine.priestsofra.data import FACES

LOT_EMPTIED = (f"{GONE}lot:",)
EPOCH_CLEARED = (*LOT_EMPTIED, f"{GONE}tile:", f"{GONE}ra:")
CENTRE = "centre"
BAG = "bag"


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


def lot_mark(space: int) -> str:
    """Return a space of the auction track, counted from 1."""
    return f"lot:{space}"


def ra_mark(space: int) -> str:
    """Return a space of the Ra track, counted from 1."""
    return f"ra:{space}"


def sun_mark(sun: int) -> str:
    """Return a sun, wherever it lies."""
    return f"sun:{sun}"


def seat_mark(seat: int) -> str:
    """Return a seat's whole display."""
    return f"seat:{seat}"
