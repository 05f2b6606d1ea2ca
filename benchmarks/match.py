"""Two bots against each other: each match is played twice with the seats exchanged, so neither has the better ones."""

from __future__ import annotations

from time import process_time

import msgspec

from pbem.bots.players import Bot
from pbem.bots.selfplay import SelfplayTable, play
from pbem.bots.series import seeds
from pbem.engine.core.types import AnyRules

_USUAL = 4


class Match(msgspec.Struct, frozen=True):
    """What came of a number of two-sided matches between bots a and b."""

    game: str
    seats: int
    a: str
    b: str
    seed: str
    matches: int
    a_wins: int
    b_wins: int
    draws: int
    a_share: float
    """Matches won by a, a draw counted as half, over all."""
    a_mean: float
    """Points a seat of a makes on average."""
    b_mean: float
    decisions: int
    cpu_s: float


def match(rules: AnyRules, sides: tuple[Bot, Bot], seats: int, seed: str, matches: int) -> Match:
    """Play `matches` matches, a and b taking every other seat and exchanging them for the second game of each."""
    start, won, points, decisions = process_time(), [0, 0, 0], [0, 0], 0
    for one in seeds(seed, matches):
        places, scores = [0, 0], [0, 0]
        for first in (0, 1):
            played = play(SelfplayTable(rules, tuple(sides[(seat + first) % 2] for seat in range(seats))), one)
            decisions += played.decisions
            for seat in range(seats):
                places[(seat + first) % 2] += played.outcome.places[seat]
                scores[(seat + first) % 2] += played.outcome.scores[seat]
        won[_winner(places, scores)] += 1
        points = [total + score for total, score in zip(points, scores, strict=True)]
    return Match(
        game=rules.meta.name,
        seats=seats,
        a=sides[0].name,
        b=sides[1].name,
        seed=seed,
        matches=matches,
        a_wins=won[0],
        b_wins=won[1],
        draws=won[2],
        a_share=round((won[0] + won[2] / 2) / matches, 4),
        a_mean=round(points[0] / matches / seats, 2),
        b_mean=round(points[1] / matches / seats, 2),
        decisions=decisions,
        cpu_s=round(process_time() - start, 2),
    )


def _winner(places: list[int], scores: list[int]) -> int:
    """0 for a, 1 for b, 2 for neither: the better places over both games, then the more points."""
    if places[0] != places[1]:
        return int(places[1] < places[0])
    if scores[0] != scores[1]:
        return int(scores[1] > scores[0])
    return 2


def seats_of(rules: AnyRules, wanted: int | None) -> int:
    """Return the number of seats for a match: as wanted, else four, else the game's smallest even number."""
    even = [count for count in rules.meta.seats if not count % 2]
    return wanted or (_USUAL if _USUAL in even else even[0])
