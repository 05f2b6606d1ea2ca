"""Each decision as a form in data, and the order text that a filled-in form means."""

from __future__ import annotations

from collections.abc import Callable

from pbem.engine.core.errors import InvalidOrder
from pbem.engine.core.forms import Choice, Count, Filled, Form, Group, Pick, TextField, quick
from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.kit.arguments import number_of, one_of
from pbem.engine.priestsofra.choices import legal
from pbem.engine.priestsofra.data import FACES, FACES_OF, LOT_SPACES, ONE_FACED, RA, TILES, TWO_FACED, named
from pbem.engine.priestsofra.marks import BAG, CENTRE, face_key, face_mark, lot_mark, sun_mark, tile_mark
from pbem.engine.priestsofra.state import BID, CALLED, FACE, FLIP, OVER, TURN, suns_of
from pbem.engine.priestsofra.view import View, choices
from pbem.engine.priestsofra.words import question

_ASK = "ask"


def form(view: View) -> Form:
    """Return the decision of the view's seat, or its sealed list, as a form. Raises InvalidOrder if it has none."""
    if view.seat in view.asked:
        return _sealed_form(view, view.seat)
    if view.seat is None or view.seat != view.actor:
        raise InvalidOrder(question(view))
    return _DECISIONS[view.phase][0](view, view.seat)


def _turn_form(view: View, _seat: int) -> Form:
    won = lot_mark(len(view.lot)) if view.lot else CENTRE  # an empty space would look like a tile's place
    text, rule = _EFFECTS[bool(view.lot) + (len(view.lot) == LOT_SPACES)]
    effect = sentence(text, rule, count=len(view.lot), centre=view.centre)
    call = Choice("ra", sentence("Call Ra"), effect=effect, target=won)
    plain = tuple(map(str, choices(view)))
    if len(plain) == 1:
        return Form("turn", question(view), (Group(_TURN, (Pick("action", _DO, (call,)),)),), (), plain)
    odds = sentence("Ra tiles in the bag: {ra} of {bag}.", ra=view.bag[RA], bag=sum(view.bag))
    draw = Choice("draw", sentence("Draw a tile"), effect=odds, target=BAG)
    asked, faces = Choice(_ASK, sentence("ask me when I see it")), []
    for tile in (tile for tile in TWO_FACED if view.bag[tile]):
        shown = (Choice(face, Message(face)) for face in named(FACES_OF[tile]))
        faces.append(Pick(f"tile-{tile}", Message(TILES[tile]), (asked, *shown), chosen=(_ASK,)))
    once = sentence("Choose now and you won't be asked again.")
    wishes = Group(sentence("If it has two faces"), tuple(faces), once, aside=True)
    return Form("turn", question(view), (Group(_TURN, (Pick("action", _DO, (draw, call)),)), wishes), (), plain)


_TURN, _DO = sentence("Your turn"), sentence("What do you do?")
_EFFECTS = (
    (N_("An auction of sun {centre} alone; if nobody else bids, you must."), "PR-3.2"),
    (N_("An auction of {count} tile(s) and sun {centre}; if nobody else bids, you must."), "PR-3.2"),
    (N_("An auction of {count} tile(s) and sun {centre}; you may pass."), "PR-3.3"),
)
"""What calling Ra does while the lot is empty, while it has room, and when it is full."""


def _face_form(view: View, seat: int) -> Form:
    picks = []
    for face in FACES_OF[view.drawn]:
        have = sentence("You have {count} of these.", count=view.display[seat][face])
        picks.append(Choice(FACES[face], Message(FACES[face]), effect=have, target=face_mark(face)))
    group = Group(sentence("The tile you drew"), (Pick("face", question(view), tuple(picks)),))
    return Form("face", question(view), (group,), (), tuple(map(str, choices(view))))


def _bid_form(view: View, _seat: int) -> Form:
    bids = tuple(map(str, choices(view)))
    group = Group(sentence("Your bid"), (Pick("bid", question(view), tuple(map(_bid_choice, bids))),))
    return Form("bid", question(view), (group,), (_lot_note(view),), bids)


def _bid_choice(text: str) -> Choice:
    if text == "pass":
        return Choice("pass", sentence("Pass"))
    sun = int(text.removeprefix("bid "))
    return Choice(text, sentence("Bid {sun}", sun=sun), price=sun, target=sun_mark(sun))


