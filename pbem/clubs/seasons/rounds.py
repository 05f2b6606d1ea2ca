"""One round of a season, drawn by its system from the field and what has been played. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

import msgspec

from pbem.clubs.seasons import pairing
from pbem.clubs.seasons.standings import WIN, StandingLine, TableResult, standings, table_points
from pbem.clubs.seasons.table_sizes import table_sizes
from pbem.structs import Value


class Entered(Value):
    """A player in the field."""

    player: int
    seed: float
    byes: int
    has_left: bool = False
    """Whether they dropped out after the season had begun."""


class PlayedTable(Value):
    """A table of an earlier round; `result` is None while its game goes on or if it ended without one."""

    round: int
    players: tuple[int, ...]
    result: TableResult | None


class Entrants(Value):
    """All that a draw and the standings depend on."""

    system: str
    entered: Sequence[Entered]
    """Who plays on, for final standings also who dropped out; the strongest first."""
    played: Mapping[int, Sequence[PlayedTable]]
    """By the season's titles, in their order."""


class DrawnRound(Value):
    """The tables of one title's round, in seat order, and who isn't at them."""

    tables: tuple[pairing.Table, ...]
    byes: tuple[int, ...] = ()
    out: tuple[int, ...] = ()
    """Whom a knock-out goes on without since the round before, of those who hadn't left it."""
    moved_up: tuple[int, ...] = ()
    """Who is in a knock-out's round though their place in the round before wasn't good enough."""


def draw(field: Entrants, title: int, wanted: int, allowed: Collection[int]) -> DrawnRound:
    """Return the next round's tables of one title."""
    played = field.played.get(title, ())
    past = pairing.history([table.players for table in played])
    if field.system == "knock_out":
        return _knock_out(field, title, past, wanted, allowed)
    entrants = _entrants(field)
    sizes = table_sizes(len(entrants), wanted, allowed)
    if not sizes:  # nobody sits out a round that nobody plays
        return DrawnRound(())
    out = pairing.byes(entrants, len(entrants) - sum(sizes))
    entrants = [entrant for entrant in entrants if entrant.player not in out]
    if field.system == "ladder":
        ranking = [player for player in _ladder(field, played) if player not in out]
        return DrawnRound(pairing.ladder(ranking, sizes, past), out)
    drawn = pairing.swiss if field.system == "swiss" else pairing.round_robin
    return DrawnRound(drawn(entrants, sizes, past), out)


def ranked(field: Entrants) -> tuple[StandingLine, ...]:
    """Return the standings of the field over all titles so far."""
    results = [one.result for played in field.played.values() for one in played if one.result]
    byes = [entered.player for entered in field.entered for _ in range(entered.byes)]
    far = reached(field.played.values()) if field.system == "knock_out" else {}
    for title in field.played if far else ():
        for player in _alone(field, title):
            far[player] += 2  # past everybody else, also for who rested in the last round
    return standings([entered.player for entered in field.entered], results, byes, far)


def _alone(field: Entrants, title: int) -> list[int]:
    """Return who wins a knock-out by a walk-over: the one left of those who went on, once their own table has a result.

    Empty where there is none.
    """
    still = msgspec.structs.replace(field, entered=[one for one in field.entered if not one.has_left])
    last = max((table.round for table in field.played[title]), default=0)
    results, rested = _results(still, title, last), resting(still, title, last)
    alive = [*pairing.survivors(results, _gone(results, [one.player for one in still.entered])), *rested]
    open_ones = {player for table in _tables(still, title, last) if table.result is None for player in table.players}
    return alive if len(alive) == 1 < len(results) + len(rested) and open_ones.isdisjoint(alive) else []


def _entrants(field: Entrants) -> list[pairing.Entrant]:
    """Return the field with its points over all titles so far."""
    points = {line.player: line.points for line in ranked(field)}
    return [pairing.Entrant(e.player, points[e.player], e.seed, e.byes) for e in field.entered]


def _ladder(field: Entrants, played: Sequence[PlayedTable]) -> tuple[int, ...]:
    """Return the ladder as it stands: the seeding, moved by every round so far."""
    ranking = tuple(entered.player for entered in field.entered)
    for number in sorted({table.round for table in played}):
        results = [_in_places(table, ranking) for table in played if table.round == number]
        climbed = pairing.climb(ranking, results)
        ranking = tuple(player for player in climbed if player in set(ranking))
    return ranking


