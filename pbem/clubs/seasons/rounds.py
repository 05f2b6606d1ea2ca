"""One round of a season, drawn by its system from the field and what has been played. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

import msgspec

from pbem.clubs.seasons import pairing
from pbem.clubs.seasons.standings import WIN, StandingLine, TableResult, standings, table_points
from pbem.clubs.seasons.table_sizes import table_sizes


class Entered(msgspec.Struct, frozen=True):
    """A player in the field."""

    player: int
    seed: float
    byes: int


class PlayedTable(msgspec.Struct, frozen=True):
    """A table of an earlier round; `result` is None while its game goes on or if it ended without one."""

    round: int
    players: tuple[int, ...]
    result: TableResult | None


class Entrants(msgspec.Struct, frozen=True):
    """All that a draw and the standings depend on."""

    system: str
    entered: Sequence[Entered]
    """Who plays on, for final standings also who dropped out; the strongest first."""
    played: Mapping[int, Sequence[PlayedTable]]
    """By the season's titles, in their order."""


class DrawnRound(msgspec.Struct, frozen=True):
    """The tables of one title's round, in seat order, and who sits out."""

    tables: tuple[pairing.Table, ...]
    byes: tuple[int, ...] = ()


def draw(field: Entrants, title: int, wanted: int, allowed: Collection[int]) -> DrawnRound:
    """Return the next round's tables of one title."""
    played = field.played.get(title, ())
    past = pairing.history([table.players for table in played])
    if field.system == "knock_out":
        return _knock_out(field, played, past, wanted, allowed)
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
    return standings([entered.player for entered in field.entered], results, byes, far)


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


def _knock_out(
    field: Entrants, played: Sequence[PlayedTable], past: pairing.History, wanted: int, allowed: Collection[int]
) -> DrawnRound:
    """Return the survivors of the last round at new tables; none once one table has played it out."""
    alive = [entered.player for entered in field.entered]
    if played:
        last = max(table.round for table in played)
        tables = [table for table in played if table.round == last]
        if len(tables) == 1:
            return DrawnRound(())
        results = [_in_places(table, alive) for table in tables]
        through = pairing.survivors(results, {player for table in results for player in table} - set(alive))
        seated = {player for table in tables for player in table.players}
        resting = [player for player in alive if player not in seated and _sat_out(player, played, last, alive)]
        alive = _fill_up([*through, *resting], results, alive, min(allowed))
    sizes = table_sizes(len(alive), wanted, allowed)
    # Who can't be seated rests and comes in next round: the best placed, and nobody twice running.
    resting = alive[: len(alive) - sum(sizes)] if sizes else []
    return DrawnRound(pairing.knock_out(alive[len(resting) :], sizes, past), tuple(resting))


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
    depth = max(map(len, results))
    others = [table[place] for place in range(depth) for table in results if place < len(table)]
    return [*through, *(one for one in others if one in alive and one not in through)][:least]


def _sat_out(player: int, played: Sequence[PlayedTable], last: int, alive: Sequence[int]) -> bool:
    """Return whether somebody rested in the last round after coming through the one before."""
    before = [table for table in played if table.round == last - 1]
    earlier = {p for table in played if table.round < last for p in table.players}
    if not before or player not in earlier:
        return player not in earlier
    return player in pairing.survivors([_in_places(table, alive) for table in before], earlier - set(alive))


def _in_places(table: PlayedTable, seeding: Sequence[int]) -> tuple[int, ...]:
    """Return the table's players by their places; by the seeding, then in seat order, where there is no result."""
    if table.result is None:
        seeded = [player for player in seeding if player in table.players]
        return (*seeded, *(player for player in table.players if player not in seeded))
    order = sorted(zip(table.result.places, range(len(table.players)), table.players, strict=True))
    return tuple(player for _, _, player in order)
