"""What is done in an organiser's name asks for the right by itself, whatever door it is called from."""

from __future__ import annotations

import inspect
import pkgutil
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

from pbem import clubs
from pbem.clubs.seasons import season_acts, seasons
from pbem.errors import NotAllowed
from pbem.play.admin import club_box

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from sqlalchemy.orm import Session

    from tests.clubs.conftest import Circle

BEGIN = ["session", "now", "club_id", "by"]
"""The parameters that such a use case begins with."""
ELSEWHERE = {"undo": "what is taken back tells whose games they are: tests/clubs/games/test_undo.py"}
WANTED: dict[str, Any] = {"game": "amunre", "text": "x", "entered": {}, "seen": frozenset(), "sums": {}}
"""What a case looks at before it asks, or as it does."""
MODULES = [
    club_box,
    *(import_module(found.name) for found in pkgutil.walk_packages(clubs.__path__, "pbem.clubs.") if not found.ispkg),
]
USE_CASES = {
    f"{module.__name__}.{name}": case
    for module in MODULES
    for name, case in vars(module).items()
    if inspect.isfunction(case) and case.__module__ == module.__name__ and name not in ELSEWHERE
    if not name.startswith("_") and list(inspect.signature(case).parameters)[: len(BEGIN)] == BEGIN
}


@pytest.mark.parametrize("name", USE_CASES)
def test_a_member_is_refused(session: Session, now: datetime, circle: Circle, name: str) -> None:
    """Whatever else is wanted, and whether it could be."""
    case: Callable[..., Any] = USE_CASES[name]
    more = list(inspect.signature(case).parameters.values())[len(BEGIN) :]
    wants = {one: WANTED.get(one.name) for one in more}
    given = [value for one, value in wants.items() if one.kind is not one.KEYWORD_ONLY]
    named = {one.name: value for one, value in wants.items() if one.kind is one.KEYWORD_ONLY}

    with pytest.raises(NotAllowed, match="Only an organiser of the club may do that"):
        case(session, now, circle.club.id, circle.others[0].id, *given, **named)


@pytest.mark.parametrize("act", season_acts.ACTS)
def test_a_player_of_a_season_is_refused(session: Session, now: datetime, circle: Circle, act: str) -> None:
    """Nobody but an organiser starts or ends it, or takes somebody else out of it."""
    bob, ann = (player.id for player in circle.others[:2])
    titles = (seasons.Title("priestsofra", 2),)
    plan = seasons.SeasonPlan(name="Spring", titles=titles)
    season = seasons.announce(session, now, circle.club.id, circle.alice.id, plan)
    for player in (bob, ann):
        seasons.enter(session, now, season.id, player)

    with pytest.raises(NotAllowed, match="Only an organiser of the club may do that"):
        season_acts.carry_out(session, now, season, act, bob, ann)
