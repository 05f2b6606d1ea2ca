"""Commands that measure: bots against each other, and how long a slow game takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import msgspec

from pbem.bots.match import Match, seats_of
from pbem.bots.match import match as play_match
from pbem.bots.players import bot_of
from pbem.bots.tempo import WAYS, Tempo
from pbem.bots.tempo import tempo as time_games
from pbem.cli.engine import game_rules, seat_count
from pbem.engine.core.errors import EngineError

if TYPE_CHECKING:
    from pbem.engine.core.types import AnyRules


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
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def match(*, rules: AnyRules, first: str, second: str, games: int, seats: int | None, seed: str, as_json: bool) -> None:
    """Let two bots play two-sided matches of GAME: each seed twice, seats exchanged."""
    try:
        sides = (bot_of(rules.meta.name, first), bot_of(rules.meta.name, second))
        found = play_match(rules, sides, seat_count(rules, seats_of(rules, seats)), seed, (games + 1) // 2)
    except EngineError as error:
        raise click.UsageError(str(error)) from error
    click.echo(msgspec.json.encode(found).decode() if as_json else _told(found))


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
@click.option("--bot", "name", default="heuristic", show_default=True, help="Who answers where standing orders ask.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def tempo(*, rules: AnyRules, games: int, seats: int | None, seed: str, name: str, as_json: bool) -> None:
    """Time the same games of GAME asked strictly one by one, merged, and with standing orders."""
    try:
        bot = bot_of(rules.meta.name, name)
        found = time_games(rules, bot, seat_count(rules, seats_of(rules, seats)), seed, games)
    except EngineError as error:
        raise click.UsageError(str(error)) from error
    click.echo(msgspec.json.encode(found).decode() if as_json else _timed(found))


def _timed(found: Tempo) -> str:
    lines = [f"{found.games} games of {found.game}, {found.seats} seats, the same people and orders in each way"]
    for name in WAYS:
        way = getattr(found, name)
        lines.append(
            f"{name:9} {way.days_median:7.1f} days (median; 95 %: {way.days_low:.1f} to {way.days_high:.1f}),"
            f" {way.waits_mean:6.1f} waits, {way.letters_mean:6.1f} letters a player"
        )
    lines.append(
        f"days against strict: merged {found.merged_ratio:.2f}, standing {found.standing_ratio:.2f};"
        f" letters {found.letters_ratio:.2f}; standing orders answered {found.answered_share:.0%}"
    )
    return "\n".join(lines)
