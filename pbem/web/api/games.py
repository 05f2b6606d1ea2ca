"""Calls that need no key: games as spectators see them, their records, and the proof that nothing was bent."""

from __future__ import annotations

from typing import Any

from flask import current_app, jsonify
from sqlalchemy import select
from werkzeug.exceptions import NotFound

from pbem import __version__, clock
from pbem.engine.core.types import N_
from pbem.errors import NotSeated
from pbem.extensions import db, limiter, settings
from pbem.play.proof import record_export, replay_audit
from pbem.play.views import spectator
from pbem.store.models import Game
from pbem.web import pages
from pbem.web.api.core import answers, blueprint, plain, spec, waiting_out
from pbem.web.api.description import described
from pbem.web.api.shapes import EventOut, GameOut, PositionOut, RecordOut, VerifiedOut, WatchableOut


def _nothing() -> NotFound:
    return NotFound(pages.voice()(N_("There is no such game here, or it isn't over yet.")))


def _seen(slug: str, ply: int | None = None) -> spectator.Watched:
    """A game as spectators may see it, with their delay; one they may not watch is as if it didn't exist."""
    try:
        return spectator.watch(db.session(), clock.now(), slug[:32], ply)
    except NotSeated:
        raise _nothing() from None


def _game(slug: str) -> Game:
    """The game of this public name, if it is over, or runs for all to see without delay."""
    found = db.session.execute(select(Game).where(Game.slug == slug[:32])).scalar_one_or_none()
    if found is None or found.ply < 0 or not (found.state.is_over or found.watch_delay == 0):
        raise _nothing()
    return found


@blueprint.get("/games")
@spec.validate(resp=answers(list[WatchableOut]), tags=["game"], security=[])
def watchable() -> Any:
    """The newest games that anybody may look at."""
    say = pages.speak()
    return [
        WatchableOut(one.slug, one.title, one.game, one.state, one.seats, say(one.heading))
        for one in spectator.watchable(db.session())
    ]


@blueprint.get("/games/<slug>/positions/<int:ply>")
@spec.validate(resp=answers(PositionOut), tags=["game"], security=[])
def past(slug: str, ply: int) -> Any:
    """An earlier position as spectators see it, and what happened there."""
    seen = _seen(slug, ply)
    say = pages.speak(names=[face.name for face in seen.situation.players], game=seen.situation.game.game)
    told = [EventOut(one.ply, one.at, say(one.event), one.event.rule) for one in seen.told]
    return PositionOut(ply, seen.situation.at, say(seen.situation.heading), plain(seen.situation.view), told)


@blueprint.get("/games/<slug>")
@spec.validate(resp=answers(GameOut), tags=["game"], security=[])
def game(slug: str) -> Any:
    """A game as a spectator sees it."""
    found = _seen(slug).situation
    say = pages.speak(names=[face.name for face in found.players], game=found.game.game)
    return GameOut(
        game=found.game.game,
        title=found.game.title,
        slug=found.game.slug,
        state=found.game.state,
        ply=found.ply,
        players=[face.name for face in found.players],
        heading=say(found.heading),
        waiting=say(found.waiting.said) if found.waiting else "",
        why=waiting_out(found.waiting),
        commitment=found.game.commitment,
        seed=found.game.seed,
        view=plain(found.view),
    )


@blueprint.get("/games/<slug>/record")
@spec.validate(resp=answers(RecordOut), tags=["game"], security=[])
def record(slug: str) -> Any:
    """The game as a record; while it runs, without seed and without anything hidden."""
    return RecordOut(record_export.record(db.session(), _game(slug).id))


@blueprint.get("/games/<slug>/verify")
@limiter.limit("60 per hour")
@spec.validate(resp=answers(VerifiedOut), tags=["game"], security=[])
def verify(slug: str) -> Any:
    """Replay a finished game from its seed and compare every ply, shuffle, order, sealed list and digest."""
    row = _game(slug)
    if not row.state.is_over:
        raise _nothing()
    found = replay_audit.audit(db.session(), row.id)
    return VerifiedOut(
        plies=found.plies,
        draws=found.draws,
        orders=found.orders,
        sealed=found.sealed,
        digest=found.digest,
        sound=not found.faults,
        faults=list(found.faults),
    )


@blueprint.get("/openapi.json")
def description() -> Any:
    """This API, described by OpenAPI 3.1."""
    return jsonify(described(spec.spec, current_app.url_map, settings().base_url, __version__))
