"""A second reading of the rules, written from the catalogue alone, that follows a record and adds up the scores.

It shares no code with the engine but the board's table: it takes order texts and chance results, knows the standard
options only, and asserts at every step that the order was due and allowed.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

from pbem.engine.amunre.data import PROVINCES
from tests.engine.amunre.printed import PRINTED, Printed

CARDS = {
    "block": 2,
    "rebid": 2,
    "free farmer": 5,
    "architect": 8,
    "adjustment": 4,
    "eight gold": 3,
    "harvest increase": 5,
    "cards bonus": 2,
    "farmers bonus": 2,
    "half bonus": 2,
    "bank bonus": 2,
    "riverside bonus": 2,
}
SPACES = [k * (k + 1) // 2 for k in range(60)]
CLAUSES = (
    r", (?=farmers \d|stones |free farmer [A-Z]|architect [A-Z]|harvest increase [A-Z]|eight gold [A-Z]|sell |keep )"
)


def cards_in(text: str) -> list[str]:
    """`architect, 2 free farmer` as single cards."""
    found: list[str] = []
    for part in text.split(", ") if text else ():
        count, _, name = part.partition(" ") if part[0].isdigit() else ("1", "", part)
        assert name in CARDS, part
        found += [name] * int(count)
    return found


def placed(clause: str) -> list[tuple[str, int]]:
    """`stones 2 Abu 1 Edfu` as provinces with numbers."""
    return [(name, int(count)) for count, name in re.findall(r"(\d+) ([A-Z]\w+)", clause)]


class Land:
    """What stands on one province."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.print: Printed = PRINTED[name]
        self.owner: int | None = None
        self.fields = self.ground = self.stones = self.pyramids = 0

    def rise(self, *, architect: bool = False) -> None:
        """Turn stones into pyramids."""
        if architect:
            assert self.stones >= 2
            self.stones -= 2
            self.pyramids += 1
        self.pyramids += self.stones // 3
        self.stones %= 3

    @property
    def farmers(self) -> int:
        """All of them, printed ones too."""
        return self.fields + self.ground + self.print.printed_farmers


