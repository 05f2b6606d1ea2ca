"""How far a game carries by itself: plies resolved in a row until somebody has to be asked. Knows no database."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from hashlib import sha256
from itertools import islice
from typing import Any

import msgspec

from pbem.bots import players
from pbem.engine.core.message import N_, Event, Message
from pbem.engine.core.rng import Rng
from pbem.engine.core.types import AnyRules, Decision, Order, Outcome, Scope
from pbem.engine.text import standing_orders, standing_text
from pbem.play.orders import lookahead

CAP = 500
"""Plies of one run; what is left goes on in the next one."""


THINKER = "search"
"""What the names of bots begin with that take their time: they think while nobody waits for the game's lock."""


_CAME_ABOUT = {
    "standing": N_("Your standing order answered: {order}."),
    "plan": N_("Your plan answered: {order}."),
    "then": N_("Your order given ahead was played: {order}."),
    "sealed": N_("Your list of bids answered: {order}."),
    "forced": N_("Nothing else was possible, so nothing was asked: {order}."),
    "sitter": N_("The sitter gave this order: {order}."),
}
"""What a seat alone is told of an order that its player didn't give, by the kind given ahead or by the hand.

Of cover and of bots everybody is told, by `advance` and as a seat changes hands.
"""
_TOLD_WITH_PLY = ("forced", "sitter")
"""Hands of which nothing is said before their ply."""
_DROPPED = {
    "then": N_("Your next order, {order}, is not possible now, so the rest of the chain was dropped."),
    "sitter": N_("The sitter's next order, {order}, is not possible now, so the rest of the chain was dropped."),
}
PRIVATE_NOTES = frozenset((*_CAME_ABOUT.values(), *_DROPPED.values()))
"""What stays its seat's own when a game is over: the rules hid none of it, and it tells what was given ahead."""


class GivenAhead(msgspec.Struct):
    """An order in somebody's name, and how it came about."""

    order: Order
    hand: str
    """player, sitter, standing, autopilot, bot, forced."""
    told_as: str = ""
    """How its seat is told of it, where that isn't its hand."""


class Premove(msgspec.Struct):
    """Orders a seat gave ahead, as stored; `uses` and `ended` are what this run did with them."""

    id: int | None
    kind: str
    """standing, then, sealed."""
    text: str
    stored: Scope
    parsed: standing_text.StandingOrders | None = None
    """Read once a run; None for a chain and for an empty sealed list."""
    uses: int = 0
    ended: str = ""
    """Why it is over; empty while it lives."""
    changed: bool = False
    """Whether `text` is no longer what is stored."""
    of_decision: bool = False
    """Whether it is the order of an open decision: that keeps it until a ply is resolved."""
    told_as: str = ""
    """How its seat is told that it answered: plan for what was tapped, sitter; empty: as what its kind is."""


class RunSeat(msgspec.Struct):
    """A seat as a run sees it: person or bot, its fallback, and what was given ahead."""

    seat: int
    bot: str = ""
    """The bot's name; `cautious` also for a seat that nobody holds."""
    ahead: list[Premove] = []


class ResolvedPly(msgspec.Struct, frozen=True):
    """One resolved ply, ready to be stored."""

    ply: int
    chance: tuple[str, ...]
    events: bytes
    snapshot: bytes
    digest: str
    phase: str
    round: str
    orders: dict[int, str] = {}
    hands: dict[int, str] = {}


