"""What a player's text means for the decision that is asked: its first order, what follows it, and what is wrong."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import msgspec

from pbem.engine.core.errors import REFUSALS, EngineError, IllegalOrder, InvalidOrder
from pbem.engine.core.message import Message, Params, sentence
from pbem.engine.preview import Preview
from pbem.engine.text import standing_orders, standing_text
from pbem.engine.text.mentions import asked_back, mentioned
from pbem.engine.text.notation import ELSE, as_written, fold, matches_grammar, of_kind
from pbem.engine.text.spelling import LONGEST, mended
from pbem.play.orders import lookahead
from pbem.play.views.game_context import state_of
from pbem.structs import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pbem.engine.core.types import AnyRules, Order
    from pbem.engine.text.notation import GrammarRow
    from pbem.store.queries.order_writes import AskedRow

KEPT = 20_000
"""Characters of a player's text that are kept; nobody's order is as long."""


class Interpretation(Value):
    """A text as understood for the present decision; only `faults` (and `candidates`) if it can't be used."""

    canonical: str = ""
    says: tuple[Message, ...] = ()
    then: tuple[str, ...] = ()
    faults: tuple[Message, ...] = ()
    reason: str = ""
    candidates: tuple[str, ...] = ()
    later: tuple[Message, ...] = ()
    """What the orders of `then` will do, as far as nothing can disturb them; filled in by `foresee` only."""
    next: lookahead.LookaheadStep | None = None
    """What the seat is sure to be asked after all of them; likewise."""
    brings: Preview = Preview()
    """What the first order brings the seat itself; likewise."""
    dropped: tuple[str, ...] = ()
    """The later orders from the first on that can't be read or is sure to fail."""
    why: EngineError | None = None
    """What is wrong with that one."""

    @property
    def chain(self) -> str:
        """The order with all that follow it, as one text."""
        return "; then ".join((self.canonical, *self.then))

    @property
    def broken(self) -> tuple[Message, ...]:
        """What is wrong with the first order of `dropped`."""
        return self.why.faults if self.why else ()

    def refuse_broken(self) -> None:
        """Raise what is wrong with a later order, if anything is, so that the whole chain is refused."""
        if self.why is not None:
            raise self.why


def interpret(rules: AnyRules, seat: int, decision: AskedRow, text: str) -> Interpretation:
    """Read and check a text against the stored state. Raises InvalidOrder, AmbiguousOrder or IllegalOrder."""
    if decision.sealed:
        listed = standing_orders.sealed_list(rules, text)
        return Interpretation(str(listed), standing_orders.words(listed, listed=True))
    state = state_of(rules, decision.snapshot)
    first, rest = standing_text.split(text[: KEPT + 1])
    orders = _chosen(rules, state, seat, standing_text.alternatives(first), ahead=decision.ahead)
    good, wrong = standing_text.check_links(rules, rest)
    says = lookahead.described(rules, state, seat, orders, ahead=decision.ahead)
    canonical = ELSE.join(map(str, orders))
    return Interpretation(
        canonical, says, rest[:good], dropped=rest[good:], why=InvalidOrder(*wrong) if wrong else None
    )


def _chosen(rules: AnyRules, state: Any, seat: int, texts: Sequence[str], *, ahead: bool) -> tuple[Order, ...]:
    """Return the orders of a text: before the seat's turn all of them, at its turn the first legal one.

    Raises InvalidOrder, AmbiguousOrder, or IllegalOrder: before its turn for any of them, at its turn for the first.
    """
    if ahead:
        orders = {str(order): order for order in (_legal(rules, state, seat, text) for text in texts)}
        return tuple(orders.values())
    refused: list[IllegalOrder] = []
    for text in texts:
        try:
            return (_legal(rules, state, seat, text),)
        except IllegalOrder as error:
            refused.append(error)
    raise refused[0]


def _legal(rules: AnyRules, state: Any, seat: int, text: str) -> Order:
    """Return the legal order that `text` says. Raises InvalidOrder, AmbiguousOrder or IllegalOrder."""
    try:
        order: Order = rules.read(state, seat, text)
    except InvalidOrder as error:
        faults = [_quoted(one, text) for one in error.faults]
        raise InvalidOrder(*_told(rules, state, seat, text) or faults) from None
    if faults := rules.check(state, seat, order):
        raise IllegalOrder(*faults)
    return order


