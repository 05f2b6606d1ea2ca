from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from pbem.engine.registry import GAMES, rules_of
from pbem.web.public import rulebook
from tests.web.conftest import words

if TYPE_CHECKING:
    from flask.testing import FlaskClient


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_can_be_pointed_at(game: str) -> None:
    """Each rule id of RULES.md that begins a line has its text and its anchor on the page, once."""
    found = rulebook.rules(game)
    anchors = re.findall(r' id="([A-Z]{2}-[^"]+)"', rulebook.page(game))

    assert len(found) > 20
    assert set(found) <= set(anchors)
    assert len(anchors) == len(set(anchors))
    assert all(len(topic.text) > 3 for topic in found.values())


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_page_shows_orders_and_facts(client: FlaskClient, game: str) -> None:
    """Beside the text stand every form of order with its example and every fact for conditions."""
    page = client.get(f"/rules/{game}")

    assert page.status_code == 200
    assert all(row.example in words(page) for row in rules_of(game).grammar)
    assert all(f"<code>{name}</code>" in page.text for name in rules_of(game).facts_help)
    assert page.text.count("<h1") == 1


def test_marks_become_elements_and_nothing_else_does() -> None:
    """Bold, emphasis and code are marked up; whatever else looks like HTML is text."""
    assert rulebook.inline("**Bid** *at least* `3` <script>") == (
        "<strong>Bid</strong> <em>at least</em> <code>3</code> &lt;script&gt;"
    )
