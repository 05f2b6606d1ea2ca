"""Order text into orders: liberal in what it accepts, one sentence for what it can't read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from pbem.engine.amunre import data, orders
from pbem.engine.amunre.auction import bound, lowest, missing, purse
from pbem.engine.amunre.buy import cost, is_poor
from pbem.engine.amunre.cards import held
from pbem.engine.amunre.grammar import BID, BID_WORDS, CARD, NUMBER, PROVINCE, WORD, Token, example, tokens
from pbem.engine.amunre.harvest import said_to_keep
from pbem.engine.amunre.phases import NOT_ASKED, asked_kind, check
from pbem.engine.amunre.state import State, owned
from pbem.engine.core.errors import InvalidOrder, invalid
from pbem.engine.core.message import N_, Message, Params, sentence
from pbem.engine.text.candidates import settled
from pbem.engine.text.notation import fold, in_digits

PLACED_CARDS = (data.FREE_FARMER, data.ARCHITECT, data.EIGHT_GOLD, data.INCREASE)
_LISTS = ("sell", "keep")
_MANY = 200
"""More things than this can't be meant."""


class Clauses:
    """What the clauses of one order say, read token by token."""

    def __init__(self, state: State, seat: int, text: str, kind: str, allowed: set[str]) -> None:
        """Read an answer to `kind` with the clauses `allowed`; one's only province needn't be named."""
        self.cards: int | None = None
        """How many cards; None: nothing is said of cards."""
        self.nothing = False
        self.none: set[str] = set()
        """What is said not to be placed: `no farmers`."""
        self.keep_nothing = False
        self.placings: dict[str, dict[int, int]] = {"farmers": {}, "stones": {}}
        self.spots: dict[str, int] = {}
        self.lists: dict[str, list[int]] = {"sell": [], "keep": []}
        self.named: set[str] = set()
        """Every kind of clause that occurred."""
        self._left, self._own = tokens(text, eight=kind == "harvest")[::-1], owned(state, seat)
        while self._left:
            self._clause()
        self._refuse_contradiction()
        if self.named - allowed:
            raise _unreadable(text, kind)

    def placed(self, what: str) -> orders.Placing:
        """Return where the farmers or stones go."""
        return tuple((p, n) for p, n in self.placings[what].items() if n)

    @property
    def sell(self) -> orders.Cards:
        """The cards sold."""
        return tuple(self.lists["sell"])

    @property
    def bare(self) -> bool:
        """Whether nothing is placed."""
        return not (self.placed("farmers") or self.placed("stones") or self.spots)

    def at(self, card: str) -> int:
        """Return the province on which a card is played; -1: none."""
        return self.spots.get(card, -1)

    def _refuse_contradiction(self) -> None:
        """Raise InvalidOrder for an order that says nothing is placed, and places something."""
        placed = [word for word, placing in self.placings.items() if placing]
        things = [word for word in placed if word in self.none]
        if self.nothing and not self.bare:
            things = [*placed, *self.spots]
        elif self.keep_nothing:
            things += [data.CARDS[kind] for kind in sorted({*self.lists["keep"]})]
        if things:
            said = N_(
                "The order says nothing, or none of a thing, and then names {things}: please write only one of them."
            )
            raise invalid(said, things=tuple(things))

    def _is(self, *kinds: str, ahead: int = 1) -> bool:
        return len(self._left) >= ahead and self._left[-ahead].kind in kinds

    def _number(self) -> int:
        n: int = self._left.pop().value
        if n > _MANY:
            said = N_("{found} is far more than anyone can buy or place: at most {most} are read.")
            raise invalid(said, "AR-6.2", found=n, most=_MANY)
        return n

    def _clause(self) -> None:
        """Read what the tokens left begin with, up to the next clause."""
        total = self._number() if self._is(NUMBER) else None
        if not self._left or self._is(NUMBER, PROVINCE) or (total is not None and self._left[-1].fresh):
            self._lone(total)
            return
        token = self._left.pop()
        word = data.CARDS[token.value] if token.kind == CARD else token.value
        if token.kind == CARD and total is None:
            self._card(token.value, token.text)
        elif word in self.placings:
            self._place(word, total)
        elif word == "cards":
            if total is None and not self._is(NUMBER):
                raise invalid("Say how many cards, as in: buy 2 cards, or: buy no cards.", "AR-6.3")
            self._cards(self._number() if total is None else total)
        elif word in _LISTS and total is None:
            self._list(word)
        elif word == "nothing" and total is None:
            self._nothing()
        elif word in ("buy", "take") and total is None:
            self.named.add(word)
        else:
            raise invalid("{word!r} does not fit there in this order: leave it out.", word=token.text)

    def _lone(self, total: int | None) -> None:
        """A number alone means cards; anything else is out of place."""
        if total is not None and not self._left:
            self._cards(total)
            return
        word = self._left[-1].text
        said = N_("{word!r} does not fit there: say farmers or stones first, as in: farmers 2 Buto.")
        raise invalid(said, word=word)

    def _cards(self, total: int) -> None:
        if "cards" in self.named:
            said = N_("How many cards is said twice, {first} and {second}: say it once.")
            raise invalid(said, "AR-6.3", first=self.cards or 0, second=total)
        self.cards = total
        self.named.add("cards")

    def _nothing(self) -> None:
        """`nothing`; but `no cards`, `no farmers`."""
        if self._is(WORD) and self._left[-1].value in ("cards", "farmers", "stones"):
            word = self._left.pop().value
            if word == "cards":
                self._cards(0)
            else:
                self.named.add(word)
                self.none.add(word)
            return
        self.nothing = True
        self.named.add("nothing")

    def _card(self, kind: int, text: str) -> None:
        hole: Params = {"card": data.CARDS[kind] if kind < data.KINDS else text}
        if kind not in PLACED_CARDS:
            hole = {**hole, "cards": data.names(PLACED_CARDS)}
            raise invalid("{card} isn't played on a province; these are: {cards}.", **hole)
        if not self._is(PROVINCE):
            raise invalid("Say where {card} is played, as in: {card} Memphis.", **hole)
        if data.CARDS[kind] in self.spots:
            raise invalid("Only one {card} card can be played in one phase.", "AR-6.10", **hole)
        self.spots[data.CARDS[kind]] = self._left.pop().value
        self.named.add(data.CARDS[kind])

    def _list(self, word: str) -> None:
        """`sell eight gold, 2 architect`: until a clause begins that is no card."""
        self.named.add(word)
        if word == "keep" and self._is(WORD) and self._left[-1].value == "nothing":
            self._left.pop()
            self.keep_nothing = True
        while True:
            many = self._is(NUMBER)
            if not self._is(CARD, ahead=1 + many) or (not many and self._is(PROVINCE, ahead=2)):
                return
            n = self._number() if many else 1
            self.lists[word] += [self._left.pop().value] * n

    def _place(self, word: str, total: int | None) -> None:
        """`farmers 2 Buto 1 Mendes`, `2 farmers Buto`, `farmers Buto 2`, `2 farmers` with one own province."""
        self.named.add(word)
        placed = self.placings[word]
        before = sum(placed.values())
        if total is None and self._is(PROVINCE):
            while self._is(PROVINCE):
                p = self._left.pop().value
                placed[p] = placed.get(p, 0) + (self._number() if self._is(NUMBER) and not self._starts() else 1)
        else:
            while self._is(PROVINCE) or (self._is(NUMBER) and self._is(PROVINCE, ahead=2)):
                n = self._number() if self._is(NUMBER) else None
                p = self._left.pop().value
                placed[p] = placed.get(p, 0) + (n if n is not None else self._share(total))
        self._check_total(word, total, sum(placed.values()) - before)

    def _starts(self) -> bool:
        """Whether the number next in turn belongs to what follows: `farmers Buto 2 stones Memphis`, `, 2 Abu`."""
        if self._left[-1].fresh:
            return True
        return self._is(WORD, ahead=2) and self._left[-2].value in self.placings and not self._left[-2].fresh

    def _share(self, total: int | None) -> int:
        """Return all of `2 farmers Buto` go to the one province named."""
        more = self._is(PROVINCE) or (self._is(NUMBER) and not self._starts())
        return 1 if total is None or more else total

    def _check_total(self, word: str, total: int | None, placed: int) -> None:
        if placed == 0 and total and len(self._own) == 1:
            self.placings[word][self._own[0]] = total
        elif placed == 0 or total not in (None, placed):
            own = data.lands(self._own)
            hole: Params = {"what": word, "provinces": own, "total": total or 0, "placed": placed}
            if placed:
                raise invalid("You name {total} {what} but place {placed}.", **hole)
            raise invalid("Say where the {what} go, as in: {what} 2 Buto. You own: {provinces}.", **hole)


