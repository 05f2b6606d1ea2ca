"""EG-6.4: Obelisk and graves: building them, and digging on in the same action."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.core.message import N_, Message, event, sentence
from pbem.engine.core.rng import Chance
from pbem.engine.egizia import crews, data
from pbem.engine.egizia.orders import Dig, Raise
from pbem.engine.egizia.ply import Ply
from pbem.engine.egizia.state import Own, State

_BOTH = N_("{seat} builds {obelisk} Obelisk space(s) and takes {graves} grave(s): {points} point(s).")
_OBELISK = N_("{seat} builds {obelisk} Obelisk space(s): {points} point(s).")
_DUG = N_("{seat} takes {graves} grave(s): {points} point(s).")


def least(state: State) -> int:
    """Return the value of the cheapest thing that can be built; 0 if all is built."""
    values = list(state.graves_open[:1])
    if len(state.obelisk) < len(state.t.obelisk):
        values.append(state.t.obelisk[len(state.obelisk)])
    return min(values, default=0)


def value_of(state: State, order: Raise | Dig) -> int:
    """Return what the Obelisk spaces and graves of `order` are worth together."""
    obelisk = sum(state.t.obelisk[order.first - 1 : order.last]) if order.first else 0
    return obelisk + sum(state.graves_open[: order.graves])


def _thing_faults(state: State, order: Raise | Dig, market: str) -> Iterator[Message]:
    """Spaces in sequence, open graves, and the market step; `market` is what the action chose before."""
    done = len(state.obelisk)
    if order.first or order.last:
        if done == len(state.t.obelisk):
            yield sentence("The Obelisk is complete: leave it out.", "EG-6.4")
        elif order.first != done + 1 or not order.first <= order.last <= len(state.t.obelisk):
            text = N_("The Obelisk is built in sequence: the next space is {next}, you named {first} to {last}.")
            yield sentence(text, "EG-6.4", next=done + 1, first=order.first, last=order.last)
    if not 0 <= order.graves <= len(state.graves_open):
        text = N_("{open} grave(s) lie open; you named {found}.")
        yield sentence(text, "EG-6.4", open=len(state.graves_open), found=order.graves)
    if order.first and not market and order.market not in data.MARKETS:
        yield sentence("An Obelisk stone moves a market marker: say `stone market` or `grain market`.", "EG-6.4")
    elif order.market and (market or not order.first):
        yield sentence("A market marker moves once an action, and only for an Obelisk stone: leave it out.", "EG-6.4")


def judged(state: State, order: Raise) -> tuple[list[Message], int]:
    """Return what is wrong with what an order builds at Obelisk and graves, and its value."""
    nothing = [] if order.first or order.graves else [crews.NOTHING]
    return [*nothing, *_thing_faults(state, order, "")], value_of(state, order)


def check_dig(own: Own, order: Dig) -> list[Message]:
    """Return every fault of digging on; stopping has none."""
    state = own.state
    faults = list(_thing_faults(state, order, state.market))
    faults += crews.cost_faults(value_of(state, order), state.reach, own.stones)
    return faults


def things(state: State, budget: int) -> Iterator[tuple[int, int, int]]:
    """Yield every (first, last, graves) worth at most `budget`, the empty one included."""
    done = len(state.obelisk)
    spent = 0
    for last in range(done, len(state.t.obelisk) + 1):
        spent += state.t.obelisk[last - 1] if last > done else 0
        worth = spent
        for graves in range(len(state.graves_open) + 1):
            worth += state.graves_open[graves - 1] if graves else 0
            if worth > budget:
                break
            yield (done + 1 if last > done else 0), (last if last > done else 0), graves


def _markets(first: int, chosen: str) -> tuple[str, ...]:
    return data.MARKETS if first and not chosen else ("",)


def legal(state: State, team: crews.Team, budget: int) -> Iterator[Raise]:
    """Yield everything that a team can build within `budget`."""
    for first, last, graves in things(state, budget):
        for market in _markets(first, "") if first or graves else ():
            yield Raise(team[0], first, last, graves, market, team[1])


def legal_dig(own: Own) -> Iterator[Dig]:
    """Stop, or every way to go on."""
    state = own.state
    for first, last, graves in things(state, min(state.reach, own.stones)):
        for market in _markets(first, state.market):
            yield Dig(first, last, graves, market)


def sample(state: State, team: crews.Team, budget: int, chance: Chance) -> Raise:
    """Return something that a team can build within `budget`, at random."""
    first, last, graves = _pick(state, budget, chance, forced=True)
    market = data.MARKETS[chance.below(2)] if first else ""
    return Raise(team[0], first, last, graves, market, team[1])


def sample_dig(own: Own, chance: Chance) -> Dig:
    """Return a random way to go on, or to stop."""
    state = own.state
    first, last, graves = _pick(state, min(state.reach, own.stones), chance, forced=False)
    market = data.MARKETS[chance.below(2)] if first and not state.market else ""
    return Dig(first, last, graves, market)


def _pick(state: State, budget: int, chance: Chance, *, forced: bool) -> tuple[int, int, int]:
    """Stones laid one by one at random while `budget` lasts; at least one if `forced`."""
    t = state.t
    done = last = len(state.obelisk)
    graves = 0
    r = chance.below(1 << 48)
    while True:
        offers = []
        if last < len(t.obelisk) and t.obelisk[last] <= budget:
            offers.append(0)
        if graves < len(state.graves_open) and state.graves_open[graves] <= budget:
            offers.append(1)
        if not offers or (not r & 3 and not forced):
            break
        r, pick = divmod(r >> 2, len(offers))
        forced = False
        if offers[pick]:
            budget -= state.graves_open[graves]
            graves += 1
        else:
            budget -= t.obelisk[last]
            last += 1
    return (done + 1, last, graves) if last > done else (0, 0, graves)


def build(own: Ply, order: Raise) -> bool:
    """EG-6.4: carry out a build order; True if the player must be asked whether to dig on."""
    state = own.state
    reach = own.strength(order.crews, order.using)
    crews.tire(own, order.crews, order.using)
    state.market = ""
    return _raise(own, order, reach)


def dig(own: Ply, order: Dig) -> bool:
    """EG-6.4: go on in the running action, whose strength is kept; True if there is more to ask."""
    if order.first or order.graves:
        return _raise(own, order, own.state.reach)
    finish(own)
    return False


def _raise(own: Ply, order: Raise | Dig, reach: int) -> bool:
    state = own.state
    value = value_of(own.state, order)
    all_open = 0 < order.graves == len(state.graves_open)
    stones = order.last - order.first + 1 if order.first else 0
    marks = [f"obelisk:{order.first + at}" for at in range(stones)]
    state.obelisk += [own.seat] * stones
    for _ in range(order.graves):
        state.dug_by.append(own.seat)
        state.dug.append(state.graves_open.pop(0))
        marks.append(f"grave:{len(state.dug)}")
    own.gain(-value)
    text = _BOTH if stones and order.graves else _OBELISK if stones else _DUG
    own.tell(text, "EG-6.4", tuple(marks), obelisk=stones, graves=order.graves, points=value)
    own.score(value)
    state.worked[own.seat] |= 1 << data.OBELISK
    state.market = order.market or state.market
    open_graves(own)
    state.reach = reach - value
    if all_open and state.graves_open and state.graves_open[0] <= min(state.reach, own.stones):
        return True
    finish(own)
    return False


def open_graves(ply: Ply) -> None:
    """EG-6.4, EG-1.5: tiles are turned up until four lie open, while the path has any."""
    t, state = ply.t, ply.state
    due = min(data.OPEN_GRAVES, t.parts.grave_spaces - len(state.dug)) - len(state.graves_open)
    opened = []
    for _ in range(due):
        pick = ply.chance.draw("grave", t.grave_names, state.graves_unseen)
        state.graves_unseen[pick] -= 1
        state.graves_open.append(t.grave_values[pick])
        opened.append(t.grave_values[pick])
    if opened:
        spaces = range(len(state.dug) + len(state.graves_open) - due + 1, len(state.dug) + len(state.graves_open) + 1)
        marks = tuple(f"grave:{space}" for space in spaces)
        ply.events.append(event("Graves turned up: {values}.", "EG-1.5", marks=marks, values=tuple(opened)))


def finish(own: Ply) -> None:
    """EG-6.4: the action's end: the market step for an Obelisk stone."""
    state = own.state
    if state.market:
        market = data.MARKETS.index(state.market)
        text = N_("{seat} steps down the {market} market.")
        own.tell(text, "EG-6.4", (f"market:{state.market}",), market=state.market)
        own.step(market)
    state.market = ""
    state.reach = 0
