"""Position notation: every state as text and back, and a sentence for a text that is none."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.engine import replay
from pbem.engine.core import records
from pbem.engine.core.rng import Rng
from pbem.engine.registry import GAMES, rules_of
from tests.engine.positions import PositionError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.engine.positions import Notation

HERE = Path(__file__).parent
UNVARIED = {"amunre": {"board"}, "egizia": {"components"}, "priestsofra": set[str]()}
"""Fields without a notation: a club's own board or components."""
RARE = {
    "amunre": (),
    "egizia": (
        "2 players\nasked: ship by 0, a second ship, all at once",
        "2 players\nasked: dig by 1, at Obelisk, slot 1, strength left 3, market stone",
    ),
    "priestsofra": (),
}
"""Positions that no record comes to."""


def notation(game: str) -> Notation[Any]:
    """A game's notation; each game must have one."""
    found: Notation[Any] = import_module(f"tests.engine.{game}.positions").POSITIONS
    return found


def recorded(game: str) -> Iterator[tuple[str, Any]]:
    """Every position of every record, with where it stands."""
    for path in sorted((HERE / game / "records").glob("*-*.txt")):
        for played in replay.play(records.parse(path.read_text("utf-8"))):
            yield f"{path.stem}, ply {played.ply.number}", played.state


@pytest.mark.parametrize("game", GAMES)
def test_every_recorded_position_comes_back_from_its_text(game: str) -> None:
    """State to text to state changes nothing, at every ply of every record; and each field is something other once."""
    positions, values = notation(game), dict[str, set[bytes]]()
    for where, state in recorded(game):
        assert positions.read(positions.write(state)) == state, where
        for name in state.__struct_fields__:
            values.setdefault(name, set()).add(msgspec.json.encode(getattr(state, name)))
    for text in RARE[game]:
        state = positions.read(text)
        assert positions.write(state) == text
        for name in state.__struct_fields__:
            values[name].add(msgspec.json.encode(getattr(state, name)))

    assert {name for name, seen in values.items() if len(seen) < 2} == UNVARIED[game]


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_every_position_that_play_leads_to_comes_back_from_its_text(game: str, data: st.DataObject) -> None:
    """Any seats, options and legal orders; also the text of what was read is the same text."""
    rules, positions = rules_of(game), notation(game)
    seats = data.draw(st.sampled_from(rules.meta.seats))
    options = {
        option.name: data.draw(st.sampled_from(option.choices)) for option in rules.meta.options if option.choices
    }
    seed = data.draw(st.integers(0, 10_000).map(str))
    state = rules.setup(seats, options, Rng(seed, 0)).state
    for ply in range(1, data.draw(st.integers(0, 60))):
        if not (awaited := rules.awaited(state)):
            break
        pick = Rng(f"pick {seed}", ply)
        rules.apply(state, {seat: rules.sample(state, seat, pick) for seat in awaited}, Rng(seed, ply))
    text = positions.write(state)

    assert positions.read(text) == state
    assert positions.write(positions.read(text)) == text


WRONG = {
    "amunre": (
        ("Red: gold 3", "line 1: 'Red: gold 3' doesn't say how many players, such as `4 players, card_draft on`"),
        ("4 players\nMendes: Red\n\nMendes: Blue", "line 4: Mendes stands here for the second time"),
        ("3 players\nRed: golds 3", "line 2: 'golds 3' can't be said of Red"),
        ("3 players\nRed: 3 block\n# nothing", "line 2: there are more cards than in the box: block"),
        ("3 players\nRed: bids 4 on Abu", "line 2: 4 is no bid space"),
        ("3 players, card_draft perhaps", "line 1: Option card_draft can't be 'perhaps'. It can be: off, on, discard."),
        ("", "line 1: a position begins with the number of players"),
    ),
    "egizia": (
        ("5 players", "line 1: '5 players' doesn't say how many players, such as `2 players`"),
        ("2 players\n0: has A99", "line 2: A99 is no Nile card"),
        ("2 players\nriver: A01 A02", "line 2: the river has 10 spaces for cards, not 2; `-` is an empty one"),
        ("2 players\ngraves: open 2 2 2 2", "line 2: there are more graves than in the box"),
        ("2 players\n2: points 1", "line 2: '2' is no subject; there are: game, river, closed, 0, 1,"),
    ),
    "priestsofra": (
        ("3 players\n0: 40 farmers", "line 2: there are more tiles than in the box: farmer/warrior"),
        ("3 players\nlot: camel", "line 2: 'camel' can't be said of lot"),
        ("3 players\n0: suns none", "line 2: seat 0 is on turn without a sun that lies face up: say whose turn it is"),
        ("6 players", "line 1: '6 players' doesn't say how many players, such as "),
    ),
}


@pytest.mark.parametrize(("game", "text", "said"), [(game, *case) for game, cases in WRONG.items() for case in cases])
def test_a_text_that_is_no_position_is_refused_by_its_line(game: str, text: str, said: str) -> None:
    """The line's number first, then what can't be read there, in the words that stand there."""
    with pytest.raises(PositionError, match=f"^{re.escape(said)}"):
        notation(game).read(text)


def test_each_game_has_its_wrong_texts() -> None:
    """A game that nobody thought of here fails."""
    assert set(WRONG) == set(UNVARIED) == set(RARE) == set(GAMES)
