"""Calls that organise a club's games: open them, see whom they wait for, act on one or many, take acts back."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import msgspec

from pbem import clock
from pbem.clubs.games import actions, bulk_opening
from pbem.clubs.games import control_room as control
from pbem.clubs.games import undo as undoing
from pbem.extensions import db
from pbem.play.admin import game_admin
from pbem.play.deadlines import cadence
from pbem.play.deadlines.forecast import forecast
from pbem.play.seats import opening
from pbem.store.models import Game, Player
from pbem.web import pages
from pbem.web.api.club_shapes import (
    ActIn,
    ActOut,
    CountOut,
    CsvIn,
    DeedIn,
    DeskOut,
    DeskSeatOut,
    DuesOut,
    EffectOut,
    FilterIn,
    OpenedOut,
    OpenIn,
    PaceIn,
    RowOut,
    UndoneOut,
    ViewIn,
    ViewOut,
)
from pbem.web.api.clubs import opened_out
from pbem.web.api.core import answers, blueprint, keep, key, my_club, spec
from pbem.web.api.table_talk import journal_out

if TYPE_CHECKING:
    from pbem.messages import Translator


@blueprint.get("/clubs/<int:club_id>/games")
@spec.validate(query=FilterIn, resp=answers(list[RowOut]), tags=["organising"])
def control_room(club_id: int, query: FilterIn) -> Any:
    """Every game of the club under way, filtered and sorted: who it waits for, and since when."""
    my, say = my_club(club_id), pages.voice()
    wanted = control.Filter(state=query.state, game=query.game, text=query.text, order=query.order)
    return [_row(row, say) for row in control.rows(db.session(), clock.now(), my, wanted)]


def _row(row: control.ControlRoomRow, say: Translator) -> RowOut:
    return RowOut(
        game_id=row.game_id,
        slug=row.slug,
        title=row.title,
        game=row.game,
        state=row.state,
        ply=row.ply,
        heading=say(row.heading) if row.heading else "",
        due_at=row.due_at,
        waiting_since=row.since,
        seats=list(row.seats),
        invited=list(row.invited),
        waits_for=None if row.blockers is None else [blocker.name for blocker in row.blockers],
    )


@blueprint.post("/clubs/<int:club_id>/games")
@spec.validate(json=OpenIn, resp=answers(OpenedOut), tags=["organising"])
def open_game(club_id: int, json: OpenIn) -> Any:
    """Open a game; people are invited by letter, and it starts once all have accepted."""
    session = db.session()
    pace = cadence.choose(
        json.cadence, least=json.min_wait, most=json.max_wait, join=json.join_days, unfilled=json.unfilled
    )
    line = bulk_opening.TableLine(json.title, json.game, pace, json.options, tuple(json.players))
    plan = bulk_opening.plan(session, my_club(club_id), key().player_id, line)
    opened = opening.open_game(session, clock.now(), plan)
    keep()
    return opened_out(opened)


@blueprint.post("/clubs/<int:club_id>/games/deadlines")
@spec.validate(json=PaceIn, resp=answers(DuesOut), tags=["organising"])
def preview_deadlines(club_id: int, json: PaceIn) -> Any:
    """The deadlines a pace would lead to, by the hours and absences of the players named; nothing is stored."""
    session = db.session()
    people = bulk_opening.people_of(session, my_club(club_id))
    named = {
        seat.player_id for cell in json.players if (seat := bulk_opening.seat_of(cell, people)).player_id is not None
    }
    pace = cadence.choose(json.cadence, least=json.min_wait, most=json.max_wait)
    return DuesOut(list(forecast(session, clock.now(), pace, named)))


@blueprint.post("/clubs/<int:club_id>/games/csv")
@spec.validate(json=CsvIn, resp=answers(CountOut), tags=["organising"])
def open_games(club_id: int, json: CsvIn) -> Any:
    """Open a game a line: title, game, cadence, options, players. All of them or none."""
    opened = bulk_opening.open_all(db.session(), clock.now(), my_club(club_id), key().player_id, json.csv)
    keep()
    return CountOut(len(opened))


def _at_desk(club_id: int, slug: str) -> tuple[Game, Player]:
    """A game of the club and who organises it. Raises NotSeated."""
    found = key()
    game, reader = game_admin.organiser(
        db.session(), slug[:32], {found.player_id: found.epoch}, club_id=my_club(club_id)
    )
    return game, reader


@blueprint.get("/clubs/<int:club_id>/games/<slug>")
@spec.validate(resp=answers(DeskOut), tags=["organising"])
def one_desk(club_id: int, slug: str) -> Any:
    """One game's desk: every seat, its letters, and what was done by hand."""
    return _desk(*_at_desk(club_id, slug))


