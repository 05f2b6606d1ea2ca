"""The front page: what this is, which games there are, what can be watched."""

from __future__ import annotations

from flask import Blueprint, Response

from pbem.engine.registry import GAMES, rules_of
from pbem.extensions import db
from pbem.play import watching
from pbem.web import pages

blueprint = Blueprint("home", __name__)


@blueprint.get("/")
def index() -> Response:
    """Show what can be done from here."""
    watchable = watching.watchable(db.session())
    return pages.show("pages/home.html", catalogue=[rules_of(game).meta for game in GAMES], watchable=watchable)
