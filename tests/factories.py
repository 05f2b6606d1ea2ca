"""People, clubs and games for tests. Games are built by playing them, never by writing their rows."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Any

import factory
import msgspec
from factory.alchemy import SQLAlchemyModelFactory
from sqlalchemy import delete, select

from pbem.bots import basic, selfplay
from pbem.engine.core.rng import Rng
from pbem.engine.registry import rules_of
from pbem.extensions import db
from pbem.play.orders import submission as orders
from pbem.play.seats import opening
from pbem.play.turns.advance import advance
from pbem.play.views.game_context import state_of
from pbem.store import unit_of_work
from pbem.store.models import Club, Game, Letter, Member, OpenDecision, Player, Seat, StoredPly
from pbem.store.queries import common
from tests import enqueued

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy.orm import Session

    from pbem.store.unit_of_work import Work

START = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
"""A Monday at noon: when the tests' games begin."""
NAMES = ("Alice", "Bob", "Charlie", "Dora", "Emil")


class PlayerFactory(SQLAlchemyModelFactory):  # type: ignore[misc]  # factory-boy ships no types
    """A person who has answered from their address before."""

    class Meta:
        """Rows go into the app's own session."""

        model = Player
        sqlalchemy_session_factory = lambda: db.session  # noqa: E731 - as factory-boy wants it
        sqlalchemy_session_persistence = "flush"

    name = factory.Sequence(lambda n: NAMES[n % len(NAMES)])
    address = factory.Sequence(lambda n: f"player{n}@nile.example")
    address_state = "good"
    accepted_at = START
    created_at = START


class ClubFactory(SQLAlchemyModelFactory):  # type: ignore[misc]  # factory-boy ships no types
    """A club without members."""

    class Meta:
        """Rows go into the app's own session."""

        model = Club
        sqlalchemy_session_factory = lambda: db.session  # noqa: E731 - as factory-boy wants it
        sqlalchemy_session_persistence = "flush"

    name = factory.Sequence(lambda n: f"Club {n}")
    slug = factory.Sequence(lambda n: f"club-{n}")
    created_at = START


class GameFactory(factory.Factory):  # type: ignore[misc]  # factory-boy ships no types
    """A game under way: opened, dealt, and `plays` decisions answered at random. Its players are `people` and bots."""

    class Meta:
        """What comes out; it is opened, not constructed."""

        model = Game

    game = "priestsofra"
    people = 2
    bots: Sequence[str] = ("random",)
    options: Mapping[str, str] = {}
    seed = "nile"
    now = START
    plays = 0
    here: Any = None
    """A position that the game begins with instead of its own."""

    @classmethod
    def _create(cls, model_class: type[Game], **wishes: Any) -> Game:
        """Open the game of `wishes`, ask the first question, and answer as many as wished."""
        assert model_class is Game
        session: Session = db.session()
        people, bots, plays = wishes.pop("people"), wishes.pop("bots"), wishes.pop("plays")
        now: datetime = wishes.pop("now")
        players = PlayerFactory.create_batch(people) if isinstance(people, int) else list(people)
        seats = (
            *(opening.SeatPlan(player_id=player.id, seated=True) for player in players),
            *(opening.SeatPlan(bot=bot) for bot in bots),
        )
        wishes.setdefault("organiser_id", players[0].id if players else None)
        behind = wishes.pop("watch_delay", 0)
        here = wishes.pop("here")
        game = opening.open_game(session, now, opening.GamePlan(seats=seats, **wishes))
        if here is not None:
            place(session, game, here)
        game.watch_delay = behind
        advance(session, now, game.id)
        session.commit()
        if plays:
            session.refresh(game)
        for _ in range(plays):
            _answer_all_as_read(session, now, game)
        return game


def place(session: Session, game: Game, here: Any) -> None:
    """Let a game that has been dealt stand in another position, in which nothing is asked yet."""
    session.execute(delete(OpenDecision).where(OpenDecision.game_id == game.id))
    game.version += 1
    scope = rules_of(game.game, game.rules_version).scope(here)
    dealt = session.scalars(select(StoredPly).where(StoredPly.game_id == game.id, StoredPly.ply == game.ply)).one()
    dealt.snapshot, dealt.phase, dealt.round = msgspec.json.encode(here), scope.phase, scope.round
    session.flush()


@cache
def near_the_end(game: str, seats: int, *options: tuple[str, str], plies: int = 40) -> Any:
    """A position so many plies before a game's end, for `here`: what matters only once it is over is there soon."""
    rules, states = rules_of(game), []
    table = selfplay.SelfplayTable(rules, (basic.RandomBot(),) * seats, dict(options))
    selfplay.play(table, "near the end", lambda state, _orders, _chance: states.append(rules.copy(state)))
    return states[-plies]


