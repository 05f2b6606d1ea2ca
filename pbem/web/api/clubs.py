"""Calls about a club: its members, ratings, results and gazette, and what members do in it."""

from __future__ import annotations

from typing import Any

from flask import request

from pbem import clock
from pbem.clubs import club_views, gazette, workload
from pbem.clubs.members import announcements, club_settings, members
from pbem.clubs.ratings import rating_sweep
from pbem.engine.registry import rules_of
from pbem.extensions import db
from pbem.play.seats import opening, recruitment
from pbem.store.models import Club, Game
from pbem.web import pages
from pbem.web.api.club_shapes import (
    AnnouncementIn,
    ClubOut,
    ClubSettingsShape,
    CountOut,
    CsvIn,
    GazetteOut,
    GazetteTable,
    InvitedOut,
    LoadGameOut,
    LoadOut,
    MemberOut,
    OpenedOut,
    RatingOut,
    RatingPointOut,
    ResultOut,
    RoleIn,
)
from pbem.web.api.core import answers, blueprint, keep, key, me, member_of, my_club, plain, spec
from pbem.web.api.person_shapes import StateOut


@blueprint.get("/clubs/<int:club_id>")
@spec.validate(resp=answers(ClubOut), tags=["club"])
def club(club_id: int) -> Any:
    """A club one belongs to."""
    found = club_views.face(db.session(), club_id, member_of(club_id))
    return ClubOut(found.id, found.slug, found.name, found.organises)


@blueprint.get("/clubs/<int:club_id>/members")
@spec.validate(resp=answers(list[MemberOut]), tags=["club"])
def club_members(club_id: int) -> Any:
    """Everybody in the club, and how reliably they answer."""
    member_of(club_id)
    session = db.session()
    reliable = club_views.reliability(session, clock.now(), club_id)
    return [_member(face, reliable.get(face.player_id)) for face in members.members(session, club_id)]


def _member(face: members.MemberSummary, how: club_views.Reliable | None) -> MemberOut:
    return MemberOut(
        player_id=face.player_id,
        name=face.name,
        role=face.role,
        joined_at=face.joined_at,
        decisions=how.decisions if how else 0,
        on_time=how.own if how else None,
        hours=how.hours if how else None,
    )


@blueprint.post("/clubs/<int:club_id>/members")
@spec.validate(json=CsvIn, resp=answers(CountOut), tags=["club"])
def invite(club_id: int, json: CsvIn) -> Any:
    """Invite people by letter: a CSV line of address, name, role for each. All of them or none."""
    number = my_club(club_id)
    guests = members.read_guests(json.csv)
    count = members.invite(db.session(), clock.now(), number, key().player_id, guests)
    keep()
    return CountOut(count)


@blueprint.put("/clubs/<int:club_id>/members/<int:player_id>/role")
@spec.validate(json=RoleIn, resp=answers(StateOut), tags=["club"])
def set_role(club_id: int, player_id: int, json: RoleIn) -> Any:
    """Make a member an organiser, or an organiser a player."""
    number, by = my_club(club_id), key().player_id
    members.set_role(db.session(), clock.now(), number, by=by, player_id=player_id, role=json.role)
    keep()
    return StateOut(json.role)


@blueprint.delete("/clubs/<int:club_id>/members/me")
@spec.validate(resp=answers(StateOut), tags=["club"])
def leave(club_id: int) -> Any:
    """Leave the club; games under way stay one's own. Needs one's own key, not the club's."""
    person = me()
    member_of(club_id)
    members.leave(db.session(), clock.now(), club_id, person)
    keep()
    return StateOut("left")


@blueprint.delete("/clubs/<int:club_id>/members/<int:player_id>")
@spec.validate(resp=answers(StateOut), tags=["club"])
def take_out_of_club(club_id: int, player_id: int) -> Any:
    """Take a member out of the club; games under way stay theirs."""
    number, by = my_club(club_id), key().player_id
    members.take_out(db.session(), clock.now(), number, by=by, player_id=player_id)
    keep()
    return StateOut("left")


@blueprint.post("/clubs/<int:club_id>/games/<slug>/seats")
@spec.validate(resp=answers(OpenedOut), tags=["club"])
def join(club_id: int, slug: str) -> Any:
    """Take a free seat of a game of the club that waits for players. Needs one's own key."""
    person, session = me(), db.session()
    member_of(club_id)
    taken = opening.take_seat(session, clock.now(), club_views.open_game(session, club_id, slug), person)
    keep()
    return opened_out(taken)


@blueprint.delete("/clubs/<int:club_id>/games/<slug>/seats")
@spec.validate(resp=answers(StateOut), tags=["club"])
def give_up(club_id: int, slug: str) -> Any:
    """Give one's seat back, of a game of the club that has not begun. Needs one's own key."""
    person, session = me(), db.session()
    member_of(club_id)
    recruitment.give_up(session, clock.now(), club_views.open_game(session, club_id, slug), person)
    keep()
    return StateOut("given back")


def opened_out(game: Game) -> OpenedOut:
    """A game that was just opened or joined."""
    return OpenedOut(game.id, game.slug, game.state)


@blueprint.get("/clubs/<int:club_id>/results")
@spec.validate(resp=answers(list[ResultOut]), tags=["club"])
def results(club_id: int) -> Any:
    """The club's games that are over, the newest first, at most a thousand."""
    member_of(club_id)
    return [
        ResultOut(
            slug=line.slug,
            title=line.title,
            game=line.game,
            ply=line.ply,
            finished_at=line.finished_at,
            winners=list(line.winners),
            scores=list(line.scores),
        )
        for line in club_views.games(db.session(), club_id, over=True, limit=1000)
    ]


