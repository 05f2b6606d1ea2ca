"""Tempo: how long slow games take in which some plan by tapping, and what answering ahead costs in points.

python -m benchmarks.tempo days GAME [--games 100] [--seats 4] [--adoption 0,.5,1] [--seed 1]
python -m benchmarks.tempo loss GAME [--matches 100] [--seats 4] [--seed 1]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import click

from benchmarks.match import seats_of
from benchmarks.tempo.loss import Loss, Losses, losses
from benchmarks.tempo.tapping import AdoptionResult, Tempo
from benchmarks.tempo.tapping import tempo as time_games
from pbem.cli import output
from pbem.cli.engine import game_rules, seat_count
from pbem.engine.core.errors import EngineError
from pbem.engine.core.types import AnyRules

T = TypeVar("T")


@click.group()
def measure() -> None:
    """Measure the tempo of slow games."""


@measure.command()
@click.argument("rules", metavar="GAME", callback=game_rules)
@click.option("--games", type=click.IntRange(5, 10_000), default=100, show_default=True, help="Games to time.")
@click.option("--seats", type=int, help="Seats; four if not given, or two.")
@click.option("--seed", default="1", show_default=True, help="The same seed gives the same games and people.")
@click.option("--adoption", default="0,0.5,1", show_default=True, help="Shares of the players who plan.")
@output.as_json
def days(*, rules: AnyRules, games: int, seats: int | None, seed: str, adoption: str) -> None:
    """Time games of GAME asked strictly one by one, and with players who plan by tapping."""
    shares = [_share(word) for word in adoption.split(",")]
    found = _measured(lambda: time_games(rules, seat_count(rules, seats_of(rules, seats)), seed, games, shares))
    output.figures(found, _timed)


def _measured(work: Callable[[], T]) -> T:
    """What `work` finds. Raises UsageError in the words of the engine's refusal."""
    try:
        return work()
    except EngineError as error:
        raise click.UsageError(str(error)) from error


def _share(word: str) -> float:
    """A share between 0 and 1. Raises UsageError naming it."""
    try:
        share = float(word)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise click.UsageError(f"{word!r} is no share of the players: write numbers from 0 to 1, as in 0,.25,1.")
    return share


def _timed(found: Tempo) -> str:
    head = (
        f"{found.games} games of {found.game}, {found.seats} seats: {found.strict_days:.1f} days (median) and"
        f" {found.strict_letters:.1f} letters a player if every question is asked by itself"
    )
    return "\n".join((head, *(_timed_one(one) for one in found.tapping)))


def _timed_one(one: AdoptionResult) -> str:
    return (
        f"{one.adoption:4.0%} plan{', asked together' * one.together:16} {one.days_median:6.1f} days"
        f" (95 %: {one.days_low:.1f} to {one.days_high:.1f}), ratio {one.ratio:.2f},"
        f" letters {one.letters_ratio:.2f}, answered {one.answered_share:.0%}"
    )


@measure.command()
@click.argument("rules", metavar="GAME", callback=game_rules)
@click.option("--matches", type=click.IntRange(2, 100_000), default=100, show_default=True, help="Two games each.")
@click.option("--seats", type=int, help="Seats; four if not given, or two.")
@click.option("--seed", default="1", show_default=True, help="The same seed gives the same games.")
@output.as_json
def loss(*, rules: AnyRules, matches: int, seats: int | None, seed: str) -> None:
    """Measure what each way of answering ahead costs at GAME, in two-sided matches against being asked every time."""
    found = _measured(lambda: losses(rules, seat_count(rules, seats_of(rules, seats)), seed, matches))
    output.figures(found, _lost)


def _lost(found: Losses) -> str:
    head = f"{found.game}, {found.seats} seats, two-sided matches against being asked every time"
    return "\n".join((head, *(_lost_one(one) for one in found.ways)))


def _lost_one(one: Loss) -> str:
    return (
        f"{one.way:32} loses {one.loss_share:6.1%} of the points (95 %: {one.loss_low:.1%} to {one.loss_high:.1%}),"
        f" wins {one.win_share:.1%}"
    )


if __name__ == "__main__":
    measure()
