"""Each decision as a form in data, every choice with its price and effect; and the order text of a filled-in form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pbem.engine.amunre import data
from pbem.engine.amunre.auction import bound, highest, legal_bids, may_block, may_rebid, missing, purse
from pbem.engine.amunre.buy import legal_drafts, numbers
from pbem.engine.amunre.cards import held
from pbem.engine.amunre.harvest import said_to_keep, workers, yields
from pbem.engine.amunre.offering import temple_space
from pbem.engine.amunre.orders import Build, Draft, Harvest, Take, Works
from pbem.engine.amunre.phases import legal
from pbem.engine.amunre.placing import free_fields
from pbem.engine.amunre.state import State, owned
from pbem.engine.amunre.view import View
from pbem.engine.amunre.words import question
from pbem.engine.core.errors import InvalidOrder, invalid
from pbem.engine.core.forms import Choice, Count, Field, Filled, Form, Group, Pick, TextField, quick
from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.text.notation import whole

NOT_PLAYED = "no"
"""The value that leaves a card in the hand."""


def card_choice(kind: int) -> Choice:
    """Return a card that may be played along."""
    card = data.CARDS[kind]
    return Choice(card, Message(card), effect=Message(data.LANGUAGE.said["cards"][card]))


def sales(state: State, seat: int, *, aside: bool = True) -> list[Group]:
    """AR-6.8: how many of each kind of card are sold; folded where few orders need it."""
    hand = state.hands[seat]
    counts: tuple[Field, ...] = tuple(
        Count(f"sell:{data.CARDS[kind]}", Message(data.CARDS[kind]), 0, hand[kind]) for kind in sorted(set(held(hand)))
    )
    rule = sentence("1 gold each; sell exactly what is missing, nothing otherwise.", "AR-6.8")
    return [Group(sentence("Cards sold"), counts, rule, aside)] if counts else []


_CARDS: dict[type[Works], str] = {Build: N_("Cards played"), Harvest: N_("Harvest cards")}


def _placing_groups(state: State, seat: int, order: type[Works], most: int, *, aside: bool = False) -> list[Group]:
    """Up to `most` farmers and stones, and the cards of an order, onto one's provinces; `aside`: asked later, too."""
    own = owned(state, seat)
    rooms = zip(own, free_fields(state, own), strict=True)
    farmers: tuple[Field, ...] = tuple(count("farmers", p, min(room, most)) for p, room in rooms if room and most)
    stones: tuple[Field, ...] = tuple(count("stones", p, most) for p in own) if most else ()
    cards = [kind for _, kind, _ in order.played if state.hands[seat][kind]]
    picks = tuple(pick_place(state, seat, kind) for kind in cards)
    groups = (
        (N_("Farmers"), farmers, sentence("on free fields", order.rules[0])),
        (N_("Stones"), stones, sentence("three become a pyramid at once", order.rules[1])),
        (data.CARDS[cards[0]] if len(cards) == 1 else _CARDS[order], picks, None),
    )
    return [
        Group(Message(name), fields, rule, aside, paired=rule is not None) for name, fields, rule in groups if fields
    ]


def _building(state: State, seat: int, *, aside: bool = False) -> list[Group]:
    """AR-6.4 to AR-6.8."""
    most = highest(purse(state, seat))
    return _placing_groups(state, seat, Build, most, aside=aside) + sales(state, seat)


def count(what: str, p: int, high: int) -> Count:
    """Return how many things go to one province."""
    name = data.PROVINCES[p]
    return Count(f"{what}:{name}", Message(name), 0, high, target=f"province:{name}")


_YIELDS = {
    (data.INCREASE, False): (N_("{farmers} more gold"), "AR-8.3"),
    (data.INCREASE, True): (N_("{farmers} more gold, and 1 for each farmer placed there now"), "AR-8.3"),
    (data.EIGHT_GOLD, False): (N_("8 gold instead of {gold}"), "AR-8.4"),
    (data.EIGHT_GOLD, True): (
        N_("8 gold instead of {gold}, and of {temple} for each farmer placed there now"),
        "AR-8.4",
    ),
}
"""What a harvest card brings, by whether the same order can place farmers there, who come first (AR-7.6)."""


