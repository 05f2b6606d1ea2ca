"""What the seats of a game decide together: to go back, to end the game, or to replace somebody who stalls.

Going back and ending need everybody's consent; a substitute needs more than half of the other persons at the table.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from pbem.capabilities.acts import require_yes
from pbem.engine.core.message import N_, Message, sentence
from pbem.errors import NotAllowed, TooLate, nobody
from pbem.letter_queue import LetterQueue
from pbem.play.deadlines import reminders
from pbem.play.deadlines.waiting_reasons import said
from pbem.play.orders import takeback
from pbem.play.seats import substitutes
from pbem.play.turns import persist
from pbem.play.views.game_context import GameContext, locked_game, locked_seat, table_of
from pbem.store.models import Game, GameState, Proposal, Seat, Vote
from pbem.store.queries import common
from pbem.structs import Value

VOTED_FOR = timedelta(days=7)
"""How long a proposal is open."""
REPLACE = "replace"


class ProposalPlan(Value, kw_only=True):
    """What somebody proposes."""

    kind: str
    """rewind, end, replace."""
    to_ply: int | None = None
    """For `rewind`: the ply after which the game would stand again."""
    seat: int | None = None
    """For `replace`: the seat that stalls."""
    reason: str = ""


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


def propose(session: Session, now: datetime, game_id: int, player_id: int, plan: ProposalPlan) -> ProposalOutcome:
    """Put something to the vote; who proposes agrees, and everybody is told.

    Raises NeedsYes to end the game, or NotAllowed if it doesn't run, has no such ply, nobody stalls there, or
    such a proposal is open.
    """
    game = locked_game(session, game_id)
    table = table_of(session, game)
    _refuse(session, now, table, player_id, plan)
    row = Proposal(
        game_id=game_id,
        kind=plan.kind,
        to_ply=plan.to_ply if plan.kind == "rewind" else None,
        seat=plan.seat if plan.kind == REPLACE else None,
        player_id=player_id,
        reason=plan.reason[:500],
        created_at=now,
        expires_at=now + VOTED_FOR,
    )
    session.add(row)
    session.flush()
    own = [number for number in _voters(table, row) if table.players[number].id == player_id]
    session.add_all(Vote(proposal_id=row.id, seat=number, yes=True, at=now) for number in own)
    session.flush()
    _tell(session, now, table, row)
    outcome = _count(session, now, table, row)
    if row.kind == "end":  # which is a vote for it, and may be the only one
        require_yes(session, "end-game", title=game.title)
    return outcome


def _refuse(session: Session, now: datetime, table: GameContext, player_id: int, plan: ProposalPlan) -> None:
    """Raise NotAllowed for what can't be put to the vote now."""
    game = table.game
    _refuse_over(game)
    if plan.kind == "rewind" and game.ply < 1:
        raise NotAllowed("The game stands at its first position: there is none to go back to.")
    if plan.kind == "rewind" and (plan.to_ply is None or not 0 <= plan.to_ply < game.ply):
        raise NotAllowed("Choose a position from 0 to {last} to go back to.", last=game.ply - 1)
    if any((one.proposal.kind == REPLACE) == (plan.kind == REPLACE) for one in open_proposals(session, now, table)):
        raise NotAllowed("There is a proposal to vote on already; wait for its end.")
    if plan.kind != REPLACE:
        return
    if plan.seat not in reminders.stalled(session, now, table):
        raise NotAllowed(
            "Only who let the server answer {count} times in a row, or keeps everybody waiting, is replaced.",
            count=reminders.PATIENCE,
        )
    if all(player.id != player_id for number, player in table.players.items() if number != plan.seat):
        raise NotAllowed("The other players of the game decide on this.")


def _refuse_over(game: Game) -> None:
    if not game.state.is_underway:
        raise NotAllowed("This game is not being played, so there is nothing to agree on.")


def open_proposals(session: Session, now: datetime, table: GameContext) -> tuple[Ballot, ...]:
    """Return what is to be voted on."""
    rows = session.execute(
        select(Proposal).where(Proposal.game_id == table.game.id, Proposal.is_open(now)).order_by(Proposal.id)
    )
    return tuple(Ballot(row, _votes(session, row), _voters(table, row)) for row in rows.scalars())


def against(session: Session, now: datetime, table: GameContext, seat: int) -> Message | None:
    """Return what a seat is told that the others vote to replace; None where nobody does."""
    ballots = open_proposals(session, now, table)
    ends = [ballot.proposal.expires_at for ballot in ballots if ballot.proposal.seat == seat]
    return said(_TO_WHOM, when=ends[0]) if ends else None


