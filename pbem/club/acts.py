"""What an organiser does to many games at once: previewed, done together, logged, and undoable for ten minutes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import select

from pbem.club import seeking
from pbem.club.members import require_organiser
from pbem.engine.types import N_, Said
from pbem.errors import NotAllowed, TooLate, WrongInput
from pbem.play import accepted, desk, journal, situation
from pbem.play.post import Post
from pbem.play.table import table_of
from pbem.play.waiting import open_seats
from pbem.store import queries
from pbem.store.tables import Audit, Game, Player

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from pbem.play.table import Table

UNDO = timedelta(minutes=10)
MOST = 1000
"""Games one act reaches."""


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """One act on several games."""

    act: str
    """nudge, extend, pause, resume, merge, seek."""
    games: tuple[int, ...]
    by: int
    """The organiser's player number."""
    hours: int = 0
    """For `extend`."""
    reason: str = ""


class Effect(msgspec.Struct, frozen=True):
    """What an act does to one game."""

    game_id: int
    title: str
    says: Said
    before: Mapping[str, Any]
    """What undoing brings back."""


class Done(msgspec.Struct, frozen=True):
    """An act that was carried out, or that would be."""

    effects: tuple[Effect, ...]
    audit_id: int | None = None
    undo_until: datetime | None = None
    ring: frozenset[int] = frozenset()


class Recent(msgspec.Struct, frozen=True):
    """An act of the last ten minutes that stands."""

    audit_id: int
    act: str
    games: int
    at: datetime
    undo_until: datetime | None
    """None for what can't be taken back."""


def recent(session: Session, now: datetime, club_id: int) -> tuple[Recent, ...]:
    """What was done in the last ten minutes and not taken back, the newest first."""
    rows = session.execute(
        select(Audit).where(Audit.club_id == club_id, Audit.at >= now - UNDO).order_by(Audit.at.desc(), Audit.id.desc())
    ).scalars()
    found = list(rows)
    undone = {audit.details.get("of") for audit in found if audit.act == "undo"}
    return tuple(
        Recent(audit.id, audit.act, len(audit.details["games"]), audit.at, audit.undo_until)
        for audit in found
        if audit.act in _ACTS and "games" in audit.details and audit.id not in undone
    )


def preview(session: Session, now: datetime, club_id: int, wish: Wish) -> Done:
    """What the act would do; nothing is kept."""
    with session.begin_nested() as tried:
        done = _carry_out(session, now, club_id, wish)
        tried.rollback()
    session.expire_all()
    return Done(done.effects)


def carry_out(session: Session, now: datetime, club_id: int, wish: Wish) -> Done:
    """Do it to every game it fits, log it, and say what was done. Raises NotAllowed or WrongInput before anything."""
    done = _carry_out(session, now, club_id, wish)
    audit = Audit(
        at=now,
        player_id=wish.by,
        club_id=club_id,
        act=wish.act,
        reason=wish.reason[:500],
        details={"games": [{"id": e.game_id, **e.before} for e in done.effects], "hours": wish.hours},
        public=True,
        undo_until=now + UNDO if wish.act != "nudge" else None,
    )
    session.add(audit)
    session.flush()
    return msgspec.structs.replace(done, audit_id=audit.id, undo_until=audit.undo_until)


def _carry_out(session: Session, now: datetime, club_id: int, wish: Wish) -> Done:
    require_organiser(session, club_id, wish.by)
    act = _ACTS.get(wish.act)
    if act is None:
        raise WrongInput(Said(N_("{word!r} is nothing that can be done here. There are: {names}."), _words(wish.act)))
    if not wish.games or len(wish.games) > MOST:
        raise WrongInput(Said(N_("Choose between 1 and {limit} games."), {"limit": MOST}))
    games = [game for game_id in sorted(set(wish.games)) if (game := queries.lock_game(session, game_id))]
    foreign = [game for game in games if game.club_id != club_id]
    if foreign or len(games) < len(set(wish.games)):
        raise NotAllowed(Said(N_("Only games of this club can be chosen.")))
    tables = [table_of(session, game) for game in games]
    effects, ring = act(session, now, tables, wish)
    session.flush()
    return Done(tuple(effects), ring=ring)


