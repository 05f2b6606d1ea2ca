"""Each decision as a form in data, and the order text that a filled-in form means."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from pbem.engine.core.errors import InvalidOrder
from pbem.engine.core.forms import Choice, Count, Form, Group, Pick, TextField
from pbem.engine.core.types import Message, sentence
from pbem.engine.kit.arguments import one_of
from pbem.engine.priestsofra.choices import legal
from pbem.engine.priestsofra.data import FACES, FACES_OF, TILES, TWO_FACED
from pbem.engine.priestsofra.marks import BAG, CENTRE, face_key, face_mark, lot_mark, sun_mark, tile_mark
from pbem.engine.priestsofra.orders import Bid
from pbem.engine.priestsofra.view import View, choices, rebuild
from pbem.engine.priestsofra.words import question

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pbem.engine.core.types import Value

MOST_QUICK = 8
_ASK = "ask"


def form(view: View) -> Form:
    """Return the decision of the view's seat, or its sealed list, as a form. Raises InvalidOrder if it has none."""
    if view.seat in view.asked:
        return _sealed_form(view)
    if view.seat is None or view.seat != view.actor:
        raise InvalidOrder(question(view))
    return _FORMS[view.phase](view)


def _turn_form(view: View) -> Form:
    won = lot_mark(len(view.lot)) if view.lot else CENTRE  # an empty space would look like a tile's place
    call = Choice("ra", sentence("Call Ra"), effect=_call_effect(view), target=won)
    quick = tuple(str(order) for order in choices(view))
    if len(quick) == 1:
        return Form("turn", question(view), (Group(sentence("Your turn"), (Pick("action", _DO, (call,)),)),), (), quick)
    odds = {"ra": view.bag[TILES[0]], "bag": sum(view.bag.values())}
    draw = Choice(
        "draw",
        sentence("Draw a tile"),
        effect=sentence("{ra} of the {bag} tiles in the bag are Ra.", **odds),
        target=BAG,
    )
    faces = tuple(_wish(tile) for tile in TWO_FACED if view.bag[TILES[tile]])
    once = sentence("Choose now and you won't be asked again.")
    wishes = Group(sentence("If it has two faces"), faces, once, aside=True)
    groups = (Group(sentence("Your turn"), (Pick("action", _DO, (draw, call)),)), wishes)
    return Form("turn", question(view), groups, (), quick)


_DO = sentence("What do you do?")


def _call_effect(view: View) -> Message:
    params: dict[str, Value] = {"count": len(view.lot), "centre": view.centre}
    if not view.lot:
        return sentence("An auction of sun {centre} alone; if nobody else bids, you must.", "PR-3.2", **params)
    if len(choices(view)) == 1:
        return sentence("An auction of {count} tile(s) and sun {centre}; you may pass.", "PR-3.3", **params)
    return sentence(
        "An auction of {count} tile(s) and sun {centre}; if nobody else bids, you must.", "PR-3.2", **params
    )


def _wish(tile: int) -> Pick:
    asked = Choice(_ASK, sentence("ask me when I see it"))
    faces = tuple(Choice(FACES[face], Message(FACES[face])) for face in FACES_OF[tile])
    return Pick(f"tile-{tile}", Message(TILES[tile]), (asked, *faces), chosen=(_ASK,))


def _face_form(view: View) -> Form:
    assert view.seat is not None
    own = view.players[view.seat].tiles
    faces = FACES_OF[TILES.index(view.drawn)]
    picks = tuple(
        Choice(
            FACES[face],
            Message(FACES[face]),
            effect=sentence("You have {count} of these.", count=own[FACES[face]]),
            target=face_mark(face),
        )
        for face in faces
    )
    group = Group(sentence("The tile you drew"), (Pick("face", question(view), picks),))
    return Form("face", question(view), (group,), (), tuple(str(order) for order in choices(view)))


def _bid_form(view: View) -> Form:
    orders = choices(view)
    group = Group(
        sentence("Your bid"), (Pick("bid", question(view), tuple(_bid_choice(str(order)) for order in orders)),)
    )
    return Form("bid", question(view), (group,), _lot_notes(view), tuple(map(str, orders)))


def _bid_choice(text: str) -> Choice:
    if text == "pass":
        return Choice("pass", sentence("Pass"))
    sun = int(text.removeprefix("bid "))
    return Choice(text, sentence("Bid {sun}", sun=sun), price=sun, target=sun_mark(sun))


def _lot_notes(view: View) -> tuple[Message, ...]:
    return (
        sentence("The winner's sun goes to the centre; sun {centre} comes face down.", "PR-3.5", centre=view.centre),
    )


