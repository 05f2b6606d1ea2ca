"""Playing records again: by the chance results they carry or by our own generator, with every mismatch named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

import msgspec

from pbem.engine.core import records
from pbem.engine.core.errors import CorruptState, EngineError
from pbem.engine.core.message import Event, Message
from pbem.engine.core.records import WITHHELD, Record, RecordedPly, RecordedResult
from pbem.engine.core.rng import Chance, Recorded, Rng
from pbem.engine.core.types import AnyRules, Decision
from pbem.engine.registry import rules_of
from pbem.structs import Value

MAX_MISMATCHES = 20
"""Lines reported as different; the first one usually explains the rest."""


class ReplayedPly(Value):
    """One ply played again."""

    ply: RecordedPly
    """What was played, in canonical order text, with the chance results that came up."""
    state: Any
    """The state afterwards. The next step may work on it in place: `copy` it to keep it."""
    events: tuple[Event, ...]


def digest(state: object) -> str:
    """Return the SHA-256 of the state's JSON in hex: equal for equal states, on any machine."""
    return sha256(msgspec.json.encode(state)).hexdigest()


def play(record: Record, *, drawn: bool = False) -> Iterator[ReplayedPly]:
    """Play `record` ply by ply: by its recorded chance results or, if `drawn`, by our generator from its seed.

    Raises CorruptState at the first ply that can't be played, saying why; UnknownVersion if we don't know its rules.
    """
    rules = rules_of(record.game, record.version)
    targets = {ply.undo for ply in record.plies}
    kept: dict[int, Any] = {}
    state: Any = None
    for ply in record.plies:
        chance = _chance(record, ply, drawn=drawn)
        try:
            state, orders, events = _one(rules, record, state if ply.undo is None else kept[ply.undo], ply, chance)
        except EngineError as error:
            raise CorruptState(Message("Ply {ply}: {why}", {"ply": ply.number, "why": str(error)})) from error
        left = chance.left() if isinstance(chance, Recorded) else ()
        if left:
            text = "Ply {ply}: nothing asks for the chance result {line!r}."
            raise CorruptState(Message(text, {"ply": ply.number, "line": left[0]}))
        if ply.number in targets:
            kept[ply.number] = rules.copy(state)
        yield ReplayedPly(RecordedPly(ply.number, orders, tuple(chance.log), ply.undo), state, events)


def _chance(record: Record, ply: RecordedPly, *, drawn: bool) -> Chance:
    if not drawn:
        return Recorded(ply.chance)
    if record.seed is None:
        raise CorruptState(Message("The record carries no seed, so its chance results can't be drawn again."))
    return Rng(record.seed, ply.number)


def _one(
    rules: AnyRules, record: Record, state: Any, ply: RecordedPly, chance: Chance
) -> tuple[Any, dict[int, str], tuple[Event, ...]]:
    if ply.number == 0:
        start = rules.setup(record.seats, record.options, chance)
        return start.state, {}, start.events
    if ply.undo is not None:
        return rules.copy(state), {}, ()
    orders = _orders(rules, state, ply)
    events = rules.apply(state, orders, chance)
    return state, {seat: str(order) for seat, order in orders.items()}, tuple(events)


def _orders(rules: AnyRules, state: Any, ply: RecordedPly) -> dict[int, Any]:
    if ply.withheld or WITHHELD in ply.orders.values():
        raise CorruptState(Message("its orders are withheld; only the whole record can be replayed."))
    asked, given = rules.asked(state), set(ply.orders)
    awaited = {seat for seat, decision in asked.items() if decision.needed}
    if not asked:
        raise CorruptState(Message("the game was over before it."))
    if not awaited <= given or any(seat not in asked or asked[seat].sealed for seat in given - awaited):
        seats = {"due": tuple(sorted(awaited)), "found": tuple(sorted(given))}
        raise CorruptState(Message("orders of seats {due} are due, the record has seats {found}.", seats))
    return {seat: _legal(rules, state, seat, text) for seat, text in ply.orders.items()}


def _legal(rules: AnyRules, state: Any, seat: int, text: str) -> Any:
    order = rules.read(state, seat, text)
    faults = rules.check(state, seat, order)
    if faults:
        why = " ".join(str(fault) for fault in faults)
        said = "seat {seat}: {text!r} is not legal. {why}"
        raise CorruptState(Message(said, {"seat": seat, "text": text, "why": why}))
    return order


