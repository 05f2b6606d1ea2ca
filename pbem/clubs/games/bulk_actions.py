"""What an organiser does to many games at once: previewed, done together, logged, and undoable for ten minutes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import msgspec

from pbem.capabilities.roles import require_organiser
from pbem.clubs.games import substitute_search
from pbem.engine.core.types import N_, Message
from pbem.errors import NotAllowed, StalePhase, WrongInput
from pbem.letter_queue import LetterQueue
from pbem.play.admin import action_log, game_admin
from pbem.play.deadlines import delivery_clock
from pbem.play.deadlines.waiting_reasons import open_seats
from pbem.play.seats import recruitment
from pbem.play.views import seat_view
from pbem.play.views.game_context import table_of
from pbem.store.models import Audit, Game, GameState, Player
from pbem.store.queries import common

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from pbem.play.views.game_context import GameContext

UNDO = timedelta(minutes=10)
MOST = 1000
"""Games one act reaches."""


class BulkAction(msgspec.Struct, frozen=True, kw_only=True):
    """One act on several games."""

    act: str
    """nudge, extend, pause, resume, merge, seek; of games that have not begun: fill, call-off."""
    games: tuple[int, ...]
    by: int
    """The organiser's player number."""
    hours: int = 0
    """For `extend`."""
    reason: str = ""
    seen: str = ""
    """The mark of the preview this was decided on; empty: decided without one."""


class Effect(msgspec.Struct, frozen=True):
    """What an act does to one game."""

    game_id: int
    title: str
    says: Message
    before: Mapping[str, Any]
    """What undoing brings back."""


class BulkOutcome(msgspec.Struct, frozen=True):
    """An act that was carried out, or that would be."""

    effects: tuple[Effect, ...]
    seen: str
    """What the games looked like before it: another mark, and they have moved on."""
    audit_id: int | None = None
    undo_until: datetime | None = None


def preview(session: Session, now: datetime, club_id: int, wish: BulkAction) -> BulkOutcome:
    """What the act would do; nothing is kept."""
    with session.begin_nested() as tried:
        done = _carry_out(session, now, club_id, wish)
        tried.rollback()
    session.expire_all()
    return BulkOutcome(done.effects, done.seen)


def carry_out(session: Session, now: datetime, club_id: int, wish: BulkAction) -> BulkOutcome:
    """Do it to every game it fits, log it, and say what was done.

    Raises NotAllowed or WrongInput before anything; StalePhase if the games are not as they were when previewed, and
    then the caller rolls back.
    """
    done = _carry_out(session, now, club_id, wish)
    if wish.seen and wish.seen != done.seen:
        raise StalePhase(
            Message(N_("The games have moved on since you looked, so nothing was done. This is what it would do now."))
        )
    audit = Audit(
        at=now,
        player_id=wish.by,
        club_id=club_id,
        act=wish.act,
        reason=wish.reason[:500],
        details={"games": [_kept(session, effect) for effect in done.effects], "hours": wish.hours},
        public=True,
        undo_until=now + UNDO if wish.act not in FOR_GOOD else None,
    )
    session.add(audit)
    session.flush()
    return msgspec.structs.replace(done, audit_id=audit.id, undo_until=audit.undo_until)


def _carry_out(session: Session, now: datetime, club_id: int, wish: BulkAction) -> BulkOutcome:
    require_organiser(session, club_id, wish.by)
    act = _ACTS.get(wish.act)
    if act is None:
        raise WrongInput(
            Message(N_("{word!r} is nothing that can be done here. There are: {names}."), _words(wish.act))
        )
    if not wish.games or len(wish.games) > MOST:
        raise WrongInput(Message(N_("Choose between 1 and {limit} games."), {"limit": MOST}))
    games = [game for game_id in sorted(set(wish.games)) if (game := common.lock_game(session, game_id))]
    foreign = [game for game in games if game.club_id != club_id]
    if foreign or len(games) < len(set(wish.games)):
        raise NotAllowed(Message(N_("Only games of this club can be chosen.")))
    tables = [table_of(session, game) for game in games]
    stood = {game.id: stand(game) for game in games}
    effects = act(session, now, tables, wish)
    session.flush()
    return BulkOutcome(tuple(effects), _mark(stood, effects))


