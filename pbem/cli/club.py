"""`pbem club`: found a club, list those there are, settle it, write to its members, look after them, undo an act."""

from __future__ import annotations

from typing import TextIO

import click
import msgspec
from sqlalchemy import func, select

from pbem.cli import output
from pbem.cli import session as cmd
from pbem.cli.player import link_of
from pbem.clubs import club_views, workload
from pbem.clubs.games import undo as undoing
from pbem.clubs.members import announcements, club_settings
from pbem.clubs.members import members as people
from pbem.clubs.members.founding import found_club
from pbem.clubs.ratings import rating_sweep, ratings
from pbem.engine.registry import GAMES
from pbem.errors import PlayError
from pbem.extensions import current
from pbem.messages import LANGUAGES
from pbem.play.deadlines.waiting_reasons import STILL
from pbem.play.views import spectator
from pbem.store.models import Audit, Club, Game, Invitation, Member, Player
from pbem.store.queries import common


@click.group()
def club() -> None:
    """Clubs: found, list, settings, members, invitations, letters to them, what was done."""


@cmd.command(club)
@click.option("--organiser", required=True, metavar="ADDRESS", help="The mail address that gets the first link.")
@click.option(
    "--language", type=click.Choice(LANGUAGES), default="en", show_default=True, help="Of the club's letters."
)
def new(name: str, organiser: str, language: str) -> None:
    """Found the club NAME; its organiser's first link is printed, and mailed."""
    founded = found_club(*current(), name, organiser, language=language)
    said = f"The club '{founded.name}' ({founded.slug}) is founded; the first link is on its way to {organiser}."
    link = link_of(cmd.session().get_one(Player, cmd.organiser_of(founded)))
    cmd.done(
        f"{said}\nIt is also here, for the organiser only: {link}",
        club=founded.slug,
        name=founded.name,
        organiser=organiser,
        link=link,
    )


@cmd.command(club, "list")
def list_() -> None:
    """List the clubs: what commands call them, their names, members and games."""
    members = select(func.count()).where(Member.at_present(club_id=Club.id)).scalar_subquery()
    games = select(func.count()).where(Game.club_id == Club.id).scalar_subquery()
    query = select(Club.slug, Club.name, members.label("members"), games.label("games")).order_by(Club.name)
    cmd.listing(
        query,
        "{slug}  {name}: members {members}, games {games}",
        empty="There is no club yet: found one with 'pbem club new'.",
    )


@cmd.command(club)
@click.option("--name")
@click.option("--language", type=click.Choice(LANGUAGES), help="Of its letters to who has chosen none.")
@click.option("--zone", metavar="ZONE", help="The time zone its new members begin with, such as Europe/Rome.")
@click.option("--contact", metavar="ADDRESS", help="Where answers to its letters go; '' for nowhere.")
def settings(club: Club, **wanted: str | None) -> None:
    """Show the settings of CLUB, after settling what an option names anew."""
    given = {name: value for name, value in wanted.items() if value is not None}
    if given:
        common.lock_club(cmd.session(), club.id)  # what isn't named stays as it is when the rest is written
        held = club_settings.read(cmd.session(), club.id)
        club_settings.change(*cmd.acting(club), msgspec.structs.replace(held, **given))
    held = club_settings.read(cmd.session(), club.id)
    said = "{name}: letters in {language}, time zone {zone}, contact {contact}"
    facts = msgspec.structs.asdict(held)
    cmd.done(said.format_map(facts | {"contact": held.contact or "none"}), **facts)


@cmd.command(club)
@click.argument("text", metavar="FILE", type=click.File())
@click.option("--to", multiple=True, metavar="ADDRESS", help="Only to this member; once for each.")
@cmd.yes
def announce(club: Club, title: str, text: TextIO, to: tuple[str, ...]) -> None:
    """Write to every member of CLUB what stands in FILE (`-`: typed; then with --yes), under the subject TITLE."""
    chosen = [cmd.player_at(address).id for address in to]
    count = announcements.announce(*cmd.acting(club), title=title, text=text.read(), to=chosen)
    cmd.sure(f"Members who get this letter: {count}. Nothing calls it back.")
    cmd.done(f"Letters on their way: {count}.", letters=count)


@cmd.command(club, "workload")
@click.option("--order", type=click.Choice(tuple(workload.ORDERS)), default="games", show_default=True)
def load(club: Club, order: str) -> None:
    """List the members of CLUB with their games: how many, how many wait for them, how they answer."""
    found = workload.workload(*current(), club.id, order=order)
    output.show(
        [msgspec.to_builtins(one) | {"count": len(one.games), "waiting": one.waiting} for one in found],
        "{name}: games {count}, awaited in {waiting}",
        empty="Nobody is in this club.",
    )


@cmd.command(club)
def results(club: Club) -> None:
    """List the games of CLUB that are over, the newest first."""
    found = club_views.games(cmd.session(), club.id, over=True, limit=None)
    rows = [msgspec.structs.asdict(one) | {"won": ", ".join(one.winners) or STILL[one.state]} for one in found]
    output.show(rows, "{slug}  {title} ({game}): {won}", empty="No game is over yet.")