def finish(record: Record, *, drawn: bool = False) -> tuple[Record, str]:
    """Play all of `record`; give it as it came out, with its result, and the last state's digest."""
    plies, step = [], None
    for step in play(record, drawn=drawn):
        plies.append(step.ply)
    if step is None:
        raise CorruptState(Message("The record has no plies."))
    seal = digest(step.state)
    outcome = rules_of(record.game, record.version).outcome(step.state)
    result = outcome and RecordedResult(outcome.scores, outcome.places, outcome.ending, seal)
    return msgspec.structs.replace(record, plies=tuple(plies), result=result), seal


def at(record: Record, ply: int) -> Any:
    """Return the state after `ply` (a negative number counts from the end), to open a recorded game at any point."""
    number = ply if ply >= 0 else record.plies[ply].number
    for step in play(record):
        if step.ply.number == number:
            return step.state
    text = "The record has no ply {ply}; its last is {last}."
    raise CorruptState(Message(text, {"ply": number, "last": len(record.plies) - 1}))


def mismatches(text: str) -> tuple[str, ...]:
    """Return every line of a record that playing it does not bear out; empty for a sound record.

    It is played by its own chance results and, if it has a seed, once more by our generator.
    Raises CorruptState if the text is no record.
    """
    record = records.parse(text)
    ways = (False, True) if record.seed is not None else (False,)
    return tuple(dict.fromkeys(line for drawn in ways for line in _differences(text, record, drawn=drawn)))


def _differences(text: str, record: Record, *, drawn: bool) -> Iterator[str]:
    try:
        found = records.write(finish(record, drawn=drawn)[0])
    except EngineError as error:
        yield str(error)
        return
    way = "drawn from its seed" if drawn else "by its own chance results"
    theirs, ours = _numbered(text), _numbered(found)
    if len(theirs) != len(ours):
        yield f"The record has {len(theirs)} lines; played {way}, it has {len(ours)}."
    differing = [(a, b) for a, b in zip(theirs, ours, strict=False) if a[1] != b[1]]
    for (line, has), (_, due) in differing[:MAX_MISMATCHES]:
        yield f"Line {line}: the record has {has!r}; played {way}, it is {due!r}."


def _numbered(text: str) -> list[tuple[int, str]]:
    return [(number, line) for number, line in enumerate(text.replace("\r", "").split("\n"), 1) if line.strip()]


def rewrite(text: str) -> str:
    """Return the record as it comes out when played: canonical orders, result and digest filled in.

    With a seed the chance results are drawn; without, the recorded ones are kept.
    """
    record = records.parse(text)
    return records.write(finish(record, drawn=record.seed is not None)[0])


def redact(record: Record) -> Record:
    """Return what an export of a running game may show: no seed, no digest, no secret orders, no hidden chance results.

    A ply that answered a secret decision shows not even whose orders it took.
    """
    rules = rules_of(record.game, record.version)
    state, shown = None, []
    before: Mapping[int, Decision] = {}
    for step in play(record):
        shown.append(_shown(rules, before, step.ply))
        state = step.state
        before = rules.asked(state)
    if state is None or not before:
        return record
    return records.without(record, shown)


def _shown(rules: AnyRules, before: Mapping[int, Decision], ply: RecordedPly) -> RecordedPly:
    chance = tuple(_public(rules, line) for line in ply.chance)
    if not ply.orders:
        return RecordedPly(ply.number, {}, chance, ply.undo)
    if any(before[seat].secret and before[seat].needed for seat in ply.orders):
        return RecordedPly(ply.number, {}, chance, withheld=True)
    return RecordedPly(ply.number, dict(_visible(rules, before, ply.orders)), chance)


def _visible(rules: AnyRules, asked: Mapping[int, Decision], orders: Mapping[int, str]) -> Iterator[tuple[int, str]]:
    for seat, text in orders.items():
        decision = asked[seat]
        hidden = decision.secret or decision.kind in rules.meta.hidden_orders
        if decision.needed:
            yield seat, WITHHELD if hidden else text
        elif not hidden:
            yield seat, text


def _public(rules: AnyRules, line: str) -> str:
    label = line.partition(":")[0]
    word = label.replace("-", " ").split(" ", 1)[0]
    return f"{label}: {WITHHELD}" if word in rules.meta.hidden_chance else line
