"""Who holds a seat changes: somebody resigns, is replaced, or a bot takes over. What was played before stays theirs."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.bots import players as bots
from pbem.capabilities.acts import require_proof_of_owner, require_yes
from pbem.engine.core.message import Message, sentence
from pbem.errors import GameOver, NotOpen, WrongInput, nobody
from pbem.letter_queue import LetterQueue
from pbem.play.admin import action_log, disclosures
from pbem.play.deadlines.delivery_clock import move_deadline
from pbem.play.deadlines.waiting_reasons import needed_seats
from pbem.play.seats import sitters
from pbem.play.seats.ballots import count_again
from pbem.play.views.game_context import VACANT, GameContext, locked_game, locked_seat, table_of
from pbem.play.views.seat_view import holder, name_of
from pbem.store import unit_of_work
from pbem.store.models import (
    UNDERWAY,
    Game,
    GameState,
    Invitation,
    OpenDecision,
    Player,
    Seat,
    StoredStandingOrders,
)
from pbem.store.queries import common


def resign(session: Session, now: datetime, seat_id: int, reason: str = "") -> None:
    """Leave a game for good: the cautious bot plays on until a substitute is found.

    Raises NotSeated, NeedsYes, NeedsCode, NotAllowed or GameOver.
    """
    require_proof_of_owner(session, "resign", seat_id)
    game, seat = locked_seat(session, seat_id)
    if seat.player_id is None:
        raise nobody()
    _refuse_over(game)
    _leave(session, now, game, seat, reason)
    require_yes(session, "resign", title=game.title)


def _leave(session: Session, now: datetime, game: Game, seat: Seat, reason: str = "") -> None:
    action_log.write(session, now, game, "resign", by=seat.player_id, reason=reason, seat=seat.seat, ply=game.ply)
    _hand_over(session, now, table_of(session, game), seat.seat, bot=VACANT)


def leave_all(session: Session, now: datetime, player_id: int) -> tuple[str, ...]:
    """Leave every game under way for who is about to be forgotten; return their titles."""
    under_way = select(Seat.id).join(Game).where(Seat.player_id == player_id, Game.state.in_(UNDERWAY))
    titles = []
    for seat_id in session.scalars(under_way.order_by(Game.id)).all():
        game, seat = locked_seat(session, seat_id)
        if seat.player_id == player_id and game.state.is_underway:
            _leave(session, now, game, seat)
            titles.append(game.title)
    return tuple(titles)


def vote_out(session: Session, now: datetime, table: GameContext, seat: int) -> None:
    """Take the seat from a player by the others' vote: the cautious bot plays on until a substitute is found."""
    said = _enter(session, now, table, seat, "vote-out")
    _hand_over(session, now, table, seat, bot=VACANT, said=said)


def put_bot(  # noqa: PLR0913, PLR0917 - what, by whom, why
    session: Session, now: datetime, game_id: int, seat: int, bot: str, by: int, reason: str = ""
) -> None:
    """Let a bot play a seat from now on. Raises InvalidOrder for an unknown bot, NotSeated or GameOver."""
    table = _locked(session, game_id, seat)
    bots.bot_of(table.game.game, bot)
    said = _enter(session, now, table, seat, "put-bot", by=by, reason=reason)
    _hand_over(session, now, table, seat, bot=bot, said=said)


def replace(  # noqa: PLR0913, PLR0917 - what, by whom, why
    session: Session, now: datetime, game_id: int, seat: int, player_id: int, by: int, reason: str = ""
) -> None:
    """Give a seat to another person, at once; they are told by letter. Raises NotSeated, GameOver or WrongInput."""
    table = _locked(session, game_id, seat)
    if any(one.player_id == player_id and not one.bot for one in table.seats.values()):
        raise WrongInput("This person has a seat in the game already; name somebody else.")
    player = session.get(Player, player_id)
    if player is None or player.accepted_at is None:
        raise WrongInput("Only somebody who has answered from their address before can take over a seat.")
    disclosures.refuse_who_knows(session, now, game_id, player_id, seat)
    said = _enter(session, now, table, seat, "replace", by=by, reason=reason)
    _hand_over(session, now, table, seat, player=player, said=said)


def take_over(session: Session, now: datetime, invitation: Invitation) -> None:
    """Take a seat of a game under way that one was asked to take over. Raises NotOpen if it isn't needed any more."""
    game_id, number = invitation.game_id, invitation.seat
    assert game_id is not None  # callers know that it is about a game
    assert number is not None  # invitations to a game name the seat
    table = _locked(session, game_id, number)
    if why := not_needed(session, table, invitation):
        raise NotOpen(why.text)
    by = invitation.inviter_id or invitation.player_id
    replace(session, now, game_id, number, invitation.player_id, by)


def not_needed(session: Session, table: GameContext, invitation: Invitation) -> Message | None:
    """Return why nobody is looked for any more for the seat that an invitation offers; None while somebody is."""
    number = invitation.seat
    assert number is not None  # as above
    seat = table.seats[number]
    if seat.player_id is not None and seat.joined_at is not None and seat.joined_at > invitation.created_at:
        return sentence("Somebody else has taken this seat meanwhile. Thank you all the same.")
    if number in table.players and common.is_any(session, OpenDecision.answers_since(invitation)):
        return sentence("Its player has come back and plays on. Thank you all the same.")
    return None


