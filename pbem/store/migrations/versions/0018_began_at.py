"""From when a question's time counts is kept: a time that begins anew was to be told from its question's by nothing."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """The time of what was asked so far counts from when it was asked."""
    op.add_column("decisions", sa.Column("began_at", sa.DateTime(timezone=True)))
    op.execute("UPDATE decisions SET began_at = opened_at")
    with op.batch_alter_table("decisions") as decisions:
        decisions.alter_column("began_at", nullable=False)


def downgrade() -> None:
    """A program before this one works it out from the reminders."""
    op.drop_column("decisions", "began_at")
