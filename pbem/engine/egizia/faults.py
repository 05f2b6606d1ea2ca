"""What can be wrong with a club's own components, all of it, each fault in words (catalogue, opening paragraph)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from pbem.engine.egizia import components as c
from pbem.engine.egizia import data

KINDS: Final = {"card": 10, "round": 7, "site": 3}
GRAVE_LIMIT: Final = 99
DECK_SPHINX: Final = 10


def faults_of(parts: c.Components) -> Iterator[str]:
    """Every fault of `parts`, whose types are already right."""
    yield from _river(parts)
    yield from _nile(parts)
    yield from _sphinx(parts)
    yield from _graves(parts)
    yield from _buildings(parts)
    yield from _players(parts)
    yield from _markets(parts)


def _river(parts: c.Components) -> Iterator[str]:
    """EG-1.1: twenty numbered spaces, 10 card, 7 round, 3 site, the sites in order."""
    kinds = Counter(space.kind for space in parts.river)
    for kind in sorted(kinds.keys() - KINDS.keys()):
        yield f"river: {kind!r} is no kind of space; there are card, round and site"
    for kind, due in KINDS.items():
        if kinds[kind] != due:
            yield f"river: {kinds[kind]} {kind} spaces; there must be {due}"
    if [space.i for space in parts.river] != list(range(1, data.RIVER + 1)):
        yield f"river: the spaces must be numbered 1 to {data.RIVER} in order"
    yield from _twice("river", [space.id for space in parts.river])
    sites = tuple(space.id for space in parts.river if space.kind == "site")
    if sites != data.SITE_IDS:
        yield f"river: the sites must be {', '.join(data.SITE_IDS)} in this order"
    for space in parts.river:
        yield from _space(space)


def _space(space: c.Space) -> Iterator[str]:
    """EG-3.4 to EG-3.7: each round space is one the rules know, under its name."""
    if space.kind == "card" and not re.fullmatch(r"C(10|[1-9])", space.id):
        yield f"river {space.i}: a card space is called C1 to C10, not {space.id!r}"
    if space.kind == "round":
        if space.id not in data.ROUND_ACTION:
            yield f"river {space.i}: {space.id!r} is no round space; there are {', '.join(data.ROUND_ACTION)}"
        elif space.name != data.PLACE_NAMES[space.id]:
            yield f"river {space.i}: {space.id} is called {data.PLACE_NAMES[space.id]!r}, not {space.name!r}"
        steps = data.ROUND_ACTION.get(space.id) == data.CREW_STEPS
        if steps != bool(space.crews):
            yield f"river {space.i}: {space.id} {'needs' if steps else 'can have no'} crews"
    yield from _words(f"river {space.i}", {"crews": space.crews})


def _nile(parts: c.Components) -> Iterator[str]:
    """EG-2.2, EG-4: three decks of enough cards with known effects."""
    for name in sorted(parts.nile.keys() - c.MIN_DECKS.keys()):
        yield f"nile: {name!r} is no deck; there are {', '.join(c.MIN_DECKS)}"
    for name, least in c.MIN_DECKS.items():
        found = len(parts.nile.get(name, ()))
        if found < least:
            yield f"nile {name}: {found} cards; there must be at least {least}"
    cards = [card for deck in parts.nile.values() for card in deck]
    yield from _twice("nile", [card.id for card in cards])
    for card in cards:
        yield from _nile_card(card)


def _nile_card(card: c.NileCard) -> Iterator[str]:
    """One Nile card: its type, its effect and what they need."""
    if not re.fullmatch(c.CARD_ID, card.id):
        yield f"nile {card.id!r}: an id is a capital letter, then capitals and digits"
    if card.type not in c.EFFECTS:
        yield f"nile {card.id}: {card.type!r} is no type; there are {', '.join(c.EFFECTS)}"
        return
    known = c.EFFECTS[card.type]
    if known and card.effect not in known:
        yield f"nile {card.id}: {card.effect!r} is no {card.type} effect; there are {', '.join(known)}"
        return
    yield from _needs(f"nile {card.id}", card, c.NILE_NEEDS.get(card.effect or card.type, ()))
    yield from _words(f"nile {card.id}", {"crews": card.crews, "buildings": card.buildings})
    if card.colour:
        yield from _words(f"nile {card.id}", {"colour": (card.colour,)})


def _sphinx(parts: c.Components) -> Iterator[str]:
    """EG-1.6, EG-9.3: at least four Sphinx cards with known conditions."""
    if len(parts.sphinx) < c.MIN_SPHINX:
        yield f"sphinx: {len(parts.sphinx)} cards; there must be at least {c.MIN_SPHINX}"
    yield from _twice("sphinx", [card.id for card in parts.sphinx])
    for card in parts.sphinx:
        where = f"sphinx {card.id}"
        if not re.fullmatch(c.CARD_ID, card.id):
            yield f"sphinx {card.id!r}: an id is a capital letter, then capitals and digits"
        if card.cond not in c.CONDITIONS:
            yield f"{where}: {card.cond!r} is no condition; there are {', '.join(c.CONDITIONS)}"
            continue
        yield from _needs(where, card, c.CONDITIONS[card.cond])
        yield from _words(where, {"buildings": card.buildings})
        single = {"track": card.track, "building": card.building, "crew": card.crew, "what": card.what}
        yield from _words(where, {name: (word,) for name, word in single.items() if word})
        if card.cond == "obelisk_space_filled" and card.n > len(parts.obelisk):
            yield f"{where}: the Obelisk has {len(parts.obelisk)} spaces, not {card.n}"
        if card.cond == "players_on_last_space" and len(card.vp_by_count) < 1 + max(map(int, c.SITE_SLOTS)):
            yield f"{where}: vp_by_count needs points for 0 to 4 players"


def _graves(parts: c.Components) -> Iterator[str]:
    """EG-1.5, EG-9.2: at least twelve tiles, and final points for every sum."""
    if parts.grave_spaces < 1 or len(parts.graves) < max(12, parts.grave_spaces):
        yield f"graves: {len(parts.graves)} tiles for {parts.grave_spaces} spaces; there must be at least 12"
    if any(not 0 < value <= GRAVE_LIMIT for value in parts.graves):
        yield f"graves: a tile is worth 1 to {GRAVE_LIMIT}"
    if not parts.grave_final or any(low > high for low, high, _ in parts.grave_final):
        yield "grave_final: each line is lowest sum, highest sum, points"
    elif any(b[0] != a[1] + 1 for a, b in pairwise(parts.grave_final)):
        yield "grave_final: each line must begin where the one before ends"


def _buildings(parts: c.Components) -> Iterator[str]:
    """EG-6: Obelisk, Pyramid and Temple have spaces that can be built."""
    if not parts.obelisk or min(parts.obelisk) < 1:
        yield "obelisk: there must be spaces of at least 1"
    rows = parts.pyramid_rows_bottom_up
    if not rows or any(not row or min(row) < 1 for row in rows):
        yield "pyramid_rows_bottom_up: each row must have spaces of at least 1"
    if any(len(b) != len(a) - 1 for a, b in pairwise(rows)):
        yield "pyramid_rows_bottom_up: each row must be one space shorter than the one below"
    if sorted(parts.temple) != sorted(data.PART_KEYS):
        yield f"temple: its parts are {', '.join(data.PART_KEYS)}"
    if any(not values or min(values) < 1 for values in parts.temple.values()):
        yield "temple: each part must have spaces of at least 1"


def _players(parts: c.Components) -> Iterator[str]:
    """EG-1.2, EG-1.3, EG-1.8: crews, stones, fields, slots."""
    if sorted(parts.crew_start) != sorted(data.CREWS):
        yield f"crew_start: the crews are {', '.join(data.CREWS)}"
    if not 1 <= parts.crew_max <= c.CREW_LIMIT:
        yield f"crew_max: must be 1 to {c.CREW_LIMIT}"
    for name, start in parts.crew_start.items():
        if not 0 < start <= parts.crew_max:
            yield f"crew_start: {name} starts at {start}; it must be 1 to {parts.crew_max}"
    stones = parts.start_stones_by_order
    if len(stones) < max(map(int, c.SITE_SLOTS)) or any(not 0 <= n <= parts.stone_cap for n in stones):
        yield f"start_stones_by_order: four numbers from 0 to stone_cap ({parts.stone_cap})"
    yield from _start_field(parts)
    if parts.start_quarry < 0 or parts.start_field.value < 0:
        yield "start_quarry and start_field: no value is below 0"
    if tuple(sorted(parts.site_slots)) != c.SITE_SLOTS or any(n < 1 for n in parts.site_slots.values()):
        yield "site_slots: at least one slot for each of 2, 3 and 4 players"
    if len(parts.participation) != 1 + len(data.SITE_IDS):
        yield "participation: points for 0, 1, 2 and 3 sites"
    if not 1 <= parts.max_sphinx_draw <= DECK_SPHINX:
        yield f"max_sphinx_draw: must be 1 to {DECK_SPHINX}"


def _start_field(parts: c.Components) -> Iterator[str]:
    """EG-1.2, EG-4.4: it can't be named in an order, so it must not be one that could be improved."""
    if parts.start_field.colour != data.COLOURS[0]:
        yield f"start_field: it must be {data.COLOURS[0]}, not {parts.start_field.colour!r}: no order could improve it"


