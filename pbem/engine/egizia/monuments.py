"""EG-6.5 to EG-6.7: Pyramid and Temple: what carries what, building, and full rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.core.rng import Chance
from pbem.engine.egizia import crews, data
from pbem.engine.egizia.orders import Stack
from pbem.engine.egizia.ply import Ply
from pbem.engine.egizia.state import State

_STACKS = data.PARTS[: data.ENTABLATURE]
_TEMPLE = 100
"""Kinds of spaces: Pyramid rows from 0, parts of the Temple from here."""
_PAIR = 2
"""EG-6.5: the stones that a space of the Pyramid stands on."""
_WIDE = 99
"""The ground, which carries any row."""


class Site:
    """Heights of Pyramid and Temple, to try out building on."""

    __slots__ = ("entablature", "rows", "stacks", "t")

    def __init__(self, state: State) -> None:
        """Take the heights of `state`."""
        self.t = state.t
        self.rows = [len(row) for row in state.pyramid]
        self.stacks = [len(part) for part in state.temple[: data.ENTABLATURE]]
        self.entablature = [owner >= 0 for owner in state.temple[data.ENTABLATURE]]

    def pylons(self) -> bool:
        """EG-6.6: both pylons are full."""
        return all(self.stacks[pylon] == len(self.t.temple[pylon]) for pylon in data.PYLONS)

    def offers(self) -> list[tuple[int, int, int]]:
        """Every space that can be built now, as value, kind (row, or _TEMPLE + part) and space (of the entablature)."""
        found = []
        under = _WIDE
        for row, values in enumerate(self.t.rows):
            at = self.rows[row]
            if at + 2 <= under and at < len(values):
                found.append((values[at], row, 0))
            under = at
            if under < _PAIR:
                break
        for part, height in enumerate(self.stacks):
            values = self.t.temple[part]
            if height < len(values):
                found.append((values[height], _TEMPLE + part, 0))
        if self.pylons():
            top = self.t.temple[data.ENTABLATURE]
            kind = _TEMPLE + data.ENTABLATURE
            found += [(top[space], kind, space) for space, filled in enumerate(self.entablature) if not filled]
        return found

    def lay(self, kind: int, space: int) -> int:
        """Fill the space that `offers` gave; return its value."""
        if kind < _TEMPLE:
            self.rows[kind] += 1
            return self.t.rows[kind][self.rows[kind] - 1]
        part = kind - _TEMPLE
        if part == data.ENTABLATURE:
            self.entablature[space] = True
            return self.t.temple[part][space]
        self.stacks[part] += 1
        return self.t.temple[part][self.stacks[part] - 1]


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
    faults = [] if order.rows or order.parts or order.entablature else [crews.NOTHING]
    site = Site(state)
    values: list[int] = []
    faults += _row_faults(site, order.rows, values)
    faults += _part_faults(site, order.parts, values)
    faults += _entablature_faults(site, order.entablature, values)
    return faults, sum(values)


def _row_faults(site: Site, rows: tuple[int, ...], values: list[int]) -> Iterator[Message]:
    """EG-6.5, lower rows first; what can be built is laid on `site` and its value added."""
    for row in sorted(rows):
        if not 1 <= row <= len(site.rows):
            text = N_("{row} is no row of the Pyramid: rows are 1 to {rows} from the bottom.")
            yield sentence(text, "EG-6.5", row=row, rows=len(site.rows))
        elif (row - 1) not in {kind for _, kind, _ in site.offers()}:
            text = N_("Row {row} of the Pyramid is full or has no two stones to stand on: name another row.")
            yield sentence(text, "EG-6.5", row=row)
        else:
            values.append(site.lay(row - 1, 0))


def _part_faults(site: Site, parts: tuple[str, ...], values: list[int]) -> Iterator[Message]:
    """EG-6.6: bottom up."""
    for name in parts:
        if name not in _STACKS:
            text = N_("{part} is no part of the Temple. There are: {names}.")
            yield sentence(text, "EG-6.6", part=name, names=data.PARTS)
            continue
        part = _STACKS.index(name)
        if site.stacks[part] >= len(site.t.temple[part]):
            yield sentence("The {part} has no free space left: name another part.", "EG-6.6", part=name)
        else:
            values.append(site.lay(_TEMPLE + part, 0))


def _entablature_faults(site: Site, spaces: tuple[int, ...], values: list[int]) -> Iterator[Message]:
    """EG-6.6: any free space once both pylons are full."""
    if spaces and not site.pylons():
        yield sentence("The entablature needs both pylons full first: build at one of them.", "EG-6.6")
        return
    for space in spaces:
        if not 1 <= space <= len(site.entablature) or site.entablature[space - 1]:
            yield sentence("Space {space} of the entablature isn't free: name another one.", "EG-6.6", space=space)
        else:
            values.append(site.lay(_TEMPLE + data.ENTABLATURE, space - 1))


def order_of(kinds: list[tuple[int, int]], working: tuple[str, ...], using: tuple[str, ...]) -> Stack:
    """Return the canonical order that lays `kinds` (kind and space, as `Site.offers` names them)."""
    parts = sorted(kind - _TEMPLE for kind, _ in kinds if _TEMPLE <= kind < _TEMPLE + data.ENTABLATURE)
    return Stack(
        working,
        tuple(sorted(kind + 1 for kind, _ in kinds if kind < _TEMPLE)),
        tuple(_STACKS[part] for part in parts),
        tuple(sorted(space + 1 for kind, space in kinds if kind == _TEMPLE + data.ENTABLATURE)),
        using,
    )


def value_of(state: State, order: Stack) -> int:
    """Return what the spaces of `order`, which can be built, are worth together."""
    kinds = [(row - 1, 0) for row in order.rows]
    kinds += [(_TEMPLE + _STACKS.index(part), 0) for part in order.parts]
    kinds += [(_TEMPLE + data.ENTABLATURE, space - 1) for space in order.entablature]
    return _value(state, kinds)


def _value(state: State, kinds: Iterable[tuple[int, int]]) -> int:
    site = Site(state)
    return sum(site.lay(*kind) for kind in kinds)


def greedy(state: State, budget: int) -> list[tuple[int, int]]:
    """Spaces built by always adding the dearest that `budget` still allows."""
    site = Site(state)
    kinds: list[tuple[int, int]] = []
    while offers := [offer for offer in site.offers() if offer[0] <= budget]:
        _, kind, space = max(offers, key=lambda offer: offer[0])
        budget -= site.lay(kind, space)
        kinds.append((kind, space))
    return kinds


def dearest(state: State, budget: int) -> list[tuple[int, int]]:
    """Spaces that can be built in one action and are worth most together within `budget`, with as few stones as can be.

    Always adding the dearest finds them nearly always; where that leaves something of `budget`, every set is looked at.
    """

    def worth(kinds: list[tuple[int, int]]) -> tuple[int, int]:
        return _value(state, kinds), -len(kinds)

    found = max((greedy(state, amount) for amount in range(1, budget + 1)), key=worth, default=[])
    if worth(found)[0] == budget:
        return found
    kinds, left = max(_bundles(state, budget), key=lambda one: (-one[1], -len(one[0])), default=([], budget))
    return kinds if (budget - left, -len(kinds)) > worth(found) else found


def _bundles(state: State, budget: int) -> Iterator[tuple[list[tuple[int, int]], int]]:
    """Every set of spaces worth at most `budget` that can be built in one action, once each, and what is left of it."""
    seen: set[tuple[tuple[int, int], ...]] = set()

    def grow(kinds: list[tuple[int, int]], left: int) -> Iterator[tuple[list[tuple[int, int]], int]]:
        site = Site(state)
        for kind, space in sorted(kinds):
            site.lay(kind, space)
        for value, kind, space in site.offers():
            bundle = [*kinds, (kind, space)]
            key = tuple(sorted(bundle))
            if value <= left and key not in seen:
                seen.add(key)
                yield bundle, left - value
                yield from grow(bundle, left - value)

    yield from grow([], budget)


def legal(state: State, team: crews.Team, budget: int) -> Iterator[Stack]:
    """Yield everything that a team can build within `budget`."""
    return (order_of(kinds, *team) for kinds, _ in _bundles(state, budget))


def sample(state: State, team: crews.Team, budget: int, chance: Chance) -> Stack:
    """Return something that a team can build within `budget`, stone by stone at random."""
    site = Site(state)
    kinds: list[tuple[int, int]] = []
    r = chance.below(1 << 62)
    while offers := [offer for offer in site.offers() if offer[0] <= budget]:
        if kinds and not r & 3:
            break
        r, pick = divmod(r >> 2, len(offers))
        _, kind, space = offers[pick]
        budget -= site.lay(kind, space)
        kinds.append((kind, space))
    return order_of(kinds, *team)


def build(own: Ply, order: Stack) -> None:
    """EG-6.3: lay the stones, score their value, then the rows they fill, from the bottom."""
    t, state = own.t, own.state
    crews.tire(own, order.crews, order.using)
    marks, value = [], 0
    for row in order.rows:
        value += t.rows[row - 1][len(state.pyramid[row - 1])]
        state.pyramid[row - 1].append(own.seat)
        marks.append(f"pyramid:{row}.{len(state.pyramid[row - 1])}")
    for name in order.parts:
        stack = state.temple[_STACKS.index(name)]
        value += t.temple[_STACKS.index(name)][len(stack)]
        stack.append(own.seat)
        marks.append(f"temple:{name.replace(' ', '-')}.{len(stack)}")
    for space in order.entablature:
        state.temple[data.ENTABLATURE][space - 1] = own.seat
        value += t.temple[data.ENTABLATURE][space - 1]
        marks.append(f"temple:entablature.{space}")
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
