"""Letters about a season: to every member when it is announced, to whom an organiser enters, and at its end."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.orm import Session

from pbem.clubs import reports
from pbem.engine.core.types import sentence
from pbem.engine.registry import title_of
from pbem.store.models import Club, Player, Season


def announced(session: Session, now: datetime, season: Season) -> None:
    """Tell every member of the club that a season waits for players. The button enters."""
    games = tuple(title_of(title["game"]) for title in season.titles)
    says = sentence(
        "{season}: {count} round(s) of {games}. Press the button, then 'Take part', if you want to play.",
        season=season.name,
        count=season.rounds,
        games=games,
    )
    title = sentence("{season}: who takes part?", season=season.name)
    report = reports.ClubReport(title, (says,))
    send(session, now, season, ":announced", report, *reports.members_of(session, season.club_id))


def entered(session: Session, now: datetime, season: Season, player_id: int, *, again: bool) -> None:
    """Tell somebody that an organiser has entered them, or has `again`; the button leads to where they can drop out."""
    says = sentence("Your organiser has entered you. Press the button, then 'Drop out', if you would rather not play.")
    title = sentence("You take part in {season}", season=season.name)
    report = reports.ClubReport(title, (says,))
    cause = f":entered:{now:%Y%m%d%H%M%S}" if again else ":entered"
    send(session, now, season, cause, report, session.get_one(Player, player_id))


def send(
    session: Session, now: datetime, season: Season, cause: str, report: reports.ClubReport, *whom: Player
) -> None:
    """Write these people the season's letter of that cause. Its button leads to the season."""
    page = f"club/{session.get_one(Club, season.club_id).slug}/seasons/{season.slug}"
    reports.send(session, now, "season", season.club_id, f"season:{season.id}{cause}", report, whom, to=page)
