"""What all calls share: the description, the caller's key, sentences in the caller's language, errors as JSON."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from functools import cache, partial, wraps
from hashlib import sha256
from http import HTTPStatus
from typing import Any, TypeVar, get_origin, get_type_hints
from urllib.parse import urlencode

import msgspec
from flask import Blueprint, Response, abort, current_app, g, request
from flask_limiter import RateLimitExceeded
from spectree import Response as Answers
from spectree import SecurityScheme, SpecTree
from spectree.model_adapter import get_msgspec_model_adapter
from spectree.models import SecureType, SecuritySchemeData
from sqlalchemy import exc
from sqlalchemy.orm import Session
from werkzeug.exceptions import HTTPException

from pbem import __version__, clock
from pbem.capabilities import acts, api_keys, forms, links, roles
from pbem.capabilities.acts import GuardedAct, Proof
from pbem.clubs import club_views
from pbem.engine.core.errors import AmbiguousOrder, EngineError, UnknownVersion
from pbem.engine.core.message import N_, Message, sentence
from pbem.errors import (
    GameOver,
    NeedsYes,
    NotAllowed,
    NotSeated,
    Overtaken,
    PhaseClosed,
    PlayError,
    Repeated,
    StalePhase,
    WrongInput,
)
from pbem.extensions import current, db
from pbem.store import outages
from pbem.structs import mark_of
from pbem.web import dates, fields, pages
from pbem.web.api.answers import answered, typed
from pbem.web.api.shapes import IfMatch, ListPart, Mark, Marked, Problem, Sure
from pbem.web.guards import csrf, limiter

_Handler = TypeVar("_Handler", bound="Callable[..., Any]")


def _name(model: Any) -> str:
    """What a shape is called in the description; lists of one are called by their title."""
    titles = [str(meta.title) for meta in getattr(model, "__metadata__", ()) if getattr(meta, "title", None)]
    return titles[0] if titles else str(getattr(model, "__name__", model))


def _wrong_shape(_request: Any, _answer: Any, fault: Exception | None, _instance: Any, _adapter: Any) -> None:
    """Refuse a body, a query or a header that doesn't fit its description, in our own words."""
    if fault is not None:
        said = sentence("This call doesn't fit its description: {fault}", fault=str(fault))
        abort(problem(HTTPStatus.UNPROCESSABLE_ENTITY, "WrongInput", [said]))


blueprint = Blueprint("api", __name__, url_prefix="/api/v1")
limiter.limit("60 per minute; 600 per hour", deduct_when=lambda answer: answer.status_code == HTTPStatus.UNAUTHORIZED)(
    blueprint
)  # calls whose key opens nothing
csrf.exempt(blueprint)  # a key in a header is sent by no browser on its own
_shapes = get_msgspec_model_adapter()
_shapes.json_schema = cache(_shapes.json_schema)  # type: ignore[method-assign, assignment]  # else described for each call anew
spec = SpecTree(
    "flask",
    title="pbem",
    version=__version__,
    path="openapi",  # the description itself is served by `games.description`
    page_templates={},
    mode="strict",
    model_adapter=_shapes,
    naming_strategy=_name,
    nested_naming_strategy=lambda _outer, inner: inner,  # a shape is one thing wherever it stands
    before=_wrong_shape,
    security_schemes=[SecurityScheme(name="key", data=SecuritySchemeData(type=SecureType.HTTP, scheme="bearer"))],
    security={"key": []},
)
LATE = (GameOver, PhaseClosed, StalePhase, UnknownVersion)
_CONFLICTS = (*LATE, Repeated)
OPEN = {"description"}
"""Calls without a key, by name; their description says so too."""
_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
"""The NUL character as JSON writes it."""
_METHODS: defaultdict[str, set[str]] = defaultdict(set)
"""By path. Where a PUT replaces what GET gives, that has an ETag, which PUT takes as If-Match (RFC 9110, 13.1.1)."""


@blueprint.before_request
def _can_be_stored() -> None:
    """Refuse a body that is no JSON object, and a character that no database keeps, before a use case meets them."""
    body = request.get_data()
    if request.mimetype in fields.FORMS or (body and not isinstance(request.get_json(silent=True), dict)):
        raise WrongInput("The body of this call is no JSON object: send one in UTF-8, as application/json.")
    if _NUL.search(body):
        raise WrongInput(fields.NO_NUL)