def pick_place(state: State, seat: int, kind: int) -> Pick:
    """On which province a card is played, if at all."""
    choices = []
    for p in owned(state, seat):
        name, effect = data.PROVINCES[p], None
        if kind in {data.INCREASE, data.EIGHT_GOLD}:
            text, rule = _YIELDS[kind, bool(state.items[seat] and free_fields(state, [p])[0])]
            farmers, gold = workers(state, p), yields(state, p, state.temple)
            effect = sentence(text, rule, farmers=farmers, gold=gold, temple=state.temple)
        choices.append(Choice(name, Message(name), effect=effect, target=f"province:{name}"))
    choices.append(Choice(NOT_PLAYED, sentence("not played")))
    return Pick(data.CARDS[kind], Message(data.CARDS[kind]), tuple(choices))


def tick(label: str) -> Group:
    """Return a box to tick, so that doing nothing is said and not overlooked."""
    return Group(sentence("Or"), (Pick("nothing", Message(label), (Choice("yes", Message(label)),), many=True),))


def keep_pick(kinds: Sequence[int], kept: Iterable[int]) -> Pick:
    """AR-9.5: bonus cards kept from the scoring, those ticked that were `kept` before."""
    choices = tuple(Choice(data.CARDS[kind], Message(data.CARDS[kind])) for kind in kinds)
    chosen = data.names(kind for kind in kept if kind in kinds)
    return Pick("keep", sentence("Keep"), choices, many=True, chosen=chosen)


PRICED = N_(
    "1, 2, 3, 4, 5 things of one kind cost 1, 3, 6, 10, 15 gold. You have {gold} gold; each card sold brings 1 more."
)


def form(view: View) -> Form:
    """Return the decision of the view's seat as a form; without groups if it isn't asked."""
    seat = view.seat or 0
    part = _list if view.sealed else _DECISIONS[view.kind][0] if view.kind else None
    groups, notes = part(view, seat) if part else ((), ())
    orders = () if view.sealed or view.kind in {"", "keep"} else quick(legal(view, seat))
    return Form(view.kind, question(view), tuple(groups), tuple(notes), orders)


_Parts = tuple[list[Group], list[Message]]


def _bid(state: State, seat: int) -> _Parts:
    """AR-5.2: every bid is one choice, over all provinces; a rebid card is played only where it must be."""
    bar = bound(state, seat)
    standing = {p: _standing(state, p, bar) for p in state.shown}
    bids = [bid for bid in legal_bids(state, seat) if not bid.block and bid.rebid == (bid.province == bar)]
    bids.sort(key=lambda bid: state.shown.index(bid.province))
    choices = [_bid_choice(bid.province, bid.space, standing[bid.province]) for bid in bids]
    groups = [Group(sentence("Your bid"), (Pick("bid", sentence("Bid"), tuple(choices)),))]
    kinds = [kind for kind, may in ((data.BLOCK, may_block), (data.REBID, may_rebid)) if may(state, seat)]
    if kinds:
        cards = Pick("with", sentence("Played with the bid"), tuple(map(card_choice, kinds)), many=True)
        groups.append(Group(sentence("Cards"), (cards,)))
    return groups, [_purse_note(state, seat)]


def _purse_note(state: State, seat: int) -> Message:
    gold, cards = state.gold[seat], sum(state.hands[seat])
    if not cards:
        return sentence("You have {gold} gold.", "AR-5.5", gold=gold)
    return sentence(
        "You have {gold} gold; cards you could sell for 1 gold each: {cards}.", "AR-5.5", gold=gold, cards=cards
    )


def _list(state: State, seat: int) -> _Parts:
    """AR-5.10: a limit for each province, or a list in words."""
    most = purse(state, seat)
    limits = []
    for name in (data.PROVINCES[p] for p in state.shown):
        prices = ((str(price), price, f"bid:{name}:{price}") for price in data.PRICES[: highest(most) + 1])
        ups = (Choice(n, sentence("up to {gold}", gold=gold), price=gold, target=bid) for n, gold, bid in prices)
        limits.append(Pick(f"limit:{name}", Message(name), tuple(ups)))
    lines = TextField(
        "list",
        sentence("Or write a list; the first line that fits is your bid"),
        sentence("One order a line, with a condition where you want one: when my_gold > 9: bid up to 6 on Memphis"),
        many=True,
    )
    return [
        Group(sentence("How far you go for each province"), tuple(limits)),
        Group(sentence("In words"), (lines,)),
    ], [
        _purse_note(state, seat),
        sentence(
            "All lists are played out in turn: you bid the least allowed on the province for which you go furthest,"
            " or else on the next. Where none is left, you bid 0 on a free one: nobody is asked again.",
            "AR-5.10",
        ),
    ]