def instead_of(session: Session, game: Game, seat: int | None) -> str:
    """Return whose seat of a game under way an invitation offers; empty before the game has begun."""
    if game.state == GameState.OPEN or seat is None:
        return ""
    return name_of(table_of(session, game), seat)


def _locked(session: Session, game_id: int, seat: int) -> GameContext:
    table = table_of(session, locked_game(session, game_id))
    if seat not in table.seats:
        raise nobody()
    _refuse_over(table.game)
    return table


def _enter(  # noqa: PLR0913 - what is done to which seat, by whom, why
    session: Session, now: datetime, table: GameContext, seat: int, act: str, *, by: int | None = None, reason: str = ""
) -> tuple[Message, ...]:
    """Enter into the journal what takes a seat from who has it, by the name they have now; return what letters say."""
    game, was, called = table.game, holder(table, seat), name_of(table, seat)
    row = action_log.write(session, now, game, act, by=by, reason=reason, seat=seat, ply=game.ply, was=was)
    name = session.get_one(Player, by).name if by is not None else ""
    return action_log.told(action_log.entry_of(row, name, {was: called}))


def _refuse_over(game: Game) -> None:
    if not game.state.is_underway:
        raise GameOver("This game is not being played, so nobody can leave or take over a seat.")


def _hand_over(  # noqa: PLR0913 - a seat, one of two who come, and what is told of it
    session: Session,
    now: datetime,
    table: GameContext,
    number: int,
    *,
    player: Player | None = None,
    bot: str = "",
    said: tuple[Message, ...] = (),
) -> None:
    """Change who holds the seat; links, orders given ahead and sitters of the one before end.

    `said` is how it was taken from them, for the letters; empty where they left of their own will.
    """
    game, seat = table.game, table.seats[number]
    before = table.players.get(number)
    game.version += 1  # an order on its way from who held it doesn't count
    seat.epoch = Seat.epoch + 1  # by the database: links may be renewed at this moment
    seat.player_id, seat.bot = (player.id, "") if player else (None, bot)
    seat.ladder, seat.never, seat.kinds_off, seat.bank_used = [], [], [], 0
    seat.joined_at, seat.resigned_at = (now, None) if player else (seat.joined_at, now)
    common.end_ahead(session, now, game.id, "replaced", StoredStandingOrders.seat == number)
    sitters.end_of_seat(session, now, game.id, number)
    session.flush()
    said = said if before else ()
    asked = player is not None and _ask_anew(session, now, table_of(session, game), number, before, said)
    if before or player:  # a bot for a bot is nobody's news
        _tell(session, now, table, number, before, player, said, asked=asked)
    if game.state == GameState.RUNNING and not asked:
        unit_of_work.wake(session, game, now)  # the bot may be all that was waited for, or the person is asked, too
        session.flush()
    count_again(session, now, game, vote_out)


def _ask_anew(  # noqa: PLR0913, PLR0917 - whose seat it was, and how it was taken
    session: Session, now: datetime, table: GameContext, number: int, before: Player | None, said: tuple[Message, ...]
) -> bool:
    """Give the substitute the open question with their full time for it; whether a letter asks, and says the news."""
    game, player = table.game, table.players[number]
    decisions = common.decisions_of(session, game)
    if game.state != GameState.RUNNING or number not in needed_seats(decisions):
        return False
    mine = next(decision for decision in decisions if decision.seat == number)
    mine.letter_at = None
    if not mine.secret:  # else its new beginning would tell that it has no answer yet
        mine.opened_at = now
    move_deadline(session, table, now)
    post, cause = LetterQueue(now), f"substitute.{table.seats[number].epoch}"
    news = {"who": before.name if before else "", "by": player.name, "said": said}
    post.seat("your_turn", game, table.seats[number], player, cause, **news)
    asks = any(row["kind"] == "your_turn" for row in post.rows)
    session.flush()
    post.send(session)
    return asks


def _tell(  # noqa: PLR0913, PLR0917 - who went, who came, how
    session: Session,
    now: datetime,
    table: GameContext,
    number: int,
    before: Player | None,
    after: Player | None,
    said: tuple[Message, ...],
    *,
    asked: bool,
) -> None:
    """A letter to everybody at the table, the new player unless `asked` by one, the old one, and the organiser."""
    game, seat = table.game, table.seats[number]
    organiser = session.get(Player, game.organiser_id) if game.organiser_id else None
    readers = {player.id: player for player in (*table.players.values(), before, after, organiser) if player}
    seats = {one.player_id: seat for seat, one in table.seats.items()}  # as they are now
    if after is not None and asked:
        del readers[after.id]
    post = LetterQueue(now)
    for player in readers.values():
        cause = f"{game.id}:{game.ply}:{number}:replaced:{seat.epoch}:{player.id}"
        post.person(
            *("replaced", player, cause),
            game_id=game.id,
            ply=game.ply,
            seat=seats.get(player.id),
            club_id=game.club_id,
            who=before.name if before else "",
            by=after.name if after else "",
            said=said,
        )
    post.send(session)
