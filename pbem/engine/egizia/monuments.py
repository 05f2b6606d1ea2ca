"""EG-6.5 to EG-6.7: Pyramid and Temple: what carries what, building, and full rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.core.rng import Chance
from pbem.engine.egizia import crews, data
from pbem.engine.egizia.orders import Stack
from pbem.engine.egizia.ply import Ply
from pbem.engine.egizia.state import State
from pbem.engine.egizia.tables import Tables

STACKS = data.PARTS[: data.ENTABLATURE]
_WIDE = 99
"""The ground, which carries any row."""


class Site:
    """Heights of Pyramid and Temple, to try out building on; spaces are told apart by their kind, as in the tables."""

    __slots__ = ("entablature", "heights", "t", "worth")

    def __init__(self, state: State) -> None:
        """Take the heights of `state`."""
        self.t = state.t
        self.heights = [*map(len, state.pyramid), *map(len, state.temple[: data.ENTABLATURE])]
        self.entablature = [owner >= 0 for owner in state.temple[data.ENTABLATURE]]
        self.worth = 0
        """What was laid so far."""

    def free(self, kind: int) -> int:
        """How many spaces of a row, pylon or column are free."""
        return len(self.t.monuments[kind]) - self.heights[kind]

    def pylons(self) -> bool:
        """EG-6.6: both pylons are full."""
        rows, spaces = len(self.t.rows), self.t.monuments
        return all(self.heights[rows + pylon] == len(spaces[rows + pylon]) for pylon in data.PYLONS)

    def offers(self, budget: int = 99) -> list[tuple[int, int, int]]:
        """Every space worth at most `budget` that can be built now, as value, kind and space (of the entablature)."""
        found, under, rows, spaces = [], _WIDE, len(self.t.rows), self.t.monuments
        for kind, at in enumerate(self.heights):
            values = spaces[kind]
            if at < len(values) and values[at] <= budget and (kind >= rows or at + 2 <= under):
                found.append((values[at], kind, 0))
            under = at
        if self.pylons():
            top = enumerate(spaces[-1])
            filled = self.entablature
            found += [(value, len(spaces) - 1, n) for n, value in top if value <= budget and not filled[n]]
        return found

    def lay(self, kind: int, space: int) -> None:
        """Fill the space that `offers` gave."""
        if kind == len(self.heights):
            self.entablature[space] = True
        else:
            space = self.heights[kind]
            self.heights[kind] += 1
        self.worth += self.t.monuments[kind][space]


def least(state: State) -> int:
    """Return the value of the cheapest space that can be built; 0 if all is built."""
    t = state.t
    done = len(state.pyramid[0])
    if done < len(t.rows[0]) and t.rows[0][done] == t.cheapest:
        return t.cheapest
    offers = Site(state).offers()
    return min(offers)[0] if offers else 0


def judged(state: State, order: Stack) -> tuple[list[Message], int]:
    """Return what is wrong with what an order builds at Pyramid and Temple, and the value of the rest."""
    site = Site(state)
    nothing = [] if order.rows or order.parts or order.entablature else [crews.NOTHING]
    return [*nothing, *_faults(site, order)], site.worth


def _faults(site: Site, order: Stack) -> Iterator[Message]:
    """EG-6.5, EG-6.6: lower rows first, any free space of the entablature last; what can be built is laid on `site`."""
    rows = len(site.t.rows)
    for row in sorted(order.rows):
        if not 1 <= row <= rows:
            text = N_("{row} is no row of the Pyramid: rows are 1 to {rows} from the bottom.")
            yield sentence(text, "EG-6.5", row=row, rows=rows)
        elif (row - 1) not in {kind for _, kind, _ in site.offers()}:
            text = N_("Row {row} of the Pyramid is full or has no two stones to stand on: name another row.")
            yield sentence(text, "EG-6.5", row=row)
        else:
            site.lay(row - 1, 0)
    for name in order.parts:
        if name not in STACKS:
            text = N_("{part} is no part of the Temple. There are: {names}.")
            yield sentence(text, "EG-6.6", part=name, names=data.PARTS)
        elif not site.free(rows + STACKS.index(name)):
            yield sentence("The {part} has no free space left: name another part.", "EG-6.6", part=name)
        else:
            site.lay(rows + STACKS.index(name), 0)
    if order.entablature and not site.pylons():
        yield sentence("The entablature needs both pylons full first: build at one of them.", "EG-6.6")
        return
    for space in order.entablature:
        if not 1 <= space <= len(site.entablature) or site.entablature[space - 1]:
            yield sentence("Space {space} of the entablature isn't free: name another one.", "EG-6.6", space=space)
        else:
            site.lay(len(site.heights), space - 1)


Kinds = list[tuple[int, int]]
"""Spaces by kind, and by number where they are the entablature's."""


def order_of(t: Tables, kinds: Kinds, team: crews.Team) -> Stack:
    """Return the canonical order of `team` that lays `kinds`."""
    rows, top = len(t.rows), len(t.rows) + data.ENTABLATURE
    stones = sorted(kinds)
    return Stack(
        team[0],
        tuple(kind + 1 for kind, _ in stones if kind < rows),
        tuple(STACKS[kind - rows] for kind, _ in stones if rows <= kind < top),
        tuple(space + 1 for kind, space in stones if kind == top),
        team[1],
    )


