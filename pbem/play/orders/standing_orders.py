"""Standing orders of a seat: tried, stored, listed and ended by their owner; nobody else learns that they exist."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import and_, bindparam, or_, select
from sqlalchemy.orm import Session

from pbem.capabilities.tokens import tokens
from pbem.engine.core.errors import EngineError
from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.core.types import AnyRules
from pbem.engine.preview import Preview
from pbem.engine.registry import planner_of, rules_for
from pbem.engine.text import standing_orders, standing_text
from pbem.errors import GameOver, NotOpen, PlayError, WrongInput, nobody, not_listed
from pbem.play.orders import lookahead
from pbem.play.views.game_context import locked_seat, seat_of, state_of
from pbem.store import unit_of_work
from pbem.store.models import Game, GameState, Seat, StoredStandingOrders
from pbem.store.queries import common
from pbem.structs import Value, from_attributes

MOST = 20
"""Standing orders one seat can have in force."""
_KINDS = {
    "standing": N_("Standing order"),
    "then": N_("Next in the chain"),
    "sealed": N_("Sealed list"),
}


class StandingOrdersView(Value, kw_only=True):
    """A standing order that was tried or stored."""

    text: str = ""
    """Its canonical text."""
    words: tuple[Message, ...] = ()
    today: tuple[Message, ...] = ()
    """What it would do in the present position, line by line."""
    brings: Preview = Preview()
    """What the order it would give brings the seat itself; nothing if it would give none."""
    faults: tuple[Message, ...] = ()
    standing_id: int | None = None
    """None if it was only tried, or refused."""


class Listed(Value, kw_only=True):
    """A standing order in force, for its owner."""

    id: int
    kind: str
    kind_words: Message
    text: str
    words: tuple[Message, ...]
    plan: str
    """What was tapped, as JSON; empty for what was written."""
    uses: int
    created_at: datetime


def trial(session: Session, seat_id: int, text: str, plan: tuple[Message, ...] = ()) -> StandingOrdersView:
    """Return what `text` would mean and do now; nothing is stored. Raises NotSeated if there is no such seat.

    `plan` is what was tapped, in words: whoever tapped it is told of no line, having written none.
    """
    game, seat = seat_of(session, seat_id)
    try:
        return _tried(session, game, seat, text, plan)[0]
    except (EngineError, PlayError) as refusal:
        return StandingOrdersView(text=text, faults=refusal.faults)


def store(  # noqa: PLR0913 - an order, how it was made and for what
    session: Session, now: datetime, seat_id: int, text: str, plan: str = "", *, instead: int | None = None
) -> StandingOrdersView:
    """Put a standing order in force, before the older ones and in place of the same one. A refusal is returned.

    Raises NotSeated only. `plan` is what was tapped to make it, if it was; `instead`: the order that it replaces.
    """
    game, seat = locked_seat(session, seat_id)
    try:
        tried, scope = _tried(session, game, seat, text)
        ahead = StoredStandingOrders
        named = [row.id for row in _live(session, game, seat) if instead == _number(row)]
        replaced = or_(and_(ahead.text == tried.text, ahead.plan == plan), ahead.id.in_(named))
        common.end_ahead(session, now, game.id, "replaced", ahead.seat == seat.seat, ahead.kind == "standing", replaced)
        _refuse_many(session, game, seat)
    except (EngineError, PlayError) as refusal:
        return StandingOrdersView(text=text, faults=refusal.faults)
    row = StoredStandingOrders(
        game_id=game.id,
        seat=seat.seat,
        kind="standing",
        text=tried.text,
        phase=scope[0],
        round=scope[1],
        created_at=now,
        plan=plan,
    )
    session.add(row)
    game.version += 1  # a worker that has read the game looks again
    waits = game.state == GameState.RUNNING and any(
        decision.seat == seat.seat and decision.order_id is None for decision in common.decisions_of(session, game)
    )
    if waits:
        unit_of_work.wake(session, game, now)  # it may answer what is asked already
    session.flush()
    return msgspec.structs.replace(tried, standing_id=_number(row))


def _tried(
    session: Session, game: Game, seat: Seat, text: str, plan: tuple[Message, ...] = ()
) -> tuple[StandingOrdersView, tuple[str, str]]:
    """Return the order read and tried on the present position, and the phase and round it would be stored in."""
    if game.state.is_over:
        raise GameOver("This game is over, so the standing order was not stored.")
    if game.ply < 0:
        raise NotOpen("This game has not started, so there is nothing to answer ahead.")
    rules = rules_for(game)
    parsed = standing_text.parse(rules, text)
    today, brings = _today(rules, common.snapshot(session, game.id, game.ply), seat.seat, parsed, by_line=not plan)
    scope, words = common.scope_keys(session, game.id, game.ply), plan or standing_orders.words(parsed)
    return StandingOrdersView(text=str(parsed), words=words, today=today, brings=brings), scope


def _today(
    rules: AnyRules, snapshot: bytes, seat: int, parsed: standing_text.StandingOrders, *, by_line: bool
) -> tuple[tuple[Message, ...], Preview]:
    """Return what it would do in the present position, `by_line` or as a whole, and what that brings the seat."""
    state = state_of(rules, snapshot)
    if seat not in rules.asked(state):
        return (sentence("Nothing at once: you are not asked anything at the moment."),), Preview()
    found, decision = standing_orders.answer(rules, state, seat, parsed), rules.asked(state)[seat]
    lines = standing_orders.as_list(rules, state, seat, [parsed]) if decision.sealed else ()
    if isinstance(lines, Message):
        return (lines,), Preview()
    why = found.why
    if not by_line:
        asks = found.order is None
        why = (sentence("You are asked.") if asks else rules.describe(rules.view(state, seat), found.order),)
    if found.order is None:
        return why, Preview()
    text = str(standing_text.StandingOrders(lines)) if lines else found.text
    return why, lookahead.brings(rules, state, seat, text)


def _refuse_many(session: Session, game: Game, seat: Seat) -> None:
    if sum(row.kind == "standing" for row in _live(session, game, seat)) >= MOST:
        raise WrongInput("You have {count} standing orders here, the most there can be; end one first.", count=MOST)


def _live(session: Session, game: Game, seat: Seat) -> list[StoredStandingOrders]:
    return [row for row in common.live_standing(session, game.id) if row.seat == seat.seat]


def _number(row: StoredStandingOrders) -> int:
    """Return what an order given ahead is called outside."""
    return tokens().number(f"standing:{row.id}")


_IN_FORCE = (
    select(Game, Seat.seat, StoredStandingOrders)
    .join(Seat)
    .outerjoin(StoredStandingOrders, Seat.holds(StoredStandingOrders) & StoredStandingOrders.in_force())
    .where(Seat.id == bindparam("seat_id"))
    .order_by(StoredStandingOrders.id.desc())
)


def listed(session: Session, seat_id: int) -> tuple[Listed, ...]:
    """Return what a seat has in force, in the order it is tried, for its owner only."""
    rows = session.execute(_IN_FORCE, {"seat_id": seat_id}).all()
    if not rows:
        raise nobody()
    game, seat, _ = rows[0]
    rules = rules_for(game)
    live = [row.StoredStandingOrders for row in rows if row.StoredStandingOrders is not None]
    live.sort(key=lambda one: ("then", "sealed", "standing").index(one.kind))
    planned = any(one.plan for one in live)
    view = rules.view(state_of(rules, common.snapshot(session, game.id, game.ply)), seat) if planned else None
    return tuple(
        from_attributes(
            Listed,
            one,
            id=_number(one),
            text=one.text,
            plan=one.plan,
            kind_words=Message(_KINDS[one.kind]),
            words=_words(rules, view, one),
        )
        for one in live
    )


def why_a_list(session: Session, game: Game, seat: int, kind: str, live: Iterable[Listed]) -> tuple[Message, ...]:
    """Return why a seat is asked for a sealed list though it has standing orders for decisions of that kind in force.

    Nothing if it has none.
    """
    rules = rules_for(game)
    given = [standing_text.parse(rules, one.text) for one in live if one.kind == "standing"]
    if not any(standing_orders.lines_for(rules, kind, one) for one in given):
        return ()
    state = state_of(rules, common.snapshot(session, game.id, game.ply))
    found = standing_orders.as_list(rules, state, seat, given)
    return (found,) if isinstance(found, Message) else ()


def _words(rules: AnyRules, view: Any, row: StoredStandingOrders) -> tuple[Message, ...]:
    """Return a plan in the words of its page, any other order line by line; a chain has none."""
    if row.plan:
        planner = planner_of(rules.meta.name)
        kept = msgspec.json.decode(row.plan, type=dict[str, msgspec.Raw])
        return planner.words(msgspec.json.decode(kept["plan"], type=planner.PLANS), view)
    if row.kind == "then" or not row.text:
        return ()
    return standing_orders.words(standing_text.parse(rules, row.text))


def end(session: Session, now: datetime, standing_id: int, seat_id: int) -> None:
    """End one of a seat's own. Raises WrongInput for none of its."""
    game, seat = locked_seat(session, seat_id)
    given = select(StoredStandingOrders).where(
        StoredStandingOrders.game_id == game.id, StoredStandingOrders.seat == seat.seat
    )
    row = next((row for row in session.scalars(given) if standing_id == _number(row)), None)
    if row is None:
        raise not_listed(standing_id)
    if row.ended_at is None:
        row.ended_at, row.ended_why = now, "ended"
        game.version += 1
        session.flush()
