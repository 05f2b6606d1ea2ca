"""Moments at which orders of each kind are asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tests.engine.egizia.desk import Desk


def sail() -> Desk:
    """Seat 0 of three places its first ship."""
    return Desk(3)


def feed() -> Desk:
    """4 grain are missing; a grain card and feed with stones in hand."""
    desk = Desk(2)
    desk.hand(0, "A22", "A14")
    desk.crews(0, 3, 3, 3, 1)
    desk.feeding()
    return desk


def sphinx() -> Desk:
    """Crews 2, 3, 9, 2 and 9 stones at the Sphinx."""
    desk = Desk(2)
    desk.stones(9, 9)
    desk.crews(0, 2, 3, 9, 2)
    desk.site(0, 0, 1)
    return desk


def keep() -> Desk:
    """S01, S02 and S03 drawn."""
    desk = sphinx()
    desk.next("sphinx", "S01 S02 S03")
    desk.do("0: sphinx 3 with black")
    return desk


def at(site: int, *cards: str) -> Desk:
    """Crews of 5 and 9 stones at a site."""
    desk = Desk(2)
    desk.hand(0, *cards)
    desk.stones(9, 9)
    desk.crews(0, 5, 5, 5, 5)
    desk.site(site, 0, 1)
    return desk


def leftover() -> Desk:
    """The leftover card in hand after sailing."""
    desk = Desk(2)
    desk.hand(0, "B12")
    desk.do("0: pass", "1: pass")
    return desk


def after() -> Desk:
    """A crew improver that wasn't used."""
    desk = Desk(2)
    desk.hand(0, "A12")
    desk.after(1)
    return desk


PLACES: Final[dict[str, Callable[[], Desk]]] = {
    "sail": sail,
    "feed": feed,
    "sphinx": sphinx,
    "keep": keep,
    "obelisk": lambda: at(1),
    "pyramid": lambda: at(2),
    "move": lambda: at(1, "B20"),
    "leftover": leftover,
    "after": after,
}
