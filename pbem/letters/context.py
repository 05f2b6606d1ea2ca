"""What a letter in the outbox is about, gathered when it is sent, and whether it is still true.

Of the game it holds nothing but what its reader may see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from difflib import SequenceMatcher
from heapq import nlargest
from itertools import islice
from typing import Any

import msgspec
from sqlalchemy import Select, func, or_, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from pbem.capabilities import roles
from pbem.engine import preview
from pbem.engine.core.message import Message
from pbem.engine.core.types import AnyRules, Decision
from pbem.engine.registry import rules_for, title_of
from pbem.engine.text import standing_text
from pbem.errors import NotSeated
from pbem.letter_kinds import KINDS, AnsweredBy, Facts, Opens, TrueWhile
from pbem.play.admin import action_log, game_admin
from pbem.play.deadlines import absences, reminders
from pbem.play.orders import lookahead, standing_orders
from pbem.play.seats import opening, substitutes
from pbem.play.views import decision_queue, spectator
from pbem.play.views import seat_view as situation
from pbem.play.views.game_context import state_of, table_of
from pbem.play.views.seat_view import Situation, name_of
from pbem.store.models import (
    LIVE,
    UNREACHABLE,
    Absence,
    AddressChange,
    Club,
    Game,
    GameState,
    Invitation,
    Letter,
    Member,
    OpenDecision,
    Player,
    Proposal,
    Seat,
    Sitter,
    StoredOrder,
    StoredPly,
    StoredStandingOrders,
    Talk,
)
from pbem.store.queries import common
from pbem.structs import Value, from_attributes

_NEAR = 8
"""Legal orders shown beside a refusal."""
_LOOKED_AT = 400
"""Legal orders that are compared with the refused text."""
AT_THE_PAGE = timedelta(minutes=4)
"""After an order by the page its player is taken to sit there so long; less than a letter may be late without moving
the deadline (`delivery_clock.LATE`).
"""
_LISTED = 24
"""Legal orders that a letter lists, at most."""
_NEWS = ("phase_report", "game_over")
"""Kinds that tell who isn't asked all that happened since their last decision."""


class Addressee(Value, kw_only=True):
    """Whom a letter goes to."""

    player_id: int
    name: str
    address: str
    language: str
    zone: str
    epoch: int
    confirmed: bool = True
    """Whether somebody has answered from this address: to any other one no link of the person's goes."""

    @property
    def key(self) -> tuple[int, int]:
        """The player's number and epoch, for links."""
        return self.player_id, self.epoch


class LetterData(Value, kw_only=True):
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
    contact: str
    """The address of the club's contact; empty where it has none."""
    mail_id: int | None
    data: dict[str, Any]
    page_at: datetime | None = None
    """When the seat's page last sent something."""

    @property
    def seat_key(self) -> tuple[int, int] | None:
        """Id and epoch of the seat that the letter's links open; None if it is about none of its reader's.

        Nor do links to an address that hasn't answered yet open any.
        """
        if self.seat_id is None or self.seat_epoch is None or not self.to.confirmed:
            return None
        return self.seat_id, self.seat_epoch


class Outgoing(msgspec.Struct):
    """A letter that is to leave now, with the game it is about."""

    session: Session
    now: datetime
    letter: Letter
    game: Any
    """None for a letter about none."""

    def asked(self, ply: int | None) -> OpenDecision | None:
        """Return what its seat is asked at present, if it is still what it was asked after `ply`; else None."""
        if self.game is None or self.game.state != GameState.RUNNING or ply != self.game.ply:
            return None
        found = common.decisions_of(self.session, self.game)
        return next((d for d in found if d.seat == self.letter.seat), None)


