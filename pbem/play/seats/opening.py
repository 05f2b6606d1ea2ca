"""Opening a game: options and seats are checked, players invited; once the table is full the set-up is dealt."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import sha256

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.bots import players as bots
from pbem.engine.core.rng import Rng
from pbem.engine.core.types import AnyRules
from pbem.engine.registry import rules_for, rules_of
from pbem.errors import NotOpen, WrongInput, fitting
from pbem.letter_queue import LetterQueue
from pbem.messages import LONGEST_NAME, clean
from pbem.play.admin import club_box
from pbem.play.deadlines import cadence as deadlines
from pbem.play.turns import persist
from pbem.play.turns.resolution import step
from pbem.play.views import spectator
from pbem.store import unit_of_work
from pbem.store.models import Game, GameState, Invitation, Player, Seat
from pbem.store.queries import common
from pbem.structs import Value

INVITED_FOR = 14
"""Days until an invitation expires."""
_LONGEST_COOLING = 2 * 60 * 60
_DAY = timedelta(days=1)


class SeatPlan(Value):
    """Who is to have a seat: a bot, a person (asked by letter unless `seated`), or whoever comes."""

    player_id: int | None = None
    bot: str = ""
    seated: bool = False
    """The person has agreed already, as an organiser opening their own game has."""


class GamePlan(Value, kw_only=True):
    """Everything that is chosen when a game is opened."""

    game: str
    seats: tuple[SeatPlan, ...]
    options: Mapping[str, str] = {}
    club_id: int | None = None
    organiser_id: int | None = None
    cadence: deadlines.Cadence = deadlines.Cadence()
    title: str = ""
    seed: str | None = None
    """Only for games that are to be repeated; otherwise drawn."""
    cooling: int = 0
    """Seconds between the last order and its ply, up to two hours."""
    practice: bool = False


def open_game(session: Session, now: datetime, plan: GamePlan) -> Game:
    """Announce a game. It starts at once if nobody has to be asked first.

    Raises InvalidOrder for an unknown game or bot, IllegalOrder for wrong options, WrongInput for the rest.
    """
    rules = rules_of(plan.game)
    options = club_box.with_box(session, plan.club_id, rules.meta.name, plan.options)
    plan = msgspec.structs.replace(plan, options=options)
    cadence = check(plan)
    seed = plan.seed or secrets.token_hex(16)
    game = Game(
        club_id=plan.club_id,
        organiser_id=plan.organiser_id,
        game=rules.meta.name,
        title=clean(fitting(plan.title, LONGEST_NAME)) or rules.meta.title,
        seats=len(plan.seats),
        options=_options(rules, cadence) | dict(plan.options),
        seed=seed,
        commitment=sha256(seed.encode()).hexdigest(),
        rules_version=rules.meta.version,
        practice=plan.practice,
        watch_delay=spectator.CLOSED if plan.club_id is None else spectator.behind(session, plan.club_id),
        cadence=msgspec.to_builtins(cadence),
        cooling=plan.cooling,
        created_at=now,
    )
    session.add(game)
    session.flush()
    if cadence.join:
        game.due_at = game.wake_at = now + cadence.join * _DAY
    _set_seats(session, now, game, plan)
    return start_if_full(session, now, game)


def _options(rules: AnyRules, cadence: deadlines.Cadence) -> dict[str, str]:
    """Return what a game of this pace is opened with where nothing else is said."""
    slow = cadence.hours >= deadlines.SLOW
    return {option.name: option.slow for option in rules.meta.options if slow and option.slow}


def check(plan: GamePlan) -> deadlines.Cadence:
    """Refuse what can't be played, as `open_game` does; gives the cadence."""
    rules = rules_of(plan.game)
    if len(plan.seats) not in rules.meta.seats:
        raise WrongInput(
            "{game} is not played by {count}. Choose one of these player counts: {counts}.",
            game=rules.meta.title,
            count=len(plan.seats),
            counts=tuple(map(str, rules.meta.seats)),
        )
    rules.setup(len(plan.seats), plan.options, Rng("check", 0))
    for seat in plan.seats:
        if seat.bot:
            bots.bot_of(rules.meta.name, seat.bot)
    people = [seat.player_id for seat in plan.seats if seat.player_id is not None]
    if len(set(people)) < len(people):
        raise WrongInput("One person can't have two seats in a game; name somebody else or a bot.")
    if not 0 <= plan.cooling <= _LONGEST_COOLING:
        raise WrongInput(
            "A cooling time of {seconds} seconds can't be used: choose from 0 to {limit}.",
            seconds=plan.cooling,
            limit=_LONGEST_COOLING,
        )
    return deadlines.usable(plan.cadence)


