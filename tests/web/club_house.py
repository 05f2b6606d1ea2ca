"""A club whose pages are tried: its people and their browsers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.capabilities import links
from pbem.store.models import Club, Game, Member, Player
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
        browser.get(f"/l/{links.player_token(app.extensions['pbem.capabilities.tokens'], player.id, player.epoch)}")
        browser.prove(player.id)
        return browser

    def game(self, **wishes: Any) -> Game:
        """A game of Alice's and Bob's in this club."""
        people = [self.people["Alice"], self.people["Bob"]]
        made: Game = GameFactory.create(
            people=people, bots=(), club_id=self.club.id, organiser_id=people[0].id, **wishes
        )
        return made
