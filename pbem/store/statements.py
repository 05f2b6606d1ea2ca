"""Statements of the hot path: made once, and handed to PostgreSQL's driver as they are.

From a statement to its rows SQLAlchemy takes about four times as long as the driver (what an order begins with: 0.22 ms
and 0.05 ms), and an order and a ply are little else. What SQLAlchemy knows of types and of cut connections stays.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from sqlalchemy import Connection, Dialect, Executable
    from sqlalchemy.orm import Session


_LIST, _VALUE = re.compile(r"IN \(__\[POSTCOMPILE_(\w+)\]\)"), re.compile(r"__\[POSTCOMPILE_(\w+)\]|%\((\w+)\)s")
"""A list of values, which SQLAlchemy would write anew into the text each time, and any other value."""


class Statement:
    """A statement whose text never changes: a list of numbers or texts is one value to PostgreSQL, however long.

    What is the same each time stands in the text, where PostgreSQL's plan, which is made once, can reckon with it.
    """

    def __init__(self, statement: Executable, *, elsewhere: Executable | None = None) -> None:
        """Compiled when it first runs on PostgreSQL; `elsewhere` the other runs, if there is one."""
        self._statement, self._elsewhere = statement, statement if elsewhere is None else elsewhere
        self._text = ""
        self._order: list[str] = []
        self._cursor: Any = None
        self._bind: list[tuple[str, Callable[[Any], Any]]] = []
        self._read: list[tuple[int, Callable[[Any], Any]]] = []

    def rows(self, session: Session, values: Mapping[str, Any], *, alone: bool = False) -> Sequence[Sequence[Any]]:
        """Return what it finds or returns. `alone`: where no transaction has begun it holds by itself, and begins none.

        PostgreSQL is then neither told to begin nor, where nothing else follows, to commit: two of five messages. On a
        connection that only looks every statement is alone, and stays so.
        """
        session.flush()  # what is set in objects counts, as with every other statement of a session
        kept: Connection | None = session.info.get(_KEPT) if alone and not has_begun(session) else None
        connection = kept or session.connection()
        if connection.dialect.name != "postgresql":
            return connection.execute(self._elsewhere, values).all()
        driver: Any = connection.connection.driver_connection
        if alone := alone and not (driver.autocommit or driver.pgconn.transaction_status):
            driver.autocommit = True
        try:
            found: list[tuple[Any, ...]] = self._run(connection, values).fetchall()
        finally:
            if alone and not driver.closed:
                driver.autocommit = False
        return [self._as_ours(row) for row in found] if self._read else found

    def run(self, session: Session, values: Mapping[str, Any]) -> None:
        """Do what it says; it returns nothing."""
        session.flush()
        connection = session.connection()
        if connection.dialect.name != "postgresql":
            connection.execute(self._elsewhere, values)
        else:
            self._run(connection, values)

    def _run(self, connection: Connection, values: Mapping[str, Any]) -> Any:
        if not self._text:
            self._compile(connection.dialect)
        given = dict(values)
        for name, convert in self._bind:
            given[name] = convert(given[name])
        cursor = self._cursor(connection.connection.driver_connection)
        text, handed = self._text, [given[name] for name in self._order]
        try:
            for listen in connection.engine.dispatch.before_cursor_execute:
                text, handed = listen(connection, cursor, text, handed, None, False)  # noqa: FBT003 - as SQLAlchemy does
            return cursor.execute(text, handed)
        except BaseException as fault:  # noqa: BLE001 - the call raises what SQLAlchemy makes of it
            connection._handle_dbapi_exception(fault, text, None, cursor, None)  # noqa: SLF001 - there is no open way

    def _compile(self, dialect: Dialect) -> None:
        """Learn the text, with its values numbered as PostgreSQL wants them, and what is to be done with each.

        Left to the driver they are numbered anew each time where the text is longer than 4 kB.
        """
        made: Any = self._statement.compile(dialect=dialect)  # type: ignore[attr-defined]  # every one of ours has it
        types = {name: bind.type.dialect_impl(dialect) for name, bind in made.binds.items()}
        constants = {
            name: _written(bind.value, types[name].literal_processor(dialect))
            for name, bind in made.binds.items()
            if not bind.required
        }
        ways_in = ((name, kind.bind_processor(dialect)) for name, kind in types.items() if name not in constants)
        lists = ((name, _array) for name in _LIST.findall(str(made)) if name not in constants)
        self._bind = [*((name, convert) for name, convert in ways_in if convert), *lists]
        columns = getattr(self._statement, "selected_columns", ())
        ways_out = (column.type.dialect_impl(dialect).result_processor(dialect, None) for column in columns)
        self._read = [(place, convert) for place, convert in enumerate(ways_out) if convert]
        from psycopg import RawCursor  # noqa: PLC0415 - on SQLite there is no driver

        self._cursor = RawCursor
        text = _LIST.sub(r"= ANY(%(\1)s)", str(made)).replace("%%", "%")
        names = dict.fromkeys(found[1] or found[2] for found in _VALUE.finditer(text))
        self._order = [name for name in names if name not in constants]
        numbers = {name: f"${number}" for number, name in enumerate(self._order, 1)}
        self._text = _VALUE.sub(lambda found: (constants | numbers)[found[1] or found[2]], text)

    def _as_ours(self, row: tuple[Any, ...]) -> list[Any]:
        values = list(row)
        for place, convert in self._read:
            values[place] = convert(values[place])
        return values


@contextmanager
def kept_connection(session: Session) -> Iterator[None]:
    """Within it what stands alone on PostgreSQL goes by one connection: to take one for each is a seventh of a ply."""
    engine = session.get_bind().engine
    if engine.dialect.name != "postgresql":
        yield
        return
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as session.info[_KEPT]:
        try:
            yield
        finally:
            del session.info[_KEPT]


_KEPT = "pbem.kept"
"""The key in `session.info`."""


def has_begun(session: Session) -> bool:
    """Whether the session has taken a connection for its transaction, which is then to be ended there."""
    begun: Any = session.get_transaction()
    return bool(begun and begun._connections)  # noqa: SLF001 - there is no open way


def _array(values: Iterable[int | str]) -> str:
    """Return how PostgreSQL reads a list, which it knows the kind of: the driver's own way asks each value."""
    quoted = (str(value).replace("\\", r"\\").replace('"', r"\"") for value in values)
    return "{" + ",".join(f'"{value}"' for value in quoted) + "}"


def _written(value: Any, write: Callable[[Any], str]) -> str:
    """Return how a value stands in the text of a statement."""
    return f"ARRAY[{', '.join(map(write, value))}]" if isinstance(value, list) else write(value)
