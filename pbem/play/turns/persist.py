"""What a run did, written down: plies, closed and opened decisions, deadlines, orders given ahead, letters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy import Executable, delete, insert, update
from sqlalchemy.orm import Session

from pbem import waking_hours
from pbem.engine.core import types
from pbem.letter_queue import LetterQueue
from pbem.play.deadlines import cadence as deadlines
from pbem.play.deadlines import delivery_clock, reminders
from pbem.play.deadlines.waiting_reasons import held_until
from pbem.play.turns.resolution import Premove, ResolvedPly, Run
from pbem.play.views.game_context import GameContext
from pbem.store import unit_of_work
from pbem.store.models import Game, GameState, OpenDecision, Seat, StoredOrder, StoredStandingOrders
from pbem.store.queries import common, ply_writes
from pbem.waking_hours import WakingHours

THINKING = timedelta(seconds=80)
"""How long a game is left to the worker whose bot thinks about it, a bot; longer than any of them takes."""


class RunWritten(msgspec.Struct):
    """A run and the plain rows it began with."""

    run: Any
    decisions: Sequence[OpenDecision]
    """Those that were open."""
    phase: str
    """The phase it began in."""
    covered: Mapping[int, str]
    """Seats that were answered for, and by what."""
    more: bool


def write(session: Session, now: datetime, table: GameContext, done: RunWritten) -> None:
    """Store everything a run did: plies, decisions, the game's row, orders given ahead, letters.

    Raises StaleRead if the game isn't as it was read; what was written till then is to be rolled back.
    """
    game, run = table.game, done.run
    post = LetterQueue(now, by_clock=bool(done.covered))
    game.tries = 1 if run.to_think else 0  # a bot that thinks may kill its worker: only the sweep begins it again
    if not run.steps or session.get_bind().dialect.name != "postgresql":
        ply_writes.hold(session, game)  # else the statement that writes the first ply does
    game.version += 1
    plies, asked = _plies(now, game, run.steps), list[ply_writes.Row]()
    beside = [*_ahead(now, game, run), *_charged(session, now, table, done), *_covered(done)]
    game.wake_at = None
    if done.more:
        unit_of_work.wake(session, game, now)
    if run.outcome is not None:
        _finish(now, table, run.outcome, post)
    elif not done.more:
        if run.steps or not done.decisions:
            asked = _opened(session, now, table, run, _asked_before(done))
        else:
            _keep_waiting(session, now, table, done, post)
        _tell(session, table, done, post)
    if run.held:
        since = None if run.steps else held_until(done.decisions)
        game.wake_at = since or deadlines.released(table.cadence, now)
    if run.to_think:
        game.wake_at = now + THINKING * len(run.to_think)
    ply_writes.write_run(session, now, game, plies, asked, post.take(session), beside)
    if done.covered:
        _tell_covered(session, table, done, post)
        post.send(session)


def _charged(session: Session, now: datetime, table: GameContext, done: RunWritten) -> Iterator[Executable]:
    """Deduct from the clock banks the seconds that these answers took beyond the decision's own time and days away."""
    for decision in done.decisions if done.run.steps else ():
        answered, base, player = decision.answered_at or now, decision.base_at, table.players.get(decision.seat)
        if base is not None and answered > base and player is not None:
            absent = waking_hours.union(common.absences_of(session, (player,), base).get(player.id, ()))
            over = answered - base - waking_hours.away(absent, base, answered)
            seat = table.seats[decision.seat]
            seat.bank_used += int(over.total_seconds())
            yield update(Seat).where(Seat.holds(seat)).values(bank_used=seat.bank_used)


def write_plies(session: Session, now: datetime, game: Game, steps: Sequence[ResolvedPly]) -> None:
    """Append plies and close what was asked for the first of them."""
    ply_writes.add_plies(session, now, _plies(now, game, steps))


