"""Going back to an earlier ply: alone while nobody's observation would change, else with everybody's consent.

A ply is never unwritten: going back is a new ply of kind `undo` that restores an earlier snapshot.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import insert, select, update

from pbem.engine.types import N_, Event, Said
from pbem.errors import NotAllowed, TooLate
from pbem.play import writing
from pbem.play.post import Post
from pbem.play.table import Table, nobody, state_of, table_of
from pbem.store import queries
from pbem.store.tables import Game, Ply, Proposal, Seat, Standing, Vote

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session


VOTED_FOR = timedelta(days=7)
"""How long a proposal is open."""


class Back(msgspec.Struct, frozen=True):
    """Whether a seat's last ply can be taken back, and who has seen what came of it."""

    ply: int
    """The ply that would be taken back; -1 if there is none of the seat's own."""
    chance: bool
    """Whether something was drawn in it or after it: then it can't be taken back alone."""
    saw: tuple[int, ...]
    """Seats of other persons that see something different because of it."""

    @property
    def alone(self) -> bool:
        """Whether the seat can do it without asking anybody."""
        return self.ply > 0 and not self.chance and not self.saw


class Proposed(msgspec.Struct, frozen=True):
    """What became of a proposal or a vote."""

    proposal_id: int
    state: str
    """open, agreed, refused."""
    ring: frozenset[int] = frozenset()


def look_back(session: Session, seat_id: int) -> Back:
    """What taking the seat's last ply back would mean. Raises NotSeated if there is no such seat."""
    row = session.execute(select(Game, Seat).join(Seat).where(Seat.id == seat_id)).one_or_none()
    if row is None:
        raise nobody()
    return _look_back(session, table_of(session, row[0]), row[1])


def _look_back(session: Session, table: Table, seat: Seat) -> Back:
    game = table.game
    own = _last_own(session, game, seat.seat)
    if own < 1:
        return Back(-1, chance=False, saw=())
    rows = session.execute(
        select(Ply.snapshot, Ply.chance)
        .where(Ply.game_id == game.id, Ply.ply.between(own - 1, game.ply))
        .order_by(Ply.ply)
    ).all()
    before, after = state_of(table.rules, rows[0].snapshot), state_of(table.rules, rows[-1].snapshot)
    others = [number for number in table.players if number != seat.seat]
    saw = tuple(n for n in others if table.rules.view(before, n) != table.rules.view(after, n))
    return Back(own, chance=any(row.chance for row in rows[1:]), saw=saw)


def _last_own(session: Session, game: Game, seat: int) -> int:
    """The last ply, if it took this seat's order and nobody else's; -1 otherwise."""
    kind, orders = session.execute(
        select(Ply.kind, Ply.orders).where(Ply.game_id == game.id, Ply.ply == game.ply)
    ).one()
    return game.ply if kind == "orders" and set(orders) == {str(seat)} else -1


def take_back(session: Session, now: datetime, seat_id: int) -> frozenset[int]:
    """Take the seat's last ply back, alone; gives the games to ring for.

    Raises TooLate if something was drawn or somebody has seen it, NotSeated if there is no such seat.
    """
    found = queries.lock_by_seat(session, seat_id)
    if found is None:
        raise nobody()
    game, seat = found
    table = table_of(session, game)
    back = _look_back(session, table, seat)
    if game.state != "running" or back.ply < 1:
        raise TooLate(Said(N_("There is nothing of yours to take back: the game has moved on.")))
    if back.chance:
        raise TooLate(Said(N_("A drawn result can't be taken back. You can propose it to all seats.")))
    if back.saw:
        raise TooLate(
            Said(N_("{seats} (has|have) seen it already. You can propose it to all seats."), {"seats": back.saw})
        )
    return restore(session, now, table, back.ply - 1)


def propose(  # noqa: PLR0913, PLR0917 - what, by whom, why
    session: Session, now: datetime, game_id: int, player_id: int, kind: str, to_ply: int | None, reason: str
) -> Proposed:
    """Ask all seats to go back (`rewind`, to the state after `to_ply`) or to end the game (`end`).

    Who proposes agrees. Raises NotAllowed if the game doesn't run, has no such ply, or another proposal is open.
    """
    game = queries.lock_game(session, game_id)
    if game is None:
        raise nobody()
    if game.state not in {"running", "paused", "stuck"}:
        raise NotAllowed(Said(N_("This game is not being played, so there is nothing to agree on.")))
    if kind == "rewind" and (to_ply is None or not 0 <= to_ply < game.ply):
        raise NotAllowed(Said(N_("Choose a ply from 0 to {last} to go back to."), {"last": game.ply - 1}))
    if _open_proposal(session, now, game_id) is not None:
        raise NotAllowed(Said(N_("There is a proposal to vote on already; wait for its end.")))
    row = Proposal(
        game_id=game_id,
        kind=kind,
        to_ply=to_ply,
        player_id=player_id,
        reason=reason[:500],
        created_at=now,
        expires_at=now + VOTED_FOR,
    )
    session.add(row)
    session.flush()
    table = table_of(session, game)
    own = [number for number, player in table.players.items() if player.id == player_id]
    session.add_all(Vote(proposal_id=row.id, seat=number, yes=True, at=now) for number in own)
    session.flush()
    _tell(session, now, table, row)
    return _count(session, now, table, row)