def _knock_out(field: Entrants, title: int, past: pairing.History, wanted: int, allowed: Collection[int]) -> DrawnRound:
    """Return the survivors of the last round at new tables; none once one table that nobody waits for has played."""
    entered = [one.player for one in field.entered]
    last = max((table.round for table in field.played.get(title, ())), default=0)
    results, rested = _results(field, title, last), resting(field, title, last)
    if len(results) == 1 and not rested:
        return DrawnRound(())
    through = pairing.survivors(results, _gone(results, entered))
    alive = _fill_up([*through, *rested], results, entered, min(allowed))
    sizes = table_sizes(len(alive), wanted, allowed)
    if not sizes:
        return DrawnRound(())
    # Who can't be seated rests and comes in next round: the best placed, and nobody twice running.
    byes = alive[: len(alive) - sum(sizes)]
    return DrawnRound(
        pairing.knock_out(alive[len(byes) :], sizes, past),
        tuple(byes),
        tuple(player for result in results for player in result if player in entered and player not in alive),
        moved_up(field, title, last + 1, alive),
    )


def resting(field: Entrants, title: int, number: int) -> tuple[int, ...]:
    """Return who of the field has no table in a round of a title, and comes in again in the next one."""
    seated = {player for table in _tables(field, title, number) for player in table.players}
    idle = [one.player for one in field.entered if (one.byes or not number) and one.player not in seated]
    if field.system != "knock_out" or number <= 1:
        return tuple(idle)
    results = _results(field, title, number - 1)
    came = {*pairing.survivors(results, _gone(results, {*idle, *seated})), *resting(field, title, number - 1)}
    return tuple(player for player in idle if player in came)


def moved_up(field: Entrants, title: int, number: int, players: Collection[int]) -> tuple[int, ...]:
    """Return who of a knock-out round's players came in for others: who had left, or for whom a table was filled."""
    results = _results(field, title, number - 1) if field.system == "knock_out" else []
    through = pairing.survivors(results)
    return tuple(player for result in results for player in result if player in players and player not in through)


def _tables(field: Entrants, title: int, number: int) -> list[PlayedTable]:
    return [table for table in field.played.get(title, ()) if table.round == number]


def _results(field: Entrants, title: int, number: int) -> list[tuple[int, ...]]:
    """Return the players of each of a round's tables by their places."""
    return [_in_places(table, [one.player for one in field.entered]) for table in _tables(field, title, number)]


def _gone(results: Sequence[Sequence[int]], here: Collection[int]) -> set[int]:
    return {player for result in results for player in result if player not in here}


def reached(titles: Iterable[Sequence[PlayedTable]]) -> dict[int, float]:
    """Return how far each player came in a knock-out: the last round played, and half a round for a win in it.

    Over several titles it is added up. Points alone would put a winner of the final below whom they beat there.
    """
    far: dict[int, float] = defaultdict(float)
    for played in titles:
        last = {player: table for table in sorted(played, key=lambda one: one.round) for player in table.players}
        for player, table in last.items():
            far[player] += table.round
            if table.result is not None:
                far[player] += table_points(table.result.places)[table.players.index(player)] / (2 * WIN)
    return far


def _fill_up(through: list[int], results: Sequence[Sequence[int]], alive: Sequence[int], least: int) -> list[int]:
    """Return who goes on; where several do, yet too few for any table, the best placed of the others come along."""
    if not 1 < len(through) < least:
        return through
    depth = max(map(len, results), default=0)
    others = [table[place] for place in range(depth) for table in results if place < len(table)]
    return [*through, *(one for one in others if one in alive and one not in through)][:least]


def _in_places(table: PlayedTable, seeding: Sequence[int]) -> tuple[int, ...]:
    """Return the table's players by their places; who tie, or have no result, by the seeding, then in seat order."""
    places = dict(zip(table.players, table.result.places, strict=True)) if table.result else {}
    seeds = {player: seed for seed, player in enumerate(seeding)}
    return tuple(sorted(table.players, key=lambda one: (places.get(one, 0), seeds.get(one, len(seeds)))))