def _quoted(fault: Message, text: str) -> Message:
    """Return a refusal with the word it is about as `text` has it: reading leaves out accents, marks and capitals."""
    word = fault.params.get("word")
    if not isinstance(word, str):
        return fault
    return msgspec.structs.replace(fault, params={**fault.params, "word": as_written(text, word)})


def _told(rules: AnyRules, state: Any, seat: int, text: str) -> list[Message]:
    """Return what says more of a text that can't be read than its reader does, if anything does.

    A legal order it may be meant for; that it answers something else; or an order it may be meant for with what is
    wrong with that one.
    """
    kind = rules.asked(state)[seat].kind
    meant = _perhaps(rules, state, seat, text, kind)
    example = next(iter(rules.legal(state, seat)), None)
    if len(meant) == 1 or example is None or not _answers_another(rules, text, kind):
        return meant
    hole: Params = {"word": text, "example": str(example)}
    return [sentence("{word!r} is no answer to what you are asked now. Write for example: {example}.", **hole)]


def _perhaps(rules: AnyRules, state: Any, seat: int, text: str, kind: str) -> list[Message]:
    """Return the question for what a text may mean, mistyped or in other words, and the rules against one order."""
    read = reader(rules, state, seat)
    right = read(mended(rules.grammar, text, asked=kind) or text)
    found = () if right or len(text) > LONGEST else mentioned(rules, (kind,), text, read)
    meant = (right,) if right else tuple(filter(read, found))
    if not meant:
        return []
    faults: list[Message] = []
    with contextlib.suppress(EngineError):
        faults = rules.check(state, seat, rules.read(state, seat, meant[0])) if len(meant) == 1 else []
    return [asked_back(text, meant), *faults]


def reader(rules: AnyRules, state: Any, seat: int, *, sealed: bool = False) -> Callable[[str], str]:
    """Return what gives an order's one form for the decision asked, empty for what is none.

    One that is in doubt or can't be given is given as it stands, and so is a line of a sealed list that means no order
    yet.
    """

    def read(text: str) -> str:
        try:
            listed = sealed and standing_orders.sealed_list(rules, text)
            order = str(rules.read(state, seat, text))
        except InvalidOrder:
            return ""
        except REFUSALS:
            return text
        return text if listed and fold(order) != fold(text) else order

    return read


def _answers_another(rules: AnyRules, text: str, kind: str) -> bool:
    """Return whether a text has the shape, or at least begins with the word, of answers to other kinds only.

    To pass is an answer to any: whether it can be given, its reader says best.
    """
    text = text[:LONGEST]
    if fold(text) in _said(rules, "pass"):
        return False
    own = of_kind(rules.grammar, kind)
    others = [row for row in rules.grammar if row.kind != kind]
    shaped = matches_grammar(others, text) and not matches_grammar(own, text, kind)
    return shaped or fold(text).partition(" ")[0] in _verbs(rules, others) - _verbs(rules, own)


def _verbs(rules: AnyRules, rows: Sequence[GrammarRow]) -> set[str]:
    """Return the words that orders of these forms begin with, in every language."""
    words = {row.example.partition(" ")[0].rstrip(",") for row in rows}
    return {said for word in words for said in _said(rules, word)}


def _said(rules: AnyRules, word: str) -> set[str]:
    return {fold(said) for said in (word, *rules.meta.order_words.get(word, ()))}


def foresee(rules: AnyRules, seat: int, decision: AskedRow, meant: Interpretation) -> Interpretation:
    """Add what is certain about the order, later ones and the decision after them; those sure to fail are dropped."""
    state = state_of(rules, decision.snapshot)
    meant = msgspec.structs.replace(meant, brings=lookahead.brings(rules, state, seat, meant.canonical))
    if decision.sealed or decision.optional or decision.ahead:
        return meant
    seen = lookahead.foresee(rules, rules.view(state, seat), (meant.canonical, *meant.then))
    sure = len(seen.orders)
    if seen.faults:
        dropped, why = (*meant.then[sure:], *meant.dropped), IllegalOrder(*seen.faults)
        return msgspec.structs.replace(meant, then=seen.orders, later=seen.says, dropped=dropped, why=why)
    return msgspec.structs.replace(meant, then=(*seen.orders, *meant.then[sure:]), later=seen.says, next=seen.next)
