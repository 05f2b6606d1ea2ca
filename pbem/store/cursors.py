"""PostgreSQL's cursor, describing a result only for who asks: SQLAlchemy knows the columns of its own statements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

from psycopg import Column, Cursor

if TYPE_CHECKING:
    from psycopg.pq.abc import PGresult


class Columns(Sequence[Column]):
    """The columns of one result. Each is worked out when it is looked at: sixty of them cost as much as the rows."""

    def __init__(self, cursor: Cursor[Any], result: PGresult) -> None:
        """Keep where they come from."""
        self._cursor, self._count = cursor, result.nfields

    def __len__(self) -> int:
        """How many there are."""
        return self._count

    @overload
    def __getitem__(self, index: int) -> Column: ...

    @overload
    def __getitem__(self, index: slice) -> list[Column]: ...

    def __getitem__(self, index: int | slice) -> Column | list[Column]:
        """One column, or several."""
        found = range(self._count)[index]
        return Column(self._cursor, found) if isinstance(found, int) else [Column(self._cursor, at) for at in found]


class QuietCursor(Cursor[Any]):
    """A cursor whose result is described when somebody looks."""

    @property
    def description(self) -> Columns | list[Column] | None:  # type: ignore[override]  # DB-API asks for a sequence only
        """The columns of the present result; None if it has none."""
        result = self.pgresult
        return Columns(self, result) if result is not None and result.nfields else super().description
