"""`pbem webhook`, `pbem key`, `pbem view`: other services of a club, and what each organiser has of their own."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import click
import msgspec
from sqlalchemy.orm import Session

from pbem.capabilities import api_keys
from pbem.cli import output
from pbem.cli import session as cmd
from pbem.clubs.games import control_room
from pbem.clubs.integrations import webhooks
from pbem.messages import Translator
from pbem.store.models import Club


@click.group()
def webhook() -> None:
    """Other services that are told of a club's games: list, add, test, retry, remove."""


@cmd.command(webhook, "list")
def list_(club: Club) -> None:
    """List the webhooks of CLUB by number, and what became of their newest calls; their addresses stay untold."""
    found = webhooks.states(cmd.session(), club.id)
    rows = [msgspec.structs.asdict(one) | {"fault": Translator()(one.fault) if one.fault else ""} for one in found]
    output.show(
        rows,
        "{id}  {kind} {host}: newest calls {taken} taken, {waiting} waiting, {failed} given up. {fault}",
        empty="The club has no webhook.",
    )


@cmd.command(webhook)
@click.argument("kind", type=click.Choice(webhooks.KINDS))
def add(club: Club, kind: str, url: str) -> None:
    """Tell the service at URL of the games of CLUB; the secret its calls are signed with is printed this once."""
    secret = webhooks.add(*cmd.acting(club), kind, url)
    cmd.done(f"It is told from now on. Its secret, shown only now: {secret}", secret=secret)


def _to_webhook(name: str, do: Callable[[Session, datetime, int, int, int], None], does: str, said: str) -> None:
    """Make the command `name`, which does the same as a button beside a webhook."""

    @cmd.command(webhook, name, help=does)
    def act(club: Club, number: int) -> None:
        do(*cmd.acting(club), number)
        cmd.done(said, webhook=number)


_to_webhook(
    "test",
    webhooks.try_out,
    "Send a test to the webhook NUMBER of CLUB.",
    "A test is on its way; 'pbem webhook list' says what became of it.",
)
_to_webhook(
    "retry",
    webhooks.retry,
    "Make the calls of the webhook NUMBER of CLUB once more that were given up.",
    "They are on their way; 'pbem webhook list' says what became of them.",
)
_to_webhook(
    "remove",
    webhooks.end,
    "Tell the webhook NUMBER of CLUB no more.",
    "That service is told no more.",
)


@click.group()
def key() -> None:
    """Keys of programs that speak for a club: list, revoke; they are made on its page."""


@cmd.command(key, "list")
@cmd.organiser
def keys(club: Club, organiser: str | None) -> None:
    """List an organiser's keys for CLUB with their numbers, without their texts."""
    session, now, club_id, owner = cmd.acting(club, organiser)
    found = [one for one in api_keys.keys_of(session, now, owner) if one.club_id == club_id]
    output.show(
        [{"id": one.id, "name": one.name, "created_at": one.created_at, "used_at": one.used_at} for one in found],
        "{id}  {name}, since {created_at:%Y-%m-%d}",
        empty="There is no key for this club.",
    )


@cmd.command(key)
@cmd.organiser
def revoke(club: Club, number: int, organiser: str | None) -> None:
    """Make an organiser's key NUMBER for CLUB worthless at once."""
    session, now, club_id, owner = cmd.acting(club, organiser)
    api_keys.revoke(session, now, owner, number, club_id=club_id)
    cmd.done("That key opens nothing any more.", key=number)


@click.group()
def view() -> None:
    """Filters of the control room that an organiser keeps under names: list, save, remove."""


@cmd.command(view, "list")
@cmd.organiser
def views(club: Club, organiser: str | None) -> None:
    """List an organiser's saved views of CLUB."""
    session, _, club_id, owner = cmd.acting(club, organiser)
    found = control_room.views(session, club_id, owner)
    output.show(
        [{"name": one.name, **msgspec.structs.asdict(one.wanted)} for one in found],
        "{name}: state '{state}', game '{game}', text '{text}', by {order}",
        empty="No view is saved.",
    )


@cmd.command(view)
@click.option("--state", type=click.Choice(tuple(filter(None, control_room.STATES))), help="Games like this.")
@click.option("--game", "rules", default="", metavar="GAME", help="Games of these rules.")
@click.option("--text", default="", help="Part of a title or a player's name.")
@click.option("--order", type=click.Choice(tuple(control_room.ORDERS)), default=control_room.USUAL, show_default=True)
@cmd.organiser
def save(*, club: Club, name: str, state: str | None, rules: str, organiser: str | None, **wanted: str) -> None:
    """Keep a filter of the control room of CLUB as NAME, in place of the one called so."""
    games = control_room.Filter(state=state or "", game=rules, **wanted)
    control_room.save_view(*cmd.acting(club, organiser), control_room.View(name, games))
    cmd.done(f"The view {name} is saved.", name=name)


@cmd.command(view)
@cmd.organiser
def remove(club: Club, name: str, organiser: str | None) -> None:
    """Forget the saved view NAME of CLUB."""
    session, _, club_id, owner = cmd.acting(club, organiser)
    control_room.drop_view(session, club_id, owner, name)
    cmd.done(f"The view {name} is forgotten.", name=name)
