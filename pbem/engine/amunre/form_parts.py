"""Fields that several of the forms share: cards sold, things placed, cards played on a province."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.amunre.auction import highest, purse
from pbem.engine.amunre.cards import held
from pbem.engine.amunre.data import (
    ADJUSTMENT,
    ARCHITECT,
    BLOCK,
    CARDS,
    EIGHT_GOLD,
    FREE_FARMER,
    INCREASE,
    PROVINCES,
    REBID,
)
from pbem.engine.amunre.harvest import workers, yields
from pbem.engine.amunre.placing import free_fields
from pbem.engine.amunre.state import State, owned
from pbem.engine.core.forms import Choice, Count, Field, Group, Pick
from pbem.engine.core.types import N_, Message

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

NOT_PLAYED = "no"
"""The value that leaves a card in the hand."""
CARD_EFFECTS = {
    BLOCK: N_("who outbids you in this auction must go up two spaces"),
    REBID: N_("you may bid again where you were just outbid, in this auction"),
    FREE_FARMER: N_("one more farmer, beside the fields"),
    ARCHITECT: N_("two stones are enough for one pyramid"),
    ADJUSTMENT: N_("you will raise or lower the total by 3"),
    EIGHT_GOLD: N_("8 gold instead of all else that province yields"),
    INCREASE: N_("1 more gold for each farmer there"),
}


def card_choice(kind: int) -> Choice:
    """A card that may be played along."""
    return Choice(CARDS[kind], Message(CARDS[kind]), effect=Message(CARD_EFFECTS[kind]))


def sales(state: State, seat: int) -> list[Group]:
    """AR-6.8: how many of each kind of card are sold."""
    hand = state.hands[seat]
    counts: tuple[Field, ...] = tuple(
        Count(f"sell:{CARDS[kind]}", Message(CARDS[kind]), 0, hand[kind]) for kind in sorted(set(held(hand)))
    )
    rule = Message(N_("1 gold each; sell exactly what is missing, nothing otherwise."), {}, "AR-6.8")
    return [Group(Message(N_("Cards sold")), counts, rule)] if counts else []


def placing_groups(state: State, seat: int) -> list[Group]:
    """AR-6.4 to AR-6.7: farmers, stones and cards onto one's provinces."""
    own, most = owned(state, seat), highest(purse(state, seat))
    farmers: tuple[Field, ...] = tuple(
        count("farmers", p, min(room, most))
        for p, room in zip(own, free_fields(state, own), strict=True)
        if room and most
    )
    stones: tuple[Field, ...] = tuple(count("stones", p, most) for p in own) if most else ()
    picks = tuple(pick_place(state, seat, kind) for kind in (FREE_FARMER, ARCHITECT) if state.hands[seat][kind])
    rules = (
        (N_("Farmers"), farmers, Message(N_("on free fields"), {}, "AR-6.4")),
        (N_("Stones"), stones, Message(N_("three become a pyramid at once"), {}, "AR-6.6")),
        (N_("Cards played"), picks, None),
    )
    return [Group(Message(title), fields, rule) for title, fields, rule in rules if fields]


def count(what: str, p: int, high: int) -> Count:
    """How many things go to one province."""
    return Count(f"{what}:{PROVINCES[p]}", Message(PROVINCES[p]), 0, high, target=f"province:{PROVINCES[p]}")


def pick_place(state: State, seat: int, kind: int) -> Pick:
    """On which province a card is played, if at all."""
    places = (_place_choice(state, p, kind) for p in owned(state, seat))
    return Pick(CARDS[kind], Message(CARDS[kind]), (*places, Choice(NOT_PLAYED, Message(N_("not played")))))


def _place_choice(state: State, p: int, kind: int) -> Choice:
    name, farmers = PROVINCES[p], workers(state.board, state.farmers, state.ground, p)
    effects = {
        FREE_FARMER: Message(N_("farmers there so far: {farmers}"), {"farmers": farmers}, "AR-6.5"),
        ARCHITECT: Message(N_("stones there so far: {stones}"), {"stones": state.stones[p]}, "AR-6.7"),
        INCREASE: Message(N_("{farmers} more gold"), {"farmers": farmers}, "AR-8.3"),
        EIGHT_GOLD: Message(N_("8 gold instead of {gold}"), {"gold": yields(state, p, state.temple)}, "AR-8.4"),
    }
    return Choice(name, Message(name), effect=effects[kind], target=f"province:{name}")


def tick(label: str) -> Group:
    """A box to tick, so that doing nothing is said and not overlooked."""
    return Group(Message(N_("Or")), (Pick("nothing", Message(label), (Choice("yes", Message(label)),), many=True),))


def keep_pick(kinds: Sequence[int], kept: Iterable[int]) -> Pick:
    """AR-9.5: bonus cards kept from the scoring, those ticked that were `kept` before."""
    choices = tuple(Choice(CARDS[kind], Message(CARDS[kind])) for kind in kinds)
    chosen = tuple(CARDS[kind] for kind in kept if kind in kinds)
    return Pick("keep", Message(N_("Keep")), choices, many=True, chosen=chosen)
