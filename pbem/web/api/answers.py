"""Answers of the API, derived from what the pages are given: a shape names fields of a view, their types follow.

Only fields that a shape names ever reach a program: what is added to a view stays inside until it is named here.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec
from flask import Response
from sqlalchemy.orm import Mapped

from pbem.engine.core.message import Event, Message
from pbem.web import pages

_FIELDS: dict[Any, Mapping[str, tuple[tuple[str, ...], Any]]] = {}
"""By shape and field, the attributes that lead from a view to its value, and its type."""
_MANY = (tuple, list, frozenset)


def shape(name: str, doc: str, view: type, fields: str, /, **more: Any) -> Any:
    """Return a Struct called `name`, to answer with what `view` (a Struct or a mapped row) holds.

    `fields` are names of attributes, or `name=path.of.attributes` where the answer has its own name for it; a path
    through a tuple gives a list. `more` gives the types of fields that don't follow from the view: shapes of what
    it holds, and of values that only the call knows (see `answered`).
    """
    words = (word.partition("=") for word in fields.split())
    paths = {key: tuple((path or key).split(".")) for key, _, path in words}
    fields_of = {key: (path, _told(view, path)) for key, path in paths.items()}
    fields_of |= {key: (paths.get(key, (key,)), typed(kind)) for key, kind in more.items()}
    told = [(key, kind) for key, (_, kind) in fields_of.items()]
    made = msgspec.defstruct(name, told, kw_only=True, namespace={"__doc__": doc})
    _FIELDS[made] = fields_of
    return made


def typed(kind: Any) -> Any:
    """The type meant: a list of one shape may be written `[shape]`, since a checker knows no types made at start."""
    return list[kind[0]] if isinstance(kind, list) else kind


def _told(kind: Any, path: tuple[str, ...]) -> Any:
    """The type that programs get for what stands at the end of a path: sentences and states are text."""
    if get_origin(kind) in {Union, UnionType}:
        (one,) = (arg for arg in get_args(kind) if arg is not NoneType)
        found = _told(one, path)
        return found if _is_worded(one) and not path else found | None
    if get_origin(kind) is Mapped:
        return _told(get_args(kind)[0], path)
    if get_origin(kind) in _MANY:
        return list[_told(get_args(kind)[0], path)]  # type: ignore[misc]  # a type made while the program starts
    if path:
        return _told(_hint(kind, path[0]), path[1:])
    return str if _is_worded(kind) else kind


def _hint(view: type, name: str) -> Any:
    """The type of an attribute of a view, be it a field or a property."""
    found = getattr(view, name, None)
    return get_type_hints(found.fget)["return"] if isinstance(found, property) else get_type_hints(view)[name]


def _is_worded(kind: Any) -> bool:
    """Whether programs get this as text: none is the empty text then."""
    return isinstance(kind, type) and issubclass(kind, (Message, Event, Enum))


def answered(kind: Any, found: Any, /, **more: Any) -> Any:
    """Return a view in a shape and in the caller's language; `more` are fields that the view doesn't hold.

    `kind` is a shape, any type made of shapes (`list[...]`, `... | None`), or what needs nothing done. An answer that
    is finished (a Response, or made by its own class) stays as it is.
    """
    if found is None:
        return "" if kind is str else None
    if isinstance(found, (Message, Event)):
        return pages.translator()(found)
    if get_origin(kind) in {Union, UnionType}:
        return answered(get_args(kind)[0], found)
    if kind in _FIELDS and not isinstance(found, (kind, Response)):
        values = {
            name: answered(to, more[name] if name in more else _read(found, path))
            for name, (path, to) in _FIELDS[kind].items()
        }
        return kind(**values)
    if isinstance(found, _MANY):
        (one,) = get_args(kind) or (Any,)
        return [answered(one, value) for value in found]
    return found


def _read(found: Any, path: tuple[str, ...]) -> Any:
    """What stands at the end of a path; through a tuple, of each of its members."""
    if not path or found is None:
        return found
    if isinstance(found, _MANY):
        return [_read(one, path) for one in found]
    return _read(getattr(found, path[0]), path[1:])
