"""`pbem game`: open games, list them, show one, act on them, write a record, set a stuck one going again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TextIO

import click
from sqlalchemy import select

from pbem.cli import output
from pbem.cli import session as cmd
from pbem.cli.engine import game_rules, option_pairs
from pbem.clubs.games import actions, bulk_opening
from pbem.clubs.members.founding import person_at
from pbem.engine.core.types import AnyRules
from pbem.extensions import current
from pbem.messages import Translator
from pbem.play.admin import game_admin
from pbem.play.deadlines import cadence as deadlines
from pbem.play.proof import record_export, snapshots
from pbem.play.seats import opening
from pbem.play.turns import rules_migration, stuck
from pbem.play.views.game_context import table_of
from pbem.store.models import Club, Game, GameState, Letter


@click.group()
def game() -> None:
    """Open games and look after them."""


def _seat(club: Club, text: str) -> opening.SeatPlan:
    """What one `--seat` asks for: a bot, an address, or nobody yet."""
    is_person = text != bulk_opening.OPEN and not text.startswith(bulk_opening.BOT)
    people = {text.casefold(): person_at(*current(), text, club=club).id} if is_person else {}
    return bulk_opening.seat_of(text, people)


@cmd.command(game)
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
@cmd.min_wait
@cmd.max_wait
@click.option("--join-days", type=float, metavar="DAYS", help="How long it waits for players; else until they come.")
@click.option(
    "--unfilled",
    type=click.Choice(deadlines.UNFILLED),
    default="tell",
    show_default=True,
    help="What then becomes of free seats: the organiser is told, bots take them, or the game is called off.",
)
@click.option("--title", default="", help="What letters call it; by default the game's own name.")
@click.option("--seed", default=None, help="Draw from this seed instead of a secret one: for tests and teaching.")
def new(
    *,
    rules: AnyRules,
    club: Club,
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
    opened = opening.open_game(
        *current(),
        opening.GamePlan(
            game=rules.meta.name,
            seats=tuple(_seat(club, seat) for seat in seats),
            options=options,
            club_id=club.id,
            organiser_id=cmd.organiser_of(club),
            cadence=deadlines.choose(cadence, least=min_wait, most=max_wait, join=join_days, unfilled=unfilled),
            title=title or rules.meta.title,
            seed=seed,
        ),
    )
    slug, state = opened.slug, opened.state
    stands = "under way" if state.is_underway else "open: the invited have their letters"
    cmd.done(f"The game {slug} is {stands}.", game=slug, state=state)


@cmd.command(game)
@click.argument("lines", metavar="FILE", type=click.File())
def table(club: Club, lines: TextIO) -> None:
    """Open a game in CLUB for each line of FILE (`-`: typed): title, game, speed, options, players; all or none."""
    opened = bulk_opening.open_all(*cmd.acting(club), lines.read())
    cmd.done(f"Games opened: {len(opened)}.", games=opened)


@cmd.command(game, "list")
@click.option("--state", type=click.Choice([one.value for one in GameState]), help="Only games in this state.")
@click.option("--club", metavar="CLUB", help="Only games of this club.")
def list_(state: str | None, club: Club | None) -> None:
    """List the games, the newest first."""
    query = select(
        Game.slug, Game.title, Game.game, Club.name.label("club"), Game.state, Game.ply, Game.due_at
    ).outerjoin(Club)
    if state is not None:
        query = query.where(Game.state == GameState(state))
    if club is not None:
        query = query.where(Game.club_id == club.id)
    rows = cmd.session().execute(query.order_by(Game.id.desc())).mappings().all()
    said = [
        {
            **row,
            "club": row["club"] or "no club",
            "progress": f"ply {row['ply']}" if row["ply"] >= 0 else "not begun",
            "due": f", due {row['due_at']:%Y-%m-%d %H:%M} UTC" if row["due_at"] else "",
        }
        for row in rows
    ]
    output.show(
        said,
        "{slug}  {title} ({game}), {club}: {state}, {progress}{due}",
        empty="There is no such game." if state or club else "There is no game yet: 'pbem game new' opens one.",
    )


@cmd.command(game)
def show(game: Game) -> None:
    """Show who plays GAME, whom it waits for, and what keeps it from going on."""
    late = (
        cmd.session()
        .scalars(
            select(Letter.last_error).where(Letter.game_id == game.id, Letter.state == "failed").order_by(Letter.id)
        )
        .all()
    )
    seats = _seats(game)
    found = {
        "slug": game.slug,
        "title": game.title,
        "game": game.game,
        "rules_version": game.rules_version,
        "state": game.state,
        "ply": game.ply,
        "due_at": game.due_at,
        "seats": seats,
        "failed_letters": len(late),
        "trace": game.trace,
    }
    if output.is_json():
        output.document(found)
        return
    progress = f"ply {game.ply}" if game.ply >= 0 else "not begun"
    click.echo(f"{game.title} ({game.game}, rules version {game.rules_version}): {game.state}, {progress}")
    for seat in seats:
        click.echo("  seat {seat}: {holder}{mark}".format(mark=" (awaited)" if seat["awaited"] else "", **seat))
    if game.due_at:
        click.echo(f"  due {game.due_at:%Y-%m-%d %H:%M} UTC")
    if late:
        click.echo(f"  letters that could not be delivered: {len(late)}; the last: {late[-1]}")
    if game.trace:
        click.echo(game.trace)


def _seats(row: Game) -> list[dict[str, object]]:
    """Who holds each seat, or is invited to it, and whether it is awaited, as far as that is no secret."""
    session, now = current()
    return [
        {
            "seat": seat.seat,
            "holder": f"bot {seat.bot}"
            if seat.bot
            else seat.name or (f"{seat.invited} is invited" if seat.invited else "nobody"),
            "awaited": bool(seat.awaited),
        }
        for seat in game_admin.seats(session, now, table_of(session, row))
    ]


@cmd.command(game)
@click.argument("act", type=click.Choice(tuple(actions.ACTIONS)))
@click.argument("slugs", metavar="GAME...", nargs=-1, required=True)
@click.option("--hours", type=int, default=0, help="For extend: hours more.")
@click.option("--seat", type=int, default=-1, metavar="NUMBER", help="For replace and fresh.")
@click.option("--who", default="", metavar="WHO", help="For replace: a member's address, or bot:heuristic.")
@click.option("--reason", default="", metavar="TEXT", help="What everybody at the table can read.")
@click.option("--preview", is_flag=True, help="Only say what it would do.")
@cmd.yes
def act(*, act: str, slugs: tuple[str, ...], hours: int, seat: int, who: str, reason: str, preview: bool) -> None:
    """Do ACT to each GAME of a club that it fits, as an organiser does in the control room."""
    if "@" in who:
        who = str(cmd.player_at(who).id)
    wish = {"hours": hours, "seat": seat, "who": who, "reason": reason}
    _carry_out(act, [cmd.game_called(slug) for slug in slugs], preview=preview, **wish)


@cmd.command(game, "call-off")
@click.option("--reason", default="", metavar="TEXT", help="What those who have a seat are told.")
@cmd.yes
def call_off(game: Game, reason: str) -> None:
    """Close GAME before it begins; who has a seat gets a letter."""
    _carry_out("call-off", (game,), preview=False, reason=reason)


def _carry_out(act: str, games: Sequence[Game], *, preview: bool, **wish: Any) -> None:
    """Do an act to games of one club in the name of its organiser, and say what it came to in each."""
    club_id, slug_of = games[0].club_id, {one.id: one.slug for one in games}
    club = cmd.session().get(Club, club_id) if club_id else None
    by = cmd.organiser_of(club) if club else games[0].organiser_id or 0
    wanted = actions.ActionRequest(act=act, games=tuple(slug_of), by=by, **wish)
    done = (actions.preview if preview else actions.carry_out)(*current(), club_id, wanted)
    effects = [{"game": slug_of[one.game_id], "says": Translator()(one.says)} for one in done.effects]
    left = [{"game": slug_of[one.game_id], "says": Translator()(one.says)} for one in done.left_out]
    said = [f"{one['game']}  {one['says']}" for one in effects]
    said += [f"It does not fit {one['game']}: {one['says']}" for one in left]
    back = (
        f"'pbem club undo {club.slug} {done.audit_id}' takes it back for ten minutes."
        if done.undo_until and club
        else ""
    )
    cmd.done(
        "\n".join(filter(None, [*said, back])),
        effects=effects,
        left_out=[one.title for one in done.left_out],
        reasons=left,
        audit_id=done.audit_id,
        undo_until=done.undo_until,
    )


@cmd.command(game, "export")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="A file instead of the screen.")
def export_(game: Game, out: Path | None) -> None:
    """Write GAME's record; of a running game without its seed and without anything hidden."""
    if game.ply < 0:
        raise click.UsageError(f"The game {game.slug} has not begun: there is nothing to write yet")
    text = record_export.record(cmd.session(), game.id)
    if out is not None:
        out.write_text(text, encoding="utf-8")
        output.tell(f"{game.slug}: {out}", game=game.slug, file=str(out))
    elif output.is_json():
        output.document({"game": game.slug, "record": text})
    else:
        click.echo(text, nl=False)


