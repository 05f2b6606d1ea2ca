"""The seat that a vote would replace."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; proposals made before are about no seat."""
    with op.batch_alter_table("proposals") as batch:
        batch.add_column(sa.Column("seat", sa.Integer(), nullable=True))


def downgrade() -> None:
    """Drop it again, with the proposals that need it."""
    op.execute("DELETE FROM votes WHERE proposal_id IN (SELECT id FROM proposals WHERE kind = 'replace')")
    op.execute("DELETE FROM proposals WHERE kind = 'replace'")
    with op.batch_alter_table("proposals") as batch:
        batch.drop_column("seat")
