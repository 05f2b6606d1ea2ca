"""The part of a form that offers cards which may go along with any own order (EG-4.5)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.egizia import data, rider_choices, riders
from pbem.engine.egizia.cards import card_words
from pbem.engine.egizia.ply import ready_count
from pbem.engine.egizia.state import State
from pbem.engine.egizia.tables import Tables
from pbem.engine.forms import Choice, Count, Field, Group, Pick
from pbem.engine.types import N_, Said


def rider_group(t: Tables, board: State, seat: int) -> Iterator[Group]:
    """One group with a field for each card held, none where nothing is held."""
    fields = [field for offer in (_improve, _trade, _lay, _sell, _move) for field in offer(t, board, seat)]
    if fields:
        text = N_("These may go along with any of your orders and act before it.")
        yield Group(Said(N_("Cards that may go along")), tuple(fields), Said(text, {}, "EG-4.5"))


def _crew_picks(t: Tables, board: State, seat: int, power: int, name: str) -> Iterator[Field]:
    choices = tuple(Choice(crew, Said(crew)) for crew in rider_choices.crew_options(t, board, seat))
    for i in range(ready_count(t, board, seat, power) if choices else 0):
        yield Pick(f"{name}-{i + 1}", Said(data.EFFECT_NAMES[power]), (_NOT_NOW, *choices), chosen=("",))


_FIELD = N_("{card}: {what} {value}")
_NOT_NOW = Choice("", Said(N_("not now")))


def _improve(t: Tables, board: State, seat: int) -> Iterator[Field]:
    return _crew_picks(t, board, seat, data.IMPROVE, "improve")


def _trade(t: Tables, board: State, seat: int) -> Iterator[Field]:
    if board.stones[seat] < data.TRADE_STONES:
        return iter(())
    return _crew_picks(t, board, seat, data.TRADE, "trade")


def _lay(t: Tables, board: State, seat: int) -> Iterator[Field]:
    fields = rider_choices.field_options(t, board, seat)
    choices = tuple(Choice(field, Said(_FIELD, card_words(t, t.index[field]))) for field in fields)
    for i in range(ready_count(t, board, seat, data.LAY) if choices else 0):
        yield Pick(f"field-{i + 1}", Said(data.EFFECT_NAMES[data.LAY]), (_NOT_NOW, *choices), chosen=("",))


def _sell(t: Tables, board: State, seat: int) -> Iterator[Field]:
    most = min(riders.sale_limit(t, board, seat), board.stones[seat])
    if most:
        yield Count("sell", Said(N_("Stones sold for a point each")), 0, most, (), 0)


def _move(t: Tables, board: State, seat: int) -> Iterator[Field]:
    choices = tuple(
        Choice(f"{site} {slot}", Said(N_("{place}, slot {slot}"), {"place": site, "slot": slot}))
        for site, slot in rider_choices.move_options(board, seat)
    )
    if choices and ready_count(t, board, seat, data.MOVE):
        yield Pick("move", Said(data.EFFECT_NAMES[data.MOVE]), (_NOT_NOW, *choices), chosen=("",))
