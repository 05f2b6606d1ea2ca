"""The plans of the Priests of Ra bot: how long it draws on, and what it does with auctions that others start."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pbem.bots.priestsofra import Evaluation
from pbem.engine.core.plans import Plan
from pbem.engine.priestsofra import data, plans
from pbem.engine.priestsofra.data import FACES
from pbem.engine.priestsofra.state import OVER
from pbem.engine.priestsofra.view import View

_TILES: Final = 5
_WANTED: Final = 5.0
"""Points of a tile for which the bot wants to be asked."""
_PASSES: Final = -1


def plan(view: View, personality: str, ask: int = 0) -> Iterator[Plan]:  # noqa: ARG001 - alike for every game
    """Yield everything the bot would plan now."""
    if view.seat is None or view.phase == OVER or not view.up[view.seat]:
        return
    table = Evaluation(view, personality)
    now = table.gain(view.seat, table.lot)
    kinds = [face for face in range(len(FACES)) if face not in view.lot]
    wanted = [face for face in kinds if table.gain(view.seat, [*table.lot, face]) - now > _WANTED]
    yield plans.DrawPlan(
        suns=view.up[view.seat].bit_count(),
        tiles=min(data.LOT_SPACES, max(_TILES, len(view.lot) + 1)),
        kinds=data.named(wanted),
        passes=_PASSES,
        shows=data.named(_better(table, face) for face in range(0, data.ONE_FACED, 2)),
    )


def _better(table: Evaluation, face: int) -> int:
    """Return the face of a tile with two that helps more in the lot as it lies."""
    return max((face, face ^ 1), key=lambda one: table.gain(table.seat, [*table.lot, one]))


def sealed(view: View, personality: str) -> str:
    """Return the list of bids for one auction: the lowest sun that wins, up to the highest that the lot is worth."""
    assert view.seat is not None
    table = Evaluation(view, personality)
    gain = table.gain(view.seat, table.lot)
    suns = [sun for sun in table.up[view.seat] if table.price(view.seat, sun) < gain]
    return f"bid lowest up to {max(suns)}\npass" if suns else "pass"


WRITTEN: Final = """
until changed
for turn:
when alone and ra_left <= 2 and tiles - plagues >= 2: ra
when alone: draw
when tiles - plagues - plagues >= 5: ra
when tiles >= 7: ask me
when tiles - plagues >= 4 and ra_left <= 1: ra
draw
for bid:
when tiles - plagues - plagues <= 1 and high_bid = 0 and caller is me: bid lowest
when tiles - plagues - plagues <= 1: pass
when tiles - plagues - plagues >= 6: bid lowest
when tiles - plagues - plagues >= 4 and winning_sun <= 6: bid lowest
when tiles - plagues - plagues >= 3 and winning_sun <= 3: bid lowest
when tiles - plagues - plagues <= 3 and caller is not me: pass
ask me
for face:
when my_granaries = 1: show granary
when my_fortresses = 1: show fortress
when my_markets = 1: show market
when my_libraries = 1: show library
when my_farmers = 0: show farmer
when my_warriors = 0: show warrior
when my_merchants = 0: show merchant
when my_scribes = 0: show scribe
when my_chambers_b > my_chambers_a: show chamber B
show chamber A
when my_chambers_d > my_chambers_c: show chamber D
show chamber C
show granary
show market
show farmer
show merchant
for flip:
ask me
"""
"""A standing order as a plain player might write it: kept to measure what a program costs beside a plan."""
