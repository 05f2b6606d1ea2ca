"""`pbem doctor` names what is set up wrongly; `pbem audit` plays every stored game again and compares."""

from __future__ import annotations

from pathlib import Path

import click
from flask.cli import with_appcontext
from sqlalchemy import select

from pbem.cli import session
from pbem.store.models import Game

UNWELL = 1
"""The exit code when something was found."""


@click.command()
@click.option(
    "--units",
    type=click.Path(file_okay=False, path_type=Path),
    is_flag=False,
    flag_value="-",
    help="Write systemd units to a folder instead; without one, print them.",
)
@click.pass_context
def doctor(ctx: click.Context, *, units: Path | None) -> None:
    """Look at settings, database, mail and work; say what is wrong and what to do about it."""
    if units is not None:
        _write_units(units)
    else:
        ctx.invoke(_examine)


@with_appcontext
def _examine() -> None:
    from pbem.cli.checks import examine  # noqa: PLC0415 - its clients for mail and Redis are needed here only

    found = 0
    for name, faults in examine():
        found += len(faults)
        click.echo(f"{name:>13}  {'all well' if not faults else faults[0] + '.'}")
        for fault in faults[1:]:
            click.echo(f"{'':>13}  {fault}.")
    if found:
        raise click.exceptions.Exit(UNWELL)


def _write_units(folder: Path) -> None:
    from pbem.cli.units import units  # noqa: PLC0415 - needed here only

    for name, text in units().items():
        if str(folder) == "-":
            click.echo(f"# {name}\n{text}")
        else:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
            click.echo(f"{folder / name}")


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME]...")
@session.at_the_desk
def audit(*, games: tuple[str, ...]) -> None:
    """Play every stored game again, or the GAMEs named, and compare each ply with what is stored."""
    from pbem.play.proof.replay_audit import audit as play_again  # noqa: PLC0415 - loads the rules, which no other command here needs

    query = select(Game.id, Game.slug).where(Game.ply >= 0).order_by(Game.id)
    rows = session.session().execute(query.where(Game.slug.in_(games)) if games else query).all()
    if unknown := sorted(set(games) - {slug for _, slug in rows}):
        raise click.UsageError(f"There is no game {unknown[0]!r} that has begun: 'pbem game list' names them")
    plies, faults = 0, 0
    for game_id, slug in rows:
        result = play_again(session.session(), game_id)
        plies, faults = plies + result.plies, faults + len(result.faults)
        for fault in result.faults:
            click.echo(f"{slug}: {fault}")
    click.echo(f"{len(rows)} games, {plies} plies, {faults} differences")
    if faults:
        raise click.exceptions.Exit(UNWELL)
