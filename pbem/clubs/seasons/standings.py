"""The table of a season: points from places, tie-breaks, one order. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

import msgspec

from pbem.engine.core.types import places_of
from pbem.structs import Value

WIN = 100.0
"""Points of a clear win, whatever the table's size; last place is worth 0, the places between are spaced evenly."""


class TableResult(Value):
    """One finished game of a season: its players with places and scores, all in seat order."""

    players: tuple[int, ...]
    places: tuple[int, ...]
    scores: tuple[int, ...]


class StandingLine(Value):
    """One player's line of the standings."""

    player: int
    place: int
    points: float
    games: int
    wins: float
    """Shared wins count by their share."""
    opposition: float
    """The mean points per game, without byes, of those one has met: who had the harder way ranks first."""
    share: float
    """The mean share of the table's winning score, 0 to 1."""


def table_points(places: Sequence[int]) -> tuple[float, ...]:
    """Season points for one table by its places; tied players share what their places are worth together."""
    seats = len(places)
    worth = [WIN * (seats - place) / (seats - 1) for place in range(1, seats + 1)]
    tied = {place: places.count(place) for place in places}
    return tuple(sum(worth[place - 1 : place - 1 + tied[place]]) / tied[place] for place in places)


class _Tally(msgspec.Struct):
    """What one player has gathered."""

    points: float = 0.0
    games: int = 0
    wins: float = 0.0
    share: float = 0.0
    met: list[int] = []


def _tally(results: Iterable[TableResult]) -> dict[int, _Tally]:
    tallies: dict[int, _Tally] = defaultdict(_Tally)
    for result in results:
        best = max(result.scores)
        winners = result.places.count(1)
        for player, points, place, score in zip(
            result.players, table_points(result.places), result.places, result.scores, strict=True
        ):
            tally = tallies[player]
            tally.points += points
            tally.games += 1
            tally.wins += 1 / winners if place == 1 else 0
            tally.share += max(0, score) / best if best > 0 else float(place == 1)
            tally.met.extend(other for other in result.players if other != player)
    return tallies


def standings(
    players: Iterable[int],
    results: Sequence[TableResult],
    byes: Iterable[int] = (),
    reached: Mapping[int, float] = MappingProxyType({}),
) -> tuple[StandingLine, ...]:
    """Return every player's line, best first.

    Ordered by how far they came (`reached`, of a knock-out only), then by points, opposition, wins and mean share of
    the winning score; players equal in all of them share a place. A bye (named once per bye in `byes`) is worth half a
    win and counts as no game.
    """
    tallies = _tally(results)
    mean = {player: tally.points / tally.games for player, tally in tallies.items()}
    for player in byes:
        tallies[player].points += WIN / 2
    keys: dict[int, tuple[float, ...]] = {}
    for player in players:
        tally = tallies[player]
        opposition = sum(mean[other] for other in tally.met) / len(tally.met) if tally.met else 0.0
        share = tally.share / tally.games if tally.games else 0.0
        parts = (reached.get(player, 0.0), tally.points, opposition, tally.wins, share)
        keys[player] = tuple(round(part, 6) for part in parts)
    order = sorted(keys, key=lambda player: (*(-part for part in keys[player]), player))
    lines: list[StandingLine] = []
    for player, place in zip(order, places_of([keys[player] for player in order]), strict=True):
        _, points, opposition, wins, share = keys[player]
        lines.append(StandingLine(player, place, points, tallies[player].games, wins, opposition, share))
    return tuple(lines)
