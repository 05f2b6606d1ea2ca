"""The next steps of one seat that nothing can disturb: what it is asked right after an order, and what follows then.

They are worked out from the seat's view alone, on worlds that are imagined from it, so that nothing hidden can show. A
step is certain if nothing is drawn on the way, nobody else is asked in between, and all worlds come to the same view;
or if the rules say that nothing that others do can touch it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any

from pbem.engine.core.errors import CorruptState, EngineError, IllegalOrder
from pbem.engine.core.forms import Form
from pbem.engine.core.message import Message, sentence
from pbem.engine.core.rng import Recorded, Rng
from pbem.engine.core.types import AnyRules, Order
from pbem.engine.preview import Preview, early, preview
from pbem.engine.text import standing_orders, standing_text
from pbem.engine.text.notation import ELSE
from pbem.structs import Value

DEEPEST = 3
"""Decisions asked on one page: the present one and those that follow at once."""
_WORLDS = 4
"""Imagined worlds that must agree."""
_SHOWN = 40
"""Orders looked at for one of several parts."""
_TRIED = 8
"""Orders looked at for one that leads on."""


class LookaheadStep(Value):
    """A decision that the seat is sure to be asked next."""

    rules: AnyRules
    view: Any
    """The seat's view at that point."""
    alone: bool = True
    """Whether nobody else acts until then; else nothing that they do touches it."""

    @property
    def form(self) -> Form:
        """What can be chosen then."""
        return self.rules.form(self.view)


class Foreseen(Value):
    """What is certain about a chain of orders."""

    orders: tuple[str, ...] = ()
    """The later orders in their canonical form, as far as they are certain."""
    says: tuple[Message, ...] = ()
    """What they will do."""
    faults: tuple[Message, ...] = ()
    """Why a later order is sure to be dropped; with it falls what comes after."""
    next: LookaheadStep | None = None
    """What is asked after all of them; None where that isn't certain."""


class Example(Value):
    """An order that leads straight on, for a letter."""

    order: str
    question: Message
    """What is asked then."""
    chain: str
    """Both answers as one order text."""
    alone: bool
    """Whether nobody else acts in between."""


def is_alone(rules: AnyRules, state: Any, seat: int) -> bool:
    """Return whether `seat` is the only one that is asked, and could be by what everybody knows."""
    waiting = {other: one for other, one in rules.asked(state).items() if one.needed or one.sealed}
    return len(waiting) == 1 and seat in waiting and set(waiting[seat].candidates) <= {seat}


class Lookahead:
    """A seat's way from its present decision on, through those that follow without anybody else."""

    def __init__(self, rules: AnyRules, view: Any, worlds: Iterable[Any]) -> None:
        """Begin before the present decision of the view's seat, in `worlds` that agree with it and are played on."""
        self.rules = rules
        self.seat = view.seat
        self.view = view
        self.worlds = list(worlds)

    def first(self, text: str) -> Order:
        """Return the order that `text` is for the present decision. Raises EngineError if it can't be used."""
        order: Order = self.rules.read(self.worlds[0], self.seat, text)
        if faults := self.rules.check(self.worlds[0], self.seat, order):
            raise IllegalOrder(*faults)
        return order

    def link(self, text: str) -> standing_orders.StandingAnswer:
        """Return what a later link of a chain answers here; it may bear a condition."""
        return standing_orders.follow(self.rules, self.worlds[0], self.seat, (text,))

    def go(self, order: Order) -> LookaheadStep | None:
        """Apply a legal order, and what leaves no choice after it; return the decision that is sure to follow, if any.

        None: nothing is sure to follow, and `go` may not be called again.
        """
        alone = True
        while True:
            after = self.rules.asked_next(self.view, order)
            if after is not None:
                self.view, self.worlds, alone = after, _worlds(self.rules, after, len(self.worlds)), False
            elif not self._carried(order):
                return None
            few = list(islice(self.rules.legal(self.worlds[0], self.seat), 2))
            if len(few) > 1:
                return LookaheadStep(self.rules, self.view, alone)
            order = few[0]

    def _carried(self, order: Order) -> bool:
        """Return whether every world took the order without chance or anybody's help, and they still look alike."""
        for world in self.worlds:
            if not is_alone(self.rules, world, self.seat):
                return False
            try:
                self.rules.apply(world, {self.seat: order}, Recorded(()))
            except CorruptState:  # something is drawn here
                return False
        if not all(is_alone(self.rules, world, self.seat) for world in self.worlds):
            return False
        self.view, *others = (self.rules.view(world, self.seat) for world in self.worlds)
        return all(other == self.view for other in others)


