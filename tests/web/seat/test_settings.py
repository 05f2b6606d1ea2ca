from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.capabilities import links
from pbem.cli.demo.correspondent import Page
from pbem.play.deadlines import waiting_reasons
from pbem.play.seats import sitters
from pbem.play.turns.advance import advance
from pbem.store.models import GameState, Member, Proposal, Seat, Sitter, StoredOrder, Vote
from tests import factories
from tests.web.conftest import Browser, words

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.web.conftest import Guest, Table


def path(guest: Guest) -> str:
    """A guest's page about their seat."""
    return f"/seat/{guest.seat_id}/settings"


def seat(table: Table, guest: Guest) -> Seat:
    """The seat as stored now."""
    table.db.session.rollback()
    return table.db.session.get_one(Seat, guest.seat_id)


def test_the_safety_net_is_kept_in_its_order(table: Table) -> None:
    """What answers at a missed deadline, and what the bot may never decide, are stored and shown to the player only."""
    browser = table.alice.opened()

    browser.send(path(table.alice), {"rung": ["standing", "draft", ""], "never": ["bid"]}, act="ladder")

    kept = seat(table, table.alice)
    assert (kept.ladder, kept.never) == (["standing", "draft"], ["bid"])
    assert 'value="standing" selected' in browser.get(path(table.alice)).text
    assert table.bob.opened().get(path(table.alice)).status_code == 404


def test_while_a_game_rests_its_page_says_why_nothing_is_taken_back(table: Table) -> None:
    """Not that the last step was somebody else's: it may have been the reader's own."""
    for state in (GameState.PAUSED, GameState.STUCK):
        table.game.state = state
        table.game.version += 1
        table.db.session.commit()
        page = words(table.alice.opened().get(path(table.alice)))

        assert waiting_reasons.STILL[state] in page
        assert "the last step wasn't yours alone" not in page


def test_a_draft_waits_for_the_deadline(table: Table) -> None:
    """Kept as a draft, an order answers nothing yet; the page says so and fills it in."""
    browser, decide = table.alice.opened(), f"/seat/{table.alice.seat_id}/decide"

    page = browser.send(decide, {"f-action": "ra"}, act="draft", ply=table.game.ply + 1, seen="ra", follow=True)

    table.db.session.rollback()
    assert [
        row.kind for row in table.db.session.execute(select(StoredOrder).where(StoredOrder.source == "web")).scalars()
    ] == ["draft"]
    assert "Your draft is kept" in words(page)
    assert "Your order stands" not in words(page)


def test_a_draft_is_sent_by_one_press(table: Table) -> None:
    """Coming back, its owner reads at once what the draft would do, with the button that sends it as it is."""
    browser, decide = table.alice.opened(), f"/seat/{table.alice.seat_id}/decide"
    browser.send(decide, {"f-action": "ra"}, act="draft", ply=table.game.ply + 1, seen="ra")

    page = browser.get(decide)
    shown = dict(re.findall(r'name="(seen|ply)" value="([^"]+)"', page.text))
    text = re.search(r'<textarea class="code" id="text"[^>]*>([^<]*)<', page.text)
    assert text is not None
    sent = browser.send(decide, shown, act="send", text=text[1], follow=True)

    assert "You call Ra" in words(page)
    assert shown["seen"] == "ra"
    assert "Your order stands" in words(sent)


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({"act": "nonsense"}, "Press one of the buttons"),
        ({"act": "ladder", "rung": "luck"}, "“luck” can't be chosen here"),
        ({"act": "sitter", "starts": "soon", "ends": "2026-03-09"}, "“soon” is no day"),
        ({"act": "take-back"}, "nothing of yours to take back"),
        ({"act": "propose", "kind": "party"}, "Choose what to propose"),
        (
            {"act": "propose", "kind": "rewind", "to_ply": "99"},
            "The game stands at its first position: there is none to go back to.",
        ),
    ],
)
def test_what_cant_be_done_is_said_and_changes_nothing(
    table: Table, rows: Callable[[], str], form: dict[str, str], says: str
) -> None:
    """Each refusal is one sentence in an alert; the database stays as it was."""
    browser = table.alice.opened()
    before = rows()

    page = browser.send(path(table.alice), form)

    assert page.status_code == 409
    assert says in words(page)
    assert Page(page.text).alert
    assert rows() == before


