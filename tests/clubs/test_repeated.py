"""What a refusal repeats of an input without end: as much as fits a line, and the input's beginning."""

from __future__ import annotations

import ast
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from pbem.clubs.games import actions, bulk_opening
from pbem.clubs.integrations import webhooks
from pbem.clubs.members import club_settings, founding, members
from pbem.clubs.seasons import seasons
from pbem.engine.registry import rules_of
from pbem.errors import PlayError
from tests.test_house import MODULES, functions, tree

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from sqlalchemy.orm import Session

    from tests.clubs.conftest import Circle

RA = rules_of("priestsofra").meta
WORD = "zz" * 200
PEOPLE = {WORD: 1}


def settled(name: str, **wrong: str) -> Callable[..., object]:
    """Settle a club otherwise."""
    wishes = {"language": "en", "zone": "UTC", "contact": "", **wrong}
    return lambda session, now, circle: club_settings.change(
        session, now, circle.club.id, circle.alice.id, club_settings.ClubSettings(name=name, **wishes)
    )


def announced(session: Session, now: datetime, circle: Circle) -> object:
    """Announce a season of a system that there isn't."""
    titles = (seasons.Title("priestsofra", 2),)
    plan = seasons.SeasonPlan(name="Spring", titles=titles, system=WORD)
    return seasons.announce(session, now, circle.club.id, circle.alice.id, plan)


REPEATED: dict[str, tuple[int, Callable[..., object]]] = {
    "actions:action_called": (40, lambda *_: actions.action_called(WORD)),
    "bulk_opening:plan_of": (60, lambda *_: bulk_opening.plan_of(["Nile", "ra", WORD, "", "ben"], PEOPLE, 1, 1)),
    "bulk_opening:_seats": (60, lambda *_: bulk_opening._seats([WORD, WORD], PEOPLE)),
    "bulk_opening:seat_of": (60, lambda *_: bulk_opening.seat_of(WORD, {WORD: bulk_opening._SHARED})),
    "bulk_opening:seat_of 2": (60, lambda *_: bulk_opening.seat_of(WORD, {})),
    "bulk_opening:options_in": (40, lambda *_: bulk_opening.options_in(WORD, RA)),
    "webhooks:add": (
        40,
        lambda session, now, circle: webhooks.add(session, now, circle.club.id, circle.alice.id, WORD, ""),
    ),
    "club_settings:_faults": (40, settled("Nile", language=WORD)),
    "club_settings:_faults 2": (60, settled("Nile", zone=WORD)),
    "founding:read_address": (80, lambda *_: founding.read_address(WORD)),
    "members:_refuse_unknown": (40, lambda *_: members._refuse_unknown(WORD)),
    "seasons:_faults": (40, announced),
}
"""By module and function, how many signs of an input stand in the sentence, and what provokes it."""


@pytest.mark.parametrize("name", REPEATED)
def test_a_refusal_repeats_as_much_as_fits_a_line(session: Session, now: datetime, circle: Circle, name: str) -> None:
    """So many signs, of which the last may tell that there is more."""
    most, wants = REPEATED[name]
    with pytest.raises(PlayError) as refused:
        wants(session, now, circle)
    (fault,) = refused.value.faults
    told = str(fault.params.get("word", fault.params.get("text")))

    assert (len(told), told.rstrip("…")) == (most, WORD[: len(told.rstrip("…"))])


def test_every_input_that_is_cut_is_known() -> None:
    """Wherever a club's use case cuts what a sentence repeats, one of the inputs above meets it."""
    cut: Counter[str] = Counter()
    for path in MODULES:
        for function in functions(tree(path)) if path.parts[:2] == ("pbem", "clubs") else ():
            words = [
                word.value
                for word in ast.walk(function)
                if isinstance(word, ast.keyword) and word.arg in {"word", "text"}
            ]
            cut[f"{path.stem}:{function.name}"] += sum(
                isinstance(one, ast.Subscript) or (isinstance(one, ast.Call) and ast.unparse(one.func) == "clean")
                for one in words
            )

    assert +cut == Counter(name.partition(" ")[0] for name in REPEATED)
