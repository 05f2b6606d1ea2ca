"""A game before it begins: who is asked to which seat, who goes away again, and what happens if it doesn't fill."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.bots import players as bots
from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.registry import title_of
from pbem.errors import NotAllowed, NotOpen, WrongInput, nobody
from pbem.letter_queue import LetterQueue
from pbem.play.admin import action_log
from pbem.play.deadlines import cadence
from pbem.play.seats import opening
from pbem.store.models import Game, GameState, Invitation, Player, Seat
from pbem.store.queries import common

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from pbem.play.admin.action_log import AdminAction

FILLER = "heuristic"
"""The bot that takes seats nobody came to."""
_LISTED = 20
"""Seats or games that one letter names."""
_BATCH = 500
"""Games, and invitations, that one sweep sees to."""


def _open(session: Session, game_id: int) -> Game:
    """Return the game, locked. Raises NotAllowed once it has begun."""
    game = common.lock_game(session, game_id)
    if game is None or game.state != GameState.OPEN:
        raise NotAllowed("This goes only for a game that has not begun.")
    return game


# --- what an organiser does ---


def put(session: Session, action: AdminAction, number: int, *, bot: str = "", player_id: int = 0) -> None:
    """Put a bot on a free seat, or invite somebody there by letter.

    An invitation that is still open for the seat ends. Raises NotAllowed, NotSeated or WrongInput.
    """
    game = _open(session, action.game.id)
    seats = {seat.seat: seat for seat, _ in common.seats_of(session, game.id)}
    if number not in seats:
        raise nobody()
    if not seats[number].is_free:
        raise NotAllowed("This seat is taken. Choose a free one.")
    if player_id and any(seat.player_id == player_id for seat in seats.values()):
        raise WrongInput("This person has a seat in the game already; name somebody else.")
    common.end_invitations(session, action.now, Invitation.game_id == game.id, Invitation.seat == number)
    if bot:
        bots.bot_of(game.game, bot)
        seats[number].bot, seats[number].joined_at = bot, action.now
        _log(session, action, "seat-bot")
        opening.start_if_full(session, action.now, game)
        return
    post = LetterQueue(action.now)
    opening.invite(session, action.now, post, game, number, player_id).inviter_id = action.by.id
    session.flush()
    post.send(session)
    _log(session, action, "seat-invited")


def _log(session: Session, action: AdminAction, act: str) -> None:
    action_log.write(session, action.now, action.game, act, by=action.by.id, reason=action.reason)


def wait_longer(session: Session, action: AdminAction, hours: int) -> None:
    """Let a game wait for its players some hours more. Raises NotAllowed."""
    game = _open(session, action.game.id)
    game.due_at = game.wake_at = max(game.due_at or action.now, action.now) + hours * cadence.HOUR
    game.due_version += 1


def call_off(session: Session, action: AdminAction) -> None:
    """End a game before it begins; who has a seat is told. Raises NotAllowed."""
    game = _open(session, action.game.id)
    _end(session, action.now, game, action.reason, besides=action.by.id)


def fill_up(session: Session, action: AdminAction) -> None:
    """Let bots have every free seat, so that the game begins. Raises NotAllowed."""
    game = _open(session, action.game.id)
    _fill(session, action.now, game)


def free_seats(session: Session, game: Game) -> tuple[Seat, ...]:
    """Return the seats of a game that nobody has."""
    return tuple(seat for seat, _ in common.seats_of(session, game.id) if seat.is_free)


def _fill(session: Session, now: datetime, game: Game) -> None:
    common.end_invitations(session, now, Invitation.game_id == game.id)
    for seat in free_seats(session, game):
        seat.bot, seat.joined_at = FILLER, now
    opening.start_if_full(session, now, game)


def _end(session: Session, now: datetime, game: Game, reason: str = "", *, besides: int | None) -> None:
    """Close the game for good, and write a letter to everybody who has a seat."""
    game.state, game.finished_at = GameState.WITHDRAWN, now
    game.due_at = game.wake_at = None
    game.version += 1
    common.end_invitations(session, now, Invitation.game_id == game.id)
    said = [sentence("The game {title} was called off before it began.", title=game.title)]
    if reason:
        said.append(sentence("The organiser writes: {reason}", reason=reason))
    post = LetterQueue(now)
    for _, player in common.seats_of(session, game.id):
        if player is not None and player.id != besides:
            post.person("talk", player, f"{game.id}:off:{player.id}", club_id=game.club_id, **_about(game, said))
    session.flush()
    post.send(session)


def _about(game: Game, said: Sequence[Message]) -> dict[str, object]:
    """Return a letter's facts about a game that has no position yet."""
    return {"game": title_of(game.game), "title": game.title, "said": said}


# --- what players do ---


def joined(session: Session, player_id: int) -> tuple[Game, ...]:
    """Return the games that wait for players and in which a person has taken a seat, the oldest first."""
    query = select(Game).join(Seat).where(Seat.player_id == player_id, Game.state == GameState.OPEN)
    return tuple(session.scalars(query.order_by(Game.id)))


def give_up(session: Session, now: datetime, game_id: int, player_id: int) -> None:
    """Give a seat back before the game begins; its organiser is told. Raises NotOpen for who has none."""
    game = common.lock_game(session, game_id)
    seats = common.seats_of(session, game_id) if game is not None and game.state == GameState.OPEN else []
    mine = next(((seat, player) for seat, player in seats if player is not None and player.id == player_id), None)
    if game is None or mine is None:
        raise NotOpen("You have no seat in a game that waits for its players.")
    seat, player = mine
    seat.player_id, seat.joined_at = None, None
    seat.epoch = Seat.epoch + 1
    session.flush()
    cause, who = f"{game.id}:given-up:{seat.seat}:{seat.epoch}", player.name if player else ""
    said = sentence("{who} has given back the seat in {title}: it is free again.", who=who, title=game.title)
    _tell(session, now, game, cause, said)


