"""The verbs every game offers, and the values that cross the engine's border."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

import msgspec

from pbem.engine.core.board import Board, Piece, Row
from pbem.engine.core.copying import copied
from pbem.engine.core.errors import IllegalOrder
from pbem.engine.core.message import N_, Event, Message, sentence
from pbem.engine.core.sheet import POINTS, Account, ScoreSheet, Source, Step
from pbem.structs import Value

if TYPE_CHECKING:
    from pbem.engine.core.forms import Filled, Form
    from pbem.engine.core.rng import Chance
    from pbem.engine.text.notation import GrammarRow

Fact: TypeAlias = int | str | frozenset[str]
"""A named number, word or set of words over one seat's own view, for standing orders."""


class Decision(Value, omit_defaults=True):
    """What a seat is asked. Its details are read from the seat's view."""

    kind: str
    """The verb's name, the same in grammar, forms and letters: `bid`, `offer`."""
    secret: bool = False
    """True: nobody may be shown which seats are awaited or when they answered."""
    candidates: tuple[int, ...] = ()
    """For a secret decision: every seat that could be asked by public knowledge; deadlines count these."""
    needed: bool = True
    """Whether the next ply can't be resolved without its order."""
    sealed: bool = False
    """Whether it is asked as an ordered list before anybody bids; the lists are then played out in turn."""

    ahead: bool = False
    """Whether it is asked before its turn: the answer is kept, and used then if it still can be."""
    held: bool = False
    """Whether a plan may fall here by what others can't see: all know who is asked, nobody else is told of the answer
    before the time at which it counts (slow games only)."""

    @property
    def optional(self) -> bool:
        """Whether it has a default and never holds up a ply; an answer rides along with the next one."""
        return not (self.needed or self.sealed or self.ahead)


class Order(Value):
    """Base of every game's orders: one frozen, tagged Struct per verb; `str(order)` is its one canonical text."""

    def __str__(self) -> str:
        """Return the tag: the text of a verb that takes nothing."""
        return str(self.__struct_config__.tag)


class Resolution(Value):
    """A new state and what happened on the way there."""

    state: Any
    events: tuple[Event, ...]


def places_of(strengths: Sequence[Any]) -> tuple[int, ...]:
    """Return each one's place, 1 for the highest; who are equal share a place, and those after it are skipped."""
    rising = sorted(strengths)
    return tuple(1 + len(rising) - bisect_right(rising, strength) for strength in strengths)


class Outcome(Value):
    """How a finished game ended."""

    scores: tuple[int, ...]
    """Points by seat."""
    places: tuple[int, ...]
    """Place by seat, as `places_of` gives them."""
    ending: str
    """Which kind of ending it was, one of the game's `Meta.endings`."""

    @classmethod
    def ranked(cls, scores: Sequence[int], strengths: Sequence[Any], ending: str) -> Outcome:
        """Return the outcome in which places go by `strengths` by seat, the higher the better."""
        return cls(tuple(scores), places_of(strengths), ending)


class Option(Value, forbid_unknown_fields=True):
    """A choice made when a game is opened."""

    name: str
    help: str
    choices: tuple[str, ...] = ()
    """Empty for an option that takes a text (a board or components of the club's own)."""
    default: str = ""
    slow: str = ""
    """What a game is opened with whose decisions have a day or more, unless it is said; empty: the default."""


COLOURS = ("Blue", "Red", "Green", "Purple", "Black", "Sky", "Yellow", "Brown", "Grey", "Lime")
"""What the seats of a game are called by, as many as a game can have."""


class Traits(Value):
    """What kind of game it is: what tests may demand of it, and what letters and pages may presume."""

    hidden: bool = True
    """Somebody knows, or is dealt, what others don't see."""
    chance: bool = True
    """Something is drawn, shuffled or thrown, at the start or later."""
    simultaneous: bool = True
    """Several seats are asked at once."""
    chains: bool = True
    """A seat may be asked twice running, so that several orders can be given ahead at once."""
    teams: bool = False
    """Seats win and lose together: those of a team share their place."""


