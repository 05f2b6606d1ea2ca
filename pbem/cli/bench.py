"""Commands that measure: bots against each other, and how long a slow game takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import click

from pbem.bots.loss import Loss, Losses, losses
from pbem.bots.match import Match, seats_of
from pbem.bots.match import match as play_match
from pbem.bots.players import bot_of
from pbem.bots.tapping import AdoptionResult, Tempo
from pbem.bots.tapping import tempo as time_games
from pbem.cli import output
from pbem.cli.engine import game_rules, seat_count
from pbem.engine.core.errors import EngineError
from pbem.engine.core.types import AnyRules

T = TypeVar("T")


@click.group()
def bench() -> None:
    """Measure bots and tempo."""


@bench.command()
@click.argument("rules", metavar="GAME", callback=game_rules)
@click.option("--a", "first", default="heuristic", show_default=True, help="The bot whose wins are counted.")
@click.option("--b", "second", default="random", show_default=True, help="The bot it plays against.")
@click.option("--games", type=click.IntRange(2, 100_000), default=100, show_default=True, help="Games, two a match.")
@click.option("--seats", type=int, help="Seats; four if not given, or two.")
@click.option("--seed", default="1", show_default=True, help="The same seed gives the same games.")
@output.as_json
def match(*, rules: AnyRules, first: str, second: str, games: int, seats: int | None, seed: str) -> None:
    """Let two bots play two-sided matches of GAME: each seed twice, seats exchanged."""
    try:
        sides = (bot_of(rules.meta.name, first), bot_of(rules.meta.name, second))
        found = play_match(rules, sides, seat_count(rules, seats_of(rules, seats)), seed, (games + 1) // 2)
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


@bench.command()
@click.argument("rules", metavar="GAME", callback=game_rules)
@click.option("--games", type=click.IntRange(5, 10_000), default=100, show_default=True, help="Games to time.")
@click.option("--seats", type=int, help="Seats; four if not given, or two.")
@click.option("--seed", default="1", show_default=True, help="The same seed gives the same games and people.")
@click.option("--adoption", default="0,0.5,1", show_default=True, help="Shares of the players who plan.")
@output.as_json
def tempo(*, rules: AnyRules, games: int, seats: int | None, seed: str, adoption: str) -> None:
    """Time games of GAME asked strictly one by one, and with players who plan by tapping."""
    shares = [_share(word) for word in adoption.split(",")]
    found = _measured(lambda: time_games(rules, seat_count(rules, seats_of(rules, seats)), seed, games, shares))
    output.figures(found, _timed)


def _measured(measure: Callable[[], T]) -> T:
    """What `measure` finds. Raises UsageError in the words of the engine's refusal."""
    try:
        return measure()
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


@bench.command()
@click.argument("rules", metavar="GAME", callback=game_rules)
@click.option("--matches", type=click.IntRange(2, 100_000), default=100, show_default=True, help="Two games each.")
@click.option("--seats", type=int, help="Seats; four if not given, or two.")
@click.option("--seed", default="1", show_default=True, help="The same seed gives the same games.")
@output.as_json
def plans(*, rules: AnyRules, matches: int, seats: int | None, seed: str) -> None:
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
