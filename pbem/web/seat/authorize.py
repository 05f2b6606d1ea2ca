"""The seat or person a request speaks for: keys from the ring, checked, with the reader's translator set."""

from __future__ import annotations

from typing import NoReturn

from flask import g, request

from pbem.capabilities import acts, browsers, codes, links
from pbem.capabilities.acts import GuardedAct, Proof
from pbem.capabilities.links import OpenedPlayer, OpenedSeat
from pbem.engine.core.message import Message
from pbem.errors import NeedsCode, NeedsYes, PlayError, nobody
from pbem.extensions import current, db
from pbem.messages import clean
from pbem.play.views import seat_view as situations
from pbem.play.views.seat_view import Situation
from pbem.web import pages
from pbem.web.account import browser_keys
from pbem.web.current import only_looks


def authorize_seat(seat_id: int) -> OpenedSeat:
    """Return the seat, if this browser holds its key or its player's.

    Raises NotSeated, which every door answers alike.
    """
    epoch = browser_keys.held("seats").get(seat_id)
    opened = links.enter_seat(*current(), seat_id, epoch=epoch, players=browser_keys.held("players"))
    pages.speak(opened.language, opened.zone)
    g.opened = opened
    return opened


def authorize_own_seat(seat_id: int) -> OpenedSeat:
    """Return the seat, for its own player; to a sitter its private arrangements don't exist. Raises NotSeated."""
    return _own(authorize_seat(seat_id))


def _own(opened: OpenedSeat) -> OpenedSeat:
    if opened.sitting is not None:
        raise nobody()
    return opened


def open_situation(seat_id: int, ply: int | None = None) -> Situation:
    """Return what the seat may see, at present or after `ply`; the players' names go into the translator."""
    session, now = current()
    opened, table, keys = links.authorize_seat(session, now, seat_id, browser_keys.claimed())
    browser_keys.count(keys)
    pages.speak(opened.language, opened.zone)
    g.opened = opened
    found = situations.situation(session, now, seat_id, ply, table, opened.sitting)
    pages.speak_at(found, opened.language, opened.zone)
    pages.own_box(found)
    return found


def open_own_situation(seat_id: int) -> Situation:
    """Return what the seat may see at present, for its own player; to a sitter the page doesn't exist."""
    found = open_situation(seat_id)
    _own(g.opened)
    return found


def authorize_person(player_id: int) -> OpenedPlayer:
    """Return the person, if this browser holds their own key (a single seat's isn't enough). Raises NotSeated."""
    opened = links.enter_player(db.session(), player_id, browser_keys.held("players").get(player_id, -1))
    pages.speak(opened.language, opened.zone)
    return opened


def browser_name() -> str:
    """Return what the browser calls itself, shortened."""
    return clean(request.user_agent.string, 80)


class _Browser:
    """Whoever sends a form: a link put its keys into this browser, and may have been forwarded."""

    @staticmethod
    def agree(*does: Message) -> None:
        """Go on for who has pressed yes on the page that says what the act does. Raises NeedsYes, which shows it."""
        if not pages.is_sure(request.form):
            raise NeedsYes(*does)

    @staticmethod
    def prove(player_id: int, asks: GuardedAct) -> None:
        """Go on for who reads the person's mail, or has yet to say yes to what is undone without. Raises NeedsCode.

        Whom a code is still to be asked of goes on too, to where the act is refused or would be committed.
        """
        session, now, mark = *current(), browser_keys.mark()
        if asks.does and not pages.is_sure(request.form):
            return
        if asks.proof is not Proof.NEW_CODE and browsers.is_proved(session, now, mark, player_id):
            browsers.acted(session, now, mark, player_id, browser_name())  # so that it stands in the person's list
        elif given := pages.typed("mailed_code")[:40]:
            _take_code(player_id, given)
        elif asks.tells:
            mail_code(player_id)
        else:
            acts.defer(session, player_id)


def begin_act() -> None:
    """Say, before any handler, by what a request that may change something acts."""
    if not only_looks():
        acts.begin(db.session(), _Browser(), request.form.getlist("opened"))


def _take_code(player_id: int, given: str) -> None:
    """Remember for an hour that this browser's user gave the person's mailed code. Raises NeedsCode for a wrong one.

    It commits by itself: a wrong guess counts, and a proof holds whatever the act comes to that is asked for.
    """
    session, now = current()
    try:
        browsers.prove(session, now, browser_keys.mark(), player_id, given, browser_name())
    except PlayError as refusal:
        raise NeedsCode(*refusal.faults) from None
    finally:
        session.commit()


def mail_code(player_id: int) -> NoReturn:
    """Mail the person a code, unless one is on its way and no other was asked for. Raises NeedsCode, which asks for it.

    It commits by itself, so nothing else may have been done before.
    """
    session, now, mark = *current(), browser_keys.mark()
    purpose = browsers.purpose(mark)
    try:
        browsers.acted(session, now, mark, player_id, browser_name())
        if request.form.get("mail_again") or not codes.is_on_its_way(session, now, player_id, purpose):
            codes.send(session, now, player_id, purpose)
    except PlayError as refusal:
        raise NeedsCode(*refusal.faults) from None
    finally:
        session.commit()
    raise NeedsCode
