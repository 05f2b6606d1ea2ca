"""What rows say of themselves: each yes and no of the tables, for the rows that it parts."""

from __future__ import annotations

import re
from datetime import timedelta
from inspect import isclass, isfunction
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from sqlalchemy import Column, MetaData, Table, create_engine, select

import pbem
from pbem.store import models
from pbem.store.models import (
    Capability,
    Game,
    GameState,
    Hook,
    Invitation,
    Member,
    OpenDecision,
    Player,
    Proposal,
    Season,
    SeasonEntry,
    Seat,
    Sitter,
    StoredStandingOrders,
    Vote,
)
from pbem.store.models.columns import Endable
from tests.factories import START

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pbem.extensions import Base

PBEM = Path(pbem.__file__).parent
EARLIER, LATER = START - timedelta(seconds=1), START + timedelta(seconds=1)


class Told(NamedTuple):
    """What a row says of itself when it is asked."""

    asked: Callable[[Any], object]
    rows: tuple[tuple[Any, object], ...]
    """Rows, and what each says."""


def answered(player: Player) -> tuple[object, str]:
    """When somebody first answered, and what is thought of the address, once an answer came."""
    player.answers(START)
    return player.accepted_at, player.address_state


TOLD = {
    "Season.is_called_off": Told(
        lambda season: season.is_called_off,
        (
            (Season(state="finished"), True),
            (Season(state="finished", started_at=START), False),
            (Season(state="open"), False),
            (Season(state="running", started_at=START), False),
        ),
    ),
    "Seat.is_free": Told(
        lambda seat: seat.is_free,
        ((Seat(bot=""), True), (Seat(bot="", player_id=1), False), (Seat(bot="heuristic"), False)),
    ),
    "Hook.host": Told(
        lambda hook: hook.host,
        ((Hook(url="https://hooks.example/services/a-key"), "hooks.example"), (Hook(url="a-key"), "")),
    ),
    "Player.answers": Told(
        answered,
        (
            (Player(address_state="new"), (START, "good")),
            (Player(address_state="new", accepted_at=EARLIER), (EARLIER, "good")),
            (Player(address_state="bounced", accepted_at=EARLIER), (EARLIER, "bounced")),
        ),
    ),
    "GameState.is_underway": Told(
        lambda state: state.is_underway, tuple((state, state in models.UNDERWAY) for state in GameState)
    ),
    "GameState.is_over": Told(lambda state: state.is_over, tuple((state, state in models.OVER) for state in GameState)),
}
"""By name."""


@pytest.mark.parametrize("name", TOLD)
def test_a_row_says_what_it_is(name: str) -> None:
    """Each of those that it could be taken for is told from it."""
    told = TOLD[name]

    assert [told.asked(row) for row, _ in told.rows] == [said for _, said in told.rows]


class Parted(NamedTuple):
    """A condition, and rows of which it wants some."""

    condition: Callable[[], Any]
    wanted: tuple[dict[str, Any], ...]
    others: tuple[dict[str, Any], ...]
    beside: Mapping[type[Base], tuple[dict[str, Any], ...]] = {}
    """Other tables that it asks, and what stands in them."""