def _open_proposal(session: Session, now: datetime, game_id: int) -> Proposal | None:
    return session.execute(
        select(Proposal).where(Proposal.game_id == game_id, Proposal.state == "open", Proposal.expires_at > now)
    ).scalar_one_or_none()


def open_proposals(session: Session, now: datetime, game_id: int) -> tuple[tuple[Proposal, dict[int, bool]], ...]:
    """What is to be voted on, with the votes by seat."""
    row = _open_proposal(session, now, game_id)
    return () if row is None else ((row, _votes(session, row)),)


def _votes(session: Session, proposal: Proposal) -> dict[int, bool]:
    rows = session.execute(select(Vote.seat, Vote.yes).where(Vote.proposal_id == proposal.id))
    return {row.seat: row.yes for row in rows}


def vote(session: Session, now: datetime, proposal_id: int, seat_id: int, *, yes: bool) -> Proposed:
    """Agree or refuse; one refusal ends it, the last consent carries it out. Raises NotSeated or TooLate."""
    found = queries.lock_by_seat(session, seat_id)
    row = session.get(Proposal, proposal_id, populate_existing=True)
    if found is None or row is None or row.game_id != found[0].id:
        raise nobody()
    if row.state != "open" or row.expires_at <= now:
        raise TooLate(Said(N_("This proposal is decided already.")))
    game, seat = found
    if seat.seat in _votes(session, row):
        session.execute(update(Vote).where(Vote.proposal_id == row.id, Vote.seat == seat.seat).values(yes=yes, at=now))
    else:
        session.execute(insert(Vote).values(proposal_id=row.id, seat=seat.seat, yes=yes, at=now))
    return _count(session, now, table_of(session, game), row)


def _count(session: Session, now: datetime, table: Table, proposal: Proposal) -> Proposed:
    """Whether that decides it, and if so: done."""
    votes = _votes(session, proposal)
    if not all(votes.values()):
        proposal.state = "refused"
        session.flush()
        return Proposed(proposal.id, "refused")
    if not all(number in votes for number in table.players):
        return Proposed(proposal.id, "open")
    proposal.state = "agreed"
    session.flush()
    if proposal.kind == "end":
        _end(session, now, table)
        return Proposed(proposal.id, "agreed")
    assert proposal.to_ply is not None  # checked when it was proposed
    return Proposed(proposal.id, "agreed", restore(session, now, table, proposal.to_ply))


def restore(session: Session, now: datetime, table: Table, to_ply: int) -> frozenset[int]:
    """Write the ply that puts the state after `to_ply` in force again, and ask anew from there."""
    game = table.game
    old = session.execute(select(Ply).where(Ply.game_id == game.id, Ply.ply == to_ply)).scalar_one()
    note = Event(N_("The game went back to how it stood after ply {ply}."), {"ply": to_ply})
    writing.close_decisions(session, now, game)
    values: dict[str, Any] = {
        "game_id": game.id,
        "ply": game.ply + 1,
        "kind": "undo",
        "restores": to_ply,
        "events": msgspec.json.encode([note]),
        "snapshot": old.snapshot,
        "digest": old.digest,
        "phase": old.phase,
        "round": old.round,
        "resolved_at": now,
    }
    session.execute(insert(Ply).values(values))
    _end_ahead(session, now, game)
    game.ply += 1
    game.version += 1
    game.state = "running"
    game.trace, game.stuck_at, game.tries = "", None, 0
    game.due_at = game.cover_at = None
    game.wake_at = now
    session.flush()
    return frozenset({game.id})


def _end_ahead(session: Session, now: datetime, game: Game) -> None:
    """Chains and sealed lists belong to what was taken back; standing orders stay."""
    session.execute(
        update(Standing)
        .where(Standing.game_id == game.id, Standing.kind.in_(("then", "sealed")), Standing.ended_at.is_(None))
        .values(ended_at=now, ended_why="taken back")
        .execution_options(synchronize_session=False)
    )


def _end(session: Session, now: datetime, table: Table) -> None:
    """The game ends without a result."""
    game = table.game
    writing.close_decisions(session, now, game)
    game.state = "ended"
    game.finished_at = now
    game.version += 1
    game.due_at = game.cover_at = game.wake_at = None
    post = Post(now)
    for number, player in table.players.items():
        post.seat("game_over", game, table.seats[number], player)
    session.flush()
    post.send(session)


def _tell(session: Session, now: datetime, table: Table, proposal: Proposal) -> None:
    """A word to everybody who hasn't agreed yet."""
    votes = _votes(session, proposal)
    said = _SAID[proposal.kind]
    params = {"ply": proposal.to_ply} if proposal.to_ply is not None else {}
    post = Post(now)
    for number, player in table.players.items():
        if number not in votes:
            post.seat(
                *("talk", table.game, table.seats[number], player, f"proposal.{proposal.id}"),
                said=msgspec.to_builtins(Said(said, params)),
                text=proposal.reason,
                proposal=proposal.id,
            )
    post.send(session)


_SAID = {
    "rewind": N_("It is proposed to go back to how the game stood after ply {ply}. Everybody must agree."),
    "end": N_("It is proposed to end the game without a result. Everybody must agree."),
}
