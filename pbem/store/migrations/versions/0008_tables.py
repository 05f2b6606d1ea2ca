"""Every table, as version 1.0.0 has them."""

from __future__ import annotations

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


def upgrade() -> None:
    """Make the tables."""
    SCHEME.create_all(op.get_bind(), checkfirst=False)


def downgrade() -> None:
    """Drop them all, with everything that is in them."""
    SCHEME.drop_all(op.get_bind(), checkfirst=False)


def _partial(name: str, *columns: str, where: str) -> sa.Index:
    return sa.Index(name, *columns, postgresql_where=sa.text(where), sqlite_where=sa.text(where))


sa.Table(
    "clubs",
    SCHEME,
    sa.Column("id", NUMBER, primary_key=True),
    sa.Column("slug", sa.String(64), nullable=False, unique=True),
    sa.Column("name", sa.String(200), nullable=False),
    sa.Column("language", sa.String(40), nullable=False),
    sa.Column("settings", sa.JSON, nullable=False),
    sa.Column("created_at", MOMENT, nullable=False),
)

sa.Table(
    "players",
    SCHEME,
    sa.Column("id", NUMBER, primary_key=True),
    sa.Column("address", sa.String(254), unique=True),
    sa.Column("address_state", sa.String(40), nullable=False),
    sa.Column("name", sa.String(200), nullable=False),
    sa.Column("language", sa.String(40), nullable=False),
    sa.Column("zone", sa.String(64), nullable=False),
    sa.Column("wakes", sa.Integer, nullable=False),
    sa.Column("sleeps", sa.Integer, nullable=False),
    sa.Column("weekends", sa.Boolean, nullable=False),
    sa.Column("quiet", sa.Boolean, nullable=False),
    sa.Column("digest_hour", sa.Integer),
    sa.Column("kinds_off", sa.JSON, nullable=False),
    sa.Column("rated", sa.Boolean, nullable=False),
    sa.Column("epoch", sa.Integer, nullable=False),
    sa.Column("away_until", MOMENT),
    sa.Column("accepted_at", MOMENT),
    sa.Column("created_at", MOMENT, nullable=False),
)

sa.Table(
    "pulses",
    SCHEME,
    sa.Column("id", NUMBER, primary_key=True),
    sa.Column("name", sa.String(40), nullable=False, unique=True),
    sa.Column("at", MOMENT, nullable=False),
)

sa.Table(
    "absences",
    SCHEME,
    sa.Column("id", NUMBER, primary_key=True),
    sa.Column("player_id", NUMBER, sa.ForeignKey("players.id"), nullable=False),
    sa.Column("starts", MOMENT, nullable=False),
    sa.Column("ends", MOMENT, nullable=False),
    sa.Column("note", sa.Text, nullable=False),
    sa.Column("created_at", MOMENT, nullable=False),
    sa.Index(None, "player_id", "ends"),
)

sa.Table(
    "codes",
    SCHEME,
    sa.Column("id", NUMBER, primary_key=True),
    sa.Column("player_id", NUMBER, sa.ForeignKey("players.id"), nullable=False),
    sa.Column("purpose", sa.String(200), nullable=False),
    sa.Column("digest", sa.String(64), nullable=False),
    sa.Column("expires_at", MOMENT, nullable=False),
    sa.Column("tries", sa.Integer, nullable=False),
    sa.Column("used_at", MOMENT),
    sa.Index(None, "player_id"),
)

