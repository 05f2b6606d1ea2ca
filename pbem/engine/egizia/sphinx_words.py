"""What a Sphinx card asks for, in words (EG-9.3)."""

from __future__ import annotations

from typing import Final

from pbem.engine.core.types import N_, Message, Value
from pbem.engine.egizia.components import SphinxCard
from pbem.engine.egizia.tables import Tables


def sphinx_said(t: Tables, card: int) -> Message:
    """The card's id, its condition and its points."""
    found = t.sphinx[card]
    text, params = _WORDS[found.cond], _params(found)
    return Message(text, {"card": found.id, **params}, "EG-9.3")


def _params(card: SphinxCard) -> dict[str, Value]:
    return {
        "n": card.n,
        "points": card.vp or card.vp_each,
        "columns": card.columns,
        "building": card.building,
        "buildings": card.buildings,
        "crew": card.crew,
        "what": card.what,
        "market": card.track,
        "table": tuple(card.vp_by_count[1:]),
    }


_WORDS: Final[dict[str, str]] = {
    "obelisk_space_filled": N_("{card}: Obelisk space {n} is filled: {points} point(s)"),
    "temple_pylons_and_columns": N_("{card}: both pylons and {columns} column(s) are full: {points} point(s)"),
    "all_graves_taken": N_("{card}: all graves are taken: {points} point(s)"),
    "pyramid_complete": N_("{card}: the Pyramid is complete: {points} point(s)"),
    "players_on_last_space": N_("{card}: for players at the end of the {market} market: {table} point(s)"),
    "own_on_last_space": N_("{card}: you are at the end of the {market} market: {points} point(s)"),
    "own_stones": N_("{card}: {n} own stones on the {building}: {points} point(s)"),
    "own_stones_each": N_("{card}: {n} own stones on each of {buildings}: {points} point(s)"),
    "vp_per_own_grave": N_("{card}: {points} point(s) for each own grave"),
    "crew_strength": N_("{card}: points for the strength of your {crew} crew"),
    "majority": N_("{card}: strictly most {what}: {points} point(s)"),
    "vp_per_permanent": N_("{card}: {points} point(s) for each permanent card"),
    "plus_10_percent": N_("{card}: a tenth of your points on top"),
}