def stand(game: Game) -> list[int | str]:
    """Where a game stands: what changes when it moves on, or when somebody sets it another deadline."""
    return [game.state, game.ply, game.due_version]


def _mark(stood: Mapping[int, list[int | str]], effects: Sequence[Effect]) -> str:
    """One word for what an act was about to find and to say; moments aside, which go on by themselves."""
    said = [[e.game_id, e.says.text, {n: v for n, v in e.says.params.items() if n != "moment"}] for e in effects]
    return sha256(msgspec.json.encode([sorted(stood.items()), said])).hexdigest()


def _kept(session: Session, effect: Effect) -> dict[str, Any]:
    """What is kept of an effect: what undoing brings back, and where the game stood once it was done."""
    return {"id": effect.game_id, **effect.before, "after": stand(session.get_one(Game, effect.game_id))}


def _words(word: str) -> dict[str, str | tuple[str, ...]]:
    return {"word": word[:40], "names": NAMES}


def _effect(game: Game, says: Message) -> Effect:
    return Effect(game.id, game.title, says, _before(game))


def _before(game: Game) -> dict[str, str | None]:
    """What undoing has to bring back."""
    times = {name: getattr(game, name) for name in ("due_at", "cover_at", "wake_at")}
    return {name: moment.isoformat() if moment else None for name, moment in times.items()} | {"state": game.state}


def _deed(session: Session, now: datetime, game: Game, wish: BulkAction) -> game_admin.AdminAction:
    """The same act at one game's desk, which logs it for everybody at the table."""
    return game_admin.AdminAction(now=now, game=game, by=session.get_one(Player, wish.by), reason=wish.reason)


def _enter(session: Session, now: datetime, game: Game, act: str, wish: BulkAction) -> None:
    """Note it in the table's own journal, as the desk does for its acts."""
    action_log.write(session, now, game, act, by=wish.by, reason=wish.reason)


def _nudge(session: Session, now: datetime, tables: Sequence[GameContext], wish: BulkAction) -> list[Effect]:
    """A reminder to everybody awaited, now; nobody is reminded twice in an hour. Secret seats are left in peace."""
    effects = []
    post = LetterQueue(now)
    for table in tables:
        game = table.game
        decisions = common.decisions_of(session, game.id, game.ply + 1)
        if game.state != GameState.RUNNING or any(decision.secret for decision in decisions):
            continue
        seats = [seat for seat in open_seats(decisions) if seat in table.players]
        for seat in seats:
            cause = f"nudge.{int(now.timestamp()) // 3600}"
            post.seat("reminder", game, table.seats[seat], table.players[seat], cause, due_version=game.due_version)
        if seats:
            effects.append(_effect(game, Message(N_("{names} will be reminded."), {"names": _names(table, seats)})))
            _enter(session, now, game, "nudge", wish)
    post.send(session)
    return effects


def _names(table: GameContext, seats: Sequence[int]) -> tuple[str, ...]:
    return tuple(table.players[seat].name for seat in seats)


def _extend(session: Session, now: datetime, tables: Sequence[GameContext], wish: BulkAction) -> list[Effect]:
    """Later deadlines by some hours."""
    effects = []
    for table in tables:
        game = table.game
        if game.state == GameState.RUNNING and game.due_at is not None:
            before = _before(game)
            game_admin.extend(session, _deed(session, now, game, wish), wish.hours)
            effects.append(Effect(game.id, game.title, _until(game.due_at), before))
    return effects


def _merge(session: Session, now: datetime, tables: Sequence[GameContext], wish: BulkAction) -> list[Effect]:
    """All deadlines moved to the latest one among them."""
    running = [table for table in tables if table.game.state == GameState.RUNNING and table.game.due_at is not None]
    latest = max((table.game.due_at for table in running if table.game.due_at is not None), default=None)
    effects = []
    for table in running:
        if latest is not None and table.game.due_at != latest:
            effects.append(_effect(table.game, _until(latest)))
            delivery_clock.put_deadline(table, common.decisions_of(session, table.game.id, table.game.ply + 1), latest)
            _enter(session, now, table.game, "merge", wish)
    return effects


