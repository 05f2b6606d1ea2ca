"""What all calls share: the description, the caller's key, sentences in the caller's language, errors as JSON."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import msgspec
from flask import Blueprint, Response, abort, current_app, g, request
from spectree import Response as Answers
from spectree import SecurityScheme, SpecTree
from spectree.model_adapter import get_msgspec_model_adapter
from spectree.models import SecureType, SecuritySchemeData
from sqlalchemy import exc
from werkzeug.exceptions import HTTPException

from pbem import clock
from pbem.club import keys
from pbem.engine.errors import AmbiguousOrder, EngineError
from pbem.engine.types import N_, Said
from pbem.errors import GameOver, NotAllowed, NotSeated, PhaseClosed, PlayError, StalePhase
from pbem.extensions import csrf, db
from pbem.web import pages
from pbem.web.api.shapes import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable


def _name(model: Any) -> str:
    """What a shape is called in the description; lists of one are called by their title."""
    titles = [str(meta.title) for meta in getattr(model, "__metadata__", ()) if getattr(meta, "title", None)]
    return titles[0] if titles else str(getattr(model, "__name__", model))


def _wrong_shape(_request: Any, _answer: Any, fault: Exception | None, _instance: Any, _adapter: Any) -> None:
    """Refuse a body that doesn't fit its description, in our own words."""
    if fault is not None:
        said = Said(N_("The body of this call doesn't fit its description: {fault}"), {"fault": str(fault)})
        abort(problem(HTTPStatus.UNPROCESSABLE_ENTITY, "WrongInput", [said]))


blueprint = Blueprint("api", __name__, url_prefix="/api/v1")
csrf.exempt(blueprint)  # a key in a header is sent by no browser on its own
spec = SpecTree(
    "flask",
    title="pbem",
    version="1",
    path="openapi",  # the description itself is served by `games.description`
    page_templates={},
    mode="strict",
    model_adapter=get_msgspec_model_adapter(),
    naming_strategy=_name,
    before=_wrong_shape,
    security_schemes=[SecurityScheme(name="key", data=SecuritySchemeData(type=SecureType.HTTP, scheme="bearer"))],
    security={"key": []},
)
LATE = (GameOver, PhaseClosed, StalePhase)
SEAT, CLUB = "seat", "club"


def answers(model: Any, *more: HTTPStatus) -> Answers:
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


def key() -> keys.Key:
    """The key the call was made with. Raises NotSeated for none, or one that opens nothing."""
    if "api_key" not in g:
        scheme, _, text = request.headers.get("Authorization", "").partition(" ")
        if scheme.casefold() != "bearer":
            raise NotSeated(Said(N_("Send your key as `Authorization: Bearer KEY`.")))
        g.api_key = keys.open_key(db.session(), text.strip())
        keys_voice()
    found: keys.Key = g.api_key
    return found


def keys_voice() -> None:
    """Answers are in the language asked for by Accept-Language, times always in UTC."""
    pages.speak()


def my_seat(seat_id: int) -> int:
    """The seat of the caller's key. Raises NotSeated for any other one."""
    if key().seat_id != seat_id:
        raise NotSeated(Said(N_("This key doesn't speak for that seat.")))
    return seat_id


def my_club(club_id: int) -> int:
    """The club of the caller's key. Raises NotSeated for any other one."""
    if key().club_id != club_id:
        raise NotSeated(Said(N_("This key doesn't speak for that club.")))
    return club_id


def words(said: Iterable[Said]) -> list[str]:
    """Sentences in the caller's language."""
    say = pages.voice()
    return [say(one) for one in said]


def plain(value: Any) -> Any:
    """Any Struct as plain JSON values."""
    return msgspec.to_builtins(value, str_keys=True)


def keep() -> None:
    """Commit what a call did, and that its key was used."""
    keys.used(db.session(), clock.now(), key())
    db.session.commit()


def problem(status: int, error: str, faults: Iterable[Said], candidates: Iterable[str] = ()) -> Response:
    """A refusal as JSON."""
    said = tuple(faults)
    body = Problem(error, words(said), [fault.rule for fault in said if fault.rule], list(candidates))
    answer: Response = current_app.response_class(msgspec.json.encode(body), status, mimetype="application/json")
    if status == HTTPStatus.UNAUTHORIZED:
        answer.headers["WWW-Authenticate"] = "Bearer"
    return answer


@blueprint.errorhandler(PlayError)
@blueprint.errorhandler(EngineError)
def _refused(fault: PlayError | EngineError) -> Response:
    db.session.rollback()
    status = HTTPStatus.UNPROCESSABLE_ENTITY
    if isinstance(fault, NotSeated):
        status = HTTPStatus.NOT_FOUND if "api_key" in g else HTTPStatus.UNAUTHORIZED
    elif isinstance(fault, NotAllowed):
        status = HTTPStatus.NOT_FOUND
    elif isinstance(fault, LATE):
        status = HTTPStatus.CONFLICT
    candidates = fault.candidates if isinstance(fault, AmbiguousOrder) else ()
    return problem(status, type(fault).__name__, fault.faults, candidates)


@blueprint.errorhandler(HTTPException)
def http(fault: HTTPException) -> Response:
    """Any refusal of HTTP itself, also for paths below ours that lead nowhere."""
    return problem(fault.code or HTTPStatus.INTERNAL_SERVER_ERROR, fault.name, [Said(str(fault.description))])


@blueprint.errorhandler(exc.OperationalError)
@blueprint.errorhandler(exc.InterfaceError)
def _unreachable(_fault: exc.SQLAlchemyError) -> Response:
    db.session.rollback()
    return problem(
        HTTPStatus.SERVICE_UNAVAILABLE,
        "Unavailable",
        [Said(N_("The records can't be reached just now; nothing was stored. Try again in a moment."))],
    )
