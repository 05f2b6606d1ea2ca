"""Calls that organise a club's games: open them, see whom they wait for, act on one or many, take acts back."""

from __future__ import annotations

from datetime import datetime
from http import HTTPStatus
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from pbem import clock
from pbem.clubs.games import actions, bulk_opening
from pbem.clubs.games import control_room as control
from pbem.clubs.games import undo as undoing
from pbem.engine.core.types import COLOURS
from pbem.extensions import current, db
from pbem.messages import LONGEST_NAME
from pbem.play.admin import action_log, game_admin
from pbem.play.deadlines.forecast import forecast
from pbem.play.seats import opening
from pbem.store.models import Game, Player
from pbem.structs import from_attributes
from pbem.web import pages
from pbem.web.api.answers import shape
from pbem.web.api.clubs import OpenedOut
from pbem.web.api.core import calls, key, my_club, organising
from pbem.web.api.shapes import (
    AT_ONCE,
    CountOut,
    CsvIn,
    GamePace,
    Id,
    Limit,
    Mark,
    Name,
    Offset,
    Options,
    Reason,
    SeatNumber,
    Word,
)
from pbem.web.api.table_talk import JournalOut

call = calls("organising")

Hours = Annotated[int, Meta(ge=0, le=10_000)]
SeatText = Annotated[str, Meta(max_length=254)]
Act = Annotated[str, Meta(max_length=20, extra_json_schema={"enum": list(actions.ACTIONS)})]
"""What an organiser can do to games."""
RowOut = shape(
    "RowOut",
    "One game's line in the control room. `heading` is empty before it begins; `invited` has yet to answer the "
    "invitation to a game that has not begun; `waits_for` are names, null where choices are made in secret.",
    control.ControlRoomRow,
    "game_id slug title game state ply heading due_at waiting_since=since seats invited waits_for=blockers.name",
)
ViewOut = shape(
    "ViewOut",
    "A filter kept under a name.",
    control.View,
    "name state=wanted.state game=wanted.game text=wanted.text order=wanted.order",
)
GameAdminSeatOut = shape(
    "GameAdminSeatOut",
    "A seat as its organiser may see it. `invited` is asked to a free seat and may still accept it; `awaited` is null "
    "where choices are secret and their time isn't over.",
    game_admin.SeatState,
    "seat name bot is_free invited awaited asked_at letter_at nudges mail",
)
GameAdminOut = shape(
    "GameAdminOut",
    f"A game as its organiser sees it, with the newest {action_log.LISTED} of what was done by hand. If the caller "
    "`plays` here too, nothing hidden is shown, for no reason.",
    game_admin.GameAdminView,
    "game_id slug title game state ply due_at cover_at plays journal=log",
    seats=[GameAdminSeatOut],
    journal=[JournalOut],
)
EffectOut = shape("EffectOut", "What an act does to one game.", actions.Effect, "game_id title says")
LeftOut = shape("LeftOut", "Why an act does nothing to a game.", actions.LeftOut, "game_id title says")
ActOut = shape(
    "ActOut",
    "What an act did, or would do. Of a preview, send `seen` with the act; `left_out` are the titles of the games it "
    "does not fit, `reasons` say why.",
    actions.ActionOutcome,
    "audit_id undo_until seen left_out=left_out.title reasons=left_out",
    effects=[EffectOut],
    reasons=[LeftOut],
)
UndoneOut = shape(
    "UndoneOut",
    "An act that was taken back: how many games are as before, and how many have moved on since and stay.",
    undoing.Undone,
    "count=back left",
)


class FilterIn(msgspec.Struct, forbid_unknown_fields=True):
    """What of the control room is given, and in which order."""

    state: Word = ""
    """waiting, late, unreachable, away, paused, stuck, open; empty: all."""
    game: Word = ""
    text: Annotated[str, Meta(max_length=80)] = ""
    """Part of a title or a player's name."""
    order: Word = control.USUAL
    """needs (what no player's answer carries on), waiting, deadline, title, game."""


class RoomIn(FilterIn):
    """The same, and which part of the list."""

    offset: Offset = 0
    limit: Limit = AT_ONCE


class ViewIn(FilterIn, kw_only=True):
    """A filter to be kept under a name."""

    name: Annotated[str, Meta(min_length=1, max_length=40)]


class PaceIn(GamePace):
    """How fast a game shall go, and who plays it."""

    players: Annotated[list[SeatText], Meta(max_length=len(COLOURS))] = msgspec.field(default_factory=list)
    """Who is named so far: their hours and absences count."""


class DuesOut(msgspec.Struct):
    """The next deadlines if everybody answers in the last minute."""

    dues: list[datetime]


class OpenIn(GamePace, kw_only=True):
    """A game to be opened."""

    game: Name
    players: Annotated[list[SeatText], Meta(min_length=1, max_length=len(COLOURS))]
    """In seat order: a member's number, name or address, a bot as `bot:heuristic`, or empty for whoever comes."""
    title: Annotated[str, Meta(max_length=LONGEST_NAME)] = ""
    join_days: Annotated[float, Meta(gt=0, le=90)] | None = None
    """Days it waits for its seats to fill; else as long as it takes."""
    unfilled: Literal["tell", "bots", "close"] = "tell"
    """What happens then: the organiser is told, bots take the free seats, or the game is called off."""
    options: Options = msgspec.field(default_factory=dict)
    request: Mark = ""


class GameActionIn(msgspec.Struct, forbid_unknown_fields=True):
    """Something an organiser does to one game."""

    act: Act
    reason: Reason = ""
    hours: Hours = 0
    """For `extend`."""
    seat: SeatNumber | None = None
    """For `replace` and `fresh`."""
    who: Annotated[str, Meta(max_length=60)] = ""
    """For `replace`: a member's number, or a bot as `bot:heuristic`. Before the game begins members are invited."""
    request: Mark = ""


