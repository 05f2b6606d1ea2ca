"""Standing orders: answers given ahead, and what they answer when the time comes.

Nothing here is part of a game's state. A standing order is a list of lines; the first whose condition holds and whose
order is legal is used, `ask me` stops the list, `a; then b` carries on with b at the seat's next decision, and
`a; else b` gives b if a isn't possible.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from pbem.engine.core.errors import REFUSALS, InvalidOrder, invalid
from pbem.engine.core.message import N_, Message, Param, Params, sentence
from pbem.engine.core.types import AnyRules, Order, Scope
from pbem.engine.text.conditions import Not, decided, holds, spoken
from pbem.engine.text.notation import matches_grammar, of_kind
from pbem.engine.text.standing_text import StandingClause, StandingOrders, StandingReader, alternatives, parse
from pbem.structs import Value

_IN_WORDS = {
    "phase": N_("Until this phase is over:"),
    "round": N_("Until this round is over:"),
    "changed": N_("Until you change it:"),
}
_LISTED = N_("Your list. The first line that fits is your bid:")
_MAY_ASK = N_("You are asked for a list: it may come to the line {line}.")
_NO_LIST = N_("You are asked for a list: no line for bids is sure to count, whatever the others bid.")


class StandingAnswer(Value):
    """What a standing order says to the present decision; `order` is None if its owner is to be asked."""

    order: Any = None
    text: str = ""
    """The canonical text of `order`."""
    line: int = 0
    """Which of the lines it was, counted from 1; 0 if none applied."""
    rest: tuple[str, ...] = ()
    """Links of a chain for the seat's next decisions; they come before the standing order."""
    why: tuple[Message, ...] = ()
    """What came of each line up to the one used."""


def expired(standing: StandingOrders, stored: Scope, now: Scope) -> bool:
    """Return whether a standing order given at `stored` has outlived its scope `now`."""
    if standing.scope == "changed":
        return False
    return stored.round != now.round or (standing.scope == "phase" and stored.phase != now.phase)


def answer(rules: AnyRules, state: Any, seat: int, standing: StandingOrders) -> StandingAnswer:
    """Return what `standing` answers to the present decision of `seat`: an order, or nothing and the owner is asked."""
    kind = rules.asked(state)[seat].kind
    facts = rules.facts(rules.view(state, seat))
    why: list[Message] = []
    for number, line in enumerate(standing.lines, 1):
        if line.kinds and kind not in line.kinds:
            continue
        if line.condition is not None and not holds(line.condition, facts):
            why.append(_told(N_("{line} - not now, because the condition does not hold."), line))
            continue
        if not line.orders:
            why.append(_told(N_("{line} - you are asked."), line))
            return StandingAnswer(line=number, why=tuple(why))
        found = _usable(rules, state, seat, line.orders[0])
        if isinstance(found, Message):
            why.append(_told(N_("{line} - not possible now: {reason}"), line, reason=found))
            continue
        used = N_("{line} - this is used.") if str(line) == str(found) else N_("{line} - this is used: {order}.")
        why.append(_told(used, line, order=str(found)))
        return StandingAnswer(found, str(found), number, line.orders[1:], tuple(why))
    return StandingAnswer(why=tuple(why))


def sealed_list(rules: AnyRules, text: str) -> StandingOrders:
    """Read the list of a sealed auction. Raises InvalidOrder, also for `ask me`: who is asked again has seen bids."""
    listed = parse(rules, text)
    if any(not line.orders for line in listed.lines):
        text = N_(
            "`ask me` can't stand in a sealed list, since you would see the bids before yours."
            " Write what you bid; where no line fits, the list ends by itself with the least that is allowed."
        )
        raise invalid(text)
    return listed


def lines_for(rules: AnyRules, kind: str, standing: StandingOrders) -> list[StandingClause]:
    """The lines of `standing` that speak to decisions of a kind: by name, or by an order that its grammar has."""
    rows = of_kind(rules.grammar, kind)

    def speaks(line: StandingClause) -> bool:
        if line.kinds:
            return kind in line.kinds
        return not line.orders or matches_grammar(rows, alternatives(line.orders[0])[0])

    return list(filter(speaks, standing.lines))


