"""The kinds of column the tables share."""

from __future__ import annotations

import secrets
import string
from datetime import datetime
from typing import Annotated, Any, TypeAlias

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, Integer, LargeBinary, String, Text, text
from sqlalchemy.orm import mapped_column

from pbem.extensions import Moment

Number = BigInteger().with_variant(Integer, "sqlite")
"""A whole number that outgrows 32 bits; SQLite counts up by itself in INTEGER only."""

_LETTERS = string.ascii_letters + string.digits


def opaque_name() -> str:
    """What a game or season is called in addresses: 71 bits of chance.

    Letters and digits alone: a name that began with a hyphen would be an option on a command line, and mail programs
    leave a hyphen at its end out of the link.
    """
    return "".join(secrets.choice(_LETTERS) for _ in range(12))


Id: TypeAlias = Annotated[int, mapped_column(Number, primary_key=True)]
Name: TypeAlias = Annotated[str, mapped_column(String(200))]
Slug: TypeAlias = Annotated[str, mapped_column(String(32), unique=True, default=opaque_name)]
Word: TypeAlias = Annotated[str, mapped_column(String(40), default="")]
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
