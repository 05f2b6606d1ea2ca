"""PR-1: components and set-up."""

from __future__ import annotations

import pytest

from pbem.engine.core.errors import IllegalOrder
from pbem.engine.core.rng import Rng
from pbem.engine.priestsofra import RULES
from pbem.engine.priestsofra.data import FACES, FACES_OF, RA_SPACES, TILE_COUNTS, TILE_OF, TILES
from pbem.engine.priestsofra.state import suns_of
from tests.engine.priestsofra.tables import act, awaited, changed, deal, sound


def test_pr_1_1_the_bag_holds_174_tiles() -> None:
    """The bag of a new game holds the 174 tiles of the table, by kind."""
    state = deal()
    bag = dict(zip(TILES, state.bag, strict=True))

    assert sum(state.bag) == 174
    assert bag == {
        "Ra": 30,
        "farmer/warrior": 30,
        "merchant/scribe": 30,
        "granary/fortress": 15,
        "market/library": 15,
        "chamber A/chamber B": 7,
        "chamber C/chamber D": 7,
        "pyramid": 15,
        "priest": 15,
        "plague": 10,
    }


def test_pr_1_1_a_slash_means_two_faces() -> None:
    """Six kinds of tiles have two faces; each face lies on one kind, and its partner is the neighbour in the table."""
    pairs = {FACES[face]: FACES[face ^ 1] for face in range(12)}

    assert [len(faces) for faces in FACES_OF] == [0, 2, 2, 2, 2, 2, 2, 1, 1, 1]
    assert all(face in FACES_OF[TILE_OF[face]] for face in range(len(FACES)))
    assert pairs["farmer"] == "warrior"
    assert pairs["scribe"] == "merchant"
    assert pairs["granary"] == "fortress"
    assert pairs["library"] == "market"
    assert (pairs["chamber A"], pairs["chamber D"]) == ("chamber B", "chamber C")


@pytest.mark.parametrize(
    ("seats", "groups"),
    [
        (2, [(9, 6, 5, 2), (8, 7, 4, 3)]),
        (3, [(13, 8, 5, 2), (12, 9, 6, 3), (11, 10, 7, 4)]),
        (4, [(13, 6, 2), (12, 7, 3), (11, 8, 4), (10, 9, 5)]),
        (5, [(16, 7, 2), (15, 8, 3), (14, 9, 4), (13, 10, 5), (12, 11, 6)]),
    ],
)
def test_pr_1_2_suns_by_players(seats: int, groups: list[tuple[int, ...]]) -> None:
    """Each player has one group of suns face up, none face down, and sun 1 lies in the centre."""
    state = deal(seats)

    assert [suns_of(up) for up in state.up] == groups
    assert state.down == [0] * seats
    assert state.centre == 1
    sound(state)


def test_pr_1_2_groups_are_dealt_by_lot() -> None:
    """The deal is a chance result in plain text, and every seat can get every group."""
    firsts = set()
    for number in range(60):
        chance = Rng("deal", number)
        state = RULES.setup(3, {}, chance).state
        firsts.add(suns_of(state.up[0]))
        assert chance.log[0].startswith("suns: ")

    assert firsts == {(13, 8, 5, 2), (12, 9, 6, 3), (11, 10, 7, 4)}


@pytest.mark.parametrize(("seats", "spaces"), [(2, 6), (3, 8), (4, 9), (5, 10)])
def test_pr_1_3_spaces_of_the_tracks(seats: int, spaces: int) -> None:
    """One Ra tile short of the track's spaces there is still an auction; the next one ends the epoch."""
    state = deal(seats)
    assert RA_SPACES[seats] == spaces
    state = changed(state, f"table: Ra {spaces - 2}")
    act(state, "draw = ra")
    assert awaited(state)[1] == "bid"
    act(state, *["pass"] * seats, "draw = ra")
    assert state.epoch == 2


def test_pr_1_4_everyone_starts_with_ten_points_for_all_to_see() -> None:
    """Points are 10 at first and shown to every reader."""
    state = deal(4)

    assert state.points == [10] * 4
    assert RULES.view(state, 2).known_points == (10,) * 4
    assert RULES.view(state, None).known_points == (10,) * 4


def test_pr_1_4_hidden_points_are_shown_to_their_owner_only() -> None:
    """With `hide_scores` the view of a seat holds its own points, a spectator's none."""
    state = deal(3, hide_scores="yes")

    assert RULES.view(state, 1).known_points == (None, 10, None)
    assert RULES.view(state, None).known_points == (None,) * 3


def test_pr_1_4_hidden_points_are_imagined_around_the_readers_own() -> None:
    """Ten more or less, and none below 0; whoever only watches knows none to begin with."""
    state = changed(deal(3, hide_scores="yes"), "0: points 100\n1: points 50\n2: points 0")

    for seat, lowest, highest in ((0, 90, 110), (1, 40, 60), (2, 0, 10), (None, 0, 10)):
        view = RULES.view(state, seat)
        worlds = [RULES.imagine(view, Rng("points", number)).points for number in range(200)]
        imagined = {points for world in worlds for number, points in enumerate(world) if number != seat}
        assert (min(imagined), max(imagined)) == (lowest, highest)
        assert seat is None or {world[seat] for world in worlds} == {state.points[seat]}


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_pr_1_5_the_highest_sun_begins(seats: int) -> None:
    """Whoever was dealt the highest sun is on turn, wherever that seat is."""
    for number in range(10):
        state = RULES.setup(seats, {}, Rng("first", number)).state
        highest = max(sun for up in state.up for sun in suns_of(up))

        assert awaited(state) == (next(s for s, up in enumerate(state.up) if up >> highest & 1), "turn")


@pytest.mark.parametrize("seats", [0, 1, 6])
def test_pr_1_2_other_numbers_of_players_are_refused(seats: int) -> None:
    """A game for a number of players that has no suns is refused in words."""
    with pytest.raises(IllegalOrder, match=rf"^Priests of Ra is for 2, 3, 4, 5 players, not {seats}\.$"):
        RULES.setup(seats, {}, Rng("", 0))


def test_every_wrong_option_is_named() -> None:
    """An unknown option and a wrong choice are refused together."""
    with pytest.raises(IllegalOrder) as refused:
        RULES.setup(3, {"auctions": "open", "speed": "slow"}, Rng("", 0))

    assert [str(fault) for fault in refused.value.faults] == [
        "Option auctions can't be 'open'. It can be: sealed, in_turn.",
        "There is no option 'speed'. There are: hide_scores, auctions.",
    ]


def test_the_tile_table_adds_up() -> None:
    """No kind of tile is missing from the counts."""
    assert len(TILE_COUNTS) == len(TILES) == len(FACES_OF)
