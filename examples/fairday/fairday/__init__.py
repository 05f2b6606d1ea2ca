"""Fair Day, for two to ten peddlers who all choose at once where to trade. The rules in words are in RULES.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from pbem.kit import (
    N_,
    Board,
    DeclaredGame,
    Message,
    Meta,
    Names,
    Offered,
    One,
    Option,
    Piece,
    Ply,
    Row,
    TableView,
    Traits,
    Verb,
    sentence,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pbem.engine.core.rng import Chance
    from pbem.engine.core.types import Order

STALLS = Names(
    N_("stall"),
    {
        N_("baker"): ("fornaio", "boulanger"),
        N_("potter"): ("vasaio", "potier"),
        N_("weaver"): ("tessitore", "tisserand"),
        N_("smith"): ("fabbro", "forgeron"),
        N_("tanner"): ("conciatore", "tanneur"),
        N_("fisher"): ("pescatore", "pecheur"),
    },
)
DAYS = 6
MOST_COINS = 6


class State(msgspec.Struct):
    """The fair between two mornings."""

    seats: int
    day: int
    coins: dict[str, int]
    """What lies at each stall."""
    favourites: list[str]
    """Each seat's favourite stall; empty where it is hidden from the reader."""
    earned: list[dict[str, int]]
    """What each seat has earned at which stall, and by resting under ""."""
    last: list[str]
    """Where each seat was yesterday."""
    secret: bool = True


View = TableView[State]


def stalls(view: View) -> list[Offered]:
    """FD-2.2: every stall can be visited."""
    return [
        Offered(name, effect=sentence("{count} coin(s) (lies|lie) here.", count=coins), mark=f"stall:{name}")
        for name, coins in view.table.coins.items()
    ]


VISIT = Verb(
    "visit",
    One("stall", stalls, names=STALLS, like="baker", label=N_("Stall"), rule="FD-2.2"),
    asked="day",
    rule="FD-2.2",
    others="trade at|trade|go to|visita|vai|visite|va",
    bare=True,
    says=N_("You trade at the {stall} today."),
    label=N_("Trade at the {stall}"),
    meaning=N_("Trade at this stall and share its coins with whoever comes too. The stall alone will do: baker."),
)
REST = Verb(
    "rest",
    asked="day",
    rule="FD-2.4",
    others="riposa|repose",
    says=N_("You rest today and earn one coin."),
    label=N_("Rest"),
    meaning=N_("Stay at home and earn one coin for certain."),
)


@VISIT.act
def visit(run: Ply, seat: int, order: Any) -> None:
    """FD-2.2: go there; what it brings is known when everybody has arrived."""
    run.table.last[seat] = order.stall


@REST.act
def rest(run: Ply, seat: int, order: Any) -> None:  # noqa: ARG001 - every verb is given its order
    """FD-2.4: one coin."""
    run.table.last[seat] = ""
    earn(run, seat, "", 1)
    run.tell(N_("{seat} rests and earns a coin."), "FD-2.4", seat, marks=(f"seat:{seat}",))


def earn(run: Ply, seat: int, stall: str, coins: int) -> None:
    """Keep what a seat earns, by stall."""
    run.table.earned[seat][stall] = run.table.earned[seat].get(stall, 0) + coins


def coins_of(view: View, seat: int | None) -> int:
    """A seat's coins, without what its favourite will add."""
    return 0 if seat is None else sum(view.table.earned[seat].values())


def lead(view: View) -> int:
    """One's coins less those of the best of the others."""
    if view.seat is None:
        return 0
    return coins_of(view, view.seat) - max(coins_of(view, s) for s in range(view.table.seats) if s != view.seat)


def richest(view: View) -> frozenset[str]:
    """The stalls with the most coins."""
    most = max(view.table.coins.values())
    return frozenset(name for name, coins in view.table.coins.items() if coins == most)


QUESTIONS = {"day": N_("Where do you trade today?")}
KNOWN = {
    "day": (N_("The day of the fair, 1 to 6."), lambda view: view.table.day),
    "coins": (N_("Your coins."), lambda view: coins_of(view, view.seat)),
    "lead": (N_("Your coins less those of the best of the others."), lead),
    "richest": (N_("The stalls with the most coins, as a set: baker in richest."), richest),
    "most": (N_("The coins at the richest stall."), lambda view: max(view.table.coins.values())),
    "favourite": (
        N_("Your favourite stall."),
        lambda view: "" if view.seat is None else view.table.favourites[view.seat],
    ),
}


