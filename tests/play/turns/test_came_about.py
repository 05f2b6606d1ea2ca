"""How an order came about that its player didn't give: told to its seat, in the ply it went into, to nobody else."""

from __future__ import annotations

from datetime import timedelta
from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from sqlalchemy import select

from pbem.bots.basic import RandomBot
from pbem.bots.selfplay import SelfplayTable, play
from pbem.engine.core.message import Event
from pbem.engine.registry import rules_of
from pbem.engine.text import standing_text
from pbem.play.turns import resolution
from pbem.play.turns.advance import advance
from pbem.play.turns.resolution import GivenAhead, Premove, Run, RunSeat
from pbem.store import unit_of_work
from pbem.store.models import StoredPly, StoredStandingOrders
from pbem.store.queries import common
from tests.factories import GameFactory, PlayerFactory, answer, asked, first_asked, some_order

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from pbem.store.models import Game

RULES = rules_of("priestsofra")
OWN = "player"
AHEAD = {"standing", "plan", "then", "sealed"}
"""What was given ahead."""


def turn_of(choices: int) -> tuple[Any, int, str]:
    """A position in which one seat alone has so many orders (2: or more), whose it is, and the first of them."""
    found: list[tuple[Any, int, str]] = []

    def look(state: Any, *_: Any) -> None:
        asked = RULES.awaited(state)
        if len(asked) == 1 and not RULES.sealed(state):
            (seat,) = asked
            orders = list(islice(RULES.legal(state, seat), 2))
            if len(orders) == choices:
                found.append((RULES.copy(state), seat, str(orders[0])))

    play(SelfplayTable(RULES, (RandomBot(),) * 3, {"auctions": "in_turn"}), "came about", look)
    return found[0]


def ahead(kind: str, state: Any, text: str) -> list[Premove]:
    """Return what was given ahead of this kind for the order `text`; nothing for a hand."""
    if kind not in AHEAD:
        return []
    parsed = None if kind == "then" else standing_text.parse(RULES, text)
    stored = "standing" if kind == "plan" else kind
    return [Premove(None, stored, text, RULES.scope(state), parsed, told_as="plan" if kind == "plan" else "")]


@pytest.mark.parametrize("way", [OWN, *resolution._CAME_ABOUT])
def test_a_seat_is_told_how_its_order_came_about(way: str) -> None:
    """With the order, in the ply it was played in, and nobody else is; an order of the player's own needs no word."""
    state, seat, text = turn_of(1 if way == "forced" else 2)
    seats = [RunSeat(number, ahead=ahead(way, state, text) if number == seat else []) for number in range(3)]
    run = Run(RULES, state, "seed", 7, seats, {})
    run.go({seat: GivenAhead(RULES.read(state, seat, text), way)} if way in {OWN, "sitter"} else {}, cap=1)
    events = msgspec.json.decode(run.steps[0].events, type=list[Event])
    told = [event for event in events if event.text in resolution._CAME_ABOUT.values()]

    assert run.steps[0].orders == {seat: text}
    if way == OWN:
        assert told == []
    else:
        (event,) = told
        assert event.text == resolution._CAME_ABOUT[way]
        assert event.params == {"order": text}
        assert event.seen_by == (seat,)


def told(session: Session, game: Game) -> list[str]:
    """What the seats of a game were told of how their orders came about, and of chains that were dropped."""
    plies = session.scalars(select(StoredPly.events).where(StoredPly.game_id == game.id))
    texts = [event.text for events in plies for event in msgspec.json.decode(events, type=list[Event])]
    return [text for text in texts if text in resolution.PRIVATE_NOTES]


@pytest.mark.parametrize("kind", ["plan", "standing", "then"])
def test_what_answered_is_told_as_what_it_was_then(session: Session, now: datetime, kind: str) -> None:
    """It answers while others are awaited, and is ended before they do: a plan was told as a standing order."""
    game: Game = GameFactory(game="amunre", people=3, bots=(), now=now, here=first_asked("amunre", 3)["offer"])
    (first, *others) = asked(session, game)
    phase, scope = common.scope_keys(session, game.id, game.ply)
    text = some_order(session, game, first.seat)
    given = StoredStandingOrders(game_id=game.id, seat=first.seat, kind="then" if kind == "then" else "standing")
    given.text, given.phase, given.round, given.created_at = text, phase, scope, now
    given.plan = "{}" if kind == "plan" else ""
    session.add(given)
    unit_of_work.wake(session, game, now)
    session.commit()
    advance(session, now + timedelta(minutes=1), game.id)
    common.end_ahead(session, now, game.id, "ended", StoredStandingOrders.seat == first.seat)
    session.commit()
    assert told(session, game) == []
    for one in others:
        answer(session, now, game, one.seat)
    advance(session, now + timedelta(days=1), game.id)
    session.commit()

    assert told(session, game) == [resolution._CAME_ABOUT[kind]]


@pytest.mark.parametrize("auctions", ["sealed", "in_turn"])
def test_what_a_sitter_gave_is_told_as_the_sitters(session: Session, now: datetime, auctions: str) -> None:
    """Whatever it is, also in a later run: orders, chains, what was dropped of them, lists, ships before their turn."""
    sealed = {"priestsofra": {"auctions": auctions}, "egizia": {"ships": "together"}, "amunre": {"auction": auctions}}
    kinds: set[str] = set()
    for name, options in sealed.items():
        game: Game = GameFactory(game=name, people=3, bots=(), now=now, options=options, seed="sat")
        sitter = PlayerFactory.create().id
        for _ in range(8):
            for one in asked(session, game):
                text = some_order(session, game, one.seat)
                chained = "" if one.sealed or one.ahead else "; then " + text
                given = answer(session, now, game, one.seat, text + chained, source="sitter", player_id=sitter)
                if not given.accepted:
                    answer(session, now, game, one.seat, text, source="sitter", player_id=sitter)
            while advance(session, now + timedelta(days=1), game.id, cap=1).more:
                session.commit()
            session.commit()
            session.refresh(game)
        kinds |= set(session.scalars(select(StoredStandingOrders.kind).where(StoredStandingOrders.game_id == game.id)))
        own = {resolution._CAME_ABOUT["forced"], resolution._CAME_ABOUT["sitter"], resolution._DROPPED["sitter"]}
        assert set(told(session, game)) <= own
        assert resolution._CAME_ABOUT["sitter"] in told(session, game)
    assert kinds >= ({"then", "sealed"} if auctions == "sealed" else {"then"})
