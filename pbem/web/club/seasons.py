"""Seasons of a club: announced, entered, started, with their tables and standings; and how a rating went."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from flask import Blueprint, Response, request

from pbem.clubs import club_views
from pbem.clubs.members import members
from pbem.clubs.ratings import rating_sweep
from pbem.clubs.ratings.chart import plot
from pbem.clubs.seasons import season_acts, season_tables, seasons
from pbem.engine.registry import rules_of
from pbem.errors import NotSeated
from pbem.extensions import current, db
from pbem.play.deadlines import cadence
from pbem.store.models import Season
from pbem.web import guards, pages
from pbem.web.club import views as club_pages
from pbem.web.organiser import opening

blueprint = Blueprint("season", __name__, url_prefix="/club/<slug>")


@blueprint.get("/seasons")
def all(slug: str) -> Response:  # noqa: A001 - the endpoint's name
    """Show the club's seasons, and to an organiser how to announce one."""
    found = club_pages.enter(slug, organiser=request.method == "POST")
    return pages.show(
        "pages/seasons.html",
        club=found,
        seasons=club_views.seasons(db.session(), found.id, found.player_id),
        systems=seasons.SYSTEMS,
        speeds=cadence.SPEEDS_SHOWN,
        most_apart=seasons.MOST_APART,
    )


def _options(game: str) -> dict[str, str]:
    """Return what a form chooses of a game's options; what it leaves to the pace isn't among them."""
    begun = f"opt-{game}-"
    return {name.removeprefix(begun): value for name, value in request.form.items() if name.startswith(begun) and value}


@blueprint.post("/seasons")
@guards.once()
@pages.form_of(all)
def announce(slug: str) -> Response:
    """Announce a season; what can't be is named."""
    found = club_pages.organised(slug)
    form = request.form
    plan = seasons.SeasonPlan(
        name=pages.typed("name"),
        titles=tuple(seasons.Title(name, _seats(name), _options(name)) for name in form.getlist("title")),
        system=form.get("system", "swiss"),
        rounds=pages.number("rounds", 0),
        cadence=opening.cadence_in(form),
        workload=pages.number("workload", 0),
        stagger_hours=pages.number("stagger", 0),
    )
    season = seasons.announce(*current(), found.id, found.player_id, plan)
    return pages.go("season.one", slug=slug, season=season.slug)


def _seats(game: str) -> int:
    """Return the table size a form asks for; the game's own usual one where it asks for none."""
    allowed = rules_of(game).meta.seats
    return pages.number(f"size-{game}", allowed[len(allowed) // 2])


@blueprint.get("/seasons/<season>")
def one(slug: str, season: str) -> Response:
    """Show a season: standings and every table."""
    found = club_pages.enter(slug)
    session = db.session()
    row = season_tables.find(session, found.id, season)
    people = season_tables.contestants(session, row.id)
    names, playing = {one.player_id: one.name for one in people}, {one.player_id for one in people if one.is_in}
    return pages.show(
        "pages/season.html",
        club=found,
        season=row,
        system=seasons.SYSTEMS[row.system],
        titles=seasons.titles_of(row),
        cadence=cadence.cadence_of(row.cadence),
        lines=seasons.table_of(session, row.id),
        names=names,
        playing=playing,
        tables=season_tables.tables(session, row, names),
        asides=seasons.asides(session, row),
        members=members.members(session, found.id) if found.organises and row.state == "open" else (),
    )


@blueprint.post("/seasons/<season>")
@guards.once()
def act(slug: str, season: str) -> Response:
    """Enter a season or members in it, drop out of it or take a player out, start it or end it."""
    found = club_pages.enter(slug)
    row = season_tables.find(db.session(), found.id, season)
    action = pages.button(_ACTIONS)
    action(row, found.player_id)
    return pages.go("season.one", slug=slug, season=season)


def _act(act: str, season: Season, by: int, player_id: int = 0) -> None:
    season_acts.carry_out(*current(), season, act, by, player_id)


def _enter_players(season: Season, by: int) -> None:
    for player in request.form.getlist("player", type=int):
        seasons.enter(*current(), season.id, player, by=by)


_ACTIONS: dict[str, Callable[[Season, int], object]] = {
    "drop-player": lambda season, by: _act("drop", season, by, pages.number("player")),
    "start": partial(_act, "start"),
    "finish": partial(_act, "finish"),
    "enter": lambda season, by: seasons.enter(*current(), season.id, by),
    "enter-players": _enter_players,
    "drop": lambda season, by: _act("drop", season, by, by),
}
"""What each button does to a season, in the name of whose number is given."""


@blueprint.get("/ratings/<int:player_id>")
def rating(slug: str, player_id: int) -> Response:
    """Show how a member's rating went."""
    found = club_pages.enter(slug)
    session = db.session()
    member = next((one for one in members.members(session, found.id) if one.player_id == player_id), None)
    if member is None:
        raise NotSeated("This link opens nothing. Ask for a fresh one.")
    points = rating_sweep.history(session, player_id, found.id)
    return pages.show("pages/rating.html", club=found, member=member, points=points, drawing=plot(points))
