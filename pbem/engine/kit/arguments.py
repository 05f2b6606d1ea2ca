"""What a verb takes: each argument knows how it is written, read, offered in a form, listed, drawn and refused."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import permutations, product
from typing import Any, TypeAlias

import msgspec

from pbem.engine.core.choosing import choices, pick, take
from pbem.engine.core.errors import invalid
from pbem.engine.core.forms import Choice, Count, Field, Filled, Pick
from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.core.rng import Chance
from pbem.engine.text.notation import Names, fold, whole
from pbem.structs import Value

_SPLIT = r" *(?:,|\+|&| and | e | et ) *"
_NUMBER = "[0-9]{1,4}"
NONE = "none|nothing|nessuno|nessuna|niente|aucun|aucune|rien"


class Offered(Value):
    """One thing that can be chosen now."""

    value: Any
    label: Message | None = None
    """What a form calls it, if not by its word."""
    price: int | None = None
    effect: Message | None = None
    mark: str = ""
    """The board element that stands for it."""
    count: int = 1
    """How often it can be chosen, where several are."""


Offers: TypeAlias = Callable[[Any], Iterable[Offered | int | str]]
"""What can be chosen now, from a view, the plainest first; a number or a word may stand for itself."""


class Argument:
    """The base of all: one word of an order. `offers` gives from a view what can be chosen now, the plainest first.

    Words are `names` in three languages, else whole numbers (`number`), else anything that fits `pattern`. A value is
    the word itself, or with `indexed` its place among the names. `lead` are the words before it, as in `with|con|avec`.
    """

    type: Any = str
    type_of_numbers: Any = int
    optional = False
    like = ""
    number = False

    def __init__(  # noqa: PLR0913 - an argument has that many sides, each with a default
        self,
        name: str,
        offers: Offers,
        *,
        like: str = "",
        names: Names | None = None,
        indexed: bool = False,
        number: bool = False,
        pattern: str = r"[a-z0-9'-]+",
        lead: str = "",
        label: str = "",
        refuses: str = N_("{value} can't be chosen here. There are: {names}."),
        rule: str = "",
    ) -> None:
        """Take the argument's name, which is also the hole in sentences, and how it is written."""
        self.name, self.names, self.indexed = name, names, indexed
        self._offers = offers
        self.like, self.number = like or self.like, number or self.number
        self.lead = lead
        self.label = label or name
        self.refuses, self.rule = refuses, rule
        if names is not None:
            pattern = "(?:" + "|".join(map(re.escape, names.spellings())) + ")"
        if self.number or indexed:
            self.type = self.type_of_numbers
        self.pattern = self.shape(_NUMBER if self.number else pattern)

    def shape(self, word: str) -> str:
        """Return how a value is written, by the pattern of one `word`."""
        return word

    def offers(self, view: Any) -> tuple[Offered, ...]:
        """Return what can be chosen now."""
        return tuple(one if isinstance(one, Offered) else Offered(one) for one in self._offers(view))

    def word(self, value: Any) -> str:
        """Return how one thing is written."""
        return self.names.canonical[value] if self.names is not None and self.indexed else str(value)

    def thing(self, text: str) -> Any:
        """Return the one thing that `text` names. Raises InvalidOrder or AmbiguousOrder."""
        if self.names is not None:
            name = self.names.read(text)
            return self.names.canonical.index(name) if self.indexed else name
        if self.number:
            return whole(text, self.name)
        if not re.fullmatch(self.pattern, fold(text)):
            said = N_("{word!r} is no {what}; write it like {like}.")
            raise invalid(said, word=text, like=self.like, what=self.name)
        return fold(text)

    def write(self, value: Any) -> str:
        """Return the canonical text of a value."""
        return self.word(value)

    def read(self, text: str) -> Any:
        """Return the value that `text` means. Raises InvalidOrder or AmbiguousOrder."""
        return self.thing(text)

    def said(self, value: Any) -> Any:
        """Return what fills the argument's hole in a sentence."""
        return value if self.number else self.word(value)

    def values(self, view: Any) -> Iterator[Any]:
        """Return every legal value, plain ones first."""
        return (offer.value for offer in self.offers(view))

    def draw(self, view: Any, chance: Chance) -> Any:
        """Return a random legal value; every one can come up."""
        return pick(self.offers(view), chance).value

    def faults(self, view: Any, value: Any) -> list[Message]:
        """Return what is wrong with a value."""
        offers = self.offers(view)
        if any(offer.value == value for offer in offers):
            return []
        return [self._refusal(value, offers)]

    def _refusal(self, value: Any, offers: Sequence[Offered]) -> Message:
        names = tuple(self.word(offer.value) for offer in offers)
        return sentence(self.refuses, self.rule, value=self.write(value), names=names)

    def choice(self, offer: Offered) -> Choice:
        """Return an offer as a form's choice."""
        word = self.word(offer.value)
        return Choice(word, offer.label or Message(word), offer.price, offer.effect, offer.mark)

    def fields(self, view: Any, prefix: str) -> tuple[Field, ...]:
        """Return the form's fields for it, their names beginning with `prefix`."""
        return (Pick(prefix, Message(self.label), tuple(map(self.choice, self.offers(view)))),)

    def filled(self, view: Any, fields: Filled, prefix: str) -> str:
        """Return the text that filled-in fields mean. Raises InvalidOrder naming the field."""
        return one_of(fields, prefix, [self.write(offer.value) for offer in self.offers(view)])


