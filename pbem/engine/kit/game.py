"""The verbs of `engine.core.types.Rules`, from what a game declares; each can be overridden."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import islice
from operator import or_
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from pbem.engine.core.choosing import pick
from pbem.engine.core.errors import InvalidOrder
from pbem.engine.core.forms import Choice, Filled, Form, Group, Pick, quick
from pbem.engine.core.message import Event, Message, sentence
from pbem.engine.core.rng import Chance, Rng
from pbem.engine.core.sheet import ScoreSheet
from pbem.engine.core.types import Decision, Fact, Meta, Order, Outcome, Resolution, Rules, Scope
from pbem.engine.kit.arguments import Many, Ranking, one_of
from pbem.engine.kit.verb import Ply, Verb, read_order
from pbem.engine.text.candidates import settled
from pbem.engine.text.notation import GrammarRow
from pbem.structs import Value

S = TypeVar("S", bound=msgspec.Struct)
_ROUND = "round"
_WORLDS = 4
"""Positions imagined from a view for its score sheet."""


class TableView(Value, Generic[S]):
    """What one seat, or a spectator, may see: the table with the hidden parts blank."""

    seat: int | None
    table: S


class DeclaredGame(Rules[S, Any, Any], ABC):
    """A game of declared verbs. A game says what stands below as abstract; all else has a default.

    `known` are the facts for standing orders: a name, its meaning, and how it follows from a view. `questions` say for
    each kind of decision what is asked.
    """

    meta: Meta
    state_type: type[S]
    verbs: ClassVar[tuple[Verb, ...]]
    known: ClassVar[Mapping[str, tuple[str, Callable[[Any], Fact]]]]
    questions: ClassVar[Mapping[str, str]]

    def __init__(self) -> None:
        """Derive what follows from the verbs. Raises ValueError for a kind of decision of which nothing is asked."""
        silent = sorted({verb.asked for verb in self.verbs} - self.questions.keys())
        if silent:
            raise ValueError(f"{self.meta.name}: say in `questions` what is asked at {', '.join(silent)}")
        self.view_type = TableView[self.state_type]  # type: ignore[name-defined]  # the game's own type, at run time
        self.order_type: Any = reduce(or_, (verb.order for verb in self.verbs))
        self.grammar: tuple[GrammarRow, ...] = tuple(row for verb in self.verbs for row in verb.rows)
        self.facts_help = {name: meaning for name, (meaning, _) in self.known.items()}
        self._of = {verb.order: verb for verb in self.verbs}
        words = {verb.asked: () for verb in self.verbs}
        things = {
            name: ()
            for verb in self.verbs
            for one in verb.arguments
            for name in (one.names.canonical if one.names else ())
        }
        self.meta = msgspec.structs.replace(self.meta, names={**words, **things, **self.meta.names})

    # What a game says.

    @abstractmethod
    def start(self, run: Ply, seats: int, options: Mapping[str, str]) -> S:
        """Return the table at the start; what is told of it and drawn for it goes through `run`."""

    @abstractmethod
    def asks(self, table: S) -> Mapping[int, str]:
        """Return who must act now, and by which kind of decision; nobody once the game is over."""

    @abstractmethod
    def scores(self, table: S) -> Sequence[int]:
        """Points by seat at the end."""

    # What it may say.

    def settle(self, run: Ply, orders: Mapping[int, Any]) -> None:
        """Go on after the verbs of all orders have acted, up to the next decision."""

    def hide(self, table: S, seat: int | None) -> None:
        """Blank in place what `seat` may not see."""

    def fill(self, table: S, seat: int | None, chance: Chance) -> None:
        """Fill in place, at random, what `hide` has blanked."""

    def ending(self, table: S) -> str:  # noqa: ARG002 - games with several endings look
        """Which of `meta.endings` it was."""
        return self.meta.endings[0]

    def strengths(self, table: S) -> Sequence[Any]:
        """Return what decides about places, the higher the better; points alone unless said otherwise."""
        return self.scores(table)

    def round_of(self, table: S) -> int:
        """Return the number of the round, which never falls."""
        return int(getattr(table, _ROUND, 1))

    def heading(self, view: Any) -> Message:
        """Return where the game stands, in a few words."""
        return sentence("Round {number}", number=self.round_of(view.table))

    def problems(self, state: S) -> tuple[str, ...]:  # noqa: ARG002 - games with invariants look
        """Return every broken invariant in words."""
        return ()

    # What follows.

    def score_sheet(self, view: Any) -> ScoreSheet:
        """What the end would bring in every world that fits the view; points that differ among them are not known."""
        worlds = [tuple(self.scores(self.imagine(view, Rng("sheet", turn)))) for turn in range(_WORLDS)]
        return ScoreSheet(tuple(same[0] if len(set(same)) == 1 else None for same in zip(*worlds, strict=True)))

    def setup(self, seats: int, options: Mapping[str, str], chance: Chance) -> Resolution:
        """Open a game; raises IllegalOrder naming every wrong option."""
        run = Ply(None, chance)
        state = self.start(run, seats, self.meta.chosen(seats, options))
        return Resolution(state, tuple(run.events))

    def asked(self, state: S) -> Mapping[int, Decision]:
        """Return every seat that must act now."""
        return {seat: Decision(kind) for seat, kind in self.asks(state).items()}

    def read(self, state: S, seat: int, text: str) -> Order:
        """Read one order liberally. Raises InvalidOrder or AmbiguousOrder."""
        return settled(self._read, self.check)(state, seat, text)

    def _read(self, state: S, seat: int, text: str) -> Order:
        asked = self.asks(state)
        kind = asked.get(seat) or next(iter(asked.values()), "")
        return read_order(self.verbs, kind, state, seat, text)

    def _seen(self, state: S, seat: int | None) -> TableView[S]:
        """Return a view for a moment: the state itself, where nobody hides anything."""
        return self.view(state, seat) if self.meta.traits.hidden else TableView(seat, state)

    def check(self, state: S, seat: int, order: Order) -> list[Message]:
        """Name every fault of `order`; empty if it is legal."""
        asked = self.asks(state)
        verb = self._of[type(order)]
        if not asked:
            return [sentence("The game is over: nothing is left to decide.")]
        if seat not in asked:
            return [sentence("{seats} decide(s|) now, not you.", seats=tuple(asked))]
        view = self._seen(state, seat)
        if verb.asked != asked[seat]:
            return [self.question(view)]
        return verb.faults(view, order)

    def possible(self, view: TableView[S]) -> list[Verb]:
        """Return the verbs that the view's seat may use now."""
        kind = "" if view.seat is None else self.asks(view.table).get(view.seat, "")
        return [verb for verb in self.verbs if verb.asked == kind and next(verb.legal(view), None) is not None]

    def legal(self, state: S, seat: int) -> Iterator[Order]:
        """Return every legal order lazily, in the order of the verbs."""
        view = self._seen(state, seat)
        kind = self.asks(state).get(seat, "")
        return (order for verb in self.verbs if verb.asked == kind for order in verb.legal(view))

    def sample(self, state: S, seat: int, chance: Chance) -> Order:
        """One random legal order: any verb that is possible, then any values."""
        view = self._seen(state, seat)
        verbs = self.possible(view)
        return (pick(verbs, chance) if len(verbs) > 1 else verbs[0]).sample(view, chance)

    def apply(self, state: S, orders: Mapping[int, Order], chance: Chance) -> list[Event]:
        """Let every order's verb act, seat by seat, then settle."""
        run = Ply(state, chance)
        for seat in sorted(orders):
            deed = self._of[type(orders[seat])].deed
            if deed is not None:
                deed(run, seat, orders[seat])
        self.settle(run, orders)
        return run.events

    def view(self, state: S, seat: int | None) -> TableView[S]:
        """Return the table with what `seat` may not see blanked."""
        table: S = self.copy(state)
        self.hide(table, seat)
        return TableView(seat, table)

    def imagine(self, view: TableView[S], chance: Chance) -> S:
        """Return a whole state that agrees with `view`."""
        table: S = self.copy(view.table)
        self.fill(table, view.seat, chance)
        return table

    def facts(self, view: TableView[S]) -> dict[str, Fact]:
        """Return every fact of `known`."""
        return {name: fact(view) for name, (_, fact) in self.known.items()}

    def cautious(self, view: TableView[S]) -> Order:
        """Return the first legal order: a game declares its most harmless verb first."""
        assert view.seat is not None
        return next(self.legal(view.table, view.seat))

    def scope(self, state: S) -> Scope:
        """Phase: a kind of decision in a round."""
        number = self.round_of(state)
        kinds = "-".join(sorted(set(self.asks(state).values()))) or "over"
        return Scope(f"{number}-{kinds}", f"round-{number}")

    def question(self, view: TableView[S]) -> Message:
        """Return what the view's seat is asked."""
        asked = self.asks(view.table)
        if not asked:
            return sentence("The game is over: nothing is left to decide.")
        if view.seat is None or view.seat not in asked:
            return sentence("{seats} decide(s|) now.", seats=tuple(asked))
        kind = asked[view.seat]
        return sentence(self.questions[kind], next(verb.rule for verb in self.verbs if verb.asked == kind))

    def describe(self, view: TableView[S], order: Order) -> Message:
        """Return what `order` will do, in words."""
        return self._of[type(order)].describe(view, order)

    def topics(self, view: TableView[S]) -> tuple[str, ...]:
        """Return the rules of the verbs in question."""
        kinds = set(self.asks(view.table).values())
        return tuple(dict.fromkeys(verb.rule for verb in self.verbs if verb.asked in kinds and verb.rule))

    def form(self, view: TableView[S]) -> Form:
        """Return the decision as a form. Raises InvalidOrder if the view's seat has none."""
        verbs = self.possible(view)
        if not verbs:
            raise InvalidOrder(self.question(view))
        kind, question, orders = verbs[0].asked, self.question(view), _listed(view, verbs)
        if orders:
            choices = tuple(_choice(view, verb, order) for verb, order in orders)
            group = Group(sentence("Your choice"), (Pick(ORDER, question, choices),))
            return Form(kind, question, (group,), (), quick(order for _, order in orders))
        groups = []
        for verb in (verb for verb in verbs if verb.arguments):
            fields = tuple(field for one in verb.arguments for field in one.fields(view, f"{verb.name}-{one.name}"))
            aside = len(verbs) > 1 and all(one.optional for one in verb.arguments)
            groups.append(Group(Message(verb.meaning), fields, aside=aside))
        if len(verbs) > 1:
            labels = tuple(Choice(verb.name, Message(verb.meaning)) for verb in verbs)
            groups.insert(0, Group(sentence("Your choice"), (Pick(VERB, question, labels),)))
        return Form(kind, question, tuple(groups))

    def order_text(self, view: TableView[S], fields: Filled) -> str:
        """Return the order text that a filled-in form means. Raises InvalidOrder naming the field."""
        verbs = self.possible(view)
        if not verbs:
            raise InvalidOrder(self.question(view))
        orders = _listed(view, verbs)
        if orders:
            return one_of(fields, ORDER, [str(order) for _, order in orders])
        chosen = one_of(fields, VERB, [verb.name for verb in verbs]) if len(verbs) > 1 else verbs[0].name
        verb = next(verb for verb in verbs if verb.name == chosen)
        words = [verb.name]
        for one in verb.arguments:
            text = one.filled(view, fields, f"{verb.name}-{one.name}")
            if text:
                words += filter(None, (one.lead.partition("|")[0], text))
        return " ".join(words)

    def outcome(self, state: S) -> Outcome | None:
        """Points, places by `strengths`, and the ending; None while the game goes on."""
        if self.asks(state):
            return None
        return Outcome.ranked(self.scores(state), self.strengths(state), self.ending(state))


