"""Many games in a row, and what they tell: speed, score means, wins."""

from __future__ import annotations

from collections import Counter
from time import process_time

from pbem.bots.selfplay import SelfplayGame, SelfplayTable, play
from pbem.structs import Value


class Series(Value):
    """Figures of a number of games; rates are per second of processor time, not of the clock."""

    game: str
    seats: int
    bots: tuple[str, ...]
    seed: str
    games: int
    plies: int
    decisions: int
    events: int
    cpu_s: float
    games_per_s: float
    decisions_per_s: float
    score_means: tuple[float, ...]
    """By seat."""
    wins: tuple[float, ...]
    """By seat; a shared first place is shared out."""
    endings: dict[str, int]


def seeds(seed: str, games: int) -> list[str]:
    """Return the seeds of a series: SEED-0, SEED-1 and so on."""
    return [f"{seed}-{number}" for number in range(games)]


def series(table: SelfplayTable, seed: str, games: int) -> Series:
    """Play `games` games and sum them up."""
    start = process_time()
    played = [play(table, one) for one in seeds(seed, games)]
    cpu = max(process_time() - start, 1e-9)
    return Series(
        game=table.rules.meta.name,
        seats=table.seats,
        bots=tuple(bot.name for bot in table.bots),
        seed=seed,
        games=games,
        plies=sum(game.plies for game in played),
        decisions=sum(game.decisions for game in played),
        events=sum(game.events for game in played),
        cpu_s=round(cpu, 3),
        games_per_s=round(games / cpu, 2),
        decisions_per_s=round(sum(game.decisions for game in played) / cpu, 1),
        score_means=tuple(
            round(sum(game.outcome.scores[seat] for game in played) / games, 2) for seat in range(table.seats)
        ),
        wins=tuple(round(sum(won(game, seat) for game in played), 2) for seat in range(table.seats)),
        endings=dict(sorted(Counter(game.outcome.ending for game in played).items())),
    )


def won(played: SelfplayGame, seat: int) -> float:
    """Return the share of the win that is `seat`'s: 1, or less where the first place is shared, or 0."""
    places = played.outcome.places
    return (places[seat] == 1) / places.count(1)
