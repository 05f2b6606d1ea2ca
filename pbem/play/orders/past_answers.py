"""What a standing order would have answered to a seat's last questions, beside what was answered then."""

from __future__ import annotations

from typing import Any

from sqlalchemy import and_, select
from sqlalchemy.orm import Session, aliased

from pbem.engine.core.message import Message
from pbem.engine.registry import rules_for
from pbem.engine.text import standing_orders, standing_text
from pbem.play.proof import snapshots
from pbem.play.views.game_context import seat_of, state_of
from pbem.store.models import OpenDecision, StoredPly
from pbem.structs import Value

MOST = 20
"""Questions looked back at."""


class PastAnswer(Value, kw_only=True):
    """One question that a seat was asked."""

    ply: int
    heading: Message
    would: str
    """The order that it would have given; empty where its owner would have been asked."""
    was: str
    """What the seat ordered."""


def past_answers(session: Session, seat_id: int, text: str) -> tuple[PastAnswer, ...]:
    """Return the newest questions first, of the kinds that `text` speaks to, each by what the seat could see then.

    Raises NotSeated if there is no such seat, InvalidOrder for what is no standing order.
    """
    game, seat = seat_of(session, seat_id)
    rules = rules_for(game)
    parsed = standing_text.parse(rules, text)
    kinds = {form.kind for form in rules.grammar if standing_orders.lines_for(rules, form.kind, parsed)}
    found = []
    for ply, orders, snapshot in session.execute(_asked(game.id, seat.seat, kinds)):
        state = state_of(rules, snapshots.at(session, game.id, ply - 1, snapshot))
        if seat.seat not in rules.asked(state) or str(seat.seat) not in orders:
            continue
        decision = rules.asked(state)[seat.seat]
        asks = decision.sealed and isinstance(standing_orders.as_list(rules, state, seat.seat, [parsed]), Message)
        order = None if asks else standing_orders.answer(rules, state, seat.seat, parsed).order
        heading = rules.heading(rules.view(state, seat.seat))
        would = "" if order is None else str(order)
        found.append(PastAnswer(ply=ply, heading=heading, would=would, was=orders[str(seat.seat)]))
    return tuple(found)


def _asked(game_id: int, seat: int, kinds: set[str]) -> Any:
    before = aliased(StoredPly)
    return (
        select(StoredPly.ply, StoredPly.orders, before.snapshot)
        .join(before, and_(before.game_id == StoredPly.game_id, before.ply == StoredPly.ply - 1))
        .join(OpenDecision, and_(OpenDecision.game_id == StoredPly.game_id, OpenDecision.ply == StoredPly.ply))
        .where(StoredPly.game_id == game_id, OpenDecision.seat == seat, OpenDecision.kind.in_(kinds))
        .order_by(StoredPly.ply.desc())
        .limit(MOST)
    )
