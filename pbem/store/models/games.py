"""Games: the set-up and the orders of each ply are the truth; snapshots and events can be rebuilt from them."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Index, String, UniqueConstraint, and_, false, or_
from sqlalchemy.orm import Mapped, mapped_column

from pbem.store.models.columns import (
    Blob,
    BlobKnown,
    Count,
    Digest,
    Endable,
    Flag,
    List,
    Name,
    Number,
    Slug,
    StateEnum,
    Table,
    TableRow,
    ToClubKnown,
    ToGame,
    ToPlayerKnown,
    When,
    WhenKnown,
    Word,
    Words,
    partial,
    secret_column,
)


class GameState(StrEnum):
    """How far a game has come; stored by its word."""

    OPEN = "open"
    """Players are wanted."""
    RUNNING = "running"
    PAUSED = "paused"
    """By its organiser: no deadline, no reminder, no new order; those that stand already wait."""
    STUCK = "stuck"
    """The rules failed on it; it waits for the server's operator."""
    FINISHED = "finished"
    """Played to its end: there is a result."""
    ENDED = "ended"
    """By agreement of its players, without a result."""
    WITHDRAWN = "withdrawn"
    """Called off before it began."""

    @property
    def is_underway(self) -> bool:
        """Whether it has begun and is not over: what is hidden in it stays hidden."""
        return self in UNDERWAY

    @property
    def is_over(self) -> bool:
        """Whether it was played and has come to its end: nothing of it is hidden any more, the seed included."""
        return self in OVER


UNDERWAY = (GameState.RUNNING, GameState.PAUSED, GameState.STUCK)
OVER = (GameState.FINISHED, GameState.ENDED)
LIVE = (GameState.OPEN, *UNDERWAY)
"""Of these something is still to come."""


class Game(TableRow):
    """One game, from its announcement to its result."""

    __tablename__ = "games"
    __table_args__ = (
        Index(None, "state", "wake_at"),
        Index(None, "club_id", "state"),
        Index(None, "club_id", "finished_at"),
        partial("ix_games_unrated", "finished_at", where="outcome IS NOT NULL AND NOT rated AND NOT practice"),
        partial("ix_games_whole", "finished_at", where="finished_at IS NOT NULL AND NOT compact"),
        partial("ix_games_watched", "state", "id", where="watch_delay > -1"),
    )
    # Each order and each ply makes an entry in each index, and is asked whether the row belongs into a partial one:
    # to compare a word there, as of the state, costs PostgreSQL as much as three entries.

    slug: Mapped[Slug]
    club_id: Mapped[ToClubKnown]
    organiser_id: Mapped[ToPlayerKnown]
    game: Mapped[Word]
    """Which game's rules: `amunre`."""
    title: Mapped[Name]
    seats: Mapped[int]
    options: Mapped[Table]
    seed: Mapped[Digest] = secret_column()
    commitment: Mapped[Digest]
    """SHA-256 of the seed, published when the game starts; the seed itself when it ends."""
    rules_version: Mapped[int]
    practice: Mapped[Flag]
    rated: Mapped[Flag]
    """Whether the finished game was counted for the ratings."""
    compact: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether the snapshots before its last ply were dropped; they are rebuilt from its orders."""
    watch_delay: Mapped[int] = mapped_column(default=-1)
    """How many plies spectators are behind; -1: only members of its club may look."""

    state: Mapped[GameState] = mapped_column(
        StateEnum(
            GameState, native_enum=False, length=40, values_callable=lambda states: [one.value for one in states]
        ),
        default=GameState.OPEN,
    )
    ply: Mapped[int] = mapped_column(default=-1)
    """The ply resolved last; -1 before the set-up."""
    version: Mapped[Count]
    """Raised by every ply and every change of the deadline: what a late writer stumbles over."""
    outcome: Mapped[BlobKnown]
    """The engine's Outcome as JSON, once finished."""

    cadence: Mapped[Table]
    cooling: Mapped[Count]
    """Seconds between the last order and its ply."""
    due_at: Mapped[WhenKnown]
    """The deadline of the ply to come; of a game that has not begun, when its wait for players is over."""
    cover_at: Mapped[WhenKnown]
    """When those who missed it are answered for."""
    wake_at: Mapped[WhenKnown]
    """When `advance` is next due: the cooling's end, or `cover_at`. None: nothing to do until an order comes.

    Of a game that has not begun: when somebody sees to its free seats.
    """
    due_version: Mapped[Count]

    tries: Mapped[Count]
    """How often `advance` was begun again since it last came to an end: five, and the game is stuck."""
    trace: Mapped[Words] = secret_column()
    stuck_at: Mapped[WhenKnown]
    created_at: Mapped[When]
    started_at: Mapped[WhenKnown]
    finished_at: Mapped[WhenKnown]


