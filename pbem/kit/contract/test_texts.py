"""Orders as people mistype them, over all games."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from pbem.engine.core.rng import Rng
from pbem.engine.core.types import AnyRules
from pbem.kit.contract.positions import positions, understood

FEWEST = 300
"""Texts that must be understood, or nothing is proved."""
STRAY = ("+", "&", ",", "and", "none", "0", "00", "99999", "-1", "x2", "*", ";", "\N{ARABIC-INDIC DIGIT THREE}")


def mistyped(text: str, pool: list[str], chance: Rng) -> Iterator[str]:
    """Yield the `text` cut off, with a word left out, and with one of the `pool` put in or in the place of another."""
    words = text.split()
    for place in range(len(words) + 1):
        before, word, after = words[:place], pool[chance.below(len(pool))], words[place + 1 :]
        yield from (" ".join(some) for some in (before, before + after, [*before, word, *after]))
        yield " ".join([*before, word, *words[place:]])
    yield from (text.upper(), f"{text} {text}", text.replace(" ", ""), text.replace(" ", ","))


def test_whatever_is_read_has_a_text_that_is_read_as_the_same(game: str, rules: AnyRules) -> None:
    """Of an order with a slip in it: refused, or shown back as exactly what it was taken for, allowed or not."""
    pool = [*STRAY, *sorted({word for row in rules.grammar for word in row.example.split()})]
    read = 0
    for position in list(positions(game))[::7]:
        chance = Rng(position.seed, position.ply)
        for seat in rules.awaited(position.state):
            orders = [*islice(rules.legal(position.state, seat), 3), rules.sample(position.state, seat, chance)]
            examples = [rules.grammar[chance.below(len(rules.grammar))].example for _ in range(4)]
            for text in (spoilt for good in (*map(str, orders), *examples) for spoilt in mistyped(good, pool, chance)):
                order = understood(rules, position.state, seat, text)
                if order is not None:
                    read += 1
                    assert understood(rules, position.state, seat, str(order)) == order, text

    assert read > FEWEST
