"""`pbem season`: announce a season, list a club's, enter people and take them out, start and end them."""

from __future__ import annotations

import click

from pbem.cli import output
from pbem.cli import session as cmd
from pbem.cli.engine import game_rules
from pbem.clubs import club_views
from pbem.clubs.games.bulk_opening import options_in
from pbem.clubs.seasons import season_acts, season_tables, seasons
from pbem.extensions import current
from pbem.play.deadlines.cadence import CADENCES, choose
from pbem.store.models import Club, Season


@click.group()
def season() -> None:
    """Seasons: announce, list, show, enter people, take them out, start, end."""


def _titles(_context: click.Context, _parameter: click.Parameter, value: tuple[str, ...]) -> tuple[seasons.Title, ...]:
    """Read repeated `--title "GAME PLAYERS OPTIONS"`."""
    found = []
    for text in value:
        name, players, options = (*text.split(maxsplit=2), "", "", "")[:3]
        if not players.isdecimal():
            raise click.BadParameter(f"{text!r} should read like 'amunre 4' or 'amunre 4 auction=sealed'.")
        meta = game_rules(_context, _parameter, name).meta
        found.append(seasons.Title(meta.name, int(players), options_in(options, meta)))
    return tuple(found)


@cmd.command(season)
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
@cmd.min_wait
@cmd.max_wait
@click.option("--workload", type=int, default=4, show_default=True, help="Games a player has at a time at most.")
@click.option(
    "--stagger",
    "stagger_hours",
    type=int,
    default=0,
    show_default=True,
    metavar="HOURS",
    help="Between the starts of one round's titles.",
)
def announce(
    *,
    club: Club,
    name: str,
    titles: tuple[seasons.Title, ...],
    system: str,
    rounds: int,
    cadence: str,
    min_wait: float | None,
    max_wait: float | None,
    workload: int,
    stagger_hours: int,
) -> None:
    """Announce the season NAME in CLUB; every member is told by letter, and can enter."""
    plan = seasons.SeasonPlan(
        name=name,
        titles=titles,
        system=system,
        rounds=rounds,
        cadence=choose(cadence, least=min_wait, most=max_wait),
        workload=workload,
        stagger_hours=stagger_hours,
    )
    row = seasons.announce(*cmd.acting(club), plan)
    cmd.done(f"The season {row.slug} is announced.", season=row.slug, state=row.state)


@cmd.command(season, "list")
def list_(club: Club) -> None:
    """List the seasons of CLUB, the newest first."""
    found = club_views.seasons(cmd.session(), club.id, 0)
    output.show(
        [{"slug": one.slug, "name": one.name, "state": one.state, "entered": one.entered} for one in found],
        "{slug}  {name}: {state}, {entered} entered",
        empty="The club has announced no season yet.",
    )


@cmd.command(season)
def show(season: Season) -> None:
    """Show the standings of SEASON."""
    names = {one.player_id: one.name for one in season_tables.contestants(cmd.session(), season.id)}
    lines = seasons.table_of(cmd.session(), season.id)
    output.show(
        [
            {"place": one.place, "name": names.get(one.player, ""), "points": one.points, "games": one.games}
            for one in lines
        ],
        "{place:>3}  {name}: points {points:.0f}, games {games}",
        empty="Nobody has entered yet.",
    )


@cmd.command(season)
@click.argument("addresses", metavar="ADDRESS...", nargs=-1, required=True)
def enter(season: Season, addresses: tuple[str, ...]) -> None:
    """Enter members of CLUB in SEASON by their addresses; each is told by letter."""
    by = _organiser(season)
    for address in addresses:
        seasons.enter(*current(), season.id, cmd.player_at(address).id, by=by)
    cmd.done(f"Members entered: {len(addresses)}.", season=season.slug, entered=len(addresses))


def _organiser(season: Season) -> int:
    """In whose name the operator acts on a season."""
    return cmd.organiser_of(cmd.session().get_one(Club, season.club_id))


def _step(season: Season, act: str, player_id: int = 0) -> None:
    season_acts.carry_out(*current(), season, act, _organiser(season), player_id)


@cmd.command(season, "take-out")
@cmd.yes
def take_out(season: Season, address: str) -> None:
    """Take the member at ADDRESS out of SEASON; games under way stay theirs to finish."""
    player = cmd.player_at(address)
    _step(season, "drop", player.id)
    cmd.done(f"{player.name} is out of {season.name}.", season=season.slug, player=player.id)


@cmd.command(season)
@cmd.yes
def start(season: Season) -> None:
    """Close the sign-up of SEASON and open its first games."""
    _step(season, "start")
    cmd.done("The season is under way.", season=season.slug, state=season.state)


@cmd.command(season)
@cmd.yes
def finish(season: Season) -> None:
    """End SEASON now; games under way go on, but don't count."""
    _step(season, "finish")
    cmd.done("The season is over.", season=season.slug, state=season.state)
