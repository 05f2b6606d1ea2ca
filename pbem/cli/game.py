"""`pbem game`: open games, list them, show one, write its record, set a stuck one going again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from sqlalchemy import select

from pbem.bots import players as bots
from pbem.cli import session as desk
from pbem.cli.engine import game_rules, option_pairs
from pbem.clubs.members.founding import person_at
from pbem.play.admin.game_admin import AdminAction
from pbem.play.deadlines import cadence as deadlines
from pbem.play.proof import record_export
from pbem.play.seats import opening, recruitment
from pbem.play.turns import rules_migration, stuck
from pbem.store.models import Club, Game, GameState, Letter, Member, OpenDecision, Player, Seat

if TYPE_CHECKING:
    from pbem.engine.core.types import AnyRules

BOT = "bot:"
"""What a seat begins with that a program plays."""


@click.group()
def game() -> None:
    """Open games and look after them."""


def _club_called(slug: str) -> Club:
    found = desk.session().execute(select(Club).where((Club.slug == slug) | (Club.name == slug))).scalar_one_or_none()
    if found is None:
        known = desk.session().execute(select(Club.slug).order_by(Club.slug)).scalars().all()
        raise click.UsageError(
            f"There is no club {slug!r}: "
            + (f"write one of {', '.join(known)}" if known else "found one with 'pbem club new'")
        )
    return found


def _organiser_of(club: Club) -> int:
    query = select(Member.player_id).where(Member.club_id == club.id, Member.role == "organiser").order_by(Member.id)
    return desk.session().execute(query.limit(1)).scalar_one()


def _seat(name: str, text: str) -> opening.SeatPlan:
    """What one `--seat` asks for: a bot, an address, or nobody yet."""
    if text.startswith(BOT):
        bots.bot_of(name, text.removeprefix(BOT))
        return opening.SeatPlan(bot=text.removeprefix(BOT))
    if text == "open":
        return opening.SeatPlan()
    return opening.SeatPlan(player_id=person_at(desk.session(), desk.now(), text).id)


def _game_called(slug: str) -> Game:
    found = desk.session().execute(select(Game).where(Game.slug == slug)).scalar_one_or_none()
    if found is None:
        raise click.UsageError(f"There is no game {slug!r}: 'pbem game list' names them")
    return found


@game.command()
@click.argument("rules", metavar="GAME", callback=game_rules)
@click.option("--club", "club", required=True, metavar="CLUB", help="The club it is played in.")
@click.option(
    "--seat",
    "seats",
    multiple=True,
    required=True,
    metavar="WHO",
    help="One for each seat: a mail address, bot:heuristic, or open.",
)
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    callback=option_pairs,
    help="A choice of this game's set-up.",
)
@click.option(
    "--cadence", type=click.Choice(sorted(deadlines.CADENCES)), default="club", show_default=True, help="How fast."
)
@click.option("--min-wait", type=float, metavar="HOURS", help="The shortest time a decision has; else the cadence's.")
@click.option("--max-wait", type=float, metavar="HOURS", help="The longest, whatever sleep, absences and reserve say.")
@click.option("--join-days", type=float, metavar="DAYS", help="How long it waits for players; else until they come.")
@click.option(
    "--unfilled",
    type=click.Choice(deadlines.UNFILLED),
    default=deadlines.UNFILLED[0],
    show_default=True,
    help="What then becomes of free seats: the organiser is told, bots take them, or the game is called off.",
)
@click.option("--title", default="", help="What letters call it; by default the game's own name.")
@click.option("--seed", default=None, help="Draw from this seed instead of a secret one: for tests and teaching.")
@desk.at_the_desk
def new(
    *,
    rules: AnyRules,
    club: str,
    seats: tuple[str, ...],
    options: dict[str, str],
    cadence: str,
    min_wait: float | None,
    max_wait: float | None,
    join_days: float | None,
    unfilled: str,
    title: str,
    seed: str | None,
) -> None:
    """Open a game of GAME; it begins once everybody invited has accepted."""
    held = _club_called(club)
    opened = opening.open_game(
        desk.session(),
        desk.now(),
        opening.GamePlan(
            game=rules.meta.name,
            seats=tuple(_seat(rules.meta.name, seat) for seat in seats),
            options=options,
            club_id=held.id,
            organiser_id=_organiser_of(held),
            cadence=deadlines.waiting(
                deadlines.between(deadlines.cadence_of(cadence), min_wait, max_wait), join_days, unfilled
            ),
            title=title or rules.meta.title,
            seed=seed,
        ),
    )
    slug, begun = opened.slug, opened.state.is_underway
    desk.done()
    click.echo(f"The game {slug} is {'under way' if begun else 'open: the invited have their letters'}.")


@game.command("list")
@click.option("--state", type=click.Choice([one.value for one in GameState]), help="Only games in this state.")
@desk.at_the_desk
def list_(*, state: str | None) -> None:
    """List the games, the newest first."""
    query = select(Game, Club.name).outerjoin(Club, Club.id == Game.club_id).order_by(Game.id.desc())
    for row, club in desk.session().execute(query.where(Game.state == state) if state else query):
        due = f", due {row.due_at:%Y-%m-%d %H:%M} UTC" if row.due_at else ""
        click.echo(f"{row.slug}  {row.title} ({row.game}), {club or 'no club'}: {row.state}, ply {row.ply}{due}")


@game.command()
@click.argument("slug", metavar="GAME")
@desk.at_the_desk
def show(*, slug: str) -> None:
    """Show who plays GAME, whom it waits for, and what keeps it from going on."""
    row = _game_called(slug)
    session = desk.session()
    click.echo(f"{row.title} ({row.game}, rules version {row.rules_version}): {row.state}, ply {row.ply}")
    awaited = _awaited(row)
    query = select(Seat, Player.name).outerjoin(Player, Player.id == Seat.player_id).where(Seat.game_id == row.id)
    for seat, name in session.execute(query.order_by(Seat.seat)):
        mark = " (awaited)" if seat.seat in awaited else ""
        click.echo(f"  seat {seat.seat}: {name or (f'bot {seat.bot}' if seat.bot else 'nobody')}{mark}")
    if row.due_at:
        click.echo(f"  due {row.due_at:%Y-%m-%d %H:%M} UTC")
    late = session.execute(select(Letter.last_error).where(Letter.game_id == row.id, Letter.state == "failed")).all()
    if late:
        click.echo(f"  {len(late)} letters could not be delivered; the last: {late[-1].last_error}")
    if row.trace:
        click.echo(row.trace)


def _awaited(row: Game) -> set[int]:
    """Seats that must act now; none while that is a secret."""
    query = select(OpenDecision).where(
        OpenDecision.game_id == row.id,
        OpenDecision.ply == row.ply + 1,
        OpenDecision.closed_at.is_(None),
        ~OpenDecision.optional,
    )
    open_ones = desk.session().execute(query).scalars().all()
    if any(decision.secret for decision in open_ones):
        return set()
    return {decision.seat for decision in open_ones if decision.answered_at is None}


@game.command("call-off")
@click.argument("slug", metavar="GAME")
@click.option("--reason", default="", metavar="TEXT", help="What those who have a seat are told.")
@desk.at_the_desk
def call_off(*, slug: str, reason: str) -> None:
    """Close GAME before it begins; who has a seat gets a letter."""
    row = _game_called(slug)
    by = desk.session().get_one(Player, row.organiser_id)
    recruitment.call_off(desk.session(), AdminAction(now=desk.now(), game=row, by=by, reason=reason))
    desk.done()
    click.echo(f"The game {slug} is called off.")


@game.command("export")
@click.argument("slug", metavar="GAME")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="A file instead of the screen.")
@desk.at_the_desk
def export_(*, slug: str, out: Path | None) -> None:
    """Write GAME's record; of a running game without its seed and without anything hidden."""
    text = record_export.record(desk.session(), _game_called(slug).id)
    if out is None:
        click.echo(text, nl=False)
    else:
        out.write_text(text, encoding="utf-8")


@game.command()
@click.argument("slug", metavar="GAME")
@desk.at_the_desk
def unstick(*, slug: str) -> None:
    """Set a stuck GAME going again, after its cause is mended; players get the time back that was lost."""
    stuck.unstick(desk.session(), desk.now(), _game_called(slug).id)
    desk.done()
    click.echo(f"The game {slug} goes on.")


@game.command("migrate-rules")
@click.argument("slug", metavar="GAME")
@click.option("--version", type=click.IntRange(1), help="The version to go to; the newest if not given.")
@desk.at_the_desk
def migrate_rules(*, slug: str, version: int | None) -> None:
    """Move a running GAME to other rules, if they would have played it the same so far."""
    moved = rules_migration.migrate(desk.session(), _game_called(slug).id, version)
    desk.done()
    click.echo(f"The game {slug} is played by rules version {moved} from now on.")
