"""A turn's last step: read the game, resolve the plies that carry, write them and their letters in one commit."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy.orm import Session

from pbem.engine.core.errors import EngineError, UnknownVersion
from pbem.engine.core.message import N_, Event
from pbem.engine.registry import rules_for, rules_of
from pbem.engine.text import standing_orders, standing_text
from pbem.play.deadlines import reminders
from pbem.play.deadlines.waiting_reasons import has_others, held_until
from pbem.play.turns import persist, stuck
from pbem.play.turns.resolution import CAP, GivenAhead, Premove, Run, choice
from pbem.play.views.game_context import GameContext, aheads_of, seated, state_of
from pbem.store.models import Game, GameState, OpenDecision
from pbem.store.queries import common, ply_inputs, ply_writes
from pbem.store.queries.ply_inputs import PlyInputs
from pbem.store.statements import has_begun
from pbem.structs import Value

LADDER = ("draft", "cautious")
"""What answers for a player who missed the deadline, unless they chose otherwise."""
PUT_OFF = timedelta(seconds=10)
"""When a game is looked at again whose deadline passed while the server was down and whose time isn't given back yet:
due all the while, and longest, it would be claimed again and again before every other game."""
APART = 2 * ply_inputs.READ * ply_inputs.PARTS
"""Games after which who found somebody else among those due longest looks there again: that may cost a ply in vain,
but were all workers elsewhere, as more always comes, nobody would ever be there."""


class BotTask(Value):
    """A decision of a bot that thinks for seconds, to be made outside any transaction; it knows one view."""

    game: str
    version: int
    """Of the rules."""
    bot: str
    seed: str
    ply: int
    seat: int
    view: Any

    def ponder(self) -> str:
        """Return the bot's order; it may take as many seconds as its name says."""
        return str(choice(rules_of(self.game, self.version), self.bot, self.view, self.seed, self.ply))


class AdvanceResult(Value):
    """The result of one run: the plies it resolved, whether to run on, and what bots are to think about."""

    game: int = 0
    """Its number; 0 if nothing was done."""
    plies: int = 0
    more: bool = False
    """Whether it stopped at the cap, so that another run is due at once."""
    think: tuple[BotTask, ...] = ()
    """Bots that must be given time: let them `ponder` outside the transaction and hand the result to the next run."""
    lease: datetime | None = None
    """Until when the game is left to this worker for that; afterwards it is due again, and another one takes it on."""


NOTHING = AdvanceResult()


def advance(  # noqa: PLR0913 - a run, and what the one before it began
    session: Session,
    now: datetime,
    game_id: int,
    cap: int = CAP,
    *,
    thoughts: Mapping[tuple[int, int], str] | None = None,
    lease: datetime | None = None,
) -> AdvanceResult:
    """Resolve what is due of a game and commit nothing. Idempotent: a game that isn't due stays as it is.

    `thoughts`: what bots came up with, by ply and seat, while the game was left to this worker until `lease`.
    A game whose rules raise or aren't known is marked stuck with the trace, and its organiser told.
    """
    found = ply_inputs.claim(session, game_id)
    if found is None or not (is_due(found.game, now) or (lease is not None and found.game.wake_at == lease)):
        return NOTHING
    return _carry_on(session, now, found, cap, thoughts or {})


class DueGames(msgspec.Struct):
    """What one worker has read of the games that are due, beside others that do the same."""

    read: list[PlyInputs] = []
    """Those that are still to be carried on."""
    passed: set[tuple[int, int]] = set()
    """Games, with their versions, at which somebody else was: after each it reads on in another part."""
    apart: int = 0
    """Games that it still carries on there."""
    may_think: Callable[[], bool] = lambda: True
    """Whether this worker takes a game on whose bot needs time; one that it doesn't is passed."""


def advance_next(session: Session, now: datetime, due: DueGames) -> AdvanceResult | None:
    """Advance one of the games that have been due longest and that nobody else works on; None if there is none.

    It is read without a lock, with others, and written only if it is as it was read; what a run wrote of a game that
    isn't is rolled back. Games that failed before are left to the sweep, which begins them one by one.
    """
    while due.read or _look(session, now, due):
        found = due.read.pop(-(len(due.passed) % 2))  # who found somebody else here begins at the other end
        read = found.game.id, found.game.version
        due.apart -= 1
        try:
            return _carry_on(session, now, found, CAP, {}, due.may_think)
        except ply_writes.StaleRead:
            if has_begun(session):  # else there is but what others that were read with it have made due
                session.rollback()
            due.passed.add(read)
            due.apart = APART
            due.read.clear()  # whoever was there may have read the others, too
    return None


