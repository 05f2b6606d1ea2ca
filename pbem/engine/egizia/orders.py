"""The orders of Egizia, one frozen Struct per verb, each with its one canonical text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from pbem.engine.core.types import Order
from pbem.engine.egizia.data import SITE_NAMES
from pbem.structs import Value


class Also(Value, omit_defaults=True):
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
        slots = tuple(f"{site} {slot}" for site, slot in self.move)
        things = (self.improve, self.trade, self.field, (self.sell,) * bool(self.sell), slots)
        return [f"{word} {thing}" for word, found in zip(CLAUSES.values(), things, strict=True) for thing in found]


CLAUSES = {"improve": "improve", "trade": "two stones", "field": "field", "sell": "sell", "move": "move"}
"""What the clauses of each begin with, by the fields of `Also`."""


NOTHING = Also()
"""No rider; also what an order without any holds, so that it can be told apart at a glance."""


class _WithCards(Order, frozen=True, omit_defaults=True, kw_only=True):
    """An order and the cards that go along with it; those that serve it are its own field `using`, where it has one."""

    also: Also = NOTHING

    def __str__(self) -> str:
        return self.written(str(self.__struct_config__.tag))

    def written(self, head: str, clauses: Iterable[str] = ()) -> str:
        """Return the canonical text: verb and object, the cards that serve it, its clauses and those of other cards."""
        using: tuple[str, ...] = getattr(self, "using", ())
        return ", ".join([f"{head} using {' and '.join(using)}" if using else head, *clauses, *self.also.clauses()])


class Pass(_WithCards, frozen=True, tag="pass"):
    """EG-3.1: place no more ships this round."""


class Ship(_WithCards, frozen=True, tag="ship"):
    """EG-3.3: place a ship on a card (by its id), a round space or a site (by name)."""

    to: str
    slot: int = 0
    """At a site: the slot taken, 1 nearest the river; 0 for the queue or a new slot."""
    crews: tuple[str, ...] = ()
    """The crews raised where one may choose."""
    rings: tuple[str, ...] = ()
    """Moves of the water ring, `left` or `right`."""
    using: tuple[str, ...] = ()

    def __str__(self) -> str:
        clauses = [f"crew {crew}" for crew in self.crews] + [f"ring {way}" for way in self.rings]
        if self.slot:
            clauses.append(f"slot {self.slot}")
        elif self.to in SITE_NAMES and "extra ship" not in self.using:
            clauses.append("queue")
        return self.written(f"ship to {self.to}", clauses)


class Leftover(_WithCards, frozen=True, tag="leftover"):
    """EG-4.4: a card left on the river, or none."""

    card: str = ""
    crews: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.written(f"leftover {self.card or 'none'}", [f"crew {crew}" for crew in self.crews])


class Feed(_WithCards, frozen=True, tag="feed"):
    """EG-5.1: grain from cards and stones for what the fields don't give."""

    grain: int = 0
    stones: int = 0

    def __str__(self) -> str:
        means = [f"{self.grain} grain"] * bool(self.grain) + [f"stones {self.stones}"] * bool(self.stones)
        return self.written("feed" + (f" with {' and '.join(means)}" if means else ""))


class Move(_WithCards, frozen=True, tag="move"):
    """EG-4.3: before a site is resolved, move the own ship there to another slot, or stay (0)."""

    slot: int = 0

    def __str__(self) -> str:
        return self.written(f"move to slot {self.slot}" if self.slot else "stay")


class Renounce(_WithCards, frozen=True, tag="renounce"):
    """EG-6.1: give the place to the next of the queue."""


class Sphinx(_WithCards, frozen=True, tag="sphinx"):
    """EG-7.1: pay `n` stones for `n` Sphinx cards."""

    n: int
    crews: tuple[str, ...]
    using: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.written(f"sphinx {self.n} with {' + '.join(self.crews)}")


class Keep(_WithCards, frozen=True, tag="keep"):
    """EG-7.1: which drawn cards are kept, and in which order the others go under the deck (shuffled if empty)."""

    cards: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    using: tuple[str, ...] = ()

    def __str__(self) -> str:
        clauses = [f"order {' '.join(self.order)}"] if self.order else []
        return self.written(f"keep {' '.join(self.cards) or 'none'}", clauses)


class Raise(_WithCards, frozen=True, tag="raise"):
    """EG-6.4: Obelisk spaces `first` to `last` (0 for none) and the next graves along the path."""

    crews: tuple[str, ...]
    first: int = 0
    last: int = 0
    graves: int = 0
    market: str = ""
    using: tuple[str, ...] = ()

    def __str__(self) -> str:
        head = f"build {_tombs(self.first, self.last, self.graves)} with {' + '.join(self.crews)}"
        return self.written(head, _market(self.market))


class Dig(_WithCards, frozen=True, tag="dig"):
    """EG-6.4: go on in the same action, or stop (nothing built)."""

    first: int = 0
    last: int = 0
    graves: int = 0
    market: str = ""

    def __str__(self) -> str:
        head = f"dig {_tombs(self.first, self.last, self.graves)}" if self.first or self.graves else "stop"
        return self.written(head, _market(self.market))


class Stack(_WithCards, frozen=True, tag="stack"):
    """EG-6.5 to EG-6.7: Pyramid rows (from the bottom, one number a stone) and parts of the Temple."""

    crews: tuple[str, ...]
    rows: tuple[int, ...] = ()
    parts: tuple[str, ...] = ()
    """Pylons and columns, one name a stone."""
    entablature: tuple[int, ...] = ()
    using: tuple[str, ...] = ()

    def __str__(self) -> str:
        things = [f"pyramid {'+'.join(map(str, self.rows))}"] if self.rows else []
        for part in dict.fromkeys(self.parts):
            times = self.parts.count(part)
            things.append(part if times == 1 else f"{part} x{times}")
        if self.entablature:
            things.append(f"entablature {'+'.join(map(str, self.entablature))}")
        return self.written(f"build {', '.join(things)} with {' + '.join(self.crews)}")


class Done(_WithCards, frozen=True, tag="done"):
    """EG-4.5: the round's building is over; cards that may still be used go along."""


def _tombs(first: int, last: int, graves: int) -> str:
    things = [f"obelisk {first}" if first == last else f"obelisk {first}-{last}"] if first or last else []
    if graves:
        things.append("grave" if graves == 1 else f"graves {graves}")
    return ", ".join(things)


def _market(market: str) -> list[str]:
    return [f"{market} market"] if market else []


AnyOrder: TypeAlias = Pass | Ship | Leftover | Feed | Move | Renounce | Sphinx | Keep | Raise | Dig | Stack | Done
