"""What explains a decision's board is not on its page: each fold names the page that has it, also without scripts."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest

from pbem.engine.registry import GAMES

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.web.conftest import Table

PARTS = {
    "legend": '<dl><div>\n<dt><svg viewBox="0 0 32 24"',
    "glossary": '<div class="glossary stack-l">',
    "textboard": '<pre class="textboard"',
}
"""By what a fold selects: how that begins where it stands."""


@pytest.mark.parametrize("game", GAMES)
def test_folds_lead_to_what_they_fetch(set_table: Callable[..., Table], game: str) -> None:
    """Signs, glossary and text board are fetched from a page that has them, which is also the fold's plain link."""
    table = set_table(game=game)
    browser = table.alice.opened()
    page = browser.get(f"/seat/{table.alice.seat_id}/decide").text
    folds = re.findall(r'<details class="fold[^>]*data-hx-get="([^"]+)"[^>]*data-hx-select="\.(\w+)[^"]*"', page)

    assert {part for _, part in folds} == set(PARTS)
    for address, part in folds:
        assert f'<a href="{address}">' in page
        assert PARTS[part] not in page
        assert PARTS[part] in browser.get(unescape(address)).text