class FairDay(DeclaredGame[State]):
    """The rules."""

    meta = Meta(
        "fairday",
        "Fair Day",
        "1",
        1,
        tuple(range(2, 11)),
        (
            Option(
                "favourites", N_("Each peddler has a favourite stall that counts double."), ("secret", "open"), "secret"
            ),
        ),
        ("last-day",),
        hidden_chance=("favourite",),
        order_words={"visit": ("visita", "visite"), "rest": ("riposa", "repose")},
        order_things=STALLS.canonical,
        traits=Traits(),
    )
    state_type = State
    verbs = (REST, VISIT)
    questions = QUESTIONS
    known = KNOWN

    def start(self, run: Ply, seats: int, options: Mapping[str, str]) -> State:
        """FD-1.1, FD-1.2: as many stalls as half the peddlers and one more; everybody draws a favourite."""
        names = STALLS.canonical[: (seats + 1) // 2 + 1]
        even = [1] * len(names)
        favourites = [names[run.chance.draw(f"favourite {seat}", names, even)] for seat in range(seats)]
        table = State(
            seats,
            0,
            dict.fromkeys(names, 0),
            favourites,
            [{} for _ in range(seats)],
            [""] * seats,
            options["favourites"] == "secret",
        )
        for seat, name in enumerate(favourites):
            to = (seat,) if table.secret else None
            run.tell(N_("The favourite of {seat} is the {stall}."), "FD-1.2", seat, to=to, stall=name)
        run.table = table
        self.morning(run)
        return table

    def morning(self, run: Ply) -> None:
        """FD-2.1: coins come to every stall."""
        run.table.day += 1
        amounts = [str(number) for number in range(1, MOST_COINS + 1)]
        for name in run.table.coins:
            run.table.coins[name] += 1 + run.chance.draw(f"coins {name}", amounts, [1] * MOST_COINS)
        marks = tuple(f"stall:{name}" for name in run.table.coins)
        run.tell(N_("Day {day} begins: new coins lie at every stall."), "FD-2.1", day=run.table.day, marks=marks)

    def settle(self, run: Ply, orders: Mapping[int, Any]) -> None:
        """FD-2.3: the coins of a stall are shared evenly, the rest stays; then the next morning comes, or the end."""
        table = run.table
        for name, there in table.coins.items():
            guests = [seat for seat in sorted(orders) if table.last[seat] == name]
            share = there // len(guests) if guests else 0
            for seat in guests:
                earn(run, seat, name, share)
                marks = (f"seat:{seat}", f"stall:{name}")
                run.tell(
                    N_("{seat} earns {share} at the {stall}."), "FD-2.3", seat, share=share, stall=name, marks=marks
                )
            table.coins[name] = there - share * len(guests)
        if table.day == DAYS:
            table.day += 1
            run.tell(N_("The fair is over; favourites count double."), "FD-3.1")
        else:
            self.morning(run)

    def asks(self, table: State) -> dict[int, str]:
        """FD-2.2: everybody at once, every day."""
        return dict.fromkeys(range(table.seats), "day") if table.day <= DAYS else {}

    def scores(self, table: State) -> Sequence[int]:
        """FD-3.1: coins, those of the favourite stall twice."""
        return [sum(own.values()) + own.get(name, 0) for own, name in zip(table.earned, table.favourites, strict=True)]

    def hide(self, table: State, seat: int | None) -> None:
        """FD-1.2: favourites are secret until the end."""
        if table.secret and table.day <= DAYS:
            table.favourites = [name if other == seat else "" for other, name in enumerate(table.favourites)]

    def fill(self, table: State, seat: int | None, chance: Chance) -> None:  # noqa: ARG002 - what is blank is to be filled
        """Any favourites for the others."""
        names = list(table.coins)
        table.favourites = [name or names[chance.below(len(names))] for name in table.favourites]

    def round_of(self, table: State) -> int:
        """The day."""
        return table.day

    def heading(self, view: View) -> Message:
        """The day of how many."""
        if view.table.day > DAYS:
            return sentence("The fair is over")
        return sentence("Day {day} of {days}", day=view.table.day, days=DAYS)

    def worth(self, view: View, order: Order) -> float:
        """What the bot expects of an order: its share if the others spread evenly, twice that at its favourite."""
        table, stall = view.table, getattr(order, "stall", "")
        assert view.seat is not None
        share = table.coins[stall] / (1 + (table.seats - 1) / len(table.coins)) if stall else 1.0
        return share * (2 if stall and stall == table.favourites[view.seat] else 1)

    def board(self, view: View) -> Board:
        """A row of stalls, and one for each peddler."""
        table = view.table
        rows = [
            Row(
                sentence("Stalls"),
                tuple(
                    Piece(sentence("{stall}: {count}", stall=name, count=coins), f"stall:{name}")
                    for name, coins in table.coins.items()
                ),
            )
        ]
        for seat in range(table.seats):
            pieces = [Piece(sentence("{count} coin(s)", count=coins_of(view, seat)))]
            if table.last[seat]:
                pieces.append(Piece(sentence("at the {stall}", stall=table.last[seat])))
            rows.append(Row(Message("{seat}", {"seat": seat}), tuple(pieces), f"seat:{seat}", seat))
        if view.seat is not None:
            piece = Piece(Message(table.favourites[view.seat]))
            rows.append(Row(sentence("Your favourite stall"), (piece,), own=True))
        return Board(self.heading(view), tuple(rows))


RULES = FairDay()
