"""What a run of a game writes, without the ORM and by statements made once: either would cost a third of its time.

On PostgreSQL rows come as one JSON text, so that a statement is the same for any number of them. A run writes only if
its game still runs, in the version that was read, and nobody else holds its row: it may have been read without a lock.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, cast

import msgspec
from sqlalchemy import Executable, Table, bindparam, insert, select, text, update
from sqlalchemy.dialects import sqlite
from sqlalchemy.orm import Session

from pbem.store.models import Game, GameState, Letter, OpenDecision, StoredPly
from pbem.store.statements import Statement

Row = dict[str, Any]

_PLIES, _DECISIONS, _LETTERS, _GAMES = (
    cast("Table", entity.__table__) for entity in (StoredPly, OpenDecision, Letter, Game)
)


def _columns(table: Table, *without: str) -> tuple[str, ...]:
    return tuple(column.name for column in table.columns if column.name not in {"id", *without})


PLY = _columns(_PLIES, "restores")
"""Columns of a ply, as they are handed in."""
GAME = ("state", "ply", "version", "outcome", "due_at", "cover_at", "wake_at", "due_version", "tries", "finished_at")
"""Columns of a game that a run may set."""
DECISION = _columns(_DECISIONS, "letter_at", "closed_at")
"""Columns of a decision that is opened."""
LETTER = _columns(_LETTERS, "claimed_at", "sent_at")
"""Columns of a letter that is written."""


class StaleRead(Exception):
    """A game isn't as it was read, or somebody else is at it: nothing may be written of what was made of it."""


def _add(table: str, columns: Sequence[str], rows: str, beside: str = "") -> str:
    """Words of SQL that insert what the parameter `rows` holds as JSON; nothing where the table `beside` is empty."""
    names = ", ".join(columns)
    found = f"json_populate_recordset(CAST(NULL AS {table}), CAST(:{rows} AS json)){beside}"
    return f"INSERT INTO {table} ({names}) SELECT {names} FROM {found}"  # noqa: S608 - our own names


_ADD_PLIES = insert(_PLIES)
_CLOSE = (
    update(_DECISIONS)
    .where(
        _DECISIONS.c.game_id == bindparam("game"),
        _DECISIONS.c.ply == bindparam("number"),
        _DECISIONS.c.closed_at.is_(None),
    )
    .values(closed_at=bindparam("now"), nudge_at=None)
)
_HOLD = Statement(
    select(_GAMES.c.id)
    .where(
        _GAMES.c.id == bindparam("game"),
        _GAMES.c.version == bindparam("seen"),
        _GAMES.c.state.is_not_distinct_from(GameState.RUNNING),  # as in `_RUN`, or an index of states would find it
    )
    .with_for_update(key_share=True, skip_locked=True)
)
_SAVE = Statement(
    update(_GAMES)
    .where(_GAMES.c.id == bindparam("number"))
    .values({name: bindparam(f"new_{name}", type_=_GAMES.c[name].type) for name in GAME})
)
_ONCE = "ON CONFLICT (cause) DO NOTHING"
_RUN = Statement(
    text(
        f"""
    WITH unchanged AS (
        SELECT id FROM games WHERE id = :game_id AND version = :seen AND state IS NOT DISTINCT FROM 'running'
        FOR NO KEY UPDATE SKIP LOCKED
    ), moved AS (
        UPDATE games SET {", ".join(f"{name} = :new_{name}" for name in GAME)} FROM unchanged
        WHERE games.id = unchanged.id RETURNING games.id
    ), closed AS (
        UPDATE decisions SET closed_at = :resolved_at, nudge_at = NULL FROM moved
        WHERE game_id = moved.id AND ply = :ply AND closed_at IS NULL
    ), added AS (
        INSERT INTO plies ({", ".join(PLY)}) SELECT {", ".join(f":{name}" for name in PLY)} FROM moved
    ), asked AS (
        {_add("decisions", DECISION, "asked", ", moved")}
    ), written AS (
        {_add("letters", LETTER, "letters", ", moved")} {_ONCE}
    )
    SELECT id FROM moved
    """  # noqa: S608 - names of columns, no value
    )
)
"""A ply, what it closes and opens, its letters and its game: one statement instead of five.

The state is asked for so that no index finds the game by it: planned while there was little, each read all that run.
"""
_DROP_RECEIPTS = Statement(
    update(_LETTERS)
    .where(
        _LETTERS.c.game_id == bindparam("game"),
        _LETTERS.c.ply == bindparam("number"),
        _LETTERS.c.kind == "receipt",
        _LETTERS.c.state.is_not_distinct_from("pending"),  # said so that no index finds it: it is one of all that waits
        _LETTERS.c.mail_id.is_(None),
    )
    .values(state="dropped")
)
_QUEUE = Statement(text(f"{_add('letters', LETTER, 'letters')} {_ONCE}"))
_QUEUE_ON_SQLITE = sqlite.insert(_LETTERS).on_conflict_do_nothing(index_elements=["cause"])


