"""The control room: every game of a club on one page, who is waited for, how long, and how their mail fares."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import and_, delete, select
from sqlalchemy.orm import Session

from pbem import budgets
from pbem.capabilities.acts import require_as_opened
from pbem.engine.core.message import N_, Message
from pbem.errors import WrongInput, fitting, not_listed
from pbem.letter_kinds import PUTS_QUESTION
from pbem.messages import clean
from pbem.play.deadlines.waiting_reasons import is_open, is_told
from pbem.play.views import headings
from pbem.store.models import (
    LIVE,
    UNREACHABLE,
    Absence,
    Game,
    GameState,
    Invitation,
    Letter,
    OpenDecision,
    Player,
    SavedView,
    Seat,
)
from pbem.store.queries import common
from pbem.structs import Value, from_attributes

MOST_VIEWS = 20
_VIEW = 40
"""Characters of a view's name."""


class Blocker(Value):
    """A seat a game waits for, as its organiser may see it."""

    seat: int
    player_id: int
    name: str
    since: datetime
    letter: str
    """accepted, pending, failed, bounced or "" before there is one."""
    nudges: int
    away: bool


class ControlRoomRow(Value):
    """One game's line."""

    game_id: int
    slug: str
    title: str
    game: str
    state: GameState
    ply: int
    due_at: datetime | None
    since: datetime | None
    """When the longest open of its questions was asked; None while it waits for nobody."""
    blockers: tuple[Blocker, ...] | None
    """None: choices are made in secret, and nobody may see by whom until their time is over."""
    seats: tuple[str, ...]
    """Everybody's name in seat order; "" for a free seat."""
    heading: Message | None = None
    """Where it stands, as its spectators see it; None before it begins."""
    invited: tuple[str, ...] = ()
    """Who has yet to answer the invitation to a game that has not begun."""

    def hours(self, now: datetime) -> float:
        """Return how long the game has waited, in hours."""
        return (now - self.since) / timedelta(hours=1) if self.since else 0.0

    def is_late(self, now: datetime) -> bool:
        """Return whether the deadline has passed."""
        return self.due_at is not None and self.due_at < now


USUAL = "needs"
"""The order of games where none is asked for, or one that there isn't."""


class Filter(Value):
    """What of the control room is shown, and in which order. Kept under a name as a saved view."""

    state: str = ""
    game: str = ""
    text: str = ""
    """Part of a title or a player's name."""
    order: str = USUAL


def rows(session: Session, now: datetime, club_id: int, wanted: Filter = Filter()) -> tuple[ControlRoomRow, ...]:  # noqa: B008 - frozen
    """Return the club's games under way, filtered and sorted; eight queries, however many games there are."""
    games = session.execute(
        select(Game.id, Game.slug, Game.title, Game.game, Game.state, Game.ply, Game.due_at).where(
            Game.club_id == club_id, Game.state.in_(LIVE)
        )
    ).all()
    seats = _seats(session, club_id)
    awaited, since = _awaited(session, now, club_id)
    invited = _invited(session, now, club_id)
    stands = headings.headings(session, club_id)
    found = [
        from_attributes(
            ControlRoomRow,
            game,
            game_id=game.id,
            since=since.get(game.id),
            blockers=awaited.get(game.id, ()),
            seats=seats.get(game.id, ()),
            heading=stands.get(game.id),
            invited=invited.get(game.id, ()),
        )
        for game in games
    ]
    shown = [row for row in found if _matches(row, now, wanted)]
    return tuple(sorted(shown, key=ORDERS.get(wanted.order, ORDERS[USUAL]).key))


class View(Value):
    """A filter kept under a name."""

    name: str
    wanted: Filter


def views(session: Session, club_id: int, player_id: int) -> tuple[View, ...]:
    """Return the organiser's saved views of a club, by name."""
    rows = session.execute(
        select(SavedView.name, SavedView.query)
        .where(SavedView.club_id == club_id, SavedView.player_id == player_id)
        .order_by(SavedView.name)
    )
    return tuple(View(name, msgspec.json.decode(query, type=Filter)) for name, query in rows)


