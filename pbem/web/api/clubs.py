"""Calls about a club: its members, ratings, results and gazette, and what members do in it."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import request
from msgspec import structs

from pbem import clock
from pbem.clubs import club_views, gazette, reports, workload
from pbem.clubs.members import announcements, club_settings, members
from pbem.clubs.members.club_settings import ClubSettings
from pbem.clubs.ratings import rating_sweep
from pbem.engine.registry import rules_of
from pbem.extensions import current, db
from pbem.play.seats import opening, recruitment
from pbem.store.models import Club, Game
from pbem.web.api.answers import answered, shape
from pbem.web.api.core import calls, me, member_of, my_club, needed, organising
from pbem.web.api.shapes import CountOut, CsvIn, Mark, StateOut

call = calls("club")

ClubOut = shape(
    "ClubOut",
    "A club, for its members; whether the caller organises it.",
    club_views.ClubSummary,
    "id slug name organises",
)
OpenedOut = shape("OpenedOut", "A game that was opened, or that one has joined.", Game, "game_id=id slug state")
MemberOut = shape(
    "MemberOut",
    "A member, without an address: `decisions` asked in the last half year, in the newest plies of their newest ten "
    "games here, the share of them answered `on_time` by themselves (0 to 1) and the median `hours` to an answer, "
    "both null if nothing was asked. What is asked in secret counts for nothing.",
    members.MemberSummary,
    "player_id name role joined_at",
    decisions=int,
    on_time=float | None,
    hours=float | None,
)
RatingOut = shape(
    "RatingOut", "One line of a ranking.", rating_sweep.RatingLine, "place name rating=shown games player_id"
)
RatingPointOut = shape(
    "RatingPointOut", "What one game did to a rating.", rating_sweep.RatingPoint, "at rating=shown place"
)
ResultOut = shape(
    "ResultOut",
    "A game that is over: `state` is finished, or ended by agreement of its players, without winners and scores.",
    club_views.GameLine,
    "slug title game state ply finished_at winners scores",
)
InvitedOut = shape(
    "InvitedOut",
    "Somebody who was invited into the club, as whom, and isn't in it: pending, declined or expired.",
    members.InvitationOutcome,
    "id name state expires_at unreached",
)
LoadGameOut = shape(
    "LoadGameOut",
    "One of a member's games; `heading` is where it stands, empty before it begins.",
    workload.MemberGame,
    "slug title game state ply heading waits_since",
)
LoadOut = shape(
    "LoadOut",
    "A member with all their games in the club; `mail` is the state of their address.",
    workload.MemberLoad,
    "player_id name zone mail on_time hours",
    games=[LoadGameOut],
)


GazetteTable = shape(
    "GazetteTable",
    "Figures of the week under a caption; every cell is text in the caller's language.",
    reports.ReportTable,
    "caption head rows=texts",
)
GazetteOut = shape(
    "GazetteOut",
    "The club's letter of the week that ends now.",
    reports.ClubReport,
    "title paragraphs",
    tables=[GazetteTable],
)


class AnnouncementIn(msgspec.Struct):
    """A letter to the members."""

    title: str
    text: str
    to: list[int] = []
    """Only to these members; empty: to everybody."""
    request: Mark = ""


@call("GET", "/clubs/<int:club_id>", ClubOut)
def club(club_id: int) -> Any:
    """Name and public name of a club, and whether the caller organises it. 404 for who is no member."""
    return club_views.summary_of(db.session(), club_id, member_of(club_id))


@call("GET", "/clubs/<int:club_id>/members", [MemberOut])
def club_members(club_id: int) -> Any:
    """Everybody in the club, and how reliably they answer."""
    member_of(club_id)
    session = db.session()
    known = club_views.reliability(session, clock.now(), club_id)
    return [
        answered(MemberOut, face, **structs.asdict(known.get(face.player_id, club_views.NEVER_ASKED)))
        for face in members.members(session, club_id)
    ]


@call("POST", "/clubs/<int:club_id>/members", CountOut)
def invite(club_id: int, json: CsvIn) -> Any:
    """Invite people by letter: a CSV line of address, name, role for each. All of them or none."""
    who, guests = organising(club_id), members.read_guests(json.csv)
    return CountOut(len(guests) - len(members.invite(*who, guests)))


@call("DELETE", "/clubs/<int:club_id>/members/<int:player_id>", StateOut, final=True)
def take_out_of_club(club_id: int, player_id: int) -> Any:
    """Take a member who is no organiser out of the club; games under way stay theirs."""
    members.take_out(*organising(club_id), player_id=player_id)
    return StateOut("left")


@call("POST", "/clubs/<int:club_id>/games/<slug>/seats", OpenedOut)
def join(club_id: int, slug: str) -> Any:
    """Take a free seat of a game of the club that waits for players. Needs one's own key."""
    person, session = me(), db.session()
    member_of(club_id)
    return opening.take_seat(session, clock.now(), club_views.open_game(session, club_id, slug), person)


