"""What a decision and its orders are called: headings, questions and descriptions for the view's reader."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.engine.core.types import N_, Message, sentence
from pbem.engine.priestsofra.data import EPOCH_NAMES, FACES, LANGUAGE
from pbem.engine.priestsofra.orders import AnyOrder, Bid, Call, Draw, Flip, Pass, Show
from pbem.engine.priestsofra.view import View, choices

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.engine.core.types import Value

_TURNED = N_("{epoch}: {count} tile(s) in the lot, Ra {ra} of {spaces}")
_AUCTION = N_("{epoch}: auction of {count} tile(s), Ra {ra} of {spaces}")


def heading(view: View) -> Message:
    """Return where the game stands, in a few words."""
    if view.phase == "over":
        return sentence("The game is over.")
    params: dict[str, Value] = {
        "epoch": EPOCH_NAMES[view.epoch - 1],
        "count": len(view.lot),
        "ra": view.ra,
        "spaces": view.ra_spaces,
    }
    if view.phase == "flip":
        return sentence("{epoch}: priests flip tiles, Ra {ra} of {spaces}", **params)
    return sentence(_TURNED if view.auction == "none" else _AUCTION, **params)


def question(view: View) -> Message:
    """Return what the view's seat is asked, as one sentence."""
    if view.actor is None:
        return sentence("The game is over: nothing is left to decide.", "PR-5.4")
    if view.seat != view.actor and view.seat not in view.asked:
        return sentence("{seat} decides now.", seat=view.actor)
    return _ask_list(view) if view.seat in view.asked else _QUESTIONS[view.phase](view)


def _ask_list(view: View) -> Message:
    if not view.lot:
        return sentence(
            "The lot is empty; the winner takes sun {centre}. How far do you go?", "PR-3.6", centre=view.centre
        )

    return sentence("For {faces} and sun {centre}: how far do you go?", "PR-3.6", faces=view.lot, centre=view.centre)


def _ask_turn(view: View) -> Message:
    if len(choices(view)) == 1:
        return sentence("The lot is full: you must call Ra.", "PR-2.4")
    params: dict[str, Value] = {"count": len(view.lot)}
    if not view.lot:
        return sentence("Do you draw a tile, or call Ra while the lot is empty?", "PR-2.1", **params)
    return sentence("Do you draw a tile, or call Ra for the {count} tile(s) in the lot?", "PR-2.1", **params)


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
    return sentence(text, "PR-3.1", **params)


_QUESTIONS: dict[str, Callable[[View], Message]] = {
    "turn": _ask_turn,
    "face": lambda view: sentence("You drew {tile}: which face does it show?", "PR-2.3", tile=view.drawn),
    "bid": _ask_bid,
    "flip": lambda view: sentence("You won {count} priest(s): which tiles do you flip?", "PR-4.1", count=view.flips),
}


def describe(view: View, order: AnyOrder) -> Message:
    """Return what `order` will do, in words."""
    return _DESCRIPTIONS[type(order)](view, order)


def _describe_draw(_view: View, order: Draw) -> Message:
    if not order.prefer:
        return sentence("You draw a tile.", "PR-2.1")
    faces = tuple(FACES[face] for face in order.prefer)
    return sentence("You draw a tile; it shows {faces} if it has that face.", "PR-2.3", faces=faces)


def _describe_call(view: View, _order: Call) -> Message:
    if not view.lot:
        return sentence("You call Ra while the lot is empty.", "PR-2.1")
    return sentence("You call Ra for {count} tile(s).", "PR-2.1", count=len(view.lot))


def _describe_flip(_view: View, order: Flip) -> Message:
    if not order.faces:
        return sentence("You flip no tile.", "PR-4.1")
    params: dict[str, Value] = {
        "faces": tuple(FACES[face] for face in order.faces),
        "others": tuple(FACES[face ^ 1] for face in order.faces),
    }
    return sentence("You flip {faces} to {others}.", "PR-4.1", **params)


_DESCRIPTIONS: dict[type[AnyOrder], Callable[[View, Any], Message]] = {
    Draw: _describe_draw,
    Call: _describe_call,
    Show: lambda _view, order: sentence("The tile shows the {face}.", "PR-2.3", face=FACES[order.face]),
    Bid: lambda _view, order: sentence("You bid sun {sun}.", "PR-3.1", sun=order.sun),
    Pass: lambda _view, _order: sentence("You pass.", "PR-3.1"),
    Flip: _describe_flip,
}


def topics(view: View) -> tuple[str, ...]:
    """Rule ids that help with the present decision."""
    return LANGUAGE.decisions[view.phase].topics
