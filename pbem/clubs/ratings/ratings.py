"""How strong a player is, by what their finished games say: Plackett-Luce ratings, per game and over all. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from openskill.models import PlackettLuce

if TYPE_CHECKING:
    from collections.abc import Sequence

OVERALL = ""
"""The pool of all games together; any other pool is a game's name."""
_MODEL = PlackettLuce()
_SHOWN_ZERO = 1000.0
_SHOWN_STEP = 40.0


class Skill(msgspec.Struct, frozen=True):
    """What is believed of a player's strength: its mean and how unsure that is."""

    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma

    @property
    def shown(self) -> int:
        """The figure people see: a careful estimate (mean less three deviations), a newcomer at 1000."""
        return round(_SHOWN_ZERO + _SHOWN_STEP * (self.mu - 3 * self.sigma))


def rated(before: Sequence[Skill], places: Sequence[int]) -> tuple[Skill, ...]:
    """Return the players' ratings after one game, by their places (1 is best, equal places are ties)."""
    teams = [[_MODEL.rating(mu=rating.mu, sigma=rating.sigma)] for rating in before]
    after = _MODEL.rate(teams, ranks=[float(place) for place in places])
    return tuple(Skill(team[0].mu, team[0].sigma) for team in after)
