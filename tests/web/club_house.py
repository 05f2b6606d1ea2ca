"""A club whose pages are tried: its people and their browsers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.capabilities import links
from pbem.clubs.seasons import seasons
from pbem.play.seats import opening
from pbem.store.models import Club, Game, Member, Player, Season
from tests.factories import START, ClubFactory, GameFactory, PlayerFactory
from tests.web.conftest import Browser

if TYPE_CHECKING:
    from flask import Flask
    from flask_sqlalchemy import SQLAlchemy
    from sqlalchemy.orm import Session


class House:
    """A club with Alice as organiser, Bob as player; Charlie is a stranger."""

    def __init__(self, app: Flask, db: SQLAlchemy) -> None:
        """Let them all open their own links."""
        self.session: Session = db.session()
        self.club: Club = ClubFactory.create()
        self.people: dict[str, Player] = dict(
            zip(("Alice", "Bob", "Charlie"), PlayerFactory.create_batch(3), strict=True)
        )
        for name, player in self.people.items():
            player.name = name
            if name != "Charlie":
                role = "organiser" if name == "Alice" else "player"
                self.session.add(Member(club_id=self.club.id, player_id=player.id, role=role, joined_at=START))
        self.session.commit()
        self.path = f"/club/{self.club.slug}"
        self.browsers = {name: self._browser(app, player) for name, player in self.people.items()}

    def _browser(self, app: Flask, player: Player) -> Browser:
        browser = Browser(app.test_client())
        browser.follow(f"/l/{links.player_token(app.extensions['pbem.capabilities.tokens'], player.id, player.epoch)}")
        browser.prove(player.id)
        return browser

    def game(self, **wishes: Any) -> Game:
        """A game of Alice's and Bob's in this club."""
        people = [self.people["Alice"], self.people["Bob"]]
        made: Game = GameFactory.create(
            people=people, bots=(), club_id=self.club.id, organiser_id=people[0].id, **wishes
        )
        return made

    def season(self, *, begun: bool) -> Season:
        """A season of Alice and Bob, of two rounds."""
        plan = seasons.SeasonPlan(
            club_id=self.club.id, name="Spring", titles=(seasons.Title("priestsofra", 2),), rounds=2
        )
        season = seasons.announce(self.session, START, plan)
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
