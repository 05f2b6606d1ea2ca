"""EG-7: the Sphinx. Positions are texts (docs/development/positions.md)."""

from __future__ import annotations

import pytest

from pbem.engine.core.rng import Rng
from pbem.engine.egizia import RULES
from pbem.engine.egizia.draws import take_top
from pbem.engine.egizia.ply import opened
from tests.engine.egizia.tables import Table

REST = " ".join(f"S{number:02}" for number in range(4, 30))
"""All Sphinx cards but the first three."""


def at_sphinx(stones: int = 9, more: str = "") -> Table:
    """Seat 0 draws first, seat 1 second."""
    table = Table.position(
        f"""
        2 players
        0: stones {stones}, crews 2 3 9 2
        1: stones 9, crews 9 9 9 9
        """,
        more,
    )
    table.building("at Sphinx: slots 0 1")
    return table


def test_eg_7_2_reading_tells_nobody_else_what_was_drawn() -> None:
    """An order of a seat that isn't asked comes back as it was written, not in the sequence of the drawn cards."""
    table = at_sphinx()
    table.next("sphinx", "S03 S01 S02 S04 S05")
    table.do("0: sphinx 3 with black")

    assert str(RULES.read(table.state, 0, "keep S01 S03")) == "keep S03 S01"
    assert str(RULES.read(table.state, 1, "keep S01 S03")) == "keep S01 S03"


@pytest.mark.parametrize(
    ("stones", "text", "most"), [(9, "blue", 2), (9, "blue + joker", 4), (9, "yellow", 5), (3, "yellow", 3)]
)
def test_eg_7_1_n_is_limited_by_strength_stones_and_five(stones: int, text: str, most: int) -> None:
    """Crew 2 draws 2, crew 9 draws 5, three stones draw 3; 0 is refused."""
    table = at_sphinx(stones)

    assert table.faults(0, f"sphinx {most} with {text}") == []
    assert table.rules(0, f"sphinx {most + 1} with {text}") == {"EG-7.1"}
    assert table.rules(0, f"sphinx 0 with {text}") == {"EG-7.1"}


def test_eg_7_1_one_or_none_is_kept_and_each_put_back_scores() -> None:
    """3 drawn: keep one for 2 points, none for 3; two or a card not drawn are refused."""
    table = at_sphinx()
    table.next("sphinx", "S01 S02 S03 S04 S05")
    table.do("0: sphinx 3 with black")
    assert table.asked == ("keep", (0,))
    assert table.rules(0, "keep S01 S02") == {"EG-7.1"}
    assert table.rules(0, "keep S09") == {"EG-7.1"}
    table.do("0: keep S02")
    assert table.shown("0") == ("points 2, stones 6, crews 2 3 9 2, tired black, keeps S02, worked at Sphinx, passed")
    table.do("1: sphinx 2 with blue", "1: keep none")

    assert table.state.score[1] == 2 + 1


def test_eg_7_1_cards_put_back_come_again_in_the_order_stated() -> None:
    """S03 then S01 were stated; after the 26 unseen cards they come in this order."""
    table = at_sphinx()
    table.next("sphinx", "S01 S02 S03")
    table.do("0: sphinx 3 with black")
    assert table.rules(0, "keep S02, order S01 S04") == {"EG-7.1"}
    table.do("0: keep S02, order S03 S01")
    ply = opened(table.state, Rng("x", 1))
    first = take_top(ply, 26)

    assert not {table.t.sphinx_index[name] for name in ("S01", "S02", "S03")} & set(first)
    assert [table.t.sphinx[card].id for card in take_top(ply, 2)] == ["S03", "S01"]