def context(session: Session, now: datetime, letter: Letter) -> LetterData | None:
    """Gather what a letter says; None if it is no longer true or wanted, so that it is dropped."""
    kind = KINDS[letter.kind]
    player = session.get(Player, letter.player_id) if letter.player_id else None
    address = letter.address or (player.address if player else None)
    if player is None or address is None or (letter.address is None and player.address_state in UNREACHABLE):
        return None
    game = session.get(Game, letter.game_id, populate_existing=True) if letter.game_id else None
    seat = _seat(session, letter)
    on = Outgoing(session, now, letter, game)
    unwanted = {*player.kinds_off, *(seat.kinds_off if seat else ())} if kind.stoppable else ()
    timeless = game is None and kind.true_while not in _OF_NO_GAME
    if kind.name in unwanted or not (timeless or _TRUE[kind.true_while](on)) or not _is_still_theirs(on, seat):
        return None
    club = session.get(Club, letter.club_id) if letter.club_id else None
    mine = seat is not None and seat.player_id == player.id
    seen = _shown(on, seat, player.id)
    if kind.true_while is TrueWhile.ASKED and (seen is None or seen.asked is None):
        return None  # the question is another's now: its seat was left or given away
    found = from_attributes(
        LetterData,
        letter,
        letter_id=letter.id,
        message_id=letter.message_id,
        to=_addressee(player, address),
        situation=seen,
        seat_id=seat.id if seat and mine else None,
        seat_epoch=seat.epoch if seat and mine else None,
        slug=game.slug if game else "",
        club=club.name if club else "",
        contact=club.settings.get("contact", "") if club else "",
        data=_stored(letter),
        page_at=seat.page_at if seat else None,
    )
    facts = _GATHER[kind.facts](on, found)
    if kind.facts is Facts.QUEUE and not facts["items"]:
        return None
    if "tables" in facts and kind.facts is Facts.INVITATION:  # of several games: no thread is its own
        found = msgspec.structs.replace(found, situation=None)
    return msgspec.structs.replace(found, data={**found.data, **facts})


def held(letter: LetterData, now: datetime) -> datetime | None:
    """Return until when a question waits because its reader uses the page and sees it there; None: it may leave.

    Answered meanwhile, it is not true any more and is not sent.
    """
    if letter.kind != "your_turn" or letter.page_at is None or letter.page_at + AT_THE_PAGE <= now:
        return None
    return letter.page_at + AT_THE_PAGE


def _is_still_theirs(on: Outgoing, seat: Seat | None) -> bool:
    """Return whether what the letter tells and opens is still its reader's: a game to organise, a club, a seat."""
    letter, kind = on.letter, KINDS[on.letter.kind]
    if kind.opens is Opens.ORGANISE and on.game is not None:
        return letter.player_id in game_admin.organisers(on.session, on.game)
    if kind.opens is Opens.ORGANISE and letter.club_id is not None:
        return letter.player_id in roles.organisers(on.session, letter.club_id)
    if kind.answered_by is AnsweredBy.CONTACT:
        place = (Member.club_id == letter.club_id, Member.player_id == letter.player_id)
        gone = common.is_any(on.session, *place, Member.left_at > letter.created_at)  # closing ends all as it tells it
        return not gone or common.is_any(on.session, *place, Member.at_present())
    if seat is None or seat.player_id == letter.player_id or kind.facts is Facts.INVITATION:
        return True
    sits = (Sitter.player_id == letter.player_id, Sitter.lasts(on.now))
    return common.is_any(on.session, Sitter.game_id == seat.game_id, Sitter.seat == seat.seat, *sits)


def _shown(on: Outgoing, seat: Seat | None, reader: int) -> Situation | None:
    """Return the game as a letter shows it: who was answered for is asked by it only what no other letter asks."""
    seen = _situation(on, seat, reader)
    if seen is None or KINDS[on.letter.kind].facts is not Facts.COVERED or _puts(on.letter, on.asked(on.game.ply)):
        return seen
    return msgspec.structs.replace(seen, asked=None)


def _situation(on: Outgoing, seat: Seat | None, reader: int) -> Situation | None:
    """Return the game as the reader may see it: from the seat they play or sit in for, or from outside.

    From there it stands as when the letter was caused, if they may not watch what came since.
    """
    session, now, game = on.session, on.now, on.game
    if game is None or game.ply < 0:
        return None
    if seat is not None and (
        seat.player_id == reader or reader in {one.id for _, one in common.sitters_of(session, game.id, [seat], now)}
    ):
        return situation.situation(session, now, seat.id, pictured=True)
    at = on.letter.ply
    try:
        at = max(spectator.newest(session, game, (reader,)), at or 0)
    except NotSeated:
        if at is None:
            return None
    return situation.watch(session, now, game.id, at)


