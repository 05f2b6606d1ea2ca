"""Proof that the orders played are those their players sent, in time, and by their lists where an auction is sealed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.engine.core.types import AnyRules
from pbem.engine.text import standing_orders, standing_text
from pbem.engine.text.standing_text import StandingOrders
from pbem.store.models import OpenDecision, StoredOrder, StoredPly
from pbem.structs import Value

_OWN = frozenset({"player", "sitter"})


class SealedListInForce(Value):
    """The bids that a seat gave for a sealed auction, read; one without a list bids by its last resort."""

    parsed: StandingOrders | None
    """None for an empty one, which leaves everything to its last resort."""
    phase: str
    """It ends with this."""


class OrderAudit:
    """Follows a game that is played again, and compares each order with what its seat had sent."""

    def __init__(self, session: Session, game_id: int, rules: AnyRules) -> None:
        """Read what was sent, and by whose hand and when each ply was resolved."""
        self.rules = rules
        self.orders = self.sealed = 0
        """How many orders were compared so far, and how many of them with a sealed list."""
        self._sent = {
            (row.ply, row.seat): row
            for row in session.execute(
                select(
                    OpenDecision.ply,
                    OpenDecision.seat,
                    OpenDecision.sealed,
                    StoredOrder.canonical,
                    StoredOrder.created_at,
                )
                .join(StoredOrder, StoredOrder.id == OpenDecision.order_id)
                .where(OpenDecision.game_id == game_id)
            )
        }
        self._seats = sorted({seat for (_, seat), sent in self._sent.items() if sent.sealed})
        self._plies = {
            row.ply: row
            for row in session.execute(
                select(StoredPly.ply, StoredPly.kind, StoredPly.hands, StoredPly.resolved_at).where(
                    StoredPly.game_id == game_id
                )
            )
        }
        self._lists: dict[int, SealedListInForce] = {}
        self._due: dict[int, tuple[str, ...]] = {}
        """By seat, the orders its sealed list allows in the ply to come."""

    def ply(self, number: int, orders: dict[int, str], state: Any) -> Iterator[str]:
        """Yield what doesn't fit in ply `number`, a sentence each; `state` is the one it led to."""
        row = self._plies[number]
        for seat, text in orders.items():
            yield from self._order(number, seat, text, row.hands.get(str(seat), ""), row.resolved_at)
        if row.kind == "undo":
            self._lists.clear()
        self._look_ahead(number + 1, state)

    def _order(self, ply: int, seat: int, text: str, hand: str, at: datetime) -> Iterator[str]:
        sent = self._sent.get((ply, seat))
        if hand in _OWN:
            self.orders += 1
            if sent is None or sent.canonical != text:
                yield f"Ply {ply}: the order played for seat {seat} is not the one that was sent."
            elif sent.created_at > at:
                yield f"Ply {ply}: the order of seat {seat} came in only after the ply."
        elif hand == "standing" and seat in self._due:
            self.orders += 1
            self.sealed += 1
            if text not in self._due[seat]:
                yield f"Ply {ply}: the sealed list of seat {seat} says something else than what was played."

    def _look_ahead(self, ply: int, state: Any) -> None:
        """What the sealed lists in force say to the state before ply `ply`."""
        phase = self.rules.scope(state).phase
        for seat in self._seats:
            sent = self._sent.get((ply, seat))
            if sent is not None and sent.sealed:
                parsed = standing_text.parse(self.rules, sent.canonical) if sent.canonical else None
                self._lists[seat] = SealedListInForce(parsed, phase)
        self._lists = {seat: one for seat, one in self._lists.items() if one.phase == phase}
        awaited = self.rules.awaited(state) if self._lists else {}
        self._due = {seat: self._allowed(state, seat, one) for seat, one in self._lists.items() if seat in awaited}

    def _allowed(self, state: Any, seat: int, kept: SealedListInForce) -> tuple[str, ...]:
        """Return the order a list gives here, or its last resort; where it holds a chain, also the chain's links."""
        found = (
            standing_orders.answer(self.rules, state, seat, kept.parsed)
            if kept.parsed
            else standing_orders.StandingAnswer()
        )
        first = found.order if found.order is not None else self.rules.cautious(self.rules.view(state, seat))
        lines = kept.parsed.lines if kept.parsed else ()
        return (str(first), *(link for line in lines for link in line.orders[1:]))
