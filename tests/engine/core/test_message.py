"""How much of an input a sentence repeats: one number, for all that refuse."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

import pytest

from pbem.engine.core.errors import EngineError
from pbem.engine.core.message import REPEATED, sentence
from pbem.errors import PlayError, WrongInput
from pbem.structs import ORDERS
from tests.test_house import HOME, MODULES, tree

if TYPE_CHECKING:
    from collections.abc import Iterator

LONG = "zz" * 999
CUT = re.compile(r"\[:\s*\d|\bclean\(")
"""How an input is cut somewhere else."""
OUTSIDE = {
    "box: counted=counted[:10]",  # stands as the number it ought to be, outside quotes
}


@pytest.mark.parametrize("text", ["{word!r} is no bot.", "`{word}` has no place here."])
def test_an_input_is_repeated_as_far_as_it_fits_a_line(text: str) -> None:
    """Of a longer one the last sign tells that there is more; what is as long as that stands whole, as orders do."""
    for word, told in ((LONG, f"{LONG[: REPEATED - 1]}…"), (LONG[:REPEATED], LONG[:REPEATED])):
        assert sentence(text, word=word).params == {"word": told}
        assert WrongInput(text, word=word).faults[0].params == {"word": told}
    assert sentence("Is {order!r} meant?", order=LONG).params == {"order": LONG}
    assert sentence("{player} has a seat.", player=LONG).params == {"player": LONG}


def _makers(*kinds: type[Exception]) -> Iterator[str]:
    for kind in kinds:
        yield kind.__name__
        yield from _makers(*kind.__subclasses__())


def test_no_refusal_cuts_what_it_repeats_by_a_number_of_its_own() -> None:
    """Wherever a sentence is made, what fills its holes is handed on whole, orders aside."""
    makers = {"say", "sentence", "invalid", "fault", *_makers(PlayError, EngineError)}
    cut, made = set(), 0
    for path in MODULES:
        if path.parts[0] != "pbem" or not CUT.search((HOME / path).read_text(encoding="utf-8")):
            continue
        for call in ast.walk(tree(path)):
            if isinstance(call, ast.Call) and ast.unparse(call.func).rpartition(".")[2] in makers:
                made += 1
                holes = {f"{path.stem}: {ast.unparse(one)}" for one in call.keywords if one.arg not in ORDERS}
                cut |= set(filter(CUT.search, holes))
    assert cut == OUTSIDE
    assert made > 50