def _addressee(player: Player, address: str) -> Addressee:
    return from_attributes(
        Addressee,
        player,
        player_id=player.id,
        address=address,
        epoch=player.epoch,
        confirmed=address == player.address and player.accepted_at is not None,
    )


def _seat(session: Session, letter: Letter) -> Seat | None:
    if letter.game_id is None or letter.seat is None:
        return None
    return session.scalar(select(Seat).where(Seat.holds(letter)).execution_options(populate_existing=True))


def _is_asked(on: Outgoing) -> bool:
    """Return whether its question is open; one asked before its turn goes on while others move."""
    letter, decision = on.letter, on.asked(on.game.ply)
    return (
        decision is not None
        and _puts(letter, decision)
        and decision.order_id is None
        and letter.data.get("due_version", decision.due_version) == decision.due_version
    )


def _puts(letter: Letter, decision: OpenDecision | None) -> bool:
    """Return whether a letter was written as its seat was asked that, or later: else another one puts the question."""
    if decision is None:
        return False
    return letter.ply == decision.ply - 1 or (decision.ahead and decision.opened_at <= letter.created_at)


def _does_order_count(on: Outgoing) -> bool:
    if on.letter.mail_id is not None:
        return True
    decision = on.asked(on.letter.ply)
    return decision is not None and decision.order_id == on.letter.order_id


def _is_newest(on: Outgoing) -> bool:
    """Unless the question's own letter tells the same news, or a later one that waits or has left."""
    letter = on.letter
    if letter.ply != on.game.ply and on.asked(on.game.ply) is not None:
        return False
    theirs = (Letter.game_id == letter.game_id, Letter.player_id == letter.player_id, Letter.seat == letter.seat)
    later = (Letter.id > letter.id, Letter.kind.in_(_NEWS), Letter.state.in_(("pending", "claimed", "sent")))
    return not common.is_any(on.session, *theirs, *later)


def _does_last(on: Outgoing) -> bool:
    """Return whether all that the letter's row names is still as it tells."""
    data = on.letter.data
    return all(lasts(on, data[name]) for name, lasts in _LASTING.items() if name in data)


def _is_away(on: Outgoing, absence: int) -> bool:
    row = on.session.get(Absence, absence)
    if row is None or not on.now < row.ends == datetime.fromisoformat(on.letter.data["ends"]):
        return False
    return common.is_any(on.session, Seat.player_id == on.letter.player_id, *absences.beside(row.player_id))


def _is_asked_at(on: Outgoing, change: int) -> bool:
    """Return whether the new address hasn't answered yet, or the old one has something to know of."""
    row = on.session.get_one(AddressChange, change)
    if on.letter.data["side"] == "old":
        return row.state != "stopped"
    return row.state == "open" and row.expires_at > on.now


_LASTING: Mapping[str, Callable[[Outgoing, int], bool]] = {
    "absence": _is_away,
    "change": _is_asked_at,
    "proposal": lambda on, row: common.is_any(on.session, Proposal.id == row, Proposal.is_open(on.now)),
    "sitting": lambda on, row: (
        on.game.state in LIVE and common.is_any(on.session, Sitter.id == row, Sitter.lasts(on.now))
    ),
    "stalling": lambda on, seat: seat in reminders.stalled(on.session, on.now, table_of(on.session, on.game)),
}
_OF_NO_GAME = (TrueWhile.INVITED, TrueWhile.LASTS)
_TRUE: Mapping[TrueWhile, Callable[[Outgoing], bool]] = {
    TrueWhile.FOREVER: lambda _: True,
    TrueWhile.ASKED: _is_asked,
    TrueWhile.ORDER_COUNTS: _does_order_count,
    TrueWhile.INVITED: lambda on: bool(opening.sent_together(on.session, on.letter.data["invitation"])),
    TrueWhile.LASTS: _does_last,
    TrueWhile.NEWEST: _is_newest,
    TrueWhile.STUCK: lambda on: on.game.state == GameState.STUCK,
}