class Seat(TableRow):
    """A place at the table, held by a person, a bot, or nobody yet."""

    __tablename__ = "seats"
    __table_args__ = (UniqueConstraint("game_id", "seat"), Index(None, "player_id", "id"))

    game_id: Mapped[ToGame]
    seat: Mapped[int]
    player_id: Mapped[ToPlayerKnown]
    bot: Mapped[Word]
    """The bot's name; empty for a person or a free seat."""
    epoch: Mapped[Count] = secret_column()
    """Raised to revoke every link to this seat."""
    ladder: Mapped[List]
    """What answers for a player who missed the deadline, tried in order; empty: the house's ladder."""
    never: Mapped[List]
    """Decision kinds the cautious bot may not answer while anything else can."""
    kinds_off: Mapped[List]
    """Kinds of letter not wanted about this game."""
    bank_used: Mapped[Count]
    """Seconds by which deadlines were overdrawn so far, where the cadence has a bank."""
    sat_until: Mapped[WhenKnown]
    """The end of the last time somebody sits in: before it, sitters are looked up."""
    page_at: Mapped[WhenKnown]
    """When its page last sent something: who sits there needs no letter to be asked."""
    joined_at: Mapped[WhenKnown]
    resigned_at: Mapped[WhenKnown]

    @property
    def is_free(self) -> bool:
        """Whether no person holds it, and no bot."""
        return self.player_id is None and not self.bot

    @classmethod
    def holds(cls, row: Any) -> ColumnElement[bool]:
        """Return the condition for the seat that another table, or one of its rows, names by game and number."""
        return and_(cls.game_id == row.game_id, cls.seat == row.seat)


class StoredPly(TableRow):
    """One call of the rules: orders in, events and snapshot out. Never changed once written."""

    __tablename__ = "plies"
    __table_args__ = (UniqueConstraint("game_id", "ply"),)

    game_id: Mapped[ToGame]
    ply: Mapped[int]
    kind: Mapped[Word] = mapped_column(default="orders")
    """setup, orders, undo."""
    restores: Mapped[int | None]
    """For an undo: the ply whose snapshot is in force again."""
    orders: Mapped[Table] = secret_column()
    """Seat number to canonical order text."""
    hands: Mapped[Table] = secret_column()
    """Seat number to who gave the order: player, standing, sitter, autopilot, bot, forced."""
    chance: Mapped[List] = secret_column()
    """Every chance result, as lines of a record."""
    events: Mapped[Blob] = secret_column()
    """JSON list of the engine's events. Can be rebuilt."""
    snapshot: Mapped[Blob] = secret_column()
    """JSON of the state after the ply; empty where it was dropped. Can be rebuilt."""
    digest: Mapped[Digest]
    """SHA-256 of the snapshot."""
    phase: Mapped[Name]
    round: Mapped[Name]
    resolved_at: Mapped[When]


