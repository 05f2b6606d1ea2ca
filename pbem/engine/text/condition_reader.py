"""Reading the conditions of standing orders: a small language over named facts, never evaluated as code."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import msgspec

from pbem.engine.core.errors import EngineError, InvalidOrder, invalid
from pbem.engine.core.message import N_
from pbem.engine.core.types import Fact
from pbem.engine.text.conditions import Among, Amount, Compare, Condition, Joined, Literal, Named, Not, Sum, Term
from pbem.engine.text.notation import NUMBERS, Names, fold, mistyped
from pbem.structs import Value

MAX_TOKENS = 120
MAX_DEPTH = 12
_LONGEST_FACT = 4
"""Words a fact's name may be written as: `my high sun` for my_high_sun."""
_LONGEST_WORD = 60
_NUMBERS, _WORD, _SET = N_("number"), N_("word"), N_("set of words")
_TOKEN = re.compile(
    r"""\s*(?:(?P<number>\d{1,6})(?![\w])|(?P<quoted>"[^"]{1,60}")|(?P<sign><=|>=|==|!=|<>|[-<>=+(){},])"""
    r"""|(?P<word>[^\W\d_][\w.'-]*))"""
)
_LONG = {"is not": "!=", "at least": ">=", "at most": "<=", "more than": ">", "less than": "<"}
_SHORT = {"==": "=", "is": "=", "<>": "!=", "above": ">", "over": ">", "below": "<", "under": "<"}
_SIGN = re.compile(rf"(?:(?:is )?(?P<word>{'|'.join((*_LONG, *_SHORT))})|(?P<sign>[<>]=?|!?=))(?= |$)", re.IGNORECASE)
_IN = re.compile(r"(?:is )?(?P<no>not )?in(?= |$)", re.IGNORECASE)
_KEYWORDS = frozenset({"and", "or", "not", "in", "is", "at", "more", "less", "above", "over", "below", "under"})
_ORDERED = frozenset({"<", "<=", ">", ">="})


class Vocabulary(Value):
    """What the conditions of one game may speak of."""

    kinds: Mapping[str, str]
    """Each fact's name with its kind: number, word or set of words."""
    names: Names | None = None
    """Spellings of the things that facts name, if the game lists them; other words are then refused."""


def kind_of(fact: Fact) -> str:
    """Return the kind of a fact's value, as `Vocabulary.kinds` and refusals call it."""
    return _NUMBERS if isinstance(fact, int) else _WORD if isinstance(fact, str) else _SET


def read_condition(text: str, vocabulary: Vocabulary) -> Condition:
    """Read `text` as a condition. Raises InvalidOrder with one sentence that holds `{line}` open."""
    return _Parser(text, vocabulary).whole()


def fault(text: str, **params: int | str | tuple[str, ...]) -> InvalidOrder:
    """Return a refusal whose line number is filled in by `standing`, which knows it."""
    return invalid(text, line=1, **params)


