"""Decisions asked before their turn are marked as such: they are wanted like any other, but hold up nothing."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """What is open already stays as it was asked."""
    op.add_column("decisions", sa.Column("ahead", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    """They hold up nothing."""
    op.execute(sa.text("UPDATE decisions SET optional = ahead OR optional"))
    op.drop_column("decisions", "ahead")
