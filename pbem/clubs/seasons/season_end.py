"""The end of a season, and the letter that tells of it: who came first, and the whole table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, select

from pbem.clubs import reports
from pbem.clubs.reports import ClubReport, ReportTable
from pbem.clubs.seasons import season_letters
from pbem.engine.core.message import N_, sentence
from pbem.store.models import LIVE, Game, Pairing, Player
from pbem.store.queries import common

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from pbem.clubs.seasons.standings import StandingLine
    from pbem.store.models import Season


def finish(session: Session, now: datetime, season: Season, lines: Sequence[StandingLine]) -> None:
    """End a season as it stands: no table opens any more, games under way go on without it; everybody is told."""
    season.state, season.finished_at = "finished", now
    session.execute(delete(Pairing).where(Pairing.season_id == season.id, Pairing.game_id.is_(None)))
    _tell(session, now, season, lines)


def _tell(session: Session, now: datetime, season: Season, lines: Sequence[StandingLine]) -> None:
    """Write everybody who took part and is in the club still the final standings, or that there will be none."""
    players = {line.player: session.get_one(Player, line.player) for line in lines}
    names = {number: player.name for number, player in players.items()}
    going_on = _going_on(session, season)
    report = _called_off(season) if season.is_called_off else _standings(season, lines, names, going_on)
    session.flush()
    people = (one for one in reports.members_of(session, season.club_id) if one.id in players)
    season_letters.send(session, now, season, "", report, *people)


def _going_on(session: Session, season: Season) -> int:
    games = select(Pairing.game_id).where(Pairing.season_id == season.id)
    return common.count(session, Game.id.in_(games), Game.state.in_(LIVE))


def _called_off(season: Season) -> ClubReport:
    title = sentence("{season} is called off", season=season.name)
    return ClubReport(title, (sentence("The organiser has ended the season before it began."),))


_GOING_ON = N_("{count} game(s) (was|were) not over: (it goes|they go) on, but (doesn't|don't) count any more.")


def _standings(season: Season, lines: Sequence[StandingLine], names: Mapping[int, str], going_on: int) -> ClubReport:
    first = tuple(names[line.player] for line in lines if line.place == 1)
    head = (sentence("Player"), sentence("Place"), sentence("Points"), sentence("Games"))
    rows = tuple((names[line.player], line.place, round(line.points), line.games) for line in lines)
    title = sentence("{season} is over", season=season.name)
    says = sentence("{winners} came first of {count}.", winners=first, count=len(lines))
    if not any(line.games for line in lines):
        says = sentence("No game was finished.")
    more = (sentence(_GOING_ON, count=going_on),) if going_on else ()
    return ClubReport(title, (says, *more), (ReportTable(sentence("Final standings"), head, rows),))
