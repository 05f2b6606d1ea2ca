"""A season of a club in a real browser: from invitation letters to final standings, bots answering for everybody."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem import clock
from pbem.capabilities import links
from pbem.clubs.members.founding import found_club
from pbem.extensions import db
from pbem.jobs import tasks
from pbem.play.seats import substitutes
from pbem.store.models import Game, Invitation, Member, Player, Season, Seat
from tests import factories
from tests.browser.conftest import violations
from tests.servers import LOOK, until
from tests.web.conftest import Browser

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.browser.conftest import Site

PLAYERS = 24
TITLES = ("amunre", "priestsofra", "egizia")
SEATS = 4
TABLES = len(TITLES) * PLAYERS // SEATS
LAST = 3
"""Plies before its end where bots take a game over."""


def founded(site: Site) -> tuple[str, str]:
    """A new club: its address and its organiser's link."""
    with site.app.app_context():
        session = db.session()
        club = found_club(session, clock.now(), "Nile Club", "lead@nile.example")
        lead = session.execute(
            select(Player).join(Member, Member.player_id == Player.id).where(Member.club_id == club.id)
        ).scalar_one()
        lead.accepted_at = clock.now()
        token = links.player_token(site.app.extensions["pbem.capabilities.tokens"], lead.id, lead.epoch)
        session.commit()
        return f"{site.url}/club/{club.slug}", f"{site.url}/l/{token}"


def invitations(site: Site) -> list[str]:
    """The links of all invitations."""
    with site.app.app_context():
        tokens = site.app.extensions["pbem.capabilities.tokens"]
        rows = db.session.execute(select(Invitation.id).order_by(Invitation.id)).scalars()
        return [f"{site.url}/invitation/{links.invitation_token(tokens, number)}" for number in rows]


def bots_answer(site: Site) -> None:
    """Let the games that run stand a little before their end, a bot take every seat, and the worker know."""
    with site.app.app_context():
        session = db.session()
        rows = session.execute(
            select(Game, Seat.seat).join(Seat, Seat.game_id == Game.id).where(Game.state == "running", Seat.bot == "")
        ).all()
        for game in {game for game, _ in rows}:
            factories.place(session, game, factories.near_the_end(game.game, SEATS, plies=LAST))
        for game, seat in rows:
            substitutes.put_bot(session, clock.now(), game.id, seat, "random", game.organiser_id or 0)
        session.commit()


def count_over(site: Site) -> int:
    """How many games have ended."""
    with site.app.app_context():
        return len(db.session.execute(select(Game.id).where(Game.state == "finished")).all())


def enter(page: Page, invitation: str, season: str) -> None:
    """Accept an invitation in the window of a phone without scripts, and take part."""
    page.goto(invitation)
    page.locator('button[value="accept"]').click()
    page.goto(season)
    page.get_by_role("button", name="Take part").click()
    page.get_by_role("button", name="Drop out").wait_for()
    page.context.close()


def enter_too(guest: Browser, invitation: str, season: str) -> None:
    """The same two forms, filled in by one more whose window shows nothing that the first one's didn't."""
    assert guest.send(invitation, act="accept").status_code == 303
    assert 'value="drop"' in guest.send(season, act="enter", follow=True).text


def announce(page: Page, club: str) -> str:
    """Fill in the organiser's form for a season of three titles; its address."""
    page.goto(f"{club}/seasons")
    page.fill("#name", "Spring")
    for title in TITLES:
        page.check(f'input[name="title"][value="{title}"]')
        page.fill(f"#size-{title}", str(SEATS))
    page.fill("#rounds", "1")
    page.get_by_role("button", name="Announce it").click()
    page.get_by_role("heading", name="Spring").wait_for()
    return page.url


@pytest.mark.usefixtures("browser")
def test_a_season_of_24_over_three_titles(site: Site, new_page: Callable[..., Page]) -> None:
    """Invited, accepted, entered, started, played by bots and ended: 18 games and one table of 24."""
    club, link = founded(site)
    lead = new_page(1280, js=True)
    lead.goto(link)
    site.prove(lead)
    lead.goto(f"{club}/members")
    lead.fill("#people", "\n".join(f"p{n}@nile.example, Player {n}" for n in range(PLAYERS)))
    lead.get_by_role("button", name="Send the invitations").click()
    lead.get_by_text(f"{PLAYERS} invitations are on their way").wait_for()
    season = announce(lead, club)

    first, *others = invitations(site)
    enter(new_page(390, js=False), first, season)
    for invitation in others:
        enter_too(Browser(site.app.test_client()), invitation.removeprefix(site.url), season.removeprefix(site.url))

    lead.goto(season)
    lead.get_by_role("button", name="Close the sign-up and start").click()
    lead.get_by_role("button", name="Do it").click()
    lead.get_by_role("heading", name="Round 1").wait_for()
    assert violations(lead) == []
    bots_answer(site)
    until(lambda: count_over(site) == TABLES, "end of all games", pause=LOOK)
    with site.app.app_context():
        tasks.carry_seasons()
        assert db.session.execute(select(Season.state)).scalar_one() == "finished"

    lead.goto(season)
    lead.get_by_role("heading", name="Final standings").wait_for()
    assert lead.locator("table").first.locator("tbody tr").count() == PLAYERS
    assert violations(lead) == []
