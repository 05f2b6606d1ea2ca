"""What the drawings of Amun-Re say in words, shared by text board, alternative text and titles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.amunre.auction import lowest
from pbem.engine.amunre.data import PRICES, PROVINCES
from pbem.engine.amunre.harvest import workers
from pbem.engine.core.message import N_, Message, sentence

if TYPE_CHECKING:
    from pbem.engine.amunre.view import View
    from pbem.pictures.renderer import Say

BANKS = (N_("West bank"), N_("East bank"))
HALVES = (N_("Lower Egypt"), N_("Upper Egypt"))


def in_game(view: View, p: int) -> bool:
    """AR-2.3: whether a province can still matter: in the new kingdom only those of the old one do."""
    return view.kingdom == 1 or p in view.used


def state_of(view: View, p: int) -> Message:
    """Return whose a province is, or how it stands in the auction."""
    hole: dict[str, int | str] = {"province": PROVINCES[p]}
    if p in view.shown:
        if p in view.at:
            seat = view.at.index(p)
            now: dict[str, int | str] = {"seat": seat, "gold": PRICES[view.bids[seat]], "next": PRICES[lowest(view, p)]}
            return sentence("{province}: {seat} bids {gold}, next from {next}.", **hole | now)
        return sentence("{province}: up for auction, no bid.", **hole)
    if view.owner[p] >= 0:
        return sentence("{province}: {seat}.", **hole | {"seat": view.owner[p]})
    return Message(N_("{province}: nobody's.") if in_game(view, p) else N_("{province}: not in this game."), hole)


def pieces_on(view: View, p: int) -> Message | None:
    """Farmers, stones and pyramids of a province; None where there is nothing."""
    if not (workers(view, p) or view.stones[p] or view.pyramids[p]):
        return None
    text = N_("Farmers {farmers}, stones {stones}, pyramids {pyramids}.")
    return sentence(text, farmers=workers(view, p), stones=view.stones[p], pyramids=view.pyramids[p])


def printed_on(view: View, p: int) -> Message:
    """Return what the board prints of a province."""
    board = view.board
    fields, limit, income, temples = board.fields[p], board.card_limit[p], board.income[p], board.temples[p]
    text = N_("Fields {fields}, card limit {limit}.")
    if income and board.camel[p]:
        text = N_("Fields {fields}, card limit {limit}, income by camel {income}.")
    elif income:
        text = N_("Fields {fields}, card limit {limit}, income {income}.")
    elif temples:
        text = N_("Fields {fields}, card limit {limit}, temples {temples}.")
    return sentence(text, fields=fields, limit=limit, income=income, temples=temples)


def lying_on(view: View, p: int) -> tuple[int, int]:
    """AR-4.1: how much gold and how many cards wait on a province up for auction; nothing on the others."""
    return (view.board.bonus_gold[p], len(view.buried[view.shown.index(p)])) if p in view.shown else (0, 0)


def bonus_of(view: View, p: int) -> Message | None:
    """AR-4.1: the gold and the cards that lie on a province up for auction; None where there is nothing."""
    gold, cards = lying_on(view, p)
    hole = {"gold": gold, "cards": cards}
    if gold and cards:
        return sentence("Bonus: {gold} gold, {cards} card(s).", **hole)
    if gold:
        return sentence("Bonus: {gold} gold.", **hole)
    return sentence("Bonus: {cards} card(s).", **hole) if cards else None


def about(view: View, p: int, say: Say) -> str:
    """Return a province in sentences."""
    parts = [state_of(view, p), pieces_on(view, p), printed_on(view, p), bonus_of(view, p)]
    return " ".join(say(part) for part in parts if part is not None)


def temple_of(view: View) -> Message:
    """Return where the temple stands."""
    if not view.temple:
        return sentence("The temple stands beside its track.")
    return sentence("Temple on space {temple}.", temple=view.temple)


def offered(view: View, seat: int) -> Message | None:
    """Return a seat's offering once it lies open; None before."""
    if view.offers[seat] < 0:
        return None
    if view.offers[seat] == 0:
        return sentence("theft")
    return sentence("offered {gold}", gold=view.offers[seat])


def total_of(view: View) -> Message | None:
    """Return what the offerings come to; None before they lie open."""
    return sentence("Offerings: {total}.", total=view.total) if max(view.offers) >= 0 else None


def is_purse_open(view: View) -> bool:
    """Return whether everybody's gold may be drawn: a picture shows what all may see, and nothing else."""
    return view.options.gold == "public"


def is_count_open(view: View) -> bool:
    """Return whether all see how many cards each has."""
    return view.options.hand_counts == "public"
