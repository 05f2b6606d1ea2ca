"""The components as data: the set that ships with the game, a club's own, and every fault of one, listed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import Any

import msgspec

from pbem.engine.core.errors import IllegalOrder
from pbem.engine.core.message import sentence
from pbem.engine.egizia import data
from pbem.structs import Value

RULE = "EG-1"
MAX_TEXT = 100_000
"""Characters of a club's own components; the set that ships has about 11,000."""
MIN_DECKS = {"1/2": 20, "3/4": 20, "5": 10}
MIN_SPHINX = 4
SITE_SLOTS = ("2", "3", "4")
CREW_LIMIT = 99
CARD_ID = r"[A-Z][A-Z0-9_-]{0,11}"


class Space(Value, forbid_unknown_fields=True, omit_defaults=True):
    """One space of the river (EG-1.1)."""

    i: int
    id: str
    kind: str
    name: str = ""
    crews: tuple[str, ...] = ()


class NileCard(Value, forbid_unknown_fields=True, omit_defaults=True):
    """One Nile card and its effect (EG-4)."""

    id: str
    type: str
    confirmed: bool
    colour: str = ""
    value: int = 0
    effect: str = ""
    crews: tuple[str, ...] = ()
    buildings: tuple[str, ...] = ()
    note: str = ""


class SphinxCard(Value, forbid_unknown_fields=True, omit_defaults=True):
    """One Sphinx card, its condition and its points (EG-9.3)."""

    id: str
    cond: str
    confirmed: bool
    n: int = 0
    vp: int = 0
    vp_each: int = 0
    vp_by_count: tuple[int, ...] = ()
    columns: int = 0
    track: str = ""
    building: str = ""
    buildings: tuple[str, ...] = ()
    crew: str = ""
    what: str = ""
    note: str = ""


class FieldValue(Value, forbid_unknown_fields=True):
    """The field card everybody starts with."""

    colour: str
    value: int


class Ring(Value, forbid_unknown_fields=True):
    """The circles of the water ring (EG-1.7)."""

    positions: tuple[str, ...]
    start: int


class Components(Value, forbid_unknown_fields=True):
    """Everything in the box that the rules read a value from."""

    river: tuple[Space, ...]
    nile: dict[str, tuple[NileCard, ...]]
    sphinx: tuple[SphinxCard, ...]
    graves: tuple[int, ...]
    grave_spaces: int
    grave_final: tuple[tuple[int, int, int], ...]
    obelisk: tuple[int, ...]
    pyramid_rows_bottom_up: tuple[tuple[int, ...], ...]
    temple: dict[str, tuple[int, ...]]
    crew_max: int
    crew_start: dict[str, int]
    stone_cap: int
    start_stones_by_order: tuple[int, ...]
    start_quarry: int
    start_field: FieldValue
    grain_market_cost: tuple[int, ...]
    stone_market_sell: tuple[bool, ...]
    grain_last_vp: int
    stone_last_stones: int
    ring: Ring
    site_slots: dict[str, int]
    participation: tuple[int, ...]
    max_sphinx_draw: int
    confirmed: dict[str, bool]


CONDITIONS = {
    "obelisk_space_filled": ("n", "vp"),
    "temple_pylons_and_columns": ("columns", "vp"),
    "all_graves_taken": ("vp",),
    "pyramid_complete": ("vp",),
    "players_on_last_space": ("track", "vp_by_count"),
    "own_on_last_space": ("track", "vp"),
    "own_stones": ("building", "n", "vp"),
    "own_stones_each": ("buildings", "n", "vp"),
    "vp_per_own_grave": ("vp_each",),
    "crew_strength": ("crew",),
    "majority": ("what", "vp"),
    "vp_per_permanent": ("vp_each",),
    "plus_10_percent": (),
}
"""EG-9.3: every condition a Sphinx card can set, and the fields it reads."""

WORDS = {
    "crews": data.CREWS,
    "buildings": data.BUILDINGS,
    "colour": data.COLOURS,
    "track": data.MARKETS,
    "building": data.BUILDINGS,
    "crew": data.CREWS,
    "what": (*data.COLOURS, "quarry"),
}
"""The words that a card's field may hold."""

NILE_NEEDS = {
    "field": ("colour", "value"),
    "quarry": ("value",),
    "crews_plus_1": ("crews",),
    "vp_per_own_stone": ("buildings",),
    **dict.fromkeys(sorted(data.VALUED), ("value",)),
}
"""EG-4: the fields that a type or an effect reads."""

EFFECTS = {
    "field": (),
    "quarry": (),
    "permanent": tuple(data.PERMANENT),
    "anytime": tuple(data.ANYTIME),
    "immediate": tuple(data.IMMEDIATE),
}


def shipped() -> str:
    """Return the text of the components that ship with the game."""
    return files("pbem.engine.egizia").joinpath("components.json").read_text(encoding="utf-8")


