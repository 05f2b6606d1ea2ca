"""Copies of a game's state: every mutable part is copied, by the type of the state."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from functools import cache, partial
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

S = TypeVar("S", bound=msgspec.Struct)
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
    return list(map(each, values))


def _tabled(each: Copier, table: dict[Any, Any]) -> dict[Any, Any]:
    return {key: each(value) for key, value in table.items()}
