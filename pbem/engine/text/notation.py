"""Reading order text: folding, numbers, names in three languages, and the table that documents a grammar."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from pbem.engine.core.errors import AmbiguousOrder, InvalidOrder, invalid
from pbem.engine.core.message import N_, sentence
from pbem.structs import Value

ELSE = "; else "
"""What stands between an order and the one that stands in for it."""
MAX_ORDER = 2000
"""Characters of one order line; longer text is refused before it is looked at."""
_ENGLISH = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
_ITALIAN, _FRENCH = "due tre quattro cinque sei sette otto nove dieci", "deux trois quatre cinq six sept huit neuf dix"
NUMBERS = {
    word: number
    for first, words in ((0, _ENGLISH), (2, _ITALIAN), (2, _FRENCH))
    for number, word in enumerate(words.split(), first)
}
"""Numbers that are understood in words."""
_IN_WORDS = re.compile(rf"(?<![\w'+-])(?:{'|'.join(NUMBERS)})(?![\w'-])")
_NUMBER = rf"(?:\d{{1,9}}|\b(?:{'|'.join(NUMBERS)})\b)"
_BEFORE, _BEHIND, _PICTURES = "<>~%^±∓≈≃≅≤≥≠≲≳¬", "<>~%^±≈≤≥≲≳", "❓❔🤔🤷🚫❌👎⛔"
_QUALIFIED = re.compile(
    rf"[{_BEFORE}]=? ?{_NUMBER}|{_NUMBER} ?[{_BEHIND}]|{_NUMBER} ?\?|\?\W? ?{_NUMBER}"
    rf"|{_NUMBER}(?:\+(?!\w)|-(?! ?\d)(?!\w))|{_NUMBER} [+-]$|[{_PICTURES}]"
)
"""A number that a sign makes another one, or a doubtful one; and pictures that doubt or refuse."""
_SIGNS = frozenset(f"{_BEFORE}{_BEHIND}{_PICTURES}?+-")
"""A text without any isn't searched: the numbers in words take long to try at each character."""
_NEAR = 3
_LIKE = 0.7
"""From this likeness on (difflib's ratio, 1 for the same) a word counts as another one mistyped."""


class GrammarRow(Value):
    """One form of order, as RULES.md, the help letter and the error hints show it."""

    kind: str
    """The decision it answers."""
    syntax: str
    example: str
    meaning: str
    pattern: str = ""
    """A regular expression over folded text that every such order matches: what mail reading asks."""
    bare: str = ""
    """Another for short answers, such as a number alone, that are this order only where it is asked."""


def of_kind(rows: Iterable[GrammarRow], *kinds: str) -> tuple[GrammarRow, ...]:
    """Return the forms of order that answer these kinds of decision."""
    return tuple(row for row in rows if row.kind in kinds)


def as_written(text: str, folded: str) -> str:
    """Return the words of `text` that fold to `folded`, as they were written; `folded` itself if there are none."""
    words, count = text.split(), len(folded.split())
    runs = (" ".join(words[at : at + count]).strip(" .,;:!?") for at in range(len(words) - count + 1))
    return next((run for run in runs if fold(run) == folded), folded)


def fold(text: str) -> str:
    """Lower-case `text` without accents, invisible marks, odd quotes, dashes or spaces: how order text is compared.

    Digits of any script become ours; a raised or circled one stays what it is and is no number: `1²` isn't 12.
    """
    if not text.isascii():
        text = "".join(map(_plain, text)).replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
        text = re.sub("[\N{EN DASH}\N{EM DASH}\N{MINUS SIGN}]", "-", text)
    return " ".join(text.split()).casefold().rstrip(" .,;!")


def _plain(char: str) -> str:
    """Return a character without its accents, nothing for one that can't be seen; a decimal digit as ours."""
    if unicodedata.category(char) == "Cf":
        return ""
    if unicodedata.category(char) == "No":
        return char
    return "".join(
        str(unicodedata.decimal(c, c)) for c in unicodedata.normalize("NFKD", char) if not unicodedata.combining(c)
    )


def in_digits(folded: str) -> str:
    """Folded text with the numbers that are written in words in digits."""
    return _IN_WORDS.sub(lambda found: str(NUMBERS[found[0]]), folded)


