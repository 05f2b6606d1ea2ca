"""Orders on pages are written as the reader's language writes them: every page of a seat, a game and the rules."""

from __future__ import annotations

import re
from html import unescape
from http import HTTPStatus
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.engine.registry import GAMES, rules_of
from pbem.messages import Translator
from pbem.play.orders import standing_orders, submission
from pbem.store.models import GameState, Player, StoredPly
from tests import factories

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.web.conftest import Browser, Table

TOLD = frozenset({"seat_id", "slug", "ply", "game"})
"""What the addresses of pages about a game, a seat or a game's rules name."""
CANONICAL = frozenset({"public.record", "rules.picture"})
"""Files for programs, and pictures."""


def test_orders_are_written_in_the_readers_language(set_table: Callable[..., Table], game: str) -> None:
    """No page shows an Italian reader an order in English: while the game runs, and when it is over and tells all."""
    table = set_table(game=game, seed="in words")
    session, say = table.db.session(), Translator("it", game=game)
    session.get_one(Player, table.alice.player_id).language = "it"
    for _ in range(4):
        table.go_on()
    while not any(one.seat == table.alice.seat for one in factories.asked(session, table.game)):
        table.go_on()
    answer = table.order()
    sent = submission.Submission(seat_id=table.alice.seat_id, ply=table.game.ply + 1, text=answer, draft=True)
    assert submission.submit(session, factories.START, sent).accepted
    given = rules_of(game).grammar[0].example
    assert not standing_orders.store(session, factories.START, table.alice.seat_id, f"{given}\nask me").faults
    session.commit()
    orders = {answer, given, *(row.example for row in rules_of(game).grammar)}
    for resolved in session.execute(select(StoredPly.orders).where(StoredPly.game_id == table.game.id)).scalars():
        orders |= set(resolved.values())
    english = sorted(order for order in orders if say.order(order) != order)
    assert len(english) > len(GAMES)
    browser = table.alice.opened()
    wrong = list(_found(table, browser, english))
    table.game.state, table.game.finished_at = GameState.ENDED, factories.START
    session.commit()

    wrong += _found(table, browser, english)
    assert not wrong, "\n".join(map(str, wrong))


def _found(table: Table, browser: Browser, english: list[str]) -> Iterator[tuple[str, str]]:
    """Every page with an order of these on it, and what stands round it."""
    named = {"seat_id": table.alice.seat_id, "slug": table.game.slug, "ply": table.game.ply, "game": table.game.game}
    for rule in table.app.url_map.iter_rules():
        api = rule.endpoint.startswith("api")
        if "GET" not in (rule.methods or ()) or not rule.arguments or not rule.arguments <= TOLD or api:
            continue
        if rule.endpoint in CANONICAL:
            continue
        address = rule.build({name: named[name] for name in rule.arguments})
        assert address is not None
        answer = browser.get(f"{address[1]}?language=it", headers={"Accept-Language": "it"})
        if answer.status_code != HTTPStatus.OK or answer.mimetype != "text/html":
            continue
        page = answer.text
        assert 'lang="it"' in page, rule
        seen = " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())
        for order in english:
            at = re.search(rf"(?<!\w){re.escape(' '.join(order.split()))}(?!\w)", seen)
            if at:
                yield rule.endpoint, seen[max(at.start() - 40, 0) : at.end() + 40]


pytestmark = pytest.mark.parametrize("game", GAMES)