def _bid_choice(p: int, space: int, standing: Message) -> Choice:
    price, name = data.PRICES[space], data.PROVINCES[p]
    label = sentence("{gold} on {province}", gold=price, province=name)
    bid = f"{name}:{price}"
    return Choice(bid, label, price=price, effect=standing, target=f"bid:{bid}", within=f"province:{name}")


def _standing(state: State, p: int, bar: int) -> Message:
    if p not in state.at:
        return sentence("Nobody has bid here.")
    holder = state.at.index(p)
    text, rule = N_("{seat} stands at {gold}."), "AR-5.2"
    if p == bar:
        text, rule = N_("{seat} stands at {gold}; you were just outbid here and need the rebid card."), "AR-5.4"
    elif state.blocks[holder]:
        text, rule = N_("{seat} stands at {gold} with a bid block."), "AR-5.6"
    return sentence(text, rule, seat=holder, gold=data.PRICES[state.bids[holder]])


def _sell(state: State, seat: int) -> _Parts:
    text = N_("Each card brings 1 gold: choose {missing}.")
    return sales(state, seat, aside=False), [sentence(text, "AR-5.5", missing=missing(state, seat))]


def _cards(n: int) -> Message:
    return sentence("one card") if n == 1 else sentence("{cards} cards", cards=n)


def _buy(state: State, seat: int) -> _Parts:
    """AR-6.3; with no card, farmers and stones may come along."""
    later = sentence("farmers and stones now (below), or when you are asked for them")
    none = Choice("0", sentence("no cards"), effect=later)
    numbered = (Choice(str(n), _cards(n), price=data.PRICES[n]) for n in numbers(state, seat))
    nothing = Choice("nothing", sentence("nothing at all"), effect=sentence("no cards, no farmers, no stones"))
    pick = Pick("cards", sentence("Power cards"), (none, *numbered, nothing))
    groups = [Group(sentence("Cards bought"), (pick,)), *_building(state, seat, aside=True)]
    return groups, [sentence(PRICED, "AR-6.2", gold=state.gold[seat])]


def _build(state: State, seat: int) -> _Parts:
    groups = [*_building(state, seat), tick(N_("Buy nothing"))]
    return groups, [sentence(PRICED, "AR-6.2", gold=state.gold[seat])]


def _draft(state: State, seat: int) -> _Parts:
    """AR-6.11: what goes back, in order."""
    choices = tuple(Choice(str(order), _put_back(state, order)) for order in legal_drafts(state, seat))
    return [Group(sentence("Put back"), (Pick("back", sentence("Cards"), choices),))], [
        sentence("You drew {cards}.", cards=data.names(state.drawn))
    ]


def _put_back(state: State, order: Draft) -> Message:
    """Return the cards that go back, the upper one first where that makes a difference."""
    cards = data.names(order.back)
    if state.options.card_draft == "discard" or len(set(cards)) == 1:
        return sentence("{cards}", cards=cards)
    return sentence("{first} on top of {second}", first=cards[0], second=cards[1])


def _offer(state: State, seat: int) -> _Parts:
    gifts = [Choice(str(n), sentence("{gold} gold", gold=n), price=n) for n in range(1, purse(state, seat) + 1)]
    theft = Choice("theft", sentence("theft"), effect=sentence("you get 3 gold and no reward; the total falls by 3"))
    groups = [Group(sentence("Offering"), (Pick("offer", sentence("Offering"), (theft, *gifts)),))]
    if state.hands[seat][data.ADJUSTMENT]:
        pick = Pick("with", sentence("Added"), (card_choice(data.ADJUSTMENT),), many=True)
        groups.append(Group(sentence("Cards"), (pick,)))
    text = N_("You have {gold} gold. The highest offer earns 3 items, the second 2, every other 1.")
    return groups + sales(state, seat), [sentence(text, "AR-7.5", gold=state.gold[seat])]


