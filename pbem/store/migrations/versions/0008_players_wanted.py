"""The games that wait for their players, found by the end of their wait."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the index; games opened before wait as long as it takes."""
    still_open = sa.text("state = 'open'")
    op.create_index("ix_games_unfilled", "games", ["wake_at"], postgresql_where=still_open, sqlite_where=still_open)


def downgrade() -> None:
    """Drop it again."""
    op.drop_index("ix_games_unfilled", "games")
