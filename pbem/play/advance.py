"""A turn's last step: lock the game, resolve the plies that carry, write them and their letters in one commit."""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING, Any

import msgspec

from pbem.engine import standing
from pbem.engine.errors import CorruptState, EngineError
from pbem.engine.registry import rules_of
from pbem.engine.types import N_, Event, Said
from pbem.play import stuck, writing
from pbem.play.run import CAP, Ahead, Given, Run, choice
from pbem.play.table import Table, aheads_of, state_of, table_of
from pbem.store import queries

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from sqlalchemy.orm import Session

    from pbem.store.tables import Decision, Game

LADDER = ("draft", "cautious")
"""What answers for a player who missed the deadline, unless they chose otherwise."""


class Thought(msgspec.Struct, frozen=True):
    """A decision that a bot takes its time for. It sees a view and knows nothing else."""

    game: str
    bot: str
    seed: str
    ply: int
    seat: int
    view: Any

    def ponder(self) -> str:
        """The bot's order; may take as long as its name says."""
        return str(choice(rules_of(self.game), self.bot, self.view, self.seed, self.ply))


class Advanced(msgspec.Struct, frozen=True):
    """What one run did."""

    plies: int = 0
    more: bool = False
    """Whether it stopped at the cap, so that another run is due at once."""
    letters: bool = False
    think: tuple[Thought, ...] = ()
    """Bots that must be given time: let them `ponder` outside the transaction and hand the result to the next run."""


NOTHING = Advanced()


def advance(
    session: Session, now: datetime, game_id: int, cap: int = CAP, thoughts: Mapping[tuple[int, int], str] | None = None
) -> Advanced:
    """Carry a game on if it is due; doing it twice does it once. `thoughts`: what bots came up with, by ply and seat.

    A game whose rules raise is marked stuck with the trace, and its organiser told.
    """
    found = queries.lock_to_advance(session, game_id)
    if found is None or not is_due(found[0], now):
        return NOTHING
    game, ahead = found
    table = table_of(session, game)
    rows = queries.answers(session, game.id, game.ply)
    stored = Stored(rows[0].snapshot, aheads_of(session, table) if ahead else {})
    for _, decision, text in rows:
        if decision is not None:
            stored.decisions.append(decision)
            stored.texts[decision.seat] = text
    if game.cover_at is not None and game.cover_at <= now:
        stored.missing = [d for d in stored.decisions if d.order_id is None and not d.optional]
        stored.drafts = queries.drafts(session, game.id, game.ply + 1)
    try:
        done = compute(table, stored, cap, thoughts or {})
    except Exception:  # noqa: BLE001 - whatever a game's rules raise, only that game stops
        return Advanced(letters=stuck.stick(session, now, table, traceback.format_exc()))
    letters = writing.write(session, now, table, done)
    return Advanced(len(done.run.steps), done.more, letters, _to_think(table, done.run))


def is_due(game: Game, now: datetime) -> bool:
    """Whether the game has something to carry on with."""
    return game.state == "running" and game.wake_at is not None and game.wake_at <= now


def _to_think(table: Table, run: Run) -> tuple[Thought, ...]:
    game = table.game
    return tuple(
        Thought(game.game, table.seats[seat].bot, game.seed, run.ply + 1, seat, run.rules.view(run.state, seat))
        for seat in run.to_think
    )


class Stored(msgspec.Struct):
    """What the database knows about a game's next ply."""

    snapshot: bytes
    aheads: dict[int, list[Ahead]]
    decisions: list[Decision] = []
    texts: dict[int, str | None] = {}
    """The order that counts so far, by seat."""
    missing: list[Decision] = []
    """Decisions whose time is over."""
    drafts: Mapping[int, str] = {}
    """The newest draft of each seat."""


def compute(table: Table, stored: Stored, cap: int, thoughts: Mapping[tuple[int, int], str]) -> writing.Done:
    """Let the rules work on what is stored; touches no database."""
    rules, game = table.rules, table.game
    if game.rules_version != rules.meta.version:
        raise CorruptState(
            Said(
                "The game was opened with rules version {opened}; this program plays version {ours}.",
                {"opened": game.rules_version, "ours": rules.meta.version},
            )
        )
    state = state_of(rules, stored.snapshot)
    run = Run(rules, state, game.seed, game.ply, table.chairs(stored.aheads), thoughts)
    phase = rules.scope(state).phase
    given = _given(run, stored)
    covered: dict[int, str] = {}
    for decision in stored.missing:
        hand = _cover(run, given, decision, table.seats[decision.seat], stored.drafts)
        if hand:
            covered[decision.seat] = hand
    more = run.go(given, cap)
    return writing.Done(run, stored.decisions, phase, covered, more)


def _given(run: Run, stored: Stored) -> dict[int, Given]:
    """The stored answers: orders for the present ply, and sealed lists as orders given ahead."""
    given: dict[int, Given] = {}
    for decision in stored.decisions:
        text = stored.texts[decision.seat]
        if text is None:
            continue
        if decision.sealed:
            _seal(run, decision.seat, text)
        else:
            given[decision.seat] = Given(run.rules.read(run.state, decision.seat, text), decision.hand)
    return given


def _seal(run: Run, seat: int, text: str) -> None:
    parsed = standing.parse(run.rules, text) if text else None
    run.chairs[seat].ahead.insert(0, Ahead(None, "sealed", text, run.rules.scope(run.state), parsed, changed=True))


def _cover(run: Run, given: dict[int, Given], decision: Decision, seat: Any, drafts: Mapping[int, str]) -> str:
    """Answer for a seat that missed its deadline, by its own ladder; which rung did it, empty if none could."""
    if decision.sealed:
        _seal(run, decision.seat, "")
        _announce(run, decision)
        return "cautious"
    for rung in seat.ladder or LADDER:
        order = _rung(run, rung, decision, seat, drafts)
        if order is not None:
            given[decision.seat] = Given(order, "autopilot")
            _announce(run, decision)
            return str(rung)
    return ""


def _rung(run: Run, rung: str, decision: Decision, seat: Any, drafts: Mapping[int, str]) -> Any:
    """The order one rung of the ladder gives, or None. Standing orders are tried by the run itself."""
    rules, state, number = run.rules, run.state, decision.seat
    if rung == "cautious":
        return None if decision.kind in seat.never else rules.cautious(rules.view(state, number))
    text = {"draft": drafts.get(number, ""), "pass": "pass"}.get(rung, "")
    if not text:
        return None
    try:
        order = rules.read(state, number, text)
    except EngineError:
        return None
    return None if rules.check(state, number, order) else order


def _announce(run: Run, decision: Decision) -> None:
    """Tell the table that the server answered; of a secret decision only the seat itself."""
    run.notes.append(
        Event(
            N_("{seat} ran out of time, so the server answered."),
            {"seat": decision.seat},
            seat=decision.seat,
            seen_by=(decision.seat,) if decision.secret else None,
        )
    )