def give_up_all(session: Session, now: datetime, player_id: int, club_id: int | None = None) -> None:
    """Give back every seat of games (of one club) that have not begun: its holder leaves."""
    for game in joined(session, player_id):
        if club_id in (None, game.club_id):
            give_up(session, now, game.id, player_id)


def declined(session: Session, now: datetime, invitation: Invitation) -> None:
    """Tell who looks after a game that has not begun that a seat's invitation was turned down."""
    game = session.get(Game, invitation.game_id) if invitation.game_id else None
    if game is None or game.state != GameState.OPEN:
        return
    name = session.get_one(Player, invitation.player_id).name
    said = sentence("{who} has declined the seat in {title}: it is free again.", who=name, title=game.title)
    _tell(session, now, game, f"declined:{invitation.id}", said)


def _tell(session: Session, now: datetime, game: Game, cause: str, *said: Message) -> None:
    """A letter to the organiser of a game."""
    _alert(LetterQueue(now), session, game, cause, {"game_id": game.id, **_about(game, said)})


def _alert(post: LetterQueue, session: Session, game: Game, cause: str, columns: Mapping[str, object]) -> None:
    post.organisers("organiser_alert", session, game, cause, club_id=game.club_id, **columns)
    post.send(session)


# --- what time does ---


def sweep(session: Session, now: datetime) -> None:
    """Close invitations that ran out, and see to games whose wait for players is over."""
    _run_out(session, now)
    news: dict[int | None, list[tuple[Game, Message]]] = defaultdict(list)
    for game_id in common.games_unfilled(session, now, _BATCH):
        game = common.lock_game(session, game_id)
        if game is not None and game.state == GameState.OPEN and game.wake_at is not None and game.wake_at <= now:
            news[game.organiser_id].append((game, _unfilled(session, now, game)))
    for found in news.values():
        _tell_together(session, now, found)


def _tell_together(session: Session, now: datetime, found: Sequence[tuple[Game, Message]]) -> None:
    """One letter to the organiser of all these games; about a single one it leads to its administration."""
    game, said = found[0]
    cause = f"{game.id}:unfilled:{game.due_version}"
    if len(found) == 1:
        _tell(session, now, game, cause, said)
        return
    _alert(LetterQueue(now, by_clock=True), session, game, cause, {"said": _at_most([said for _, said in found])})


def _at_most(said: Sequence[Message]) -> list[Message]:
    """Return as many sentences as one letter holds, and how many there are besides."""
    more = [sentence("And {count} more; the control room shows them.", count=len(said) - _LISTED)]
    return [*said[:_LISTED], *(more if len(said) > _LISTED else ())]


def _run_out(session: Session, now: datetime) -> None:
    """Close the invitations whose time is over, and tell each organiser once of all seats that are free again."""
    rows = session.scalars(
        select(Invitation)
        .where(Invitation.state == "pending", Invitation.expires_at <= now)
        .order_by(Invitation.expires_at, Invitation.id)
        .limit(_BATCH)
        .with_for_update(skip_locked=True)
    ).all()
    freed: dict[tuple[int, int | None], list[Invitation]] = defaultdict(list)
    for row in rows:
        row.state = "expired"
        game = session.get(Game, row.game_id) if row.game_id is not None else None
        if game is not None:
            for organiser in common.organisers_about(session, game):
                freed[organiser.id, game.club_id].append(row)
    session.flush()
    post = LetterQueue(now)
    for (number, club), invitations in freed.items():
        said = _unanswered(session, invitations)
        if said:
            player, cause = session.get_one(Player, number), f"run-out:{invitations[0].id}:{number}"
            post.person("organiser_alert", player, cause, club_id=club, said=said)
    post.send(session)


def _unanswered(session: Session, invitations: Sequence[Invitation]) -> list[Message]:
    """Return a sentence for each seat that nobody came to, of games that have not begun."""
    rows = session.execute(
        select(Game.title, Player.name)
        .join(Invitation, Invitation.game_id == Game.id)
        .join(Player, Player.id == Invitation.player_id)
        .where(Invitation.id.in_([row.id for row in invitations]), Game.state == GameState.OPEN)
        .order_by(Invitation.id)
    ).all()
    return _at_most(
        [
            sentence(
                "{who} has not answered the invitation to {title} in time: the seat is free again.",
                who=name,
                title=title,
            )
            for title, name in rows
        ]
    )


def _unfilled(session: Session, now: datetime, game: Game) -> Message:
    """End a game's wait for players by its `unfilled`: bots take the seats, it is called off, or it waits on.

    Returns what its organiser is told.
    """
    game.wake_at = None
    free, people = len(free_seats(session, game)), any(player for _, player in common.seats_of(session, game.id))
    way = cadence.cadence_of(game.cadence).unfilled
    if way == "bots" and people:
        _fill(session, now, game)
        action_log.write(session, now, game, "filled", by=None)
        text = N_("The wait for players of {title} is over: bots have the free seats, and the game begins.")
    elif way == "tell":
        text = N_(
            "The wait for players of {title} is over, with {count} free seat(s). "
            "On its administration page you choose what happens."
        )
    else:
        action_log.write(session, now, game, "not-filled", by=None)
        _end(session, now, game, besides=game.organiser_id)
        text = N_("The wait for players of {title} is over, with {count} free seat(s): the game was called off.")
    return Message(text, {"title": game.title, "count": free})
