"""What answering ahead costs: the same bots against each other, half of them asked every time."""

from __future__ import annotations

from statistics import mean, stdev

import msgspec

from benchmarks.tempo.ahead import ASKED_EACH_TIME, SECOND, TOGETHER, AheadGame, AheadPolicy, finished, player, policies
from pbem.bots.series import seeds
from pbem.engine.core.types import AnyRules

_SURE = 1.96


class Loss(msgspec.Struct, frozen=True):
    """One way of answering ahead in two-sided matches: each seed twice, the seats exchanged, personalities staying."""

    way: str
    matches: int
    loss_share: float
    """Points lost, as a share of those that the same players make when asked every time."""
    loss_low: float
    """The 95 % confidence interval."""
    loss_high: float
    win_share: float
    """Matches won by points, a draw counted as half."""
    answered_share: float
    """Of the planning side's and the others' decisions together, those that were answered ahead."""


class Losses(msgspec.Struct, frozen=True):
    """Every way of one game."""

    game: str
    seats: int
    seed: str
    ways: tuple[Loss, ...]


def losses(rules: AnyRules, seats: int, seed: str, matches: int) -> Losses:
    """Play `matches` two-sided matches for each way of answering ahead."""
    found = tuple(loss(rules, seats, seed, matches, policy) for policy in policies(rules.meta.name))
    return Losses(rules.meta.name, seats, seed, found)


def loss(rules: AnyRules, seats: int, seed: str, matches: int, policy: AheadPolicy) -> Loss:
    """Play the matches of one policy."""
    lost, base = [], []
    options = TOGETHER[rules.meta.name] if policy == SECOND else {}
    choices = answered = 0
    for one in seeds(seed, matches):
        ahead = asked = 0.0
        for first in (0, 1):
            table = [
                player(rules, one, seat, policy if (seat + first) % 2 else ASKED_EACH_TIME) for seat in range(seats)
            ]
            game = AheadGame(rules, table, f"{one}/{first}", options)
            scores = finished(game)
            choices, answered = choices + game.choices, answered + game.answered
            for seat, points in enumerate(scores):
                if (seat + first) % 2:
                    ahead += points
                else:
                    asked += points
        lost.append(asked - ahead)
        base.append(asked)
    usual = mean(base)
    half = _SURE * stdev(lost) / len(lost) ** 0.5 / usual
    share = mean(lost) / usual
    return Loss(
        way=policy.name,
        matches=matches,
        loss_share=round(share, 4),
        loss_low=round(share - half, 4),
        loss_high=round(share + half, 4),
        win_share=round(mean(0.5 if not gap else float(gap < 0) for gap in lost), 4),
        answered_share=round(answered / max(choices, 1), 4),
    )
