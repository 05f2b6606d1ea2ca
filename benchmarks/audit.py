"""The audit of a club's whole store, beside diplomacy's set_orders and process in the same run, per processor second.

    python -m benchmarks.audit [--games 1000] [--folder DIR] [--repeats 3]

Games of every kind are opened and played by bots through the program's own use cases into an SQLite file: each game,
number of seats and option in turn, some taken back on the way, every tenth left unfinished. Then all are audited: every
ply replayed from seed and orders, its state, snapshot and chance results compared with those stored. A folder given
by --folder is kept and filled up to the number of games. Leaves with 1 on a difference, or below five times the peer.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import tempfile
from collections import Counter
from pathlib import Path
from statistics import median
from time import process_time
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from benchmarks.engine import diplomacy_orders, diplomacy_phases, rate
from pbem import clock, config
from pbem.app import create_app
from pbem.cli.migrating import migrate
from pbem.engine.core.rng import Rng
from pbem.engine.registry import GAMES, rules_of
from pbem.extensions import db
from pbem.play.orders import takeback
from pbem.play.proof.replay_audit import audit
from pbem.play.seats import opening
from pbem.play.turns.advance import advance
from pbem.play.views.game_context import table_of
from pbem.store.models import Game, StoredPly
from pbem.store.queries import common

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy.orm import Session

TIMES = 5.0
"""The audit's plies per second over the peer's phases per second, at least."""
UNFINISHED = 10
"""One game of so many is left under way."""
TAKEN_BACK = 7
"""In one of so many, plies are taken back."""
LONGEST = 400
"""Plies of one run, as a worker does it."""


def kinds() -> Iterator[tuple[str, int, dict[str, str]]]:
    """Every game with every number of seats and every combination of its options, over and over, the games in turn."""
    each = []
    for name in GAMES:
        meta = rules_of(name).meta
        named = [[(option.name, choice) for choice in option.choices] for option in meta.options if option.choices]
        each.append([(name, seats, dict(chosen)) for chosen in itertools.product(*named) for seats in meta.seats])
    return itertools.chain.from_iterable(zip(*map(itertools.cycle, each), strict=False))


def fill(session: Session, count: int) -> None:
    """Open and play games until there are `count`."""
    have = session.execute(select(func.count()).select_from(Game)).scalar_one()
    for number, (name, seats, options) in itertools.islice(enumerate(kinds()), have, count):
        plan = opening.GamePlan(
            game=name, seats=(opening.SeatPlan(bot="random"),) * seats, options=options, seed=f"audit-{number}"
        )
        game = opening.open_game(session, clock.now(), plan)
        session.commit()
        play(session, game, number)
        session.commit()


def play(session: Session, game: Game, number: int) -> None:
    """Let the bots play: to the end, part of the way, or with plies taken back."""
    some = Rng("audit", number)
    if number % TAKEN_BACK == 0 or number % UNFINISHED == 0:
        advance(session, clock.now(), game.id, cap=20 + some.below(40))
        session.commit()
    if number % TAKEN_BACK == 0:
        locked = common.lock_game(session, game.id)
        assert locked is not None
        takeback.restore(session, clock.now(), table_of(session, locked), some.below(locked.ply))
        session.commit()
    if number % UNFINISHED:
        while advance(session, clock.now(), game.id, cap=LONGEST).plies:
            session.commit()


def audit_all(session: Session) -> tuple[int, list[str]]:
    """Audit every game; how many plies, and every difference."""
    plies, faults = 0, []
    for game_id in session.execute(select(Game.id).order_by(Game.id)).scalars().all():
        found = audit(session, game_id)
        plies += found.plies
        faults += [f"game {game_id}: {fault}" for fault in found.faults]
        session.rollback()  # nothing is kept in memory from game to game
    return plies, faults


def measure(session: Session, repeats: int) -> bool:
    """Audit and peer in turn; print both and whether the bar is kept."""
    peer = diplomacy_phases([list(diplomacy_orders(seed, 40)) for seed in range(3)])
    ours, theirs, plies = [], [], 0
    faults: list[str] = []
    for _ in range(repeats):
        start = process_time()
        plies, faults = audit_all(session)
        ours.append(plies / (process_time() - start))
        theirs.append(rate(peer))
    ratios = sorted(own / other for own, other in zip(ours, theirs, strict=True))
    print(f"audited {plies} plies {repeats} times: {len(faults)} differences")
    print("\n".join(faults[:20]))
    print(
        f"audit {median(ours):.0f} plies, diplomacy {median(theirs):.0f} phases per processor second: "
        f"ratio {median(ratios):.2f} (spread {(ratios[-1] - ratios[0]) / median(ratios):.1%}), bar {TIMES:.0f}"
    )
    return not faults and median(ratios) >= TIMES


def census(session: Session) -> None:
    """Print what is in the store."""
    games = Counter(session.execute(select(Game.game)).scalars())
    states = Counter(session.execute(select(Game.state)).scalars())
    undone = session.execute(select(func.count()).where(StoredPly.kind == "undo")).scalar_one()
    print(f"games {dict(games)}, states {dict(states)}, plies taken back {undone}", flush=True)


def main() -> None:
    """Fill the store, audit it, print; leave with 1 if it isn't sound or too slow."""
    parser = argparse.ArgumentParser(description="The audit of many games beside diplomacy.")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as passing:
        folder = given.folder or Path(passing)
        folder.mkdir(parents=True, exist_ok=True)
        app = create_app(config.from_environ({"PBEM_HOME": str(folder), "SECRET_KEYS": "b1:" + "audit-of-games-" * 3}))
        with app.app_context():
            migrate()
            session = db.session()
            fill(session, given.games)
            census(session)
            sound = measure(session, given.repeats)
            db.session.remove()
            db.engine.dispose()
    sys.exit(0 if sound else 1)


if __name__ == "__main__":
    main()
