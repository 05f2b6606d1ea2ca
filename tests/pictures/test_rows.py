"""Boards that nobody has drawn: made of the rows a game tells, or of its facts where it tells none."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast
from xml.etree import ElementTree as ET

import pytest

from pbem.bots.basic import GreedyBot
from pbem.engine.core.board import Board, Piece, Row
from pbem.engine.core.message import Message
from pbem.engine.core.rng import Rng
from pbem.engine.registry import GAMES, rules_of
from pbem.engine.text.tables import rules_text
from pbem.messages import Translator
from pbem.pictures import rows
from pbem.pictures.monospace import COLUMNS
from pbem.pictures.rows import RowDrawing

SAY = Translator("en", names=("Anna", "Bruno"))
BOARD = Board(
    Message("Round 3"),
    (
        Row(Message("5"), (Piece(Message("a5"), "field:a5", empty=True), Piece(Message("b5"), "field:b5", 1))),
        Row(Message("{seat}", {"seat": 0}), tuple(Piece(Message(f"card {n}")) for n in range(12)), "seat:0", 0),
        Row(Message("Your hand"), (Piece(Message("the <king>")),), own=True),
        Row(Message("Gone"), ()),
    ),
)
DRAWING = RowDrawing(cast("Any", SimpleNamespace(meta=rules_of("priestsofra").meta, board=lambda _: BOARD)))


def test_rows_are_drawn_with_what_can_be_picked_and_what_changed() -> None:
    """Every mark stands on the picture; what changed is ringed; nothing of the hand is on it."""
    svg = DRAWING.svg(None, SAY, (("field:b5", 1), ("seat:0", 2)))
    drawn = ET.fromstring(svg)  # noqa: S314 - our own drawing
    marks = {part.get("data-target") for part in drawn.iter() if part.get("data-target")}

    assert marks == {"field:a5", "field:b5", "seat:0"}
    assert "ring-field:b5" in svg
    assert "ring-seat:0" in svg
    assert "king" not in svg


def test_what_begins_a_line_begins_at_the_margin() -> None:
    """A seat's badge, a title without one, and the first piece of each line below."""
    drawn = ET.fromstring(DRAWING.svg(None, SAY))  # noqa: S314 - our own drawing
    row = next(part for part in drawn.iter() if part.get("data-target") == "seat:0")
    badge = next(part for part in row.iter() if part.tag.endswith("circle"))
    pieces = [float(part.get("x", 0)) for part in row.iter() if part.tag.endswith("rect")]
    title = next(part for part in drawn.iter() if part.text == "Gone")

    begin = {float(badge.get("cx", 0)) - float(badge.get("r", 0)), min(pieces), float(title.get("x", 0))}
    assert begin == {float(rows._MARGIN)}


def test_what_stands_below_one_another_lines_up() -> None:
    """Rows whose titles stand beside them are a grid, whatever is in its fields: drawn, and in letters."""
    fields = (Piece(Message("a"), empty=True), Piece(Message("#")), Piece(Message("a long word"), seat=1))
    grid = Board(Message("Grid"), tuple(Row(Message(str(n)), (*fields[n:], *fields[:n])) for n in range(3)))
    drawing = RowDrawing(cast("Any", SimpleNamespace(meta=rules_of("priestsofra").meta, board=lambda _: grid)))

    drawn = ET.fromstring(drawing.svg(None, SAY))  # noqa: S314 - our own drawing
    boxes = [(part.get("x"), part.get("y")) for part in drawn.iter() if part.get("rx")]

    assert len({x for x, _ in boxes}) == len({y for _, y in boxes}) == 3
    assert drawing.text(None, SAY).splitlines()[1:] == [
        "0:        a              [#]       [B a long word]",
        "1:       [#]       [B a long word]        a",
        "2: [B a long word]        a              [#]",
    ]


def test_rows_are_told_in_letters_and_sentences() -> None:
    """The text board fits 72 columns, sentences name whose a piece is, and the hand is the reader's alone."""
    text = DRAWING.text(None, SAY)

    assert text.splitlines()[:2] == ["ROUND 3", "5:  a5  [B b5]"]
    assert max(map(len, text.splitlines())) <= COLUMNS
    assert "king" not in text
    assert DRAWING.alt(None, SAY).startswith("Round 3. 5: b5 of Bruno. Anna: card 0, card 1,")
    assert DRAWING.alt(None, SAY).endswith("Gone: nothing.")
    assert DRAWING.hand(None, SAY) == ("Your hand: the <king>.",)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_that_tells_no_rows_shows_its_facts(game: str) -> None:
    """Without a drawing and without rows there is still a board: one line for each fact."""
    rules = rules_of(game)
    view = rules.view(rules.setup(min(rules.meta.seats), {}, Rng("rows", 0)).state, 0)
    drawing = RowDrawing(rules)

    ET.fromstring(drawing.svg(view, SAY))  # noqa: S314 - our own drawing
    lines = drawing.text(view, SAY).splitlines()
    assert max(map(len, lines)) <= COLUMNS
    assert len(lines) > len(rules.facts_help)
    assert drawing.hand(view, SAY) == ()


def test_a_game_without_a_rules_text_has_its_tables() -> None:
    """Orders and facts are told even where nobody has written the rules down."""
    rules = rules_of("priestsofra")
    text = rules_text(rules)

    assert all(f"`{row.syntax}`" in text for row in rules.grammar)
    assert all(f"`{name}`" in text for name in rules.facts_help)


def test_a_bot_follows_what_the_rules_say_an_order_is_worth() -> None:
    """The order worth most is given, whatever it is."""
    rules = rules_of("priestsofra")
    view = rules.view(rules.setup(3, {}, Rng("worth", 0)).state, rules.setup(3, {}, Rng("worth", 0)).state.actor)
    priced = SimpleNamespace(
        imagine=rules.imagine, legal=rules.legal, sample=rules.sample, worth=lambda _, order: str(order) == "ra"
    )

    assert str(GreedyBot().choose(cast("Any", priced), view, Rng("worth", 1))) == "ra"
