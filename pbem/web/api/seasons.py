"""Calls about a club's seasons: announce them, enter, start, drop out; standings and tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem import clock
from pbem.clubs import club_views
from pbem.clubs.seasons import season_tables, seasons
from pbem.extensions import db
from pbem.play.deadlines import cadence
from pbem.store.models import Season
from pbem.web.api.core import answers, blueprint, keep, key, me, member_of, my_club, spec
from pbem.web.api.person_shapes import PersonOut
from pbem.web.api.season_shapes import LineOut, SeasonIn, SeasonLineOut, SeasonOut, TableOut

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from sqlalchemy.orm import Session

    from pbem.clubs.seasons.standings import StandingLine


@blueprint.get("/clubs/<int:club_id>/seasons")
@spec.validate(resp=answers(list[SeasonLineOut]), tags=["seasons"])
def all_seasons(club_id: int) -> Any:
    """The club's seasons, the newest first."""
    found = club_views.seasons(db.session(), club_id, member_of(club_id))
    return [SeasonLineOut(line.slug, line.name, line.state, line.entered, line.mine) for line in found]


@blueprint.post("/clubs/<int:club_id>/seasons")
@spec.validate(json=SeasonIn, resp=answers(SeasonOut), tags=["seasons"])
def announce(club_id: int, json: SeasonIn) -> Any:
    """Announce a season, open for sign-up; every wrong choice is named."""
    plan = seasons.SeasonPlan(
        club_id=my_club(club_id),
        name=json.name,
        titles=tuple(seasons.Title(title.game, title.seats, title.options) for title in json.titles),
        system=json.system,
        rounds=json.rounds,
        cadence=cadence.choose(json.cadence, least=json.min_wait, most=json.max_wait),
        workload=json.workload,
        stagger_hours=json.stagger_hours,
    )
    season = seasons.announce(db.session(), clock.now(), plan)
    keep()
    return _season(season)


def _season(season: Season) -> SeasonOut:
    session = db.session()
    people = season_tables.contestants(session, season.id)
    names = {one.player_id: one.name for one in people}
    return SeasonOut(
        slug=season.slug,
        name=season.name,
        system=season.system,
        state=season.state,
        rounds=season.rounds,
        workload=season.workload,
        standings=[_line(line, names) for line in seasons.table_of(session, season.id)],
        tables=[_table(table) for table in season_tables.tables(session, season, names)],
        playing=[PersonOut(one.player_id, one.name) for one in people if one.is_in],
    )


def _line(line: StandingLine, names: dict[int, str]) -> LineOut:
    return LineOut(
        place=line.place,
        player_id=line.player,
        name=names[line.player],
        points=line.points,
        games=line.games,
        wins=line.wins,
        opposition=line.opposition,
    )


def _table(table: season_tables.SeasonTableView) -> TableOut:
    return TableOut(
        round=table.round,
        number=table.number,
        game=table.game,
        players=list(table.players),
        slug=table.slug,
        state=table.state or "",
        opens_at=table.opens_at,
        scores=list(table.scores),
        places=list(table.places),
    )


@blueprint.get("/clubs/<int:club_id>/seasons/<slug>")
@spec.validate(resp=answers(SeasonOut), tags=["seasons"])
def one_season(club_id: int, slug: str) -> Any:
    """A season: standings, every table so far, who still plays."""
    member_of(club_id)
    return _season(season_tables.find(db.session(), club_id, slug))


@blueprint.post("/clubs/<int:club_id>/seasons/<slug>/start")
@spec.validate(resp=answers(SeasonOut), tags=["seasons"])
def start(club_id: int, slug: str) -> Any:
    """Close the sign-up and open the first round."""
    session, now = db.session(), clock.now()
    season = season_tables.find(session, my_club(club_id), slug)
    seasons.start(session, now, season.id)
    seasons.carry_on(session, now, season.id)
    keep()
    return _season(season)


@blueprint.post("/clubs/<int:club_id>/seasons/<slug>/finish")
@spec.validate(resp=answers(SeasonOut), tags=["seasons"])
def finish(club_id: int, slug: str) -> Any:
    """End a season as it stands; games under way go on without it."""
    session = db.session()
    season = season_tables.find(session, my_club(club_id), slug)
    seasons.finish(session, clock.now(), season.id)
    keep()
    return _season(season)


@blueprint.post("/clubs/<int:club_id>/seasons/<slug>/entries")
@spec.validate(resp=answers(SeasonOut), tags=["seasons"])
def enter(club_id: int, slug: str) -> Any:
    """Take part oneself. Needs one's own key."""
    return _oneself(club_id, slug, seasons.enter)


@blueprint.delete("/clubs/<int:club_id>/seasons/<slug>/entries/me")
@spec.validate(resp=answers(SeasonOut), tags=["seasons"])
def drop_out(club_id: int, slug: str) -> Any:
    """Drop out oneself; games under way stay one's own to finish. Needs one's own key."""
    return _oneself(club_id, slug, seasons.drop_out)


def _oneself(club_id: int, slug: str, step: Callable[[Session, datetime, int, int], object]) -> Any:
    """Let the caller, a member, take a step into a season or out of it."""
    person, session = me(), db.session()
    member_of(club_id)
    season = season_tables.find(session, club_id, slug)
    step(session, clock.now(), season.id, person)
    keep()
    return _season(season)


@blueprint.post("/clubs/<int:club_id>/seasons/<slug>/entries/<int:player_id>")
@spec.validate(resp=answers(SeasonOut), tags=["seasons"])
def put_in(club_id: int, slug: str, player_id: int) -> Any:
    """Enter a member, as an organiser; they are told by letter."""
    session = db.session()
    season = season_tables.find(session, my_club(club_id), slug)
    seasons.enter(session, clock.now(), season.id, player_id, by=key().player_id)
    keep()
    return _season(season)


@blueprint.delete("/clubs/<int:club_id>/seasons/<slug>/entries/<int:player_id>")
@spec.validate(resp=answers(SeasonOut), tags=["seasons"])
def take_out(club_id: int, slug: str, player_id: int) -> Any:
    """Take a player out, as an organiser; tables not opened yet go on without them."""
    session = db.session()
    season = season_tables.find(session, my_club(club_id), slug)
    seasons.drop_out(session, clock.now(), season.id, player_id)
    keep()
    return _season(season)