class Referee:
    """Follows a record phase by phase; `points` are what it adds up to."""

    def __init__(self, text: str) -> None:
        self.plies: list[tuple[dict[int, str], list[str]]] = []
        for line in text.splitlines():
            if found := re.fullmatch(r"(\d+) (\d|\*): (.*)", line):
                while len(self.plies) <= int(found[1]):
                    self.plies.append(({}, []))
                orders, chance = self.plies[int(found[1])]
                if found[2] == "*":
                    chance.append(found[3])
                else:
                    orders[int(found[2])] = found[3]
        self.seats = int(text.split("seats: ")[1].split(maxsplit=1)[0])
        self.ply, self.results = 0, list(self.plies[0][1])
        self.first = int(self.result("first-player"))
        self.gold, self.points = [20] * self.seats, [0] * self.seats
        self.hands = [Counter({"architect": 1}) for _ in range(self.seats)]
        self.deck, self.pile = Counter(CARDS), Counter[str]()
        self.deck["architect"] -= self.seats
        self.lands = {name: Land(name) for name in PROVINCES}
        self.temple, self.used, self.keeps = 0, set[str](), [""] * self.seats

    # --- the record ---

    def result(self, label: str) -> str:
        """The next chance result, which must be `label`'s."""
        found, _, names = self.results.pop(0).partition(": ")
        assert found == label
        return names

    def orders(self, *asked: int) -> dict[int, str]:
        """The next ply's orders, which must be those of the seats asked; `keep` may ride along."""
        self.ply += 1
        orders, chance = self.plies[self.ply]
        self.results += chance
        for seat in set(orders) - set(asked):
            self.keeps[seat] = orders[seat].removeprefix("keep ")
            assert orders[seat].startswith("keep ")
        assert set(asked) <= set(orders), (self.ply, asked)
        return {seat: orders[seat] for seat in asked}

    def in_turn(self) -> list[int]:
        """Seats from the first player on."""
        return [(self.first + step) % self.seats for step in range(self.seats)]

    def own(self, seat: int) -> list[Land]:
        """A seat's provinces."""
        return [land for land in self.lands.values() if land.owner == seat]

    # --- cards and gold ---

    def draw(self) -> str | None:
        """A card of the deck, or of the pile once the deck is empty."""
        if not +self.deck:
            self.deck, self.pile = self.pile, Counter()
        if not +self.deck:
            return None
        card = self.result("card").replace("-", " ")
        assert self.deck[card] > 0
        self.deck[card] -= 1
        return card

    def spend(self, seat: int, card: str) -> None:
        """From the hand to the pile."""
        assert self.hands[seat][card] > 0, (self.ply, card)
        self.hands[seat][card] -= 1
        self.pile[card] += 1

    def pay(self, seat: int, price: int, sold: str) -> None:
        """Sell exactly what is missing, then pay."""
        cards = cards_in(sold)
        assert len(cards) == max(0, price - self.gold[seat]), (self.ply, price, sold)
        for card in cards:
            self.spend(seat, card)
        self.gold[seat] += len(cards) - price

    # --- phases ---

    def play(self) -> list[int]:
        """The whole game; its points."""
        for kingdom in (1, 2):
            for _ in range(3):
                buried = self.reveal(kingdom)
                self.auction(buried)
                for seat in self.in_turn():
                    self.act(seat)
                self.offer()
                self.harvest()
            self.score()
            if kingdom == 1:
                for land in self.lands.values():
                    land.owner, land.fields, land.ground = None, 0, 0
        totals = [gold + sum(hand.values()) for gold, hand in zip(self.gold, self.hands, strict=True)]
        for seat, total in enumerate(totals):
            self.points[seat] += (6, 4, 2, 0, 0)[sum(other > total for other in totals)]
        assert self.ply == len(self.plies) - 1
        return self.points

    def reveal(self, kingdom: int) -> dict[str, list[str]]:
        """AR-4: as many provinces as players, their bonuses laid out."""
        shown = self.result("provinces").split()
        assert len(set(shown)) == self.seats
        assert not any(self.lands[name].owner is not None for name in shown)
        assert set(shown) <= self.used if kingdom == 2 else not set(shown) & self.used
        self.used |= set(shown)
        buried: dict[str, list[str]] = {}
        for name in shown:
            land = self.lands[name]
            cards = [self.draw() for _ in range(land.print.bonus_cards)]
            buried[name] = [card for card in cards if card]
            land.stones += land.print.bonus_stones
            land.rise()
        return buried

    def auction(self, buried: dict[str, list[str]]) -> None:
        """AR-5: bids until every province has one, then payment."""
        at: dict[int, str] = {}
        bids, beaten = dict[int, int](), dict[int, str]()
        blocks, rebids = set[int](), set[int]()
        seat, made = self.first, 0
        while seat >= 0:
            found = re.fullmatch(r"bid (\d+) on (\w+)(?: with (.*))?", self.orders(seat)[seat])
            assert found
            price, name, cards = int(found[1]), found[2], found[3] or ""
            for card, lies in (("block", blocks), ("rebid", rebids)):
                if card in cards:
                    assert seat not in lies
                    self.spend(seat, card)
                    lies.add(seat)
            assert "rebid" not in cards or seat in beaten
            assert name in buried
            assert price <= self.gold[seat] + sum(self.hands[seat].values())
            assert beaten.pop(seat, "") != name or seat in rebids, self.ply
            for holder in [other for other, where in at.items() if where == name]:
                assert SPACES.index(price) > bids[holder] + (holder in blocks), self.ply
                beaten[holder] = at.pop(holder)
            at[seat], bids[seat], made = name, SPACES.index(price), made + 1
            seat = self.next_bidder(seat, made, at)
        self.take_over(at, bids, buried)

    def next_bidder(self, last: int, made: int, at: dict[int, str]) -> int:
        """AR-5.3: everybody once, then clockwise whose bid does not stand; -1 at the end."""
        if made < self.seats:
            return (self.first + made) % self.seats
        around = [(last + step) % self.seats for step in range(1, self.seats)]
        return next((seat for seat in around if seat not in at), -1)

    def take_over(self, at: dict[int, str], bids: dict[int, int], buried: dict[str, list[str]]) -> None:
        """AR-5.5, AR-5.8: who must choose which cards to sell does so at once with the others; then all pay."""
        missing = {seat: max(0, SPACES[bids[seat]] - self.gold[seat]) for seat in at}
        kinds = {seat: len(+self.hands[seat]) for seat in at}
        asked = [s for s in at if 0 < missing[s] < sum(self.hands[s].values()) and kinds[s] > 1]
        sold = self.orders(*asked) if asked else {}
        for seat in self.in_turn():
            rest = list(self.hands[seat].elements())[: missing[seat]]
            self.pay(seat, SPACES[bids[seat]], sold[seat].removeprefix("sell ") if seat in sold else ", ".join(rest))
            land = self.lands[at[seat]]
            land.owner = seat
            self.gold[seat] += land.print.bonus_gold
            self.hands[seat].update(buried[land.name])

    def act(self, seat: int) -> None:
        """AR-6: cards, then farmers and stones."""
        limit = max(land.print.card_limit for land in self.own(seat))
        order = "buy no cards"
        if limit and self.gold[seat] + sum(self.hands[seat].values()):
            order = self.orders(seat)[seat]
        if bought := re.fullmatch(r"buy (\d+) cards?(?:, sell (.*))?", order):
            count = int(bought[1])
            assert count <= limit
            self.pay(seat, SPACES[count], bought[2] or "")
            self.hands[seat].update(card for card in (self.draw() for _ in range(count)) if card)
            order = "buy no cards"
        if order == "buy no cards":
            order = self.orders(seat)[seat]
        self.build(seat, re.sub(r"^buy (no cards, |nothing|)", "", order))

    def build(self, seat: int, order: str) -> None:
        """AR-6.4 to AR-6.8."""
        clauses = dict(self.clause(part) for part in re.split(CLAUSES, order) if part)
        prices = [SPACES[sum(n for _, n in placed(clauses.get(kind, "")))] for kind in ("farmers", "stones")]
        for rest in (clauses[card] for card in ("free farmer", "architect") if card in clauses):
            assert self.lands[rest].owner == seat
        self.pay(seat, sum(prices), clauses.get("sell", ""))
        self.place(seat, clauses, clauses.get("architect", ""))
        if "free farmer" in clauses:
            self.spend(seat, "free farmer")
            self.lands[clauses["free farmer"]].ground += 1
        if "architect" in clauses:
            self.spend(seat, "architect")

    def clause(self, part: str) -> tuple[str, str]:
        """A part of an order: its verb and the rest."""
        for verb in ("farmers", "stones", "free farmer", "architect", "harvest increase", "eight gold", "sell", "keep"):
            if part.startswith(f"{verb} "):
                return verb, part.removeprefix(f"{verb} ")
        raise AssertionError((self.ply, part))

    def place(self, seat: int, clauses: dict[str, str], architect: str = "") -> int:
        """Farmers onto free fields, stones onto own land, pyramids at once; how many things."""
        for name, count in placed(clauses.get("farmers", "")):
            land = self.lands[name]
            land.fields += count
            assert land.owner == seat
            assert land.fields <= land.print.fields
        stones = placed(clauses.get("stones", ""))
        for name, count in stones:
            assert self.lands[name].owner == seat
            self.lands[name].stones += count
        for name in {name for name, _ in stones} | ({architect} if architect else set()):
            self.lands[name].rise(architect=name == architect)
        return sum(count for kind in ("farmers", "stones") for _, count in placed(clauses.get(kind, "")))

    def offer(self) -> None:
        """AR-7: the offering, the adjustments, the temple."""
        gifts, adjusters = dict[int, int](), list[int]()
        for seat, order in self.orders(*range(self.seats)).items():
            found = re.fullmatch(r"(?:theft|offer (\d+))( with adjustment)?(?:, sell (.*))?", order)
            assert found is not None, order
            gifts[seat] = int(found[1] or 0)
            assert (gifts[seat] > 0) == (found[1] is not None)
            self.pay(seat, gifts[seat], found[3] or "") if found[1] else None
            if found[2]:
                self.spend(seat, "adjustment")
                adjusters.append(seat)
        total = sum(gift or -3 for gift in gifts.values())
        queue = [seat for seat in self.in_turn() if seat in adjusters]
        for left, seat in zip(range(len(queue), 0, -1), queue, strict=True):
            up = self.space(total - 3 * left) == self.space(total + 3 * left) or self.orders(seat)[seat] == "raise"
            total += 3 if up else -3
        self.temple = self.space(total)
        self.reward(gifts)

    @staticmethod
    def space(total: int) -> int:
        """AR-7.4."""
        return 1 + sum(total >= least for least in (3, 13, 23))

    def reward(self, gifts: dict[int, int]) -> None:
        """AR-7.5, AR-7.6: cards for all at once, dealt in the order of reward; then everything else at once."""
        turn = self.in_turn()
        givers = sorted((seat for seat in turn if gifts[seat]), key=lambda seat: -gifts[seat])
        ranks = [*givers[:2], *(seat for seat in turn if seat in givers[2:])]
        items = dict.fromkeys(turn, 0) | {seat: max(1, 3 - place) for place, seat in enumerate(ranks)}
        for seat in turn:
            self.gold[seat] += 0 if gifts[seat] else 3
        if ranks and +(self.deck + self.pile):
            for seat, order in self.orders(*ranks).items():
                wanted = int(order.split()[1].replace("no", "0"))
                assert wanted <= items[seat]
                got = [card for card in (self.draw() for _ in range(wanted)) if card]
                self.hands[seat].update(got)
                items[seat] -= len(got)
        self.items = items
        self.next_first = givers[0] if givers else self.first

    def harvest(self) -> None:
        """AR-8, with what is left of the rewards."""
        cards = ("harvest increase", "eight gold")
        asked = [s for s in range(self.seats) if self.items[s] or any(self.hands[s][card] for card in cards)]
        more, instead = set[str](), set[str]()
        for seat, order in (self.orders(*asked) if asked else {}).items():
            parts = () if order == "nothing" else re.split(CLAUSES, order)
            clauses = dict(self.clause(part) for part in parts)
            assert self.place(seat, clauses) == self.items[seat], self.ply
            self.keeps[seat] = clauses.get("keep", self.keeps[seat])
            for card, where in zip(cards, (more, instead), strict=True):
                if card in clauses:
                    self.spend(seat, card)
                    assert self.lands[clauses[card]].owner == seat
                    where.add(clauses[card])
        self.first = self.next_first
        for land in self.lands.values():
            if land.owner is not None:
                open_now = not land.print.camel or self.temple <= 2
                yields = land.farmers * (self.temple + (land.name in more)) + land.print.income * open_now
                self.gold[land.owner] += 8 if land.name in instead else yields

    def score(self) -> None:
        """AR-9.1 to AR-9.5."""
        for seat in range(self.seats):
            lands = self.own(seat)
            pyramids = [land.pyramids for land in lands]
            temples = sum(land.print.temples for land in lands)
            self.points[seat] += sum(pyramids) + 3 * min(pyramids) + self.temple * temples + self.bonus(seat, lands)
        for bank in ("east", "west"):
            there = [land for land in self.lands.values() if land.owner is not None and land.print.bank == bank]
            best = max(((land.pyramids, land.stones) for land in there), default=(0, 0))
            if best[0]:
                for owner in {land.owner for land in there if (land.pyramids, land.stones) == best}:
                    self.points[owner or 0] += 5
        self.keeps = [""] * self.seats

    def bonus(self, seat: int, lands: list[Land]) -> int:
        """AR-9.5: every bonus card that holds and isn't kept."""

        def same(word: str) -> bool:
            return all(getattr(a.print, word) == getattr(b.print, word) for a, b in pairwise(lands))

        holds = {
            "cards bonus": sum(land.print.card_limit + land.print.bonus_cards for land in lands) >= 7,
            "farmers bonus": sum(land.farmers for land in lands) >= 9,
            "half bonus": same("half"),
            "bank bonus": same("bank"),
            "riverside bonus": same("riverside"),
        }
        kept = self.keeps[seat].split(", ")
        played = [card for card, held in holds.items() if held and self.hands[seat][card] and card not in kept]
        for card in played:
            self.spend(seat, card)
        return 3 * len(played)