def _sealed_form(view: View) -> Form:
    """PR-3.6: one limit, or a list of conditional bids, before anybody's bid is seen."""
    assert view.seat is not None
    suns = sorted(view.players[view.seat].suns_up)
    limits = tuple(
        Choice(
            f"bid lowest up to {sun}",
            sentence("My lowest winning sun, up to {sun}", sun=sun),
            price=sun,
            target=sun_mark(sun),
        )
        for sun in suns
    )
    notes = [
        *_lot_notes(view),
        sentence(
            "All lists are played out in turn, from the left of the Ra player; where no line fits, you pass.", "PR-3.6"
        ),
    ]
    if view.auction == "called" and view.turn == view.seat:
        notes.append(
            sentence("You called: if nobody bids and your list doesn't either, you bid {sun}.", "PR-3.2", sun=suns[0])
        )
    pick = Pick("bid", sentence("How far do you go?"), (Choice("pass", sentence("Pass")), *limits))
    lines = TextField(
        "list",
        sentence("Or write a list; the first line that fits is your bid"),
        sentence("One order a line, with a condition where you want one: when library in lot: bid lowest up to 9"),
        many=True,
    )
    group = Group(sentence("Your sealed list"), (pick, lines))
    quick = ("pass", *(str(Bid(sun)) for sun in suns))
    return Form("bid", question(view), (group,), tuple(notes), quick)


def _flip_form(view: View) -> Form:
    assert view.seat is not None
    own = view.players[view.seat].tiles
    counts = tuple(
        Count(
            face_key(face),
            sentence("{face} to {other}", face=FACES[face], other=FACES[face ^ 1]),
            0,
            min(own[FACES[face]], view.flips),
            chosen=0,
            target=tile_mark(view.seat, face),
        )
        for tile in TWO_FACED
        for face in FACES_OF[tile]
        if own[FACES[face]]
    )
    params: dict[str, Value] = {"count": view.flips}
    note = sentence("One tile for each priest won: {count} at most. What you don't flip now stays.", "PR-4.1", **params)
    orders = [str(order) for order in islice(legal(rebuild(view), view.seat), MOST_QUICK + 1)]
    quick = tuple(orders) if len(orders) <= MOST_QUICK else ()
    return Form("flip", question(view), (Group(sentence("Flip tiles"), counts),), (note,), quick)


_FORMS: dict[str, Callable[[View], Form]] = {
    "turn": _turn_form,
    "face": _face_form,
    "bid": _bid_form,
    "flip": _flip_form,
}


def order_text(view: View, fields: Mapping[str, list[str]]) -> str:
    """Return the order text of a filled-in form; a sealed list has a line for each bid. Raises InvalidOrder."""
    if view.seat in view.asked and any(line.strip() for line in fields.get("list", [])):
        return "\n".join(line.strip() for line in fields["list"] if line.strip())
    return _TEXTS[view.phase](view, fields)


def _turn_text(_view: View, fields: Mapping[str, list[str]]) -> str:
    action = one_of(fields, "action", ("draw", "ra"))
    if action == "ra":
        return action
    wishes = []
    for tile in TWO_FACED:
        name, faces = f"tile-{tile}", tuple(FACES[face] for face in FACES_OF[tile])
        if fields.get(name) and (face := one_of(fields, name, (_ASK, *faces))) != _ASK:
            wishes.append(face)
    return f"draw {', '.join(wishes)}" if wishes else action


def _bid_text(view: View, fields: Mapping[str, list[str]]) -> str:
    if view.seat not in view.asked:
        return one_of(fields, "bid", tuple(map(str, choices(view))))
    own = view.players[view.seat].suns_up
    return one_of(fields, "bid", ("pass", *(f"bid lowest up to {sun}" for sun in own)))


def _flip_text(view: View, fields: Mapping[str, list[str]]) -> str:
    assert view.seat is not None
    faces: list[str] = []
    for face in range(len(FACES)):
        for text in fields.get(face_key(face), [])[:1]:
            if not text.strip().isdecimal() or len(text.strip()) > 1:
                params: dict[str, Value] = {"field": FACES[face], "word": text[:40], "most": view.flips}
                raise InvalidOrder(
                    sentence("{word!r} in the field {field} is no number from 0 to {most}.", "PR-4.1", **params)
                )
            faces += [FACES[face]] * int(text)
    return f"flip {', '.join(faces)}" if faces else "flip none"


def _over_text(view: View, _fields: Mapping[str, list[str]]) -> str:
    raise InvalidOrder(question(view))


_TEXTS: dict[str, Callable[[View, Mapping[str, list[str]]], str]] = {
    "turn": _turn_text,
    "face": lambda view, fields: f"show {one_of(fields, 'face', tuple(view.drawn.split('/')))}",
    "bid": _bid_text,
    "flip": _flip_text,
    "over": _over_text,
}
