"""EG-1: the board before the first round, and what is drawn for it."""

from __future__ import annotations

from typing import Any

from pbem.engine.core.rng import Chance
from pbem.engine.core.types import N_, Event
from pbem.engine.egizia import data, draws, phases, tombs
from pbem.engine.egizia import state as s
from pbem.engine.egizia.ply import Ply
from pbem.engine.egizia.state import State
from pbem.engine.egizia.tables import Tables, tables_of


def setup(players: int, components: str, chance: Chance, *, first_sphinx: bool) -> Ply:
    """EG-1: a game that waits for its first ship."""
    t = tables_of(components)
    state = State(
        players=players,
        components=components,
        **_course(players, t),
        **_seats(players, t),
        **_river(players, t),
        **_buildings(t),
    )
    ply = Ply(state, chance)
    open_game(ply, first_sphinx=first_sphinx)
    return ply


def _course(players: int, t: Tables) -> dict[str, Any]:
    """Where the game stands; EG-1.7: where the ring does."""
    return {
        "round": 0,
        "stage": s.SHIP,
        "asked": [],
        "order": list(range(players)),
        "track": list(range(players)),
        "ring": t.parts.ring.start,
        "passed": 0,
        "again": False,
        "site": -1,
        "place": 0,
        "freed": 0,
        "reach": 0,
        "market": "",
    }


def _seats(players: int, t: Tables) -> dict[str, Any]:
    """EG-1.2: what everybody has before the lot is drawn."""
    numbers = ("score", "stones", "tired", "stone_at", "grain_at", "docked", "power", "worked")
    lists = ("fleet", "fields", "quarries", "permanents", "ready", "laid", "kept")
    return {
        "crews": [t.parts.crew_start[crew] for _ in range(players) for crew in data.CREWS],
        **{name: [0] * players for name in numbers},
        **{name: [[] for _ in range(players)] for name in lists},
    }


def _river(players: int, t: Tables) -> dict[str, Any]:
    """EG-1.1, EG-1.8: an empty river with the slots of its sites."""
    return {
        "deck": [],
        "cards": [data.HIDDEN] * data.RIVER,
        "taken": 0,
        "slots": [[-1] * t.parts.site_slots[str(players)] for _ in t.sites],
        "queue": [[] for _ in t.sites],
    }


def _buildings(t: Tables) -> dict[str, Any]:
    """EG-1.5, EG-1.6: unseen graves and Sphinx cards, nothing built."""
    return {
        "graves_unseen": list(t.grave_counts),
        "graves_open": [],
        "dug_by": [],
        "dug": [],
        "obelisk": [],
        "pyramid": [[] for _ in t.rows],
        "temple": [*([] for _ in range(data.ENTABLATURE)), [-1] * len(t.temple[data.ENTABLATURE])],
        "sphinx": list(range(len(t.sphinx))),
        "under": [],
        "drawn": [],
    }


def open_game(ply: Ply, *, first_sphinx: bool) -> None:
    """EG-1.3 to EG-1.6: order by lot, stones, markers, graves, a Sphinx card each if wanted; then round 1."""
    t, state = ply.t, ply.state
    lots = ply.chance.shuffle("order", [str(seat) for seat in range(state.players)])
    state.order = [int(name) for name in lots]
    state.track = state.order[::-1]
    for place, seat in enumerate(state.order):
        state.stones[seat] = t.parts.start_stones_by_order[place]
    ply.events.append(Event(N_("Turn order by lot: {seats}."), {"seats": tuple(state.order)}, "EG-1.3"))
    tombs.open_graves(ply)
    if first_sphinx:
        for seat in state.order:
            state.kept[seat] = draws.take_top(ply, 1)
            ply.whisper(seat, N_("You are dealt {card}."), "EG-1.6", card=t.sphinx[state.kept[seat][0]].id)
    phases.start_round(ply)