class Meta(Value):
    """What is known of a game before it is opened."""

    name: str
    title: str
    edition: str
    version: int
    """The rules version stored with each game; raised when behaviour changes."""
    seats: tuple[int, ...]
    """The player counts allowed."""
    options: tuple[Option, ...]
    endings: tuple[str, ...]
    """Every kind of ending; each has a recorded game."""
    colours: tuple[str, ...] = COLOURS
    hidden_chance: tuple[str, ...] = ()
    """First words of the chance labels whose results are not public while the game runs."""
    hidden_orders: tuple[str, ...] = ()
    """Decision kinds, besides the secret ones, whose orders are not public while the game runs."""
    once: Mapping[str, tuple[str, ...]] = {}
    """Decision kinds that a seat is asked but once in a phase, each with those it may be asked after it in that phase.

    Two answers to one are no chain; an answer to one that comes after it is.
    """
    names: Mapping[str, tuple[str, ...]] = {}
    """Every word that facts can hold, with its spellings: standing orders are checked against them when stored."""
    order_words: Mapping[str, tuple[str, str]] = {}
    """Phrases of canonical orders as Italian and French write them, all of which `read` takes too."""
    order_things: tuple[str, ...] = ()
    """Names in canonical orders that the catalogues translate, all of which `read` takes too."""
    traits: Traits = Traits()

    def chosen(
        self, seats: int, given: Mapping[str, str], rule: str = "", more: Sequence[Message] = ()
    ) -> dict[str, str]:
        """Return every option with its choice: the one given, or else its default.

        Raises IllegalOrder with all that speaks against opening a game so: its number of `seats` (by `rule`), options
        and choices it doesn't have, and `more` that the game itself has found.
        """
        faults = []
        if seats not in self.seats:
            text = N_("{game} is for {names} players, not {count}.")
            faults.append(sentence(text, rule, game=self.title, names=self.seats, count=seats))
        known = {option.name: option for option in self.options}
        for name, choice in given.items():
            if name not in known:
                text = N_("There is no option {word!r}. There are: {names}.")
                faults.append(sentence(text, word=name, names=tuple(known)))
            elif known[name].choices and choice not in known[name].choices:
                text = N_("Option {name} can't be {word!r}. It can be: {names}.")
                faults.append(sentence(text, name=name, word=choice, names=known[name].choices))
        if faults or more:
            raise IllegalOrder(*faults, *more)
        return {name: given.get(name, option.default) for name, option in known.items()}


class Scope(Value):
    """Keys that change when the phase or the round does; standing orders scoped to them expire then."""

    phase: str
    round: str


class SeatView(Protocol):
    """What every view holds."""

    @property
    def seat(self) -> int | None:
        """Whose view it is; None for a spectator."""


S = TypeVar("S", bound=msgspec.Struct)
V = TypeVar("V", bound=SeatView)
O = TypeVar("O", bound=Order)  # noqa: E741 - reads well beside S and V