_UP = frozenset(("+3", "+ 3", "raise by 3", "raise it", "plus 3"))
_DOWN = frozenset(("-3", "- 3", "lower by 3", "lower it", "minus 3"))


def _read(state: State, seat: int, text: str) -> orders.AnOrder:
    kind = asked_kind(state, seat)
    if not kind:
        raise invalid(NOT_ASKED, "AR-3.2")
    if not fold(text):
        raise invalid("The order is empty. Write for example: {example}.", example=example(kind))
    return _READ[kind](state, seat, text)


def _unreadable(text: str, kind: str) -> InvalidOrder:
    said = N_("{text!r} can't be read as an answer to {kind}. Write for example: {example}.")
    return invalid(said, text=text, kind=kind, example=example(kind))


def _values(found: Sequence[Token], kind: str) -> list[Any]:
    return [token.value for token in found if token.kind == kind]


def _bid(state: State, seat: int, text: str) -> orders.Bid:
    """AR-5.2; relative forms become the lowest bid allowed."""
    found = tokens(text, eight=False)
    amounts, places = _values(found, NUMBER), _values(found, PROVINCE)
    words, cards = _values(found, WORD), _values(found, CARD)
    block, rebid = data.BLOCK in cards, data.REBID in cards
    relative = "up to" in words or "lowest" in words
    said = N_("{card} can't be played with a bid: only block and rebid can.")
    _only_cards(cards, {data.BLOCK, data.REBID}, said, "AR-5.6")
    if words == ["nothing"]:
        said = N_("There is no passing: everybody gets one province a round. Bid 0 on a free one.")
        raise invalid(said, "AR-5.9")
    if set(words) - BID_WORDS or not BID.fullmatch(in_digits(fold(text))):
        raise _unreadable(text, "bid")
    no_limit = "lowest" in words and not {"up to", "within"}.intersection(words)  # `min 10` may be meant as one
    if len(amounts) > (0 if no_limit else max(1, len(places) * relative + ("within" in words))):
        raise _unreadable(text, "bid")
    if len(amounts) > 1:
        said = N_("No bid within your limits is possible on {provinces} now: raise a limit, or name another province.")
        return _up_to(state, seat, _limits(text), (block, rebid), said)
    if "lowest" in words and not amounts:
        amounts = [data.PRICES[-1]]
    if not amounts or (not relative and len(places) != 1):
        raise _unreadable(text, "bid")
    amount = amounts[0]
    if relative:
        said = N_("No bid up to {most} is possible on {provinces} now.")
        limits = dict.fromkeys(places or state.shown, amount)
        return _up_to(state, seat, (limits, amount), (block, rebid), said, most=amount)
    if amount not in data.SPACE_OF:
        raise InvalidOrder(_no_space(amount))
    return orders.Bid(places[0], data.SPACE_OF[amount], block, rebid)


