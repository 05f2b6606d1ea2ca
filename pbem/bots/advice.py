"""Standing orders as a plain player of each game writes them, to start from; the tempo benchmark plays by them."""

from __future__ import annotations

from pbem import packages
from pbem.engine.registry import rules_of


def advice(game: str) -> str:
    """The text that goes with the game's bot, or else with its rules; empty for a game that has none."""
    return str(getattr(packages.load(packages.BOTS, game) or rules_of(game), "ADVICE", "")).strip()