def test_a_proposal_is_voted_on_by_all(table: Table) -> None:
    """Alice proposes to end the game; Bob sees it and refuses, which decides it.

    Who has a vote is told so and offered only the other one.
    """
    table.alice.opened().send(path(table.alice), act="propose", kind="end", reason="It grows late", sure="yes")
    shown = table.bob.opened().get(path(table.bob))
    proposal = table.db.session.execute(select(Proposal)).scalar_one()

    own = table.alice.browser.get(path(table.alice))
    table.bob.browser.send(path(table.bob), act="refuse", proposal=proposal.id)

    assert [re.findall(r'value="(agree|refuse)"', page.text) for page in (shown, own)] == [
        ["agree", "refuse"],
        ["refuse"],
    ]
    assert "You have agreed. Until the vote is over you may still refuse." in words(own)
    assert "Shall the game end here?" in words(shown)
    assert "It grows late" in words(shown)
    table.db.session.rollback()
    assert table.db.session.get_one(Proposal, proposal.id).state == "refused"
    assert {vote.yes for vote in table.db.session.execute(select(Vote)).scalars()} == {True, False}


def test_a_sitter_answers_but_sees_nothing_private(table: Table) -> None:
    """With their own key a sitter decides for the seat and reads the hand-over sheet; notes, talk and seat are shut."""
    session = table.db.session()
    charlie = table.charlie
    factories.in_a_club(session, table.game, charlie.player_id)
    sitters.appoint(
        session,
        factories.START,
        table.alice.seat_id,
        charlie.player_id,
        factories.START,
        factories.START + factories.hours(48),
        "Be bold",
    )
    session.commit()
    own, decide = f"/seat/{table.alice.seat_id}", f"/seat/{table.alice.seat_id}/decide"
    table.alice.opened().send(f"{own}/note", page=own, text="my secret plan")
    browser = charlie.at_home()

    page = browser.get(decide)
    sent = browser.send(decide, {"f-action": "ra"}, act="send", ply=table.game.ply + 1, seen="ra")

    assert "You sit in here" in words(page)
    assert "Be bold" in words(page)
    assert "my secret plan" not in page.text
    assert sent.status_code == 303
    table.db.session.rollback()
    row = table.db.session.execute(select(StoredOrder).where(StoredOrder.source == "sitter")).scalar_one()
    assert (row.player_id, row.canonical) == (charlie.player_id, "ra")
    assert {browser.get(own + tail).status_code for tail in ("/settings", "/talk", "/standing")} == {404}


def test_a_sitter_is_named_from_the_club_and_ended(table: Table) -> None:
    """The list holds members who don't play here; naming one writes them a letter, coming back ends it at once."""
    club = factories.ClubFactory.create_batch(1)[0]
    table.db.session.add(Member(club_id=club.id, player_id=table.charlie.player_id, joined_at=factories.START))
    table.game.club_id = club.id
    table.db.session.commit()
    browser = table.alice.opened()
    shown = browser.get(path(table.alice))

    browser.send(
        path(table.alice), act="sitter", player=table.charlie.player_id, starts="2026-03-03", ends="2026-03-09"
    )
    row = table.db.session.execute(select(Sitter)).scalar_one()
    browser.send(path(table.alice), act="end-sitter", sitter=row.id)

    assert f'<option value="{table.charlie.player_id}">' in shown.text
    table.db.session.rollback()
    assert table.db.session.get_one(Sitter, row.id).ended_at is not None