def _only_cards(cards: list[int], allowed: set[int], text: str, rule: str) -> None:
    """Raise InvalidOrder for a card that has no place in an order."""
    for kind in cards:
        if kind not in allowed:
            raise invalid(text, rule, card=data.CARDS[kind])


def _no_space(amount: int) -> Message:
    above = next(price for price in data.PRICES if price > amount)
    below = data.PRICES[data.SPACE_OF[above] - 1]
    text = N_("{gold} is no bid space (0, 1, 3, 6, 10, 15, ...): the nearest are {below} and {above}.")
    return sentence(text, "AR-5.1", gold=amount, below=below, above=above)


def _up_to(
    state: State, seat: int, limits: tuple[dict[int, int], int], cards: tuple[bool, bool], refusal: str, **hole: int
) -> orders.Bid:
    """The lowest bid on the province that leaves most below its own limit; of equal ones the cheapest, then first.

    `limits`: of each province, and what no bid may be above, whatever these are.
    """
    each, most = limits
    bar = -1 if cards[1] else bound(state, seat)
    can_pay = min(purse(state, seat) - sum(cards), most)
    open_ = [(p, data.PRICES[lowest(state, p)]) for p in each if p in state.shown and p != bar]
    fits = [(price - each[p], price, i, p) for i, (p, price) in enumerate(open_) if price <= min(each[p], can_pay)]
    if not fits:
        raise invalid(refusal, "AR-5.2", **hole, provinces=data.lands(each))
    p = min(fits)[3]
    return orders.Bid(p, lowest(state, p), *cards)


