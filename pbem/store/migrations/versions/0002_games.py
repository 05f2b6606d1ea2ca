"""Games, plies and orders."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "games",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("slug", sa.String(length=32), nullable=False),
        sa.Column("club_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("organiser_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("title", sa.String(length=200), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("seed", sa.String(length=64), nullable=False),
        sa.Column("commitment", sa.String(length=64), nullable=False),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column("practice", sa.Boolean(), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("watch_delay", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=40), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.LargeBinary(), nullable=True),
        sa.Column("cadence", sa.JSON(), nullable=False),
        sa.Column("cooling", sa.Integer(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("cover_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("wake_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("due_version", sa.Integer(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("trace", sa.Text(), nullable=False),
        sa.Column("stuck_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["club_id"], ["clubs.id"], name=op.f("fk_games_club_id")),
        sa.ForeignKeyConstraint(["organiser_id"], ["players.id"], name=op.f("fk_games_organiser_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_games")),
        sa.UniqueConstraint("slug", name=op.f("uq_games_slug")),
    )
    op.create_index(op.f("ix_games_club_id_state"), "games", ["club_id", "state"], unique=False)
    op.create_index(op.f("ix_games_organiser_id"), "games", ["organiser_id"], unique=False)
    op.create_index(
        "ix_games_stuck",
        "games",
        ["stuck_at"],
        unique=False,
        postgresql_where=sa.text("state = 'stuck'"),
        sqlite_where=sa.text("state = 'stuck'"),
    )
    op.create_index(
        "ix_games_unrated",
        "games",
        ["finished_at"],
        unique=False,
        postgresql_where=sa.text("state = 'finished' AND NOT rated"),
        sqlite_where=sa.text("state = 'finished' AND NOT rated"),
    )
    op.create_index(
        "ix_games_wake",
        "games",
        ["wake_at"],
        unique=False,
        postgresql_where=sa.text("state = 'running'"),
        sqlite_where=sa.text("state = 'running'"),
    )
    op.create_table(
        "audit_log",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("player_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("club_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("game_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("act", sa.String(length=40), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.Column("undo_until", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["club_id"], ["clubs.id"], name=op.f("fk_audit_log_club_id")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_audit_log_game_id")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_audit_log_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_log")),
    )
    op.create_index(op.f("ix_audit_log_club_id_at"), "audit_log", ["club_id", "at"], unique=False)
    op.create_index(op.f("ix_audit_log_game_id"), "audit_log", ["game_id"], unique=False)
    op.create_table(
        "decisions",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("game_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("secret", sa.Boolean(), nullable=False),
        sa.Column("optional", sa.Boolean(), nullable=False),
        sa.Column("sealed", sa.Boolean(), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("base_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("due_version", sa.Integer(), nullable=False),
        sa.Column("nudge_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("nudge_step", sa.Integer(), nullable=False),
        sa.Column("letter_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("order_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("hand", sa.String(length=40), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_decisions_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_decisions")),
        sa.UniqueConstraint("game_id", "ply", "seat", name=op.f("uq_decisions_game_id_ply_seat")),
    )
    op.create_index(
        "ix_decisions_nudge",
        "decisions",
        ["nudge_at"],
        unique=False,
        postgresql_where=sa.text("nudge_at IS NOT NULL"),
        sqlite_where=sa.text("nudge_at IS NOT NULL"),
    )
    op.create_table(
        "invitations",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("club_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("game_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("player_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("inviter_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("role", sa.String(length=40), nullable=False),
        sa.Column("state", sa.String(length=40), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["club_id"], ["clubs.id"], name=op.f("fk_invitations_club_id")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_invitations_game_id")),
        sa.ForeignKeyConstraint(["inviter_id"], ["players.id"], name=op.f("fk_invitations_inviter_id")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_invitations_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitations")),
    )
    op.create_index(op.f("ix_invitations_game_id"), "invitations", ["game_id"], unique=False)
    op.create_index(
        "ix_invitations_open",
        "invitations",
        ["expires_at"],
        unique=False,
        postgresql_where=sa.text("state = 'pending'"),
        sqlite_where=sa.text("state = 'pending'"),
    )
    op.create_index(op.f("ix_invitations_player_id"), "invitations", ["player_id"], unique=False)
    op.create_table(
        "orders",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("game_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("canonical", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("reason", sa.String(length=40), nullable=False),
        sa.Column("source", sa.String(length=40), nullable=False),
        sa.Column("request", sa.String(length=64), nullable=True),
        sa.Column("mail_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_orders_game_id")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_orders_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_orders")),
        sa.UniqueConstraint("game_id", "seat", "request", name=op.f("uq_orders_game_id_seat_request")),
    )
    op.create_index(op.f("ix_orders_game_id_ply_seat"), "orders", ["game_id", "ply", "seat"], unique=False)
    op.create_table(
        "plies",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("game_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("restores", sa.Integer(), nullable=True),
        sa.Column("orders", sa.JSON(), nullable=False),
        sa.Column("hands", sa.JSON(), nullable=False),
        sa.Column("chance", sa.JSON(), nullable=False),
        sa.Column("events", sa.LargeBinary(), nullable=False),
        sa.Column("snapshot", sa.LargeBinary(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("phase", sa.String(length=200), nullable=False),
        sa.Column("round", sa.String(length=200), nullable=False),
        sa.Column("resolved_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_plies_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_plies")),
        sa.UniqueConstraint("game_id", "ply", name=op.f("uq_plies_game_id_ply")),
    )
    op.create_table(
        "seats",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("game_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("bot", sa.String(length=40), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("ladder", sa.JSON(), nullable=False),
        sa.Column("never", sa.JSON(), nullable=False),
        sa.Column("kinds_off", sa.JSON(), nullable=False),
        sa.Column("bank_used", sa.Integer(), nullable=False),
        sa.Column("sat_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("joined_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("resigned_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_seats_game_id")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_seats_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seats")),
        sa.UniqueConstraint("game_id", "seat", name=op.f("uq_seats_game_id_seat")),
    )
    op.create_index(op.f("ix_seats_player_id"), "seats", ["player_id"], unique=False)
    op.create_table(
        "standing_orders",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("game_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("phase", sa.String(length=200), nullable=False),
        sa.Column("round", sa.String(length=200), nullable=False),
        sa.Column("uses", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_why", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_standing_orders_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_standing_orders")),
    )
    op.create_index(
        "ix_standing_live",
        "standing_orders",
        ["game_id", "seat"],
        unique=False,
        postgresql_where=sa.text("ended_at IS NULL"),
        sqlite_where=sa.text("ended_at IS NULL"),
    )


def downgrade() -> None:
    """Drop them again."""
    op.drop_table("standing_orders")
    op.drop_table("seats")
    op.drop_table("plies")
    op.drop_table("orders")
    op.drop_table("invitations")
    op.drop_table("decisions")
    op.drop_table("audit_log")
    op.drop_table("games")