@blueprint.before_request
def _is_known() -> None:
    """Look at the key before the body: who has none learns nothing of what a call wants. Raises NotSeated."""
    if request.method != "OPTIONS" and (request.endpoint or "").removeprefix("api.") not in OPEN:
        key()
        rule = str(request.url_rule).removeprefix(str(blueprint.url_prefix))
        if request.if_match and request.method != "GET" and not _replaces(request.method, rule):
            raise WrongInput("If-Match is for what GET gives with an ETag, and PUT replaces: call this without.")
        acts.begin(db.session(), PROGRAM, request.if_match.as_set(include_weak=True))


def _replaces(method: str, path: str) -> bool:
    """Whether a call puts something in the place of what GET gives there."""
    return method == "PUT" and "GET" in _METHODS[path]


def calls(tag: str) -> Callable[..., Callable[[_Handler], _Handler]]:
    """Return what registers the calls that are described together under `tag`: `_call` for the rest."""
    return partial(_call, tag)


def _call(  # noqa: PLR0913 - what a call is described by
    tag: str,
    method: str,
    path: str,
    gives: Any,
    *more: HTTPStatus,
    is_open: bool = False,
    budget: str = "",
    final: bool = False,
    marked: bool = False,
) -> Callable[[_Handler], _Handler]:
    """Register a function as the call `method path`: what it returns is answered as `gives`.

    `gives` is a shape, a list of one written `[shape]`, or a plain Struct; `more` are refusals beside those every
    call knows. The body's and the query's types are those of the parameters `json` and `query`. Without `is_open` it
    needs a key; a list is given by pages; `budget` limits it further. A `final` call does, or can do, what nobody
    takes back: it takes `?sure=yes`. One whose body has a `Mark`, all that a `marked` one has, is done once with it.
    """
    _METHODS[path].add(method)
    model, replaces = typed(gives), _replaces(method, path)
    listed = method == "GET" and get_origin(model) is list

    def register(handler: _Handler) -> _Handler:
        hints = get_type_hints(handler, include_extras=True) | ({"json": Marked} if marked else {})
        is_marked = get_type_hints(hints.get("json", object), include_extras=True).get("request") == Mark
        answer = _answer(_once(handler, marked=marked) if is_marked else handler, method, path, model, listed=listed)
        answer.__annotations__ = hints  # SpecTree would look names up in our module
        security: list[Any] | None = [] if is_open else None
        refusals = (*[HTTPStatus.PRECONDITION_FAILED] * replaces, *[HTTPStatus.CONFLICT] * is_marked)
        name, resp = handler.__name__, _answers(model, *more, *refusals)
        query = hints.get("query", Sure if final else ListPart if listed else None)
        takes: dict[str, Any] = {"query": query, "headers": IfMatch if replaces else None}
        described = spec.validate(**takes, resp=resp, tags=[tag], security=security, operation_id=name)(answer)
        if is_open:
            OPEN.add(name)
        limited = limiter.limit(budget)(described) if budget else described
        blueprint.add_url_rule(path, view_func=limited, methods=[method])
        return handler

    return register


def _answer(act: _Handler, method: str, path: str, model: Any, *, listed: bool) -> Callable[..., Any]:
    """What answers the call `method path` with what a function returns, `listed` by pages."""

    @wraps(act)
    def answer(**given: Any) -> Any:
        found = act(**given)
        if method != "GET":
            api_keys.used(*current(), key())
            return answered(model, found)
        part, headers = _part(found) if listed else (found, {})
        if "PUT" in _METHODS[path]:
            headers["ETag"] = f'"{mark_of(found)}"'
        return answered(model, part), 200, headers

    return answer


class FromOffset(msgspec.Struct):
    """A list of which a call has read nothing that is passed over."""

    rows: Sequence[Any]


def _part(found: Any) -> tuple[Any, dict[str, str]]:
    """The part of a list that is asked for, and the header that leads to the next one (RFC 8288)."""
    asked = asked_part()
    rest = found.rows if isinstance(found, FromOffset) else found[asked.offset :]
    more = urlencode(request.args.to_dict() | {"offset": str(asked.offset + asked.limit)})
    link = f'<{request.path}?{more}>; rel="next"'
    return rest[: asked.limit], {"Link": link} if rest[asked.limit :] else {}


def asked_part() -> ListPart:
    """Which part of a list is asked for."""
    asked: ListPart = request.context.query  # type: ignore[attr-defined]  # where SpecTree keeps what it has read
    return asked


def needed() -> int:
    """How many of a list a call must read to give the part that is asked for, and to know whether more follow."""
    part = asked_part()
    return part.offset + part.limit + 1


