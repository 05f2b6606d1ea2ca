"""What a letter in the outbox is about, gathered when it is sent, and whether it is still true."""

from __future__ import annotations

from difflib import SequenceMatcher
from heapq import nlargest
from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import select

from pbem.engine.core.types import Message
from pbem.engine.registry import rules_of, title_of
from pbem.letter_queue import ALWAYS
from pbem.play.seats import substitutes
from pbem.play.views import decision_queue
from pbem.play.views import seat_view as situation
from pbem.play.views.game_context import UNREACHABLE, state_of
from pbem.play.views.seat_view import Situation
from pbem.store.models import Club, Game, GameState, Invitation, Letter, OpenDecision, Player, Seat, StoredOrder
from pbem.store.queries import common

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

_NEAR = 8
"""Legal orders shown beside a refusal."""
_LOOKED_AT = 400
"""Legal orders that are compared with the refused text."""
_QUESTIONS = frozenset({"your_turn", "reminder", "last_call"})


class Addressee(msgspec.Struct, frozen=True, kw_only=True):
    """Whom a letter goes to."""

    player_id: int
    name: str
    address: str
    language: str
    zone: str
    epoch: int


class LetterData(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a letter may say. Of the game it holds nothing but what its reader may see."""

    letter_id: int
    kind: str
    cause: str
    message_id: str
    """Without the domain."""
    ply: int | None
    to: Addressee
    situation: Situation | None
    seat_id: int | None
    seat_epoch: int | None
    slug: str
    """The game's; empty for a letter about none."""
    club: str
    mail_id: int | None
    data: dict[str, Any]


def context(session: Session, now: datetime, letter: Letter) -> LetterData | None:
    """What to write; None if the letter is no longer true or no longer wanted, so that it is dropped."""
    player = session.get(Player, letter.player_id) if letter.player_id else None
    address = letter.address or (player.address if player else None)
    if player is None or address is None or (letter.address is None and player.address_state in UNREACHABLE):
        return None
    game = session.get(Game, letter.game_id, populate_existing=True) if letter.game_id else None
    seat = _seat(session, letter)
    if not _is_wanted(letter, player, seat) or (game is not None and not _is_true(session, letter, game)):
        return None
    data = _data(session, now, letter, game)
    if letter.kind == "digest" and not data["items"]:
        return None
    club = session.get(Club, letter.club_id) if letter.club_id else None
    mine = seat is not None and seat.player_id == player.id
    sits = seat is not None and player.id in {one.id for _, one in common.sitters_of(session, [seat], now)}
    seen: Situation | None = None
    if game is not None and game.ply >= 0:
        if seat is not None and (mine or sits):
            seen = situation.situation(session, now, seat.id)
        else:
            seen = situation.watch(session, now, game.id)
    return LetterData(
        letter_id=letter.id,
        kind=letter.kind,
        cause=letter.cause,
        message_id=letter.message_id,
        ply=letter.ply,
        to=_addressee(player, address),
        situation=seen,
        seat_id=seat.id if seat and mine else None,
        seat_epoch=seat.epoch if seat and mine else None,
        slug=game.slug if game else "",
        club=club.name if club else "",
        mail_id=letter.mail_id,
        data=data,
    )


def _addressee(player: Player, address: str) -> Addressee:
    return Addressee(
        player_id=player.id,
        name=player.name,
        address=address,
        language=player.language,
        zone=player.zone,
        epoch=player.epoch,
    )


def _seat(session: Session, letter: Letter) -> Seat | None:
    if letter.game_id is None or letter.seat is None:
        return None
    return session.execute(
        select(Seat).where(Seat.game_id == letter.game_id, Seat.seat == letter.seat)
    ).scalar_one_or_none()


def _is_wanted(letter: Letter, player: Player, seat: Seat | None) -> bool:
    off = {*player.kinds_off, *(seat.kinds_off if seat else ())}
    return letter.kind in ALWAYS or letter.kind not in off


def _is_true(session: Session, letter: Letter, game: Game) -> bool:
    """Whether what the letter says still holds: questions are open, receipts are of the order that counts."""
    if letter.kind == "invitation":
        return session.get_one(Invitation, letter.data["invitation"]).state == "pending"
    if letter.kind in _QUESTIONS:
        decision = _decision(session, game, letter.seat, letter.ply)
        return (
            decision is not None
            and decision.order_id is None
            and letter.data.get("due_version", decision.due_version) == decision.due_version
        )
    if letter.kind == "receipt" and letter.mail_id is None:
        decision = _decision(session, game, letter.seat, letter.ply)
        return decision is not None and decision.order_id == letter.order_id
    if letter.kind == "phase_report" and letter.ply != game.ply:
        decision = _decision(session, game, letter.seat, game.ply)
        return decision is None  # else the question's own letter tells the same news
    return letter.kind != "stuck" or game.state == GameState.STUCK


def _decision(session: Session, game: Game, seat: int | None, ply: int | None) -> OpenDecision | None:
    """What a seat is asked at present, if that is what it was asked after `ply`."""
    if game.state != GameState.RUNNING or ply != game.ply:
        return None
    found = common.decisions_of(session, game.id, game.ply + 1)
    return next((d for d in found if d.seat == seat and d.closed_at is None), None)


def _data(session: Session, now: datetime, letter: Letter, game: Game | None) -> dict[str, Any]:
    """The letter's own facts: those stored with it, and what its kind needs beside them."""
    data = dict(letter.data)
    if "faults" in data:
        data["faults"] = msgspec.convert(data["faults"], tuple[Message, ...])
    if "said" in data:
        data["said"] = msgspec.convert(data["said"], Message | tuple[Message, ...])
    if letter.kind in {"receipt", "refused"} and letter.order_id is not None and game is not None:
        data |= _order_facts(session, letter.order_id, game)
    if letter.kind == "digest" and letter.player_id is not None:
        items = decision_queue.queue(session, now, letter.player_id)
        data |= {"day": now, "items": tuple(item for item in items if item.state == GameState.RUNNING)}
    if letter.kind == "invitation":
        data |= _invitation_facts(session, data["invitation"], game)
    return data


def _order_facts(session: Session, order_id: int, game: Game) -> dict[str, Any]:
    order = session.get_one(StoredOrder, order_id)
    facts: dict[str, Any] = {"text": order.text, "canonical": order.canonical, "reason": order.reason}
    if order.ply != game.ply + 1 or game.state != GameState.RUNNING:
        return facts
    rules = rules_of(game.game, game.rules_version)
    state = state_of(rules, common.snapshot(session, game.id, game.ply))
    asked = {**rules.awaited(state), **rules.optional(state)}
    if order.seat not in asked:
        return facts
    if order.kind == "order" and not rules.sealed(state):
        mine = rules.read(state, order.seat, order.canonical)
        return facts | {"says": rules.describe(rules.view(state, order.seat), mine)}
    return facts | {"legal": _near(order.text, (str(o) for o in islice(rules.legal(state, order.seat), _LOOKED_AT)))}


def _near(text: str, legal: Any) -> tuple[str, ...]:
    """The legal orders most like `text`."""
    matcher = SequenceMatcher(None, "", text[:200].casefold(), autojunk=False)

    def likeness(order: str) -> float:
        matcher.set_seq1(order.casefold())
        return matcher.ratio()

    return tuple(nlargest(_NEAR, legal, key=likeness))


def _invitation_facts(session: Session, invitation_id: int, game: Game | None) -> dict[str, Any]:
    invitation = session.get_one(Invitation, invitation_id)
    inviter = session.get(Player, invitation.inviter_id) if invitation.inviter_id else None
    facts: dict[str, Any] = {
        "invitation_id": invitation_id,
        "inviter": inviter.name if inviter else "",
        "expires": invitation.expires_at,
    }
    if game is not None:
        facts |= {
            "game": title_of(game.game),
            "title": game.title,
            "seats": game.seats,
            "cadence": game.cadence,
            "options": dict(game.options),
            "instead": substitutes.instead_of(session, game, invitation.seat),
        }
    return facts
