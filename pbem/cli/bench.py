"""The command that measures bots against each other."""

from __future__ import annotations

import click

from pbem.bots.match import Match, seats_of
from pbem.bots.match import match as play_match
from pbem.bots.players import bot_of
from pbem.cli import output
from pbem.cli.engine import game_rules, seat_count
from pbem.engine.core.errors import EngineError
from pbem.engine.core.types import AnyRules


@click.group()
def bench() -> None:
    """Measure bots."""


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
