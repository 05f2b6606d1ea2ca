"""What an organiser does to one game or to many: one table of actions, each previewed, done, logged and taken back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.capabilities import acts
from pbem.capabilities.roles import require_organiser
from pbem.clubs.games import bulk_opening, substitute_search
from pbem.clubs.members import members
from pbem.engine.core.message import N_, Message, sentence
from pbem.errors import NotAllowed, StalePhase, WrongInput, nobody
from pbem.letter_queue import LetterQueue
from pbem.play.admin import action_log, game_admin
from pbem.play.deadlines import delivery_clock
from pbem.play.deadlines.waiting_reasons import open_seats
from pbem.play.seats import recruitment, substitutes
from pbem.play.views import seat_view
from pbem.play.views.game_context import GameContext, table_of
from pbem.store.models import Game, GameState, Letter, Player
from pbem.store.queries import common
from pbem.structs import Value, mark_of

UNDO = timedelta(minutes=10)
MOST = 1000
"""Games one action reaches."""


class ActionRequest(Value, kw_only=True):
    """An action on one game, or on several."""

    act: str
    """What is done: a key of `ACTIONS`."""
    games: tuple[int, ...]
    by: int
    """The organiser's player number."""
    hours: int = 0
    """For `extend`."""
    seat: int = -1
    """For `replace` and `fresh`."""
    who: str = ""
    """For `replace`: a member's number, or a bot as `bot:heuristic`. Before the game begins members are invited."""
    reason: str = ""
    seen: str = ""
    """The mark of the preview this was decided on; empty: decided without one."""


class Effect(Value):
    """What an act does to one game."""

    game_id: int
    title: str
    says: Message
    before: Mapping[str, Any]
    """What undoing brings back."""
    seat: int | None = None
    """Whose seat it is about; None: the whole game."""


class ActionOutcome(Value):
    """An act that was carried out, or that would be."""

    effects: tuple[Effect, ...]
    seen: str
    """What the games looked like before it: another mark, and they have moved on."""
    left_out: tuple[str, ...] = ()
    """The titles of those it does not fit."""
    audit_id: int | None = None
    undo_until: datetime | None = None


def preview(session: Session, now: datetime, club_id: int | None, wish: ActionRequest) -> ActionOutcome:
    """Return what the action would do, and roll it back."""
    with session.begin_nested() as tried:
        done = _carry_out(session, now, club_id, wish)
        tried.rollback()
    session.expire_all()
    return ActionOutcome(done.effects, done.seen, done.left_out)


def carry_out(session: Session, now: datetime, club_id: int | None, wish: ActionRequest) -> ActionOutcome:
    """Carry out an action on every game it fits, log it, and return its effects.

    Raises NotAllowed, WrongInput or NeedsCode before anything. The caller rolls back where it raises StalePhase, as the
    games are not as they were when previewed, or NeedsYes: what is decided on its preview needs no other one.
    """
    asks = wish.act in acts.ACTS
    if asks:
        acts.require_proof(session, wish.act, wish.by)
    done = _carry_out(session, now, club_id, wish)
    seen, _, looked = wish.seen.rpartition(_APART)
    if wish.seen and looked != done.seen.rpartition(_APART)[2]:
        last = int(seen) if seen.isascii() and seen.isdigit() and len(seen) < _DIGITS else 0
        raise StalePhase(*action_log.done_since(session, last, wish.by, *wish.games), Message(_MOVED_ON))
    if asks and not wish.seen:
        titles = [effect.title for effect in done.effects]
        acts.require_yes(session, wish.act, title=tuple(titles) if len(titles) > 1 else "".join(titles))
    audit = action_log.note(
        session,
        now,
        wish.act,
        by=wish.by,
        club_id=club_id,
        reason=wish.reason,
        undo_until=None if ACTIONS[wish.act].lasting else now + UNDO,
        games=[  # what undoing restores, and the games' revisions after the action
            {"id": one.game_id, **one.before, "after": revision_of(session.get_one(Game, one.game_id))}
            for one in done.effects
        ],
        hours=wish.hours,
    )
    return msgspec.structs.replace(done, audit_id=audit.id, undo_until=audit.undo_until)


