"""People who play over HTTP and remember what they were told: the history that the checker holds against the server."""

from __future__ import annotations

import http.client
import threading
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy.exc import DBAPIError

from benchmarks.faults.history import Said
from benchmarks.faults.targets import PATIENCE, patiently
from benchmarks.unasked import Unasked
from pbem import clock
from pbem.capabilities import acts, api_keys
from pbem.clubs.members.founding import person_at
from pbem.engine.core.rng import Rng
from pbem.engine.registry import rules_of
from pbem.extensions import db
from pbem.play.seats import opening
from pbem.play.turns.advance import advance
from pbem.play.views.game_context import state_of
from pbem.store.models import Game, OpenDecision, Seat
from pbem.store.queries import common

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.faults.stage import Stage

TRIES = 1000
"""How often a person sends an order again that got no answer."""
STILL = 10.0
"""Seconds without a ply after which messages go out for what is due."""


class Question(msgspec.Struct, frozen=True):
    """What one seat is asked, and a legal answer."""

    game_id: int
    seat_id: int
    seat: int
    ply: int
    order: str


class Player:
    """One connection of one person; what it was told goes into the history."""

    def __init__(self, stage: Stage, history: list[Said]) -> None:
        """Connect when needed."""
        self._stage, self._history = stage, history
        self._connection = http.client.HTTPConnection(stage.host, stage.port, timeout=30)

    def send(self, key: str, question: Question, request: str, text: str = "") -> Said:
        """Send an order once; no answer is an answer too."""
        text = text or question.order
        body = msgspec.json.encode({"ply": question.ply, "text": text, "request": request})
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        start = time.monotonic()
        status, answer = 0, {}
        try:
            self._connection.request("POST", f"/api/v1/seats/{question.seat_id}/orders", body, headers)
            got = self._connection.getresponse()
            status, answer = got.status, msgspec.json.decode(got.read())
        except (OSError, http.client.HTTPException):
            self._connection.close()
        said = Said(
            game_id=question.game_id,
            seat=question.seat,
            ply=question.ply,
            text=text,
            request=request,
            status=status,
            canonical=answer.get("canonical", ""),
            reason=answer.get("error", ""),
            seconds=time.monotonic() - start,
        )
        self._history.append(said)
        return said

    def insist(self, key: str, question: Question, request: str, text: str = "") -> Said:
        """Send an order, and again until somebody answers, as a person does who sees an error page."""
        for _ in range(TRIES):
            said = self.send(key, question, request, text)
            if said.status and said.status < http.HTTPStatus.INTERNAL_SERVER_ERROR:
                return said
            threading.Event().wait(0.05)
        raise AssertionError(f"No answer after {TRIES} tries: {question}")

    def close(self) -> None:
        """Hang up."""
        self._connection.close()


