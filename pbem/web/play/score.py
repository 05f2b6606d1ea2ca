"""The scoring sheet: who leads in what, what one more is worth, what is left; never more than the reader's view."""

from __future__ import annotations

from flask import Blueprint, Response, url_for

from pbem.engine.registry import rules_for
from pbem.extensions import current
from pbem.play.views import spectator
from pbem.play.views.seat_view import Situation
from pbem.web import pages
from pbem.web.play import sidebar
from pbem.web.seat import authorize

blueprint = Blueprint("score", __name__)


@blueprint.get("/seat/<int:seat_id>/score")
def of_seat(seat_id: int) -> Response:
    """Show where everybody stands as the seat may know it."""
    return _page(authorize.open_situation(seat_id), url_for("play.game", seat_id=seat_id))


@blueprint.get("/games/<slug>/score")
def of_watched(slug: str) -> Response:
    """Show the same as spectators may know it, after their delay."""
    s = spectator.watch(*current(), slug, readers=sidebar.readers()).situation
    pages.speak_at(s)
    return _page(s, url_for("public.watch", slug=slug))


def _page(s: Situation, back: str) -> Response:
    if s.game.state.is_over:
        return pages.go("results.show", slug=s.game.slug)
    rules = rules_for(s.game)
    return pages.show(
        "pages/score.html",
        s=s,
        back=back,
        sheet=rules.score_sheet(s.view),
        facts={name: rules.facts(s.view)[name] for name in rules.facts_help} if s.seat is not None else {},
        meanings=rules.facts_help,
    )
