"""Stopping a kind of letter with one click (RFC 8058), what that means for a game that goes on, and the way back."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from sqlalchemy import Row, select
from sqlalchemy.orm import Session

from pbem.budgets import Budget
from pbem.capabilities import notices
from pbem.capabilities.tokens import UNSUBSCRIBE, Tokens
from pbem.engine.core.message import N_, Message, sentence
from pbem.errors import nobody
from pbem.letter_kinds import KINDS, Facts, LetterKind
from pbem.letter_queue import LetterQueue
from pbem.play.seats import preferences
from pbem.store.models import UNDERWAY, Game, Player, Seat
from pbem.store.queries import common
from pbem.structs import Value

SAFETY = ("draft", "standing", "cautious")
"""The ladder that answers for who gets no more turn letters and has chosen none."""


TOLD = Budget(1, timedelta(days=1))
"""Letters to who stopped a kind about that kind in that game, however often it is stopped again."""


class Stopping(Value):
    """What a link to unsubscribe would stop, or has stopped."""

    kind: str
    game: str
    """The title of the one game it is about; empty for all games."""
    turns: bool
    """Whether turns could be missed now: the organiser is told and the safety ladder answers."""
    label: str = ""
    """What letters of this kind bring, a message id."""
    seat_id: int = 0
    """The seat in the one game; 0 for all games."""


def token(tokens: Tokens, player_id: int, epoch: int, seat_id: int | None, kind: str) -> str:
    """Return the token in a letter that stops its kind, for its game if it is about one; renewing all links ends it."""
    return tokens.sign(UNSUBSCRIBE, player_id, epoch, seat_id or 0, kind)


def stopping(session: Session, tokens: Tokens, text: str) -> Stopping:
    """Return what the token would stop; changes nothing. Raises NotSeated for a token that isn't ours."""
    player, seat, game, kind = _read(session, tokens, text)
    return _stopping(kind, seat, game, turns=bool(_untold(session, player, seat, kind)))


def _stopping(kind: LetterKind, seat: Seat | None, game: Game | None, *, turns: bool = False) -> Stopping:
    return Stopping(kind.name, game.title if game else "", turns, kind.label, seat.id if seat else 0)


def _untold(session: Session, player: Player, seat: Seat | None, kind: LetterKind) -> Sequence[Row[Seat, Game]]:
    """Return the seats (or the one) of games under way that are told of their turns by no letter without this kind."""
    if not _tells_turns(player, kind):
        return ()
    query = select(Seat, Game).join(Game).where(Seat.player_id == player.id, Game.state.in_(UNDERWAY))
    return session.execute((query if seat is None else query.where(Seat.id == seat.id)).order_by(Game.id)).all()


def _tells_turns(player: Player, kind: LetterKind) -> bool:
    """Return whether a person without letters of this kind misses turns: the daily one matters to who chose it."""
    return kind.tells_turns and (kind.facts is not Facts.QUEUE or player.digest_hour is not None)


def _missed(player: Player) -> list[LetterKind]:
    """Return the kinds that would tell a person of their turns, but are stopped for all games."""
    return [kind for kind in KINDS.values() if kind.name in player.kinds_off and _tells_turns(player, kind)]


def change_settings(
    session: Session, now: datetime, player_id: int, wanted: preferences.Settings
) -> preferences.Settings:
    """Store a person's settings; stopping what tells of turns has the same consequences there as by `stop`.

    Raises Overtaken, or WrongInput naming every value that can't be used.
    """
    player = session.get_one(Player, player_id)
    before = _missed(player)
    kept = preferences.change_settings(session, player_id, wanted)
    for kind in _missed(player):
        if kind not in before:
            _follow(session, now, player, kind, None)
    return kept


def stop(session: Session, now: datetime, tokens: Tokens, text: str) -> Stopping:
    """Stop a kind of letter; doing so again changes nothing. Raises NotSeated for a token that isn't ours."""
    player, seat, game, kind = _read(session, tokens, text, locked=True)
    holder, turns = seat or player, bool(_untold(session, player, seat, kind))
    if kind.name not in holder.kinds_off:
        holder.kinds_off = [*holder.kinds_off, kind.name]
        _follow(session, now, player, kind, seat)
    session.flush()
    return _stopping(kind, seat, game, turns=turns)


