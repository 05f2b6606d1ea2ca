"""The line above a page's heading, where a game is called as the game that is played: it says the name once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pbem.engine.registry import title_of
from tests import factories
from tests.web.test_bot_names import pages

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.web.conftest import Table

ABOVE = re.compile(r'<p class="crumbs">(.*?)</p>\s*<h1>(.*?)</h1>', re.DOTALL)
TAG = re.compile(r"<[^>]*>")


def test_no_page_says_a_games_name_twice_above_its_board(set_table: Callable[..., Table]) -> None:
    """While the game runs, and when it is over."""
    table = set_table(game="priestsofra", people=2, bots=("random",), here=factories.near_the_end("priestsofra", 3))
    session = table.db.session()
    factories.in_a_club(session, table.game, table.alice.player_id, table.bob.player_id)
    table.game.title = title_of(table.game.game)
    session.commit()

    seen = list(pages(table, "en"))
    factories.play_to_the_end(session, factories.START, table.game)
    seen += pages(table, "en")
    told = {
        route: [" ".join(TAG.sub("", part).split()) for part in (*crumbs.split("·"), heading)]
        for route, page in seen
        for crumbs, heading in ABOVE.findall(page)
    }

    assert {"play.game", "public.watch", "results.show", "public.keepsake", "public.verify"} <= set(told)
    assert [(route, parts) for route, parts in told.items() if len(set(parts)) < len(parts)] == []
