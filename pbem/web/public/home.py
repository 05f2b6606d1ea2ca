"""The front page: what this is, which games there are, what can be watched."""

from __future__ import annotations

from flask import Blueprint, Response

from pbem.extensions import current, db
from pbem.play.views import spectator
from pbem.study.lessons import LESSONS
from pbem.web import pages
from pbem.web.play import boards

blueprint = Blueprint("home", __name__)


@blueprint.get("/")
def index() -> Response:
    """Show what can be done from here, with the board of a game that can be watched."""
    watchable = spectator.watchable(db.session())
    shown = spectator.watch(*current(), watchable[0].slug).situation if watchable else None
    return pages.show(
        "pages/home.html",
        lessons=LESSONS,
        watchable=watchable,
        shown=shown,
        board=None if shown is None else boards.draw(shown, pages.translator_at(shown)),
    )