def save_view(session: Session, now: datetime, club_id: int, player_id: int, view: View) -> None:
    """Keep a filter under a name, replacing the one called so.

    Raises Overtaken, or WrongInput without a name or past the limit.
    """
    name = clean(fitting(view.name, _VIEW), _VIEW)
    if not name:
        raise WrongInput("The view needs a name.")
    budgets.lock(session, f"views:{player_id}")
    before = views(session, club_id, player_id)
    if name in {one.name for one in before}:
        drop_view(session, club_id, player_id, name)
    elif len(before) >= MOST_VIEWS:
        raise WrongInput("You have {limit} saved views already.", limit=MOST_VIEWS)
    query = msgspec.json.encode(view.wanted).decode()
    session.add(SavedView(club_id=club_id, player_id=player_id, name=name, query=query, created_at=now))
    session.flush()
    require_as_opened(session, before, views(session, club_id, player_id))


def drop_view(session: Session, club_id: int, player_id: int, name: str) -> None:
    """Forget the view called so. Raises WrongInput if there is none."""
    own = (SavedView.club_id == club_id, SavedView.player_id == player_id, SavedView.name == name)
    if not common.is_any(session, *own):
        raise not_listed(name)
    session.execute(delete(SavedView).where(*own))


_FAR = datetime.max.replace(tzinfo=UTC)


class RowOrder(NamedTuple):
    """By what the games are sorted."""

    label: str
    key: Callable[[ControlRoomRow], Any]


def _need(row: ControlRoomRow) -> tuple[bool, bool]:
    """Sort games first that go on by no player's answer: what has stopped, then whose question reaches nobody."""
    return row.state != GameState.STUCK, not STATES["unreachable"].fits(row, _FAR)


ORDERS: Mapping[str, RowOrder] = {
    "needs": RowOrder(
        N_("What needs you first"),
        lambda row: (*_need(row), row.due_at is None, row.due_at or _FAR, row.game_id),
    ),
    "waiting": RowOrder(
        N_("Longest wait first"), lambda row: (row.since is None, row.since or row.due_at or _FAR, row.game_id)
    ),
    "deadline": RowOrder(N_("Next deadline first"), lambda row: (row.due_at is None, row.due_at or _FAR, row.game_id)),
    "title": RowOrder(N_("By title"), lambda row: (row.title.casefold(), row.game_id)),
    "game": RowOrder(N_("By game"), lambda row: (row.game, row.title.casefold(), row.game_id)),
}


class RowState(NamedTuple):
    """Which games a filter lets through."""

    label: str
    fits: Callable[[ControlRoomRow, datetime], bool]


def _is(state: GameState) -> Callable[[ControlRoomRow, datetime], bool]:
    return lambda row, _now: row.state == state


def _any(row: ControlRoomRow, holds: Callable[[Blocker], bool]) -> bool:
    return any(holds(blocker) for blocker in row.blockers or ())


STATES: Mapping[str, RowState] = {
    "": RowState(N_("All"), lambda _row, _now: True),
    "waiting": RowState(
        N_("Waiting for players"),
        lambda row, _now: row.state == GameState.RUNNING and (row.blockers is None or bool(row.blockers)),
    ),
    "late": RowState(N_("Past the deadline"), ControlRoomRow.is_late),
    "unreachable": RowState(
        N_("Mail comes back"), lambda row, _now: _any(row, lambda one: one.letter in {"bounced", "failed"})
    ),
    "away": RowState(N_("Waiting for somebody away"), lambda row, _now: _any(row, lambda one: one.away)),
    "paused": RowState(N_("Paused"), _is(GameState.PAUSED)),
    "stuck": RowState(N_("Stuck"), _is(GameState.STUCK)),
    "open": RowState(N_("Players wanted"), _is(GameState.OPEN)),
}


