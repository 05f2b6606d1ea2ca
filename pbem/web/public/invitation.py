"""An invitation's page: what is offered, by whom, until when; two buttons."""

from __future__ import annotations

from flask import Blueprint, Response

from pbem.capabilities import links
from pbem.capabilities.links import OpenedInvitation
from pbem.capabilities.tokens import tokens
from pbem.extensions import current, db
from pbem.play.seats import invitations
from pbem.web import pages
from pbem.web.account import browser_keys
from pbem.web.account.settings import LANGUAGES
from pbem.web.fields import zones

blueprint = Blueprint("invitation", __name__)


def _open(token: str) -> OpenedInvitation:
    opened = links.open_invitation(*current(), tokens(), token)
    pages.speak(opened.language, opened.zone)
    return opened


@blueprint.get("/invitation/<token>")
def show(token: str) -> Response:
    """Show what is offered."""
    opened = _open(token)
    offer = invitations.offer(db.session(), opened.invitation_id)
    return pages.show(
        "pages/invitation.html",
        invitation=offer,
        state=opened.state,
        languages=LANGUAGES,
        language=pages.typed("language") or pages.browser_language() or offer.language,
        zone=pages.typed("zone") or offer.zone,
        zones=zones(),
    )


@blueprint.post("/invitation/<token>")
@pages.form_of(show)
def answer(token: str) -> Response:
    """Take the seat or decline, once; a form without a button's name does nothing, nor does one sent again."""
    opened = _open(token)
    act = pages.typed("act") if opened.state == "pending" else ""
    if act == "accept":
        language, zone = (pages.typed(name)[:64] for name in ("language", "zone"))
        player = invitations.accept(*current(), opened.invitation_id, language=language, zone=zone)
        browser_keys.add("players", player.id, player.epoch)
    elif act == "decline":
        invitations.decline(*current(), opened.invitation_id)
    else:
        return pages.go("invitation.show", token=token)
    return pages.go("invitation.show", token=token)