class Rules(Protocol[S, O, V]):
    """One game's rules. Every verb is pure but `apply`, which works on a state the caller owns alone.

    All of them expect a state that `problems` finds nothing wrong with, and raise `EngineError` only where said.
    """

    meta: Meta
    state_type: type[S]
    view_type: type[V]
    order_type: Any
    """The union of the order Structs, for decoding JSON."""
    grammar: tuple[GrammarRow, ...]
    """Every accepted form of order; RULES.md, the help letter and error hints come from it."""
    facts_help: Mapping[str, str]
    """Every fact's name and its one-sentence meaning; the table in RULES.md comes from it."""
    bid_facts: Collection[str] = ()
    """Those whose value bids of an auction under way change; all others are the same at each of its questions."""

    def __hash__(self) -> int:
        """Rules are told apart as objects, so that what was made by them can be kept under them."""
        return id(self)

    def setup(self, seats: int, options: Mapping[str, str], chance: Chance) -> Resolution:
        """Open a game of `seats` players; raises IllegalOrder naming every wrong option."""

    def copy(self, state: S) -> S:
        """Give a state that shares nothing mutable with `state`."""
        return copied(state, self.state_type)

    def asked(self, state: S) -> Mapping[int, Decision]:
        """Every seat that may answer now, and what; those whose order is needed first. Nobody else is asked anything.

        `legal`, `check`, the view's question, form and default all speak of this decision. Empty exactly when the game
        is over.
        """

    def awaited(self, state: S) -> Mapping[int, Decision]:
        """Return the seats of `asked` whose order the next ply needs."""
        return {seat: decision for seat, decision in self.asked(state).items() if decision.needed}

    def optional(self, state: S) -> Mapping[int, Decision]:
        """Return the seats of `asked` whose decision has a default; an answer may ride along with the next ply."""
        return {seat: decision for seat, decision in self.asked(state).items() if decision.optional}

    def sealed(self, state: S) -> tuple[int, ...]:
        """Return the seats of `asked` that owe an ordered list, which is then played out in turn."""
        return tuple([seat for seat, decision in self.asked(state).items() if decision.sealed])

    def read(self, state: S, seat: int, text: str, /) -> O:
        """Read one order liberally. Raises InvalidOrder or AmbiguousOrder."""

    def check(self, state: S, seat: int, order: O) -> list[Message]:
        """Name every fault of `order`, each with its rule id; empty if it is legal."""

    def legal(self, state: S, seat: int) -> Iterator[O]:
        """Return every legal order lazily, plain ones first, then those that use cards; agrees with `check`."""

    def is_certain(self, state: S, seat: int, order: O) -> bool:  # noqa: ARG002 - a game with such orders looks
        """Return whether `order`, given before its turn or in a sealed list, can be done then whatever others do."""
        return False

    def sample(self, state: S, seat: int, chance: Chance) -> O:
        """One random legal order, fast; every legal order can come up."""

    def resolve(self, state: S, orders: Mapping[int, O], chance: Chance) -> Resolution:
        """Carry out one legal order of each awaited seat (and any optional ones). Leaves `state` as it was."""
        after = self.copy(state)
        return Resolution(after, tuple(self.apply(after, orders, chance)))

    def apply(self, state: S, orders: Mapping[int, O], chance: Chance) -> list[Event]:
        """Do the same as `resolve` in place, on a state that nobody else holds."""

    def view(self, state: S, seat: int | None) -> V:
        """Return what one seat, or a spectator (None), may see. Nothing else ever leaves `play`."""

    def imagine(self, view: V, chance: Chance) -> S:
        """Return a whole state that agrees with `view`, its hidden parts drawn at random: what bots think with."""

    def facts(self, view: V) -> dict[str, Fact]:
        """Named numbers, words and sets over the view, for the conditions of standing orders."""

    def cautious(self, view: V) -> O:
        """Return the safe default for the seat's present decision, from its view alone; always legal."""

    def scope(self, state: S) -> Scope:
        """Which phase and round it is, as keys."""

    def heading(self, view: V) -> Message:
        """Return where the game stands, in a few words: "Old kingdom, round 2: auction"."""

    def question(self, view: V) -> Message:
        """Return what the view's seat is asked, as one sentence."""

    def describe(self, view: V, order: O) -> Message:
        """Return what `order` will do, in words: "You bid 6 gold on Memphis"."""

    def topics(self, view: V) -> tuple[str, ...]:
        """Rule ids in RULES.md that help with the present decision."""

    def form(self, view: V) -> Form:
        """Return the decision as a form: what can be chosen, at what price, with what effect."""

    def order_text(self, view: V, fields: Filled) -> str:
        """Return the order text that a filled-in form means; raises InvalidOrder naming the field."""

    def asked_next(self, view: V, order: O) -> V | None:  # noqa: ARG002 - a game with such decisions looks
        """The view before the seat's next decision after `order`, if nothing that anybody does until then touches it.

        It is asked on the page of `order`, though others act meanwhile: what they do shows in the true view only.
        """
        return None

    def outcome(self, state: S) -> Outcome | None:
        """Return how the game ended; None while it goes on."""

    def problems(self, state: S) -> tuple[str, ...]:
        """Return every broken invariant, in words; empty for a sound state."""

    @property
    def worth(self) -> Callable[[V, O], float] | None:
        """What a legal order is worth to the view's seat, the more the better, for bots; None if rules don't say."""
        return None

    def account(self, steps: Sequence[Step]) -> Account:
        """Return what a game that is over came to, from all its positions; if not said, the points of the end."""
        outcome = self.outcome(steps[-1].state)
        return Account((Source(POINTS, outcome.scores),) if outcome else ())

    def score_sheet(self, view: V) -> ScoreSheet:  # noqa: ARG002 - a game with points looks
        """Return where everybody stands, as far as the view's seat may know; if not said, nothing is known."""
        return ScoreSheet(())

    def figures(self, view: V) -> Mapping[str, int]:  # noqa: ARG002 - a game with figures looks
        """Numbers that the view's seat cares for, by name (a message id); empty: previews tell nothing."""
        return {}

    def hanging(self, view: V, after: V, /, *, open_ended: bool) -> Collection[str]:  # noqa: ARG002 - likewise
        """Names of figures that hang on others or on a draw, though all worlds that were tried agree on them."""
        return ()

    def warnings(self, view: V, order: O, after: V, /) -> tuple[Message, ...]:  # noqa: ARG002 - likewise
        """Return what the one who gives `order` may not have meant."""
        return ()

    def carried_out(self, view: V, order: O, chance: Chance, /) -> Iterable[V]:  # noqa: ARG002 - likewise
        """Views of a seat whose order is given before its turn, once it is carried out: one for each way to that."""
        return ()

    def stakes(self, view: V, orders: Mapping[str, O], /) -> tuple[Message, ...]:  # noqa: ARG002 - likewise
        """Return what a sealed list binds the view's seat to at most, by the texts of its orders.

        Each has the order that it would be now: one with a limit may come to more, once others have bid.
        """
        return ()

    def board(self, view: V) -> Board:
        """Return the position as rows of pieces, for games whose board no hand has drawn; if not said, its facts."""
        rows = (Row(Message(name.replace("_", " ")), _words(value)) for name, value in self.facts(view).items())
        return Board(self.heading(view), tuple(rows))


def _words(value: Fact) -> tuple[Piece, ...]:
    words = sorted(value) if isinstance(value, frozenset) else [str(value)]
    return tuple(Piece(Message(word)) for word in words if word)


AnyRules: TypeAlias = Rules[Any, Any, Any]
