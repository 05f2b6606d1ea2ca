"""What a view and its decision are called in words: heading, question, what an order does, where to read on."""

from __future__ import annotations

from collections.abc import Callable

from pbem.engine.amunre import data
from pbem.engine.amunre.auction import missing
from pbem.engine.amunre.buy import cost
from pbem.engine.amunre.orders import Adjust, AnOrder, Bid, Build, Buy, Draft, Harvest, Keep, Offer, Sell, Take, Works
from pbem.engine.amunre.phases import NOT_ASKED
from pbem.engine.amunre.state import OVER, PHASES
from pbem.engine.amunre.view import View
from pbem.engine.core.message import N_, Message, Params, sentence


def heading(view: View) -> Message:
    """Return where the game stands, in a few words."""
    if view.phase == OVER:
        return sentence("The game is over")
    kingdom, phase = data.KINGDOMS[view.kingdom - 1], data.LANGUAGE.decisions[PHASES[view.phase]].phase
    return sentence("{kingdom}, round {round}: {phase}", kingdom=kingdom, round=view.round, phase=phase)


def question(view: View) -> Message:
    """Return what the view's seat is asked, as one sentence."""
    seat = view.seat or 0
    short = missing(view, seat) if view.kind == "sell" else 0
    hole: Params = {"back": view.back, "total": view.total, "items": view.items[seat], "missing": short}
    text = data.LANGUAGE.decisions[_asked_for(view)].question if view.kind else NOT_ASKED
    return Message(text, {name: n for name, n in hole.items() if f"{{{name}}}" in text})


def _asked_for(view: View) -> str:
    """Return the kind of decision, told apart where its question differs."""
    if view.sealed:
        return "list"
    return "harvest-cards" if view.kind == "harvest" and not view.items[view.seat or 0] else view.kind


def topics(view: View) -> tuple[str, ...]:
    """Rule ids in RULES.md that help with the present decision."""
    found = data.LANGUAGE.decisions[view.kind].topics if view.kind else ()
    return (*found, "AR-5.10") if view.sealed else found


def describe(view: View, order: AnOrder) -> Message:
    """Return what an order will do, in words."""
    said = _DESCRIBE[type(order)](order)
    if view.kind == "draft" and view.options.card_draft == "discard":
        return sentence("You discard {cards} and keep the rest.", said.rule, **said.params)
    return said


def _bid(order: Bid) -> Message:
    played = data.names([kind for kind, used in ((data.BLOCK, order.block), (data.REBID, order.rebid)) if used])
    text = (
        N_("You bid {gold} gold on {province} and play {cards}.")
        if played
        else N_("You bid {gold} gold on {province}.")
    )
    gold, province = data.PRICES[order.space], data.PROVINCES[order.province]
    return sentence(text, "AR-5.2", gold=gold, province=province, cards=played)


def _buy(order: Buy) -> Message:
    if order.build is not None:
        if order.build == Build():
            return sentence("You buy no cards, no farmers and no stones.", "AR-6.1")
        return sentence("{said} You buy no cards.", "AR-6.1", said=_build(order.build))
    if order.cards == 0:
        return sentence("You buy no cards and see to farmers and stones next.", "AR-6.3")
    text = N_("You buy {cards} power card(s) for {gold} gold.")
    if order.sell:
        text = N_("You buy {cards} power card(s) for {gold} gold, and sell {sold} for it.")
    return sentence(text, "AR-6.3", cards=order.cards, gold=data.PRICES[order.cards], sold=data.names(order.sell))


def _build(order: Build) -> Message:
    if order == Build():
        return sentence("You buy no farmers and no stones.", "AR-6.1")
    bought = _placed(order)
    said = sentence("You buy {bought} for {gold} gold.", "AR-6.1", bought=bought, gold=cost(order))
    said = _with_cards(said, order, alone=not bought)
    if order.sell:
        return sentence("{said} You sell {sold} for it.", "AR-6.8", said=said, sold=data.names(order.sell))
    return said


def _placed(order: Works) -> tuple[Message, ...]:
    """Return what is put where, place by place."""
    there = [(N_("{count} farmer(s) on {province}"), p, n) for p, n in order.farmers]
    there += [(N_("{count} stone(s) on {province}"), p, n) for p, n in order.stones]
    return tuple(sentence(text, count=n, province=data.PROVINCES[p]) for text, p, n in there)


def _with_cards(said: Message, order: Works, *, alone: bool) -> Message:
    """Return a sentence and the cards that are played on provinces; these `alone` if there is any."""
    played = tuple(
        sentence("{card} on {province}", card=data.CARDS[kind], province=data.PROVINCES[p])
        for kind, p, _ in order.spots
    )
    if not played:
        return said
    if alone:
        return sentence("You play {played}.", said.rule, played=played)
    return sentence("{said} You play {played}.", said.rule, said=said, played=played)


def _draft(order: Draft) -> Message:
    text = N_("You put {cards} back on the deck, the first on top, and keep the rest.")
    return sentence(text, "AR-6.11", cards=data.names(order.back))


def _offer(order: Offer) -> Message:
    if not order.gold:
        return sentence(_THEFT[order.adjustment], "AR-7.1")
    text = _OFFERS[order.adjustment, bool(order.sell)]
    return sentence(text, "AR-7.1", gold=order.gold, sold=data.names(order.sell))


_THEFT = {
    False: N_("You play theft: 3 gold for you, no reward."),
    True: N_("You play theft and add an adjustment card."),
}
_OFFERS = {
    (False, False): N_("You offer {gold} gold."),
    (False, True): N_("You offer {gold} gold and sell {sold} for it."),
    (True, False): N_("You offer {gold} gold and add an adjustment card."),
    (True, True): N_("You offer {gold} gold with an adjustment card and sell {sold} for it."),
}
"""By whether an adjustment card is added, and cards are sold."""


def _harvest(order: Harvest) -> Message:
    placed = _placed(order)
    said = sentence("You play no harvest card.", "AR-8.1")
    if placed:
        said = sentence("You place {placed}.", "AR-7.6", placed=placed)
    said = _with_cards(said, order, alone=not placed)
    if order.keep or order.keep_none:
        return sentence("{said} {more}", "AR-9.5", said=said, more=_keep(Keep(order.keep)))
    return said


def _keep(order: Keep) -> Message:
    if not order.cards:
        return sentence("You play every bonus card that counts.", "AR-9.5")
    return sentence("At the coming scoring you keep {cards}.", "AR-9.5", cards=data.names(order.cards))


_ADJUSTED = {True: N_("You raise the total by 3."), False: N_("You lower the total by 3.")}
_DESCRIBE: dict[type, Callable[..., Message]] = {
    Bid: _bid,
    Sell: lambda order: sentence("You sell {cards} to pay your bid.", "AR-5.5", cards=data.names(order.sell)),
    Buy: _buy,
    Build: _build,
    Draft: _draft,
    Offer: _offer,
    Adjust: lambda order: sentence(_ADJUSTED[order.up], "AR-7.3"),
    Take: lambda order: sentence("Power cards among your reward items: {cards}.", "AR-7.6", cards=order.cards),
    Harvest: _harvest,
    Keep: _keep,
}
