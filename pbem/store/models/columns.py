"""The kinds of column the tables share."""

from __future__ import annotations

import secrets
import string
from datetime import datetime
from typing import Annotated, Any, ClassVar, TypeAlias

from sqlalchemy import (
    JSON,
    BigInteger,
    ColumnElement,
    Enum,
    ForeignKey,
    FromClause,
    Index,
    Integer,
    LargeBinary,
    String,
    Text,
    literal_column,
    text,
)
from sqlalchemy.orm import Mapped, MappedColumn, mapped_column
from sqlalchemy.sql.operators import OperatorType

from pbem.extensions import Base, Moment
from pbem.structs import SECRET

Number = BigInteger().with_variant(Integer, "sqlite")
"""A whole number that outgrows 32 bits; SQLite counts up by itself in INTEGER only."""


class _Inline(String.Comparator[str]):
    """Compares with a word by writing it into the statement.

    An index over the rows of some states is no use to a plan that is made once, before the parameters are known.
    """

    def operate(self, op: OperatorType, *other: Any, **more: Any) -> ColumnElement[Any]:
        """Return the comparison with words of the other side written out."""
        return super().operate(op, *map(self._written, other), **more)

    def _written(self, value: Any) -> Any:
        if isinstance(value, list | tuple):
            return [self._written(one) for one in value]
        return literal_column(f"'{value}'", self.type) if isinstance(value, str) and value.isalpha() else value


class StateWord(String):
    """How far something has come, in a word of ours."""

    comparator_factory = _Inline


class StateEnum(Enum):
    """The same where the words are listed."""

    comparator_factory = _Inline  # type: ignore[assignment]  # it asks for Enum's own, which differs in joining words only


_LETTERS = string.ascii_letters + string.digits


def opaque_name() -> str:
    """Return what a game or season is called in addresses: 71 bits of chance.

    Letters and digits alone: a name that began with a hyphen would be an option on a command line, and mail programs
    leave a hyphen at its end out of the link.
    """
    return "".join(secrets.choice(_LETTERS) for _ in range(12))


class TableRow(Base):
    """What every table is: rows with a number of their own."""

    __abstract__ = True

    id: Mapped[int] = mapped_column(Number, primary_key=True, sort_order=-1)

    def __init_subclass__(cls, **options: Any) -> None:
        """Note which columns are secret."""
        super().__init_subclass__(**options)
        SECRET.update(column.key for column in cls.__table__.columns if column.info.get("secret"))


class Endable:
    """Rows that are kept when what they stand for has ended: `ended_at` says when."""

    __table__: ClassVar[FromClause]

    @classmethod
    def in_force(cls) -> ColumnElement[bool]:
        """Return the condition for rows that nobody and nothing has ended; statements of plain rows take it, too."""
        return cls.__table__.c.ended_at.is_(None)


def secret_column(*kind: Any, **options: Any) -> MappedColumn[Any]:
    """A column that opens something, or holds an address, what is hidden in a game, or somebody's own words."""
    return mapped_column(*kind, info={"secret": True}, **options)


Count: TypeAlias = Annotated[int, mapped_column(default=0)]
Flag: TypeAlias = Annotated[bool, mapped_column(default=False)]
Digest: TypeAlias = Annotated[str, mapped_column(String(64))]
"""Up to 256 bits in hexadecimal."""
Name: TypeAlias = Annotated[str, mapped_column(String(200))]
Slug: TypeAlias = Annotated[str, mapped_column(String(32), unique=True, default=opaque_name)]
Word: TypeAlias = Annotated[str, mapped_column(String(40), default="")]
State: TypeAlias = Annotated[str, mapped_column(StateWord(40), default="")]
Words: TypeAlias = Annotated[str, mapped_column(Text, default="")]
When: TypeAlias = Annotated[datetime, mapped_column(Moment)]
WhenKnown: TypeAlias = Annotated[datetime | None, mapped_column(Moment)]
Blob: TypeAlias = Annotated[bytes, mapped_column(LargeBinary)]
BlobKnown: TypeAlias = Annotated[bytes | None, mapped_column(LargeBinary)]
Table: TypeAlias = Annotated[dict[str, Any], mapped_column(JSON, default=dict)]
List: TypeAlias = Annotated[list[Any], mapped_column(JSON, default=list)]

ToGame: TypeAlias = Annotated[int, mapped_column(Number, ForeignKey("games.id"))]
ToGameKnown: TypeAlias = Annotated[int | None, mapped_column(Number, ForeignKey("games.id"))]
ToPlayer: TypeAlias = Annotated[int, mapped_column(Number, ForeignKey("players.id"))]
ToPlayerKnown: TypeAlias = Annotated[int | None, mapped_column(Number, ForeignKey("players.id"))]
ToClub: TypeAlias = Annotated[int, mapped_column(Number, ForeignKey("clubs.id"))]
ToClubKnown: TypeAlias = Annotated[int | None, mapped_column(Number, ForeignKey("clubs.id"))]


def partial(name: str, *columns: str, where: str) -> Index:
    """An index over the rows that fulfil `where` only, on both databases: what a sweep looks through stays short."""
    return Index(name, *columns, postgresql_where=text(where), sqlite_where=text(where))
