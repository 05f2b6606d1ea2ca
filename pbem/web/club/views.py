"""A club's doors: its home, its feeds, its members, the free seats of its games."""

from __future__ import annotations

from flask import Blueprint, Response, request

from pbem import clock
from pbem.capabilities import roles
from pbem.capabilities.acts import require_proof
from pbem.clubs import club_views
from pbem.clubs.club_views import ClubSummary
from pbem.clubs.members import club_settings, members
from pbem.clubs.ratings import rating_sweep
from pbem.errors import WrongInput
from pbem.extensions import current, db, settings
from pbem.play.seats import opening, recruitment
from pbem.play.views import spectator
from pbem.web import guards, pages
from pbem.web.account import browser_keys
from pbem.web.club import feeds
from pbem.web.seat import authorize

LATEST = 20
"""Results on a club's page; all of them are one link away."""
FIRST = 12
"""Games under way that a club's page shows open: the reader's own and those with a seat to take; the rest is folded."""
blueprint = Blueprint("club", __name__, url_prefix="/club/<slug>")


def organised(slug: str) -> ClubSummary:
    """Return the club, for an organiser of it. Raises NotSeated or NotAllowed."""
    return enter(slug, organiser=True)


def enter(slug: str, *, organiser: bool = False) -> ClubSummary:
    """Return the club, for a member (or an organiser) whose key this browser holds. Raises NotSeated or NotAllowed."""
    session = db.session()
    club = club_views.authorize_member(session, slug, browser_keys.held("players"))
    if organiser:
        roles.require_organiser(session, club.id, club.player_id)
        if request.method == "POST":
            require_proof(session, "organise", club.player_id)
    authorize.authorize_person(club.player_id)
    return club


@blueprint.get("")
def home(slug: str) -> Response:
    """Show the club: games, seasons, ranking, members."""
    club, session = enter(slug), db.session()
    return pages.show(
        "pages/club.html",
        club=club,
        running=sorted(
            club_views.games(session, club.id, over=False, reader=club.player_id),
            key=lambda game: not (game.mine or game.is_free),  # those with no place for the reader come last
        ),
        first=FIRST,
        over=club_views.games(session, club.id, over=True, limit=None if request.args.get("all") else LATEST),
        shortened=not request.args.get("all"),
        latest=LATEST,
        ranking=rating_sweep.ranking(session, club.id, limit=20),
        contact=club_settings.read(session, club.id).contact,
        feed=feeds.results_address(session, club),
    )


@blueprint.get("/results.atom")
def results(slug: str) -> Response:
    """Return the club's results as a feed, for a browser; programs have an address of their own."""
    club = enter(slug)
    return feeds.results(club, f"{settings().base_url}/club/{slug}/results.atom")


@blueprint.get("/results.csv")
def results_table(slug: str) -> Response:
    """Return the club's results for a spreadsheet."""
    club = enter(slug)
    return Response(club_views.results_csv(db.session(), club.id), mimetype="text/csv")


# --- members ---


@blueprint.get("/members")
def people(slug: str) -> Response:
    """Show the members, and to an organiser how to invite more."""
    return _invite_page(enter(slug, organiser=request.method == "POST"))


@blueprint.post("/members")
@pages.form_of(people)
def invite(slug: str) -> Response:
    """Invite people by letter; wrong lines are named and nothing is sent."""
    club = organised(slug)
    guests = members.read_guests(pages.text_or_file("people"))
    known = members.invite(*current(), club.id, club.player_id, guests)
    return _invite_page(club, invited=len(guests) - len(known), known=known)  # no address stands in a link


def _invite_page(club: ClubSummary, invited: int | None = None, known: tuple[str, ...] = ()) -> Response:
    session = db.session()
    return pages.show(
        "pages/members.html",
        club=club,
        members=members.members(session, club.id),
        reliable=club_views.reliability(session, clock.now(), club.id),
        typed=pages.text_or_file("people") if pages.faults_found() else "",
        invited=invited,
        behind=spectator.behind(session, club.id),
        known=known,
        asked=members.asked(session, clock.now(), club.id) if club.organises else (),
        unreached=members.unreached(session, club.id) if club.organises else (),
    )


@blueprint.post("/invitation")
@guards.once()
def invitation(slug: str) -> Response:
    """Send an invitation once more, or withdraw it."""
    club, form = organised(slug), request.form
    act = members.withdraw_invitation if form.get("act") == "withdraw" else members.resend_invitation
    act(*current(), club.id, club.player_id, pages.number("invitation"))
    return pages.go("club.people", slug=slug)


@blueprint.post("/role")
@guards.once()
def role(slug: str) -> Response:
    """Make a member an organiser, or an organiser a player; or take somebody out of the club."""
    club, form = organised(slug), request.form
    player = pages.number("player")
    if form.get("act") == "take-out":
        members.take_out(*current(), club.id, by=club.player_id, player_id=player)
        return pages.go("player.queue") if player == club.player_id else pages.go("club.people", slug=slug)
    members.set_role(*current(), club.id, by=club.player_id, player_id=player, role=pages.typed("role"))
    return pages.go("club.people", slug=slug)


@blueprint.post("/watch")
def watch(slug: str) -> Response:
    """Open the club's games to spectators, or to members alone."""
    club = organised(slug)
    delay, is_open = pages.number("behind"), "open" in request.form
    if is_open and delay < 0:
        raise WrongInput(
            "Write how many moves spectators are behind, 0 to {limit}; or untick that everybody may watch.",
            limit=spectator.MOST_BEHIND,
        )
    club_settings.open_to(*current(), club.id, club.player_id, delay if is_open else spectator.CLOSED)
    return pages.go("club.people", slug=slug)


@blueprint.post("/leave")
@guards.once()
def leave(slug: str) -> Response:
    """Leave the club."""
    club = enter(slug)
    members.leave(*current(), club.id, club.player_id)
    return pages.go("player.queue")


# --- games ---


@blueprint.post("/join")
@guards.once()
def join(slug: str) -> Response:
    """Take a free seat of a game that waits for players, or give one's own back."""
    club, session = enter(slug), db.session()
    game = club_views.open_game(session, club.id, pages.typed("game"))
    if request.form.get("act") == "give-up":
        recruitment.give_up(session, clock.now(), game, club.player_id)
        return pages.go("club.home", slug=slug)
    taken = opening.take_seat(session, clock.now(), game, club.player_id)
    return pages.go("player.queue") if taken.state.is_underway else pages.go("club.home", slug=slug)
