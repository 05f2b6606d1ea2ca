"""What rules need not say themselves: optional members, copies of a state, the options a game is opened with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from functools import cache, partial
from typing import Any

import msgspec
from msgspec import inspect

from pbem.engine.core.board import Board, Piece, Row
from pbem.engine.core.errors import IllegalOrder
from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.core.sheet import POINTS, Account, ScoreSheet, Source, Step
from pbem.engine.core.types import Fact, Meta, O, Rules, S, V


class RulesDefaults(Rules[S, O, V]):
    """The base of every game's rules: what `Rules` leaves open but no game need say."""

    def copy(self, state: S) -> S:
        """Every mutable part is copied, by the type of the state."""
        return copied(state, self.state_type)

    def account(self, steps: Sequence[Step]) -> Account:
        """The points of the end are the one source."""
        outcome = self.outcome(steps[-1].state)
        return Account((Source(POINTS, outcome.scores),) if outcome else ())

    def score_sheet(self, view: V) -> ScoreSheet:  # noqa: ARG002 - a game with points looks
        """Nothing is known of anybody's points."""
        return ScoreSheet(())

    def board(self, view: V) -> Board:
        """One row for each fact."""
        rows = (Row(Message(name.replace("_", " ")), _words(value)) for name, value in self.facts(view).items())
        return Board(self.heading(view), tuple(rows))


def _words(value: Fact) -> tuple[Piece, ...]:
    words = sorted(value) if isinstance(value, frozenset) else [str(value)]
    return tuple(Piece(Message(word)) for word in words if word)


def chosen_options(
    meta: Meta, seats: int, given: Mapping[str, str], rule: str = "", more: Sequence[Message] = ()
) -> dict[str, str]:
    """Return every option with its choice: the one given, or else its default.

    Raises IllegalOrder with all that speaks against opening a game so: its number of `seats` (by `rule`), options and
    choices it doesn't have, and `more` that the game itself has found.
    """
    faults = []
    if seats not in meta.seats:
        text = N_("{game} is for {names} players, not {count}.")
        faults.append(sentence(text, rule, game=meta.title, names=meta.seats, count=seats))
    known = {option.name: option for option in meta.options}
    for name, choice in given.items():
        if name not in known:
            text = N_("There is no option {word!r}. There are: {names}.")
            faults.append(sentence(text, word=name[:40], names=tuple(known)))
        elif known[name].choices and choice not in known[name].choices:
            text = N_("Option {name} can't be {word!r}. It can be: {names}.")
            faults.append(sentence(text, name=name, word=choice[:40], names=known[name].choices))
    if faults or more:
        raise IllegalOrder(*faults, *more)
    return {name: given.get(name, option.default) for name, option in known.items()}


Copier = Callable[[Any], Any]


def copied(state: msgspec.Struct, kind: type[S]) -> S:
    """Return `state` as a `kind` that shares nothing mutable with it; a view gives the fields of its state."""
    count, changing = _fields(kind)
    values = list(msgspec.structs.astuple(state)[:count])
    for at, copier in changing:
        values[at] = copier(values[at])
    return kind(*values)


@cache
def _fields(kind: type) -> tuple[int, tuple[tuple[int, Copier], ...]]:
    """Return how many fields a state has, and the places of those that must not be shared with how they are copied."""
    fields = [_copier(inspect.type_info(field.type)) for field in msgspec.structs.fields(kind)]
    return len(fields), tuple((at, copier) for at, copier in enumerate(fields) if copier)


def _copier(kind: inspect.Type) -> Copier | None:
    """Return how values of a type are copied; None for what is plain or frozen, which is shared."""
    match kind:
        case inspect.ListType(item_type=item):
            return list.copy if (each := _copier(item)) is None else partial(_listed, each)
        case inspect.DictType(value_type=item):
            return dict.copy if (each := _copier(item)) is None else partial(_tabled, each)
        case inspect.StructType(cls=cls):
            return None if cls.__struct_config__.frozen else partial(copied, kind=cls)
        case inspect.SetType() | inspect.AnyType() | inspect.UnionType() | inspect.TupleType() | inspect.VarTupleType():
            return deepcopy
    return None


def _listed(each: Copier, values: list[Any]) -> list[Any]:
    return [each(value) for value in values]


def _tabled(each: Copier, table: dict[Any, Any]) -> dict[Any, Any]:
    return {key: each(value) for key, value in table.items()}