class OpenDecision(TableRow):
    """What one seat is asked for the ply to come, until when, and what counts as its answer."""

    __tablename__ = "decisions"
    __table_args__ = (
        UniqueConstraint("game_id", "ply", "seat"),
        partial("ix_decisions_nudge", "nudge_at", where="nudge_at IS NOT NULL"),
    )

    game_id: Mapped[ToGame]
    ply: Mapped[int]
    seat: Mapped[int]
    kind: Mapped[Word]
    secret: Mapped[Flag]
    optional: Mapped[Flag]
    ahead: Mapped[Flag]
    """Asked before its turn: the answer is wanted like any other, but this ply goes by without it."""
    sealed: Mapped[Flag]
    opened_at: Mapped[When]
    began_at: Mapped[When]
    """From when its time counts: since it was asked, or later where the time began anew or the clock rested first."""
    held_until: Mapped[WhenKnown]
    """When its answer counts at the earliest; until then nobody else is told that there is one. None: at once."""
    due_at: Mapped[WhenKnown]
    """None: this seat's clock stands still."""
    base_at: Mapped[WhenKnown]
    """When the decision's own time is over and the bank begins to pay; None without a bank."""
    due_version: Mapped[Count]
    nudge_at: Mapped[WhenKnown]
    """When the next reminder is due while there is no answer; None when none is left."""
    nudge_step: Mapped[Count]
    letter_at: Mapped[WhenKnown]
    """When the next mail server accepted the letter that asks."""
    order_id: Mapped[int | None] = mapped_column(Number)
    """The newest order that counts. No foreign key: orders are many, and never deleted."""
    answered_at: Mapped[WhenKnown]
    hand: Mapped[Word]
    """Who answered."""
    closed_at: Mapped[WhenKnown]
    """When the ply was resolved."""

    @classmethod
    def at_present(cls) -> ColumnElement[bool]:
        """Return the condition for what a game asks for the ply to come."""
        return and_(cls.game_id == Game.id, cls.ply == Game.ply + 1)

    @classmethod
    def judges(cls) -> ColumnElement[bool]:
        """Return the condition for questions by which who holds the joined seat is judged.

        Not those of whoever held it before; secret ones count neither way, as nobody may know who was asked.
        """
        own = or_(Seat.joined_at.is_(None), cls.closed_at >= Seat.joined_at)
        return and_(cls.closed_at.is_not(None), own, ~cls.secret, ~cls.optional, ~cls.ahead)

    @classmethod
    def answers_since(cls, row: Any) -> ColumnElement[bool]:
        """Return the condition for questions to the seat that a row or another table is about, answered by hand since.

        Orders that stood before say nothing of whether anybody is there.
        """
        here = and_(cls.game_id == row.game_id, cls.seat == row.seat)
        return and_(here, cls.hand.in_(("player", "sitter")), cls.answered_at > row.created_at)


class StoredOrder(TableRow):
    """One text a seat sent, kept as typed whether it could be used or not. Append-only."""

    __tablename__ = "orders"
    __table_args__ = (
        UniqueConstraint("game_id", "seat", "request"),
        Index(None, "game_id", "ply", "seat"),
    )

    game_id: Mapped[ToGame]
    ply: Mapped[int]
    seat: Mapped[int]
    player_id: Mapped[ToPlayerKnown]
    """Who sent it; a sitter's own number for a sitter."""
    text: Mapped[Words] = secret_column()
    canonical: Mapped[Words] = secret_column()
    kind: Mapped[Word] = mapped_column(default="order")
    """order, draft, withdraw, refused."""
    reason: Mapped[Word]
    """Why it was refused, as the error's name."""
    source: Mapped[Word]
    """web, mail, api, sitter; of what nobody sent, how its seat is told: standing, plan, then, forced, autopilot."""
    request: Mapped[str | None] = mapped_column(String(64))
    """The form's own mark, so that a double click or a resend is one order."""
    mail_id: Mapped[int | None] = mapped_column(Number)
    created_at: Mapped[When]


class StoredStandingOrders(Endable, TableRow):
    """Orders given ahead: a conditional list, the rest of a chain (`a; then b`), a sealed list. Private to its seat."""

    __tablename__ = "standing_orders"
    __table_args__ = (partial("ix_standing_live", "game_id", "seat", where="ended_at IS NULL"),)

    game_id: Mapped[ToGame]
    seat: Mapped[int]
    kind: Mapped[Word] = mapped_column(default="standing")
    """standing, then, sealed."""
    text: Mapped[Words] = secret_column()
    """Canonical text; for `then`, one link a line."""
    phase: Mapped[Name]
    """The phase it was stored in."""
    round: Mapped[Name]
    uses: Mapped[Count]
    created_at: Mapped[When]
    ended_at: Mapped[WhenKnown]
    ended_why: Mapped[Words]
    plan: Mapped[Words] = secret_column(server_default="")
    """What was tapped, as JSON, where it was; empty for a text."""
    told_as: Mapped[Word] = mapped_column(server_default="")
    """How its seat is told that it answered, where its kind doesn't say it: sitter, plan, standing."""
