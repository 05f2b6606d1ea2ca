"""A client that a generator made from the description: it has every call, and plays a whole game."""

from __future__ import annotations

import importlib
import pkgutil
import subprocess
import sys
from contextvars import Context
from typing import TYPE_CHECKING, Any

import httpx
import msgspec
import pytest
from sqlalchemy import update

from pbem import clock
from pbem.capabilities import api_keys
from pbem.play.turns.advance import advance
from pbem.store.models import Club, GameState, Member
from pbem.web import api
from tests.factories import START, ClubFactory, GameFactory, PlayerFactory, near_the_end, seat_of, some_order

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient
    from flask_sqlalchemy import SQLAlchemy
    from sqlalchemy.orm import Session


@pytest.fixture
def generated(tmp_path: Path, client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a client generated from this server's description; it can be imported as `pbem_client`."""
    (tmp_path / "openapi.json").write_bytes(client.get("/api/v1/openapi.json").data)
    program = f"{sys.prefix}/bin/openapi-python-client"
    target = tmp_path / "made/pbem_client"
    (tmp_path / "settings.yaml").write_text("post_hooks: []\n")
    words = ("generate", "--path", tmp_path / "openapi.json", "--meta", "none", "--output-path", target)
    said = subprocess.run(
        (program, *words, "--config", tmp_path / "settings.yaml"), capture_output=True, text=True, check=True
    )
    assert "Warning" not in said.stdout
    monkeypatch.syspath_prepend(tmp_path / "made")
    return target


def test_no_call_and_no_shape_is_lost(generated: Path, client: FlaskClient) -> None:
    """Each operation has its module, each shape its own name, and the server is named."""
    found = client.get("/api/v1/openapi.json").get_json()
    calls = [call["operationId"] for methods in found["paths"].values() for call in methods.values()]
    made = {path.stem for path in generated.glob("api/*/*.py")}
    shapes = found["components"]["schemas"]

    assert len(calls) == len(set(calls)) > 80
    assert sorted(set(calls) - made) == []
    assert [name for name, shape in shapes.items() if shape.get("title") != name or not name.isidentifier()] == []
    assert found["servers"] == [{"url": "http://club.example"}]


def test_a_name_stands_for_one_shape() -> None:
    """What stands in one shape and in another under one name is the same: the description has it once, by that name."""
    known: dict[str, object] = {}
    for module in pkgutil.iter_modules(api.__path__):
        for kind in vars(importlib.import_module(f"pbem.web.api.{module.name}")).values():
            if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
                for name, shape in msgspec.json.schema(kind)["$defs"].items():
                    assert known.setdefault(name, shape) == shape, name
    assert len(known) > 60


def speaking(app: Flask, session: Session, key: str) -> Any:
    """The generated client with a key, on this server."""

    def apart(environ: Any, start: Any) -> Any:
        """Answer with a session of the request's own, as a server does."""
        session.rollback()
        return Context().run(app, environ, start)

    client: Any = importlib.import_module("pbem_client").AuthenticatedClient
    return client("http://club.example", token=key, httpx_args={"transport": httpx.WSGITransport(app=apart)})


def test_a_generated_client_plays_a_game_to_its_end(generated: Path, app: Flask, db: SQLAlchemy) -> None:
    """Each decision of its last forty plies is read and answered by the client's functions, with the seats' keys."""
    assert generated.is_dir()
    session, people = db.session(), PlayerFactory.create_batch(2)
    here = near_the_end("priestsofra", 2, ("auctions", "in_turn"))
    game = GameFactory.create(people=people, bots=(), options={"auctions": "in_turn"}, here=here)
    seats = [seat_of(session, game, number).id for number in range(2)]
    keys = [
        api_keys.issue_for_seat(session, START, player.id, seat, "script")
        for player, seat in zip(people, seats, strict=True)
    ]
    session.commit()
    look: Any = importlib.import_module("pbem_client.api.seat.seat").sync
    send: Any = importlib.import_module("pbem_client.api.seat.order").sync
    shape: Any = importlib.import_module("pbem_client.models").OrderIn
    clients = [speaking(app, session, key) for key in keys]
    for _ in range(400):
        if game.state is not GameState.RUNNING:
            break
        for number, (seat, key) in enumerate(zip(seats, clients, strict=True)):
            asked = look(seat, client=key).asked
            if asked and not asked.optional:
                answer = send(seat, client=key, body=shape(ply=asked.ply, text=some_order(session, game, number)))
                assert type(answer).__name__ == "OrderOut", answer
        session.rollback()
        advance(session, clock.now(), game.id)
        session.commit()
        session.refresh(game)

    assert game.state is GameState.FINISHED


def test_a_clubs_key_knows_its_club(client: FlaskClient, db: SQLAlchemy) -> None:
    """A program needs nothing but its key to find the club's number; the key of a person says that it is for all."""
    session = db.session()
    club: Club = ClubFactory.create()
    alice = PlayerFactory.create()
    session.add(Member(club_id=club.id, player_id=alice.id, role="organiser", joined_at=START))
    session.commit()
    texts = (
        api_keys.issue_for_club(session, START, alice.id, club.id, "script"),
        api_keys.issue_for_person(session, START, alice.id, "script"),
    )
    session.commit()
    heads = [{"Authorization": f"Bearer {text}"} for text in texts]
    of_club, own = (client.get("/api/v1/key", headers=head).get_json() for head in heads)
    session.execute(update(Member).values(role="player"))
    session.commit()
    assert [client.get("/api/v1/key", headers=head).status_code for head in heads] == [401, 200]

    assert (of_club["club"]["id"], of_club["club"]["role"], of_club["seat_id"]) == (club.id, "organiser", None)
    assert (own["club"], own["player_id"]) == (None, alice.id)
