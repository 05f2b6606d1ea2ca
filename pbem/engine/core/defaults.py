"""What rules need not say themselves: each optional member of the contract with what stands in for it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pbem.engine.core.board import Board, Piece, Row
from pbem.engine.core.copies import copied
from pbem.engine.core.rng import Chance
from pbem.engine.core.sheet import POINTS, Account, ScoreSheet, Source, Step
from pbem.engine.core.types import Decision, Event, Fact, Message, Outcome, Resolution


class RulesDefaults:
    """The base of every game's rules; `types.Rules` says what each member means."""

    if TYPE_CHECKING:  # what every game says itself
        state_type: type[Any]
        asked: Callable[[Any], Mapping[int, Decision]]
        apply: Callable[[Any, Mapping[int, Any], Chance], list[Event]]
        facts: Callable[[Any], Mapping[str, Fact]]
        heading: Callable[[Any], Message]
        outcome: Callable[[Any], Outcome | None]

    worth: Callable[[Any, Any], float] | None = None

    def copy(self, state: Any) -> Any:
        """Return a state that shares nothing mutable with `state`."""
        return copied(state, self.state_type)

    def awaited(self, state: Any) -> dict[int, Decision]:
        """Return the seats of `asked` whose order the next ply needs."""
        return {seat: decision for seat, decision in self.asked(state).items() if decision.needed}

    def optional(self, state: Any) -> dict[int, Decision]:
        """Return the seats of `asked` whose decision has a default and rides along."""
        return {seat: decision for seat, decision in self.asked(state).items() if decision.optional}

    def sealed(self, state: Any) -> tuple[int, ...]:
        """Return the seats of `asked` that owe an ordered list."""
        return tuple([seat for seat, decision in self.asked(state).items() if decision.sealed])

    def resolve(self, state: Any, orders: Mapping[int, Any], chance: Chance) -> Resolution:
        """Do the same as `apply` on a copy; `state` stays as it was."""
        after = self.copy(state)
        return Resolution(after, tuple(self.apply(after, orders, chance)))

    def asked_next(self, view: Any, order: Any) -> Any:  # noqa: ARG002 - a game with such decisions looks
        """No decision is asked on the page of one before it, unless nobody else acts in between."""
        return None

    def account(self, steps: Sequence[Step]) -> Account:
        """Return the points of the end as one source."""
        outcome = self.outcome(steps[-1].state)
        return Account((Source(POINTS, outcome.scores),) if outcome else ())

    def score_sheet(self, view: Any) -> ScoreSheet:  # noqa: ARG002 - a game with points looks
        """Nothing is known of anybody's points."""
        return ScoreSheet(())

    def figures(self, view: Any) -> Mapping[str, int]:  # noqa: ARG002 - a game with figures looks
        """No figures: then nothing is foretold of an order."""
        return {}

    def hanging(self, view: Any, after: Any, /, *, open_ended: bool) -> Collection[str]:  # noqa: ARG002 - likewise
        """Return the figures that are less certain than they look: none."""
        return ()

    def warnings(self, view: Any, order: Any, after: Any, /) -> tuple[Message, ...]:  # noqa: ARG002 - likewise
        """Nothing is warned of."""
        return ()

    def carried_out(self, view: Any, order: Any, chance: Chance, /) -> Iterable[Any]:  # noqa: ARG002 - likewise
        """No order is given before its turn, or nothing is known of what it will bring."""
        return ()

    def stakes(self, view: Any, orders: Sequence[Any], /) -> tuple[Message, ...]:  # noqa: ARG002 - likewise
        """Nothing is at stake."""
        return ()

    def board(self, view: Any) -> Board:
        """One row for each fact."""
        rows = (Row(Message(name.replace("_", " ")), _words(value)) for name, value in self.facts(view).items())
        return Board(self.heading(view), tuple(rows))


def _words(value: Fact) -> tuple[Piece, ...]:
    words = sorted(value) if isinstance(value, frozenset) else [str(value)]
    return tuple(Piece(Message(word)) for word in words if word)