_QUESTION = {"game_id": 1, "ply": 5, "seat": 0}
_JUDGED = {**_QUESTION, "closed_at": START}
_BY_HAND = {**_QUESTION, "hand": "player", "answered_at": START}
_VOTE = {"game_id": 1, "state": "open", "expires_at": LATER}
PARTED = {
    "Capability.is_live": Parted(
        lambda: Capability.is_live(START),
        ({"expires_at": LATER, "epoch": 2},),
        (
            {"expires_at": LATER, "epoch": 2, "revoked_at": EARLIER},
            {"expires_at": START, "epoch": 2},
            {"expires_at": LATER, "epoch": 1},
        ),
        {Player: ({"epoch": 2},)},
    ),
    "Member.at_present": Parted(
        lambda: Member.at_present(club_id=1, role="organiser"),
        ({"club_id": 1, "role": "organiser"},),
        (
            {"club_id": 1, "role": "organiser", "left_at": EARLIER},
            {"club_id": 2, "role": "organiser"},
            {"club_id": 1, "role": "player"},
        ),
    ),
    **{
        f"{kind.__name__}.in_force": Parted(kind.in_force, ({},), ({"ended_at": EARLIER},))
        for kind in (Hook, Sitter, StoredStandingOrders)
    },
    "Sitter.lasts": Parted(
        lambda: Sitter.lasts(START), ({"ends": LATER},), ({"ends": START}, {"ends": LATER, "ended_at": EARLIER})
    ),
    "Sitter.at_present": Parted(
        lambda: Sitter.at_present(START),
        ({"starts": START, "ends": LATER},),
        (
            {"starts": LATER, "ends": LATER},
            {"starts": EARLIER, "ends": START},
            {"starts": EARLIER, "ends": LATER, "ended_at": EARLIER},
        ),
    ),
    "Invitation.is_open": Parted(
        lambda: Invitation.is_open(START),
        ({"state": "pending", "expires_at": LATER},),
        ({"state": "pending", "expires_at": START}, {"state": "accepted", "expires_at": LATER}),
    ),
    "Proposal.is_open": Parted(
        lambda: Proposal.is_open(START),
        (
            _VOTE,
            _VOTE | {"seat": 0, "created_at": START},
            *(_VOTE | {"created_at": EARLIER} | seat for seat in ({"seat": 1}, {"seat": 2}, {"game_id": 2, "seat": 0})),
            *(_VOTE | {"seat": seat, "created_at": START} for seat in (3, 4)),
        ),
        (
            _VOTE | {"expires_at": START},
            _VOTE | {"state": "refused"},
            _VOTE | {"seat": 0, "created_at": EARLIER},
            _VOTE | {"game_id": 0},
            *(_VOTE | {"seat": seat, "created_at": EARLIER} for seat in (3, 4)),
        ),
        {
            OpenDecision: (
                _BY_HAND,
                _BY_HAND | {"seat": 1, "hand": "autopilot"},
                _BY_HAND | {"seat": 2, "secret": True},
            ),
            Game: tuple({"state": state} for state in (GameState.FINISHED, GameState.RUNNING, GameState.PAUSED)),
            Seat: (
                {"game_id": 1, "seat": 3, "joined_at": START},
                {"game_id": 1, "seat": 4, "resigned_at": START},
                {"game_id": 2, "seat": 1, "joined_at": START},
            ),
        },
    ),
    "Vote.binds": Parted(
        Vote.binds,
        ({"seat": 0, "at": START}, {"seat": 0, "at": LATER}, {"seat": 1, "at": EARLIER}),
        ({"seat": 0, "at": EARLIER}, {"seat": 2, "at": LATER}),
        {Seat: ({"seat": 0, "joined_at": START}, {"seat": 1})},
    ),
    "Seat.holds": Parted(
        lambda: Seat.holds(OpenDecision(game_id=1, seat=0)),
        ({"game_id": 1, "seat": 0},),
        ({"game_id": 1, "seat": 1}, {"game_id": 2, "seat": 0}),
    ),
    "OpenDecision.at_present": Parted(
        OpenDecision.at_present,
        (_QUESTION,),
        (_QUESTION | {"game_id": 2}, _QUESTION | {"ply": 4}, _QUESTION | {"ply": 6}),
        {Game: ({"id": 1, "ply": 4}, {"id": 3, "ply": 4})},
    ),
    "OpenDecision.answers_since": Parted(
        lambda: OpenDecision.answers_since(Invitation(game_id=1, seat=0, created_at=EARLIER)),
        (_BY_HAND, _BY_HAND | {"hand": "sitter"}),
        (
            *(_BY_HAND | {"hand": hand} for hand in ("", "autopilot", "bot", "standing")),
            *(_BY_HAND | {"answered_at": when} for when in (None, EARLIER)),
            *(_BY_HAND | {column: 2} for column in ("game_id", "seat")),
        ),
    ),
    "OpenDecision.judges": Parted(
        OpenDecision.judges,
        (_JUDGED, _JUDGED | {"closed_at": LATER}),
        (
            _JUDGED | {"closed_at": None},
            _JUDGED | {"closed_at": EARLIER},
            *(_JUDGED | {kind: True} for kind in ("secret", "optional", "ahead")),
        ),
        {Seat: ({"joined_at": START},)},
    ),
    "Season.counts_game": Parted(
        Season.counts_game,
        ({}, {"finished_at": START}, {"finished_at": LATER}),
        ({"finished_at": EARLIER},),
        {Game: ({"finished_at": START},)},
    ),
    "SeasonEntry.counts": Parted(
        SeasonEntry.counts,
        ({}, {"dropped_at": START}, {"dropped_at": LATER}),
        ({"dropped_at": EARLIER},),
        {Season: ({"started_at": START},)},
    ),
}
"""By name."""


def bare(table: type[Base], rows: tuple[dict[str, Any], ...], connection: Any) -> None:
    """Make a table that holds whatever it is given, with these rows."""
    columns = table.__table__.columns
    made = Table(table.__tablename__, MetaData(), *(Column(column.name, column.type) for column in columns))
    made.create(connection)
    for number, row in enumerate(rows):
        asked = {column.name: False for column in columns if column.type.python_type is bool}
        connection.execute(made.insert().values({"id": number, **asked, **row}))


@pytest.mark.parametrize("name", PARTED)
def test_a_condition_parts_the_rows_it_is_for(name: str) -> None:
    """What it wants is found, and nothing that differs from that in one thing only."""
    parted, table = PARTED[name], getattr(models, name.partition(".")[0])
    with create_engine("sqlite://").connect() as connection:
        bare(table, (*parted.wanted, *parted.others), connection)
        for beside, rows in parted.beside.items():
            bare(beside, rows, connection)
        found = connection.scalars(select(table.id).where(parted.condition()).order_by(table.id)).all()

    assert found == list(range(len(parted.wanted)))


def test_every_table_is_asked_for_all_that_its_rows_say() -> None:
    """Whatever a table works out, one of the tests above has rows for."""
    said = {
        f"{kind.__name__}.{name}"
        for kind in vars(models).values()
        if isclass(kind)
        for above in (kind, Endable)[: 1 + issubclass(kind, Endable)]
        for name, one in vars(above).items()
        if name[0] != "_" and (isfunction(one) or isinstance(one, property | classmethod))
    }

    assert said == {*TOLD, *PARTED}


def test_what_is_in_force_is_asked_of_the_tables_alone() -> None:
    """No statement spells out what an end, or days that have begun, mean: whoever is to be told so asks the table."""
    spelt = re.compile(r"\b(?:ended_at\.is_\(None\)|(?:Sitter|SITTERS\.c)\.ends? >)")
    found = [path.name for path in PBEM.rglob("*.py") if spelt.search(path.read_text())]

    assert {kind.__name__ for kind in Endable.__subclasses__()} == {"Hook", "Sitter", "StoredStandingOrders"}
    assert found == ["columns.py"]
