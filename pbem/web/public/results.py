"""A finished game looked back on: points by source, the lead, what turned it, prices and luck; a picture; a rematch."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, request, url_for
from markupsafe import Markup
from msgspec.structs import replace

from pbem.engine.registry import rules_for, title_of
from pbem.extensions import current, db
from pbem.pictures import result
from pbem.play.seats import rematch as rematches
from pbem.play.views import look_back, positions, spectator
from pbem.play.views.seat_view import Situation
from pbem.store.models import GameState
from pbem.study import lookback
from pbem.study.lookback import LookBack, TurningPoint
from pbem.web import pages
from pbem.web.guards import limiter, once
from pbem.web.play import sidebar

blueprint = Blueprint("results", __name__, url_prefix="/games")
WIDE = 1200
"""Pixels of the shared picture: sharp on every screen."""


def over(slug: str, ply: int | None = None) -> Situation:
    """Return the finished game, at its end or after `ply`. Raises NotSeated, or answers 404 while it goes on."""
    s = spectator.watch(*current(), slug, ply, sidebar.readers()).situation
    if not s.game.state.is_over:
        abort(404)
    pages.speak_at(s)
    return s


def _told(s: Situation) -> tuple[LookBack, tuple[int, ...]]:
    """A finished game looked back on, and the plies its rounds began with; some 15 to 40 ms, for all its plies."""
    session, rules = db.session(), rules_for(s.game)
    back = lookback.look_back(rules, look_back.steps_of(session, s.game.id))
    return replace(back, moments=_named(s, back.moments)), look_back.rounds(session, s.game.id, s.game.ply)


def moments(s: Situation, last: int) -> tuple[TurningPoint, ...]:
    """What turned the game up to ply `last`: all of it once it is over, before that as far as the reader may know."""
    if s.game.state is GameState.FINISHED:
        return _told(s)[0].moments
    rules = rules_for(s.game)
    return _named(s, lookback.key_moments(rules, look_back.views_of(db.session(), s.game.id, s.seat, last)))


def _named(s: Situation, found: tuple[TurningPoint, ...]) -> tuple[TurningPoint, ...]:
    """Return the same, naming those who had the seats then."""
    return tuple(replace(one, what=positions.named(one.what, dict(enumerate(s.had(one.ply))))) for one in found)


def told(s: Situation) -> dict[str, Any]:
    """Return what the look back on a finished game needs, on its page and in its keepsake."""
    back, rounds = _told(s)
    drawn = result.curve(back.curve.plies, back.curve.points, rounds, pages.translator())
    return {
        "account": back.account,
        "curve": Markup(drawn) if any(any(row) for row in back.curve.points) else "",  # noqa: S704 - drawn by us
        "moments": back.moments,
        "last": back.curve.points[-1],
        "rounds": rounds,
    }


@blueprint.get("/<slug>/result")
def show(slug: str) -> Response:
    """Show all that is told of a finished game."""
    s = over(slug)
    return pages.show(
        "pages/result.html",
        s=s,
        url=lambda ply: url_for("public.position", slug=s.game.slug, ply=ply),
        asker=_asker(s),
        **told(s),
    )


def _asker(s: Situation) -> int | None:
    """Return the person of this browser who played."""
    seated = {player.player_id for player in s.players}
    return next((one for one in sidebar.readers() if one in seated), None)


@blueprint.post("/<slug>/result")
@limiter.limit("20 per hour")
@once()
@pages.form_of(show)
def again(slug: str) -> Response:
    """Open a rematch: everybody who played is asked by letter."""
    s = over(slug)
    if request.form.get("act") != "rematch" or (by := _asker(s)) is None:
        abort(404)
    opened = rematches.open_rematch(*current(), s.game.id, by)
    playing = opened.state is not GameState.OPEN  # nobody else had to be asked
    return pages.go("player.queue") if playing else pages.go("results.show", slug=slug, asked=1)


@blueprint.get("/<slug>/result.svg")
@limiter.limit("120 per hour")
def picture(slug: str) -> Response:
    """Return the result as a drawing."""
    return Response(_picture(slug), mimetype="image/svg+xml")


@blueprint.get("/<slug>/result.png")
@limiter.limit("120 per hour")
def pixels(slug: str) -> Response:
    """Return the result as an image that any program shows."""
    from pbem.pictures.png import png  # noqa: PLC0415 - loads 5 MB of renderer, which other pages never need

    return Response(png(_picture(slug), WIDE), mimetype="image/png")


def _picture(slug: str) -> str:
    """Return the drawing; answers 404 where nobody came first."""
    s = over(slug)
    if s.outcome is None:
        abort(404)
    back, rounds = _told(s)
    chart = (back.curve.plies, back.curve.points, rounds)
    names = [pages.translator().called(one.name) for one in s.players]
    return result.share(s.game.title, title_of(s.game.game), names, s.outcome, chart)
