"""The cards and tracks of the box as a form, and the components that a filled-in one means (EG-1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from pbem.engine.core.box import Cell, PrintedGroup, PrintedRow
from pbem.engine.core.types import N_, Message, Value
from pbem.engine.egizia import data
from pbem.engine.egizia.components import Components, NileCard, SphinxCard, load
from pbem.engine.egizia.tables import Tables
from pbem.engine.egizia.view import View

OPTION: Final = "components"
_MOST: Final = 30
_VALUE, _COLOUR = N_("number"), N_("colour")
_DECK, _LAST_DECK = N_("Nile cards of rounds {rounds}"), N_("Nile cards of round {rounds}")
SPHINX_CELLS: Final = {
    "n": N_("how many it asks for"),
    "columns": N_("full columns"),
    "vp": N_("points"),
    "vp_each": N_("points each"),
}
_BY_COUNT: Final = N_("points for 0, 1, 2, 3 and 4 players")
TRACKS: Final = {
    "graves": N_("grave tiles"),
    "obelisk": N_("Obelisk, from the first space"),
    "pyramid_rows_bottom_up": "",
    "temple": N_("Temple"),
    "grain_market_cost": N_("grain market: points for a missing grain"),
    "stone_market_sell": N_("stone market: 1 where stones are sold at the end"),
    "crew_max": N_("a crew's greatest strength"),
}


def form(text: str) -> tuple[PrintedGroup, ...]:
    """Every card with a printed number, and the tracks; "" for the set that ships. Raises IllegalOrder."""
    parts = load(text)
    tables = Tables(parts)
    nile = tuple(
        PrintedGroup(
            f"nile-{at}",
            Message(_DECK if "/" in deck else _LAST_DECK, {"rounds": deck.replace("/", "–")}),  # noqa: RUF001 - a range
            tuple(row for card in parts.nile[deck] if (row := _nile_row(tables, card)).cells),
            ("value",),
        )
        for at, deck in enumerate(data.DECKS, 1)
    )
    sphinx = tuple(row for card in parts.sphinx if (row := _sphinx_row(card)).cells)
    tracks = tuple(_tracks(parts))
    return (
        *nile,
        PrintedGroup("sphinx", Message(N_("Sphinx cards")), sphinx),
        PrintedGroup("tracks", Message(N_("Buildings, graves and markets")), tracks),
    )


def _nile_row(t: Tables, card: NileCard) -> PrintedRow:
    cells = []
    if card.colour:
        cells.append(Cell("colour", _COLOUR, card.colour, choices=data.COLOURS, confirmed=card.confirmed))
    if card.value:
        cells.append(Cell("value", _VALUE, str(card.value), _MOST, confirmed=card.confirmed))
    title = Message(N_("{card}: {what}"), {"card": card.id, "what": t.what[t.index[card.id]]})
    return PrintedRow(card.id, title, tuple(cells))


def _sphinx_row(card: SphinxCard) -> PrintedRow:
    cells = [
        Cell(name, label, str(getattr(card, name)), _MOST, confirmed=card.confirmed)
        for name, label in SPHINX_CELLS.items()
        if getattr(card, name)
    ]
    if card.vp_by_count:
        counts, values = len(card.vp_by_count), " ".join(map(str, card.vp_by_count))
        cells.append(Cell("vp_by_count", _BY_COUNT, values, _MOST, count=counts, confirmed=card.confirmed))
    return PrintedRow(card.id, _asks(card), tuple(cells))


def _asks(card: SphinxCard) -> Message:
    about = tuple(word for word in (card.track, card.building, *card.buildings, card.crew, card.what) if word)
    holes: dict[str, Value] = {"card": card.id, "what": data.CONDITION_NAMES[card.cond], "about": about}
    return Message(N_("{card}: {what} ({about})") if about else N_("{card}: {what}"), holes)


def _tracks(parts: Components) -> Iterator[PrintedRow]:
    for name, label in TRACKS.items():
        sure, printed = parts.confirmed.get(name, False), getattr(parts, name)
        yield PrintedRow(name, Message(TITLES[name]), tuple(_track_cells(name, label, printed, sure=sure)))


_ROWS: Final = (
    *(N_("first row from below"), N_("second row"), N_("third row"), N_("fourth row"), N_("fifth row")),
    *(N_("sixth row"), N_("seventh row"), N_("eighth row"), N_("ninth row"), N_("tenth row")),
)
TITLES: Final = {
    "graves": N_("graves"),
    "obelisk": N_("obelisk"),
    "pyramid_rows_bottom_up": N_("pyramid"),
    "temple": N_("temple"),
    "grain_market_cost": N_("grain market"),
    "stone_market_sell": N_("stone market"),
    "crew_max": N_("crews"),
}


def _track_cells(name: str, label: str, printed: Any, *, sure: bool) -> Iterator[Cell]:
    if name == "crew_max":
        yield Cell(name, label, str(printed), _MOST, confirmed=sure)
    elif name == "pyramid_rows_bottom_up":
        for number, (row, place) in enumerate(zip(printed, _ROWS, strict=False), 1):
            yield Cell(f"row{number}", place, _spaced(row), _MOST, count=len(row), confirmed=sure)
    elif name == "temple":
        for part, key in zip(data.PARTS, data.PART_KEYS, strict=True):
            yield Cell(key, part, _spaced(printed[key]), _MOST, count=len(printed[key]), confirmed=sure)
    else:
        most = 1 if name == "stone_market_sell" else _MOST
        yield Cell(name, label, _spaced(printed), most, count=0, confirmed=sure)


def _spaced(values: tuple[int, ...]) -> str:
    return " ".join(str(int(value)) for value in values)


def filled_in(text: str, entered: Mapping[str, str], seen: frozenset[str]) -> str:
    """The components with what was entered, by `card.cell`; rows in `seen` were compared with the box.

    Raises IllegalOrder for what can't be played.
    """
    parts = load(text)
    raw: dict[str, Any] = msgspec.to_builtins(parts)
    for card in (*(card for deck in raw["nile"].values() for card in deck), *raw["sphinx"]):
        for name in ("colour", "value", *SPHINX_CELLS, "vp_by_count"):
            if f"{card['id']}.{name}" in entered and name in card:
                card[name] = _typed(card[name], entered[f"{card['id']}.{name}"])
        card["confirmed"] = card["confirmed"] or card["id"] in seen
    for group in form(text)[-1].rows:
        _enter_track(raw, group, entered)
        raw["confirmed"][group.name] = raw["confirmed"].get(group.name, False) or group.name in seen
    return msgspec.json.encode(load(msgspec.json.encode(raw).decode())).decode()


def _typed(old: object, value: str) -> object:
    if isinstance(old, str):
        return value
    return [int(one) for one in value.split()] if isinstance(old, (list, tuple)) else int(value)


def _enter_track(raw: dict[str, Any], row: PrintedRow, entered: Mapping[str, str]) -> None:
    values = [[int(one) for one in entered[f"{row.name}.{cell.name}"].split()] for cell in row.cells]
    if row.name == "pyramid_rows_bottom_up":
        raw[row.name] = values
    elif row.name == "temple":
        raw[row.name] = dict(zip(data.PART_KEYS, values, strict=True))
    elif row.name == "crew_max":
        raw[row.name] = values[0][0]
    elif row.name == "stone_market_sell":
        raw[row.name] = [bool(one) for one in values[0]]
    else:
        raw[row.name] = values[0]


def file(text: str) -> str:
    """The components as a file, one part a line; "" for those that ship."""
    raw = msgspec.json.encode(load(text))
    return msgspec.json.format(raw, indent=1).decode()


def doubts(_text: str) -> tuple[Message, ...]:
    """Nothing: what contradicts the rules is refused when the components are read."""
    return ()


def of(view: View) -> str:
    """The components that a game under way is played with; "" for those that ship."""
    return view.board.components