def highest(text: str, bid: orders.Bid, purse: int) -> int:
    """AR-5.2: the most gold that the text of a `bid` comes to, now or later, for who could pay `purse` (AR-5.5)."""
    found = tokens(text, eight=False)
    if not {"up to", "lowest"}.intersection(_values(found, WORD)):
        return data.PRICES[bid.space]
    amounts = _values(found, NUMBER) or [data.PRICES[-1]]
    each, most = _limits(text) if len(amounts) > 1 else ({}, amounts[0])
    return max(price for price in data.PRICES if price <= min(max(each.values(), default=most), most, purse))


def _limits(text: str) -> tuple[dict[int, int], int]:
    """Return the limit of each province named, and the one over all of them."""
    limits: dict[int, int] = {}
    found, most = tokens(text, eight=False), -1
    for at, token in enumerate(found):
        if token.kind == WORD and token.value == "within":
            rest = _values(found[at + 1 :], NUMBER)
            if not limits or len(rest) != 1 or len(found) > at + 2:
                raise _unreadable(text, "bid")
            return limits, rest[0]
        if token.kind == NUMBER:
            most = token.value
        elif token.kind == PROVINCE:
            if most < 0:
                raise _unreadable(text, "bid")
            limits[token.value] = most
    return limits, data.PRICES[-1]


def _listed(found: Sequence[Token], text: str, kind: str, words: set[str]) -> tuple[int, ...]:
    """Return a list of cards, each with its number before it; `words` are the keywords that may stand there."""
    cards: list[int] = []
    count = 1
    for token in found:
        if token.kind == NUMBER:
            count = min(token.value, data.ALL_CARDS + 1)
        elif token.kind == CARD:
            cards += [token.value] * count
            count = 1
        elif token.kind != WORD or token.value not in words:
            raise _unreadable(text, kind)
    return tuple(cards)


def _sell(state: State, seat: int, text: str) -> orders.Sell:
    sold = _listed(tokens(text, eight=True), text, "sell", {"sell", "cards"})
    return orders.Sell(sold or _forced_sale(state.hands[seat], (), missing(state, seat)))


def _forced_sale(hand: Sequence[int], reserved: Sequence[int], short: int) -> tuple[int, ...]:
    """AR-6.8: the cards sold for `short` gold where it makes no difference which; () where it does."""
    left = held([n - reserved.count(kind) for kind, n in enumerate(hand)])
    if 0 < short <= len(left) and (short == len(left) or len(set(left)) == 1):
        return tuple(left[:short])
    return ()


_HARVEST = {"take", "farmers", "stones", "harvest increase", "eight gold", "keep", "nothing"}
_BUILDING = {"buy", "take", "farmers", "stones", "free farmer", "architect", "sell", "nothing"}


def _buy(state: State, seat: int, text: str) -> orders.Buy:
    """AR-6.1, AR-6.3: cards; or none, with farmers and stones along."""
    parts = Clauses(state, seat, text, "buy", {*_BUILDING, "cards"})
    n = parts.cards
    if n is None and parts.bare and parts.sell:
        n = 0  # a sale alone is one for no cards
    if n is None or (n == 0 and not parts.bare):
        if n is None and parts.bare and not parts.nothing:
            raise _unreadable(text, "buy")
        if parts.bare and parts.sell:
            return orders.Buy(0, parts.sell)
        return orders.Buy(0, (), _build_of(state, seat, parts))
    if not parts.bare:
        said = N_("Farmers and stones can be sent along only with: buy no cards. Who buys cards sees them first.")
        raise invalid(said, "AR-6.1")
    if n == 0 and not parts.sell and is_poor(state, seat):
        return orders.Buy(0, (), orders.Build())
    price = data.PRICES[min(n, len(data.PRICES) - 1)]
    return orders.Buy(n, parts.sell or _forced_sale(state.hands[seat], (), price - state.gold[seat]))


def _build(state: State, seat: int, text: str) -> orders.Build:
    """AR-6.4 to AR-6.8."""
    parts = Clauses(state, seat, text, "build", _BUILDING)
    if parts.bare and not parts.nothing and not parts.sell:
        raise _unreadable(text, "build")
    return _build_of(state, seat, parts)


