"""The board as the rules text of the game prints it, read for the referee by its own means."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pbem.engine.amunre


class Printed(NamedTuple):
    """One province's line."""

    fields: int
    card_limit: int
    bonus_cards: int
    bonus_stones: int
    bonus_gold: int
    income: int
    camel: bool
    temples: int
    printed_farmers: int
    bank: str
    half: str
    riverside: bool


def _printed(cells: list[str]) -> Printed:
    """The cells of a table row; `?` marks what no source confirms."""
    plain = [cell.strip().rstrip("?") for cell in cells]
    fields, limit, cards, stones, gold, income, camel, temples, farmers, bank, half, riverside = plain
    return Printed(
        fields=int(fields),
        card_limit=int(limit),
        bonus_cards=int(cards),
        bonus_stones=int(stones),
        bonus_gold=int(gold),
        income=int(income),
        camel=camel == "yes",
        temples=int(temples),
        printed_farmers=int(farmers),
        bank=bank,
        half=half,
        riverside=riverside == "yes",
    )


_TEXT = (Path(pbem.engine.amunre.__file__).parent / "RULES.md").read_text(encoding="utf-8")
PRINTED = {
    name: _printed(cells.split("|"))
    for name, cells in re.findall(r"(?m)^\| ([A-Z]\w+) \|((?: *[\w?]+ *\|){11} *[\w?]+) *\|$", _TEXT)
}
