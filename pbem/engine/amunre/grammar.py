"""The words of order text, cut into tokens for `reading`; and every form of order, as RULES.md and letters show it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from pbem.engine.amunre.data import CARD_SPELLINGS, CARDS, LANGUAGE, PROVINCE_SPELLINGS, PROVINCES
from pbem.engine.core.errors import invalid
from pbem.engine.core.message import N_
from pbem.engine.text.notation import NUMBERS, Names, fold

LONGEST = 8
"""Words of the longest spelling."""
NUMBER, PROVINCE, CARD, WORD = "number", "province", "card", "word"
_DIGITS = 4


class Token(NamedTuple):
    """A number, a province or card by id, or a keyword."""

    kind: str
    value: Any
    text: str
    fresh: bool = False
    """Whether a comma or semicolon stands before it: it begins something new."""


KEYWORDS = LANGUAGE.spellings["keywords"]
"""The English keywords, with what Italian and French players write instead."""
FILLERS = frozenset(
    word
    for line in (
        "on in at to the and for with of or any my please gold oro items item reward play i each from into then also",
        "o oppure ou",
        "su a' per e et sur dans avec con di d d' de ad al alla pour la le il lo les des monete moneta amun re",
    )
    for word in line.split()
)
ARTICLES = {"a": 1, "an": 1}
COUNTED = ARTICLES | dict.fromkeys(("un", "uno", "una", "une"), 1) | NUMBERS


def _key(text: str) -> str:
    return " ".join(re.findall(r"-\d+|\w+", fold(text)))


def _phrases() -> dict[str, tuple[str, Any]]:
    return {
        _key(spelling): (kind, name if kind == WORD else at)
        for kind, names in ((WORD, KEYWORDS), (PROVINCE, PROVINCE_SPELLINGS), (CARD, CARD_SPELLINGS))
        for at, (name, others) in enumerate(names.items())
        for spelling in (name, *[f"{name}s"] * (kind == CARD), *others)
    }


PHRASES = _phrases()
_NEAR = Names(N_("province or card"), PROVINCE_SPELLINGS | CARD_SPELLINGS)


def tokens(text: str, *, eight: bool) -> list[Token]:
    """Cut folded order text into tokens. `eight`: "8 gold" means the card, before any `sell`, too.

    Raises InvalidOrder naming the word that isn't understood, AmbiguousOrder for a prefix that fits several names.
    """
    folded = fold(text)
    broken = re.search(r"\d+[.,]\d+|\d*[.]\d+|(?<!\S)\+\d+", folded)
    if broken:
        said = N_("{word!r} is not a whole number: gold and pieces are counted in whole numbers.")
        raise invalid(said, word=broken[0])
    found: list[Token] = []
    for number, part in enumerate(re.split(r"[,;]", folded)):
        words = re.findall(r"-\d+|\d+(?=x\b)|(?<=\d)x\b|\w+", part)
        cut = list(_cut([word for word in words if word != "x"], eight=eight))
        eight = eight or any(token.value == "sell" for token in cut)
        found += [token._replace(fresh=number > 0 and at == 0) for at, token in enumerate(cut)]
    return found


def _cut(words: list[str], *, eight: bool) -> Iterator[Token]:
    at = 0
    while at < len(words):
        if words[at] == "a" and PHRASES.get(" ".join(words[at + 1 : at + 2]), ("",))[0] == PROVINCE:
            at += 1  # "a Menfi" is Italian and French for "to"; before anything else it counts one
        for length in range(min(LONGEST, len(words) - at), 0, -1):
            phrase = " ".join(words[at : at + length])
            found = PHRASES.get(phrase)
            if found and (eight or found[0] != CARD or not phrase[0].isdigit()):
                eight = eight or found[1] == "sell"
                yield Token(*found, phrase)
                break
        else:
            length = 1
            yield from _single(words[at])
        at += length


def _single(word: str) -> Iterator[Token]:
    if re.fullmatch(r"-?[0-9]+", word):
        if len(word) > _DIGITS:
            text = N_("{word!r} is too large a number: no amount in this game has more than 4 digits.")
            raise invalid(text, word=word)
        if word.startswith("-"):
            raise invalid("{word!r} is below zero: amounts are whole numbers from 0 up.", word=word)
        yield Token(NUMBER, int(word), word)
    elif word in COUNTED:
        yield Token(NUMBER, COUNTED[word], word)
    elif word not in FILLERS:
        name = _NEAR.find(word)
        if name is None:
            meant = _NEAR.meant(word)
            if meant:
                said = N_("{word!r} is no word of an order here. Did you mean {name}?")
                raise invalid(said, word=word, name=meant)
            said = N_("{word!r} is no word of an order here: is it a misspelt province or card?")
            raise invalid(said, word=word)
        if name in PROVINCES:
            yield Token(PROVINCE, PROVINCES.index(name), word)
        else:
            yield Token(CARD, CARDS.index(name), word)


def _prefixes(name: str) -> str:
    """Return a pattern for a name of one word shortened to three letters or more."""
    return f"{name[:3]}[{''.join(sorted(set(name[3:])))}]*" if len(name) > len("abu") else name


def spelled(*keywords: str) -> str:
    """Return a pattern for any spelling of these keywords, as order text may begin with."""
    return "|".join(re.escape(spelling) for name in keywords for spelling in (name, *KEYWORDS[name]))


def _phrases_of(words: Iterable[str]) -> str:
    """Return a pattern for any of these words and phrases, the longest first."""
    return "|".join(phrase.replace(" ", r"[ '/-]+") for phrase in sorted(words, key=lambda s: (-len(s), s)))


def _near(names: Iterable[str]) -> str:
    """Return a pattern for these names, their first words shortened."""
    return "|".join(sorted({_prefixes(fold(name).split()[0]) for name in names}))


def vocabulary() -> str:
    """Return a pattern for one word or number of any order, for the grammar's rows."""
    return rf"{_phrases_of(PHRASES)}|{_near((*PROVINCES, *CARDS))}|\d{{1,4}}x?|{_phrases_of([*FILLERS, *COUNTED])}"


