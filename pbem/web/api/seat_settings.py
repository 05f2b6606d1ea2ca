"""Calls that arrange what a seat's own player may arrange: taking back, votes, safety ladder, sitters, leaving."""

from __future__ import annotations

from typing import Any

from pbem import clock
from pbem.clubs.members import members
from pbem.engine.core.types import N_, Message
from pbem.errors import WrongInput
from pbem.extensions import db
from pbem.play.deadlines import fallback
from pbem.play.orders import takeback
from pbem.play.seats import proposals, sitters, substitutes
from pbem.play.views.game_context import table_of
from pbem.store.models import Game, Seat
from pbem.web.api.core import answers, blueprint, keep, moment, my_seat, spec
from pbem.web.api.person_shapes import (
    BackOut,
    LadderIn,
    LadderOut,
    PersonOut,
    ProposalOut,
    ProposeIn,
    ResignIn,
    SitterIn,
    SitterOut,
    SittersOut,
    StateOut,
    VoteIn,
)


def _seat(seat_id: int) -> tuple[Seat, Game]:
    """An own seat and its game."""
    seat = db.session().get_one(Seat, my_seat(seat_id))
    return seat, db.session().get_one(Game, seat.game_id)


@blueprint.get("/seats/<int:seat_id>/take-back")
@spec.validate(resp=answers(BackOut), tags=["arrangements"])
def look_back(seat_id: int) -> Any:
    """Whether the seat's last ply can be taken back, and who has seen what came of it."""
    back = takeback.look_back(db.session(), my_seat(seat_id))
    return BackOut(back.ply, back.alone, back.chance, list(back.saw))


@blueprint.post("/seats/<int:seat_id>/take-back")
@spec.validate(resp=answers(StateOut), tags=["arrangements"])
def take_back(seat_id: int) -> Any:
    """Take the seat's last ply back, as long as nothing was drawn and nobody has seen it."""
    takeback.take_back(db.session(), clock.now(), my_seat(seat_id))
    keep()
    return StateOut("taken back")


@blueprint.get("/seats/<int:seat_id>/proposals")
@spec.validate(resp=answers(list[ProposalOut]), tags=["arrangements"])
def open_proposals(seat_id: int) -> Any:
    """What the table votes on at present."""
    _, game = _seat(seat_id)
    found = proposals.open_proposals(db.session(), clock.now(), table_of(db.session(), game))
    return [_proposal(ballot) for ballot in found]


def _proposal(ballot: proposals.Ballot) -> ProposalOut:
    row, votes = ballot.proposal, {str(seat): yes for seat, yes in ballot.votes.items()}
    return ProposalOut(row.id, row.kind, row.to_ply, row.seat, row.reason, row.expires_at, votes)


@blueprint.post("/seats/<int:seat_id>/proposals")
@spec.validate(json=ProposeIn, resp=answers(StateOut), tags=["arrangements"])
def propose(seat_id: int, json: ProposeIn) -> Any:
    """Put something to the vote: going back, ending the game, or a substitute for a seat that stalls."""
    seat, game = _seat(seat_id)
    assert seat.player_id is not None  # a key opens seats of persons only
    plan = proposals.ProposalPlan(kind=json.kind, to_ply=json.ply, seat=json.seat, reason=json.reason)
    done = proposals.propose(db.session(), clock.now(), game.id, seat.player_id, plan)
    keep()
    return StateOut(done.state)


@blueprint.put("/seats/<int:seat_id>/proposals/<int:proposal_id>")
@spec.validate(json=VoteIn, resp=answers(StateOut), tags=["arrangements"])
def vote(seat_id: int, proposal_id: int, json: VoteIn) -> Any:
    """Agree or refuse; what that decides is carried out."""
    done = proposals.vote(db.session(), clock.now(), proposal_id, my_seat(seat_id), yes=json.yes)
    keep()
    return StateOut(done.state)


@blueprint.get("/seats/<int:seat_id>/ladder")
@spec.validate(resp=answers(LadderOut), tags=["arrangements"])
def ladder(seat_id: int) -> Any:
    """What answers for the seat when its player misses a deadline."""
    return _ladder(fallback.ladder_of(db.session(), my_seat(seat_id)))


def _ladder(found: fallback.Ladder) -> LadderOut:
    return LadderOut(list(found.rungs), list(found.never), list(found.kinds))


@blueprint.put("/seats/<int:seat_id>/ladder")
@spec.validate(json=LadderIn, resp=answers(LadderOut), tags=["arrangements"])
def set_ladder(seat_id: int, json: LadderIn) -> Any:
    """Arrange it anew."""
    done = fallback.set_ladder(db.session(), my_seat(seat_id), json.rungs, json.never)
    keep()
    return _ladder(done)


@blueprint.get("/seats/<int:seat_id>/sitters")
@spec.validate(resp=answers(SittersOut), tags=["arrangements"])
def who_sits(seat_id: int) -> Any:
    """Who sits in for the seat now or later, and which members of the club could."""
    seat, game = _seat(seat_id)
    return _sitters(seat, game)


def _sitters(seat: Seat, game: Game) -> SittersOut:
    session = db.session()
    seated = {player.id for player in table_of(session, game).players.values()}
    club = members.members(session, game.club_id) if game.club_id else ()
    sitting = sitters.of_seat(session, clock.now(), seat.id)
    return SittersOut(
        [SitterOut(row.id, name, row.starts, row.ends, row.handover) for row, name in sitting],
        [PersonOut(member.player_id, member.name) for member in club if member.player_id not in seated],
    )


@blueprint.post("/seats/<int:seat_id>/sitters")
@spec.validate(json=SitterIn, resp=answers(SittersOut), tags=["arrangements"])
def appoint(seat_id: int, json: SitterIn) -> Any:
    """Let somebody answer for the seat for a while; they are told by letter."""
    seat, game = _seat(seat_id)
    starts, ends = moment(json.starts), moment(json.ends)
    sitters.appoint(db.session(), clock.now(), seat.id, json.player, starts, ends, json.handover)
    keep()
    return _sitters(seat, game)


@blueprint.delete("/seats/<int:seat_id>/sitters/<int:sitter_id>")
@spec.validate(resp=answers(SittersOut), tags=["arrangements"])
def end_sitter(seat_id: int, sitter_id: int) -> Any:
    """The player is back: the sitter's right ends at once."""
    seat, game = _seat(seat_id)
    sitters.end(db.session(), clock.now(), sitter_id, seat.id)
    keep()
    return _sitters(seat, game)


@blueprint.post("/seats/<int:seat_id>/resignation")
@spec.validate(json=ResignIn, resp=answers(StateOut), tags=["arrangements"])
def resign(seat_id: int, json: ResignIn) -> Any:
    """Leave the game for good; the key opens nothing afterwards."""
    number = my_seat(seat_id)
    if not json.sure:
        raise WrongInput(Message(N_("Say that you are sure: leaving can't be taken back.")))
    substitutes.resign(db.session(), clock.now(), number, json.reason)
    keep()
    return StateOut("left")
