"""Commands for the rules alone: games among bots, and records played again. They need no database."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.bots.players import bot_of
from pbem.bots.selfplay import SelfplayTable
from pbem.bots.selfplay import record as play_and_keep
from pbem.bots.series import Series, seeds, series
from pbem.cli import output
from pbem.engine import replay as again
from pbem.engine.core import records
from pbem.engine.core.errors import EngineError
from pbem.engine.core.types import AnyRules
from pbem.engine.registry import rules_of


def game_rules(_context: click.Context, _parameter: click.Parameter, value: str) -> AnyRules:
    """Read a GAME argument."""
    try:
        return rules_of(value)
    except EngineError as error:
        raise click.BadParameter(str(error)) from error


def option_pairs(_context: click.Context, _parameter: click.Parameter, value: tuple[str, ...]) -> dict[str, str]:
    """Read repeated `--option NAME=VALUE`; a value `@FILE` is the text of that file."""
    pairs = {}
    for text in value:
        name, sign, setting = text.partition("=")
        if not sign:
            raise click.BadParameter(f"{text!r} should read NAME=VALUE.")
        pairs[name] = _text_of(setting[1:]) if setting.startswith("@") else setting
    return pairs


def _text_of(name: str) -> str:
    try:
        return Path(name).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise click.BadParameter(f"{name} can't be read: {error}.") from error


def seat_count(rules: AnyRules, wanted: int | None) -> int:
    """The number of seats wanted, or the game's largest."""
    count = wanted if wanted is not None else rules.meta.seats[-1]
    if count not in rules.meta.seats:
        allowed = ", ".join(map(str, rules.meta.seats))
        raise click.BadParameter(f"{count} is no number of seats for {rules.meta.title}; it takes {allowed}.")
    return count


def table_of(rules: AnyRules, seats: int | None, names: str, options: dict[str, str]) -> SelfplayTable:
    """The table that `--seats` and `--bots` ask for; one bot's name alone stands for all seats."""
    count = seat_count(rules, seats)
    chosen = names.split(",")
    if len(chosen) not in {1, count}:
        raise click.BadParameter(f"--bots names {len(chosen)}, not one for each seat: name one for all, or {count}.")
    try:
        bots = tuple(bot_of(rules.meta.name, name.strip()) for name in (chosen * count)[:count])
    except EngineError as error:
        raise click.BadParameter(str(error)) from error
    return SelfplayTable(rules, bots, options)


@click.command()
@click.argument("rules", metavar="GAME", callback=game_rules)
@click.option("--seats", type=int, help="Number of players; the game's largest if not given.")
@click.option("--games", type=click.IntRange(1, 1_000_000), default=100, show_default=True, help="Games to play.")
@click.option("--seed", default="1", show_default=True, help="The series' seed; the same one gives the same games.")
@click.option("--bots", default="random", show_default=True, help="One bot for all seats, or one a seat: a,b,c.")
@click.option(
    "--option", "options", multiple=True, callback=option_pairs, help="A game option, NAME=VALUE or NAME=@FILE."
)
@click.option(
    "--record", "folder", type=click.Path(file_okay=False, path_type=Path), help="Write each game's record here."
)
@output.as_json
def selfplay(
    *,
    rules: AnyRules,
    seats: int | None,
    games: int,
    seed: str,
    bots: str,
    options: dict[str, str],
    folder: Path | None,
) -> None:
    """Play games of GAME among bots and print speed and scores."""
    table = table_of(rules, seats, bots, options)
    try:
        if folder is not None:
            _record(table, seeds(seed, games), folder)
        figures = series(table, seed, games)
    except EngineError as error:
        raise click.UsageError(str(error)) from error
    output.figures(figures, _shown)


def _record(table: SelfplayTable, games: list[str], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for seed in games:
        record = play_and_keep(table, seed)[1]
        (folder / f"{record.game}-{record.seats}-{seed}.txt").write_text(records.write(record), "utf-8")


def _shown(figures: Series) -> str:
    return "\n".join(
        (
            f"{figures.game}: games {figures.games}, seats {figures.seats} ({', '.join(figures.bots)})",
            f"{figures.games_per_s} games/s, {figures.decisions_per_s} decisions/s (decisions_per_s, per CPU second)",
            f"plies {figures.plies}, decisions {figures.decisions}, events {figures.events}",
            f"score means {' '.join(map(str, figures.score_means))}",
            f"wins {' '.join(map(str, figures.wins))}",
            f"endings {', '.join(f'{name} {count}' for name, count in figures.endings.items())}",
        )
    )


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--write", is_flag=True, help="Write FILE anew as it comes out when played.")
@output.as_json
def replay(file: Path, *, write: bool) -> None:
    """Play the record in FILE and print its result and digest, or every line that does not hold."""
    try:
        text = file.read_text("utf-8")
        if write:
            text = again.rewrite(text)
            file.write_text(text, "utf-8")
        wrong = again.mismatches(text)
        record, seal = again.finish(records.parse(text)) if not wrong else (None, "")
    except UnicodeDecodeError as error:
        raise click.UsageError(f"{file} is not UTF-8 text; a record is.") from error
    except EngineError as error:
        raise click.UsageError(f"{file}: {error}") from error
    for line in wrong:
        click.echo(line, err=True)
    if record is None:
        raise click.exceptions.Exit(1)
    result = records.result_line(record.result)
    output.tell(f"{result}\ndigest {seal}", result=result, digest=seal)