def as_list(
    rules: AnyRules, state: Any, seat: int, standing: Iterable[StandingOrders]
) -> tuple[StandingClause, ...] | Message:
    """Return what standing orders say in the sealed auction that begins, as a list, or why their owner is asked.

    Conditions over facts that no bid changes are decided now: a line stays without them or is left out. The others stay
    as they are. No line that may be reached asks, and the last has no condition.
    """
    kind, listed = rules.asked(state)[seat].kind, list[StandingClause]()
    facts = rules.facts(rules.view(state, seat))
    settled = {name: facts[name] for name in facts.keys() - rules.bid_facts}
    for line in (line for one in standing for line in lines_for(rules, kind, one)):
        counts = line.condition is None or decided(line.condition, settled)
        if counts is False:
            continue
        if not line.orders:
            return sentence(_MAY_ASK, line=str(line))
        listed.append(msgspec.structs.replace(line, condition=None) if counts else line)
        order = _usable(rules, state, seat, line.orders[0])
        if counts and not isinstance(order, Message) and rules.is_certain(state, seat, order):
            break
    return tuple(listed) if listed and listed[-1].condition is None else sentence(_NO_LIST)


def follow(rules: AnyRules, state: Any, seat: int, rest: tuple[str, ...]) -> StandingAnswer:
    """Return what the next link of a chain answers; no order means that the rest is dropped and the owner asked."""
    try:
        line = StandingReader(rules).link(rest[0])
    except InvalidOrder as error:
        return StandingAnswer(why=error.faults)
    found = answer(rules, state, seat, StandingOrders((line,)))
    return msgspec.structs.replace(found, rest=rest[1:] if found.order is not None else ())


def _usable(rules: AnyRules, state: Any, seat: int, text: str) -> Order | Message:
    """Return the first of the orders of `text` that can be given now, or the first reason why the one wanted can't."""
    wanted, *others = (_possible(rules, state, seat, one) for one in alternatives(text))
    return next((found for found in (wanted, *others) if not isinstance(found, Message)), wanted)


def _possible(rules: AnyRules, state: Any, seat: int, text: str) -> Order | Message:
    """Return the order that `text` is now, or the first reason why it can't be given."""
    try:
        order: Order = rules.read(state, seat, text)
    except REFUSALS as error:
        return error.faults[0]
    faults = rules.check(state, seat, order)
    return faults[0] if faults else order


def _told(text: str, line: StandingClause, **params: Param) -> Message:
    return sentence(text, line=str(line), **params)


def words(standing: StandingOrders, *, listed: bool = False) -> tuple[Message, ...]:
    """The standing order in words, a sentence a line, with a heading for its scope and for each kind of decision.

    `listed`: it is the list of a sealed auction, which needs no scope.
    """
    said = [Message(_LISTED if listed else _IN_WORDS[standing.scope])]
    kinds: tuple[str, ...] = ()
    for line in standing.lines:
        if line.kinds != kinds:
            kinds = line.kinds
            said.append(sentence("When you are asked for {kinds}:", kinds=kinds) if kinds else sentence("Always:"))
        said.append(_sentence(line))
    return tuple(said)


def _sentence(line: StandingClause) -> Message:
    deed = N_("; then ").join(line.orders)
    if line.condition is None:
        return sentence("{order}.", order=deed) if deed else sentence("Ask me.")
    if isinstance(line.condition, Not):
        params: Params = {"condition": spoken(line.condition.part), "order": deed}
        return sentence(N_("Unless {condition}: {order}.") if deed else N_("Unless {condition}: ask me."), **params)
    params = {"condition": spoken(line.condition), "order": deed}
    return sentence(N_("If {condition}: {order}.") if deed else N_("If {condition}: ask me."), **params)
