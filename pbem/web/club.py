"""A club's doors: its home, its members, its games and their opening, the organiser's control room."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from flask import Blueprint, Response, request

from pbem import clock, tasks
from pbem.club import acts, bulk, control, faces, feeds, members, rating_sweep
from pbem.engine.errors import EngineError
from pbem.engine.registry import GAMES, rules_of
from pbem.engine.types import N_
from pbem.errors import PlayError
from pbem.extensions import db, settings
from pbem.play import deadlines, links, opening
from pbem.web import keyring, pages

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.club.faces import ClubFace
    from pbem.engine.types import Said

blueprint = Blueprint("club", __name__, url_prefix="/club/<slug>")

ACTS = {
    "nudge": N_("Remind those awaited"),
    "extend": N_("Move the deadlines"),
    "merge": N_("One deadline for all"),
    "pause": N_("Pause"),
    "resume": N_("Go on"),
}
UNUSED = "-"
"""What stands for a seat the game does without."""
STATES = {
    "": N_("All"),
    "waiting": N_("Waiting for players"),
    "late": N_("Past the deadline"),
    "unreachable": N_("Mail comes back"),
    "away": N_("Waiting for somebody away"),
    "paused": N_("Paused"),
    "stuck": N_("Stuck"),
    "open": N_("Players wanted"),
}
ORDERS = {
    "waiting": N_("Longest wait first"),
    "deadline": N_("Next deadline first"),
    "title": N_("By title"),
    "game": N_("By game"),
}


def enter(slug: str, *, organiser: bool = False) -> ClubFace:
    """The club, for a member (or an organiser) whose key this browser holds. Raises NotSeated or NotAllowed."""
    session = db.session()
    club = faces.enter(session, slug, keyring.held("players"))
    if organiser:
        members.require_organiser(session, club.id, club.player_id)
    reader = links.enter_player(session, club.player_id, keyring.held("players")[club.player_id])
    pages.speak(reader.language, reader.zone)
    return club


@blueprint.get("")
def home(slug: str) -> Response:
    """Show the club: games, seasons, ranking, members."""
    club, session = enter(slug), db.session()
    return pages.show(
        "pages/club.html",
        club=club,
        running=faces.games(session, club.id, over=False),
        over=faces.games(session, club.id, over=True),
        seasons=faces.seasons(session, club.id, club.player_id),
        ranking=rating_sweep.ranking(session, club.id, limit=20),
        members=members.members(session, club.id),
        reliable=faces.reliability(session, clock.now(), club.id),
    )


@blueprint.get("/results.atom")
def results(slug: str) -> Response:
    """The club's results as a feed."""
    club = enter(slug)
    base = settings().base_url
    say = pages.voice()
    entries = [
        feeds.Entry(
            key=f"{base}/games/{game.slug}",
            title=game.title,
            text=say(N_("Won by {names}."), names=game.winners),
            url=f"{base}/games/{game.slug}",
            at=game.finished_at,
        )
        for game in faces.games(db.session(), club.id, over=True, limit=50)
        if game.finished_at is not None
    ]
    body = feeds.atom(club.name, f"{base}/club/{slug}/results.atom", club.name, entries, clock.now())
    return Response(body, mimetype="application/atom+xml")


@blueprint.get("/results.csv")
def results_table(slug: str) -> Response:
    """The club's results for a spreadsheet."""
    club = enter(slug)
    return Response(faces.results_csv(db.session(), club.id), mimetype="text/csv")


# --- members ---


@blueprint.post("/members")
def invite(slug: str) -> Response:
    """Invite people by letter; wrong lines are named and nothing is sent."""
    club = enter(slug, organiser=True)
    typed = request.form.get("people", "")
    try:
        count = members.invite(db.session(), clock.now(), club.id, club.player_id, members.read_guests(typed))
    except PlayError as wrong:
        db.session.rollback()
        return _invite_page(club, wrong.faults, typed, 422)
    db.session.commit()
    tasks.ring(letters=True)
    return pages.go("club.people", slug=slug, invited=count)


@blueprint.get("/members")
def people(slug: str) -> Response:
    """Show the members, and to an organiser how to invite more."""
    return _invite_page(enter(slug))


def _invite_page(club: ClubFace, faults: tuple[Said, ...] = (), typed: str = "", status: int = 200) -> Response:
    session = db.session()
    return pages.show(
        "pages/members.html",
        status,
        club=club,
        members=members.members(session, club.id),
        reliable=faces.reliability(session, clock.now(), club.id),
        faults_found=faults,
        typed=typed,
        invited=request.args.get("invited", type=int),
    )


@blueprint.post("/role")
def role(slug: str) -> Response:
    """Make a member an organiser, or an organiser a player."""
    club, form = enter(slug, organiser=True), request.form
    player = form.get("player", default=-1, type=int)
    wanted = form.get("role", "")
    members.set_role(db.session(), clock.now(), club.id, by=club.player_id, player_id=player, role=wanted)
    db.session.commit()
    return pages.go("club.people", slug=slug)


@blueprint.post("/leave")
def leave(slug: str) -> Response:
    """Leave the club."""
    club = enter(slug)
    members.leave(db.session(), clock.now(), club.id, club.player_id)
    db.session.commit()
    return pages.go("player.queue")