def test_leaving_hands_the_seat_to_the_bot_and_ends_the_link(table: Table) -> None:
    """Only with a yes; then the old link opens nothing and the cautious bot holds the seat."""
    browser = table.bob.opened()

    left = browser.send(path(table.bob), act="resign", sure="yes", reason="Moving house", follow=True)

    assert left.status_code == 200  # it leads to a page that still opens
    assert left.request.path == "/queue"
    assert seat(table, table.bob).bot == "cautious"
    assert browser.get(f"/seat/{table.bob.seat_id}").status_code == 404
    token = links.player_token(table.tokens, table.bob.player_id, 0)
    assert Browser(table.app.test_client()).get(f"/l/{token}").status_code == 200


@pytest.fixture
def stalling(set_table: Callable[..., Table]) -> Table:
    """Three persons, of whom Alice has let the server answer twice in a row."""
    table = set_table(game="priestsofra", people=3, bots=(), options={"auctions": "in_turn"}, seed="stalling")
    session, now, missed = table.db.session(), factories.START, 0
    while missed < 2:
        (one,) = factories.asked(session, table.game)
        if one.seat == table.alice.seat:
            missed, now = missed + 1, table.game.cover_at or now
        else:
            factories.answer(session, now, table.game, one.seat)
        advance(session, now, table.game.id)
        session.commit()
    return table


def test_the_others_vote_on_who_stalls(stalling: Table) -> None:
    """Bob's page offers it, names who may vote, and takes the vote; Alice's shows the vote and no buttons for it."""
    table, browser = stalling, stalling.bob.opened()
    page = browser.get(path(table.bob))
    assert "2 deadlines missed in a row" in words(page)
    form = {"act": "replace", "stalling": table.alice.seat, "reason": "We wait."}
    page = browser.send(path(table.bob), form, follow=True)

    assert f"Shall a substitute take the seat of {table.alice.name}?" in words(page)
    assert "Propose a substitute" not in words(page)
    page = table.alice.opened().get(path(table.alice))
    assert "We wait." in words(page)
    assert 'value="agree"' not in page.text
    assert "Propose a substitute" not in words(page)
    third = next(n for n in range(3) if n not in {table.alice.seat, table.bob.seat})
    other = table.guest(factories.seat_of(table.db.session(), table.game, third))
    proposal = table.db.session().execute(select(Proposal.id)).scalar_one()
    other.opened().send(path(other), act="agree", proposal=proposal, sure="yes")
    assert seat(table, table.alice).bot == "cautious"


def test_nobody_else_is_offered_for_a_vote(table: Table) -> None:
    """A form made by hand is refused with the rule, and stores nothing."""
    page = table.alice.opened().send(path(table.alice), act="replace", stalling=table.bob.seat)

    assert page.status_code == 409
    assert "let the server answer 2 times in a row" in words(page)
    table.db.session.rollback()
    assert table.db.session.execute(select(Proposal)).first() is None


@pytest.mark.parametrize("people", [1, 2])
def test_going_back_is_proposed_by_pointing_at_a_position(table: Table, people: int) -> None:
    """The film's page of that position has the form; others vote on it, and alone among bots one is there at once."""
    browser, at = table.alice.opened(), f"/seat/{table.alice.seat_id}/ply/0"
    table.go_on()
    if people == 1:
        table.without_bob()
    form = browser.get(at).text.partition("Propose to go back to here")[2]
    shown = dict(re.findall(r'name="(kind|to_ply)" value="([^"]+)"', form))

    answer = browser.send(path(table.alice), shown, page=at, act="propose", reason="A slip of mine")

    assert shown == {"kind": "rewind", "to_ply": "0"}
    assert answer.location == (f"/seat/{table.alice.seat_id}" if people == 1 else path(table.alice))
    assert ("Shall the game go back to position 0?" in words(browser.get(path(table.alice)))) == (people > 1)