def _stored(letter: Letter) -> dict[str, Any]:
    """Return what the letter's row holds, its sentences ready to be said."""
    data = dict(letter.data)
    if "faults" in data:
        data["faults"] = msgspec.convert(data["faults"], tuple[Message, ...])
    if "said" in data:
        data["said"] = msgspec.convert(data["said"], Message | tuple[Message, ...])
    return data


Found = Mapping[str, Any]


def _game_facts(on: Outgoing, data: LetterData) -> Found:
    """Which game a letter is about that shows no board."""
    return {} if on.game is None or data.situation is not None or "game" in data.data else _about(on.game)


def _about(game: Game) -> dict[str, Any]:
    return {"game": title_of(game.game), "title": game.title}


def _order_facts(on: Outgoing, data: LetterData) -> Found:
    """The order that was taken or refused, and while its question is open, what it will do or what would be legal."""
    session, game = on.session, on.game
    if game is None:
        return {}
    if on.letter.order_id is None:
        text = str(data.data.get("text", ""))
        return {"legal": _near(text, _legal(on, _LOOKED_AT))} if text else {}
    order = session.get_one(StoredOrder, on.letter.order_id)
    facts: dict[str, Any] = {"text": order.text, "canonical": order.canonical, "reason": order.reason}
    given = _given(session, order)
    overtaken = any(one.id > order.id for one in given)
    if order.kind == "order" and order.canonical:
        facts["settled"] = not _can_be_changed(session, order)
        chain = {"overtaken": True, "then": ()} if overtaken else _chain(session, order, data.data.get("then", ()))
        facts |= {"replaces": _before(given, order), **chain}
    if order.ply != game.ply + 1 or game.state != GameState.RUNNING or overtaken:
        return facts
    rules = rules_for(game)
    state = state_of(rules, common.snapshot(session, game.id, game.ply))
    asked = rules.asked(state)
    if order.seat not in asked:
        return facts
    if order.kind == "order" and order.canonical:
        return {**facts, **_effects(rules, state, order, asked[order.seat])}
    return facts | {"legal": _near(order.text, (str(o) for o in islice(rules.legal(state, order.seat), _LOOKED_AT)))}


def _can_be_changed(session: Session, order: StoredOrder) -> bool:
    """Return whether what the order answers is still asked."""
    return common.is_any(
        session,
        OpenDecision.game_id == order.game_id,
        OpenDecision.seat == order.seat,
        OpenDecision.closed_at.is_(None),
        or_(OpenDecision.ply == order.ply, OpenDecision.order_id == order.id),
    )


def _given(session: Session, order: StoredOrder) -> Sequence[StoredOrder]:
    """Return what the seat answered the same question with, and when it took that back, in order."""
    return session.scalars(
        select(StoredOrder)
        .where(
            StoredOrder.game_id == order.game_id,
            StoredOrder.seat == order.seat,
            StoredOrder.ply == order.ply,
            StoredOrder.kind.in_(("order", "withdraw")),
        )
        .order_by(StoredOrder.id)
    ).all()


def _chain(session: Session, order: StoredOrder, given: Sequence[str]) -> Found:
    """Return which of the orders `given` behind an order were played, which are kept, and which are neither."""
    row = session.scalars(
        select(StoredStandingOrders)
        .where(
            StoredStandingOrders.game_id == order.game_id,
            StoredStandingOrders.seat == order.seat,
            StoredStandingOrders.kind == "then",
            StoredStandingOrders.created_at == order.created_at,
        )
        .order_by(StoredStandingOrders.id.desc())
    ).first()
    if not given or row is None:
        return {}
    rest = row.text.splitlines()
    played = list(given[: len(given) - len(rest)])
    return {"played": played, "then": [], "lapsed": rest} if row.ended_at else {"played": played, "then": rest}


def _effects(rules: AnyRules, state: Any, order: StoredOrder, decision: Decision) -> Found:
    """Return what the order that stands will do, and what it brings its seat; of a sealed list only that."""
    facts: dict[str, Any] = {"brings": preview.told(lookahead.brings(rules, state, order.seat, order.canonical))}
    if decision.sealed:
        return facts
    mine = [rules.read(state, order.seat, text) for text in standing_text.alternatives(order.canonical)]
    return facts | {"says": lookahead.described(rules, state, order.seat, mine, ahead=decision.ahead)}