def _plies(now: datetime, game: Game, steps: Sequence[ResolvedPly]) -> list[ply_writes.Row]:
    """Return the rows of plies; the game is then at the last of them."""
    if steps:
        game.ply = steps[-1].ply
    return [
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
    ]


def close_decisions(session: Session, now: datetime, game: Game) -> None:
    """Close what is asked for the ply to come."""
    ply_writes.close(session, now, game.id, game.ply + 1)


def _ahead(now: datetime, game: Game, run: Run) -> Iterator[Executable]:
    """Store how orders given ahead changed: new, used up, shortened, ended."""
    for seat in run.seats.values():
        for ahead in seat.ahead:
            if ahead.id is None and not ahead.ended:
                if run.steps or not (ahead.kind == "sealed" or ahead.of_decision):  # till then its decision keeps it
                    yield _added(now, game, seat.seat, ahead)
            elif ahead.id is not None and (ahead.uses or ahead.ended or ahead.changed):
                values: dict[str, Any] = {"text": ahead.text, "uses": StoredStandingOrders.uses + ahead.uses}
                values |= {"phase": ahead.stored.phase, "round": ahead.stored.round}
                if ahead.ended:
                    values |= {"ended_at": now, "ended_why": ahead.ended}
                yield update(StoredStandingOrders).where(StoredStandingOrders.id == ahead.id).values(values)


def _added(now: datetime, game: Game, seat: int, ahead: Premove) -> Executable:
    return insert(StoredStandingOrders).values(
        game_id=game.id,
        seat=seat,
        kind=ahead.kind,
        text=ahead.text,
        phase=ahead.stored.phase,
        round=ahead.stored.round,
        uses=ahead.uses,
        created_at=now,
        told_as=ahead.told_as,
    )


def _opened(
    session: Session, now: datetime, table: GameContext, run: Run, before: Mapping[int, OpenDecision]
) -> list[ply_writes.Row]:
    """Return what the state awaits of persons, with one deadline; decisions answered ahead are stored as answered.

    `before` are questions asked ahead of their turn that go on: they keep their time.
    """
    asked, beside = _to_ask(table, run)
    open_seats = [seat for seat in asked if seat not in run.answers]
    people = table.people(common.absences_of(session, table.players.values(), now))
    timed = list(asked) if run.held else open_seats  # a deadline that isn't there would tell, too
    counted = {seat for seat in timed for seat in (asked[seat].candidates or (seat,)) if seat in people}
    start = delivery_clock.rested(session, now, (table.players[seat] for seat in counted))
    set_deadline(table, start, [people[seat] for seat in sorted(counted)])
    sealing, rows = run.to_seal(), []
    for seat, decision in {**asked, **beside}.items():
        row = _question(session, now, table, run, seat, decision, start) | {"sealed": seat in sealing}
        if goes_on := before.get(seat):
            row |= {"opened_at": goes_on.opened_at, "began_at": goes_on.began_at}
        if seat in beside and not decision.ahead:
            row["due_at"] = None
        rows.append(row | _clock(table.cadence, people[seat], row))
    return rows


def _question(  # noqa: PLR0913, PLR0917 - a decision, whose it is, and when its time begins
    session: Session, now: datetime, table: GameContext, run: Run, seat: int, decision: types.Decision, start: datetime
) -> ply_writes.Row:
    """Return what a seat is asked for the ply to come, by the game's deadline, with what it has answered ahead."""
    game, given = table.game, run.answers.get(seat)
    return {
        "game_id": game.id,
        "ply": game.ply + 1,
        "seat": seat,
        "kind": decision.kind,
        "secret": decision.secret,
        "optional": decision.optional,
        "ahead": decision.ahead,
        "opened_at": now,
        "began_at": start,
        "held_until": deadlines.released(table.cadence, now) if run.is_held(decision) else None,
        "due_at": game.due_at,
        "due_version": game.due_version,
        "nudge_step": 0,
        "order_id": given and _store_given(session, now, game, seat, str(given.order), given.told_as or given.hand),
        "answered_at": now if given else None,
        "hand": given.hand if given else "",
    }


