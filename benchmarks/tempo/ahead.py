"""A game in which some answer ahead: who must be visited, what plans and lists answer, when they end. No clock."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from itertools import islice
from typing import Any

import msgspec

from benchmarks.tempo.simulated_people import bot_of
from pbem.engine.core.errors import InvalidOrder
from pbem.engine.core.message import Message
from pbem.engine.core.plans import Plan
from pbem.engine.core.rng import Rng
from pbem.engine.core.types import AnyRules, Scope
from pbem.engine.registry import planner_of
from pbem.engine.text import standing_orders as standing
from pbem.engine.text import standing_text
from pbem.engine.text.notation import ELSE


class AheadPolicy(msgspec.Struct, frozen=True):
    """What a player answers ahead, and by what."""

    name: str
    parts: tuple[str, ...] = ()
    """The plans that are tapped, by their tags."""
    ask: int = 1
    """After how many lost spaces of a list its player wants to be asked (Egizia)."""
    written: bool = False
    """Whether the written program answers instead."""
    second: bool = False
    """Whether an order before its turn bears a second choice, in case the first can't be done any more."""


ASKED_EACH_TIME = AheadPolicy("asked each time")
SECOND = AheadPolicy("a second choice for a ship asked before its turn", second=True)
"""Without a plan, where everybody's next ship is asked at once (Egizia)."""
TOGETHER = {"amunre": {"auction": "sealed", "actions": "together"}, "egizia": {"ships": "together"}}
"""A club's options for games in which as much as possible is asked together."""


def planner(game: str) -> Any:
    """Return the module of a game's plans and its written program."""
    return import_module(f"benchmarks.tempo.planning.{game}")


def policies(game: str) -> tuple[AheadPolicy, ...]:
    """Return every policy that is measured for `game`: the last but one is all that the pages offer.

    Raises InvalidOrder for a game whose bot has no plans.
    """
    known: dict[str, tuple[AheadPolicy, ...]] = {
        "egizia": (
            AheadPolicy("spaces, asked when 1 is gone", ("sail",)),
            AheadPolicy("spaces, asked when 2 are gone", ("sail",), 2),
            AheadPolicy("work at the sites", ("sites",)),
            AheadPolicy("Sphinx cards", ("keep",)),
            SECOND,
            AheadPolicy("everything", ("sail", "sites", "keep"), 2, second=True),
        ),
        "amunre": (
            AheadPolicy("limits for the provinces", ("bid",)),
            AheadPolicy("the rest of the round", ("round",)),
            AheadPolicy("everything", ("bid", "round")),
        ),
        "priestsofra": (AheadPolicy("everything", ("draw",)),),
    }
    if game not in known:
        raise InvalidOrder(Message("The bots have no plans for {game}.", {"game": game}))
    return (*known[game], AheadPolicy("written program", written=True))


class GivenPlan(msgspec.Struct):
    """Orders given ahead that are in force."""

    part: str
    orders: standing_text.StandingOrders
    stored: Scope


class AheadSeat(msgspec.Struct):
    """A player and what they have given ahead."""

    bot: Any
    personality: str
    policy: AheadPolicy = ASKED_EACH_TIME
    plans: list[GivenPlan] = []
    sealed: standing_text.StandingOrders | None = None
    sealed_for: str = ""
    """The phase that a sealed list is for."""
    early: str = ""
    """An order for the next decision, given while it was somebody else's turn."""
    then: str = ""
    """An order for the decision after this one, asked on the same page though others act meanwhile."""


