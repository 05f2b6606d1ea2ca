from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from pbem.cli.demo.correspondent import Page
from pbem.letter_kinds import stoppable
from pbem.play.seats import preferences
from pbem.store.models import Absence, Player, Seat
from tests.web.conftest import words

if TYPE_CHECKING:
    from tests.web.conftest import Table

GOOD: dict[str, Any] = {
    "name": "Alice of Thebes",
    "language": "it",
    "zone": "Europe/Rome",
    "wakes": "07:30",
    "sleeps": "22:00",
    "quiet": "1",
    "digest_hour": "19",
    "kind-your_turn": "1",
}


def path(table: Table) -> str:
    """Alice's settings."""
    return f"/player/{table.alice.player_id}/settings"


def stored(table: Table) -> preferences.Settings:
    """What the database holds."""
    table.db.session.rollback()
    return preferences.read_settings(table.db.session(), table.alice.player_id)


def test_settings_are_kept_and_change_the_pages_language(table: Table) -> None:
    """Everything in the form is stored; from then on the pages speak that language."""
    browser = table.alice.at_home()

    page = browser.send(path(table), follow=True, **GOOD)

    kept = stored(table)
    assert (kept.name, kept.language, kept.zone) == ("Alice of Thebes", "it", "Europe/Rome")
    assert (kept.wakes, kept.sleeps, kept.quiet, kept.weekends, kept.digest_hour) == (450, 1320, True, False, 19)
    assert set(kept.kinds_off) == {kind.name for kind in stoppable()} - {"your_turn"}
    assert '<html lang="it">' in page.text


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"name": " \u202e "}, "The name is empty"),
        ({"zone": "Atlantis"}, "“Atlantis” is no time zone: write it like Europe/Rome"),
        ({"language": "la"}, "“la” is no language of ours"),
        ({"wakes": "25:99"}, "must be times of day"),
        ({"wakes": "08:00", "sleeps": "08:20"}, "too short: leave at least one hour"),
        ({"digest_hour": "24"}, "between 0 and 23"),
        ({"digest_hour": "noon"}, "between 0 and 23"),
    ],
)
def test_wrong_settings_change_nothing_and_stay_in_the_form(table: Table, wrong: dict[str, str], says: str) -> None:
    """One sentence names the input and what to write; what was right stays filled in; nothing is stored."""
    before = stored(table)

    page = table.alice.at_home().send(path(table), **{**GOOD, "language": "en", **wrong})

    assert page.status_code == 422
    assert says in words(page)
    assert Page(page.text).alert
    assert stored(table) == before


def test_a_time_zone_is_chosen_from_a_list(table: Table) -> None:
    """By part of the world; a name that is in no list, typed by a program or kept from before, stays to be seen."""
    browser = table.alice.at_home()
    page = browser.send(path(table), follow=True, **{**GOOD, "language": "en"})
    wrong = browser.send(path(table), **{**GOOD, "language": "en", "zone": "Atlantis"})

    assert '<optgroup label="Europe">' in page.text
    assert '<option value="Europe/Rome" selected>' in page.text
    assert page.text.count("selected>Europe/") == 1
    assert '<option value="Atlantis" selected>' in wrong.text
    assert '<option value="UTC">' in page.text


def test_a_seats_link_opens_no_settings(table: Table) -> None:
    """A forwarded letter gives away one seat, not the person: settings need the person's own link."""
    assert table.alice.opened().get(path(table)).status_code == 404
    assert table.bob.at_home().get(path(table)).status_code == 404


def test_names_are_made_fit_for_one_line(table: Table) -> None:
    """Line ends, direction marks and HTML in a name do no harm on any page."""
    table.alice.at_home().send(path(table), **{**GOOD, "language": "en", "name": "Eve\r\nBcc: x\u2028\u202e<b>{{7*7}}"})

    kept = stored(table).name
    page = table.bob.opened().get(f"/seat/{table.bob.seat_id}")

    assert kept == "Eve Bcc: x <b>{{7*7}}"
    assert "Eve Bcc: x &lt;b&gt;{{7*7}}" in page.text


def test_an_absence_is_announced_shown_and_taken_back(table: Table) -> None:
    """Days away stand in the player's own zone until the end of the last day; coming back early ends them."""
    browser = table.alice.at_home()
    away = f"/player/{table.alice.player_id}/away"
    browser.send(away, page=path(table), starts="2026-03-10", ends="2026-03-12", note="On the Nile")
    table.db.session.rollback()
    row = table.db.session.query(Absence).one()

    assert (row.starts.isoformat(), row.ends.isoformat()) == ("2026-03-10T00:00:00+00:00", "2026-03-13T00:00:00+00:00")
    assert "On the Nile" in words(browser.get(path(table)))

    browser.send(away, page=path(table), act="cancel", id=row.id)

    assert "On the Nile" not in words(browser.get(path(table)))
    assert table.db.session.get_one(Player, table.alice.player_id).name


def test_a_day_that_is_none_is_refused_by_name(table: Table) -> None:
    """The refusal repeats what was written and how to write it."""
    away = f"/player/{table.alice.player_id}/away"

    page = table.alice.at_home().send(away, page=path(table), starts="next week", ends="2026-03-12")

    assert page.status_code == 422
    assert "“next week” is no day: write it like 2027-01-31" in words(page)


def test_an_absence_that_ends_before_it_begins_names_both_days(table: Table) -> None:
    """From and To are told, since either may be the slip; one that is past altogether asks for a day to come."""
    browser, away = table.alice.at_home(), f"/player/{table.alice.player_id}/away"

    swapped = words(browser.send(away, page=path(table), starts="2026-03-12", ends="2026-03-10"))
    past = words(browser.send(away, page=path(table), starts="2026-02-10", ends="2026-02-12"))

    assert re.search(r"To \(.*11 .*\) lies before From \(.*12 .*\): change one", swapped)
    assert "is over already: give a day to come" in past
    table.db.session.rollback()
    assert table.db.session.query(Absence).count() == 0


def test_what_was_stopped_for_one_game_is_named_and_comes_back(table: Table) -> None:
    """The settings list it by its label; keeping them leaves it stopped, ticking it sends it again."""
    seat = table.db.session.get_one(Seat, table.alice.seat_id)
    seat.kinds_off = ["organiser_alert"]
    table.db.session.commit()
    browser = table.alice.at_home()

    page = browser.get(path(table))
    assert "A game you organise needs you" in words(page)
    assert "organiser_alert" not in words(page)
    browser.send(path(table), **GOOD)
    table.db.session.expire_all()
    assert table.db.session.get_one(Seat, table.alice.seat_id).kinds_off == ["organiser_alert"]

    browser.send(path(table), **GOOD, again=f"{table.alice.seat_id}:organiser_alert")
    table.db.session.expire_all()
    assert table.db.session.get_one(Seat, table.alice.seat_id).kinds_off == []
