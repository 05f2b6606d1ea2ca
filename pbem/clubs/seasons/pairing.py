"""Who meets whom: tables of 2 to 5 for one round of a season, with balanced opponents and seats. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations, permutations, zip_longest

from pbem.structs import Value

_MEET_AGAIN = 1000.0
"""What one repeated meeting weighs against one whole point of difference in score at a table."""

Pair = tuple[int, int]
Table = tuple[int, ...]


class Entrant(Value):
    """A player as a pairing sees one."""

    player: int
    points: float = 0.0
    rating: float = 0.0
    byes: int = 0


class History(Value):
    """Which pairs have met how often, and how often each player sat on each seat."""

    met: Mapping[Pair, int] = {}
    seats: Mapping[Pair, int] = {}
    """(player, seat) -> times."""

    def meetings(self, table: Sequence[int]) -> int:
        """Return how often the players of `table` have met each other so far, a pair's later meetings weighing more."""
        return sum(self.met.get(pair(a, b), 0) ** 2 for a, b in combinations(table, 2))


def pair(a: int, b: int) -> Pair:
    """Return the two players in a fixed order, as a key of `History.met`."""
    return (a, b) if a < b else (b, a)


def history(tables: Sequence[Table]) -> History:
    """Return what has happened at `tables`, each in seat order."""
    met = Counter(pair(a, b) for table in tables for a, b in combinations(table, 2))
    seats = Counter((player, seat) for table in tables for seat, player in enumerate(table))
    return History(met, seats)


def byes(entrants: Sequence[Entrant], count: int) -> tuple[int, ...]:
    """Return the `count` players who sit out: fewest byes so far, then fewest points, then lowest rating."""
    order = sorted(entrants, key=lambda e: (e.byes, e.points, e.rating, e.player))
    return tuple(entrant.player for entrant in order[:count])


def swiss(entrants: Sequence[Entrant], sizes: Sequence[int], past: History) -> tuple[Table, ...]:
    """Return tables of players with like scores who have met as little as possible; seats balanced.

    `sizes` must add up to the number of entrants. Tables are filled from the top of the ranking, then players are
    exchanged between tables while that makes the whole round better.
    """
    ranked = sorted(entrants, key=lambda e: (-e.points, -e.rating, e.player))
    return _improved(_cut([e.player for e in ranked], sizes), {e.player: e.points for e in entrants}, past)


def round_robin(entrants: Sequence[Entrant], sizes: Sequence[int], past: History) -> tuple[Table, ...]:
    """Return tables of players who have met least, whatever their scores.

    They are made by exchange, since no exact method exists for every size; for two `circle` is one.
    """
    players = sorted(entrant.player for entrant in entrants)
    start = _least_met(players, sizes, past)
    return _improved(start, dict.fromkeys(players, 0.0), past)


