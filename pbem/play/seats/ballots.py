"""The votes of a game: what is open, what the votes come to, and that what they decide is done."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TypeAlias

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.engine.core.message import sentence
from pbem.letter_queue import LetterQueue
from pbem.play.deadlines import reminders
from pbem.play.orders import takeback
from pbem.play.turns import persist
from pbem.play.views.game_context import GameContext, table_of
from pbem.store.models import Game, GameState, Proposal, Seat, Vote
from pbem.structs import Value

REPLACE = "replace"
VoteOut: TypeAlias = Callable[[Session, datetime, GameContext, int], None]
"""Takes a seat from its player."""


class ProposalOutcome(Value):
    """What became of a proposal or a vote."""

    proposal_id: int
    state: str
    """open, agreed, refused."""


class Ballot(Value):
    """A proposal that is open, with its votes."""

    proposal: Proposal
    votes: dict[int, bool]
    """By seat, as far as they have voted."""
    voters: tuple[int, ...]
    """The seats that may vote."""


def open_proposals(session: Session, now: datetime, table: GameContext) -> tuple[Ballot, ...]:
    """Return what is to be voted on."""
    rows = session.execute(
        select(Proposal).where(Proposal.game_id == table.game.id, Proposal.is_open(now)).order_by(Proposal.id)
    )
    return tuple(Ballot(row, votes_of(session, row), voters_of(table, row)) for row in rows.scalars())


def votes_of(session: Session, proposal: Proposal) -> dict[int, bool]:
    """Return by seat what those who hold them now have voted."""
    voted = select(Vote.seat, Vote.yes).join(Seat, Vote.binds())
    here = (Vote.proposal_id == proposal.id, Seat.game_id == proposal.game_id, Seat.player_id.is_not(None))
    rows = session.execute(voted.where(*here))
    return {row.seat: row.yes for row in rows}


def voters_of(table: GameContext, proposal: Proposal) -> tuple[int, ...]:
    """Return the seats of persons, without the one that would be replaced."""
    return tuple(number for number in table.players if number != proposal.seat)


def count_again(session: Session, now: datetime, game: Game, vote_out: VoteOut) -> None:
    """Count what is open once more, as a voter is gone: theirs may be all that was missing."""
    table = table_of(session, game)
    for ballot in open_proposals(session, now, table):
        row = ballot.proposal
        is_over = row.kind == REPLACE and row.seat not in reminders.stalled(session, now, table)
        if ballot.voters and not is_over and count(session, now, table, row, vote_out).state != "open":
            count_again(session, now, game, vote_out)  # what it did may have changed who votes
            return


def count(
    session: Session, now: datetime, table: GameContext, proposal: Proposal, vote_out: VoteOut
) -> ProposalOutcome:
    """Return whether the votes decide it, and if so: done."""
    proposal.state = _decided(votes_of(session, proposal), voters_of(table, proposal), proposal.kind)
    session.flush()
    if proposal.state == "refused":
        _tell_refused(session, now, table, proposal)
    if proposal.state != "agreed":
        return ProposalOutcome(proposal.id, proposal.state)
    if proposal.kind == "end":
        _end(session, now, table)
    elif proposal.kind == REPLACE:
        assert proposal.seat is not None  # checked when it was proposed
        vote_out(session, now, table, proposal.seat)
    else:
        assert proposal.to_ply is not None  # checked when it was proposed
        takeback.restore(session, now, table, proposal.to_ply)
    return ProposalOutcome(proposal.id, "agreed")


def _decided(votes: dict[int, bool], voters: tuple[int, ...], kind: str) -> str:
    """open, agreed or refused: everybody's consent, or for a substitute more than half of the voters."""
    yes = sum(votes.get(seat, False) for seat in voters)
    no = sum(not votes.get(seat, True) for seat in voters)
    needed = len(voters) // 2 + 1 if kind == REPLACE else len(voters)
    if yes >= needed:
        return "agreed"
    return "refused" if no > len(voters) - needed else "open"


def _end(session: Session, now: datetime, table: GameContext) -> None:
    """The game ends without a result."""
    game = table.game
    persist.close_decisions(session, now, game)
    game.state = GameState.ENDED
    game.finished_at = now
    game.version += 1
    game.due_at = game.cover_at = game.wake_at = None
    post = LetterQueue(now)
    for number in table.players:
        post.seat("game_over", *table.addressee(number))
    session.flush()
    post.send(session)


def _tell_refused(session: Session, now: datetime, table: GameContext, proposal: Proposal) -> None:
    """A word to everybody at the table, whose seat it is about too."""
    post = LetterQueue(now)
    for number in table.players:
        post.seat("talk", *table.addressee(number), f"refused.{proposal.id}", said=_REFUSED, votes=False)
    post.send(session)


_REFUSED = sentence("The vote is over: the proposal was refused, and the game goes on as it is.")
