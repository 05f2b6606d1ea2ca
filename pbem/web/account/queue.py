"""A person's queue: every decision that waits for them, over all their games, and what else they play."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Blueprint, Response, request

from pbem.capabilities import links
from pbem.capabilities.links import OpenedPlayer
from pbem.capabilities.tokens import tokens
from pbem.clubs import club_views
from pbem.extensions import current, db
from pbem.play.seats import invitations, recruitment
from pbem.play.seats.invitations import Offer
from pbem.play.views import decision_queue
from pbem.web import pages
from pbem.web.account import browser_keys
from pbem.web.play import sidebar

blueprint = Blueprint("player", __name__)


def _offers(person: OpenedPlayer) -> list[tuple[str, Offer]]:
    """Return the invitations that somebody can still answer, each with the token of its page."""
    session, now = current()
    pending = invitations.pending(session, now, person.player_id)
    return [
        (links.invitation_token(tokens(), number, person.epoch), invitations.offer(session, number))
        for number in pending
    ]


def _together(offers: Sequence[tuple[str, Offer]]) -> list[tuple[str, str, int]]:
    """Return where several invitations of one club to one person are accepted at once: a token, the club, how many."""
    held: dict[tuple[int, str], list[tuple[str, Offer]]] = {}
    for token, offer in offers:
        held.setdefault((offer.player_id, offer.club_slug), []).append((token, offer))
    return [(found[0][0], found[0][1].club, len(found)) for (_, club), found in held.items() if club and found[1:]]


def _clubs(people: Sequence[OpenedPlayer]) -> list[tuple[str, str, bool]]:
    """Return the clubs of `people`, by address and name, and whether any of them organises it."""
    held = [club for person in people for club in club_views.clubs_of(db.session(), person.player_id)]
    organised = {club.slug for club in held if club.organises}
    return sorted({(club.slug, club.name, club.slug in organised) for club in held})


@blueprint.get("/queue")
def queue() -> Response:
    """Show the queue of every key this browser holds."""
    every = "all" in request.args
    items = sidebar.queue(None if every else decision_queue.LATEST)
    people = list(browser_keys.persons())
    offers = [offer for person in people for offer in _offers(person)]
    waiting = [item for item in items if sidebar.is_open(item)]
    over = [item for item in items if item.state.is_over]
    running = [item for item in items if item not in waiting and item not in over]
    if len(people) == 1:
        pages.speak(people[0].language, people[0].zone)
    return pages.show(
        "pages/queue.html",
        here="queue",
        open=waiting,
        votes=[item for item in items if item.votes],
        names=sorted({item.name for item in items if not item.sitting}),
        closed={item.seat_id for item in over if links.is_shut(current()[1], item.finished_at)},
        running=running,
        over=over,
        shortened=not every and len(over) >= decision_queue.LATEST,
        people=people,
        unread=sidebar.unread(people, items),
        offers=offers,
        together=_together(offers),
        joined=[game.title for person in people for game in recruitment.joined(db.session(), person.player_id)],
        clubs=_clubs(people),
    )