class One(Argument):
    """Exactly one of what is offered."""


class Span(Argument):
    """Numbers in a row, `3` or `3-5`; the offers' values are pairs of the first and the last."""

    type = tuple[int, int]
    like = "3-5"

    def shape(self, _word: str) -> str:
        """One number, or two."""
        return f"{_NUMBER}(?: ?- ?{_NUMBER})?"

    def word(self, value: Any) -> str:
        """One number, or the first and the last."""
        return str(value[0]) if value[0] == value[1] else f"{value[0]}-{value[1]}"

    def thing(self, text: str) -> Any:
        """Return the pair that `text` means."""
        first, _, last = text.partition("-")
        low = whole(first.strip(), self.name)
        return (low, whole(last.strip(), self.name) if last else low)


class Quantity(Argument):
    """A whole number from the least to the most that are offered; every one between is offered too, with its price."""

    like = "2"
    number = True

    def fields(self, view: Any, prefix: str) -> tuple[Field, ...]:
        """One field for a number."""
        offers = self.offers(view)
        prices = tuple(offer.price or 0 for offer in offers) if any(offer.price for offer in offers) else ()
        return (Count(prefix, Message(self.label), offers[0].value, offers[-1].value, prices),)


class _Several(Argument):
    """Several of what is offered, with commas between them."""

    type: Any = tuple[str, ...]
    type_of_numbers: Any = tuple[int, ...]

    def shape(self, word: str) -> str:
        """One word after the other."""
        return f"{word}(?:{_SPLIT}{word})*"

    def write(self, value: Any) -> str:
        """Return all of them with commas."""
        return ", ".join(map(self.word, value))

    def read(self, text: str) -> Any:
        """Return all that are named, as they are named."""
        return tuple(self.thing(word) for word in re.split(_SPLIT, text) if word)

    def said(self, value: Any) -> Any:
        """Return a list of words."""
        return tuple(map(self.word, value))


