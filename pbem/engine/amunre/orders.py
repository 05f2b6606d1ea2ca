"""The orders: one frozen Struct for each verb, ids inside, and the one canonical text of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar, TypeAlias

import msgspec

from pbem.engine.amunre.data import ARCHITECT, BLOCK, CARDS, EIGHT_GOLD, FREE_FARMER, INCREASE, PRICES, PROVINCES, REBID
from pbem.engine.core.types import Order

Placing: TypeAlias = tuple[tuple[int, int], ...]
"""(province, how many) in the order of the province ids, none of them empty."""
Cards: TypeAlias = tuple[int, ...]
"""Card ids, a card of which there are two twice; ascending where their order means nothing."""


class _Sorted(Order, frozen=True):
    """An order in whose lists the sequence means nothing: they are kept ascending, however they were written."""

    lists: ClassVar[tuple[str, ...]]
    """The names of those fields."""

    def __post_init__(self) -> None:
        for name in self.lists:
            found = getattr(self, name)
            if len(found) > 1 and (in_sequence := tuple(sorted(found))) != found:
                msgspec.structs.force_setattr(self, name, in_sequence)


class Bid(Order, frozen=True, tag=True):
    """AR-5.2: a bid, with the auction cards played along."""

    province: int
    space: int
    """The index of the bid space: 0, 1, 2, 3 for 0, 1, 3, 6 gold."""
    block: bool = False
    rebid: bool = False

    def __str__(self) -> str:
        played = [CARDS[kind] for kind, used in ((BLOCK, self.block), (REBID, self.rebid)) if used]
        cards = f" with {' and '.join(played)}" if played else ""
        return f"bid {called(PRICES, self.space)} on {called(PROVINCES, self.province)}{cards}"


class Sell(_Sorted, frozen=True, tag=True):
    """AR-5.5: which cards are sold to pay a bid."""

    sell: Cards
    lists = ("sell",)

    def __str__(self) -> str:
        return f"sell {_cards(self.sell)}"


class Works(_Sorted, frozen=True):
    """Farmers, stones and two kinds of card, each onto provinces of one's own."""

    farmers: Placing = ()
    stones: Placing = ()
    lists: ClassVar[tuple[str, ...]] = ("farmers", "stones")
    rules: ClassVar[tuple[str, str]]
    """Of farmers and of stones."""
    played: ClassVar[tuple[tuple[str, int, str], ...]]
    """Each field that holds a province or -1, the kind of card, and its rule."""

    @property
    def spots(self) -> list[tuple[int, int, str]]:
        """Each card played: its kind, where, and by which rule."""
        return [(kind, p, rule) for name, kind, rule in self.played if (p := getattr(self, name)) != -1]

    @property
    def cards(self) -> Cards:
        """The cards played."""
        return tuple(kind for kind, _, _ in self.spots)

    def parts(self, *more: str) -> str:
        """Return the order without its verb, `more` behind what is placed; empty if it does nothing."""
        placed = [
            " ".join([what, *(f"{n} {called(PROVINCES, p)}" for p, n in placing)])
            for what, placing in (("farmers", self.farmers), ("stones", self.stones))
            if placing
        ]
        placed += [f"{CARDS[kind]} {called(PROVINCES, p)}" for kind, p, _ in self.spots]
        return ", ".join([*placed, *filter(None, more)])


class Build(Works, frozen=True, tag=True):
    """AR-6.4 to 6.8: actions B and C, with the cards played and sold."""

    free_farmer: int = -1
    """The province the free farmer card is played on; -1: not played."""
    architect: int = -1
    sell: Cards = ()
    lists = (*Works.lists, "sell")
    rules = ("AR-6.4", "AR-6.6")
    played = (("free_farmer", FREE_FARMER, "AR-6.5"), ("architect", ARCHITECT, "AR-6.7"))

    def __str__(self) -> str:
        return f"buy {self.sold() or 'nothing'}"

    def sold(self) -> str:
        """Return the order without its verb, the cards sold at its end."""
        return self.parts(f"sell {_cards(self.sell)}" if self.sell else "")


class Buy(_Sorted, frozen=True, tag=True):
    """AR-6.3: action A; who buys no card may send B and C along."""

    cards: int
    sell: Cards = ()
    build: Build | None = None
    lists = ("sell",)

    def __str__(self) -> str:
        if self.build is not None:
            parts = self.build.sold()
            return f"buy no cards, {parts}" if parts else "buy nothing"
        amount = f"buy {_count(self.cards, 'card')}"
        return f"{amount}, sell {_cards(self.sell)}" if self.sell else amount


class Draft(Order, frozen=True, tag=True):
    """AR-6.11: which of the cards drawn are put back; the first named comes to lie on top."""

    back: Cards

    def __str__(self) -> str:
        return "put back " + ", ".join(called(CARDS, kind) for kind in self.back)


class Offer(_Sorted, frozen=True, tag=True):
    """AR-7.1: gold, or theft (0), with or without an adjustment card."""

    gold: int
    adjustment: bool = False
    sell: Cards = ()
    lists = ("sell",)

    def __str__(self) -> str:
        what = f"offer {self.gold}" if self.gold else "theft"
        if self.adjustment:
            what += " with adjustment"
        return f"{what}, sell {_cards(self.sell)}" if self.sell else what


class Adjust(Order, frozen=True, tag=True):
    """AR-7.3: the total goes up or down by 3."""

    up: bool

    def __str__(self) -> str:
        return "raise" if self.up else "lower"


class Take(Order, frozen=True, tag=True):
    """AR-7.6: how many of the reward items are power cards."""

    cards: int

    def __str__(self) -> str:
        return f"take {_count(self.cards, 'card')}"


class Harvest(Works, frozen=True, tag=True):
    """AR-7.6, 8.3, 8.4: the other reward items, the harvest cards, and bonus cards kept from the scoring."""

    increase: int = -1
    eight_gold: int = -1
    keep: Cards = ()
    keep_none: bool = False
    """AR-9.5: takes back what was said ahead: every bonus card that counts is played."""
    lists = (*Works.lists, "keep")
    rules = ("AR-7.6", "AR-7.6")
    played = (("increase", INCREASE, "AR-8.3"), ("eight_gold", EIGHT_GOLD, "AR-8.4"))

    def __str__(self) -> str:
        kept = f"keep {_cards(self.keep)}" if self.keep else ""
        return self.parts(kept, "keep nothing" * self.keep_none) or "nothing"


class Keep(_Sorted, frozen=True, tag=True):
    """AR-9.5: the bonus cards that are not to be played at the coming scoring."""

    cards: Cards
    lists = ("cards",)

    def __str__(self) -> str:
        return f"keep {_cards(self.cards) or 'nothing'}"


AnOrder: TypeAlias = Bid | Sell | Buy | Build | Draft | Offer | Adjust | Take | Harvest | Keep


def called(names: Sequence[object], number: int) -> str:
    """Return what a number stands for; of one that stands for nothing, as a program may send it, the number."""
    return str(names[number] if 0 <= number < len(names) else number)


def _cards(kinds: Iterable[int]) -> str:
    counted: dict[int, int] = {}
    for kind in kinds:
        counted[kind] = counted.get(kind, 0) + 1
    return ", ".join(
        f"{n} {called(CARDS, kind)}" if n > 1 else called(CARDS, kind) for kind, n in sorted(counted.items())
    )


def _count(n: int, what: str) -> str:
    return f"{n or 'no'} {what}{'' if n == 1 else 's'}"
