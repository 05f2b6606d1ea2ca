"""What grows out of finished games: seasons and their tables, ratings, and who is told of it all."""

from __future__ import annotations

from urllib.parse import urlsplit

from sqlalchemy import ColumnElement, Float, ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pbem.store.models.columns import (
    Count,
    Endable,
    List,
    Name,
    Number,
    Slug,
    State,
    Table,
    TableRow,
    ToClub,
    ToGame,
    ToGameKnown,
    ToPlayer,
    ToPlayerKnown,
    When,
    WhenKnown,
    Word,
    Words,
    partial,
    secret_column,
)
from pbem.store.models.games import Game


class Season(TableRow):
    """A run of rounds over one or several titles, from sign-up to final standings."""

    __tablename__ = "seasons"
    __table_args__ = (Index(None, "club_id", "state"),)

    club_id: Mapped[ToClub]
    slug: Mapped[Slug]
    name: Mapped[Name]
    system: Mapped[Word]
    """swiss, round_robin, ladder, knock_out."""
    rounds: Mapped[int]
    titles: Mapped[List]
    """One entry a title: game, wanted seats, options."""
    cadence: Mapped[Table]
    workload: Mapped[int] = mapped_column(default=4)
    """How many games of the season one player has at a time at most."""
    stagger_hours: Mapped[Count]
    """Hours between the starts of one round's titles."""
    state: Mapped[State] = mapped_column(default="open")
    """open, running, finished."""
    created_at: Mapped[When]
    started_at: Mapped[WhenKnown]
    finished_at: Mapped[WhenKnown]

    @property
    def is_called_off(self) -> bool:
        """Whether it was ended before it began: then it has no standings."""
        return self.state == "finished" and self.started_at is None

    @classmethod
    def counts_game(cls) -> ColumnElement[bool]:
        """Return the condition that a `Game` of it, which is joined, was over when it ended; any one while it lasts."""
        return cls.finished_at.is_(None) | (Game.finished_at <= cls.finished_at)


class SeasonEntry(TableRow):
    """A player's place in a season."""

    __tablename__ = "entries"
    __table_args__ = (UniqueConstraint("season_id", "player_id"), Index(None, "player_id"))

    season_id: Mapped[int] = mapped_column(Number, ForeignKey("seasons.id"))
    player_id: Mapped[ToPlayer]
    seed: Mapped[float] = mapped_column(Float, default=0.0)
    """The rating the player came with."""
    byes: Mapped[Count]
    joined_at: Mapped[When]
    dropped_at: Mapped[WhenKnown]

    @classmethod
    def counts(cls) -> ColumnElement[bool]:
        """Return the condition that they are signed up, or took part when the season began; its `Season` is joined."""
        return cls.dropped_at.is_(None) | (cls.dropped_at >= Season.started_at)


class Pairing(TableRow):
    """One table of one round: who sits there, and its game once opened."""

    __tablename__ = "pairings"
    __table_args__ = (
        UniqueConstraint("season_id", "round", "title", "number"),
        Index(None, "game_id"),
        partial("ix_pairings_waiting", "opens_at", where="game_id IS NULL"),
    )

    season_id: Mapped[int] = mapped_column(Number, ForeignKey("seasons.id"))
    round: Mapped[int]
    title: Mapped[int]
    """Which of the season's titles, from 0."""
    number: Mapped[int]
    players: Mapped[List]
    """Player ids in seat order."""
    game_id: Mapped[ToGameKnown]
    opens_at: Mapped[When]


class Rating(TableRow):
    """What is believed of a player's strength now, in one game or (game empty) over all."""

    __tablename__ = "ratings"
    __table_args__ = (UniqueConstraint("player_id", "game"), Index(None, "game", "shown"))

    player_id: Mapped[ToPlayer]
    game: Mapped[Word]
    mu: Mapped[float] = mapped_column(Float)
    sigma: Mapped[float] = mapped_column(Float)
    shown: Mapped[int]
    games: Mapped[Count]


class RatingStep(TableRow):
    """What one finished game did to one player's rating: the history that is drawn."""

    __tablename__ = "rating_steps"
    __table_args__ = (UniqueConstraint("game_id", "player_id", "pool"), Index(None, "player_id", "pool", "at"))

    game_id: Mapped[ToGame]
    player_id: Mapped[ToPlayer]
    pool: Mapped[Word]
    place: Mapped[int]
    shown: Mapped[int]
    at: Mapped[When]


class Hook(Endable, TableRow):
    """An address of another service that is told what happens in a club."""

    __tablename__ = "hooks"
    __table_args__ = (Index(None, "club_id"),)

    club_id: Mapped[ToClub]
    kind: Mapped[Word]
    """discord, slack, raw."""
    url: Mapped[Words] = secret_column()
    secret: Mapped[Word] = secret_column()
    created_at: Mapped[When]
    ended_at: Mapped[WhenKnown]

    @property
    def host(self) -> str:
        """Which service it calls; the rest of its address is a key to that service."""
        return urlsplit(self.url).hostname or ""


class HookCall(TableRow):
    """One thing to tell one hook, kept until it was taken or given up."""

    __tablename__ = "hook_calls"
    __table_args__ = (
        UniqueConstraint("cause"),
        Index(None, "hook_id", "id"),
        partial("ix_hook_calls_due", "next_try_at", where="state = 'pending'"),
        partial("ix_hook_calls_failed", "hook_id", "id", where="state = 'failed'"),
    )

    hook_id: Mapped[int] = mapped_column(Number, ForeignKey("hooks.id"))
    cause: Mapped[Name]
    body: Mapped[Table]
    state: Mapped[State] = mapped_column(default="pending")
    """pending, sent, failed."""
    attempts: Mapped[Count]
    next_try_at: Mapped[When]
    fault: Mapped[Table]
    """Why the last try was not taken, as `pbem.clubs.integrations.webhook_client` stores it; empty before one."""
    created_at: Mapped[When]


class SavedView(TableRow):
    """A filter of the control room kept under a name."""

    __tablename__ = "saved_views"
    __table_args__ = (UniqueConstraint("club_id", "player_id", "name"),)

    club_id: Mapped[ToClub]
    player_id: Mapped[ToPlayerKnown]
    name: Mapped[Name]
    query: Mapped[Words]
    created_at: Mapped[When]
