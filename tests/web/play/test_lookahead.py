"""Two decisions on one page: the second form comes with the preview of the first, and both are sent as one order."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.capabilities import api_keys
from pbem.letters import sections
from pbem.messages import Translator
from pbem.play.deadlines.cadence import CADENCES
from pbem.play.turns.advance import advance
from pbem.play.views import seat_view
from pbem.store.models import StoredOrder, StoredPly, StoredStandingOrders
from tests import factories
from tests.engine.amunre.tables import position
from tests.web.conftest import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.web.conftest import Browser, Table


ORDERS = ("ship to A03", "ship to Obelisk, slot 1", "ship to Pyramid, slot 1")
"""Three ships in a row, because Bob has passed."""


@pytest.fixture
def table(set_table: Callable[..., Table]) -> Table:
    """Egizia before a ship of Alice's; she sails on alone as long as she likes."""
    return set_table(game="egizia", people=2, bots=(), seed="e", plays=10, options={"ships": "in_turn"})


@pytest.fixture
def path(table: Table) -> str:
    """Alice's decision page."""
    return f"/seat/{table.alice.seat_id}/decide"


@pytest.fixture
def browser(table: Table) -> Browser:
    """Alice's browser."""
    return table.alice.opened()


STEPS = ({"f-to": "A03"}, {"kind-2": "ship", "f2-to": "Obelisk slot 1"}, {"kind-3": "ship", "f3-to": "Pyramid slot 1"})


def chosen(count: int) -> dict[str, str]:
    """What a browser posts once the first `count` steps are chosen."""
    return {name: value for step in STEPS[:count] for name, value in step.items()}


def test_each_choice_brings_the_form_of_the_next_step(table: Table, path: str, browser: Browser) -> None:
    """Without a script: each look at the order shows one form more, filled in as posted; three steps are the most."""
    first = browser.get(path)
    assert 'name="f2-to"' not in first.text
    for count in (1, 2, 3):
        page = browser.send(path, chosen(count), ply=table.game.ply + 1)
        forms = re.findall(r'name="kind-(\d)" value="ship"', page.text)

        assert page.status_code == 200
        assert forms == ["2", "3"][:count]
        assert f'name="seen" value="{"; then ".join(ORDERS[:count])}"' in page.text
        assert words(page).count("Then: You") == count - 1
    assert re.search(r'name="f2-to" value="Obelisk slot 1"[^>]* checked', page.text)
    assert re.search(r'name="f2-to"[^>]*data-target', page.text) is None


def test_the_script_gets_the_next_form_beside_the_preview(table: Table, path: str, browser: Browser) -> None:
    """The partial answer is the preview and, to be put in its own place, the form that follows."""
    fields = {"csrf_token": browser.token(path), "ply": table.game.ply + 1, **chosen(1)}
    page = browser.client.post(path, data=fields, headers={"HX-Request": "true", "HX-Target": "div#preview"})

    assert "<html" not in page.text
    assert page.text.index('value="send"') < page.text.index('id="onward" data-hx-swap-oob="innerMorph"')
    assert 'name="f2-to"' in page.text


def test_all_steps_are_sent_as_one_order_and_played_at_once(table: Table, path: str, browser: Browser) -> None:
    """One row holds the order, a private chain the rest; carried on, three plies of Alice's follow one another."""
    ply = table.game.ply
    sent = browser.send(path, chosen(3), ply=ply + 1, act="send", seen="; then ".join(ORDERS), follow=True)
    session = table.db.session()
    row = (
        session.execute(select(StoredOrder).where(StoredOrder.source == "web").order_by(StoredOrder.id.desc()))
        .scalars()
        .first()
    )
    chain = session.execute(select(StoredStandingOrders)).scalar_one()

    assert row is not None
    assert (row.canonical, chain.kind, chain.text) == (ORDERS[0], "then", "\n".join(ORDERS[1:]))
    assert f"Then: {'; then '.join(ORDERS[1:])}" in words(sent)
    advance(session, factories.START, table.game.id)
    session.commit()
    played = session.execute(
        select(StoredPly.orders).where(StoredPly.game_id == table.game.id, StoredPly.ply > ply).order_by(StoredPly.ply)
    )
    assert list(played.scalars())[:3] == [{str(table.alice.seat): order} for order in ORDERS]


def test_what_was_not_seen_is_not_sent(table: Table, path: str, browser: Browser) -> None:
    """A second step chosen after the last look is shown first, like any change."""
    page = browser.send(path, chosen(2), ply=table.game.ply + 1, act="send", seen=ORDERS[0])

    assert f'name="seen" value="{"; then ".join(ORDERS[:2])}"' in page.text
    assert table.db.session().execute(select(StoredStandingOrders)).first() is None


def test_a_step_left_open_is_asked_in_turn(table: Table, path: str, browser: Browser) -> None:
    """The second form untouched, only the first order goes out."""
    sent = browser.send(path, {**chosen(1), "kind-2": "ship"}, ply=table.game.ply + 1, act="send", seen=ORDERS[0])

    assert sent.status_code == 303
    assert table.db.session().execute(select(StoredStandingOrders)).first() is None


def test_an_impossible_later_step_is_refused_with_all_that_was_chosen(
    table: Table, path: str, browser: Browser
) -> None:
    """The same space twice: the sentence names it, the first choice stays ticked, nothing can be sent."""
    page = browser.send(path, {**chosen(1), "kind-2": "ship", "f2-to": "A03"}, ply=table.game.ply + 1)

    assert page.status_code == 422
    assert "ship to A03" in words(page)
    assert re.search(r'name="f-to" value="A03"[^>]* checked', page.text)
    assert 'value="send"' not in page.text


