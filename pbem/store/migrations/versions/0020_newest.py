"""A person's newest seats and a webhook's newest calls cost no more for all the older ones."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

_FAILED = sa.text("state = 'failed'")
_ORDERED = (("seats", "player_id"), ("hook_calls", "hook_id"))
"""Tables whose rows are found by this column, and now by it the newest first."""


def upgrade() -> None:
    """An index more, and two that know the order."""
    op.create_index(
        *("ix_hook_calls_failed", "hook_calls", ["hook_id", "id"]), postgresql_where=_FAILED, sqlite_where=_FAILED
    )
    for table, column in _ORDERED:
        op.create_index(f"ix_{table}_{column}_id", table, [column, "id"])
        op.drop_index(f"ix_{table}_{column}", table)


def downgrade() -> None:
    """As it was."""
    for table, column in _ORDERED:
        op.create_index(f"ix_{table}_{column}", table, [column])
        op.drop_index(f"ix_{table}_{column}_id", table)
    op.drop_index("ix_hook_calls_failed", "hook_calls")
