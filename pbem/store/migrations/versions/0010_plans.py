"""What a player tapped, kept beside the standing order that it became."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Standing orders so far were written as text."""
    op.add_column("standing_orders", sa.Column("plan", sa.Text(), nullable=False, server_default=""))


def downgrade() -> None:
    """The standing orders themselves stay."""
    op.drop_column("standing_orders", "plan")
