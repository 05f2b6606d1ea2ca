"""Orders that place things, cut into their clauses: `farmers 2 Buto, stones 3 Memphis, architect Memphis`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.amunre.data import ARCHITECT, CARDS, EIGHT_GOLD, FREE_FARMER, INCREASE, KINDS, PROVINCES
from pbem.engine.amunre.lexicon import CARD, NUMBER, PROVINCE, WORD, Token, tokens
from pbem.engine.core.errors import InvalidOrder
from pbem.engine.core.types import N_, Message, Params

if TYPE_CHECKING:
    from pbem.engine.amunre.orders import Cards, Placing

PLACED_CARDS = (FREE_FARMER, ARCHITECT, EIGHT_GOLD, INCREASE)
_LISTS = ("sell", "keep")
_MANY = 200
"""More things than this can't be meant."""


class Clauses:
    """What the clauses of one order say."""

    def __init__(self) -> None:
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

    @property
    def farmers(self) -> Placing:
        """Where the farmers go."""
        return tuple(sorted((p, n) for p, n in self.placings["farmers"].items() if n))

    @property
    def stones(self) -> Placing:
        """Where the stones go."""
        return tuple(sorted((p, n) for p, n in self.placings["stones"].items() if n))

    @property
    def sell(self) -> Cards:
        """The cards sold."""
        return tuple(sorted(self.lists["sell"]))

    @property
    def keep(self) -> Cards:
        """The bonus cards kept."""
        return tuple(sorted(set(self.lists["keep"])))

    @property
    def bare(self) -> bool:
        """Whether nothing is placed."""
        return not (self.farmers or self.stones or self.spots)

    def at(self, card: str) -> int:
        """The province on which a card is played; -1: none."""
        return self.spots.get(card, -1)


def clauses(text: str, own: list[int], *, eight: bool) -> Clauses:
    """Cut `text`; `own` are the provinces meant where a single one needn't be named. Raises InvalidOrder."""
    reader = _ClauseParser(tokens(text, eight=eight), own)
    while reader.left:
        reader.clause()
    _refuse_contradiction(reader.parts)
    return reader.parts


def _refuse_contradiction(parts: Clauses) -> None:
    """Raise InvalidOrder for an order that says nothing is placed, and places something."""
    placed = {word for word, placing in parts.placings.items() if placing}
    if (parts.nothing and not parts.bare) or parts.none & placed or (parts.keep_nothing and parts.lists["keep"]):
        raise InvalidOrder(
            Message(
                N_("The order says nothing, or none of a thing, and then names some: please write only one of them."),
                {},
            )
        )


