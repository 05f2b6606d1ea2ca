from __future__ import annotations

import re
from collections import Counter
from html import unescape
from typing import TYPE_CHECKING

import pytest

from pbem.engine.core.forms import Count, Pick
from pbem.engine.registry import GAMES, rules_of
from pbem.play.turns.advance import advance
from pbem.play.views import seat_view
from pbem.web.play import decision_form
from tests import factories
from tests.web.conftest import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.engine.core.forms import Form
    from tests.web.conftest import Table

MOST = 60
"""Plies played."""
OFTEN = 4
"""Decisions of a kind that are played through the door; the others of that kind are answered beside it."""


def inputs(html: str) -> set[tuple[str, str]]:
    """Every field and value a form offers: radio buttons, ticks, and lists."""
    found = {(unescape(n), unescape(v)) for n, v in re.findall(r'name="f-([^"]+)" value="([^"]*)"', html)}
    for name, options in re.findall(r'(?s)<select id="[^"]*" name="f-([^"]+)"[^>]*>(.*?)</select>', html):
        found |= {(unescape(name), value) for value in re.findall(r'<option value="([^"]*)"', options)}
    return found


def previewed(html: str) -> str:
    """The canonical text a preview shows, as a browser would send it back."""
    found = re.search(r'name="seen" value="([^"]*)"', html)
    assert found, html
    return unescape(found[1]).replace("\n", "\r\n")


def said_twice(html: str) -> list[str]:
    """The headings below which a field's name is shown that says the same."""
    groups = re.findall(r"(?s)<h3>([^<]+)</h3>(.*?)(?=<h3>|</form>)", html)
    return [title for title, rest in groups if f"<legend>{title}</legend>" in rest]


def wanted(form: Form) -> set[tuple[str, str]]:
    """Every choice of a game's form."""
    found: set[tuple[str, str]] = set()
    for field in decision_form.fields_of(form):
        if isinstance(field, Pick):
            found |= {(field.name, choice.value) for choice in field.choices}
        elif isinstance(field, Count):
            found |= {(field.name, str(number)) for number, _ in decision_form.numbers(field)}
    return found


@pytest.mark.parametrize("game", GAMES)
def test_every_decision_has_its_page_with_every_choice(set_table: Callable[..., Table], game: str) -> None:
    """Played through the page by order text: each page shows all that can be chosen once, previews it and takes it."""
    table = set_table(game=game, people=2, bots=("random",), seed="door")
    session, alice = table.db.session(), table.alice
    browser, path, kinds = alice.opened(), f"/seat/{alice.seat_id}/decide", Counter[str]()

    for _ in range(MOST):
        asked = {decision.seat: decision.kind for decision in factories.asked(session, table.game)}
        through = {alice.seat} & {seat for seat, kind in asked.items() if kinds[kind] < OFTEN}
        if through:
            s = seat_view.situation(session, factories.START, alice.seat_id)
            form, order = rules_of(game).form(s.view), table.order()
            kinds[asked[alice.seat]] += 1
            page = browser.get(path)
            seen = previewed(browser.send(path, ply=table.game.ply + 1, text=order).text)
            sent = browser.send(path, act="send", ply=table.game.ply + 1, text=order, seen=seen)

            assert wanted(form) <= inputs(page.text), (game, order)
            assert sent.status_code == 303, words(sent)
            assert not said_twice(page.text)
            session.rollback()
        for seat in asked.keys() - through:
            assert factories.answer(session, factories.START, table.game, seat).accepted
        advance(session, factories.START, table.game.id)
        session.commit()
        session.refresh(table.game)
        if table.game.state != "running":
            break

    assert len(kinds) >= 2
