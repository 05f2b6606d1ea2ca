"""Whose an order given ahead is, kept with it: a sitter's was told as its player's own."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Those in force are told as before."""
    op.add_column("standing_orders", sa.Column("told_as", sa.String(40), nullable=False, server_default=""))


def downgrade() -> None:
    """The orders themselves stay."""
    op.drop_column("standing_orders", "told_as")
