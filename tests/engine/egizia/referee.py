"""A second reading of the rules, written from the catalogue alone, that follows a record and adds up the scores.

It shares the component data with the engine and no code. It takes every order as due, and asserts that what it builds,
pays, uses and feeds was possible.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.engine.egizia.ledger import NILE, Ledger

if TYPE_CHECKING:
    from collections.abc import Iterable

JOKER_AND_RING = {"Passalon", "Heliopolis"}
CREWS_OF = {"Thebae": ("blue", "black"), "Beni Hasan": ("blue", "yellow"), "Selinon": ("black", "yellow")}
SITES = ("Sphinx", "Obelisk", "Pyramid")
SHIP_CARDS = {
    "double": "double_round_space",
    "two ships": "two_ships",
    "extra ship": "extra_ship_full_site",
    "reuse": "reuse_round_space",
    "upstream": "upstream",
}
WITH_RIDER = {
    "improve": "crew_improver",
    "two stones": "two_stones_crew_plus_1",
    "field": "field_improver",
    "sell": "sell_stones",
    "move": "change_site_position",
}


class Referee:
    """Follows a record ply by ply."""

    def __init__(self, text: str) -> None:
        self.plies: list[tuple[dict[int, str], list[str]]] = []
        for found in re.finditer(r"(?m)^(\d+) (\d|\*): (.*)$", text):
            while len(self.plies) <= int(found[1]):
                self.plies.append(({}, []))
            orders, chance = self.plies[int(found[1])]
            if found[2] == "*":
                chance.append(found[3])
            else:
                orders[int(found[2])] = found[3]
        lines = [line.split() for _, chance in self.plies for line in chance]
        graves = [int(line[1]) for line in lines if line[0] == "grave:"]
        setup = [line.split() for line in self.plies[0][1]]
        order = next([int(seat) for seat in line[1:]] for line in setup if line[0] == "order:")
        self.books = Ledger(order, graves)
        for seat, card in zip(order, (line[1] for line in setup if line[0] == "sphinx:"), strict=False):
            self.books.players[seat].kept.append(card)
        self.fed, self.left, self.drawn = False, 0, 0
        self.market: tuple[int, str] | None = None

    def play(self) -> list[int]:
        """The whole game; its points."""
        for orders, chance in self.plies[1:]:
            self.carry_out(orders)
            if any(line.startswith("nile:") for line in chance):
                self.end_round()
        self.end_round()
        self.books.final()
        return [player.points for player in self.books.players]

    def end_round(self) -> None:
        """What nobody is asked about at the end of a round."""
        self.end_action()
        self.feed({})
        self.books.end_round()
        self.fed = False

    def feed(self, orders: dict[int, str]) -> None:
        """Once a round, with or without orders."""
        if not self.fed:
            self.books.feed(orders)
        self.fed = True

    def end_action(self) -> None:
        """EG-6.4: the market moves at the end of the action."""
        if self.market is not None:
            self.books.step(*self.market)
        self.market = None

    def carry_out(self, orders: dict[int, str]) -> None:
        """One ply's orders; several only where all decide at once."""
        verb = re.split(r"[ ,]", next(iter(orders.values())))[0]
        if verb not in {"dig", "stop"}:
            self.end_action()
        if verb not in {"ship", "pass", "leftover", "feed"}:
            self.feed({})
        if verb in {"feed", "done"}:
            split = {seat: orders[seat].split(", ") for seat in self.books.order if seat in orders}
            for seat, (_, *riders) in split.items():
                self.ride(seat, riders)
            self.feed({seat: clauses[0] for seat, clauses in split.items()})
            return
        ((seat, text),) = orders.items()
        getattr(self, f"do_{verb}", self.do_nothing)(seat, text)

    def ride(self, seat: int, clauses: Iterable[str]) -> None:
        """Cards that go along with an order."""
        for clause in clauses:
            self.books.rider(seat, clause)

    def do_nothing(self, seat: int, text: str) -> None:
        """Pass, stay, renounce: only riders count."""
        self.ride(seat, text.split(", ")[1:])

    def do_move(self, seat: int, text: str) -> None:
        """A ship to another slot."""
        self.books.use(seat, "change_site_position")
        self.do_nothing(seat, text)

    def do_stop(self, seat: int, text: str) -> None:
        """No further digging."""
        self.do_nothing(seat, text)
        self.end_action()

    # --- sailing ---

    def do_ship(self, seat: int, text: str) -> None:
        """A ship to a card, a round space or a site."""
        clauses, using = _using(text)
        goal = clauses.pop(0).removeprefix("ship to ")
        crews = [clause.removeprefix("crew ") for clause in clauses if clause.startswith("crew ")]
        rings = [clause.removeprefix("ring ") for clause in clauses if clause.startswith("ring ")]
        riders = [c for c in clauses if not c.startswith(("crew ", "ring ", "slot ", "queue"))]
        early, late = self.before_and_after(seat, goal, riders)
        self.ride(seat, early)
        if goal in NILE:
            self.books.take(seat, goal, crews)
        for card in using:
            if card in {"reuse", "upstream"}:
                assert SHIP_CARDS[card] in self.books.players[seat].permanent
            else:
                self.books.use(seat, SHIP_CARDS[card])
        if goal not in NILE and goal not in SITES:
            for _ in range(1 + using.count("double")):
                self.round_space(seat, goal, crews, rings)
        assert not crews, text
        self.ride(seat, late)

    def before_and_after(self, seat: int, goal: str, riders: list[str]) -> tuple[list[str], list[str]]:
        """EG-4.5: cards held act before the order, the one just taken after it."""
        player, early, late = self.books.players[seat], list[str](), list[str]()
        new = NILE.get(goal, {}).get("effect")
        for clause in riders:
            effect = next(effect for verb, effect in WITH_RIDER.items() if clause.startswith(verb))
            held = player.permanent.count(effect) + player.anytime.count(effect)
            held -= player.laid if effect == "field_improver" else 0
            same = sum(clause.split()[0] == other.split()[0] for other in early)
            is_new = (effect == new and same >= held) or clause == f"field {goal}"
            (late if is_new else early).append(clause)
        return early, late

    def round_space(self, seat: int, goal: str, crews: list[str], rings: list[str]) -> None:
        """EG-3.4 to EG-3.7."""
        if goal == "Edfu":
            self.books.step(seat, "stone")
            self.books.step(seat, "grain")
        elif goal == "Alyl":
            self.books.train(seat, crews.pop(0))
            self.books.gain(seat, 2)
        elif goal in CREWS_OF:
            for crew in CREWS_OF[goal]:
                self.books.train(seat, crew)
        else:
            assert goal in JOKER_AND_RING, goal
            self.books.train(seat, "joker")
            self.books.ring += {"left": -1, "right": 1}[rings.pop(0)] if rings else 0
            assert 0 <= self.books.ring <= 2

    def do_leftover(self, seat: int, text: str) -> None:
        """A card left on the river, or none."""
        card, *clauses = text.removeprefix("leftover ").split(", ")
        crews = [clause.removeprefix("crew ") for clause in clauses if clause.startswith("crew ")]
        early, late = self.before_and_after(seat, card, [c for c in clauses if not c.startswith("crew ")])
        self.ride(seat, early)
        if card != "none":
            self.books.take(seat, card, crews)
        self.ride(seat, late)

    # --- building ---

    def strength(self, seat: int, crews: list[str], using: list[str]) -> int:
        """EG-6.2: the crews that work, each once a round, with what cards add."""
        player = self.books.players[seat]
        basic = [crew for crew in crews if crew != "joker"]
        assert len(basic) == 1 + using.count("combine")
        assert not player.tired & set(crews)
        player.tired |= set(crews)
        for card in using:
            if card == "+2":
                assert "plus_2_sphinx" in player.permanent
            else:
                self.books.use(seat, {"+3": "crew_plus_3", "combine": "combine_two_crews"}[card])
        return sum(player.crews[crew] for crew in crews) + 3 * using.count("+3")

    def do_sphinx(self, seat: int, text: str) -> None:
        """Pay and draw."""
        clauses, using = _using(text)
        found = re.fullmatch(r"sphinx (\d) with (.*)", clauses[0])
        assert found
        self.ride(seat, clauses[1:])
        paid, player = int(found[1]), self.books.players[seat]
        assert paid <= min(self.strength(seat, found[2].split(" + "), using), player.stones, 3 if "+2" in using else 5)
        player.stones -= paid
        player.sites.add("sphinx")
        self.drawn = paid + 2 * using.count("+2")

    def do_keep(self, seat: int, text: str) -> None:
        """Keep one, none, or two with a card; a point for each of the others."""
        clauses, using = _using(text)
        for _ in using:
            self.books.use(seat, "keep_two_sphinx")
        kept = re.findall(r"S\d\d", clauses[0])
        self.books.players[seat].kept += kept
        self.books.score(seat, self.drawn - len(kept))
        self.ride(seat, [clause for clause in clauses[1:] if not clause.startswith("order ")])

    def do_build(self, seat: int, text: str) -> None:
        """Stones onto buildings."""
        head, _, tail = text.removeprefix("build ").partition(" with ")
        crews, *clauses = tail.split(", ")
        crews, _, cards = crews.partition(" using ")
        riders = [clause for clause in clauses if not clause.endswith(" market")]
        self.ride(seat, riders)
        self.left = self.strength(seat, crews.split(" + "), cards.split(" and ") if cards else [])
        self.books.players[seat].sites.add("west" if head.startswith(("obelisk", "grave")) else "east")
        self.lay(seat, head.split(", "), [clause for clause in clauses if clause not in riders])

    def do_dig(self, seat: int, text: str) -> None:
        """More of the same action."""
        first, *clauses = text.removeprefix("dig").strip().split(", ")
        parts = [first if first.startswith("obelisk") else f"graves {first or 1}"]
        parts += [clause for clause in clauses if clause.startswith("obelisk")]
        riders = [clause for clause in clauses if not clause.startswith("obelisk") and not clause.endswith(" market")]
        self.ride(seat, riders)
        self.lay(seat, parts, [clause for clause in clauses if clause.endswith(" market")])

    def lay(self, seat: int, parts: list[str], markets: list[str]) -> None:
        """Build, pay, score; the market is kept for the action's end."""
        player = self.books.players[seat]
        built = [self.books.build(seat, part) for part in parts]
        value = sum(points for points, _ in built)
        assert value <= min(self.left, player.stones)
        self.left -= value
        player.stones -= value
        self.books.score(seat, value)
        self.books.pay_rows()
        if markets:
            assert self.market is None
            self.market = (seat, markets[0].removesuffix(" market"))
        assert not any(obelisk for _, obelisk in built) or self.market is not None


def _using(text: str) -> tuple[list[str], list[str]]:
    """The clauses of an order without the cards it uses, and those cards."""
    found = re.fullmatch(r"(.*?) using ([^,]*)(.*)", text)
    if not found:
        return text.split(", "), []
    return (found[1] + found[3]).split(", "), found[2].split(" and ")
