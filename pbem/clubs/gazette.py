"""The club's weekly letter, written from the logs: what ended, how close it was, who leads, who is waited for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.clubs import club_views, reports
from pbem.clubs.club_views import GameLine
from pbem.clubs.games import control_room
from pbem.clubs.ratings import rating_sweep
from pbem.clubs.reports import ClubReport, ReportTable
from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.registry import title_of
from pbem.play.views.game_context import outcome_of
from pbem.store.models import OVER, UNDERWAY, Club, Game, GameState, Seat
from pbem.store.queries import common

WEEK = timedelta(days=7)
_CLOSE = 3
"""Points between first and second that make a finish close."""
_LEADERS = 5
_PATIENT = timedelta(days=3)
"""A wait that long is worth a kind word."""
_MOST = 20


def publish(session: Session, now: datetime) -> int:
    """Write this week's gazette to every member of every club that has news; return the number of letters.

    One letter a member and calendar week (ISO 8601), however often this runs; a quiet week has no gazette.
    """
    year, week, _ = now.isocalendar()
    count = 0
    for club in session.scalars(select(Club)).all():
        report = write(session, now, club)
        if report is not None:
            cause, people = f"gazette:{club.id}:{year}-{week}", reports.members_of(session, club.id)
            count += reports.send(session, now, "gazette", club.id, cause, report, people)
    return count


def write(session: Session, now: datetime, club: Club) -> ClubReport | None:
    """Return the gazette of the week before `now`; None if nothing ended and nothing waits."""
    ended = ended_since(session, club.id, now - WEEK)
    scored = [one for one in ended if one.scores]
    paragraphs = [*_finishes(ended), *_records(session, club.id, scored), *_waits(session, now, club.id)]
    if not paragraphs:
        return None
    running = common.count(session, Game.club_id == club.id, Game.state.in_(UNDERWAY))
    opening = sentence(
        "{ended} game(s) ended this week, {running} (is|are) under way.", ended=len(ended), running=running
    )
    title = sentence("The week at {club}", club=club.name)
    return ClubReport(title, (opening, *paragraphs), tuple(_tables(session, club.id, scored)))


def ended_since(session: Session, club_id: int, since: datetime) -> tuple[GameLine, ...]:
    """Return the club's games with people in them that ended after `since`, in order; what bots play is no news."""
    peopled = select(Seat.id).where(Seat.game_id == Game.id, Seat.player_id.is_not(None)).exists()
    games = session.scalars(
        select(Game)
        .where(Game.club_id == club_id, Game.state.in_(OVER), Game.finished_at > since, peopled)
        .order_by(Game.finished_at, Game.id)
    ).all()
    return club_views.lines_of(session, games)


def _finishes(ended: Sequence[GameLine]) -> list[Message]:
    """Return a sentence for each game that ended, the close ones with the margin."""
    found = []
    for one in ended[:_MOST]:
        points, second = (*sorted(one.scores, reverse=True), 0, 0)[:2]
        margin = points - second
        if one.state == GameState.ENDED:
            text = N_("{title} was ended by agreement.")
        elif len(one.winners) > 1:
            text = N_("{winners} shared {title} with {points} point(s) each.")
        elif margin <= _CLOSE:
            text = N_("{winners} won {title} by a hair: {points} point(s), {margin} ahead.")
        else:
            text = N_("{winners} won {title} with {points} point(s).")
        found.append(sentence(text, title=one.title, winners=one.winners, points=points, margin=margin))
    return found


def _records(session: Session, club_id: int, ended: Sequence[GameLine]) -> list[Message]:
    """Return a sentence for each game whose score the club has never seen before."""
    found = []
    for game in sorted({one.game for one in ended}):
        rows = session.scalars(select(Game.outcome).where(Game.club_id == club_id, Game.game == game))
        scores = [max(outcome.scores) for outcome in map(outcome_of, rows) if outcome is not None]
        best = max((one for one in ended if one.game == game), key=lambda one: max(one.scores))
        top = max(best.scores)
        if len(scores) > 1 and top == max(scores) and scores.count(top) == 1:
            said = sentence(
                "{points} point(s) (is|are) the club's new record at {game}, set by {winners}.",
                points=top,
                game=title_of(game),
                winners=best.winners,
            )
            found.append(said)
    return found


def _waits(session: Session, now: datetime, club_id: int) -> list[Message]:
    """Return a kind word to those the longest-waiting games wait for; nobody whose choice is secret or who is away."""
    found = []
    for row in control_room.rows(session, now, club_id, control_room.Filter(state="waiting", order="waiting"))[:3]:
        names = tuple(one.name for one in row.blockers or () if not one.away and now - one.since > _PATIENT)
        if names:
            found.append(sentence("{title} looks forward to what {people} will do.", title=row.title, people=names))
    return found


def _tables(session: Session, club_id: int, ended: Sequence[GameLine]) -> Iterator[ReportTable]:
    """Yield the results, and who leads the ranking."""
    if ended:
        head = (sentence("Game"), sentence("Winner"), sentence("Points"))
        rows = ((one.title, one.winners, max(one.scores)) for one in ended[:_MOST])
        yield ReportTable(sentence("Results"), head, tuple(rows))
    leaders = rating_sweep.ranking(session, club_id, limit=_LEADERS)
    if leaders:
        heads = (sentence("Player"), sentence("Place"), sentence("Rating"), sentence("Games"))
        lines = ((one.name, one.place, one.shown, one.games) for one in leaders)
        yield ReportTable(sentence("Ranking"), heads, tuple(lines))
