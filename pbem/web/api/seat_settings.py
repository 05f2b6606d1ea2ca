"""Calls that arrange what a seat's own player may arrange: taking back, votes, safety ladder, sitters, leaving."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from pbem import clock
from pbem.clubs.members import members
from pbem.extensions import current, db
from pbem.play.deadlines import fallback
from pbem.play.orders import takeback
from pbem.play.seats import ballots, proposals, sitters
from pbem.play.views.game_context import table_of
from pbem.store.models import Game, Seat, Sitter
from pbem.web.api.answers import answered, shape
from pbem.web.api.core import calls, my_seat
from pbem.web.api.shapes import Mark, PersonOut, Ply, Reason, SeatNumber, StateOut, Word

call = calls("arrangements")

BackOut = shape(
    "BackOut",
    "Whether the seat's last ply can be taken back, `alone` without asking anybody: `ply` is -1 if there is nothing "
    "of its own, `saw` are seats that have seen something that follows from it.",
    takeback.Back,
    "ply alone chance saw",
)
ProposalOut = shape(
    "ProposalOut",
    "Something that is being voted on; in `votes` who has not voted is missing.",
    ballots.Ballot,
    "id=proposal.id kind=proposal.kind ply=proposal.to_ply seat=proposal.seat reason=proposal.reason "
    "expires_at=proposal.expires_at votes",
    votes=dict[str, bool],
)
LadderOut = shape(
    "LadderOut",
    "The same as it is stored; `kinds` are all kinds of decision of this game.",
    fallback.Ladder,
    "rungs never kinds",
)
SitterOut = shape("SitterOut", "Somebody who sits in, or will.", Sitter, "id starts ends handover", name=str)
SittersOut = shape(
    "SittersOut",
    "Who sits in for the seat, and who could.",
    Seat,
    "",
    sitters=[SitterOut],
    candidates=[PersonOut],
)


class ProposeIn(msgspec.Struct, forbid_unknown_fields=True):
    """Something all seats are to agree on."""

    kind: Literal["rewind", "end", "replace"]
    ply: Ply | None = None
    """To go back: the ply whose position is to stand again."""
    seat: SeatNumber | None = None
    """To replace somebody: whose seat."""
    reason: Reason = ""
    request: Mark = ""


class VoteIn(msgspec.Struct, forbid_unknown_fields=True):
    """An answer to a proposal."""

    yes: bool


class BackIn(msgspec.Struct, forbid_unknown_fields=True):
    """Which step is meant, so that none is taken back that was never looked at."""

    ply: Ply
    """As `GET` gives it."""


class LadderIn(msgspec.Struct, forbid_unknown_fields=True):
    """What answers for the seat when its player misses a deadline."""

    rungs: Annotated[list[Word], Meta(max_length=10)]
    """draft, standing, pass, cautious: the first that can be used answers."""
    never: Annotated[list[Word], Meta(max_length=50)] = []
    """Kinds of decision that wait for a person whatever happens."""


def _seat(seat_id: int) -> tuple[Seat, Game]:
    """An own seat and its game."""
    seat = db.session().get_one(Seat, my_seat(seat_id))
    return seat, db.session().get_one(Game, seat.game_id)


@call("GET", "/seats/<int:seat_id>/take-back", BackOut)
def look_back(seat_id: int) -> Any:
    """Whether the seat's last ply can be taken back, and who has seen what came of it."""
    return takeback.look_back(db.session(), my_seat(seat_id))


@call("POST", "/seats/<int:seat_id>/take-back", StateOut)
def take_back(seat_id: int, json: BackIn) -> Any:
    """Take the seat's last ply back, as long as nothing was drawn and nobody has seen it."""
    takeback.take_back(*current(), my_seat(seat_id), json.ply)
    return StateOut("taken back")


@call("GET", "/seats/<int:seat_id>/proposals", [ProposalOut])
def open_proposals(seat_id: int) -> Any:
    """What the table votes on at present."""
    _, game = _seat(seat_id)
    return tuple(ballots.open_proposals(*current(), table_of(db.session(), game)))


@call("POST", "/seats/<int:seat_id>/proposals", StateOut, final=True)
def propose(seat_id: int, json: ProposeIn) -> Any:
    """Put something to the vote: going back, ending the game, or a substitute for a seat that stalls."""
    seat, game = _seat(seat_id)
    assert seat.player_id is not None  # a key opens seats of persons only
    plan = proposals.ProposalPlan(kind=json.kind, to_ply=json.ply, seat=json.seat, reason=json.reason)
    return StateOut(proposals.propose(*current(), game.id, seat.player_id, plan).state)


@call("PUT", "/seats/<int:seat_id>/proposals/<int:proposal_id>", StateOut, final=True)
def vote(seat_id: int, proposal_id: int, json: VoteIn) -> Any:
    """Agree or refuse; what that decides is carried out."""
    return StateOut(proposals.vote(*current(), proposal_id, my_seat(seat_id), yes=json.yes).state)


@call("GET", "/seats/<int:seat_id>/ladder", LadderOut)
def ladder(seat_id: int) -> Any:
    """What answers for the seat when its player misses a deadline."""
    return fallback.ladder_of(db.session(), my_seat(seat_id))


@call("PUT", "/seats/<int:seat_id>/ladder", LadderOut)
def set_ladder(seat_id: int, json: LadderIn) -> Any:
    """Arrange it anew."""
    return fallback.set_ladder(db.session(), my_seat(seat_id), json.rungs, json.never)


@call("GET", "/seats/<int:seat_id>/sitters", SittersOut)
def who_sits(seat_id: int) -> Any:
    """Who sits in for the seat now or later, and which members of the club could."""
    return _sitters(*_seat(seat_id))


def _sitters(seat: Seat, game: Game) -> Any:
    session = db.session()
    seated = {player.id for player in table_of(session, game).players.values()}
    club = members.members(session, game.club_id) if game.club_id else ()
    sitting = sitters.of_seat(session, clock.now(), seat.id)
    return answered(
        SittersOut,
        seat,
        sitters=[answered(SitterOut, row, name=name) for row, name in sitting],
        candidates=[PersonOut(member.player_id, member.name) for member in club if member.player_id not in seated],
    )


@call("DELETE", "/seats/<int:seat_id>/sitters/<int:sitter_id>", SittersOut)
def end_sitter(seat_id: int, sitter_id: int) -> Any:
    """The player is back: the sitter's right ends at once."""
    seat, game = _seat(seat_id)
    sitters.end(*current(), sitter_id, seat.id)
    return _sitters(seat, game)