@blueprint.get("/clubs/<int:club_id>/ranking")
@spec.validate(resp=answers(list[RatingOut]), tags=["club"])
def ranking(club_id: int) -> Any:
    """The club's ranking over all games, or in the one called `?game=`."""
    member_of(club_id)
    lines = rating_sweep.ranking(db.session(), club_id, _pool())
    return [RatingOut(line.name, line.shown, line.games, line.player_id) for line in lines]


def _pool() -> str:
    """The game whose ratings are asked for; empty for those over all."""
    pool = request.args.get("game", "")
    return rules_of(pool[:40]).meta.name if pool else ""


@blueprint.get("/clubs/<int:club_id>/ratings/<int:player_id>")
@spec.validate(resp=answers(list[RatingPointOut]), tags=["club"])
def rating(club_id: int, player_id: int) -> Any:
    """How a member's rating went, over all games or in the one called `?game=`."""
    member_of(club_id)
    session = db.session()
    club_views.face(session, club_id, player_id)
    points = rating_sweep.history(session, player_id, _pool())
    return [RatingPointOut(point.at, point.shown, point.place) for point in points]


@blueprint.get("/clubs/<int:club_id>/gazette")
@spec.validate(resp=answers(GazetteOut), tags=["club"])
def this_week(club_id: int) -> Any:
    """The gazette of the seven days up to now; empty for a quiet week."""
    member_of(club_id)
    session, say = db.session(), pages.voice()
    story = gazette.write(session, clock.now(), session.get_one(Club, club_id))
    if story is None:
        return GazetteOut("", [], [])
    return GazetteOut(
        say(gazette.said(story["title"])),
        [say(gazette.said(one)) for one in story["paragraphs"]],
        [_table(table) for table in story["tables"]],
    )


def _table(table: dict[str, Any]) -> GazetteTable:
    say = pages.voice()
    head = [say(gazette.said(cell)) for cell in table["head"]]
    return GazetteTable(say(gazette.said(table["caption"])), head, [list(map(str, row)) for row in table["rows"]])


# --- running a club ---


@blueprint.get("/clubs/<int:club_id>/settings")
@spec.validate(resp=answers(ClubSettingsShape), tags=["club"])
def club_settings_now(club_id: int) -> Any:
    """The club's settings."""
    return plain(club_settings.read(db.session(), my_club(club_id)))


@blueprint.put("/clubs/<int:club_id>/settings")
@spec.validate(json=ClubSettingsShape, resp=answers(ClubSettingsShape), tags=["club"])
def settle_club(club_id: int, json: ClubSettingsShape) -> Any:
    """Settle the club's name, language, time zone and contact anew."""
    wanted = club_settings.ClubSettings(name=json.name, language=json.language, zone=json.zone, contact=json.contact)
    club_settings.change(db.session(), clock.now(), my_club(club_id), key().player_id, wanted)
    keep()
    return club_settings_now(club_id)


@blueprint.post("/clubs/<int:club_id>/announcements")
@spec.validate(json=AnnouncementIn, resp=answers(CountOut), tags=["club"])
def write_to_members(club_id: int, json: AnnouncementIn) -> Any:
    """Write to every member, or to some; answers reach the club's contact. How many letters go out."""
    count = announcements.announce(
        db.session(),
        clock.now(),
        my_club(club_id),
        key().player_id,
        title=json.title,
        text=json.text,
        to=json.to,
    )
    keep()
    return CountOut(count)


@blueprint.get("/clubs/<int:club_id>/workload")
@spec.validate(resp=answers(list[LoadOut]), tags=["club"])
def members_workload(club_id: int) -> Any:
    """Every member with all their games in the club, who has most first."""
    rows, say = workload.workload(db.session(), clock.now(), my_club(club_id)), pages.voice()
    return [
        LoadOut(
            player_id=row.player_id,
            name=row.name,
            zone=row.zone,
            mail=row.mail,
            games=[
                LoadGameOut(
                    slug=game.slug,
                    title=game.title,
                    game=game.game,
                    state=game.state,
                    ply=game.ply,
                    heading=say(game.heading) if game.heading else "",
                    waits_since=game.waits_since,
                )
                for game in row.games
            ],
            on_time=row.on_time,
            hours=row.hours,
        )
        for row in rows
    ]


@blueprint.get("/clubs/<int:club_id>/invitations")
@spec.validate(resp=answers(list[InvitedOut]), tags=["club"])
def club_invitations(club_id: int) -> Any:
    """Who was invited into the club in the last weeks and isn't in it."""
    found = members.asked(db.session(), clock.now(), my_club(club_id))
    return [InvitedOut(one.id, one.name, one.state, one.expires_at) for one in found]


@blueprint.post("/clubs/<int:club_id>/invitations/<int:invitation_id>")
@spec.validate(resp=answers(StateOut), tags=["club"])
def invite_again(club_id: int, invitation_id: int) -> Any:
    """Send an invitation once more, its time begun anew."""
    members.resend_invitation(db.session(), clock.now(), my_club(club_id), key().player_id, invitation_id)
    keep()
    return StateOut("pending")


@blueprint.delete("/clubs/<int:club_id>/invitations/<int:invitation_id>")
@spec.validate(resp=answers(StateOut), tags=["club"])
def withdraw_invitation(club_id: int, invitation_id: int) -> Any:
    """Take an invitation back."""
    members.withdraw_invitation(db.session(), clock.now(), my_club(club_id), key().player_id, invitation_id)
    keep()
    return StateOut("withdrawn")