def _markets(parts: c.Components) -> Iterator[str]:
    """EG-1.7, EG-5.1, EG-5.3, EG-9.1: markets with spaces, a ring of three circles."""
    for name, spaces in (
        ("grain_market_cost", parts.grain_market_cost),
        ("stone_market_sell", parts.stone_market_sell),
    ):
        if not spaces:
            yield f"{name}: the market has no space"
    if any(cost < 0 for cost in parts.grain_market_cost) or min(parts.grain_last_vp, parts.stone_last_stones) < 0:
        yield "markets: no cost and no bonus is below 0"
    if parts.ring.positions != data.RING_POSITIONS:
        yield f"ring: the circles are {', '.join(data.RING_POSITIONS)}"
    if not 0 <= parts.ring.start < len(data.RING_POSITIONS):
        yield f"ring: start {parts.ring.start} is not among the three circles 0 to 2"


def _twice(where: str, ids: list[str]) -> Iterator[str]:
    """Every id that stands more than once."""
    for name, times in Counter(ids).items():
        if times > 1:
            yield f"{where}: the id {name} stands {times} times; ids are unique"


def _words(where: str, fields: dict[str, tuple[str, ...]]) -> Iterator[str]:
    """Every word that a field can't hold."""
    for field, words in fields.items():
        for word in words:
            if word not in c.WORDS[field]:
                yield f"{where}: {field} {word!r} is none of {', '.join(c.WORDS[field])}"


def _needs(where: str, card: c.NileCard | c.SphinxCard, fields: tuple[str, ...]) -> Iterator[str]:
    """Every field that a card's effect or condition reads and that isn't there, or is below 0."""
    for field in fields:
        value = getattr(card, field)
        if not value:
            yield f"{where}: {field} is missing"
        elif isinstance(value, int) and value < 0:
            yield f"{where}: {field} is below 0"
