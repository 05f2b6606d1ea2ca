"""`pbem season`: list a club's seasons, enter people, start and end them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli import output
from pbem.cli import session as cmd
from pbem.clubs import club_views
from pbem.clubs.seasons import season_tables, seasons
from pbem.errors import NotSeated

if TYPE_CHECKING:
    from pbem.store.models import Season


@click.group()
def season() -> None:
    """Seasons: list, show, enter people, start, end."""


def _season(club: str, slug: str) -> Season:
    held = cmd.club_called(club)
    try:
        return season_tables.find(cmd.session(), held.id, slug)
    except NotSeated:
        raise click.UsageError(
            f"{held.name} has no season {slug!r}: 'pbem season list {held.slug}' names them"
        ) from None


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
            cmd.session(),
            cmd.now(),
            row.id,
            cmd.player_at(address).id,
            by=cmd.organiser_of(cmd.club_called(club)),
        )
    cmd.done(f"{len(addresses)} members are entered.", season=row.slug, entered=len(addresses))


@season.command()
@click.argument("club")
@click.argument("slug", metavar="SEASON")
@cmd.yes
@cmd.database_command
def start(*, club: str, slug: str, yes: bool) -> None:
    """Close the sign-up of SEASON and open its first games."""
    row = _season(club, slug)
    cmd.agreed("start", yes=yes, season=row.name)
    seasons.start(cmd.session(), cmd.now(), row.id)
    seasons.carry_on(cmd.session(), cmd.now(), row.id)
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
    seasons.finish(cmd.session(), cmd.now(), row.id)
    cmd.done("The season is over.", season=row.slug, state=row.state)