def _adjust(state: State, seat: int) -> _Parts:
    choices, own = [], owned(state, seat)
    text = N_("the total becomes {total}, temple space {temple}; your provinces would yield {gold} gold")
    for word, total in ((N_("raise"), state.total + data.STEP), (N_("lower"), state.total - data.STEP)):
        temple = temple_space(total)
        effect = sentence(text, total=total, temple=temple, gold=sum(yields(state, p, temple) for p in own))
        choices.append(Choice(word, Message(word), effect=effect))
    text = N_("After you {count} more adjustment card(s) may move the total.")
    later = [sentence(text, "AR-7.3", count=len(state.queue))] if state.queue else []
    return [Group(sentence("Total"), (Pick("adjust", sentence("Total"), tuple(choices)),))], later


def _take(state: State, seat: int) -> _Parts:
    items = state.items[seat]
    text = N_("farmers or stones: {rest}")
    choices = tuple(Choice(str(n), _cards(n), effect=sentence(text, rest=items - n)) for n in range(items + 1))
    return [Group(sentence("Reward"), (Pick("cards", sentence("Power cards"), choices),))], []


def _harvest(state: State, seat: int) -> _Parts:
    items = state.items[seat]
    groups = _placing_groups(state, seat, Harvest, items)
    kinds = [kind for kind in data.BONUSES if state.hands[seat][kind]] if state.round == data.ROUNDS else []
    if kinds:
        groups.append(Group(sentence("Kept from the scoring"), (keep_pick(kinds, state.keeps[seat]),)))
    if not items:
        groups.append(tick(N_("Play no harvest card")))
    return groups, []


def _keep(state: State, seat: int) -> _Parts:
    return [Group(sentence("Bonus cards"), (keep_pick(data.BONUSES, state.keeps[seat]),)), tick(N_("Keep none"))], []


def order_text(view: View, fields: Filled) -> str:
    """Return the order text that a filled-in form means. Raises InvalidOrder naming the field."""
    if not view.kind:
        raise invalid("You are not asked for an order now.", "AR-3.2")
    if view.sealed:
        return _list_text(view, fields)
    text = _DECISIONS[view.kind][1](fields)
    if not text:
        raise InvalidOrder(_unsaid(form(view)))
    if view.kind == "harvest" and not fields.get("keep") and said_to_keep(view, view.seat or 0):
        return f"{text}, keep nothing"  # AR-9.5: the boxes ticked before are ticked no more
    return text


def _given(fields: Filled, name: str) -> list[str]:
    return [value.strip() for value in fields.get(name, []) if value.strip()]


def _one(fields: Filled, name: str, what: str) -> str:
    """Return the one value of a field that must be filled in."""
    values = _given(fields, name)
    if len(values) != 1:
        raise invalid("Nothing is chosen for {what}: please choose one.", what=what)
    return values[0]


def _some(fields: Filled, name: str) -> str:
    """Return the one value of a field that may be left out; empty if it was."""
    values = _given(fields, name)
    if len(values) > 1:
        raise invalid("{what} can be chosen only once.", what=name)
    return values[0] if values else ""


def _counted(fields: Filled, what: str, names: tuple[str, ...]) -> list[tuple[int, str]]:
    """Return the numbers filled in for `what`: (2, "Buto")."""
    counted = []
    for name in names:
        value = _some(fields, f"{what}:{name}")
        n = whole(value, f"{what} {name}") if value else 0
        if n < 0:
            raise invalid("{what} {name}: {found} is below zero.", what=what, name=name, found=n)
        if n:
            counted.append((n, name))
    return counted


def _parts(fields: Filled, order: type[Works]) -> list[str]:
    """Return the clauses of an order that places things."""
    parts = []
    for what in (N_("farmers"), N_("stones")):
        placed = _counted(fields, what, data.PROVINCES)
        if placed:
            parts.append(" ".join([what, *(f"{n} {name}" for n, name in placed)]))
    for _, kind, _ in order.played:
        province = _some(fields, data.CARDS[kind])
        if province not in ("", NOT_PLAYED):
            parts.append(f"{data.CARDS[kind]} {province}")
    return parts


