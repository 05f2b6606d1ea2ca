"""The demo's club: a few people, and games among them and bots that have been going on for a while."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.bots import players as bots
from pbem.clubs.members import club_settings
from pbem.clubs.members.founding import found_club, person_at
from pbem.engine import registry
from pbem.engine.core.rng import Rng
from pbem.play.deadlines.cadence import CADENCES
from pbem.play.orders import submission
from pbem.play.seats import opening
from pbem.play.turns.advance import advance
from pbem.play.views.game_context import state_of
from pbem.store.models import Club, Game, Member, OpenDecision, Player, Seat
from pbem.store.queries import common

NAME = "The Nile Club"
PEOPLE = ("Ada", "Ben")
"""Ada is the one whose mail a visitor reads first; Ben shares a game with her."""
PATIENCE = msgspec.structs.replace(CADENCES["correspondence"], release=0)
"""The cadence: a visitor shall not be reminded while looking around, nor wait for answers that are held."""


class DemoGame(NamedTuple):
    """One game of the sample: who sits in it, and how many decisions its people have behind them."""

    game: str
    title: str
    seats: tuple[str, ...]
    """Names of people, or of bots."""
    played: int


PLANS = (
    DemoGame("amunre", "Pyramids by post", ("Ada", "heuristic", "heuristic", "heuristic"), 9),
    DemoGame("priestsofra", "Evening auction", ("Ada", "heuristic", "heuristic"), 14),
    DemoGame("egizia", "Down the river", ("Ada", "heuristic", "heuristic", "heuristic"), 11),
    DemoGame("amunre", "Two of us and the bots", ("Ada", "Ben", "heuristic"), 4),
)


def open_sample(session: Session, clock: Callable[[], datetime]) -> None:
    """Make the club and play its games on to where a visitor takes over; does nothing if it is there already."""
    if common.is_any(session, Club.name == NAME):
        return
    people = {name: _welcome(session, clock(), name) for name in PEOPLE}
    club = found_club(session, clock(), NAME, address(PEOPLE[0]))
    club_settings.open_to(session, clock(), club.id, people[PEOPLE[0]].id, 0)
    session.add(Member(club_id=club.id, player_id=people["Ben"].id, role="player", joined_at=clock()))
    for plan in PLANS:
        game = _open(session, clock(), club, plan, people)
        for _ in range(plan.played):
            _play_on(session, clock(), game)


def invite(session: Session, now: datetime, game: str, names: Sequence[str], seed: str) -> None:
    """Found a club whose organiser invites the people called `names` to one game, drawn from `seed`."""
    club = found_club(session, now, NAME, address("Organiser"))
    plan = opening.GamePlan(
        game=game,
        seats=tuple(opening.SeatPlan(player_id=person_at(session, now, address(name), name).id) for name in names),
        club_id=club.id,
        organiser_id=person_at(session, now, address("Organiser")).id,
        cadence=PATIENCE,
        title=registry.rules_of(game).meta.title,
        seed=seed,
    )
    opening.open_game(session, now, plan)


def address(name: str) -> str:
    """Return where somebody of the demo gets mail."""
    return f"{name.casefold()}@nile.example"


def _welcome(session: Session, now: datetime, name: str) -> Player:
    """Return a person who has answered from their address before."""
    player = person_at(session, now, address(name), name)
    player.address_state, player.accepted_at = "good", now
    return player


def _open(session: Session, now: datetime, club: Club, plan: DemoGame, people: dict[str, Player]) -> int:
    seats = tuple(
        opening.SeatPlan(player_id=people[who].id, seated=True) if who in people else opening.SeatPlan(bot=who)
        for who in plan.seats
    )
    opened = opening.open_game(
        session,
        now,
        opening.GamePlan(
            game=plan.game,
            seats=seats,
            club_id=club.id,
            organiser_id=people[PEOPLE[0]].id,
            cadence=PATIENCE,
            title=plan.title,
            seed=f"{NAME}: {plan.title}",
        ),
    )
    return opened.id


def _play_on(session: Session, now: datetime, game_id: int) -> None:
    """Let everybody asked answer as a bot would in their place, and the game go on from there."""
    game = session.get_one(Game, game_id)
    rules = registry.rules_for(game)
    state = state_of(rules, common.snapshot(session, game_id, game.ply))
    asked = select(Seat, OpenDecision).join(OpenDecision, Seat.holds(OpenDecision))
    here = (
        OpenDecision.game_id == game_id,
        OpenDecision.ply == game.ply + 1,
        ~OpenDecision.optional,
        ~OpenDecision.ahead,
    )
    for seat, decision in session.execute(asked.where(*here)).all():
        view = rules.view(state, seat.seat)
        choice = bots.bot_of(game.game, "heuristic").choose(rules, view, Rng(f"{game.seed}:{seat.seat}", decision.ply))
        submission.submit(session, now, submission.Submission(seat_id=seat.id, ply=decision.ply, text=str(choice)))
    advance(session, now, game_id)
    session.commit()
