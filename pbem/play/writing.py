"""What a run did, written down: plies, closed and opened decisions, deadlines, orders given ahead, letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import msgspec
from sqlalchemy import insert, update

from pbem.play import deadlines
from pbem.play.post import Post
from pbem.store import queries
from pbem.store.tables import Decision, Game, Letter, Order, Ply, Seat, Standing

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Table as Table_
    from sqlalchemy.orm import Session

    from pbem.engine import types
    from pbem.play.run import Ahead, Given, Run, Step
    from pbem.play.table import Table


_PLIES, _DECISIONS, _LETTERS = (cast("Table_", table.__table__) for table in (Ply, Decision, Letter))
"""Written to without the ORM, which costs a third of a ply's time."""


class Done(msgspec.Struct):
    """A run, and what was known before it."""

    run: Any
    decisions: Sequence[Decision]
    """Those that were open."""
    phase: str
    """The phase it began in."""
    covered: Mapping[int, str]
    """Seats that were answered for, and by what."""
    more: bool


def write(session: Session, now: datetime, table: Table, done: Done) -> bool:
    """Store everything a run did; whether letters were written."""
    with session.no_autoflush:  # one statement for each table, at the end
        return _write(session, now, table, done)


def _write(session: Session, now: datetime, table: Table, done: Done) -> bool:
    game, run = table.game, done.run
    post = Post(now)
    game.tries = 0
    game.version += 1
    if run.steps:
        write_plies(session, now, game, run.steps)
        _charge(now, table, done.decisions)
    _write_ahead(session, now, game, run)
    game.wake_at = now if done.more else None
    if run.outcome is not None:
        _finish(now, table, run.outcome, post)
    elif not done.more:
        if run.steps or not done.decisions:
            open_decisions(session, now, table, run)
        else:
            _keep_waiting(session, now, table, done)
        _tell(session, table, done, post)
    if run.to_think:
        game.wake_at = now
    _tell_covered(table, done, post)
    session.flush()
    return post.send(session)


def _charge(now: datetime, table: Table, decisions: Sequence[Decision]) -> None:
    """Take from the banks what these answers, or the lack of them, took beyond their own time."""
    for decision in decisions:
        if decision.base_at is not None:
            over = (decision.answered_at or now) - decision.base_at
            table.seats[decision.seat].bank_used += max(int(over.total_seconds()), 0)


def write_plies(session: Session, now: datetime, game: Game, steps: Sequence[Step]) -> None:
    """Append plies and close what was asked for the first of them."""
    session.execute(
        insert(_PLIES),
        [
            {
                "game_id": game.id,
                "ply": step.ply,
                "kind": "orders" if step.ply else "setup",
                "orders": {str(seat): text for seat, text in step.orders.items()},
                "hands": {str(seat): hand for seat, hand in step.hands.items()},
                "chance": list(step.chance),
                "events": step.events,
                "snapshot": step.snapshot,
                "digest": step.digest,
                "phase": step.phase,
                "round": step.round,
                "resolved_at": now,
            }
            for step in steps
        ],
    )
    close_decisions(session, now, game)
    if len(steps[0].orders) > 1:
        _drop_receipts(session, game)
    game.ply = steps[-1].ply


def close_decisions(session: Session, now: datetime, game: Game) -> None:
    """Close what is asked for the ply to come."""
    session.execute(
        update(_DECISIONS)
        .where(_DECISIONS.c.game_id == game.id, _DECISIONS.c.ply == game.ply + 1, _DECISIONS.c.closed_at.is_(None))
        .values(closed_at=now, nudge_at=None)
    )


def _drop_receipts(session: Session, game: Game) -> None:
    """Receipts of orders that are played by now need not go out, but for those that answer a mail."""
    session.execute(
        update(_LETTERS)
        .where(
            _LETTERS.c.game_id == game.id,
            _LETTERS.c.ply == game.ply,
            _LETTERS.c.kind == "receipt",
            _LETTERS.c.state == "pending",
            _LETTERS.c.mail_id.is_(None),
        )
        .values(state="dropped")
    )


def _write_ahead(session: Session, now: datetime, game: Game, run: Run) -> None:
    """Keep the books of orders given ahead: what is new, used up, shortened or over."""
    for chair in run.chairs.values():
        for ahead in chair.ahead:
            if ahead.id is None and not ahead.ended:
                session.add(_row(now, game, chair.seat, ahead))
            elif ahead.id is not None and (ahead.uses or ahead.ended or ahead.changed):
                values: dict[str, Any] = {"text": ahead.text, "uses": Standing.uses + ahead.uses}
                if ahead.ended:
                    values |= {"ended_at": now, "ended_why": ahead.ended}
                session.execute(update(Standing).where(Standing.id == ahead.id).values(values))


def _row(now: datetime, game: Game, seat: int, ahead: Ahead) -> Standing:
    return Standing(
        game_id=game.id,
        seat=seat,
        kind=ahead.kind,
        text=ahead.text,
        phase=ahead.stored.phase,
        round=ahead.stored.round,
        uses=ahead.uses,
        created_at=now,
    )