@cmd.command(game)
def unstick(game: Game) -> None:
    """Set a stuck GAME going again, after its cause is mended; players get the time back that was lost."""
    stuck.unstick(*current(), game.id)
    cmd.done(f"The game {game.slug} goes on.", game=game.slug)


@cmd.command(game)
def compact(game: Game) -> None:
    """Drop the snapshots of GAME, which is over, but the last: it is played again where somebody looks back on it."""
    count = snapshots.drop(cmd.session(), game)
    cmd.done(f"Snapshots that the game {game.slug} does without: {count}.", game=game.slug, dropped=count)


@cmd.command(game)
def rebuild(game: Game) -> None:
    """Store the snapshots of GAME again that were dropped, made anew from its orders."""
    count = snapshots.rebuild(cmd.session(), game)
    cmd.done(f"Snapshots that the game {game.slug} has again: {count}.", game=game.slug, stored=count)


@cmd.command(game, "migrate-rules")
@click.option("--version", type=click.IntRange(1), help="The version to go to; the newest if not given.")
@cmd.yes
def migrate_rules(game: Game, version: int | None) -> None:
    """Move a running GAME to other rules, if they would have played it the same so far."""
    cmd.sure(f"What is played in {game.slug} from now on may not come out alike by its old rules.")
    moved = rules_migration.migrate(cmd.session(), game.id, version)
    cmd.done(
        f"The game {game.slug} is played by rules version {moved} from now on.", game=game.slug, rules_version=moved
    )
