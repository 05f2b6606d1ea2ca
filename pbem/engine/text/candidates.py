"""What an ambiguous text could have meant: whole orders that are legal now, for the answer to the player."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from pbem.engine.core.errors import AmbiguousOrder, IllegalOrder, InvalidOrder, invalid
from pbem.engine.core.message import N_, Message
from pbem.engine.text.notation import fold, qualified, refuse_long

O = TypeVar("O")  # noqa: E741 - an order, as in `types`
MAX_CANDIDATES = 8
_DEPTH = 2
"""Ambiguous words of one text that are written out, one after the other."""


def settled(
    read: Callable[[Any, int, str], O], check: Callable[[Any, int, Any], list[Message]]
) -> Callable[[Any, int, str], O]:
    """Return a game's reader: `read`, but that its AmbiguousOrder has the legal orders in question as candidates.

    If none of them is legal the first is given: what is wrong with it helps more than a choice among faults. A number
    with a sign that makes it another one is refused for all games here.
    """

    def settle(state: Any, seat: int, text: str) -> O:
        refuse_long(text)
        if sign := qualified(fold(text)):
            raise invalid(N_("{word!r} leaves open what is meant. Please write the order without a sign."), word=sign)
        try:
            return read(state, seat, text)
        except AmbiguousOrder as doubt:
            meant = [order for said in _written_out(doubt, text) for order in _readings(read, state, seat, said)]
            legal = tuple(dict.fromkeys(str(order) for order in meant if not check(state, seat, order)))
            if meant and not legal:
                return meant[0]
            raise AmbiguousOrder(*doubt.faults, candidates=legal[:MAX_CANDIDATES]) from None

    return settle


def _readings(read: Callable[[Any, int, str], O], state: Any, seat: int, text: str, depth: int = 1) -> Iterator[O]:
    """Yield the orders that `text` could be; none if it can't be read."""
    try:
        yield read(state, seat, text)
    except AmbiguousOrder as doubt:
        for said in _written_out(doubt, text) if depth < _DEPTH else ():
            yield from _readings(read, state, seat, said, depth + 1)
    except (InvalidOrder, IllegalOrder):
        return


def _written_out(doubt: AmbiguousOrder, text: str) -> Iterator[str]:
    """The text once for each candidate; one that isn't a whole order by itself takes the place of the word in doubt."""
    word = doubt.faults[0].params.get("word")
    if word is None:
        yield from doubt.candidates
        return
    folded = fold(text)
    found = re.search(rf"(?<!\w){re.escape(fold(str(word)))}(?!\w)", folded)
    if found:
        yield from (f"{folded[: found.start()]}{name}{folded[found.end() :]}" for name in doubt.candidates)
