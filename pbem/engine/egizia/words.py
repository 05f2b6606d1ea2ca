"""Headings, questions and descriptions: where a game stands, what a seat is asked, what an order would do."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from pbem.engine.core.message import N_, Message, Param, sentence
from pbem.engine.egizia import data, draws, monuments, orders, tombs
from pbem.engine.egizia import state as s
from pbem.engine.egizia.cards import card_label
from pbem.engine.egizia.orders import AnyOrder
from pbem.engine.egizia.riders import RIDERS, thing_said, tried
from pbem.engine.egizia.state import Own
from pbem.engine.egizia.tables import Tables
from pbem.engine.egizia.view import View


def sphinx_said(t: Tables, card: int) -> Message:
    """Return the card's id, its condition and its points."""
    found = t.sphinx[card]
    return sentence(
        data.LANGUAGE.said["sphinx"][found.cond],
        "EG-9.3",
        card=found.id,
        n=found.n,
        points=found.vp or found.vp_each,
        columns=found.columns,
        building=found.building,
        buildings=found.buildings,
        crew=found.crew,
        what=found.what,
        market=found.track,
        table=tuple(found.vp_by_count[1:]),
    )


def heading(view: View) -> Message:
    """Return where the game stands, in a few words."""
    board = view.board
    said = data.LANGUAGE.decisions[board.stage].phase
    if board.stage == s.OVER:
        return Message(said)
    return sentence(said, round=board.round, site=data.SITE_NAMES[min(max(board.site, 0), data.PYRAMID)])


def question(view: View) -> Message:
    """Return what the view's seat is asked, as one sentence."""
    board = view.board
    if board.stage == s.OVER:
        return sentence("The game is over: nothing is left to decide.")
    if view.seat is None or not view.asked:
        who = tuple(board.acting)
        if len(who) == 1:
            return sentence("{seat} decides now.", seat=who[0])
        return sentence("{seats} decide now.", seats=who)
    asked = data.LANGUAGE.decisions["second ship" if board.again and board.stage == s.SHIP else board.stage]
    holes = {name: _HOLES[name](view.own) for name in re.findall(r"{(\w+)}", asked.question)}
    return sentence(asked.question, asked.rule or asked.topics[0], **holes)


_HOLES: dict[str, Callable[[Own], Param]] = {
    "ships": lambda own: own.ships,
    "need": lambda own: own.need,
    "missing": lambda own: own.missing,
    "cost": lambda own: own.cost,
    "site": lambda own: data.SITE_NAMES[own.state.site],
    "slot": lambda own: own.state.slots[own.state.site].index(own.seat) + 1,
    "stones": lambda own: own.stones,
    "cards": lambda own: len(own.state.drawn),
    "value": lambda own: own.state.graves_open[0],
    "reach": lambda own: own.state.reach,
}
"""What fills the questions of `words.toml`."""


def describe(view: View, order: AnyOrder) -> Message:
    """Return what `order` will do, in words, with its market step, the moves of the water ring, and what cards do."""
    served = (data.EFFECT_NAMES[data.USING[name]] for name in getattr(order, "using", ()))
    cards: tuple[str | Message, ...] = (*served, *_alongside(view.t, order.also))
    if isinstance(order, orders.Done) and cards:
        return sentence("You use {cards}.", "EG-4.5", cards=cards)
    said = _DESCRIPTIONS[type(order)](view, order)
    if market := getattr(order, "market", ""):
        said = sentence("{said} You go one step down the {market} market.", "EG-6.4", said=said, market=market)
    for way in getattr(order, "rings", ()):
        moved = N_("{said} The water ring moves left.") if way == "left" else N_("{said} The water ring moves right.")
        said = sentence(moved, "EG-3.6", said=said)
    return sentence("{said} You use {cards}.", "EG-4.5", said=said, cards=cards) if cards else said


def _alongside(t: Tables, also: orders.Also) -> Iterator[Message]:
    """EG-4.5: yield each card that goes along with an order, and for what it is used."""
    for power, rider in RIDERS.items():
        found = getattr(also, rider.field)
        things = tuple(thing_said(t, thing) for thing in (found if isinstance(found, tuple) else (found,)) if thing)
        if things:
            yield sentence("{card} ({things})", card=Message(data.EFFECT_NAMES[power]), things=things)


def _say_ship(view: View, order: orders.Ship) -> Message:
    t = view.t
    if order.to in t.index:
        text = N_("You take {card}: {crews} +1.") if order.crews else N_("You take {card}.")
        return sentence(text, "EG-3.3", card=card_label(t, t.index[order.to]), crews=order.crews)
    space = t.where[order.to]
    if t.kind[space] == data.ROUND:
        crews = order.crews or t.crew_names[space] or (data.CREWS[data.JOKER],)
        does = sentence(ROUND_DOES[t.action[space]], crews=crews, stones=data.ALYL_STONES * len(order.crews))
        return sentence("You sail to {place}: {what}.", "EG-3.3", place=order.to, what=does)
    text = N_("You sail to {place}, slot {slot}.")
    if not order.slot:
        is_extra = "extra ship" in order.using
        text = N_("You sail to {place}, into a new slot.") if is_extra else N_("You sail to {place}, behind its slots.")
    return sentence(text, "EG-3.3", place=order.to, slot=order.slot)


ROUND_DOES = {
    data.BOTH_MARKETS: N_("stone market and grain market one step each"),
    data.CREW_STEPS: N_("{crews} +1"),
    data.JOKER_RING: N_("{crews} +1"),
    data.ANY_CREW: N_("{crews} +1 and {stones} stone(s)"),
}
"""EG-3.4 to EG-3.7: what a ship on a round space brings, once its crews are chosen."""