_APART = ":"
"""Stands in `seen` between the newest entry of the games' journals and the digest of how they stood."""
_DIGITS = 10
"""More than a row's number has."""
_MOVED_ON = N_("The games have moved on since you looked, so nothing was done. This is what it would do now.")


def action_called(act: str) -> Action:
    """Return the action called `act`. Raises WrongInput for an unknown one, with those there are."""
    action = ACTIONS.get(act)
    if action is None:
        raise WrongInput(
            "{word!r} is nothing that can be done here. There are: {names}.", word=act, names=tuple(ACTIONS)
        )
    return action


def _carry_out(session: Session, now: datetime, club_id: int | None, wish: ActionRequest) -> ActionOutcome:
    action = action_called(wish.act)
    most = MOST if action.many else 1
    if not 1 <= len(set(wish.games)) <= most:
        raise WrongInput("Choose between 1 and {limit} games.", limit=most)
    games = permitted(session, club_id, wish.by, wish.games)
    tables = [table_of(session, game) for game in games]
    stood, newest = {game.id: revision_of(game) for game in games}, action_log.newest(session, *wish.games)
    fitting = tables if len(tables) == 1 else [table for table in tables if table.game.state in action.states]
    effects = action.run(session, now, fitting, wish)
    if not action.logs:
        of = {table.game.id: table for table in fitting}
        for effect in effects:
            table, seat = of[effect.game_id], effect.seat
            about = {} if seat is None else {"seat": seat, "was": seat_view.holder(table, seat)}
            action_log.write(session, now, table.game, wish.act, by=wish.by, reason=wish.reason, **about)
    reached = {effect.game_id for effect in effects}
    left_out = tuple(game.title for game in games if game.id not in reached)
    return ActionOutcome(tuple(effects), f"{newest}{_APART}{_fingerprint(stood, effects)}", left_out)


def permitted(session: Session, club_id: int | None, by: int, numbers: Sequence[int]) -> list[Game]:
    """Lock and return the games if the person organises them all: their own, or those of the club.

    Raises NotAllowed for games of a club, NotSeated for those of none.
    """
    wanted = sorted(set(numbers))
    games = [game for number in wanted if (game := common.lock_game(session, number))]
    if len(games) < len(wanted) or any(game.organiser_id != by for game in games):
        if club_id is None:
            raise nobody()
        require_organiser(session, club_id, by)
    if len(games) < len(wanted) or any(game.club_id != club_id for game in games):
        raise NotAllowed("Only games of this club can be chosen.")
    return games


def revision_of(game: Game) -> list[int | str]:
    """Return state, ply and deadline version: what changes when the game moves on or its deadline is set anew."""
    return [game.state, game.ply, game.due_version]


def _fingerprint(stood: Mapping[int, list[int | str]], effects: Sequence[Effect]) -> str:
    """Return a digest of the games' revisions and the effects' sentences, but for moments, which move."""
    said = [[e.game_id, e.says.text, {n: v for n, v in e.says.params.items() if n != "moment"}] for e in effects]
    return mark_of([sorted(stood.items()), said])


def _effect(game: Game, says: Message) -> Effect:
    return Effect(game.id, game.title, says, _undo_state(game))


def _undo_state(game: Game) -> dict[str, str | None]:
    """Return the columns of a game that undoing restores."""
    times = {name: getattr(game, name) for name in ("due_at", "cover_at", "wake_at")}
    return {name: moment.isoformat() if moment else None for name, moment in times.items()} | {"state": game.state}


def _admin_action(session: Session, now: datetime, game: Game, wish: ActionRequest) -> action_log.AdminAction:
    """Return the request as the use cases of a single game take it."""
    return action_log.AdminAction(now=now, game=game, by=session.get_one(Player, wish.by), reason=wish.reason)


def _nudge(session: Session, now: datetime, tables: Sequence[GameContext], _wish: ActionRequest) -> list[Effect]:
    """Remind everybody awaited now, each at most once an hour; seats that choose in secret are skipped."""
    effects = []
    post = LetterQueue(now)
    for table in tables:
        game = table.game
        decisions = [one for one in common.decisions_of(session, game) if not one.ahead]
        if any(decision.secret for decision in decisions):
            continue
        seats = _reminded(session, post, table, open_seats(decisions))
        if seats:
            names = tuple(table.players[seat].name for seat in seats)
            effects.append(_effect(game, sentence("{people} will be reminded.", people=names)))
    post.send(session)
    return effects


