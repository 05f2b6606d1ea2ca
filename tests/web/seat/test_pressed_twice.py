"""Every button a player has, pressed twice: the second answer is the first one, and nothing is done twice."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from sqlalchemy import func, select, update

from pbem.capabilities import api_keys, browsers
from pbem.play.deadlines import absences
from pbem.play.orders import standing_orders
from pbem.play.seats import proposals, sitters
from pbem.play.turns.advance import advance
from pbem.store.models import (
    Absence,
    Capability,
    Game,
    Letter,
    Member,
    Player,
    Proposal,
    Sitter,
    StoredOrder,
    StoredStandingOrders,
    Talk,
)
from pbem.web.account import views
from pbem.web.seat import settings
from tests import factories
from tests.factories import START

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Clock
    from tests.web.conftest import Table

SEAT, PERSON = "/seat/{seat}", "/player/{player}"
DAYS = {"starts": "2026-03-10", "ends": "2026-03-12"}


def proposed(kind: str) -> Callable[[Table], dict[str, Any]]:
    """Bob proposes something, and Alice's vote decides."""

    def form(table: Table) -> dict[str, Any]:
        session = table.db.session()
        table.go_on()
        plan = proposals.ProposalPlan(kind=kind, to_ply=0, reason="a slip")
        proposals.propose(session, START, table.game.id, table.bob.player_id, plan)
        return {"proposal": session.scalars(select(Proposal.id)).one(), "sure": "yes"}

    return form


def away(table: Table) -> dict[str, Any]:
    """Alice is away next week."""
    starts = START + timedelta(days=7)
    absences.announce(table.db.session(), START, table.alice.player_id, starts, starts + timedelta(days=2), "")
    return {"id": table.db.session().scalars(select(Absence.id)).one()}


def standing(table: Table) -> dict[str, Any]:
    """Alice has a standing order."""
    stored = standing_orders.store(table.db.session(), START, table.alice.seat_id, "for turn: ra")
    return {"id": stored.standing_id}


def sat_for(table: Table) -> dict[str, Any]:
    """Charlie sits in for Alice."""
    ends = START + timedelta(days=2)
    sitters.appoint(table.db.session(), START, table.alice.seat_id, table.charlie.player_id, START, ends, "")
    return {"sitter": table.db.session().scalars(select(Sitter.id)).one()}


def keyed(table: Table) -> dict[str, Any]:
    """A program of Alice's has a key."""
    api_keys.issue_for_person(table.db.session(), START, table.alice.player_id, "My bot")
    return {"key": table.db.session().scalars(select(Capability.id).where(Capability.purpose == "key")).one()}


def elsewhere(table: Table) -> dict[str, Any]:
    """Alice has sent something from another browser."""
    return {"browser": browsers.acted(table.db.session(), START, "another", table.alice.player_id, "Another").id}


def going(table: Table) -> dict[str, Any]:
    """Alice is the organiser of nothing, and has the code of the letter."""
    session, account = table.db.session(), f"/player/{table.alice.player_id}/account"
    session.execute(update(Member).values(role="player"))
    session.execute(update(Member).where(Member.player_id == table.charlie.player_id).values(role="organiser"))
    session.commit()
    table.alice.browser.send(account, act="erase", sure="yes")
    (mailed,) = session.scalars(select(Letter.data).where(Letter.kind == "login_code"))
    return {"sure": "yes", "mailed_code": mailed["code"]}


def ordered(table: Table) -> dict[str, Any]:
    """Alice has answered."""
    factories.answer(table.db.session(), START, table.game, table.alice.seat, "ra")
    return {"ply": table.game.ply + 1}


def order(table: Table) -> dict[str, Any]:
    """Alice is asked."""
    return {"ply": table.game.ply + 1, "text": "ra", "seen": "ra", "request": "once"}


def second_ply(table: Table) -> dict[str, Any]:
    """Something was played that the table can go back over."""
    table.go_on()
    return {"kind": "rewind", "to_ply": 0, "reason": "a slip"}


def stalling(table: Table) -> dict[str, Any]:
    """Everybody waits for Bob."""
    while table.bob.seat not in {one.seat for one in factories.asked(table.db.session(), table.game)}:
        table.go_on()
    return {"stalling": table.bob.seat, "reason": "he sleeps"}


def seen_by_nobody(table: Table) -> dict[str, Any]:
    """Alice's order was played, and only bots are at the table."""
    table.without_bob()
    factories.answer(table.db.session(), START, table.game, table.alice.seat, "ra")
    advance(table.db.session(), START, table.game.id, cap=1)
    return {"ply": table.game.ply}


def given(**fields: Any) -> Callable[[Table], dict[str, Any]]:
    """What a form is filled in with, whatever is there."""
    return lambda _table: fields


class Press(NamedTuple):
    """A button: where its form goes and stands, how things are before, and whom it names."""

    to: str
    on: str
    before: Callable[[Table], dict[str, Any]]
    act: str = ""