def _bid_words() -> str:
    """Return a pattern for a bid's words: one amount and one province, or any with `up to`, `lowest` or `within`.

    Nothing of another order, and no sign beside an amount. Numbers are in digits, as `in_digits` writes them.
    """

    def said(kind: str, *keys: Any) -> str:
        return _phrases_of(word for word, found in PHRASES.items() if found[0] == kind and found[1] in keys)

    def named(kind: str, names: Sequence[str], of: Sequence[str]) -> str:
        known = said(kind, *map(of.index, names))
        return rf"(?:{known}|(?!(?:{_phrases_of(PHRASES)})\b)(?:{_near(names)}))\b(?:[ ,;:+&/-]*(?!(?<= [+-])\d)\b)?+"

    place, cards = named(PROVINCE, PROVINCES, PROVINCES), named(CARD, BID_CARDS, CARDS)
    amount, open_ = r"\d{1,4}\b", rf"(?:{said(WORD, 'up to', 'lowest', 'within')})\b"
    beside = rf"(?:{cards}|(?!{open_})(?:{said(WORD, 'bid', 'offer')}|{_phrases_of(FILLERS)}|a(?= {place}))\b)"
    apart = r"[ ,;:]*\b"
    own = rf"(?>{apart}{beside})*+"
    once = rf"(?:{apart}{amount}{own}(?:{apart}{place}{own})?+|{apart}{place}{own}(?:{apart}{amount}{own})?+)?+"
    return rf"{own}{once}(?:{apart}{open_}(?>{apart}(?:{beside}|{open_}|{place}|{amount}))*+)?+"


BID_WORDS = frozenset({"bid", "offer", "up to", "lowest", "within"})
"""The keywords of a bid."""
BID_CARDS = ("block", "rebid")
_BID = _bid_words()
BID = re.compile(rf"\W*{_BID}\W*")
"""A whole bid, its numbers in digits."""
_WORDS = rf"(?>[ ,;:+&/-]*(?!(?<= \+)\d)\b(?:{vocabulary()})\b)*+"
"""Possessive, so that no text can make the match slow. No number has a plus before it, as `tokens` says."""

_COUNT = "|".join((r"\d{1,3}", *COUNTED))
_PATTERNS = {
    **{name.replace(" ", "_"): spelled(name) for name in KEYWORDS},
    "bid": spelled("bid", "offer"),
    "cards": f"{_COUNT}|{spelled('cards')}",
    "count": _COUNT,
    "pieces": r"(?:\d+ )?(?:farmers?|stones?|agricoltor[ie]|blocchi|pietr[ae]|paysans?|blocs?|pierres?)",
    "places": "|".join(fold(name) for place, others in PROVINCE_SPELLINGS.items() for name in (place, *others)),
}
"""What orders begin with."""
GRAMMAR = LANGUAGE.grammar(_PATTERNS, _WORDS, bid=_BID)


def example(kind: str) -> str:
    """One example of an order that answers a decision."""
    return next(row.example for row in GRAMMAR if row.kind == kind)