class _Parser:
    """Recursive descent over the tokens, bounded in length and depth."""

    def __init__(self, text: str, vocabulary: Vocabulary) -> None:
        self.facts = vocabulary.kinds
        self.names = vocabulary.names
        self.tokens = _tokens(text)
        self.at = 0
        self.depth = 0

    def whole(self) -> Condition:
        found = self.either()
        if self.at < len(self.tokens):
            said = N_("Line {line}: {word!r} is left over in the condition; join conditions by `{both}` or `{either}`.")
            raise fault(said, word=self.peek(), both="and", either="or")
        return found

    def peek(self, ahead: int = 0) -> str:
        place = self.at + ahead
        return self.tokens[place] if place < len(self.tokens) else ""

    def take(self, *words: str) -> bool:
        """Step over `words` if they come next."""
        if any(self.peek(i).casefold() != word for i, word in enumerate(words)):
            return False
        self.at += len(words)
        return True

    def found(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Step over what a pattern finds in the words that come next."""
        found = pattern.match(" ".join(self.tokens[self.at : self.at + 3]))
        self.at += found[0].count(" ") + 1 if found else 0
        return found

    def either(self) -> Condition:
        return self.joined("or", lambda: self.joined("and", self.negated))

    def joined(self, word: str, part: Callable[[], Condition]) -> Condition:
        parts = [part()]
        while self.take(word):
            parts.append(part())
        return parts[0] if len(parts) == 1 else Joined(word, tuple(parts))

    def negated(self) -> Condition:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise fault("Line {line}: the condition is nested deeper than {limit}.", limit=MAX_DEPTH)
        found: Condition
        if self.take("not"):
            found = Not(self.negated())
        elif self.take("("):
            found = self.either()
            if not self.take(")"):
                raise fault("Line {line}: a bracket of the condition is not closed; add `)`.")
        else:
            found = self.test()
        self.depth -= 1
        return found

    def test(self) -> Condition:
        left = self.sum()
        if isinstance(left, Amount) and (found := self.counted(left)):
            return found
        if among := self.found(_IN):
            return Not(self.among(left)) if among["no"] else self.among(left)
        if sign := self.found(_SIGN):
            word = (sign["word"] or "").casefold()
            return self.compare(left, sign["sign"] or _LONG.get(word) or _SHORT[word], self.sum())
        if isinstance(left, Named):
            return left
        raise fault("Line {line}: {word!r} is no condition; compare it, as in `{word} < 5`.", word=str(left))

    def compare(self, left: Term, sign: str, right: Term) -> Condition:
        if sign in _ORDERED:
            self.same(_NUMBERS, left, right)
            return Compare(left, sign, right)
        if self.kind(left) == _WORD:
            right = self.as_word(right)
        for term in (left, right):
            if self.kind(term) == _SET:
                raise fault("Line {line}: a set is asked by `in`, as in `farmer in {word}`.", word=str(term))
        if not isinstance(left, Named | Sum) and not isinstance(right, Named | Sum):
            raise self.no_fact(str(left).strip('"'))
        self.same(self.kind(left if isinstance(left, Named | Sum) else right), left, right)
        return Compare(left, sign, right)

    def as_word(self, term: Term) -> Term:
        """Return the word that a term spells, where a fact or a number happens to be the name of a thing."""
        if self.names is None or not isinstance(term, Named | Amount):
            return term
        word = str(term).replace("_", " ")
        return Literal((fold(self.names.read(word)),)) if word in self.names.spellings() else term

    def among(self, item: Term) -> Among:
        name = self.fact()
        if not name or self.facts[name] != _SET:
            sets = tuple(known for known, kind in self.facts.items() if kind == _SET)
            said = N_("Line {line}: after `in` one of the game's sets is due, not {word!r}. There are: {names}.")
            raise fault(said, word=name or self.peek(), names=sets)
        if self.kind(item) == _NUMBERS:
            item = self.as_word(item)
        if self.kind(item) == _NUMBERS:
            raise fault("Line {line}: {name} holds words, and {word} is a number.", name=name, word=str(item))
        return Among(item, Named(name))

    def counted(self, count: Amount) -> Condition | None:
        """Return what follows a bare number: `5 tiles`, `2 of {Edfu, Sphinx} in gone`; nothing if it is compared."""
        if self.take("of"):
            return self.several(count.value)
        name = self.fact()
        if name:
            self.same(_NUMBERS, Named(name))
            return Compare(Named(name), ">=", count)
        return None

    def several(self, least: int) -> Among:
        """`2 of {Edfu, Sphinx} in gone`: that many of a set of words, or more."""
        item = self.sum()
        if not isinstance(item, Literal) or not 1 <= least <= len(item.words) or not self.take("in"):
            text = N_("Line {line}: after `{count} of` words in curly brackets and `in` with a set are due.")
            raise fault(text, count=least)
        return msgspec.structs.replace(self.among(item), least=least)

    def sum(self) -> Term:
        found = self.term()
        while self.peek() in {"+", "-"}:
            sign = self.peek()
            self.at += 1
            right = self.term()
            self.same(_NUMBERS, found, right)
            found = Sum(found, sign, right)
        return found

    def term(self) -> Term:
        token = self.peek()
        if token.isdecimal():
            self.at += 1
            return Amount(int(token))
        if self.take("{"):
            return self.set()
        name = self.fact()
        if name:
            return Named(name)
        if token.casefold() in NUMBERS:
            self.at += 1
            return Amount(NUMBERS[token.casefold()])
        return Literal((self.word(),))

    def set(self) -> Literal:
        words = [self.word()]
        while self.take(","):
            words.append(self.word())
        if not self.take("}"):
            raise fault("Line {line}: a set of words is not closed; add `}}`.")
        return Literal(tuple(words))

    def fact(self) -> str:
        """Return the name of the fact that comes next, its words joined as it takes, or nothing."""
        for length in range(_LONGEST_FACT, 0, -1):
            name = "_".join(self.peek(i).casefold() for i in range(length))
            if name in self.facts:
                self.at += length
                return name
        return ""

    def word(self) -> str:
        """Return the word or words that come next, as the game spells them."""
        token = self.peek()
        if token.startswith('"'):
            self.at += 1
            return self.spelled(token.strip('"'))
        words = []
        while (token := self.peek()) and token[0].isalpha() and token.casefold() not in _KEYWORDS:
            words.append(token)
            self.at += 1
        if not words:
            said = N_("Line {line}: a fact, a word or a number is due in the condition, not {word!r}.")
            raise fault(said, word=token or N_("its end"))
        return self.spelled(" ".join(words))

    def spelled(self, word: str) -> str:
        if self.names is None:
            found = fold(fold(word))
            if found and '"' not in found and found.isprintable() and len(found) <= _LONGEST_WORD:
                return found
            raise self.no_fact(word)
        try:
            name = self.names.find(word)
        except EngineError:
            name = None
        if name is None:
            raise self.no_fact(word)
        return fold(name)

    def no_fact(self, word: str) -> InvalidOrder:
        name = word.casefold().replace(" ", "_")
        near = (
            mistyped(name, self.facts) or (self.names and self.names.meant(word)) or mistyped(f"my_{name}", self.facts)
        )
        known = (near,) if near else tuple(self.facts)
        if near:
            text = N_("Line {line}: {word!r} is no fact and no name in this game. Did you mean {names}?")
        else:
            text = N_("Line {line}: {word!r} is no fact and no name in this game. Facts are: {names}.")
        return fault(text, word=word, names=known)

    def kind(self, term: Term) -> str:
        if isinstance(term, Named):
            return self.facts[term.name]
        if isinstance(term, Literal):
            return _WORD if len(term.words) == 1 else _SET
        return _NUMBERS

    def same(self, kind: str, *terms: Term) -> None:
        """Refuse a term that is not of `kind`."""
        for term in terms:
            if self.kind(term) != kind:
                if isinstance(term, Literal):
                    raise self.no_fact(term.words[0])
                said = N_("Line {line}: {word} is a {found} where a {due} is due.")
                raise fault(said, word=str(term), found=self.kind(term), due=kind)


def _tokens(text: str) -> list[str]:
    tokens: list[str] = []
    at = 0
    while text[at:].strip():
        found = _TOKEN.match(text, at)
        if found is None:
            said = N_("Line {line}: {word!r} can't be read in a condition; words with odd characters go in quotes.")
            raise fault(said, word=text[at:].strip())
        tokens.append(found[0].strip())
        at = found.end()
        if len(tokens) > MAX_TOKENS:
            raise fault("Line {line}: the condition has more than {limit} words.", limit=MAX_TOKENS)
    return tokens