def _say_leftover(view: View, order: orders.Leftover) -> Message:
    if not order.card:
        return sentence("You take no card that was left.", "EG-4.4")
    t = view.t
    text = (
        N_("You take {card}, left on the river: {crews} +1.")
        if order.crews
        else N_("You take {card}, left on the river.")
    )
    return sentence(text, "EG-4.4", card=card_label(t, t.index[order.card]), crews=order.crews)


def _say_feed(view: View, order: orders.Feed) -> Message:
    """EG-5.1: what is fed with, and what the grain costs that is missing then."""
    means = [sentence("{grain} grain from cards", grain=order.grain)] * bool(order.grain)
    means += [sentence("{stones} stone(s)", stones=order.stones)] * bool(order.stones)
    text = N_("You feed with {means}.") if means else N_("You feed with your fields alone.")
    said, (then, _) = sentence(text, "EG-5.1", means=tuple(means)), tried(view.own, order.also)
    missing = max(0, then.missing - order.grain - order.stones)
    loss = missing * then.cost
    text = N_("{missing} grain (is|are) missing: minus {points} point(s).") if missing else N_("No grain is missing.")
    fed = sentence(_MORE, "EG-5.1", said=said, more=sentence(text, missing=missing, points=loss))
    left = then.stones - order.stones
    cut = min(then.quarry, view.t.stone_cap - left)
    more = sentence("Then your quarries bring {stones} stone(s), and you have {total}.", stones=cut, total=left + cut)
    return sentence(_MORE, "EG-5.2", said=fed, more=more) if cut > 0 else fed


_MORE = N_("{said} {more}")


def _say_move(view: View, order: orders.Move) -> Message:
    if not order.slot:
        return sentence("Your ship stays where it is; you keep the card.", "EG-4.3")
    owner = view.board.slots[view.board.site][order.slot - 1]
    if owner >= 0:
        text = N_("Your ship moves to slot {slot}, that of {seat} to yours.")
        return sentence(text, "EG-4.3", slot=order.slot, seat=owner)
    return sentence("Your ship moves to slot {slot}.", "EG-4.3", slot=order.slot)


def _say_sphinx(view: View, order: orders.Sphinx) -> Message:
    text = N_("You pay {stones} stone(s) and draw {cards} Sphinx card(s) with {crews}.")
    return sentence(text, "EG-7.1", crews=order.crews, stones=order.n, cards=draws.drawn(view.board, order))


def _say_keep(view: View, order: orders.Keep) -> Message:
    back = len(view.board.drawn) - len(order.cards)
    if not order.cards:
        return sentence("You keep no card and score {points} point(s).", "EG-7.1", points=back)
    t = view.t
    params: dict[str, Param] = {"cards": tuple(sphinx_said(t, t.sphinx_index[card]) for card in order.cards)}
    if not back:
        return sentence("You keep {cards}.", "EG-7.1", **params)
    text = N_("You score {points} point(s) for what you put back, and keep {cards}.")
    return sentence(text, "EG-7.1", points=back, **params)


def _say_raise(view: View, order: orders.Raise | orders.Dig) -> Message:
    if not order.first and not order.graves:
        return sentence("You end the action.", "EG-6.4")
    value = tombs.value_of(view.board, order)
    stones = order.last - order.first + 1 if order.first else 0
    text = N_("You take {graves} grave(s) for {value} stone(s) and {value} point(s).")
    if stones:
        text = N_("You build {obelisk} Obelisk space(s) for {value} stone(s) and {value} point(s).")
    if stones and order.graves:
        text = N_(
            "You build {obelisk} Obelisk space(s) and take {graves} grave(s) for {value} stone(s) and {value} point(s)."
        )
    return sentence(text, "EG-6.4", obelisk=stones, graves=order.graves, value=value)


def _say_stack(view: View, order: orders.Stack) -> Message:
    """EG-6.3, EG-6.5: what is built, and who scores the rows that it fills."""
    own, board = view.own, view.board
    rows, parts = Counter(order.rows), Counter(order.parts)
    things = [
        sentence("{count} space(s) in row {row} of the Pyramid", count=n, row=row) for row, n in sorted(rows.items())
    ]
    things += [sentence("{count} space(s) of the {part}", count=n, part=part) for part, n in parts.items()]
    things += [sentence("space {space} of the entablature", space=space) for space in order.entablature]
    text = N_("You build {things} for {value} stone(s) and {value} point(s).")
    said = sentence(text, "EG-6.3", things=tuple(things), value=monuments.value_of(board, order))
    for row, n in sorted(rows.items()):
        owners = [*board.pyramid[row - 1], *[own.seat] * n]
        if len(owners) == len(own.t.rows[row - 1]):
            winner, points = monuments.leader(owners)
            text = N_("Row {row} is full then: {points} point(s) for {seat}.")
            said = sentence(_MORE, "EG-6.5", said=said, more=sentence(text, row=row, points=points, seat=winner))
    return said


_DESCRIPTIONS: dict[type, Callable[[View, Any], Message]] = {
    orders.Pass: lambda _view, _order: sentence("You pass and place no more ships this round.", "EG-3.1"),
    orders.Ship: _say_ship,
    orders.Leftover: _say_leftover,
    orders.Feed: _say_feed,
    orders.Move: _say_move,
    orders.Renounce: lambda _view, _order: sentence("You give your place away.", "EG-6.1"),
    orders.Sphinx: _say_sphinx,
    orders.Keep: _say_keep,
    orders.Raise: _say_raise,
    orders.Dig: _say_raise,
    orders.Stack: _say_stack,
    orders.Done: lambda _view, _order: sentence("You use no card now.", "EG-4.5"),
}


def topics(view: View) -> tuple[str, ...]:
    """Rule ids that help with the present decision."""
    return data.LANGUAGE.decisions[view.board.stage].topics