def _set_seats(session: Session, now: datetime, game: Game, plan: GamePlan) -> None:
    post = LetterQueue(now)
    for number, place in enumerate(plan.seats):
        seated = place.seated or (place.player_id is not None and place.player_id == plan.organiser_id)
        session.add(
            Seat(
                game_id=game.id,
                seat=number,
                player_id=place.player_id if seated else None,
                bot=place.bot,
                joined_at=now if seated or place.bot else None,
            )
        )
        if place.player_id is not None and not seated:
            invite(session, now, post, game, number, place.player_id)
    session.flush()
    post.send(session)


def invite(session: Session, now: datetime, post: LetterQueue, game: Game, seat: int, player_id: int) -> Invitation:  # noqa: PLR0913, PLR0917 - who, where, when
    """Offer a seat to a person by letter (see `sent_together`). Raises WrongInput if there is no such person."""
    player = session.get(Player, player_id)
    if player is None:
        raise WrongInput("There is no player number {player}.", player=player_id)
    invitation = Invitation(
        club_id=game.club_id,
        game_id=game.id,
        seat=seat,
        player_id=player_id,
        inviter_id=game.organiser_id,
        epoch=player.epoch,
        expires_at=now + INVITED_FOR * _DAY,
        created_at=now,
    )
    session.add(invitation)
    session.flush()
    alone = game.club_id is None
    cause = str(invitation.id) if alone else f"{game.club_id}:{player_id}:{now.isoformat()}"
    about = {"game_id": game.id, "seat": seat, "club_id": game.club_id, "invitation": invitation.id}
    post.person("invitation", player, f"invitation:{cause}", **about)
    return invitation


def sent_together(session: Session, invitation_id: int) -> Sequence[Invitation]:
    """Return what the letter of an invitation offers that nobody has answered, the oldest first.

    A club's offers of seats to one person at one moment share a letter, as they share the cause of it (`invite`).
    """
    one = session.get_one(Invitation, invitation_id)
    which = [Invitation.id == one.id]
    if one.game_id is not None and one.club_id is not None:
        which = [Invitation.player_id == one.player_id, Invitation.club_id == one.club_id]
        which += [Invitation.created_at == one.created_at, Invitation.game_id.is_not(None)]
    query = select(Invitation).where(*which, Invitation.state == "pending")
    return session.scalars(query.order_by(Invitation.id)).all()


def take_seat(session: Session, now: datetime, game_id: int, player_id: int, seat: int | None = None) -> Game:
    """Give a person a seat: the one they are invited to, else `seat`, else any free one of an open game.

    Raises NotOpen if the game has begun or the seat is taken.
    """
    game = common.lock_game(session, game_id)
    if game is None or game.state != GameState.OPEN:
        raise NotOpen("This game takes no more players.")
    seats = {row.seat: row for row, _ in common.seats_of(session, game_id)}
    if any(row.player_id == player_id for row in seats.values()):
        return game
    asked = session.scalars(
        select(Invitation).where(Invitation.game_id == game_id, Invitation.state == "pending")
    ).all()
    invitation = next((one for one in asked if one.player_id == player_id), None)
    kept = {one.seat for one in asked if one.player_id != player_id and one.expires_at > now}
    if invitation is not None and seat is None:
        seat = invitation.seat
    free = [n for n, row in seats.items() if row.is_free and n not in kept]
    wanted = free[:1] if seat is None else [n for n in free if n == seat]
    if not wanted:
        raise NotOpen("This seat is taken; ask the organiser for another one.")
    seats[wanted[0]].player_id = player_id
    seats[wanted[0]].joined_at = now
    if invitation is not None:
        invitation.state, invitation.answered_at = "accepted", now
    session.get_one(Player, player_id).answers(now)
    session.flush()
    return start_if_full(session, now, game)


def start_if_full(session: Session, now: datetime, game: Game) -> Game:
    """Deal the set-up once every seat has its player; until then nothing happens."""
    if any(seat.is_free for seat, _ in common.seats_of(session, game.id)):
        return game
    rules = rules_for(game)
    chance = Rng(game.seed, 0)
    made = rules.setup(game.seats, game.options, chance)
    first = step(rules, made.state, 0, chance=chance.log, events=made.events)
    persist.write_plies(session, now, game, [first])
    game.state, game.due_at = GameState.RUNNING, None
    game.started_at = now
    unit_of_work.wake(session, game, now)
    game.version += 1
    session.flush()
    return game
