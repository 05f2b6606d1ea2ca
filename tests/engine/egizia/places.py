"""Moments at which orders of each kind are asked for. Positions are texts (docs/development/positions.md)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tests.engine.egizia.tables import Table


def sail() -> Table:
    """Seat 0 of three places its first ship."""
    return Table(3)


def feed() -> Table:
    """4 grain are missing; a grain card and feed with stones in hand."""
    table = Table.position("""
        2 players
        0: crews 3 3 3 1, has A22 A14
    """)
    table.feeding()
    return table


def sphinx() -> Table:
    """Crews 2, 3, 9, 2 and 9 stones at the Sphinx."""
    table = Table.position("""
        2 players
        0: stones 9, crews 2 3 9 2
        1: stones 9
    """)
    table.building("at Sphinx: slots 0 1")
    return table


def keep() -> Table:
    """S01, S02 and S03 drawn."""
    table = sphinx()
    table.next("sphinx", "S01 S02 S03")
    table.do("0: sphinx 3 with black")
    return table


def at(site: str, more: str = "") -> Table:
    """Crews of 5 and 9 stones at a site."""
    table = Table.position(
        """
        2 players
        0: stones 9, crews 5 5 5 5
        1: stones 9
        """,
        more,
    )
    table.building(f"at {site}: slots 0 1")
    return table


def leftover() -> Table:
    """The leftover card in hand after sailing."""
    table = Table.position("""
        2 players
        river: A05 A06 A13 A09 A17 A12 A04 A14 A21 A22
        0: has B12
    """)
    table.do("0: pass", "1: pass")
    return table


def after() -> Table:
    """A crew improver that wasn't used."""
    table = Table.position("""
        2 players
        0: has A12
    """)
    table.after(1)
    return table


def graves_begun() -> Table:
    """Seat 0 has built graves 4 with blue and joker, and may dig on."""
    table = Table.position("""
        2 players
        graves: open 2 2 2 3
        0: stones 25, crews 9 1 1 9
        1: stones 9
    """)
    table.next("grave", "3 3 3 3")
    table.building("at Obelisk: slots 0 1")
    table.do("0: build graves 4 with blue + joker")
    return table


PLACES: Final[dict[str, Callable[[], Table]]] = {
    "sail": sail,
    "feed": feed,
    "sphinx": sphinx,
    "keep": keep,
    "obelisk": lambda: at("Obelisk"),
    "pyramid": lambda: at("Pyramid"),
    "move": lambda: at("Obelisk", "0: has B20"),
    "leftover": leftover,
    "after": after,
}
