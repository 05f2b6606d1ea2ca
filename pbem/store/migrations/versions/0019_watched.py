"""The list of games that everybody may watch, and what a webhook was told, cost no more for what else there is."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

_WATCHED = sa.text("watch_delay > -1 AND state IN ('running', 'finished', 'ended')")


def upgrade() -> None:
    """Two indexes."""
    op.create_index("ix_games_watched", "games", ["state", "id"], postgresql_where=_WATCHED, sqlite_where=_WATCHED)
    op.create_index("ix_hook_calls_hook_id", "hook_calls", ["hook_id"])


def downgrade() -> None:
    """A program before this one does without them."""
    op.drop_index("ix_hook_calls_hook_id", "hook_calls")
    op.drop_index("ix_games_watched", "games")