def _votes(session: Session, proposal: Proposal) -> dict[int, bool]:
    voted = select(Vote.seat, Vote.yes).join(Seat, Vote.binds())
    here = (Vote.proposal_id == proposal.id, Seat.game_id == proposal.game_id, Seat.player_id.is_not(None))
    rows = session.execute(voted.where(*here))
    return {row.seat: row.yes for row in rows}


def _voters(table: GameContext, proposal: Proposal) -> tuple[int, ...]:
    """Return the seats of persons, without the one that would be replaced."""
    return tuple(number for number in table.players if number != proposal.seat)


def vote(session: Session, now: datetime, proposal_id: int, seat_id: int, *, yes: bool) -> ProposalOutcome:
    """Agree or refuse; what that decides is carried out, and said once more nothing is.

    Raises NeedsYes, NotSeated, TooLate or NotAllowed.
    """
    game, seat = locked_seat(session, seat_id)
    row = session.get(Proposal, proposal_id, populate_existing=True)
    if row is None or row.game_id != game.id:
        raise nobody()
    if row.state != "open" or row.expires_at <= now:
        if _votes(session, row).get(seat.seat) == yes:  # the second of two clicks on the vote that decided it
            return ProposalOutcome(row.id, row.state)
        raise TooLate("This proposal is decided already.")
    _refuse_over(game)
    table = table_of(session, game)
    if seat.seat not in _voters(table, row):
        raise NotAllowed("The other players of the game decide on this.")
    if row.kind == REPLACE:
        is_open = common.is_any(session, Proposal.id == row.id, Proposal.is_open(now))
        if not is_open or row.seat not in reminders.stalled(session, now, table):
            raise TooLate(_OVER, seat=row.seat or 0)
    session.execute(delete(Vote).where(Vote.proposal_id == row.id, Vote.seat == seat.seat))
    session.execute(insert(Vote).values(proposal_id=row.id, seat=seat.seat, yes=yes, at=now))
    outcome = _count(session, now, table, row)
    if yes and row.kind == "end":
        require_yes(session, "end-game", title=game.title)
    return outcome


def _count(session: Session, now: datetime, table: GameContext, proposal: Proposal) -> ProposalOutcome:
    """Return whether the votes decide it, and if so: done."""
    proposal.state = _decided(_votes(session, proposal), _voters(table, proposal), proposal.kind)
    session.flush()
    if proposal.state == "refused":
        _tell_refused(session, now, table, proposal)
    if proposal.state != "agreed":
        return ProposalOutcome(proposal.id, proposal.state)
    if proposal.kind == "end":
        _end(session, now, table)
    elif proposal.kind == REPLACE:
        assert proposal.seat is not None  # checked when it was proposed
        substitutes.vote_out(session, now, table, proposal.seat)
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


def _tell(session: Session, now: datetime, table: GameContext, proposal: Proposal) -> None:
    """A word to everybody who hasn't agreed yet, and to whose seat it is about."""
    votes = _votes(session, proposal)
    who = next((player.name for player in table.players.values() if player.id == proposal.player_id), "")
    params: dict[str, Any] = {"ply": proposal.to_ply or 0, "seat": proposal.seat or 0, "when": proposal.expires_at}
    post = LetterQueue(now)
    for number in table.players:
        if number in votes:
            continue
        post.seat(
            *("talk", *table.addressee(number), f"proposal.{proposal.id}"),
            who=who,
            said=Message(_TO_WHOM if number == proposal.seat else _SAID[proposal.kind], params),
            proposal=proposal.id,
            ends=proposal.expires_at,
            votes=number != proposal.seat,
        )
    post.send(session)


def _tell_refused(session: Session, now: datetime, table: GameContext, proposal: Proposal) -> None:
    """A word to everybody at the table, whose seat it is about too."""
    post = LetterQueue(now)
    for number in table.players:
        post.seat("talk", *table.addressee(number), f"refused.{proposal.id}", said=_REFUSED, votes=False)
    post.send(session)


_OVER = N_("{seat} has answered since, or the seat has changed hands: nobody is voted out.")
_REFUSED = sentence("The vote is over: the proposal was refused, and the game goes on as it is.")
_SAID = {
    "rewind": N_("It is proposed to go back to position {ply}. Everybody must agree by {when}."),
    "end": N_("It is proposed to end the game without a result. Everybody must agree by {when}."),
    REPLACE: N_(
        "It is proposed to give the seat of {seat} to a substitute. More than half of the other players must agree by"
        " {when}."
    ),
}
_TO_WHOM = N_(
    "It is proposed to give your seat to a substitute, because the game waits for you. The others vote until {when}."
    " Answer, and the vote is over."
)