def _clock(cadence: deadlines.Cadence, person: WakingHours, row: Mapping[str, Any]) -> dict[str, datetime | None]:
    """Return when a seat's clock bank begins to run, and when it is reminded; None while nothing awaits its answer."""
    due, start = row["due_at"], row["began_at"]
    if due is None or row["ahead"]:
        return {"base_at": None, "nudge_at": None}
    return {
        "base_at": deadlines.base(cadence, person, start) if cadence.bank else None,
        "nudge_at": deadlines.nudge(cadence, person, start, due, 0),
    }


def _to_ask(table: GameContext, run: Run) -> tuple[dict[int, types.Decision], dict[int, types.Decision]]:
    """Return the decisions put to persons now, and those that may be answered along the way."""
    decisions = {s: d for s, d in run.rules.asked(run.state).items() if s in table.players}
    if sealing := run.to_seal():
        return {seat: decisions[seat] for seat in sealing if seat in decisions}, {}
    asked = {
        seat: decision
        for seat, decision in decisions.items()
        if decision.needed and not (seat in run.answers and run.answers[seat].hand == "forced")
    }
    beside = {seat: decision for seat, decision in decisions.items() if decision.optional or seat in run.early}
    return asked, beside


def _asked_before(done: RunWritten) -> dict[int, OpenDecision]:
    """Return by seat the unanswered decisions asked before their turn that the next ply asks unchanged."""
    if done.run.rules.scope(done.run.state).phase != done.phase:
        return {}
    return {
        decision.seat: decision
        for decision in done.decisions
        if decision.ahead and decision.order_id is None and decision.seat in done.run.early
    }


def set_deadline(table: GameContext, start: datetime, people: Sequence[Any]) -> None:
    """One deadline for the ply to come, from all who must answer and whose time begins at `start`."""
    game = table.game
    game.due_version += 1
    if not people:
        game.due_at = game.cover_at = game.wake_at = None
        return
    game.due_at = deadlines.joint(table.cadence, people, start)
    game.cover_at = game.wake_at = deadlines.cover(table.cadence, game.due_at)


def _store_given(session: Session, now: datetime, game: Game, seat: int, text: str, source: str) -> int:  # noqa: PLR0913, PLR0917 - whose, what, from where
    order = StoredOrder(
        game_id=game.id,
        ply=game.ply + 1,
        seat=seat,
        text=text,
        canonical=text,
        source=source,
        created_at=now,
    )
    session.add(order)
    session.flush()
    return order.id


def _keep_waiting(session: Session, now: datetime, table: GameContext, done: RunWritten, post: LetterQueue) -> None:
    """Nothing could be resolved: keep what standing orders answered meanwhile, and wait for the others.

    Of a seat that a bot has taken over nobody awaits an answer, of one that a person has taken over from a bot all do.
    """
    game, run = table.game, done.run
    for decision in done.decisions:
        row, seat = OpenDecision.id == decision.id, decision.seat
        if decision.order_id is not None:
            continue
        if seat not in table.players or (decision.ahead and seat not in run.early):
            session.execute(delete(OpenDecision).where(row))  # a plan made since will speak at the seat's turn
        elif (found := _found(run, decision, done.covered)) is not None:
            text, hand, source = found
            number = _store_given(session, now, game, seat, text, source)
            session.execute(update(OpenDecision).where(row).values(order_id=number, hand=hand, answered_at=now))
    answered = run.answers.keys() | {decision.seat for decision in done.decisions}
    new = {seat: decision for seat, decision in _to_ask(table, run)[0].items() if seat not in answered}
    if new:
        _ask_too(session, now, table, run, new, post)
    # Without one it was stopped, by a version that let clocks stand still for ever.
    if new or (game.due_at is None and not run.held):
        delivery_clock.move_deadline(session, table, now)
    game.wake_at = game.cover_at if game.cover_at is not None and game.cover_at > now else None


