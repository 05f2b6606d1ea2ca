"""Calls that need no key: games as spectators see them, their records, and the proof that nothing was bent."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import jsonify
from werkzeug.exceptions import NotFound

from pbem.errors import NotSeated
from pbem.extensions import current, db, settings
from pbem.play.proof import record_export, replay_audit
from pbem.play.views import spectator
from pbem.play.views.seat_view import Situation
from pbem.store.models import Game
from pbem.store.queries import common
from pbem.web import pages
from pbem.web.api.answers import answered, shape
from pbem.web.api.core import FromOffset, asked_part, blueprint, calls, spec
from pbem.web.api.shapes import PositionOut, WaitingOut

call = calls("game")

WatchableOut = shape(
    "WatchableOut", "A game anybody may look at.", spectator.Watchable, "slug title game state seats heading"
)
GameOut = shape(
    "GameOut",
    "A game as everybody may see it. `commitment` is SHA-256 of the seed, published at the start; `seed` the seed "
    "itself, once the game is over, and empty before.",
    Situation,
    "game=game.game title=game.title slug=game.slug state=game.state ply players=players.name heading "
    "waiting=waiting.said why=waiting commitment=game.commitment seed=game.seed view",
    waiting=str,
    why=WaitingOut | None,
)
VerifiedOut = shape(
    "VerifiedOut",
    "What replaying a finished game showed: `draws` chance results drawn again from the seed, `orders` compared with "
    "what their players had sent, `sealed` of them with sealed lists.",
    replay_audit.AuditResult,
    "plies draws orders sealed digest sound faults",
)


class RecordOut(msgspec.Struct):
    """A game as a record, as docs/records.md describes it."""

    record: str


def _nothing() -> NotFound:
    return NotFound(pages.translator().say("There is no such game here, or it isn't over yet."))


def _seen(slug: str, ply: int | None = None) -> spectator.WatchedPosition:
    """A game as spectators may see it, with their delay; one they may not watch is as if it didn't exist."""
    try:
        found = spectator.watch(*current(), slug, ply)
    except NotSeated:
        raise _nothing() from None
    pages.speak_at(found.situation)
    return found


def _game(slug: str) -> Game:
    """The game of this public name, if spectators may see it and it is over, or runs without delay."""
    found = common.game_called(db.session(), _seen(slug).situation.game.slug)
    if found is None or not (found.state.is_over or found.watch_delay == 0):
        raise _nothing()
    return found


@call("GET", "/games", [WatchableOut], is_open=True, budget="120 per hour")
def watchable() -> Any:
    """The games that anybody may look at: the newest that run, then those that ended."""
    part = asked_part()
    return FromOffset(spectator.watchable(db.session(), part.limit + 1, part.offset))


@call("GET", "/games/<slug>/positions/<int:ply>", PositionOut, is_open=True)
def past(slug: str, ply: int) -> Any:
    """An earlier position as spectators see it, and what happened there."""
    seen = _seen(slug, ply)
    return answered(PositionOut, seen.situation, told=seen.told)


@call("GET", "/games/<slug>", GameOut, is_open=True)
def game(slug: str) -> Any:
    """A game as a spectator sees it."""
    return _seen(slug).situation


@call("GET", "/games/<slug>/record", RecordOut, is_open=True)
def record(slug: str) -> Any:
    """The game as a record; while it runs, without seed and without anything hidden."""
    return RecordOut(record_export.record(db.session(), _game(slug).id))


@call("GET", "/games/<slug>/verify", VerifiedOut, is_open=True, budget="60 per hour")
def verify(slug: str) -> Any:
    """Replay a finished game from its seed and compare every ply, shuffle, order, sealed list and digest."""
    row = _game(slug)
    if not row.state.is_over:
        raise _nothing()
    return replay_audit.audit(db.session(), row.id)


@blueprint.get("/openapi.json")
def description() -> Any:
    """This API, described by OpenAPI 3.1."""
    return jsonify(spec.spec | {"servers": [{"url": settings().base_url}]})
