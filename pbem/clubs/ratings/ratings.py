"""How strong a player is, by what their finished games say: Plackett-Luce ratings, per game and over all. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.structs import Value

OVERALL = ""
"""The pool of all games together; any other pool is a game's name."""
_MEAN, _DEVIATION = 25.0, 25.0 / 3
"""What is believed of a newcomer, as the model has it by itself."""
_SHOWN_ZERO = 1000.0
_SHOWN_STEP = 40.0


class Skill(Value):
    """What is believed of a player's strength: its mean and how unsure that is."""

    mu: float = _MEAN
    sigma: float = _DEVIATION

    @property
    def shown(self) -> int:
        """The figure people see: a careful estimate (mean less three deviations), a newcomer at 1000."""
        return round(_SHOWN_ZERO + _SHOWN_STEP * (self.mu - 3 * self.sigma))


def rated(before: Sequence[Skill], places: Sequence[int]) -> tuple[Skill, ...]:
    """Return the players' ratings after one game, by their places (1 is best, equal places are ties)."""
    from openskill.models import PlackettLuce  # noqa: PLC0415 - 1 MB in every process, for the sweep of ratings alone

    model = PlackettLuce(mu=_MEAN, sigma=_DEVIATION)
    teams = [[model.rating(mu=rating.mu, sigma=rating.sigma)] for rating in before]
    after = model.rate(teams, ranks=[float(place) for place in places])
    return tuple(Skill(team[0].mu, team[0].sigma) for team in after)