def _words(word: str) -> dict[str, str | tuple[str, ...]]:
    return {"word": word[:40], "names": tuple(_ACTS)}


Found = tuple[list[Effect], frozenset[int]]


def _effect(game: Game, says: Said) -> Effect:
    return Effect(game.id, game.title, says, _before(game))


def _before(game: Game) -> dict[str, str | None]:
    """What undoing has to bring back."""
    times = {name: getattr(game, name) for name in ("due_at", "cover_at", "wake_at")}
    return {name: moment.isoformat() if moment else None for name, moment in times.items()} | {"state": game.state}


def _deed(session: Session, now: datetime, game: Game, wish: Wish) -> desk.Deed:
    """The same act at one game's desk, which logs it for everybody at the table."""
    return desk.Deed(now=now, game=game, by=session.get_one(Player, wish.by), reason=wish.reason)


def _enter(session: Session, now: datetime, game: Game, act: str, wish: Wish) -> None:
    """Note it in the table's own journal, as the desk does for its acts."""
    journal.write(session, now, game, act, by=wish.by, reason=wish.reason)


def _nudge(session: Session, now: datetime, tables: Sequence[Table], wish: Wish) -> Found:
    """A reminder to everybody awaited, now; nobody is reminded twice in an hour. Secret seats are left in peace."""
    effects = []
    post = Post(now)
    for table in tables:
        game = table.game
        decisions = queries.decisions_of(session, game.id, game.ply + 1)
        if game.state != "running" or any(decision.secret for decision in decisions):
            continue
        seats = [seat for seat in open_seats(decisions) if seat in table.players]
        for seat in seats:
            cause = f"nudge.{int(now.timestamp()) // 3600}"
            post.seat("reminder", game, table.seats[seat], table.players[seat], cause, due_version=game.due_version)
        if seats:
            effects.append(_effect(game, Said(N_("{names} will be reminded."), {"names": _names(table, seats)})))
            _enter(session, now, game, "nudge", wish)
    post.send(session)
    return effects, frozenset()


def _names(table: Table, seats: Sequence[int]) -> tuple[str, ...]:
    return tuple(table.players[seat].name for seat in seats)


def _extend(session: Session, now: datetime, tables: Sequence[Table], wish: Wish) -> Found:
    """Later deadlines by some hours."""
    effects = []
    for table in tables:
        game = table.game
        if game.state == "running" and game.due_at is not None:
            before = _before(game)
            desk.extend(session, _deed(session, now, game, wish), wish.hours)
            effects.append(Effect(game.id, game.title, _until(game.due_at), before))
    return effects, frozenset()


def _merge(session: Session, now: datetime, tables: Sequence[Table], wish: Wish) -> Found:
    """All deadlines moved to the latest one among them."""
    running = [table for table in tables if table.game.state == "running" and table.game.due_at is not None]
    latest = max((table.game.due_at for table in running if table.game.due_at is not None), default=None)
    effects = []
    for table in running:
        if latest is not None and table.game.due_at != latest:
            effects.append(_effect(table.game, _until(latest)))
            accepted.put_deadline(table, _open(session, table), latest)
            _enter(session, now, table.game, "merge", wish)
    return effects, frozenset()


def _pause(session: Session, now: datetime, tables: Sequence[Table], wish: Wish) -> Found:
    """No deadlines and no plies until the game is resumed."""
    effects = []
    for table in tables:
        if table.game.state == "running":
            effects.append(_effect(table.game, Said(N_("The game will be paused."))))
            desk.pause(session, _deed(session, now, table.game, wish))
    return effects, frozenset()