def test_eg_7_1_without_an_order_they_are_shuffled() -> None:
    """Both orders come up, and each draw is logged in plain text."""
    found = set()
    for seed in range(20):
        table = at_sphinx()
        table.next("sphinx", "S01 S02 S03")
        table.do("0: sphinx 3 with black", "0: keep S02")
        table.change(f"1: keeps {REST}")
        ply = opened(table.state, Rng(str(seed), 1))
        drawn = [table.t.sphinx[card].id for card in take_top(ply, 2)]
        assert ply.chance.log == [f"sphinx: {' '.join(drawn)}"]
        found.add(tuple(drawn))

    assert found == {("S01", "S03"), ("S03", "S01")}


def test_eg_7_2_kept_cards_are_secret_until_the_end_but_not_their_number() -> None:
    """Others and spectators see one hidden card; drawn cards too; the event that names them is for their owner."""
    table = at_sphinx()
    table.next("sphinx", "S01 S02 S03")
    drawing = table.do("0: sphinx 3 with black")
    for seat in (1, None):
        assert RULES.view(table.state, seat).board.drawn == [-1, -1, -1]
    assert [table.t.sphinx[card].id for card in RULES.view(table.state, 0).board.drawn] == ["S01", "S02", "S03"]
    keeping = table.do("0: keep S02")
    named = [event for event in drawing + keeping if "S02" in str(event.params)]

    assert [event.seen_by for event in named] == [(0,), (0,)]
    assert RULES.view(table.state, 1).board.kept[0] == [-1]
    assert RULES.view(table.state, 0).board.kept[0] == [table.t.sphinx_index["S02"]]
    assert RULES.view(table.state, 0).board.under[0].rest == [-1, -1]
    assert sorted(RULES.view(table.state, 0).board.under[0].laid) == [table.t.sphinx_index[s] for s in ("S01", "S03")]
    assert RULES.view(table.state, 1).board.under[0].laid == []
    table.do("1: sphinx 1 with blue", "1: keep none")
    table.change("asked: over")
    assert RULES.view(table.state, 1).board.kept[0] == [table.t.sphinx_index["S02"]]


def test_eg_7_2_a_partly_drawn_pile_tells_its_owner_nothing() -> None:
    """Of three cards put back unseen order, two are left: the owner sees the three and the number two."""
    put_back = "under the Sphinx deck: by 0 shuffled S01 S02 S03 left"
    one = at_sphinx(more=f"1: keeps S02\n{put_back} S01 S03")
    other = at_sphinx(more=f"1: keeps S01\n{put_back} S02 S03")

    assert RULES.view(one.state, 0) == RULES.view(other.state, 0)


def test_eg_7_3_n_is_limited_by_the_deck_and_free_cards_come_last() -> None:
    """Three cards left: 4 is refused; 3 paid with +2 give three cards, not five; an empty deck asks nobody."""
    table = at_sphinx(more=f"0: has A16\n1: keeps {REST}")
    assert table.rules(0, "sphinx 4 with yellow") == {"EG-7.1"}
    table.do("0: sphinx 3 with yellow using +2")
    assert (len(table.state.drawn), table.state.sphinx_left, table.state.stones[0]) == (3, 0, 6)

    empty = Table.position(f"""
        2 players
        1: keeps S01 S02 S03 {REST}
    """)
    empty.building("at Sphinx: slots 0 -")
    assert empty.asked[0] == "ship"


def test_eg_7_4_plus_2_draws_two_free_cards() -> None:
    """Pay 1 to 3, draw two more; 4 is refused; it can be left out and is not used up."""
    table = at_sphinx(more="0: has A16")
    assert table.rules(0, "sphinx 4 with yellow using +2") == {"EG-7.4"}
    assert table.faults(0, "sphinx 5 with yellow") == []
    table.do("0: sphinx 3 with yellow using +2")

    assert len(table.shown("drawn").split()) == 5
    assert table.shown("0") == "stones 6, crews 2 3 9 2, tired yellow, has A16, worked at Sphinx, passed"


def test_eg_7_4_the_card_must_be_held() -> None:
    """Without it `using +2` is refused."""
    assert at_sphinx().rules(0, "sphinx 1 with yellow using +2") == {"EG-4.4"}
