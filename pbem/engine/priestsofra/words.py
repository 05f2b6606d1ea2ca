"""What a decision and its orders are called: headings, questions and descriptions for the view's reader."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.engine.core.message import N_, Message, Params, sentence
from pbem.engine.priestsofra.data import EPOCH_NAMES, FACES, LANGUAGE, TILES, named
from pbem.engine.priestsofra.orders import AnyOrder, Bid, Call, Draw, Flip, Pass, Show
from pbem.engine.priestsofra.state import BID, FACE, FLIP, OVER, PHASES, TURN
from pbem.engine.priestsofra.view import View, choices


def heading(view: View) -> Message:
    """Return where the game stands, in a few words."""
    epoch, spaces = EPOCH_NAMES[view.epoch - 1], view.ra_spaces
    return sentence(
        LANGUAGE.decisions[PHASES[view.phase]].phase, epoch=epoch, count=len(view.lot), ra=view.ra, spaces=spaces
    )


def question(view: View) -> Message:
    """Return what the view's seat is asked, as one sentence."""
    if view.phase == OVER:
        return sentence("The game is over: nothing is left to decide.", "PR-5.4")
    if view.seat != view.actor and view.seat not in view.asked:
        return sentence("{seat} decides now.", seat=view.actor)
    return _QUESTIONS[view.phase](view)


def _ask_turn(view: View) -> Message:
    if len(choices(view)) == 1:
        return sentence("The lot is full: you must call Ra.", "PR-2.4")
    if not view.lot:
        return sentence("Do you draw a tile, or call Ra while the lot is empty?", "PR-2.1")
    return sentence("Do you draw a tile, or call Ra for the {count} tile(s) in the lot?", "PR-2.1", count=len(view.lot))


_BIDS = (
    N_("The lot is empty; the winner takes sun {centre}. How far do you go?"),
    N_("For {faces} and sun {centre}: how far do you go?"),
    N_("The lot is empty; sun {centre} goes to the winner. What do you bid?"),
    N_("For {faces} and sun {centre}: what do you bid?"),
    N_("The lot is empty; sun {centre} goes to the winner. {seat} has bid {best}. What do you bid?"),
    N_("For {faces} and sun {centre}: {seat} has bid {best}. What do you bid?"),
)
"""For a sealed list, for the first bid, for one above another: of an empty lot, and of one with tiles."""


def _ask_bid(view: View) -> Message:
    text = _BIDS[2 * (0 if view.asked else 2 if view.best else 1) + bool(view.lot)]
    bid: Params = {"seat": view.best_by, "best": view.best} if view.best else {}
    rule = "PR-3.6" if view.asked else "PR-3.1"
    return sentence(text, rule, faces=named(view.lot), centre=view.centre, **bid)


_QUESTIONS: dict[int, Callable[[View], Message]] = {
    TURN: _ask_turn,
    FACE: lambda view: sentence("You drew {tile}: which face does it show?", "PR-2.3", tile=TILES[view.drawn]),
    BID: _ask_bid,
    FLIP: lambda view: sentence("You won {count} priest(s): which tiles do you flip?", "PR-4.1", count=view.flips),
}


def describe(view: View, order: AnyOrder) -> Message:
    """Return what `order` will do, in words."""
    return _DESCRIPTIONS[type(order)](view, order)


def _describe_draw(_view: View, order: Draw) -> Message:
    if not order.prefer:
        return sentence("You draw a tile.", "PR-2.1")
    return sentence("You draw a tile; it shows {faces} if it has that face.", "PR-2.3", faces=named(order.prefer))


def _describe_call(view: View, _order: Call) -> Message:
    if not view.lot:
        return sentence("You call Ra while the lot is empty.", "PR-2.1")
    return sentence("You call Ra for {count} tile(s).", "PR-2.1", count=len(view.lot))


def _describe_flip(_view: View, order: Flip) -> Message:
    if not order.faces:
        return sentence("You flip no tile.", "PR-4.1")
    others = named(face ^ 1 for face in order.faces)
    return sentence("You flip {faces} to {others}.", "PR-4.1", faces=named(order.faces), others=others)


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
    return LANGUAGE.decisions[PHASES[view.phase]].topics
