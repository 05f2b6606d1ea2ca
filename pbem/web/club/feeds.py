"""What programs subscribe to, by a signed address, for they keep no cookies: a person's deadlines, a club's results."""

from __future__ import annotations

from flask import Blueprint, Response
from sqlalchemy.orm import Session

from pbem.capabilities import links
from pbem.capabilities.links import OpenedPlayer
from pbem.capabilities.tokens import CALENDAR, RESULTS, tokens
from pbem.clubs import club_views
from pbem.clubs.club_views import ClubSummary
from pbem.clubs.integrations import feeds
from pbem.errors import nobody
from pbem.extensions import current, db, settings
from pbem.messages import Translator
from pbem.play.deadlines.waiting_reasons import STILL
from pbem.play.views import decision_queue as queues
from pbem.play.views.decision_queue import QueueItem
from pbem.store.models import Club, Player
from pbem.web import pages

blueprint = Blueprint("feeds", __name__)


def calendar_address(session: Session, player_id: int) -> str:
    """Return where a program finds a person's deadlines as a calendar."""
    return f"{settings().base_url}/calendar/{tokens().sign(CALENDAR, *_holder(session, player_id))}.ics"


def results_address(session: Session, club: ClubSummary) -> str:
    """Return where a member's program finds the results of a club as a feed."""
    token = tokens().sign(RESULTS, *_holder(session, club.player_id), club.id)
    return f"{settings().base_url}/feed/{token}.atom"


def _holder(session: Session, player_id: int) -> tuple[int, int, int]:
    """Return whose address it is, with both numbers that end it."""
    player = session.get_one(Player, player_id)
    return player.id, player.epoch, player.feeds


def _signed(session: Session, purpose: str, token: str) -> tuple[OpenedPlayer, list[int]]:
    """Return whom a signed address speaks for, and what else it says. Raises NotSeated."""
    person, said = links.person_of(session, tokens(), purpose, token)
    feeds_epoch, *more = said or (0,)  # a calendar's address from before 1.0 names the person's key alone
    if session.get_one(Player, person.player_id).feeds != feeds_epoch:
        raise nobody()
    return person, more


@blueprint.get("/calendar/<token>.ics")
def calendar(token: str) -> Response:
    """Return the deadlines of a person as a calendar."""
    session, now = current()
    person, _ = _signed(session, CALENDAR, token)
    say = pages.speak(person.language, person.zone)
    found = queues.queue(session, now, person.player_id)
    dues = [due for item in found if (due := _due(item, say)) is not None]
    host = settings().base_url.partition("://")[2].partition("/")[0]
    return Response(feeds.calendar(say("Your deadlines"), host, dues, now), mimetype="text/calendar")


def _due(item: QueueItem, say: Translator) -> feeds.Due | None:
    """Return an open decision as an entry; None where nothing is to be decided by a moment."""
    if item.question is None or item.due_at is None or item.answered:
        return None
    return feeds.Due(
        key=f"seat-{item.seat_id}-ply-{item.asked_ply}",
        title=f"{say('{heading}:', heading=item.title)} {say(item.question)}",
        url=f"{settings().base_url}/queue",
        due_at=item.due_at,
        version=item.due_version,
    )


@blueprint.get("/feed/<token>.atom")
def results_of(token: str) -> Response:
    """Return the results of a club, for the program of one of its members."""
    session = db.session()
    person, (club_id,) = _signed(session, RESULTS, token)
    pages.speak(person.language, person.zone)
    club = club_views.summary_of(session, club_id, person.player_id)
    return results(club, results_address(session, club))


def results(club: ClubSummary, url: str) -> Response:
    """Return a club's latest results as a feed that was fetched at `url`."""
    base, say = settings().base_url, pages.translator()
    entries = [
        feeds.FeedEntry(
            key=f"{base}/games/{game.slug}",
            title=game.title,
            text=say("Won by {winners}.", winners=game.winners) if game.winners else say(STILL[game.state]),
            url=f"{base}/games/{game.slug}",
            at=game.finished_at,
        )
        for game in club_views.games(db.session(), club.id, over=True, limit=50)
        if game.finished_at is not None
    ]
    body = feeds.atom(
        club.name, f"{base}/club/{club.slug}/results.atom", url, entries, db.session().get_one(Club, club.id).created_at
    )
    return Response(body, mimetype="application/atom+xml")