@call("DELETE", "/clubs/<int:club_id>/games/<slug>/seats", StateOut)
def give_up(club_id: int, slug: str) -> Any:
    """Give one's seat back, of a game of the club that has not begun. Needs one's own key."""
    person, session = me(), db.session()
    member_of(club_id)
    recruitment.give_up(session, clock.now(), club_views.open_game(session, club_id, slug), person)
    return StateOut("given back")


@call("GET", "/clubs/<int:club_id>/results", [ResultOut])
def results(club_id: int) -> Any:
    """The club's games that are over, the newest first."""
    member_of(club_id)
    return club_views.games(db.session(), club_id, over=True, limit=needed())


@call("GET", "/clubs/<int:club_id>/ranking", [RatingOut])
def ranking(club_id: int) -> Any:
    """The club's ranking over all games, or in the one called `?game=`."""
    member_of(club_id)
    return rating_sweep.ranking(db.session(), club_id, _pool(), needed())


def _pool() -> str:
    """The game whose ratings are asked for; empty for those over all."""
    pool = request.args.get("game", "")
    return rules_of(pool[:40]).meta.name if pool else ""


@call("GET", "/clubs/<int:club_id>/ratings/<int:player_id>", [RatingPointOut])
def rating(club_id: int, player_id: int) -> Any:
    """How a member's rating went, over all games or in the one called `?game=`."""
    member_of(club_id)
    session = db.session()
    club_views.summary_of(session, club_id, player_id)
    return rating_sweep.history(session, player_id, club_id, _pool())


@call("GET", "/clubs/<int:club_id>/gazette", GazetteOut)
def this_week(club_id: int) -> Any:
    """The gazette of the seven days up to now; empty for a quiet week."""
    member_of(club_id)
    session = db.session()
    found = gazette.write(session, clock.now(), session.get_one(Club, club_id))
    return found or GazetteOut(title="", paragraphs=[], tables=[])


# --- running a club ---


@call("GET", "/clubs/<int:club_id>/settings", ClubSettings)
def club_settings_now(club_id: int) -> Any:
    """Name, language, time zone and contact of a club, for its organisers."""
    return club_settings.read(db.session(), my_club(club_id))


@call("PUT", "/clubs/<int:club_id>/settings", ClubSettings)
def settle_club(club_id: int, json: ClubSettings) -> Any:
    """Settle the club's name, language, time zone and contact anew."""
    club_settings.change(*organising(club_id), json)
    return club_settings_now(club_id)


@call("POST", "/clubs/<int:club_id>/announcements", CountOut)
def write_to_members(club_id: int, json: AnnouncementIn) -> Any:
    """Write to every member, or to some; answers reach the club's contact. How many letters go out."""
    count = announcements.announce(*organising(club_id), title=json.title, text=json.text, to=json.to)
    return CountOut(count)


@call("GET", "/clubs/<int:club_id>/workload", [LoadOut])
def members_workload(club_id: int) -> Any:
    """Every member with all their games in the club, who has most first."""
    return workload.workload(*current(), my_club(club_id))


@call("GET", "/clubs/<int:club_id>/invitations", [InvitedOut])
def club_invitations(club_id: int) -> Any:
    """Who was invited into the club in the last weeks and isn't in it."""
    return members.asked(*current(), my_club(club_id))


@call("POST", "/clubs/<int:club_id>/invitations/<int:invitation_id>", StateOut, marked=True)
def invite_again(club_id: int, invitation_id: int) -> Any:
    """Send an invitation once more, its time begun anew."""
    members.resend_invitation(*organising(club_id), invitation_id)
    return StateOut("pending")


@call("DELETE", "/clubs/<int:club_id>/invitations/<int:invitation_id>", StateOut)
def withdraw_invitation(club_id: int, invitation_id: int) -> Any:
    """Take an invitation back."""
    members.withdraw_invitation(*organising(club_id), invitation_id)
    return StateOut("withdrawn")