class Many(_Several):
    """Any number of what is offered, from `least` to `most`, a thing as often as its offer counts.

    Written with commas in the order of the names, or of size; nothing is `none`.
    """

    def __init__(
        self, name: str, offers: Offers, *, least: int = 0, most: int | Callable[[Any], int] = 99, **how: Any
    ) -> None:
        """Take what every argument takes, and how many may be chosen."""
        super().__init__(name, offers, **how)
        self.least, self._most = least, most
        if not least and not self.optional:
            self.pattern = f"(?:{self.pattern}|{NONE})"

    def most(self, view: Any) -> int:
        """Return the most that may be chosen now."""
        return self._most(view) if callable(self._most) else self._most

    def write(self, value: Any) -> str:
        """Return all of them with commas."""
        return super().write(value) or ("" if self.optional else NONE.partition("|")[0])

    def read(self, text: str) -> Any:
        """Return all that are named, in their one order."""
        if re.fullmatch(NONE, fold(text)):
            return ()
        return tuple(sorted(super().read(text), key=self._key))

    def _key(self, value: Any) -> Any:
        return self.names.canonical.index(value) if self.names is not None and not self.indexed else value

    def values(self, view: Any) -> Iterator[Any]:
        """Return every choice, the fewest things first."""
        offers = sorted(self.offers(view), key=lambda offer: self._key(offer.value))
        counts = [offer.count for offer in offers]
        for size in range(self.least, min(self.most(view), sum(counts)) + 1):
            yield from (tuple(offers[at].value for at in chosen) for chosen in choices(counts, size))

    def draw(self, view: Any, chance: Chance) -> Any:
        """Some of what is there, one after the other."""
        pool = [offer.value for offer in self.offers(view) for _ in range(offer.count)]
        top = min(self.most(view), len(pool))
        size = self.least + chance.below(top - self.least + 1)
        return tuple(sorted(take(pool, size, chance), key=self._key))

    def faults(self, view: Any, value: Any) -> list[Message]:
        """Return each thing that isn't there so often, and a number that is too high or too low."""
        offers = self.offers(view)
        there = {offer.value: offer.count for offer in offers}
        faults = [self._refusal((one,), offers) for one in dict.fromkeys(value) if value.count(one) > there.get(one, 0)]
        if not self.least <= len(value) <= self.most(view):
            text = N_("You named {count}; from {least} to {most} are possible.")
            faults.append(sentence(text, self.rule, count=len(value), least=self.least, most=self.most(view)))
        if list(value) != sorted(value, key=self._key):
            faults.append(sentence("Name them in their usual order.", self.rule))
        return faults

    def fields(self, view: Any, prefix: str) -> tuple[Field, ...]:
        """Boxes to tick; where a thing can be chosen several times, a number for each."""
        offers = self.offers(view)
        if all(offer.count == 1 for offer in offers):
            return (Pick(prefix, Message(self.label), tuple(map(self.choice, offers)), many=True),)
        return tuple(
            Count(f"{prefix}-{self.word(offer.value)}", offer.label or Message(self.word(offer.value)), 0, offer.count)
            for offer in offers
        )

    def filled(self, view: Any, fields: Filled, prefix: str) -> str:
        """Return what is ticked or counted."""
        words = [word for word in fields.get(prefix, []) if word]
        for offer in self.offers(view):
            word = self.word(offer.value)
            for text in fields.get(f"{prefix}-{word}", [])[:1]:
                words += [word] * number_of(text, word, offer.count)
        return ", ".join(words) or ("" if self.optional else NONE.partition("|")[0])


class Wish(Many):
    """Choices for what may come, told ahead: all may be left out, and an order without them is complete."""

    optional = True


class Ranking(_Several):
    """Everything that is offered, each thing once, in the order that is wanted: `east, west, north`."""

    def values(self, view: Any) -> Iterator[Any]:
        """Return every order there is."""
        return permutations([offer.value for offer in self.offers(view)])

    def draw(self, view: Any, chance: Chance) -> Any:
        """Any order."""
        pool = [offer.value for offer in self.offers(view)]
        return tuple(take(pool, len(pool), chance))

    def faults(self, view: Any, value: Any) -> list[Message]:
        """Return whether each thing is named once."""
        due = [self.word(offer.value) for offer in self.offers(view)]
        if sorted(map(self.word, value)) == sorted(due):
            return []
        return [sentence("Name each of these once: {names}.", self.rule, names=tuple(due))]

    def fields(self, view: Any, prefix: str) -> tuple[Field, ...]:
        """Return a field for each place."""
        offers = self.offers(view)
        choices = tuple(msgspec.structs.replace(self.choice(offer), target="") for offer in offers)
        return tuple(
            Pick(f"{prefix}-{place}", sentence("Place {number}", number=place), choices)
            for place in range(1, len(offers) + 1)
        )

    def filled(self, view: Any, fields: Filled, prefix: str) -> str:
        """Return the places one after the other."""
        words = [self.word(offer.value) for offer in self.offers(view)]
        return ", ".join(one_of(fields, f"{prefix}-{place}", words) for place in range(1, len(words) + 1))


def number_of(text: str, field: str, most: int, rule: str = "") -> int:
    """Return the number filled in, 0 for nothing. Raises InvalidOrder naming the field."""
    text = text.strip() or "0"
    if not text.isdecimal() or int(text[:6]) > most:
        said = N_("{word!r} in the field {field} is no number from 0 to {most}.")
        raise invalid(said, rule, field=field, word=text, most=most)
    return int(text)


def one_of(fields: Filled, name: str, choices: Sequence[str]) -> str:
    """Return the one value of the field `name`, which must be among `choices`. Raises InvalidOrder naming the field."""
    values = [value for value in fields.get(name, []) if value]
    if len(values) != 1 or values[0] not in choices:
        text = N_("Please choose one of {names} in the field {field!r}.")
        raise invalid(text, names=tuple(choices), field=name)
    return values[0]


def combined(arguments: Sequence[Argument], view: Any) -> Iterator[tuple[Any, ...]]:
    """Return every combination of the arguments' values, lazily in the last one."""
    if not arguments:
        return iter([()])
    *first, last = arguments
    return ((*others, value) for others in product(*(one.values(view) for one in first)) for value in last.values(view))
