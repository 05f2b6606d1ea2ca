"""Acts that ask, at the use case: by every kind of credential, each with what it asks; without, no row changes."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from pbem.capabilities import acts, api_keys, links
from pbem.capabilities.acts import ACTS, GuardedAct, Proof
from pbem.clubs import operation
from pbem.clubs.account import address_change, personal_data
from pbem.clubs.games import actions
from pbem.clubs.integrations import webhooks
from pbem.clubs.members import club_settings, members
from pbem.clubs.seasons import season_acts
from pbem.errors import NeedsCode, NeedsYes, NotAllowed
from pbem.play.admin import club_box
from pbem.play.seats import proposals, sitters, substitutes
from pbem.web.api import core
from tests.factories import START, GameFactory, seat_of
from tests.web.club_house import House

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask
    from flask.testing import FlaskClient
    from flask_sqlalchemy import SQLAlchemy

    from pbem.engine.core.message import Message
    from pbem.store.models import Game
    from tests.conftest import Clock

AT_THE_DOOR = {
    "organise": "every form of an organiser's pages, test_routes.py",
    "operate": "every form of the operator's page, test_routes.py",
}
"""What no use case asks, because each act behind these doors asks for itself."""


class Asked:
    """A credential that notes what it is asked, and has no more than it is given."""

    def __init__(self, *, yes: bool, proof: Proof) -> None:
        """Begin as somebody who says yes or not, and who can prove so much."""
        self.yes, self.proof, self.who = yes, proof, 0

    def agree(self, *does: Message) -> None:
        """Say yes or nothing."""
        if not self.yes:
            raise NeedsYes(*does)

    def prove(self, player_id: int, asks: GuardedAct) -> None:
        """Prove so much and no more."""
        self.who = player_id
        order = list(Proof)
        if order.index(asks.proof) > order.index(self.proof):
            raise NeedsCode


@pytest.fixture
def house(app: Flask, db: SQLAlchemy, client: FlaskClient, clock: Clock) -> House:  # noqa: ARG001 - the client sets requests apart, the clock stands still
    """A club with Alice as its organiser."""
    return House(app, db)


def _step(act: str, *, begun: bool) -> Callable[[House], Callable[[], object]]:
    def scene(house: House) -> Callable[[], object]:
        season, alice = house.season(begun=begun), house.people["Alice"].id
        return lambda: season_acts.carry_out(house.session, START, season, act, alice, alice)

    return scene


def _done_to(act: str, game_of: Callable[[House], int]) -> Callable[[House], Callable[[], object]]:
    def scene(house: House) -> Callable[[], object]:
        wish = actions.ActionRequest(act=act, games=(game_of(house),), by=house.people["Alice"].id, seat=1)
        return lambda: actions.carry_out(house.session, START, house.club.id, wish)

    return scene


def _organising(case: Callable[..., object], *more: Any, **named: Any) -> Callable[[House], Callable[[], object]]:
    return lambda house: lambda: case(house.session, START, house.club.id, house.people["Alice"].id, *more, **named)


def _own(case: Callable[..., object], *more: Any) -> Callable[[House], Callable[[], object]]:
    return lambda house: lambda: case(house.session, START, house.people["Alice"].id, *more)


def _operated(case: Callable[..., object], *more: Any) -> Callable[[House], Callable[[], object]]:
    def scene(house: House) -> Callable[[], object]:
        by = operation.Operator(house.people["Alice"].id)
        return lambda: case(house.session, START, by, house.people["Charlie"].id, *more)

    return scene


def _resign(house: House) -> Callable[[], object]:
    seat = seat_of(house.session, house.game(), 0).id
    return lambda: substitutes.resign(house.session, START, seat)


def _sitter(house: House) -> Callable[[], object]:
    alice, bob = house.people["Alice"], house.people["Bob"]
    seat = seat_of(house.session, GameFactory.create(people=[alice], club_id=house.club.id), 0).id
    bob.accepted_at = START
    return lambda: sitters.appoint(house.session, START, seat, bob.id, START, START + timedelta(days=1))


def _end_game(house: House) -> Callable[[], object]:
    game, plan = house.game(), proposals.ProposalPlan(kind="end")
    return lambda: proposals.propose(house.session, START, game.id, house.people["Alice"].id, plan)


def _agree_to_end(house: House) -> Callable[[], object]:
    game: Game = house.game()
    plan = proposals.ProposalPlan(kind="end")
    outcome = proposals.propose(house.session, START, game.id, house.people["Bob"].id, plan)
    seat = seat_of(house.session, game, 0).id
    return lambda: proposals.vote(house.session, START, outcome.proposal_id, seat, yes=True)


def _with_bob_as(role: str, case: Callable[..., object]) -> Callable[[House], Callable[[], object]]:
    def scene(house: House) -> Callable[[], object]:
        alice, bob = house.people["Alice"].id, house.people["Bob"].id
        members.set_role(house.session, START, house.club.id, alice, player_id=bob, role=role)
        return lambda: case(house, alice, bob)

    return scene


def _take_out(house: House, alice: int, bob: int) -> None:
    members.take_out(house.session, START, house.club.id, alice, player_id=bob)


def _leave(house: House, alice: int, _bob: int) -> None:
    members.leave(house.session, START, house.club.id, alice)


def _appoint(house: House, alice: int, bob: int) -> None:
    members.set_role(house.session, START, house.club.id, alice, player_id=bob, role="organiser")


GUEST = members.Guest("new@nile.example", "New", "organiser")
SCENES: dict[str, Callable[[House], Callable[[], object]]] = {
    "start": _step("start", begun=False),
    "finish": _step("finish", begun=True),
    "drop": _step("drop", begun=True),
    "fill": _done_to("fill", lambda house: house.open_game().id),
    "call-off": _done_to("call-off", lambda house: house.open_game().id),
    "fresh": _done_to("fresh", lambda house: house.game().id),
    "take-out": _with_bob_as("player", _take_out),
    "appoint": _with_bob_as("player", _appoint),
    "appoint: by an invitation": _organising(members.invite, (GUEST,)),
    "appoint: taking one out": _with_bob_as("organiser", _take_out),
    "webhook": _organising(webhooks.add, "raw", "https://hooks.example/x"),
    "close": lambda house: _organising(club_settings.close, house.club.name)(house),
    "forget-box": _organising(club_box.forget, "amunre"),
    "leave": _with_bob_as("organiser", _leave),
    "resign": _resign,
    "sitter": _sitter,
    "end-game": _end_game,
    "end-game: by a vote": _agree_to_end,
    "key": _own(api_keys.issue_for_person, "program"),
    "key: for a club": lambda house: (
        lambda: api_keys.issue_for_club(house.session, START, house.people["Alice"].id, house.club.id, "program")
    ),
    "address": _own(address_change.ask, "new@nile.example"),
    "export": _own(personal_data.export_for_owner),
    "revoke-links": _own(links.renew_for_owner),
    "revoke-links: by the operator": _operated(operation.revoke),
    "mend-address": _operated(operation.mend_address, "new@nile.example"),
    "erase": _operated(operation.erase),
    "erase-oneself": lambda house: (
        lambda: personal_data.erase_for_owner(house.session, START, house.people["Charlie"].id)
    ),
}
"""By act, and who wants it, a club made for it and what does it there."""


def _asks(name: str) -> GuardedAct:
    return ACTS[name.partition(":")[0]]


def test_every_act_is_done_below() -> None:
    """An act nobody listed fails here."""
    assert {name.partition(":")[0] for name in SCENES} | set(AT_THE_DOOR) == set(ACTS)


@pytest.mark.parametrize("name", sorted(SCENES))
def test_an_act_asks_before_anything_is_done(house: House, rows: Callable[[], str], name: str) -> None:
    """Without a yes, and with less proof than it asks, nothing changes; with what it asks it is done."""
    do, asks, session = SCENES[name](house), _asks(name), house.session
    session.commit()
    before = rows()
    order = list(Proof)
    refused: list[tuple[Asked, type[Exception]]] = [(Asked(yes=False, proof=Proof.NEW_CODE), NeedsYes)] * bool(
        asks.does
    )
    if asks.proof is not Proof.LINK:
        refused.append((Asked(yes=True, proof=order[order.index(asks.proof) - 1]), NeedsCode))
    for credential, refusal in refused:
        acts.begin(session, credential)
        with pytest.raises(refusal):
            do()
        session.rollback()
        assert rows() == before

    enough = Asked(yes=True, proof=asks.proof)
    acts.begin(session, enough)
    do()
    session.commit()

    assert rows() != before or name == "forget-box"  # of which there is none here
    owner = "Charlie" if name == "erase-oneself" else "Alice"
    assert enough.who == (0 if asks.proof is Proof.LINK else house.people[owner].id)


@pytest.mark.parametrize("name", sorted(SCENES))
def test_a_door_that_forgot_to_say_by_what_it_acts_does_nothing(
    app: Flask, house: House, rows: Callable[[], str], name: str
) -> None:
    """However little the act asks of anybody: no row changes."""
    do = SCENES[name](house)
    house.session.commit()
    before = rows()
    house.session.info.clear()
    with app.test_request_context("/"), pytest.raises(RuntimeError, match="No door has said by what it acts"):
        do()
    house.session.rollback()

    assert rows() == before


@pytest.mark.parametrize("name", sorted(name for name in SCENES if _asks(name).proof not in {Proof.LINK, Proof.KEY}))
def test_no_key_does_what_outlives_it(app: Flask, house: House, rows: Callable[[], str], name: str) -> None:
    """Whatever call comes to be made for it: a program that says yes is refused, and no row changes."""
    do = SCENES[name](house)
    house.session.commit()
    before = rows()
    with app.test_request_context("/api/v1/me?sure=yes"):
        acts.begin(house.session, core.PROGRAM)
        with pytest.raises(NotAllowed, match="No key does this"):
            do()
        house.session.rollback()

    assert rows() == before