def circle(entrants: Sequence[Entrant], past: History) -> tuple[tuple[Table, ...], tuple[int, ...]]:
    """Return tables of two, and who of an odd field sits out, so that nobody meets again before all have met.

    That is the circle method: one player stays, the others move on by one place; in an odd field all move, and the one
    at the first place sits out. Of its rounds it is the one with the fewest meetings again, then sittings out.
    """
    sat_out = {entrant.player: entrant.byes for entrant in entrants}
    players, odd = sorted(sat_out), len(sat_out) % 2
    fixed, moving = players[: 1 - odd], players[1 - odd :]
    rings = [[*fixed, *moving[turn:], *moving[:turn]] for turn in range(len(moving))]
    drawn = [(list(zip(ring[odd:], ring[::-1], strict=False))[: len(ring) // 2], tuple(ring[:odd])) for ring in rings]
    tables, out = min(drawn, key=lambda one: (sum(map(past.meetings, one[0])), sum(sat_out[idle] for idle in one[1])))
    return tuple(_seated(table, past) for table in tables), out


def ladder(ranking: Sequence[int], sizes: Sequence[int], past: History) -> tuple[Table, ...]:
    """Tables of neighbours on the ladder, from its top rung."""
    return tuple(_seated(table, past) for table in _cut(ranking, sizes))


def climb(ranking: Sequence[int], results: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the ladder after a round.

    Each table's players take its rungs by their places, then every table's winner changes rungs with the last of the
    table above. `results` are the tables from the top, each in order of places; who didn't play stays below.
    """
    rungs = [player for table in results for player in table]
    first = 0
    for table in results:
        if first:
            rungs[first - 1], rungs[first] = rungs[first], rungs[first - 1]
        first += len(table)
    rest = [player for player in ranking if player not in set(rungs)]
    return (*rungs, *rest)


def knock_out(seeds: Sequence[int], sizes: Sequence[int], past: History) -> tuple[Table, ...]:
    """Tables dealt from the seeding in turns there and back, so that strong players meet late."""
    tables: list[list[int]] = [[] for _ in sizes]
    open_tables = list(range(len(sizes)))
    queue = list(seeds)
    while queue:
        for index in open_tables:
            if queue and len(tables[index]) < sizes[index]:
                tables[index].append(queue.pop(0))
        open_tables.reverse()
    return tuple(_seated(tuple(table), past) for table in tables)


def survivors(results: Sequence[Sequence[int]], gone: Collection[int] = ()) -> tuple[int, ...]:
    """Return who goes on in a knock-out: the better half of each table, at least its winner, in order of places.

    Where one of them is `gone`, the next one of the table moves up.
    """
    return in_turns([[one for one in table if one not in gone][: max(1, len(table) // 2)] for table in results])


def in_turns(results: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the players of tables, each in order of places: every winner, then who came second, and so on."""
    return tuple(player for rank in zip_longest(*results) for player in rank if player is not None)


def _cut(players: Sequence[int], sizes: Sequence[int]) -> list[Table]:
    """Return the players in order, cut into tables of `sizes`."""
    if sum(sizes) != len(players):
        message = f"{len(players)} players can't fill tables of {list(sizes)}: the sizes must add up to the players."
        raise ValueError(message)
    cut: list[Table] = []
    start = 0
    for size in sizes:
        cut.append(tuple(players[start : start + size]))
        start += size
    return cut


def _least_met(players: Sequence[int], sizes: Sequence[int], past: History) -> list[Table]:
    """Tables filled one player at a time with whoever has met those already there least."""
    free = list(players)
    tables: list[Table] = []
    for size in sizes:
        table = [free.pop(0)]
        while len(table) < size:
            free.sort(key=lambda p: (sum(past.met.get(pair(p, q), 0) ** 2 for q in table), p))
            table.append(free.pop(0))
        tables.append(tuple(table))
    return tables


def _cost(table: Table, points: Mapping[int, float], past: History) -> float:
    """Return how bad a table is: repeated meetings first, then unequal scores."""
    scores = [points[player] for player in table]
    mean = sum(scores) / len(scores)
    return _MEET_AGAIN * past.meetings(table) + sum((score - mean) ** 2 for score in scores)


def _improved(tables: list[Table], points: Mapping[int, float], past: History) -> tuple[Table, ...]:
    """Exchange players between tables while the round's cost falls, then give out the seats."""
    costs = [_cost(table, points, past) for table in tables]
    while _exchange(tables, costs, points, past):
        pass
    return tuple(_seated(table, past) for table in tables)


def _exchange(tables: list[Table], costs: list[float], points: Mapping[int, float], past: History) -> bool:
    """Make the first exchange of two players that lowers the cost; False if there is none."""
    for i, j in combinations(range(len(tables)), 2):
        if costs[i] + costs[j] == 0:
            continue
        for a, b in ((a, b) for a in tables[i] for b in tables[j]):
            one = tuple(b if player == a else player for player in tables[i])
            two = tuple(a if player == b else player for player in tables[j])
            new = _cost(one, points, past), _cost(two, points, past)
            if sum(new) < costs[i] + costs[j] - 1e-9:
                tables[i], tables[j] = one, two
                costs[i], costs[j] = new
                return True
    return False


def _seated(table: Table, past: History) -> Table:
    """Return the table's players in the seat order that evens out who sat where; ties by the order given."""
    return min(
        permutations(table),
        key=lambda order: sum(past.seats.get((player, seat), 0) ** 2 for seat, player in enumerate(order)),
    )
