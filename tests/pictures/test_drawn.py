"""What is drawn, and told beside it, stays as it is, to the point: no other test sees a sign that has slipped.

Whoever changes a drawing looks at it (`python -m tests.browser.screenshots`) and takes the new digest from what fails.
"""

from __future__ import annotations

import hashlib
import re
from itertools import islice
from typing import TYPE_CHECKING

import pytest

from pbem import pictures
from pbem.engine.core.types import Outcome
from pbem.engine.registry import GAMES, rules_of
from pbem.messages import LANGUAGES, Translator
from pbem.pictures.result import share
from pbem.pictures.rings import numbered
from pbem.pictures.rows import RowDrawing
from pbem.study import guides
from tests.pictures.test_rings import SAY, played

if TYPE_CHECKING:
    from collections.abc import Iterable

DRAWN = {
    "amunre": "4c64a636a3da",
    "egizia": "db4c2c7ff555",
    "priestsofra": "05051641e7ed",
    "amunre by rows": "75101d30179a",
    "egizia by rows": "fa0428f23b3c",
    "priestsofra by rows": "5f75c05fe5a3",
    "a result": "bd18ce5bd91f",
}
"""By what is drawn."""


def digest(drawn: Iterable[object]) -> str:
    """A few signs that tell these drawings from others."""
    return hashlib.sha256("\n".join(map(str, drawn)).encode()).hexdigest()[:12]


def boards(game: str, room: pictures.Drawing) -> Iterable[object]:
    """The scenes of its guide, ten positions of a full table with what led to each ringed, and what explains them."""
    for view in guides.positions(game):
        yield from (room.svg(view, SAY), room.sheet(view, SAY), room.text(view, SAY), room.alt(view, SAY))
    for view, events in islice(played(game), 0, None, 6):
        yield room.svg(view, SAY, numbered(events).rings)
    yield room.legend(SAY)
    yield pictures.printed(game, guides.positions(game)[0], SAY)


def results() -> Iterable[object]:
    """A game of five with a curve, one of two without, and one in which points fell below nought."""
    names = ("Anna", "Bruno", "Chloé with a name that goes on and on", "Dov", "Emre")
    outcome = Outcome(places=(2, 1, 3, 3, 5), scores=(20, 31, 12, 12, -4), ending="")
    points = [(seat, 3 * seat, 12 - seat, ply, -ply) for ply, seat in enumerate((0, 4, 1, 9))]
    yield share("On the river", "Egizia", names, outcome, ((0, 10, 20, 33), points, (10, 20, 40)))
    yield share("A title that is longer than the picture is wide " * 2, "Ra", names[:2], outcome, ((), (), ()))


@pytest.mark.parametrize("what", DRAWN)
def test_what_is_drawn_stays_as_it_is(what: str) -> None:
    """Every scene with its words, ring, legend and thing in the box, by a game's own hand and by its rules' rows."""
    game, _, by_rows = what.partition(" by ")
    room = RowDrawing(rules_of(game)) if by_rows else pictures.of(game) if game in GAMES else None

    assert digest(boards(game, room) if room else results()) == DRAWN[what]


def test_all_games_are_drawn() -> None:
    """Twice each."""
    assert set(DRAWN) == {*GAMES, *(f"{game} by rows" for game in GAMES), "a result"}


@pytest.mark.parametrize("language", LANGUAGES[1:])
@pytest.mark.parametrize("game", GAMES)
def test_every_element_says_what_it_is_to_its_reader(game: str, language: str) -> None:
    """In the reader's words, whoever looked before: of the English ones only names are among them."""
    view, room = guides.positions(game)[0], pictures.of(game)
    titles = [
        set(re.findall("<title>([^<]*)</title>", room.svg(view, Translator(reads, game=game))))
        for reads in (LANGUAGES[0], language, LANGUAGES[0])
    ]

    assert titles[0] == titles[2]
    assert len(titles[0] & titles[1]) < len(titles[0]) / 5
