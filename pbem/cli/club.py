"""`pbem club`: found a club, list those there are, look after members and invitations, take an act back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from sqlalchemy import func, select

from pbem.cli import session as cmd
from pbem.cli.player import link_of
from pbem.clubs.games import undo as undoing
from pbem.clubs.members import members as people
from pbem.clubs.members.founding import found_club
from pbem.errors import PlayError
from pbem.messages import LANGUAGES
from pbem.store.models import Audit, Club, Game, Invitation, Member, Player

if TYPE_CHECKING:
    from typing import TextIO


@click.group()
def club() -> None:
    """Clubs: found, list, members, invitations, what was done."""


@club.command()
@click.argument("name")
@click.option("--organiser", required=True, metavar="ADDRESS", help="The mail address that gets the first link.")
@click.option(
    "--language", type=click.Choice(LANGUAGES), default="en", show_default=True, help="Of the club's letters."
)
@cmd.database_command
def new(*, name: str, organiser: str, language: str) -> None:
    """Found the club NAME; its organiser's first link is printed, and mailed."""
    founded = found_club(cmd.session(), cmd.now(), name, organiser, language=language)
    said = f"The club '{founded.name}' ({founded.slug}) is founded; the first link is on its way to {organiser}."
    link = link_of(cmd.session().get_one(Player, cmd.organiser_of(founded)))
    cmd.done(
        f"{said}\nIt is also here, for the organiser only: {link}",
        club=founded.slug,
        name=founded.name,
        organiser=organiser,
        link=link,
    )


@club.command("list")
@cmd.database_command
def list_() -> None:
    """List the clubs: what commands call them, their names, members and games."""
    members = select(func.count()).where(Member.at_present(club_id=Club.id)).scalar_subquery()
    games = select(func.count()).where(Game.club_id == Club.id).scalar_subquery()
    query = select(Club.slug, Club.name, members.label("members"), games.label("games")).order_by(Club.name)
    cmd.listing(
        query,
        "{slug}  {name}: {members} members, {games} games",
        empty="There is no club yet: found one with 'pbem club new'.",
    )


@club.command()
@click.argument("slug", metavar="CLUB")
@cmd.database_command
def members(*, slug: str) -> None:
    """List the members of CLUB with their addresses and roles."""
    query = (
        select(Player.id, Player.name, Player.address, Member.role, Player.zone, Member.joined_at)
        .join(Member, Member.player_id == Player.id)
        .where(Member.at_present(club_id=cmd.club_called(slug).id))
        .order_by(Member.role, Player.name)
    )
    cmd.listing(
        query,
        "{id}  {name} <{address}>, {role}, {zone}, since {joined_at:%Y-%m-%d}",
        empty="Nobody is in this club.",
    )


@club.command()
@click.argument("slug", metavar="CLUB")
@click.argument("table", type=click.File(), default="-")
@cmd.database_command
def invite(*, slug: str, table: TextIO) -> None:
    """Invite the people in TABLE, or standard input, to CLUB: `address, name` a line, in the organiser's name."""
    found = cmd.club_called(slug)
    guests = people.read_guests(table.read())
    known = people.invite(cmd.session(), cmd.now(), found.id, cmd.organiser_of(found), guests)
    count = len(guests) - len(known)
    said = f"{count} invitations are on their way."
    cmd.done(
        f"{said} In the club or invited already: {', '.join(known)}." if known else said, invited=count, known=known
    )


@club.command()
@click.argument("slug", metavar="CLUB")
@cmd.database_command
def invitations(*, slug: str) -> None:
    """List the invitations to CLUB itself that were not accepted, with their numbers."""
    query = (
        select(Invitation.id, Player.name, Player.address, Invitation.state, Invitation.expires_at)
        .join(Player, Player.id == Invitation.player_id)
        .where(
            Invitation.club_id == cmd.club_called(slug).id,
            Invitation.game_id.is_(None),
            Invitation.state != "accepted",
        )
        .order_by(Invitation.id.desc())
    )
    cmd.listing(
        query,
        "{id}  {name} <{address}>: {state}, until {expires_at:%Y-%m-%d %H:%M} UTC",
        empty="Every invitation was accepted.",
    )


