"""The components turned into small tables of integers that the verbs look things up in; built once per set."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from pbem.engine.egizia import data
from pbem.engine.egizia.components import Components, NileCard, load

HALF = 10
LOW = (1 << HALF) - 1
ALL = (1 << data.RIVER) - 1
BITS_LOW = tuple(tuple(i for i in range(HALF) if mask >> i & 1) for mask in range(1 << HALF))
BITS_HIGH = tuple(tuple(i + HALF for i in bits) for bits in BITS_LOW)
FIELD, QUARRY, IMMEDIATE, PERMANENT, ANYTIME = range(5)
TYPES = {"field": FIELD, "quarry": QUARRY, "immediate": IMMEDIATE, "permanent": PERMANENT, "anytime": ANYTIME}


def bits(mask: int) -> tuple[int, ...]:
    """Return the river spaces in `mask`, upstream first."""
    return BITS_LOW[mask & LOW] + BITS_HIGH[mask >> HALF]


class Tables:
    """One set of components, indexed. River spaces are 0..19, Nile cards 0.. over all decks, Sphinx cards 0.. ."""

    def __init__(self, parts: Components) -> None:
        """Index `parts`, which are sound."""
        self.parts = parts
        self._index_river(parts)
        self._index_cards(parts)
        self.obelisk = parts.obelisk
        self.rows = parts.pyramid_rows_bottom_up
        self.temple = tuple(parts.temple[key] for key in data.PART_KEYS)
        self.monuments = (*self.rows, *self.temple)
        """Values of the spaces that Pyramid and Temple have, by kind: row from the bottom, then part."""
        rows = range(1, len(self.rows) + 1)
        parts_named = (f"temple:{name.replace(' ', '-')}" for name in data.PARTS)
        self.monument_marks = (*(f"pyramid:{row}" for row in rows), *parts_named)
        self.cheapest = min(*(min(row) for row in self.rows), *(min(part) for part in self.temple))
        self.start_colour = data.COLOURS.index(parts.start_field.colour)
        self.crew_max = parts.crew_max
        self.stone_cap = parts.stone_cap
        self.last_stone = len(parts.stone_market_sell) - 1
        self.last_grain = len(parts.grain_market_cost) - 1
        self.sphinx = parts.sphinx
        self.sphinx_index = {card.id: i for i, card in enumerate(parts.sphinx)}
        self.grave_values = tuple(sorted(set(parts.graves)))
        self.grave_names = tuple(str(value) for value in self.grave_values)
        counts = Counter(parts.graves)
        self.grave_counts = tuple(counts[value] for value in self.grave_values)

    def _index_river(self, parts: Components) -> None:
        kinds = {"card": data.CARD, "round": data.ROUND, "site": data.SITE}
        self.space_ids = tuple(space.id for space in parts.river)
        self.kind = tuple(kinds[space.kind] for space in parts.river)
        self.action = tuple(data.ROUND_ACTION.get(space.id, -1) for space in parts.river)
        self.space_crews = tuple(tuple(data.CREW_INDEX[crew] for crew in space.crews) for space in parts.river)
        self.space_name = tuple(data.PLACE_NAMES.get(space.id, "") for space in parts.river)
        self.crew_names = tuple(space.crews for space in parts.river)
        self.where = {name: i for i, name in enumerate(self.space_name) if name}
        self.mark = tuple((f"space:{space.id}",) for space in parts.river)
        masks = [0, 0, 0]
        for i, kind in enumerate(self.kind):
            masks[kind] |= 1 << i
        self.card_mask, self.round_mask, self.site_mask = masks
        self.card_spaces = bits(self.card_mask)
        numbers = {space: f"card {number}" for number, space in enumerate(self.card_spaces, 1)}
        self.label = tuple(name or numbers[i] for i, name in enumerate(self.space_name))
        self.sites = bits(self.site_mask)
        self.site_of = {space: site for site, space in enumerate(self.sites)}
        self.repeatable = self.round_mask & ~(1 << self.space_ids.index(data.UNREPEATABLE))

    @staticmethod
    def _what(card: NileCard) -> str:
        """Return what a card is called, without its value."""
        if card.type == "field":
            return data.FIELD_NAMES[data.COLOURS.index(card.colour)]
        if card.type == "quarry":
            return data.QUARRY_NAME
        return data.IMMEDIATE.get(card.effect) or data.EFFECT_NAMES[(data.PERMANENT | data.ANYTIME)[card.effect]]

    def _index_cards(self, parts: Components) -> None:
        decks = [parts.nile[name] for name in data.DECKS]
        self.cards = tuple(card for deck in decks for card in deck)
        # `value` and `power` have a blank at the end, so that card -1, "none", has neither.
        ends = [sum(len(deck) for deck in decks[:i]) for i in range(len(decks) + 1)]
        self.deck_range = tuple(range(ends[i], ends[i + 1]) for i in range(len(decks)))
        self.names = tuple(card.id for card in self.cards)
        self.index = {name: i for i, name in enumerate(self.names)}
        self.type = tuple(TYPES[card.type] for card in self.cards)
        self.value = (*(card.value for card in self.cards), 0)
        powers = data.PERMANENT | data.ANYTIME
        self.power = (*(powers.get(card.effect, 0) for card in self.cards), 0)
        self.colour = tuple(data.COLOURS.index(card.colour) if card.colour else -1 for card in self.cards)
        self.what = tuple(self._what(card) for card in self.cards)
        self.steps = tuple(
            data.TAKEN_CREW_STEPS if card.effect == "two_crews_plus_1_or_one_plus_2" else 0 for card in self.cards
        )


@lru_cache(maxsize=32)
def tables_of(components: str) -> Tables:
    """Return the tables of a components text, "" for the set that ships."""
    return Tables(load(components))
