"""The orders of Egizia, one frozen Struct per verb, each with its one canonical text."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from pbem.engine.core.types import Order
from pbem.engine.egizia.data import SITE_NAMES


class Also(msgspec.Struct, frozen=True, omit_defaults=True):
    """EG-4.5: cards that go along with any own order and act before it does."""

    improve: tuple[str, ...] = ()
    """Crews that the crew improver raises."""
    trade: tuple[str, ...] = ()
    """Crews raised for two stones each."""
    field: tuple[str, ...] = ()
    """Own fields that get an improver."""
    sell: int = 0
    move: tuple[tuple[str, int], ...] = ()
    """Sites and the slots that the own ships there move to."""

    def clauses(self) -> list[str]:
        """Its canonical clauses."""
        return [
            *(f"improve {crew}" for crew in self.improve),
            *(f"two stones {crew}" for crew in self.trade),
            *(f"field {field}" for field in self.field),
            *([f"sell {self.sell}"] if self.sell else []),
            *(f"move {site} {slot}" for site, slot in self.move),
        ]


NOTHING = Also()
"""No rider; also what an order without any holds, so that it can be told apart at a glance."""


def _text(head: str, using: tuple[str, ...], clauses: list[str], also: Also) -> str:
    if using:
        head = f"{head} using {' and '.join(using)}"
    return ", ".join([head, *clauses, *also.clauses()])


class Pass(Order, frozen=True, tag="pass", omit_defaults=True):
    """EG-3.1: place no more ships this round."""

    also: Also = NOTHING

    def __str__(self) -> str:
        return _text("pass", (), [], self.also)


class Ship(Order, frozen=True, tag="ship", omit_defaults=True):
    """EG-3.3: place a ship on a card (by its id), a round space or a site (by name)."""

    to: str
    slot: int = 0
    """At a site: the slot taken, 1 nearest the river; 0 for the queue or a new slot."""
    crews: tuple[str, ...] = ()
    """The crews raised where one may choose."""
    rings: tuple[str, ...] = ()
    """Moves of the water ring, `left` or `right`."""
    using: tuple[str, ...] = ()
    also: Also = NOTHING

    def __str__(self) -> str:
        clauses = [f"crew {crew}" for crew in self.crews] + [f"ring {way}" for way in self.rings]
        if self.slot:
            clauses.append(f"slot {self.slot}")
        elif self.to in SITE_NAMES and "extra ship" not in self.using:
            clauses.append("queue")
        return _text(f"ship to {self.to}", self.using, clauses, self.also)


class Leftover(Order, frozen=True, tag="leftover", omit_defaults=True):
    """EG-4.4: a card left on the river, or none."""

    card: str = ""
    crews: tuple[str, ...] = ()
    also: Also = NOTHING

    def __str__(self) -> str:
        return _text(f"leftover {self.card or 'none'}", (), [f"crew {crew}" for crew in self.crews], self.also)


class Feed(Order, frozen=True, tag="feed", omit_defaults=True):
    """EG-5.1: grain from cards and stones for what the fields don't give."""

    grain: int = 0
    stones: int = 0
    also: Also = NOTHING

    def __str__(self) -> str:
        means = [f"{self.grain} grain"] * bool(self.grain) + [f"stones {self.stones}"] * bool(self.stones)
        return _text("feed" + (f" with {' and '.join(means)}" if means else ""), (), [], self.also)


class Move(Order, frozen=True, tag="move", omit_defaults=True):
    """EG-4.3: before a site is resolved, move the own ship there to another slot, or stay (0)."""

    slot: int = 0
    also: Also = NOTHING

    def __str__(self) -> str:
        return _text(f"move to slot {self.slot}" if self.slot else "stay", (), [], self.also)


class Renounce(Order, frozen=True, tag="renounce", omit_defaults=True):
    """EG-6.1: give the place to the next of the queue."""

    also: Also = NOTHING

    def __str__(self) -> str:
        return _text("renounce", (), [], self.also)


class Sphinx(Order, frozen=True, tag="sphinx", omit_defaults=True):
    """EG-7.1: pay `n` stones for `n` Sphinx cards."""

    n: int
    crews: tuple[str, ...]
    using: tuple[str, ...] = ()
    also: Also = NOTHING

    def __str__(self) -> str:
        return _text(f"sphinx {self.n} with {' + '.join(self.crews)}", self.using, [], self.also)


class Keep(Order, frozen=True, tag="keep", omit_defaults=True):
    """EG-7.1: which drawn cards are kept, and in which order the others go under the deck (shuffled if empty)."""

    cards: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    using: tuple[str, ...] = ()
    also: Also = NOTHING

    def __str__(self) -> str:
        clauses = [f"order {' '.join(self.order)}"] if self.order else []
        return _text(f"keep {' '.join(self.cards) or 'none'}", self.using, clauses, self.also)


class Raise(Order, frozen=True, tag="raise", omit_defaults=True):
    """EG-6.4: Obelisk spaces `first` to `last` (0 for none) and the next graves along the path."""

    crews: tuple[str, ...]
    first: int = 0
    last: int = 0
    graves: int = 0
    market: str = ""
    using: tuple[str, ...] = ()
    also: Also = NOTHING

    def __str__(self) -> str:
        head = f"build {_tombs(self.first, self.last, self.graves)} with {' + '.join(self.crews)}"
        return _text(head, self.using, _market(self.market), self.also)


class Dig(Order, frozen=True, tag="dig", omit_defaults=True):
    """EG-6.4: go on in the same action, or stop (nothing built)."""

    first: int = 0
    last: int = 0
    graves: int = 0
    market: str = ""
    also: Also = NOTHING

    def __str__(self) -> str:
        head = f"dig {_tombs(self.first, self.last, self.graves)}" if self.first or self.graves else "stop"
        return _text(head, (), _market(self.market), self.also)


class Stack(Order, frozen=True, tag="stack", omit_defaults=True):
    """EG-6.5 to EG-6.7: Pyramid rows (from the bottom, one number a stone) and parts of the Temple."""

    crews: tuple[str, ...]
    rows: tuple[int, ...] = ()
    parts: tuple[str, ...] = ()
    """Pylons and columns, one name a stone."""
    entablature: tuple[int, ...] = ()
    using: tuple[str, ...] = ()
    also: Also = NOTHING

    def __str__(self) -> str:
        things = [f"pyramid {'+'.join(map(str, self.rows))}"] if self.rows else []
        for part in dict.fromkeys(self.parts):
            times = self.parts.count(part)
            things.append(part if times == 1 else f"{part} x{times}")
        if self.entablature:
            things.append(f"entablature {'+'.join(map(str, self.entablature))}")
        return _text(f"build {', '.join(things)} with {' + '.join(self.crews)}", self.using, [], self.also)


class Done(Order, frozen=True, tag="done", omit_defaults=True):
    """EG-4.5: the round's building is over; cards that may still be used go along."""

    also: Also = NOTHING

    def __str__(self) -> str:
        return _text("done", (), [], self.also)


def _tombs(first: int, last: int, graves: int) -> str:
    things = [f"obelisk {first}" if first == last else f"obelisk {first}-{last}"] if first or last else []
    if graves:
        things.append("grave" if graves == 1 else f"graves {graves}")
    return ", ".join(things)


def _market(market: str) -> list[str]:
    return [f"{market} market"] if market else []


AnyOrder: TypeAlias = Pass | Ship | Leftover | Feed | Move | Renounce | Sphinx | Keep | Raise | Dig | Stack | Done