def _reminded(session: Session, post: LetterQueue, table: GameContext, seats: Iterable[int]) -> list[int]:
    """Queue a reminder for each of `seats`; return those that get it: not who had this hour's, or wants none."""
    queued: dict[str, int] = {}
    for seat in seats:
        if seat in table.players:
            before, cause = len(post.rows), f"nudge.{int(post.now.timestamp()) // 3600}"
            post.seat(
                *("reminder", table.game, table.seats[seat], table.players[seat], cause),
                due_version=table.game.due_version,
            )
            queued |= {row["cause"]: seat for row in post.rows[before:]}
    had = set(session.scalars(select(Letter.cause).where(Letter.cause.in_(queued), Letter.kind == "reminder")))
    return [seat for cause, seat in queued.items() if cause not in had]


def _each(
    says: Message | Callable[[GameContext], Message], do: Callable[[Session, action_log.AdminAction], None]
) -> Runner:
    """Return a runner that does the same to each game; one it doesn't fit raises its refusal."""

    def run(session: Session, now: datetime, tables: Sequence[GameContext], wish: ActionRequest) -> list[Effect]:
        effects = []
        for table in tables:
            effects.append(_effect(table.game, says if isinstance(says, Message) else says(table)))
            do(session, _admin_action(session, now, table.game, wish))
        return effects

    return run


def _extend(session: Session, now: datetime, tables: Sequence[GameContext], wish: ActionRequest) -> list[Effect]:
    """Move deadlines later by `hours`; of a game that waits for its players, the end of that wait."""
    effects = []
    for table in tables:
        game, before = table.game, _undo_state(table.game)
        if len(tables) == 1 or game.due_at is not None:
            game_admin.extend(session, _admin_action(session, now, game, wish), wish.hours)
            effects.append(Effect(game.id, game.title, _until(game.due_at), before))
    return effects


def _merge(session: Session, now: datetime, tables: Sequence[GameContext], _wish: ActionRequest) -> list[Effect]:
    """Move all deadlines to the latest one among them."""
    running = [table for table in tables if table.game.due_at is not None]
    latest = max((table.game.due_at for table in running if table.game.due_at is not None), default=None)
    effects = []
    for table in running:
        if latest is not None and table.game.due_at != latest:
            effects.append(_effect(table.game, _until(latest)))
            delivery_clock.put_deadline(session, now, table, latest)
    return effects


def _seek(session: Session, now: datetime, tables: Sequence[GameContext], wish: ActionRequest) -> list[Effect]:
    """Ask members by letter to take over the seats nobody answers for; the first to accept has the seat."""
    effects = []
    field = substitute_search.candidates(session, now, tables[0].game.club_id or 0)
    for table in tables:
        for seat in substitute_search.seats_in_need(session, now, table):
            asked = substitute_search.fitting(session, now, table, field)[: substitute_search.ASKED]
            if asked:
                field = substitute_search.offered(field, asked)
                invitations = substitute_search.ask(session, now, table, seat, asked, wish.by)
                effects.append(_asked_for(table, seat, asked, invitations))
    return effects


def _asked_for(
    table: GameContext, seat: int, asked: Sequence[substitute_search.Candidate], invitations: tuple[int, ...]
) -> Effect:
    names, who = tuple(one.record for one in asked), seat_view.name_of(table, seat)
    says = sentence("{people} will be asked to take over from {who}.", people=names, who=who)
    return Effect(table.game.id, table.game.title, says, {"invitations": list(invitations)}, seat)


def _fill(session: Session, now: datetime, tables: Sequence[GameContext], wish: ActionRequest) -> list[Effect]:
    """Put bots in the free seats of games that wait for players and have one; those games begin."""
    effects: list[Effect] = []
    for table in tables:
        if table.players:
            count = len(recruitment.free_seats(session, table.game))
            says = sentence("Bots will take {count} free seat(s), and the game begins.", count=count)
            effects.append(_effect(table.game, says))
            recruitment.fill_up(session, _admin_action(session, now, table.game, wish))
    return effects