def _sale(fields: Filled) -> list[str]:
    sold = [f"{n} {name}" if n > 1 else name for n, name in _counted(fields, "sell", data.CARDS)]
    return [f"sell {', '.join(sold)}"] if sold else []


def _bid_text(fields: Filled) -> str:
    province, _, gold = _one(fields, "bid", N_("your bid")).partition(":")
    return f"bid {gold} on {province}{_with(fields)}"


def _with(fields: Filled) -> str:
    """Return the cards that are played along."""
    cards = " and ".join(fields.get("with", []))
    return f" with {cards}" if cards else ""


def _list_text(view: View, fields: Filled) -> str:
    """AR-5.10: a line for each province with a limit, the highest first; or the list in words."""
    lines = [line.strip() for text in fields.get("list", []) for line in text.splitlines() if line.strip()]
    names = [data.PROVINCES[p] for p in view.shown]
    limits = [(whole(value, name), name) for name in names if (value := _some(fields, f"limit:{name}"))]
    if lines and limits:
        raise invalid("You chose limits and wrote a list: please use only one of them.", "AR-5.10")
    if not lines and not limits:
        raise invalid("Nothing is chosen for {what}: please choose one.", what=N_("your bid"))
    limits.sort(key=lambda limit: -limit[0])
    return "\n".join(lines or [f"bid up to {gold} on {name}" for gold, name in limits])


def _sell_text(fields: Filled) -> str:
    sold = _sale(fields)
    if not sold:
        raise invalid("No card is chosen: say how many of each kind you sell.", "AR-5.5")
    return sold[0]


def _said(fields: Filled, parts: list[str], verb: str = "") -> str:
    """Return what is filled in, behind its verb, `nothing` where that is meant; empty for an untouched form.

    Raises InvalidOrder where nothing is meant and something filled in.
    """
    ticked = bool(_some(fields, "nothing"))
    if ticked and parts:
        raise invalid("You chose nothing, and filled in: {parts}. Please choose.", parts=tuple(parts))
    is_meant = ticked or any(NOT_PLAYED in values for values in fields.values())
    return verb + (", ".join(parts) or "nothing") if parts or is_meant else ""


def _unsaid(asked: Form) -> Message:
    """Return what an untouched form is told: to tick that nothing is meant only where there is such a tick."""
    for field in (field for group in asked.groups for field in group.fields if field.name == "nothing"):
        return sentence('Nothing is chosen yet: fill something in, or tick "{tick}".', tick=field.label)
    return sentence("Nothing is chosen yet: fill something in.")


def _buy_text(fields: Filled) -> str:
    parts = _parts(fields, Build)
    number = _one(fields, "cards", "power cards") if fields.get("cards") or not parts else "0"
    if number == "nothing":
        return _said({"nothing": ["yes"]}, parts + _sale(fields), "buy ")
    n = whole(number, "power cards")
    return ", ".join([f"buy {n or 'no'} cards", *parts, *_sale(fields)])


def _offer_text(fields: Filled) -> str:
    gift = _one(fields, "offer", N_("your offering"))
    text = gift if gift == "theft" else f"offer {whole(gift, 'your offering')}"
    return ", ".join([text + _with(fields), *_sale(fields)])


def _harvest_text(fields: Filled) -> str:
    parts = _parts(fields, Harvest)
    kept = fields.get("keep", [])
    if kept:
        parts.append(f"keep {', '.join(kept)}")
    return _said(fields, parts)


_DECISIONS: dict[str, tuple[Callable[[State, int], _Parts], Callable[[Filled], str]]] = {
    "bid": (_bid, _bid_text),
    "sell": (_sell, _sell_text),
    "buy": (_buy, _buy_text),
    "build": (_build, lambda fields: _said(fields, _parts(fields, Build) + _sale(fields), "buy ")),
    "draft": (_draft, lambda fields: _one(fields, "back", N_("the cards put back"))),
    "offer": (_offer, _offer_text),
    "adjust": (_adjust, lambda fields: _one(fields, "adjust", N_("the total"))),
    "take": (_take, lambda fields: str(Take(whole(_one(fields, "cards", "power cards"), "power cards")))),
    "harvest": (_harvest, _harvest_text),
    "keep": (_keep, lambda fields: _said(fields, fields.get("keep", []), "keep ")),
}
"""By kind of decision: how its form is made, and the order text of a filled-in one."""
