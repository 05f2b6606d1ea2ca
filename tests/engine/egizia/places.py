"""Moments at which orders of each kind are asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tests.engine.egizia.tables import Table


def sail() -> Table:
    """Seat 0 of three places its first ship."""
    return Table(3)


def feed() -> Table:
    """4 grain are missing; a grain card and feed with stones in hand."""
    table = Table(2)
    table.hand(0, "A22", "A14")
    table.crews(0, 3, 3, 3, 1)
    table.feeding()
    return table


def sphinx() -> Table:
    """Crews 2, 3, 9, 2 and 9 stones at the Sphinx."""
    table = Table(2)
    table.stones(9, 9)
    table.crews(0, 2, 3, 9, 2)
    table.site(0, 0, 1)
    return table


def keep() -> Table:
    """S01, S02 and S03 drawn."""
    table = sphinx()
    table.next("sphinx", "S01 S02 S03")
    table.do("0: sphinx 3 with black")
    return table


def at(site: int, *cards: str) -> Table:
    """Crews of 5 and 9 stones at a site."""
    table = Table(2)
    table.hand(0, *cards)
    table.stones(9, 9)
    table.crews(0, 5, 5, 5, 5)
    table.site(site, 0, 1)
    return table


def leftover() -> Table:
    """The leftover card in hand after sailing."""
    table = Table(2)
    table.hand(0, "B12")
    table.do("0: pass", "1: pass")
    return table


def after() -> Table:
    """A crew improver that wasn't used."""
    table = Table(2)
    table.hand(0, "A12")
    table.after(1)
    return table


def graves_begun() -> Table:
    """Seat 0 has built graves 4 with blue and joker, and may dig on."""
    table = Table(2, graves="2 2 2 3")
    table.crews(0, 9, 1, 1, 9)
    table.stones(25, 9)
    table.next("grave", "3 3 3 3")
    table.site(1, 0, 1)
    table.do("0: build graves 4 with blue + joker")
    return table


PLACES: Final[dict[str, Callable[[], Table]]] = {
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