def _look(session: Session, now: datetime, due: DueGames) -> bool:
    """Read what is due; whether there is anything that nobody else is at."""
    if due.apart < 0:
        due.passed.clear()
    for part in (-len(due.passed) % ply_inputs.PARTS, *range(ply_inputs.PARTS)):
        found = ply_inputs.due(session, now, part)
        due.read = [one for one in found if (one.game.id, one.game.version) not in due.passed]
        if due.read or (part == 0 and len(found) < ply_inputs.READ):
            break
    return bool(due.read)


def _carry_on(  # noqa: PLR0913, PLR0917 - a run, and what the one before it began
    session: Session,
    now: datetime,
    inputs: PlyInputs,
    cap: int,
    thoughts: Mapping[tuple[int, int], str],
    may_think: Callable[[], bool] = lambda: True,
) -> AdvanceResult:
    game = inputs.game
    try:
        rules_for(game)
    except UnknownVersion as fault:
        return _set_aside(session, now, game, str(fault))
    table = seated(game, ((held.seat, held.player) for held in inputs.seats))
    stored = CarriedOn(inputs.snapshot, aheads_of(session, table) if inputs.ahead else {})
    for held in inputs.seats:
        if held.decision is not None:
            stored.decisions.append(held.decision)
            stored.texts[held.seat.seat] = held.order
            stored.sources[held.seat.seat] = held.source
    # Who answered while we waited for the game answered before this ply, whatever our clock says.
    now = max((now, *(d.answered_at for d in stored.decisions if d.answered_at is not None)))
    stored.released = is_released(stored.decisions, now)
    if game.cover_at is not None and game.cover_at <= now:
        needed = (d for d in stored.decisions if d.order_id is None and not (d.optional or d.ahead))
        stored.missing = [d for d in needed if d.seat in table.players]
        if stored.missing and reminders.stood_still(session, now):
            return _put_off(session, now, game)
        stored.drafts = common.drafts(session, game.id, game.ply + 1)
    try:
        done = compute(table, stored, cap, thoughts)
    except Exception:  # noqa: BLE001 - whatever a game's rules raise, only that game stops
        return _set_aside(session, now, game, traceback.format_exc())
    if done.run.to_think and not may_think():
        raise ply_writes.StaleRead
    persist.write(session, now, table, done)
    session.expire_all()  # what the session holds of the game was written past it
    think = _to_think(table, done.run)
    return AdvanceResult(game.id, len(done.run.steps), done.more, think, game.wake_at if think else None)


def _put_off(session: Session, now: datetime, game: Game) -> AdvanceResult:
    ply_writes.hold(session, game)
    game.version += 1
    game.wake_at = now + PUT_OFF
    ply_writes.save_game(session, game)
    return NOTHING


def _set_aside(session: Session, now: datetime, game: Game, trace: str) -> AdvanceResult:
    ply_writes.hold(session, game)
    stuck.set_aside(session, now, session.get_one(Game, game.id, populate_existing=True), trace)
    return NOTHING


def is_released(decisions: Sequence[OpenDecision], now: datetime) -> bool:
    """Return whether the answers to what is open count by now."""
    moment = held_until(decisions)
    return moment <= now if moment is not None else bool(decisions)


def is_due(game: Game, now: datetime) -> bool:
    """Return whether the game runs and its `wake_at` has come."""
    return game.state == GameState.RUNNING and game.wake_at is not None and game.wake_at <= now


def _to_think(table: GameContext, run: Run) -> tuple[BotTask, ...]:
    game = table.game
    return tuple(
        BotTask(
            game.game,
            game.rules_version,
            table.seats[seat].bot,
            game.seed,
            run.ply + 1,
            seat,
            run.rules.view(run.state, seat),
        )
        for seat in run.to_think
    )


class CarriedOn(msgspec.Struct):
    """What a run works on, read from the database: the state, orders, orders given ahead, and who is to be covered."""

    snapshot: bytes
    aheads: dict[int, list[Premove]]
    decisions: list[OpenDecision] = []
    texts: dict[int, str | None] = {}
    """The order that counts so far, by seat."""
    sources: dict[int, str | None] = {}
    """The way by which that came, by seat."""
    missing: list[OpenDecision] = []
    """Decisions whose time is over."""
    drafts: Mapping[int, str] = {}
    """The newest draft of each seat."""
    released: bool = False
    """Whether the time has come at which answers that are held count."""


