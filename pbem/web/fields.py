"""What browsers send, read so that no use case meets what no database keeps: numbers have a size, texts no NUL."""

from __future__ import annotations

from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Any
from zoneinfo import available_timezones

from flask import Request, request
from werkzeug.datastructures import ImmutableMultiDict
from werkzeug.exceptions import NotFound
from werkzeug.routing import IntegerConverter

from pbem.engine.core.types import N_, Message
from pbem.errors import WrongInput
from pbem.mail.incoming import MAX_MAIL

if TYPE_CHECKING:
    from flask import Flask

_PARTS = frozenset(
    ("Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")
)
MOST = 2**31 - 1
"""The largest number of a row, an hour or a count, on every database."""


def whole(text: str) -> int:
    """The whole number in `text`. Raises ValueError for none, and for one too large to be anything's."""
    number = int(text) if len(text) <= len(str(MOST)) + 1 else MOST + 1
    if abs(number) > MOST:
        raise ValueError(text[:20])
    return number


@cache
def zones() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The time zones people live in by their part of the world, and UTC; no name kept for old programs alone."""
    places = sorted(name for name in available_timezones() if "/" in name and name.partition("/")[0] in _PARTS)
    found = tuple((part, tuple(names)) for part, names in groupby(places, lambda name: name.partition("/")[0]))
    return (*found, ("UTC", ("UTC",)))


class Fields(ImmutableMultiDict[str, str]):
    """Fields of a form or a query; those asked for as whole numbers have the size of one."""

    def get(self, key: str, default: Any = None, type: Any = None) -> Any:  # type: ignore[override]  # noqa: A002 - werkzeug's own name
        """The field's first value, or `default` for none and for one that isn't of `type`."""
        return super().get(key, default, whole if type is int else type)

    def getlist(self, key: str, type: Any = None) -> list[Any]:  # noqa: A002 - as above
        """All values of a field that are of `type`."""
        return super().getlist(key, whole if type is int else type)


class BoundedRequest(Request):
    """A request whose fields are read so."""

    parameter_storage_class = Fields


class RowNumber(IntegerConverter):
    """A row's number in an address."""

    def to_python(self, value: str) -> int:
        """The number. Raises NotFound for one too large: a router that goes on looking would call the method wrong."""
        try:
            return whole(value)
        except ValueError:
            raise NotFound from None


FORMS = frozenset({"application/x-www-form-urlencoded", "multipart/form-data"})
"""The types of a body that has fields."""
RAW_BODIES = {"mailhook.incoming": MAX_MAIL}
"""Endpoints that take a body as it comes, and how many bytes of it: none of them may be read as a form before."""


def _refuse_nul() -> None:
    """Raise NotFound for an address with a NUL character; WrongInput for such a text, or field by its name."""
    if "\0" in request.path:
        raise NotFound
    if request.endpoint in RAW_BODIES:
        request.max_content_length = RAW_BODIES[request.endpoint]
        return
    form = request.form.items(multi=True) if request.mimetype in FORMS else ()  # to look for one in JSON costs 60 us
    parts = (*form, *request.args.items(multi=True)) if form or request.query_string else ()
    if any("\0" in part for pair in parts for part in pair):
        raise WrongInput(Message(N_("The text holds a NUL character, which can't be stored: leave it out.")))


def register(app: Flask) -> None:
    """Let `app` read its requests so."""
    app.request_class = BoundedRequest
    app.url_map.converters["int"] = RowNumber
    app.before_request(_refuse_nul)