def _resume(session: Session, now: datetime, tables: Sequence[Table], wish: Wish) -> Found:
    """Go on; who is awaited has their full time from now."""
    effects = []
    for table in tables:
        if table.game.state == "paused":
            effects.append(_effect(table.game, Said(N_("The game will go on."))))
            desk.go_on(session, _deed(session, now, table.game, wish))
    return effects, frozenset(effect.game_id for effect in effects)


def _seek(session: Session, now: datetime, tables: Sequence[Table], wish: Wish) -> Found:
    """Members asked by letter to take over the seats nobody answers for; the first to accept has the seat."""
    effects = []
    field = seeking.candidates(session, now, tables[0].game.club_id or 0)
    for table in tables:
        if table.game.state not in {"running", "paused"}:
            continue
        free = seeking.fitting(session, now, table, field)
        for seat in seeking.seats_in_need(session, now, table):
            asked, free = free[: seeking.ASKED], free[seeking.ASKED :]
            if asked:
                invitations = seeking.ask(session, now, table, seat, asked, wish.by)
                journal.write(session, now, table.game, "seek", by=wish.by, reason=wish.reason, seat=seat)
                effects.append(_asked_for(table, seat, asked, invitations))
    return effects, frozenset()


def _asked_for(table: Table, seat: int, asked: Sequence[seeking.Candidate], invitations: tuple[int, ...]) -> Effect:
    text = N_("{names} will be asked to take over from {who}.")
    holes: dict[str, Any] = {"names": tuple(one.name for one in asked), "who": situation.name_of(table, seat)}
    return Effect(table.game.id, table.game.title, Said(text, holes), {"invitations": list(invitations)})


_ACTS: Mapping[str, Callable[[Any, datetime, Sequence[Any], Wish], Found]] = {
    "nudge": _nudge,
    "extend": _extend,
    "merge": _merge,
    "pause": _pause,
    "resume": _resume,
    "seek": _seek,
}


def _open(session: Session, table: Table) -> Sequence[Any]:
    return queries.decisions_of(session, table.game.id, table.game.ply + 1)


def _until(due: datetime) -> Said:
    holes: Any = {"moment": due}
    return Said(N_("The deadline will be {moment}."), holes)


def undo(session: Session, now: datetime, club_id: int, by: int, audit_id: int) -> frozenset[int]:
    """Take an act back within ten minutes, in every game that hasn't moved on since; gives the games to ring for."""
    require_organiser(session, club_id, by)
    audit = session.execute(
        select(Audit).where(Audit.id == audit_id, Audit.club_id == club_id).with_for_update()
    ).scalar_one_or_none()
    if audit is None or audit.undo_until is None or audit.undo_until < now:
        raise TooLate(Said(N_("This can't be taken back any more: there are ten minutes for it.")))
    ring = set()
    for before in audit.details["games"]:
        game = queries.lock_game(session, before["id"])
        if game is not None and "invitations" in before:
            seeking.withdraw(session, now, before)
            journal.write(session, now, game, "undo", by=by)
        elif game is not None and game.state in {"running", "paused"}:
            _bring_back(session, game, before)
            journal.write(session, now, game, "undo", by=by)
            ring.add(game.id)
    audit.undo_until = None
    session.add(Audit(at=now, player_id=by, club_id=club_id, act="undo", details={"of": audit.id}, public=True))
    session.flush()
    return frozenset(ring)


def _bring_back(session: Session, game: Game, before: Mapping[str, Any]) -> None:
    """Set the deadline and state of before; reminders are armed again."""
    game.state = before["state"]
    moments = {n: datetime.fromisoformat(before[n]) if before[n] else None for n in ("due_at", "cover_at", "wake_at")}
    table = table_of(session, game)
    if moments["due_at"] is None:
        accepted.stop_clock(game, _open(session, table))
    else:
        accepted.put_deadline(table, _open(session, table), moments["due_at"])
    game.wake_at = moments["wake_at"]
    session.flush()
