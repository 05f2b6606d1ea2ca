"""Orders in the midst of other words, "sorry, I meant pass": to ask whether they are meant, never to play them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice

from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.core.types import AnyRules
from pbem.engine.text.notation import GrammarRow, fold, in_digits, of_kind
from pbem.engine.text.spelling import known_words

MOST = 10_000
"""Characters that are looked at; nobody writes as much beside an order."""
_WORDS = 24
"""Words of an order that is looked for."""
_MANY = 20
"""Orders that are looked for."""
_START = re.compile(r"(?<![\w'-])\w")
_END = re.compile(r"\w(?![\w'])")
_WEAK = frozenset(
    (
        *("no", "none", "nothing", "niente", "nulla", "nessun", "nessuna", "rien", "aucun", "aucune", "nichts"),
        *("pass", "passo", "passe", "up", "down", "higher", "plus", "minus", "back", "return", "face", "turn"),
    )
)
"""Words that talk begins with as well: they are an order only where they stand by themselves."""
_LEADS_ON = re.compile(
    r"\b(?:to|on|at|in|of|for|with|and|or|the|an|my|i|then|ad|al|alla|su|sul|sulla|per|con|e|il|lo|la|un|uno|una"
    r"|vers|au|aux|sur|dans|pour|avec|et|le|les|de|des|une)(?: a)?$"
)
"""How no order ends, since something follows: `ship to` is none, nor is `offer of a`."""
_ARTICLES = r"(?:an?|my|your|our|some|un[aoe]?|mi[ao]|tu[ao]|mon|ma|mes|ton|ta|notre|votre)"
_OBJECT = re.compile(rf" {_ARTICLES}((?: [a-z']+){{1,2}})")
"""What a verb is about in talk: "raise a glass", "sell my soul"."""
_SUBJECT = re.compile(r" (?:is|are|was|were|est|sont|sono)\b")
"""How talk goes on that is about a verb: "theft is a crime"."""
_APART = re.compile(
    r"[.,;:!?()\"]+(?= |$)|(?:^| )[^\w ]+(?= )|\b(?:or|but|and|then|o|ma|e|ed|poi|ou|mais|et|puis|oder|aber|und)\b"
)
_LEAD = re.compile(
    r"^(?:(?:sorry|oops|ops|pardon|scusa|scusate|desole|no|non|nein|wait|actually|rather|better|instead|ok|okay|well|so"
    r"|i(?:'ll| will)? (?:mean|meant|say|take|go with|play)|i|i'll|make (?:it|that)|let's say|it's|it is|that's|to"
    r"|change (?:it|that) to|my (?:bid|order|move|answer) is|anzi|meglio|volevo dire|facciamo|plutot|je voulais dire"
    r"|j'ai voulu dire|lieber|doch|ich mein(?:e|te)) )+"
)
_TAILS = (
    *(" please", " instead", " rather", " now", " though", " it is", " of course", " this time", " thanks"),
    *(" invece", " grazie", " plutot", " merci", ","),
)
"""What stands before and behind a short answer in a correction: "no wait, make it 8 please"."""
_SHORT = re.compile(r"\d|[^\W\d_]{2}")
"""How a short answer begins: a letter alone is chance."""


def mentioned(rules: AnyRules, kinds: Iterable[str], text: str, read: Callable[[str], str]) -> tuple[str, ...]:
    """The orders answering a decision of these kinds that `text` holds in other words, each once, as `read` has them.

    `read` returns an order's one form, empty for what is none. A verb with a number that is no whole order is given
    as it stands: a correction names but what changes.
    """
    rows = of_kind(rules.grammar, *kinds)
    folded = in_digits(fold(" . ".join(text[:MOST].splitlines())))
    return tuple(dict.fromkeys(islice(_phrases(rules, rows, folded, read), _MANY)))


def _phrases(rules: AnyRules, rows: Sequence[GrammarRow], folded: str, read: Callable[[str], str]) -> Iterator[str]:
    """Yield orders that begin with a verb, wherever they stand, then short answers that stand by themselves."""
    shown = {fold(said) for row in rows for said in _said(rules, row.example.partition(" ")[0].rstrip(","))}
    left, at = "", 0
    forms = [re.compile(row.pattern) for row in rows if row.pattern]
    for begins in _START.finditer(folded):
        start = begins.start()
        if start < at or not any(form.match(folded, start) for form in forms):
            continue
        meant, end = _longest(rows, folded, start, shown, read)
        if meant and not _is_talk(folded[start:], folded[start:end], known_words(rules.grammar)):
            yield meant
            left, at = f"{left}{folded[at:start]}. ", end
    for clause in map(str.strip, _APART.split(left + folded[at:])):
        for words in dict.fromkeys((clause, _trimmed(_LEAD.sub("", clause)))):
            if _SHORT.match(words) and _shaped(rows, words, short=True):
                yield from filter(None, [read(words) or words * (words not in shown)])


def _longest(
    rows: Sequence[GrammarRow], folded: str, start: int, shown: set[str], read: Callable[[str], str]
) -> tuple[str, int]:
    """Return the order that begins at `start` with as many words as can be read, and where it ends."""
    for end in reversed([end.end() for end in islice(_END.finditer(folded, start), _WORDS)]):
        words = folded[start:end]
        first = words.partition(" ")[0].rstrip(",")
        firm = first in shown or (" " in words and first not in _WEAK)
        if firm and not _LEADS_ON.search(words) and _shaped(rows, words):
            if meant := read(words):
                return _trimmed(meant), end
            if words[-1].isdecimal() and not first.isdecimal():
                return words, end
    return "", start


def _is_talk(said: str, words: str, known: Collection[str]) -> bool:
    """Return whether a verb alone, at most with an article, is of a sentence that holds nothing else of any order."""
    verb, _, article = words.partition(" ")
    if article and not re.fullmatch(_ARTICLES, article):
        return False
    about = _OBJECT.match(said, len(verb))
    return bool(_SUBJECT.match(said, len(verb)) or (about and not set(about[1].split()) & set(known)))


def _trimmed(words: str) -> str:
    """Return words without what is said behind them."""
    while ended := next((tail for tail in _TAILS if words.endswith(tail)), ""):
        words = words.removesuffix(ended)
    return words


def _shaped(rows: Sequence[GrammarRow], words: str, *, short: bool = False) -> bool:
    return any(
        (row.pattern and re.fullmatch(row.pattern, words)) or (short and row.bare and re.fullmatch(row.bare, words))
        for row in rows
    )


def _said(rules: AnyRules, word: str) -> tuple[str, ...]:
    return (word, *rules.meta.order_words.get(word, ()))


_ONE = N_("{word!r} is no order here. Did you mean {order!r}?")
_TWO = N_("Your words hold more than one order, so nothing was done. Did you mean {order!r} or {other_order!r}?")


def asked_back(text: str, orders: Sequence[str]) -> Message:
    """Return the question whether the one order that `text` may hold is meant, or which of the first two."""
    if len(orders) == 1:
        return sentence(_ONE, word=text.strip(), order=orders[0])
    return sentence(_TWO, order=orders[0], other_order=orders[1])