def _build_of(state: State, seat: int, parts: Clauses) -> orders.Build:
    order = orders.Build(
        parts.placed("farmers"), parts.placed("stones"), parts.at("free farmer"), parts.at("architect"), parts.sell
    )
    if order.sell:
        return order
    sold = _forced_sale(state.hands[seat], order.cards, cost(order) - state.gold[seat])
    return msgspec.structs.replace(order, sell=sold)


def _draft(state: State, _: int, text: str) -> orders.Draft:
    """AR-6.11: on the discard pile the sequence means nothing."""
    back = _listed(tokens(text, eight=True), text, "draft", {"put back", "cards"})
    return orders.Draft(tuple(sorted(back)) if state.options.card_draft == "discard" else back)


def _offer(state: State, seat: int, text: str) -> orders.Offer:
    """AR-7.1."""
    found = tokens(text, eight=False)
    cut = next((i for i, token in enumerate(found) if token.value == "sell"), len(found))
    head, words = found[:cut], _values(found[:cut], WORD)
    amounts, cards = _values(head, NUMBER), _values(head, CARD)
    theft = "theft" in words
    _only_cards(cards, {data.ADJUSTMENT}, N_("{card} can't be added to an offering: only adjustment can."), "AR-7.1")
    if (
        set(words) - {"offer", "theft"}
        or _values(head, PROVINCE)
        or cards not in ([], [data.ADJUSTMENT])
        or len(amounts) + theft != 1
    ):
        raise _unreadable(text, "offer")
    if amounts == [0]:
        raise invalid("0 gold is no offering: offer at least 1 gold, or play theft.", "AR-7.1")
    sold = _listed(found[cut:], text, "offer", {"sell"})
    gold = 0 if theft else amounts[0]
    short = gold - state.gold[seat]
    return orders.Offer(gold, bool(cards), sold or _forced_sale(state.hands[seat], cards, short))


def _adjust(_: State, __: int, text: str) -> orders.Adjust:
    """AR-7.3."""
    folded = fold(text)
    if folded in _UP | _DOWN:
        return orders.Adjust(up=folded in _UP)
    found = [token.value for token in tokens(folded.lstrip("+"), eight=False)]
    if found not in (["raise"], ["lower"]):
        raise _unreadable(text, "adjust")
    return orders.Adjust(up=found == ["raise"])


def _take(_: State, __: int, text: str) -> orders.Take:
    """AR-7.6: the number of cards among the reward items."""
    found = tokens(text, eight=False)
    amounts, words = _values(found, NUMBER), _values(found, WORD)
    rest = [token for token in found if token.kind in (CARD, PROVINCE)]
    if rest or set(words) - {"take", "cards", "nothing"} or len(amounts) + ("nothing" in words) != 1:
        raise _unreadable(text, "take")
    return orders.Take(amounts[0] if amounts else 0)


def _harvest(state: State, seat: int, text: str) -> orders.Harvest:
    """AR-7.6, AR-8.3, AR-8.4, AR-9.5: `keep nothing` takes back what was kept before, and else says nothing."""
    parts = Clauses(state, seat, text, "harvest", _HARVEST)
    places = (parts.at("harvest increase"), parts.at("eight gold"))
    if parts.bare and places == (-1, -1) and not parts.nothing and (state.items[seat] or "keep" not in parts.named):
        raise _unreadable(text, "harvest")
    kept = tuple(set(parts.lists["keep"]))
    keep_none = parts.keep_nothing and not kept and bool(said_to_keep(state, seat))
    return orders.Harvest(parts.placed("farmers"), parts.placed("stones"), *places, kept, keep_none)


def _keep(_: State, __: int, text: str) -> orders.Keep:
    """AR-9.5."""
    found = tokens(text, eight=True)
    cards = _listed(found, text, "keep", {"keep", "cards", "nothing"})
    if not cards and "nothing" not in _values(found, WORD):
        raise _unreadable(text, "keep")
    return orders.Keep(tuple(set(cards)))


_READ: dict[str, Callable[[State, int, str], orders.AnOrder]] = {
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
"""By kind of decision, what reads its answers."""

read = settled(_read, check)
"""Reads one order for what the seat is asked. Raises InvalidOrder or AmbiguousOrder."""