@club.command()
@click.argument("slug", metavar="CLUB")
@click.argument("numbers", metavar="NUMBER...", nargs=-1, required=True, type=int)
@click.option("--withdraw", is_flag=True, help="Take them back instead: their links open nothing any more.")
@cmd.database_command
def remind(*, slug: str, numbers: tuple[int, ...], withdraw: bool) -> None:
    """Send the invitations with these NUMBERs once more, with fourteen days from now; or withdraw them."""
    found = cmd.club_called(slug)
    by = cmd.organiser_of(found)
    act = people.withdraw_invitation if withdraw else people.resend_invitation
    for number in numbers:
        try:
            act(cmd.session(), cmd.now(), found.id, by, number)
        except PlayError as wrong:
            raise click.UsageError(f"{number}: {wrong} 'pbem club invitations' lists them") from None
    said = f"{len(numbers)} invitations were {'withdrawn' if withdraw else 'sent again'}."
    cmd.done(said, invitations=numbers, withdrawn=withdraw)


@club.command()
@click.argument("slug", metavar="CLUB")
@click.argument("address")
@click.argument("role", type=click.Choice(people.ROLES))
@cmd.database_command
def role(*, slug: str, address: str, role: str) -> None:
    """Make the member of CLUB at ADDRESS an organiser or a player."""
    found, player = cmd.club_called(slug), cmd.player_at(address)
    people.set_role(
        cmd.session(),
        cmd.now(),
        found.id,
        by=cmd.organiser_of(found),
        player_id=player.id,
        role=role,
    )
    cmd.done(f"{player.name} is {role} of {found.name}.", player=player.id, role=role, club=found.slug)


@club.command("take-out")
@click.argument("slug", metavar="CLUB")
@click.argument("address")
@cmd.yes
@cmd.database_command
def take_out(*, slug: str, address: str, yes: bool) -> None:
    """Take the member at ADDRESS out of CLUB, its seasons and its games that have not begun."""
    found, player = cmd.club_called(slug), cmd.player_at(address)
    cmd.agreed("leave", yes=yes, name=player.name, club=found.name)
    people.take_out(cmd.session(), cmd.now(), found.id, by=cmd.organiser_of(found), player_id=player.id)
    cmd.done(f"{player.name} is no member of {found.name} any more.", player=player.id, club=found.slug)


@club.command()
@click.argument("slug", metavar="CLUB")
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True)
@cmd.database_command
def acts(*, slug: str, limit: int) -> None:
    """List what organisers did in CLUB and its games, the newest first."""
    found = cmd.club_called(slug)
    query = (
        select(Audit.id, Audit.at, Player.name.label("by"), Audit.act, Game.slug.label("game"), Audit.reason)
        .outerjoin(Player, Player.id == Audit.player_id)
        .outerjoin(Game, Game.id == Audit.game_id)
        .where((Audit.club_id == found.id) | (Game.club_id == found.id))
        .order_by(Audit.id.desc())
        .limit(limit)
    )
    cmd.listing(
        query,
        "{at:%Y-%m-%d %H:%M} UTC  {by}: {act} ({game}) {reason}",
        empty="Nothing was done by hand yet.",
        by="the server",
        game="the club",
    )


@club.command()
@click.argument("slug", metavar="CLUB")
@click.argument("number", type=int)
@cmd.database_command
def undo(*, slug: str, number: int) -> None:
    """Take back what was done to games of CLUB within the last ten minutes; 'pbem game act' says its NUMBER."""
    found = cmd.club_called(slug)
    done = undoing.undo(cmd.session(), cmd.now(), found.id, cmd.organiser_of(found), number)
    said = f"Taken back in {done.back} games; {done.left} have moved on since."
    cmd.done(said, back=done.back, left=done.left)