sa.Table(
    "games",
    SCHEME,
    sa.Column("id", NUMBER, primary_key=True),
    sa.Column("slug", sa.String(32), nullable=False, unique=True),
    sa.Column("club_id", NUMBER, sa.ForeignKey("clubs.id")),
    sa.Column("organiser_id", NUMBER, sa.ForeignKey("players.id")),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("title", sa.String(200), nullable=False),
    sa.Column("seats", sa.Integer, nullable=False),
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("seed", sa.String(64), nullable=False),
    sa.Column("commitment", sa.String(64), nullable=False),
    sa.Column("rules_version", sa.Integer, nullable=False),
    sa.Column("practice", sa.Boolean, nullable=False),
    sa.Column("rated", sa.Boolean, nullable=False),
    sa.Column("watch_delay", sa.Integer, nullable=False),
    sa.Column("state", sa.String(40), nullable=False),
    sa.Column("ply", sa.Integer, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("outcome", sa.LargeBinary),
    sa.Column("cadence", sa.JSON, nullable=False),
    sa.Column("cooling", sa.Integer, nullable=False),
    sa.Column("due_at", MOMENT),
    sa.Column("cover_at", MOMENT),
    sa.Column("wake_at", MOMENT),
    sa.Column("due_version", sa.Integer, nullable=False),
    sa.Column("tries", sa.Integer, nullable=False),
    sa.Column("trace", sa.Text, nullable=False),
    sa.Column("stuck_at", MOMENT),
    sa.Column("created_at", MOMENT, nullable=False),
    sa.Column("started_at", MOMENT),
    sa.Column("finished_at", MOMENT),
    sa.Index(None, "club_id", "state"),
    sa.Index(None, "organiser_id"),
    _partial("ix_games_stuck", "stuck_at", where="state = 'stuck'"),
    _partial("ix_games_unfilled", "wake_at", where="state = 'open'"),
    _partial("ix_games_unrated", "finished_at", where="state = 'finished' AND NOT rated"),
    _partial("ix_games_wake", "wake_at", where="state = 'running'"),
)

sa.Table(
    "hooks",
    SCHEME,
    sa.Column("id", NUMBER, primary_key=True),
    sa.Column("club_id", NUMBER, sa.ForeignKey("clubs.id"), nullable=False),
    sa.Column("kind", sa.String(40), nullable=False),
    sa.Column("url", sa.Text, nullable=False),
    sa.Column("secret", sa.String(40), nullable=False),
    sa.Column("created_at", MOMENT, nullable=False),
    sa.Column("ended_at", MOMENT),
    sa.Index(None, "club_id"),
)

sa.Table(
    "inbound_mails",
    SCHEME,
    sa.Column("id", NUMBER, primary_key=True),
    sa.Column("message_id", sa.String(250), nullable=False),
    sa.Column("sender", sa.String(254), nullable=False),
    sa.Column("recipient", sa.String(254), nullable=False),
    sa.Column("source", sa.String(40), nullable=False),
    sa.Column("raw", sa.LargeBinary, nullable=False),
    sa.Column("state", sa.String(40), nullable=False),
    sa.Column("kind", sa.String(40), nullable=False),
    sa.Column("seat_id", NUMBER),
    sa.Column("player_id", NUMBER, sa.ForeignKey("players.id")),
    sa.Column("note", sa.Text, nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("next_try_at", MOMENT, nullable=False),
    sa.Column("received_at", MOMENT, nullable=False),
    sa.Column("done_at", MOMENT),
    sa.UniqueConstraint("message_id", "recipient"),
    _partial("ix_inbound_mails_new", "next_try_at", where="state = 'new'"),
    sa.Index(None, "player_id"),
)

sa.Table(
    "members",
    SCHEME,
    sa.Column("id", NUMBER, primary_key=True),
    sa.Column("club_id", NUMBER, sa.ForeignKey("clubs.id"), nullable=False),
    sa.Column("player_id", NUMBER, sa.ForeignKey("players.id"), nullable=False),
    sa.Column("role", sa.String(40), nullable=False),
    sa.Column("joined_at", MOMENT, nullable=False),
    sa.Column("left_at", MOMENT),
    sa.UniqueConstraint("club_id", "player_id"),
    sa.Index(None, "player_id"),
)

sa.Table(
    "ratings",
    SCHEME,
    sa.Column("id", NUMBER, primary_key=True),
    sa.Column("player_id", NUMBER, sa.ForeignKey("players.id"), nullable=False),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("mu", sa.Float, nullable=False),
    sa.Column("sigma", sa.Float, nullable=False),
    sa.Column("shown", sa.Integer, nullable=False),
    sa.Column("games", sa.Integer, nullable=False),
    sa.UniqueConstraint("player_id", "game"),
    sa.Index(None, "game", "shown"),
)

sa.Table(
    "saved_views",
    SCHEME,
    sa.Column("id", NUMBER, primary_key=True),
    sa.Column("club_id", NUMBER, sa.ForeignKey("clubs.id"), nullable=False),
    sa.Column("player_id", NUMBER, sa.ForeignKey("players.id")),
    sa.Column("name", sa.String(200), nullable=False),
    sa.Column("query", sa.Text, nullable=False),
    sa.Column("created_at", MOMENT, nullable=False),
    sa.UniqueConstraint("club_id", "player_id", "name"),
)

sa.Table(
    "seasons",
    SCHEME,
    sa.Column("id", NUMBER, primary_key=True),
    sa.Column("club_id", NUMBER, sa.ForeignKey("clubs.id"), nullable=False),
    sa.Column("slug", sa.String(32), nullable=False, unique=True),
    sa.Column("name", sa.String(200), nullable=False),
    sa.Column("system", sa.String(40), nullable=False),
    sa.Column("rounds", sa.Integer, nullable=False),
    sa.Column("titles", sa.JSON, nullable=False),
    sa.Column("cadence", sa.JSON, nullable=False),
    sa.Column("workload", sa.Integer, nullable=False),
    sa.Column("stagger_hours", sa.Integer, nullable=False),
    sa.Column("state", sa.String(40), nullable=False),
    sa.Column("created_at", MOMENT, nullable=False),
    sa.Column("started_at", MOMENT),
    sa.Column("finished_at", MOMENT),
    sa.Index(None, "club_id", "state"),
)

sa.Table(
    "audit_log",
    SCHEME,
    sa.Column("id", NUMBER, primary_key=True),
    sa.Column("at", MOMENT, nullable=False),
    sa.Column("player_id", NUMBER, sa.ForeignKey("players.id")),
    sa.Column("club_id", NUMBER, sa.ForeignKey("clubs.id")),
    sa.Column("game_id", NUMBER, sa.ForeignKey("games.id")),
    sa.Column("act", sa.String(40), nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("details", sa.JSON, nullable=False),
    sa.Column("public", sa.Boolean, nullable=False),
    sa.Column("undo_until", MOMENT),
    sa.Index(None, "club_id", "at"),
    sa.Index(None, "game_id"),
)

sa.Table(
    "decisions",
    SCHEME,
    sa.Column("id", NUMBER, primary_key=True),
    sa.Column("game_id", NUMBER, sa.ForeignKey("games.id"), nullable=False),
    sa.Column("ply", sa.Integer, nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("kind", sa.String(40), nullable=False),
    sa.Column("secret", sa.Boolean, nullable=False),
    sa.Column("optional", sa.Boolean, nullable=False),
    sa.Column("sealed", sa.Boolean, nullable=False),
    sa.Column("opened_at", MOMENT, nullable=False),
    sa.Column("due_at", MOMENT),
    sa.Column("base_at", MOMENT),
    sa.Column("due_version", sa.Integer, nullable=False),
    sa.Column("nudge_at", MOMENT),
    sa.Column("nudge_step", sa.Integer, nullable=False),
    sa.Column("letter_at", MOMENT),
    sa.Column("order_id", NUMBER),
    sa.Column("answered_at", MOMENT),
    sa.Column("hand", sa.String(40), nullable=False),
    sa.Column("closed_at", MOMENT),
    sa.UniqueConstraint("game_id", "ply", "seat"),
    _partial("ix_decisions_nudge", "nudge_at", where="nudge_at IS NOT NULL"),
)

sa.Table(
    "entries",
    SCHEME,
    sa.Column("id", NUMBER, primary_key=True),
    sa.Column("season_id", NUMBER, sa.ForeignKey("seasons.id"), nullable=False),
    sa.Column("player_id", NUMBER, sa.ForeignKey("players.id"), nullable=False),
    sa.Column("seed", sa.Float, nullable=False),
    sa.Column("byes", sa.Integer, nullable=False),
    sa.Column("joined_at", MOMENT, nullable=False),
    sa.Column("dropped_at", MOMENT),
    sa.UniqueConstraint("season_id", "player_id"),
    sa.Index(None, "player_id"),
)

sa.Table(
    "hook_calls",
    SCHEME,
    sa.Column("id", NUMBER, primary_key=True),
    sa.Column("hook_id", NUMBER, sa.ForeignKey("hooks.id"), nullable=False),
    sa.Column("cause", sa.String(200), nullable=False),
    sa.Column("body", sa.JSON, nullable=False),
    sa.Column("state", sa.String(40), nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("next_try_at", MOMENT, nullable=False),
    sa.Column("last_error", sa.Text, nullable=False),
    sa.Column("created_at", MOMENT, nullable=False),
    sa.UniqueConstraint("cause"),
    _partial("ix_hook_calls_due", "next_try_at", where="state = 'pending'"),
)

sa.Table(
    "invitations",
    SCHEME,
    sa.Column("id", NUMBER, primary_key=True),
    sa.Column("club_id", NUMBER, sa.ForeignKey("clubs.id")),
    sa.Column("game_id", NUMBER, sa.ForeignKey("games.id")),
    sa.Column("seat", sa.Integer),
    sa.Column("player_id", NUMBER, sa.ForeignKey("players.id"), nullable=False),
    sa.Column("inviter_id", NUMBER, sa.ForeignKey("players.id")),
    sa.Column("role", sa.String(40), nullable=False),
    sa.Column("state", sa.String(40), nullable=False),
    sa.Column("expires_at", MOMENT, nullable=False),
    sa.Column("created_at", MOMENT, nullable=False),
    sa.Column("answered_at", MOMENT),
    sa.Index(None, "game_id"),
    _partial("ix_invitations_open", "expires_at", where="state = 'pending'"),
    sa.Index(None, "player_id"),
)

sa.Table(
    "letters",
    SCHEME,
    sa.Column("id", NUMBER, primary_key=True),
    sa.Column("cause", sa.String(120), nullable=False, unique=True),
    sa.Column("kind", sa.String(40), nullable=False),
    sa.Column("game_id", NUMBER, sa.ForeignKey("games.id")),
    sa.Column("ply", sa.Integer),
    sa.Column("seat", sa.Integer),
    sa.Column("player_id", NUMBER, sa.ForeignKey("players.id")),
    sa.Column("club_id", NUMBER, sa.ForeignKey("clubs.id")),
    sa.Column("address", sa.String(254)),
    sa.Column("order_id", NUMBER),
    sa.Column("mail_id", NUMBER),
    sa.Column("data", sa.JSON, nullable=False),
    sa.Column("message_id", sa.String(120), nullable=False),
    sa.Column("state", sa.String(40), nullable=False),
    sa.Column("lane", sa.SmallInteger, nullable=False),
    sa.Column("next_try_at", MOMENT, nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("claimed_at", MOMENT),
    sa.Column("claim", sa.String(40), nullable=False),
    sa.Column("sent_at", MOMENT),
    sa.Column("last_error", sa.Text, nullable=False),
    sa.Column("created_at", MOMENT, nullable=False),
    _partial("ix_letters_claimed", "claimed_at", where="state = 'claimed'"),
    _partial("ix_letters_failed", "created_at", where="state = 'failed'"),
    sa.Index(None, "game_id", "ply"),
    _partial("ix_letters_pending", "lane", "next_try_at", where="state = 'pending'"),
    sa.Index(None, "player_id", "created_at"),
)

sa.Table(
    "notes",
    SCHEME,
    sa.Column("id", NUMBER, primary_key=True),
    sa.Column("game_id", NUMBER, sa.ForeignKey("games.id"), nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("updated_at", MOMENT, nullable=False),
    sa.UniqueConstraint("game_id", "seat"),
)

sa.Table(
    "orders",
    SCHEME,
    sa.Column("id", NUMBER, primary_key=True),
    sa.Column("game_id", NUMBER, sa.ForeignKey("games.id"), nullable=False),
    sa.Column("ply", sa.Integer, nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("player_id", NUMBER, sa.ForeignKey("players.id")),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("canonical", sa.Text, nullable=False),
    sa.Column("kind", sa.String(40), nullable=False),
    sa.Column("reason", sa.String(40), nullable=False),
    sa.Column("source", sa.String(40), nullable=False),
    sa.Column("request", sa.String(64)),
    sa.Column("mail_id", NUMBER),
    sa.Column("created_at", MOMENT, nullable=False),
    sa.UniqueConstraint("game_id", "seat", "request"),
    sa.Index(None, "game_id", "ply", "seat"),
)

sa.Table(
    "pairings",
    SCHEME,
    sa.Column("id", NUMBER, primary_key=True),
    sa.Column("season_id", NUMBER, sa.ForeignKey("seasons.id"), nullable=False),
    sa.Column("round", sa.Integer, nullable=False),
    sa.Column("title", sa.Integer, nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("players", sa.JSON, nullable=False),
    sa.Column("game_id", NUMBER, sa.ForeignKey("games.id")),
    sa.Column("opens_at", MOMENT, nullable=False),
    sa.UniqueConstraint("season_id", "round", "title", "number"),
    sa.Index(None, "game_id"),
    _partial("ix_pairings_waiting", "opens_at", where="game_id IS NULL"),
)

sa.Table(
    "plies",
    SCHEME,
    sa.Column("id", NUMBER, primary_key=True),
    sa.Column("game_id", NUMBER, sa.ForeignKey("games.id"), nullable=False),
    sa.Column("ply", sa.Integer, nullable=False),
    sa.Column("kind", sa.String(40), nullable=False),
    sa.Column("restores", sa.Integer),
    sa.Column("orders", sa.JSON, nullable=False),
    sa.Column("hands", sa.JSON, nullable=False),
    sa.Column("chance", sa.JSON, nullable=False),
    sa.Column("events", sa.LargeBinary, nullable=False),
    sa.Column("snapshot", sa.LargeBinary, nullable=False),
    sa.Column("digest", sa.String(64), nullable=False),
    sa.Column("phase", sa.String(200), nullable=False),
    sa.Column("round", sa.String(200), nullable=False),
    sa.Column("resolved_at", MOMENT, nullable=False),
    sa.UniqueConstraint("game_id", "ply"),
)

sa.Table(
    "proposals",
    SCHEME,
    sa.Column("id", NUMBER, primary_key=True),
    sa.Column("game_id", NUMBER, sa.ForeignKey("games.id"), nullable=False),
    sa.Column("kind", sa.String(40), nullable=False),
    sa.Column("to_ply", sa.Integer),
    sa.Column("seat", sa.Integer),
    sa.Column("player_id", NUMBER, sa.ForeignKey("players.id")),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("state", sa.String(40), nullable=False),
    sa.Column("created_at", MOMENT, nullable=False),
    sa.Column("expires_at", MOMENT, nullable=False),
    sa.Index(None, "game_id", "state"),
)

sa.Table(
    "rating_steps",
    SCHEME,
    sa.Column("id", NUMBER, primary_key=True),
    sa.Column("game_id", NUMBER, sa.ForeignKey("games.id"), nullable=False),
    sa.Column("player_id", NUMBER, sa.ForeignKey("players.id"), nullable=False),
    sa.Column("pool", sa.String(40), nullable=False),
    sa.Column("place", sa.Integer, nullable=False),
    sa.Column("shown", sa.Integer, nullable=False),
    sa.Column("at", MOMENT, nullable=False),
    sa.UniqueConstraint("game_id", "player_id", "pool"),
    sa.Index(None, "player_id", "pool", "at"),
)

sa.Table(
    "seats",
    SCHEME,
    sa.Column("id", NUMBER, primary_key=True),
    sa.Column("game_id", NUMBER, sa.ForeignKey("games.id"), nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("player_id", NUMBER, sa.ForeignKey("players.id")),
    sa.Column("bot", sa.String(40), nullable=False),
    sa.Column("epoch", sa.Integer, nullable=False),
    sa.Column("ladder", sa.JSON, nullable=False),
    sa.Column("never", sa.JSON, nullable=False),
    sa.Column("kinds_off", sa.JSON, nullable=False),
    sa.Column("bank_used", sa.Integer, nullable=False),
    sa.Column("sat_until", MOMENT),
    sa.Column("joined_at", MOMENT),
    sa.Column("resigned_at", MOMENT),
    sa.UniqueConstraint("game_id", "seat"),
    sa.Index(None, "player_id"),
)

sa.Table(
    "sitters",
    SCHEME,
    sa.Column("id", NUMBER, primary_key=True),
    sa.Column("game_id", NUMBER, sa.ForeignKey("games.id"), nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("player_id", NUMBER, sa.ForeignKey("players.id"), nullable=False),
    sa.Column("handover", sa.Text, nullable=False),
    sa.Column("starts", MOMENT, nullable=False),
    sa.Column("ends", MOMENT, nullable=False),
    sa.Column("ended_at", MOMENT),
    sa.Index(None, "game_id", "seat"),
    sa.Index(None, "player_id"),
)

sa.Table(
    "standing_orders",
    SCHEME,
    sa.Column("id", NUMBER, primary_key=True),
    sa.Column("game_id", NUMBER, sa.ForeignKey("games.id"), nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("kind", sa.String(40), nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("phase", sa.String(200), nullable=False),
    sa.Column("round", sa.String(200), nullable=False),
    sa.Column("uses", sa.Integer, nullable=False),
    sa.Column("created_at", MOMENT, nullable=False),
    sa.Column("ended_at", MOMENT),
    sa.Column("ended_why", sa.Text, nullable=False),
    _partial("ix_standing_live", "game_id", "seat", where="ended_at IS NULL"),
)

sa.Table(
    "talk",
    SCHEME,
    sa.Column("id", NUMBER, primary_key=True),
    sa.Column("game_id", NUMBER, sa.ForeignKey("games.id"), nullable=False),
    sa.Column("seat", sa.Integer),
    sa.Column("player_id", NUMBER, sa.ForeignKey("players.id")),
    sa.Column("to_seat", sa.Integer),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("created_at", MOMENT, nullable=False),
    sa.Index(None, "game_id", "created_at"),
)

sa.Table(
    "api_tokens",
    SCHEME,
    sa.Column("id", NUMBER, primary_key=True),
    sa.Column("player_id", NUMBER, sa.ForeignKey("players.id"), nullable=False),
    sa.Column("club_id", NUMBER, sa.ForeignKey("clubs.id")),
    sa.Column("seat_id", NUMBER, sa.ForeignKey("seats.id")),
    sa.Column("name", sa.String(200), nullable=False),
    sa.Column("digest", sa.String(64), nullable=False, unique=True),
    sa.Column("created_at", MOMENT, nullable=False),
    sa.Column("used_at", MOMENT),
    sa.Column("revoked_at", MOMENT),
    sa.Index(None, "player_id"),
)

sa.Table(
    "deliveries",
    SCHEME,
    sa.Column("id", NUMBER, primary_key=True),
    sa.Column("letter_id", NUMBER, sa.ForeignKey("letters.id"), nullable=False),
    sa.Column("state", sa.String(40), nullable=False),
    sa.Column("detail", sa.Text, nullable=False),
    sa.Column("at", MOMENT, nullable=False),
    sa.Index(None, "letter_id"),
)

sa.Table(
    "votes",
    SCHEME,
    sa.Column("id", NUMBER, primary_key=True),
    sa.Column("proposal_id", NUMBER, sa.ForeignKey("proposals.id"), nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("yes", sa.Boolean, nullable=False),
    sa.Column("at", MOMENT, nullable=False),
    sa.UniqueConstraint("proposal_id", "seat"),
)
