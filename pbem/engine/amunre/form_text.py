"""A filled-in form as order text: the way back from `forms`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.amunre.data import ARCHITECT, CARDS, EIGHT_GOLD, FREE_FARMER, INCREASE, PROVINCES
from pbem.engine.amunre.form_parts import NOT_PLAYED
from pbem.engine.core.errors import InvalidOrder
from pbem.engine.core.types import N_, Message
from pbem.engine.text.notation import whole

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pbem.engine.amunre.view import View

    Fields = Mapping[str, list[str]]


def order_text(view: View, fields: Fields) -> str:
    """The order text that a filled-in form means. Raises InvalidOrder naming the field."""
    if not view.kind:
        raise InvalidOrder(Message(N_("You are not asked for an order now."), {}, "AR-3.2"))
    if view.sealed:
        return _list(view, fields)
    text = _TEXTS[view.kind](fields)
    if view.kind == "harvest" and not fields.get("keep") and any(view.hand[kind] for kind in view.keeps):
        return f"{text}, keep nothing"  # AR-9.5: the boxes ticked before are ticked no more
    return text


def _one(fields: Fields, name: str, what: str) -> str:
    """The one value of a field that must be filled in."""
    values = [value.strip() for value in fields.get(name, []) if value.strip()]
    if len(values) != 1:
        raise InvalidOrder(Message(N_("Nothing is chosen for {what}: please choose one."), {"what": what}))
    return values[0]


def _some(fields: Fields, name: str) -> str:
    """The one value of a field that may be left out; empty if it was."""
    values = [value.strip() for value in fields.get(name, []) if value.strip()]
    if len(values) > 1:
        raise InvalidOrder(Message(N_("{what} can be chosen only once."), {"what": name}))
    return values[0] if values else ""


def _counted(fields: Fields, what: str, names: tuple[str, ...]) -> list[tuple[int, str]]:
    """The numbers filled in for `what`: (2, "Buto")."""
    counted = []
    for name in names:
        value = _some(fields, f"{what}:{name}")
        n = whole(value, f"{what} {name}") if value else 0
        if n < 0:
            raise InvalidOrder(
                Message(N_("{what} {name}: {found} is below zero."), {"what": what, "name": name, "found": n})
            )
        if n:
            counted.append((n, name))
    return counted


def _parts(fields: Fields, cards: tuple[int, ...]) -> list[str]:
    """The clauses of an order that places things."""
    parts = []
    for what in (N_("farmers"), N_("stones")):
        placed = _counted(fields, what, PROVINCES)
        if placed:
            parts.append(" ".join([what, *(f"{n} {name}" for n, name in placed)]))
    for kind in cards:
        province = _some(fields, CARDS[kind])
        if province not in ("", NOT_PLAYED):
            parts.append(f"{CARDS[kind]} {province}")
    return parts


def _sale(fields: Fields) -> list[str]:
    sold = [f"{n} {name}" if n > 1 else name for n, name in _counted(fields, "sell", CARDS)]
    return [f"sell {', '.join(sold)}"] if sold else []


def _bid(fields: Fields) -> str:
    province, _, gold = _one(fields, "bid", N_("your bid")).partition(":")
    cards = " and ".join(fields.get("with", []))
    return f"bid {gold} on {province}" + (f" with {cards}" if cards else "")


def _list(view: View, fields: Fields) -> str:
    """AR-5.10: a line for each province with a limit, the highest first; or the list in words."""
    lines = [line.strip() for text in fields.get("list", []) for line in text.splitlines() if line.strip()]
    names = [PROVINCES[p] for p in view.shown]
    limits = [(whole(value, name), name) for name in names if (value := _some(fields, f"limit:{name}"))]
    if lines and limits:
        raise InvalidOrder(
            Message(N_("You chose limits and wrote a list: please use only one of them."), {}, "AR-5.10")
        )
    if not lines and not limits:
        raise InvalidOrder(Message(N_("Nothing is chosen for {what}: please choose one."), {"what": N_("your bid")}))
    limits.sort(key=lambda limit: -limit[0])
    return "\n".join(lines or [f"bid up to {gold} on {name}" for gold, name in limits])


def _sell(fields: Fields) -> str:
    sold = _sale(fields)
    if not sold:
        raise InvalidOrder(Message(N_("No card is chosen: say how many of each kind you sell."), {}, "AR-5.5"))
    return sold[0]


def _nothing(fields: Fields, parts: list[str]) -> bool:
    """Whether "nothing" is meant; untouched forms and contradictions are refused."""
    ticked = bool(_some(fields, "nothing"))
    if ticked and parts:
        raise InvalidOrder(
            Message(N_("You ticked nothing, and filled in: {parts}. Please choose."), {"parts": tuple(parts)})
        )
    if not ticked and not parts and not any(NOT_PLAYED in values for values in fields.values()):
        raise InvalidOrder(Message(N_("Nothing is chosen yet: fill something in, or tick nothing.")))
    return not parts


def _buy(fields: Fields) -> str:
    number = _one(fields, "cards", "power cards")
    parts = _parts(fields, (FREE_FARMER, ARCHITECT))
    if number == "nothing":
        _nothing({"nothing": ["yes"]}, parts + _sale(fields))
        return "buy nothing"
    n = whole(number, "power cards")
    return ", ".join([f"buy {n or 'no'} cards", *parts, *_sale(fields)])


def _build(fields: Fields) -> str:
    parts = _parts(fields, (FREE_FARMER, ARCHITECT)) + _sale(fields)
    return "buy nothing" if _nothing(fields, parts) else "buy " + ", ".join(parts)


def _offer(fields: Fields) -> str:
    gift = _one(fields, "offer", N_("your offering"))
    text = gift if gift == "theft" else f"offer {whole(gift, 'your offering')}"
    cards = " and ".join(fields.get("with", []))
    return ", ".join([text + (f" with {cards}" if cards else ""), *_sale(fields)])


def _harvest(fields: Fields) -> str:
    parts = _parts(fields, (INCREASE, EIGHT_GOLD))
    kept = fields.get("keep", [])
    if kept:
        parts.append(f"keep {', '.join(kept)}")
    return "nothing" if _nothing(fields, parts) else ", ".join(parts)


def _keep(fields: Fields) -> str:
    kept = fields.get("keep", [])
    return "keep nothing" if _nothing(fields, kept) else f"keep {', '.join(kept)}"


_TEXTS: dict[str, Callable[[Fields], str]] = {
    "bid": _bid,
    "sell": _sell,
    "buy": _buy,
    "build": _build,
    "draft": lambda fields: _one(fields, "back", N_("the cards put back")),
    "offer": _offer,
    "adjust": lambda fields: _one(fields, "adjust", N_("the total")),
    "take": lambda fields: f"take {whole(_one(fields, 'cards', 'power cards'), 'power cards') or 'no'} cards",
    "harvest": _harvest,
    "keep": _keep,
}
