"""A person's queue: every decision that waits for them, over all their games, and what else they play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint

from pbem.club import faces
from pbem.engine.types import N_
from pbem.extensions import db
from pbem.web import pages, tableside

if TYPE_CHECKING:
    from flask import Response

blueprint = Blueprint("player", __name__)


@blueprint.get("/queue")
def queue() -> Response:
    """Show the queue of every key this browser holds."""
    items = tableside.queue()
    people = tableside.people()
    say = pages.voice()
    waiting = [item for item in items if tableside.is_open(item)]
    over = [item for item in items if item.state == "finished"]
    running = [item for item in items if item not in waiting and item not in over]
    if len(people) == 1:
        say = pages.speak(people[0].language, people[0].zone)
    return pages.show(
        "pages/queue.html",
        here="queue",
        open=waiting,
        others=[(say(N_("Under way")), running), (say(N_("Finished")), over)],
        people=people,
        unread=tableside.unread(people, items),
        clubs=sorted(
            {(club.slug, club.name) for person in people for club in faces.faces_of(db.session(), person.player_id)}
        ),
    )
