"""Values: made from the row that a view, a plan or an answer is taken from, known again, and told in sentences."""

from __future__ import annotations

from hashlib import sha256
from typing import Any, TypeVar, dataclass_transform

import msgspec


@dataclass_transform(frozen_default=True)
class Value(msgspec.Struct, frozen=True):
    """What is handed on between rooms: compared by what it holds, and never changed."""


Made = TypeVar("Made", bound=msgspec.Struct)
ORDERS = ("order", "other_order", "orders", "chain", "example", "forms", "syntax", "line")
"""Holes of sentences that are filled with orders, or with how they are written."""
SECRET: set[str] = set()
"""What the tables' secret columns are called, once the tables are known."""


def from_attributes(kind: type[Made], source: object, /, **more: Any) -> Made:
    """Return a `kind` whose fields are the attributes of `source` of the same name, but for those given in `more`.

    A field that neither has keeps its default; raises TypeError where it has none, and for one that is called like a
    secret column of any table: whoever means it hands it in by name.
    """
    wanted = [name for name in kind.__struct_fields__ if name not in more]
    given = {name: value for name in wanted if (value := getattr(source, name, msgspec.UNSET)) is not msgspec.UNSET}
    if not SECRET.isdisjoint(given):
        raise TypeError(f"{kind.__name__} would be filled with what is secret: {sorted(SECRET.intersection(given))}.")
    return kind(**given, **more)


def mark_of(shown: object) -> str:
    """Return what a form says of a value it shows, by which is known later whether that is still so."""
    return sha256(msgspec.json.encode(shown)).hexdigest()[:16]
