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
from pbem.play.deadlines.waiting_reasons import are_hidden, open_seats
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


class LeftOut(Value):
    """Why an act does nothing to a game."""

    game_id: int
    title: str
    says: Message


class ActionOutcome(Value):
    """An act that was carried out, or that would be."""

    effects: tuple[Effect, ...]
    seen: str
    """What the games looked like before it: another mark, and they have moved on."""
    left_out: tuple[LeftOut, ...] = ()
    """Those it does not fit."""
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
        acts.require_yes(session, wish.act, title=tuple(effect.title for effect in done.effects))
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
    came = action.run(session, now, tables, wish)
    effects = [one for one in came if isinstance(one, Effect)]
    if not action.logs:
        of = {table.game.id: table for table in tables}
        for effect in effects:
            table, seat = of[effect.game_id], effect.seat
            about = {} if seat is None else {"seat": seat, "was": seat_view.holder(table, seat)}
            action_log.write(session, now, table.game, wish.act, by=wish.by, reason=wish.reason, **about)
    left_out = tuple(one for one in came if isinstance(one, LeftOut))
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


Came = list[Effect | LeftOut]


def _each(tables: Sequence[GameContext], do: Callable[[GameContext], Sequence[Effect | Message]]) -> Came:
    """Return what doing something to each game came to: `do` gives its effects, or why there are none.

    What it raises is why one of several is left out, and refuses a single one.
    """
    came: Came = []
    for table in tables:
        game = table.game
        try:
            found = do(table)
        except NotAllowed as refusal:
            if len(tables) == 1:
                raise
            found = refusal.faults
        came += [one if isinstance(one, Effect) else LeftOut(game.id, game.title, one) for one in found]
    return came


def _undo_state(game: Game) -> dict[str, str | None]:
    """Return the columns of a game that undoing restores."""
    times = {name: getattr(game, name) for name in ("due_at", "wake_at")}
    return {name: moment.isoformat() if moment else None for name, moment in times.items()} | {"state": game.state}


def _admin_action(session: Session, now: datetime, game: Game, wish: ActionRequest) -> action_log.AdminAction:
    """Return the request as the use cases of a single game take it."""
    return action_log.AdminAction(now=now, game=game, by=session.get_one(Player, wish.by), reason=wish.reason)


def _nudge(session: Session, now: datetime, tables: Sequence[GameContext], _wish: ActionRequest) -> Came:
    """Remind everybody awaited now, each at most once an hour; seats that choose in secret are skipped."""
    post = LetterQueue(now)

    def remind(table: GameContext) -> Sequence[Effect | Message]:
        if table.game.state != GameState.RUNNING:
            return [sentence("Only a game that runs waits for somebody.")]
        decisions = [one for one in common.decisions_of(session, table.game) if not one.ahead]
        if are_hidden(decisions):
            return [sentence("Choices are made in secret, so nobody is reminded by hand.")]
        seats = _reminded(session, post, table, open_seats(decisions))
        if not seats:
            return [sentence("Whoever it waits for was reminded within the hour, or wants no reminders.")]
        names = tuple(table.players[seat].name for seat in seats)
        return [_effect(table.game, sentence("{people} will be reminded.", people=names))]

    came = _each(tables, remind)
    post.send(session)
    return came


def _reminded(session: Session, post: LetterQueue, table: GameContext, seats: Iterable[int]) -> list[int]:
    """Queue a reminder for each of `seats`; return those that get it: not who had this hour's, or wants none."""
    queued: dict[str, int] = {}
    for seat in seats:
        if seat in table.players:
            before, cause = len(post.rows), f"nudge.{int(post.now.timestamp()) // 3600}"
            post.seat("reminder", *table.addressee(seat), cause, due_version=table.game.due_version)
            queued |= {row["cause"]: seat for row in post.rows[before:]}
    had = set(session.scalars(select(Letter.cause).where(Letter.cause.in_(queued), Letter.kind == "reminder")))
    return [seat for cause, seat in queued.items() if cause not in had]


def _alike(says: Message, do: Callable[[Session, action_log.AdminAction], None]) -> Runner:
    """Return a runner that does the same to each game; one it doesn't fit raises its refusal."""

    def run(session: Session, now: datetime, tables: Sequence[GameContext], wish: ActionRequest) -> Came:
        def act(table: GameContext) -> list[Effect]:
            effect = _effect(table.game, says)
            do(session, _admin_action(session, now, table.game, wish))
            return [effect]

        return _each(tables, act)

    return run


def _extend(session: Session, now: datetime, tables: Sequence[GameContext], wish: ActionRequest) -> Came:
    """Move deadlines later by `hours`; of a single game that waits for its players, the end of that wait."""

    def move(table: GameContext) -> list[Effect]:
        game, before = table.game, _undo_state(table.game)
        if game.state == GameState.OPEN and len(tables) > 1:
            raise NotAllowed(game_admin.NO_CLOCK)
        game_admin.extend(session, _admin_action(session, now, game, wish), wish.hours)
        return [Effect(game.id, game.title, _until(game.due_at), before)]

    return _each(tables, move)


