"""What a player may do about their own seat: take back, vote, choose what answers for them, a sitter, leave."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from flask import Blueprint, Response, request

from pbem import clock
from pbem.capabilities.links import OpenedSeat
from pbem.clubs.members import members
from pbem.engine.core.message import N_
from pbem.errors import WrongInput
from pbem.extensions import current, db
from pbem.play.deadlines import fallback, reminders
from pbem.play.orders import takeback
from pbem.play.seats import proposals, sitters, substitutes
from pbem.play.seats.ballots import REPLACE, Ballot, open_proposals
from pbem.play.views.game_context import GameContext, table_of
from pbem.store.models import Game
from pbem.web import dates, guards, pages
from pbem.web.seat import authorize

blueprint = Blueprint("seat_settings", __name__)

RUNGS = {
    "draft": N_("the draft I have kept"),
    "standing": N_("my standing orders"),
    "pass": N_("a pass, where passing is allowed"),
    "cautious": N_("the safe default"),
}


@blueprint.get("/seat/<int:seat_id>/settings")
def show(seat_id: int) -> Response:
    """Show what can be done about the seat; to its player, not to a sitter."""
    s = authorize.open_own_situation(seat_id)
    session, now = current()
    seated = {player.player_id for player in s.players}
    club = members.members(session, s.game.club_id) if s.game.club_id else ()
    table = table_of(session, session.get_one(Game, s.game.id))
    ballots = open_proposals(session, now, table)
    return pages.show(
        "pages/seat_settings.html",
        s=s,
        rungs=RUNGS,
        ladder=fallback.ladder_of(session, seat_id),
        back=takeback.look_back(session, seat_id),
        ballots=ballots,
        stalled={} if any(one.proposal.kind == REPLACE for one in ballots) else _stalled(now, table, s.seat),
        sitting=sitters.of_seat(session, now, seat_id),
        candidates=[member for member in club if member.player_id not in seated],
    )


def _stalled(now: datetime, table: GameContext, own: int | None) -> dict[int, int]:
    """Return the other seats that may be voted on, with the deadlines they missed in a row."""
    found = reminders.stalled(db.session(), now, table)
    return {seat: count for seat, count in found.items() if seat != own}


@blueprint.post("/seat/<int:seat_id>/settings")
@guards.once()
@pages.form_of(show, 409)
def act(seat_id: int) -> Response:
    """Do what the pressed button says."""
    opened = authorize.authorize_own_seat(seat_id)
    action = pages.button(ACTIONS)
    action(opened)
    if action is _resign:  # the seat is theirs no more
        return pages.go("player.queue")
    done = request.form["act"] in _DECIDING and not _ballots(opened.game_id)  # the game's page tells what it came to
    return pages.go("play.game" if done else "seat_settings.show", seat_id=seat_id)


_DECIDING = frozenset({"propose", "replace", "agree", "refuse"})
"""The buttons that may end a vote."""


def _ballots(game_id: int) -> tuple[Ballot, ...]:
    session = db.session()
    return open_proposals(session, clock.now(), table_of(session, session.get_one(Game, game_id)))


def _ladder(opened: OpenedSeat) -> None:
    rungs = [word for word in request.form.getlist("rung") if word]
    fallback.set_ladder(db.session(), opened.seat_id, rungs, request.form.getlist("never"))


def _sitter(opened: OpenedSeat) -> None:
    starts = dates.day(pages.typed("starts"), opened.zone)
    ends = dates.day(pages.typed("ends"), opened.zone, end=True)
    who = pages.number("player")
    sitters.appoint(*current(), opened.seat_id, who, starts, ends, pages.typed("handover"))


def _propose(opened: OpenedSeat) -> None:
    form, player = request.form, opened.player_id
    assert player is not None  # an own seat has its player
    kind, ply = pages.typed("kind"), form.get("to_ply", type=int)
    if kind not in ("rewind", "end"):
        raise WrongInput("Choose what to propose: going back, or ending the game.")
    plan = proposals.ProposalPlan(kind=kind, to_ply=ply, reason=pages.typed("reason"))
    proposals.propose(*current(), opened.game_id, player, plan)


def _replace(opened: OpenedSeat) -> None:
    player = opened.player_id
    assert player is not None  # an own seat has its player
    seat = pages.number("stalling")
    plan = proposals.ProposalPlan(kind=REPLACE, seat=seat, reason=pages.typed("reason"))
    proposals.propose(*current(), opened.game_id, player, plan)


def _resign(opened: OpenedSeat) -> None:
    substitutes.resign(*current(), opened.seat_id, pages.typed("reason"))


def _vote(opened: OpenedSeat, *, yes: bool) -> None:
    proposals.vote(*current(), pages.number("proposal"), opened.seat_id, yes=yes)


ACTIONS: dict[str, Callable[[OpenedSeat], object]] = {
    "ladder": _ladder,
    "sitter": _sitter,
    "end-sitter": lambda opened: sitters.end(*current(), pages.number("sitter"), opened.seat_id),
    "take-back": lambda opened: takeback.take_back(*current(), opened.seat_id, pages.number("ply")),
    "propose": _propose,
    "replace": _replace,
    "agree": lambda opened: _vote(opened, yes=True),
    "refuse": lambda opened: _vote(opened, yes=False),
    "resign": _resign,
}
"""What each button does."""
