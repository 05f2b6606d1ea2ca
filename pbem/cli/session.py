"""What commands on the database share: the app's context, tables that are up to date, one commit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from functools import wraps
from inspect import signature
from typing import Any

import click
from flask.cli import with_appcontext
from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from pbem.capabilities import acts, roles
from pbem.capabilities.acts import GuardedAct
from pbem.cli import migrating
from pbem.cli.output import as_json, show, tell
from pbem.clubs.seasons import season_tables
from pbem.engine.core.message import Message
from pbem.errors import NotSeated, PlayError
from pbem.extensions import current, db
from pbem.messages import Translator
from pbem.store.models import Club, Game, Player, Season
from pbem.store.queries import common


def command(group: Any = click, name: str | None = None, **more: str) -> Callable[[Callable[..., None]], click.Command]:
    """Return what makes a function the command `name` of `group`, run within the app on a database that is up to date.

    Its parameters are given in the order of the function's own; one for which no option stands above is an argument.
    What was typed as its `club` or `game`, or as a club's `season`, reaches it as the row called so. It commits itself,
    by `done`, and answers with `tell` or `show`: `--json` is its option.
    """

    def made(work: Callable[..., None]) -> click.Command:
        @as_json
        @with_appcontext
        @wraps(work, updated=())
        def ready(**named: Any) -> None:
            migrating.refuse_misfit()
            acts.begin(session(), _Terminal())
            for word, find in _LOOKED_UP.items():
                if named.get(word) is not None:
                    named[word] = find(named[word])
            if "season" in named:
                named["season"] = _season_called(named.pop("club"), named["season"])
            try:
                work(**named)
            except PlayError as wrong:
                if str(wrong).startswith(str(named.get("number", ""))):  # which names it
                    raise
                raise click.UsageError(f"{named['number']}: {wrong}") from None

        found: click.Command = group.command(name, **more)(ready)
        given = {one.name: one for one in (*reversed(getattr(work, "__click_params__", ())), *found.params)}
        found.params = [given.pop(one.name, one) for one in _arguments(work)] + list(given.values())
        return found

    return made


def _arguments(work: Callable[..., None]) -> Iterator[click.Argument]:
    """Yield the argument that each parameter of a command's function is, unless something else is said of it."""
    for one in signature(work, eval_str=True).parameters.values():
        if one.annotation is Season:
            yield click.Argument(["club"])
        if one.kind is not one.VAR_KEYWORD:
            yield click.Argument([one.name], type=int if one.annotation is int else str)


def session() -> Session:
    """The session of the current command."""
    found: Session = db.session()
    return found


def done(said: str, **facts: object) -> None:
    """Commit what a command did, and then say so, as `tell` does: the last thing it does."""
    db.session.commit()
    tell(said, **facts)


def listing(query: Select[*tuple[Any, ...]], line: str, *, empty: str, **otherwise: str) -> None:
    """Print a line for each row of `query`, as `show` does; `otherwise` says by column what stands for nothing."""
    rows = [dict(row) for row in session().execute(query).mappings()]
    found = [{name: otherwise.get(name, held) if held is None else held for name, held in row.items()} for row in rows]
    show(found, line, empty=empty)


class _Terminal:
    """Whoever types at this machine, and has all of it in their hands."""

    @staticmethod
    def agree(*does: Message) -> None:
        """Ask before what can't be undone, saying what it does; any other answer ends it."""
        sure(" ".join(map(Translator(), does)))

    @staticmethod
    def prove(_player_id: int, _asks: GuardedAct) -> None:
        """Ask no more."""


_YES = "pbem.yes"
"""The key in a command's context: whether `--yes` was given."""


def sure(does: str) -> None:
    """Ask whether an act is meant, unless `--yes` was given; any other answer ends it."""
    if not click.get_current_context().meta.get(_YES):
        click.confirm(f"{does} Sure?", abort=True, err=True)


def _said_yes(context: click.Context, _option: click.Parameter, given: bool) -> None:  # noqa: FBT001 - click's own call
    context.meta[_YES] = given


yes = click.option("--yes", is_flag=True, expose_value=False, callback=_said_yes, help="Don't ask whether it is meant.")
"""The option of every command that asks first."""


def _club_called(slug: str) -> Club:
    """The club with this short name or name. Raises UsageError naming those there are."""
    found = session().scalar(select(Club).where((Club.slug == slug) | (Club.name == slug)))
    if found is None:
        known = session().scalars(select(Club.slug).order_by(Club.slug)).all()
        raise click.UsageError(
            f"There is no club {slug!r}: "
            + (f"write one of {', '.join(known)}" if known else "found one with 'pbem club new'")
        )
    return found


def game_called(slug: str) -> Game:
    """The game of this public name. Raises UsageError if there is none."""
    found = common.game_called(session(), slug)
    if found is None:
        raise click.UsageError(f"There is no game {slug!r}: 'pbem game list' names them")
    return found


_LOOKED_UP: Mapping[str, Callable[[str], Club | Game]] = {"club": _club_called, "game": game_called}


def _season_called(club: Club, slug: str) -> Season:
    try:
        return season_tables.find(session(), club.id, slug)
    except NotSeated:
        raise click.UsageError(
            f"{club.name} has no season {slug!r}: 'pbem season list {club.slug}' names them"
        ) from None


def organiser_of(club: Club, address: str | None = None) -> int:
    """The organiser at `address`, else the club's first: in whose name the operator acts."""
    found = roles.organisers(session(), club.id)
    if not found:
        raise click.ClickException(f"The club {club.slug!r} has no organiser: name one with 'pbem club role'")
    if address is None:
        return found[0]
    player = player_at(address)
    if player.id not in found:
        raise click.UsageError(f"{player.name} doesn't organise {club.name}: 'pbem club members' says who does")
    return player.id


def acting(club: Club, address: str | None = None) -> tuple[Session, datetime, int, int]:
    """What a use case of a club begins with: session, moment, club and the organiser who acts."""
    return *current(), club.id, organiser_of(club, address)


min_wait = click.option(
    "--min-wait", type=float, metavar="HOURS", help="The shortest time a decision has; else the cadence's."
)
max_wait = click.option(
    "--max-wait", type=float, metavar="HOURS", help="The longest, whatever sleep, absences and reserve say."
)
"""The options of commands that set how long a game waits."""
organiser = click.option("--organiser", metavar="ADDRESS", help="Whose they are; else the club's first organiser's.")
"""The option of commands on what each organiser has of their own."""


def player_at(address: str) -> Player:
    """The person with this address or number. Raises UsageError if there is none."""
    which = Player.id == int(address) if address.isdecimal() else Player.address == address.strip().casefold()
    found = session().scalar(select(Player).where(which))
    if found is None:
        raise click.UsageError(f"Nobody here has the address {address!r}: 'pbem player list' names everybody")
    return found
