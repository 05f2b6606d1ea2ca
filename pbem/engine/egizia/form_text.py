"""The order text that a filled-in form means."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from pbem.engine.core.errors import InvalidOrder
from pbem.engine.core.types import N_, Message
from pbem.engine.egizia import data
from pbem.engine.egizia import state as s
from pbem.engine.egizia.reading import space_named
from pbem.engine.egizia.tables import tables_of
from pbem.engine.egizia.view import View
from pbem.engine.text.notation import whole

Fields = Mapping[str, list[str]]
_CHOOSE: Final = N_("Nothing is chosen at {field!r}.")
_ODD: Final = N_("{value!r} at {field!r} is no choice of this form.")


def order_text(view: View, fields: Fields) -> str:
    """The order text of a filled-in form. Raises InvalidOrder naming the field that lacks or can't be read."""
    if view.seat is None or not view.asked:
        raise InvalidOrder(Message(N_("You aren't asked for anything now."), {}, "EG-2.1"))
    for name, values in fields.items():
        for value in values:
            if any(mark in value for mark in ",;\n"):
                raise InvalidOrder(Message(_ODD, {"value": value[:40], "field": name}))
    return ", ".join([_HEADS[view.board.stage](view, fields), *_riders(fields)])


def _one(fields: Fields, name: str) -> str:
    """The single value of a field that must have one."""
    values = [value for value in fields.get(name, []) if value]
    if len(values) != 1:
        raise InvalidOrder(Message(_CHOOSE, {"field": name}))
    return values[0]


def _number(fields: Fields, name: str) -> int:
    """A count, 0 where nothing was filled in."""
    values = [value for value in fields.get(name, []) if value]
    return whole(values[0], name) if values else 0


def _using(fields: Fields, head: str) -> str:
    """`head` with its cards; a way that needs a card already has its `using`."""
    cards = [value.partition("#")[0] for value in fields.get("using", [])]
    if not cards:
        return head
    return f"{head} {'and' if ' using ' in head else 'using'} {' and '.join(cards)}"


def _riders(fields: Fields) -> list[str]:
    """The clauses of cards that go along."""
    words = {"improve": "improve", "trade": "two stones", "field": "field", "move": "move"}
    clauses = []
    for name in fields:
        stem = name.rpartition("-")[0] or name
        if stem in words:
            clauses += [f"{words[stem]} {value}" for value in fields[name] if value]
    if _number(fields, "sell"):
        clauses.append(f"sell {_number(fields, 'sell')}")
    return clauses


def _ship(view: View, fields: Fields) -> str:
    to = _one(fields, "to")
    if to == "pass":
        return to
    board = view.board
    t = tables_of(board.components)
    space = space_named(t, board, to.partition(" using ")[0])
    times = 1 + sum(card.startswith("double") for card in fields.get("using", []))
    due = (
        times if t.action[space] == data.ANY_CREW else t.steps[board.cards[space]] if t.kind[space] == data.CARD else 0
    )
    clauses = _crew_clauses(fields, due)
    rings = [value for name in ("ring", "ring-2")[:times] for value in fields.get(name, [])[:1] if value]
    if t.action[space] == data.JOKER_RING:
        clauses += [f"ring {way}" for way in rings]
    return ", ".join([_using(fields, f"ship to {to}"), *clauses])


def _crew_clauses(fields: Fields, due: int) -> list[str]:
    return [f"crew {_one(fields, f'crew-{i}')}" for i in range(1, due + 1)]


def _leftover(view: View, fields: Fields) -> str:
    t = tables_of(view.board.components)
    card = _one(fields, "card")
    due = t.steps[t.index[card]] if card in t.index else 0
    return ", ".join([f"leftover {card}", *_crew_clauses(fields, due)])


def _feed(_view: View, fields: Fields) -> str:
    means = [f"{n} grain" for n in [_number(fields, "grain")] if n]
    means += [f"stones {n}" for n in [_number(fields, "stones")] if n]
    return f"feed with {' and '.join(means)}" if means else "feed"


def _move(_view: View, fields: Fields) -> str:
    slot = _one(fields, "slot")
    return slot if slot == "stay" else f"move to slot {whole(slot, 'slot')}"


def _crews(fields: Fields) -> str:
    crews = [value for value in fields.get("crews", []) if value]
    if not crews:
        raise InvalidOrder(Message(_CHOOSE, {"field": "crews"}))
    return " + ".join(sorted(crews, key=lambda crew: data.CREW_INDEX.get(crew, 0)))


def _draw(_view: View, fields: Fields) -> str:
    if _one(fields, "action") == "renounce":
        return "renounce"
    return _using(fields, f"sphinx {_number(fields, 'n')} with {_crews(fields)}")


def _keep(_view: View, fields: Fields) -> str:
    cards = [_one(fields, "keep")]
    more = [value for name in fields if name.startswith("keep-") for value in fields[name] if value]
    head = f"keep {' '.join(cards + more)}"
    if more:
        head += f" using {' and '.join(['keep two'] * len(more))}"
    stated = " ".join(fields.get("order", [])).strip()
    return f"{head}, order {stated}" if stated else head


def _tombs(view: View, fields: Fields) -> tuple[list[str], list[str]]:
    """The things built at Obelisk and graves, and the market clause."""
    stones, graves = _number(fields, "obelisk"), _number(fields, "graves")
    done = len(view.board.obelisk)
    things = [f"obelisk {done + 1}-{done + stones}"] if stones else []
    things += [f"graves {graves}"] if graves else []
    market = [f"{_one(fields, 'market')} market"] if stones and not view.board.market else []
    return things, market


def _monuments(fields: Fields) -> list[str]:
    rows = [(name, _number(fields, name)) for name in fields if name.startswith("row-")]
    numbers = [name.removeprefix("row-") for name, count in rows for _ in range(count)]
    things = [f"pyramid {'+'.join(numbers)}"] if numbers else []
    for part in data.PARTS[: data.ENTABLATURE]:
        count = _number(fields, part.replace(" ", "-"))
        if count:
            things.append(f"{part} x{count}")
    spaces = [value for value in fields.get("entablature", []) if value]
    return things + ([f"entablature {'+'.join(spaces)}"] if spaces else [])


def _build(view: View, fields: Fields) -> str:
    if _one(fields, "action") == "renounce":
        return "renounce"
    things, market = _tombs(view, fields) if view.board.site == data.OBELISK else (_monuments(fields), [])
    if not things:
        raise InvalidOrder(Message(N_("Choose at least one stone to build.")))
    return ", ".join([_using(fields, f"build {', '.join(things)} with {_crews(fields)}"), *market])


def _dig(view: View, fields: Fields) -> str:
    things, market = _tombs(view, fields)
    return f"dig {', '.join([*things, *market])}" if things else "stop"


def _after(_view: View, _fields: Fields) -> str:
    return "done"


_HEADS: Final[dict[str, Callable[[View, Fields], str]]] = {
    s.SHIP: _ship,
    s.LEFTOVER: _leftover,
    s.FEED: _feed,
    s.SHIFT: _move,
    s.DRAW: _draw,
    s.KEEP: _keep,
    s.BUILD: _build,
    s.DIG: _dig,
    s.AFTER: _after,
}
