"""Hedgerow, a game of perfect information for two who plant a common field. The rules in words are in RULES.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from pbem.kit import (
    N_,
    Board,
    DeclaredGame,
    Message,
    Meta,
    Offered,
    One,
    Piece,
    Ply,
    Row,
    TableView,
    Traits,
    Verb,
    sentence,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pbem.engine.core.types import Order

SIDE = 5
FIELDS = tuple(f"{column}{row}" for row in range(SIDE, 0, -1) for column in "abcde")
FREE, STONE = -1, 2
NONE = -1


class State(msgspec.Struct):
    """The common between two turns."""

    fields: list[int]
    """By index in FIELDS: FREE, the seat whose hedge grows there, or STONE."""
    stones: list[int]
    """Stones that each seat may still lay."""
    turn: int = 0
    last: int = NONE
    """The field just taken."""


View = TableView[State]


def beside(field: int) -> Iterator[int]:
    """The fields that share a side with `field`."""
    row, column = divmod(field, SIDE)
    for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        if 0 <= row + down < SIDE and 0 <= column + right < SIDE:
            yield (row + down) * SIDE + column + right


def free(view: View) -> list[Offered]:
    """HR-2.2: the fields where nothing lies yet."""
    return [
        Offered(FIELDS[at], mark=f"field:{FIELDS[at]}") for at, what in enumerate(view.table.fields) if what == FREE
    ]


def fertile(view: View) -> list[Offered]:
    """HR-2.1: free fields that don't touch the one just taken; if there is none, every free field."""
    near = () if view.table.last == NONE else {FIELDS[at] for at in beside(view.table.last)}
    return [offer for offer in free(view) if offer.value not in near] or free(view)


def has_stone(view: View) -> Message | None:
    """HR-2.2: one stone each."""
    laid = sentence("You have laid your only stone: plant a hedge.", "HR-2.2")
    return None if view.table.stones[view.table.turn] else laid


PATTERN = "[a-e][1-5]"
PLANT = Verb(
    "plant",
    One(N_("field"), fertile, pattern=PATTERN, like="c3", refuses=N_("No hedge grows on {value} now. Free: {names}.")),
    asked="turn",
    rule="HR-2.1",
    others="pianta|plante",
    bare=True,
    says=N_("You plant a hedge on {field}."),
    label=N_("Hedge on {field}"),
    meaning=N_("Plant a hedge on a free field that doesn't touch the one just taken. The field alone will do: c3."),
)
LAY = Verb(
    "stone",
    One(N_("field"), free, pattern=PATTERN, like="c3", refuses=N_("{value} is taken. Free: {names}.")),
    asked="turn",
    rule="HR-2.2",
    others="pietra|pierre",
    when=has_stone,
    says=N_("You lay your stone on {field}."),
    label=N_("Stone on {field}"),
    meaning=N_("Lay your only stone on any free field: nothing grows there."),
)


@PLANT.act
def plant(run: Ply, seat: int, order: Any) -> None:
    """HR-2.1: a hedge on the field."""
    take(run, order.field, seat)
    run.tell(N_("{seat} plants {field}."), "HR-2.1", seat, field=order.field, marks=(f"field:{order.field}",))


@LAY.act
def lay(run: Ply, seat: int, order: Any) -> None:
    """HR-2.2: the stone on the field."""
    take(run, order.field, STONE)
    run.table.stones[seat] -= 1
    run.tell(N_("{seat} lays a stone on {field}."), "HR-2.2", seat, field=order.field, marks=(f"field:{order.field}",))


def take(run: Ply, field: str, what: int) -> None:
    """Put something on a field and pass the turn."""
    run.table.last = FIELDS.index(field)
    run.table.fields[run.table.last] = what
    run.table.turn = 1 - run.table.turn


def longest(fields: Sequence[int], seat: int) -> int:
    """HR-3.1: the size of a seat's largest hedge."""
    best, seen = 0, set[int]()
    for start, what in enumerate(fields):
        if what != seat or start in seen:
            continue
        group, edge = {start}, [start]
        while edge:
            new = {at for at in beside(edge.pop()) if fields[at] == seat} - group
            group |= new
            edge += new
        seen |= group
        best = max(best, len(group))
    return best


