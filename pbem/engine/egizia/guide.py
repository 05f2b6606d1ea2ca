"""Egizia for people who don't know it; what cards and spaces are comes from the components of the game itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from pbem.engine.core import guide
from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.egizia import data
from pbem.engine.egizia.grammar import GRAMMAR
from pbem.engine.egizia.tables import Tables, tables_of
from pbem.engine.egizia.words import sphinx_said

_TEXTS = guide.GuideTexts.of(__package__)
_UNSURE = N_("Not confirmed by any source at hand, so the printed cards may differ: {cards}.")
_ONE_SHIP = sentence("One ship has room here each round.")
_SLOTS = sentence(
    "A ship here holds a slot; the slot nearest the river acts first. Once all are taken further "
    "ships wait in the queue."
)
_RIVER = N_("On the river")
_ROUNDS = {
    data.BOTH_MARKETS: "both markets",
    data.CREW_STEPS: "crew steps",
    data.JOKER_RING: "joker and ring",
    data.ANY_CREW: "any crew",
}
"""What the texts call what a round space does."""


def _alike(kinds: Sequence[str]) -> dict[str, list[int]]:
    """Return by kind the numbers of the cards of that kind, in the order of the deck."""
    found: dict[str, list[int]] = {}
    for card, kind in enumerate(kinds):
        found.setdefault(kind, []).append(card)
    return found


def _nile(t: Tables, what: str, cards: list[int]) -> guide.Entry:
    """Return one entry for all Nile cards that do the same."""
    named = tuple(t.names[card] for card in cards)
    listed = tuple(f"{t.names[card]} ({t.value[card]})" if t.value[card] else t.names[card] for card in cards)
    more = [sentence("Cards: {cards}.", cards=listed)]
    if unsure := tuple(t.names[card] for card in cards if not t.cards[card].confirmed):
        more.append(Message(_UNSURE, {"cards": unsure}))
    entry = _TEXTS.entry(N_("Nile cards"), what, *more, told=t.cards[cards[0]].effect)
    return replace(entry, key=named[0], words=(what, *named))


def _sphinx(t: Tables, cond: str, cards: list[int]) -> guide.Entry:
    """Return one entry for all Sphinx cards with one condition."""
    named = tuple(t.sphinx[card].id for card in cards)
    said = (sphinx_said(t, card) for card in cards)
    entry = _TEXTS.entry(N_("Sphinx cards"), data.CONDITION_NAMES[cond], *said, told=cond)
    return replace(entry, key=named[0], words=named)


def _places(t: Tables) -> Iterator[guide.Entry]:
    """Yield the round spaces and the sites; a card space has no name of its own."""
    for space, name in enumerate(t.space_name):
        if t.kind[space] == data.ROUND:
            yield _TEXTS.entry(_RIVER, name, _ONE_SHIP, told=_ROUNDS[t.action[space]], crews=t.crew_names[space])
        elif t.kind[space] == data.SITE:
            yield _TEXTS.entry(_RIVER, name, _SLOTS)


def entries(box: str) -> tuple[guide.Entry, ...]:
    """The glossary, its cards and spaces as the components of a club's own box have them; "" for those that ship."""
    t = tables_of(box)
    return (
        *(_nile(t, what, cards) for what, cards in _alike(t.what).items()),
        *(_sphinx(t, cond, cards) for cond, cards in _alike([card.cond for card in t.sphinx]).items()),
        *_places(t),
        *_TEXTS.others(GRAMMAR),
    )


GUIDE = _TEXTS.guide(entries(""))
