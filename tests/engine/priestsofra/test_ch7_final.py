"""PR-7: what counts only after the third epoch, and who wins. Positions are texts (docs/development/positions.md)."""

from __future__ import annotations

import pytest

from pbem.engine.priestsofra import RULES, scoring
from pbem.engine.priestsofra.data import ANKHS, SHEET
from pbem.engine.priestsofra.state import State
from tests.engine.priestsofra.tables import act, changed, deal, position
from tests.engine.priestsofra.test_ch6_scoring import tiles


def finished(state: State) -> State:
    """The third epoch of `state`, ended by the Ra track."""
    while state.epoch < 3:
        state = changed(state, "table: Ra 7")
        act(state, "draw = ra")
    return state


@pytest.mark.parametrize(("blocks", "points"), [(0, 0), (2, 0), (3, 5), (5, 5), (6, 10), (9, 10), (10, 20), (15, 20)])
def test_pr_7_1_one_pyramid(blocks: int, points: int) -> None:
    """3, 6, 10 tiles score 5, 10, 20; more tiles don't make a second pyramid."""
    assert scoring.pyramid(tiles(f"{blocks} pyramids")) == points


@pytest.mark.parametrize(
    ("text", "pyramid", "chambers"),
    [
        ("3 pyramids, 4 chambers A, 3 chambers C", 20, 15),
        ("7 chambers A", 10, 10),
        ("3 chambers A", 5, 5),
        ("2 chambers A, 2 chambers B, 2 chambers C", 10, 0),
    ],
)
def test_pr_7_2_chambers_count_in_the_pyramid_and_by_colour(text: str, pyramid: int, chambers: int) -> None:
    """Chambers are pyramid tiles too; four of a colour score 10, three 5, each colour for itself."""
    assert scoring.pyramid(tiles(text)) == pyramid
    assert scoring.chambers(tiles(text)) == chambers


def test_pr_7_1_pyramids_and_chambers_score_in_the_third_epoch_only() -> None:
    """The sheets of the first two epochs have no pyramid, chamber, ankh or sun points."""
    state = position("""
        3 players
        0: ankhs 2, 7 pyramids, 4 chambers D
    """)
    state = changed(finished(state), "table: Ra 7")
    act(state, "draw = ra")
    late = [dict(zip(SHEET, epoch[0], strict=False)) for epoch in state.sheets]

    assert [(sheet["pyramid"], sheet["chambers"], sheet["ankhs"]) for sheet in late] == [
        (0, 0, 0),
        (0, 0, 0),
        (20, 10, 5),
    ]
    assert [sheet["suns"] for sheet in late] == [0, 0, -5]


@pytest.mark.parametrize(("ankhs", "points"), list(enumerate([0, 0, 5, 10, 20])))
def test_pr_7_3_ankhs(ankhs: int, points: int) -> None:
    """Two ankhs 5, three 10, four 20."""
    assert ANKHS[ankhs] == points


def test_pr_7_3_ankhs_of_the_third_epoch_count() -> None:
    """Two ankhs in hand and two more for the last people: 20."""
    state = changed(
        finished(deal()),
        """
        table: Ra 7
        0: ankhs 2, farmer, warrior, merchant, scribe
        """,
    )
    act(state, "draw = ra")

    assert dict(zip(SHEET, state.sheets[2][0], strict=False))["ankhs"] == 20


@pytest.mark.parametrize(
    ("sums", "points"),
    [
        ((30, 28, 30), [5, -5, 5]),
        ((22, 22), [0, 0]),
        ((30, 20, 20, 25), [5, -5, -5, 0]),
        ((24, 18), [5, -5]),
    ],
)
def test_pr_7_4_sums_of_suns(sums: tuple[int, ...], points: list[int]) -> None:
    """The highest sum +5, the lowest -5, ties all; nothing if all are equal."""
    assert scoring.suns(sums) == points


def test_pr_7_4_face_up_and_face_down_suns_count() -> None:
    """With the deal of three players: 28, 30 and 32, whatever lies face down."""
    state = finished(deal())
    act(state, "ra", "bid 3", "pass", "pass")
    state = changed(state, "table: Ra 7")
    act(state, "draw = ra")

    assert [dict(zip(SHEET, sheet, strict=False))["suns"] for sheet in state.sheets[2]] == [-5, -5, 5]


def over(points: tuple[int, ...], suns: tuple[tuple[int, ...], ...]) -> State:
    """A game that is over with these points and suns."""
    state = finished(deal(len(points))) if len(points) == 3 else deal(len(points))
    state = changed(state, "table: Ra 7")
    act(state, "draw = ra")
    lines = [f"{seat}: points {n}, suns {' '.join(map(str, suns[seat]))}" for seat, n in enumerate(points)]
    return changed(state, "\n".join(lines))


@pytest.mark.parametrize(
    ("points", "places"),
    [((50, 40, 30), (1, 2, 3)), ((30, 40, 50), (3, 2, 1)), ((40, 40, 50), (2, 3, 1)), ((7, 7, 7), (1, 2, 3))],
)
def test_pr_7_5_most_points_then_the_highest_sun(points: tuple[int, ...], places: tuple[int, ...]) -> None:
    """Level players are placed by their highest single sun: 13, 12 and 11 in this deal."""
    state = over(points, ((13, 8, 5, 2), (12, 9, 6, 3), (11, 10, 7, 4)))
    outcome = RULES.outcome(state)

    assert outcome is not None
    assert outcome.scores == points
    assert outcome.places == places
