"""Why a game waits: the same sentences, from the scheduler, on the page, in the letter and for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select, update

from pbem.capabilities import api_keys
from pbem.letters import context
from pbem.letters.sections import players_of, waiting_of, winners_of
from pbem.letters.writer import preview
from pbem.messages import Translator
from pbem.play.deadlines import absences, fallback
from pbem.play.seats import sitters
from pbem.play.views import seat_view
from pbem.store.models import GameState, Letter, OpenDecision, Player
from tests import factories
from tests.letters.test_writer import HOUSE
from tests.web.conftest import words

if TYPE_CHECKING:
    from tests.web.conftest import Guest, Table

WHO = "Waiting for {alice} since Monday 2 March, 12:00 UTC."
ACCEPTED = "Monday 2 March, 12:01 UTC"
REMINDER = "Tuesday 3 March, 12:00 UTC"
RULE = (
    "Everybody has at least 48 hours for a decision, of which 12 in their own waking hours; 12 hours after that it is"
    " made for them."
)


def asked_api(table: Table, guest: Guest) -> dict[str, object]:
    """What a program is told for a guest's seat."""
    session = table.db.session()
    key = api_keys.issue_for_seat(session, factories.START, guest.player_id, guest.seat_id, "script")
    session.commit()
    answer = guest.browser.client.get(f"/api/v1/seats/{guest.seat_id}", headers={"Authorization": f"Bearer {key}"})
    found: dict[str, object] = answer.get_json()["why"]
    return found


def test_who_since_when_and_by_which_rule_everywhere(table: Table) -> None:
    """Bob's page, a report to him and his program name Alice, the letter she got, her reminder and the rule."""
    session = table.db.session()
    session.execute(update(Player).values(zone="UTC"))
    accepted = factories.START.replace(minute=1)
    session.execute(update(OpenDecision).where(OpenDecision.seat == table.alice.seat).values(letter_at=accepted))
    session.execute(update(Letter).where(Letter.kind == "your_turn").values(kind="phase_report"))
    report = session.execute(select(Letter).where(Letter.kind == "phase_report")).scalars().first()
    assert report is not None
    report.seat, report.player_id = table.bob.seat, table.bob.player_id
    session.commit()
    data = context.context(session, factories.START, report)
    assert data is not None
    letter = " ".join(preview(data, HOUSE)[0].text.split())
    page = words(table.bob.opened().get(f"/seat/{table.bob.seat_id}"))
    why = asked_api(table, table.bob)

    who = WHO.format(alice=table.alice.name)
    assert page.count(who) == 2, "above the board, and with the moments that follow from it"
    for text in (who, ACCEPTED, REMINDER, RULE):
        assert text in page
        assert (text in letter) == (text != RULE)  # a letter says the moments that come of the rule
    assert (why["said"], why["rule"], why["who"]) == (who, RULE, [table.alice.seat])
    assert str(why["letter_at"]).startswith("2026-03-02T12:01")
    assert str(why["next_reminder_at"]).startswith("2026-03-03T12:00")
    assert str(why["then"]).startswith("Whoever has not answered by Thursday 5 March")


def test_who_is_alone_awaited_is_told_so_and_not_by_name(table: Table) -> None:
    """On their own pages, as in their letters; another player's page names them."""
    table.db.session.execute(update(Player).values(zone="UTC"))
    table.db.session.commit()
    who = WHO.format(alice=table.alice.name)

    for path in ("", "/decide"):
        own = words(table.alice.opened().get(f"/seat/{table.alice.seat_id}{path}"))
        assert "The game waits for you alone." in own
        assert who not in own
    assert who in words(table.bob.opened().get(f"/seat/{table.bob.seat_id}"))


def test_what_comes_at_the_deadline_is_told_by_ones_own_ladder(table: Table) -> None:
    """Only to its owner, and honestly where the bot may never decide."""
    fallback.set_ladder(table.db.session(), table.alice.seat_id, ["draft", "cautious"], never=["turn"])
    table.db.session.commit()

    assert str(asked_api(table, table.alice)["then"]).startswith("This decision is never left to the bot")
    assert str(asked_api(table, table.bob)["then"]).startswith("Whoever has not answered")


def test_who_is_away_and_who_sits_in_stands_at_the_seat(table: Table) -> None:
    """For everybody who plays there, while it lasts: not before, not once the days are given up, not for spectators."""
    session, alice, now = table.db.session(), table.alice, factories.START
    session.execute(update(Player).values(zone="UTC"))
    factories.in_a_club(session, table.game, table.charlie.player_id)
    row = absences.announce(session, now, alice.player_id, now, now + factories.hours(48))
    absences.announce(session, now, alice.player_id, now + factories.hours(40), now + factories.hours(72))
    absences.announce(session, now, table.bob.player_id, now + factories.hours(1), now + factories.hours(5))
    span = (now, now + factories.hours(48))
    sitters.appoint(session, now, alice.seat_id, table.charlie.player_id, *span)
    session.commit()
    told = ("away until Thursday 5 March, 12:00 UTC", f"{table.charlie.name} sits in")

    for guest in (alice, table.bob):
        page = words(guest.opened().get(f"/seat/{guest.seat_id}"))
        assert [page.count(one) for one in (*told, "away until")] == [1, 1, 1]
    watched = words(table.bob.opened().get(f"/games/{table.game.slug}"))
    assert [one in watched for one in ("Players", "away until", "sits in")] == [True, False, False]
    for one in absences.coming(session, now, alice.player_id):
        absences.cancel(session, now, one.id, alice.player_id)
    session.commit()
    assert row.id
    assert "away until" not in words(table.bob.opened().get(f"/seat/{table.bob.seat_id}"))


def test_a_paused_game_waits_for_nobody_alone(table: Table) -> None:
    """Whoever is asked in it reads that it rests, on the page and in a letter."""
    table.game.state = GameState.PAUSED
    table.db.session.commit()
    seen = seat_view.situation(table.db.session(), factories.START, table.alice.seat_id)

    page = words(table.alice.opened().get(f"/seat/{table.alice.seat_id}"))

    assert not seen.waits_for_reader
    assert "The game is paused by the organiser." in page
    assert "The game is paused by the organiser." in waiting_of(seen, Translator("en"))


def test_a_letter_about_a_game_that_nobody_won_names_no_winner(table: Table) -> None:
    """How it ended stands in its heading; it waits for nothing any more, and so does nobody at it."""
    session = table.db.session()
    table.game.state = GameState.ENDED
    session.commit()
    seen, say = seat_view.situation(session, factories.START, table.alice.seat_id), Translator("en")

    assert winners_of(seen, say) == ()
    assert waiting_of(seen, say) == ""
    assert sorted(line.state for line in players_of(seen, say) if line.state) == ["you"]
