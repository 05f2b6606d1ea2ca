"""Letters put into the outbox: one row a cause, in the transaction that causes it. What they say comes later."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy.orm import Session

from pbem import budgets, waking_hours
from pbem.engine.core.message import N_
from pbem.errors import WrongInput
from pbem.letter_kinds import KINDS
from pbem.store import unit_of_work
from pbem.store.models import Game, Lane, Player, Seat
from pbem.store.queries import common, ply_writes
from pbem.store.queries.requests import letters_since


class LetterQueue:
    """Collects the letters of one transaction and writes them in one statement."""

    def __init__(self, now: datetime, *, by_clock: bool = False) -> None:
        """Begin with none. `by_clock`: nobody did anything, a moment came; such letters let the others overtake."""
        self.now = now
        self.by_clock = by_clock
        self.rows: list[dict[str, Any]] = []

    def seat(self, kind: str, game: Game, seat: Seat, player: Player, cause: str = "", **data: Any) -> None:
        """A letter to the person of a seat about the ply resolved last; `cause` tells several of a kind apart."""
        if kind in seat.kinds_off and KINDS[kind].stoppable:
            return
        word = f"{game.id}:{game.ply}:{seat.seat}:{kind}" + (f":{cause}" if cause else "")
        self.person(kind, player, word, game_id=game.id, ply=game.ply, seat=seat.seat, club_id=game.club_id, **data)

    def person(self, kind: str, player: Player, cause: str, **columns: Any) -> None:
        """A letter to a person. What is no column of the table becomes its `data`, sentences and all."""
        entry = KINDS[kind]
        if player.address is None or (kind in player.kinds_off and entry.stoppable):
            return
        if player.accepted_at is None and entry.needs_acceptance:
            return
        if entry.digestible and player.digest_hour is not None:
            self._digest(player, player.digest_hour)
            return
        known = {name: columns.pop(name) for name in list(columns) if name in _COLUMNS}
        row = dict.fromkeys(_COLUMNS) | known
        row |= {
            "kind": kind,
            "cause": cause,
            "player_id": player.id,
            "data": msgspec.to_builtins(columns),
            "message_id": secrets.token_hex(16),
            "state": "pending",
            "lane": Lane.CLOCK if self.by_clock and not entry.is_answer else entry.lane,
            "next_try_at": known.get("next_try_at") or leave_at(player, kind, self.now),
            "attempts": 0,
            "claim": "",
            "last_error": "",
            "created_at": self.now,
        }
        self.rows.append(row)

    def organisers(
        self, kind: str, session: Session, game: Game, cause: str, about: int | None = None, /, **columns: Any
    ) -> None:
        """A letter to each who sees to a game, as `common.organisers_about` finds them."""
        for organiser in common.organisers_about(session, game, about):
            self.person(kind, organiser, f"{cause}:{organiser.id}", **columns)

    def _digest(self, player: Player, hour: int) -> None:
        """One letter a day in place of single ones: what waits is gathered when it is sent."""
        leaves = waking_hours.next_at(player.zone, hour, self.now)
        self.person("digest", player, f"digest:{player.id}:{leaves:%Y-%m-%dT%H}", next_try_at=leaves)

    def send(self, session: Session, *, paid: bool = False) -> None:
        """Write them; a cause that has its letter already gets no second one.

        What is over its reader's budget is left out. Raises WrongInput for a kind of which somebody waits for it.
        `paid`: it follows what a mailed code or an address's yes allowed, so what others had sent doesn't count.
        """
        if rows := self.take(session, paid=paid):
            ply_writes.queue(session, rows)

    def take(self, session: Session, *, paid: bool = False) -> list[ply_writes.Row]:
        """Return the rows that `send` would write, for who writes them with others in the same transaction."""
        if not paid:
            self._keep_budget(session)
        if any(row["next_try_at"] <= self.now for row in self.rows):
            unit_of_work.made_due(session, unit_of_work.Work.LETTERS)
        rows, self.rows = self.rows, []
        return rows

    def _keep_budget(self, session: Session) -> None:
        """Leave out the letters beyond what one person is sent of a kind."""
        limits = {kind: KINDS[kind].budget for kind in {row["kind"] for row in self.rows}}
        since = {kind: budget.since(self.now) for kind, budget in limits.items() if budget is not None}
        if not since:
            return
        budgets.lock(session, *(f"{row['kind']}:{row['player_id']}" for row in self.rows if row["kind"] in since))
        spent = letters_since(session, {row["player_id"] for row in self.rows}, since)
        kept = []
        for row in self.rows:
            key, budget = (row["player_id"], row["kind"]), limits[row["kind"]]
            spent[key] = spent.get(key, 0) + 1
            if budget is None or spent[key] <= budget.most:
                kept.append(row)
            elif budget.refuses:
                hours = budget.per // timedelta(hours=1)
                raise WrongInput(_TOO_MANY, limit=budget.most, hours=hours, kind=KINDS[row["kind"]].label)
        self.rows = kept


_TOO_MANY = N_(
    "No more than {limit} letters of one kind go to one person in {hours} hour(s) ({kind}):"
    " wait a while, or use the newest of them."
)
_COLUMNS = ("game_id", "ply", "seat", "club_id", "address", "order_id", "mail_id", "next_try_at")


def leave_at(player: Player, kind: str, now: datetime) -> datetime:
    """Return when a letter may leave: at once, or for news in somebody's quiet hours when they wake."""
    if KINDS[kind].is_answer or not player.quiet:
        return now
    return waking_hours.wake(waking_hours.person_of(player), now)
