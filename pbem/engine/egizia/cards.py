"""Nile cards: which a seat has, what each is called, and whether those named after `using` belong to an order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations_with_replacement
from typing import Any

from pbem.engine.core.message import N_, Message, Param, sentence
from pbem.engine.egizia import data
from pbem.engine.egizia.ply import Ply
from pbem.engine.egizia.state import Own, State
from pbem.engine.egizia.tables import FIELD, IMMEDIATE, PERMANENT, QUARRY, Tables


def take(own: Ply, card: int, crews: tuple[str, ...]) -> None:
    """EG-4.1 to EG-4.4: `card` comes to `seat`; immediate ones act and leave the game."""
    state, kind = own.state, own.t.type[card]
    if kind == FIELD:
        state.fields[own.seat].append(card)
    elif kind == QUARRY:
        state.quarries[own.seat].append(card)
    elif kind == IMMEDIATE:
        _IMMEDIATE[own.t.cards[card].effect](own, card, crews)
    else:
        if kind == PERMANENT:
            state.permanents[own.seat].append(card)
        own.lay_open(card)


def _raise(own: Ply, crews: tuple[str, ...]) -> None:
    own.tell(N_("{seat} raises crews by 1: {crews}."), "EG-4.2", own.mark, crews=crews)
    for crew in crews:
        own.strengthen(data.CREW_INDEX[crew])


def _points_for_stones(own: Ply, card: int, _crews: tuple[str, ...]) -> None:
    stones = own.built
    points = sum(stones[building] for building in own.t.cards[card].buildings)
    own.score(points)
    own.tell(N_("{seat} has {points} stone(s) there: {points} point(s)."), "EG-4.2", points=points)


_IMMEDIATE: dict[str, Callable[[Ply, int, tuple[str, ...]], None]] = {
    "grain_market": lambda own, card, _: own.step(data.GRAIN_MARKET, own.t.value[card]),
    "stone_market": lambda own, card, _: own.step(data.STONE, own.t.value[card]),
    "stones": lambda own, card, _: own.gain(own.t.value[card]),
    "vp": lambda own, card, _: own.score(own.t.value[card]),
    "crews_plus_1": lambda own, card, _: _raise(own, own.t.cards[card].crews),
    "two_crews_plus_1_or_one_plus_2": lambda own, _, crews: _raise(own, crews),
    "vp_per_own_stone": _points_for_stones,
}


def taken(state: State, order: Any) -> int:
    """The card that `order` takes from the river; -1 for none (also where its power is 0: Tables end in a blank)."""
    card = state.t.index.get(getattr(order, "to", "") or getattr(order, "card", ""), -1)
    return card if card in state.cards else -1


def not_there(state: State, card: str, rule: str) -> Message:
    """Say that a card doesn't lie on the river, and which do."""
    names = tuple(state.t.names[one] for one in state.cards if one >= 0)
    text = (
        N_("{card} doesn't lie on the river. There are: {cards}.")
        if names
        else N_("{card} doesn't lie on the river, nor does any other card: name none.")
    )
    return sentence(text, rule, card=card, cards=names)


def lacks(power: int) -> Message:
    """Say that there is no card with this effect to use."""
    rule = "EG-4.4" if power in data.PERMANENT.values() else "EG-4.3"
    return sentence('You have no card "{what}" that can be used now.', rule, what=data.EFFECT_NAMES[power])


def no_crew(crew: str) -> Message:
    """Say that there is no such crew, and which there are."""
    return sentence("{crew} is no crew. There are: {names}.", "EG-1.2", crew=crew, names=data.CREWS)


def few_stones(due: int, found: int, rule: str) -> Message:
    """Say how many stones are wanted where there are fewer."""
    return sentence("That takes {due} stone(s); you have {found}.", rule, due=due, found=found)


def crew_faults(place: str, due: int, crews: tuple[str, ...]) -> Iterator[Message]:
    """Yield whether `crews` are the `due` chosen crews that `place` wants."""
    for crew in crews:
        if crew not in data.CREW_INDEX:
            yield no_crew(crew)
    if due and len(crews) != due:
        text = N_("{place} raises crews of your choice: name {due} with `crew`, you named {found}.")
        yield sentence(text, "EG-3.7", place=place, due=due, found=len(crews))
    elif crews and not due:
        yield sentence("{place} raises no crew of your choice: leave `crew` out.", "EG-3.5", place=place)


def crew_choices(due: int) -> Iterator[tuple[str, ...]]:
    """Return every choice of `due` crews, the same one repeated included, in canonical order."""
    return combinations_with_replacement(data.CREWS, due)


def ordered(crews: Iterable[str]) -> tuple[str, ...]:
    """`crews` in canonical order."""
    return tuple(sorted(crews, key=data.CREWS.index))


def card_words(t: Tables, card: int) -> dict[str, Param]:
    """Holes that say which card it is: its id, what it is called and its value."""
    return {"card": t.names[card], "what": t.what[card], "value": t.value[card]}


def has_value(t: Tables, card: int) -> bool:
    """Return whether a card's value is told behind what it is called; some names hold theirs, as crew +3."""
    return bool(t.value[card]) and not t.power[card] & data.SPEAKING


def card_label(t: Tables, card: int) -> Message:
    """Return what a Nile card is called where it is chosen: what it brings first, as on the board, its id last."""
    return Message(N_("{what} {value} ({card})") if has_value(t, card) else N_("{what} ({card})"), card_words(t, card))


def card_faults(own: Own, using: tuple[str, ...], allowed: tuple[str, ...]) -> Iterator[Message]:
    """Cards in `using` that are not among `allowed`, that `seat` doesn't have ready, or names too often."""
    for name in dict.fromkeys(using):
        power, times = data.USING.get(name, 0), using.count(name)
        held = own.count(power)
        if name not in allowed:
            text = N_("{order} has no use here; cards for this order: {orders}.")
            yield sentence(text, "EG-4.3", order=name, orders=", ".join(allowed))
        elif not held:
            yield lacks(power)
        elif times > (held if power & data.REPEATABLE else 1):
            text = N_("{order} can't be used {times} time(s) in this order: name it less often.")
            yield sentence(text, "EG-4.3", order=name, times=times)
