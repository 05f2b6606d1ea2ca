"""A verb, declared once: its words, its arguments, its sentences, when it is possible and what it does."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

import msgspec

from pbem.engine.core.choosing import pick
from pbem.engine.core.errors import invalid
from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.core.ply import PlyUnderWay
from pbem.engine.core.rng import Chance
from pbem.engine.core.types import Order
from pbem.engine.kit.arguments import Argument, combined
from pbem.engine.text.notation import GrammarRow, fold, in_digits, unreadable

Act: TypeAlias = "Callable[[Ply, int, Any], None]"
Says: TypeAlias = "Callable[[Any, Any], Message]"
Reads: TypeAlias = "Callable[[Any, int, str], Order]"
Bare: TypeAlias = "Callable[[str], Order | None]"
_TRIES = 50
"""Random values drawn for a verb whose arguments depend on each other, before all legal ones are listed."""


class Ply(PlyUnderWay[Any]):
    """One call of `resolve` under way."""

    @property
    def table(self) -> Any:
        """The state that changes."""
        return self.state

    @table.setter
    def table(self, state: Any) -> None:
        self.state = state


class Verb:
    """One form of order. Its Struct is `order`: `BID.order(sun=9)`, written `bid 9`.

    `asked` is the decision it answers, `others` its other spellings in any language (`offri|mise`), `says` what it will
    do as a sentence with the arguments as holes, `label` what a form calls it, `meaning` its line in the grammar.
    `when(view)` names what forbids it, or None; `check(view, order)` what is wrong with its arguments together. With
    `bare` its one argument alone will do where it is asked.

    Each of these can be overridden: `order` by a Struct of the game's own, `others` by a pattern over folded text in
    `words`, `says` by a function of view and order, the line in the grammar by `rows`, and the reading of what comes
    after the words by `reads(state, seat, rest)`, of an answer without them by a function in `bare`.
    """

    def __init__(  # noqa: PLR0913 - a verb has that many sides, each with a default
        self,
        name: str,
        *arguments: Argument,
        asked: str,
        says: str | Says,
        meaning: str = "",
        rule: str = "",
        others: str = "",
        label: str = "",
        bare: bool | Bare = False,
        order: type[Order] | None = None,
        words: str = "",
        rows: tuple[GrammarRow, ...] = (),
        reads: Reads | None = None,
        when: Callable[[Any], Message | None] | None = None,
        check: Callable[[Any, Any], list[Message]] | None = None,
    ) -> None:
        """Declare the verb; `act` says what it does."""
        self.name, self.arguments, self.asked, self.rule = name, arguments, asked, rule
        self.says, self.meaning, self.label, self.bare = says, meaning, label or str(says), bare
        self.when, self._check = when, check
        self.spellings = tuple(fold(one) for one in (name, *filter(None, others.split("|"))))
        self.order = order or self._struct()
        self.deed: Act | None = None
        self._reads = reads
        one = f"(?:{words or '|'.join(map(re.escape, self.spellings))})"
        self.spoken = re.compile(f"{one}(?: (?P<rest>.+))?")
        self.strict = re.compile(one + self._pattern(lambda argument: argument.pattern))
        self.loose = re.compile(one + self._pattern(lambda _: ".+?"))
        self.rows = rows or (self._row(),)

    def _struct(self) -> type[Order]:
        fields = [
            (one.name, one.type, ()) if one.optional else (one.name, one.type)
            for one in sorted(self.arguments, key=lambda one: one.optional)
        ]

        def written(order: Any) -> str:
            return self.text(order)

        title = "".join(word.capitalize() for word in re.split(r"\W+", self.name))
        made: Any = msgspec.defstruct(
            title, fields, bases=(Order,), namespace={"__str__": written}, frozen=True, tag=self.name, module=__name__
        )
        made.__doc__ = self.meaning
        found: type[Order] = made
        return found

    def text(self, order: Any) -> str:
        """Return the canonical text of an order of this verb."""
        words = [self.name]
        for one in self.arguments:
            written = one.write(getattr(order, one.name))
            if written:
                words += [one.lead.partition("|")[0], written]
        return " ".join(filter(None, words))

    def act(self, deed: Act) -> Act:
        """Take the function that carries the verb out: `@BID.act`."""
        self.deed = deed
        return deed

    def _pattern(self, of: Callable[[Argument], str]) -> str:
        found = ""
        for one in self.arguments:
            lead = f"(?:{one.lead}) " if one.lead else ""
            part = f" {lead}(?P<{one.name}>{of(one)})"
            found += f"(?:{part})?" if one.optional else part
        return found

    def _row(self) -> GrammarRow:
        """Return the verb's line in the grammar, for RULES.md, the help letter and hints."""
        syntax, example = [self.name], [self.name]
        for one in self.arguments:
            lead = one.lead.partition("|")[0]
            word = " ".join(filter(None, (lead, one.name.upper())))
            syntax.append(f"[{word}]" if one.optional else word)
            example += filter(None, (lead, one.like))
        bare = f"(?:{self.arguments[0].pattern})" if self.bare else ""
        pattern = re.sub(r"\(\?P<\w+>", "(?:", self.strict.pattern)
        return GrammarRow(self.asked, " ".join(syntax), " ".join(example), self.meaning, pattern, bare)

    def answer(self, folded: str) -> Order | None:
        """Return the order that a short answer means where its decision is asked; None for none."""
        if not isinstance(self.bare, bool):
            return self.bare(folded)
        if not self.bare:
            return None
        (one,) = self.arguments
        return self.order(one.read(folded)) if re.fullmatch(one.pattern, folded) else None

    def read(self, state: Any, seat: int, folded: str) -> Order | None:
        """Return the order that folded text means; None if of another verb. Raises InvalidOrder or AmbiguousOrder."""
        spoken = self.spoken.fullmatch(folded)
        if spoken and self._reads is not None:
            return self._reads(state, seat, spoken["rest"] or "")
        found = self.strict.fullmatch(folded) or self.loose.fullmatch(folded)
        if found is None:
            if spoken and self.arguments:
                text = N_("{verb!r} is written like this: {example}.")
                raise invalid(text, self.rule, verb=self.name, example=self.rows[0].example)
            return None
        given = {one.name: one.read(found[one.name]) for one in self.arguments if found[one.name]}
        return self.order(**given)

    def describe(self, view: Any, order: Any) -> Message:
        """Return what an order of this verb will do, in words."""
        if not isinstance(self.says, str):
            return self.says(view, order)
        holes = {one.name: one.said(getattr(order, one.name)) for one in self.arguments}
        return sentence(self.says, self.rule, **holes)

    def faults(self, view: Any, order: Any) -> list[Message]:
        """Return everything that is wrong with an order of this verb where its decision is asked."""
        hindrance = self.when(view) if self.when else None
        if hindrance is not None:
            return [hindrance]
        found = [fault for one in self.arguments for fault in one.faults(view, getattr(order, one.name))]
        return found or (self._check(view, order) if self._check else [])

    def legal(self, view: Any) -> Iterator[Order]:
        """Yield every legal order of this verb, lazily."""
        if self.when and self.when(view) is not None:
            return
        names = [one.name for one in self.arguments]
        for values in combined(self.arguments, view):
            order = self.order(**dict(zip(names, values, strict=True)))
            if not self._check or not self._check(view, order):
                yield order

    def sample(self, view: Any, chance: Chance) -> Order:
        """Return a random legal order of this verb, of which there must be one."""
        for _ in range(_TRIES):
            order = self.order(**{one.name: one.draw(view, chance) for one in self.arguments})
            if not self._check or not self._check(view, order):
                return order
        return pick(list(self.legal(view)), chance)


def read_order(verbs: Sequence[Verb], kind: str, state: Any, seat: int, text: str) -> Order:
    """The order of one of the `verbs` that `text` means, those of the decision `kind` tried first; alone in bare words.

    Raises InvalidOrder with the forms that may be written, or AmbiguousOrder.
    """
    folded = in_digits(fold(text))
    asked = [verb for verb in verbs if verb.asked == kind]
    for verb in (*asked, *(verb for verb in verbs if verb.asked != kind)):
        order = verb.read(state, seat, folded)
        if order is not None:
            return order
    for verb in asked:
        order = verb.answer(folded)
        if order is not None:
            return order
    raise unreadable(text, (row.example for verb in asked for row in verb.rows))
