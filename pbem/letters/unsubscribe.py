"""Stopping a kind of letter with one click (RFC 8058), and what that means for a game that goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import select

from pbem.capabilities.tokens import BadToken
from pbem.engine.core.types import N_, Message
from pbem.errors import nobody
from pbem.letter_queue import ALWAYS, LetterQueue
from pbem.store.models import Game, GameState, Player, Seat

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from pbem.capabilities.tokens import Tokens

TURNS = frozenset({"your_turn", "reminder", "last_call"})
"""Letters without which a player would miss their turn."""
KINDS = (
    frozenset(
        {
            *TURNS,
            "phase_report",
            "game_over",
            "digest",
            "absence",
            "organiser_alert",
            "talk",
            "gazette",
            "season",
            "receipt",
        }
    )
    - ALWAYS
)
"""Kinds that can be stopped."""
SAFETY = ("draft", "standing", "cautious")
"""The ladder that answers for who gets no more turn letters and has chosen none."""
_PURPOSE = "unsubscribe"


class Stopping(msgspec.Struct, frozen=True):
    """What a link to unsubscribe would stop, or has stopped."""

    kind: str
    game: str
    """The title of the one game it is about; empty for all games."""
    turns: bool
    """Whether turns could be missed now: the organiser is told and the safety ladder answers."""


def token(tokens: Tokens, player_id: int, seat_id: int | None, kind: str) -> str:
    """The token in a letter that stops its kind, for its game if it is about one."""
    return tokens.sign(_PURPOSE, player_id, seat_id or 0, kind)


def stopping(session: Session, tokens: Tokens, text: str) -> Stopping:
    """What the token would stop; changes nothing. Raises NotSeated for a token that isn't ours."""
    _, seat, game, kind = _read(session, tokens, text)
    return Stopping(kind, game.title if game else "", kind in TURNS and seat is not None)


def stop(session: Session, now: datetime, tokens: Tokens, text: str) -> Stopping:
    """Stop a kind of letter; doing so again changes nothing. Raises NotSeated for a token that isn't ours."""
    player, seat, game, kind = _read(session, tokens, text)
    if seat is None or game is None:
        _stop_everywhere(session, now, player, kind)
    elif kind not in seat.kinds_off:
        seat.kinds_off = [*seat.kinds_off, kind]
        if kind in TURNS and game.state == GameState.RUNNING:
            _make_safe(session, now, seat, game, player)
    session.flush()
    return Stopping(kind, game.title if game else "", kind in TURNS and seat is not None)


def _stop_everywhere(session: Session, now: datetime, player: Player, kind: str) -> None:
    """Stop a kind for all games; without turn letters every running one is made safe."""
    if kind in player.kinds_off:
        return
    player.kinds_off = [*player.kinds_off, kind]
    if kind not in {*TURNS, "digest"}:
        return
    rows = session.execute(
        select(Seat, Game)
        .join(Game, Game.id == Seat.game_id)
        .where(Seat.player_id == player.id, Game.state == GameState.RUNNING)
        .order_by(Game.id)
    )
    for seat, game in rows.all():
        _make_safe(session, now, seat, game, player)


def _make_safe(session: Session, now: datetime, seat: Seat, game: Game, player: Player) -> None:
    """Turn on the safety ladder and tell the organiser."""
    if not seat.ladder:
        seat.ladder = list(SAFETY)
    organiser = session.get(Player, game.organiser_id) if game.organiser_id else None
    if organiser is None or organiser.id == player.id:
        return
    said = Message(
        N_(
            "{seat} gets no more letters about their turns. What they have given ahead, or the safe default, is played."
        ),
        {"seat": seat.seat},
    )
    post = LetterQueue(now)
    cause = f"{game.id}:{seat.seat}:organiser_alert:unsubscribed:{seat.epoch}"
    post.person(
        "organiser_alert", organiser, cause, game_id=game.id, club_id=game.club_id, said=msgspec.to_builtins(said)
    )
    post.send(session)


def _read(session: Session, tokens: Tokens, text: str) -> tuple[Player, Seat | None, Game | None, str]:
    try:
        player_id, seat_id, kind = tokens.read(_PURPOSE, text)
    except BadToken:
        raise nobody() from None
    player = session.get(Player, player_id)
    if player is None or kind not in KINDS:
        raise nobody()
    if not seat_id:
        return player, None, None, kind
    row = session.execute(
        select(Seat, Game).join(Game, Game.id == Seat.game_id).where(Seat.id == seat_id)
    ).one_or_none()
    if row is None or row[0].player_id != player.id:
        return player, None, None, kind
    return player, row[0], row[1], kind