def _before(given: Sequence[StoredOrder], order: StoredOrder) -> str:
    """Return the order that stood before `order`; empty if there was none, or the same."""
    texts = [one.canonical for one in given if one.canonical and one.kind == "order" and one.id < order.id]
    return texts[-1] if texts and texts[-1] != order.canonical else ""


def _near(text: str, legal: Iterable[str]) -> tuple[str, ...]:
    """The legal orders most like `text`: the most alike, then the others as the game lists them, 0 before 1 and 36."""
    orders = list(legal)
    matcher = SequenceMatcher(None, "", text[:200].casefold(), autojunk=False)
    words = set(text[:200].casefold().split())

    def likeness(order: str) -> tuple[int, float]:
        """Words in common first: 6 is no more like 36 than like 1."""
        matcher.set_seq1(order.casefold())
        return len(words.intersection(order.casefold().split())), matcher.ratio()

    first, *others = nlargest(_NEAR, orders, key=likeness) or ("",)
    return (first, *(order for order in orders if order in others)) if first else ()


def _invitation_facts(on: Outgoing, data: LetterData) -> Found:
    """Return who invites, until when, and to what; of several games the terms of each."""
    offers = opening.sent_together(on.session, data.data["invitation"])
    inviter = on.session.get(Player, offers[0].inviter_id) if offers[0].inviter_id else None
    tables = tuple(_offered(on.session, offer) for offer in offers if offer.game_id is not None)
    facts = {
        "invitation_id": offers[0].id,
        "inviter": inviter.name if inviter else "",
        "expires": offers[0].expires_at,
    }
    return {**facts, "tables": tables} if len(tables) > 1 else {**facts, **(tables[0] if tables else {})}


def _offered(session: Session, offer: Invitation) -> Found:
    """Return the terms of the game whose seat is offered."""
    game = session.get_one(Game, offer.game_id)
    return _about(game) | {
        "seats": game.seats,
        "cadence": game.cadence,
        "instead": substitutes.instead_of(session, game, offer.seat),
    }


def _queue_facts(on: Outgoing, data: LetterData) -> Found:
    """Return the games under way of one person, those that wait first."""
    items = decision_queue.queue(on.session, on.now, data.to.player_id)
    return {"day": on.now, "items": tuple(item for item in items if item.state == GameState.RUNNING)}


def _talk_facts(on: Outgoing, data: LetterData) -> Found:
    """One message of the table's talk, or whatever else the row says."""
    if "talk" not in data.data:
        return _word_facts(on, data)
    talk = on.session.get_one(Talk, data.data["talk"])
    who = name_of(table_of(on.session, on.game), talk.seat) if talk.seat is not None else ""
    return _about(on.game) | {"who": who, "text": talk.text, "private": talk.to_seat is not None}


def _word_facts(on: Outgoing, data: LetterData) -> Found:
    """Return what the row says, with somebody's own words as they stand: they go when their writer is forgotten."""
    found = dict(_game_facts(on, data))
    for key, (column, name) in _WORDS.items():
        if key in data.data:
            found[name] = on.session.scalar(select(column).where(column.class_.id == data.data[key])) or ""
    return found


_WORDS: Mapping[str, tuple[InstrumentedAttribute[str], str]] = {
    "absence": (Absence.note, "note"),
    "proposal": (Proposal.reason, "text"),
    "sitting": (Sitter.handover, "handover"),
}
"""By what a letter's row calls the row they stand in: where, and what the letter calls them."""


def _table_facts(on: Outgoing, data: LetterData) -> Found:
    """Return what one who plays may need beside the board."""
    if data.situation is None or data.seat_id is None:
        return _game_facts(on, data)
    ahead = () if data.situation.game.state.is_over else standing_orders.listed(on.session, data.seat_id)
    done = action_log.news(on.session, data.letter_id, data.to.player_id, data.situation.game.id)
    asked, seat, why = data.situation.asked, data.situation.seat, tuple[Message, ...]()
    if asked is not None and seat is not None and asked.sealed and not asked.answer:
        why = standing_orders.why_a_list(on.session, on.game, seat, asked.kind, ahead)
    return {
        "first": KINDS[data.kind].asks and _is_first(on),
        "all_legal": _all_legal(on),
        "standing": [words for one in ahead if not one.plan for words in one.words],
        "plans": [one.words for one in ahead if one.plan],
        "then": [order for one in ahead if one.kind == "then" for order in one.text.splitlines()],
        "more": _waiting_elsewhere(on.session, data),
        "journal": [*why, *(line for one in done for line in action_log.told(one))],
    }