def _json(rows: Sequence[Row]) -> str:
    """Return rows as the statements take them; what isn't said there is NULL, and costs PostgreSQL nothing to read."""
    said = [{name: value for name, value in row.items() if value is not None} for row in rows]
    return msgspec.json.encode(said).decode()


def hold(session: Session, game: Game) -> None:
    """Lock a game whose plain row is as it was read. Raises StaleRead."""
    if not _HOLD.rows(session, {"game": game.id, "seen": game.version}):
        raise StaleRead


def write_run(  # noqa: PLR0913, PLR0917 - all that a run leaves
    session: Session,
    now: datetime,
    game: Game,
    plies: Sequence[Row],
    asked: Sequence[Row],
    letters: Sequence[Row],
    beside: Sequence[Executable],
) -> None:
    """Append the plies of a run, close what was asked for the first of them, open what is asked now, save the game.

    Its letters go into the outbox, as by `queue`; receipts of what several answered for the first ply are dropped.
    `beside`: what changes by it elsewhere. Where nothing else was or is written, all is committed at once.
    Raises StaleRead if the stored version isn't the one before; on SQLite, or without plies, whoever calls holds it.
    """
    several = bool(plies) and len(plies[0]["orders"]) > 1
    if plies and session.get_bind().dialect.name == "postgresql":
        first, *rest = plies
        kept = {name: msgspec.json.encode(first[name]).decode() for name in ("orders", "hands", "chance")}
        more = {"asked": _json(asked), "letters": _json(letters)}
        values = {**first, **kept, **_saved(game), "new_state": str(game.state), **more, "seen": game.version - 1}
        if not _RUN.rows(session, values, alone=not (rest or several or beside)):
            raise StaleRead
        if rest:
            session.execute(_ADD_PLIES, rest)
    else:
        if plies:
            add_plies(session, now, plies)
        if asked:
            session.execute(insert(_DECISIONS), asked)
        save_game(session, game)
        if letters:
            queue(session, letters)
    if several:
        drop_receipts(session, game.id, plies[0]["ply"] - 1)
    for statement in beside:
        session.execute(statement)


def save_game(session: Session, game: Game) -> None:
    """Write what a run set in a plain row."""
    _SAVE.run(session, {"number": game.id, **_saved(game)})


def _saved(game: Game) -> Row:
    return {f"new_{name}": getattr(game, name) for name in GAME}


def add_plies(session: Session, now: datetime, rows: Sequence[Row]) -> None:
    """Append plies of a game, and close every decision for the first of them that is open."""
    session.execute(_ADD_PLIES, rows)
    close(session, now, rows[0]["game_id"], rows[0]["ply"])


def close(session: Session, now: datetime, game_id: int, ply: int) -> None:
    """Close every decision for a ply that is open."""
    session.execute(_CLOSE, {"game": game_id, "number": ply, "now": now})


def drop_receipts(session: Session, game_id: int, ply: int) -> None:
    """Drop the receipts about a ply that have not left, but for those that answer a mail."""
    _DROP_RECEIPTS.run(session, {"game": game_id, "number": ply})


def queue(session: Session, rows: Sequence[Row]) -> None:
    """Put letters into the outbox; a cause that has its letter already gets no second one."""
    if session.get_bind().dialect.name == "postgresql":
        _QUEUE.run(session, {"letters": _json(rows)})
    else:
        session.execute(_QUEUE_ON_SQLITE, rows)
