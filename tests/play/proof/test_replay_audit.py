from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select, update

from pbem.engine import replay
from pbem.engine.core import records
from pbem.errors import NotSeated
from pbem.play.proof import record_export, replay_audit
from pbem.store.models import Game, OpenDecision, StoredOrder, StoredPly
from tests.factories import GameFactory, hours, play_to_the_end

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session


@pytest.mark.parametrize(
    ("table", "values", "sentence"),
    [
        (StoredPly, {"orders": {"0": "draw", "1": "draw"}}, "Ply 3"),
        (StoredPly, {"digest": "0" * 64}, "Ply 3: replayed, the state differs from the one stored."),
        (StoredPly, {"snapshot": b"{}"}, "Ply 3: the snapshot does not fit its digest."),
        (StoredPly, {"chance": ["tile: nothing"]}, "Ply 3: replayed, other chance results come up than are stored."),
        (Game, {"seed": "another"}, "The seed is not the one that was committed to at the start."),
        (Game, {"ply": 2}, "The plies stored are not 0 to 2."),
    ],
)
def test_the_audit_finds_what_was_tampered_with(
    session: Session, now: datetime, table: Any, values: dict[str, Any], sentence: str
) -> None:
    """Orders, digests, snapshots, draws, the seed, the count of plies: each change is named."""
    game = GameFactory(now=now, seed="audit", plays=5)
    assert replay_audit.audit(session, game.id).faults == ()
    which = table.id == game.id if table is Game else (table.game_id == game.id) & (table.ply == 3)
    session.execute(update(table).where(which).values(values))
    session.expire_all()

    assert any(fault.startswith(sentence) for fault in replay_audit.audit(session, game.id).faults)


def test_the_audit_compares_orders_with_what_was_sent(session: Session, now: datetime) -> None:
    """An order that was never sent, one that came in late, a bid that no sealed list held: each is named."""
    game = GameFactory(now=now, seed="sealed", bots=(), options={"auctions": "sealed"})
    play_to_the_end(session, now, game)
    GameFactory(now=now, seed="beside", plays=5)
    sound = replay_audit.audit(session, game.id)
    sealed = session.execute(
        select(OpenDecision)
        .where(OpenDecision.game_id == game.id, OpenDecision.sealed, OpenDecision.order_id.is_not(None))
        .limit(1)
    ).scalar_one()
    plain = session.execute(
        select(OpenDecision)
        .where(
            OpenDecision.game_id == game.id,
            ~OpenDecision.sealed,
            OpenDecision.hand == "player",
            OpenDecision.ply > sealed.ply,
        )
        .limit(1)
    ).scalar_one()

    faults = {}
    for name, row, values in (
        ("swapped", sealed.order_id, {"canonical": "bid highest"}),
        ("unsent", plain.order_id, {"canonical": "call"}),
        ("late", plain.order_id, {"created_at": now + hours(1)}),
    ):
        with session.begin_nested() as nested:
            session.execute(update(StoredOrder).where(StoredOrder.id == row).values(values))
            faults[name] = replay_audit.audit(session, game.id).faults
            nested.rollback()

    assert sound.faults == ()
    assert sound.sealed > 0
    assert sound.orders > sound.sealed
    assert sound.draws > 0
    assert any("the sealed list of seat" in fault for fault in faults["swapped"])
    assert f"Ply {plain.ply}: the order played for seat {plain.seat} is not the one that was sent." in faults["unsent"]
    assert f"Ply {plain.ply}: the order of seat {plain.seat} came in only after the ply." in faults["late"]


def test_a_finished_game_is_exported_whole_and_replays(session: Session, now: datetime) -> None:
    """Seed, every draw and the result: anybody can play it again without our generator."""
    game = GameFactory(now=now, seed="export")
    play_to_the_end(session, now, game)
    text = record_export.record(session, game.id)

    assert "seed: export" in text
    assert replay.mismatches(text) == ()
    assert records.parse(text).result is not None


@pytest.mark.parametrize("name", ["amunre", "priestsofra", "egizia"])
def test_a_running_game_is_exported_without_its_secrets(session: Session, now: datetime, name: str) -> None:
    """Neither the seed nor a digest, and nothing that the rules keep hidden."""
    game = GameFactory(game=name, now=now, seed="running-seed", plays=8)
    text = record_export.record(session, game.id)

    assert "running-seed" not in text
    assert "digest" not in text
    assert f"game: {name}" in text


def test_what_has_not_begun_has_no_record(session: Session) -> None:
    """An unknown number leads nowhere."""
    with pytest.raises(NotSeated):
        record_export.record(session, 4711)
    with pytest.raises(NotSeated):
        replay_audit.audit(session, 4711)
