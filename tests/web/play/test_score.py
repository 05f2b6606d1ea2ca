"""The scoring sheet: what the pages tell of it, for every game, and never more than the reader's view knows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

import msgspec
import pytest

from pbem.engine import replay
from pbem.engine.core import records
from pbem.engine.core.rng import Rng
from pbem.engine.core.sheet import ScoreSheet
from pbem.engine.kit.game import DeclaredGame
from pbem.engine.priestsofra.data import EPOCHS, LAST_SUN
from pbem.engine.registry import GAMES, rules_of
from tests import factories
from tests.engine.test_records import RECORDS
from tests.factories import START
from tests.web.conftest import words

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.web.conftest import Table


@pytest.mark.parametrize("game", GAMES)
def test_a_page_tells_each_source_and_what_is_left(set_table: Callable[..., Table], game: str) -> None:
    """One tap from the decision: every source by name, everybody's points, what one more is worth, what can happen."""
    table = set_table(game=game, people=2, bots=("random",))
    browser = table.alice.opened()
    path = f"/seat/{table.alice.seat_id}/score"
    assert f'href="{path}"' in browser.get(f"/seat/{table.alice.seat_id}/decide").text

    page = browser.get(path)

    told = words(page).lower()
    rules = rules_of(game)
    sheet = rules.score_sheet(rules.view(factories.state(table.db.session(), table.game), table.alice.seat))
    assert page.status_code == 200
    assert len(page.data) < 100_000
    assert sheet.sources
    assert sheet.left
    assert sheet.to_come
    for name in [source.name for source in sheet.sources]:
        assert name.lower() in told
    assert table.bob.name.lower() in told


def test_a_game_that_is_over_is_looked_back_on(set_table: Callable[..., Table]) -> None:
    """The sheet tells what may still come: of what is over its address leads on, as the game's one button does."""
    table = set_table(here=factories.near_the_end("priestsofra", 3))
    browser, seat = table.alice.at_home(), f"/seat/{table.alice.seat_id}"
    factories.play_to_the_end(table.db.session(), START, table.game)
    result = f"/games/{table.game.slug}/result"

    page = browser.get(seat).text
    led = [browser.get(f"{place}/score").request.path for place in (seat, f"/games/{table.game.slug}")]

    assert led == [result] * 2
    assert re.findall(r'class="button primary" href="([^"]+)"', page) == [result]
    assert page.index(result) < page.index('id="board"')


def test_spectators_see_their_own_sheet(table: Table) -> None:
    """Who may watch sees no seat's secrets; a stranger to a closed game finds nothing."""
    page = table.charlie.opened().get(f"/games/{table.game.slug}/score")

    assert page.status_code == 200
    assert "What one more is worth to you" not in page.text


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seat", [0, None])
def test_it_knows_no_more_than_the_view(game: str, seat: int | None) -> None:
    """Two states that differ only in what a reader may not see give the same sheet, byte for byte."""
    rules = rules_of(game)
    seats = rules.meta.seats[-1]
    chance = Rng("sheet", 0)
    state = rules.setup(seats, {}, chance).state
    differ = 0
    for ply in range(1, 120):
        asked = rules.awaited(state)
        if not asked:
            break
        orders = {one: rules.sample(state, one, chance) for one in asked}
        state = rules.resolve(state, orders, Rng("sheet", ply)).state
        view = rules.view(state, seat)
        other = rules.imagine(view, Rng("other", ply))
        differ += other != state
        assert msgspec.json.encode(rules.score_sheet(rules.view(other, seat))) == msgspec.json.encode(
            rules.score_sheet(view)
        )
    assert differ or not rules.meta.hidden_chance  # else nothing was hidden and nothing was proved


@pytest.mark.parametrize("path", [path for path in RECORDS if "ra-track" in path.stem], ids=lambda path: path.stem)
def test_the_sheet_foretells_the_scoring_that_a_ra_tile_brings(path: Path) -> None:
    """Where the last Ra tile alone ends an epoch, each line of its scoring stood on the sheet before."""
    record = records.parse(path.read_text(encoding="utf-8"))
    rules = rules_of(record.game, record.version)
    before, compared = ScoreSheet(()), 0
    for step in replay.play(record):
        if len(step.state.sheets) > compared:
            compared += 1
            if step.state.endings[-1] != LAST_SUN:
                lines = 8 if compared == EPOCHS else 4
                told = [source.points for source in before.sources[:lines]]
                assert told == [tuple(row[at] for row in step.state.sheets[-1]) for at in range(lines)]
        before = rules.score_sheet(rules.view(step.state, None))

    assert compared == EPOCHS
    assert before.scored == tuple(step.state.points)
    assert before.sources == ()


def test_a_game_without_a_sheet_of_its_own_tells_what_all_worlds_agree_on() -> None:
    """A game of the kit: points that are the same in every position that fits the view; else nothing is claimed."""

    class Open:
        """Two seats; what the second has hangs on something hidden."""

        def imagine(self, _view: object, chance: Rng) -> int:
            return chance.below(100)

        def scores(self, hidden: int) -> tuple[int, int]:
            return 7, hidden

    found = DeclaredGame.score_sheet(cast("Any", Open()), None)

    assert found == ScoreSheet((7, None))
