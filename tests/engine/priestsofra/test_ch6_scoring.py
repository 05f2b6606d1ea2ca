"""PR-6: scoring of each epoch, with the worked examples of the catalogue.

Positions are texts (docs/development/positions.md).
"""

from __future__ import annotations

import pytest

from pbem.engine.priestsofra import RULES, scoring
from pbem.engine.priestsofra.data import FACES, NET, SHEET, TOTAL
from pbem.engine.priestsofra.state import State
from tests.engine.priestsofra.tables import act, changed, position, shown, told


def tiles(text: str = "") -> list[int]:
    """Counts by face of a list such as `farmer, 2 libraries`."""
    return position(f"2 players\n0: {text}").display[0]


def scored(points: int, text: str) -> State:
    """Seat 0 had `points` and `text` when the first epoch ended by the Ra track."""
    state = position(f"""
        3 players
        table: Ra 7
        0: points {points}, {text}
    """)
    act(state, "draw = ra")
    return state


@pytest.mark.parametrize(
    ("counts", "points"),
    [((3, 2, 1), [5, 0, 0]), ((2, 2, 0), [5, 5, 0]), ((1, 0, 0), [0, 0, 0]), ((2, 1, 1), [5, 0, 0])],
)
@pytest.mark.parametrize("kind", range(4))
def test_pr_6_1_most_people_of_a_kind(kind: int, counts: tuple[int, ...], points: list[int]) -> None:
    """5 to everyone with at least two of a kind and nobody ahead; ties all score; each kind by itself."""
    displays = [tiles() for _ in counts]
    for display, count in zip(displays, counts, strict=True):
        display[kind] = count

    assert scoring.people(displays) == points


def test_pr_6_1_kinds_add_up() -> None:
    """Who leads in two kinds scores twice."""
    displays = [tiles("2 farmers, 2 scribes"), tiles("farmer, 3 merchants"), tiles("2 scribes")]

    assert scoring.people(displays) == [10, 5, 5]


@pytest.mark.parametrize(
    ("text", "ankhs"),
    [
        ("", 0),
        ("3 farmers", 0),
        ("farmer, scribe", 0),
        ("farmer, scribe, 2 warriors", 1),
        ("farmer, scribe, warrior, merchant", 2),
    ],
)
def test_pr_6_2_ankhs_for_kinds_of_people(text: str, ankhs: int) -> None:
    """0, 0, 0, 1, 2 ankhs for 0 to 4 kinds."""
    assert scoring.ankhs_won(tiles(text)) == ankhs


@pytest.mark.parametrize(("before", "after"), [(0, 2), (2, 4), (3, 4), (4, 4)])
def test_pr_6_2_a_player_keeps_at_most_four_ankhs(before: int, after: int) -> None:
    """All four kinds bring 2 ankhs, up to the fourth."""
    state = position(f"""
        3 players
        table: Ra 7
        0: ankhs {before}, farmer, scribe, warrior, merchant
    """)
    act(state, "draw = ra")

    assert state.ankhs[0] == after


@pytest.mark.parametrize(
    ("counts", "points"),
    [((4, 0, 0, 0), 4), ((1, 1, 1, 1), 0), ((2, 2, 2, 0), 11), ((2, 2, 2, 2), 18), ((5, 2, 2, 3), 20)],
)
def test_pr_6_3_buildings(counts: tuple[int, ...], points: int) -> None:
    """2 for each pair of a kind; +10 for complete buildings of four kinds, +5 for exactly three, once."""
    assert scoring.buildings([0] * 4 + list(counts) + [0] * 7) == points


@pytest.mark.parametrize(
    ("text", "priests", "plagues", "left"),
    [
        ("3 priests, 4 plagues", 6, -6, 3),
        ("2 priests, plague", 4, -1, 1),
        ("3 priests, 7 plagues", 6, -20, 6),
        ("3 priests", 6, 0, 0),
        ("5 priests, 2 plagues", 10, -1, 1),
    ],
)
def test_pr_6_4_priests_score_and_heal(text: str, priests: int, plagues: int, left: int) -> None:
    """2 for each priest; three or more return exactly one plague, before plagues count, for good."""
    state = scored(30, text)
    sheet = dict(zip(SHEET, state.sheets[0][0], strict=False))

    assert (sheet["priests"], sheet["plagues"]) == (priests, plagues)
    assert state.display[0][FACES.index("plague")] == left
    assert state.points[0] == 30 + priests + plagues


HELD = (
    "",
    "2 priests, plague",
    "3 priests, 2 plagues",
    "2 farmers, warrior, merchant, granary, fortress, market, library",
    "3 farmers, warrior, scribe, merchant, 2 granaries, 2 fortresses, 2 markets, 2 chambers A, 2 pyramids",
)


def in_epoch(epoch: int, text: str) -> State:
    """Seat 0 has `text` and points enough, one Ra tile before the end of an epoch; those before it brought nothing."""
    state = position("3 players")
    while state.epoch < epoch:
        state = changed(state, "table: Ra 7")
        act(state, "draw = ra")
    return changed(state, f"table: Ra 7\n0: points 50, {text}".removesuffix(", "))