@lru_cache(maxsize=32)
def load(text: str) -> Components:
    """Read components, "" for those that ship. Raises IllegalOrder with every fault of a club's own."""
    found, faults = parse(text or shipped())
    if found is None:
        raise IllegalOrder(*(sentence("Components: {fault}.", RULE, fault=fault) for fault in faults))
    return found


def parse(text: str) -> tuple[Components | None, list[str]]:
    """Return the components in `text`, or None and every fault found."""
    if len(text) > MAX_TEXT:
        return None, [f"the text is {len(text)} characters long; at most {MAX_TEXT} are read"]
    try:
        raw = msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        return None, [f"this is not JSON: {error}"]
    if not isinstance(raw, dict):
        return None, ["the JSON must be an object with river, nile, sphinx and the other parts"]
    faults = list(_misshapen(raw))
    if faults:
        return None, faults
    found = msgspec.convert(raw, Components)

    faults = list(faults_of(found))
    return (None, faults) if faults else (found, [])


def _misshapen(raw: dict[str, Any]) -> Iterator[str]:
    """Yield every part that is missing, unknown or of another type; lists of cards are looked at one by one."""
    known = {field.name: field.type for field in msgspec.structs.fields(Components)}
    for name in raw.keys() - known.keys():
        yield f"{name!r} is not a part of the components"
    for name, kind in known.items():
        if name not in raw:
            yield f"{name} is missing"
            continue
        for where, value, wanted in _pieces(name, raw[name], kind):
            try:
                msgspec.convert(value, wanted)
            except msgspec.ValidationError as error:
                yield f"{where}: {error}"


def _pieces(name: str, value: Any, kind: Any) -> Iterator[tuple[str, Any, Any]]:
    """Yield the parts of `value` that are judged one by one, each with where it stands and the type it must have."""
    singles = {"river": Space, "sphinx": SphinxCard}
    if name in singles and isinstance(value, list):
        for i, piece in enumerate(value, 1):
            yield f"{name} {i}", piece, singles[name]
    elif name == "nile" and isinstance(value, dict) and all(isinstance(deck, list) for deck in value.values()):
        for deck, cards in value.items():
            for i, piece in enumerate(cards, 1):
                yield f"nile {deck} card {i}", piece, NileCard
    else:
        yield name, value, kind


KINDS = {"card": 10, "round": 7, "site": 3}
GRAVE_LIMIT = 99
DECK_SPHINX = 10


def faults_of(parts: Components) -> Iterator[str]:
    """Yield every fault of `parts`, whose types are already right."""
    for part in (_river, _nile, _sphinx, _graves, _buildings, _players, _markets):
        yield from part(parts)


def _river(parts: Components) -> Iterator[str]:
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


def _space(space: Space) -> Iterator[str]:
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
    yield from _words(f"river {space.i}", space)


def _nile(parts: Components) -> Iterator[str]:
    """EG-2.2, EG-4: three decks of enough cards with known effects."""
    for name in sorted(parts.nile.keys() - MIN_DECKS.keys()):
        yield f"nile: {name!r} is no deck; there are {', '.join(MIN_DECKS)}"
    for name, least in MIN_DECKS.items():
        found = len(parts.nile.get(name, ()))
        if found < least:
            yield f"nile {name}: {found} cards; there must be at least {least}"
    cards = [card for deck in parts.nile.values() for card in deck]
    yield from _twice("nile", [card.id for card in cards])
    for card in cards:
        yield from _nile_card(card)


def _nile_card(card: NileCard) -> Iterator[str]:
    """One Nile card: its type, its effect and what they need."""
    if not re.fullmatch(CARD_ID, card.id):
        yield f"nile {card.id!r}: an id is a capital letter, then capitals and digits"
    if card.type not in EFFECTS:
        yield f"nile {card.id}: {card.type!r} is no type; there are {', '.join(EFFECTS)}"
        return
    known = EFFECTS[card.type]
    if known and card.effect not in known:
        yield f"nile {card.id}: {card.effect!r} is no {card.type} effect; there are {', '.join(known)}"
        return
    yield from _needs(f"nile {card.id}", card, NILE_NEEDS.get(card.effect or card.type, ()))
    yield from _words(f"nile {card.id}", card)


def _sphinx(parts: Components) -> Iterator[str]:
    """EG-1.6, EG-9.3: at least four Sphinx cards with known conditions."""
    if len(parts.sphinx) < MIN_SPHINX:
        yield f"sphinx: {len(parts.sphinx)} cards; there must be at least {MIN_SPHINX}"
    yield from _twice("sphinx", [card.id for card in parts.sphinx])
    for card in parts.sphinx:
        where = f"sphinx {card.id}"
        if not re.fullmatch(CARD_ID, card.id):
            yield f"sphinx {card.id!r}: an id is a capital letter, then capitals and digits"
        if card.cond not in CONDITIONS:
            yield f"{where}: {card.cond!r} is no condition; there are {', '.join(CONDITIONS)}"
            continue
        yield from _needs(where, card, CONDITIONS[card.cond])
        yield from _words(where, card)
        if card.cond == "obelisk_space_filled" and card.n > len(parts.obelisk):
            yield f"{where}: the Obelisk has {len(parts.obelisk)} spaces, not {card.n}"
        if card.cond == "players_on_last_space" and len(card.vp_by_count) < 1 + max(map(int, SITE_SLOTS)):
            yield f"{where}: vp_by_count needs points for 0 to 4 players"


