"""`pbem season`: announce a season, list a club's, enter people and take them out, start and end them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli import output
from pbem.cli import session as cmd
from pbem.cli.engine import game_rules
from pbem.clubs import club_views
from pbem.clubs.games.bulk_opening import options_in
from pbem.clubs.seasons import season_tables, seasons
from pbem.errors import NotSeated
from pbem.extensions import current
from pbem.play.deadlines.cadence import CADENCES

if TYPE_CHECKING:
    from pbem.store.models import Season


@click.group()
def season() -> None:
    """Seasons: announce, list, show, enter people, take them out, start, end."""


def _season(club: str, slug: str) -> Season:
    held = cmd.club_called(club)
    try:
        return season_tables.find(cmd.session(), held.id, slug)
    except NotSeated:
        raise click.UsageError(
            f"{held.name} has no season {slug!r}: 'pbem season list {held.slug}' names them"
        ) from None


def _titles(_context: click.Context, _parameter: click.Parameter, value: tuple[str, ...]) -> tuple[seasons.Title, ...]:
    """Read repeated `--title "GAME PLAYERS OPTIONS"`."""
    found = []
    for text in value:
        name, players, options = (*text.split(maxsplit=2), "", "")[:3]
        if not players.isdecimal():
            raise click.BadParameter(f"{text!r} should read like 'amunre 4' or 'amunre 4 auction=sealed'.")
        found.append(seasons.Title(game_rules(_context, _parameter, name).meta.name, int(players), options_in(options)))
    return tuple(found)


@season.command()
@click.argument("club")
@click.argument("name")
@click.option(
    "--title",
    "titles",
    multiple=True,
    required=True,
    metavar="'GAME PLAYERS OPTIONS'",
    callback=_titles,
    help="A game, how many play at its tables, and options as name=value; once for each game.",
)
@click.option("--system", type=click.Choice(seasons.SYSTEMS), default="swiss", show_default=True)
@click.option("--rounds", type=int, default=3, show_default=True)
@click.option("--cadence", type=click.Choice(sorted(CADENCES)), default="club", show_default=True, help="How fast.")
@click.option("--workload", type=int, default=4, show_default=True, help="Games a player has at a time at most.")
@cmd.database_command
def announce(
    *, club: str, name: str, titles: tuple[seasons.Title, ...], system: str, rounds: int, cadence: str, workload: int
) -> None:
    """Announce the season NAME in CLUB; every member is told by letter, and can enter."""
    plan = seasons.SeasonPlan(
        club_id=cmd.club_called(club).id,
        name=name,
        titles=titles,
        system=system,
        rounds=rounds,
        cadence=CADENCES[cadence],
        workload=workload,
    )
    row = seasons.announce(*current(), plan)
    cmd.done(f"The season {row.slug} is announced.", season=row.slug, state=row.state)


@season.command("list")
@click.argument("club")
@cmd.database_command
def list_(*, club: str) -> None:
    """List the seasons of CLUB, the newest first."""
    found = club_views.seasons(cmd.session(), cmd.club_called(club).id, 0)
    output.show(
        [{"slug": one.slug, "name": one.name, "state": one.state, "entered": one.entered} for one in found],
        "{slug}  {name}: {state}, {entered} entered",
        empty="The club has announced no season yet.",
    )


@season.command()
@click.argument("club")
@click.argument("slug", metavar="SEASON")
@cmd.database_command
def show(*, club: str, slug: str) -> None:
    """Show the standings of SEASON."""
    row = _season(club, slug)
    names = {one.player_id: one.name for one in season_tables.contestants(cmd.session(), row.id)}
    lines = seasons.table_of(cmd.session(), row.id)
    output.show(
        [
            {"place": one.place, "name": names.get(one.player, ""), "points": one.points, "games": one.games}
            for one in lines
        ],
        "{place:>3}  {name}: {points} points in {games} games",
        empty="Nobody has entered yet.",
    )


@season.command()
@click.argument("club")
@click.argument("slug", metavar="SEASON")
@click.argument("addresses", metavar="ADDRESS...", nargs=-1, required=True)
@cmd.database_command
def enter(*, club: str, slug: str, addresses: tuple[str, ...]) -> None:
    """Enter members of CLUB in SEASON by their addresses; each is told by letter."""
    row = _season(club, slug)
    for address in addresses:
        seasons.enter(
            *current(),
            row.id,
            cmd.player_at(address).id,
            by=cmd.organiser_of(cmd.club_called(club)),
        )
    cmd.done(f"{len(addresses)} members are entered.", season=row.slug, entered=len(addresses))


@season.command("take-out")
@click.argument("club")
@click.argument("slug", metavar="SEASON")
@click.argument("address")
@cmd.yes
@cmd.database_command
def take_out(*, club: str, slug: str, address: str, yes: bool) -> None:
    """Take the member at ADDRESS out of SEASON; games under way stay theirs to finish."""
    row, player = _season(club, slug), cmd.player_at(address)
    if row.state != "open":
        cmd.agreed("drop", yes=yes, season=row.name)
    seasons.drop_out(*current(), row.id, player.id)
    cmd.done(f"{player.name} is out of {row.name}.", season=row.slug, player=player.id)


@season.command()
@click.argument("club")
@click.argument("slug", metavar="SEASON")
@cmd.yes
@cmd.database_command
def start(*, club: str, slug: str, yes: bool) -> None:
    """Close the sign-up of SEASON and open its first games."""
    row = _season(club, slug)
    cmd.agreed("start", yes=yes, season=row.name)
    seasons.start(*current(), row.id)
    seasons.carry_on(*current(), row.id)
    cmd.done("The season is under way.", season=row.slug, state=row.state)


@season.command()
@click.argument("club")
@click.argument("slug", metavar="SEASON")
@cmd.yes
@cmd.database_command
def finish(*, club: str, slug: str, yes: bool) -> None:
    """End SEASON now; games under way go on, but don't count."""
    row = _season(club, slug)
    cmd.agreed("finish", yes=yes, season=row.name)
    seasons.finish(*current(), row.id)
    cmd.done("The season is over.", season=row.slug, state=row.state)
