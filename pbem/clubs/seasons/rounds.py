"""One round of a season, drawn by its system from the field and what has been played. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from pbem.clubs.seasons import pairing
from pbem.clubs.seasons.standings import WIN, StandingLine, TableResult, standings, table_points
from pbem.clubs.seasons.table_sizes import table_sizes
from pbem.structs import Value


class Entered(Value):
    """A player in the field."""

    player: int
    seed: float
    byes: int
    left: int | None = None
    """The last round that was drawn before they dropped out; None while they play on."""

    def was_in(self, number: int) -> bool:
        """Return whether they hadn't dropped out when a round was drawn."""
        return self.left is None or self.left >= number


class PlayedTable(Value):
    """A table of an earlier round; `result` is None while its game goes on or if it ended without one."""

    round: int
    players: tuple[int, ...]
    result: TableResult | None
    goes_on: bool = False
    """Whether its game isn't over, or wasn't when the season ended."""


class Entrants(Value):
    """All that a draw and the standings depend on."""

    system: str
    entered: Sequence[Entered]
    """Who took part when the season began, the strongest first."""
    played: Mapping[int, Sequence[PlayedTable]]
    """By the season's titles, in their order."""

    @property
    def inside(self) -> list[int]:
        """Who plays on."""
        return [one.player for one in self.entered if one.left is None]


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
    if field.system == "round_robin" and set(sizes) == {2}:
        return DrawnRound(*pairing.circle(entrants, past))
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
        for player in _still_in(field, title):
            far[player] += 2  # past everybody else, also for who rested in the last round
    return standings([entered.player for entered in field.entered], results, byes, far)


def _still_in(field: Entrants, title: int) -> list[int]:
    """Return who goes on from the last round of a knock-out, but for tables that aren't over."""
    goes_on = {
        player for table in _tables(field, title, _last(field, title)) if table.goes_on for player in table.players
    }
    return [player for player in _through(field, title) if player not in goes_on]


def _through(field: Entrants, title: int) -> list[int]:
    """Return who goes on from the last round of a knock-out; nobody after its final: a table that nobody waits for."""
    last = _last(field, title)
    results, rested = _results(field, title, last), [one for one in resting(field, title, last) if one in field.inside]
    if len(results) == 1 and not rested:
        return []
    return [*pairing.survivors(results, _gone(results, field.inside)), *rested]


def _entrants(field: Entrants) -> list[pairing.Entrant]:
    """Return who plays on, with their points over all titles so far."""
    points = {line.player: line.points for line in ranked(field)}
    return [pairing.Entrant(e.player, points[e.player], e.seed, e.byes) for e in field.entered if e.left is None]


def _ladder(field: Entrants, played: Sequence[PlayedTable]) -> tuple[int, ...]:
    """Return the ladder as it stands: the seeding, moved by every round so far."""
    ranking = tuple(field.inside)
    for number in sorted({table.round for table in played}):
        results = [_in_places(table, ranking) for table in played if table.round == number]
        climbed = pairing.climb(ranking, results)
        ranking = tuple(player for player in climbed if player in set(ranking))
    return ranking


def _knock_out(field: Entrants, title: int, past: pairing.History, wanted: int, allowed: Collection[int]) -> DrawnRound:
    """Return who goes on from the last round at new tables."""
    last = _last(field, title)
    results = _results(field, title, last)
    alive = _fill_up(_through(field, title), results, field.inside, min(allowed))
    sizes = table_sizes(len(alive), wanted, allowed)
    if not sizes:
        return DrawnRound(())
    # Who can't be seated rests and comes in next round: the best placed, and nobody twice running.
    byes = alive[: len(alive) - sum(sizes)]
    return DrawnRound(
        pairing.knock_out(alive[len(byes) :], sizes, past),
        tuple(byes),
        tuple(player for result in results for player in result if player in field.inside and player not in alive),
        moved_up(field, title, last + 1, alive),
    )


def resting(field: Entrants, title: int, number: int) -> tuple[int, ...]:
    """Return who of the field had no table in a round of a title, and came in again in the next one."""
    seated = {player for table in _tables(field, title, number) for player in table.players}
    here = [one for one in field.entered if one.was_in(number)]
    idle = [one.player for one in here if (one.byes or not number) and one.player not in seated]
    if field.system != "knock_out" or number <= 1:
        return tuple(idle)
    results = _results(field, title, number - 1)
    gone = _gone(results, [one.player for one in here])
    came = {*pairing.survivors(results, gone), *resting(field, title, number - 1)}
    return tuple(player for player in idle if player in came)


def moved_up(field: Entrants, title: int, number: int, players: Collection[int]) -> tuple[int, ...]:
    """Return who of a knock-out round's players came in for others: who had left, or for whom a table was filled."""
    results = _results(field, title, number - 1) if field.system == "knock_out" else []
    through = pairing.survivors(results)
    return tuple(player for result in results for player in result if player in players and player not in through)


def _last(field: Entrants, title: int) -> int:
    return max((table.round for table in field.played.get(title, ())), default=0)


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
    others = pairing.in_turns(results)
    return [*through, *(one for one in others if one in alive and one not in through)][:least]


def _in_places(table: PlayedTable, seeding: Sequence[int]) -> tuple[int, ...]:
    """Return the table's players by their places; who tie, or have no result, by the seeding, then in seat order."""
    places = dict(zip(table.players, table.result.places, strict=True)) if table.result else {}
    seeds = {player: seed for seed, player in enumerate(seeding)}
    return tuple(sorted(table.players, key=lambda one: (places.get(one, 0), seeds.get(one, len(seeds)))))