@cmd.command(club)
@click.option("--game", "rules", type=click.Choice(tuple(GAMES)), help="In this game alone.")
def ranking(club: Club, rules: str | None) -> None:
    """List the members of CLUB by their rating, over all games or in one."""
    found = rating_sweep.ranking(cmd.session(), club.id, rules or ratings.OVERALL)
    output.show(found, "{place:>3}  {name}: rating {shown}, games {games}", empty="Nobody has a rating yet.")


@cmd.command(club)
@click.argument("behind", type=click.IntRange(spectator.CLOSED, spectator.MOST_BEHIND))
def watch(club: Club, behind: int) -> None:
    """Let everybody watch the games of CLUB, BEHIND moves late; -1 lets its members alone."""
    club_settings.open_to(*cmd.acting(club), behind)
    who, late = ("Only members", "") if behind == spectator.CLOSED else ("Everybody", f" Moves behind: {behind}.")
    cmd.done(f"{who} can watch the games of {club.name}.{late}", club=club.slug, behind=behind)


@cmd.command(club)
@cmd.yes
def close(club: Club) -> None:
    """Close CLUB for good, once no game is under way; results and records stay."""
    cmd.sure(f"Nobody belongs to {club.name} any more: its seasons end, what has not begun is called off.")
    club_settings.close(*cmd.acting(club), club.name)
    cmd.done(f"{club.name} is closed.", club=club.slug)


@cmd.command(club)
def members(club: Club) -> None:
    """List the members of CLUB with their addresses and roles."""
    query = (
        select(Player.id, Player.name, Player.address, Member.role, Player.zone, Member.joined_at)
        .join(Member)
        .where(Member.at_present(club_id=club.id))
        .order_by(Member.role, Player.name)
    )
    cmd.listing(
        query,
        "{id}  {name} <{address}>, {role}, {zone}, since {joined_at:%Y-%m-%d}",
        empty="Nobody is in this club.",
    )


@cmd.command(club)
@click.argument("table", type=click.File(), default="-")
def invite(club: Club, table: TextIO) -> None:
    """Invite the people in TABLE, or standard input, to CLUB: `address, name` a line, in the organiser's name."""
    guests = people.read_guests(table.read())
    known = people.invite(*cmd.acting(club), guests)
    count = len(guests) - len(known)
    said = f"Invitations on their way: {count}."
    cmd.done(
        f"{said} In the club or invited already: {', '.join(known)}." if known else said, invited=count, known=known
    )


@cmd.command(club)
def invitations(club: Club) -> None:
    """List the invitations to CLUB itself that were not accepted, with their numbers."""
    query = (
        select(Invitation.id, Player.name, Player.address, Invitation.state, Invitation.expires_at)
        .join(Player, Player.id == Invitation.player_id)
        .where(
            Invitation.club_id == club.id,
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


@cmd.command(club)
@click.argument("numbers", metavar="NUMBER...", nargs=-1, required=True, type=int)
@click.option("--withdraw", is_flag=True, help="Take them back instead: their links open nothing any more.")
def remind(*, club: Club, numbers: tuple[int, ...], withdraw: bool) -> None:
    """Send the invitations with these NUMBERs once more, with fourteen days from now; or withdraw them."""
    act = people.withdraw_invitation if withdraw else people.resend_invitation
    who = cmd.acting(club)
    for number in numbers:
        try:
            act(*who, number)
        except PlayError as wrong:
            raise click.UsageError(f"{number}: {wrong} 'pbem club invitations' lists them") from None
    said = f"Invitations {'withdrawn' if withdraw else 'sent again'}: {len(numbers)}."
    cmd.done(said, invitations=numbers, withdrawn=withdraw)


@cmd.command(club)
@click.argument("role", type=click.Choice(people.ROLES))
def role(club: Club, address: str, role: str) -> None:
    """Make the member of CLUB at ADDRESS an organiser or a player."""
    player = cmd.player_at(address)
    people.set_role(*cmd.acting(club), player_id=player.id, role=role)
    cmd.done(f"{player.name} is {role} of {club.name}.", player=player.id, role=role, club=club.slug)


@cmd.command(club, "take-out")
@cmd.yes
def take_out(club: Club, address: str) -> None:
    """Take the member at ADDRESS out of CLUB, its seasons and its games that have not begun."""
    player = cmd.player_at(address)
    people.take_out(*cmd.acting(club), player_id=player.id)
    cmd.done(f"{player.name} is no member of {club.name} any more.", player=player.id, club=club.slug)


@cmd.command(club)
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True)
def acts(club: Club, limit: int) -> None:
    """List what organisers did in CLUB and its games, the newest first."""
    query = (
        select(Audit.id, Audit.at, Player.name.label("by"), Audit.act, Game.slug.label("game"), Audit.reason)
        .outerjoin(Player, Player.id == Audit.player_id)
        .outerjoin(Game, Game.id == Audit.game_id)
        .where((Audit.club_id == club.id) | (Game.club_id == club.id))
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


@cmd.command(club)
@click.argument("number", type=int)
def undo(club: Club, number: int) -> None:
    """Take back what was done to games of CLUB within the last ten minutes; 'pbem game act' says its NUMBER."""
    done = undoing.undo(*cmd.acting(club), number)
    said = f"Games it is taken back in: {done.back}; moved on since: {done.left}."
    cmd.done(said, back=done.back, left=done.left)