@cache
def first_asked(game: str, seats: int) -> Mapping[str, Any]:
    """For each kind of decision that the first seat of random games is asked, a position where it is, for `here`."""
    rules = rules_of(game)
    met: dict[str, Any] = {}
    table = selfplay.SelfplayTable(rules, (basic.RandomBot(),) * seats, {})

    def look(state: Any, *_: Any) -> None:
        asked = rules.awaited(state).get(0)
        if asked and asked.kind not in met:
            met[asked.kind] = rules.copy(state)

    for number in range(4):
        selfplay.play(table, f"asked {number}", look)
    return met


def in_a_club(session: Session, game: Game, *people: int | None) -> None:
    """Put a game into a club that these persons are members of."""
    club = ClubFactory.create()
    game.club_id = club.id
    for player_id in people:
        session.add(Member(club_id=club.id, player_id=player_id, role="player", joined_at=START))
    session.flush()


def asked(session: Session, game: Game) -> list[OpenDecision]:
    """The decisions of a game that wait for an answer."""
    session.refresh(game)
    return _asked_as_read(session, game)


def _asked_as_read(session: Session, game: Game) -> list[OpenDecision]:
    found = common.decisions_of(session, game)
    return [decision for decision in found if decision.order_id is None and not decision.optional]


def newly_due(session: Session) -> frozenset[Work]:
    """What the transaction at hand has made due since this was asked last."""
    found = unit_of_work.due(session)
    asked_before = session.info.get(enqueued.ASKED, frozenset())
    session.info.pop(unit_of_work._DUE, None)
    session.info[enqueued.ASKED] = asked_before | found
    return found


def letters(session: Session, kind: str, ply: int | None = None) -> list[Letter]:
    """The letters of a kind, of one ply or of all, in the order they were written."""
    found = session.execute(select(Letter).where(Letter.kind == kind).order_by(Letter.id)).scalars()
    return [letter for letter in found if ply is None or letter.ply == ply]


def one_question(session: Session) -> Game:
    """A game of Priests of Ra of two people and a bot, read afresh, that asks its first question."""
    made: Game = GameFactory(seed="one question")
    session.refresh(made)
    return made


def seat_of(session: Session, game: Game, seat: int) -> Seat:
    """A seat by its number."""
    return session.execute(select(Seat).where(Seat.game_id == game.id, Seat.seat == seat)).scalar_one()


def state(session: Session, game: Game) -> Any:
    """The engine's state of a game, for choosing orders."""
    return state_of(rules_of(game.game, game.rules_version), common.snapshot(session, game.id, game.ply))


def some_order(session: Session, game: Game, seat: int, pick: int = 0) -> str:
    """A legal order for a seat that is asked; another one for each `pick`."""
    return _some_order(game, state(session, game), seat, pick)


def _some_order(game: Game, here: Any, seat: int, pick: int = 0) -> str:
    rules = rules_of(game.game, game.rules_version)
    if rules.sealed(here):
        return "bid lowest"
    return str(rules.sample(here, seat, Rng(f"pick-{pick}", game.ply + seat)))


def answer(session: Session, now: datetime, game: Game, seat: int, text: str = "", **more: Any) -> orders.Receipt:
    """Submit an order for a seat, any legal one if no text is given, and commit."""
    ply = more.pop("ply", game.ply + 1)
    submission = orders.Submission(
        seat_id=seat_of(session, game, seat).id, ply=ply, text=text or some_order(session, game, seat), **more
    )
    receipt = orders.submit(session, now, submission)
    session.commit()
    return receipt


def answer_all(session: Session, now: datetime, game: Game) -> None:
    """Answer everything that is asked and carry the game on."""
    session.refresh(game)
    _answer_all_as_read(session, now, game)


def _answer_all_as_read(session: Session, now: datetime, game: Game) -> None:
    """The same, of a game whose row is known as it stands, which it is again afterwards."""
    here = state(session, game)
    rows = session.execute(select(Seat.seat, Seat.id).where(Seat.game_id == game.id))
    seats = {row.seat: row.id for row in rows}
    for decision in _asked_as_read(session, game):
        text = _some_order(game, here, decision.seat)
        wish = orders.Submission(seat_id=seats[decision.seat], ply=game.ply + 1, text=text)
        assert orders.submit(session, now, wish).accepted
    advance(session, now, game.id)
    session.commit()
    session.refresh(game)


def until_lists_are_owed(session: Session, now: datetime, game: Game, text: str = "ra") -> None:
    """Give `text` wherever an order is asked, until everybody owes the list of a sealed auction."""
    while not all(decision.sealed for decision in asked(session, game)):
        for decision in asked(session, game):
            answer(session, now, game, decision.seat, text)
        advance(session, now, game.id)
        session.commit()


def play_to_the_end(session: Session, now: datetime, game: Game) -> None:
    """Answer at random until the game is over."""
    session.refresh(game)
    for _ in range(2000):
        if game.state != "running":
            return
        _answer_all_as_read(session, now, game)
    raise AssertionError(game.ply)


def forged(token: str) -> str:
    """The same token or link with one letter of its signature changed: not the last, two bits of which say nothing."""
    return token[:-2] + ("B" if token[-2] == "A" else "A") + token[-1]


def hours(count: float) -> timedelta:
    """A length of time."""
    return timedelta(hours=count)