class BulkActionIn(msgspec.Struct, forbid_unknown_fields=True):
    """One act on several games."""

    act: Act
    """Any but replace and fresh, which are for one game; fill (with bots) and call-off reach those not begun."""
    games: Annotated[list[Id], Meta(min_length=1, max_length=1000)]
    hours: Hours = 0
    reason: Reason = ""
    preview: bool = False
    """Only say what it would do."""
    seen: Annotated[str, Meta(max_length=64)] = ""
    """The mark of that preview: then nothing is done (409) if the games have moved on since."""
    request: Mark = ""


@call("GET", "/clubs/<int:club_id>/games", [RowOut])
def control_room(club_id: int, query: RoomIn) -> Any:
    """Every game of the club under way, filtered and sorted: who it waits for, and since when."""
    return control.rows(*current(), my_club(club_id), _filter(query))


def _filter(wanted: FilterIn) -> control.Filter:
    return from_attributes(control.Filter, wanted, text=wanted.text)


@call("POST", "/clubs/<int:club_id>/games", OpenedOut)
def open_game(club_id: int, json: OpenIn) -> Any:
    """Open a game; people are invited by letter, and it starts once all have accepted."""
    session = db.session()
    pace = json.chosen(json.join_days, json.unfilled)
    line = bulk_opening.TableLine(json.title, json.game, pace, json.options, tuple(json.players))
    plan = bulk_opening.plan(session, my_club(club_id), key().player_id, line)
    return opening.open_game(session, clock.now(), plan)


@call("POST", "/clubs/<int:club_id>/games/deadlines", DuesOut)
def preview_deadlines(club_id: int, json: PaceIn) -> Any:
    """The deadlines a pace would lead to, by the hours and absences of the players named; nothing is stored."""
    session = db.session()
    people = bulk_opening.people_of(session, my_club(club_id))
    named = {
        seat.player_id for cell in json.players if (seat := bulk_opening.seat_of(cell, people)).player_id is not None
    }
    return DuesOut(list(forecast(session, clock.now(), json.chosen(), named)))


@call("POST", "/clubs/<int:club_id>/games/csv", CountOut)
def open_games(club_id: int, json: CsvIn) -> Any:
    """Open a game a line: title, game, cadence, options, players. All of them or none."""
    opened = bulk_opening.open_all(*organising(club_id), json.csv)
    return CountOut(len(opened))


def _organised_game(club_id: int, slug: str) -> tuple[Game, Player]:
    """A game of the club and who organises it. Raises NotSeated."""
    found = key()
    return game_admin.organiser(db.session(), slug, {found.player_id: found.epoch}, club_id=my_club(club_id))


@call("GET", "/clubs/<int:club_id>/games/<slug>", GameAdminOut)
def game_admin_view(club_id: int, slug: str) -> Any:
    """A game as its organiser sees it: every seat, its letters, and what was done by hand."""
    return _admin_view(*_organised_game(club_id, slug))


def _admin_view(game: Game, reader: Player) -> game_admin.GameAdminView:
    shown = game_admin.admin_view(*current(), game, reader)
    pages.speak(names=[seat.name for seat in shown.seats])
    return shown


@call("POST", "/clubs/<int:club_id>/games/<slug>/acts", GameAdminOut, final=True)
def administer_game(club_id: int, slug: str, json: GameActionIn) -> Any:
    """Pause a game, resume it, move its deadline, hand over a seat, and the like; logged for the table."""
    game, reader = _organised_game(club_id, slug)
    wish = from_attributes(
        actions.ActionRequest,
        json,
        games=(game.id,),
        by=reader.id,
        reason=json.reason.strip(),
        seat=-1 if json.seat is None else json.seat,
    )
    actions.carry_out(*current(), game.club_id, wish)
    return _admin_view(game, reader)


@call("POST", "/clubs/<int:club_id>/acts", ActOut, HTTPStatus.CONFLICT, final=True)
def act(club_id: int, json: BulkActionIn) -> Any:
    """Nudge, extend, merge, pause or resume several games, seek substitutes, fill or call off; or preview that."""
    wish = from_attributes(actions.ActionRequest, json, games=tuple(json.games), by=key().player_id)
    session, now, number = *current(), my_club(club_id)
    if json.preview:
        return actions.preview(session, now, number, wish)
    return actions.carry_out(session, now, number, wish)


@call("POST", "/clubs/<int:club_id>/acts/<int:audit_id>/undo", UndoneOut)
def undo(club_id: int, audit_id: int) -> Any:
    """Take an act back within ten minutes, in every game that hasn't moved on since."""
    return undoing.undo(*organising(club_id), audit_id)


@call("GET", "/clubs/<int:club_id>/views", [ViewOut])
def views(club_id: int) -> Any:
    """One's saved filters of the control room."""
    return control.views(db.session(), my_club(club_id), key().player_id)


@call("PUT", "/clubs/<int:club_id>/views", [ViewOut])
def keep_view(club_id: int, json: ViewIn) -> Any:
    """Keep a filter under a name, in place of the one called so."""
    view = control.View(json.name, _filter(json))
    control.save_view(*organising(club_id), view)
    return views(club_id)


@call("DELETE", "/clubs/<int:club_id>/views/<name>", [ViewOut])
def drop_view(club_id: int, name: str) -> Any:
    """Forget a saved filter; gives those left."""
    control.drop_view(db.session(), my_club(club_id), key().player_id, name)
    return views(club_id)
