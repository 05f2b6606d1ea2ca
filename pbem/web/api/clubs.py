"""Calls that speak for a club: its games, members, acts, rankings and seasons."""

from __future__ import annotations

from typing import Any

from flask import request
from sqlalchemy import select

from pbem import clock, tasks
from pbem.club import acts, bulk, control, members, rating_sweep, seasons
from pbem.engine.registry import rules_of
from pbem.extensions import db
from pbem.play import opening
from pbem.store.tables import Player, Season
from pbem.web import pages
from pbem.web.api.door import answers, blueprint, keep, key, my_club, spec
from pbem.web.api.shapes import (
    ActIn,
    ActOut,
    CountOut,
    EffectOut,
    InviteIn,
    LineOut,
    MemberOut,
    OpenedOut,
    OpenIn,
    RatingOut,
    RowOut,
)


@blueprint.get("/clubs/<int:club_id>/games")
@spec.validate(resp=answers(list[RowOut]), tags=["club"])
def control_room(club_id: int) -> Any:
    """Every game of the club under way: who it waits for, and since when."""
    return [_row(row) for row in control.rows(db.session(), clock.now(), my_club(club_id))]


def _row(row: control.Row) -> RowOut:
    return RowOut(
        game_id=row.game_id,
        slug=row.slug,
        title=row.title,
        game=row.game,
        state=row.state,
        ply=row.ply,
        due_at=row.due_at,
        waiting_since=row.since,
        seats=list(row.seats),
        waits_for=None if row.blockers is None else [blocker.name for blocker in row.blockers],
    )


@blueprint.post("/clubs/<int:club_id>/games")
@spec.validate(json=OpenIn, resp=answers(OpenedOut), tags=["club"])
def open_game(club_id: int, json: OpenIn) -> Any:
    """Open a game; people are invited by letter, and it starts once all have accepted."""
    session = db.session()
    people = {str(face.player_id): face.player_id for face in members.members(session, my_club(club_id))}
    plan = opening.Plan(
        game=rules_of(json.game).meta.name,
        seats=tuple(bulk.seat_of(cell, people) for cell in json.players),
        options=json.options,
        club_id=club_id,
        organiser_id=key().player_id,
        cadence=json.cadence,
        title=json.title,
    )
    opened = opening.open_game(session, clock.now(), plan)
    keep()
    tasks.ring(opened.ring, letters=True)
    return OpenedOut(opened.game.id, opened.game.slug, opened.game.state)


@blueprint.post("/clubs/<int:club_id>/games/csv")
@spec.validate(json=InviteIn, resp=answers(CountOut), tags=["club"])
def open_games(club_id: int, json: InviteIn) -> Any:
    """Open a game a line: title, game, cadence, options, players. All of them or none."""
    opened = bulk.open_all(db.session(), clock.now(), my_club(club_id), key().player_id, json.csv)
    keep()
    tasks.ring(opened.ring, letters=True)
    return CountOut(len(opened.slugs))


@blueprint.get("/clubs/<int:club_id>/members")
@spec.validate(resp=answers(list[MemberOut]), tags=["club"])
def club_members(club_id: int) -> Any:
    """Everybody in the club."""
    return [MemberOut(m.player_id, m.name, m.role) for m in members.members(db.session(), my_club(club_id))]


@blueprint.post("/clubs/<int:club_id>/members")
@spec.validate(json=InviteIn, resp=answers(CountOut), tags=["club"])
def invite(club_id: int, json: InviteIn) -> Any:
    """Invite people by letter."""
    guests = members.read_guests(json.csv)
    count = members.invite(db.session(), clock.now(), my_club(club_id), key().player_id, guests)
    keep()
    tasks.ring(letters=True)
    return CountOut(count)


@blueprint.post("/clubs/<int:club_id>/acts")
@spec.validate(json=ActIn, resp=answers(ActOut), tags=["club"])
def act(club_id: int, json: ActIn) -> Any:
    """Nudge, extend, merge, pause or resume several games, or preview that."""
    wish = acts.Wish(act=json.act, games=tuple(json.games), by=key().player_id, hours=json.hours, reason=json.reason)
    do = acts.preview if json.preview else acts.carry_out
    done = do(db.session(), clock.now(), my_club(club_id), wish)
    keep()
    tasks.ring(done.ring, letters=not json.preview)
    say = pages.voice()
    effects = [EffectOut(effect.game_id, effect.title, say(effect.says)) for effect in done.effects]
    return ActOut(effects, done.audit_id, done.undo_until)


@blueprint.post("/clubs/<int:club_id>/acts/<int:audit_id>/undo")
@spec.validate(resp=answers(CountOut), tags=["club"])
def undo(club_id: int, audit_id: int) -> Any:
    """Take an act back within ten minutes."""
    ring = acts.undo(db.session(), clock.now(), my_club(club_id), key().player_id, audit_id)
    keep()
    tasks.ring(ring)
    return CountOut(len(ring))


@blueprint.get("/clubs/<int:club_id>/ranking")
@spec.validate(resp=answers(list[RatingOut]), tags=["club"])
def ranking(club_id: int) -> Any:
    """The club's ranking over all games, or in the one called `?game=`."""
    pool = request.args.get("game", "")[:40]
    lines = rating_sweep.ranking(db.session(), my_club(club_id), pool)
    return [RatingOut(line.name, line.shown, line.games) for line in lines]


@blueprint.get("/clubs/<int:club_id>/seasons/<slug>")
@spec.validate(resp=answers(list[LineOut]), tags=["club"])
def standings(club_id: int, slug: str) -> Any:
    """The standings of one of the club's seasons; empty if there is no such season."""
    session = db.session()
    found = session.execute(
        select(Season.id).where(Season.slug == slug[:32], Season.club_id == my_club(club_id))
    ).scalar_one_or_none()
    lines = seasons.table_of(session, found) if found is not None else ()
    names = {p.id: p.name for p in session.execute(select(Player)).scalars()} if lines else {}
    return [LineOut(line.place, names[line.player], line.points, line.games, line.wins) for line in lines]
