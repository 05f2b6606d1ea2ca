"""An invitation's page: what is offered, by whom, until when; its buttons."""

from __future__ import annotations

from flask import Blueprint, Response

from pbem.capabilities import links
from pbem.capabilities.links import OpenedInvitation
from pbem.capabilities.tokens import tokens
from pbem.clubs import club_views
from pbem.engine.core.message import Message
from pbem.extensions import current
from pbem.play.seats import invitations, recruitment
from pbem.play.views import decision_queue
from pbem.web import pages
from pbem.web.account import browser_keys

blueprint = Blueprint("invitation", __name__)


def _open(token: str) -> OpenedInvitation:
    opened = links.open_invitation(*current(), tokens(), token)
    pages.speak(opened.language, opened.zone)
    return opened


@blueprint.get("/invitation/<token>")
def show(token: str) -> Response:
    """Show what is offered."""
    return _page(_open(token))


def _page(opened: OpenedInvitation, failed: tuple[Message, ...] = ()) -> Response:
    session, now = current()
    offer = invitations.offer(session, opened.invitation_id)
    others = invitations.beside(session, now, opened.invitation_id) if opened.state == "pending" else ()
    return pages.show(
        "pages/invitation.html",
        invitation=offer,
        taken=invitations.taken_with(session, opened.invitation_id) if opened.state == "accepted" else (),
        more=[invitations.offer(session, one).title for one in others],
        failed=failed,
        **_next(opened),
        state=opened.state,
        language=pages.typed("language") or pages.browser_language() or offer.language,
        zone=pages.typed("zone") or offer.zone,
    )


def _next(opened: OpenedInvitation) -> dict[str, int | bool]:
    """Return where somebody new to a club goes on: whether anything is theirs yet, and the games with a seat for them.

    Nothing of it to a browser that doesn't speak for the person.
    """
    mine = opened.player_id in browser_keys.held("players") and opened.state == "accepted"
    if not mine or opened.game_id is not None or opened.club_id is None:
        return {"plays": True, "free": 0}
    session, now = current()
    player_id = opened.player_id
    lines = club_views.games(session, opened.club_id, over=False, reader=player_id)
    theirs = (recruitment.joined(session, player_id), invitations.pending(session, now, player_id))
    return {
        "plays": any(theirs) or bool(decision_queue.queue(session, now, player_id)),
        "free": sum(line.is_free for line in lines),
    }


@blueprint.post("/invitation/<token>")
@pages.form_of(show)
def answer(token: str) -> Response:
    """Take the seat or decline, once; a form without a button's name does nothing, nor does one sent again."""
    opened = _open(token)
    number, act = opened.invitation_id, pages.typed("act") if opened.state == "pending" else ""
    language, zone = (pages.typed(name)[:64] for name in ("language", "zone"))
    failed: tuple[Message, ...] = ()
    if act == "decline":
        invitations.decline(*current(), number)
    elif act in {"accept", "accept-all"}:
        if act == "accept":
            player = invitations.accept(*current(), number, language=language, zone=zone)
        else:
            player, failed = invitations.accept_all(*current(), number, language=language, zone=zone)
        browser_keys.add("players", player.id, player.epoch)
    return _page(_open(token), failed) if failed else pages.go("invitation.show", token=token)