def open_decisions(session: Session, now: datetime, table: Table, run: Run) -> None:
    """Ask what the state awaits of persons, with one deadline; decisions answered ahead are stored as answered."""
    game = table.game
    asked, riding = _to_ask(table, run)
    open_seats = [seat for seat in asked if seat not in run.answers]
    absent = queries.absences_of(session, table.players.values(), now)
    people = table.people(absent)
    cadence = deadlines.cadence_of(game.cadence)
    counted = {seat for seat in open_seats for seat in (asked[seat].candidates or (seat,)) if seat in people}
    set_deadline(table, now, [people[seat] for seat in sorted(counted)], counted)
    rows = []
    for seat, decision in {**asked, **riding}.items():
        given = run.answers.get(seat)
        waits = seat in open_seats
        due = game.due_at if waits else None
        rows.append(
            {
                "game_id": game.id,
                "ply": game.ply + 1,
                "seat": seat,
                "kind": decision.kind,
                "secret": decision.secret,
                "optional": seat in riding,
                "sealed": seat in run.to_seal(),
                "opened_at": now,
                "due_at": due,
                "base_at": deadlines.base(cadence, people[seat], now) if due and cadence.bank else None,
                "due_version": game.due_version,
                "nudge_at": deadlines.nudge(cadence, people[seat], now, due, 0) if due else None,
                "nudge_step": 0,
                "order_id": _store_given(session, now, game, seat, given) if given else None,
                "answered_at": now if given else None,
                "hand": given.hand if given else "",
            }
        )
    if rows:
        session.execute(insert(_DECISIONS), rows)


def _to_ask(table: Table, run: Run) -> tuple[dict[int, types.Decision], dict[int, types.Decision]]:
    """The decisions put to persons now, and those that may be answered along the way."""
    awaited = run.rules.awaited(run.state)
    sealing = run.to_seal()
    if sealing:
        one = next(iter(awaited.values()))
        return {seat: one for seat in sealing if seat in table.players}, {}
    asked = {
        seat: decision
        for seat, decision in awaited.items()
        if seat in table.players and not (seat in run.answers and run.answers[seat].hand == "forced")
    }
    return asked, {s: d for s, d in run.rules.optional(run.state).items() if s in table.players}


def set_deadline(table: Table, now: datetime, people: Sequence[Any], seats: set[int]) -> None:
    """One deadline for the ply to come, from all who must answer; none while one of them can't be reached."""
    game = table.game
    game.due_version += 1
    if not people or not all(table.is_reachable(seat) for seat in seats):
        game.due_at = game.cover_at = game.wake_at = None
        return
    cadence = deadlines.cadence_of(game.cadence)
    game.due_at = deadlines.joint(cadence, people, now)
    game.cover_at = game.wake_at = deadlines.cover(cadence, game.due_at)


def _store_given(session: Session, now: datetime, game: Game, seat: int, given: Given) -> int:
    text = str(given.order)
    order = Order(
        game_id=game.id,
        ply=game.ply + 1,
        seat=seat,
        text=text,
        canonical=text,
        source=given.hand,
        created_at=now,
    )
    session.add(order)
    session.flush()
    return order.id


def _keep_waiting(session: Session, now: datetime, table: Table, done: Done) -> None:
    """Nothing could be resolved: keep what standing orders answered meanwhile, and wait for the others."""
    game, run = table.game, done.run
    for decision in done.decisions:
        given = run.answers.get(decision.seat)
        if decision.order_id is None and given is not None and given.hand in {"standing", "autopilot"}:
            decision.order_id = _store_given(session, now, game, decision.seat, given)
            decision.answered_at, decision.hand, decision.nudge_at = now, given.hand, None
    game.wake_at = game.cover_at if game.cover_at is not None and game.cover_at > now else None


def _finish(now: datetime, table: Table, outcome: types.Outcome, post: Post) -> None:
    game = table.game
    game.state = "finished"
    game.finished_at = now
    game.outcome = msgspec.json.encode(outcome)
    game.due_at = game.cover_at = game.wake_at = None
    for number, player in table.players.items():
        post.seat("game_over", game, table.seats[number], player)


def _tell(session: Session, table: Table, done: Done, post: Post) -> None:
    """Letters for what a run led to: your turn for who is asked, a report for who isn't once a phase is over."""
    run: Run = done.run
    if done.decisions and not run.steps:
        return
    asked, _ = _to_ask(table, run)
    over = run.rules.scope(run.state).phase != done.phase
    waits: list[Seat] = []
    for number, player in table.players.items():
        seat = table.seats[number]
        if number in asked and number not in run.answers:
            post.seat("your_turn", table.game, seat, player)
            waits.append(seat)
        elif over or any(ahead.uses for ahead in run.chairs[number].ahead):
            post.seat("phase_report", table.game, seat, player)
    _tell_sitters(session, table, waits, post)


def _tell_sitters(session: Session, table: Table, seats: Sequence[Seat], post: Post) -> None:
    """Who sits in for a seat that is asked gets the question too."""
    game = table.game
    for number, sitter in queries.sitters_of(session, seats, post.now):
        cause = f"{game.id}:{game.ply}:{number}:your_turn:sitter.{sitter.id}"
        post.person("your_turn", sitter, cause, game_id=game.id, ply=game.ply, seat=number, club_id=game.club_id)


def _tell_covered(table: Table, done: Done, post: Post) -> None:
    for number, rung in done.covered.items():
        if done.run.steps:
            post.seat("covered", table.game, table.seats[number], table.players[number], by=rung)
