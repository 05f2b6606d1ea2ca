"""Every table, as version 1.0.0 has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = None
branch_labels = None
depends_on = None

SCHEME = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MOMENT = sa.DateTime(timezone=True)
Kind = Callable[[str], sa.Column[Any]]


def upgrade() -> None:
    """Make the tables."""
    SCHEME.create_all(op.get_bind(), checkfirst=False)


def downgrade() -> None:
    """Drop them all, with everything that is in them."""
    SCHEME.drop_all(op.get_bind(), checkfirst=False)


def _partial(name: str, *columns: str, where: str) -> sa.Index:
    return sa.Index(name, *columns, postgresql_where=sa.text(where), sqlite_where=sa.text(where))


def _kind(of: Any, to: str = "", *, nullable: bool = False, unique: bool | None = None) -> Kind:
    """Return what makes a column of a type by its name, a key of the table `to` if given.

    Only those that are `nullable` may be empty: their names end with KNOWN.
    """

    def column(name: str) -> sa.Column[Any]:
        keys = [sa.ForeignKey(f"{to}.id")] if to else []
        return sa.Column(name, of, *keys, nullable=nullable, unique=unique)

    return column


WHEN = _kind(MOMENT)
WHEN_KNOWN = _kind(MOMENT, nullable=True)
BYTES = _kind(sa.LargeBinary)
BYTES_KNOWN = _kind(sa.LargeBinary, nullable=True)
DATA = _kind(sa.JSON)
FLAG = _kind(sa.Boolean)
NUMBER_KNOWN = _kind(NUMBER, nullable=True)
REAL = _kind(sa.Float)
SMALL = _kind(sa.SmallInteger)
TEXT = _kind(sa.Text)
WHOLE_KNOWN = _kind(sa.Integer, nullable=True)
WHOLE = _kind(sa.Integer)
UNIQUE_WORD_120 = _kind(sa.String(120), unique=True)
WORD_120 = _kind(sa.String(120))
WORD_200 = _kind(sa.String(200))
WORD_250 = _kind(sa.String(250))
UNIQUE_WORD_254_KNOWN = _kind(sa.String(254), nullable=True, unique=True)
WORD_254_KNOWN = _kind(sa.String(254), nullable=True)
WORD_254 = _kind(sa.String(254))
UNIQUE_WORD_32 = _kind(sa.String(32), unique=True)
UNIQUE_WORD_40 = _kind(sa.String(40), unique=True)
WORD_40 = _kind(sa.String(40))
WORD_64_KNOWN = _kind(sa.String(64), nullable=True)
UNIQUE_WORD_64 = _kind(sa.String(64), unique=True)
WORD_64 = _kind(sa.String(64))
TO_CLUB_KNOWN = _kind(NUMBER, "clubs", nullable=True)
TO_CLUB = _kind(NUMBER, "clubs")
TO_GAME_KNOWN = _kind(NUMBER, "games", nullable=True)
TO_GAME = _kind(NUMBER, "games")
TO_HOOK = _kind(NUMBER, "hooks")
TO_LETTER = _kind(NUMBER, "letters")
TO_PLAYER_KNOWN = _kind(NUMBER, "players", nullable=True)
TO_PLAYER = _kind(NUMBER, "players")
TO_PROPOSAL = _kind(NUMBER, "proposals")
TO_SEASON = _kind(NUMBER, "seasons")
TO_SEAT_KNOWN = _kind(NUMBER, "seats", nullable=True)


def _table(called: str, *more: sa.schema.SchemaItem, **columns: Kind) -> None:
    """Add a table to the scheme: its number, columns by name and kind, and `more` indexes and constraints."""
    number = sa.Column("id", NUMBER, primary_key=True)
    sa.Table(called, SCHEME, number, *(kind(name) for name, kind in columns.items()), *more)


_table(
    "clubs",
    slug=UNIQUE_WORD_64,
    name=WORD_200,
    language=WORD_40,
    settings=DATA,
    created_at=WHEN,
)
_table(
    "players",
    address=UNIQUE_WORD_254_KNOWN,
    address_state=WORD_40,
    name=WORD_200,
    language=WORD_40,
    zone=WORD_64,
    wakes=WHOLE,
    sleeps=WHOLE,
    weekends=FLAG,
    quiet=FLAG,
    digest_hour=WHOLE_KNOWN,
    kinds_off=DATA,
    rated=FLAG,
    epoch=WHOLE,
    away_until=WHEN_KNOWN,
    accepted_at=WHEN_KNOWN,
    created_at=WHEN,
)
_table(
    "pulses",
    name=UNIQUE_WORD_40,
    at=WHEN,
)
_table(
    "absences",
    sa.Index(None, "player_id", "ends"),
    player_id=TO_PLAYER,
    starts=WHEN,
    ends=WHEN,
    note=TEXT,
    created_at=WHEN,
)
_table(
    "codes",
    sa.Index(None, "player_id"),
    player_id=TO_PLAYER,
    purpose=WORD_200,
    digest=WORD_64,
    expires_at=WHEN,
    tries=WHOLE,
    used_at=WHEN_KNOWN,
)
_table(
    "games",
    sa.Index(None, "club_id", "state"),
    sa.Index(None, "organiser_id"),
    _partial("ix_games_stuck", "stuck_at", where="state = 'stuck'"),
    _partial("ix_games_unfilled", "wake_at", where="state = 'open'"),
    _partial("ix_games_unrated", "finished_at", where="state = 'finished' AND NOT rated"),
    _partial("ix_games_wake", "wake_at", where="state = 'running'"),
    slug=UNIQUE_WORD_32,
    club_id=TO_CLUB_KNOWN,
    organiser_id=TO_PLAYER_KNOWN,
    game=WORD_40,
    title=WORD_200,
    seats=WHOLE,
    options=DATA,
    seed=WORD_64,
    commitment=WORD_64,
    rules_version=WHOLE,
    practice=FLAG,
    rated=FLAG,
    watch_delay=WHOLE,
    state=WORD_40,
    ply=WHOLE,
    version=WHOLE,
    outcome=BYTES_KNOWN,
    cadence=DATA,
    cooling=WHOLE,
    due_at=WHEN_KNOWN,
    cover_at=WHEN_KNOWN,
    wake_at=WHEN_KNOWN,
    due_version=WHOLE,
    tries=WHOLE,
    trace=TEXT,
    stuck_at=WHEN_KNOWN,
    created_at=WHEN,
    started_at=WHEN_KNOWN,
    finished_at=WHEN_KNOWN,
)
_table(
    "hooks",
    sa.Index(None, "club_id"),
    club_id=TO_CLUB,
    kind=WORD_40,
    url=TEXT,
    secret=WORD_40,
    created_at=WHEN,
    ended_at=WHEN_KNOWN,
)
_table(
    "inbound_mails",
    sa.UniqueConstraint("message_id", "recipient"),
    _partial("ix_inbound_mails_new", "next_try_at", where="state = 'new'"),
    sa.Index(None, "player_id"),
    message_id=WORD_250,
    sender=WORD_254,
    recipient=WORD_254,
    source=WORD_40,
    raw=BYTES,
    state=WORD_40,
    kind=WORD_40,
    seat_id=NUMBER_KNOWN,
    player_id=TO_PLAYER_KNOWN,
    note=TEXT,
    attempts=WHOLE,
    next_try_at=WHEN,
    received_at=WHEN,
    done_at=WHEN_KNOWN,
)
_table(
    "members",
    sa.UniqueConstraint("club_id", "player_id"),
    sa.Index(None, "player_id"),
    club_id=TO_CLUB,
    player_id=TO_PLAYER,
    role=WORD_40,
    joined_at=WHEN,
    left_at=WHEN_KNOWN,
)
_table(
    "ratings",
    sa.UniqueConstraint("player_id", "game"),
    sa.Index(None, "game", "shown"),
    player_id=TO_PLAYER,
    game=WORD_40,
    mu=REAL,
    sigma=REAL,
    shown=WHOLE,
    games=WHOLE,
)
_table(
    "saved_views",
    sa.UniqueConstraint("club_id", "player_id", "name"),
    club_id=TO_CLUB,
    player_id=TO_PLAYER_KNOWN,
    name=WORD_200,
    query=TEXT,
    created_at=WHEN,
)
_table(
    "seasons",
    sa.Index(None, "club_id", "state"),
    club_id=TO_CLUB,
    slug=UNIQUE_WORD_32,
    name=WORD_200,
    system=WORD_40,
    rounds=WHOLE,
    titles=DATA,
    cadence=DATA,
    workload=WHOLE,
    stagger_hours=WHOLE,
    state=WORD_40,
    created_at=WHEN,
    started_at=WHEN_KNOWN,
    finished_at=WHEN_KNOWN,
)
_table(
    "audit_log",
    sa.Index(None, "club_id", "at"),
    sa.Index(None, "game_id"),
    at=WHEN,
    player_id=TO_PLAYER_KNOWN,
    club_id=TO_CLUB_KNOWN,
    game_id=TO_GAME_KNOWN,
    act=WORD_40,
    reason=TEXT,
    details=DATA,
    public=FLAG,
    undo_until=WHEN_KNOWN,
)
_table(
    "decisions",
    sa.UniqueConstraint("game_id", "ply", "seat"),
    _partial("ix_decisions_nudge", "nudge_at", where="nudge_at IS NOT NULL"),
    game_id=TO_GAME,
    ply=WHOLE,
    seat=WHOLE,
    kind=WORD_40,
    secret=FLAG,
    optional=FLAG,
    sealed=FLAG,
    opened_at=WHEN,
    due_at=WHEN_KNOWN,
    base_at=WHEN_KNOWN,
    due_version=WHOLE,
    nudge_at=WHEN_KNOWN,
    nudge_step=WHOLE,
    letter_at=WHEN_KNOWN,
    order_id=NUMBER_KNOWN,
    answered_at=WHEN_KNOWN,
    hand=WORD_40,
    closed_at=WHEN_KNOWN,
)
_table(
    "entries",
    sa.UniqueConstraint("season_id", "player_id"),
    sa.Index(None, "player_id"),
    season_id=TO_SEASON,
    player_id=TO_PLAYER,
    seed=REAL,
    byes=WHOLE,
    joined_at=WHEN,
    dropped_at=WHEN_KNOWN,
)
_table(
    "hook_calls",
    sa.UniqueConstraint("cause"),
    _partial("ix_hook_calls_due", "next_try_at", where="state = 'pending'"),
    hook_id=TO_HOOK,
    cause=WORD_200,
    body=DATA,
    state=WORD_40,
    attempts=WHOLE,
    next_try_at=WHEN,
    last_error=TEXT,
    created_at=WHEN,
)
_table(
    "invitations",
    sa.Index(None, "game_id"),
    _partial("ix_invitations_open", "expires_at", where="state = 'pending'"),
    sa.Index(None, "player_id"),
    club_id=TO_CLUB_KNOWN,
    game_id=TO_GAME_KNOWN,
    seat=WHOLE_KNOWN,
    player_id=TO_PLAYER,
    inviter_id=TO_PLAYER_KNOWN,
    role=WORD_40,
    state=WORD_40,
    expires_at=WHEN,
    created_at=WHEN,
    answered_at=WHEN_KNOWN,
)
_table(
    "letters",
    _partial("ix_letters_claimed", "claimed_at", where="state = 'claimed'"),
    _partial("ix_letters_failed", "created_at", where="state = 'failed'"),
    sa.Index(None, "game_id", "ply"),
    _partial("ix_letters_pending", "lane", "next_try_at", where="state = 'pending'"),
    sa.Index(None, "player_id", "created_at"),
    cause=UNIQUE_WORD_120,
    kind=WORD_40,
    game_id=TO_GAME_KNOWN,
    ply=WHOLE_KNOWN,
    seat=WHOLE_KNOWN,
    player_id=TO_PLAYER_KNOWN,
    club_id=TO_CLUB_KNOWN,
    address=WORD_254_KNOWN,
    order_id=NUMBER_KNOWN,
    mail_id=NUMBER_KNOWN,
    data=DATA,
    message_id=WORD_120,
    state=WORD_40,
    lane=SMALL,
    next_try_at=WHEN,
    attempts=WHOLE,
    claimed_at=WHEN_KNOWN,
    claim=WORD_40,
    sent_at=WHEN_KNOWN,
    last_error=TEXT,
    created_at=WHEN,
)
_table(
    "notes",
    sa.UniqueConstraint("game_id", "seat"),
    game_id=TO_GAME,
    seat=WHOLE,
    text=TEXT,
    updated_at=WHEN,
)
_table(
    "orders",
    sa.UniqueConstraint("game_id", "seat", "request"),
    sa.Index(None, "game_id", "ply", "seat"),
    game_id=TO_GAME,
    ply=WHOLE,
    seat=WHOLE,
    player_id=TO_PLAYER_KNOWN,
    text=TEXT,
    canonical=TEXT,
    kind=WORD_40,
    reason=WORD_40,
    source=WORD_40,
    request=WORD_64_KNOWN,
    mail_id=NUMBER_KNOWN,
    created_at=WHEN,
)
_table(
    "pairings",
    sa.UniqueConstraint("season_id", "round", "title", "number"),
    sa.Index(None, "game_id"),
    _partial("ix_pairings_waiting", "opens_at", where="game_id IS NULL"),
    season_id=TO_SEASON,
    round=WHOLE,
    title=WHOLE,
    number=WHOLE,
    players=DATA,
    game_id=TO_GAME_KNOWN,
    opens_at=WHEN,
)
_table(
    "plies",
    sa.UniqueConstraint("game_id", "ply"),
    game_id=TO_GAME,
    ply=WHOLE,
    kind=WORD_40,
    restores=WHOLE_KNOWN,
    orders=DATA,
    hands=DATA,
    chance=DATA,
    events=BYTES,
    snapshot=BYTES,
    digest=WORD_64,
    phase=WORD_200,
    round=WORD_200,
    resolved_at=WHEN,
)
_table(
    "proposals",
    sa.Index(None, "game_id", "state"),
    game_id=TO_GAME,
    kind=WORD_40,
    to_ply=WHOLE_KNOWN,
    seat=WHOLE_KNOWN,
    player_id=TO_PLAYER_KNOWN,
    reason=TEXT,
    state=WORD_40,
    created_at=WHEN,
    expires_at=WHEN,
)
_table(
    "rating_steps",
    sa.UniqueConstraint("game_id", "player_id", "pool"),
    sa.Index(None, "player_id", "pool", "at"),
    game_id=TO_GAME,
    player_id=TO_PLAYER,
    pool=WORD_40,
    place=WHOLE,
    shown=WHOLE,
    at=WHEN,
)
_table(
    "seats",
    sa.UniqueConstraint("game_id", "seat"),
    sa.Index(None, "player_id"),
    game_id=TO_GAME,
    seat=WHOLE,
    player_id=TO_PLAYER_KNOWN,
    bot=WORD_40,
    epoch=WHOLE,
    ladder=DATA,
    never=DATA,
    kinds_off=DATA,
    bank_used=WHOLE,
    sat_until=WHEN_KNOWN,
    joined_at=WHEN_KNOWN,
    resigned_at=WHEN_KNOWN,
)
_table(
    "sitters",
    sa.Index(None, "game_id", "seat"),
    sa.Index(None, "player_id"),
    game_id=TO_GAME,
    seat=WHOLE,
    player_id=TO_PLAYER,
    handover=TEXT,
    starts=WHEN,
    ends=WHEN,
    ended_at=WHEN_KNOWN,
)
_table(
    "standing_orders",
    _partial("ix_standing_live", "game_id", "seat", where="ended_at IS NULL"),
    game_id=TO_GAME,
    seat=WHOLE,
    kind=WORD_40,
    text=TEXT,
    phase=WORD_200,
    round=WORD_200,
    uses=WHOLE,
    created_at=WHEN,
    ended_at=WHEN_KNOWN,
    ended_why=TEXT,
)
_table(
    "talk",
    sa.Index(None, "game_id", "created_at"),
    game_id=TO_GAME,
    seat=WHOLE_KNOWN,
    player_id=TO_PLAYER_KNOWN,
    to_seat=WHOLE_KNOWN,
    text=TEXT,
    created_at=WHEN,
)
_table(
    "api_tokens",
    sa.Index(None, "player_id"),
    player_id=TO_PLAYER,
    club_id=TO_CLUB_KNOWN,
    seat_id=TO_SEAT_KNOWN,
    name=WORD_200,
    digest=UNIQUE_WORD_64,
    created_at=WHEN,
    used_at=WHEN_KNOWN,
    revoked_at=WHEN_KNOWN,
)
_table(
    "deliveries",
    sa.Index(None, "letter_id"),
    letter_id=TO_LETTER,
    state=WORD_40,
    detail=TEXT,
    at=WHEN,
)
_table(
    "votes",
    sa.UniqueConstraint("proposal_id", "seat"),
    proposal_id=TO_PROPOSAL,
    seat=WHOLE,
    yes=FLAG,
    at=WHEN,
)