def _follow(session: Session, now: datetime, player: Player, kind: LetterKind, seat: Seat | None) -> None:
    """What follows from stopping a kind: its owner is told, and turns that would be missed are made safe."""
    _tell_owner(session, now, player, kind, session.get_one(Game, seat.game_id) if seat else None)
    for mine, at in _untold(session, player, seat, kind):
        _make_safe(session, now, mine, at, player)


def resume(session: Session, tokens: Tokens, text: str) -> Stopping:
    """Send a stopped kind again, where the token stopped it. Raises NotSeated for a token that isn't ours."""
    player, seat, game, kind = _read(session, tokens, text, locked=True)
    for holder in (player, seat):
        if holder is not None:
            holder.kinds_off = [name for name in holder.kinds_off if name != kind.name]
    session.flush()
    return _stopping(kind, seat, game)


def stopped_in_games(session: Session, player_id: int) -> tuple[Stopping, ...]:
    """Return what a person has stopped for single games that are not over."""
    rows = session.execute(
        select(Seat, Game)
        .join(Game)
        .where(Seat.player_id == player_id, Game.finished_at.is_(None))
        .order_by(Game.title, Game.id)
    )
    return tuple(_stopping(KINDS[name], seat, game) for seat, game in rows for name in seat.kinds_off if name in KINDS)


def resume_in_games(session: Session, player_id: int, again: Collection[tuple[int, str]]) -> None:
    """Send these kinds (seat's number, kind) again; seats of others are left alone."""
    for seat in session.scalars(select(Seat).where(Seat.player_id == player_id, Seat.id.in_({at for at, _ in again}))):
        seat.kinds_off = [name for name in seat.kinds_off if (seat.id, name) not in again]
    session.flush()


def _tell_owner(session: Session, now: datetime, player: Player, kind: LetterKind, game: Game | None) -> None:
    """A letter about it to its owner: who has the letter's link need not be who it was written to."""
    title = f" ({game.title})" if game else ""
    text = N_("No more letters of one kind go to you{title}. In your settings you can turn them on again. The kind:")
    cause = f"stopped:{kind.name}:{game.id if game else 0}:{TOLD.period(now)}"
    notices.tell(session, now, player, cause, Message(text, {"title": title}), Message(kind.label))


def _make_safe(session: Session, now: datetime, seat: Seat, game: Game, player: Player) -> None:
    """Turn on the safety ladder and tell the organiser."""
    if not seat.ladder:
        common.lock_game(session, game.id)
        seat.ladder = list(SAFETY)
        game.version += 1
    said = sentence(
        "{seat} gets no more letters about their turns. What they have given ahead, or the safe default, is played.",
        seat=seat.seat,
    )
    post = LetterQueue(now)
    cause = f"{game.id}:{seat.seat}:organiser_alert:unsubscribed:{seat.epoch}"
    columns = {"game_id": game.id, "club_id": game.club_id, "said": said}
    post.organisers("organiser_alert", session, game, cause, player.id, **columns)
    post.send(session)


_BEFORE_1_0 = [0]
"""What the epoch is taken for that letters of then don't name: the person's first."""


def _read(
    session: Session, tokens: Tokens, text: str, *, locked: bool = False
) -> tuple[Player, Seat | None, Game | None, LetterKind]:
    """Return what a token is about. `locked`: it changes, and two kinds stopped at once are one list of the person."""
    try:
        player_id, *epoch, seat_id, name = tokens.read(UNSUBSCRIBE, text)
    except ValueError:  # BadToken, or what is said in no form of ours
        raise nobody() from None
    player = common.lock_player(session, player_id) if locked else session.get(Player, player_id)
    kind = KINDS.get(str(name))
    if player is None or [player.epoch] != (epoch or _BEFORE_1_0) or kind is None or not kind.stoppable:
        raise nobody()
    if not seat_id:
        return player, None, None, kind
    row = session.execute(select(Seat, Game).join(Game).where(Seat.id == seat_id)).one_or_none()
    if row is None or row[0].player_id != player.id:
        return player, None, None, kind
    return player, row[0], row[1], kind