class AheadGame:
    """One game, played by visits of its players and by what they have given ahead."""

    def __init__(self, rules: AnyRules, seats: list[AheadSeat], seed: str, options: Mapping[str, str]) -> None:
        """Open a game."""
        self.rules = rules
        self.seats = seats
        self.seed = seed
        self.state = rules.setup(len(seats), options, Rng(seed, 0)).state
        self.ply = 0
        self.orders: dict[int, Any] = {}
        self.choices = self.answered = 0
        """Decisions with a choice that players took or plans answered for them, and those that plans answered."""
        self.ended: set[int] = set(range(len(seats)))
        """Seats to whom it happened since they were last looked at that a phase began or a plan ended."""
        self.compiler: Any = planner_of(rules.meta.name)
        self.planner: Any = planner(rules.meta.name)

    def missing(self) -> tuple[int, ...]:
        """Return who must be visited before the game can go on; empty if it can, and when it is over."""
        asked = self.rules.awaited(self.state)
        if owing := self._owing():
            return owing
        self._seal_plans()
        for seat in asked:
            if seat not in self.orders:
                order = self._given(seat)
                if order is not None:
                    self.orders[seat] = order
        return tuple(seat for seat in asked if seat not in self.orders)

    def is_held(self) -> bool:
        """Return whether the answers to what is asked now wait for a common time at the pace of a club."""
        return any(decision.secret or decision.held for decision in self.rules.awaited(self.state).values())

    def _listless(self) -> Iterator[tuple[int, tuple[standing_text.StandingClause, ...] | Message]]:
        """Seats of whom a sealed list is due that have sent none, each with that of its plans or why it is asked."""
        phase = self.rules.scope(self.state).phase
        for seat in self.rules.sealed(self.state):
            if self.seats[seat].sealed_for != phase:
                given = [one.orders for one in self.seats[seat].plans]
                yield seat, standing.as_list(self.rules, self.state, seat, given)

    def _owing(self) -> tuple[int, ...]:
        """Seats that owe a sealed list."""
        return tuple(seat for seat, found in self._listless() if isinstance(found, Message))

    def _seal_plans(self) -> None:
        """Make the plans that speak in a sealed auction its lists."""
        for seat, found in self._listless():
            assert not isinstance(found, Message)
            player = self.seats[seat]
            player.sealed = standing_text.StandingOrders(found)
            player.sealed_for = self.rules.scope(self.state).phase
            self.choices += 1
            self.answered += 1

    def _given(self, seat: int) -> Any:
        """Return the one legal order, or what was given ahead; nothing if the player must be asked."""
        player = self.seats[seat]
        then, player.then = player.then, ""
        if (forced := self._forced(seat)) is not None:
            return forced
        if then and (order := self._said(seat, then)) is not None:
            return order
        if player.early:
            text, player.early = player.early, ""
            if (order := self._said(seat, text)) is not None:
                return order
        if player.sealed is not None and player.sealed_for == self.rules.scope(self.state).phase:
            found = standing.answer(self.rules, self.state, seat, player.sealed).order
            return self.rules.cautious(self.rules.view(self.state, seat)) if found is None else found
        found = self._by_plan(seat, player)
        self.choices += found is not None
        self.answered += found is not None
        return found

    def _forced(self, seat: int) -> Any:
        two = list(islice(self.rules.legal(self.state, seat), 2))
        return two[0] if len(two) == 1 else None

    def _said(self, seat: int, text: str) -> Any:
        """Return the order that `text` comes to now; None if none of it can be done."""
        return standing.follow(self.rules, self.state, seat, (text,)).order

    def _by_plan(self, seat: int, player: AheadSeat) -> Any:
        for given in player.plans:
            answer = standing.answer(self.rules, self.state, seat, given.orders)
            if answer.order is not None:
                return answer.order
            if answer.line:
                return None
        return None

    def visit(self, seat: int) -> None:
        """Let a player see the game: they plan, and answer what they are asked and what their plans leave open."""
        player = self.seats[seat]
        view = self.rules.view(self.state, seat)
        asked = self.rules.awaited(self.state)
        if seat in self._owing():
            player.sealed = standing_text.parse(self.rules, self._list(view, player))
            player.sealed_for = self.rules.scope(self.state).phase
            self.choices += 1
        elif seat in asked and seat not in self.orders:
            order = player.bot.choose(self.rules, view, Rng(f"{self.seed}/{seat}", self.ply))
            whole = getattr(self.planner, "whole", None) if len(asked) > 1 else None
            self.orders[seat] = whole(view, order) if whole else order
            self.choices += 1
            if (after := self.rules.asked_next(view, order)) is not None:
                player.then = str(player.bot.choose(self.rules, after, Rng(f"{self.seed}/{seat}", self.ply)))
                self.choices += 1
        if player.policy.parts:
            self._plan(view, player)
        if seat in self.early():
            player.early = str(player.bot.choose(self.rules, view, Rng(f"{self.seed}/{seat}", self.ply)))
            if player.policy.second and (second := self.planner.second(view, player.personality)):
                player.early += f"{ELSE}{second}"
            self.choices += 1

    def _list(self, view: Any, player: AheadSeat) -> str:
        if self.rules.meta.name == "amunre":
            return str(self.compiler.text(self.planner.limits(view, player.personality)))
        return str(self.planner.sealed(view, player.personality))

    def early(self) -> tuple[int, ...]:
        """Seats that are asked before their turn and have given nothing that fits; what can't be done is dropped."""
        asked = self.rules.asked(self.state)
        return tuple(seat for seat, decision in asked.items() if decision.ahead and not self._has_said(seat))

    def _has_said(self, seat: int) -> bool:
        """Return whether a seat whose turn is still to come need not be asked."""
        player = self.seats[seat]
        if player.early and self._said(seat, player.early) is None:
            player.early = ""
        return bool(player.early) or self._forced(seat) is not None or self._by_plan(seat, player) is not None

    def _plan(self, view: Any, player: AheadSeat) -> None:
        """Make the player's plans anew; what they can't plan now stays."""
        scope = self.rules.scope(self.state)
        for part, text in self.texts(view, player):
            player.plans = [given for given in player.plans if given.part != part]
            player.plans.append(GivenPlan(part, standing_text.parse(self.rules, text), scope))

    def texts(self, view: Any, player: AheadSeat) -> Iterator[tuple[str, str]]:
        """Yield what the player would plan now, as the page's compiler writes it."""
        made: Plan
        for made in self.planner.plan(view, player.personality, player.policy.ask):
            part = str(made.__struct_config__.tag)
            if part in player.policy.parts:
                yield part, self.compiler.text(made)

    def wants_to_plan(self, seat: int) -> bool:
        """Whether a player who plans has something to plan that isn't in force, since the last time this was asked."""
        player = self.seats[seat]
        if not player.policy.parts or seat not in self.ended:
            return False
        self.ended.discard(seat)
        in_force = {given.part for given in player.plans}
        view = self.rules.view(self.state, seat)
        return any(part not in in_force for part, _ in self.texts(view, player))

    def resolve(self) -> None:
        """Carry out the orders of one ply, and end what has outlived its scope."""
        self.ply += 1
        before = self.rules.scope(self.state)
        self.rules.apply(self.state, self.orders, Rng(self.seed, self.ply))
        self.orders = {}
        now = self.rules.scope(self.state)
        for seat, player in enumerate(self.seats):
            player.early = player.early if now == before else ""
            if now.phase != before.phase:
                self.ended.add(seat)
                player.plans = [one for one in player.plans if not standing.expired(one.orders, one.stored, now)]


def player(rules: AnyRules, seed: str, seat: int, policy: AheadPolicy) -> AheadSeat:
    """Return a player of their own personality who answers ahead by this policy."""
    personality = f"{seed}/{seat}"
    found = AheadSeat(bot_of(rules.meta.name, personality), personality, policy)
    if policy.written:
        scope = rules.scope(rules.setup(rules.meta.seats[0], {}, Rng("", 0)).state)
        program = standing_text.parse(rules, planner(rules.meta.name).WRITTEN.strip())
        found.plans = [GivenPlan("written", program, scope)]
    return found


def finished(game: AheadGame) -> tuple[int, ...]:
    """Play a game to its end, everybody who must be visited being so at once; the scores."""
    while game.rules.awaited(game.state):
        for seat in range(len(game.seats)):
            if game.wants_to_plan(seat):
                game.visit(seat)
        for seat in game.early():
            game.visit(seat)
        missing = game.missing()
        for seat in missing:
            game.visit(seat)
        if not missing:
            game.resolve()
    outcome = game.rules.outcome(game.state)
    assert outcome is not None
    return outcome.scores
