"""A person's own things: keys for programs, everything stored about them, the end."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from flask import Blueprint, Response, request

from pbem import clock
from pbem.capabilities import api_keys, browsers, links
from pbem.capabilities.links import OpenedPlayer
from pbem.capabilities.tokens import tokens
from pbem.clubs import operation
from pbem.clubs.account import address_change, personal_data
from pbem.errors import WrongInput
from pbem.extensions import current, db, settings
from pbem.play.seats import sitters
from pbem.play.views import decision_queue as queues
from pbem.web import guards, pages
from pbem.web.account import browser_keys
from pbem.web.club import feeds
from pbem.web.seat import authorize

blueprint = Blueprint("account", __name__)

ALL = "all"
"""What a key is made for that speaks for everything of a person's."""


@blueprint.get("/player/<int:player_id>/account")
def show(player_id: int) -> Response:
    """Show what lets somebody act for the person, each with a way to end it, and how to leave."""
    return _page(authorize.authorize_person(player_id))


def _page(person: OpenedPlayer, secret: str = "") -> Response:
    session, now = current()
    return pages.show(
        "pages/account.html",
        person=person,
        browsers=browsers.listed(session, now, person.player_id),
        own=browsers.digests(browser_keys.mark(), (person.player_id,)),
        keys_held=api_keys.keys_of(session, now, person.player_id),
        sitting=sitters.of_person(session, now, person.player_id),
        held=queues.queue(session, now, person.player_id),
        calendar=feeds.calendar_address(session, person.player_id),
        operates=operation.may_be(session, browser_keys.held("players"), settings().operator),
        secret=secret,
        form=request.form if pages.faults_found() else {},
    )


@blueprint.post("/player/<int:player_id>/account")
@guards.once()
@pages.form_of(show)
def act(player_id: int) -> Response:
    """Do what the pressed button says; what could harm the person asks for a mailed code first."""
    person = authorize.authorize_person(player_id)
    return pages.button(ACTIONS)(person) or pages.go("account.show", player_id=player_id, done=request.form["act"])


def _make_key(person: OpenedPlayer) -> Response:
    """Make a key for one of the person's seats or for all that is theirs, and show it this once."""
    session, form, now = db.session(), request.form, clock.now()
    name = pages.typed("name")
    if form.get("seat") == ALL:
        secret = api_keys.issue_for_person(session, now, person.player_id, name)
    else:
        secret = api_keys.issue_for_seat(session, now, person.player_id, pages.number("seat"), name)
    return _page(person, secret=secret)


def _log_out(person: OpenedPlayer) -> Response:
    """End this browser for everybody it speaks for."""
    for player_id in (person.player_id, *browser_keys.held("players")):
        browsers.log_out(*current(), browser_keys.mark(), player_id, authorize.browser_name())
    browser_keys.forget()
    return pages.go("home.index", done="log-out")


def _renew(person: OpenedPlayer) -> Response:
    """Make every link of the person's worthless, this browser's key with them."""
    links.renew_for_owner(*current(), person.player_id)
    browser_keys.drop(person.player_id)
    return pages.go("links.mail_me", done="renew")


def _export(person: OpenedPlayer) -> Response:
    """Return everything stored about the person, to keep; a letter tells them that it was taken."""
    stored = personal_data.export_for_owner(*current(), person.player_id)
    body = msgspec.json.format(msgspec.json.encode(stored))
    answer = Response(body, mimetype="application/json")
    answer.headers["Content-Disposition"] = 'attachment; filename="pbem.json"'
    return answer


def _erase(person: OpenedPlayer) -> Response:
    """Forget the person, and this browser's key to them."""
    personal_data.erase_for_owner(*current(), person.player_id)
    browser_keys.drop(person.player_id)
    return pages.go("home.index", done="erase")


ACTIONS: dict[str, Callable[[OpenedPlayer], Response | None]] = {
    "key": _make_key,
    "revoke": lambda one: api_keys.revoke(*current(), one.player_id, pages.number("key")),
    "end-browser": lambda one: browsers.end(*current(), one.player_id, pages.number("browser")),
    "log-out": _log_out,
    "end-sitter": lambda one: sitters.end_by_person(*current(), pages.number("sitter"), one.player_id),
    "feeds": lambda one: links.renew_feeds(db.session(), one.player_id),
    "address": lambda one: address_change.ask(*current(), one.player_id, pages.typed("address")),
    "renew": _renew,
    "export": _export,
    "erase": _erase,
}
"""What each button does."""


@blueprint.get("/address/<token>")
def new_address(token: str) -> Response:
    """Ask whether a person's address shall change."""
    move = address_change.look(*current(), tokens(), token)
    return pages.show("pages/address.html", move=move)


@blueprint.post("/address/<token>")
@pages.form_of(new_address)
def answer_address(token: str) -> Response:
    """Say yes or no for one of the two addresses; a form sent without an answer changes nothing."""
    said = request.form.get("answer")
    if said not in ("yes", "no"):
        raise WrongInput("Choose yes or no.")
    address_change.answer(*current(), tokens(), token, yes=said == "yes")
    return pages.go("account.new_address", token=token)
