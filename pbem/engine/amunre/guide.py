"""Amun-Re for people who don't know it; what cards and provinces are comes from the tables of the game itself."""

from __future__ import annotations

from pbem.engine.amunre import board, data
from pbem.engine.amunre.grammar import GRAMMAR
from pbem.engine.core import guide
from pbem.engine.core.message import N_, Message, sentence

_TEXTS = guide.GuideTexts.of(__package__)
_COUNTED = N_("There are {count} of it among the {all} power cards.")
_BY_ITSELF = sentence("It plays itself when it holds, unless you said beforehand that you keep it.")
_FIELDS = N_("{fields} field(s); whoever owns it may buy up to {cards} power card(s) a round.")
_SIDES = (
    (N_("It lies on the west bank in Lower Egypt."), N_("It lies on the west bank in Upper Egypt.")),
    (N_("It lies on the east bank in Lower Egypt."), N_("It lies on the east bank in Upper Egypt.")),
)
_RIVER = (N_("It doesn't touch the river."), N_("It touches the river."))
_INCOME = (
    N_("It brings {gold} gold each harvest, without farmers."),
    N_("A caravan brings {gold} gold when the temple stands on space 1 or 2."),
)
_UNSURE = N_("Not confirmed by any source at hand, so the printed board may differ: {what}.")


def _power(kind: int) -> guide.Entry:
    """Return what a power card does, and how many there are."""
    count = Message(_COUNTED, {"count": data.COPIES[kind], "all": data.ALL_CARDS})
    by_itself = (_BY_ITSELF,) if kind in data.BONUSES else ()
    return _TEXTS.entry(N_("Power cards"), data.CARDS[kind], *by_itself, count)


def _province(table: board.Board, p: int) -> guide.Entry:
    """Return what the table of the board says of one province, in sentences."""
    name = data.PROVINCES[p]
    said = [
        Message(_FIELDS, {"fields": table.fields[p], "cards": table.card_limit[p]}),
        Message(_SIDES[table.bank[p]][table.half[p]]),
        Message(_RIVER[table.riverside[p]]),
    ]
    if table.income[p]:
        said.append(sentence(_INCOME[table.camel[p]], gold=table.income[p]))
    for column, text in data.LANGUAGE.said["printed"].items():
        count = getattr(table, column)[p]
        if count:
            said.append(sentence(text, count=count))
    if table.not_confirmed[p]:
        said.append(
            Message(_UNSURE, {"what": tuple(data.LANGUAGE.said["unsure"][cell] for cell in table.not_confirmed[p])})
        )
    return guide.Entry(
        key=name, group=N_("Provinces"), name=Message(name), text=tuple(said), rule="AR-1.1", words=(name,)
    )


def entries(box: str) -> tuple[guide.Entry, ...]:
    """Return the glossary, its provinces as the table of a club's own box has them; "" for the one of these rules."""
    table = board.load(box)
    return (
        *map(_power, range(data.KINDS)),
        *(_province(table, p) for p in range(data.LANDS)),
        *_TEXTS.others(GRAMMAR),
    )


GUIDE = _TEXTS.guide(entries(""))
