"""The plans of the Egizia bot: its way down the river, its work at the sites, the Sphinx cards it likes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from pbem.bots import egizia as bot
from pbem.bots.egizia_valuation import Valuation
from pbem.engine.core.plans import Plan
from pbem.engine.egizia import data, orders, plans, sailing
from pbem.engine.egizia import state as s
from pbem.engine.egizia.cautious import value_of
from pbem.engine.egizia.state import State
from pbem.engine.egizia.view import View

_SLACK: Final = 1
"""Stones by which the work may fall short of what was hoped for before the player is asked."""


def plan(view: View, personality: str, ask: int = 1) -> Iterator[Plan]:
    """Yield everything the bot would plan now; `ask`: after how many lost spaces it wants to be asked."""
    worth = Valuation(view, personality)
    board = view.board
    if board.stage == s.SHIP and not board.passed >> worth.own.seat & 1:
        way = list(bot.way(worth))[int(worth.own.seat in board.acting) :]
        if way:
            yield plans.SailPlan(tuple(_space(worth, order) for order in way), ask)
    if board.stage != s.AFTER:
        works = tuple(_works(worth))
        if works:  # nothing is saved at the last site, whatever was reckoned with
            yield plans.SitesPlan((*works[:-1], msgspec.structs.replace(works[-1], most=plans.MOST_STONES)))
    liked = sorted(range(len(worth.t.sphinx)), key=worth.sphinx, reverse=True)
    yield plans.KeepPlan(tuple(worth.t.sphinx[card].id for card in liked if worth.sphinx(card) > bot.CARD_BACK))


def second(view: View, personality: str) -> str:
    """Where the bot's ship goes if its space or slot is gone: the site's next slot, or its best way then; or empty."""
    worth = Valuation(view, personality)
    first = next(bot.way(worth), None)
    if first is None:
        return ""
    if first.slot:
        slots = enumerate(view.board.slots[data.SITE_NAMES.index(first.to)], 1)
        if later := [slot for slot, owner in slots if owner < 0 and slot != first.slot]:
            return str(orders.Ship(first.to, later[0]))
    board = view.board.copy()
    space = sailing.space_of(board, first.to)
    if first.slot:
        board.docked[worth.own.seat] |= 1 << space
    else:
        board.taken |= 1 << space
    return str(next(bot.way(Valuation(View(view.seat, board), personality)), ""))


def _space(worth: Valuation, order: orders.Ship) -> str:
    """Return how a plan names where a ship goes."""
    space = sailing.space_of(worth.board, order.to)
    crews = [f", crew {' + '.join(order.crews)}"] if order.crews else []
    return "".join([worth.t.label[space], *crews, *(f", ring {way}" for way in order.rings)])


def _works(worth: Valuation) -> Iterator[plans.Work]:
    """Yield what the bot would do at each of its sites, one after the other, with the stones there will be."""
    t, seat = worth.t, worth.own.seat
    board = worth.board.copy()
    building = board.stage in s.AT_SITE
    if not building:
        board.stones[seat] = worth.stones
        board.tired[seat] = 0
    first = board.site if building else 0
    for site in range(max(first, 0), len(t.sites)):
        if seat not in board.slots[site]:
            continue
        order = _at_site(board, seat, site, worth.personality)
        if order is None or order.using:
            continue
        spent = order.n if isinstance(order, orders.Sphinx) else value_of(board, order)
        least = max(0, spent - _SLACK) if site != data.SPHINX else 0
        market = getattr(order, "market", "") or data.MARKETS[bot.market(worth)] if site == data.OBELISK else ""
        yield plans.Work(data.SITE_NAMES[site], " + ".join(order.crews), spent, least, market)
        board.stones[seat] -= spent
        for crew in order.crews:
            board.tired[seat] |= 1 << data.CREW_INDEX[crew]


def _at_site(
    board: State, seat: int, site: int, personality: str
) -> orders.Sphinx | orders.Raise | orders.Stack | None:
    there = board.copy()
    there.site, there.asked = site, [seat]
    there.stage = s.DRAW if site == data.SPHINX else s.BUILD
    order = bot.best_order(Valuation(View(seat, there), personality))
    return order if isinstance(order, orders.Sphinx | orders.Raise | orders.Stack) else None


_PYRAMID = ("5+4", "4+4", "4+3", "3+3", "3+2", "2+2", "2+1", "1+1", "6", "5", "4", "3", "2", "1")
_PARTS = ("left pylon", "right pylon", "left column", "right column")
_SPHINX = "13 14 15 12 16 17 18 04 07 06 01 10 11 08 09 02 03 05 19 20 21 22 23 24 25 26 27 28 29"
_BUILDING = (
    *(f"build obelisk {n}-{n + 1} with black + joker" for n in range(1, 5)),
    *(f"build obelisk {n} with black" for n in range(1, 11)),
    "build grave with black",
    *(f"build pyramid {rows} with yellow + joker" for rows in _PYRAMID),
    *(f"build {part} with yellow + joker" for part in _PARTS),
    *(f"build pyramid {rows} with yellow" for rows in _PYRAMID[5:]),
)
"""Black works at Obelisk and graves, yellow with the joker at Pyramid and Temple, the most first."""

WRITTEN: Final = f"""
until changed
for ship:
when last_space = 0: ask me
ship to Edfu
ship to Thebae
ship to Sphinx
ship to Passalon
ship to Alyl, crew blue
ship to Obelisk
ship to Beni Hasan
ship to Selinon
ship to Pyramid
ship to Heliopolis
pass
for sphinx:
sphinx 2 with blue
sphinx 1 with blue
ask me
for build:
{chr(10).join(_BUILDING)}
ask me
for keep:
{chr(10).join(f"keep S{number}" for number in _SPHINX.split())}
for feed: feed
for after: done
for any: ask me
"""
"""A standing order as a plain player might write it: kept to measure what a program costs beside a plan."""
