"""The cards and tracks of the box as a form, and the components that a filled-in one means (EG-1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from pbem.engine.core.box import Cell, PrintedGroup, PrintedRow
from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.egizia import data
from pbem.engine.egizia.components import WORDS, Components, NileCard, SphinxCard, load
from pbem.engine.egizia.tables import Tables
from pbem.engine.egizia.view import View

OPTION = "components"
_MOST = 30
_VALUE = N_("number")
WORD_CELLS, SPHINX_CELLS = data.LANGUAGE.said["word-cells"], data.LANGUAGE.said["sphinx-cells"]
_DECK, _LAST_DECK = N_("Nile cards of rounds {rounds}"), N_("Nile cards of round {rounds}")
_BY_COUNT = N_("points for 0, 1, 2, 3 and 4 players")
TRACKS = {
    "graves": (N_("graves"), N_("grave tiles")),
    "obelisk": (N_("obelisk"), N_("Obelisk, from the first space")),
    "pyramid_rows_bottom_up": (N_("pyramid"), ""),
    "temple": (N_("temple"), N_("Temple")),
    "grain_market_cost": (N_("grain market"), N_("grain market: points for a missing grain")),
    "stone_market_sell": (N_("stone market"), N_("stone market: 1 where stones are sold at the end")),
    "crew_max": (N_("crews"), N_("a crew's greatest strength")),
}
"""What each is called, and what its numbers are: those of the sites, then those of markets and crews."""
_SITES = 4


def form(text: str) -> tuple[PrintedGroup, ...]:
    """Return every card with a printed number, and the tracks; "" for the set that ships. Raises IllegalOrder."""
    parts = load(text)
    tables = Tables(parts)
    nile = tuple(
        PrintedGroup(
            f"nile-{at}",
            sentence(_DECK if "/" in deck else _LAST_DECK, rounds=deck.replace("/", "–")),  # noqa: RUF001 - a range
            tuple(_nile_row(tables, card) for card in parts.nile[deck]),
            ("value",),
        )
        for at, deck in enumerate(data.DECKS, 1)
    )
    sphinx = tuple(_sphinx_row(card) for card in parts.sphinx)
    tracks = tuple(
        PrintedRow(name, Message(title), tuple(_track_cells(parts, name, label)))
        for name, (title, label) in TRACKS.items()
    )
    return (
        *nile,
        PrintedGroup("sphinx", sentence("Sphinx cards"), sphinx),
        PrintedGroup("river", sentence("The river"), (_river_row(parts),)),
        PrintedGroup("sites", sentence("Buildings and graves"), tracks[:_SITES]),
        PrintedGroup("markets", sentence("Markets and crews"), tracks[_SITES:]),
    )


def _nile_row(t: Tables, card: NileCard) -> PrintedRow:
    value = [Cell("value", _VALUE, str(card.value), _MOST, confirmed=card.confirmed)] if card.value else []
    title = sentence("{card}: {what}", card=card.id, what=t.what[t.index[card.id]])
    return PrintedRow(card.id, title, (*_words_of(card), *value), sure=card.confirmed)


def _words_of(card: NileCard | SphinxCard) -> Iterator[Cell]:
    """Which colours, crews, buildings or markets a card names."""
    for name, label in WORD_CELLS.items():
        printed = getattr(card, name, "")
        if isinstance(printed, tuple) and printed:
            yield Cell(name, label, " ".join(printed), choices=WORDS[name], count=0, confirmed=card.confirmed)
        elif printed:
            yield Cell(name, label, printed, choices=WORDS[name], confirmed=card.confirmed)


def _river_row(parts: Components) -> PrintedRow:
    """Which crews the round spaces strengthen."""
    sure = parts.confirmed.get("river", False)
    cells = (
        Cell(space.id, space.name, " ".join(space.crews), choices=WORDS["crews"], count=0, confirmed=sure)
        for space in parts.river
        if space.crews
    )
    return PrintedRow("river", sentence("the crews of the round spaces, and the order of all spaces"), tuple(cells))


def _sphinx_row(card: SphinxCard) -> PrintedRow:
    cells = [
        Cell(name, label, str(getattr(card, name)), _MOST, confirmed=card.confirmed)
        for name, label in SPHINX_CELLS.items()
        if getattr(card, name)
    ]
    if card.vp_by_count:
        counts, values = len(card.vp_by_count), " ".join(map(str, card.vp_by_count))
        cells.append(Cell("vp_by_count", _BY_COUNT, values, _MOST, count=counts, confirmed=card.confirmed))
    about = tuple(word for word in (card.track, card.building, *card.buildings, card.crew, card.what) if word)
    text = N_("{card}: {what} ({about})") if about else N_("{card}: {what}")
    title = sentence(text, card=card.id, what=data.CONDITION_NAMES[card.cond], about=about)
    return PrintedRow(card.id, title, (*_words_of(card), *cells), sure=card.confirmed)


_ROWS = (
    *(N_("first row from below"), N_("second row"), N_("third row"), N_("fourth row"), N_("fifth row")),
    *(N_("sixth row"), N_("seventh row"), N_("eighth row"), N_("ninth row"), N_("tenth row")),
)


def _track_cells(parts: Components, name: str, label: str) -> Iterator[Cell]:
    sure, printed = parts.confirmed.get(name, False), getattr(parts, name)
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
    """Return the components with what was entered, by `card.cell`. Raises IllegalOrder for what can't be played."""
    parts = load(text)
    raw: dict[str, Any] = msgspec.to_builtins(parts)
    for card in (*(card for deck in raw["nile"].values() for card in deck), *raw["sphinx"]):
        for name in (*WORD_CELLS, "value", *SPHINX_CELLS, "vp_by_count"):
            if f"{card['id']}.{name}" in entered and name in card:
                card[name] = _typed(card[name], entered[f"{card['id']}.{name}"])
        card["confirmed"] = card["confirmed"] or card["id"] in seen
    for space in raw["river"]:
        if "crews" in space:
            space["crews"] = entered[f"river.{space['id']}"].split()
    for row in (row for group in form(text)[-2:] for row in group.rows):
        _enter_track(raw, row, entered)
    for name in ("river", *TRACKS):
        raw["confirmed"][name] = raw["confirmed"].get(name, False) or name in seen
    return msgspec.json.encode(load(msgspec.json.encode(raw).decode())).decode()


def _typed(old: Any, value: str) -> Any:
    """Return what was entered as the type of what stands there: a word, a number, or several."""
    if isinstance(old, str):
        return value
    if isinstance(old, (list, tuple)):
        return [_typed(old[0], one) for one in value.split()]
    return type(old)(int(value))


def _enter_track(raw: dict[str, Any], row: PrintedRow, entered: Mapping[str, str]) -> None:
    values, old = [entered[f"{row.name}.{cell.name}"] for cell in row.cells], raw[row.name]
    if row.name == "pyramid_rows_bottom_up":
        raw[row.name] = list(map(_typed, old, values))
    elif row.name == "temple":
        raw[row.name] = {key: _typed(old[key], value) for key, value in zip(data.PART_KEYS, values, strict=True)}
    else:
        raw[row.name] = _typed(old, values[0])


def file(text: str) -> str:
    """Return the components as a file, one part a line; "" for those that ship."""
    raw = msgspec.json.encode(load(text))
    return msgspec.json.format(raw, indent=1).decode()


def doubts(_text: str) -> tuple[Message, ...]:
    """Nothing: what contradicts the rules is refused when the components are read."""
    return ()


def of(view: View) -> str:
    """Return the components that a game under way is played with; "" for those that ship."""
    return view.board.components