def foresee(rules: AnyRules, view: Any, orders: Sequence[str]) -> Foreseen:
    """Return what is certain about a chain, its first order legal now. Raises EngineError if that one can't be used."""
    trail = Lookahead(rules, view, _worlds(rules, view))
    step = trail.go(trail.first(orders[0]))
    sure: list[str] = []
    says: list[Message] = []
    for text in orders[1:]:
        if step is None:
            break
        answer = trail.link(text)
        if answer.order is None:
            faults = () if answer.line else answer.why
            return Foreseen(tuple(sure), tuple(says), faults)
        sure.append(text if ":" in text else answer.text)  # a condition stays as it was written
        says.append(rules.describe(step.view, answer.order))
        step = trail.go(answer.order)
    return Foreseen(tuple(sure), tuple(says), next=step)


def example(rules: AnyRules, view: Any, world: Any) -> Example | None:
    """One of the first legal orders that leads straight on to another decision, with a safe answer to that; or None."""
    alone = is_alone(rules, world, view.seat)
    for order in islice(rules.legal(world, view.seat), _TRIED):
        if not alone and rules.asked_next(view, order) is None:
            continue
        if Lookahead(rules, view, (rules.copy(world),)).go(order) is None:
            continue  # what doesn't lead on in one world needn't be tried in all
        step = Lookahead(rules, view, _worlds(rules, view)).go(order)
        if step is not None:
            chain = f"{order}; then {rules.cautious(step.view)}"
            return Example(str(order), rules.question(step.view), chain, step.alone)
    return None


def described(rules: AnyRules, state: Any, seat: int, orders: Sequence[Order], *, ahead: bool) -> tuple[Message, ...]:
    """Return what the first of `orders` will do, and before its turn what happens where it can't be done any more."""
    view, told = rules.view(state, seat), list[Message]()
    for order in orders:
        says = rules.describe(view, order)
        told.append(sentence("If that can't be done any more: {said}", said=says) if told else says)
        if not ahead or rules.is_certain(state, seat, order):
            return tuple(told)
    asked = sentence("If that can't be done any more, you are asked again.")
    if len(told) > 1:
        asked = sentence("If that can't be done either, you are asked again.")
    return (*told, asked)


def brings(rules: AnyRules, state: Any, seat: int, canonical: str) -> Preview:
    """Return what an order or a sealed list that stands brings its seat itself, on a page and by mail."""
    view, decision = rules.view(state, seat), rules.asked(state)[seat]
    if decision.sealed:
        lines = standing_orders.sealed_list(rules, canonical).lines
        texts = [text for line in lines for text in standing_text.alternatives(line.orders[0])]
        return Preview(stakes=rules.stakes(view, _readable(rules, state, seat, texts)))
    order = rules.read(state, seat, standing_text.alternatives(canonical)[0])
    return preview(rules, view, order) if decision.needed else early(rules, view, order)


def _readable(rules: AnyRules, state: Any, seat: int, texts: Iterable[str]) -> dict[str, Order]:
    found = {}
    for text in texts:
        with suppress(EngineError):
            found[text] = rules.read(state, seat, text)
    return found


def of_several_parts(rules: AnyRules, view: Any, world: Any) -> str:
    """Return one of the first legal orders that has several parts, to show how they are written; "" for none.

    None that the rules warn of, unless they warn of the safe one too: an offering with cards sold takes all the gold.
    """
    orders = (order for order in islice(rules.legal(world, view.seat), _SHOWN) if ", " in str(order))
    most = len(rules.warnings(view, rules.cautious(view), view))
    return next((str(order) for order in orders if len(rules.warnings(view, order, view)) <= most), "")


def second_choice(rules: AnyRules, view: Any, world: Any) -> str | None:
    """Two legal orders as one text, the second in case the first can't be done; None but before the seat's turn."""
    if not rules.asked(world)[view.seat].ahead:
        return None
    safe, some = rules.cautious(view), islice(rules.legal(world, view.seat), _TRIED)
    few = [order for order in some if order != safe and not rules.is_certain(world, view.seat, order)]
    return ELSE.join(map(str, few[:-3:-1])) if len(few) > 1 else None


def world_of(rules: AnyRules, view: Any) -> Any:
    """Return a world that agrees with the view, in which a letter looks for orders to show."""
    (world,) = _worlds(rules, view, 1)
    return world


def _worlds(rules: AnyRules, view: Any, count: int = _WORLDS) -> list[Any]:
    return [rules.imagine(view, Rng("onward", number)) for number in range(count)]
