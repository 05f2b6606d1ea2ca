"""An organiser's doors: one game's desk, and a look at what is hidden. For organisers of the game or its club only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, request

from pbem import clock, tasks
from pbem.club import codes, deeds, members
from pbem.errors import NotAllowed, WrongInput
from pbem.extensions import db
from pbem.play import desk, looks
from pbem.web import boards, keyring, pages

if TYPE_CHECKING:
    from flask import Response

    from pbem.engine.types import Said
    from pbem.store.tables import Game, Player

blueprint = Blueprint("organiser", __name__, url_prefix="/organise")


def _enter(slug: str) -> tuple[Game, Player]:
    game, reader = desk.organiser(db.session(), slug, keyring.held("players"))
    pages.speak(reader.language, reader.zone)
    return game, reader


def _deed(game: Game, reader: Player) -> desk.Deed:
    return desk.Deed(now=clock.now(), game=game, by=reader, reason=request.form.get("reason", "").strip())


@blueprint.get("/<slug>")
def game(slug: str) -> Response:
    """Show the desk of a game."""
    found, reader = _enter(slug)
    return _desk_page(found, reader)


def _desk_page(found: Game, reader: Player, faults: tuple[Said, ...] = (), status: int = 200) -> Response:
    shown = desk.desk(db.session(), clock.now(), found, reader)
    pages.speak(reader.language, reader.zone, [seat.name for seat in shown.seats])
    return pages.show(
        "pages/organise.html",
        status,
        desk=shown,
        members=members.members(db.session(), found.club_id) if found.club_id else (),
        faults_found=faults,
        coded=request.args.get("coded"),
        form=request.form,
    )


def _look(deed: desk.Deed) -> Response:
    """Show something hidden, this once; it is in the table's journal before it is on the page."""
    session, form = db.session(), request.form
    held = keyring.held("players")
    try:
        looks.refuse_players(session, deed.now, deed.game, held)
        codes.use(session, deed.now, deed.by.id, _look_code(deed.game), form.get("code", ""))
        seen = looks.look(session, deed, held, form.get("seat", default=-1, type=int), form.get("what", ""))
    except NotAllowed as refusal:
        session.commit()  # a wrong guess counts
        return _desk_page(deed.game, deed.by, refusal.faults, 403)
    except WrongInput as refusal:
        session.rollback()  # so that the code is good for another try
        return _desk_page(deed.game, deed.by, refusal.faults, 422)
    session.commit()
    tasks.ring(letters=True)
    s = seen.situation
    pages.speak(deed.by.language, deed.by.zone, [player.name for player in s.players])
    return pages.show("pages/look.html", s=s, seen=seen, board=boards.draw(s, pages.voice()), reason=deed.reason)


def _look_code(game: Game) -> str:
    """What a mailed code for a look is good for: this game and no other."""
    return f"look:{game.id}"


@blueprint.post("/<slug>")
def act(slug: str) -> Response:
    """Do what the pressed button says, with the reason given, and log it."""
    found, reader = _enter(slug)
    deed, session, form = _deed(found, reader), db.session(), request.form
    if form.get("act") == "look":
        return _look(deed)
    if form.get("act") == "code":
        looks.refuse_players(session, deed.now, found, keyring.held("players"))
        codes.send(session, deed.now, reader.id, _look_code(found))
        session.commit()
        tasks.ring(letters=True)
        return pages.go("organiser.game", slug=slug, coded=1, _anchor="look")
    wish = deeds.Wish(
        act=form.get("act", ""),
        hours=form.get("hours", default=0, type=int),
        seat=form.get("seat", default=-1, type=int),
        who=form.get("who", ""),
    )
    ring = deeds.carry_out(session, deed, wish)
    session.commit()
    tasks.ring(games=ring, letters=True)
    return pages.go("organiser.game", slug=slug)