@pytest.mark.parametrize("text", HELD)
@pytest.mark.parametrize("epoch", [1, 3])
def test_pr_6_0_the_sheet_says_of_each_line_what_one_more_of_any_face_brings(text: str, epoch: int) -> None:
    """A third priest heals a plague (PR-6.4), so it stands with the plagues, too; what changes nothing is not named."""
    view = RULES.view(in_epoch(epoch, text), 0)
    now = [source.points[0] for source in RULES.score_sheet(view).sources]
    due: list[list[str]] = [[] for _ in SHEET]
    for face, name in enumerate(FACES):
        view.display[0][face] += 1
        more = [source.points[0] for source in RULES.score_sheet(view).sources]
        view.display[0][face] -= 1
        for at, (one, other) in enumerate(zip(now, more, strict=True)):
            due[at] += [name] * (one != other)

    assert [[str(said.params["thing"]) for said in one.more] for one in RULES.score_sheet(view).sources] == due


@pytest.mark.parametrize("text", HELD)
@pytest.mark.parametrize("epoch", [1, 3])
def test_pr_6_0_points_if_the_epoch_ended_now_are_those_it_brings(text: str, epoch: int) -> None:
    """A plague healed (PR-6.4) and ankhs taken (PR-6.2) at its end are counted."""
    state = in_epoch(epoch, text)
    told = RULES.figures(RULES.view(state, 0))["points if the epoch ended now"]
    act(state, "draw = ra")

    assert state.sheets[-1][0][NET] == told


@pytest.mark.parametrize("epoch", [1, 3])
def test_pr_6_0_nothing_is_told_that_would_bring_a_total_below_0(epoch: int) -> None:
    """Four plagues cost who has 2 points no more than these, in what is told as in what comes."""
    state = changed(in_epoch(epoch, "4 plagues"), "0: points 2")
    view = RULES.view(state, 0)
    told, (total, *_) = RULES.figures(view)["points if the epoch ended now"], RULES.score_sheet(view).totals
    act(state, "draw = ra")

    assert (state.points[0], told, total) == (0, -2, 0)


@pytest.mark.parametrize(("plagues", "points"), list(enumerate([0, -1, -3, -6, -10, -15, -20, -20, -20])))
def test_pr_6_5_plagues(plagues: int, points: int) -> None:
    """1, 3, 6, 10, 15 for one to five plagues, 20 for six and more."""
    assert scoring.plagues(plagues) == points


def test_pr_6_6_people_and_priests_leave() -> None:
    """Buildings, pyramids, chambers, plagues and ankhs stay."""
    state = scored(10, "2 farmers, warrior, merchant, 2 priests, 3 granaries, pyramid, chamber A, 2 plagues")

    assert shown(state, "0").partition("ankhs ")[2] == "1, 3 granaries, chamber A, pyramid, 2 plagues"


def test_pr_6_0_net_first_and_never_below_zero() -> None:
    """10 points, one priest (+2) and five plagues (-15): 0, not less; the priest isn't lost on the way."""
    state = scored(10, "priest, 5 plagues")

    assert state.sheets[0][0][NET] == -13
    assert state.sheets[0][0][TOTAL] == state.points[0] == 0
    assert scored(14, "priest, 5 plagues").points[0] == 1


def test_pr_6_0_events_tell_each_line_and_the_total() -> None:
    """Every line that counts is told with its rule, then the total."""
    state = position("""
        3 players
        table: Ra 7
        0: 2 farmers, priest, plague
    """)
    events = [event for event in act(state, "draw = ra") if event.params.get("seat") == 0]

    assert [(event.rule, told(event)) for event in events[2:-1]] == [
        ("PR-6.1", "0 scores 5 for people."),
        ("PR-6.4", "0 scores 2 for priests."),
        ("PR-6.5", "0 loses 1 for plagues."),
        ("PR-6.0", "0 comes to 16 point(s), 6 from the Old Kingdom."),
    ]


def test_pr_6_1_scores_are_told_to_their_owner_only_when_hidden() -> None:
    """With hidden scores no event about points is seen by another seat, and what all see names no points."""
    state = position("""
        3 players, hidden scores
        table: Ra 7
        0: 2 farmers, 3 priests, plague
    """)
    events = act(state, "draw = ra")
    private = [event for event in events if event.seen_by is not None]

    assert {event.seen_by for event in private} == {(0,), (1,), (2,)}
    assert all(event.seen_by == (event.params["seat"],) for event in private)
    assert not any({"points", "net", "total"} & set(event.params) for event in events if event.seen_by is None)
    assert RULES.view(state, 1).sheets[0][0] == [0] * (TOTAL + 1)
    assert RULES.view(state, 0).sheets[0][0] == state.sheets[0][0] != [0] * (TOTAL + 1)