SEATS = {
    "ladder": given(rung="standing"),
    "sitter": given(**DAYS, handover="Be bold"),
    "end-sitter": sat_for,
    "take-back": seen_by_nobody,
    "propose": second_ply,
    "replace": stalling,
    "agree": proposed("rewind"),
    "refuse": proposed("rewind"),
    "resign": given(reason="no time", sure="yes"),
}
"""The buttons of the page about one's seat."""
ACCOUNT = {
    "key": given(seat="all", name="My bot"),
    "revoke": keyed,
    "end-browser": elsewhere,
    "log-out": given(),
    "end-sitter": sat_for,
    "feeds": given(),
    "address": given(address="alice@elsewhere.example"),
    "renew": given(sure="yes"),
    "export": given(),
    "erase": going,
}
"""The buttons of the page about one's account."""
PRESSES = {
    **{act: Press(f"{SEAT}/settings", f"{SEAT}/settings", before, act) for act, before in SEATS.items()},
    "agree to end": Press(f"{SEAT}/settings", f"{SEAT}/settings", proposed("end"), "agree"),
    "propose to end": Press(f"{SEAT}/settings", f"{SEAT}/settings", given(kind="end", sure="yes"), "propose"),
    "talk": Press(f"{SEAT}/talk", f"{SEAT}/talk", given(text="Hello")),
    "note": Press(f"{SEAT}/note", SEAT, given(text="Hold the Nile")),
    "send": Press(f"{SEAT}/decide", f"{SEAT}/decide", order, "send"),
    "draft": Press(f"{SEAT}/decide", f"{SEAT}/decide", order, "draft"),
    "withdraw": Press(f"{SEAT}/decide", f"{SEAT}/decide", ordered, "withdraw"),
    "standing": Press(f"{SEAT}/standing", f"{SEAT}/standing", given(text="for turn: ra"), "store"),
    "end standing": Press(f"{SEAT}/standing", f"{SEAT}/standing", standing, "end"),
    "end plan": Press(f"{SEAT}/plan", f"{SEAT}/plan", standing, "end"),
    "away": Press(f"{PERSON}/away", f"{PERSON}/settings", given(**DAYS)),
    "back": Press(f"{PERSON}/away", f"{PERSON}/settings", away, "cancel"),
    **{act: Press(f"{PERSON}/account", f"{PERSON}/account", before, act) for act, before in ACCOUNT.items()},
}


def in_force(table: Table) -> list[int]:
    """How much of each kind there is that acts for Alice, or was told to anybody."""
    session = table.db.session()
    session.rollback()
    keys = (Capability.purpose == "key", Capability.revoked_at.is_(None))
    asked = (
        select(func.count()).select_from(Sitter),
        select(func.count()).select_from(Absence),
        select(func.count()).select_from(Proposal),
        select(func.count()).select_from(Talk),
        select(func.count()).where(StoredStandingOrders.ended_at.is_(None)),
        select(func.count()).where(*keys),
        select(func.count()).where(StoredOrder.kind.in_(("order", "draft"))),
        select(func.count()).where(Letter.kind != "account"),
        select(Game.ply).where(Game.id == table.game.id),
        select(func.sum(Player.epoch + Player.feeds)),
    )
    return [session.scalar(one) or 0 for one in asked]


def test_each_button_of_the_seat_and_the_account_is_pressed() -> None:
    """A button that comes to the page about the seat or the account has to be named here."""
    assert SEATS.keys() == settings.ACTIONS.keys()
    assert ACCOUNT.keys() == views.ACTIONS.keys()


@pytest.mark.parametrize("press", PRESSES.values(), ids=PRESSES)
def test_pressed_twice_it_is_done_once(set_table: Callable[..., Table], clock: Clock, press: Press) -> None:
    """The form sent again leads where it led, and there is no more of anything: no second letter, vote, key or ply."""
    table = set_table(game="priestsofra", options={"auctions": "in_turn"})
    factories.in_a_club(table.db.session(), table.game, *(one.player_id for one in (table.alice, table.charlie)))
    table.db.session.commit()
    names = {"seat": table.alice.seat_id, "player": table.alice.player_id}
    browser, to = table.alice.at_home(), press.to.format(**names)
    fields = press.before(table) | ({"player": table.charlie.player_id} if press.act == "sitter" else {})
    table.db.session.commit()
    if press.act == "replace":
        clock.set(table.game.cover_at or START)
    form = {"csrf_token": browser.token(press.on.format(**names)), "act": press.act, **fields}

    sent = browser.client.get_cookie("pbem")
    assert sent is not None
    first, then = browser.client.post(to, data=form), in_force(table)
    browser.client.set_cookie("pbem", sent.value)  # the second click doesn't wait for the answer to the first
    second = browser.client.post(to, data=form)

    assert first.status_code == (200 if press.act in {"key", "export"} else 303), first.text
    assert (second.status_code, second.location) == (first.status_code, first.location)
    assert in_force(table) == then
    if press.act in {"replace", "agree", "refuse"}:  # which decides it here: the page of the game tells what it came to
        assert first.location == f"/seat/{table.alice.seat_id}"