# --- games ---


@blueprint.post("/join")
def join(slug: str) -> Response:
    """Take a free seat of a game that waits for players."""
    club, session = enter(slug), db.session()
    game = faces.open_game(session, club.id, request.form.get("game", ""))
    taken = opening.take_seat(session, clock.now(), game, club.player_id)
    session.commit()
    tasks.ring(taken.ring, letters=True)
    return pages.go("player.queue" if taken.ring else "club.home", **({} if taken.ring else {"slug": slug}))


@blueprint.get("/open")
def new(slug: str) -> Response:
    """Show the form that opens a game."""
    return _open_page(enter(slug, organiser=True))


def _open_page(club: ClubFace, faults: tuple[Said, ...] = (), status: int = 200) -> Response:
    wanted = request.form.get("game") or request.args.get("game") or GAMES[0]
    rules = rules_of(wanted if wanted in GAMES else GAMES[0])
    cadence = request.values.get("cadence", "club")
    dues = deadlines.preview(
        deadlines.cadence_of(cadence if cadence in deadlines.CADENCES else "club"), (), clock.now()
    )
    return pages.show(
        "pages/open.html",
        status,
        club=club,
        meta=rules.meta,
        members=members.members(db.session(), club.id),
        cadences=deadlines.CADENCES,
        cadence=cadence,
        dues=dues,
        faults_found=faults,
        form=request.form,
    )


@blueprint.post("/open")
def opened(slug: str) -> Response:
    """Open a game, or several from a table."""
    club = enter(slug, organiser=True)
    try:
        done = bulk.open_all(db.session(), clock.now(), club.id, club.player_id, _table())
    except (PlayError, EngineError) as wrong:
        db.session.rollback()
        return _open_page(club, wrong.faults, 422)
    db.session.commit()
    tasks.ring(done.ring, letters=True)
    return pages.go("club.home", slug=slug)


def _table() -> str:
    """The games wanted as a table: the one typed or sent, or the form's single line."""
    form = request.form
    sent = request.files.get("file")
    if sent is not None and sent.filename:
        return str(sent.read(), "utf-8", "replace")
    if form.get("table", "").strip():
        return str(form["table"])
    options = " ".join(f"{name[4:]}={form[name]}" for name in form if name.startswith("opt-") and form[name])
    cells = (form.get(f"seat-{number}", "") for number in range(min(form.get("seats", default=0, type=int), 9)))
    seats = [cell for cell in cells if cell != UNUSED]
    return bulk.line([form.get("title", ""), form.get("game", ""), form.get("cadence", ""), options, *seats])


# --- control room ---


@blueprint.get("/control")
def room(slug: str) -> Response:
    """Show every game under way and whom it waits for."""
    club = enter(slug, organiser=True)
    wanted = _filter(request.args)
    rows = control.rows(db.session(), clock.now(), club.id, wanted)
    return _room_page(club, wanted, rows)


def _filter(values: Mapping[str, str]) -> control.Filter:
    """The filter that a form or an address asks for."""
    return control.Filter(
        state=values.get("state", "")[:20],
        game=values.get("game", "")[:20],
        text=values.get("text", "")[:80],
        order=values.get("order", "waiting")[:20],
    )


@blueprint.post("/control/views")
def keep_view(slug: str) -> Response:
    """Keep the filter shown under a name."""
    club, wanted = enter(slug, organiser=True), _filter(request.form)
    view = control.View(request.form.get("name", ""), wanted)
    control.save_view(db.session(), clock.now(), club.id, club.player_id, view)
    db.session.commit()
    return pages.go("club.room", slug=slug, **msgspec.structs.asdict(wanted))


def _room_page(club: ClubFace, wanted: control.Filter, rows: tuple[control.Row, ...], **more: Any) -> Response:
    return pages.show(
        "pages/control.html",
        club=club,
        wanted=wanted,
        rows=rows,
        now=clock.now(),
        states=STATES,
        orders=ORDERS,
        acts=ACTS,
        views=control.views(db.session(), club.id, club.player_id),
        **more,
    )


@blueprint.post("/control")
def act(slug: str) -> Response:
    """Preview an act on the games ticked, carry it out, or take one back."""
    club, session, now = enter(slug, organiser=True), db.session(), clock.now()
    if request.form.get("undo"):
        ring = acts.undo(session, now, club.id, club.player_id, request.form.get("undo", default=-1, type=int))
        session.commit()
        tasks.ring(ring)
        return pages.go("club.room", slug=slug)
    wish = acts.Wish(
        act=request.form.get("act", ""),
        games=tuple(request.form.getlist("games", type=int)),
        by=club.player_id,
        hours=request.form.get("hours", default=0, type=int),
        reason=request.form.get("reason", "").strip(),
    )
    if request.form.get("sure") != "yes":
        return pages.show(
            "pages/sure.html",
            club=club,
            wish=msgspec.structs.asdict(wish),
            acts=ACTS,
            done=acts.preview(session, now, club.id, wish),
        )
    done = acts.carry_out(session, now, club.id, wish)
    session.commit()
    tasks.ring(done.ring, letters=True)
    rows = control.rows(session, now, club.id)
    return _room_page(club, control.Filter(), rows, done=done)
