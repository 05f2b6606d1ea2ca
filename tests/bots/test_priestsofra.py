"""The player of Priests of Ra that knows what tiles and suns are worth."""

from __future__ import annotations

import pytest

from benchmarks.match import match
from pbem.bots.basic import RandomBot
from pbem.bots.players import bot_of
from pbem.bots.priestsofra import HEURISTIC, Evaluation
from pbem.engine.core.rng import Rng
from pbem.engine.priestsofra import RULES
from pbem.engine.priestsofra.data import FACES
from pbem.engine.registry import rules_of
from tests.engine.priestsofra.tables import act, changed, deal, position

ALONE = """
    3 players, sealed auctions
    table: sun 12
    0: suns none
    2: suns none
    turn: 1 to draw or call
"""
"""Whom only seat 1 bids against: the others have used their suns."""


def test_it_beats_random_play() -> None:
    """At least 19 of 20 matches of two are won; with four seats in `test_selfplay.py`, as in every game."""
    played = match(rules_of("priestsofra"), (HEURISTIC, RandomBot()), 2, "heuristic", 20)

    assert played.a_wins >= 19


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_it_gives_legal_orders_in_every_decision(seats: int) -> None:
    """Games among it come to an end by legal orders alone, each of which it gives again for the same view."""
    state = RULES.setup(seats, {"hide_scores": "yes"}, Rng("legal", 0)).state
    ply, kinds = 0, set()
    while asked := RULES.awaited(state):
        ((seat, decision),) = asked.items()
        view = RULES.view(state, seat)
        order = HEURISTIC.choose(rules_of("priestsofra"), view, Rng("own", 0))
        assert order == HEURISTIC.choose(rules_of("priestsofra"), view, Rng("other", 1))
        assert RULES.check(state, seat, order) == []
        kinds.add(decision.kind)
        ply += 1
        RULES.apply(state, {seat: order}, Rng("legal", ply))

    assert kinds == {"turn", "face", "bid", "flip"}


def choice(state: object, seat: int) -> str:
    """What it orders as `seat`."""
    return str(HEURISTIC.choose(rules_of("priestsofra"), rules_of("priestsofra").view(state, seat), Rng("", 0)))


def test_it_passes_on_plagues() -> None:
    """A lot of plagues is no bargain for any sun; if it must bid it gives the lowest."""
    state = changed(deal(), "lot: 4 plagues")
    act(state, "ra")
    assert choice(state, 1) == "pass"
    act(state, "pass", "pass")

    assert choice(state, 0) == "bid 2"


def test_it_bids_for_a_rich_lot() -> None:
    """Eight useful tiles are worth a sun to whoever bids last."""
    state = changed(deal(2), "lot: 2 farmers, scribe, merchant, 2 libraries, priest, pyramid")
    act(state, "ra", "pass")

    assert choice(state, 0).startswith("bid ")


def test_it_shows_the_face_that_completes_its_building() -> None:
    """With a library at home and the only sun left, a market/library tile shows the library."""
    state = position(ALONE, "1: suns 9, library")
    act(state, "draw = market/library")

    assert choice(state, 1) == "show library"


def test_it_turns_what_scores() -> None:
    """A granary is turned to complete a fortress; nothing is turned where nothing is gained."""
    state = position(
        ALONE,
        """
        lot: priest
        1: suns 9 6, granary, fortress
        """,
    )
    act(state, "ra", "bid 6")

    assert choice(state, 1) == "flip fortress"


def test_it_takes_what_lies_there_before_ra_comes_alone() -> None:
    """Alone, with one space left on the Ra track, it calls for a good lot, and draws on while the track is empty."""
    state = position(
        ALONE,
        """
        lot: pyramid, farmer, library
        1: suns 9
        """,
    )
    assert choice(state, 1) == "draw"
    state = changed(state, "table: Ra 7")

    assert choice(state, 1) == "ra"


def test_a_table_reads_worth_from_the_rules() -> None:
    """More is worth more: a completed building, a third chamber, a healed plague; a plague less."""
    table = Evaluation(RULES.view(deal(), 0))
    bare = [0] * len(FACES)

    def worth(*faces: str) -> float:
        tiles = bare[:]
        for face in faces:
            tiles[FACES.index(face)] += 1
        return table.worth(0, tiles)

    assert worth("library", "library") > worth("library", "market") > worth("library") > 0
    assert worth(*["chamber A"] * 3) > worth("chamber A", "chamber A", "chamber B")
    assert worth("plague") < 0
    assert worth("priest", "priest", "priest", "plague") > worth("priest", "priest", "plague")
    assert bot_of("priestsofra", "heuristic") is HEURISTIC
