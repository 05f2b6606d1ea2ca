"""Calls about a club's seasons: announce them, enter, start, drop out; standings and tables."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from pbem.clubs import club_views
from pbem.clubs.seasons import season_acts, season_tables, seasons, standings
from pbem.engine.core.types import COLOURS
from pbem.extensions import current, db
from pbem.messages import LONGEST_NAME
from pbem.store.models import Season
from pbem.structs import from_attributes
from pbem.web.api.answers import answered, shape
from pbem.web.api.core import calls, key, me, member_of, my_club, organising
from pbem.web.api.shapes import GamePace, Mark, Name, Options, PersonOut, Word

call = calls("seasons")

SeasonLineOut = shape(
    "SeasonLineOut", "A season, for a list.", club_views.SeasonLine, "slug name state is_called_off entered mine"
)
LineOut = shape(
    "LineOut",
    "One line of a season's standings.",
    standings.StandingLine,
    "place player_id=player points games wins opposition",
    name=str,
)
TableOut = shape(
    "TableOut",
    "One table of a season's round; `slug` and `state` are empty before its game is opened. `stand_ins` are those in "
    "the seats of `players`, empty for who plays there; a game that outlasts the season no longer `counts`.",
    season_tables.SeasonTableView,
    "round number game players stand_ins slug state opens_at scores places counts",
)
SeasonOut = shape(
    "SeasonOut",
    "A season with its standings, every table so far, and who still plays. One that is called off never began.",
    Season,
    "slug name system state is_called_off rounds workload",
    standings=[LineOut],
    tables=[TableOut],
    playing=list[PersonOut],
)


class TitleIn(msgspec.Struct, forbid_unknown_fields=True):
    """One game of a season."""

    game: Name
    seats: Annotated[int, Meta(ge=1, le=len(COLOURS))]
    options: Options = {}


class SeasonIn(GamePace, kw_only=True):
    """A season to be announced."""

    name: Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]
    titles: Annotated[list[TitleIn], Meta(min_length=1, max_length=10)]
    system: Word = "swiss"
    """swiss, round_robin, ladder, knock_out."""
    rounds: Annotated[int, Meta(ge=1, le=40)] = 3
    workload: Annotated[int, Meta(ge=1, le=40)] = 4
    stagger_hours: Annotated[int, Meta(ge=0, le=seasons.MOST_APART)] = 0
    request: Mark = ""


@call("GET", "/clubs/<int:club_id>/seasons", [SeasonLineOut])
def all_seasons(club_id: int) -> Any:
    """The club's seasons, the newest first."""
    return club_views.seasons(db.session(), club_id, member_of(club_id))


@call("POST", "/clubs/<int:club_id>/seasons", SeasonOut)
def announce(club_id: int, json: SeasonIn) -> Any:
    """Announce a season, open for sign-up; every wrong choice is named."""
    plan = from_attributes(
        seasons.SeasonPlan,
        json,
        titles=tuple(seasons.Title(title.game, title.seats, title.options) for title in json.titles),
        cadence=json.chosen(),
    )
    return _season(seasons.announce(*organising(club_id), plan))


def _season(season: Season) -> Any:
    session = db.session()
    people = season_tables.contestants(session, season.id)
    names = {one.player_id: one.name for one in people}
    lines = seasons.table_of(session, season.id)
    return answered(
        SeasonOut,
        season,
        standings=[answered(LineOut, line, name=names[line.player]) for line in lines],
        tables=season_tables.tables(session, season, names),
        playing=[PersonOut(one.player_id, one.name) for one in people if one.is_in],
    )


@call("GET", "/clubs/<int:club_id>/seasons/<slug>", SeasonOut)
def one_season(club_id: int, slug: str) -> Any:
    """A season: standings, every table so far, who still plays."""
    member_of(club_id)
    return _season(season_tables.find(db.session(), club_id, slug))


@call("POST", "/clubs/<int:club_id>/seasons/<slug>/start", SeasonOut, final=True)
def start(club_id: int, slug: str) -> Any:
    """Close the sign-up and open the first round."""
    return _step(_organised(club_id, slug), "start")


@call("POST", "/clubs/<int:club_id>/seasons/<slug>/finish", SeasonOut, final=True)
def finish(club_id: int, slug: str) -> Any:
    """End a season as it stands; games under way go on without it."""
    return _step(_organised(club_id, slug), "finish")


def _organised(club_id: int, slug: str) -> Season:
    """A season of a club that the caller organises."""
    return season_tables.find(db.session(), my_club(club_id), slug)


def _step(season: Season, act: str, player_id: int = 0) -> Any:
    """Take a step of a season, for everybody or for one player."""
    season_acts.carry_out(*current(), season, act, key().player_id, player_id)
    return _season(season)


@call("POST", "/clubs/<int:club_id>/seasons/<slug>/entries", SeasonOut)
def enter(club_id: int, slug: str) -> Any:
    """Take part oneself. Needs one's own key."""
    season, person = _of_own_club(club_id, slug)
    seasons.enter(*current(), season.id, person)
    return _season(season)


@call("DELETE", "/clubs/<int:club_id>/seasons/<slug>/entries/me", SeasonOut, final=True)
def drop_out(club_id: int, slug: str) -> Any:
    """Drop out oneself; games under way stay one's own to finish. Needs one's own key."""
    season, person = _of_own_club(club_id, slug)
    return _step(season, "drop", person)


def _of_own_club(club_id: int, slug: str) -> tuple[Season, int]:
    """A season of a club that the caller belongs to, and the caller's number."""
    person = me()
    member_of(club_id)
    return season_tables.find(db.session(), club_id, slug), person


@call("POST", "/clubs/<int:club_id>/seasons/<slug>/entries/<int:player_id>", SeasonOut)
def put_in(club_id: int, slug: str, player_id: int) -> Any:
    """Enter a member, as an organiser; they are told by letter."""
    season = _organised(club_id, slug)
    seasons.enter(*current(), season.id, player_id, by=key().player_id)
    return _season(season)


@call("DELETE", "/clubs/<int:club_id>/seasons/<slug>/entries/<int:player_id>", SeasonOut, final=True)
def take_out(club_id: int, slug: str, player_id: int) -> Any:
    """Take a player out, as an organiser; tables not opened yet go on without them."""
    return _step(_organised(club_id, slug), "drop", player_id)