def _merge(session: Session, now: datetime, tables: Sequence[GameContext], _wish: ActionRequest) -> Came:
    """Move all deadlines to the latest one among them."""
    dues = {table.game.id: table.game.due_at for table in tables if table.game.state == GameState.RUNNING}
    latest = max((due for due in dues.values() if due is not None), default=None)

    def move(table: GameContext) -> Sequence[Effect | Message]:
        due = dues.get(table.game.id)
        if due is None or latest is None:
            return [sentence(game_admin.NO_CLOCK)]
        if due == latest:
            return [sentence("Its deadline is the latest of them.")]
        effect = _effect(table.game, _until(latest))
        delivery_clock.put_deadline(session, now, table, latest)
        return [effect]

    return _each(tables, move)


def _seek(session: Session, now: datetime, tables: Sequence[GameContext], wish: ActionRequest) -> Came:
    """Ask members by letter to take over the seats nobody answers for; the first to accept has the seat."""
    field = substitute_search.candidates(session, now, tables[0].game.club_id or 0)

    def ask(table: GameContext) -> Sequence[Effect | Message]:
        nonlocal field
        if table.game.state not in {GameState.RUNNING, GameState.PAUSED}:
            return [sentence("Only a game under way needs a substitute.")]
        seats, effects = substitute_search.seats_in_need(session, now, table), []
        for seat in seats:
            asked = substitute_search.fitting(session, now, table, field)[: substitute_search.ASKED]
            if asked:
                field = substitute_search.offered(field, asked)
                invitations = substitute_search.ask(session, now, table, seat, asked, wish.by)
                effects.append(_asked_for(table, seat, asked, invitations))
        idle = (
            sentence("Nobody of the club can be asked.") if seats else sentence("Every seat has somebody who answers.")
        )
        return effects or [idle]

    return _each(tables, ask)


def _asked_for(
    table: GameContext, seat: int, asked: Sequence[substitute_search.Candidate], invitations: tuple[int, ...]
) -> Effect:
    names, who = tuple(one.record for one in asked), seat_view.name_of(table, seat)
    says = sentence("{people} will be asked to take over from {who}.", people=names, who=who)
    return Effect(table.game.id, table.game.title, says, {"invitations": list(invitations)}, seat)


def _fill(session: Session, now: datetime, tables: Sequence[GameContext], wish: ActionRequest) -> Came:
    """Put bots in the free seats of games that wait for players and have one; those games begin."""

    def fill(table: GameContext) -> Sequence[Effect | Message]:
        if table.game.state == GameState.OPEN and not table.players:
            return [sentence("Nobody has a seat there: call it off, or wait.")]
        count = len(recruitment.free_seats(session, table.game))
        effect = _effect(table.game, sentence("Bots will take {count} free seat(s), and the game begins.", count=count))
        recruitment.fill_up(session, _admin_action(session, now, table.game, wish))
        return [effect]

    return _each(tables, fill)


def _replace(session: Session, now: datetime, tables: Sequence[GameContext], wish: ActionRequest) -> Came:
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


def _fresh(session: Session, now: datetime, tables: Sequence[GameContext], wish: ActionRequest) -> Came:
    """Revoke a seat's links and mail its player a new one."""
    (table,) = tables
    game_admin.fresh_link(session, _admin_action(session, now, table.game, wish), wish.seat)
    return [_effect(table.game, sentence("The links of one seat will end, and a fresh one is mailed."))]


def _until(due: datetime | None) -> Message:
    holes: Any = {"moment": due}
    return sentence("The deadline will be {moment}.", **holes)


Runner = Callable[[Any, datetime, Sequence[Any], ActionRequest], Came]


class Action(NamedTuple):
    """An action of organisers, a key of `action_log.ACTS`: its button, and its runner."""

    label: str
    """What its button says."""
    run: Runner
    """Does it to the games it fits, and says what that came to, and why it doesn't fit the others."""
    logs: bool = False
    """Whether its runner enters what it did into the table's journal by itself."""
    many: bool = True
    """Whether it can be done to several games at once."""
    lasting: bool = False
    """It can't be taken back: somebody has a letter, or a game has begun."""


ACTIONS: Mapping[str, Action] = {
    "nudge": Action(N_("Remind those awaited"), _nudge, lasting=True),
    "extend": Action(N_("Move the deadlines"), _extend),
    "merge": Action(N_("One deadline for all"), _merge),
    "pause": Action(N_("Pause"), _alike(sentence("The game will be paused."), game_admin.pause)),
    "resume": Action(N_("Go on"), _alike(sentence("The game will go on."), game_admin.resume)),
    "seek": Action(N_("Find a substitute"), _seek),
    "fill": Action(N_("Bots take the free seats"), _fill, lasting=True),
    "call-off": Action(
        N_("Call off what has not begun"),
        _alike(sentence("The game will be called off."), recruitment.call_off),
        lasting=True,
    ),
    "take-up": Action(
        N_("Try again"), _alike(sentence("The game will be tried again."), game_admin.retry), lasting=True
    ),
    "replace": Action(N_("Hand the seat over"), _replace, logs=True, many=False, lasting=True),
    "fresh": Action(N_("Fresh link"), _fresh, many=False, lasting=True),
}
