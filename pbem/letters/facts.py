"""What letters tell beside the situation: standing orders, the rest of the queue, words said, orders played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from pbem.engine.core.types import N_, Message
from pbem.engine.registry import title_of
from pbem.mail.families import FAMILY, Turn
from pbem.messages import clean
from pbem.play.admin import action_log
from pbem.play.orders import standing_orders
from pbem.play.views import decision_queue
from pbem.play.views.game_context import table_of
from pbem.play.views.seat_view import name_of
from pbem.store.models import Game, GameState, Letter, OpenDecision, Seat, StoredPly, Talk

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Select
    from sqlalchemy.orm import Session

    from pbem.letters.context import LetterData

_BACK = 6
"""Plies that are looked back over for the order played in somebody's place."""


def facts(session: Session, now: datetime, letter: LetterData) -> Mapping[str, Any]:
    """The facts of one letter that its reader may know, by the names that `contents` reads."""
    if letter.kind == "digest":
        return {"day": now, "items": decision_queue.queue(session, now, letter.to.player_id)}
    if letter.kind == "talk" and "talk" in letter.data:
        return _said(session, letter.data["talk"])
    if letter.situation is None:
        return _game(session, letter)
    if FAMILY[letter.kind] is not Turn or letter.seat_id is None:
        return {}
    found: dict[str, Any] = {
        "standing": [words for one in standing_orders.listed(session, letter.seat_id) for words in one.words],
        "more": _waiting_elsewhere(session, letter),
        "journal": _journal(session, letter),
    }
    if letter.kind == "covered":
        found["order"] = _played_for(session, letter)
    return found


def _game(session: Session, letter: LetterData) -> Mapping[str, Any]:
    """Which game a letter is about that shows no board."""
    if not letter.slug or "game" in letter.data:
        return {}
    game = session.execute(select(Game).where(Game.slug == letter.slug)).scalar_one()
    return {"game": title_of(game.game), "title": game.title}


def _said(session: Session, number: int) -> Mapping[str, Any]:
    """One message of the table's talk."""
    talk = session.get_one(Talk, number)
    game = session.get_one(Game, talk.game_id)
    who = name_of(table_of(session, game), talk.seat) if talk.seat is not None else ""
    about = {"game": title_of(game.game), "title": game.title}
    return about | {"who": who, "text": talk.text, "private": talk.to_seat is not None}


def _waiting(player_id: int, *columns: Any) -> Select[Any]:
    """Of every decision that waits for a person: these columns."""
    return (
        select(*columns)
        .select_from(OpenDecision)
        .join(Seat, (Seat.game_id == OpenDecision.game_id) & (Seat.seat == OpenDecision.seat))
        .join(Game, Game.id == OpenDecision.game_id)
        .where(
            Seat.player_id == player_id,
            Game.state == GameState.RUNNING,
            OpenDecision.ply == Game.ply + 1,
            OpenDecision.order_id.is_(None),
            OpenDecision.closed_at.is_(None),
            OpenDecision.optional.is_(False),
        )
    )


def _waiting_elsewhere(session: Session, letter: LetterData) -> int:
    """How many other decisions wait for the reader."""
    others = _waiting(letter.to.player_id, func.count()).where(Seat.id != letter.seat_id)
    return int(session.execute(others).scalar_one())


def questions_in(session: Session, letter: Letter) -> Sequence[Letter]:
    """The letters that ask: this one itself, or one for each question a digest gathers (not stored)."""
    if letter.kind != "digest" or letter.player_id is None:
        return (letter,)
    rows = session.execute(_waiting(letter.player_id, Game.id, Game.ply, Seat.seat)).all()
    return tuple(Letter(kind="your_turn", game_id=row.id, ply=row.ply, seat=row.seat) for row in rows)


def _journal(session: Session, letter: LetterData) -> list[Message]:
    """What was done at the table by hand since the letter before, with the reasons given."""
    seen = letter.situation
    if seen is None:
        return []
    done = action_log.news(session, letter.letter_id, letter.to.player_id, seen.game.id)
    return [line for one in done for line in (one.said, *_reason(one))]


def _reason(entry: action_log.LogEntry) -> tuple[Message, ...]:
    """The reason of something that was done, as a sentence of its own, where one was given."""
    reason = clean(entry.reason, 300)
    return (Message(N_("The reason given: {reason}"), {"reason": reason}),) if reason else ()


def _played_for(session: Session, letter: LetterData) -> str:
    """The order that was played in the reader's place, as far as it is among the last plies."""
    seen = letter.situation
    if seen is None or seen.seat is None or letter.ply is None:
        return ""
    rows = session.execute(
        select(StoredPly.orders, StoredPly.hands)
        .where(StoredPly.game_id == seen.game.id, StoredPly.ply <= letter.ply)
        .order_by(StoredPly.ply.desc())
        .limit(_BACK)
    )
    key = str(seen.seat)
    return next((orders[key] for orders, hands in rows if hands.get(key) == "autopilot"), "")