def _is_first(on: Outgoing) -> bool:
    """Return whether the seat has given no order in its game yet."""
    return not common.is_any(on.session, StoredOrder.game_id == on.game.id, StoredOrder.seat == on.letter.seat)


def _legal(on: Outgoing, most: int) -> tuple[str, ...]:
    """Return up to `most` orders the seat could give now; none if it isn't asked."""
    game = on.game
    if (decision := game and on.asked(game.ply)) is None:
        return ()
    rules = rules_for(game)
    state = state_of(rules, common.snapshot(on.session, game.id, game.ply))
    return tuple(str(order) for order in islice(rules.legal(state, decision.seat), most))


def _all_legal(on: Outgoing) -> tuple[str, ...]:
    """Return every order the seat could give now; none if they are too many for a letter."""
    found = _legal(on, _LISTED + 1)
    return found if len(found) <= _LISTED else ()


def _covered_facts(on: Outgoing, data: LetterData) -> Found:
    missed = 0 if data.seat_id is None else _missed(on)
    return {**_table_facts(on, data), "order": _played_for(on.session, data), "missed": missed}


def _missed(on: Outgoing) -> int:
    """Return how many questions in a row the server has answered for the reader, if the others may vote on that now."""
    table, seat = table_of(on.session, on.game), on.letter.seat
    if seat is None or seat not in reminders.stalled(on.session, on.now, table):
        return 0
    count = reminders.missed(on.session, table.seats[seat])
    return count if count >= reminders.PATIENCE else 0


_GATHER: Mapping[Facts, Callable[[Outgoing, LetterData], Found]] = {
    Facts.STORED: _game_facts,
    Facts.TABLE: _table_facts,
    Facts.COVERED: _covered_facts,
    Facts.ORDER: _order_facts,
    Facts.INVITATION: _invitation_facts,
    Facts.TALK: _talk_facts,
    Facts.WORDS: _word_facts,
    Facts.QUEUE: _queue_facts,
}


def _waiting(player_id: int, *columns: Any) -> Select[Any]:
    """Of every decision that waits for a person: these columns."""
    return (
        select(*columns)
        .select_from(OpenDecision)
        .join(Seat, Seat.holds(OpenDecision))
        .join(Game, OpenDecision.at_present())
        .where(
            Seat.player_id == player_id,
            Game.state == GameState.RUNNING,
            OpenDecision.order_id.is_(None),
            OpenDecision.optional.is_(False),
        )
    )


def _waiting_elsewhere(session: Session, letter: LetterData) -> int:
    """Return how many other decisions wait for the reader."""
    others = _waiting(letter.to.player_id, func.count()).where(Seat.id != letter.seat_id)
    return int(session.execute(others).scalar_one())


def questions_in(session: Session, letter: Letter) -> Sequence[Letter]:
    """Return the letters that ask: this one itself, or one for each question a digest gathers (not stored)."""
    if KINDS[letter.kind].facts is not Facts.QUEUE or letter.player_id is None:
        return (letter,)
    rows = session.execute(_waiting(letter.player_id, Game.id, Game.ply, Seat.seat)).all()
    return tuple(Letter(kind="your_turn", game_id=row.id, ply=row.ply, seat=row.seat) for row in rows)


def _played_for(session: Session, letter: LetterData) -> str:
    """Return the order that was played in the reader's place; empty where the question's ply has none of theirs."""
    seen = letter.situation
    if seen is None or seen.seat is None:
        return ""
    orders = session.scalar(
        select(StoredPly.orders).where(StoredPly.game_id == seen.game.id, StoredPly.ply == letter.data.get("answered"))
    )
    return str((orders or {}).get(str(seen.seat), ""))
