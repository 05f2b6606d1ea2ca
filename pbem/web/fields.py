"""What browsers send, read so that no use case meets what no database keeps: numbers have a size, texts no NUL."""

from __future__ import annotations

from functools import cache, partial
from itertools import groupby
from typing import Any, NamedTuple

from flask import Flask, Request, request
from werkzeug.datastructures import ImmutableMultiDict
from werkzeug.exceptions import NotFound
from werkzeug.routing import IntegerConverter

from pbem.clock import zone_names
from pbem.engine.core.message import N_, sentence
from pbem.errors import WrongInput, fitting
from pbem.mail.incoming import MAX_MAIL
from pbem.play.deadlines.cadence import COUNTED
from pbem.web.current import current_request

_PARTS = frozenset(
    ("Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")
)
MOST = 2**31 - 1
"""The largest number of a row, an hour or a count, on every database."""


def whole(text: str) -> int:
    """Return the whole number in `text`. Raises ValueError for none, and for one too large to be anything's."""
    number = int(text) if len(text) <= len(str(MOST)) + 1 else MOST + 1
    if abs(number) > MOST:
        raise ValueError(text[:20])
    return number


@cache
def zones() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the time zones people live in by their part of the world, and UTC; no name kept for old programs alone."""
    places = sorted(name for name in zone_names() if "/" in name and name.partition("/")[0] in _PARTS)
    found = tuple((part, tuple(names)) for part, names in groupby(places, lambda name: name.partition("/")[0]))
    return (*found, ("UTC", ("UTC",)))


class TypedField(NamedTuple):
    """A field that a person writes into: what pages call it, and the characters it takes; 0: its use case tells."""

    label: str
    longest: int = 0


TYPED = {
    **{word: TypedField(label) for word, label in COUNTED.items()},
    "address": TypedField(N_("Address"), 254),
    "build-else": TypedField(N_("and as long as that is not so"), 400),
    "build-number": TypedField(N_("number")),
    "build-order": TypedField(N_("then"), 400),
    "build-value": TypedField(N_("or a word"), 200),
    "behind": TypedField(N_("Moves that spectators are behind")),
    "code": TypedField(N_("The code of the letter"), 20),
    "contact": TypedField(N_("Contact address"), 254),
    "ends": TypedField(N_("To")),
    "handover": TypedField(N_("What they should know"), 5000),
    "hours": TypedField(N_("Hours more")),
    "name": TypedField(N_("Name"), 60),
    "note": TypedField(N_("A word to the others"), 200),
    "people": TypedField(N_("One person a line: address, name")),
    "reason": TypedField(N_("Why"), 500),
    "rounds": TypedField(N_("Rounds")),
    "sleeps": TypedField(N_("To")),
    "stagger": TypedField(N_("Hours between the starts of the games")),
    "starts": TypedField(N_("From")),
    "table": TypedField(N_("One game a line: title, game, speed, options, players")),
    "text": TypedField(N_("What you wrote")),
    "title": TypedField(N_("Subject"), 80),
    "to_ply": TypedField(N_("Position to go back to")),
    "typed": TypedField(N_("Its name"), 60),
    "url": TypedField(N_("Address")),
    "wakes": TypedField(N_("From")),
    "workload": TypedField(N_("Games a player has at a time, at most")),
}
"""The fields of pages outside the games, their plans and their boxes; none is called like a number of ours."""
_SHORTER = {("control.keep_view", "name"): 40, ("opening.opened", "title"): 60, ("talk.note", "text"): 4000}
"""Fields that take fewer characters on one route, by its endpoint."""


def _number(fields: Fields, text: str) -> int:
    """Return the whole number in a field.

    Raises ValueError for none; WrongInput if it was sent in a form and holds a text. Only then is the form looked for.
    """
    try:
        return whole(text)
    except ValueError:
        if text.strip() and fields is request.form:
            says = N_("{word!r} is no whole number. Write one such as 24, or choose from the list.")
            if text.strip().lstrip("+-").isdecimal():
                says = N_("{word!r} is too large a number. Write one such as 24, or choose from the list.")
            raise WrongInput(says, word=text) from None
        raise


class Fields(ImmutableMultiDict[str, str]):
    """Fields of a form or a query; those asked for as whole numbers have the size of one.

    A form's field that holds another text is refused, for it was meant to say something; a query's is left out.
    """

    def get(self, key: str, default: Any = None, type: Any = None) -> Any:  # type: ignore[override]  # noqa: A002 - werkzeug's own name
        """Return the field's first value, or `default` for none and for one that isn't of `type`."""
        return super().get(key, default, self._of(type))

    def getlist(self, key: str, type: Any = None) -> list[Any]:  # noqa: A002 - as above
        """Return all values of a field that are of `type`."""
        return super().getlist(key, self._of(type))

    def _of(self, kind: Any) -> Any:
        return partial(_number, self) if kind is int else kind


class BoundedRequest(Request):
    """A request whose fields are read so."""

    parameter_storage_class = Fields


class RowNumber(IntegerConverter):
    """A row's number in an address."""

    def to_python(self, value: str) -> int:
        """Return the number.

        Raises NotFound for one too large: a router that goes on looking would call the method wrong.
        """
        try:
            return whole(value)
        except ValueError:
            raise NotFound from None


FORMS = frozenset({"application/x-www-form-urlencoded", "multipart/form-data"})
"""The types of a body that has fields."""
NO_NUL = sentence("The text holds a NUL character, which can't be stored: leave it out.")
TOO_LARGE = N_("At most 2 megabytes are taken. Please send less.")
RAW_BODIES = {"mailhook.incoming": MAX_MAIL}
"""Endpoints that take a body as it comes, and how many bytes of it: none of them may be read as a form before."""


def _refuse() -> None:
    """Raise NotFound for an address with a NUL character; WrongInput for such a text or field, and an overlong one."""
    request = current_request()  # not Flask's, which is a proxy
    if "\0" in request.path:
        raise NotFound
    if request.endpoint in RAW_BODIES:
        request.max_content_length = RAW_BODIES[request.endpoint]
        return
    form = (
        list(request.form.items(multi=True)) if request.mimetype in FORMS else []
    )  # to look for one in JSON costs 60 us
    parts = (*form, *request.args.items(multi=True)) if form or request.query_string else ()
    if any("\0" in part for pair in parts for part in pair):
        raise WrongInput(NO_NUL)
    for name, text in form:
        longest = _SHORTER.get((str(request.endpoint), name)) or TYPED.get(name, TypedField("")).longest
        if longest:
            fitting(text.replace("\r\n", "\n"), longest)  # browsers count a line's end as one


def register(app: Flask) -> None:
    """Let `app` read its requests so."""
    app.request_class = BoundedRequest
    app.url_map.converters["int"] = RowNumber
    app.before_request(_refuse)
