"""What a seat may not see is in no drawing made for it, in any game."""

from __future__ import annotations

from typing import Any

from pbem import pictures
from pbem.engine import replay
from pbem.engine.core.rng import Rng
from pbem.engine.core.types import AnyRules
from pbem.engine.registry import rules_of
from pbem.kit.contract import demand
from pbem.kit.contract.positions import positions
from pbem.messages import Translator

SAY = Translator("it", "UTC", ("Ada", "Bo", "Cy", "Di", "Ed"))


def drawn(rules: AnyRules, state: Any, seat: int | None) -> tuple[str, str, str, tuple[str, ...]]:
    """Return every drawing of `state` for one reader: picture, text board, sentences, hand."""
    view, drawing = rules.view(state, seat), pictures.of(rules.meta.name)
    return drawing.svg(view, SAY), drawing.text(view, SAY), drawing.alt(view, SAY), drawing.hand(view, SAY)


@demand("hidden")
def test_drawings_of_states_that_differ_in_hidden_parts_are_the_same(game: str) -> None:
    """A state imagined from a seat's view is drawn for it, and for a spectator, byte by byte as the true one is."""
    rules = rules_of(game)
    different = 0
    for position in list(positions(game))[::6]:
        for seat in range(rules.meta.seats[0]):
            other = rules.imagine(rules.view(position.state, seat), Rng("drawn", position.ply))
            different += replay.digest(other) != replay.digest(position.state)

            assert drawn(rules, other, seat) == drawn(rules, position.state, seat)
            assert drawn(rules, other, None) == drawn(rules, position.state, None)

    assert different
