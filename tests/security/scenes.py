"""The pages with forms: of a person, a club and a game, those that letters lead to, those of a game that is over."""

from __future__ import annotations

import sqlite3
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from pbem.capabilities import links
from pbem.capabilities.tokens import tokens
from pbem.clubs.account import address_change
from pbem.clubs.members import members
from pbem.clubs.seasons import seasons
from pbem.letters import unsubscribe
from pbem.play.seats import opening
from pbem.store.models import AddressChange, Invitation, Member
from tests.factories import START, ClubFactory, near_the_end, play_to_the_end, seat_of
from tests.web.club_house import House

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask
    from flask.testing import FlaskClient
    from flask_sqlalchemy import SQLAlchemy

    from tests.conftest import Clock


def at_home(house: House) -> list[str]:
    """The pages of a person, a club and a game under way, the club with an open game, a season and an invitation."""
    session, alice, club = house.session, house.people["Alice"], house.path
    game = house.game()
    house.club.settings = {"contact": "club@nile.example"}
    seats = (opening.SeatPlan(player_id=house.people["Bob"].id), opening.SeatPlan(), opening.SeatPlan())
    opening.open_game(
        session, START, opening.GamePlan(game="priestsofra", seats=seats, club_id=house.club.id, organiser_id=alice.id)
    )
    plan = seasons.SeasonPlan(name="Spring", titles=(seasons.Title("priestsofra", 2),), rounds=1)
    season = seasons.announce(session, START, house.club.id, alice.id, plan).slug
    members.invite(session, START, house.club.id, alice.id, [members.Guest(f"asked{house.club.id}@nile.example")])
    session.commit()
    person, table = f"/player/{alice.id}", f"/seat/{seat_of(session, game, 0).id}"
    pages = [f"{person}/account", f"{person}/settings", f"{club}/members", f"{club}/open", f"{club}/control"]
    pages += [f"{club}/services", f"{club}/seasons", f"{club}/settings", club, f"/organise/{game.slug}", "/links"]
    pages += [f"{club}/announce", f"{club}/seasons/{season}", f"{club}/box/amunre", "/operator"]
    pages += [f"{table}{tail}" for tail in ("", "/decide", "/settings", "/standing", "/talk", "/plan")]
    return [*pages, f"{table}/ply/{game.ply}/analysis", f"{person}/practice", "/practice"]


def in_letters(house: House) -> list[str]:
    """The pages that letters lead to, and those of who has no link: of first games, of an invitation, of an end."""
    session, alice, elsewhere, charlie = house.session, house.people["Alice"], ClubFactory(), house.people["Charlie"]
    session.add(Member(club_id=elsewhere.id, player_id=charlie.id, role="organiser", joined_at=START))
    members.invite(session, START, elsewhere.id, charlie.id, [members.Guest(alice.address or "")])
    address_change.ask(session, START, alice.id, f"new{alice.id}@nile.example")
    session.commit()
    invitation = session.query(Invitation).order_by(Invitation.id.desc()).limit(1).one()
    change = session.query(AddressChange).order_by(AddressChange.id.desc()).limit(1).one()
    sides = [address_change.token(tokens(), change.id, side) for side in (address_change.NEW, address_change.OLD)]
    kinds = [unsubscribe.token(tokens(), alice.id, alice.epoch, None, kind) for kind in ("talk", "your_turn")]
    return [
        f"/invitation/{links.invitation_token(tokens(), invitation.id)}",
        *(f"/address/{token}" for token in sides),
        *(f"/mail/unsubscribe/{token}" for token in kinds),
        f"/links/end/{links.end_token(tokens(), alice.id, alice.epoch)}",
        f"/learn/letters/{links.lesson_token(tokens(), alice.id, alice.epoch, 'amunre')}",
        *("/learn/", "/learn/amunre"),
    ]


def at_an_end(house: House) -> list[str]:
    """The pages of a game that is over."""
    game = house.game(here=near_the_end("priestsofra", 2))
    play_to_the_end(house.session, START, game)
    house.session.commit()
    return [f"/games/{game.slug}/result", f"/games/{game.slug}/ply/1/analysis"]


SCENES = (at_home, in_letters, at_an_end)


class Stage:
    """A scene that is set up once, and put back as it was: its database, and the cookies of its browsers."""

    def __init__(self, app: Flask, db: SQLAlchemy, scene: Callable[[House], list[str]]) -> None:
        """Set it up, and keep a copy."""
        self.house = House(app, db)
        self.settings = msgspec.structs.replace(
            app.extensions["pbem.settings"], operator=self.house.people["Alice"].address or ""
        )
        app.extensions["pbem.settings"] = self.settings
        self.pages = scene(self.house)
        self.house.session.commit()
        self._app, self._engine, self._kept = app, db.engine, sqlite3.connect(":memory:")
        self.copy(self._engine.raw_connection, lambda: self._kept)
        self._cookies = {name: deepcopy(one.client._cookies) for name, one in self.house.browsers.items()}

    def again(self) -> tuple[House, list[str]]:
        """As it was when it was set up, whatever was done since."""
        self.house.session.rollback()
        self.house.session.expire_all()
        self.copy(lambda: self._kept, self._engine.raw_connection)
        self._app.extensions["tests.enqueued"].put_back(self.house.session)
        for name, cookies in self._cookies.items():
            self.house.browsers[name].client._cookies = deepcopy(cookies)
        self._app.extensions["pbem.settings"] = self.settings
        return self.house, self.pages

    @staticmethod
    def copy(source: Callable[[], Any], target: Callable[[], Any]) -> None:
        """Copy the whole database of one connection over the other's."""
        ends = [source(), target()]
        driven = [getattr(end, "driver_connection", end) for end in ends]
        driven[0].backup(driven[1])
        for end in ends:
            if not isinstance(end, sqlite3.Connection):
                end.close()


@pytest.fixture
def build(app: Flask, db: SQLAlchemy, client: FlaskClient, clock: Clock) -> Any:  # noqa: ARG001 - the client sets requests apart, the clock stands still
    """Give a function that has a club with a scene's pages anew, the forms' marks not asked for."""
    app.config["WTF_CSRF_ENABLED"] = False
    stages: dict[Any, Stage] = {}

    def made(scene: Callable[[House], list[str]] = at_home) -> tuple[House, list[str]]:
        if scene not in stages:
            stages[scene] = Stage(app, db, scene)
        return stages[scene].again()

    return made
