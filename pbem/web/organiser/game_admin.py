"""An organiser's pages of one game: its administration, and a look at what is hidden. For its organisers only."""

from __future__ import annotations

from http import HTTPStatus

from flask import Blueprint, Response, request

from pbem.capabilities import codes
from pbem.capabilities.acts import require_proof
from pbem.clubs.games import actions, undo
from pbem.clubs.members import members
from pbem.engine.core.message import Message
from pbem.errors import NotAllowed, StalePhase, WrongInput
from pbem.extensions import current, db
from pbem.play.admin import action_log, disclosures, game_admin
from pbem.store.models import Game, Player
from pbem.web import guards, pages
from pbem.web.account import browser_keys
from pbem.web.play import boards

blueprint = Blueprint("organiser", __name__, url_prefix="/organise")


def _enter(slug: str) -> tuple[Game, Player]:
    game, reader = game_admin.organiser(db.session(), slug, browser_keys.held("players"))
    pages.speak(reader.language, reader.zone)
    return game, reader


@blueprint.get("/<slug>")
def game(slug: str) -> Response:
    """Show the administration of a game."""
    found, reader = _enter(slug)
    return _page(found, reader)


def _page(found: Game, reader: Player, faults: tuple[Message, ...] = (), status: int = 200) -> Response:
    shown = game_admin.admin_view(*current(), found, reader)
    pages.speak(reader.language, reader.zone, [seat.name for seat in shown.seats])
    return pages.show(
        "pages/organise.html",
        status,
        admin=shown,
        members=members.members(db.session(), found.club_id) if found.club_id else (),
        faults_found=faults,
        is_news=status == HTTPStatus.CONFLICT,
        seen=action_log.newest(db.session(), found.id),
        acts=actions.ACTIONS,
        recent=undo.recent(*current(), found.club_id),
    )


def _look(action: action_log.AdminAction) -> Response:
    """Show something hidden, this once; it is in the table's journal before it is on the page."""
    session = db.session()
    held = browser_keys.held("players")
    try:
        disclosures.refuse_players(session, action.now, action.game, held)
        codes.use(session, action.now, action.by.id, _look_code(action.game), pages.typed("code"))
        seen = disclosures.look(session, action, held, pages.number("seat"), pages.typed("what"))
    except NotAllowed as refusal:
        return _page(action.game, action.by, refusal.faults, 403)  # a wrong guess counts
    except WrongInput as refusal:
        session.rollback()  # so that the code is good for another try
        return _page(action.game, action.by, refusal.faults, 422)
    s = seen.situation
    pages.speak_at(s, action.by.language, action.by.zone)
    return pages.show("pages/look.html", s=s, seen=seen, board=boards.draw(s, pages.translator()), reason=action.reason)


def _look_code(game: Game) -> str:
    """Return what a mailed code for a look is good for: this game and no other."""
    return f"look:{game.id}"


@blueprint.post("/<slug>")
@guards.once("call-off", "extend", "fresh", "nudge", "pause", "replace", "resume", "take-up")
def act(slug: str) -> Response:
    """Do what the pressed button says, with the reason given, and log it."""
    found, reader = _enter(slug)
    (session, now), form = current(), request.form
    action = action_log.AdminAction(now=now, game=found, by=reader, reason=pages.typed("reason").strip())
    if form.get("act") == "look":
        return _look(action)
    if form.get("act") == "code":
        disclosures.refuse_players(session, now, found, browser_keys.held("players"))
        codes.send(session, now, reader.id, _look_code(found))
        return pages.go("organiser.game", slug=slug, coded=1, _anchor="look")
    require_proof(session, "organise", reader.id)
    if form.get("undo"):
        undo.undo(session, now, found.club_id, reader.id, pages.number("undo"))
        return pages.go("organiser.game", slug=slug)
    try:
        action_log.require_seen(session, action, pages.number("seen"))
    except StalePhase as news:
        session.rollback()
        return _page(found, reader, news.faults, HTTPStatus.CONFLICT)
    wish = actions.ActionRequest(
        act=pages.typed("act"),
        games=(found.id,),
        by=reader.id,
        reason=action.reason,
        hours=pages.number("hours", 0),
        seat=pages.number("seat"),
        who=pages.typed("who"),
    )
    epoch = reader.epoch
    actions.carry_out(session, now, found.club_id, wish)
    if reader.epoch != epoch:  # a fresh link of their own seat: this browser's key has ended too
        browser_keys.drop(reader.id)
        return pages.go("links.mail_me", done="renew")
    return pages.go("organiser.game", slug=slug)
