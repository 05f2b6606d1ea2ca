"""What goes in and out of calls about seasons, as Structs."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import Meta

from pbem.engine.core.types import COLOURS
from pbem.web.api.club_shapes import Options, Wait
from pbem.web.api.person_shapes import PersonOut, Word
from pbem.web.api.shapes import Name


class TitleIn(msgspec.Struct, forbid_unknown_fields=True):
    """One game of a season."""

    game: Name
    seats: Annotated[int, Meta(ge=1, le=len(COLOURS))]
    options: Options = {}


class SeasonIn(msgspec.Struct, forbid_unknown_fields=True):
    """A season to be announced."""

    name: Annotated[str, Meta(min_length=1, max_length=100)]
    titles: Annotated[list[TitleIn], Meta(min_length=1, max_length=10)]
    system: Word = "swiss"
    """swiss, round_robin, ladder, knock_out."""
    rounds: Annotated[int, Meta(ge=1, le=40)] = 3
    cadence: Word = "club"
    min_wait: Wait | None = None
    max_wait: Wait | None = None
    workload: Annotated[int, Meta(ge=1, le=40)] = 4
    stagger_hours: Annotated[int, Meta(ge=0, le=336)] = 0


class SeasonLineOut(msgspec.Struct):
    """A season, for a list."""

    slug: str
    name: str
    state: str
    entered: int
    mine: bool


class LineOut(msgspec.Struct):
    """One line of a season's standings."""

    place: int
    player_id: int
    name: str
    points: float
    games: int
    wins: float
    opposition: float


class TableOut(msgspec.Struct):
    """One table of a season's round."""

    round: int
    number: int
    game: str
    players: list[str]
    slug: str
    """Empty before its game is opened."""
    state: str
    opens_at: datetime
    scores: list[int]
    places: list[int]


class SeasonOut(msgspec.Struct):
    """A season with its standings and every table so far."""

    slug: str
    name: str
    system: str
    state: str
    rounds: int
    workload: int
    standings: list[LineOut]
    tables: list[TableOut]
    playing: list[PersonOut]