def _ask_too(  # noqa: PLR0913, PLR0917 - who is asked, what of, and by which letters
    session: Session,
    now: datetime,
    table: GameContext,
    run: Run,
    asked: Mapping[int, types.Decision],
    post: LetterQueue,
) -> None:
    """Put what others are asked already to seats that bots held then."""
    sealing, people = run.to_seal(), table.people(common.absences_of(session, table.players.values(), now))
    for seat, decision in sorted(asked.items()):
        row = _question(session, now, table, run, seat, decision, now) | {"sealed": seat in sealing}
        session.execute(insert(OpenDecision), row | _clock(table.cadence, people[seat], row))
        post.seat("your_turn", *table.addressee(seat), f"substitute.{table.seats[seat].joined_at}")


def _found(run: Run, decision: OpenDecision, covered: Mapping[int, str]) -> tuple[str, str, str] | None:
    """The answer that its player hasn't given, in whose hand, and as what it's told; None for nothing."""
    if decision.sealed:
        listed = (ahead.text for ahead in run.seats[decision.seat].ahead if ahead.kind == "sealed")
        return (next(listed), "autopilot", "autopilot") if decision.seat in covered else None
    given = run.answers.get(decision.seat)
    if given is None or given.hand not in {"standing", "autopilot"}:
        return None
    return str(given.order), given.hand, given.told_as or given.hand


def _finish(now: datetime, table: GameContext, outcome: types.Outcome, post: LetterQueue) -> None:
    game = table.game
    game.state = GameState.FINISHED
    game.finished_at = now
    game.outcome = msgspec.json.encode(outcome)
    game.due_at = game.cover_at = game.wake_at = None
    for number in table.players:
        post.seat("game_over", *table.addressee(number))


def _tell(session: Session, table: GameContext, done: RunWritten, post: LetterQueue) -> None:
    """Letters for what a run led to: your turn for who is asked, a report for who isn't once a phase is over."""
    run: Run = done.run
    if done.decisions and not run.steps:
        return
    asked, beside = _to_ask(table, run)
    early = {seat for seat, decision in beside.items() if decision.ahead} - _asked_before(done).keys()
    over = run.rules.scope(run.state).phase != done.phase
    waits: list[Seat] = []
    for number in table.players:
        kind = ""
        if number in early or (number in asked and number not in run.answers):
            kind = "your_turn"
            waits.append(table.seats[number])
        elif over or any(ahead.uses for ahead in run.seats[number].ahead):
            kind = "phase_report"
        if kind and number not in done.covered:  # the letter that says so shows and asks them the same
            post.seat(kind, *table.addressee(number))
    _tell_sitters(session, table, waits, post)


def _tell_sitters(session: Session, table: GameContext, seats: Sequence[Seat], post: LetterQueue) -> None:
    """Queue the question for who sits in for an asked seat."""
    game = table.game
    for number, sitter in common.sitters_of(session, game.id, seats, post.now):
        cause = f"{game.id}:{game.ply}:{number}:your_turn:sitter.{sitter.id}"
        post.person("your_turn", sitter, cause, game_id=game.id, ply=game.ply, seat=number, club_id=game.club_id)


def _covered(done: RunWritten) -> Iterator[Executable]:
    """Note who was answered for."""
    if late := [decision.id for decision in done.decisions if decision.seat in done.covered]:
        yield update(OpenDecision).where(OpenDecision.id.in_(late)).values(hand="autopilot")


def _tell_covered(session: Session, table: GameContext, done: RunWritten, post: LetterQueue) -> None:
    """Tell who was answered for; the others too once they may vote for a substitute."""
    answered = done.run.ply - len(done.run.steps) + 1  # the ply that was asked for
    for number, rung in done.covered.items():
        post.seat("covered", *table.addressee(number), by=rung, answered=answered)
        missed = reminders.missed(session, table.seats[number])
        if missed == reminders.PATIENCE:
            reminders.tell_others(table, number, missed, post)
