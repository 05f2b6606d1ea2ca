"""Relative orders at the sites: as much as can be done, within limits that were given ahead."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pbem.engine.core.errors import IllegalOrder
from pbem.engine.core.types import N_, Message, Params, sentence
from pbem.engine.egizia import crews, data, draws, monuments, orders, tombs
from pbem.engine.egizia.orders import AnyOrder
from pbem.engine.egizia.state import BUILD, DRAW, State
from pbem.engine.egizia.tables import Tables

_LITTLE: Final = N_("Nothing from {least} to {most} stones can be built here with {crews} now.")
_NO_DRAW: Final = N_("No Sphinx card can be drawn with {crews} now: name other crews, or `renounce`.")
_NOT_NOW: Final = N_("This can be ordered only when the site is asked for.")


def build(  # noqa: PLR0913, PLR0917 - what the text says
    t: Tables, state: State, limits: tuple[int, int], working: tuple[str, ...], using: tuple[str, ...], market: str
) -> AnyOrder:
    """Return the dearest building at the present site from `limits[0]` to `limits[1]`. Raises IllegalOrder for none."""
    if state.stage != BUILD:
        raise IllegalOrder(sentence(_NOT_NOW, "EG-6.1"))
    seat = state.asked[0]
    least, most = limits
    budget = min(most, state.stones[seat], crews.strength(t, state, seat, working, using))
    offers = _tombs if state.site == data.OBELISK else _monuments
    found = [offer for offer in offers(t, state, budget, (working, using, market)) if least <= offer[0] <= budget]
    if not found:
        params: Params = {"least": max(least, 1), "most": most, "crews": " + ".join(working)}
        raise IllegalOrder(Message(_LITTLE, params, "EG-6.1"))
    return max(found, key=lambda offer: offer[:2])[2]


Tools = tuple[tuple[str, ...], tuple[str, ...], str]


def _tombs(t: Tables, state: State, budget: int, tools: Tools) -> Iterator[tuple[int, int, AnyOrder]]:
    """EG-6.4: what stands next on the Obelisk and the path, its worth and how much of it is the Obelisk's."""
    working, using, market = tools
    for first, last, graves in tombs.things(t, state, budget):
        order = orders.Raise(working, first, last, graves, (market or data.MARKETS[0]) if first else "", using)
        if first or graves:
            yield tombs.value_of(t, state, order), last - first + 1 if first else 0, order


def _monuments(t: Tables, state: State, budget: int, tools: Tools) -> Iterator[tuple[int, int, AnyOrder]]:
    """EG-6.5: the spaces that are worth most together."""
    kinds = monuments.dearest(t, state, budget)
    if kinds:
        order = monuments.order_of(kinds, *tools[:2])
        yield monuments.value_of(t, state, order), -len(kinds), order


def sphinx(t: Tables, state: State, most: int, working: tuple[str, ...], using: tuple[str, ...]) -> AnyOrder:
    """EG-7.1: as many cards as can be paid for, up to `most`. Raises IllegalOrder for none."""
    if state.stage != DRAW:
        raise IllegalOrder(sentence(_NOT_NOW, "EG-7.1"))
    seat = state.asked[0]
    reach = crews.strength(t, state, seat, working, ())
    count = min(most, draws.most(t, state, seat, reach, plus="+2" in using))
    if count < 1:
        raise IllegalOrder(Message(_NO_DRAW, {"crews": " + ".join(working)}, "EG-7.1"))
    return orders.Sphinx(count, working, using)
