"""Fewer indexes of games and letters: to ask whether a row belongs in one costs a ply as much as three entries."""

from __future__ import annotations

from typing import TypeAlias

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

_Indexes: TypeAlias = tuple[tuple[str, str, list[str], str], ...]
_BEFORE: _Indexes = (
    ("games", "wake", ["wake_at"], "state = 'running'"),
    ("games", "unfilled", ["wake_at"], "state = 'open'"),
    ("games", "stuck", ["stuck_at"], "state = 'stuck'"),
    ("games", "live", ["state"], "state IN ('open', 'running', 'paused', 'stuck')"),
    ("games", "organiser_id", ["organiser_id"], ""),
    ("games", "unrated", ["finished_at"], "state = 'finished' AND NOT rated AND NOT practice"),
    ("games", "whole", ["finished_at"], "state IN ('finished', 'ended') AND NOT compact"),
    ("games", "watched", ["state", "id"], "watch_delay > -1 AND state IN ('running', 'finished', 'ended')"),
    ("letters", "pending", ["lane", "next_try_at"], "state = 'pending'"),
    ("letters", "claimed", ["claimed_at"], "state = 'claimed'"),
    ("letters", "failed", ["created_at"], "state = 'failed'"),
)
_NOW: _Indexes = (
    ("games", "state_wake_at", ["state", "wake_at"], ""),
    ("games", "unrated", ["finished_at"], "outcome IS NOT NULL AND NOT rated AND NOT practice"),
    ("games", "whole", ["finished_at"], "finished_at IS NOT NULL AND NOT compact"),
    ("games", "watched", ["state", "id"], "watch_delay > -1"),
    ("letters", "state_lane_next_try_at", ["state", "lane", "next_try_at"], ""),
)


def upgrade() -> None:
    """Five for eleven."""
    _put(_NOW, instead_of=_BEFORE)


def downgrade() -> None:
    """As it was."""
    _put(_BEFORE, instead_of=_NOW)


def _put(wanted: _Indexes, instead_of: _Indexes) -> None:
    for table, name, *_ in instead_of:
        op.drop_index(f"ix_{table}_{name}", table)
    for table, name, columns, where in wanted:
        rows = sa.text(where) if where else None
        op.create_index(f"ix_{table}_{name}", table, columns, postgresql_where=rows, sqlite_where=rows)
