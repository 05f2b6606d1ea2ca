"""Pages anybody may open: a game as spectators see it, after its delay; a finished one whole; its keepsake."""

from __future__ import annotations

from flask import Blueprint, Response, abort, url_for

from pbem.extensions import current, db
from pbem.play.proof import record_export, replay_audit
from pbem.play.views import look_back, spectator
from pbem.web import pages
from pbem.web.guards import limiter
from pbem.web.headers import KEEPSAKE_POLICY
from pbem.web.play import boards, sidebar
from pbem.web.public import keepsakes, results

blueprint = Blueprint("public", __name__, url_prefix="/games")


def _seen(slug: str, ply: int | None = None) -> spectator.WatchedPosition:
    """Return the game, as far as this browser's persons may look."""
    return spectator.watch(*current(), slug, ply, sidebar.readers())


@blueprint.get("/<slug>")
def watch(slug: str) -> Response:
    """Show where the game stands, as far as spectators may know."""
    return _position(_seen(slug))


@blueprint.get("/<slug>/ply/<int:ply>")
def position(slug: str, ply: int) -> Response:
    """Show one position of the game."""
    return _position(_seen(slug, ply))


def _position(seen: spectator.WatchedPosition) -> Response:
    s = seen.situation
    pages.speak_at(s)
    pages.own_box(s)
    return pages.show(
        "pages/watch.html",
        s=s,
        at=s.ply,
        last=seen.last,
        board=boards.draw(s, pages.translator(), seen.told),
        told=seen.told,
        orders=seen.orders.items(),
        resolved_at=s.at,
        rounds=look_back.rounds(db.session(), s.game.id, seen.last),
        moments=results.moments(s, seen.last),
        url=lambda ply: url_for("public.position", slug=s.game.slug, ply=ply),
        own_seat=spectator.own_seat(db.session(), s, sidebar.readers()),
    )


@blueprint.get("/<slug>/record.txt")
@limiter.limit("60 per hour")
def record(slug: str) -> Response:
    """Give the record of a finished game, which anyone can replay without our generator."""
    return Response(record_export.record(db.session(), results.over(slug).game.id), mimetype="text/plain")


@blueprint.get("/<slug>/verify")
@limiter.limit("60 per hour")
def verify(slug: str) -> Response:
    """Replay a game that is over and show what was checked, and what came of it."""
    s = _seen(slug).situation
    if not s.game.seed:
        abort(404)
    found = replay_audit.audit(db.session(), s.game.id)
    pages.speak_at(s)
    return pages.show("pages/verify.html", s=s, found=found)


@blueprint.get("/<slug>/keepsake.html")
@limiter.limit("60 per hour")
def keepsake(slug: str) -> Response:
    """Give a finished game as one file that needs nothing else."""
    plies = spectator.whole(*current(), slug, sidebar.readers())
    s = plies[-1].situation
    pages.speak_at(s)
    club = spectator.club_of(db.session(), s.game.club_id)
    answer = pages.show("pages/keepsake.html", s=s, club=club, **keepsakes.whole(plies), **results.told(s))
    answer.headers["Content-Security-Policy"] = KEEPSAKE_POLICY
    answer.headers["Content-Disposition"] = f'attachment; filename="{s.game.game}-{s.game.slug}.html"'
    return answer