class Club:
    """Games of people with keys for their seats."""

    def __init__(self, stage: Stage) -> None:
        """Begin with no game."""
        self.stage = stage
        self.history = stage.history
        self.games: list[int] = []
        self.keys: dict[int, str] = {}

    def open(self, count: int = 1, game: str = "priestsofra", people: int = 3, **wishes: Any) -> list[int]:
        """Start games; each player has a mail domain of their own, so that no pace holds letters up."""
        with self.stage.app.app_context():
            made = [self._open(game, people, wishes) for _ in range(count)]
        self.games += made
        return made

    def _open(self, game: str, people: int, wishes: dict[str, Any]) -> int:
        session, now = db.session(), clock.now()
        number = len(self.keys)
        names = [f"p{number + i}" for i in range(people)]
        players = [person_at(session, now, f"{name}@{name}.example", name) for name in names]
        for player in players:
            player.accepted_at, player.address_state, player.digest_hour = now, "good", None
            player.wakes, player.sleeps, player.weekends = 0, 1440, True
        seats = tuple(opening.SeatPlan(player_id=player.id, seated=True) for player in players)
        seats += tuple(opening.SeatPlan(bot=bot) for bot in wishes.get("bots", ()))
        options = {"auctions": "in_turn"} if game == "priestsofra" else {}
        wishes = {"organiser_id": players[0].id, "options": options, **wishes}
        wishes.pop("bots", None)
        made = opening.open_game(session, now, opening.GamePlan(game=game, seats=seats, **wishes))
        session.flush()
        acts.begin(session, Unasked())
        for row, holder in common.seats_of(session, made.id):
            if holder is not None:
                self.keys[row.id] = api_keys.issue_for_seat(session, now, holder.id, row.id, "player")
        session.commit()
        done = advance(session, now, made.id)
        session.commit()
        while done.think:  # else the game would be left to nobody until this run's lease ends
            thoughts = {(one.ply, one.seat): one.ponder() for one in done.think}
            done = advance(session, clock.now(), made.id, thoughts=thoughts, lease=done.lease)
            session.commit()
        return made.id

    def running(self) -> int:
        """How many of the games go on."""
        return self.stage.count(Game, Game.id.in_(self.games), Game.state == "running")

    def questions(self, games: Sequence[int] = ()) -> list[Question]:
        """Every unanswered decision of these games (all, by default) with a legal order."""
        with self.stage.app.app_context():
            session = db.session()
            rows = session.execute(
                db.select(Game, OpenDecision, Seat.id)
                .join(OpenDecision, (OpenDecision.game_id == Game.id) & (OpenDecision.ply == Game.ply + 1))
                .join(Seat, (Seat.game_id == Game.id) & (Seat.seat == OpenDecision.seat))
                .where(Game.id.in_(games or self.games), Game.state == "running")
                .where(OpenDecision.order_id.is_(None), OpenDecision.optional.is_(False))
                .order_by(Game.id, OpenDecision.seat)
            ).all()
            return [self._question(game, decision, seat_id) for game, decision, seat_id in rows]

    def asked(self) -> Question:
        """Wait until somebody is asked, with messages for what is due; the first question."""
        found: list[Question] = []

        def is_asked() -> bool:
            self.stage.sweep()
            found.extend(self.questions())
            return bool(found)

        patiently(is_asked, "somebody is asked")
        return found[0]

    def _question(self, game: Game, decision: OpenDecision, seat_id: int) -> Question:
        rules = rules_of(game.game, game.rules_version)
        state = state_of(rules, common.snapshot(db.session(), game.id, game.ply))
        order = str(rules.sample(state, decision.seat, Rng("people", decision.ply + decision.seat)))
        return Question(game.id, seat_id, decision.seat, decision.ply, order)

    @contextmanager
    def person(self) -> Iterator[Player]:
        """Somebody with a connection."""
        player = Player(self.stage, self.history)
        try:
            yield player
        finally:
            player.close()

    def answer_all(self, games: Sequence[int] = ()) -> list[Said]:
        """Answer everything that is asked, once each."""
        with self.person() as player:
            return [
                player.insist(self.keys[one.seat_id], one, f"{one.ply}-{one.seat}") for one in self.questions(games)
            ]

    def go_on(self) -> bool:
        """Answer everything that is asked and send messages for what is due, as the beat would; always true."""
        self.answer_all()
        self.stage.sweep()
        return True

    def play(self, plies: int, games: Sequence[int] = (), *, beat: bool = True) -> None:
        """Play until these games together have `plies` more plies. `beat`: once they stand still, as it would look.

        Where the machine is busy Redis may leave a message unanswered for a second: only a sweep finds its work then.
        """
        before, since = self.stage.plies(), time.monotonic()
        goal = before + plies

        def is_there() -> bool:
            nonlocal before, since
            self.answer_all(games)
            now = self.stage.plies()
            if now != before:
                before, since = now, time.monotonic()
            elif beat and time.monotonic() - since > STILL:
                self.stage.sweep()
            return now >= goal

        patiently(is_there, f"{plies} plies are played")

    @contextmanager
    def playing(self, crowd: int = 2) -> Iterator[None]:
        """Have people play all the while, in `crowd` threads, each with games of its own."""
        enough = threading.Event()
        faults: list[BaseException] = []

        def sit(games: list[int]) -> None:
            try:
                while not enough.wait(0.05):
                    with suppress(DBAPIError):  # the audience can't look while the database is away
                        self.answer_all(games)
            except BaseException as fault:  # noqa: BLE001 - told to whoever waits below
                faults.append(fault)

        threads = [threading.Thread(target=sit, args=(self.games[i::crowd],)) for i in range(crowd)]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            enough.set()
            for thread in threads:
                thread.join(2 * PATIENCE)
        if faults:
            raise faults[0]
