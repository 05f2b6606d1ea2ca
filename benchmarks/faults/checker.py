"""The checker: reads the database, the sink and the clients' history, and names every invariant that doesn't hold.

I1 what a client saw accepted is stored and used. I2 plies count up, each once, and replay to the same digests.
I3 one letter a cause, at least one copy of each sent. I4 no mail about a ply that isn't there. I5 nothing is taken
into a closed ply, and who is late is told. I6 nobody missed a turn. I7 nothing due is left. I8 no mail tells secrets.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from datetime import timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import select

from benchmarks.faults.sink import message_id
from pbem import clock
from pbem.capabilities import links
from pbem.capabilities.tokens import tokens
from pbem.errors import NotSeated
from pbem.extensions import db
from pbem.letter_kinds import PUTS_QUESTION
from pbem.play.proof import replay_audit
from pbem.store.models import Game, Letter, OpenDecision, Player, Seat, StoredOrder, StoredPly, StoredStandingOrders

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy.orm import Session

    from benchmarks.faults.history import Said
    from benchmarks.faults.players import Club

IN_TIME = timedelta(minutes=2)
"""I7: how long work may stay due after a fault."""
LATE = {"StalePhase", "PhaseClosed", "GameOver", "NotAwaited"}


class Allowed(msgspec.Struct, frozen=True):
    """What a fault may do."""

    copies: int = 1
    """Copies of one letter in the sink."""
    missed: bool = False
    """Whether deadlines passed for people who didn't answer."""
    stuck: int = 0
    """Games that may be set aside."""
    unsettled: bool = False
    """Whether work may still be due."""


class Seen(msgspec.Struct):
    """Everything read once."""

    club: Any
    games: dict[int, Game]
    plies: dict[tuple[int, int], StoredPly]
    orders: list[StoredOrder]
    letters: list[Letter]
    decisions: list[OpenDecision]
    ahead: set[tuple[int, int, int]]
    """By game, ply and seat, what was asked before its turn: its ply goes by without the answer, a later one has it."""
    allowed: Allowed


def check(club: Club, allowed: Allowed | None = None) -> list[str]:
    """Every violation, each beginning with the invariant's name; empty if all hold.

    All is read as it stood at one moment: a bot may still think, and its ply come between two statements.
    """
    with club.stage.app.app_context():
        session = db.session()
        session.rollback()
        session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
        seen = _look(session, club, allowed or Allowed())
        found = [fault for test in _TESTS for fault in test(session, seen)]
        session.rollback()
    return found


def _look(session: Session, club: Club, allowed: Allowed) -> Seen:
    games = session.execute(select(Game)).scalars().all()
    plies = session.execute(select(StoredPly)).scalars().all()
    decisions = list(session.execute(select(OpenDecision)).scalars())
    known = {(ply.game_id, ply.ply): ply for ply in plies}
    return Seen(
        club=club,
        games={game.id: game for game in games},
        plies=known,
        orders=list(session.execute(select(StoredOrder).order_by(StoredOrder.id)).scalars()),
        letters=list(session.execute(select(Letter).order_by(Letter.id)).scalars()),
        decisions=decisions,
        ahead=_ahead(session, known, decisions),
        allowed=allowed,
    )


def _ahead(
    session: Session, plies: dict[tuple[int, int], StoredPly], decisions: list[OpenDecision]
) -> set[tuple[int, int, int]]:
    """What was asked before its turn, and answered by a later ply or kept for one."""
    rows = session.execute(select(StoredStandingOrders.game_id, StoredStandingOrders.seat))
    kept = {(row.game_id, row.seat) for row in rows}
    last = {(game_id, int(seat)): ply for (game_id, ply), row in sorted(plies.items()) for seat in row.orders}
    return {
        (one.game_id, one.ply, one.seat)
        for one in decisions
        if one.ahead and ((one.game_id, one.seat) in kept or last.get((one.game_id, one.seat), 0) > one.ply)
    }


def _accepted_orders(_session: Session, seen: Seen) -> Iterator[str]:
    stored = {(order.game_id, order.seat, order.request): order for order in seen.orders if order.request}
    newest: dict[tuple[int, int, int], StoredOrder] = {}
    for order in seen.orders:
        if order.kind in {"order", "withdraw"}:
            newest[order.game_id, order.ply, order.seat] = order
    for said in seen.club.history:
        if not said.accepted:
            continue
        kept = stored.get((said.game_id, said.seat, said.request))
        if kept is None or kept.kind != "order":
            yield f"I1 game {said.game_id} ply {said.ply} seat {said.seat}: an accepted order is not stored."
            continue
        if (said.game_id, said.ply, said.seat) in seen.ahead:
            continue
        ply = seen.plies.get((said.game_id, said.ply))
        used = newest[said.game_id, said.ply, said.seat]
        if ply is not None and used.kind == "order" and ply.orders.get(str(said.seat)) != used.canonical:
            yield f"I1 game {said.game_id} ply {said.ply} seat {said.seat}: the newest accepted order was not played."


def _plies_once(session: Session, seen: Seen) -> Iterator[str]:
    count = Counter(session.execute(select(StoredPly.game_id, StoredPly.ply)).all())
    for (game_id, ply), times in count.items():
        if times > 1:
            yield f"I2 game {game_id} ply {ply} is stored {times} times."
    stuck = 0
    for game in seen.games.values():
        stuck += game.state == "stuck"
        for fault in replay_audit.audit(session, game.id).faults:
            yield f"I2 game {game.id}: {fault}"
    if stuck > seen.allowed.stuck:
        yield f"I2 {stuck} games are stuck, {seen.allowed.stuck} may be."