MOST_LISTED = 60
"""Legal orders that are offered as they are, one beside the other; where there are more, each argument is a field."""
ORDER, VERB = "order", "verb"
"""The names of the fields that pick a whole order, or a verb."""


def _listed(view: Any, verbs: Sequence[Verb]) -> list[tuple[Verb, Order]]:
    """Return all legal orders with their verbs, if they are few enough to be offered one by one; else none."""
    if any(isinstance(one, (Many, Ranking)) for verb in verbs for one in verb.arguments):
        return []
    found = list(islice(((verb, order) for verb in verbs for order in verb.legal(view)), MOST_LISTED + 1))
    return found if len(found) <= MOST_LISTED else []


def _choice(view: Any, verb: Verb, order: Any) -> Choice:
    """One order as a choice: by its offer's own label if it has one argument, else by the verb's."""
    given = [(one, getattr(order, one.name)) for one in verb.arguments]
    offers = [next(offer for offer in one.offers(view) if offer.value == value) for one, value in given]
    holes = {one.name: one.said(value) for one, value in given}
    prices = [offer.price for offer in offers if offer.price is not None]
    effect = next((offer.effect for offer in offers if offer.effect), None)
    mark = next((offer.mark for offer in offers if offer.mark), "")
    return Choice(str(order), sentence(verb.label, **holes), sum(prices) if prices else None, effect, mark)
