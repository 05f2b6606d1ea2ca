"""What an order brings the seat that gives it: the next board and the seat's own figures, as far as they are certain.

Worked out from the seat's view alone, on worlds imagined from it. What hangs on a draw or on what others choose at the
same time comes out differently in different worlds and is told as open. Of an order given before its turn only what
nobody can change until then is told, of a sealed list what it binds its owner to at most.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.core.rng import Rng
from pbem.engine.core.types import AnyRules, Order
from pbem.structs import Value

CHANGE = N_("{figure} {before} \N{RIGHTWARDS ARROW} {after}")
_FEW, _MANY = 3, 24
"""Worlds looked at where nothing is drawn and nobody else acts, and where something is: at least one for each draw."""


class Figure(Value):
    """One of the seat's own numbers before and after its order."""

    name: str
    """Its name, a message id."""
    before: int
    after: int | None
    """None where it hangs on a draw or on the others."""


class Preview(Value):
    """What an order brings the seat that gives it."""

    figures: tuple[Figure, ...] = ()
    """Those that change or may change, in the game's order."""
    warnings: tuple[Message, ...] = ()
    """What a player may not have meant."""
    after: Any = None
    """The seat's view once the order is carried out; None where it is not certain."""
    stakes: tuple[Message, ...] = ()
    """What a sealed list binds the seat to at most."""


class _EachInTurn(Rng):
    """Chance that, over enough worlds, brings each result of the first draw once."""

    __slots__ = ("_turn",)

    def __init__(self, turn: int) -> None:
        """Open the source of world number `turn`."""
        super().__init__("preview", turn)
        self._turn = turn

    @property
    def used(self) -> bool:
        """Whether anything was drawn."""
        return self._block > 0

    def draw(self, label: str, names: Sequence[str], weights: Sequence[int]) -> int:
        """Return the first time the result whose turn it is, then any."""
        if self.used:
            return super().draw(label, names, weights)
        self._more()
        there = [index for index, weight in enumerate(weights) if weight]
        return there[self._turn % len(there)]


def told(seen: Preview) -> tuple[Message, ...]:
    """Return the same in words: a sentence of the figures that change, one of those that may, and each warning."""
    known = tuple(
        Message(CHANGE, {"figure": Message(one.name), "before": one.before, "after": one.after})
        for one in seen.figures
        if one.after is not None
    )
    open_ = tuple(Message(one.name) for one in seen.figures if one.after is None)
    parts = ((N_("For you: {figures}."), known), (N_("Still open: {figures}."), open_))
    return (*(sentence(text, figures=some) for text, some in parts if some), *seen.stakes, *seen.warnings)


def preview(rules: AnyRules, view: Any, order: Order) -> Preview:
    """Return what a legal `order` of the view's seat brings it; nothing for a game that tells no figures."""
    before = rules.figures(view)
    if not before:
        return Preview()
    first, open_ended = _carried(rules, view, order, 0)
    views = [first]
    views += [_carried(rules, view, order, turn)[0] for turn in range(1, _MANY if open_ended else _FEW)]
    after = [rules.figures(seen) for seen in views]
    hanging = rules.hanging(view, first, open_ended=open_ended)
    figures = tuple(
        Figure(name, before[name], number if name not in hanging and _same(after, name) else None)
        for name, number in after[0].items()
        if name in before  # else what it is about is there no more, or was not
    )
    sure = not hanging and views.count(first) == len(views)
    warnings = rules.warnings(view, order, first)
    return Preview(tuple(one for one in figures if one.after != one.before), warnings, first if sure else None)


def early(rules: AnyRules, view: Any, order: Order) -> Preview:
    """Return what an order given before its turn brings the view's seat once it is carried out, whatever others do."""
    before = rules.figures(view)
    after = [rules.figures(seen) for seen in rules.carried_out(view, order, Rng("preview/early", 0))]
    sure = [
        name for name, number in before.items() if after and _same(after, name) and after[0].get(name, number) != number
    ]
    return Preview(tuple(Figure(name, before[name], after[0][name]) for name in sure))


def _same(found: Sequence[Mapping[str, int]], name: str) -> bool:
    return len({figures.get(name) for figures in found}) == 1


def _carried(rules: AnyRules, view: Any, order: Order, turn: int) -> tuple[Any, bool]:
    """Return the seat's view after its order in one world; and whether something was drawn or others acted."""
    world, chance, others = rules.imagine(view, Rng("preview", turn)), _EachInTurn(turn), Rng("preview/others", turn)
    asked = rules.awaited(world)
    orders = {seat: rules.sample(world, seat, others) for seat in asked if seat != view.seat} | {view.seat: order}
    rules.apply(world, orders, chance)
    return rules.view(world, view.seat), chance.used or len(orders) > 1