def _once(handler: _Handler, *, marked: bool) -> Callable[..., Any]:
    """What carries a call out that wasn't yet, as its mark says. Raises Repeated for one that was."""

    @wraps(handler)
    def act(json: Any, **given: Any) -> Any:
        if not marked:
            given["json"] = json
        if not json.request:
            return handler(**given)
        held, session = key(), db.session()
        digest = sha256(f"{held.id} {request.path} ".encode() + msgspec.json.encode(json)).hexdigest()
        if forms.led(session, digest) is not None:
            raise Repeated(
                "This call was carried out when it was first sent with this mark: see what came of it by GET."
            )
        found = handler(**given)
        forms.note(session, clock.now(), held.player_id, digest, request.path)
        return found

    return act


def _answers(model: Any, *more: HTTPStatus) -> Answers:
    """The answers a call can give: its own, and the refusals every call knows."""
    refusals = (
        HTTPStatus.BAD_REQUEST,
        HTTPStatus.UNAUTHORIZED,
        HTTPStatus.NOT_FOUND,
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        HTTPStatus.UNPROCESSABLE_ENTITY,
        HTTPStatus.TOO_MANY_REQUESTS,
        HTTPStatus.SERVICE_UNAVAILABLE,
        *more,
    )
    return Answers(HTTP_200=model, **{f"HTTP_{status.value}": Problem for status in refusals})


class _Program:
    """Whoever calls with a key."""

    @staticmethod
    def agree(*does: Message) -> None:
        """Go on only for who calls with `?sure=yes` what nobody can take back. Raises NeedsYes."""
        if not pages.is_sure(request.args):
            raise NeedsYes(*does)

    @staticmethod
    def prove(_player_id: int, asks: GuardedAct) -> None:
        """Raise NotAllowed for what no key does."""
        if asks.proof is not Proof.KEY:
            raise NotAllowed("No key does this: do it on your page, with a code from your mail.")


PROGRAM = _Program()


def key() -> api_keys.Key:
    """The key the call was made with. Raises NotSeated for none, or one that opens nothing."""
    if "api_key" not in g:
        scheme, _, text = request.headers.get("Authorization", "").partition(" ")
        if scheme.casefold() != "bearer":
            raise NotSeated("Send your key as `Authorization: Bearer KEY`.")
        g.api_key = api_keys.open_key(*current(), text.strip())
        pages.speak()  # in the language of Accept-Language, times in UTC
    found: api_keys.Key = g.api_key
    return found


def any_seat(seat_id: int) -> tuple[int, int | None]:
    """A seat the caller may play for, and the sitter's player number if it is one who calls.

    A seat's key opens that one, a person's their own seats and those they sit in for. Raises NotSeated for any other
    one, and once the links of a game that is over have ended.
    """
    held = key()
    if held.seat_id == seat_id:
        return seat_id, None
    if not held.is_own:
        raise NotSeated("This key doesn't speak for that seat.")
    opened = links.enter_seat(*current(), seat_id, players={held.player_id: held.epoch})
    return opened.seat_id, opened.sitting


def my_seat(seat_id: int) -> int:
    """A seat of the caller's own; to a sitter its private arrangements don't exist. Raises NotSeated."""
    number, sitting = any_seat(seat_id)
    if sitting is not None:
        raise NotSeated("This key doesn't speak for that seat.")
    return number


def me() -> int:
    """The person whose own key the caller has. Raises NotSeated for the key of a seat or club."""
    held = key()
    if not held.is_own:
        raise NotSeated("This needs a key for everything of yours, not one for a seat or a club.")
    return held.player_id


def organising(club_id: int) -> tuple[Session, datetime, int, int]:
    """What a use case of organisers begins with: session, moment, club and who acts. Raises NotSeated or NotAllowed."""
    return *current(), my_club(club_id), key().player_id


def my_club(club_id: int) -> int:
    """A club the caller organises: by the club's key, or as a person. Raises NotSeated or NotAllowed."""
    held = key()
    if held.club_id == club_id:
        return club_id
    if held.is_own:
        roles.require_organiser(db.session(), club_id, held.player_id)
        return club_id
    raise NotSeated("This key doesn't speak for that club.")


def member_of(club_id: int) -> int:
    """The caller's number as a member of a club. Raises NotSeated for everybody else."""
    held = key()
    if held.seat_id is None and held.club_id in {None, club_id}:
        club_views.summary_of(db.session(), club_id, held.player_id)
        return held.player_id
    raise NotSeated("This key doesn't speak for that club.")