QUESTIONS = {"turn": N_("What do you put on the common?")}
KNOWN = {
    "free": (N_("Free fields."), lambda view: view.table.fields.count(FREE)),
    "stones": (
        N_("Stones you may still lay."),
        lambda view: 0 if view.seat is None else view.table.stones[view.seat],
    ),
    "mine": (N_("The size of your largest hedge."), lambda view: size(view, view.seat)),
    "theirs": (
        N_("The size of the other's largest hedge."),
        lambda view: size(view, None if view.seat is None else 1 - view.seat),
    ),
}


class Hedgerow(DeclaredGame[State]):
    """The rules."""

    meta = Meta(
        "hedgerow",
        "Hedgerow",
        "1",
        1,
        (2,),
        (),
        ("full",),
        order_words={"plant": ("pianta", "plante"), "stone": ("pietra", "pierre")},
        traits=Traits(hidden=False, chance=False, simultaneous=False, chains=False),
    )
    state_type = State
    verbs = (PLANT, LAY)
    questions = QUESTIONS
    known = KNOWN

    def start(self, run: Ply, seats: int, options: Mapping[str, str]) -> State:  # noqa: ARG002 - nothing is drawn or chosen
        """HR-1.1: an empty common, a stone each."""
        return State([FREE] * len(FIELDS), [1] * seats)

    def asks(self, table: State) -> dict[int, str]:
        """HR-2: in turn, until the common is full."""
        return {table.turn: "turn"} if FREE in table.fields else {}

    def scores(self, table: State) -> Sequence[int]:
        """HR-3.1: the size of the largest hedge."""
        return [longest(table.fields, seat) for seat in (0, 1)]

    def strengths(self, table: State) -> Sequence[Any]:
        """HR-3.2: a tie goes to who began second."""
        return [(points, seat) for seat, points in enumerate(self.scores(table))]

    def heading(self, view: View) -> Message:
        """How much is free."""
        return sentence("{count} field(s) free", count=view.table.fields.count(FREE))

    def problems(self, state: State) -> tuple[str, ...]:
        """HR-2.2: nobody lays two stones."""
        return () if state.fields.count(STONE) == 2 - sum(state.stones) else ("stones don't add up",)

    def worth(self, view: View, order: Order) -> float:
        """The bot: grow the own hedge, keep near the other's, and save the stone for an emergency."""
        fields = view.table.fields[:]
        at, seat = FIELDS.index(str(order).split()[-1]), view.seat
        assert seat is not None
        stone = type(order) is LAY.order
        before = longest([*fields[:at], 1 - seat, *fields[at + 1 :]], 1 - seat) - longest(fields, 1 - seat)
        fields[at] = STONE if stone else seat
        return longest(fields, seat) + 0.7 * before + 0.05 * len(list(beside(at))) - 2.0 * stone

    def board(self, view: View) -> Board:
        """The common, row by row, and what each has."""
        rows = []
        for top in range(0, len(FIELDS), SIDE):
            pieces = tuple(self.piece(view, at) for at in range(top, top + SIDE))
            rows.append(Row(Message(FIELDS[top][1]), pieces))
        for seat in (0, 1):
            holes = {"count": size(view, seat), "stones": view.table.stones[seat]}
            piece = Piece(sentence("largest hedge {count}, {stones} stone(s)", **holes))
            rows.append(Row(Message("{seat}", {"seat": seat}), (piece,), f"seat:{seat}", seat))
        return Board(self.heading(view), tuple(rows))

    def piece(self, view: View, at: int) -> Piece:
        """One field."""
        what, mark = view.table.fields[at], f"field:{FIELDS[at]}"
        if what == STONE:
            return Piece(Message("#"), mark)
        return Piece(Message(FIELDS[at]), mark, None if what == FREE else what, what == FREE)


def size(view: View, seat: int | None) -> int:
    """The largest hedge of a seat, 0 for nobody."""
    return 0 if seat is None else longest(view.table.fields, seat)


RULES = Hedgerow()
