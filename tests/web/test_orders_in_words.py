"""Orders on pages are written as the reader's language writes them: every page of a seat, a game and the rules."""

from __future__ import annotations

import re
from html import unescape
from http import HTTPStatus
from itertools import cycle
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.engine.registry import GAMES, rules_of
from pbem.messages import LANGUAGES, Translator
from pbem.play.orders import standing_orders, submission
from pbem.store.models import Club, GameState, Member, Player, StoredPly
from tests import factories

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from tests.web.conftest import Browser, Table

TOLD = frozenset({"seat_id", "slug", "ply", "game", "player_id"})
"""What the addresses of pages about a game, a seat, a club, a person or a game's rules name."""
CANONICAL = frozenset({"public.record", "rules.picture"})
"""Files for programs, and pictures."""
PARTS = frozenset({"play.now"})
"""What an open page puts into itself, which says in which language it is."""


PAIRS = [*zip(GAMES, cycle(LANGUAGES[1:]), strict=False)]
"""Each game in one language, each language at least once; tests/web/public/test_results.py asks for all pairs."""


@pytest.mark.parametrize(("game", "language"), PAIRS)
def test_orders_are_written_in_the_readers_language(set_table: Callable[..., Table], game: str, language: str) -> None:
    """No page shows its reader an order in English: while the game runs, and when it is over and tells all."""
    table = set_table(game=game, seed="in words")
    session, say = table.db.session(), Translator(language, game=game)
    club = factories.ClubFactory()
    table.game.club_id, table.game.organiser_id = club.id, table.alice.player_id
    session.add(Member(club_id=club.id, player_id=table.alice.player_id, role="organiser", joined_at=factories.START))
    session.get_one(Player, table.alice.player_id).language = language
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
    assert {language for _, language in PAIRS} == set(LANGUAGES[1:])
    browser = table.alice.opened()
    browser.get(table.alice.own_link)
    loaded: set[str] = set()
    wrong = list(_found(table, browser, english, language, loaded))
    table.game.state, table.game.finished_at = GameState.ENDED, factories.START
    session.commit()

    wrong += _found(table, browser, english, language, loaded)
    assert not wrong, "\n".join(map(str, wrong))
    assert {"play.decide", "club.home", "organiser.game", "season.all", "public.watch"} <= loaded


def left_in(page: str, english: Collection[str]) -> Iterator[str]:
    """Each of these orders that a page shows, with what stands round it."""
    seen = " ".join(unescape(re.sub(r"(?s)<style\b.*?</style>|<[^>]+>", " ", page)).split())
    for order in english:
        at = re.search(rf"(?<!\w){re.escape(' '.join(order.split()))}(?!\w)", seen)
        if at:
            yield seen[max(at.start() - 40, 0) : at.end() + 40]


def _found(
    table: Table, browser: Browser, english: list[str], language: str, loaded: set[str]
) -> Iterator[tuple[str, str]]:
    """Every page with an order of these on it, and what stands round it; the pages are noted in `loaded`."""
    club = table.db.session.get_one(Club, table.game.club_id)
    named = {"seat_id": table.alice.seat_id, "slug": table.game.slug, "ply": table.game.ply, "game": table.game.game}
    named |= {"player_id": table.alice.player_id}
    for rule in table.app.url_map.iter_rules():
        api = rule.endpoint.startswith("api")
        if "GET" not in (rule.methods or ()) or not rule.arguments or not rule.arguments <= TOLD or api:
            continue
        if rule.endpoint in CANONICAL:
            continue
        slug = {"slug": club.slug} if rule.rule.startswith("/club/") else {}
        address = rule.build({name: (named | slug)[name] for name in rule.arguments})
        assert address is not None
        answer = browser.get(f"{address[1]}?language={language}", headers={"Accept-Language": language})
        if answer.status_code != HTTPStatus.OK or answer.mimetype != "text/html":
            continue
        loaded.add(rule.endpoint)
        if rule.endpoint not in PARTS:
            assert f'lang="{language}"' in answer.text, rule
        assert not re.search(r"\b[A-Z][A-Za-z]+\(\w+=", answer.text), (rule, "shows a program's value, not a text")
        yield from ((rule.endpoint, told) for told in left_in(answer.text, english))