def qualified(folded: str) -> str:
    """Return what of folded text is open: a number with a sign that makes it another one, `5+`, `~5`; else nothing."""
    found = None if _SIGNS.isdisjoint(folded) else _QUALIFIED.search(folded)
    return found[0].strip() if found else ""


def refuse_long(text: str) -> None:
    """Raise InvalidOrder if `text` is longer than any order can be."""
    if len(text) > MAX_ORDER:
        said = N_("The order is {length} characters long; at most {limit} are read. Please send one order a line.")
        raise invalid(said, length=len(text), limit=MAX_ORDER)


def unreadable(text: str, examples: Iterable[str]) -> InvalidOrder:
    """Return what refuses a text that is none of the forms shown by `examples`; without any the game is over."""
    forms = " | ".join(examples)
    if not forms:
        return invalid("The game is over: no order is read any more.")
    if not text.strip():
        return invalid("There is no order in this line. You may write: {forms}.", forms=forms)
    said = N_("{word!r} is no order here. You may write: {forms}.")
    return invalid(said, word=text.strip(), forms=forms)


def whole(word: str, what: str) -> int:
    """Read a whole number of at most 6 digits. Raises InvalidOrder naming `what` it should have been."""
    if not re.fullmatch(r"-?[0-9]{1,6}", fold(word)):
        raise invalid("{word!r} is not a whole number: {what} wants one.", word=word, what=what)
    return int(fold(word))


def mistyped(text: str, known: Iterable[str]) -> str | None:
    """Return the one of the `known` words that `text` is most likely meant for, or None."""
    return next(iter(get_close_matches(text[:40], known, 1, _LIKE)), None)


class Names:
    """Names of things with their spellings in all languages, matched liberally: exact, then by unique prefix."""

    def __init__(self, what: str, spellings: Mapping[str, Iterable[str]]) -> None:
        """Take `what` the things are called in a refusal, and for each canonical name its other spellings."""
        self.what = what
        self.canonical = tuple(spellings)
        self._by_fold: dict[str, str] = {}
        for name, others in spellings.items():
            for spelling in (name, *others):
                self._by_fold[fold(spelling)] = name

    def find(self, text: str) -> str | None:
        """Return the canonical name for `text`, or None; raises AmbiguousOrder where a prefix fits several."""
        key = fold(text)
        if key in self._by_fold:
            return self._by_fold[key]
        if len(key) < _NEAR:
            return None
        fits = sorted({name for spelling, name in self._by_fold.items() if spelling.startswith(key)})
        if len(fits) > 1:
            said = N_("{word!r} could be {names}: please write one of them out.")
            raise AmbiguousOrder(sentence(said, word=text, names=tuple(fits)), candidates=fits)
        return fits[0] if fits else None

    def meant(self, text: str) -> str | None:
        """The canonical name that `text` looks like with a slip in it; None for no name, and for one without a slip."""
        key = fold(text)
        spelling = mistyped(key, self._by_fold)
        return self._by_fold[spelling] if spelling and spelling != key else None

    def read(self, text: str) -> str:
        """Return the canonical name for `text`. Raises AmbiguousOrder, or InvalidOrder naming the nearest or all."""
        name = self.find(text)
        if name is None:
            meant = self.meant(text)
            if meant:
                said = N_("{word!r} is no {what}. Did you mean {name}?")
                raise invalid(said, word=text, what=self.what, name=meant)
            raise invalid("{word!r} is no {what}. There are: {names}.", word=text, what=self.what, names=self.canonical)
        return name

    def spellings(self) -> tuple[str, ...]:
        """Return every accepted spelling, folded, longest first: for building patterns."""
        return tuple(sorted(self._by_fold, key=lambda s: (-len(s), s)))


def matches_grammar(rows: Iterable[GrammarRow], text: str, asked: str = "") -> bool:
    """Return whether `text` has the shape of any order of the grammar, or of a short answer to the decision `asked`.

    It says nothing of legality.
    """
    folded = fold(text)
    return not qualified(folded) and any(
        (row.pattern and re.fullmatch(row.pattern, way))
        or (row.bare and row.kind == asked and re.fullmatch(row.bare, way))
        for way in dict.fromkeys((folded, in_digits(folded)))
        for row in rows
    )
