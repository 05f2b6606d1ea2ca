"""An organiser's doors: one game's desk. Shown to organisers of the game or its club only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, request

from pbem import clock, tasks
from pbem.club import bulk, members
from pbem.engine.types import N_, Said
from pbem.errors import WrongInput
from pbem.extensions import db
from pbem.play import desk, substitutes
from pbem.web import keyring, pages

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Response

    from pbem.store.tables import Game, Player

blueprint = Blueprint("organiser", __name__, url_prefix="/organise")

PLAIN: dict[str, Callable[..., frozenset[int]]] = {
    "pause": desk.pause,
    "go-on": desk.go_on,
    "take-up": desk.take_up,
}
"""Acts that need nothing but a reason."""


def _enter(slug: str) -> tuple[Game, Player]:
    game, reader = desk.organiser(db.session(), slug, keyring.held("players"))
    pages.speak(reader.language, reader.zone)
    return game, reader


@blueprint.get("/<slug>")
def game(slug: str) -> Response:
    """Show the desk of a game."""
    found, reader = _enter(slug)
    shown = desk.desk(db.session(), clock.now(), found, reader)
    pages.speak(reader.language, reader.zone, [seat.name for seat in shown.seats])
    return pages.show("pages/organise.html", desk=shown, members=_members(found))


def _replace(deed: desk.Deed, seat: int, who: str) -> frozenset[int]:
    """Give a seat to a bot (`bot:NAME`), or to the member of the club with this number."""
    session, game = db.session(), deed.game
    if who.startswith(bulk.BOT):
        bot = who.removeprefix(bulk.BOT)
        return substitutes.put_bot(session, deed.now, game.id, seat, bot, deed.by.id, deed.reason).ring
    if who not in {str(member.player_id) for member in _members(game)}:
        raise WrongInput(Said(N_("Pick somebody of the list to take over the seat.")))
    return substitutes.replace(session, deed.now, game.id, seat, int(who), deed.by.id, deed.reason).ring


def _members(game: Game) -> tuple[members.MemberFace, ...]:
    """Who can take over a seat: the members of the game's club."""
    return members.members(db.session(), game.club_id) if game.club_id is not None else ()


@blueprint.post("/<slug>")
def act(slug: str) -> Response:
    """Do what the pressed button says, with the reason given, and log it."""
    found, reader = _enter(slug)
    deed = desk.Deed(now=clock.now(), game=found, by=reader, reason=request.form.get("reason", "").strip())
    session, wanted = db.session(), request.form.get("act", "")
    ring: frozenset[int] = frozenset()
    if wanted in PLAIN:
        ring = PLAIN[wanted](session, deed)
    elif wanted == "extend":
        ring = desk.extend(session, deed, request.form.get("hours", default=0, type=int))
    elif wanted == "replace":
        ring = _replace(deed, request.form.get("seat", default=-1, type=int), request.form.get("who", ""))
    elif wanted == "fresh":
        ring = desk.fresh_link(session, deed, request.form.get("seat", default=-1, type=int))
    session.commit()
    tasks.ring(games=ring, letters=True)
    return pages.go("organiser.game", slug=slug)
