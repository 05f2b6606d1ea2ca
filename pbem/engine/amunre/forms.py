"""Each decision as a form in data: every choice with its price and effect (the texts come back through `form_text`)."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from pbem.engine.amunre.auction import bound, highest, lowest, may_block, may_rebid, missing, purse
from pbem.engine.amunre.buy import numbers
from pbem.engine.amunre.data import (
    ADJUSTMENT,
    BLOCK,
    BONUSES,
    CARDS,
    EIGHT_GOLD,
    INCREASE,
    PRICES,
    PROVINCES,
    REBID,
    ROUNDS,
    STEP,
)
from pbem.engine.amunre.form_parts import card_choice, count, keep_pick, pick_place, placing_groups, sales, tick
from pbem.engine.amunre.imagine import known
from pbem.engine.amunre.offering import temple_space
from pbem.engine.amunre.placing import free_fields
from pbem.engine.amunre.state import State, owned
from pbem.engine.amunre.verbs import legal
from pbem.engine.amunre.words import question
from pbem.engine.core.forms import Choice, Field, Form, Group, Pick, TextField
from pbem.engine.core.types import N_, Message, Params

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.engine.amunre.view import View

QUICK = 8
"""So many orders at most go out as one-tap answers."""
PRICED = N_("n things of one kind cost 1, 3, 6, 10, 15, ... gold. You have {gold} gold; each card sold brings 1 more.")


def form(view: View) -> Form:
    """The decision of the view's seat as a form; without groups if it isn't asked."""
    seat, state = view.seat or 0, known(view)
    part = _list if view.sealed else _FORMS.get(view.kind)
    groups, notes = part(state, seat) if part else ((), ())
    quick = () if view.sealed else _quick(state, seat, view.kind)
    return Form(view.kind, question(view), tuple(groups), tuple(notes), quick)


def _quick(state: State, seat: int, kind: str) -> tuple[str, ...]:
    if not kind or kind == "keep":
        return ()
    orders = tuple(str(order) for order in islice(legal(state, seat), QUICK + 1))
    return orders if len(orders) <= QUICK else ()


_Parts = tuple[list[Group], list[Message]]


def _bid(state: State, seat: int) -> _Parts:
    """AR-5.2: every bid is one choice, over all provinces."""
    most, bar = purse(state, seat), bound(state, seat)
    can_rebid = may_rebid(state, seat)
    choices = []
    for p in state.shown:
        if p != bar or can_rebid:
            standing = _standing(state, p, bar)
            spaces = range(lowest(state, p), highest(most - (p == bar)) + 1)
            choices += [_bid_choice(p, space, standing) for space in spaces]
    groups = [Group(Message(N_("Your bid")), (Pick("bid", Message(N_("Bid")), tuple(choices)),))]
    kinds = [kind for kind, may in ((BLOCK, may_block(state, seat)), (REBID, can_rebid)) if may]
    if kinds:
        cards = Pick("with", Message(N_("Played with the bid")), tuple(map(card_choice, kinds)), many=True)
        groups.append(Group(Message(N_("Cards")), (cards,)))
    hole: Params = {"gold": state.gold[seat], "cards": most - state.gold[seat]}
    text = N_("You have {gold} gold; cards you could sell for 1 gold each: {cards}.")
    return groups, [Message(text, hole, "AR-5.5")]


def _list(state: State, seat: int) -> _Parts:
    """AR-5.10: a limit for each province, or a list in words."""
    most = purse(state, seat)
    limits: tuple[Field, ...] = tuple(
        Pick(
            f"limit:{PROVINCES[p]}",
            Message(PROVINCES[p]),
            tuple(_limit_choice(p, space) for space in range(highest(most) + 1)),
        )
        for p in state.shown
    )
    lines = TextField(
        "list",
        Message(N_("Or write a list; the first line that fits is your bid")),
        Message(N_("One order a line, with a condition where you want one: when my_gold > 9: bid up to 6 on Memphis")),
        many=True,
    )
    hole: Params = {"gold": state.gold[seat], "cards": most - state.gold[seat]}
    return [Group(Message(N_("How far you go for each province")), limits), Group(Message(N_("In words")), (lines,))], [
        Message(N_("You have {gold} gold; cards you could sell for 1 gold each: {cards}."), hole, "AR-5.5"),
        Message(
            N_(
                "All lists are played out in turn: you bid the least allowed on the province for which you go furthest,"
                " or else on the next. Where none is left, you bid 0 on a free one: nobody is asked again."
            ),
            {},
            "AR-5.10",
        ),
    ]


def _limit_choice(p: int, space: int) -> Choice:
    price, name = PRICES[space], PROVINCES[p]
    return Choice(str(price), Message(N_("up to {gold}"), {"gold": price}), price=price, target=f"bid:{name}:{price}")


def _bid_choice(p: int, space: int, standing: Message) -> Choice:
    price, name = PRICES[space], PROVINCES[p]
    label = Message(N_("{gold} on {province}"), {"gold": price, "province": name})
    return Choice(f"{name}:{price}", label, price=price, effect=standing, target=f"bid:{name}:{price}")


def _standing(state: State, p: int, bar: int) -> Message:
    if p not in state.at:
        return Message(N_("Nobody has bid here."))
    holder = state.at.index(p)
    hole: Params = {"seat": holder, "gold": PRICES[state.bids[holder]]}
    if p == bar:
        return Message(
            N_("{seat} stands at {gold}; you were just outbid here and need the rebid card."), hole, "AR-5.4"
        )
    if state.blocks[holder]:
        return Message(N_("{seat} stands at {gold} with a bid block."), hole, "AR-5.6")
    return Message(N_("{seat} stands at {gold}."), hole, "AR-5.2")


def _sell(state: State, seat: int) -> _Parts:
    hole: Params = {"missing": missing(state, seat)}
    return sales(state, seat), [
        Message(N_("You lack {missing} gold for your bid: choose as many cards."), hole, "AR-5.5")
    ]


def _purse_note(state: State, seat: int) -> Message:
    return Message(PRICED, {"gold": state.gold[seat]}, "AR-6.2")


def _cards(n: int) -> Message:
    return Message(N_("one card")) if n == 1 else Message(N_("{cards} cards"), {"cards": n})


def _number(n: int) -> Choice:
    return Choice(str(n), _cards(n), price=PRICES[n])


def _buy(state: State, seat: int) -> _Parts:
    """AR-6.3; with no card, farmers and stones may come along."""
    none = Choice(
        "0",
        Message(N_("no cards")),
        effect=Message(N_("farmers and stones now (below), or when you are asked for them")),
    )
    numbered = tuple(map(_number, numbers(state, seat)))
    nothing = Choice("nothing", Message(N_("nothing at all")), effect=Message(N_("no cards, no farmers, no stones")))
    pick = Pick("cards", Message(N_("Power cards")), (none, *numbered, nothing))
    return [Group(Message(N_("Cards bought")), (pick,)), *placing_groups(state, seat), *sales(state, seat)], [
        _purse_note(state, seat)
    ]


def _build(state: State, seat: int) -> _Parts:
    return [*placing_groups(state, seat), *sales(state, seat), tick(N_("Buy nothing"))], [_purse_note(state, seat)]


def _draft(state: State, seat: int) -> _Parts:
    """AR-6.11: what goes back, in order."""
    choices = tuple(
        Choice(str(order), Message(N_("{cards}"), {"cards": tuple(str(order).removeprefix("put back ").split(", "))}))
        for order in legal(state, seat)
    )
    hole: Params = {"cards": tuple(CARDS[kind] for kind in state.drawn)}
    return [Group(Message(N_("Put back")), (Pick("back", Message(N_("Cards")), choices),))], [
        Message(N_("You drew {cards}."), hole)
    ]


def _offer(state: State, seat: int) -> _Parts:
    hand, gold = state.hands[seat], state.gold[seat]
    most = gold + sum(hand)
    gifts: list[Choice] = [Choice(str(n), Message(N_("{gold} gold"), {"gold": n}), price=n) for n in range(1, most + 1)]
    theft = Choice(
        "theft", Message(N_("theft")), effect=Message(N_("you get 3 gold and no reward; the total falls by 3"))
    )
    groups = [Group(Message(N_("Offering")), (Pick("offer", Message(N_("Offering")), (theft, *gifts)),))]
    if hand[ADJUSTMENT]:
        pick = Pick("with", Message(N_("Added")), (card_choice(ADJUSTMENT),), many=True)
        groups.append(Group(Message(N_("Cards")), (pick,)))
    notes = [
        Message(
            N_("You have {gold} gold. The highest offer earns 3 items, the second 2, every other 1."),
            {"gold": gold},
            "AR-7.5",
        )
    ]
    return groups + sales(state, seat), notes


def _adjust(state: State, seat: int) -> _Parts:
    del seat
    choices = tuple(
        Choice(
            word,
            Message(word),
            effect=Message(
                N_("the total becomes {total}, temple space {temple}"), {"total": total, "temple": temple_space(total)}
            ),
        )
        for word, total in ((N_("raise"), state.total + STEP), (N_("lower"), state.total - STEP))
    )
    return [Group(Message(N_("Total")), (Pick("adjust", Message(N_("Total")), choices),))], []


def _take(state: State, seat: int) -> _Parts:
    items = state.items[seat]
    choices = tuple(
        Choice(
            str(n),
            _cards(n),
            effect=Message(N_("farmers or stones: {rest}"), {"rest": items - n}),
        )
        for n in range(items + 1)
    )
    return [Group(Message(N_("Reward")), (Pick("cards", Message(N_("Power cards")), choices),))], []


def _harvest(state: State, seat: int) -> _Parts:
    own, items, hand = owned(state, seat), state.items[seat], state.hands[seat]
    groups = []
    if items:
        rooms = zip(own, free_fields(state, own), strict=True)
        farmers: tuple[Field, ...] = tuple(count("farmers", p, min(room, items)) for p, room in rooms if room)
        if farmers:
            groups.append(Group(Message(N_("Farmers")), farmers, Message(N_("on free fields"), {}, "AR-7.6")))
        stones = tuple(count("stones", p, items) for p in own)
        groups.append(Group(Message(N_("Stones")), stones, Message(N_("three become a pyramid at once"), {}, "AR-7.6")))
    picks: tuple[Field, ...] = tuple(pick_place(state, seat, kind) for kind in (INCREASE, EIGHT_GOLD) if hand[kind])
    if picks:
        groups.append(Group(Message(N_("Harvest cards")), picks))
    kinds = [kind for kind in BONUSES if hand[kind]] if state.round == ROUNDS else []
    if kinds:
        groups.append(Group(Message(N_("Kept from the scoring")), (keep_pick(kinds, state.keeps[seat]),)))
    if not items:
        groups.append(tick(N_("Play no harvest card")))
    return groups, [Message(N_("Items to be taken: {items}."), {"items": items}, "AR-7.6")] if items else []


def _keep(state: State, seat: int) -> _Parts:
    return [Group(Message(N_("Bonus cards")), (keep_pick(BONUSES, state.keeps[seat]),)), tick(N_("Keep none"))], []


_FORMS: dict[str, Callable[[State, int], _Parts]] = {
    "bid": _bid,
    "sell": _sell,
    "buy": _buy,
    "build": _build,
    "draft": _draft,
    "offer": _offer,
    "adjust": _adjust,
    "take": _take,
    "harvest": _harvest,
    "keep": _keep,
}
