"""The part of a form that offers cards which may go along with any own order (EG-4.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from pbem.engine.core.forms import Choice, Count, Field, Group, Pick
from pbem.engine.core.types import N_, Message
from pbem.engine.egizia import data, feeding, rider_choices, riders
from pbem.engine.egizia import state as s
from pbem.engine.egizia.cards import card_words
from pbem.engine.egizia.ply import ready_count
from pbem.engine.egizia.river import reached
from pbem.engine.egizia.state import State
from pbem.engine.egizia.tables import Tables

IF_TAKEN: Final = N_("{card}, if you take it now")
_FIELD: Final = N_("{card}: {what} {value}")
_NOT_NOW: Final = Choice("", Message(N_("not now")))


def late(t: Tables, board: State, seat: int) -> int:
    """EG-4.3: mask of the effects of cards that the order may take and use at once."""
    if board.stage == s.LEFTOVER:
        return s.mask_of(t, feeding.left_on_river(board))
    if board.stage != s.SHIP:
        return 0
    spaces = (space for space, _ in reached(t, board, seat) if t.kind[space] == data.CARD)
    return s.mask_of(t, [board.cards[space] for space in spaces])


def rider_group(t: Tables, board: State, seat: int, late: int) -> Iterator[Group]:
    """One group with a field for each card held, and for each effect in the mask `late` that the order may take."""
    fields = [field for offer in (_improve, _trade, _lay, _sell, _move) for field in offer(t, board, seat, late)]
    if fields:
        text = N_("These may go along with any of your orders and act before it.")
        yield Group(Message(N_("Cards that may go along")), tuple(fields), Message(text, {}, "EG-4.5"))


def said_if_taken(power: int) -> Message:
    """What a card is called that can be used only by the order that takes it."""
    return Message(IF_TAKEN, {"card": Message(data.EFFECT_NAMES[power])})


def _picks(name: str, labels: Iterable[Message], choices: tuple[Choice, ...]) -> Iterator[Field]:
    for i, label in enumerate(labels if choices else (), 1):
        yield Pick(f"{name}-{i}", label, (_NOT_NOW, *choices), chosen=("",))


def _labels(t: Tables, board: State, seat: int, power: int, late: int) -> list[Message]:
    """A label for each card with this effect, in hand or (EG-4.3) just being taken."""
    held = [Message(data.EFFECT_NAMES[power])] * ready_count(t, board, seat, power)
    return [*held, said_if_taken(power)] if late & power else held


def _crew_picks(t: Tables, board: State, seat: int, labels: list[Message], name: str) -> Iterator[Field]:
    crews = rider_choices.crew_options(t, board, seat)
    return _picks(name, labels, tuple(Choice(crew, Message(crew)) for crew in crews))


def _improve(t: Tables, board: State, seat: int, late: int) -> Iterator[Field]:
    return _crew_picks(t, board, seat, _labels(t, board, seat, data.IMPROVE, late), "improve")


def _trade(t: Tables, board: State, seat: int, late: int) -> Iterator[Field]:
    if board.stones[seat] < data.TRADE_STONES:
        return iter(())
    return _crew_picks(t, board, seat, _labels(t, board, seat, data.TRADE, late), "trade")


def _lay(t: Tables, board: State, seat: int, late: int) -> Iterator[Field]:
    fields = rider_choices.field_options(t, board, seat)
    choices = tuple(Choice(field, Message(_FIELD, card_words(t, t.index[field]))) for field in fields)
    return _picks("field", _labels(t, board, seat, data.LAY, late), choices)


def _sell(t: Tables, board: State, seat: int, late: int) -> Iterator[Field]:
    held = riders.sale_limit(t, board, seat)
    most = board.stones[seat] if late & data.SELL else min(held, board.stones[seat])
    if most:
        label = Message(N_("Stones sold for a point each")) if held else said_if_taken(data.SELL)
        yield Count("sell", label, 0, most, (), 0)


def _move(t: Tables, board: State, seat: int, late: int) -> Iterator[Field]:
    choices = tuple(
        Choice(f"{site} {slot}", Message(N_("{place}, slot {slot}"), {"place": site, "slot": slot}))
        for site, slot in rider_choices.move_options(board, seat)
    )
    labels = _labels(t, board, seat, data.MOVE, late)
    if choices and labels:
        yield Pick("move", labels[0], (_NOT_NOW, *choices), chosen=("",))
