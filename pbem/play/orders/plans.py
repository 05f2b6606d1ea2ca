"""Plans of a seat: what its pages offer to tap, put in force as standing orders, changed and ended by their owner."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import msgspec

from pbem.engine.core.errors import EngineError
from pbem.engine.core.forms import Filled
from pbem.engine.core.message import Message
from pbem.engine.core.plans import PlanPart
from pbem.engine.registry import planner_of, rules_for
from pbem.play.orders import standing_orders
from pbem.play.views.game_context import locked_seat, state_of
from pbem.store.queries import common
from pbem.structs import Value

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy.orm import Session

    from pbem.play.orders.standing_orders import StandingOrdersView
    from pbem.play.views.seat_view import Situation


class KeptPlan(Value):
    """A plan as stored: what was tapped, and what it means."""

    part: str
    fields: dict[str, tuple[str, ...]]
    plan: msgspec.Raw


class PlannedPart(Value, kw_only=True):
    """A plan that can be made, and the one that is in force."""

    part: PlanPart
    values: dict[str, tuple[str, ...]]
    """What is filled in: the plan in force, else what the game begins with."""
    words: tuple[Message, ...] = ()
    """The plan in force in sentences; none if there is none."""
    text: str = ""
    """The standing order that it is."""
    standing_id: int = 0
    uses: int = 0
    since: datetime | None = None


def offered(s: Situation, standing: Iterable[standing_orders.Listed]) -> tuple[PlannedPart, ...]:
    """Return everything the seat can plan in its present position, asked or not; `standing` is what it has in force."""
    if s.game.ply < 0 or s.game.state.is_over:
        return ()
    live: dict[str, standing_orders.Listed] = {}
    for one in standing:
        if one.plan:
            live.setdefault(msgspec.json.decode(one.plan, type=KeptPlan).part, one)
    return tuple(_planned(part, live.get(part.name)) for part in planner_of(s.game.game).parts(s.view))


def _planned(part: PlanPart, listed: standing_orders.Listed | None) -> PlannedPart:
    values = {field.name: field.value for field in part.fields}
    if listed is None:
        return PlannedPart(part=part, values=values)
    kept = msgspec.json.decode(listed.plan, type=KeptPlan).fields
    values |= {name: tuple(chosen) for name, chosen in kept.items() if name in values}
    return PlannedPart(
        part=part,
        values=values,
        words=listed.words,
        text=listed.text,
        standing_id=listed.id,
        uses=listed.uses,
        since=listed.created_at,
    )


def marked(planned: Iterable[PlannedPart]) -> tuple[tuple[str, int], ...]:
    """Elements of the board, each with the number that the plans in force give it: its place, or its limit."""
    found: dict[str, int] = {}
    for one in planned:
        for field in one.part.fields if one.words else ():
            values = one.values[field.name]
            if field.kind == "ranking":
                named = {option.value: option.mark for option in field.options}
                found |= {named[value]: place for place, value in enumerate(filter(None, values), 1) if value in named}
            elif field.kind == "limits":
                pairs = zip(field.options, values, strict=False)
                found |= {option.mark: int(value) for option, value in pairs if value}
    return tuple((mark, number) for mark, number in found.items() if mark)


def tried(session: Session, s: Situation, part: str, fields: Filled) -> StandingOrdersView:
    """Return what a plan would mean and do now; nothing is stored. A refusal is returned."""
    assert s.seat_id is not None  # a seat's own page
    try:
        planner = planner_of(s.game.game)
        plan = planner.plan(s.view, part, fields)
        return standing_orders.trial(session, s.seat_id, planner.text(plan), planner.words(plan, s.view))
    except EngineError as refusal:
        return standing_orders.StandingOrdersView(faults=refusal.faults)


def store(session: Session, now: datetime, seat_id: int, part: str, fields: Filled) -> StandingOrdersView:
    """Put a plan in force in place of the one of this part. A refusal is returned; raises NotSeated only."""
    game, seat = locked_seat(session, seat_id)
    if game.ply < 0 or game.state.is_over:
        return standing_orders.store(session, now, seat_id, "ask me")  # which says why nothing can be given ahead
    rules, planner = rules_for(game), planner_of(game.game)
    view = rules.view(state_of(rules, common.snapshot(session, game.id, game.ply)), seat.seat)
    try:
        plan = planner.plan(view, part, fields)
    except EngineError as refusal:
        return standing_orders.StandingOrdersView(faults=refusal.faults)
    kept = KeptPlan(
        part, {name: tuple(values) for name, values in fields.items()}, msgspec.Raw(msgspec.json.encode(plan))
    )
    with session.begin_nested() as replacing:
        for one in common.live_standing(session, game.id):
            if one.seat == seat.seat and one.plan and msgspec.json.decode(one.plan, type=KeptPlan).part == part:
                one.ended_at, one.ended_why = now, "replaced"
        session.flush()
        stored = standing_orders.store(session, now, seat_id, planner.text(plan), msgspec.json.encode(kept).decode())
        if stored.faults:
            replacing.rollback()  # the one in force stays
    return stored
