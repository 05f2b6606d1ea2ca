"""`pbem doctor` names what is set up wrongly; `pbem audit` plays every stored game again and compares."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click
import msgspec
from flask.cli import with_appcontext
from sqlalchemy import select

from pbem.cli import output, session
from pbem.engine.core.errors import UnknownVersion
from pbem.extensions import settings
from pbem.store.models import Game
from pbem.structs import Value

HINT = "Hint: "
"""What a finding begins with that is worth knowing, but no fault."""
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
@click.option("--small", is_flag=True, help="With --units: those of one process on SQLite ('pbem serve').")
@click.option("--dns", is_flag=True, help="Look at DNS and TLS as the world sees them, instead.")
@click.option("--resolver", metavar="HOST:PORT", help="With --dns: the name server to ask, instead of the system's.")
@output.as_json
@click.pass_context
def doctor(ctx: click.Context, *, units: Path | None, small: bool, dns: bool, resolver: str | None) -> None:
    """Look at settings, database, mail and work; say what is wrong and what to do about it.

    Leaves with 1 if something is wrong; a hint is no fault.
    """
    if small and units is None:
        raise click.UsageError("'--small' says which units '--units' writes: name that too")
    if resolver and not dns:
        raise click.UsageError("'--resolver' says whom '--dns' asks: name that too")
    if units is not None:
        _write_units(units, small=small)
    elif dns:
        ctx.invoke(_look_up, resolver=resolver)
    else:
        ctx.invoke(_examine)


@with_appcontext
def _look_up(resolver: str | None) -> None:
    from pbem.cli.operator.dns_checks import examine  # noqa: PLC0415 - needed here only

    _report(examine(settings(), resolver))


@with_appcontext
def _examine() -> None:
    from pbem.cli.operator.checks import examine  # noqa: PLC0415 - its clients for mail and Redis are needed here only

    _report(examine())


def _report(checks: Iterable[tuple[str, list[str]]]) -> None:
    """Print each check with what it found; leaves with `UNWELL` if anything was no mere hint."""
    found, told = 0, {}
    for name, faults in checks:
        found += sum(not fault.startswith(HINT) for fault in faults)
        told[name] = faults
        output.say(f"{name:>13}  {'all well' if not faults else faults[0] + '.'}")
        output.say(*(f"{'':>13}  {fault}." for fault in faults[1:]))
    if output.is_json():
        output.document({"faults": found, "checks": told})
    if found:
        raise click.exceptions.Exit(UNWELL)


def _write_units(folder: Path, *, small: bool) -> None:
    from pbem.cli.operator.units import units  # noqa: PLC0415 - needed here only

    made = units(small=small)
    if str(folder) == "-":
        output.say(*(f"# {name}\n{text}" for name, text in made.items()))
    else:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in made.items():
            (folder / name).write_text(text, encoding="utf-8")
            output.say(f"{folder / name}")
    if output.is_json():
        output.document(made)


@session.command()
@click.argument("games", nargs=-1, metavar="[GAME]...")
def audit(games: tuple[str, ...]) -> None:
    """Play every stored game again, or the GAMEs named, and compare each ply with what is stored."""
    found = play_all_again(games)
    output.tell(found.said, **msgspec.structs.asdict(found))
    if found.differences:
        raise click.exceptions.Exit(UNWELL)


class GamesAudited(Value):
    """What playing games again has found."""

    games: int
    plies: int
    differences: list[str]

    @property
    def said(self) -> str:
        """How many games and plies were compared, and how many differ, in one line for a person."""
        return f"games {self.games}, plies {self.plies}, differences {len(self.differences)}"


def play_all_again(games: tuple[str, ...] = ()) -> GamesAudited:
    """Play games again, by default all; says each difference. Raises UsageError naming a game that isn't there."""
    from pbem.play.proof.replay_audit import audit as play_again  # noqa: PLC0415 - loads the rules, which no other command here needs

    query = select(Game.id, Game.slug).where(Game.ply >= 0).order_by(Game.id)
    rows = session.session().execute(query.where(Game.slug.in_(games)) if games else query).all()
    if unknown := sorted(set(games) - {slug for _, slug in rows}):
        raise click.UsageError(f"There is no game {unknown[0]!r} that has begun: 'pbem game list' names them")
    found = GamesAudited(len(rows), 0, [])
    for game_id, slug in rows:
        try:
            result = play_again(session.session(), game_id)
            plies, wrong = result.plies, result.faults
        except UnknownVersion as fault:  # the other games are compared all the same
            plies, wrong = 0, (str(fault),)
        faults = [f"{slug}: {one}" for one in wrong]
        output.say(*faults)
        found = GamesAudited(found.games, found.plies + plies, found.differences + faults)
    return found