def compute(
    table: GameContext, stored: CarriedOn, cap: int, thoughts: Mapping[tuple[int, int], str]
) -> persist.RunWritten:
    """Run the rules on what is stored; no database is touched."""
    rules, game = table.rules, table.game
    state = state_of(rules, stored.snapshot)
    run = Run(rules, state, game.seed, game.ply, table.run_seats(stored.aheads), thoughts)
    run.holds = has_others(table.seats.values()) and table.cadence.release > 0
    run.released = stored.released
    phase = rules.scope(state).phase
    given = _given(run, stored)
    covered: dict[int, str] = {}
    for decision in stored.missing:
        hand = _cover(run, given, decision, table.seats[decision.seat], stored.drafts.get(decision.seat, ""))
        if hand:
            covered[decision.seat] = hand
    more = run.go(given, cap)
    return persist.RunWritten(run, stored.decisions, phase, covered, more)


def _given(run: Run, stored: CarriedOn) -> dict[int, GivenAhead]:
    """Return the stored answers: orders for the present ply, and sealed lists as orders given ahead."""
    given: dict[int, GivenAhead] = {}
    for decision in stored.decisions:
        text = stored.texts[decision.seat]
        if text is None:
            continue
        if decision.hand == "autopilot":  # covered earlier, while others were waited for: nothing was told then
            _announce(run, decision)
        if decision.hand == "standing" and decision.answered_at != decision.opened_at:  # else it was told on opening
            run.tell_use(decision.seat, text, stored.sources[decision.seat] or "standing")
        told_as = "sitter" if decision.hand == "sitter" else ""
        if decision.sealed:
            _seal(run, decision.seat, text, told_as)
        elif run.rules.asked(run.state)[decision.seat].ahead:
            scope = run.rules.scope(run.state)
            kept = Premove(None, "then", text, scope, changed=True, of_decision=True, told_as=told_as)
            run.seats[decision.seat].ahead.insert(0, kept)
        else:
            given[decision.seat] = GivenAhead(run.rules.read(run.state, decision.seat, text), decision.hand)
    return given


def _seal(run: Run, seat: int, text: str, told_as: str = "") -> None:
    parsed, scope = standing_text.parse(run.rules, text) if text else None, run.rules.scope(run.state)
    run.seats[seat].ahead.insert(0, Premove(None, "sealed", text, scope, parsed, changed=True, told_as=told_as))


def _cover(run: Run, given: dict[int, GivenAhead], decision: OpenDecision, seat: Any, draft: str) -> str:
    """Answer for a seat that missed its deadline, by its own ladder; which rung did it, empty if none could."""
    number = decision.seat
    for rung in seat.ladder or LADDER:
        if rung == "cautious" and decision.kind in seat.never:
            continue
        if _seal_for(run, rung, number, draft) if decision.sealed else _answer_for(run, given, rung, number, draft):
            _announce(run, decision)
            return str(rung)
    return ""


def _seal_for(run: Run, rung: str, seat: int, draft: str) -> bool:
    """Let one rung of the ladder give the list of a sealed auction; an empty one is the safe default."""
    text = {"draft": draft or None, "pass": "pass", "cautious": ""}.get(rung)
    if text is None:
        return False
    try:
        if text:
            standing_orders.sealed_list(run.rules, text)
    except EngineError:
        return False
    _seal(run, seat, text)
    return True


def _answer_for(run: Run, given: dict[int, GivenAhead], rung: str, seat: int, draft: str) -> bool:
    """Let one rung of the ladder answer; whether it could. Standing orders are tried by the run itself."""
    rules, state = run.rules, run.state
    if rung == "cautious":
        given[seat] = GivenAhead(rules.cautious(rules.view(state, seat)), "autopilot")
        return True
    text = {"draft": draft, "pass": "pass"}.get(rung, "")
    try:
        first, rest = standing_text.split(text)
        found = standing_orders.follow(rules, state, seat, (first, *rest))
    except EngineError:
        return False
    if found.order is None:
        return False
    given[seat] = GivenAhead(found.order, "autopilot")
    if found.rest:
        chain = Premove(None, "then", "\n".join(found.rest), rules.scope(state), changed=True)
        run.seats[seat].ahead.insert(0, chain)
    return True


def _announce(run: Run, decision: OpenDecision) -> None:
    """Tell the table that the server answered; of a secret decision only the seat itself."""
    run.notes.append(
        Event(
            N_("{seat} ran out of time, so the server answered."),
            {"seat": decision.seat},
            seat=decision.seat,
            seen_by=(decision.seat,) if decision.secret else None,
        )
    )