def test_a_typed_chain_is_told_in_words_too(table: Table, path: str, browser: Browser) -> None:
    """`a; then b` in the text field: the words of b, and the form of the third step below."""
    page = browser.send(path, {"text": "; then ".join(ORDERS[:2])}, ply=table.game.ply + 1)

    assert "Then: You" in words(page)
    assert 'name="kind-3"' in page.text


def test_a_draft_keeps_its_chain(table: Table, path: str, browser: Browser) -> None:
    """Kept for the deadline, played then with all that follows it."""
    session, ply = table.db.session(), table.game.ply
    text = "; then ".join(ORDERS[:2])
    kept = browser.send(path, {"text": text}, ply=ply + 1, act="draft", seen=text, follow=True)
    assert f"Your draft is kept {text}" in words(kept)

    session.refresh(table.game)
    assert table.game.cover_at is not None
    advance(session, table.game.cover_at, table.game.id)
    session.commit()
    two = select(StoredPly.orders, StoredPly.hands).where(StoredPly.ply.in_((ply + 1, ply + 2)))
    played = session.execute(two.order_by(StoredPly.ply)).all()
    seat = str(table.alice.seat)
    assert [(row.orders[seat], row.hands[seat]) for row in played] == [
        (ORDERS[0], "autopilot"),
        (ORDERS[1], "standing"),
    ]


def test_the_letter_says_how_to_answer_both(table: Table) -> None:
    """An order that leads straight on, what is asked then, and both answers in one line."""
    seen = seat_view.situation(table.db.session(), factories.START, table.alice.seat_id)
    asked = sections.asked_of(seen, Translator("en", "UTC", ["Alice", "Bob"]), "play.x@club.example")

    assert asked is not None
    assert asked.notes[-1].startswith("After “ship to A03” you are asked at once: Where do you place a ship?")
    assert asked.notes[-1].endswith("such as “ship to A03; then ship to Obelisk, slot 1”.")


def test_a_program_is_told_what_follows(table: Table) -> None:
    """The preview of the API: the later orders in words, and the form of the decision that is sure to follow."""
    session = table.db.session()
    key = api_keys.issue_for_seat(session, factories.START, table.alice.player_id, table.alice.seat_id, "script")
    session.commit()
    answer = table.bob.browser.client.post(
        f"/api/v1/seats/{table.alice.seat_id}/preview",
        json={"text": "; then ".join(ORDERS[:2])},
        headers={"Authorization": f"Bearer {key}"},
    ).get_json()

    assert answer["canonical"] == ORDERS[0]
    assert answer["then"] == [ORDERS[1]]
    assert [line[:4] for line in answer["later"]] == ["You "]
    assert answer["next"]["kind"] == "ship"
    assert answer["next"]["form"]["groups"]


REWARDS = """
    3 players
    game: temple 2, total 8
    Red: owns Mendes, gold 9, offered 4, items 3
    Black: owns Abu, gold 9, offered 2, items 2
    Blue: owns Buto, gold 9, offered 2, items 1
    asked: take by Red Black Blue
"""


def test_who_takes_no_card_says_at_once_where_the_items_go(set_table: Callable[..., Table]) -> None:
    """The question after the others' choices stands on the same page, and the letter says so; both are sent as one."""
    table = set_table(game="amunre", people=3, bots=(), here=position(REWARDS), cadence=CADENCES["blitz"])
    session, path, browser = table.db.session(), f"/seat/{table.alice.seat_id}/decide", table.alice.opened()
    ply = table.game.ply + 1
    seen = seat_view.situation(session, factories.START, table.alice.seat_id)
    asked = sections.asked_of(seen, Translator("en", "UTC", ["Alice", "Bob", "Charlie"]), "play.x@club.example")
    assert asked is not None
    assert asked.notes[-1].startswith("With “take no cards” you can answer the next question at once:")
    page = browser.send(path, {"f-cards": "0"}, ply=ply)
    assert "What the others do meanwhile changes nothing here" in words(page)
    assert 'name="kind-2" value="harvest"' in page.text
    assert 'name="kind-2"' not in browser.send(path, {"f-cards": "1"}, ply=ply).text

    dear = browser.send(path, {"f-cards": "0", "kind-2": "harvest", "f2-stones:Mendes": "x"}, ply=ply)
    assert (dear.status_code, 'value="harvest"' in dear.text) == (422, True)  # what was typed there can be changed

    both = "take no cards; then stones 3 Mendes"
    fields = {"f-cards": "0", "kind-2": "harvest", "f2-stones:Mendes": "3"}
    browser.send(path, fields, ply=ply, act="send", seen=both, follow=True)
    seats = [decision.seat for decision in factories.asked(session, table.game)]
    assert seats == [1, 2]
    for seat in seats:
        assert factories.answer(session, factories.START, table.game, seat, "take no cards", ply=ply).accepted
    advance(session, factories.START, table.game.id)
    session.commit()

    assert [decision.seat for decision in factories.asked(session, table.game)] == [1, 2]
    for seat in seats:
        text = ("stones 2 Abu", "stones 1 Buto")[seat - 1]
        assert factories.answer(session, factories.START, table.game, seat, text, ply=ply + 1).accepted
    advance(session, factories.START, table.game.id)
    session.commit()
    played = session.execute(
        select(StoredPly.orders, StoredPly.hands).where(StoredPly.game_id == table.game.id, StoredPly.ply >= ply)
    ).all()
    assert [(one.orders["0"], one.hands["0"]) for one in played] == [
        ("take no cards", "player"),
        ("stones 3 Mendes", "standing"),
    ]
