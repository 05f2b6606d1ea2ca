"""Bots are called in the reader's language on every page: of a game, a seat, a person and a club."""

from __future__ import annotations

from html import unescape
from http import HTTPStatus
from typing import TYPE_CHECKING

import msgspec
import pytest

from pbem.engine.core.types import Outcome
from pbem.engine.registry import rules_of
from pbem.messages import Translator, bot_name
from pbem.play.views.seat_view import colour_of
from pbem.store.models import Club, Player
from tests import factories

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.web.conftest import Table

TOLD = frozenset({"seat_id", "slug", "ply", "game", "player_id"})
"""What the addresses of pages about a game, a seat, a club or a person name."""


def pages(table: Table, language: str) -> Iterator[tuple[str, str]]:
    """Every page of the walk that opens for Alice, by its route, read with what it draws and what its pictures say."""
    session, browser = table.db.session(), table.alice.at_home()
    club = session.get_one(Club, table.game.club_id)
    named = {"seat_id": table.alice.seat_id, "ply": 3, "game": table.game.game, "player_id": table.alice.player_id}
    for rule in table.app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or not rule.arguments <= TOLD or rule.endpoint.startswith("api"):
            continue
        for slug in (table.game.slug, club.slug) if "slug" in rule.arguments else ("",):
            address = rule.build({**{name: named[name] for name in rule.arguments - {"slug"}}, "slug": slug})
            assert address is not None
            answer = browser.get(address[1], headers={"Accept-Language": language})
            if answer.status_code == HTTPStatus.OK and answer.mimetype in {"text/html", "image/svg+xml"}:
                yield rule.endpoint, unescape(answer.text)


def test_a_person_called_as_a_bot_is_stands_in_quotes(set_table: Callable[..., Table]) -> None:
    """A name from before it was refused stays, and nobody at the table takes its bearer for a bot."""
    table = set_table(game="priestsofra", people=2, bots=("random",))
    session = table.db.session()
    session.get_one(Player, table.bob.player_id).name = "Blue bot"
    session.commit()

    assert "“Blue bot”" in unescape(table.alice.at_home().get(f"/seat/{table.alice.seat_id}").text)


@pytest.mark.parametrize("language", ["it", "fr"])
def test_no_page_calls_a_bot_in_english(set_table: Callable[..., Table], language: str) -> None:
    """While the game runs, and when it is over and the bot has won it."""
    here = factories.near_the_end("priestsofra", 3)
    table = set_table(game="priestsofra", people=2, bots=("random",), here=here)
    session = table.db.session()
    factories.in_a_club(session, table.game, table.alice.player_id, table.bob.player_id)
    session.get_one(Player, table.alice.player_id).language = language
    (seat,) = [number for number in range(3) if number not in {table.alice.seat, table.bob.seat}]
    english = bot_name(colour_of(rules_of(table.game.game), seat))
    said = Translator(language, game=table.game.game).called(english)
    table.go_on()
    session.commit()

    seen = list(pages(table, language))
    factories.play_to_the_end(session, factories.START, table.game)
    ended = msgspec.json.decode(table.game.outcome or b"", type=Outcome)
    won = msgspec.structs.replace(ended, places=tuple(1 if number == seat else 2 for number in range(3)))
    table.game.outcome = msgspec.json.encode(won)
    session.commit()
    seen += pages(table, language)

    assert said != english
    assert [route for route, page in seen if english in page] == []
    named = {route for route, page in seen if said in page}
    assert {"organiser.game", "play.decide", "history.ply", "score.of_seat", "club.home"} <= named
    assert {"results.show", "results.picture"} <= named
