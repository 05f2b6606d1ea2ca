"""`pbem player` and `pbem link`: the people of this server, for its operator alone."""

from __future__ import annotations

import click

from pbem.capabilities import links
from pbem.capabilities.tokens import tokens
from pbem.cli import output
from pbem.cli import session as cmd
from pbem.clubs import operation
from pbem.clubs.members.founding import read_address
from pbem.clubs.operation import AT_THE_MACHINE
from pbem.extensions import current, settings
from pbem.store.models import Club, Player


def link_of(player: Player) -> str:
    """The address that leads a person to everything of theirs: whoever has it acts for them."""
    return f"{settings().base_url}/l/{links.player_token(tokens(), player.id, player.epoch)}"


@cmd.command()
def link(address: str) -> None:
    """Print the link of the person at ADDRESS, for when no letter gets there; whoever has it acts for them."""
    player = cmd.player_at(address)
    output.show([{"player": player.id, "name": player.name, "link": link_of(player)}], "{link}", empty="")


@click.group()
def player() -> None:
    """The people of this server: list, look, mend an address, revoke links, erase."""


@cmd.command(player, "list")
@click.option("--club", metavar="CLUB", help="Only the members of this club.")
def list_(club: Club | None) -> None:
    """List people with address, language and time zone, and how many games each has."""
    found = operation.people(cmd.session(), AT_THE_MACHINE, club_id=club.id if club else None)
    output.show(
        found,
        "{id}  {name} <{address}> ({address_state}), {language}, {zone}: games {games}",
        empty="There is nobody yet: 'pbem club new' founds a club with its organiser.",
    )


@cmd.command(player, "address")
@cmd.yes
def address_(old: str, new: str) -> None:
    """Write to NEW from now on instead of OLD, without asking either: for who can't get at their old mail."""
    found, wanted = cmd.player_at(old), read_address(new)
    operation.mend_address(*current(), AT_THE_MACHINE, found.id, wanted)
    cmd.done(f"{found.name} is written to at {wanted}.", player=found.id, address=wanted)


@cmd.command(player)
@cmd.yes
def revoke(address: str) -> None:
    """Void every link of the person at ADDRESS that opens their page, and mail them a fresh one."""
    found = cmd.player_at(address)
    operation.revoke(*current(), AT_THE_MACHINE, found.id)
    cmd.done(f"The links of {found.name} are void; a fresh one is on its way.", player=found.id)


@cmd.command(player)
@cmd.yes
def erase(address: str) -> None:
    """Forget the person at ADDRESS: name, address, words and notes go; old games keep their orders under no name."""
    found = cmd.player_at(address)
    name, number = found.name, found.id
    operation.erase(*current(), AT_THE_MACHINE, found.id)
    cmd.done(f"{name} is erased.", player=number)
