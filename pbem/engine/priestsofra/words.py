"""What a decision and its orders are called: headings, questions and descriptions for the view's reader."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.engine.core.types import N_, Message
from pbem.engine.priestsofra.data import EPOCH_NAMES, FACES, LANGUAGE
from pbem.engine.priestsofra.orders import AnyOrder, Bid, Call, Draw, Flip, Pass, Show
from pbem.engine.priestsofra.view import View, choices

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.engine.core.types import Value

_TURNED = N_("{epoch}: {count} tile(s) in the lot, Ra {ra} of {spaces}")
_AUCTION = N_("{epoch}: auction of {count} tile(s), Ra {ra} of {spaces}")
_FLIPS = N_("{epoch}: priests flip tiles, Ra {ra} of {spaces}")


def heading(view: View) -> Message:
    """Return where the game stands, in a few words."""
    if view.phase == "over":
        return Message(N_("The game is over."))
    params: dict[str, Value] = {
        "epoch": EPOCH_NAMES[view.epoch - 1],
        "count": len(view.lot),
        "ra": view.ra,
        "spaces": view.ra_spaces,
    }
    if view.phase == "flip":
        return Message(_FLIPS, params)
    return Message(_TURNED if view.auction == "none" else _AUCTION, params)


def question(view: View) -> Message:
    """Return what the view's seat is asked, as one sentence."""
    if view.actor is None:
        return Message(N_("The game is over: nothing is left to decide."), {}, "PR-5.4")
    if view.seat != view.actor and view.seat not in view.asked:
        return Message(N_("{seat} decides now."), {"seat": view.actor})
    return _ask_list(view) if view.seat in view.asked else _QUESTIONS[view.phase](view)


def _ask_list(view: View) -> Message:
    if not view.lot:
        return Message(
            N_("The lot is empty; the winner takes sun {centre}. How far do you go?"), {"centre": view.centre}, "PR-3.6"
        )
    params: dict[str, Value] = {"faces": view.lot, "centre": view.centre}
    return Message(N_("For {faces} and sun {centre}: how far do you go?"), params, "PR-3.6")


def _ask_turn(view: View) -> Message:
    if len(choices(view)) == 1:
        return Message(N_("The lot is full: you must call Ra."), {}, "PR-2.4")
    params: dict[str, Value] = {"count": len(view.lot)}
    if not view.lot:
        return Message(N_("Do you draw a tile, or call Ra while the lot is empty?"), params, "PR-2.1")
    return Message(N_("Do you draw a tile, or call Ra for the {count} tile(s) in the lot?"), params, "PR-2.1")


def _ask_face(view: View) -> Message:
    return Message(N_("You drew {tile}: which face does it show?"), {"tile": view.drawn}, "PR-2.3")


def _ask_bid(view: View) -> Message:
    params: dict[str, Value] = {"faces": view.lot, "centre": view.centre}
    if not view.lot:
        params.pop("faces")
        text = N_("The lot is empty; sun {centre} goes to the winner. What do you bid?")
    else:
        text = N_("For {faces} and sun {centre}: what do you bid?")
    if view.best_by is not None:
        text = (
            N_("For {faces} and sun {centre}: {seat} has bid {best}. What do you bid?")
            if view.lot
            else N_("The lot is empty; sun {centre} goes to the winner. {seat} has bid {best}. What do you bid?")
        )
        params |= {"seat": view.best_by, "best": view.best}
    return Message(text, params, "PR-3.1")


def _ask_flip(view: View) -> Message:
    return Message(N_("You won {count} priest(s): which tiles do you flip?"), {"count": view.flips}, "PR-4.1")


_QUESTIONS: dict[str, Callable[[View], Message]] = {
    "turn": _ask_turn,
    "face": _ask_face,
    "bid": _ask_bid,
    "flip": _ask_flip,
}


def describe(view: View, order: AnyOrder) -> Message:
    """Return what `order` will do, in words."""
    return _DESCRIPTIONS[type(order)](view, order)


def _describe_draw(_view: View, order: Draw) -> Message:
    if not order.prefer:
        return Message(N_("You draw a tile."), {}, "PR-2.1")
    faces = tuple(FACES[face] for face in order.prefer)
    return Message(N_("You draw a tile; it shows {faces} if it has that face."), {"faces": faces}, "PR-2.3")


def _describe_call(view: View, _order: Call) -> Message:
    if not view.lot:
        return Message(N_("You call Ra while the lot is empty."), {}, "PR-2.1")
    return Message(N_("You call Ra for {count} tile(s)."), {"count": len(view.lot)}, "PR-2.1")


def _describe_show(_view: View, order: Show) -> Message:
    return Message(N_("The tile shows the {face}."), {"face": FACES[order.face]}, "PR-2.3")


def _describe_bid(_view: View, order: Bid) -> Message:
    return Message(N_("You bid sun {sun}."), {"sun": order.sun}, "PR-3.1")


def _describe_pass(_view: View, _order: Pass) -> Message:
    return Message(N_("You pass."), {}, "PR-3.1")


def _describe_flip(_view: View, order: Flip) -> Message:
    if not order.faces:
        return Message(N_("You flip no tile."), {}, "PR-4.1")
    params: dict[str, Value] = {
        "faces": tuple(FACES[face] for face in order.faces),
        "others": tuple(FACES[face ^ 1] for face in order.faces),
    }
    return Message(N_("You flip {faces} to {others}."), params, "PR-4.1")


_DESCRIPTIONS: dict[type[AnyOrder], Callable[[View, Any], Message]] = {
    Draw: _describe_draw,
    Call: _describe_call,
    Show: _describe_show,
    Bid: _describe_bid,
    Pass: _describe_pass,
    Flip: _describe_flip,
}


def topics(view: View) -> tuple[str, ...]:
    """Rule ids that help with the present decision."""
    return LANGUAGE.decisions[view.phase].topics