def _kinds_of(t: Tables, order: Stack) -> Kinds:
    """Return what `order` lays."""
    rows = len(t.rows)
    kinds = [(row - 1, 0) for row in order.rows] + [(rows + STACKS.index(part), 0) for part in order.parts]
    return kinds + [(rows + data.ENTABLATURE, space - 1) for space in order.entablature]


def value_of(state: State, order: Stack) -> int:
    """Return what the spaces of `order`, which can be built, are worth together."""
    return _laid(state, _kinds_of(state.t, order)).worth


def _laid(state: State, kinds: Kinds) -> Site:
    """Return the site with `kinds` built."""
    site = Site(state)
    for kind, space in kinds:
        site.lay(kind, space)
    return site


def greedy(state: State, budget: int) -> Kinds:
    """Spaces built by always adding the dearest that `budget` still allows."""
    site, kinds = Site(state), []
    while offers := site.offers(budget - site.worth):
        _, kind, space = max(offers, key=lambda offer: offer[0])
        site.lay(kind, space)
        kinds.append((kind, space))
    return kinds


def dearest(state: State, budget: int) -> Kinds:
    """Spaces that can be built in one action and are worth most together within `budget`, with as few stones as can be.

    Always adding the dearest finds them nearly always; where that leaves something of `budget`, every set is looked at.
    """

    def worth(kinds: Kinds) -> tuple[int, int]:
        return _laid(state, kinds).worth, -len(kinds)

    found = max((greedy(state, amount) for amount in range(1, budget + 1)), key=worth, default=[])
    if worth(found)[0] == budget:
        return found
    return max(found, max(_bundles(state, budget), key=worth, default=[]), key=worth)


def _bundles(state: State, budget: int) -> Iterator[Kinds]:
    """Every set of spaces worth at most `budget` that can be built in one action, once each."""
    seen: set[tuple[tuple[int, int], ...]] = set()

    def grow(kinds: Kinds) -> Iterator[Kinds]:
        site = _laid(state, sorted(kinds))
        for _, kind, space in site.offers(budget - site.worth):
            bundle = [*kinds, (kind, space)]
            key = tuple(sorted(bundle))
            if key not in seen:
                seen.add(key)
                yield bundle
                yield from grow(bundle)

    yield from grow([])


def legal(state: State, team: crews.Team, budget: int) -> Iterator[Stack]:
    """Yield everything that a team can build within `budget`."""
    return (order_of(state.t, kinds, team) for kinds in _bundles(state, budget))


def sample(state: State, team: crews.Team, budget: int, chance: Chance) -> Stack:
    """Return something that a team can build within `budget`, stone by stone at random."""
    site = Site(state)
    kinds: Kinds = []
    r = chance.below(1 << 62)
    while (r & 3 or not kinds) and (offers := site.offers(budget - site.worth)):
        r, pick = divmod(r >> 2, len(offers))
        _, kind, space = offers[pick]
        site.lay(kind, space)
        kinds.append((kind, space))
    return order_of(state.t, kinds, team)


def build(own: Ply, order: Stack) -> None:
    """EG-6.3: lay the stones, score their value, then the rows they fill, from the bottom."""
    t, state = own.t, own.state
    crews.tire(own, order.crews, order.using)
    marks, value, stacks = [], 0, (*state.pyramid, *state.temple)
    for kind, space in _kinds_of(t, order):
        stack = stacks[kind]
        at = space if stack is stacks[-1] else len(stack)
        stack[at : at + 1] = [own.seat]
        marks.append(f"{t.monument_marks[kind]}.{at + 1}")
        value += t.monuments[kind][at]
    own.gain(-value)
    text = N_("{seat} builds {stones} stone(s) on Pyramid and Temple: {points} point(s).")
    own.tell(text, "EG-6.3", tuple(marks), stones=len(marks), points=value)
    own.score(value)
    state.worked[own.seat] |= 1 << data.PYRAMID
    for row in sorted(set(order.rows)):
        if len(state.pyramid[row - 1]) == len(t.rows[row - 1]):
            _score_row(own, row)


def leader(owners: Sequence[int]) -> tuple[int, int]:
    """EG-6.5: who has most stones in a full row, in a tie the first one further left, and how many."""
    winner = max(set(owners), key=lambda seat: (owners.count(seat), -owners.index(seat)))
    return winner, owners.count(winner)


def _score_row(ply: Ply, row: int) -> None:
    owners = ply.state.pyramid[row - 1]
    winner, points = leader(owners)
    text = N_("Row {row} of the Pyramid is full: {seat} has most stones there, {points} point(s).")
    marks = tuple(f"pyramid:{row}.{space}" for space in range(1, len(owners) + 1))
    best = ply.of(winner)
    best.tell(text, "EG-6.5", marks, row=row, points=points)
    best.score(points)
