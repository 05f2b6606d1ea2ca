"""What the seats of a game decide together: to go back, to end the game, or to replace somebody who stalls.

Going back and ending need everybody's consent; a substitute needs more than half of the other persons at the table.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete, insert
from sqlalchemy.orm import Session

from pbem.capabilities.acts import require_yes
from pbem.engine.core.message import N_, Message
from pbem.errors import NotAllowed, TooLate, fitting, nobody
from pbem.letter_queue import LetterQueue
from pbem.play.admin import action_log
from pbem.play.deadlines import reminders
from pbem.play.deadlines.waiting_reasons import said
from pbem.play.seats import substitutes
from pbem.play.seats.ballots import REPLACE, ProposalOutcome, count, open_proposals, voters_of, votes_of
from pbem.play.views.game_context import GameContext, locked_game, locked_seat, table_of
from pbem.store.models import Game, Proposal, Vote
from pbem.store.queries import common
from pbem.structs import Value

VOTED_FOR = timedelta(days=7)
"""How long a proposal is open."""


class ProposalPlan(Value, kw_only=True):
    """What somebody proposes."""

    kind: str
    """rewind, end, replace."""
    to_ply: int | None = None
    """For `rewind`: the ply after which the game would stand again."""
    seat: int | None = None
    """For `replace`: the seat that stalls."""
    reason: str = ""


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
        reason=fitting(plan.reason, action_log.REASON),
        created_at=now,
        expires_at=now + VOTED_FOR,
    )
    session.add(row)
    session.flush()
    own = [number for number in voters_of(table, row) if table.players[number].id == player_id]
    session.add_all(Vote(proposal_id=row.id, seat=number, yes=True, at=now) for number in own)
    session.flush()
    _tell(session, now, table, row)
    outcome = count(session, now, table, row, substitutes.vote_out)
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


def against(session: Session, now: datetime, table: GameContext, seat: int) -> Message | None:
    """Return what a seat is told that the others vote to replace; None where nobody does."""
    ballots = open_proposals(session, now, table)
    ends = [ballot.proposal.expires_at for ballot in ballots if ballot.proposal.seat == seat]
    return said(_TO_WHOM, when=ends[0]) if ends else None


def vote(session: Session, now: datetime, proposal_id: int, seat_id: int, *, yes: bool) -> ProposalOutcome:
    """Agree or refuse; what that decides is carried out, and said once more nothing is.

    Raises NeedsYes, NotSeated, TooLate or NotAllowed.
    """
    game, seat = locked_seat(session, seat_id)
    row = session.get(Proposal, proposal_id, populate_existing=True)
    if row is None or row.game_id != game.id:
        raise nobody()
    if row.state != "open" or row.expires_at <= now:
        if votes_of(session, row).get(seat.seat) == yes:  # the second of two clicks on the vote that decided it
            return ProposalOutcome(row.id, row.state)
        raise TooLate("This proposal is decided already.")
    _refuse_over(game)
    table = table_of(session, game)
    if seat.seat not in voters_of(table, row):
        raise NotAllowed("The other players of the game decide on this.")
    if row.kind == REPLACE:
        is_open = common.is_any(session, Proposal.id == row.id, Proposal.is_open(now))
        if not is_open or row.seat not in reminders.stalled(session, now, table):
            raise TooLate(_OVER, seat=row.seat or 0)
    session.execute(delete(Vote).where(Vote.proposal_id == row.id, Vote.seat == seat.seat))
    session.execute(insert(Vote).values(proposal_id=row.id, seat=seat.seat, yes=yes, at=now))
    outcome = count(session, now, table, row, substitutes.vote_out)
    if yes and row.kind == "end":
        require_yes(session, "end-game", title=game.title)
    return outcome


def _tell(session: Session, now: datetime, table: GameContext, proposal: Proposal) -> None:
    """A word to everybody who hasn't agreed yet, and to whose seat it is about."""
    votes = votes_of(session, proposal)
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


_OVER = N_("{seat} has answered since, or the seat has changed hands: nobody is voted out.")
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
