"""Two bots against each other: each match is played twice with the seats exchanged, so neither has the better ones.

python -m benchmarks.match GAME --a search:1 --b heuristic [--games 100] [--seats 4] [--seed 1]
"""

from __future__ import annotations

from time import process_time

import click
import msgspec

from pbem.bots.basic import Bot
from pbem.bots.players import bot_of
from pbem.bots.selfplay import SelfplayTable, play
from pbem.bots.series import seeds
from pbem.cli import output
from pbem.cli.engine import game_rules, seat_count
from pbem.engine.core.errors import EngineError
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


@click.command()
@click.argument("rules", metavar="GAME", callback=game_rules)
@click.option("--a", "first", default="heuristic", show_default=True, help="The bot whose wins are counted.")
@click.option("--b", "second", default="random", show_default=True, help="The bot it plays against.")
@click.option("--games", type=click.IntRange(2, 100_000), default=100, show_default=True, help="Games, two a match.")
@click.option("--seats", type=int, help="Seats; four if not given, or two.")
@click.option("--seed", default="1", show_default=True, help="The same seed gives the same games.")
@output.as_json
def main(  # noqa: PLR0913 - one for each option
    *, rules: AnyRules, first: str, second: str, games: int, seats: int | None, seed: str
) -> None:
    """Let two bots play two-sided matches of GAME: each seed twice, seats exchanged."""
    try:
        sides = (bot_of(rules.meta.name, first), bot_of(rules.meta.name, second))
        found = match(rules, sides, seat_count(rules, seats_of(rules, seats)), seed, (games + 1) // 2)
    except EngineError as error:
        raise click.UsageError(str(error)) from error
    output.figures(found, _told)


def _told(found: Match) -> str:
    return "\n".join(
        (
            f"{found.matches} two-sided matches of {found.game}, {found.seats} seats: {found.a} against {found.b}",
            f"{found.a} won {found.a_wins}, {found.b} won {found.b_wins}, drawn {found.draws}: {found.a_share:.1%}",
            f"points a seat: {found.a_mean} against {found.b_mean}; {found.decisions} decisions, {found.cpu_s} s",
        )
    )


if __name__ == "__main__":
    main()
