"""`pbem club`: found a club, and list those there are."""

from __future__ import annotations

import click
from sqlalchemy import func, select

from pbem.cli import session
from pbem.clubs.members.founding import found_club
from pbem.messages import LANGUAGES
from pbem.store.models import Club, Game, Member


@click.group()
def club() -> None:
    """Found clubs and see which there are."""


@club.command()
@click.argument("name")
@click.option("--organiser", required=True, metavar="ADDRESS", help="The mail address that gets the first link.")
@click.option(
    "--language", type=click.Choice(LANGUAGES), default="en", show_default=True, help="Of the club's letters."
)
@session.at_the_desk
def new(*, name: str, organiser: str, language: str) -> None:
    """Found the club NAME and mail its organiser the first link."""
    founded = found_club(session.session(), session.now(), name, organiser, language=language)
    name, slug = founded.name, founded.slug
    session.done()
    click.echo(f"The club '{name}' ({slug}) is founded; the first link is on its way to {organiser}.")


@club.command("list")
@session.at_the_desk
def list_() -> None:
    """List the clubs: what commands call them, their names, members and games."""
    members = select(func.count()).where(Member.club_id == Club.id, Member.left_at.is_(None)).scalar_subquery()
    games = select(func.count()).where(Game.club_id == Club.id).scalar_subquery()
    for slug, name, people, played in session.session().execute(
        select(Club.slug, Club.name, members, games).order_by(Club.name)
    ):
        click.echo(f"{slug}  {name}: {people} members, {played} games")
