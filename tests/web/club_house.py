"""A club whose pages are tried: its people and their browsers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.capabilities import links
from pbem.clubs.seasons import seasons
from pbem.play.seats import opening
from pbem.store.models import Club, Game, Member, Player, Season
from tests import built
from tests.factories import START, ClubFactory, GameFactory, PlayerFactory
from tests.web.conftest import Browser

if TYPE_CHECKING:
    from flask import Flask
    from flask_sqlalchemy import SQLAlchemy
    from sqlalchemy.orm import Session


def _furnished(app: Flask, session: Session) -> tuple[int, dict[str, int], dict[str, Any]]:
    """The club's id, its people's by name, and the cookies of each, who has opened their own link."""
    club: Club = ClubFactory.create()
    people: dict[str, Player] = dict(zip(("Alice", "Bob", "Charlie"), PlayerFactory.create_batch(3), strict=True))
    for name, player in people.items():
        player.name = name
        if name != "Charlie":
            role = "organiser" if name == "Alice" else "player"
            session.add(Member(club_id=club.id, player_id=player.id, role=role, joined_at=START))
    session.commit()
    cookies = {}
    for name, player in people.items():
        browser = Browser(app.test_client())
        browser.follow(f"/l/{links.player_token(app.extensions['pbem.capabilities.tokens'], player.id, player.epoch)}")
        browser.prove(player.id)
        cookies[name] = dict(browser.client._cookies or {})
    return club.id, {name: player.id for name, player in people.items()}, cookies


class House:
    """A club with Alice as organiser, Bob as player; Charlie is a stranger."""

    def __init__(self, app: Flask, db: SQLAlchemy) -> None:
        """Let them all open their own links."""
        self.session: Session = db.session()
        club, people, cookies = built.once("house", lambda: _furnished(app, self.session))
        self.club: Club = self.session.get_one(Club, club)
        self.people: dict[str, Player] = {name: self.session.get_one(Player, one) for name, one in people.items()}
        self.path = f"/club/{self.club.slug}"
        self.browsers = {name: Browser(app.test_client()) for name in people}
        for name, browser in self.browsers.items():
            browser.client._cookies = dict(cookies[name])

    def game(self, **wishes: Any) -> Game:
        """A game of Alice's and Bob's in this club."""
        people = [self.people["Alice"], self.people["Bob"]]
        made: Game = GameFactory.create(
            people=people, bots=(), club_id=self.club.id, organiser_id=people[0].id, **wishes
        )
        return made

    def season(self, *, begun: bool) -> Season:
        """A season of Alice and Bob, of two rounds."""
        plan = seasons.SeasonPlan(name="Spring", titles=(seasons.Title("priestsofra", 2),), rounds=2)
        season = seasons.announce(self.session, START, self.club.id, self.people["Alice"].id, plan)
        for name in ("Alice", "Bob"):
            seasons.enter(self.session, START, season.id, self.people[name].id)
        if begun:
            seasons.start(self.session, START, season.id)
        return season

    def open_game(self) -> Game:
        """A game that Alice has opened, in which Bob has a seat and another one is free."""
        seats = (opening.SeatPlan(player_id=self.people["Bob"].id), opening.SeatPlan())
        alice, club = self.people["Alice"].id, self.club.id
        plan = opening.GamePlan(game="priestsofra", seats=seats, club_id=club, organiser_id=alice)
        return opening.open_game(self.session, START, plan)