def _seats(session: Session, club_id: int) -> dict[int, tuple[str, ...]]:
    """By game, the names in seat order."""
    found: dict[int, list[str]] = {}
    rows_of = session.execute(
        select(Seat.game_id, Seat.bot, Player.name)
        .join(Game, Game.id == Seat.game_id)
        .outerjoin(Player, Player.id == Seat.player_id)
        .where(Game.club_id == club_id, Game.state.in_(LIVE))
        .order_by(Seat.game_id, Seat.seat)
    )
    for game_id, bot, name in rows_of:
        found.setdefault(game_id, []).append(f"({bot})" if bot else name or "")
    return {game_id: tuple(names) for game_id, names in found.items()}


def _invited(session: Session, now: datetime, club_id: int) -> dict[int | None, tuple[str, ...]]:
    """By game that has not begun, who may still accept a seat."""
    found: dict[int | None, tuple[str, ...]] = {}
    rows = session.execute(
        select(Invitation.game_id, Player.name)
        .join(Game, Game.id == Invitation.game_id)
        .join(Player, Player.id == Invitation.player_id)
        .where(
            Game.club_id == club_id,
            Game.state == GameState.OPEN,
            Invitation.is_open(now),
        )
        .order_by(Invitation.game_id, Invitation.seat)
    )
    for game_id, name in rows:
        found[game_id] = (*found.get(game_id, ()), name)
    return found


def _awaited(
    session: Session, now: datetime, club_id: int
) -> tuple[dict[int, tuple[Blocker, ...] | None], dict[int, datetime]]:
    """By game, the seats it waits for and since when; None where that is secret until the deadline."""
    away = set(session.scalars(select(Absence.player_id).where(Absence.starts <= now, Absence.ends > now)))
    letters = _letters(session, club_id)
    query = (
        select(OpenDecision, Game.due_at, Player.id, Player.name, Player.address_state)
        .join(Game, OpenDecision.at_present())
        .join(Seat, Seat.holds(OpenDecision))
        .join(Player)
        .where(Game.club_id == club_id, Game.state.in_(LIVE), ~OpenDecision.optional)
        .order_by(OpenDecision.game_id, OpenDecision.seat)
    )
    blockers: dict[int, list[Blocker]] = {}
    secret: set[int] = set()
    since: dict[int, datetime] = {}
    for decision, due_at, player_id, name, address_state in session.execute(query):
        told = is_told(due_at, now)
        if decision.secret and not told:
            secret.add(decision.game_id)
        elif not is_open(decision, told=told):
            continue
        since[decision.game_id] = min(decision.opened_at, since.get(decision.game_id, decision.opened_at))
        hidden = decision.held_until is not None and not told
        became = "accepted" if decision.letter_at else letters.get((decision.game_id, decision.seat), "")
        letter = "bounced" if address_state in UNREACHABLE else became
        blockers.setdefault(decision.game_id, []).append(
            Blocker(
                seat=decision.seat,
                player_id=player_id,
                name=name,
                since=decision.opened_at,
                letter="" if hidden else letter,
                nudges=0 if hidden else decision.nudge_step,
                away=player_id in away,
            )
        )
    shown: dict[int, tuple[Blocker, ...] | None] = {game_id: tuple(found) for game_id, found in blockers.items()}
    return shown | dict.fromkeys(secret, None), since


def _letters(session: Session, club_id: int) -> dict[tuple[int | None, int | None], str]:
    """By game and seat, what became of the newest letter that asks the present question."""
    query = (
        select(Letter.game_id, Letter.seat, Letter.state)
        .join(Game, and_(Game.id == Letter.game_id, Letter.ply == Game.ply))
        .where(Game.club_id == club_id, Game.state.in_(LIVE), Letter.kind.in_(PUTS_QUESTION))
        .order_by(Letter.id)
    )
    states = {"sent": "accepted", "claimed": "pending"}
    return {(game_id, seat): states.get(state, state) for game_id, seat, state in session.execute(query)}


def _matches(row: ControlRoomRow, now: datetime, wanted: Filter) -> bool:
    text = wanted.text.casefold()
    return (
        wanted.game in {"", row.game}
        and any(text in name.casefold() for name in (row.title, *row.seats, *row.invited))
        and (STATES[wanted.state].fits(row, now) if wanted.state in STATES else row.state == wanted.state)
    )
