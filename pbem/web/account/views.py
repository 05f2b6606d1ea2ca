"""A person's own things: keys for programs, everything stored about them, the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from flask import Blueprint, Response, request

from pbem import clock
from pbem.capabilities import api_keys, codes, links
from pbem.capabilities.tokens import BadToken
from pbem.clubs.account import address_change, personal_data
from pbem.engine.core.types import N_, Message
from pbem.errors import NotAllowed, NotSeated, PlayError, WrongInput
from pbem.extensions import db, tokens
from pbem.jobs import tasks
from pbem.play.views import decision_queue as queues
from pbem.web import pages
from pbem.web.account import browser_keys
from pbem.web.club import feeds
from pbem.web.seat import authorize

if TYPE_CHECKING:
    from pbem.capabilities.links import OpenedPlayer

blueprint = Blueprint("account", __name__)

ERASE = "erase"
ALL = "all"
"""What a key is made for that speaks for everything of a person's."""


@blueprint.get("/player/<int:player_id>/account")
def show(player_id: int) -> Response:
    """Show what one's own program keys are, where the calendar is, and how to leave."""
    return _page(authorize.person(player_id))


def _page(person: OpenedPlayer, faults: tuple[Message, ...] = (), secret: str = "", status: int = 200) -> Response:
    session = db.session()
    return pages.show(
        "pages/account.html",
        status,
        person=person,
        keys_held=api_keys.keys_of(session, person.player_id),
        held=queues.queue(session, clock.now(), person.player_id),
        calendar=feeds.calendar_address(person.player_id, person.epoch),
        secret=secret,
        faults_found=faults,
        coded=request.args.get("coded"),
    )


@blueprint.post("/player/<int:player_id>/account")
def act(player_id: int) -> Response:
    """Make or revoke a key, renew all links, ask for the code that erases, or erase."""
    person = authorize.person(player_id)
    session, now, form = db.session(), clock.now(), request.form
    try:
        if form.get("act") == "key":
            return _make_key(person)
        if form.get("act") == "revoke":
            api_keys.revoke(session, now, player_id, form.get("key", default=-1, type=int))
        elif form.get("act") == "address":
            address_change.ask(session, now, player_id, form.get("address", ""))
        elif form.get("act") == "renew":
            return _renew(person)
        elif form.get("act") == "code":
            codes.send(session, now, player_id, ERASE)
        elif form.get("act") == "erase":
            codes.use(session, now, player_id, ERASE, form.get("code", ""))
            personal_data.erase(session, now, player_id)
            browser_keys.drop("players", player_id)
            session.commit()
            return pages.go("home.index")
        else:
            raise WrongInput(Message(N_("Press one of the buttons of this page.")))
    except PlayError as refusal:
        session.commit()  # a wrong guess counts
        return _page(person, refusal.faults, status=403 if isinstance(refusal, NotAllowed) else 422)
    session.commit()
    tasks.ring(letters=True)
    return pages.go(
        "account.show", player_id=player_id, coded=form.get("act") if form.get("act") in {"code", "address"} else None
    )


def _make_key(person: OpenedPlayer) -> Response:
    """Make a key for one of the person's seats or for all that is theirs, and show it this once."""
    session, form, now = db.session(), request.form, clock.now()
    name = form.get("name", "")
    if form.get("seat") == ALL:
        secret = api_keys.issue_for_person(session, now, person.player_id, name)
    else:
        secret = api_keys.issue_for_seat(session, now, person.player_id, form.get("seat", default=-1, type=int), name)
    session.commit()
    return _page(person, secret=secret)


def _renew(person: OpenedPlayer) -> Response:
    """Make every link of the person's worthless, this browser's key with them."""
    links.renew(db.session(), clock.now(), person.player_id)
    db.session.commit()
    tasks.ring(letters=True)
    browser_keys.drop("players", person.player_id)
    return pages.show("pages/links.html", here="links", renewed=True)


def _question(token: str) -> int:
    """The number in a link of an address_change letter. Raises NotSeated."""
    try:
        (code_id,) = tokens().read(links.ADDRESS, token)
    except BadToken:
        raise NotSeated(Message(N_("This link opens nothing. Ask for a fresh one."))) from None
    return int(code_id)


@blueprint.get("/address/<token>")
def new_address(token: str) -> Response:
    """Ask whether a person's address shall change."""
    return pages.show("pages/address.html", move=address_change.look(db.session(), clock.now(), _question(token)))


@blueprint.post("/address/<token>")
def confirm_address(token: str) -> Response:
    """Say yes for one of the two addresses."""
    address_change.confirm(db.session(), clock.now(), _question(token))
    db.session.commit()
    return pages.go("account.new_address", token=token)


@blueprint.get("/player/<int:player_id>/everything.json")
def everything(player_id: int) -> Response:
    """Everything stored about the person, to keep."""
    authorize.person(player_id)
    body = msgspec.json.format(msgspec.json.encode(personal_data.export_person(db.session(), player_id)))
    answer = Response(body, mimetype="application/json")
    answer.headers["Content-Disposition"] = 'attachment; filename="pbem.json"'
    return answer
