"""Links in letters: opening one puts its key on the ring and leads to a clean address. It changes nothing else."""

from __future__ import annotations

from flask import Blueprint, Response, request

from pbem.capabilities import links
from pbem.capabilities.tokens import tokens
from pbem.clubs import club_views
from pbem.engine.core.message import sentence
from pbem.extensions import current, db
from pbem.web import pages
from pbem.web.account import browser_keys
from pbem.web.guards import led, limiter, noted

blueprint = Blueprint("links", __name__)

PAGES = {
    "game": "play.game",
    "plan": "plans.show",
    "standing": "standing.edit",
    "talk": "talk.talk",
    "settings": "seat_settings.show",
    "chair": "seat_settings.show",  # as letters before 1.0 call it
}
"""Where a seat's link may lead besides its decision, by the word in `?to=`."""


@blueprint.get("/l/<token>")
def open(token: str) -> Response:  # noqa: A001 - the endpoint's name says what it does
    """Open a seat's link, with what else is its reader's, or a player's."""
    opened = links.open(*current(), tokens(), token)
    if isinstance(opened, links.OpenedPlayer):
        browser_keys.add("players", opened.player_id, opened.epoch)
        return _own_page(opened.player_id, request.args.get("to", ""))
    browser_keys.add("seats", opened.seat_id, opened.epoch)
    if opened.reader is not None:
        browser_keys.add("players", opened.reader.player_id, opened.reader.epoch)
    to = request.args.get("to", "")
    if to == "result" and opened.is_over:  # an end that was taken back since leads to the game
        return pages.go("results.show", slug=opened.slug)
    page = PAGES.get(to, "play.decide")
    return pages.go(page, seat_id=opened.seat_id, letter=opened.ply)


def _own_page(player_id: int, to: str) -> Response:
    """Where a person's own link leads: settings, a game's administration (`organise/SLUG`), a club, or the queue.

    The queue as well for a club that is closed, or that they have left since: nothing of it opens for them.
    """
    place, _, slug = to.partition("/")
    if place == "settings":
        return pages.go("settings.edit", player_id=player_id)
    if place == "account":
        return pages.go("account.show", player_id=player_id)
    if place == "organise" and slug:
        return pages.go("organiser.game", slug=slug)
    if place == "club" and slug:
        club, _, season = slug.partition("/seasons/")
        if all(club != one.slug for one in club_views.clubs_of(db.session(), player_id)):
            return pages.go("player.queue")
        return pages.go("season.one", slug=club, season=season) if season else pages.go("club.home", slug=club)
    return pages.go("player.queue")


@blueprint.get("/links")
def mail_me() -> Response:
    """Show the form that asks for one's links."""
    return pages.show("pages/links.html", here="links")


@blueprint.post("/links")
@limiter.limit("10 per minute; 60 per hour")
def send_me() -> Response:
    """Mail the links of an address; the answer is the same for every address.

    Limited by who asks, not by whose address it is: nobody can use up another's tries. An address gets one letter an
    hour, however often it is asked for.
    """
    address = pages.typed("address").strip()
    if "@" not in address:
        fault = sentence("{address!r} is no mail address: write it like name@example.org.", address=address)
        return pages.show("pages/links.html", 422, here="links", fault=fault, address=address)
    links.mail_my_links(*current(), address)
    return pages.show("pages/links.html", here="links", asked=True)


@blueprint.get("/links/end/<token>")
def ask_end(token: str) -> Response:
    """Ask whether all of a person's links shall end: from the letter with a code, which nobody else reads."""
    person = links.open_end(db.session(), tokens(), token)
    pages.speak(person.language, person.zone)
    return pages.show("pages/end_links.html")


@blueprint.post("/links/end/<token>")
def end(token: str) -> Response:
    """End them all and mail new ones, once; a form sent without its button changes nothing.

    Whoever has a forwarded letter can ask for codes until no more are mailed, but not keep its owner from this.
    """
    if again := led():
        return again
    person = links.open_end(db.session(), tokens(), token)
    pages.speak(person.language, person.zone)
    if request.form.get("act") != "end":
        return pages.show("pages/end_links.html", 422)
    links.renew(*current(), person.player_id)
    return noted(person.player_id, pages.go("links.mail_me", done="renew"))