def moment(value: datetime) -> datetime:
    """A time somebody gave, in UTC. Raises WrongInput for one in a century that can't be reckoned with everywhere."""
    dates.refuse_strange(value.date(), f"{value.date()}")
    return value.astimezone(UTC)


def words(said: Iterable[Message]) -> list[str]:
    """Sentences in the caller's language."""
    say = pages.translator()
    return [say(one) for one in said]


def problem(status: int, error: str, faults: Iterable[Message], candidates: Iterable[str] = ()) -> Response:
    """A refusal as JSON."""
    said = tuple(faults)
    body = Problem(error, words(said), [fault.rule for fault in said if fault.rule], list(candidates))
    answer: Response = current_app.response_class(msgspec.json.encode(body), status, mimetype="application/json")
    if status == HTTPStatus.UNAUTHORIZED:
        answer.headers["WWW-Authenticate"] = "Bearer"
    return answer


@blueprint.errorhandler(PlayError)
@blueprint.errorhandler(EngineError)
def refused(fault: PlayError | EngineError) -> Response:
    """What a use case, the engine or a check before routing doesn't allow, also for paths below ours."""
    db.session.rollback()
    status = HTTPStatus.UNPROCESSABLE_ENTITY
    if isinstance(fault, NotSeated):
        status = HTTPStatus.NOT_FOUND if "api_key" in g else HTTPStatus.UNAUTHORIZED
    elif isinstance(fault, NotAllowed):
        status = HTTPStatus.NOT_FOUND
    elif isinstance(fault, Overtaken):
        status = HTTPStatus.PRECONDITION_FAILED
    elif isinstance(fault, _CONFLICTS):
        status = HTTPStatus.CONFLICT
    candidates = fault.candidates if isinstance(fault, AmbiguousOrder) else ()
    how = (_HOW[type(fault)],) if type(fault) in _HOW else ()
    return problem(status, type(fault).__name__, (*fault.faults, *how), candidates)


_HOW: dict[type[Exception], Message] = {
    NeedsYes: sentence("Call this with `?sure=yes` if it is meant."),
    Overtaken: sentence("Its new ETag, to be sent as If-Match, is in the answer of GET."),
}
"""What a program does to go on, by refusal."""


_OF_HTTP = {
    404: N_("No call has this address: `/api/v1/openapi.json` lists them."),
    405: N_("This address takes no {method}; what it takes stands in the header `Allow`."),
    413: fields.TOO_LARGE,
    429: N_("That is more than may be called at once: call again after the seconds in the header `Retry-After`."),
    500: N_(
        "Something broke on our side, and nothing of this call was stored. It is written down and will be looked at."
    ),
}
"""What is said of refusals of HTTP itself, instead of a library's words."""


@blueprint.errorhandler(HTTPException)
def http(fault: HTTPException) -> Response:
    """Any refusal of HTTP itself, also for paths below ours that lead nowhere."""
    is_own = fault.description != type(fault).description and not isinstance(fault, RateLimitExceeded)
    said = "" if is_own else _OF_HTTP.get(fault.code or 0, "")
    told = sentence(said, method=request.method) if said else Message(str(fault.description))
    answer = problem(fault.code or HTTPStatus.INTERNAL_SERVER_ERROR, fault.name, [told])
    # what HTTP wants beside the words: the methods allowed after a 405, when to come again after a 429
    answer.headers.extend((name, value) for name, value in fault.get_headers() if name != "Content-Type")
    return answer


@blueprint.errorhandler(RecursionError)
def _too_deep(_fault: RecursionError) -> Response:
    """A body that nests deeper than any of ours."""
    said = sentence("This call doesn't fit its description: {fault}", fault="it nests too deeply")
    return problem(HTTPStatus.UNPROCESSABLE_ENTITY, "WrongInput", [said])


def not_stored(fault: Exception) -> None:
    """Give up what a request was to store; a database that is full or out of reach is told of in the log."""
    db.session.rollback()
    if isinstance(fault, exc.SQLAlchemyError):
        outages.of(current_app).met(fault, request.endpoint or "a page")


def _unreachable(fault: Exception) -> Response:
    not_stored(fault)
    return problem(
        HTTPStatus.SERVICE_UNAVAILABLE,
        "Unavailable",
        [sentence("The records can't be reached just now; nothing was stored. Try again in a moment.")],
    )


for _kind in outages.UNAVAILABLE:
    blueprint.register_error_handler(_kind, _unreachable)