class _ClauseParser:
    """Goes through the tokens clause by clause."""

    def __init__(self, found: list[Token], own: list[int]) -> None:
        self.left = found[::-1]
        self.own = own
        self.parts = Clauses()

    def _is(self, *kinds: str, ahead: int = 1) -> bool:
        return len(self.left) >= ahead and self.left[-ahead].kind in kinds

    def _number(self) -> int:
        n = int(self.left.pop().value)
        if n > _MANY:
            raise InvalidOrder(Message(N_("{found} is far more than anyone can buy or place."), {"found": n}, "AR-6.2"))
        return n

    def clause(self) -> None:
        """Read one clause into `parts`."""
        total = self._number() if self._is(NUMBER) else None
        if not self.left or self._is(NUMBER, PROVINCE) or (total is not None and self.left[-1].fresh):
            self._lone(total)
            return
        token = self.left.pop()
        word = CARDS[int(token.value)] if token.kind == CARD else str(token.value)
        if token.kind == CARD and total is None:
            self._card(int(token.value), token.text)
        elif word in self.parts.placings:
            self._place(word, total)
        elif word == "cards":
            if total is None and not self._is(NUMBER):
                raise InvalidOrder(
                    Message(N_("Say how many cards, as in: buy 2 cards, or: buy no cards."), {}, "AR-6.3")
                )
            self._cards(self._number() if total is None else total)
        elif word in _LISTS and total is None:
            self._list(word)
        elif word == "nothing" and total is None:
            self._nothing()
        elif word not in ("buy", "take") or total is not None:
            raise InvalidOrder(Message(N_("{word!r} does not fit there in this order."), {"word": token.text}))

    def _lone(self, total: int | None) -> None:
        """A number alone means cards; anything else is out of place."""
        if total is not None and not self.left:
            self._cards(total)
            return
        word = self.left[-1].text
        raise InvalidOrder(
            Message(
                N_("{word!r} does not fit there: say farmers or stones first, as in: farmers 2 Buto."), {"word": word}
            )
        )

    def _cards(self, total: int) -> None:
        if "cards" in self.parts.named:
            raise InvalidOrder(Message(N_("How many cards is said twice in this order: say it once."), {}, "AR-6.3"))
        self.parts.cards = total
        self.parts.named.add("cards")

    def _nothing(self) -> None:
        """`nothing`; but `no cards`, `no farmers`."""
        if self._is(WORD) and self.left[-1].value in ("cards", "farmers", "stones"):
            word = str(self.left.pop().value)
            if word == "cards":
                self._cards(0)
            else:
                self.parts.named.add(word)
                self.parts.none.add(word)
            return
        self.parts.nothing = True
        self.parts.named.add("nothing")

    def _card(self, kind: int, text: str) -> None:
        if kind not in PLACED_CARDS or not self._is(PROVINCE):
            hole: Params = {"card": CARDS[kind] if kind < KINDS else text}
            raise InvalidOrder(Message(N_("Say where {card} is played, as in: {card} Memphis."), hole))
        if CARDS[kind] in self.parts.spots:
            hole = {"card": CARDS[kind]}
            raise InvalidOrder(Message(N_("Only one {card} card can be played in one phase."), hole, "AR-6.10"))
        self.parts.spots[CARDS[kind]] = int(self.left.pop().value)
        self.parts.named.add(CARDS[kind])

    def _list(self, word: str) -> None:
        """`sell eight gold, 2 architect`: until a clause begins that is no card."""
        self.parts.named.add(word)
        if word == "keep" and self._is(WORD) and self.left[-1].value == "nothing":
            self.left.pop()
            self.parts.keep_nothing = True
        while True:
            many = self._is(NUMBER)
            if not self._is(CARD, ahead=1 + many) or (not many and self._is(PROVINCE, ahead=2)):
                return
            n = self._number() if many else 1
            self.parts.lists[word] += [int(self.left.pop().value)] * n

    def _place(self, word: str, total: int | None) -> None:
        """`farmers 2 Buto 1 Mendes`, `2 farmers Buto`, `farmers Buto 2`, `2 farmers` with one own province."""
        self.parts.named.add(word)
        placed = self.parts.placings[word]
        before = sum(placed.values())
        if total is None and self._is(PROVINCE):
            while self._is(PROVINCE):
                p = int(self.left.pop().value)
                placed[p] = placed.get(p, 0) + (self._number() if self._is(NUMBER) and not self._starts() else 1)
        else:
            while self._is(PROVINCE) or (self._is(NUMBER) and self._is(PROVINCE, ahead=2)):
                n = self._number() if self._is(NUMBER) else None
                p = int(self.left.pop().value)
                placed[p] = placed.get(p, 0) + (n if n is not None else self._share(total))
        self._check_total(word, total, sum(placed.values()) - before)

    def _starts(self) -> bool:
        """Whether the number next in turn belongs to what follows: `farmers Buto 2 stones Memphis`, `, 2 Abu`."""
        if self.left[-1].fresh:
            return True
        return self._is(WORD, ahead=2) and self.left[-2].value in self.parts.placings and not self.left[-2].fresh

    def _share(self, total: int | None) -> int:
        """All of `2 farmers Buto` go to the one province named."""
        more = self._is(PROVINCE) or (self._is(NUMBER) and not self._starts())
        return 1 if total is None or more else total

    def _check_total(self, word: str, total: int | None, placed: int) -> None:
        if placed == 0 and total and len(self.own) == 1:
            self.parts.placings[word][self.own[0]] = total
        elif placed == 0 or total not in (None, placed):
            hole: Params = {
                "what": word,
                "provinces": tuple(PROVINCES[p] for p in self.own),
                "total": total or 0,
                "placed": placed,
            }
            if placed:
                raise InvalidOrder(Message(N_("You name {total} {what} but place {placed}."), hole))
            raise InvalidOrder(
                Message(N_("Say where the {what} go, as in: {what} 2 Buto. You own: {provinces}."), hole)
            )
