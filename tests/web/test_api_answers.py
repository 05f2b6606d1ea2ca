"""Answers of the API are derived from views: only what a shape names, in its types, worded for the caller."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from pbem.engine.core.message import Message
from pbem.web.api.answers import answered, shape

if TYPE_CHECKING:
    from flask import Flask


class Place(Enum):
    """A state."""

    HERE = "here"


class Inner(msgspec.Struct):
    """Something a view holds."""

    name: str
    said: Message | None = None


class Shown(msgspec.Struct):
    """A view."""

    id: int
    hidden: str
    place: Place | None
    inner: tuple[Inner, ...]
    first: Inner | None = None
    who: tuple[int, ...] | None = (3,)

    @property
    def count(self) -> int:
        """How many it holds."""
        return len(self.inner)


SHAPE = shape(
    "SHAPE",
    "A shape.",
    Shown,
    "number=id place names=inner.name first=first.name who count inner",
    inner=[Any],
    extra=str,
    shapes=[Shown],
)


def test_types_follow_from_the_view() -> None:
    """Tuples are lists, states text, what may be missing may be null; nothing else has a field."""
    found = {field.name: field.type for field in msgspec.structs.fields(SHAPE)}

    assert found == {
        "number": int,
        "place": str,
        "names": list[str],
        "first": str | None,
        "who": list[int] | None,
        "count": int,
        "inner": list[Any],
        "extra": str,
        "shapes": list[Shown],
    }


def test_a_view_says_what_its_shape_names(app: Flask) -> None:
    """Sentences are said in the caller's language; a state that is none is empty, what hangs on nothing is null."""
    view = Shown(7, "secret", None, (Inner("Ada", Message("Yes")), Inner("Bob")))

    with app.test_request_context():
        found = msgspec.to_builtins(answered(SHAPE, view, extra=Message("No"), shapes=[]))

    assert found == {
        "number": 7,
        "place": "",
        "names": ["Ada", "Bob"],
        "first": None,
        "who": [3],
        "count": 2,
        "inner": [{"name": "Ada", "said": {"text": "Yes"}}, {"name": "Bob", "said": None}],
        "extra": "No",
        "shapes": [],
    }


def test_a_field_no_view_has_is_told_at_the_start() -> None:
    """A shape can't name what its view doesn't hold."""
    with pytest.raises(KeyError, match="nothing"):
        shape("Wrong", "A shape.", Shown, "nothing")
