"""Decisions say until when their answers are held, whether they are asked in secret or all know who is asked."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """What is open already counts as soon as all have answered: there its common time is an hour at most."""
    op.add_column("decisions", sa.Column("held_until", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    """Answers in secret are held from their opening, the others no longer."""
    op.drop_column("decisions", "held_until")