def _letters_once(_session: Session, seen: Seen) -> Iterator[str]:
    for cause, times in Counter(letter.cause for letter in seen.letters).items():
        if times > 1:
            yield f"I3 cause {cause} has {times} letters."
    copies: Counter[str] = seen.club.stage.sink.copies()
    sent = {f"{letter.message_id}@": letter for letter in seen.letters}
    by_number = {number.partition("@")[0] + "@": times for number, times in copies.items()}
    for number, letter in sent.items():
        times = by_number.get(number, 0)
        if letter.state == "sent" and times < 1:
            yield f"I3 letter {letter.cause} is settled as sent, and no copy arrived."
        if times > seen.allowed.copies:
            yield f"I3 letter {letter.cause} arrived {times} times, at most {seen.allowed.copies} may."
    asked = {(letter.game_id, letter.ply, letter.seat) for letter in seen.letters if letter.kind in PUTS_QUESTION}
    for decision in seen.decisions:
        told = (decision.game_id, decision.ply - 1, decision.seat) in asked
        if not told and not decision.optional and decision.hand in {"", "player"}:
            yield f"I3 game {decision.game_id} ply {decision.ply} seat {decision.seat} was asked without a letter."


def _no_mail_before_its_ply(_session: Session, seen: Seen) -> Iterator[str]:
    known = {letter.message_id: letter for letter in seen.letters}
    for mail in list(seen.club.stage.sink.mails):
        number = message_id(mail.raw).partition("@")[0]
        letter = known.get(number)
        if letter is None:
            yield f"I4 a mail arrived ({number}) that no letter accounts for."
        elif letter.game_id is not None and letter.ply is not None and (letter.game_id, letter.ply) not in seen.plies:
            yield f"I4 letter {letter.cause} is about a ply that is not stored."


def _closed_is_closed(_session: Session, seen: Seen) -> Iterator[str]:
    for order in seen.orders:
        ply, waits = seen.plies.get((order.game_id, order.ply)), (order.game_id, order.ply, order.seat) in seen.ahead
        if order.kind == "order" and ply is not None and str(order.seat) not in ply.orders and not waits:
            yield f"I5 game {order.game_id} ply {order.ply} seat {order.seat}: order {order.id} is in no ply."
    for said in seen.club.history:
        refused = said.status == HTTPStatus.CONFLICT
        if refused and said.reason not in LATE:
            yield f"I5 game {said.game_id} ply {said.ply} seat {said.seat}: refused without a reason."
    resolved = _resolved_by(seen.plies.values())
    for said in seen.club.history:
        if said.accepted and resolved.get((said.game_id, said.ply, said.seat)) not in {None, "player", "sitter"}:
            yield f"I5 game {said.game_id} ply {said.ply} seat {said.seat}: taken, but another hand played."


def _resolved_by(plies: Any) -> dict[tuple[int, int, int], str]:
    return {(ply.game_id, ply.ply, int(seat)): hand for ply in plies for seat, hand in ply.hands.items()}


def _nobody_missed(_session: Session, seen: Seen) -> Iterator[str]:
    if seen.allowed.missed:
        return
    for ply in seen.plies.values():
        for seat, hand in ply.hands.items():
            if hand == "autopilot":
                yield f"I6 game {ply.game_id} ply {ply.ply} seat {seat} missed the turn."


def _nothing_due(_session: Session, seen: Seen) -> Iterator[str]:
    if seen.allowed.unsettled:
        return
    now = clock.now()
    for game in seen.games.values():
        if game.state == "running" and game.wake_at is not None and game.wake_at <= now - IN_TIME:
            yield f"I7 game {game.id} is due since {now - game.wake_at}."
    for letter in seen.letters:
        stale = letter.state == "claimed" and (letter.claimed_at is None or letter.claimed_at < now - IN_TIME)
        if stale or (letter.state == "pending" and letter.next_try_at <= now - IN_TIME):
            yield f"I7 letter {letter.cause} is {letter.state} and due."


_LINK = re.compile(r"/l/([\w~.\-]+)")


def _no_secrets(session: Session, seen: Seen) -> Iterator[str]:
    """No seed, no link to somebody else's seat or to nothing, in any mail."""
    seeds = [game.seed for game in seen.games.values() if game.state != "finished"]
    holders = select(Seat.id, Player.address).join(Player, Player.id == Seat.player_id)
    owners = dict(session.execute(holders).all())
    people = dict(session.execute(select(Player.id, Player.address)).all())
    for mail in list(seen.club.stage.sink.mails):
        text = _text(mail.parsed)
        if any(seed in text for seed in seeds):
            yield f"I8 mail {message_id(mail.raw)} holds a seed."
        for token in set(_LINK.findall(text)):
            try:
                opened = links.open(session, clock.now(), tokens(), token)
            except NotSeated:
                yield f"I8 mail {message_id(mail.raw)} holds a link that opens nothing."
                continue
            owner = owners[opened.seat_id] if isinstance(opened, links.OpenedSeat) else people[opened.player_id]
            if (owner,) != mail.recipients:
                yield f"I8 mail {message_id(mail.raw)} opens somebody else's seat."


def _text(parsed: Any) -> str:
    parts = [part for part in parsed.walk() if part.get_content_maintype() == "text"]
    return "\n".join(part.get_content() for part in parts)


_TESTS = (
    _accepted_orders,
    _plies_once,
    _letters_once,
    _no_mail_before_its_ply,
    _closed_is_closed,
    _nobody_missed,
    _nothing_due,
    _no_secrets,
)


def told(history: list[Said]) -> dict[str, float]:
    """What the people saw: how many orders, refusals and silences, and the longest answer."""
    answered: dict[str, int] = defaultdict(int)
    for said in history:
        answered["accepted" if said.accepted else "silent" if said.status == 0 else "refused"] += 1
    return {**answered, "slowest_s": round(max((said.seconds for said in history), default=0.0), 3)}