def _pause(session: Session, now: datetime, tables: Sequence[GameContext], wish: BulkAction) -> list[Effect]:
    """No deadlines and no plies until the game is resumed."""
    effects = []
    for table in tables:
        if table.game.state == GameState.RUNNING:
            effects.append(_effect(table.game, Message(N_("The game will be paused."))))
            game_admin.pause(session, _deed(session, now, table.game, wish))
    return effects


def _resume(session: Session, now: datetime, tables: Sequence[GameContext], wish: BulkAction) -> list[Effect]:
    """Go on; who is awaited has their full time from now."""
    effects = []
    for table in tables:
        if table.game.state == GameState.PAUSED:
            effects.append(_effect(table.game, Message(N_("The game will go on."))))
            game_admin.go_on(session, _deed(session, now, table.game, wish))
    return effects


def _seek(session: Session, now: datetime, tables: Sequence[GameContext], wish: BulkAction) -> list[Effect]:
    """Members asked by letter to take over the seats nobody answers for; the first to accept has the seat."""
    effects = []
    field = substitute_search.candidates(session, now, tables[0].game.club_id or 0)
    for table in tables:
        if table.game.state not in {GameState.RUNNING, GameState.PAUSED}:
            continue
        free = substitute_search.fitting(session, now, table, field)
        for seat in substitute_search.seats_in_need(session, now, table):
            asked, free = free[: substitute_search.ASKED], free[substitute_search.ASKED :]
            if asked:
                invitations = substitute_search.ask(session, now, table, seat, asked, wish.by)
                action_log.write(session, now, table.game, "seek", by=wish.by, reason=wish.reason, seat=seat)
                effects.append(_asked_for(table, seat, asked, invitations))
    return effects


def _asked_for(
    table: GameContext, seat: int, asked: Sequence[substitute_search.Candidate], invitations: tuple[int, ...]
) -> Effect:
    text = N_("{names} will be asked to take over from {who}.")
    holes: dict[str, Any] = {"names": tuple(one.name for one in asked), "who": seat_view.name_of(table, seat)}
    return Effect(table.game.id, table.game.title, Message(text, holes), {"invitations": list(invitations)})


def _fill(session: Session, now: datetime, tables: Sequence[GameContext], wish: BulkAction) -> list[Effect]:
    """Bots in the free seats of games that wait for players, if somebody sits there already; those games begin."""
    effects: list[Effect] = []
    for table in tables:
        if table.game.state == GameState.OPEN and table.players:
            count = len(recruitment.free_seats(session, table.game))
            says = Message(N_("Bots will take {count} free seat(s), and the game begins."), {"count": count})
            effects.append(_effect(table.game, says))
            recruitment.fill_up(session, _deed(session, now, table.game, wish))
    return effects


def _call_off(session: Session, now: datetime, tables: Sequence[GameContext], wish: BulkAction) -> list[Effect]:
    """Games that have not begun are closed; who has a seat is told."""
    effects = []
    for table in tables:
        if table.game.state == GameState.OPEN:
            effects.append(_effect(table.game, Message(N_("The game will be called off."))))
            recruitment.call_off(session, _deed(session, now, table.game, wish))
    return effects


_ACTS: Mapping[str, Callable[[Any, datetime, Sequence[Any], BulkAction], list[Effect]]] = {
    "nudge": _nudge,
    "extend": _extend,
    "merge": _merge,
    "pause": _pause,
    "resume": _resume,
    "seek": _seek,
    "fill": _fill,
    "call-off": _call_off,
}
FOR_GOOD = frozenset({"nudge", "fill", "call-off"})
"""What can't be taken back: somebody has a letter, or a game has begun."""
NAMES = tuple(_ACTS)
"""The words for them."""


def _until(due: datetime) -> Message:
    holes: Any = {"moment": due}
    return Message(N_("The deadline will be {moment}."), holes)
