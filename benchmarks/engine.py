"""How fast the rules are, beside two peers played in turn in the same run, per second of processor time.

Ratio 1: decisions of random play, events included, against random moves of python-chess.
Ratio 2: plies read from text, checked, resolved and serialised, against set_orders and process of diplomacy.

    python benchmarks/engine.py [--games amunre,...] [--seats 4] [--repeats 3] [--json]
"""

from __future__ import annotations

import argparse
import json
import random
from statistics import median
from time import process_time
from typing import TYPE_CHECKING, Any

import chess
import msgspec
from diplomacy import Game

from pbem.bots.basic import RandomBot
from pbem.bots.selfplay import SelfplayTable, play, record
from pbem.engine.core.rng import Rng
from pbem.engine.registry import GAMES, rules_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pbem.engine.core.records import Record

SLICE = 1.0
"""Seconds of processor time for one measurement."""
LONGEST = 300
"""Moves after which a random game of chess is called off, as most peers' measurements do."""


def rate(work: Callable[[int], int]) -> float:
    """Units of `work(number)` done per second of processor time, over one slice."""
    done, number, start = 0, 0, process_time()
    while (spent := process_time() - start) < SLICE:
        done += work(number)
        number += 1
    return done / spent


def chess_moves(number: int) -> int:
    """Play one random game of chess; give its number of moves."""
    source, board, moves = random.Random(number), chess.Board(), 0
    while moves < LONGEST and (legal := list(board.legal_moves)):
        board.push(source.choice(legal))
        moves += 1
    return moves


def decisions(table: SelfplayTable) -> Callable[[int], int]:
    """Random games at `table`, counted in decisions."""
    return lambda number: play(table, f"bench-{number}").decisions


def plies(rules: Any, games: list[Record]) -> Callable[[int], int]:
    """Recorded games played again from order text, every order checked and every state serialised, in plies."""

    def work(number: int) -> int:
        kept = games[number % len(games)]
        state = rules.setup(kept.seats, kept.options, Rng(kept.seed or "", 0)).state
        for ply in kept.plies[1:]:
            orders = {}
            for seat, text in ply.orders.items():
                orders[seat] = rules.read(state, seat, text)
                assert not rules.check(state, seat, orders[seat])
            state = rules.resolve(state, orders, Rng(kept.seed or "", ply.number)).state
            msgspec.json.encode(state)
        return len(kept.plies) - 1

    return work


def diplomacy_orders(seed: int, phases: int) -> Iterator[dict[str, list[str]]]:
    """Random orders of all powers, phase by phase."""
    source, game = random.Random(seed), Game()
    for _ in range(phases):
        if game.is_game_done:
            return
        possible = game.get_all_possible_orders()
        orders = {
            power: [source.choice(possible[place]) for place in game.get_orderable_locations(power) if possible[place]]
            for power in game.powers
        }
        yield orders
        for power, given in orders.items():
            game.set_orders(power, given)
        game.process()


def diplomacy_phases(games: list[list[dict[str, list[str]]]]) -> Callable[[int], int]:
    """Games of diplomacy with their orders at hand, in phases."""

    def work(number: int) -> int:
        orders = games[number % len(games)]
        game = Game()
        for phase in orders:
            for power, given in phase.items():
                game.set_orders(power, given)
            game.process()
        return len(orders)

    return work


def compare(ours: dict[str, Callable[[int], int]], peer: Callable[[int], int], repeats: int) -> dict[str, Any]:
    """Measure ours and the peer in turn; give medians, and the median of the ratios with its spread."""
    rates: dict[str, list[float]] = {name: [] for name in ours}
    peers: dict[str, list[float]] = {name: [] for name in ours}
    for _ in range(repeats):
        for name, work in ours.items():
            rates[name].append(rate(work))
            peers[name].append(rate(peer))
    return {name: summary(rates[name], peers[name]) for name in ours}


def summary(ours: list[float], peer: list[float]) -> dict[str, float]:
    """Medians, ratio and spread (largest less smallest ratio, over the median)."""
    ratios = [own / other for own, other in zip(ours, peer, strict=True)]
    return {
        "ours_per_s": round(median(ours), 1),
        "peer_per_s": round(median(peer), 1),
        "ratio": round(median(ratios), 2),
        "spread": round((max(ratios) - min(ratios)) / median(ratios), 3),
        "repeats": len(ratios),
    }


def measure(names: list[str], seats: int, repeats: int) -> dict[str, Any]:
    """Both ratios for the games called `names`."""
    tables = {name: SelfplayTable(rules_of(name), (RandomBot(),) * seats) for name in names}
    kept = {name: [record(table, f"bench-{n}")[1] for n in range(10)] for name, table in tables.items()}
    peers = [list(diplomacy_orders(seed, 40)) for seed in range(3)]
    return {
        "ratio1": compare({name: decisions(table) for name, table in tables.items()}, chess_moves, repeats),
        "ratio2": compare({n: plies(rules_of(n), kept[n]) for n in names}, diplomacy_phases(peers), repeats),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Engine speed beside python-chess and diplomacy.")
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = measure(given.games.split(","), given.seats, given.repeats)
    if given.json:
        print(json.dumps(found))
        return
    titles = {"ratio1": "decisions / python-chess moves", "ratio2": "checked plies / diplomacy phases"}
    for ratio, games in found.items():
        print(f"{ratio}: {titles[ratio]}, per CPU second, {given.seats} seats")
        for name, line in games.items():
            print(f"  {name:12} {' '.join(f'{key} {value}' for key, value in line.items())}")


if __name__ == "__main__":
    main()