def _lot_note(view: View) -> Message:
    text = N_("The winner's sun goes to the centre; sun {centre} comes face down.")
    return sentence(text, "PR-3.5", centre=view.centre)


def _sealed_form(view: View, seat: int) -> Form:
    """PR-3.6: one limit, or a list of conditional bids, before anybody's bid is seen."""
    suns = suns_of(view.up[seat])[::-1]
    said = N_("My lowest winning sun, up to {sun}")
    limits = tuple(
        Choice(f"bid lowest up to {sun}", sentence(said, sun=sun), price=sun, target=sun_mark(sun)) for sun in suns
    )
    played = N_("All lists are played out in turn, from the left of the Ra player; where no line fits, you pass.")
    notes = [_lot_note(view), sentence(played, "PR-3.6")]
    if view.auction == CALLED and view.turn == seat:
        called = N_("You called: if nobody bids and your list doesn't either, you bid {sun}.")
        notes.append(sentence(called, "PR-3.2", sun=suns[0]))
    pick = Pick("bid", sentence("How far do you go?"), (Choice("pass", sentence("Pass")), *limits))
    lines = TextField(
        "list",
        sentence("Or write a list; the first line that fits is your bid"),
        sentence("One order a line, with a condition where you want one: when library in lot: bid lowest up to 9"),
        many=True,
    )
    group = Group(sentence("Your sealed list"), (pick, lines))
    return Form("bid", question(view), (group,), tuple(notes), ("pass", *(f"bid {sun}" for sun in suns)))


def _flip_form(view: View, seat: int) -> Form:
    own = view.display[seat]
    counts = tuple(
        Count(
            face_key(face),
            sentence("{face} to {other}", face=FACES[face], other=FACES[face ^ 1]),
            0,
            min(own[face], view.flips),
            chosen=0,
            target=tile_mark(seat, face),
        )
        for face in range(ONE_FACED)
        if own[face]
    )
    text = N_("One tile for each priest won: {count} at most. What you don't flip now stays.")
    note = sentence(text, "PR-4.1", count=view.flips)
    return Form("flip", question(view), (Group(sentence("Flip tiles"), counts),), (note,), quick(legal(view, seat)))


def order_text(view: View, fields: Filled) -> str:
    """Return the order text of a filled-in form; a sealed list has a line for each bid. Raises InvalidOrder."""
    if view.phase == OVER:
        raise InvalidOrder(question(view))
    if view.seat in view.asked and (lines := [line.strip() for line in fields.get("list", []) if line.strip()]):
        return "\n".join(lines)
    return _DECISIONS[view.phase][1](view, fields)


def _turn_text(_view: View, fields: Filled) -> str:
    action = one_of(fields, "action", ("draw", "ra"))
    wishes = []
    for tile in TWO_FACED if action == "draw" else ():
        name = f"tile-{tile}"
        if fields.get(name) and (face := one_of(fields, name, (_ASK, *named(FACES_OF[tile])))) != _ASK:
            wishes.append(face)
    return f"draw {', '.join(wishes)}" if wishes else action


def _bid_text(view: View, fields: Filled) -> str:
    if view.seat not in view.asked:
        return one_of(fields, "bid", tuple(map(str, choices(view))))
    own = suns_of(view.up[view.seat])
    return one_of(fields, "bid", ("pass", *(f"bid lowest up to {sun}" for sun in own)))


def _flip_text(view: View, fields: Filled) -> str:
    faces: list[str] = []
    for face, name in enumerate(FACES):
        for text in fields.get(face_key(face), [])[:1]:
            faces += [name] * number_of(text, name, view.flips, "PR-4.1")
    return f"flip {', '.join(faces)}" if faces else "flip none"


_DECISIONS: dict[int, tuple[Callable[[View, int], Form], Callable[[View, Filled], str]]] = {
    TURN: (_turn_form, _turn_text),
    FACE: (_face_form, lambda view, fields: f"show {one_of(fields, 'face', named(FACES_OF[view.drawn]))}"),
    BID: (_bid_form, _bid_text),
    FLIP: (_flip_form, _flip_text),
}
"""By phase: how the form is made, and the order text of a filled-in one."""