def _graves(parts: Components) -> Iterator[str]:
    """EG-1.5, EG-9.2: at least twelve tiles, and final points for every sum."""
    if parts.grave_spaces < 1 or len(parts.graves) < max(12, parts.grave_spaces):
        yield f"graves: {len(parts.graves)} tiles for {parts.grave_spaces} spaces; there must be at least 12"
    if any(not 0 < value <= GRAVE_LIMIT for value in parts.graves):
        yield f"graves: a tile is worth 1 to {GRAVE_LIMIT}"
    if not parts.grave_final or any(low > high for low, high, _ in parts.grave_final):
        yield "grave_final: each line is lowest sum, highest sum, points"
    elif any(b[0] != a[1] + 1 for a, b in pairwise(parts.grave_final)):
        yield "grave_final: each line must begin where the one before ends"


def _buildings(parts: Components) -> Iterator[str]:
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


def _players(parts: Components) -> Iterator[str]:
    """EG-1.2, EG-1.3, EG-1.8, EG-4.4: crews, stones, fields, slots."""
    if sorted(parts.crew_start) != sorted(data.CREWS):
        yield f"crew_start: the crews are {', '.join(data.CREWS)}"
    if not 1 <= parts.crew_max <= CREW_LIMIT:
        yield f"crew_max: must be 1 to {CREW_LIMIT}"
    wrong = ((name, start) for name, start in parts.crew_start.items() if not 0 < start <= parts.crew_max)
    yield from (f"crew_start: {name} starts at {start}; it must be 1 to {parts.crew_max}" for name, start in wrong)
    stones = parts.start_stones_by_order
    if len(stones) < max(map(int, SITE_SLOTS)) or any(not 0 <= n <= parts.stone_cap for n in stones):
        yield f"start_stones_by_order: four numbers from 0 to stone_cap ({parts.stone_cap})"
    if parts.start_field.colour != data.COLOURS[0]:  # it can't be named in an order (EG-4.4)
        yield f"start_field: it must be {data.COLOURS[0]}, not {parts.start_field.colour!r}: no order could improve it"
    if parts.start_quarry < 0 or parts.start_field.value < 0:
        yield "start_quarry and start_field: no value is below 0"
    if tuple(sorted(parts.site_slots)) != SITE_SLOTS or any(n < 1 for n in parts.site_slots.values()):
        yield "site_slots: at least one slot for each of 2, 3 and 4 players"
    if len(parts.participation) != 1 + len(data.SITE_IDS):
        yield "participation: points for 0, 1, 2 and 3 sites"
    if not 1 <= parts.max_sphinx_draw <= DECK_SPHINX:
        yield f"max_sphinx_draw: must be 1 to {DECK_SPHINX}"


def _markets(parts: Components) -> Iterator[str]:
    """EG-1.7, EG-5.1, EG-5.3, EG-9.1: markets with spaces, a ring of three circles."""
    for name in ("grain_market_cost", "stone_market_sell"):
        if not getattr(parts, name):
            yield f"{name}: the market has no space"
    if any(cost < 0 for cost in parts.grain_market_cost) or min(parts.grain_last_vp, parts.stone_last_stones) < 0:
        yield "markets: no cost and no bonus is below 0"
    if parts.ring.positions != data.RING_POSITIONS:
        yield f"ring: the circles are {', '.join(data.RING_POSITIONS)}"
    if not 0 <= parts.ring.start < len(data.RING_POSITIONS):
        yield f"ring: start {parts.ring.start} is not among the three circles 0 to 2"


def _twice(where: str, ids: list[str]) -> Iterator[str]:
    """Yield every id that stands more than once."""
    for name, times in Counter(ids).items():
        if times > 1:
            yield f"{where}: the id {name} stands {times} times; ids are unique"


def _words(where: str, thing: Space | NileCard | SphinxCard) -> Iterator[str]:
    """Yield every word that a field can't hold."""
    for field, known in WORDS.items():
        printed = getattr(thing, field, "")
        for word in printed if isinstance(printed, tuple) else filter(None, (printed,)):
            if word not in known:
                yield f"{where}: {field} {word!r} is none of {', '.join(known)}"


def _needs(where: str, card: NileCard | SphinxCard, fields: tuple[str, ...]) -> Iterator[str]:
    """Yield every field that a card's effect or condition reads and that isn't there, or is below 0."""
    for field in fields:
        value = getattr(card, field)
        if not value:
            yield f"{where}: {field} is missing"
        elif isinstance(value, int) and value < 0:
            yield f"{where}: {field} is below 0"
