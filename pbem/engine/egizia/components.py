"""The components as data: the set that ships with the game, a club's own, and every fault of one, listed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

import msgspec

from pbem.engine.core.errors import IllegalOrder
from pbem.engine.core.types import N_, Message
from pbem.engine.egizia import data

RULE: Final = "EG-1"
MAX_TEXT: Final = 100_000
"""Characters of a club's own components; the set that ships has about 11,000."""
MIN_DECKS: Final = {"1/2": 20, "3/4": 20, "5": 10}
MIN_SPHINX: Final = 4
SITE_SLOTS: Final = ("2", "3", "4")
CREW_LIMIT: Final = 99
CARD_ID: Final = r"[A-Z][A-Z0-9_-]{0,11}"


class Space(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One space of the river (EG-1.1)."""

    i: int
    id: str
    kind: str
    name: str = ""
    crews: tuple[str, ...] = ()


class NileCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
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


class SphinxCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
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


class FieldValue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The field card everybody starts with."""

    colour: str
    value: int


class Ring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The circles of the water ring (EG-1.7)."""

    positions: tuple[str, ...]
    start: int


class Components(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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


CONDITIONS: Final = {
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

WORDS: Final = {
    "track": data.MARKETS,
    "building": data.BUILDINGS,
    "buildings": data.BUILDINGS,
    "crew": data.CREWS,
    "crews": data.CREWS,
    "what": (*data.COLOURS, "quarry"),
    "colour": data.COLOURS,
}
"""The words that a card's field may hold."""

NILE_NEEDS: Final = {
    "field": ("colour", "value"),
    "quarry": ("value",),
    "crews_plus_1": ("crews",),
    "vp_per_own_stone": ("buildings",),
    **dict.fromkeys(sorted(data.VALUED), ("value",)),
}
"""EG-4: the fields that a type or an effect reads."""

EFFECTS: Final = {
    "field": (),
    "quarry": (),
    "permanent": tuple(data.PERMANENT),
    "anytime": tuple(data.ANYTIME),
    "immediate": tuple(data.IMMEDIATE),
}


def shipped() -> str:
    """The text of the components that ship with the game."""
    return files("pbem.engine.egizia").joinpath("components.json").read_text(encoding="utf-8")


@lru_cache(maxsize=32)
def load(text: str) -> Components:
    """Read components, "" for those that ship. Raises IllegalOrder with every fault of a club's own."""
    found, faults = parse(text or shipped())
    if found is None:
        raise IllegalOrder(*(Message(N_("Components: {fault}."), {"fault": fault}, RULE) for fault in faults))
    return found


def parse(text: str) -> tuple[Components | None, list[str]]:
    """The components in `text`, or None and every fault found."""
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
    from pbem.engine.egizia.faults import faults_of  # noqa: PLC0415 - that module reads the types above

    faults = list(faults_of(found))
    return (None, faults) if faults else (found, [])


def _misshapen(raw: dict[str, Any]) -> Iterator[str]:
    """Every part that is missing, unknown or of another type; lists of cards are looked at one by one."""
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
    """The parts of `value` that are judged one by one, each with where it stands and the type it must have."""
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
