"""Calls that need no key: games as spectators see them, their records, and the proof that nothing was bent."""

from __future__ import annotations

from typing import Any

from flask import jsonify
from sqlalchemy import select
from werkzeug.exceptions import NotFound

from pbem import clock
from pbem.engine.types import N_
from pbem.extensions import db
from pbem.play import audit, export
from pbem.play import situation as situations
from pbem.store.tables import Game
from pbem.web import pages
from pbem.web.api.door import answers, blueprint, plain, spec
from pbem.web.api.shapes import GameOut, RecordOut, VerifiedOut


def _game(slug: str, *, over: bool = False) -> Game:
    """The game of this public name; `over`: only if it has ended."""
    found = db.session.execute(select(Game).where(Game.slug == slug[:32])).scalar_one_or_none()
    if found is None or found.ply < 0 or (over and found.state not in export.OVER):
        raise NotFound(pages.voice()(N_("There is no such game here, or it isn't over yet.")))
    return found


@blueprint.get("/games/<slug>")
@spec.validate(resp=answers(GameOut), tags=["game"], security=[])
def game(slug: str) -> Any:
    """A game as a spectator sees it."""
    found = situations.watch(db.session(), clock.now(), _game(slug).id)
    say = pages.speak(names=[face.name for face in found.players])
    return GameOut(
        game=found.game.game,
        title=found.game.title,
        slug=found.game.slug,
        state=found.game.state,
        ply=found.ply,
        players=[face.name for face in found.players],
        heading=say(found.heading),
        waiting=say(found.waiting.said) if found.waiting else "",
        commitment=found.game.commitment,
        seed=found.game.seed,
        view=plain(found.view),
    )


@blueprint.get("/games/<slug>/record")
@spec.validate(resp=answers(RecordOut), tags=["game"], security=[])
def record(slug: str) -> Any:
    """The game as a record; while it runs, without seed and without anything hidden."""
    return RecordOut(export.record(db.session(), _game(slug).id))


@blueprint.get("/games/<slug>/verify")
@spec.validate(resp=answers(VerifiedOut), tags=["game"], security=[])
def verify(slug: str) -> Any:
    """Replay a finished game from its seed and compare every ply, shuffle and digest."""
    found = audit.audit(db.session(), _game(slug, over=True).id)
    return VerifiedOut(found.plies, found.digest, not found.faults, list(found.faults))


@blueprint.get("/openapi.json")
def description() -> Any:
    """This API, described by OpenAPI 3.1."""
    return jsonify(spec.spec)
