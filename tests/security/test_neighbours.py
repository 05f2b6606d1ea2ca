"""Neighbours: whoever asks about one game, club, season or person learns nothing of another, and changes nothing there.

Every function of the program that takes a session and ids is called alone, and again with a second world beside the
first, which is its copy to the last row, under other ids. It answers the same, and leaves the second world as it was.
So a `game_id`, `club_id` or `player_id` that is missing from a statement shows, whichever statement it is.
"""

from __future__ import annotations

import inspect
import pkgutil
import re
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest
import sqlalchemy
from sqlalchemy import Integer, String, UniqueConstraint, select

import pbem
from pbem.capabilities import api_keys
from pbem.clubs.account import personal_data
from pbem.extensions import db as database
from pbem.play.admin import action_log
from pbem.play.orders import standing_orders
from pbem.play.seats import notes, talk
from pbem.store.models import Game, GameState, Member, Sitter
from tests.factories import GameFactory, PlayerFactory, in_a_club, seat_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from sqlalchemy import Table
    from sqlalchemy.orm import Session

OTHER = 1_000_000
"""What is added to every id in the second world."""
World: TypeAlias = dict[str, list[tuple[Any, ...]]]
"""By table, rows."""
ROOMS = ("capabilities", "clubs", "inbound", "letters", "play", "store")
_NEW = re.compile(r"\b(\w*id)=\d+")
"""The number of a row that a call makes: it is the next one, whoever else has rows."""


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every function of the rooms whose first parameter is a session."""
    for module in pkgutil.walk_packages(pbem.__path__, "pbem."):
        if module.name.split(".")[1] not in ROOMS or ".migrations" in module.name:
            continue
        for name, found in inspect.getmembers(import_module(module.name), inspect.isfunction):
            if found.__module__ == module.name and next(iter(inspect.signature(found).parameters), "") == "session":
                yield f"{module.name}:{name}", found


def tables() -> list[Table]:
    """All tables, those first that others refer to."""
    return list(database.metadata.sorted_tables)


def is_id(column: Any) -> bool:
    """Whether a column names a row."""
    return isinstance(column.type, Integer) and (column.name == "id" or column.name.endswith("_id"))


def unique(table: Table) -> set[str]:
    """Texts of which no two rows may have the same."""
    sets = [rule.columns for rule in table.constraints if isinstance(rule, UniqueConstraint)]
    sets += [index.columns for index in table.indexes if index.unique]
    alone = [list(columns) for columns in sets if not any(is_id(column) for column in columns)]
    texts = [[column.name for column in columns if isinstance(column.type, String)] for columns in alone]
    return {names[0] for names in texts if names} | {column.name for column in table.columns if column.unique}


def fill(session: Session, now: datetime) -> None:
    """One row in every table that has none, about the people and games there are: nothing can be left out of a copy."""
    for table in tables():
        if session.execute(select(table).limit(1)).first() is None:
            row = {column.name: _some(session, column, now) for column in table.columns if column.name != "id"}
            session.execute(table.insert().values({name: value for name, value in row.items() if value is not None}))
    session.flush()


def _some(session: Session, column: Any, now: datetime) -> Any:
    """A value that a column can hold; None where there is no need of one."""
    for key in column.foreign_keys:
        return session.execute(select(key.column).limit(1)).scalar_one_or_none()
    if column.nullable or column.default is not None or column.server_default is not None:
        return None
    kinds = {bool: False, int: 1, str: "x", bytes: b"x", dict: {}, list: [], float: 1.0}
    enum = getattr(column.type, "enums", None)
    try:
        return enum[0] if enum else kinds.get(column.type.python_type, now)
    except RuntimeError:  # a type that stands for no class of Python
        return {}


def add_neighbours(session: Session) -> None:
    """Copy every row there is, under other ids."""
    for table in tables():
        other = unique(table)
        for row in session.execute(select(table)).mappings().all():
            copy = dict(row)
            for column in table.columns:
                value = copy[column.name]
                if value is not None and is_id(column):
                    copy[column.name] = value + OTHER
                elif value is not None and column.name in other:
                    copy[column.name] = value + b"-" if isinstance(value, bytes) else f"{value}-"
            session.execute(table.insert().values(copy))
    session.flush()


def _all_other(ids: list[int | None]) -> bool:
    said = [one for one in ids if one is not None]
    return bool(said) and min(said) >= OTHER


def second_world(session: Session) -> World:
    """All rows under the other ids."""
    found = {}
    for table in tables():
        rows = session.execute(select(table)).all()
        ids = [i for i, column in enumerate(table.columns) if is_id(column)]
        ids = [i for i in ids if list(table.columns)[i].name != "id"] or ids  # a new row of the first has the next id
        found[table.name] = [tuple(row) for row in rows if _all_other([row[i] for i in ids])]
    return found


def plain(value: Any) -> Any:
    """An answer that can be compared: rows as their columns, everything else as it is written."""
    if isinstance(value, dict):
        return {plain(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple | set | frozenset) or hasattr(value, "_mapping"):
        return [plain(one) for one in value]
    if sqlalchemy.inspect(value, raiseerr=False) is not None and hasattr(value, "__table__"):
        return {column.name: getattr(value, column.name) for column in value.__table__.columns}
    return _NEW.sub(r"\1=", repr(value))


def answer(session: Session, deed: Callable[..., Any], given: dict[str, Any], beside: World | None = None) -> Any:
    """What a call gives, or how it refuses, or what it changes `beside`; what it does is undone."""
    session.expire_all()
    with session.begin_nested() as inner:
        try:
            said = plain(deed(session, **given))
            session.flush()
        except Exception as error:  # noqa: BLE001 - any refusal is an answer
            said = f"{type(error).__name__}: {error}"
            if not inner.is_active:
                return said
        after = second_world(session) if beside is not None else None
        inner.rollback()
    if after is None or beside is None or after == beside:
        return said
    return f"changed another's {[name for name, rows in after.items() if rows != beside[name]]}"


def world(session: Session, now: datetime) -> dict[str, Any]:
    """A game of two people in a club, and what calls are given to ask about them."""
    people = PlayerFactory.create_batch(2)
    game = GameFactory.create(people=people, plays=3)
    in_a_club(session, game, people[1].id)
    session.add(Member(club_id=game.club_id, player_id=people[0].id, role="organiser", joined_at=now))
    seat = seat_of(session, game, 0)
    notes.keep(session, now, seat.id, "mine")
    talk.say(session, now, seat.id, "hello")
    standing_orders.store(session, now, seat.id, "pass")
    api_keys.issue_for_person(session, now, people[0].id, "mine")
    action_log.write(session, now, game, "look view", by=people[0].id, seat=1)
    return {
        "now": now,
        "game_id": game.id,
        "club_id": game.club_id,
        "player_id": people[0].id,
        "by": people[0].id,
        "organiser_id": people[0].id,
        "seat_id": seat.id,
        "seat": 0,
        "ply": game.ply,
        "current": game.ply,
        "last": game.ply,
        "first": 1,
        "limit": 500,
        "letter": 10**5,
        "letter_id": 1,
        "season_id": 1,
        "slug": game.slug,
    }


def test_nobody_learns_of_a_second_world_or_changes_it(
    session: Session, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each function answers as if it were alone."""
    known = world(session, now)
    session.commit()
    fill(session, now)
    monkeypatch.setattr(session, "commit", session.flush)  # what a call does is undone
    calls = []
    for name, deed in functions():
        wanted = [one for one in list(inspect.signature(deed).parameters.values())[1:] if one.default is one.empty]
        if wanted and all(one.name in known for one in wanted) and any(one.name.endswith("_id") for one in wanted):
            calls.append((name, deed, {one.name: known[one.name] for one in wanted}))
    alone = {name: answer(session, deed, given) for name, deed, given in calls}
    again = {name: answer(session, deed, given) for name, deed, given in calls}
    add_neighbours(session)
    there = second_world(session)
    beside = {name: answer(session, deed, given, there) for name, deed, given in calls}
    session.rollback()
    steady = {name for name in alone if alone[name] == again[name]}

    assert {name: (alone[name], beside[name]) for name in steady if alone[name] != beside[name]} == {}
    assert [name for name in beside if str(beside[name]).startswith("changed another's")] == []
    assert len(steady) > 100


def test_what_is_erased_and_exported_is_the_persons_own(session: Session, now: datetime) -> None:
    """Once their games are over: then erasing goes through, to the last table, and the second world stays as it was."""
    known = world(session, now)
    session.execute(sqlalchemy.update(Game).values(state=GameState.FINISHED))
    session.execute(sqlalchemy.update(Member).values(role="organiser"))
    session.flush()
    fill(session, now)
    session.execute(sqlalchemy.update(Sitter).values(seat=0))
    for table in tables():
        words = {
            column.name: "mine" for column in table.columns if column.name in {"handover", "note", "reason", "text"}
        }
        if words:
            session.execute(table.update().values(words))
    given = {"player_id": known["player_id"]}
    exported = answer(session, personal_data.export_person, given)
    add_neighbours(session)
    there = second_world(session)

    assert answer(session, personal_data.export_person, given) == exported
    assert all(exported.values()), {name for name, rows in exported.items() if not rows}
    assert answer(session, personal_data.erase, {"now": now, **given}, there) == "None"
    session.rollback()