def _replace(session: Session, now: datetime, tables: Sequence[GameContext], wish: ActionRequest) -> list[Effect]:
    """Give a seat to a bot, or to the club's member with this number. Raises NotAllowed for who plays there."""
    (table,) = tables
    game, action = table.game, _admin_action(session, now, table.game, wish)
    if game.state != GameState.OPEN and any(player.id == wish.by for player in table.players.values()):
        raise NotAllowed("You play in this game: another organiser gives a seat away, or the players' vote does.")
    bot = wish.who.removeprefix(bulk_opening.BOT) if wish.who.startswith(bulk_opening.BOT) else ""
    people = members.members(session, game.club_id) if not bot and game.club_id else ()
    names = {str(member.player_id): member.name for member in people}
    if not bot and wish.who not in names:
        raise WrongInput("Pick somebody of the list to take over the seat.")
    who = seat_view.bot_called(table.rules, wish.seat) if bot else names[wish.who]
    effect = _effect(game, sentence("{who} will have the seat.", who=who))
    if game.state == GameState.OPEN:
        recruitment.put(session, action, wish.seat, bot=bot, player_id=0 if bot else int(wish.who))
    elif bot:
        substitutes.put_bot(session, now, game.id, wish.seat, bot, wish.by, wish.reason)
    else:
        substitutes.replace(session, now, game.id, wish.seat, int(wish.who), wish.by, wish.reason)
    return [effect]


def _fresh(session: Session, now: datetime, tables: Sequence[GameContext], wish: ActionRequest) -> list[Effect]:
    """Revoke a seat's links and mail its player a new one."""
    (table,) = tables
    game_admin.fresh_link(session, _admin_action(session, now, table.game, wish), wish.seat)
    return [_effect(table.game, sentence("The links of one seat will end, and a fresh one is mailed."))]


def _until(due: datetime | None) -> Message:
    holes: Any = {"moment": due}
    return sentence("The deadline will be {moment}.", **holes)


Runner = Callable[[Any, datetime, Sequence[Any], ActionRequest], list[Effect]]


class Action(NamedTuple):
    """An action of organisers, a key of `action_log.ACTS`: its button, its runner, and the states of games it fits."""

    label: str
    """What its button says."""
    run: Runner
    """Does it to the games it fits, and says what that came to."""
    states: frozenset[GameState]
    """Among several games only those in one of these states are reached."""
    logs: bool = False
    """Whether its runner enters what it did into the table's journal by itself."""
    many: bool = True
    """Whether it can be done to several games at once."""
    lasting: bool = False
    """It can't be taken back: somebody has a letter, or a game has begun."""


_RUNNING, _PAUSED, _OPEN = (frozenset({state}) for state in (GameState.RUNNING, GameState.PAUSED, GameState.OPEN))
ACTIONS: Mapping[str, Action] = {
    "nudge": Action(N_("Remind those awaited"), _nudge, _RUNNING, lasting=True),
    "extend": Action(N_("Move the deadlines"), _extend, _RUNNING),
    "merge": Action(N_("One deadline for all"), _merge, _RUNNING),
    "pause": Action(N_("Pause"), _each(sentence("The game will be paused."), game_admin.pause), _RUNNING),
    "resume": Action(N_("Go on"), _each(sentence("The game will go on."), game_admin.resume), _PAUSED),
    "seek": Action(N_("Find a substitute"), _seek, _RUNNING | _PAUSED),
    "fill": Action(
        N_("Bots take the free seats"),
        _fill,
        _OPEN,
        lasting=True,
    ),
    "call-off": Action(
        N_("Call off what has not begun"),
        _each(sentence("The game will be called off."), recruitment.call_off),
        _OPEN,
        lasting=True,
    ),
    "take-up": Action(
        N_("Try again"),
        _each(sentence("The game will be tried again."), game_admin.retry),
        frozenset({GameState.STUCK}),
        lasting=True,
    ),
    "replace": Action(N_("Hand the seat over"), _replace, frozenset(GameState), logs=True, many=False, lasting=True),
    "fresh": Action(
        N_("Fresh link"),
        _fresh,
        frozenset(GameState),
        many=False,
        lasting=True,
    ),
}
