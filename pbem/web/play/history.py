"""Every position of a game as one seat may see it, with what happened there in words."""

from __future__ import annotations

from flask import Blueprint, Response, url_for

from pbem.extensions import db
from pbem.play.views import look_back
from pbem.play.views import seat_view as situations
from pbem.web import pages
from pbem.web.play import boards
from pbem.web.public import results
from pbem.web.seat import authorize

blueprint = Blueprint("history", __name__)


@blueprint.get("/seat/<int:seat_id>/ply/<int:ply>")
def ply(seat_id: int, ply: int) -> Response:
    """Show the position after `ply` as the seat may see it."""
    s = authorize.open_situation(seat_id, ply)
    assert s.seat is not None  # a seat's own page
    own = situations.orders_of(db.session(), s.game.id, s.seat, ply)
    told = situations.story(db.session(), s.game.id, s.seat, ply, ply, s.held)
    return pages.show(
        "pages/history.html",
        s=s,
        at=ply,
        last=s.game.ply,
        board=boards.draw(s, pages.translator(), told),
        told=told,
        orders=[(s.seat, given.canonical) for given in own if given.kind == "order"][-1:],
        resolved_at=s.at,
        rounds=look_back.rounds(db.session(), s.game.id, s.game.ply),
        moments=results.moments(s, s.game.ply),
        url=lambda n: url_for("history.ply", seat_id=seat_id, ply=n),
    )