class Run:
    """Resolves one game's state, which it owns, ply after ply."""

    def __init__(  # noqa: PLR0913, PLR0917 - a game is that much
        self,
        rules: AnyRules,
        state: Any,
        seed: str,
        ply: int,
        seats: Sequence[RunSeat],
        thoughts: Mapping[tuple[int, int], str],
    ) -> None:
        """Take the state after ply `ply` and everything that can answer for its seats.

        `thoughts` are what bots that take their time have come up with, by ply and seat.
        """
        self.rules = rules
        self.state = state
        self.seed = seed
        self.ply = ply
        self.seats = {seat.seat: seat for seat in seats}
        self.steps: list[ResolvedPly] = []
        self.notes: list[Event] = []
        """Events that no rule made: standing orders used, answers for those who missed the deadline."""
        self.answers: dict[int, GivenAhead] = {}
        """What the seats have answered so far to the decision they stand before."""
        self.outcome: Outcome | None = None
        self.early: tuple[int, ...] = ()
        """Seats to be asked before their turn, once the run has come to a halt."""
        self.holds = False
        """Whether answers that could tell something wait for the time at which all of them count."""
        self.released = False
        """Whether that time has come for the ply the run begins with."""
        self.held = False
        """Whether everybody has answered and the run came to a halt until then."""
        self.thoughts = thoughts
        self.to_think: tuple[int, ...] = ()
        """Seats whose bot must be given time before the run can go on."""

    def go(self, given: Mapping[int, GivenAhead], cap: int = CAP) -> bool:
        """Resolve plies until somebody must be asked, the game ends or `cap` plies are done (then True).

        `given` answers the present decisions; later ones are answered by bots, forced choices and orders given ahead.
        """
        self.answers = dict(given)
        for _ in range(cap):
            asked = self.rules.awaited(self.state)
            if not asked:
                self.outcome = self.rules.outcome(self.state)
                return False
            if self.to_seal():
                return False
            self._seal_standing_orders()
            if not self._answer(asked):
                self._halt()
                return False
            self._resolve(asked)
        return True

    def _halt(self) -> None:
        """Attach what was noted since the last ply to that ply, and set in `early` who is asked before their turn.

        They are the persons who may order now and have given no order that fits.
        """
        early = (seat for seat, decision in self.rules.asked(self.state).items() if decision.ahead)
        self.early = tuple(seat for seat in early if not self.seats[seat].bot and not self._is_settled(seat))
        if self.steps and self.notes:
            told = [*msgspec.json.decode(self.steps[-1].events, type=list[Event]), *self.notes]
            self.steps[-1] = msgspec.structs.replace(self.steps[-1], events=msgspec.json.encode(told))
            self.notes = []

    def _is_settled(self, seat: int) -> bool:
        """Return whether a seat before its turn need not be asked: it has no choice, or has given its answer ahead.

        A chain that doesn't fit any more is dropped, so that its owner is asked now, not at their turn.
        """
        if len(list(islice(self.rules.legal(self.state, seat), 2))) < 2:  # noqa: PLR2004 - one is no choice
            return True
        for ahead in self._given_ahead(seat):
            if ahead.kind == "then":
                if standing_orders.follow(self.rules, self.state, seat, tuple(ahead.text.splitlines())).order:
                    return True
                self._drop(seat, ahead)
            elif ahead.parsed is not None:
                answer = standing_orders.answer(self.rules, self.state, seat, ahead.parsed)
                if answer.line:
                    return answer.order is not None
        return False

    def _given_ahead(self, seat: int) -> list[Premove]:
        """Return what a seat has given ahead and what is still in force, in the order in which it is looked at."""
        live = [ahead for ahead in self.seats[seat].ahead if not ahead.ended]
        return sorted(live, key=lambda ahead: ("then", "sealed", "standing").index(ahead.kind))

    def to_seal(self) -> tuple[int, ...]:
        """Seats of persons who owe a sealed list for the auction that begins; none if it can be played out."""
        return tuple(seat for seat in self._bidders() if not self._has_list(seat) and not self._standing_list(seat))

    def _bidders(self) -> tuple[int, ...]:
        """Return the persons of whom a sealed list is asked now."""
        return tuple(seat for seat in self.rules.sealed(self.state) if not self.seats[seat].bot)

    def _has_list(self, seat: int) -> bool:
        return any(ahead.kind == "sealed" and not ahead.ended for ahead in self.seats[seat].ahead)

    def _standing_list(self, seat: int) -> tuple[standing_text.StandingClause, ...]:
        """Return the list that a seat's standing orders are in the auction that begins; empty if its owner is asked."""
        given = [one.parsed for one in self._given_ahead(seat) if one.kind == "standing" and one.parsed is not None]
        found = standing_orders.as_list(self.rules, self.state, seat, given)
        return () if isinstance(found, Message) else found

    def _seal_standing_orders(self) -> None:
        """Make the standing orders that speak for a sealed auction its lists: they end as every list does."""
        for seat in self._bidders():
            if not self._has_list(seat):
                listed = standing_text.StandingOrders(self._standing_list(seat))
                written = [one.told_as != "plan" for one in self._given_ahead(seat) if one.kind == "standing"]
                told_as = "standing" if any(written) else "plan"
                self._add(seat, "sealed", str(listed), told_as, listed)

    def _add(self, seat: int, kind: str, text: str, told_as: str, parsed: Any = None) -> None:
        found = Premove(None, kind, text, self._scope(), parsed, changed=True, told_as=told_as)
        self.seats[seat].ahead.append(found)

    def _answer(self, asked: Mapping[int, Decision]) -> bool:
        """Find an order for every asked seat; whether there is one. Bots last, so that none thinks in vain."""
        people = [seat for seat in asked if seat not in self.answers and not self.seats[seat].bot]
        for seat in people:
            found = self._own(seat)
            if found is not None:
                self.answers[seat] = found
        if any(seat not in self.answers for seat in people):
            return False
        self.held = self._waits_for_release(asked)
        if self.held:
            return False
        bots = [seat for seat in asked if seat not in self.answers]
        thinkers = (seat for seat in bots if self.seats[seat].bot.startswith(THINKER))
        self.to_think = tuple(seat for seat in thinkers if (self.ply + 1, seat) not in self.thoughts)
        if self.to_think:
            return False
        for seat in bots:
            self.answers[seat] = self._by_bot(seat)
        return True

    def _waits_for_release(self, asked: Mapping[int, Decision]) -> bool:
        """Whether persons chose something here that is held, and the time has not come at which all answers count."""
        if self.released:
            return False
        chosen = [seat for seat in asked if seat in self.answers and self.answers[seat].hand != "forced"]
        return any(self.is_held(asked[seat]) and not self.seats[seat].bot for seat in chosen)

    def is_held(self, decision: Decision) -> bool:
        """Return whether the answer to a decision waits for the time at which it counts."""
        return self.holds and (decision.secret or decision.held) and decision.needed

    def _own(self, seat: int) -> GivenAhead | None:
        """Return what answers for a person's seat unasked: the one legal order, or what was given ahead."""
        two = list(islice(self.rules.legal(self.state, seat), 2))
        if len(two) == 1:
            return GivenAhead(two[0], "forced")
        for ahead in self._given_ahead(seat):
            order, stop = self._consult(seat, ahead)
            if order is not None:
                ahead.uses += 1
                told_as = ahead.told_as or ahead.kind
                self.tell_use(seat, str(order), told_as)
                return GivenAhead(order, "standing", told_as)
            if stop:
                return None
        return None

    def _consult(self, seat: int, ahead: Premove) -> tuple[Order | None, bool]:
        """The order given ahead for the present decision, and whether to ask the owner instead of looking further."""
        if ahead.kind == "then":
            return self._next_link(seat, ahead), False
        if ahead.parsed is None:
            return self._last_resort(seat), False
        answer = standing_orders.answer(self.rules, self.state, seat, ahead.parsed)
        if answer.order is None:
            if ahead.kind == "sealed":
                return self._last_resort(seat), False
            return None, answer.line > 0
        if answer.rest:
            self._add(seat, "then", "\n".join(answer.rest), "sitter" if ahead.told_as == "sitter" else "")
        found: Order = answer.order
        return found, False

    def _next_link(self, seat: int, chain: Premove) -> Order | None:
        answer = standing_orders.follow(self.rules, self.state, seat, tuple(chain.text.splitlines()))
        if answer.order is None:
            self._drop(seat, chain)
            return None
        chain.text = "\n".join(answer.rest)
        chain.changed = True
        if not answer.rest:
            chain.ended = "done"
        order: Order = answer.order
        return order

    def _drop(self, seat: int, chain: Premove) -> None:
        """End a chain whose next link is not possible, and tell its owner."""
        chain.ended = "illegal"
        order = chain.text.partition("\n")[0]
        self.notes.append(Event(_DROPPED[chain.told_as or "then"], {"order": order}, seat=seat, seen_by=(seat,)))

    def _last_resort(self, seat: int) -> Order:
        """Return the order that ends every sealed list: pass where legal, else the lowest bid."""
        order: Order = self.rules.cautious(self.rules.view(self.state, seat))
        return order

    def _by_bot(self, seat: int) -> GivenAhead:
        thought = self.thoughts.get((self.ply + 1, seat))
        if thought is not None:
            return GivenAhead(self.rules.read(self.state, seat, thought), "bot")
        view = self.rules.view(self.state, seat)
        return GivenAhead(choice(self.rules, self.seats[seat].bot, view, self.seed, self.ply + 1), "bot")

    def tell_use(self, seat: int, text: str, kind: str) -> None:
        """Note for a seat how an order came about that its player didn't give now."""
        self.notes.append(Event(_CAME_ABOUT[kind], {"order": text}, seat=seat, seen_by=(seat,)))

    def _scope(self) -> Scope:
        return self.rules.scope(self.state)

    def _resolve(self, asked: Mapping[int, Decision]) -> None:
        """Carry out the answers as one ply and note it down. Answers to optional decisions ride along."""
        riding = self.rules.optional(self.state)
        alone = next((seat for seat in asked if lookahead.is_alone(self.rules, self.state, seat)), None)
        given = {seat: answer for seat, answer in self.answers.items() if seat in asked or seat in riding}
        goes_on = {seat for seat, answer in given.items() if self._is_untouched(seat, answer.order)}
        for seat, answer in given.items():
            if answer.hand in _TOLD_WITH_PLY:
                self.tell_use(seat, str(answer.order), answer.hand)
        chance = Rng(self.seed, self.ply + 1)
        events = self.rules.apply(self.state, {seat: answer.order for seat, answer in given.items()}, chance)
        self.ply += 1
        done = step(self.rules, self.state, self.ply, chance.log, [*self.notes, *events])
        for seat, answer in given.items():
            done.orders[seat] = str(answer.order)
            done.hands[seat] = answer.hand
        self.steps.append(done)
        self.notes = []
        self.answers = {}
        self.released = False
        if alone is not None and not chance.log and lookahead.is_alone(self.rules, self.state, alone):
            goes_on.add(alone)
        self._expire(goes_on)

    def _is_untouched(self, seat: int, order: Order) -> bool:
        """Whether the rest of a chain is in force whose next decision nothing can touch, whoever acts until then."""
        chained = any(ahead.kind == "then" and not ahead.ended for ahead in self.seats[seat].ahead)
        return chained and self.rules.asked_next(self.rules.view(self.state, seat), order) is not None

    def _expire(self, goes_on: Collection[int]) -> None:
        """End what has outlived its scope; chains of `goes_on`, whose next decision follows at once, go on."""
        now = self._scope()
        for seat in self.seats.values():
            for ahead in seat.ahead:
                if ahead.ended or not _is_over(ahead, now):
                    continue
                if ahead.kind == "then" and seat.seat in goes_on:
                    ahead.stored, ahead.changed = now, True
                else:
                    ahead.ended = "expired"


def choice(rules: AnyRules, bot: str, view: Any, seed: str, ply: int) -> Order:
    """Return a bot's order for ply `ply`, from one view; deterministic for bots that don't go by a clock."""
    chance = Rng(f"{seed}:bot:{view.seat}", ply)
    return players.bot_of(rules.meta.name, bot).choose(rules, view, chance)


def step(rules: AnyRules, state: Any, ply: int, chance: Sequence[str], events: Sequence[Event]) -> ResolvedPly:
    """Return a ply as it is stored, from the state after it; who ordered what is filled in by the caller."""
    snapshot = msgspec.json.encode(state)
    scope = rules.scope(state)
    return ResolvedPly(
        ply=ply,
        chance=tuple(chance),
        events=msgspec.json.encode(events),
        snapshot=snapshot,
        digest=sha256(snapshot).hexdigest(),
        phase=scope.phase,
        round=scope.round,
    )


def _is_over(ahead: Premove, now: Scope) -> bool:
    if ahead.kind == "standing" and ahead.parsed is not None:
        return standing_orders.expired(ahead.parsed, ahead.stored, now)
    return ahead.stored.phase != now.phase
