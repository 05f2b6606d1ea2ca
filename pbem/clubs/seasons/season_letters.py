"""Letters about a season: to every member when it is announced, to whom an organiser enters, and at its end."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.orm import Session

from pbem.clubs import reports
from pbem.clubs.seasons.rounds import DrawnRound
from pbem.engine.core.message import N_, Message, Param, sentence
from pbem.engine.registry import title_of
from pbem.store.models import Club, Player, Season


def announced(session: Session, now: datetime, season: Season) -> None:
    """Tell every member of the club that a season waits for players. The button enters."""
    games = tuple(title_of(title["game"]) for title in season.titles)
    words = _UNTIL_THE_FINAL if season.system == "knock_out" else _SO_MANY_ROUNDS
    says = Message(words, {"season": season.name, "count": season.rounds, "games": games})
    title = sentence("{season}: who takes part?", season=season.name)
    report = reports.ClubReport(title, (says,))
    send(session, now, season, ":announced", report, *reports.members_of(session, season.club_id))


_SO_MANY_ROUNDS = N_("{season}: {count} round(s) of {games}. Press the button, then 'Take part', if you want to play.")
_UNTIL_THE_FINAL = N_("{season}: a knock-out of {games}. Press the button, then 'Take part', if you want to play.")


def entered(session: Session, now: datetime, season: Season, player_id: int, *, again: bool) -> None:
    """Tell somebody that an organiser has entered them, or has `again`; the button leads to where they can drop out."""
    says = sentence("Your organiser has entered you. Press the button, then 'Drop out', if you would rather not play.")
    title = sentence("You take part in {season}", season=season.name)
    report = reports.ClubReport(title, (says,))
    cause = f":entered:{now:%Y%m%d%H%M%S}" if again else ":entered"
    send(session, now, season, cause, report, session.get_one(Player, player_id))


def drawn(  # noqa: PLR0913, PLR0917 - which round of what
    session: Session, now: datetime, season: Season, number: int, title: int, made: DrawnRound
) -> None:
    """Tell who sits out a round of a title, who is out of it, and who is in it against their place; by its number."""
    holes: dict[str, Param] = {"season": season.name, "number": number, "game": title_of(season.titles[title]["game"])}
    news = ((made.byes, _SITS_OUT, _NO_TABLE), (made.out, _OUT, _WITHOUT), (made.moved_up, _UP, _ALL_THE_SAME))
    for people, subject, says in news:
        report = reports.ClubReport(Message(subject, holes), (Message(says, holes),))
        whom = (session.get_one(Player, player) for player in people)
        send(session, now, season, f":drawn:{number}:{title}", report, *whom)


_SITS_OUT = N_("{season}: you sit out round {number}")
_NO_TABLE = N_(
    "The players don't fill tables of {game} exactly in round {number}: you sit it out, which counts as half a win."
)
_OUT = N_("{season}: you are out")
_WITHOUT = N_(
    "Round {number} of {game} goes on with the better half of each table, and you are not among them."
    " The page of the season shows how it ends."
)
_UP = N_("{season}: you move up")
_ALL_THE_SAME = N_(
    "You are in round {number} of {game} after all: you come in for somebody who left, or to fill a table."
)


def send(
    session: Session, now: datetime, season: Season, cause: str, report: reports.ClubReport, *whom: Player
) -> None:
    """Write these people the season's letter of that cause. Its button leads to the season."""
    page = f"club/{session.get_one(Club, season.club_id).slug}/seasons/{season.slug}"
    reports.send(session, now, "season", season.club_id, f"season:{season.id}{cause}", report, whom, to=page)