def _desk(game: Game, reader: Player) -> DeskOut:
    shown = game_admin.desk(db.session(), clock.now(), game, reader)
    pages.speak(names=[seat.name for seat in shown.seats])
    fields = {name: getattr(shown, name) for name in DeskOut.__struct_fields__ if name not in {"seats", "journal"}}
    seats = [msgspec.convert(seat, DeskSeatOut, from_attributes=True) for seat in shown.seats]
    return DeskOut(seats=seats, journal=journal_out(shown.log), **fields)


@blueprint.post("/clubs/<int:club_id>/games/<slug>/acts")
@spec.validate(json=DeedIn, resp=answers(DeskOut), tags=["organising"])
def do_at_desk(club_id: int, slug: str, json: DeedIn) -> Any:
    """Pause a game, resume it, move its deadline, hand over a seat, and the like; logged for the table."""
    game, reader = _at_desk(club_id, slug)
    wish = actions.ActionRequest(
        act=json.act,
        games=(game.id,),
        by=reader.id,
        reason=json.reason.strip(),
        hours=json.hours,
        seat=-1 if json.seat is None else json.seat,
        who=json.who,
    )
    actions.carry_out(db.session(), clock.now(), game.club_id, wish)
    keep()
    return _desk(game, reader)


@blueprint.post("/clubs/<int:club_id>/acts")
@spec.validate(json=ActIn, resp=answers(ActOut, HTTPStatus.CONFLICT), tags=["organising"])
def act(club_id: int, json: ActIn) -> Any:
    """Nudge, extend, merge, pause or resume several games, seek substitutes, fill or call off; or preview that."""
    wish = actions.ActionRequest(
        act=json.act,
        games=tuple(json.games),
        by=key().player_id,
        hours=json.hours,
        reason=json.reason,
        seen=json.seen,
    )
    do = actions.preview if json.preview else actions.carry_out
    done = do(db.session(), clock.now(), my_club(club_id), wish)
    keep()
    say = pages.voice()
    effects = [EffectOut(effect.game_id, effect.title, say(effect.says)) for effect in done.effects]
    return ActOut(effects, done.audit_id, done.undo_until, done.seen, list(done.left_out))


@blueprint.post("/clubs/<int:club_id>/acts/<int:audit_id>/undo")
@spec.validate(resp=answers(UndoneOut), tags=["organising"])
def undo(club_id: int, audit_id: int) -> Any:
    """Take an act back within ten minutes, in every game that hasn't moved on since."""
    undone = undoing.undo(db.session(), clock.now(), my_club(club_id), key().player_id, audit_id)
    keep()
    return UndoneOut(undone.back, undone.left)


@blueprint.get("/clubs/<int:club_id>/views")
@spec.validate(resp=answers(list[ViewOut]), tags=["organising"])
def views(club_id: int) -> Any:
    """One's saved filters of the control room."""
    found = control.views(db.session(), my_club(club_id), key().player_id)
    return [ViewOut(one.name, one.wanted.state, one.wanted.game, one.wanted.text, one.wanted.order) for one in found]


@blueprint.put("/clubs/<int:club_id>/views")
@spec.validate(json=ViewIn, resp=answers(list[ViewOut]), tags=["organising"])
def keep_view(club_id: int, json: ViewIn) -> Any:
    """Keep a filter under a name, in place of the one called so."""
    wanted = control.Filter(state=json.state, game=json.game, text=json.text, order=json.order)
    view = control.View(json.name, wanted)
    control.save_view(db.session(), clock.now(), my_club(club_id), key().player_id, view)
    keep()
    return views(club_id)


@blueprint.delete("/clubs/<int:club_id>/views/<name>")
@spec.validate(resp=answers(list[ViewOut]), tags=["organising"])
def drop_view(club_id: int, name: str) -> Any:
    """Forget a saved filter; gives those left."""
    control.drop_view(db.session(), my_club(club_id), key().player_id, name)
    keep()
    return views(club_id)
